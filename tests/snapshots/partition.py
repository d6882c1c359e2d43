"""A compacted partition in memory, as bare as Kafka's: offsets stay, and for sure only the last record of a key."""

from collections.abc import Callable, Iterator, Sequence


class Partition:
    """One partition of a topic of snapshots; `compact` does at once all that a broker may ever do."""

    def __init__(self) -> None:
        self.records: dict[int, tuple[bytes, bytes]] = {}
        self.next = 0
        self.sent = 0
        self.before_each: Callable[[bytes], None] = lambda key: None

    def send(self, records: Sequence[tuple[bytes, bytes]]) -> list[int]:
        """`before_each` may raise: the records before are there then."""
        offsets = []
        for key, value in records:
            self.before_each(key)
            self.records[self.next] = key, value
            offsets.append(self.next)
            self.next += 1
            self.sent += len(value)
        return offsets

    def end(self, shard: int) -> int:
        return self.next

    def read(self, shard: int, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
        return ((offset, raw) for offset, (_, raw) in sorted(self.records.items()) if start <= offset < stop)

    def compact(self) -> None:
        last = {key: offset for offset, (key, _) in self.records.items()}
        self.records = {offset: self.records[offset] for offset in sorted(last.values())}

    def change(self, key: bytes, change: Callable[[bytes], bytes]) -> None:
        """Write other bytes over the last record of a key, as somebody does who owns the broker."""
        offset = max(offset for offset, (one, _) in self.records.items() if one == key)
        self.records[offset] = key, change(self.records[offset][1])

    def lose(self, key: bytes) -> None:
        """Remove the records of a key."""
        self.records = {offset: one for offset, one in self.records.items() if one[0] != key}

    def last(self, prefix: bytes) -> tuple[bytes, bytes]:
        """Key and value of the last record whose key begins so."""
        return [one for _, one in sorted(self.records.items()) if one[0].startswith(prefix)][-1]
