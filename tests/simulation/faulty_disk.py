"""A disk in memory that fails as it is told: what real SQLite stands on in the simulator and in the tests of damage.

The model
- A file has its contents as the running machine sees them, and those that are safe. A sync makes all of it safe.
- A power cut keeps what is safe. Of the writes since, each 512-byte sector stays or is lost by itself, whatever came
  before it, so pages are torn and later writes may survive earlier ones; each change of size likewise. A sector is
  whole or not there (SQLite is told so: powersafe overwrite); a hole before what survived reads as zeros.
- Names are one directory. Making, renaming and removing a file is safe once the directory is synced; at a power cut the
  directory goes back to one of its states since then. Syncing a file doesn't make its name safe.
- A killed process leaves all that it wrote. Nobody who had a file open before a crash can use it afterwards.
- A write that fails took a part of the data. A sync that fails made a part of the writes safe; the others wait for the
  next sync, or, on a disk that `forgets`, never become safe, though they can be read until the power goes.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from enum import Enum
from errno import EIO, ENOENT, ENOSPC
from itertools import pairwise
from random import Random
from typing import NamedTuple

SECTOR = 512
"""Bytes that reach the disk together or not at all."""


class Crash(BaseException):
    """The process is gone: nothing catches this but whoever starts it again."""


class Fault(Enum):
    """What can happen at a call."""

    CRASH = "crash"
    FULL = "full disk"
    ERROR = "input/output error"


_CAN_FAIL = {
    Fault.CRASH: frozenset({"open", "read", "write", "truncate", "sync", "rename", "remove", "sync directory"}),
    Fault.FULL: frozenset({"write"}),
    Fault.ERROR: frozenset({"read", "write", "truncate", "sync", "sync directory"}),
}


class Call(NamedTuple):
    """One call of the disk: its number from 1, what it does (see `_CAN_FAIL`), and to which file."""

    number: int
    operation: str
    name: str


Plan = Callable[[Call], Fault | None]
"""Says which fault, if any, a call meets. One that the call can't have is passed over."""


def at(number: int, fault: Fault) -> Plan:
    """That fault at that call."""
    return lambda call: fault if call.number == number else None


def when(operation: str, fault: Fault, name: str = "") -> Plan:
    """That fault at every such operation on a file whose name ends so."""
    return lambda call: fault if call.operation == operation and call.name.endswith(name) else None


def drawn(random: Random, chances: Mapping[Fault, float]) -> Plan:
    """Each fault by its chance, at every call that can have it."""

    def plan(call: Call) -> Fault | None:
        lot = random.random()
        for fault, chance in chances.items():
            lot -= chance
            if lot < 0:
                return fault
        return None

    return plan


class Stored:
    """A file's bytes: as they are read, those that are safe, and what was done since: (offset, data), (size, None)."""

    __slots__ = ("locks", "now", "safe", "unsynced")

    def __init__(self, data: bytes = b"") -> None:
        self.now = bytearray(data)
        self.safe = bytearray(data)
        self.unsynced: list[tuple[int, bytes | None]] = []
        self.locks: dict[object, int] = {}
        """The level of SQLite's lock that each open file has."""


class Disk:
    """Files by name, the faults that they are to meet (`plan`, `capacity`, `lying`, `forgets`), and how often each was.

    The random numbers decide what a failed call did and what a power cut leaves: equal ones, equal disks.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.plan: Plan | None = None
        self.capacity: int | None = None
        """Bytes that all files together may have; None: no end."""
        self.lying = False
        """Whether a sync does nothing and says that it did."""
        self.forgets = False
        """Whether what a failed sync left over counts as synced from then on, as Linux does it."""
        self.happened: Counter[str] = Counter()
        """How often each fault fired."""
        self.calls = 0
        self.boots = 0
        """How often a process that used the disk has ended by a crash or a power cut."""
        self.locked: set[str] = set()
        """The logs that a process of this boot has the right to write."""
        self.names: dict[str, Stored] = {}
        self._safe_names: dict[str, Stored] = {}
        self._unsynced_names: list[dict[str, Stored]] = []
        self.down = False
        """Whether a process has crashed and none was started since."""

    # What a process calls

    def open(self, name: str | None, boot: int, *, make: bool) -> "OpenFile":
        """The file of that name; without a name one that nobody else sees."""
        self.meet("open", name or "", boot)
        if name is None:
            return OpenFile(self, "", Stored(), boot)
        if name not in self.names:
            if not make:
                raise FileNotFoundError(ENOENT, f"there is no {name} on the disk")
            self._rename_to({**self.names, name: Stored()})
        return OpenFile(self, name, self.names[name], boot)

    def rename(self, old: str, new: str, boot: int) -> None:
        """Move a file, over another one if need be."""
        self.meet("rename", new, boot)
        names = dict(self.names)
        names[new] = names.pop(old)
        self._rename_to(names)

    def remove(self, name: str, boot: int) -> None:
        """Take a file's name away; who has it open keeps it."""
        self.meet("remove", name, boot)
        if name not in self.names:
            raise FileNotFoundError(ENOENT, f"there is no {name} on the disk")
        self._rename_to({known: stored for known, stored in self.names.items() if known != name})

    def sync_directory(self, boot: int) -> None:
        """Make all names safe."""
        if self.meet("sync directory", "", boot):
            raise self._error("sync directory")
        if not self._lies():
            self._safe_names = self.names
            self._unsynced_names.clear()

    def meet(self, operation: str, name: str, boot: int) -> Fault | None:
        """Count a call; the fault that it is to have. Raises Crash, also for a process that has crashed already."""
        if self.down or boot != self.boots:
            raise Crash("this process has ended")
        self.calls += 1
        if self.plan is None:
            return None
        fault = self.plan(Call(self.calls, operation, name))
        if fault is None or operation not in _CAN_FAIL[fault]:
            return None
        if fault is Fault.CRASH:
            self._count(f"crash at {operation}")
            self.down = True
            raise Crash(f"the process ended at call {self.calls}: {operation} {name}")
        return fault

    def is_gone(self, boot: int) -> bool:
        """Whether the process of that boot has ended."""
        return self.down or boot != self.boots

    # What befalls the machine

    def restart(self) -> None:
        """The process was killed, or is: what it wrote stays, its locks go."""
        self.boots += 1
        self.down = False
        self.locked.clear()
        for stored in self.names.values():
            stored.locks.clear()

    def power_cut(self) -> None:
        """The power goes and comes back: unsynced writes and names are lost or kept, sector by sector."""
        self._count("power cut")
        states = [self._safe_names, *self._unsynced_names]
        left = self.random.choice(states)
        if left is not states[-1]:
            self._count("names lost")
        self.names = {name: Stored(self._survivors(stored)) for name, stored in left.items()}
        self._safe_names = self.names
        self._unsynced_names.clear()
        self.restart()

    def flip(self, name: str) -> int:
        """Change one bit of a stored file; the offset of its byte."""
        stored = self.names[name]
        place = self.random.randrange(len(stored.now))
        mask = 1 << self.random.randrange(8)
        data = bytes(stored.now)
        self.put(name, data[:place] + bytes([data[place] ^ mask]) + data[place + 1 :])
        self._count("flipped bit")
        return place

    # What an operator does while nothing runs

    def get(self, name: str) -> bytes:
        """A file's contents."""
        return bytes(self.names[name].now)

    def put(self, name: str, data: bytes | None) -> None:
        """Give a file other contents, safely; None takes it away."""
        rest = {known: stored for known, stored in self.names.items() if known != name}
        self.names = rest if data is None else {**rest, name: Stored(data)}
        self._safe_names = self.names
        self._unsynced_names.clear()

    # Within

    def _rename_to(self, names: dict[str, Stored]) -> None:
        self.names = names
        self._unsynced_names.append(names)

    def _survivors(self, stored: Stored) -> bytes:
        """What a power cut leaves of a file."""
        data = bytearray(stored.safe)
        chance = self.random.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for offset, written in stored.unsynced:
            self._survive(data, offset, written, chance)
        return bytes(data)

    def _survive(self, data: bytearray, offset: int, written: bytes | None, chance: float) -> None:
        """Apply the sectors of one write that reached the disk, each by that chance."""
        if written is None:
            if self.random.random() < chance:
                resize(data, offset)
            return
        pieces = _sectors(offset, len(written))
        kept = [piece for piece in pieces if self.random.random() < chance]
        for start, end in kept:
            overwrite(data, start, written[start - offset : end - offset])
        if len(kept) < len(pieces):
            self._count("write torn" if kept else "write lost")

    def write_fault(self, fault: Fault, data: bytes) -> tuple[bytes, OSError]:
        """The part of a write that was taken, and the error to raise."""
        return data[: self.random.randrange(len(data))], self._error("write", fault)

    def sync(self, stored: Stored, fault: Fault | None) -> None:
        """Make a file's writes safe, or a part of them."""
        if fault:
            chance = self.random.random()
            for offset, written in stored.unsynced:
                self._survive(stored.safe, offset, written, chance)
            if self.forgets:
                stored.unsynced.clear()
            raise self._error("sync")
        if self._lies():
            return
        for offset, written in stored.unsynced:
            if written is None:
                resize(stored.safe, offset)
            else:
                overwrite(stored.safe, offset, written)
        stored.unsynced.clear()

    def room_for(self, growth: int) -> bool:
        """Whether the files may grow by so many bytes."""
        if self.capacity is None:
            return True
        return sum(len(stored.now) for stored in self.names.values()) + growth <= self.capacity

    def _error(self, operation: str, fault: Fault = Fault.ERROR) -> OSError:
        self._count(f"{fault.value} at {operation}")
        return OSError(ENOSPC if fault is Fault.FULL else EIO, f"{fault.value} at {operation}, as planned")

    def failed(self, operation: str) -> OSError:
        """The error of a call that was to fail."""
        return self._error(operation)

    def _lies(self) -> bool:
        if self.lying:
            self._count("sync that lied")
        return self.lying

    def _count(self, fault: str) -> None:
        self.happened[fault] += 1


class OpenFile:
    """A file as one process has it open."""

    __slots__ = ("boot", "disk", "name", "stored")

    def __init__(self, disk: Disk, name: str, stored: Stored, boot: int) -> None:
        self.disk, self.name, self.stored, self.boot = disk, name, stored, boot

    def read(self, amount: int, offset: int) -> bytes:
        """At most so many bytes from there."""
        if self.disk.meet("read", self.name, self.boot):
            raise self.disk.failed("read")
        return bytes(self.stored.now[offset : offset + amount])

    def write(self, data: bytes, offset: int) -> None:
        """Put the bytes there. Raises OSError for a full disk or an error; a part may have been written."""
        disk, stored = self.disk, self.stored
        fault = disk.meet("write", self.name, self.boot)
        growth = offset + len(data) - len(stored.now)
        if fault is None and growth > 0 and not disk.room_for(growth):
            fault = Fault.FULL
        error = None
        if fault is not None:
            data, error = disk.write_fault(fault, data)
        overwrite(stored.now, offset, data)
        stored.unsynced.append((offset, data))
        if error is not None:
            raise error

    def truncate(self, size: int) -> None:
        """Give the file that size."""
        if self.disk.meet("truncate", self.name, self.boot):
            raise self.disk.failed("truncate")
        resize(self.stored.now, size)
        self.stored.unsynced.append((size, None))

    def sync(self) -> None:
        """Make all that was written safe."""
        self.disk.sync(self.stored, self.disk.meet("sync", self.name, self.boot))

    def size(self) -> int:
        return len(self.stored.now)


def overwrite(data: bytearray, offset: int, written: bytes) -> None:
    """Put bytes into others, which grow by zeros where there is a hole before them."""
    if offset > len(data):
        data.extend(bytes(offset - len(data)))
    data[offset : offset + len(written)] = written


def resize(data: bytearray, size: int) -> None:
    """Cut the bytes to a size, or fill them up with zeros."""
    del data[size:]
    data.extend(bytes(size - len(data)))


def _sectors(offset: int, length: int) -> list[tuple[int, int]]:
    """(start, end) of the parts of a write that lie in one sector each."""
    end = offset + length
    cuts = [offset, *range((offset // SECTOR + 1) * SECTOR, end, SECTOR), end]
    return list(pairwise(cuts))
