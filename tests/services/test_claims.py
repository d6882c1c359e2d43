"""A room among others: it writes what it has claimed, and answers for nothing of which it doesn't know what became.

The log is real; what Kafka may do to a writer (leave him without an answer, let another in first) is done to it here.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from domain.messages import SECOND, Command, table_stream
from domain.room import AcceptLoss
from domain.table.commands import SitDown
from services.bootstrap import open_log
from services.eventlog import body
from services.eventlog.commit import Head
from services.eventlog.log import Append, AppendRefused, AppendUnknown, HeadMoved, Log, LogError, NotOwner
from services.eventlog.mapper import repository
from services.eventlog.verify import verify_log
from services.ports import Ports
from services.room.office import Office
from services.room.owners import Claimant, Claims
from services.room.recording import Answer
from services.room.room import Room
from services.room.shards import shard_of
from services.sealing.shoe import SealedShoes
from tests.services.homes import Desk, keys_of, open_table
from tests.services.tables import outcome_of

SHARD = shard_of(table_stream("t1"), 4)


class Unsure:
    """A log that leaves its writer without an answer: to its next appends of `fates`, in order, and to claims too.

    `recorded`: it recorded them all. `lost`: none. `first`: the first entry alone. `fine`: this one is answered.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self.fates: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.log, name)

    def append(self, shard: int, expected: Head, entries: Sequence[Any], *, claim: bool = False) -> list[Head]:
        (outcome,) = self.append_all([Append(shard, expected, entries, claim)])
        if isinstance(outcome, LogError):
            raise outcome
        return outcome

    def append_all(self, appends: Sequence[Append]) -> list[list[Head] | LogError]:
        return [self._append(each) for each in appends]

    def _append(self, append: Append) -> list[Head] | LogError:
        fate = self.fates.pop(0) if append.entries and self.fates else "fine"
        some = {"lost": 0, "first": 1}.get(fate, len(append.entries))
        try:
            heads = self.log.append(append.shard, append.expected, append.entries[:some], claim=append.claim)
        except LogError as error:
            return error
        return heads if fate == "fine" else AppendUnknown("nobody said", heads if fate == "first" else ())


@pytest.fixture
def log(tmp_path: Path, ports: Ports) -> Iterator[Unsure]:
    with open_log(tmp_path / "home", write=True) as log:
        yield Unsure(log)


def claims_of(log: Any, ports: Ports, node: str) -> Claims:
    return Claims(log, Claimant(node, f"http://{node}:1", "1"), ports, Office(log, repository(log)).entry_of)


def node(log: Any, ports: Ports, name: str = "north", *, claim: bool = True) -> tuple[Room, Claims]:
    """A room that has claimed the table's shard, unless it shouldn't yet."""
    claims = claims_of(log, ports, name)
    room = Room(log, ports, SealedShoes(keys_of(log), ports.bits), claims)
    if claim:
        claims.claim(SHARD)
        room.restore(SHARD, {}, log.tables(SHARD))
    return room, claims


def give(room: Room, *commands: Command) -> list[Any]:
    """The outcomes of commands that came in together."""
    return room.execute(commands)


def commands_in(log: Any) -> list[str]:
    return [body.decode(record.body).command["id"] for record in log.read(SHARD)]


def epochs(log: Any) -> list[int]:
    return [record.epoch for record in log.read(SHARD)]


def test_a_room_writes_only_what_it_has_claimed(log: Unsure, ports: Ports, desk: Desk) -> None:
    room, claims = node(log, ports, claim=False)
    before = log.head(SHARD)
    assert isinstance(outcome_of(room, desk(open_table())), NotOwner)
    assert isinstance(outcome_of(room, desk(AcceptLoss(SHARD, 1, 1, "0" * 64, "floor:bob", ""))), NotOwner)
    assert log.head(SHARD) == before
    claims.claim(SHARD)
    room.restore(SHARD, {}, ())
    assert isinstance(outcome_of(room, desk(open_table())), Answer)
    assert epochs(log) == [0, 1, 1]


def test_whom_another_has_claimed_a_shard_from_writes_no_more(log: Unsure, ports: Ports, desk: Desk) -> None:
    room, claims = node(log, ports)
    other, _ = node(log, ports, "south")
    give(other, desk(open_table()))
    asked = desk(open_table())
    assert isinstance(outcome_of(room, asked), NotOwner)
    assert claims.shards == []
    assert asked.id not in commands_in(log)
    assert verify_log(log).sound


def test_who_learns_it_from_the_office_says_so_to_all_of_the_batch(log: Unsure, ports: Ports, desk: Desk) -> None:
    """The office's part of a batch comes first: the tables' finds the shard lost."""
    room, claims = node(log, ports)
    give(room, desk(open_table()))
    other, _ = node(log, ports, "south")
    give(other, desk(SitDown("t1", 2, "bob", 200)))
    told = give(room, desk(SitDown("t1", 1, "ann", 200)), desk(AcceptLoss(SHARD, 3, 9, "0" * 64, "floor:bob", "")))
    assert [type(one) for one in told] == [NotOwner, NotOwner]
    assert claims.shards == []


def test_a_commit_of_nobody_s_claim_is_noticed_too(log: Unsure, ports: Ports, desk: Desk) -> None:
    """As when the office records something while a node is at work: the node has to look again."""
    room, claims = node(log, ports)
    give(room, desk(open_table()))
    other, theirs = node(log, ports, "north", claim=False)
    theirs.recorded(SHARD, log.head(SHARD))
    assert isinstance(outcome_of(other, desk(SitDown("t1", 2, "bob", 200))), Answer)
    assert isinstance(outcome_of(room, desk(SitDown("t1", 1, "ann", 200))), NotOwner)
    claims.claim(SHARD)
    room.restore(SHARD, {}, log.tables(SHARD))
    assert set(room.table("t1").table.seats) == {2}  # type: ignore[union-attr]


@pytest.mark.parametrize("fate", ["recorded", "lost", "first"])
def test_what_nobody_said_is_settled_by_a_claim_and_each_command_is_recorded_once(
    log: Unsure, ports: Ports, desk: Desk, fate: str
) -> None:
    room, claims = node(log, ports)
    give(room, desk(open_table()))
    batch = [desk(SitDown("t1", seat, player, 200)) for seat, player in ((1, "ann"), (2, "bob"), (3, "cid"))]
    log.fates = [fate]
    outcomes = give(room, *batch)
    assert all(isinstance(outcome, Answer) for outcome in outcomes), outcomes
    said = commands_in(log)
    assert [said.count(command.id) for command in batch] == [1, 1, 1]
    assert claims.shards == [SHARD]
    assert verify_log(log).sound


@pytest.mark.parametrize("fates", [["lost", "recorded"], ["recorded", "recorded"], ["lost", "lost", "recorded"]])
def test_a_claim_that_nobody_answers_is_made_again(log: Unsure, ports: Ports, desk: Desk, fates: list[str]) -> None:
    room, _ = node(log, ports)
    asked = desk(open_table())
    log.fates = list(fates)
    assert isinstance(outcome_of(room, asked), Answer)
    assert commands_in(log).count(asked.id) == 1


@pytest.mark.parametrize("first", ["recorded", "lost"])
def test_where_no_claim_gets_through_the_sender_is_told_that_nobody_knows(
    log: Unsure, ports: Ports, desk: Desk, first: str
) -> None:
    room, claims = node(log, ports)
    asked = desk(open_table())
    log.fates = [first, "lost", "lost", "lost"]
    assert isinstance(outcome_of(room, asked), AppendUnknown)
    assert claims.shards == []
    assert isinstance(outcome_of(room, desk(SitDown("t1", 1, "ann", 200))), NotOwner)
    claims.claim(SHARD)
    room.restore(SHARD, {}, log.tables(SHARD))
    assert isinstance(outcome_of(room, asked), Answer), "asked again, with the same id"
    assert commands_in(log).count(asked.id) == 1


def test_what_was_refused_before_is_still_surely_not_recorded(log: Unsure, ports: Ports, desk: Desk) -> None:
    """A command is never refused while its first try may still be recorded: the claim comes before the second."""
    room, _ = node(log, ports)
    give(room, desk(open_table()), desk(SitDown("t1", 1, "ann", 200)))
    twice = desk(SitDown("t1", 2, "bob", 200))
    log.fates = ["recorded"]
    answer = outcome_of(room, twice)
    assert isinstance(answer, Answer)
    assert outcome_of(room, twice) == answer


@pytest.mark.parametrize(("silence", "goes_on"), [(9, True), (11, False)])
def test_after_a_long_silence_the_shard_has_to_be_taken_over_anew(
    log: Unsure, ports: Ports, desk: Desk, silence: int, goes_on: bool
) -> None:
    """Nobody worked on its hands meanwhile: taking it over decides which of them are cancelled."""
    room, claims = node(log, ports)
    claims._ports = Ports(lambda: ports.now() + silence * SECOND, ports.bits)
    log.fates = ["lost"]
    assert isinstance(outcome_of(room, desk(open_table())), Answer if goes_on else AppendUnknown)
    assert claims.shards == ([SHARD] if goes_on else [])


class Overtaken(Unsure):
    """A log in which another node claims the shard and acts there just before the next append."""

    def __init__(self, log: Log, act: Any) -> None:
        super().__init__(log)
        self.act = act

    def _append(self, append: Append) -> list[Head] | LogError:
        act, self.act = self.act, None
        if act and append.entries:
            act()
        return super()._append(append)


def test_of_what_another_came_before_nothing_is_answered_but_what_was_recorded(
    log: Unsure, ports: Ports, desk: Desk
) -> None:
    overtaken = Overtaken(log.log, None)
    room, claims = node(overtaken, ports)
    give(room, desk(open_table()))
    overtaken.act = lambda: claims_of(log, ports, "south").claim(SHARD)
    batch: list[Command] = [desk(SitDown("t1", 1, "ann", 200)), desk(SitDown("t1", 1, "bob", 200))]
    outcomes = give(room, *batch)
    assert [type(outcome) for outcome in outcomes] == [NotOwner, NotOwner], "the refusal rested on what never happened"
    assert claims.shards == []
    assert not {command.id for command in batch} & set(commands_in(log))


def test_a_refused_append_changes_nobody_s_ownership(log: Unsure, ports: Ports, desk: Desk) -> None:
    room, claims = node(log, ports)
    refused = Overtaken(log.log, None)
    refused._append = lambda append: AppendRefused("no") if append.entries else []  # type: ignore[method-assign]
    room.log = refused
    assert isinstance(outcome_of(room, desk(open_table())), AppendRefused)
    room.log = log
    assert claims.shards == [SHARD]
    assert isinstance(outcome_of(room, desk(open_table())), Answer)


def test_a_claim_of_a_head_that_has_moved_is_made_at_the_new_one(log: Unsure, ports: Ports) -> None:
    first = claims_of(log, ports, "north")
    overtaken = Overtaken(log.log, lambda: claims_of(log, ports, "south").claim(SHARD))
    first.claim(SHARD)
    again = claims_of(overtaken, ports, "east")
    claimed = again.claim(SHARD)
    assert claimed.head == log.head(SHARD)
    assert epochs(log) == [0, 1, 2, 3]
    with pytest.raises(HeadMoved):
        log.append(SHARD, first.expected(SHARD), [first._entry_of(first._command(SHARD, ports.now()), ports.now())])
