"""Commits to put into a log."""

from collections.abc import Sequence

from services.eventlog import body
from services.eventlog.log import Entry, Log

AT = 1_790_000_000_000_000


def command(number: int = 1) -> dict[str, object]:
    return {"id": f"c{number}", "name": "test.do", "rev": 1, "args": {}, "by": "floor:ann", "cause": "floor"}


def facts(stream: str, first: int, last: int) -> list[body.Fact]:
    return [body.fact(stream, version, "test.done", 1, {"n": version}) for version in range(first, last + 1)]


def entry(*spans: tuple[str, int, int], at: int = AT, padding: str = "") -> Entry:
    """A decision that touches these streams, each from its first to its last version."""
    args = {"padding": padding}
    return body.entry(at, command() | {"args": args}, [fact for span in spans for fact in facts(*span)])


def append(log: Log, shard: int, *entries: Entry) -> None:
    """Append where the log ends."""
    log.append(shard, log.head(shard), entries)


def spans(number: int, stream: str = "hand:t1-1", each: int = 2) -> Sequence[Entry]:
    """So many decisions in a row in one stream, of `each` events."""
    return [entry((stream, i * each + 1, (i + 1) * each)) for i in range(number)]
