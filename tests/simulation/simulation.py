"""One run: a script (a seed and what was left out of it), played step by step; then all is repaired and finished."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from domain.room import ChangeKey, CloseDay
from services.room.days import began
from tests.simulation import faults, patrons, players
from tests.simulation.apsw_sqlite import DiskFiles
from tests.simulation.auditor import Said
from tests.simulation.books import must
from tests.simulation.choosers import chooses
from tests.simulation.clients import Clients, Entry, Letter, hear
from tests.simulation.ending import Ending
from tests.simulation.faulty_disk import Crash
from tests.simulation.process import Process
from tests.simulation.proof import Proof, is_found
from tests.simulation.table_book import Table
from tests.simulation.world import PATH, World

STEPS = 14
TABLES = 2
CLIENTS = 3


@dataclass(frozen=True)
class Script:
    """What to play. `without`: faults that stay off. `dropped`: steps that are left out; the others ask the same."""

    seed: int
    steps: int = STEPS
    tables: int = TABLES
    clients: int = CLIENTS
    without: frozenset[str] = frozenset()
    dropped: frozenset[int] = frozenset()

    def command(self) -> str:
        """How to run it again."""
        said = f"python -m tests.simulation --seed {self.seed}"
        for name, usual in (("steps", STEPS), ("tables", TABLES), ("clients", CLIENTS)):
            if getattr(self, name) != usual:
                said += f" --{name} {getattr(self, name)}"
        if self.without:
            said += " --without " + " ".join(f"'{kind}'" for kind in sorted(self.without))
        if self.dropped:
            said += " --drop " + ",".join(map(str, sorted(self.dropped)))
        return said


@dataclass
class Run:
    """What came of a script. `digest` is equal for equal runs; `wrong` is None where all was right."""

    script: Script
    happened: Counter[str] = field(default_factory=Counter)
    digest: str = ""
    wrong: BaseException | None = None
    lines: list[str] = field(default_factory=list)
    """What was done, line by line."""


def run(script: Script) -> Run:
    """Play a script. Whatever goes wrong is in the run, never raised."""
    result = Run(script)
    simulation = Simulation(script, result.lines)
    try:
        simulation.play()
    except (Exception, Crash) as error:  # noqa: BLE001 - that is what is looked for
        result.wrong = error
    finally:
        simulation.close()
    result.digest = simulation.digest.hexdigest()
    result.happened = simulation.happened()
    return result


class Simulation:
    """A script while it is played."""

    def __init__(self, script: Script, lines: list[str]) -> None:
        self.script, self.lines = script, lines
        self.digest = sha256()
        self.faults = faults.drawn(script.seed, script.without)
        random = Random(f"{script.seed} is set up")
        shards, shared = random.choice([1, 2, 2, 3]), random.random() < 0.5
        self.world = World(script.seed, shards, shared=shared, outages="outage" in self.faults)
        self.world.may_cut_power = "power cut" in self.faults
        self.world.dies_again = "crash" in self.faults
        self.world.disk.forgets = "forgetful disk" in self.faults
        self.views = random.random() < 0.15
        self.clients = Clients(script.clients, self.faults, self.world.happened)
        self.flips = "flipped bit" in self.faults
        self.folder = TemporaryDirectory() if self.flips or script.seed % 16 == 0 else None
        self.proof = Proof(self.world.checkpoint_key, Path(self.folder.name)) if self.folder else None
        self._attempts: Counter[int] = Counter()

    def close(self) -> None:
        """Let go of everything."""
        self.world.close()
        if self.folder:
            self.folder.cleanup()

    def happened(self) -> Counter[str]:
        """How often each thing happened."""
        world = self.world
        return world.happened + world.disk.happened + world.auditor.seen

    def tell(self, line: str) -> None:
        """Note what was done."""
        self.lines.append(line)
        self.digest.update(line.encode() + b"\n")

    # The play

    def play(self) -> None:
        for step in range(self.script.steps):
            if step not in self.script.dropped:
                self._step(step, Random(f"{self.script.seed}, step {step}"))
        self._repair()
        Ending(self).play()
        self._close_the_books()

    def _step(self, step: int, random: Random) -> None:
        self.world.trouble.true_time += random.choice([1000, 100_000, 3_000_000, 3_000_000, 12_000_000])
        self._something_happens(step, random)
        self._keep(random)
        self.send_the_staff()  # what was chosen in advance is asked before its player can answer himself
        self._ask(random)
        self._choose(random)
        self.send_the_staff()
        self.clients.repeat(random)
        self._arrive(step, random)
        fast = [table for table in self.tables() if players.is_fast(table)]
        for table in fast:
            for args in players.at_table(random, table, self._comes):
                self.new(random, args)
        if fast:
            self._arrive(step, random)
        self._ask_who_was_overtaken(step, random)
        self.clients.late_answers(random)
        self.world.trouble.ease(random)

    def _arrive(self, step: int, random: Random) -> None:
        """What is on its way reaches the room, in batches."""
        arrived = self.clients.arriving(random)
        while arrived:
            size = random.randint(1, len(arrived))
            self.execute(step, random, arrived[:size])
            arrived = arrived[size:]

    def _ask_who_was_overtaken(self, step: int, random: Random) -> None:
        """Somebody who has his answer from the new process asks the old one again, to be sure."""
        again = [
            one for one in self.clients.journal[-30:] if one.heard and one.heard.kind == "answer" and not one.errand
        ]
        if self.world.zombie is not None and again and random.random() < 0.4:
            entry = random.choice(again)
            self.execute(step, random, [Letter(entry, entry.command)], by_zombie=True)

    def send_the_staff(self) -> None:
        """What the staff of every process asks for now goes on its way."""
        for process in filter(None, (self.world.process, self.world.zombie)):
            for errand in process.staff.due():
                self.clients.carry(errand)

    def _keep(self, random: Random) -> None:
        """Nodes look after their shards; one that was overtaken may want them back."""
        if self.world.shared:
            self.world.keep(by_zombie=random.random() < 0.15)

    def _choose(self, random: Random) -> None:
        """Players choose in advance, at the door of a process that writes their table's shard."""
        world = self.world
        for table in self.tables():
            process = world.process if world.process.owns(table.shard) else world.zombie
            if process is None or not table.under_way or not process.owns(table.shard) or random.random() < 0.3:
                continue
            with world.quiet():
                now = process.room.table(table.id)
            advance = chooses(random, now.hand) if now.hand and not now.hand.settled else None
            if advance is None or advance.hand != table.under_way.id:
                continue
            by = f"player:{table.under_way.players[advance.seat]}"
            if process.staff.choose(now, advance, by):
                takeovers = world.auditor.shards[table.shard].takeovers
                holder = world.number_of(process)
                world.auditor.advances.chose(asdict(advance), by, process.staff.now(), takeovers, holder)

    def execute(self, step: int, random: Random, letters: list[Letter], *, by_zombie: bool = False) -> None:
        """A batch reaches a process."""
        by_zombie = by_zombie or (self.world.zombie is not None and random.random() < 0.5)
        letters = self._for(self.world.zombie if by_zombie and self.world.zombie else self.world.process, letters)

        def tell(said: list[Said]) -> None:
            for letter, one in zip(letters, said, strict=True):
                who = f"{step:>3} {'zombie ' * by_zombie}{letter.command.id[-6:]}"
                self.tell(f"{who} {letter.command.args} -> {one.kind} {one.text}")

        sent = [one.sent for one in letters]
        said = self.world.execute([one.command for one in letters], sent, tell, by_zombie=by_zombie)
        if said:
            self.clients.answered(random, letters, said)

    def _for(self, process: Process, letters: list[Letter]) -> list[Letter]:
        """Those that may reach the process; of what its staff alone may ask another process gets nothing."""
        mine = []
        for letter in letters:
            errand = letter.entry.errand
            if errand is None or not errand.stays or errand.staff is process.staff:
                mine.append(letter)
            else:
                hear(letter.entry, letter.command, Said("unknown"))
        return mine

    def _something_happens(self, step: int, random: Random) -> None:
        world = self.world
        kind = random.choice(sorted(self.faults)) if self.faults and random.random() < 0.35 else ""
        if kind:
            self.tell(f"{step:>3} {kind}")
        world.trouble.arm(random, kind)
        match kind:
            case "crash before the answer":
                world.crash_before_answer = True
            case "power cut":
                world.crash()
            case "zombie writer":
                world.take_over()
            case "clock glitch" if random.random() < 0.5:
                self._fast_for_a_moment(step, random)
            case "clock glitch":
                self._glitch(step, random)
            case "eviction":
                world.evict(random)
            case "restart":
                world.auditor.recovered(world.restart())
        if self.views and random.random() < 0.1:
            world.look(rebuild=random.random() < 0.3)

    def _glitch(self, step: int, random: Random) -> None:
        """The room's clock runs a day ahead while it is only looked at, or asked what it answered before; then it is
        set right, and some ask again to be sure."""
        world, offset = self.world, self.world.trouble.offset
        again = [entry for entry in self.clients.journal if entry.heard and entry.heard.kind == "answer"]
        random.shuffle(again)
        world.evict(random)
        world.trouble.offset = 26 * faults.HOUR
        if random.random() < 0.5 and again:
            self.execute(step, random, [Letter(entry, entry.command) for entry in again[:2]])
        else:
            world.glance()
        world.trouble.offset = offset
        for entry in again[2:8]:
            self.clients.send(entry)
        world.happened["clock glitch"] += 1

    def _fast_for_a_moment(self, step: int, random: Random) -> None:
        """The room's clock is an hour fast, and the floor closes the day that seems over; then it is set right."""
        offset = self.world.trouble.offset
        self.world.trouble.offset = faults.HOUR
        closing = self._close_yesterday(random)
        if closing is not None:
            self.execute(step, random, [Letter(closing, closing.command)])
        self.world.trouble.offset = offset

    def _ask(self, random: Random) -> None:
        for number in range(1, self.script.tables + 1):
            table = self.world.auditor.tables.get(f"t{number}")
            if table is None:
                self._attempts[number] += 1
                self.new(random, players.opening(self.script.seed, number, self._attempts[number]))
            elif random.random() < 0.9:
                for args in players.at_table(random, table, self._comes):
                    self.new(random, args)
            if table and table.by_account and random.random() < 0.4:
                for args in patrons.at_the_cage(random, self.world.auditor.money, table, self.world.trouble.true_time):
                    self.new(random, args)
            if table and random.random() < 0.1:
                args = random.choice(list(players.illegal(table)))
                self.clients.ask(random, self.world.trouble.true_time, args, forged=True)
            if table and table.hand and random.random() < 0.04:
                self.new(random, players.at_the_office(random, table.hand))
        if random.random() < 0.03:
            self._change_key(random)
        if random.random() < 0.15:
            self._close_yesterday(random)

    def _comes(self, random: Random, table: Table, seat: int) -> list[Any]:
        """Somebody wants a seat."""
        if table.by_account:
            if self.world.auditor.money.mail.on_the_way_to(f"table:{table.id}") and random.random() < 0.8:
                return []
            return patrons.buys_in(random, self.world.auditor.money, table, seat)
        return players.sits_down(random, table, seat)

    def new(self, random: Random, args: Any) -> Entry:
        """Somebody asks for it."""
        return self.clients.ask(random, self.world.trouble.true_time, args)

    def _change_key(self, random: Random) -> None:
        self.world.add_key()
        self.world.auditor.recovered(self.world.restart())
        self.new(random, ChangeKey(self.world.keys.current.hex()))
        self.world.happened["keys rotated"] += 1

    def _close_yesterday(self, random: Random) -> Entry | None:
        """The floor closes the day before with what the log comes to; None where it was closed, or there is none. Where
        no node has ended it in every shard, that is done first, unless another process may be there."""
        world = self.world
        ended = began(world.trouble.true_time + world.trouble.offset, "UTC")
        day = datetime.fromtimestamp(ended // faults.SECOND - 1, UTC).date().isoformat()
        if ended <= world.start_at or day in {closed["day"] for closed in world.auditor.closed}:
            return None
        if not world.shared and world.zombie is None:
            world.end_the_day(ended)
        return self.new(random, CloseDay(day, ended, *world.added_up(day)))

    # The end: faults off

    def _repair(self) -> None:
        """Faults off: whoever still waits for an answer gets one, from the process that runs or from another."""
        world, random = self.world, Random(f"{self.script.seed} ends")
        trouble = world.trouble
        trouble.disarm()
        trouble.true_time = trouble.latest + faults.SECOND  # as long as its clock was ahead, no table takes a new id
        trouble.offset = 0
        world.may_cut_power = world.crash_before_answer = world.dies_again = False
        self.faults = self.clients._faults = frozenset()
        if world.zombie or random.random() < 0.5:
            world.auditor.recovered(world.restart())
        self.clients.late_answers(random)
        world.keep()
        must(all(map(world.process.owns, range(world.log.shards))), "shards have no owner")
        for _ in range(2):  # a writer that was overtaken notices it at its first append
            for entry in self.clients.waiting():
                self.clients.send(entry)
            arrived = self.clients.arriving(random)
            if arrived:
                self.execute(999, random, arrived)
        if self.proof is not None:
            self.proof.sign(world.log, trouble.true_time)
        must(not self.clients.waiting(), "somebody still waits: {}", self.clients.waiting()[:1])

    def tables(self) -> list[Table]:
        """Those that are open, as the auditor has them."""
        return list(self.world.auditor.tables.values())

    def _close_the_books(self) -> None:
        """All of it once more: the log from a new process, the views, the product's own verification."""
        world = self.world
        world.auditor.recovered(world.restart())
        if self.views:
            world.look(rebuild=True)
        world.auditor.check_closed_days()
        if world.auditor.closed:
            world.check_ledger()
        for shard in world.auditor.shards:
            self.digest.update(shard.hash.encode())
        if self.proof is not None:
            self._prove(self.proof)

    def _prove(self, proof: Proof) -> None:
        """Sign what the log is, and verify it; where the seed has it, change a bit of the file and look again."""
        world = self.world
        signed = proof.sign(world.log, world.trouble.true_time)
        known = [(len(end.raws), world.auditor.root(shard)) for shard, end in enumerate(world.auditor.shards)]
        must(signed == known, "{} was signed, the auditor has {}", signed, known)
        must(proof.is_whole(world.log), "a log that is whole isn't found so")
        world.happened["logs verified and signed"] += 1
        if self.flips:
            world.flip()
            found = is_found(proof, PATH, DiskFiles(world.disk))
            world.happened["flipped bit found" if found else "flipped bit in nobody's bytes"] += 1
            must(found or world.is_as_known(), "a bit was flipped, and nobody sees that the log has changed")
