"""A rolling upgrade: two builds side by side, and a new revision of the log only when every node reads it."""

from pathlib import Path

import pytest

from domain import catalog
from tests.node.rooms import Process, Room, holds, next_build, unhurried
from tests.services.cli import handlog

SHARDS = 4


def ask_next(room: Room, *arguments: object) -> tuple[int, str]:
    """The exit code of the next build's `handlog`, in a home of its own, and what it said."""
    home = str(room.home("office"))
    given = [home if one == "HOME" else str(one) for one in arguments]
    process = Process(room.folder, "office", next_build, *given, env=room.env)
    return process.ended(), process.said


def upgrade(room: Room) -> tuple[int, str]:
    return ask_next(room, "upgrade", 2, "--home", "HOME", "--by", "floor:ann")


def test_two_builds_share_the_room_until_every_node_reads_the_new_revision(room: Room) -> None:
    north, south = room.node("north", build=unhurried), room.node("south", build=next_build)
    for node in (north, south):
        node.becomes_ready()
    holds(lambda: len(north.owned()) == len(south.owned()) == SHARDS // 2, 60, lambda: f"{north.said}\n{south.said}")

    code, refused = upgrade(room)
    assert code == 2
    assert "revision 2 of the log can't be read by north (0.1.0, up to 1): upgrade these nodes first" in refused
    _, early = ask_next(room, "note", "HOME", 1, "new")
    assert "shard 1 is written in revision 1 of the log, this needs 2: `handlog upgrade 2`" in early

    north.tell_to_end()
    assert north.ended() == 0
    holds(lambda: len(south.owned()) == SHARDS, 60, lambda: south.said)
    assert upgrade(room) == (0, "The log is of revision 2 now: 1 node read it; 4 shards raised.\n")
    assert "shard.noted" in ask_next(room, "note", "HOME", 1, "new")[1]
    assert "0 shards raised" in upgrade(room)[1]

    late = room.node("north", build=unhurried)
    assert late.ended() == 2
    assert "this build can't read: upgrade it" in late.said
    assert "Traceback" not in late.said
    holds(lambda: len(south.owned()) == SHARDS, 60, lambda: south.said)


@pytest.mark.soak
def test_an_old_node_that_meets_a_new_revision_stops_and_hands_over(room: Room) -> None:
    north, south = room.node("north", build=unhurried), room.node("south", build=next_build)
    for node in (north, south):
        node.becomes_ready()
    holds(lambda: len(north.owned()) == SHARDS // 2, 60, lambda: north.said)
    assert ask_next(room, "raise", "HOME", 2)[0] == 0
    assert north.ended() == 2
    assert "of a revision that this build can't read: upgrade it" in north.said
    holds(lambda: len(south.owned()) == SHARDS, 60, lambda: south.said)


@pytest.mark.parametrize("revision", [1, 3])
def test_a_revision_that_the_build_itself_does_not_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, revision: int
) -> None:
    monkeypatch.setattr(catalog, "READS", 2)
    refused = handlog("upgrade", revision, "--home", tmp_path, "--by", "floor:ann")
    assert refused.code == 2
    assert "this build reads the log up to revision 2: it can be raised to 2 at most" in refused.err
