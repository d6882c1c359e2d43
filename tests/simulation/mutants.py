"""Bugs planted on purpose, each in one place of the product: the simulator must find every one of them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from projections.commit import Commit
from services import views
from services.eventlog import sqlite_file
from services.eventlog.log import LogError
from services.eventlog.sqlite_log import SqliteLog
from services.room import recording, room
from services.room.room import Room
from services.sealing.shoe import SealedShoe

Mutant = Callable[[], Any]


def room_answers_before_the_log_has_it() -> Any:
    honest = Room._not_recorded

    def answers(self: Room, turn: Any, error: LogError, outcomes: list[Any]) -> list[int]:
        left = honest(self, turn, error, outcomes)
        for one in turn.decided:
            outcomes[one.places[0]] = one.answer
        return left

    return patch.object(Room, "_not_recorded", answers)


def room_forgets_ids_when_it_loads() -> Any:
    honest = Room._load

    def forgets(self: Room, owner: str) -> Any:
        desk = honest(self, owner)
        desk.of_owner, desk.of_hand = {}, {}
        return desk

    return patch.object(Room, "_load", forgets)


def room_forgets_ids_by_a_wrong_clock() -> Any:
    """A bug that it once had: what it forgets when it loads a table and what it refuses went by different clocks."""
    honest = Room._load

    def forgets(self: Room, owner: str) -> Any:
        desk = honest(self, owner)
        desk.of_owner = room._recent(desk.of_owner, self.ports.now())
        return desk

    return patch.object(Room, "_load", forgets)


def room_keeps_what_was_not_recorded() -> Any:
    return patch.object(Room, "_forget", lambda self, commands, places: None)


def room_takes_other_arguments() -> Any:
    return patch.object(room, "_check_same", lambda before, command: None)


def room_answers_a_repeat_with_another_time() -> Any:
    def later(record: Any) -> Any:
        answer = recording.answer_of(record)
        return answer._replace(at=answer.at + 1)

    return patch.object(room, "answer_of", later)


def room_lets_time_go_back() -> Any:
    return patch.object(Room, "_now", lambda self, shard: self.ports.now())


def room_pays_a_chip_too_much() -> Any:
    def generous(decided: Any, after: Any) -> list[dict[str, Any]]:
        events = recording.events_of(decided, after)
        paid = next((event["data"] for event in events if event["type"] == "hand.pot-awarded"), None)
        if paid is not None:
            paid["amount"] += 1
            for event in events:
                if event["type"] in ("hand.settled", "table.hand-finished"):
                    event["data"]["stacks"][event["data"]["seats"].index(paid["seat"])] += 1
        return events

    return patch.object(room, "events_of", generous)


def log_tears_a_batch() -> Any:
    honest = SqliteLog._insert

    def torn(self: SqliteLog, sealed: Any) -> Any:
        if len(sealed.heads) > 1:
            sealed = sealed._replace(heads=sealed.heads[:-1], raws=sealed.raws[:-1], touched=sealed.touched[:-1])
        return honest(self, sealed)

    return patch.object(SqliteLog, "_insert", torn)


def log_answers_before_the_disk_has_it() -> Any:
    def hasty(path: Any, db: Any) -> None:
        for pragma in ("journal_mode = WAL", "synchronous = OFF"):
            db.execute(f"PRAGMA {pragma}")

    return patch.object(sqlite_file, "_make_durable", hasty)


def shoe_deals_a_card_twice() -> Any:
    honest = SealedShoe.add

    def twice(self: SealedShoe, order: Sequence[int]) -> Any:
        fresh = honest(self, order)
        cards = (*self._cards[:1], self._cards[0], *self._cards[2:])
        self.card = cards.__getitem__
        return fresh

    return patch.object(SealedShoe, "add", twice)


def shoe_seals_another_card() -> Any:
    honest = SealedShoe.down
    return patch.object(SealedShoe, "down", lambda self, seat, index: honest(self, seat, max(0, index - 1)))


def view_skips_a_commit() -> Any:
    honest = views.committed

    def skips(record: Any) -> Commit:
        commit = honest(record)
        return commit._replace(facts=[]) if commit.height == 5 else commit

    return patch.object(views, "committed", skips)


MUTANTS: tuple[Mutant, ...] = (
    room_answers_before_the_log_has_it,
    room_forgets_ids_when_it_loads,
    room_forgets_ids_by_a_wrong_clock,
    room_keeps_what_was_not_recorded,
    room_takes_other_arguments,
    room_answers_a_repeat_with_another_time,
    room_lets_time_go_back,
    room_pays_a_chip_too_much,
    log_tears_a_batch,
    log_answers_before_the_disk_has_it,
    shoe_deals_a_card_twice,
    shoe_seals_another_card,
    view_skips_a_commit,
)


@contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    """The product with one bug more."""
    with mutant():
        yield
