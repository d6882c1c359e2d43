"""The room of a simulation: the real one, on a faulty disk, with the auditor who reads over its shoulder."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from traceback import format_exception
from typing import Any
from unittest.mock import patch

from domain import catalog
from domain.messages import Command, Refused
from domain.room import DayTotal, OpenRoom, ShardOpened
from projections import rebuild as fold
from projections.registry import VIEWS
from projections.store import Store
from services.eventlog import body, sqlite_file
from services.eventlog.commit import GENESIS
from services.eventlog.log import AppendUnknown, CorruptLog, LogError
from services.eventlog.sqlite_log import SqliteLog
from services.evidence import note
from services.evidence.note import CheckpointKey
from services.ids import uuid7
from services.ledger import Ledger
from services.node.keeper import TakenOver
from services.room.midnight import end_the_day
from services.room.recording import Answer, envelope
from services.room.room import Room, ShardStopped
from services.sealing.keyfile import RoomKeys
from services.soundness import verify_home
from services.views import commits
from tests.simulation import apsw_sqlite
from tests.simulation.apsw_sqlite import DiskFiles
from tests.simulation.auditor import Auditor, Commit, Said, Sent
from tests.simulation.books import must
from tests.simulation.faults import SECOND, Trouble
from tests.simulation.faulty_disk import Crash, Disk
from tests.simulation.process import Process, SharedLog, WatchedLog
from tests.snapshots.partition import Partition

ROOM = "riverside"
PATH = Path("/log.sqlite")
STARTS = (1_700_000_000_000_000, 1_700_004_000_000_000)
"""When it begins, in UTC microseconds: late in the evening, or so late that a fast clock is in the next day."""

OUTAGES = (0, 2 * SECOND, 30 * SECOND, 30 * SECOND, 70 * SECOND, 600 * SECOND)
"""Microseconds until another process begins; tables forgive 60 s."""

_TRIES = 12
"""How often a process is started under faults before they are taken off."""


class World:
    """One room: its machine, its process, its views, its auditor."""

    def __init__(self, seed: int, shards: int, *, shared: bool = False, outages: bool = False) -> None:
        """`shared`: its processes are nodes that claim shards. `outages`: it may be long until another one starts."""
        self.shared, self.outages = shared, outages
        self._kind = SharedLog if shared else WatchedLog
        self.disk = Disk(Random(f"{seed} is the disk"))
        self.start_at = Random(f"{seed} begins").choice(STARTS)
        self.trouble = Trouble(self.disk, seed, self.start_at)
        self.happened = self.trouble.happened
        self.auditor = Auditor(ROOM)
        self.store: Store | None = None
        self.may_cut_power = False
        self.crash_before_answer = False
        self.dies_again = False
        """Whether a process may die while it is started after a death."""
        self.process: Process
        self.zombie: Process | None = None
        self._nodes = 0
        self._processes: list[Process] = []
        """All whose staff is at work."""
        self._secrets: list[bytes] = []
        self._partitions = [Partition() for _ in range(shards)]
        """Where a node's snapshots lie, of each shard."""
        self._seed = seed
        self._random = Random(f"{seed} ends processes")
        self._limits = ExitStack()
        self._narrow()
        self.checkpoint_key = CheckpointKey(note.key_name(ROOM), self._random.randbytes(32))
        self.add_key()
        self._make(shards)
        self.start()

    def _narrow(self) -> None:
        """In some seeds SQLite keeps so few pages that it reads the disk while the room plays, and copies the WAL into
        the database so often that faults meet that too: a long day in a short one."""
        for module, name, few in ((sqlite_file, "CACHE", 8), (apsw_sqlite, "PAGES", 8)):
            if self._random.random() < 0.4:
                self._limits.enter_context(patch.object(module, name, few))

    def _make(self, shards: int) -> None:
        ports = self.trouble.ports
        room_id, signs = f"{ports.bits(64):016x}", tuple(self.checkpoint_key.public.to_text().split())
        with SqliteLog.create(PATH, ROOM, shards, files=DiskFiles(self.disk)) as log:
            for shard in range(shards):
                at = ports.now()
                command = Command(uuid7(at, ports.bits(74)), OpenRoom(ROOM, shards, "UTC"), "init", "init")
                opened = ShardOpened(ROOM, room_id, shard, shards, "UTC", self.keys.current.hex(), signs)
                event = body.fact(f"shard:{shard}", 1, *catalog.event.dump(opened))
                log.append(shard, GENESIS, [body.entry(at, envelope(command), [event])])

    # The room's process

    def add_key(self) -> None:
        """The room's first key, or one more, which seals from the next start on."""
        secret = self._random.randbytes(32)
        self._secrets.append(secret)
        self.auditor.keyring.add(secret)
        self.keys = RoomKeys(ROOM, self._secrets)

    def start(self) -> list[Commit]:
        """Start a process until one stays; what it finds in the log beyond what the auditor had seen."""
        for _ in range(_TRIES):
            try:
                return self._start()
            except Crash:
                self.happened["crash while starting"] += 1
                self._die()
            except LogError:
                self.happened["start that failed"] += 1
        self.trouble.disarm()
        return self._start()

    def _start(self) -> list[Commit]:
        for process in self._processes:
            process.staff.gone = True
        self._processes, self.zombie = [], None
        self.process = self._process(self._kind.open(PATH, files=DiskFiles(self.disk)))
        try:
            self.process.take_over(self._taken_over)
            self.process.begin()
        except LogError:
            self._end()
            raise
        return [self.auditor.take(shard, raw) for shard in range(self.log.shards) for raw in self._beyond(shard)]

    def _process(self, log: SqliteLog) -> Process:
        assert isinstance(log, WatchedLog)
        log.happened = self.happened
        self._nodes += 1
        process = Process(
            log,
            self.trouble.ports,
            self.trouble.staff_ports,
            self.keys,
            f"n{self._nodes}" if self.shared else "",
            self._partitions,
            self._seed,
        )
        self._processes.append(process)
        return process

    def number_of(self, process: Process) -> int:
        """By which a process is told from the others that are at work."""
        return self._processes.index(process)

    def _taken_over(self, taken: TakenOver) -> None:
        self.happened["shards taken over"] += 1
        self.happened["hands that went on after a pause"] += len(taken.going_on)

    @property
    def log(self) -> WatchedLog:
        """The log as the newest process has it."""
        return self.process.log

    @property
    def room(self) -> Room:
        """The room of the newest process."""
        return self.process.room

    def _beyond(self, shard: int) -> list[bytes]:
        with self.quiet():
            return self.auditor.compare(shard, self.records(shard))

    def records(self, shard: int, start: int = 0) -> list[bytes]:
        """The bytes of the log's records."""
        return records(self.log, shard, start)

    def _die(self) -> None:
        """The process is gone, and perhaps the power too."""
        self._time_passes()
        if self.may_cut_power and self._random.random() < 0.5:
            self.disk.power_cut()
        else:
            self.disk.restart()
        with suppress(Crash):
            self.log.close()
        if self.dies_again and self._random.random() < 0.4:
            self.trouble.arm_death(self._random)

    def _time_passes(self) -> None:
        """It is a while until the next process begins."""
        if self.outages:
            self.trouble.true_time += self._random.choice(OUTAGES)
            self.happened["outage"] += 1

    def crash(self) -> None:
        """The process ends between two calls; the next one finds nothing but what is known."""
        self.trouble.disarm()
        self.disk.down = True
        self._die()
        self.auditor.recovered(self.start())

    def restart(self) -> list[Commit]:
        """The process ends as it should, and another begins."""
        self._time_passes()
        self._end()
        self.happened["restarted"] += 1
        return self.start()

    def _end(self) -> None:
        try:
            self.log.close()
        except Crash:
            self._die()
        self.disk.locked.clear()

    def evict(self, random: Random) -> None:
        """Tables go out of the room's memory."""
        for table in sorted(self.room._desks):
            if random.random() < 0.7:
                del self.room._desks[table]
                self.happened["tables evicted"] += 1

    def glance(self) -> None:
        """Somebody looks at all tables in the room's memory."""
        with self.quiet():
            for table, book in self.auditor.tables.items():
                if self.process.owns(book.shard):
                    self.room.table(table)

    def take_over(self) -> None:
        """Another process takes over the log, and the one before doesn't know: both share the lock that should have
        been between them, and the file; each remembers an end of the log of its own."""
        if self.zombie is None:
            with self.quiet():
                log = self._kind(PATH, self.log.connection, self.log._lock)
            self.zombie, self.process = self.process, self._process(log)
            with self.quiet():
                self.process.begin()
            self.keep()

    def keep(self, *, by_zombie: bool = False) -> None:
        """A node claims the shards that it doesn't write, and says of the others that it is there."""
        process = self.zombie if by_zombie and self.zombie else self.process
        try:
            process.take_over(self._taken_over)
            process.keep_alive()
        except Crash:
            self._die()
            self.auditor.recovered(self.start())
            return
        except AppendUnknown:
            self.auditor.recovered(self.restart())
            return
        except LogError:
            self.happened["shards not kept"] += 1
        self._recover()

    def _recover(self) -> None:
        """Have the auditor see what was recorded and asked by nobody."""
        with self.quiet():
            self.auditor.recovered(self.audit())

    # The day's books

    def end_the_day(self, ended: int) -> None:
        """Who closes a day has it ended in every shard first."""
        with self.quiet(), suppress(LogError, Refused):  # a full disk, or a clock that went back by a day: not now
            end_the_day(self.room, ended)
        self._recover()

    def added_up(self, day: str) -> tuple[tuple[int, ...], tuple[DayTotal, ...]]:
        """What the log comes to on a day."""
        ledger = Ledger()
        with self.quiet():
            verify_home(self._as_read(), ledger=ledger)
        return ledger.at_end_of(day)

    def check_ledger(self) -> None:
        """The money of the log adds up, each closed day as it was closed."""
        with self.quiet():
            findings = verify_home(self._as_read(), ledger=Ledger()).findings
        must(not findings, "the ledger doesn't add up: {}", findings)

    def _as_read(self) -> SqliteLog:
        """The log as a reader has it: it looks each time where it ends."""
        return SqliteLog(PATH, self.log.connection, None)

    # Commands

    def execute(
        self, batch: Sequence[Command], sent: Sequence[Sent], tell: Callable[[list[Said]], None], *, by_zombie: bool
    ) -> list[Said] | None:
        """What the room says to a batch; None where its process died. The auditor sees all of it, once it was told."""
        process = self.zombie if by_zombie and self.zombie else self.process
        stale = self.zombie is not None and not self.shared
        try:
            outcomes = process.execute(batch)
            if self.crash_before_answer:
                self.crash_before_answer = False
                self.happened["crash before the answer"] += 1
                self.disk.down = True
                raise Crash("the process ended before it answered")
        except Crash:
            tell([Said("nothing", "the process died")] * len(batch))
            self.auditor.lost(sent)
            self._die()
            self.auditor.recovered(self.start())
            return None
        said = [_said(outcome) for outcome in outcomes]
        tell(said)
        if by_zombie:
            self.happened["zombie writer asked"] += len(batch)
        if any(one.kind == "unknown" for one in said):
            self.happened["appends unknown"] += 1
            fresh = self.restart()
        else:
            with self.quiet():
                fresh = self.audit()
        self.auditor.clock = self.trouble.latest
        self.auditor.answers(sent, said, fresh, stale=stale, writer=process.node)
        return said

    def audit(self) -> list[Commit]:
        """The commits that the auditor hasn't seen."""
        return [
            self.auditor.take(shard, raw)
            for shard in range(self.log.shards)
            for raw in self.records(shard, len(self.auditor.shards[shard].raws))
        ]

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """No fault strikes meanwhile, and none is used up."""
        trouble = self.trouble
        waiting, trouble.dies_in, self.disk.plan = trouble.dies_in, None, None
        try:
            yield
        finally:
            trouble.dies_in, self.disk.plan = waiting, trouble.plan

    # Damage

    def flip(self) -> None:
        """A bit changes in a file of the log, while no process runs."""
        if self._random.random() < 0.5:
            self.log.close()
        self.disk.restart()
        with suppress(Crash):
            self.log.close()
        name = self._random.choice([name for name, stored in self.disk.names.items() if stored.now])
        self.disk.flip(name)
        self.happened["flipped bit in the WAL"] += name.endswith("-wal")

    def is_as_known(self) -> bool:
        """Whether a new process finds every record as the auditor had it."""
        with SqliteLog.open(PATH, files=DiskFiles(self.disk)) as log:
            return all(records(log, shard) == end.raws for shard, end in enumerate(self.auditor.shards))

    # Views

    def look(self, *, rebuild: bool = False) -> None:
        """Catch the views up and compare them with the auditor's books; then build them anew, if asked to."""
        with self.quiet():
            if self.store is None:
                self.store = Store.open("sqlite://")
            log = self._as_read()
            fold.catch_up(self.store, commits(log, self.store.positions()))
            self.happened["views caught up"] += 1
            rows = self._rows()
            self.auditor.check_views(rows)
            if rebuild:
                fold.rebuild(self.store, commits(log))
                self.happened["views rebuilt"] += 1
                must(self._rows() == rows, "views that were built anew differ from {}", rows)

    def _rows(self) -> dict[str, list[tuple[Any, ...]]]:
        assert self.store
        with self.store.read() as db:
            rows = {
                (view.name, layout.name): list(db.execute(self.store.table(db, view, layout.name).select()))
                for view in VIEWS
                for layout in view.layouts
            }
        return {
            "accounts": sorted((row.account, row.currency, row.amount) for row in rows["balances", "accounts"]),
            "raked": sorted((row.hand, row.rake, row.pot) for row in rows["rake", "ledger"]),
            "under way": sorted((row.sender, row.receiver, row.seq) for row in rows["transfers", "under_way"]),
            "hands": sorted((row.hand, row.players, row.rake, row.pot) for row in rows["hands", "headers"]),
        }

    def close(self) -> None:
        """Let go of everything."""
        self.trouble.disarm()
        self._limits.close()
        with suppress(Crash):
            self.log.close()
        if self.store is not None:
            self.store.close()


def records(log: SqliteLog, shard: int, start: int = 0) -> list[bytes]:
    """The bytes of a shard's records, asked of SQLite itself."""
    query = f"SELECT record FROM commits_{shard} WHERE height >= ? ORDER BY height"
    return [row[0] for row in log.connection.execute(query, (start,))]


def _said(outcome: Answer | Exception) -> Said:
    match outcome:
        case Answer():
            return Said("answer", at=outcome.at, events=json.loads(json.dumps(outcome.events)))
        case Refused():
            return Said("refused", str(outcome))
        case AppendUnknown():
            return Said("unknown", str(outcome))
        case LogError() if not isinstance(outcome, ShardStopped | CorruptLog):
            return Said("failed", f"{type(outcome).__name__}: {outcome}")
        case _:
            return Said("broken", "".join(format_exception(outcome)))
