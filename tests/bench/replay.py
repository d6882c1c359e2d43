"""Stored hands brought to their final state, decode included.

Ours from the SQLite log: bytes, mapper, validation, upcasts, fold, in the way that the room loads a hand. pokerkit's
from PHH text held in memory: `HandHistory.loads`, then every state to the last.
"""

from pathlib import Path

from eventsourcing.application import Repository
from pokerkit import HandHistory

from services.bootstrap import open_log
from services.eventlog.mapper import repository
from services.room.load import load_hand
from tests.bench.folder import folder
from tests.bench.hands import Stacks
from tests.bench.homes import record
from tests.bench.rows import Row, Side, compare, faster
from tests.bench.scripts import NO_LIMIT_HOLDEM, Variant, read

GOAL = 60


def rows(texts: dict[Variant, list[str]], runs: int) -> list[Row]:
    scripts = texts[NO_LIMIT_HOLDEM]
    with folder() as home:
        hands = record(home, NO_LIMIT_HOLDEM, [read(text) for text in scripts])
        ours, peer = compare(our_side(home, hands), their_side(scripts), runs=runs)
    name = "replay of stored commits, decode included"
    return [faster(name, "us/hand", 1e6 / len(hands), ours, peer, "pokerkit from PHH", GOAL)]


def our_side(home: Path, hands: list[str]) -> Side:
    def run(_: None) -> list[Stacks]:
        with open_log(home) as log:
            stored = repository(log)
            return [_replayed(stored, hand) for hand in hands]

    return Side(run)


def _replayed(stored: Repository[str], id_: str) -> Stacks:
    hand = load_hand(stored, id_)
    assert hand is not None
    assert hand.settled
    return tuple(hand.stack[seat] for seat in hand.order)


def their_side(texts: list[str]) -> Side:
    return Side(lambda _: [_read_by_pokerkit(text) for text in texts])


def _read_by_pokerkit(text: str) -> Stacks:
    *_, state = HandHistory.loads(text)
    assert not state.status
    return tuple(state.stacks)
