"""The openings of sealed cards, as an auditor lists them."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from domain.rules.phrases import listed
from domain.rulings.opening import CardsOpened
from domain.rulings.reasons import reason_in
from services.bootstrap import open_log
from services.cli.reasons import Reason, keys_of_reasons, read_reason
from services.cli.talk import emit, say, table
from services.eventlog import body
from services.eventlog.commit import Record
from services.eventlog.log import Log
from services.rulings import facts_of, hand_commits
from services.sealing.texts import TextKeys
from services.staff_decisions import Erasures, erasures

_STREAM = "audit:"


class Opening(NamedTuple):
    """One opening. `at`: UTC microseconds."""

    hand: str
    at: int
    event: CardsOpened
    reason: Reason


def list_openings(home: Path, hand: str | None, as_json: bool) -> None:
    texts = keys_of_reasons(home)
    with open_log(home) as log:
        if hand is not None:
            hand_commits(log, hand)  # there is such a hand
        erased = erasures(log)
        found = [one for record in _records(log, hand) for one in _openings(record, texts, erased)]
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


def _openings(record: Record, texts: TextKeys, erased: Erasures) -> Iterator[Opening]:
    said, erasure = body.decode(record.body), erased.get((record.shard, record.height))
    for stream, _, event in facts_of(said):
        if isinstance(event, CardsOpened):
            reason = read_reason(texts, reason_in([(stream, event)]), erasure)
            yield Opening(stream.removeprefix(_STREAM), said.at, event, reason)


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
        of.reason.text or {"none": "", "given": ""}.get(of.reason.state, of.reason.state),
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
        "reason": of.reason.text,
        "reason_is": of.reason.state,
    }
