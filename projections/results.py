"""View: what each player made of each hand, and which part of its rake he bore.

A player bears the rake by what he put into the raked pots: all that he committed, posts included, less what came back
uncalled. The whole amount counts, not pot by pot: the schedule runs on the running total of the pots (rules.md section
9), so what a side pot adds says only how many chips lay there before it. So each chip counts the same, whichever pot it
lies in, and an auditor recomputes each part from the hand's rake and what each player put in. What whole units leave
over goes to the largest remainders, of equal ones to the lowest seat first (`shares.py`): the parts sum to the rake.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from domain.hand import events as fact
from projections.commit import Commit
from projections.postings import HAND
from projections.shares import shares
from projections.view import Layout, Rows, View


class Result(NamedTuple):
    """Minor units of the hand's currency. `put_in`: what he committed, less what was returned uncalled; `won`: what he
    collected; his net is won - put_in: whoever bet 3.17, had 0.34 returned and collected 5.50 has won 2.67. `rake`: his
    part of the hand's. Of a hand that was cancelled all are 0."""

    hand: str
    seat: int
    player: str
    put_in: int
    won: int
    rake: int


def fold(commit: Commit, results: Rows[Result], unsettled: Rows[Result]) -> None:
    for stream, _, event in commit.facts:
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(unsettled, stream.removeprefix(HAND), event)
        elif type(event) is fact.HandSettled:
            for row in _settled(unsettled, stream.removeprefix(HAND), event):
                results.put(row)


def _opened(unsettled: Rows[Result], hand: str, event: fact.HandOpened) -> None:
    for one in event.seats:
        unsettled.begin((hand, one.seat))
        unsettled.put(Result(hand, one.seat, one.player, put_in=0, won=0, rake=0))


def _put_in(unsettled: Rows[Result], hand: str, event: Any) -> None:
    row = unsettled[hand, event.seat]
    unsettled.put(row._replace(put_in=row.put_in + event.amount))


def _returned(unsettled: Rows[Result], hand: str, event: fact.UncalledBetReturned) -> None:
    row = unsettled[hand, event.seat]
    unsettled.put(row._replace(put_in=row.put_in - event.amount))


def _won(unsettled: Rows[Result], hand: str, event: fact.PotAwarded) -> None:
    row = unsettled[hand, event.seat]
    unsettled.put(row._replace(won=row.won + event.amount))


def _cancelled(unsettled: Rows[Result], hand: str, event: fact.HandCancelled) -> None:
    for seat, amount in zip(event.seats, event.amounts, strict=True):
        row = unsettled[hand, seat]
        unsettled.put(row._replace(put_in=row.put_in - amount))


def _settled(unsettled: Rows[Result], hand: str, event: fact.HandSettled) -> list[Result]:
    """The results of the players dealt in, by seat."""
    rows = [unsettled[hand, seat] for seat in sorted(event.seats)]
    parts = shares(event.rake, [row.put_in for row in rows])
    for row in rows:
        unsettled.drop((hand, row.seat))
    return [row._replace(rake=part) for row, part in zip(rows, parts, strict=True)]


_HANDLERS: dict[type[Any], Callable[[Rows[Result], str, Any], None]] = {
    fact.HandOpened: _opened,
    fact.BlindPosted: _put_in,
    fact.BroughtIn: _put_in,
    fact.Called: _put_in,
    fact.BetMade: _put_in,
    fact.Raised: _put_in,
    fact.UncalledBetReturned: _returned,
    fact.PotAwarded: _won,
    fact.HandCancelled: _cancelled,
}

RESULTS = View(
    "results",
    1,
    (Layout("players", Result, key=2, indexes=(("player",),)), Layout("unsettled", Result, key=2)),
    fold,
)
