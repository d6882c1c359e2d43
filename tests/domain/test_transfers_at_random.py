"""Money and news on their way, under any order of losses, repeats and crashes: never both, never neither.

Each rule that this rests on is broken once, to see that it would be noticed.
"""

from typing import Any

import pytest

from domain import transfers
from domain.account import tables as account_tables
from domain.account.state import FOLDS_OF_ACCOUNT
from domain.messages import AlreadyDone
from domain.table import cash_out as table_cash_out
from domain.table import funds as table_funds
from domain.table import state as table_state
from domain.transfers import Purpose, TransferClosed, TransferRefused, TransferSent
from tests.domain.rooms_in_transit import Room

ENDS = (["sent", "received", "closed"], ["sent", "refused", "given back"])


def played(seed: int, steps: int = 250) -> Room:
    room = Room(seed)
    for _ in range(steps):
        room.anything()
    room.settle()
    return room


def check_all_ended(room: Room) -> None:
    ends = room.ends()
    for sender, to, seq, steps in ends:
        assert steps in ENDS, (sender, to, seq, steps)
    for pair in {one[:2] for one in ends}:
        numbers = [seq for *of, seq, _ in ends if tuple(of) == pair]
        assert numbers == list(range(1, len(numbers) + 1)), f"{pair} is numbered densely from 1"
    assert room.books.under("transit:") == 0


@pytest.mark.parametrize("seed", range(16))
def test_every_transfer_is_received_or_given_back_and_all_money_is_somewhere_at_every_step(seed: int) -> None:
    check_all_ended(played(seed))


def test_these_rooms_see_everything_that_can_become_of_a_transfer() -> None:
    steps = [(sender.partition(":")[0], to.partition(":")[0], *ends) for seed in range(8)
             for sender, to, _, ends in played(seed).ends()]  # fmt: skip
    assert {
        ("account", "table", *ENDS[0]), ("account", "table", *ENDS[1]), ("table", "account", *ENDS[0]),
        ("player", "table", *ENDS[0]),
    } <= set(steps)  # fmt: skip


# --- each rule broken ------------------------------------------------------------------------------------------------


def _takes_anything(party: Any, asked: Any) -> None:
    """A receiver that knows no numbers."""


def _closes_again(account: Any, asked: Any) -> Any:
    """A sender that closes once more what it closed last."""
    try:
        return transfers.under_way(account, asked)
    except AlreadyDone:
        sent = TransferSent(asked.to, asked.seq, 5_00, "USD", Purpose.TOP_UP, asked.player, 1, 0, posts=False, at=0)
        account.sent[asked.to].under_way.insert(0, sent)
        return sent


def _remembers_nothing(table: Any, event: Any) -> None:
    """A receiver that takes no note of what it did."""


def _one_number(party: Any, to: str) -> int:
    return 1


Break = tuple[Any, str | type[Any], Any]
"""A module or table of functions, the name of one, and what takes its place."""

BROKEN: dict[str, Break] = {
    "a table takes a transfer twice": (table_funds, "check_next", _takes_anything),
    "an account takes a cash-out twice": (account_tables, "check_next", _takes_anything),
    "an account closes twice": (account_tables, "under_way", _closes_again),
    "a table forgets what it refused": (table_state.EVOLVE, TransferRefused, _remembers_nothing),
    "an account isn't given back what was refused": (FOLDS_OF_ACCOUNT, TransferClosed, transfers.note_closed),
    "an account numbers every transfer 1": (account_tables, "next_number", _one_number),
    "a table numbers every cash-out 1": (table_cash_out, "next_number", _one_number),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_rule_is_noticed(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, instead = BROKEN[rule]
    if isinstance(where, dict):
        monkeypatch.setitem(where, name, instead)
    else:
        monkeypatch.setattr(where, str(name), instead)
    with pytest.raises((AssertionError, LookupError)):  # noqa: PT012 - in one of many rooms
        for seed in range(16):
            check_all_ended(played(seed))
