"""What can go wrong, drawn per seed, and armed now and then; each is counted when it really happens."""

from collections import Counter
from random import Random

from services.ports import Ports
from tests.simulation.faulty_disk import Call, Crash, Disk, Fault

KINDS = (
    "crash", "crash before the answer", "power cut", "full disk", "sync error", "write error", "read error",
    "lost answer", "late answer", "duplicate", "reordered", "late command", "zombie writer", "clock", "a long time",
    "clock glitch", "eviction", "restart", "forgetful disk", "flipped bit", "outage",
)  # fmt: skip
"""What a seed may have; it has each with a chance of its own."""

MUST_FIRE = (
    "crash at open", "crash at read", "crash at write", "crash at sync", "crash at the clock", "crash at random bits",
    "crash before the answer", "power cut", "write torn", "write lost", "full disk at write",
    "input/output error at sync", "input/output error at write", "input/output error at read", "lost answer",
    "late answer", "duplicate", "reordered", "late command", "zombie writer asked", "another writer came first",
    "clock went back", "clock went forward", "clock glitch", "a day passed", "tables evicted", "restarted",
    "flipped bit", "flipped bit found", "outage",
)  # fmt: skip
"""What must have happened in a long run."""

PORTS = ("open", "read", "write", "sync", "the clock", "random bits")
"""Where a process may die: the calls of the disk that a room makes, and the other ports."""

SECOND = 1_000_000
HOUR = 3600 * SECOND


def drawn(seed: int, without: frozenset[str]) -> frozenset[str]:
    """The faults of a seed: one in eight has none."""
    random = Random(f"{seed} draws its faults")
    chance = random.choice([0, 0.15, 0.25, 0.25, 0.4, 0.4, 0.6, 0.9])
    return frozenset(kind for kind in KINDS if random.random() < chance) - without


class Trouble:
    """The faults that are armed: the disk's plan, the ports' clock and bits, and a death that waits at a port call."""

    def __init__(self, disk: Disk, seed: int, start: int) -> None:
        self.disk = disk
        self.true_time = start
        """What the clients' clocks say, in UTC microseconds."""
        self.offset = 0
        """By how much the room's clock is wrong."""
        self.latest = start
        """The latest that it has said."""
        self.happened: Counter[str] = Counter()
        self.ports = Ports(self._now, self._bits)
        self.staff_ports = Ports(lambda: self.true_time + self.offset, Random(f"{seed} gives ids").getrandbits)
        """The staff's: no process ends at a look at its watch."""
        self.dies_in: int | None = None
        """Port calls until the process dies; None if it doesn't."""
        self._dies_where = ""
        """The port whose calls are counted; all, if none is named."""
        self.fails: str | None = None
        """The operation of the disk that fails next."""
        self._random = Random(f"{seed} gives random bits")
        disk.plan = self.plan

    def disarm(self) -> None:
        """No fault waits any more."""
        self.dies_in = self.fails = self.disk.capacity = None

    def ease(self, random: Random) -> None:
        """The disk does as it should, and sooner or later has room again; a process that is to die still will."""
        self.fails = None
        if random.random() < 0.4:
            self.disk.capacity = None

    def _now(self) -> int:
        self._count_down("the clock")
        self.true_time += 7
        self.latest = max(self.latest, self.true_time + self.offset)
        return self.true_time + self.offset

    def _bits(self, count: int) -> int:
        self._count_down("random bits")
        return self._random.getrandbits(count)

    def _count_down(self, port: str) -> None:
        if self._dies_at(port):
            self.disk.down = True
            self.happened[f"crash at {port}"] += 1
            raise Crash(f"the process ended at {port}")

    def _dies_at(self, port: str) -> bool:
        if self.dies_in is None or self._dies_where not in ("", port):
            return False
        self.dies_in -= 1
        if self.dies_in >= 0:
            return False
        self.disarm()
        return True

    def plan(self, call: Call) -> Fault | None:
        """The disk's plan."""
        if self._dies_at(call.operation):
            return Fault.CRASH
        if self.fails == call.operation:
            self.fails = None
            return Fault.ERROR
        return None

    def arm(self, random: Random, kind: str) -> None:
        """Make ready for what may happen in the next calls; what isn't of the machine is no matter of this."""
        match kind:
            case "crash":
                self.arm_death(random)
            case "full disk":
                used = sum(len(stored.now) for stored in self.disk.names.values())
                self.disk.capacity = used + random.choice([0, 0, 3000, 9000, 30_000])
            case "sync error" | "write error" | "read error":
                self.fails = kind.removesuffix(" error")
            case "clock":
                self._set_clock(random)
            case "a long time":
                self.true_time += 25 * HOUR
                self.happened["a day passed"] += 1

    def arm_death(self, random: Random) -> None:
        """The process is to die at some call, of any port or of one."""
        self._dies_where = random.choice(["", "", *PORTS])
        self.dies_in = random.randrange(3 if self._dies_where else random.choice([3, 10, 25]))

    def _set_clock(self, random: Random) -> None:
        before = self.offset
        self.offset = random.choice([0, -SECOND, -120 * SECOND, -HOUR, SECOND, 120 * SECOND, HOUR, 0])
        if random.random() < 0.15:
            self.offset = 26 * HOUR
        self.happened["clock went back"] += self.offset < before
        self.happened["clock went forward"] += self.offset > before
