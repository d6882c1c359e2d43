"""A room in memory: tables of several games played at random by the domain's own rules, as commits of a log."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from domain.hand.commands import CancelHand
from domain.hand.dealing import OpenShoes
from domain.messages import SECOND, Facts
from domain.room import ShardOpened
from domain.rules.registry import game as declared
from domain.table import commands as of_table
from domain.table.play import Play, play
from projections.commit import Commit, CommittedFact
from tests.domain.hand.random_hands import Mood, answer

SHARDS = 2
NEW_YEAR = 1_767_225_600_000_000
"""2026-01-01 00:00 UTC in microseconds."""
MINUTE = 60_000_000

MOOD = Mood(fold=0.2, bet=0.25, most=0.2, late=0.1, agree=0.6, wish=0)

TABLES = [
    # Game, limit, rulebook, stakes, kind, currency.
    ("holdem", "no", "euro", (50, 100), "real", "EUR"),
    ("omaha", "pot", "euro", (100, 200), "real", "USD"),
    ("omaha-hilo", "fixed", "ace", (200, 400), "real", "USD"),
    ("holdem", "no", "classic", (1, 2), "play", "PLAY"),
    ("stud", "fixed", "ace", (200, 400), "real", "USD"),
    ("triple-draw", "pot", "euro", (1, 2), "play", "PLAY"),
    ("draw32", "half-pot", "euro", (50, 100), "real", "EUR"),
]


class Room:
    """Decides commands at once and keeps what a log would keep: commits by shard, dense heights and versions."""

    def __init__(self, seed: int = 1, time_zone: str = "UTC") -> None:
        self.random = Random(seed)
        self.commits: list[Commit] = []
        self.tables: dict[str, Play] = {}
        self._heights = [0] * SHARDS
        self._versions: dict[str, int] = {}
        self.at = NEW_YEAR
        for shard in range(SHARDS):
            self._commit(
                shard, [(f"shard:{shard}", [ShardOpened("room", "00", shard, SHARDS, time_zone, "00" * 8, ())])]
            )

    def ask(self, table: str, command: Any) -> None:
        now = self.tables.setdefault(table, Play(table))
        self._commit(int(table[1:]) % SHARDS, play(now, command, OpenShoes(self._shuffled), self.at + MINUTE))

    def _shuffled(self, cards: Sequence[int]) -> list[int]:
        return self.random.sample(cards, len(cards))

    def _commit(self, shard: int, facts: list[Facts]) -> None:
        self.at += MINUTE
        lines = []
        for stream, event in ((stream, event) for stream, events in facts for event in events):
            version = self._versions[stream] = self._versions.get(stream, 0) + 1
            lines.append(CommittedFact(stream, version, event))
        self.commits.append(Commit(shard, self._heights[shard], self.at, lines))
        self._heights[shard] += 1

    def open_tables(self, tables: int = len(TABLES)) -> None:
        for number, (game, limit, rulebook, stakes, kind, currency) in enumerate(TABLES[:tables], start=1):
            seats = min(6, declared(game).max_seats)
            opening = of_table.OpenTable(f"t{number}", "", game, limit, rulebook, *stakes, seats, kind, currency)
            self.ask(opening.table, opening)
            for seat in range(1, 6):
                self.sit_down(opening.table, seat, f"p{number}{seat}")

    def sit_down(self, table: str, seat: int, player: str, left_with: int = 0) -> None:
        """With 20 to 100 times the big stake, or with what he has just left with, if that is more."""
        big = TABLES[int(table[1:]) - 1][3][1]
        amount = max(self.random.randint(20, 100) * big, left_with)
        self.ask(table, of_table.SitDown(table, seat, player, amount))

    def play_hand(self, table: str) -> None:
        """One hand at random."""
        for _ in self.moves(table):
            pass

    def moves(self, table: str) -> Iterator[None]:
        """A hand decision by decision, so that those of several tables can be interleaved; some are cancelled.

        Who has lost everything stands up afterwards and sits down again, and so do some others.
        """
        now = self.tables[table]
        assert now.table is not None
        self.ask(table, of_table.DealHand(table, now.table.hands + 1))
        while now.table.open_hand:
            yield
            assert now.hand is not None
            if self.random.randrange(100) == 0:
                self.ask(table, CancelHand(now.hand.id, 61 * SECOND))
                break
            self.ask(table, answer(self.random, MOOD, now.hand))
        for number, seat in list(now.table.seats.items()):
            if not seat.stack or self.random.randrange(20) == 0:
                player, stack = seat.player, seat.stack
                self.ask(table, of_table.StandUp(table, number, player))
                self.sit_down(table, number, player, stack)


def played(rounds: int, seed: int = 1, tables: int = len(TABLES), time_zone: str = "UTC") -> Room:
    """A room in which every one of the first `tables` has played that many hands, all tables at the same time."""
    room = Room(seed, time_zone)
    room.open_tables(tables)
    for _ in range(rounds):
        under_way = [room.moves(table) for table in room.tables]
        while under_way:
            hand = room.random.choice(under_way)
            if next(hand, "over") == "over":
                under_way.remove(hand)
    return room
