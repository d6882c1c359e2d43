"""The next build of the house, for the tests of an upgrade: it reads revision 2 of the log, with which an event came
that today's build doesn't know. `main` is its `handlog`."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain import catalog

catalog.READS = 2

from domain.messages import Command, Count, Text  # noqa: E402 -- first, what the rest is registered by
from services import cli  # noqa: E402
from services.bootstrap import opened_office  # noqa: E402
from services.ids import uuid7  # noqa: E402
from services.node.upgrade import raise_all  # noqa: E402
from services.ports import real_ports  # noqa: E402
from services.room import door, office  # noqa: E402
from services.room.office import Office, Place  # noqa: E402


@catalog.event("shard.noted", since={1: 2})
@dataclass(slots=True)
class ShardNoted:
    """Something that was written down of a shard."""

    note: Text


@catalog.command("shard.note")
@dataclass(slots=True)
class Note:
    shard: Count
    note: Text


def install() -> None:
    """Have this process' office take the command."""
    setattr(door, "OFFICE", (*door.OFFICE, "shard.note"))  # noqa: B010 -- it has another length then
    place, decide = Office.place, Office._decide

    def placed(self: Office, args: Any) -> Place:
        return Place(args.shard, f"shard:{args.shard}") if isinstance(args, Note) else place(self, args)

    def decided(self: Office, command: Any, commits: int, at: int) -> list[Any]:
        noted = isinstance(command.args, Note)
        return [ShardNoted(command.args.note)] if noted else decide(self, command, commits, at)

    office.Office.place, office.Office._decide = placed, decided  # type: ignore[method-assign]


def write_note(home: Path, shard: int, note: str) -> None:
    """Have the office write something down of a shard."""
    with opened_office(home, real_ports()) as room:
        ports = room.ports
        (outcome,) = room.execute(
            [Command(uuid7(ports.now(), ports.bits(74)), Note(shard, note), "floor:ann", "floor")]
        )
        print(outcome)


def raise_unasked(home: Path, revision: int) -> None:
    """Raise every shard without asking the nodes whether they can read it."""
    with opened_office(home, real_ports()) as room:
        print(raise_all(room, revision, "floor:ann"))


def main() -> None:
    install()
    match sys.argv[1:]:
        case ["note", home, shard, note]:
            write_note(Path(home), int(shard), note)
        case ["raise", home, revision]:
            raise_unasked(Path(home), int(revision))
        case _:
            cli.main()
