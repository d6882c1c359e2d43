"""Who owns a shard and in which revision it is written: what the office makes of it, and who notices."""

from typing import Any

import pytest

from domain import catalog, room
from domain.messages import Command, Refused
from domain.room import ClaimShard, KeepAlive, RaiseRevision, RevisionRaised, Shard, ShardAlive, ShardClaimed
from services.eventlog import body
from services.eventlog.log import Entry, Log
from services.eventlog.mapper import UnreadableEvent, repository
from services.ports import Ports
from services.room.load import ShardFold
from services.room.office import Office
from services.room.recording import envelope
from services.rulings import recorded
from services.soundness import verify_home
from services.views import committed
from tests.services.homes import Desk, room_over
from tests.services.tables import give, outcome_of

CLAIM = ClaimShard(2, "north", "http://127.0.0.1:8100", "0.6.0", 1)
CLAIMED = ShardClaimed("north", "http://127.0.0.1:8100", "0.6.0", 1)


def office(log: Log) -> Office:
    return Office(log, repository(log))


def of_node(command: Command) -> Command:
    return Command(command.id, command.args, "node:north", "recovery")


def append(log: Log, entry: Entry, claim: bool = False) -> None:
    log.append(2, log.head(2), [entry], claim=claim)


def claim(log: Log, desk: Desk, args: ClaimShard = CLAIM) -> None:
    append(log, office(log).entry_of(of_node(desk(args)), desk.ports.now()), claim=True)


def raised_by_another_build(log: Log, desk: Desk, revision: int) -> None:
    """A RevisionRaised that this build's office would not make."""
    version = (log.stream_version("shard:2") or 0) + 1
    event = body.fact("shard:2", version, *catalog.event.dump(RevisionRaised(revision)))
    append(log, body.entry(desk.ports.now(), envelope(desk(RaiseRevision(2, revision))), [event]))


def state(log: Log) -> Shard:
    return ShardFold(log).now(2)


def test_a_shard_that_nobody_claimed_has_no_owner_and_the_first_revision(log: Log) -> None:
    assert state(log) == room.UNCLAIMED == Shard(None, 1)


def test_a_claim_begins_an_epoch_and_names_who_writes(log: Log, desk: Desk) -> None:
    claim(log, desk)
    assert (log.head(2).height, log.head(2).epoch) == (1, 1)
    assert state(log) == Shard(CLAIMED, 1)
    (fact,) = recorded(log.record(2, 1)).facts
    assert (fact.stream, fact.version, fact.event) == ("shard:2", 2, CLAIMED)
    said = body.decode(log.record(2, 1).body).command
    assert (said["name"], said["by"], said["cause"]) == ("shard.claim", "node:north", "recovery")


def test_the_last_claim_names_the_owner(log: Log, desk: Desk) -> None:
    claim(log, desk)
    claim(log, desk, ClaimShard(2, "south", "", "0.6.0", 1))
    assert (state(log).owner, log.head(2).epoch) == (ShardClaimed("south", "", "0.6.0", 1), 2)


def test_a_sign_of_life_changes_nothing_but_the_time_of_the_last_commit(log: Log, desk: Desk) -> None:
    claim(log, desk)
    before = state(log)
    at = desk.ports.now()
    append(log, office(log).entry_of(of_node(desk(KeepAlive(2))), at))
    assert state(log) == before
    assert [fact.event for fact in recorded(log.record(2, 2)).facts] == [ShardAlive()]
    assert body.decode(log.record(2, 2).body).at == at
    assert verify_home(log).sound


@pytest.mark.parametrize("args", [CLAIM, KeepAlive(2)], ids=lambda args: type(args).__name__)
def test_nobody_commands_a_claim_or_a_sign_of_life(log: Log, ports: Ports, desk: Desk, args: Any) -> None:
    outcome = outcome_of(room_over(log, ports), desk(args))
    assert isinstance(outcome, Refused)
    assert str(outcome).startswith("a node claims a shard and keeps it alive, nobody commands it")
    assert log.head(2).height == 0


@pytest.mark.parametrize("shard", [4, 9])
def test_a_shard_that_there_isn_t_is_not_claimed(log: Log, desk: Desk, shard: int) -> None:
    with pytest.raises(Refused, match=f"there is no shard {shard}: this room has shards 0 to 3"):
        office(log).entry_of(desk(ClaimShard(shard, "north", "", "", 1)), 1)


def test_a_claim_that_could_not_be_read_again_is_never_made(log: Log, desk: Desk) -> None:
    with pytest.raises(Refused, match="node: .*200 characters"):
        office(log).entry_of(desk(ClaimShard(2, "n" * 201, "", "", 1)), 1)


# --- the revision ----------------------------------------------------------------------------------------------------


def test_a_shard_is_raised_to_a_revision_that_this_build_reads(
    log: Log, ports: Ports, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "READS", 2)
    command = desk(RaiseRevision(2, 2))
    answer = give(room_over(log, ports), command)
    assert [(one["type"], one["data"]) for one in answer.events] == [("shard.revision-raised", {"revision": 2})]
    assert state(log).revision == 2
    assert give(room_over(log, ports), command) == answer, "a repeat is answered as before"


@pytest.mark.parametrize("revision", [0, 1, 2])
def test_it_is_raised_neither_to_what_it_has_nor_beyond_what_this_build_reads(
    log: Log, ports: Ports, desk: Desk, revision: int
) -> None:
    outcome = outcome_of(room_over(log, ports), desk(RaiseRevision(2, revision)))
    assert str(outcome) == (
        f"shard 2 is written in revision 1 of the log and this build reads up to 1: it can't be raised to {revision}"
    )


def test_an_older_build_that_meets_a_raise_stops_at_it_and_says_so(log: Log, desk: Desk) -> None:
    raised_by_another_build(log, desk, 3)
    sentence = "shard 2, height 1: it was raised to revision 3 here, this build reads up to 1: upgrade it"
    record = log.record(2, 1)
    for reader in (lambda: state(log), lambda: recorded(record), lambda: committed(record)):
        with pytest.raises(UnreadableEvent) as stopped:
            reader()
        assert str(stopped.value) == sentence
    (finding,) = verify_home(log).findings
    assert (finding.shard, finding.height) == (2, 1)
    assert "raised to revision 3 here, this build reads up to 1" in str(finding)


def test_a_build_that_reads_it_goes_on(log: Log, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    raised_by_another_build(log, desk, 3)
    monkeypatch.setattr(catalog, "READS", 3)
    assert state(log).revision == 3
    assert verify_home(log).sound


# --- verify ----------------------------------------------------------------------------------------------------------


def test_verify_finds_a_claim_without_an_epoch(log: Log, desk: Desk) -> None:
    append(log, office(log).entry_of(desk(CLAIM), desk.ports.now()), claim=False)
    assert [str(one) for one in verify_home(log).findings] == [
        "shard 2, height 1: the shard is claimed, but no epoch begins: it stays 0"
    ]


def test_verify_finds_an_epoch_without_a_claim(log: Log, desk: Desk) -> None:
    append(log, office(log).entry_of(desk(KeepAlive(2)), desk.ports.now()), claim=True)
    assert [str(one) for one in verify_home(log).findings] == [
        "shard 2, height 1: epoch 1 begins, but not with the claim of its owner"
    ]
