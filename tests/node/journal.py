"""What a client has sent and was answered, on the disk before it goes on: the word of somebody outside the room."""

import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RECORDED, REFUSED = 200, 409

NOBODY = 0
"""The status where no answer came: the connection was refused, lost or silent."""

DOUBTFUL = (NOBODY, 500, 504)
"""After these it may be recorded or not."""


class Journal:
    """Lines of JSON, each on the disk when the call returns. Times are seconds of the machine's monotonic clock."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def sent(self, id_: str, door: str, who: str, name: str, args: Any) -> None:
        """To be written before it is sent."""
        self._write({"sent": id_, "door": door, "who": who, "name": name, "args": args})

    def answered(self, id_: str, status: int, answer: Any, again: bool = False) -> None:
        """`again`: whether the door says that it gave this answer before."""
        self._write({"answered": id_, "status": status, "answer": answer, "again": again})

    def given_up(self, id_: str) -> None:
        """The client was told that it isn't recorded, believes it, and never sends it again."""
        self._write({"given_up": id_})

    def _write(self, said: dict[str, Any]) -> None:
        os.write(self._file, json.dumps({"at": time.monotonic()} | said).encode() + b"\n")
        os.fsync(self._file)


@dataclass
class Sent:
    """A command as its client knows it. `ends`: when an answer came, or none, for each time that it was sent.

    `last`: its last answer's status, None while it waits for one. `in_doubt`: an answer left open whether it was
    recorded. `again`: the last answer says that it was recorded before.
    """

    id: str
    name: str
    args: dict[str, Any]
    begins: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    last: int | None = None
    answer: Any = None
    given_up: bool = False
    in_doubt: bool = False
    again: bool = False

    @property
    def table(self) -> str:
        """The table that it is for."""
        table: str = self.args.get("table") or self.args["hand"].rpartition("-")[0]
        return table

    @property
    def answered_at(self) -> float | None:
        """When its client knew what came of it."""
        return self.ends[-1] if self.last in (RECORDED, REFUSED) else None

    def waits_at(self, moment: float) -> bool:
        """Whether it was sent before that moment, and the client didn't yet know then what came of it."""
        known = self.ends[-1] if self.answered_at or self.given_up else None
        return self.begins[0] <= moment and (known is None or known > moment)


class Reader:
    """Reads a journal that may still be written: each look reads what has come since."""

    def __init__(self, path: Path) -> None:
        self._path, self._offset = path, 0
        self._commands: dict[str, Sent] = {}

    def commands(self) -> dict[str, Sent]:
        """The commands by their ids, in the order in which they were first sent."""
        if self._path.exists():
            with self._path.open("rb") as file:
                file.seek(self._offset)
                whole, _, _half = file.read().rpartition(b"\n")
            if whole:
                self._offset += len(whole) + 1
                for line in whole.split(b"\n"):
                    self._take(json.loads(line))
        return self._commands

    def _take(self, line: dict[str, Any]) -> None:
        if "sent" in line:
            one = self._commands.setdefault(line["sent"], Sent(line["sent"], line["name"], line["args"]))
            one.begins.append(line["at"])
            one.last = None
        elif "answered" in line:
            one = self._commands[line["answered"]]
            one.ends.append(line["at"])
            one.last, one.answer, one.again = line["status"], line["answer"], line["again"]
            one.in_doubt = one.in_doubt or one.last in DOUBTFUL
        else:
            self._commands[line["given_up"]].given_up = True
