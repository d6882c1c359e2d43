"""What must be true in the end: of the log as a reader finds it who knows nothing, and of what clients were told."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from domain.hand.events import BoardDealt, CardsDealt, HandCancelled, HandOpened, HandSettled
from domain.rulings.readjudicate import RecordedCommit
from domain.table.events import ChipsBrought, ChipsTaken, HandFinished
from services.bootstrap import open_log
from services.eventlog import body
from services.rulings import PLAYED, recorded
from tests.node.journal import RECORDED, REFUSED, Sent
from tests.node.rooms import Room
from tests.services.cli import handlog


@dataclass
class Ledger:
    """What a reader finds in a log. `commands`: how often each command's id is in it, with the epochs. `carried`: the
    hands that one owner has opened and another one has ended."""

    commands: dict[str, list[int]] = field(default_factory=dict)
    claims: int = 0
    brought: dict[str, int] = field(default_factory=dict)
    stacks: dict[str, dict[int, int]] = field(default_factory=dict)
    rake: dict[str, int] = field(default_factory=dict)
    hands: int = 0
    carried: set[str] = field(default_factory=set)
    cancelled: set[str] = field(default_factory=set)
    _epochs: dict[str, int] = field(default_factory=dict)
    _indices: dict[str, list[int]] = field(default_factory=dict)

    def take(self, commit: RecordedCommit, epoch: int) -> None:
        """Count a decision of a table."""
        for fact in commit.facts:
            kind, _, name = fact.stream.partition(":")
            if kind == "table":
                self._of_table(name, fact.event)
            elif kind == "hand":
                self._of_hand(name, fact.event, epoch)

    def _of_table(self, table: str, event: Any) -> None:
        stacks = self.stacks.setdefault(table, {})
        match event:
            case ChipsBrought():
                self.brought[table] = self.brought.get(table, 0) + event.amount
                stacks[event.seat] = stacks.get(event.seat, 0) + event.amount
            case ChipsTaken():
                self.brought[table] -= event.amount
                stacks[event.seat] -= event.amount
            case HandFinished():
                self.rake[table] = self.rake.get(table, 0) + event.rake
                stacks |= zip(event.seats, event.stacks, strict=True)

    def _of_hand(self, hand: str, event: Any, epoch: int) -> None:
        match event:
            case HandOpened():
                assert hand not in self._epochs, f"{hand} was opened twice, with two decks"
                self._epochs[hand], self._indices[hand] = epoch, []
                self.hands += 1
            case CardsDealt() | BoardDealt():
                dealt = self._indices[hand]
                assert not set(dealt) & set(event.indices), f"{hand}: the cards {event.indices} were dealt before"
                dealt += event.indices
            case HandCancelled():
                self.cancelled.add(hand)
            case HandSettled() if epoch != self._epochs[hand]:
                self.carried.add(hand)


def ledger_of(room: Room) -> Ledger:
    """Read the whole log, shard by shard, by an index that is made anew."""
    found = Ledger()
    with room.in_its_environment(), open_log(room.fresh_home()) as log:
        for shard in range(log.shards):
            epoch = log.record(shard, 0).epoch
            for record in log.read(shard):
                said = body.decode(record.body).command
                found.commands.setdefault(said["id"], []).append(record.epoch)
                found.claims += record.epoch - epoch
                epoch = record.epoch
                if said["name"].startswith(PLAYED):
                    found.take(recorded(record), epoch)
    return found


@dataclass(frozen=True)
class Told:
    """How many commands were sent, acknowledged, refused, given up because they weren't recorded. `doubtful`: those of
    which the first answer left open whether they were recorded; `lost`: and they were, the answer had been lost."""

    sent: int
    acknowledged: int
    refused: int
    given_up: int
    doubtful: int
    lost: int

    def __str__(self) -> str:
        return (
            f"{self.sent} commands sent, {self.acknowledged} acknowledged, {self.refused} refused, {self.given_up} not "
            f"recorded and given up; {self.doubtful} in doubt at first, {self.lost} of them recorded at the first time"
        )


def check_told(ledger: Ledger, sent: Iterable[Sent]) -> Told:
    """Every client was told the truth: what is acknowledged is in the log once, nothing else is in it at all."""
    told = {"sent": 0, "acknowledged": 0, "refused": 0, "given_up": 0, "doubtful": 0, "lost": 0}
    for one in sent:
        times, what = len(ledger.commands.get(one.id, ())), f"{one.id}, {one.name} {one.args}"
        told["sent"] += 1
        if one.given_up:
            assert times == 0, f"{what}: its client was told that it isn't recorded, but it is"
            told["given_up"] += 1
        elif one.last == RECORDED:
            assert times == 1, f"{what}: acknowledged, and in the log {times} times"
            told["acknowledged"] += 1
        else:
            assert one.last == REFUSED, f"{what}: its client never knew what came of it ({one.last} {one.answer})"
            assert times == 0, f"{what}: refused, and in the log {times} times"
            told["refused"] += 1
        if one.in_doubt:
            told["doubtful"] += 1
            told["lost"] += one.again
    return Told(**told)


def check_chips(ledger: Ledger) -> int:
    """At each table the chips that were brought are those that lie there, and the rake; how many these are."""
    for table, brought in ledger.brought.items():
        there = sum(ledger.stacks[table].values()) + ledger.rake.get(table, 0)
        assert there == brought, f"{table}: {brought} were brought, {there} are there"
    return sum(ledger.brought.values())


def check_sound(room: Room) -> None:
    """`verify` finds nothing, and with the room's keys every decision is made again the same: from the same decks."""
    home = room.fresh_home()
    verified = handlog("verify", "--home", home, "--json", env=room.env)
    assert verified.code == 0, verified.out + verified.err
    again = handlog("readjudicate", "--all", "--home", home, "--json", env=room.env)
    assert again.code == 0, again.out + again.err
    assert json.loads(again.out)


def check_all(room: Room) -> tuple[Ledger, Told]:
    """All of it, once the clients have ended."""
    ledger = ledger_of(room)
    told = check_told(ledger, [one for client in room.clients for one in client.sent()])
    check_chips(ledger)
    check_sound(room)
    return ledger, told
