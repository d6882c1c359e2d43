"""Damage to a home's real files: nothing acknowledged is lost, or it is said what is missing and nothing goes on.

A writer that is killed leaves a WAL with commits that the database doesn't have yet: those a careless copy, a failing
disk or somebody's hand can take away.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.table.commands import DealHand
from services.bootstrap import (
    CHECKPOINTS_FILE,
    KEY_FILE,
    LOG_FILE,
    PUBLIC_KEY_FILE,
    TEXTS_FILE,
    TREE_FILE,
    open_log,
    open_writer,
)
from services.eventlog import body
from services.eventlog.log import CorruptLog
from services.evidence.checkpointer import LogShrank
from services.evidence.note import BadCheckpoint
from services.ports import Ports, real_ports
from services.sealing.texts import TextKeys
from tests.services.cli import Run, handlog
from tests.services.homes import Desk, forge
from tests.services.tables import (
    ANN,
    BOTH,
    SETTLED,
    SHARD,
    a_home,
    commits,
    finish_hand,
    give,
    play_on,
    room_of,
    says_why,
)

WAL, SHM = LOG_FILE + "-wal", LOG_FILE + "-shm"


def killed_while_it_played(home: Path, hands: int = 3) -> list[tuple[int, str]]:
    """Have a process play, kill it, and sign what it left; the heights and hashes that it acknowledged."""
    ports = a_home(home)
    finish_hand(home, ports)
    command = [sys.executable, "-m", "tests.services.dealer_process", str(home), "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(9 * hands)]
        process.send_signal(signal.SIGKILL)
        said += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    assert handlog("checkpoint", "--home", home).code == 0
    whole = [line.split() for line in said if line.endswith("\n")]
    return [(int(height), hash_) for height, hash_ in whole]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[int, str]]]:
    """The home of a writer that was killed, and what it had acknowledged. Read only."""
    home = tmp_path_factory.mktemp("killed") / "home"
    acknowledged = killed_while_it_played(home)
    assert (home / WAL).stat().st_size > 100_000, "the WAL holds commits that the database doesn't"
    return home, acknowledged


@pytest.fixture
def home(killed: tuple[Path, list[tuple[int, str]]], tmp_path: Path) -> Path:
    """A copy to damage, as the file system has it: no connection has opened it since."""
    return Path(shutil.copytree(killed[0], tmp_path / "home"))


@pytest.fixture
def acknowledged(killed: tuple[Path, list[tuple[int, str]]]) -> list[tuple[int, str]]:
    return killed[1]


@pytest.fixture
def ports() -> Ports:
    return real_ports()


def signed(home: Path) -> int:
    """The commits of the table's shard that the newest checkpoint covers."""
    sizes = [
        text.split("\n")[1] for text in (home / CHECKPOINTS_FILE).read_text().split("handlog/") if f"/{SHARD}\n" in text
    ]
    return int(sizes[-1])


def verify(home: Path) -> Run:
    return handlog("verify", "--home", home)


def goes_on(home: Path, ports: Ports) -> None:
    """The room plays on, is signed, verified and decided again."""
    with room_of(home, ports) as room:
        desk = Desk(ports)
        play = room.table("t1")
        assert play.hand is not None and play.table is not None
        if not play.hand.settled:
            play_on(room, desk)
        give(room, desk(DealHand("t1", play.table.hands + 1)))
        play_on(room, desk)
    assert handlog("checkpoint", "--home", home).code == 0
    assert handlog("readjudicate", "--all", "--home", home).code == 0
    assert handlog("report", "balances", "--home", home).code == 0


WRITING = [
    ["checkpoint"],
    ["replay", SETTLED, "--open", *ANN],
    ["keys", "rotate", *ANN],
    ["keys", "export", SETTLED, "OUT", *ANN],
    ["check-cards", SETTLED, "--seat", "1", *ANN],
]
READING = [["replay", SETTLED], ["readjudicate", "--all"], ["openings"], ["export", "OUT"]]


def stands_still_until_the_loss_is_accepted(home: Path, ports: Ports, missing: str) -> None:
    """`verify` says what is missing, nothing writes, all reads; two people can have it go on, and that is named."""
    done = verify(home)
    assert done.code == 1
    assert f"shard {SHARD}, height " in done.out
    assert missing in done.out
    before = commits(home)
    with pytest.raises(LogShrank, match=f"handlog accept-loss --shard {SHARD}"):
        open_writer(home, ports).__enter__()
    for command in WRITING:
        says_why(handlog(*out_in(home, command), "--home", home), f"handlog accept-loss --shard {SHARD}")
    (home / KEY_FILE).rename(home / "away")
    says_why(handlog("keys", "init", *ANN, "--home", home), f"handlog accept-loss --shard {SHARD}")
    (home / "away").rename(home / KEY_FILE)
    assert commits(home) == before
    for command in READING:
        assert handlog(*out_in(home, command), "--home", home).code == 0, command
    accept(home)
    assert "accepted by floor:ann and floor:bob" in verify(home).out
    goes_on(home, ports)
    done = verify(home)
    assert done.code == 1, "for ever"
    assert "accepted by floor:ann and floor:bob" in done.out


def out_in(home: Path, command: list[str]) -> list[str]:
    return [str(home / "out") if word == "OUT" else word for word in command]


def accept(home: Path) -> None:
    done = handlog("accept-loss", "--shard", SHARD, *BOTH, "--home", home)
    assert done.code == 0, done
    assert f"floor:ann and floor:bob have accepted that shard {SHARD} goes on with" in done.out


# --- killed ----------------------------------------------------------------------------------------------------------


def test_a_killed_writer_has_lost_nothing_that_it_acknowledged(
    home: Path, ports: Ports, acknowledged: list[tuple[int, str]]
) -> None:
    with open_log(home) as log:
        for height, hash_ in acknowledged:
            assert log.record(SHARD, height).hash == hash_
    assert verify(home).code == 0
    goes_on(home, ports)
    assert verify(home).code == 0


# --- the WAL ---------------------------------------------------------------------------------------------------------


def deleted(wal: Path) -> None:
    wal.unlink()


def emptied(wal: Path) -> None:
    wal.write_bytes(b"")


def cut_in_half(wal: Path) -> None:
    os.truncate(wal, wal.stat().st_size // 2)


def torn_in_a_page(wal: Path) -> None:
    """As if half a page had reached the disk, and what follows it had."""
    with wal.open("r+b") as file:
        file.seek(32 + (wal.stat().st_size // 4120 // 2) * 4120 + 24 + 2048)
        file.write(bytes(2048))


@pytest.mark.parametrize("damage", [deleted, emptied, cut_in_half, torn_in_a_page])
def test_what_a_damaged_wal_has_lost_is_counted(home: Path, ports: Ports, damage: Callable[[Path], None]) -> None:
    damage(home / WAL)
    (home / SHM).unlink()
    left = commits(home)[SHARD]
    assert left < signed(home)
    stands_still_until_the_loss_is_accepted(home, ports, f"{signed(home) - left} commits are missing")


def test_a_stale_index_of_the_wal_is_as_good_as_none(home: Path, ports: Ports) -> None:
    cut_in_half(home / WAL)
    with pytest.raises(LogShrank):
        open_writer(home, ports).__enter__()


def test_a_copy_without_its_wal_is_shorter(home: Path, ports: Ports, tmp_path: Path) -> None:
    """A backup by somebody who copied one file of three."""
    (home / WAL).unlink()
    (home / SHM).unlink()
    with pytest.raises(LogShrank, match="are missing"):
        open_writer(home, ports).__enter__()


# --- files of different moments --------------------------------------------------------------------------------------


@pytest.fixture
def later(home: Path, tmp_path: Path, ports: Ports) -> Path:
    """The home after it went on and was signed, and its writer killed again: the WAL was begun anew meanwhile."""
    on = Path(shutil.copytree(home, tmp_path / "on"))
    with room_of(on, ports) as room:
        desk, play = Desk(ports), room.table("t1")
        assert play.table is not None
        for _ in range(4):
            play_on(room, desk)
            give(room, desk(DealHand("t1", play.table.hands + 1)))
        assert handlog("checkpoint", "--home", on).code == 0
        return Path(shutil.copytree(on, tmp_path / "later"))


def put(name: str, of: Path, into: Path) -> None:
    """Copy a file of one home into another, without what would tell that it came later."""
    shutil.copy(of / name, into / name)
    (into / SHM).unlink(missing_ok=True)


def test_an_older_wal_beside_a_newer_database_is_an_older_log(home: Path, later: Path, ports: Ports) -> None:
    lost = commits(later)[SHARD] - commits(home)[SHARD]
    put(WAL, home, later)
    stands_still_until_the_loss_is_accepted(later, ports, f"{lost} commits are missing")


def test_an_older_database_under_a_newer_wal_is_damaged_and_never_opened(home: Path, later: Path, ports: Ports) -> None:
    put(LOG_FILE, home, later)
    done = verify(later)
    assert done.code == 1
    assert f"shard {SHARD}, height " in done.out
    for _ in range(2):  # an attempt doesn't mix the two for good
        with pytest.raises(CorruptLog, match="restore it from a backup or an export"):
            open_writer(later, ports).__enter__()
        says_why(handlog("keys", "rotate", *ANN, "--home", later), "restore it from a backup or an export")
        says_why(handlog("accept-loss", "--shard", SHARD, *BOTH, "--home", later), "restore it from a backup")


def test_damage_within_a_page_is_seen_before_a_wal_is_taken_over(later: Path, ports: Ports) -> None:
    """Each commit can still be counted; but the page says that it has room where records lie."""
    page = min(pages_of(f"commits_{SHARD}", later) - pages_in(later / WAL))
    with (later / LOG_FILE).open("r+b") as file:
        file.seek((page - 1) * 4096 + 7)
        file.write(b"\x32")
    with pytest.raises(CorruptLog, match="restore it from a backup or an export"):
        open_writer(later, ports).__enter__()


def test_a_gap_is_seen_before_a_wal_is_taken_over(home: Path, ports: Ports, tmp_path: Path) -> None:
    with sqlite3.connect(home / LOG_FILE) as db:
        db.execute(f"DELETE FROM commits_{SHARD} WHERE height = 20")
        db.commit()
        gapped = Path(shutil.copytree(home, tmp_path / "gapped"))  # the deletion stands in its WAL
    last = commits(gapped)[SHARD] - 1
    with pytest.raises(CorruptLog, match=f"shard {SHARD} ends at height {last}, but has {last} commits; restore it"):
        open_writer(gapped, ports).__enter__()


def pages_of(table: str, home: Path) -> set[int]:
    """The numbers of the pages that a table lies on."""
    with sqlite3.connect(f"file:{home / LOG_FILE}?mode=ro", uri=True) as db:
        return {page for (page,) in db.execute("SELECT pageno FROM dbstat WHERE name = ?", (table,))}


def pages_in(wal: Path) -> set[int]:
    """The numbers of the pages that a WAL has: frames of 24 bytes and a page follow its header of 32."""
    data = wal.read_bytes()
    return {int.from_bytes(data[at : at + 4]) for at in range(32, len(data), 24 + 4096)}


def test_both_of_an_older_moment_are_an_older_log(home: Path, later: Path, ports: Ports) -> None:
    lost = commits(later)[SHARD] - commits(home)[SHARD]
    put(LOG_FILE, home, later)
    put(WAL, home, later)
    stands_still_until_the_loss_is_accepted(later, ports, f"{lost} commits are missing")


def test_an_older_copy_of_the_whole_log(home: Path, later: Path, ports: Ports) -> None:
    """As brought back from a backup that is a day old; the views know what is lost."""
    with open_log(home, write=True):
        pass  # closed in good order: one file has all
    assert not (home / WAL).exists()
    assert handlog("report", "balances", "--home", later).code == 0
    lost = commits(later)[SHARD] - commits(home)[SHARD]
    (later / WAL).unlink()
    put(LOG_FILE, home, later)
    says_why(handlog("hands", "--home", later), "they are of another log; run `handlog rebuild`")
    stands_still_until_the_loss_is_accepted(later, ports, f"{lost} commits are missing")
    reported = handlog("report", "balances", "--home", later)
    assert handlog("rebuild", "--home", later).code == 0
    assert handlog("report", "balances", "--home", later) == reported, "the views were built anew when it was accepted"


# --- a tail that somebody deleted ------------------------------------------------------------------------------------


def cut_off(home: Path, commits: int, *, with_index: bool) -> int:
    """Delete the last commits of the table's shard by SQL; how many are left."""
    with sqlite3.connect(home / LOG_FILE) as db:
        (last,) = db.execute(f"SELECT max(height) FROM commits_{SHARD}").fetchone()
        db.execute(f"DELETE FROM commits_{SHARD} WHERE height > ?", (last - commits,))
        if with_index:
            of_shard = "stream IN (SELECT id FROM streams WHERE shard = ?)"
            db.execute(f"DELETE FROM touches WHERE {of_shard} AND height > ?", (SHARD, last - commits))
            db.execute("DELETE FROM streams WHERE id NOT IN (SELECT stream FROM touches)")
    return int(last - commits + 1)


@pytest.mark.parametrize("gone", [1, 30])
def test_a_tail_that_was_deleted_is_counted(home: Path, ports: Ports, gone: int) -> None:
    left = cut_off(home, gone, with_index=True)
    done = handlog("verify", "--home", home, "--json")
    (found,) = done.json["findings"]
    assert (found["shard"], found["height"]) == (SHARD, left)
    stands_still_until_the_loss_is_accepted(home, ports, f"{gone} commits are missing" if gone > 1 else "missing")


def test_a_tail_that_was_deleted_carelessly_is_moved_to_a_new_home(home: Path, ports: Ports, tmp_path: Path) -> None:
    cut_off(home, 5, with_index=False)
    done = handlog("accept-loss", "--shard", SHARD, *BOTH, "--home", home)
    says_why(done, "is damaged besides", "`handlog export` and `handlog import`")
    with pytest.raises(LogShrank):
        open_writer(home, ports).__enter__()
    new = tmp_path / "new"
    assert handlog("export", tmp_path / "left", "--home", home).code == 0
    assert handlog("import", tmp_path / "left", "--home", new).code == 0
    for file in home.iterdir():
        if not file.name.startswith("log.sqlite"):
            shutil.copy2(file, new)
    stands_still_until_the_loss_is_accepted(new, ports, "5 commits are missing")


def test_a_loss_is_accepted_once_by_two_people_and_only_where_there_is_one(home: Path) -> None:
    cut_off(home, 5, with_index=True)
    left = commits(home)
    for args, why in (
        (ANN, "a loss is accepted by two people and for a reason: give --second and --reason"),
        (BOTH[:4], "a loss is accepted by two people and for a reason"),
        ((*ANN, "--second", "floor:ann", "--reason", "why"), "name another one as the second"),
        (("--second", "floor:bob", "--reason", "why"), "give --by"),
        (("--by", "Ann", "--second", "floor:bob", "--reason", "why"), "'Ann' names nobody"),
    ):
        says_why(handlog("accept-loss", "--shard", SHARD, *args, "--home", home), why)
    says_why(handlog("accept-loss", "--shard", 0, *BOTH, "--home", home), "shard 0 is all that was signed of it")
    says_why(handlog("accept-loss", "--shard", 9, *BOTH, "--home", home), "there is no shard 9")
    assert commits(home) == left
    (home / KEY_FILE).rename(home / "away")
    accept(home)  # it takes no keys, which may be lost besides
    (home / "away").rename(home / KEY_FILE)
    left[SHARD] += 1
    assert commits(home) == left
    says_why(handlog("accept-loss", "--shard", SHARD, *BOTH, "--home", home), "nothing is to be accepted")


def test_a_log_that_was_changed_is_lost_as_well(home: Path, ports: Ports) -> None:
    """As long as the one that was signed, and its chain whole: somebody else opened the table."""

    def by_another(said: dict[str, Any]) -> int | None:
        if said["command"]["name"] != "table.open":
            return None
        said["command"]["by"] = "floor:eve"
        return 0

    forge(home, by_another)
    stands_still_until_the_loss_is_accepted(home, ports, "this isn't the history that was signed")


def test_why_a_loss_was_accepted_stands_sealed(home: Path) -> None:
    cut_off(home, 5, with_index=True)
    accept(home)
    with open_log(home) as log:
        (event,) = body.decode(log.record(SHARD, log.head(SHARD).height).body).events
    assert event["type"] == "shard.loss-accepted"
    assert BOTH[-1] not in str(event)
    assert TextKeys(home / TEXTS_FILE).open(event["data"]["reason"], f"shard:{SHARD}") == BOTH[-1]


def test_what_is_lost_after_a_loss_was_accepted_is_another_loss(home: Path, ports: Ports) -> None:
    cut_off(home, 5, with_index=True)
    accept(home)
    goes_on(home, ports)
    cut_off(home, 2, with_index=True)
    stands_still_until_the_loss_is_accepted(home, ports, "2 commits are missing")


# --- checkpoints -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", range(0, 320, 25))
def test_a_checkpoint_whose_writing_was_cut_short_is_passed_over(home: Path, ports: Ports, kept: int) -> None:
    """A crash in the middle of an append, at any place: what was whole before it counts."""
    notes = (home / CHECKPOINTS_FILE).read_bytes()
    last = notes[notes.rindex(b"handlog/riverside/") :]
    assert kept < len(last)
    (home / CHECKPOINTS_FILE).write_bytes(notes + last[:kept])
    if kept % 75 == 0:
        goes_on(home, ports)
        assert (home / CHECKPOINTS_FILE).read_bytes().startswith(notes + b"handlog/")
    assert verify(home).code == 0


def test_zeros_that_a_power_cut_leaves_behind_the_checkpoints_are_passed_over(home: Path, ports: Ports) -> None:
    with (home / CHECKPOINTS_FILE).open("ab") as file:
        file.write(bytes(300))
    assert verify(home).code == 0
    goes_on(home, ports)
    assert b"\0" not in (home / CHECKPOINTS_FILE).read_bytes()


def test_checkpoints_that_are_gone_take_nothing_with_them(home: Path, ports: Ports, tmp_path: Path) -> None:
    """Only what an auditor kept can show a loss then."""
    kept = (home / CHECKPOINTS_FILE).rename(tmp_path / "kept")
    done = verify(home)
    assert (done.code, "No checkpoint was compared" in done.out) == (0, True)
    assert handlog("verify", "--home", home, "--checkpoints", kept).code == 0
    cut_off(home, 5, with_index=True)
    assert verify(home).code == 0
    done = handlog("verify", "--home", home, "--checkpoints", kept)
    assert "5 commits are missing" in done.out


@pytest.mark.parametrize("damage", [b"\xff" * 40, b"Dear auditor,\n", "— nobody AAAA\n".encode()])
def test_damage_among_the_checkpoints_is_no_checkpoint(home: Path, ports: Ports, damage: bytes) -> None:
    path = home / CHECKPOINTS_FILE
    notes = path.read_bytes()
    for damaged in (damage + notes, notes + damage, damage * 20):
        path.write_bytes(damaged)
        says_why(verify(home), str(path))
        says_why(handlog("checkpoint", "--home", home), str(path))
        with pytest.raises(BadCheckpoint):
            open_writer(home, ports).__enter__()
        assert path.read_bytes() == damaged, "nothing of it is written over"
    path.write_bytes(notes)
    goes_on(home, ports)


# --- the trees -------------------------------------------------------------------------------------------------------


def tree_deleted(tree: Path) -> None:
    tree.unlink()


def tree_cut_in_half(tree: Path) -> None:
    os.truncate(tree, tree.stat().st_size // 2)


def tree_overwritten(tree: Path) -> None:
    tree.write_bytes(b"Dear auditor, " * 4000)


def tree_of_another_room(tree: Path) -> None:
    other = tree.parent.parent / "other"
    finish_hand(other, a_home(other))
    handlog("checkpoint", "--home", other)
    shutil.copy(other / TREE_FILE, tree)


@pytest.mark.parametrize("damage", [tree_deleted, tree_cut_in_half, tree_overwritten, tree_of_another_room])
def test_trees_are_built_anew_from_the_log(home: Path, ports: Ports, damage: Callable[[Path], None]) -> None:
    damage(home / TREE_FILE)
    assert verify(home).code == 0
    assert handlog("prove", SETTLED, home / "bundle", "--home", home).code == 0
    assert handlog("verify-hand", home / "bundle", "--public-key", home / PUBLIC_KEY_FILE).code == 0
    goes_on(home, ports)
    assert verify(home).code == 0


@pytest.mark.parametrize("damage", [tree_deleted, tree_cut_in_half, tree_overwritten, tree_of_another_room])
def test_a_damaged_tree_hides_no_loss(home: Path, ports: Ports, damage: Callable[[Path], None]) -> None:
    damage(home / TREE_FILE)
    cut_off(home, 5, with_index=True)
    with pytest.raises(LogShrank, match="5 are missing"):
        open_writer(home, ports).__enter__()
