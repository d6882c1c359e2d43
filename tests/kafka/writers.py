"""Writers of one shard as processes of their own, each with a journal of what it was told; and the audit of those.

A writer decides at the head that it knows, waits a little, and sends what may be too late by then:

    python -m tests.kafka.writers BOOTSTRAP ROOM FOLDER NAME SECONDS PAUSE TOGETHER
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

from services.eventlog import body
from services.eventlog.commit import Head, Record
from services.eventlog.kafka_log import KafkaLog
from services.eventlog.log import AppendRefused, AppendUnknown, Entry, HeadMoved
from services.kafka.clients import BrokerAway
from services.kafka.settings import Broker
from tests.contract.logs import AT, command, facts

ROOT = Path(__file__).resolve().parents[2]
_MOST = 8
"""Commits of one append, at most."""

# What a journal says of commits, by the ids of their commands: they were sent, and then one of the others of each.
SENT, RECORDED, NOT_RECORDED, UNKNOWN = "sent", "recorded", "not recorded", "unknown"


class Journal:
    """Lines of JSON: {what, ids, heads, at}, each on the disk before the writer goes on. `at`: seconds, monotonic."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")

    def say(self, what: str, ids: Sequence[str], heads: Sequence[Head] = ()) -> None:
        if ids:
            line = {"what": what, "ids": list(ids), "heads": list(heads), "at": monotonic()}
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())


def write(log: KafkaLog, journal: Journal, name: str, seconds: float, pause: float) -> None:
    """Append to shard 0 for so many seconds, with pauses of up to `pause` seconds between deciding and sending."""
    chance, number, last = Random(name), 0, monotonic() + seconds
    while monotonic() < last:
        if chance.random() < 0.5:
            with suppress(BrokerAway):
                log.catch_up(0)
        head, size = log.head(0), chance.randint(1, _MOST)
        version = log.stream_version(f"table:{name}") or 0
        ids = [f"{name}-{number + step}" for step in range(size)]
        entries = [_entry(one, name, version + step) for step, one in enumerate(ids, 1)]
        number += size
        sleep(chance.uniform(0, pause))
        journal.say(SENT, ids)
        rest: str = NOT_RECORDED
        heads: Sequence[Head] = ()
        try:
            heads = log.append(0, head, entries, claim=chance.random() < 0.05)
        except HeadMoved as moved:
            heads = moved.accepted
        except AppendRefused:
            heads = ()
        except AppendUnknown as unknown:
            rest, heads = UNKNOWN, unknown.accepted
        journal.say(RECORDED, ids[: len(heads)], heads)
        journal.say(rest, ids[len(heads) :])


def _entry(id_: str, name: str, version: int) -> Entry:
    return body.entry(AT, command() | {"id": id_}, facts(f"table:{name}", version, version))


def start(
    broker: Broker, room: str, folder: Path, name: str, seconds: float, pause: float, together: int = 1
) -> subprocess.Popen[bytes]:
    """A writer as a process; it makes an index and a journal of its name in the folder. `together`: it begins once so
    many have made theirs."""
    given = (broker.bootstrap, room, str(folder), name, str(seconds), str(pause), str(together))
    return subprocess.Popen([sys.executable, "-m", "tests.kafka.writers", *given], cwd=ROOT)


# --- the audit -------------------------------------------------------------------------------------------------------


@dataclass
class Audit:
    """What journals said, counted by what they said; and the longest time without an answer "recorded", in seconds."""

    accepted: int = 0
    said: dict[str, int] = field(default_factory=dict)
    longest: float = 0.0

    def __str__(self) -> str:
        said = ", ".join(f"{number:,} {what}" for what, number in self.said.items())
        return f"{self.accepted:,} accepted; the writers were told: {said}; longest without: {self.longest:.1f} s"


def audit(records: Sequence[Record], journals: Sequence[Path]) -> Audit:
    """Assert that every journal tells the truth of the accepted commits."""
    ids = [json.loads(record.body)["command"]["id"] for record in records]
    assert len(set(ids)) == len(ids), "a command was recorded twice"
    heads = {id_: record.head for id_, record in zip(ids, records, strict=True)}
    said = {what: set[str]() for what in (SENT, RECORDED, NOT_RECORDED, UNKNOWN)}
    times = []
    for line in lines(journals):
        said[line["what"]] |= set(line["ids"])
        if line["what"] == RECORDED:
            times.append(line["at"])
            for id_, head in zip(line["ids"], line["heads"], strict=True):
                assert heads.get(id_) == Head(*head), f"{id_} was acknowledged at {head}, and isn't there"
    assert not said[NOT_RECORDED] & heads.keys(), "what was said not to be recorded is recorded"
    assert heads.keys() <= said[SENT], "what nobody sent is recorded"
    times.sort()
    longest = max((later - one for one, later in pairwise(times)), default=0.0)
    return Audit(len(ids), {what: len(some) for what, some in said.items()}, longest)


def lines(journals: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """What journals say, line by line; a line that is being written is left out."""
    for journal in journals:
        for line in journal.read_text().splitlines(keepends=True):
            if line.endswith("\n"):
                yield json.loads(line)


def _main(bootstrap: str, room: str, folder: str, name: str, seconds: str, pause: str, together: str) -> None:
    place = Path(folder)
    with KafkaLog.open(Broker(bootstrap), room, place / f"{name}.sqlite") as log:
        journal = Journal(place / f"{name}.journal")
        while len(list(place.glob("*.journal"))) < int(together):
            sleep(0.01)
        write(log, journal, name, float(seconds), float(pause))


if __name__ == "__main__":
    _main(*sys.argv[1:])
