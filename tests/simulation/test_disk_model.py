"""The disk keeps to its model: what a power cut may lose and what not, and what a failed call leaves."""

from collections import Counter
from errno import EIO, ENOSPC
from random import Random

import pytest

from tests.simulation.faulty_disk import SECTOR, Call, Crash, Disk, Fault, OpenFile, at, drawn, when


@pytest.fixture
def disk() -> Disk:
    return Disk(Random(1))


def made(disk: Disk, name: str = "/log") -> OpenFile:
    """A new file, its name safe."""
    file = disk.open(name, disk.boots, make=True)
    disk.sync_directory(disk.boots)
    return file


def left_by_power_cuts(written: bytes, *, synced: bytes = b"") -> Counter[bytes]:
    """What fifty power cuts left of a file that had `synced` safely, and `written` over it."""
    left: Counter[bytes] = Counter()
    for seed in range(50):
        disk = Disk(Random(seed))
        file = made(disk)
        if synced:
            file.write(synced, 0)
            file.sync()
        file.write(written, 0)
        disk.power_cut()
        left[disk.get("/log")] += 1
    return left


def test_what_was_synced_survives_a_power_cut(disk: Disk) -> None:
    file = made(disk)
    file.write(b"a" * 5000, 0)
    file.truncate(4000)
    file.sync()
    disk.power_cut()
    assert disk.get("/log") == b"a" * 4000


def test_a_sector_that_was_not_synced_is_there_or_not() -> None:
    assert left_by_power_cuts(b"new", synced=b"old").keys() == {b"old", b"new"}


def test_a_page_is_torn_between_sectors() -> None:
    new, old = b"n" * SECTOR, b"o" * SECTOR
    left = left_by_power_cuts(new * 2, synced=old * 2)
    assert left.keys() == {old * 2, new * 2, old + new, new + old}


def test_a_hole_before_what_survived_reads_as_zeros() -> None:
    assert bytes(SECTOR) + b"n" * SECTOR in left_by_power_cuts(b"n" * 2 * SECTOR)


def test_a_size_that_was_not_synced_is_the_old_or_the_new() -> None:
    sizes = set()
    for seed in range(20):
        disk = Disk(Random(seed))
        file = made(disk)
        file.write(b"a" * 1000, 0)
        file.sync()
        file.truncate(0)
        disk.power_cut()
        sizes.add(len(disk.get("/log")))
    assert sizes == {0, 1000}


def test_a_killed_process_leaves_all_that_it_wrote(disk: Disk) -> None:
    file = disk.open("/log", 0, make=True)
    file.write(b"written", 0)
    disk.restart()
    assert disk.get("/log") == b"written"
    with pytest.raises(Crash, match="has ended"):
        file.write(b"by a ghost", 0)


@pytest.mark.parametrize("safely", [True, False])
def test_a_name_is_safe_once_the_directory_is_synced(safely: bool) -> None:
    left: set[str] = set()
    for seed in range(20):
        disk = Disk(Random(seed))
        made(disk, "/draft").write(b"", 0)
        disk.rename("/draft", "/log", 0)
        if safely:
            disk.sync_directory(0)
        disk.power_cut()
        left.update(disk.names)
    assert left == ({"/log"} if safely else {"/log", "/draft"})


def test_a_removed_file_may_come_back() -> None:
    left = set()
    for seed in range(20):
        disk = Disk(Random(seed))
        made(disk)
        disk.remove("/log", 0)
        disk.power_cut()
        left.add("/log" in disk.names)
    assert left == {True, False}


def test_a_lying_sync_makes_nothing_safe() -> None:
    left = set()
    for seed in range(20):
        disk = Disk(Random(seed))
        file = made(disk)
        disk.lying = True
        file.write(b"a", 0)
        file.sync()
        disk.power_cut()
        left.add(disk.get("/log"))
        assert disk.happened["sync that lied"] == 1
    assert left == {b"", b"a"}


@pytest.mark.parametrize("forgets", [True, False])
def test_what_a_failed_sync_left_over_waits_for_the_next_or_is_forgotten(forgets: bool) -> None:
    left = set()
    for seed in range(40):
        disk = Disk(Random(seed))
        disk.forgets = forgets
        file = made(disk)
        file.write(b"a", 0)
        disk.plan = at(disk.calls + 1, Fault.ERROR)
        with pytest.raises(OSError, match="at sync"):
            file.sync()
        file.sync()
        assert file.read(1, 0) == b"a"
        disk.power_cut()
        left.add(disk.get("/log"))
    assert left == ({b"", b"a"} if forgets else {b"a"})


def test_a_full_disk_takes_a_part(disk: Disk) -> None:
    file = made(disk)
    disk.capacity = 1000
    file.write(b"a" * 1000, 0)
    file.write(b"b" * 1000, 0)
    with pytest.raises(OSError, match="full disk at write") as refusal:
        file.write(b"c" * 100, 1000)
    assert refusal.value.errno == ENOSPC
    assert 1000 <= file.size() < 1100
    assert disk.happened == {"full disk at write": 1}


def test_a_planned_fault_fires_at_its_call_alone(disk: Disk) -> None:
    file = made(disk)
    disk.plan = at(disk.calls + 2, Fault.ERROR)
    file.write(b"a", 0)
    with pytest.raises(OSError, match="error at read") as failure:
        file.read(1, 0)
    assert failure.value.errno == EIO
    assert file.read(1, 0) == b"a"


def test_a_fault_that_a_call_can_t_have_is_passed_over(disk: Disk) -> None:
    file = made(disk)
    disk.plan = when("read", Fault.FULL)
    assert file.read(1, 0) == b""
    assert not disk.happened


def test_a_crash_stops_everything_until_the_machine_is_started_again(disk: Disk) -> None:
    file = made(disk)
    disk.plan = when("write", Fault.CRASH, "log")
    with pytest.raises(Crash):
        file.write(b"a", 0)
    with pytest.raises(Crash):
        file.read(1, 0)
    disk.restart()
    assert disk.open("/log", disk.boots, make=False).size() == 0
    assert disk.happened == {"crash at write": 1}


def test_faults_are_drawn_by_their_chances() -> None:
    plan = drawn(Random(1), {Fault.ERROR: 0.2, Fault.CRASH: 0.1})
    fates = Counter(plan(Call(number, "write", "/log")) for number in range(10_000))
    assert abs(fates[Fault.ERROR] - 2000) < 200 and abs(fates[Fault.CRASH] - 1000) < 200


def test_one_bit_is_flipped(disk: Disk) -> None:
    disk.put("/log", bytes(100))
    place = disk.flip("/log")
    assert disk.get("/log")[place].bit_count() == 1
    assert sum(disk.get("/log")) == disk.get("/log")[place]
    assert disk.happened == {"flipped bit": 1}
