"""A shard as it is at one moment: what the thread that runs its room hands to the one that writes a snapshot of it."""

from typing import Any, NamedTuple

from services.eventlog.commit import Head
from services.room.load import Known
from services.snapshots.manifest import Own, Spot
from services.snapshots.patrons import Written


class Page(NamedTuple):
    """A page that lies in the topic. `last`: the height of its newest command."""

    number: int
    last: int
    spot: Spot


class Changed(NamedTuple):
    """A stream that isn't as it was written: its state, and the commands that no page has."""

    name: str
    version: int
    state: dict[str, Any]
    commands: list[tuple[str, Known]]


class Letters(NamedTuple):
    """What a table has sent and received since it lies in drawers as it was, by the stream at the other end, and at
    which version it now stands."""

    version: int
    values: dict[str, bytes]


class Taken(NamedTuple):
    """A shard at one moment. names: all streams of tables and hands. pages: of the tables that changed, those still
    needed. letters: of the tables whose letters lie in drawers. patrons: those who changed."""

    head: Head
    counted: int
    own: Own
    names: list[str]
    changed: list[Changed]
    pages: dict[str, list[Page]]
    letters: dict[str, Letters]
    patrons: dict[str, Written]
