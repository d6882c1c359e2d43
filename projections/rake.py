"""View: the rake ledger, one row for each hand that paid rake."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from domain.hand.events import HandOpened, HandSettled, PotAwarded, RakeTaken
from projections.commit import Commit
from projections.view import Layout, Rows, View

_SECOND = 1_000_000
"""Microseconds."""


class RakedHand(NamedTuple):
    """Amounts in minor units of the currency.

    `day`: that of the settlement, UTC, `2026-01-31`. `pot`: what was raked and awarded, so without the uncalled bet
    (rules.md section 9). `players`: those dealt in.
    """

    hand: str
    table: str
    game: str
    limit: str
    rulebook: str
    currency: str
    day: str
    pot: int
    rake: int
    players: int


def fold(commit: Commit, ledger: Rows[RakedHand], unsettled: Rows[RakedHand]) -> None:
    for stream, _, event in commit.facts:
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(unsettled, stream.removeprefix("hand:"), event)
        elif type(event) is HandSettled:
            _settle(ledger, unsettled, stream.removeprefix("hand:"), commit.at)


def _open(unsettled: Rows[RakedHand], hand: str, event: HandOpened) -> None:
    unsettled.begin((hand,))
    unsettled.put(
        RakedHand(
            hand=hand,
            table=event.table,
            game=event.game,
            limit=event.limit.value,
            rulebook=event.rulebook,
            currency=event.currency,
            day="",
            pot=0,
            rake=0,
            players=len(event.seats),
        )
    )


def _rake(unsettled: Rows[RakedHand], hand: str, event: RakeTaken) -> None:
    row = unsettled[hand,]
    unsettled.put(row._replace(pot=row.pot + event.amount, rake=row.rake + event.amount))


def _award(unsettled: Rows[RakedHand], hand: str, event: PotAwarded) -> None:
    row = unsettled[hand,]
    unsettled.put(row._replace(pot=row.pot + event.amount))


def _settle(ledger: Rows[RakedHand], unsettled: Rows[RakedHand], hand: str, at: int) -> None:
    row = unsettled[hand,]
    unsettled.drop((hand,))
    if row.rake:
        ledger.put(row._replace(day=day(at)))


def day(at: int) -> str:
    """The day, UTC, of a time in microseconds since 1970."""
    return datetime.fromtimestamp(at // _SECOND, UTC).date().isoformat()


_HANDLERS: dict[type[Any], Callable[[Rows[RakedHand], str, Any], None]] = {
    HandOpened: _open,
    RakeTaken: _rake,
    PotAwarded: _award,
}

RAKE = View("rake", 1, (Layout("ledger", RakedHand, key=1), Layout("unsettled", RakedHand, key=1)), fold)
