"""View: one header for each hand, to list hands and to find them in the log."""

from collections.abc import Callable
from typing import Any, NamedTuple

from domain.hand.events import HandCancelled, HandOpened, HandSettled, PotAwarded, RakeTaken
from domain.rules.vocabulary import Stakes
from projections.commit import Commit
from projections.played_for import played_for
from projections.view import Layout, Rows, View
from projections.zones import ZONES, Zone, day_of, note_zone


class HandHeader(NamedTuple):
    """Amounts in minor units of the currency, times in UTC microseconds since 1970.

    `small_bet` and `big_bet` are 0 but in fixed limit, `min_bet` only there. Blinds are 0 in ante games, `bring_in` in
    games with blinds. `maxima`: those of spread limit with spaces between, "300 300 600 600". `players`: those dealt
    in. `pot`: what was raked and awarded, 0 before. The hand's commits lie in `shard` from `first_height` to
    `last_height`; that and `finished_at` are None while it is under way. `cancelled_after`: microseconds without a
    working owner, after which every chip went back; None for a hand that was not cancelled. `day`: the room's day on
    which it was settled, empty before. `stakes_text`: the stakes as people call them, `0.50/1.00`.
    """

    hand: str
    table: str
    number: int
    game: str
    limit: str
    kind: str
    rulebook: str
    currency: str
    small_blind: int
    big_blind: int
    ante: int
    bring_in: int
    min_bet: int
    small_bet: int
    big_bet: int
    maxima: str
    players: int
    pot: int
    rake: int
    started_at: int
    finished_at: int | None
    shard: int
    first_height: int
    last_height: int | None
    cancelled_after: int | None
    day: str
    stakes_text: str

    @property
    def stakes(self) -> Stakes:
        """The amounts that the hand was played for."""
        amounts = {name: getattr(self, name) for name in _AMOUNTS}
        return Stakes(**amounts, maxima=tuple(map(int, self.maxima.split())))


_AMOUNTS = ("small_blind", "big_blind", "ante", "bring_in", "min_bet", "small_bet", "big_bet")


def fold(commit: Commit, headers: Rows[HandHeader], zones: Rows[Zone]) -> None:
    note_zone(zones, commit)
    for stream, _, event in commit.facts:
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            handler(headers, stream.removeprefix("hand:"), event, commit)
        elif type(event) is HandSettled:
            row = headers[stream.removeprefix("hand:"),]
            day = day_of(zones, commit)
            headers.put(row._replace(finished_at=commit.at, last_height=commit.height, day=day))


def _open(headers: Rows[HandHeader], hand: str, event: HandOpened, commit: Commit) -> None:
    stakes = event.stakes
    headers.put(
        HandHeader(
            hand=hand,
            table=event.table,
            number=event.number,
            game=event.game,
            limit=event.limit.value,
            kind=event.kind.value,
            rulebook=event.rulebook,
            currency=event.currency,
            small_blind=stakes.small_blind,
            big_blind=stakes.big_blind,
            ante=stakes.ante,
            bring_in=stakes.bring_in,
            min_bet=stakes.min_bet,
            small_bet=stakes.small_bet,
            big_bet=stakes.big_bet,
            maxima=" ".join(map(str, stakes.maxima)),
            players=len(event.seats),
            pot=0,
            rake=0,
            started_at=commit.at,
            finished_at=None,
            shard=commit.shard,
            first_height=commit.height,
            last_height=None,
            cancelled_after=None,
            day="",
            stakes_text=played_for(event),
        )
    )


def _rake(headers: Rows[HandHeader], hand: str, event: RakeTaken, commit: Commit) -> None:
    row = headers[hand,]
    headers.put(row._replace(pot=row.pot + event.amount, rake=row.rake + event.amount))


def _award(headers: Rows[HandHeader], hand: str, event: PotAwarded, commit: Commit) -> None:
    row = headers[hand,]
    headers.put(row._replace(pot=row.pot + event.amount))


def _cancel(headers: Rows[HandHeader], hand: str, event: HandCancelled, commit: Commit) -> None:
    headers.put(headers[hand,]._replace(cancelled_after=event.gap))


_HANDLERS: dict[type[Any], Callable[[Rows[HandHeader], str, Any, Commit], None]] = {
    HandOpened: _open,
    RakeTaken: _rake,
    PotAwarded: _award,
    HandCancelled: _cancel,
}

HANDS = View(
    "hands",
    5,
    (
        Layout("headers", HandHeader, key=1, indexes=(("table", "number"), ("started_at",), ("finished_at",))),
        ZONES,
    ),
    fold,
)
