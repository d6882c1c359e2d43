"""A feed in memory, which fails as it is told to; and what every feed must be, whatever befell its workers."""

from collections.abc import Callable, Sequence

from services.eventlog.log import AppendUnknown, Log
from services.feed.worker import Worker
from tests.feed.rooms import told


class Died(BaseException):
    """The worker's process was killed."""


class MemoryTopic:
    """Partitions in memory. `fate` is asked at each flush: "", or what goes wrong.

    "unknown": Kafka doesn't answer; "killed": the worker dies. Before either, what was sent may have been appended
    ("unknown appended", "killed appended"); all of it or nothing, as a broker takes a batch.
    """

    def __init__(self, shards: int, fate: Callable[[], str] = lambda: "") -> None:
        self.partitions: list[list[bytes]] = [[] for _ in range(shards)]
        self.keys: list[list[str]] = [[] for _ in range(shards)]
        self.flushed: list[list[bytes]] = []
        self.fate = fate
        self._waiting: list[tuple[int, str, bytes]] = []

    def last(self, shard: int) -> bytes | None:
        return self.partitions[shard][-1] if self.partitions[shard] else None

    def send(self, shard: int, key: str, value: bytes) -> None:
        self._waiting.append((shard, key, value))

    def flush(self) -> None:
        sent, self._waiting = self._waiting, []
        fate = self.fate()
        if not fate or "appended" in fate:
            self.flushed.append([value for _, _, value in sent])
            for shard, key, value in sent:
                self.partitions[shard].append(value)
                self.keys[shard].append(key)
        if "unknown" in fate:
            raise AppendUnknown("Kafka didn't say whether it has what it was sent")
        if "killed" in fate:
            raise Died


def check_feed(log: Log, partitions: Sequence[Sequence[bytes]], starts: Sequence[int] | None = None) -> int:
    """AssertionError unless each partition tells all of its shard in order, but for repeats; how many these are.

    `starts`: the heights from which shards are told, where that isn't their beginning.
    """
    repeats = 0
    for shard, values in enumerate(partitions):
        wanted = values_of(log, shard, starts[shard] if starts else 0)
        firsts = list(dict.fromkeys(values))
        assert firsts == wanted, f"shard {shard} isn't told in full, in order"
        repeats += len(values) - len(firsts)
    return repeats


_TOLD: dict[tuple[int, int, int], list[bytes]] = {}


def values_of(log: Log, shard: int, start: int = 0) -> list[bytes]:
    """What is to be told of a shard from a height on. The log is one that lives as long as the run, and isn't written:
    it is read once."""
    at = (id(log), shard, start)
    if at not in _TOLD:
        _TOLD[at] = [event.value for event in told(log.read(shard, start))]
    return _TOLD[at]


def keep_up(log: Log, topic: MemoryTopic) -> int:
    """Work until the feed is up with the log, with a new worker for each that was killed; how many there were."""
    workers = 0
    while True:
        workers += 1
        try:
            worker = Worker(log, topic)
            while not caught_up(worker):
                pass
        except Died:
            topic._waiting.clear()
        else:
            return workers


def caught_up(worker: Worker) -> bool:
    """Whether one try went well."""
    try:
        worker.catch_up()
    except AppendUnknown:
        return False
    return True
