"""What the facts of accounts move: each sums to zero, and says in whose hands the money is then."""

from typing import Any

import pytest

from domain.account import events as fact
from domain.messages import account_stream, table_stream
from domain.transfers import Purpose, TransferClosed, TransferReceived, TransferRefused, TransferSent
from projections.postings import MOVES, PLACES, postings
from projections.view import Rows
from tests.domain.rooms_in_transit import Room

ANN, TABLE = account_stream("ann", "EUR"), table_stream("t1")
THERE, BACK = f"transit:{ANN}>{TABLE}", f"transit:{TABLE}>{ANN}"
CHIPS = f"{TABLE}:player:ann"
IN = (35_00, "EUR", Purpose.BUY_IN, "ann", 3, 15_00)
"""35.00, of which 15.00 are promotion credit."""
OUT = (40_00, "EUR", Purpose.CASH_OUT, "ann", 3, 15_00)

BALANCE, HELD, CREDIT = ANN, f"{ANN}:held", f"{ANN}:promotion"


@pytest.mark.parametrize(
    ("stream", "event", "moved"),
    [
        (ANN, fact.Deposited(20_00, "p1", 0), {"bank": -20_00, BALANCE: 20_00}),
        (ANN, fact.Withdrawn(20_00, "w1", "", 0), {BALANCE: -20_00, "bank": 20_00}),
        (ANN, fact.Withdrawn(20_00, "w1", "h1", 0), {HELD: -20_00, "bank": 20_00}),
        (ANN, fact.Held("h1", 5_00, 0), {BALANCE: -5_00, HELD: 5_00}),
        (ANN, fact.HoldReleased("h1", 5_00, 0), {HELD: -5_00, BALANCE: 5_00}),
        (ANN, fact.Adjusted(7_00, "floor:bo", "", "Ym94", "", 0), {"house:adjustments": -7_00, BALANCE: 7_00}),
        (ANN, fact.Adjusted(-7_00, "floor:bo", "", "Ym94", "", 0), {"house:adjustments": 7_00, BALANCE: -7_00}),
        (ANN, fact.PromotionGranted(30_00, "x", 0), {"house:promotions": -30_00, CREDIT: 30_00}),
        (ANN, fact.PromotionTakenBack(30_00, "x", 0), {CREDIT: -30_00, "house:promotions": 30_00}),
        (ANN, TransferSent(TABLE, 1, *IN, True, 0), {BALANCE: -20_00, CREDIT: -15_00, THERE: 35_00}),
        (TABLE, TransferReceived(ANN, 1, *IN, 0), {THERE: -35_00, CHIPS: 35_00}),
        (TABLE, TransferRefused(ANN, 1, *IN, "full", 0), {}),
        (ANN, TransferClosed(TABLE, 1, *IN, True, "", 0), {}),
        (ANN, TransferClosed(TABLE, 1, *IN, False, "full", 0), {THERE: -35_00, BALANCE: 20_00, CREDIT: 15_00}),
        (TABLE, TransferSent(ANN, 1, *OUT, False, 0), {CHIPS: -40_00, BACK: 40_00}),
        (ANN, TransferReceived(TABLE, 1, *OUT, 0), {BACK: -40_00, BALANCE: 25_00, CREDIT: 15_00}),
        (TABLE, TransferClosed(ANN, 1, *OUT, True, "", 0), {}),
        (TABLE, TransferSent(ANN, 1, 0, "EUR", Purpose.CASH_OUT, "ann", 3, 0, False, 0), {}),
    ],
)
def test_each_fact_moves_money_from_where_it_lay_to_where_it_lies(
    stream: str, event: Any, moved: dict[str, int]
) -> None:
    found = postings(Rows(PLACES), stream, event)
    total: dict[str, int] = {}
    for posting in found:
        assert posting.currency == "EUR" and posting.amount
        total[posting.account] = total.get(posting.account, 0) + posting.amount
    assert total == moved
    assert sum(total.values()) == 0
    assert not moved or type(event) in MOVES


def test_the_accounts_are_those_of_the_states_after_everything_that_rooms_do() -> None:
    """`Room.check` compares them after every decision; here each account by its name."""
    room = Room(seed=5)
    for _ in range(200):
        room.anything()
    for player, patron in room.patrons.items():
        account, stream = patron.accounts["USD"], account_stream(player, "USD")
        booked = [room.books.accounts[f"{stream}{part}"] for part in ("", ":held", ":promotion")]
        assert booked == [account.balance, account.held, account.promotion]
