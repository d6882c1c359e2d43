"""Clients: each command gets an id once and is sent until its answer has come; what is on its way may be lost, doubled,
overtaken or late.
"""

from collections import Counter
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

from domain import catalog
from domain.messages import Command
from services.ids import uuid7
from services.room.door import ROOM, ROOMS_OWN
from tests.simulation.auditor import Said, Sent, place_of
from tests.simulation.staff import Errand


@dataclass(eq=False)
class Entry:
    """One command in a client's journal: how often it was sent, and what he has heard."""

    client: int
    command: Command
    sent: int = 0
    heard: Said | None = None
    errand: Errand | None = None
    """Where one of the room's staff asks, not a client: he hears whatever comes of it."""

    @property
    def given_up(self) -> bool:
        """Whether nobody waits for its answer: the process that asked is gone, or asks only once."""
        return self.errand is not None and (self.errand.staff.gone or self.errand.stays)


class Letter(NamedTuple):
    """A command on its way; `said` once the room has answered it, for an answer on its way back."""

    entry: Entry
    command: Command
    said: Said | None = None

    @property
    def sent(self) -> Sent:
        """As the auditor sees it."""
        name, _, args = catalog.command.dump(self.command.args)
        return Sent(self.command.id, place_of(name, args), args, name)


class Clients:
    """All clients, and what is on its way from them and to them."""

    def __init__(self, count: int, faults: frozenset[str], happened: Counter[str]) -> None:
        self._count, self._faults, self._happened = count, faults, happened
        self.journal: list[Entry] = []
        self.out: list[Letter] = []
        self.back: list[Letter] = []

    def ask(self, random: Random, now: int, args: Any, *, forged: bool = False) -> Entry:
        """A new command, by somebody. `forged`: what only the room may ask for is asked for by another."""
        own = type(args) in ROOMS_OWN and not forged
        by = ROOM if own else getattr(args, "by", f"floor:c{random.randrange(self._count)}")
        cause = ROOMS_OWN[type(args)] if own else "floor"
        self._happened["commands forged"] += forged and type(args) in ROOMS_OWN
        command = Command(uuid7(now, random.getrandbits(74)), args, by, cause)
        entry = Entry(random.randrange(self._count), command)
        self.journal.append(entry)
        self.send(entry)
        return entry

    def carry(self, errand: Errand) -> None:
        """A command of the room's staff."""
        entry = Entry(0, errand.command, errand=errand)
        self.journal.append(entry)
        self.send(entry)

    def send(self, entry: Entry, args: Any = None) -> None:
        """Send it, or send it again; with other arguments if some are given. What stays in a process is sent once."""
        if entry.sent and entry.errand is not None and entry.errand.stays:
            return
        command = entry.command if args is None else replace(entry.command, args=args)
        entry.sent += 1
        self.out.append(Letter(entry, command))

    def repeat(self, random: Random) -> None:
        """Who has waited sends again; now and then somebody does who needn't, or with other arguments."""
        on_the_way = {id(letter.entry) for letter in self.out}
        for entry in self.journal[-60:]:
            if id(entry) in on_the_way:
                continue
            if entry.heard is None and not entry.given_up:
                if entry.errand and random.random() < 0.3:
                    hear(entry, entry.command, Said("unknown"))
                    self._happened["staff without an answer"] += 1
                elif random.random() < 0.4:
                    self.send(entry)
                    self._happened["commands sent again"] += 1
            elif random.random() < 0.02 and "duplicate" in self._faults:
                self.send(entry)
            if random.random() < 0.01 and not entry.errand:
                other = changed(entry.command.args)
                if other is not None:
                    self.send(entry, other)
                    self._happened["sent with other arguments"] += 1
        if self.journal and random.random() < 0.15:
            self.send(random.choice(self.journal))

    def arriving(self, random: Random) -> list[Letter]:
        """What reaches the room now. A late letter stays on its way, a doubled one does too."""
        arrived, stays = [], []
        for letter in self.out:
            if letter.entry.errand is not None and letter.entry.errand.stays:
                arrived.append(letter)
                continue
            if "late command" in self._faults and random.random() < 0.1:
                stays.append(letter)
                self._happened["late command"] += 1
                continue
            arrived.append(letter)
            if "duplicate" in self._faults and random.random() < 0.05:
                (stays if random.random() < 0.7 else arrived).append(letter)
                self._happened["duplicate"] += 1
        self.out = stays
        if "reordered" in self._faults and random.random() < 0.3:
            before = list(arrived)
            random.shuffle(arrived)
            self._happened["reordered"] += arrived != before
        return arrived

    def answered(self, random: Random, letters: list[Letter], said: list[Said]) -> None:
        """Answers on their way back: some are lost, some are late."""
        for letter, one in zip(letters, said, strict=True):
            if "lost answer" in self._faults and random.random() < 0.1:
                self._happened["lost answer"] += 1
            elif "late answer" in self._faults and random.random() < 0.1:
                self._happened["late answer"] += 1
                self.back.append(letter._replace(said=one))
            else:
                hear(letter.entry, letter.command, one)

    def late_answers(self, random: Random) -> None:
        """Those that come now."""
        still = []
        for letter in self.back:
            if random.random() < 0.5:
                still.append(letter)
            else:
                assert letter.said
                hear(letter.entry, letter.command, letter.said)
        self.back = still

    def waiting(self) -> list[Entry]:
        """The commands whose clients have heard nothing that settles them."""
        return [entry for entry in self.journal if entry.heard is None and not entry.given_up]


def hear(entry: Entry, command: Command, said: Said) -> None:
    """A client believes an answer or a refusal of what he asked; of anything else he asks again."""
    if command is not entry.command or entry.heard is not None:
        return
    if entry.errand is not None and not entry.given_up:
        entry.heard = said
        entry.errand.answered(said)
    elif said.kind in ("answer", "refused"):
        entry.heard = said


def changed(args: Any) -> Any | None:
    """The same command with another number in it; None where it has none."""
    for name in ("to", "amount", "number", "seat"):
        value = getattr(args, name, None)
        if isinstance(value, int):
            return replace(args, **{name: value % 9 + 1})
    return None
