"""The embedded log, as it is, on a disk that fails: what was acknowledged stays, what wasn't is whole or not there."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from services.eventlog import body
from services.eventlog.commit import Head, Record
from services.eventlog.log import AppendRefused, AppendUnknown, LogError, LogInUse, NoLog, ReadOnly
from services.eventlog.sqlite_log import SqliteLog
from services.eventlog.verify import verify_log
from tests.contract.logs import append, entry, spans
from tests.simulation.apsw_sqlite import DiskFiles
from tests.simulation.faulty_disk import Crash, Disk, Fault, at, drawn, when

PATH = Path("/home/log.db")
HAND = "hand:t1-1"


def create(disk: Disk) -> SqliteLog:
    return SqliteLog.create(PATH, "riverside", files=DiskFiles(disk))


def reopen(disk: Disk, *, write: bool = True) -> SqliteLog:
    """The log, opened by a new process."""
    return SqliteLog.open(PATH, write=write, files=DiskFiles(disk))


def disk_with_a_log(seed: int, commits: int = 2) -> tuple[Disk, SqliteLog]:
    """A disk, and a log with so many commits of two events in shard 0."""
    disk = Disk(Random(seed))
    log = create(disk)
    for each in spans(commits):
        append(log, 0, each)
    return disk, log


def next_commit(log: SqliteLog, padding: str = "") -> Head:
    """Append one more commit of two events; the head after it, which is so acknowledged."""
    height = log.head(0).height + 1
    append(log, 0, entry((HAND, 2 * height + 1, 2 * height + 2), padding=padding))
    return log.head(0)


def check_whole(log: SqliteLog, acknowledged: Head, tried: int) -> None:
    """All that was acknowledged is there, of the `tried` commits after it each is there wholly or not at all."""
    head = log.head(0)
    assert acknowledged.height <= head.height <= acknowledged.height + tried
    if acknowledged.height >= 0:
        assert log.record(0, acknowledged.height).hash == acknowledged.hash
    report = verify_log(log)
    assert report.sound, report.findings
    assert report.commits == head.height + 1
    assert list(log.index_faults()) == []
    assert log.stream_version(HAND) in (2 * head.height + 2, None)


def crash_everywhere(do: Callable[[SqliteLog], object], seed: int, commits: int = 2) -> Iterator[tuple[Disk, Head]]:
    """Disks on which a process ended at the 1st, 2nd, ... call of what it did, with the head acknowledged before."""
    for disk, log, acknowledged in each_call(Fault.CRASH, seed, commits):
        try:
            do(log)
        except Crash:
            disk.plan = None
            yield disk, acknowledged
        else:
            return


def each_call(fault: Fault, seed: int, commits: int = 2) -> Iterator[tuple[Disk, SqliteLog, Head]]:
    """Equal disks, their logs and heads, of which the 1st, 2nd, ... call from now on is to fail; the caller ends it."""
    for call in range(1, 10_000):
        disk, log = disk_with_a_log(seed, commits)
        disk.plan = at(disk.calls + call, fault)
        yield disk, log, log.head(0)


@pytest.mark.parametrize("end", [Disk.power_cut, Disk.restart])
@pytest.mark.parametrize("seed", range(8))
def test_a_crash_at_any_call_of_an_append(seed: int, end: Callable[[Disk], None]) -> None:
    for disk, acknowledged in crash_everywhere(next_commit, seed):
        end(disk)
        with reopen(disk) as log:
            check_whole(log, acknowledged, tried=1)
            next_commit(log)
            check_whole(log, log.head(0), tried=0)


@pytest.mark.parametrize("end", [Disk.power_cut, Disk.restart])
@pytest.mark.parametrize("seed", range(8))
def test_a_crash_at_any_call_of_closing(seed: int, end: Callable[[Disk], None]) -> None:
    """Closing copies the WAL into the database."""
    for disk, acknowledged in crash_everywhere(SqliteLog.close, seed, commits=20):
        end(disk)
        with reopen(disk) as log:
            check_whole(log, acknowledged, tried=0)


@pytest.mark.parametrize("seed", range(4))
def test_a_crash_at_any_call_of_opening_after_a_power_cut(seed: int) -> None:
    crashes = 0
    for call in range(1, 100):
        disk, log = disk_with_a_log(seed)
        acknowledged = log.head(0)
        disk.power_cut()
        disk.plan = at(disk.calls + call, Fault.CRASH)
        try:
            reopen(disk)
        except Crash:
            crashes += 1
        disk.plan = None
        disk.power_cut()
        with reopen(disk) as again:
            check_whole(again, acknowledged, tried=0)
    assert crashes > 10


@pytest.mark.parametrize("end", [Disk.power_cut, Disk.restart])
@pytest.mark.parametrize("seed", range(4))
def test_a_crash_at_any_call_of_making_a_log(seed: int, end: Callable[[Disk], None]) -> None:
    """Nothing stands at its place, or a whole, empty log does; either way one can go on."""
    found: Counter[str] = Counter()
    for call in range(1, 200):
        disk = Disk(Random(seed))
        disk.plan = at(call, Fault.CRASH)
        try:
            create(disk)
        except Crash:
            end(disk)
        disk.plan = None
        if not disk.boots:
            break
        found["log" if str(PATH) in disk.names else "none"] += 1
        with reopen(disk) if str(PATH) in disk.names else create(disk) as log:
            next_commit(log)
            check_whole(log, log.head(0), tried=0)
    assert min(found["none"], found["log"]) > 5, found


def test_an_error_at_any_call_of_making_a_log() -> None:
    """It is a sentence, and a log that stands there nevertheless is a whole one."""
    refused = 0
    for call in range(1, 200):
        disk = Disk(Random(1))
        disk.plan = at(call, Fault.ERROR)
        with suppress(LogError):
            create(disk).close()
            continue
        refused += 1
        with reopen(disk) if str(PATH) in disk.names else create(disk) as log:
            next_commit(log)
            check_whole(log, log.head(0), tried=0)
    assert refused > 10


@pytest.mark.parametrize("seed", range(8))
def test_what_a_new_process_reads_survives_a_power_cut(seed: int) -> None:
    """A killed writer's commit may lie in the machine's memory alone; whoever answers by it must have it safe first."""
    for disk, _ in crash_everywhere(next_commit, seed):
        disk.restart()
        log = reopen(disk)
        told = log.head(0)
        disk.power_cut()
        with reopen(disk) as again:
            check_whole(again, told, tried=0)


def test_a_power_cut_during_a_long_day() -> None:
    """Over a thousand pages, so the WAL is copied into the database and begun again on the way."""
    disk, log = disk_with_a_log(1, commits=0)
    random = Random(1)
    for _ in range(3):
        acknowledged = log.head(0)
        disk.plan = at(disk.calls + random.randrange(3000, 9000), Fault.CRASH)
        try:
            while True:
                acknowledged = next_commit(log, padding="x" * random.randrange(9000))
        except Crash:
            disk.plan = None
            disk.power_cut()
        log = reopen(disk)
        check_whole(log, acknowledged, tried=1)
    assert acknowledged.height > 500 and len(disk.get(str(PATH))) > 1000 * 4096


def test_a_sync_that_lies_loses_an_acknowledged_commit() -> None:
    """No log can stand that: it shows that these checks can fail."""
    lost = 0
    for seed in range(8):
        disk, log = disk_with_a_log(seed)
        disk.lying = True
        acknowledged = next_commit(log)
        disk.power_cut()
        with reopen(disk) as again:
            lost += again.head(0).height < acknowledged.height
        assert disk.happened["sync that lied"]
    assert lost


@pytest.mark.parametrize("after", ["goes on", "is killed", "loses its power"])
def test_a_disk_that_is_full_at_any_write_of_an_append(after: str) -> None:
    """Nothing was recorded and a later append succeeds, whatever befalls the machine before it."""
    refused = 0
    for disk, log, acknowledged in each_call(Fault.FULL, seed=3):
        with suppress(AppendRefused):
            next_commit(log, padding="x" * 5000)
            break
        refused += 1
        disk.plan = None
        if after != "goes on":
            (disk.restart if after == "is killed" else disk.power_cut)()
        again = log if after == "goes on" else reopen(disk)
        check_whole(again, acknowledged, tried=0)
        next_commit(again)
        check_whole(again, again.head(0), tried=0)
    assert refused > 3


def test_a_disk_that_fills_up() -> None:
    """By its size: the WAL grows until there is no room, then the append is refused until there is."""
    disk, log = disk_with_a_log(1)
    disk.capacity = 500_000
    acknowledged = log.head(0)
    refusals = 0
    while refusals < 20:
        try:
            acknowledged = next_commit(log, padding="x" * 3000)
        except AppendRefused:
            refusals += 1
            disk.capacity += 30_000
        check_whole(log, acknowledged, tried=0)
    disk.power_cut()
    disk.capacity = None
    with reopen(disk) as again:
        check_whole(again, acknowledged, tried=0)


def test_a_failed_checkpoint_is_nobody_s_loss() -> None:
    """The commit before it is safe in the WAL, so it is acknowledged; SQLite tries again at the next one."""
    disk, log = disk_with_a_log(1)
    disk.plan = when("write", Fault.ERROR, ".db")
    while not disk.happened["input/output error at write"]:
        acknowledged = next_commit(log, padding="x" * 4000)
    acknowledged = next_commit(log)
    disk.plan = None
    disk.power_cut()
    with reopen(disk) as again:
        check_whole(again, acknowledged, tried=0)


@pytest.mark.parametrize("end", [Disk.restart, Disk.power_cut, None])
@pytest.mark.parametrize("seed", range(4))
def test_an_error_at_any_call_of_an_append(seed: int, end: Callable[[Disk], None] | None) -> None:
    """Whether it was recorded is unknown until the log is opened again; once another is recorded, that stays so."""
    for disk, log, acknowledged in each_call(Fault.ERROR, seed):
        try:
            next_commit(log)
        except AppendUnknown:
            disk.plan = None
        else:
            return
        with pytest.raises(AppendUnknown):
            next_commit(log)
        log.close() if end is None else end(disk)
        check_what_stays(disk, acknowledged)


@pytest.mark.parametrize("end", [Disk.power_cut, None])
@pytest.mark.parametrize("seed", range(8))
def test_an_error_at_a_sync_that_the_disk_forgets(seed: int, end: Callable[[Disk], None] | None) -> None:
    """Linux takes what a failed sync left for synced. A log that is closed, or loses its power, loses nothing by it."""
    disk, log = disk_with_a_log(seed)
    acknowledged = log.head(0)
    disk.plan, disk.forgets = when("sync", Fault.ERROR), True
    with pytest.raises(AppendUnknown):
        next_commit(log)
    disk.plan = None
    log.close() if end is None else end(disk)
    check_what_stays(disk, acknowledged)


def check_what_stays(disk: Disk, acknowledged: Head) -> None:
    """The power goes again and again; what is acknowledged in between stays.

    A commit of which nobody knew may come and go until another one is acknowledged: not before that may a client hear
    that it wasn't recorded.
    """
    for _ in range(2):
        check_whole(reopen(disk), acknowledged, tried=1)
        disk.power_cut()
    log = reopen(disk)
    check_whole(log, acknowledged, tried=1)
    told = next_commit(log)
    disk.power_cut()
    with reopen(disk) as log:
        check_whole(log, told, tried=0)


def a_day_of_faults(seed: int) -> tuple[Disk, Head]:
    """Two hundred commits on a disk whose every call may fail; the writer opens the log again as often as it takes."""
    random = Random(seed)
    disk, log = disk_with_a_log(seed)
    plan = disk.plan = drawn(random, {Fault.CRASH: 0.004, Fault.FULL: 0.01, Fault.ERROR: 0.004})
    acknowledged, refused = log.head(0), set()
    while acknowledged.height < 200:
        decision = f"decision {disk.calls}"
        try:
            acknowledged = next_commit(log, padding=decision.ljust(random.randrange(20, 3000)))
            continue
        except AppendRefused:
            refused.add(decision)
            continue
        except AppendUnknown:
            with suppress(Crash):
                random.choice((log.close, disk.restart, disk.power_cut))()
        except Crash:
            pass
        log = open_somehow(disk, random)
        disk.plan = None
        check_whole(log, acknowledged, tried=1)
        acknowledged = log.head(0)
        disk.plan = plan
    disk.plan = None
    decisions = {args_of(record)["padding"].strip() for record in log.read(0)}
    assert refused and not refused & decisions, "what was refused was recorded"
    log.close()
    return disk, acknowledged


def args_of(record: Record) -> Any:
    return body.decode(record.body).command["args"]


def open_somehow(disk: Disk, random: Random) -> SqliteLog:
    """The log, after as many processes as it takes."""
    while True:
        if disk.down:
            random.choice((disk.power_cut, disk.restart))()
        with suppress(LogError, Crash):
            return reopen(disk)


def test_days_on_which_everything_fails() -> None:
    happened: Counter[str] = Counter()
    for seed in range(6):
        disk, acknowledged = a_day_of_faults(seed)
        disk.power_cut()
        with reopen(disk) as log:
            check_whole(log, acknowledged, tried=0)
        happened += disk.happened
    crashes = {f"crash at {operation}" for operation in ("write", "sync")}
    errors = {f"input/output error at {operation}" for operation in ("write", "sync")}
    losses = {"power cut", "write torn", "write lost"}
    assert happened.keys() >= crashes | errors | losses | {"full disk at write"}, happened


def test_equal_seeds_have_equal_days() -> None:
    first, second = a_day_of_faults(5), a_day_of_faults(5)
    assert first[0].happened == second[0].happened
    assert (first[0].calls, first[1]) == (second[0].calls, second[1])


def test_the_log_that_runs_here_is_as_durable_as_ever() -> None:
    _, log = disk_with_a_log(1)
    assert log.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert log.connection.execute("PRAGMA synchronous").fetchone() == (2,), "2 is FULL"


def test_one_process_writes() -> None:
    disk, _ = disk_with_a_log(1)
    with pytest.raises(LogInUse):
        reopen(disk)
    disk.restart()
    reopen(disk).close()


def test_a_reader_finds_what_was_written_and_writes_nothing() -> None:
    disk, log = disk_with_a_log(1)
    log.close()
    before = {name: disk.get(name) for name in disk.names}
    with reopen(disk, write=False) as reader:
        check_whole(reader, reader.head(0), tried=0)
        with pytest.raises(ReadOnly):
            next_commit(reader)
    assert {name: disk.get(name) for name in disk.names} == before


def test_a_place_without_a_log_is_none() -> None:
    with pytest.raises(NoLog):
        reopen(Disk(Random(1)))


def test_a_flipped_bit_is_seen_or_is_nobody_s() -> None:
    """In a page that SQLite refuses, in a record, in the index; or in bytes that no reader ever sees."""
    seen: Counter[bool] = Counter()
    for seed in range(60):
        disk, log = disk_with_a_log(seed, commits=40)
        acknowledged = log.head(0)
        log.close()
        disk.flip(str(PATH))
        seen[is_seen(disk, acknowledged)] += 1
    assert seen[True] > 10, seen


def is_seen(disk: Disk, acknowledged: Head) -> bool:
    """Whether somebody who looks at all of the log finds it damaged; if not, nothing is missing."""
    try:
        with reopen(disk) as log:
            if not verify_log(log).sound or list(log.index_faults()):
                return True
            check_whole(log, acknowledged, tried=0)
    except LogError:
        return True
    return False
