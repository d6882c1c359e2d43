"""From the log's commits to rows of the warehouse: a pure fold, and rows only of hands that are over."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from domain.hand import events as fact
from domain.hand.events import HandOpened
from domain.rulings.opening import CardsOpened
from domain.table.play import table_of_hand
from domain.transfers import About, NoticeClosed
from projections.zones import local_day
from services.warehouse.hand import HandUnderWay
from services.warehouse.tables import OpeningRow, ProtectionAnswer

AUDIT, HAND, TABLE = "audit:", "hand:", "table:"

_OF_PROTECTION = {About.PROTECTION, About.PROTECTION_USED}


class Decided(NamedTuple):
    """A commit as the warehouse reads it: `at` in UTC microseconds, the cause of its command, and what it added to
    which stream: (stream, version, event)."""

    shard: int
    height: int
    at: int
    cause: str
    facts: Iterable[tuple[str, int, Any]]


class Part(NamedTuple):
    """Which rows lie together: of a table, a day `2026-01-31` by the room's time zone, a game."""

    table: str
    day: str
    game: str


class Fold:
    """Takes commits, each shard's in order. `under_way`: the hands that are not over, by id. `rows`: what was made
    since they were last taken away.

    `zone`: by which the room's days end. `game_of`: the game of a hand that isn't under way, which the log knows.
    """

    def __init__(self, zone: str, game_of: Callable[[str], str]) -> None:
        self._zone, self._game_of = zone, game_of
        self.under_way: dict[str, HandUnderWay] = {}
        self.rows: dict[Part, list[tuple[Any, ...]]] = defaultdict(list)
        self.made = 0

    def take(self, commit: Decided) -> None:
        for stream, version, event in commit.facts:
            if stream.startswith(HAND):
                self._take_of_hand(stream.removeprefix(HAND), version, event, commit)
            elif isinstance(event, CardsOpened):
                self._put([self._beside("openings", opening_row(stream.removeprefix(AUDIT), event, commit), commit)])
            elif isinstance(event, NoticeClosed) and stream.startswith(TABLE) and event.about in _OF_PROTECTION:
                self._put([self._beside("protection_answers", answer_row(event, commit), commit)])

    def taken_away(self) -> dict[Part, list[tuple[Any, ...]]]:
        """The rows, which are forgotten here."""
        rows, self.rows, self.made = self.rows, defaultdict(list), 0
        return rows

    def under_way_in(self, shard: int) -> list[str]:
        """The shard's hands that are not over, by id."""
        return sorted(hand for hand, one in self.under_way.items() if one.shard == shard)

    def _take_of_hand(self, hand: str, version: int, event: Any, commit: Decided) -> None:
        if isinstance(event, HandOpened):
            self.under_way[hand] = HandUnderWay(event, commit.shard, commit.height, commit.at)
            return
        one = self.under_way[hand]
        one.take(version, event, at=commit.at, height=commit.height, cause=commit.cause)
        if isinstance(event, fact.HandSettled):
            del self.under_way[hand]
            day, game = self._day(commit.at), one.game
            self._put((Part(table, day, game), row) for table, row in one.rows(event, commit.at, commit.height))

    def _beside(self, table: str, row: OpeningRow | ProtectionAnswer, commit: Decided) -> tuple[Part, tuple[Any, ...]]:
        """A row that concerns a hand and is no part of its play."""
        one = self.under_way.get(row.hand)
        game = one.game if one is not None else self._game_of(row.hand)
        return Part(table, self._day(commit.at), game), row

    def _put(self, rows: Iterable[tuple[Part, tuple[Any, ...]]]) -> None:
        for part, row in rows:
            self.rows[part].append(row)
            self.made += 1

    def _day(self, at: int) -> str:
        return local_day(at, self._zone)


def opening_row(hand: str, event: CardsOpened, commit: Decided) -> OpeningRow:
    return OpeningRow(
        hand=hand,
        opened_at=commit.at,
        form=event.form.value,
        seats=event.seats,
        deck=event.deck,
        settled=event.settled,
        version=event.version,
        asked_by=event.by,
        second=event.second,
        shard=commit.shard,
        height=commit.height,
    )


def answer_row(event: NoticeClosed, commit: Decided) -> ProtectionAnswer:
    return ProtectionAnswer(
        hand=event.hand,
        table_id=table_of_hand(event.hand),
        player=event.player,
        about=event.about.value,
        outcome=event.outcome.value,
        answered_at=commit.at,
        shard=commit.shard,
        height=commit.height,
    )
