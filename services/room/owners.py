"""Who writes a shard: this room alone, or whoever claimed it last (design, Owners).

A room trusts no head but that of its own last commit: if the log has moved beyond it, somebody else has written there,
and what this room has in memory is of the past.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from domain import catalog
from domain.messages import SECOND, Command
from domain.room import ClaimShard
from services.eventlog import body
from services.eventlog.commit import Head
from services.eventlog.log import AppendUnknown, Entry, HeadMoved, Log, LogError, NotOwner
from services.ids import uuid7
from services.ports import Ports
from services.room.door import RECOVERY

BRIEF = 10 * SECOND
"""Microseconds without an answer of the log after which an owner goes on as if nothing had been: less than what any
table forgives (`failure_grace`)."""

TRIES = 3
"""Times that a claim is sent before the shard is left to the next attempt."""


class Owner(Protocol):
    """Decides whether a room writes a shard, and from which head on."""

    def expected(self, shard: int) -> Head:
        """The head that the room's next commit there is chained to. Raises NotOwner."""
        ...

    def recorded(self, shard: int, head: Head) -> None:
        """The room has extended the shard up to that head."""
        ...

    def moved(self, shard: int) -> bool:
        """Another writer has extended the shard: whether the room goes on with it all the same."""
        ...

    def unknown(self, shard: int) -> bool:
        """Nobody said whether the room's last append was recorded: whether that is settled now, and it goes on."""
        ...

    def confirm(self, shard: int) -> bool:
        """Whether nobody else has written the shard since: only then may the room refuse anything by what it has in
        memory, since another may have recorded that very command. Raises LogError where it can't be told."""
        ...


class Alone:
    """The room writes every shard: its home lets in one writer at a time."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def expected(self, shard: int) -> Head:
        return self._log.head(shard)

    def recorded(self, shard: int, head: Head) -> None:
        pass

    def moved(self, shard: int) -> bool:
        return True

    def unknown(self, shard: int) -> bool:
        return False

    def confirm(self, shard: int) -> bool:
        return True


class Claimant(NamedTuple):
    """What a node's claims say of it. `address`: of its door, `http://host:port`; empty where it has none."""

    node: str
    address: str
    software: str


class Claimed(NamedTuple):
    """A claim that was recorded. `gap`: microseconds for which the shard had no working owner."""

    head: Head
    gap: int


class Claims:
    """The room writes the shards that it claimed, until another claims them, or anybody else writes there."""

    def __init__(self, log: Log, claimant: Claimant, ports: Ports, entry_of: Callable[[Command, int], Entry]) -> None:
        """`entry_of`: a claim as the log is given it, at a time (`Office.entry_of`)."""
        self._log, self._ports, self._entry_of = log, ports, entry_of
        self.claimant = claimant
        """Who claims; known in full once his door is open."""
        self._heads: dict[int, Head] = {}

    @property
    def by(self) -> str:
        """Who records what the node says of itself."""
        return f"node:{self.claimant.node}"

    @property
    def shards(self) -> list[int]:
        """The shards that the room writes."""
        return sorted(self._heads)

    def expected(self, shard: int) -> Head:
        head = self._heads.get(shard)
        if head is None:
            raise NotOwner(shard)
        return head

    def recorded(self, shard: int, head: Head) -> None:
        self._heads[shard] = head

    def moved(self, shard: int) -> bool:
        self.lose(shard)
        return False

    def unknown(self, shard: int) -> bool:
        """A claim at that height settles it: either it is recorded there, or what was sent before is.

        After a longer silence the room doesn't go on: the shard had no working owner, and has to be taken over, which
        may cancel its hands.
        """
        self.lose(shard)
        try:
            claimed = self.claim(shard)
        except LogError:
            return False
        if claimed.gap > BRIEF:
            self.lose(shard)
        return claimed.gap <= BRIEF

    def confirm(self, shard: int) -> bool:
        self._log.catch_up(shard)
        if self._heads.get(shard) == self._log.head(shard):
            return True
        self.lose(shard)
        return False

    def lose(self, shard: int) -> None:
        """Write there no more."""
        self._heads.pop(shard, None)

    def claim(self, shard: int) -> Claimed:
        """Become the shard's owner, by a commit that says so: nobody else's is accepted any more unless he claims it.

        Raises CorruptLog for a shard that is stopped, AppendUnknown, AppendRefused, LogError.
        """
        failed: LogError | None = None
        for _ in range(TRIES):
            self._log.catch_up(shard)
            head = self._log.head(shard)
            at = max(self._ports.now(), self._at(shard, head.height))
            try:
                (head,) = self._log.append(shard, head, [self._entry_of(self._command(shard, at), at)], claim=True)
            except (HeadMoved, AppendUnknown) as error:
                failed = error
                continue
            self._heads[shard] = head
            return Claimed(head, self._gap(shard, head.height))
        assert failed is not None
        raise failed

    def _command(self, shard: int, at: int) -> Command:
        asked = ClaimShard(shard, *self.claimant, catalog.READS)
        return Command(uuid7(at, self._ports.bits(74)), asked, self.by, RECOVERY)

    def _gap(self, shard: int, height: int) -> int:
        """The longest wait before one of the claims that the shard ends with, or is being recovered by: an owner who
        was gone before he had cancelled all hands leaves that to the next."""
        gap, now = 0, self._said(shard, height)
        while height > 0 and now.command["cause"] == RECOVERY:
            before = self._said(shard, height - 1)
            if now.command["name"] == _CLAIM:
                gap = max(gap, now.at - before.at)
            height, now = height - 1, before
        return gap

    def _at(self, shard: int, height: int) -> int:
        return self._said(shard, height).at if height >= 0 else 0

    def _said(self, shard: int, height: int) -> body.Body:
        return body.decode(self._log.record(shard, height).body)


_CLAIM = catalog.command.by_class[ClaimShard].name
