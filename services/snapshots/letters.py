"""What a stream has sent to others and received from them, as JSON values: one for each of the others.

It is remembered for ever (`domain.transfers`), so it is short: some 100 bytes for somebody who came and went.
"""

from collections.abc import Iterable, Mapping
from itertools import takewhile
from operator import itemgetter
from typing import Any

from domain import catalog
from domain.transfers import Correspondent, Inbox, Outbox
from services.snapshots.shapes import BadState


def others_of(party: Correspondent) -> set[str]:
    """All streams to or from which anything ever went."""
    return party.sent.keys() | party.received.keys()


def changed_after(party: Correspondent, version: int) -> set[str]:
    """Those of them with whom something has been going on after that version of the stream. No other is looked at."""
    sent = takewhile(lambda to: party.sent[to].version > version, reversed(party.sent))
    received = takewhile(lambda sender: party.received[sender].version > version, reversed(party.received))
    return {*sent, *received}


def dump_letters(party: Correspondent, others: Iterable[str]) -> dict[str, Any]:
    """What went to and came from these streams, by their names."""
    return {other: [_dump_sent(party.sent.get(other)), _dump_received(party.received.get(other))] for other in others}


def load_letters(values: Mapping[str, Any]) -> tuple[dict[str, Outbox], dict[str, Inbox]]:
    """What was sent and what was received, each in the order in which it has changed. Raises BadState."""
    try:
        sent = [(one[0][2], other, _load_sent(*one[0])) for other, one in values.items() if one[0] is not None]
        received = [(one[1][4], other, Inbox(*one[1])) for other, one in values.items() if one[1] is not None]
        sent.sort(key=_version)
        received.sort(key=_version)
    except (ValueError, TypeError, LookupError) as error:
        raise BadState(f"no letters of this build: {error}") from error
    return {other: box for _, other, box in sent}, {other: box for _, other, box in received}


_version = itemgetter(0)


def _dump_sent(box: Outbox | None) -> list[Any] | None:
    if box is None:
        return None
    return [box.last, box.ended, box.version, [catalog.event.dump(sent) for sent in box.under_way]]


def _load_sent(last: int, ended: str, version: int, under_way: list[Any]) -> Outbox:
    return Outbox(last, [catalog.event.load(*sent) for sent in under_way], ended, version)


def _dump_received(box: Inbox | None) -> list[Any] | None:
    return None if box is None else [box.last, box.at, box.amount, box.ended, box.version]
