"""Days and the reconciliation over a room whose players have accounts, with transfers that are lost, repeated and
refused: whatever happens, start and moves come to the end, and all that came in is there."""

import pytest

from domain.account.events import Deposited, Withdrawn
from domain.room import ShardOpened
from projections.commit import Commit, CommittedFact
from projections.day_report import day_report
from projections.filters import Only
from projections.queries import proof
from projections.reconciliation import reconciliation
from projections.store import Store
from tests.domain.rooms_in_transit import Room
from tests.projections.rooms import NEW_YEAR

HOUR = 3_600_000_000


def commits_of(room: Room) -> list[Commit]:
    """All that was recorded there, a fact each commit and half an hour, from New Year on."""
    opened = ShardOpened("room", "00", 0, 1, "Europe/Vienna", "00" * 8, ())
    facts = [("shard:0", opened), *room.log]
    return [
        Commit(0, height, NEW_YEAR + height * HOUR // 2, [CommittedFact(stream, height, event)])
        for height, (stream, event) in enumerate(facts)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_whatever_happens_days_add_up_and_all_that_came_in_is_there(seed: int, store: Store) -> None:
    room = Room(seed)
    for _ in range(400):
        room.anything()
    store.apply(commits_of(room))
    assert proof(store).sound

    found = day_report(store, None, None, Only())
    assert found.sound
    deposits, withdrawals = (
        sum(event.amount for _, event in room.log if type(event) is kind) for kind in (Deposited, Withdrawn)
    )
    assert sum(line.deposits for line in found.lines) == deposits > 0
    assert sum(line.withdrawals for line in found.lines) == withdrawals
    assert sum(line.rake for line in found.lines) == room.rake
    last = found.lines[-1]
    assert last.tables_end == room.books.under("table:", "hand:")
    assert last.accounts_end == room.books.under("account:")
    assert last.transit_end == room.books.under("transit:")

    (dollars,) = reconciliation(store)
    assert dollars.agrees
    assert (dollars.deposits, dollars.withdrawals) == (deposits, withdrawals)
    assert dollars.house == room.books.under("house:")
