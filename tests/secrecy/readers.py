"""All that somebody can read of a room: what he is given for himself, and what lies open to everybody."""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from domain.hand.events import HandSettled
from domain.rulings.seen import facts_for, frames_for
from domain.visibility import Viewer, seen_by
from services.bootstrap import KEY_FILE, VIEWS_FILE, open_log
from services.cli.showing import lines
from services.eventlog import canonical
from services.eventlog.commit import parse
from services.eventlog.log import Log
from services.feed.cloudevents import events_of
from services.frames import as_json
from services.room.recording import Answer
from services.room.room import Outcome
from services.rulings import hand_commits
from tests.services.cli import handlog
from tests.services.homes import opener

Readable = dict[str, str]
"""Texts, each under the name of the place where it can be read."""

SHUFFLED = {"hand.opened": "deck", "hand.deck-reshuffled": "cards"}
"""The events that hold a deck, and where."""


ROOT = re.compile(rb'"root":"([0-9a-f]{64})"')
"""A deck's root as the feed has it."""


def readable(home: Path, outcomes: Sequence[Outcome], viewers: Mapping[str, Viewer]) -> Readable:
    """What a viewer is given, and what lies open in the log and the feed; `viewers`: who he is in each hand."""
    with open_log(home) as log:
        found = {"the answers": "\n".join(map(_answer, outcomes)), **_of_the_log(log), **_of_the_feed(log)}
        for hand, viewer in viewers.items():
            found |= _of_a_hand(log, hand, viewer)
    return found


def told_without_keys(home: Path, hand: str) -> Readable:
    """What `handlog` says of the room, and of one of its hands, where the keys aren't; the rows of the views."""
    asked = ["hands --json", "report balances", "report rake", "readjudicate --all --json"]
    asked += [f"replay {hand}", f"replay {hand} --json"]
    with _keys_put_away(home):
        told = {args: handlog(*args.split(), "--home", home) for args in asked}
    with closing(sqlite3.connect(home / VIEWS_FILE)) as views:
        rows = "\n".join(views.iterdump())
    return {f"handlog {args}": f"{run.code}\n{run.out}\n{run.err}" for args, run in told.items()} | {"the views": rows}


@contextmanager
def _keys_put_away(home: Path) -> Iterator[None]:
    keys, elsewhere = home / KEY_FILE, home / "elsewhere.keys"
    keys.rename(elsewhere)
    try:
        yield
    finally:
        elsewhere.rename(keys)


# --- what is his own ---


def _of_a_hand(log: Log, hand: str, viewer: Viewer) -> Readable:
    facts = [one.event for commit in hand_commits(log, hand) for one in commit.facts if one.stream == f"hand:{hand}"]
    settled = type(facts[-1]) is HandSettled
    keys = opener(log)
    given = [seen_by(viewer, one, settled) for one in facts_for(viewer, facts, keys)]
    shown = list(frames_for(viewer, facts, keys))
    return {
        f"the facts of {hand}": _json([one and _masked(one._asdict()) for one in given]),
        f"the frames of {hand}": _json([as_json(frame) for frame in shown]),
        f"the frames of {hand} as text": "\n".join("\n".join(lines(frame, len(shown))) for frame in shown),
    }


# --- what lies open in the log, without keys ---


def _answer(outcome: Outcome) -> str:
    if isinstance(outcome, Answer):
        return _json([outcome.at, [_masked(event) for event in outcome.events]])
    return f"{type(outcome).__name__}: {outcome}"


def _of_the_log(log: Log) -> Readable:
    return {
        f"shard {shard} of the log": "\n".join(_record(raw) for raw in log.raws(shard)) for shard in range(log.shards)
    }


def _of_the_feed(log: Log) -> Readable:
    """Its very bytes, keys and all; of a deck's root the length."""
    return {
        f"the feed of shard {shard}": "\n".join(
            f"{event.place} {event.key} {ROOT.sub(_blank_root, event.value).decode()}"
            for record in log.read(shard)
            for event in events_of(record)
        )
        for shard in range(log.shards)
    }


def _blank_root(root: re.Match[bytes]) -> bytes:
    return b'"root":"%b"' % _blank(root[1].decode()).encode()


def _record(raw: bytes) -> str:
    """A record, its hashes masked too."""
    record = parse(raw)
    header = raw[: raw.index(b"\n")].decode()
    for each in (record.prev, record.digest):
        header = header.replace(each, _blank(each))
    body = canonical.decode(record.body)
    body["events"] = [_masked(event) for event in body["events"]]
    masked = _json(body)
    return f"{header}\n{masked}"


def _masked(event: dict[str, Any]) -> dict[str, Any]:
    """An event's data, boxes and roots replaced by signs of their length."""
    data = dict(event["data"])
    if event["type"] == "hand.cards-dealt" and "cards" in data:
        data["cards"] = [_blank(card) if isinstance(card, str) else card for card in data["cards"]]
    elif isinstance(deck := data.get(SHUFFLED.get(event["type"], "")), dict):
        data[SHUFFLED[event["type"]]] = deck | {part: _blank(deck[part]) for part in deck.keys() & {"root", "box"}}
    return event | {"data": data}


def _blank(text: str) -> str:
    return "." * len(text)


def _json(value: Any) -> str:
    return canonical.write(value).decode()
