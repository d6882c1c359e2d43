"""View: the rake ledger, one row for each hand that paid rake."""

from collections.abc import Callable
from typing import Any, NamedTuple

from domain.hand.events import HandOpened, HandSettled, PotAwarded, RakeTaken
from projections.commit import Commit
from projections.played_for import played_for
from projections.view import Layout, Rows, View
from projections.zones import ZONES, Zone, day_of, note_zone


class RakedHand(NamedTuple):
    """Amounts in minor units of the currency.

    `limit` is the game's structure, `stakes` as people call them: `0.50/1.00`. `settled_at`: UTC microseconds since
    1970; `day`: the room's day then, `2026-01-31`. `pot`: what was raked and awarded, so without the uncalled bet
    (rules.md section 9). `players`: those dealt in.
    """

    hand: str
    table: str
    game: str
    limit: str
    stakes: str
    rulebook: str
    currency: str
    settled_at: int
    day: str
    pot: int
    rake: int
    players: int


def fold(commit: Commit, ledger: Rows[RakedHand], unsettled: Rows[RakedHand], zones: Rows[Zone]) -> None:
    note_zone(zones, commit)
    for stream, _, event in commit.facts:
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(unsettled, stream.removeprefix("hand:"), event)
        elif type(event) is HandSettled:
            row = _settle(unsettled, stream.removeprefix("hand:"))
            if row.rake:
                ledger.put(row._replace(settled_at=commit.at, day=day_of(zones, commit)))


def _open(unsettled: Rows[RakedHand], hand: str, event: HandOpened) -> None:
    unsettled.begin((hand,))
    unsettled.put(
        RakedHand(
            hand=hand,
            table=event.table,
            game=event.game,
            limit=event.limit.value,
            stakes=played_for(event),
            rulebook=event.rulebook,
            currency=event.currency,
            settled_at=0,
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


def _settle(unsettled: Rows[RakedHand], hand: str) -> RakedHand:
    row = unsettled[hand,]
    unsettled.drop((hand,))
    return row


_HANDLERS: dict[type[Any], Callable[[Rows[RakedHand], str, Any], None]] = {
    HandOpened: _open,
    RakeTaken: _rake,
    PotAwarded: _award,
}

RAKE = View(
    "rake",
    2,
    (
        Layout("ledger", RakedHand, key=1, indexes=(("settled_at",),)),
        Layout("unsettled", RakedHand, key=1),
        ZONES,
    ),
    fold,
)
