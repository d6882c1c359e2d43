"""The openings of sealed cards, as an auditor lists them."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from domain.rules.phrases import listed
from domain.rulings.opening import CardsOpened
from services.bootstrap import TEXTS_FILE, open_log
from services.cli.talk import emit, say, table
from services.eventlog import body
from services.eventlog.commit import Record
from services.eventlog.log import Log
from services.rulings import facts_of, hand_commits
from services.sealing.boxes import BadBox
from services.sealing.keyfile import NoKey
from services.sealing.texts import TextKeys

_STREAM = "audit:"


class Opening(NamedTuple):
    """One opening. `at`: UTC microseconds; `reason`: the text, None where it can't be read; `reason_is`: none, given,
    erased, or unreadable because its key or box isn't as it should be."""

    hand: str
    at: int
    event: CardsOpened
    reason: str | None
    reason_is: str


def list_openings(home: Path, hand: str | None, as_json: bool) -> None:
    texts = TextKeys(home / TEXTS_FILE)
    with open_log(home) as log:
        if hand is not None:
            hand_commits(log, hand)  # there is such a hand
        found = [one for record in _records(log, hand) for one in _openings(record, texts)]
    found.sort(key=lambda one: one.at)
    if as_json:
        emit([_as_json(one) for one in found])
    elif found:
        table(["hand", "opened", "by", "second", "what", "whose", "the hand was", "reason"], list(map(_row, found)))
    else:
        say("No sealed card was opened to anybody yet." if hand is None else f"No card of hand {hand} was opened yet.")


def _records(log: Log, hand: str | None) -> Iterator[Record]:
    """The commits that may have openings."""
    if hand is not None:
        yield from log.stream_commits(f"{_STREAM}{hand}")
        return
    for shard in range(log.shards):
        for record in log.read(shard):
            if b'"audit:' in record.body:  # nearly none: not to decode them all
                yield record


def _openings(record: Record, texts: TextKeys) -> Iterator[Opening]:
    said = body.decode(record.body)
    for stream, _, event in facts_of(said):
        if isinstance(event, CardsOpened):
            yield Opening(stream.removeprefix(_STREAM), said.at, event, *_reason(texts, event.reason, stream))


def _reason(texts: TextKeys, box: str, stream: str) -> tuple[str | None, str]:
    if not box:
        return None, "none"
    try:
        text = texts.open(box, stream)
    except (NoKey, BadBox):
        return None, "unreadable"
    return (None, "erased") if text is None else (text, "given")


def _row(of: Opening) -> list[str]:
    event = of.event
    seats = f"seat{'s' * (len(event.seats) > 1)} {listed([str(seat) for seat in event.seats])}"
    return [
        of.hand,
        datetime.fromtimestamp(of.at // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        event.by,
        event.second,
        event.form.value,
        f"{seats}, the deck" if event.deck else seats,
        "settled" if event.settled else "under way",
        of.reason or {"none": "", "given": ""}.get(of.reason_is, of.reason_is),
    ]


def _as_json(of: Opening) -> dict[str, Any]:
    event = of.event
    return {
        "hand": of.hand,
        "at": of.at,
        "by": event.by,
        "second": event.second or None,
        "form": event.form.value,
        "seats": list(event.seats),
        "deck": event.deck,
        "settled": event.settled,
        "version": event.version,
        "reason": of.reason,
        "reason_is": of.reason_is,
    }
