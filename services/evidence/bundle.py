"""One hand as evidence: its commits, the proof that each stands in a signed log, and what decides it again.

A bundle is one JSON object:

    {"format": "handlog-hand-1", "room": ..., "hand": "t1-17", "checkpoint": <the note>,
     "commits": [{"record": <header, LF, body>, "proof": [<64 hex digits>, ...]}, ...],
     "keys": <keys of the hand, or null>,
     "cards": [{"index": 3, "card": 50, "salt": <hex>, "path": [<hex>, ...], "size": 53}, ...]}

The commits are those of `hand:<hand>`, then those of `audit:<hand>`, in order, each with its audit path in the tree of
the checkpoint. `keys` opens the cards of some seats or of all; `cards` shows that they lay in the deck that was fixed.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from domain.messages import hand_stream
from services.eventlog.commit import BadRecord, Record, parse
from services.eventlog.log import Log, LogError
from services.evidence.checkpointer import agrees
from services.evidence.merkle import check_inclusion, leaf_hash
from services.evidence.note import Signed
from services.evidence.tree import TreeStore
from services.rulings import NoSuchHand
from services.sealing import cards, private_file
from services.sealing.commitment import CardProof
from services.sealing.keyfile import HandKeys, RoomKeys, export, purposes

FORMAT = "handlog-hand-1"

_ROOM = re.compile(r"[a-z0-9-]{1,40}").fullmatch
_HAND = re.compile(r"[a-z0-9]{1,32}-[0-9]{1,12}").fullmatch
_HEX = re.compile("(?:[0-9a-f]{2})*").fullmatch


class BadBundle(LogError):
    """What isn't a hand's bundle; the sentence names the part."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A record, and its audit path in the checkpoint's tree: hashes of 32 bytes."""

    record: Record
    proof: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Bundle:
    """A hand's evidence, of which nothing is checked yet. `checkpoint`: the note."""

    room: str
    hand: str
    checkpoint: str
    commits: tuple[Proven, ...]
    keys: HandKeys | None = None
    cards: tuple[CardProof, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "room": self.room,
            "hand": self.hand,
            "checkpoint": self.checkpoint,
            "commits": [
                {"record": one.record.raw.decode(), "proof": [step.hex() for step in one.proof]} for one in self.commits
            ],
            "keys": self.keys and self.keys.to_json(),
            "cards": [
                {
                    "index": one.index,
                    "card": one.card,
                    "salt": one.salt.hex(),
                    "path": [step.hex() for step in one.path],
                    "size": one.size,
                }
                for one in self.cards
            ],
        }

    @classmethod
    def from_json(cls, value: Any) -> "Bundle":
        """Raises BadBundle, BadKeys."""
        try:
            if value["format"] != FORMAT:
                raise BadBundle(f"this is no bundle of format {FORMAT}, but {value['format']!r:.40}")
            return cls(
                _formed(value["room"], _ROOM),
                _formed(value["hand"], _HAND),
                _text(value["checkpoint"]),
                tuple(_proven(number, one) for number, one in enumerate(_some(value["commits"]), start=1)),
                None if value["keys"] is None else HandKeys.from_json(value["keys"]),
                _cards(value["cards"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadBundle(f"the bundle lacks a part, or has one of another kind: {error!r:.200}") from error


def read(path: Path) -> Bundle:
    """The bundle in a file. Raises BadBundle, BadKeys, LogError."""
    try:
        return Bundle.from_json(json.loads(path.read_bytes()))
    except OSError as error:
        raise LogError(f"{path} can't be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BadBundle(f"{path} holds no JSON: {error!s:.200}") from error


def write(bundle: Bundle, path: Path) -> None:
    """Write it to a new file, durably; with keys to cards it is readable by nobody else. Raises LogError where
    something stands there."""
    with private_file.changing(path):
        private_file.create(path, json.dumps(bundle.to_json(), indent=1).encode() + b"\n")
    if bundle.keys is None:
        path.chmod(0o644)


def gather(
    log: Log,
    tree: TreeStore,
    signed: Sequence[Signed],
    hand: str,
) -> Bundle:
    """A hand's bundle out of its log, against the first of these checkpoints of its shard, the largest first, that the
    log agrees with; of what happened to the hand after it, as much as that covers.

    Raises NoSuchHand, LogError where no checkpoint covers all of the hand, or the tree's paths don't lead to its root.
    """
    played = list(log.stream_commits(hand_stream(hand)))
    if not played:
        raise NoSuchHand(f"there is no hand {hand} in this log: `handlog hands` lists them")
    shard, needed = played[0].shard, played[-1].height + 1
    newest = next((one for one in signed if agrees(log, tree, shard, one.checkpoint)), None)
    if newest is None or newest.checkpoint.size < needed:
        raise LogError(f"no checkpoint of shard {shard} covers hand {hand} yet: sign one with `handlog checkpoint`")
    size = newest.checkpoint.size
    records = [*played, *(record for record in log.stream_commits(f"audit:{hand}") if record.height < size)]
    proven = tuple(Proven(record, tuple(tree.inclusion(shard, record.height, size))) for record in records)
    for one in proven:
        leaf = leaf_hash(bytes.fromhex(one.record.hash))
        if not check_inclusion(leaf, one.record.height, size, one.proof, newest.checkpoint.root):
            tree.renew(log, shard)  # somebody may have changed it; the next attempt has a new one
            raise LogError(f"the tree beside the log doesn't prove hand {hand}: it was built again, so try once more")
    return Bundle(log.room, hand, newest.note, proven)


def with_keys(bundle: Bundle, own: RoomKeys, facts: Sequence[Any], seats: Sequence[int], *, deck: bool) -> Bundle:
    """The bundle with the keys to these seats' cards, to the deck too if so, and the paths of all cards that they may
    then check: who is given it was shown them. Raises NoKey, SealBroken."""
    keys = export(own, bundle.hand, cards.key_ids(facts), purposes(seats, deck=deck))
    paths = cards.proofs(own, bundle.hand, facts, [one.index for one in cards.dealt(facts, seats)])
    return replace(bundle, keys=keys, cards=tuple(paths))


def _proven(number: int, value: Any) -> Proven:
    try:
        record = parse(_text(value["record"]).encode())
    except BadRecord as error:
        raise BadBundle(f"commit {number} of the bundle: {error}") from error
    return Proven(record, tuple(map(_bytes, _list(value["proof"]))))


def _cards(value: Any) -> tuple[CardProof, ...]:
    given = tuple(map(_card, _list(value)))
    if len({one.index for one in given}) < len(given):
        raise ValueError("two paths are given for one card")
    return given


def _card(value: Any) -> CardProof:
    path = tuple(map(_bytes, _list(value["path"])))
    return CardProof(
        _number(value["index"]), _number(value["card"]), _bytes(value["salt"]), path, _number(value["size"])
    )


def _bytes(value: Any) -> bytes:
    if not _HEX(_text(value)):
        raise ValueError(f"{value!r:.70} isn't lower-case hexadecimal")
    return bytes.fromhex(value)


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise TypeError(f"{value!r:.60} is no list")
    return value


def _some(value: Any) -> list[Any]:
    if not _list(value):
        raise ValueError("it has no commits")
    return _list(value)


def _formed(value: Any, form: Callable[[str], object]) -> str:
    if not form(_text(value)):
        raise ValueError(f"{value!r:.60} names no hand or room")
    return _text(value)


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError(f"{value!r:.60} is no text")
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r:.60} is no number")
    return value
