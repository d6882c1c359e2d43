"""What a table has sent and received comes back from a snapshot as it was: numbers, outcomes, what is under way."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.table.state import Table
from domain.transfers import NoticeSent, TransferSent
from services.snapshots import states
from services.snapshots.letters import load_letters
from services.snapshots.shapes import BadState
from tests.domain.rooms_in_transit import Room


def test_it_comes_back_equal_at_every_step() -> None:
    under_way, ended = set(), set()
    for table in tables():
        again = states.load_table(states.dump_table(table))
        assert again == table
        under_way |= {type(sent) for box in again.sent.values() for sent in box.under_way}
        ended |= {box.ended for box in again.sent.values()} | {box.ended for box in again.received.values()}
    assert under_way == {TransferSent, NoticeSent}
    assert {"received", "granted", "done"} <= ended
    assert any(why.startswith("seat ") for why in ended), "a refusal"


def tables() -> Iterator[Table]:
    """A table after each of many steps of some rooms."""
    for seed in range(12):
        room = Room(seed)
        for _ in range(150):
            room.anything()
            assert room.table.table is not None
            yield room.table.table


@pytest.mark.parametrize(
    "letters",
    [
        {"account:ann:eur": [[1, "received", 4], None]},
        {"account:ann:eur": [None]},
        {"account:ann:eur": [None, [1, 2, 3]]},
    ],
)
def test_what_is_none_is_refused(letters: dict[str, Any]) -> None:
    with pytest.raises(BadState, match="no letters of this build"):
        load_letters(letters)
