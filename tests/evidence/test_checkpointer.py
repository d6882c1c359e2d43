"""The checkpointer: signs what has grown and the ends of the room's days, and never two histories."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import pytest

from domain.messages import Command
from domain.room import AcceptLoss
from services.bootstrap import (
    CHECKPOINT_KEY_FILE,
    CHECKPOINTS_FILE,
    LOG_FILE,
    TREE_FILE,
    make_home,
    open_log,
    opened_office,
    opened_room,
)
from services.cli.opening import give, sealed_text
from services.eventlog.commit import parse, seal
from services.eventlog.log import LogError
from services.evidence import checkpoints
from services.evidence import keyfile as checkpoint_key
from services.evidence.checkpointer import Checkpointer, LogShrank
from services.evidence.merkle import leaf_hash, root_of
from services.evidence.note import Signed
from services.evidence.tree import TreeStore, _checksum
from services.ids import uuid7
from services.ports import Ports, seeded_ports
from tests.evidence.histories import TABLES
from tests.services.cli import handlog

ZONE = ZoneInfo("America/New_York")


def at(text: str) -> int:
    """UTC microseconds of a time in the room's zone."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZONE).timestamp()) * 1_000_000


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A room in New York, opened in the evening of the first of March."""
    home = tmp_path / "home"
    make_home(home, "riverside", clock("2020-03-01 20:00"), shards=1, time_zone=str(ZONE))
    return home


def clock(text: str) -> Ports:
    """Ports at whose time the clock stands."""
    return replace(seeded_ports(1), now=lambda: at(text), bits=Random(text).getrandbits)


def commit(home: Path, text: str, number: int = 1) -> None:
    """So many commits at that time."""
    ports = clock(text)
    with opened_room(home, ports) as room:
        for place in range(number):
            table = f"{text.replace('-', '').replace(' ', '').replace(':', '')}x{place}"
            args = replace(TABLES[0], table=table)
            (answer,) = room.execute([Command(uuid7(ports.now(), ports.bits(74)), args, "floor:ann", "floor")])
            assert not isinstance(answer, Exception), answer


def sign(home: Path, text: str, *, every: bool = True) -> list[Signed]:
    with open_log(home) as log, TreeStore(home / TREE_FILE) as tree:
        key = checkpoint_key.load(home / CHECKPOINT_KEY_FILE, "handlog/riverside")
        return Checkpointer(log, tree, key, home / CHECKPOINTS_FILE).sign(at(text), every=every)


def sizes(signed: list[Signed]) -> list[int]:
    return [one.checkpoint.size for one in signed]


def days(signed: list[Signed]) -> list[tuple[int, tuple[str, ...]]]:
    return [(one.checkpoint.size, one.checkpoint.extensions) for one in signed]


def test_it_signs_size_root_and_time(home: Path) -> None:
    commit(home, "2020-03-01 20:01", 4)
    (one,) = sign(home, "2020-03-01 20:02")
    with open_log(home) as log:
        assert one.checkpoint.root == root_of(leaf_hash(bytes.fromhex(record.hash)) for record in log.read(0))
    assert (one.checkpoint.size, one.time) == (5, at("2020-03-01 20:02") // 1_000_000)
    assert one.checkpoint.origin.startswith("handlog/riverside/")


def test_at_its_interval_it_signs_what_has_grown(home: Path) -> None:
    assert sizes(sign(home, "2020-03-01 20:01", every=False)) == [1], "the first time in any case"
    assert sign(home, "2020-03-01 20:02", every=False) == []
    commit(home, "2020-03-01 20:03")
    assert sizes(sign(home, "2020-03-01 20:04", every=False)) == [2]
    assert sizes(sign(home, "2020-03-01 20:05")) == [2], "asked for, it signs what it signed before, with a new time"


def test_the_file_holds_all_that_was_signed_in_order(home: Path) -> None:
    made = sign(home, "2020-03-01 20:01") + sign(home, "2020-03-01 20:02")
    key = checkpoint_key.load(home / CHECKPOINT_KEY_FILE, "handlog/riverside")
    assert checkpoints.read(home / CHECKPOINTS_FILE, key.public) == made


def test_a_day_ends_at_the_room_s_midnight(home: Path) -> None:
    """The last second of the first of March in New York is the second of March, 5 o'clock, in UTC."""
    sign(home, "2020-03-01 20:01")
    commit(home, "2020-03-01 23:59", 2)
    commit(home, "2020-03-02 00:00", 3)
    signed = sign(home, "2020-03-02 00:01", every=False)
    assert days(signed) == [(3, ("day 2020-03-01",)), (6, ())]
    assert datetime.fromtimestamp(signed[0].time, UTC).day == 2
    assert days(sign(home, "2020-03-02 00:02")) == [(6, ())], "a day ends once"


def test_no_day_ends_before_midnight_though_it_is_another_one_in_utc(home: Path) -> None:
    sign(home, "2020-03-01 20:01")
    assert sign(home, "2020-03-01 23:59", every=False) == []


def test_each_day_that_passed_without_a_checkpoint_is_ended(home: Path) -> None:
    """Over the weekend in which the clocks go forward, too."""
    sign(home, "2020-03-06 20:00")
    commit(home, "2020-03-07 10:00")
    commit(home, "2020-03-08 23:59", 2)
    assert days(sign(home, "2020-03-10 09:00", every=False)) == [
        (1, ("day 2020-03-06",)),
        (2, ("day 2020-03-07",)),
        (4, ("day 2020-03-08",)),
        (4, ("day 2020-03-09",)),
        (4, ()),
    ]


def test_the_first_checkpoint_ends_no_day(home: Path) -> None:
    assert days(sign(home, "2020-03-05 09:00")) == [(1, ())]


@pytest.fixture
def shrunken(home: Path, tmp_path: Path) -> Path:
    """A copy of the room from before three commits that were signed: what a damaged disk may leave."""
    commit(home, "2020-03-01 20:10", 2)
    sign(home, "2020-03-01 20:11")
    copy = Path(shutil.copytree(home, tmp_path / "shrunken"))
    commit(home, "2020-03-01 20:12", 3)
    sign(home, "2020-03-01 20:13")
    shutil.copy(home / CHECKPOINTS_FILE, copy / CHECKPOINTS_FILE)
    return copy


def test_it_signs_no_log_that_is_shorter_than_what_it_signed(shrunken: Path) -> None:
    before = (shrunken / CHECKPOINTS_FILE).read_bytes()
    with pytest.raises(LogShrank, match="has 3 commits, but its checkpoint of .* covers 6: 3 are missing") as refused:
        sign(shrunken, "2020-03-01 20:20")
    assert (refused.value.shard, refused.value.commits, refused.value.signed.checkpoint.size) == (0, 3, 6)
    assert (shrunken / CHECKPOINTS_FILE).read_bytes() == before


def without_its_checkpoints(home: Path, text: str, number: int) -> None:
    """Somebody who works round the room's own check goes on all the same."""
    kept = (home / CHECKPOINTS_FILE).rename(home / "kept")
    commit(home, text, number)
    kept.rename(home / CHECKPOINTS_FILE)


def test_it_signs_no_other_log_than_the_one_it_signed(shrunken: Path) -> None:
    without_its_checkpoints(shrunken, "2020-03-01 20:20", 7)
    with pytest.raises(
        LogShrank, match="isn't the one that its checkpoint of .* covers up to height 5: it was changed"
    ):
        sign(shrunken, "2020-03-01 20:21")


def test_the_room_does_not_go_on_from_such_a_log(shrunken: Path) -> None:
    with pytest.raises(LogShrank, match="take the loss upon you: .*`handlog accept-loss --shard 0`"):
        commit(shrunken, "2020-03-01 20:20")


def accept_loss(home: Path, text: str) -> None:
    """Two people take upon them what the checkpointer refuses."""
    with pytest.raises(LogShrank) as refused:
        sign(home, text)
    lost, ports = refused.value, clock(text)
    reason = sealed_text(home, "the disk died", "shard:0", ports)
    of = lost.signed.checkpoint
    asked = AcceptLoss(lost.shard, lost.commits, of.size, of.root.hex(), "floor:bob", reason)
    with opened_office(home, ports, must_be_whole=False) as room:
        give(room, asked, "floor:ann")


def test_a_loss_that_two_people_accept_is_an_event_and_a_finding_for_ever(shrunken: Path) -> None:
    accept_loss(shrunken, "2020-03-01 20:20")
    for number in range(4):  # more and more is signed, up to beyond what was lost
        commit(shrunken, f"2020-03-01 20:3{number}")
        (one,) = sign(shrunken, f"2020-03-01 20:4{number}")
        assert one.checkpoint.size == 5 + number
        done = handlog("verify", "--home", shrunken, "--json")
        assert done.code == 1
        assert done.json["findings"]
        for finding in done.json["findings"]:
            assert finding["what"].endswith("; accepted by floor:ann and floor:bob, as the log says at height 3")


def test_what_is_lost_after_a_loss_that_was_accepted_is_refused_again(shrunken: Path, tmp_path: Path) -> None:
    accept_loss(shrunken, "2020-03-01 20:20")
    copy = Path(shutil.copytree(shrunken, tmp_path / "again"))
    commit(shrunken, "2020-03-01 20:30")
    sign(shrunken, "2020-03-01 20:31")
    shutil.copy(shrunken / CHECKPOINTS_FILE, copy / CHECKPOINTS_FILE)
    with pytest.raises(LogShrank, match="has 4 commits, but its checkpoint of .* covers 5"):
        sign(copy, "2020-03-01 20:40")


def test_what_was_signed_before_a_loss_binds_the_room_for_ever(shrunken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much was signed of what is lost: here it fills all that is read of the file at first."""
    notes = (shrunken / CHECKPOINTS_FILE).read_bytes()
    monkeypatch.setattr(checkpoints, "_TAIL", len(notes) - 1)
    accept_loss(shrunken, "2020-03-01 20:20")
    with open_log(shrunken) as log:
        opening, *others = log.read(0)
    forged = [opening.raw]
    for record in others:
        changed = record.body.replace(b'"floor:ann"', b'"floor:eve"')
        forged.append(seal("riverside", 0, parse(forged[-1]).head, changed)[0])
    with closing(sqlite3.connect(shrunken / LOG_FILE)) as db, db:
        for height, raw in enumerate(forged):
            db.execute("UPDATE commits_0 SET record = ? WHERE height = ?", (raw, height))
    with pytest.raises(LogShrank, match="covers up to height 2: it was changed"):
        sign(shrunken, "2020-03-01 20:40")


def test_the_command_takes_a_loss_from_two_people_with_a_reason_only(shrunken: Path) -> None:
    asked = ("accept-loss", "--home", shrunken, "--shard", 0, "--by", "floor:ann")
    for lacking in ((), ("--second", "floor:bob"), ("--reason", "the disk died")):
        assert "two people" in handlog(*asked, *lacking).err
    whole = (*asked, "--second", "floor:bob", "--reason", "the disk died")
    assert handlog(*whole).code == 0
    assert handlog(*whole).code == 2, "there is nothing more to accept"
    assert "accepted by floor:ann and floor:bob" in handlog("verify", "--home", shrunken).out


def own_root(home: Path) -> bytes:
    with open_log(home) as log:
        return root_of([leaf_hash(bytes.fromhex(record.hash)) for record in log.read(0)])


def doctor_the_tree(home: Path, level: int, place: int) -> None:
    """Another hash, with the checksum that fits it: what somebody does who wants the room to sign a lie."""
    node = bytes(32)
    with closing(sqlite3.connect(home / TREE_FILE)) as db, db:
        changed = db.execute(
            "UPDATE nodes SET hash = ?, checksum = ? WHERE shard = 0 AND level = ? AND place = ?",
            (node, _checksum(0, level, place, node), level, place),
        ).rowcount
    assert changed == 1


def test_no_tree_that_was_changed_is_ever_signed(home: Path) -> None:
    commit(home, "2020-03-01 21:00", 3)
    sign(home, "2020-03-01 21:01")
    commit(home, "2020-03-01 21:02", 3)
    notes = (home / CHECKPOINTS_FILE).read_bytes()
    nodes = [(level, place) for level in range(3) for place in range(7 >> level)]  # signed before, and not yet signed
    for level, place in nodes:
        with open_log(home) as log, TreeStore(home / TREE_FILE) as tree:
            assert tree.renew(log, 0) == 7
        doctor_the_tree(home, level, place)
        (home / CHECKPOINTS_FILE).write_bytes(notes)
        (signed,) = sign(home, "2020-03-01 21:10")
        assert (signed.checkpoint.size, signed.checkpoint.root) == (7, own_root(home)), (level, place)


def test_a_changed_tree_opens_no_changed_log(home: Path) -> None:
    """The log's own record must lead to the signed root, whatever the tree says of the others."""
    commit(home, "2020-03-01 21:00", 4)
    sign(home, "2020-03-01 21:01")
    kept = home.with_name("kept")
    shutil.copytree(home, kept)
    with closing(sqlite3.connect(home / LOG_FILE)) as db, db:
        (raw,) = db.execute("SELECT record FROM commits_0 WHERE height = 4").fetchone()
        body = parse(raw).body.replace(b'"floor:ann"', b'"floor:bob"')
        (before,) = db.execute("SELECT record FROM commits_0 WHERE height = 3").fetchone()
        forged, head = seal("riverside", 0, parse(before).head, body)
        db.execute("UPDATE commits_0 SET record = ? WHERE height = 4", (forged,))
    leaf = leaf_hash(bytes.fromhex(head.hash))
    with closing(sqlite3.connect(home / TREE_FILE)) as db, db:
        db.execute(
            "UPDATE nodes SET hash = ?, checksum = ? WHERE shard = 0 AND level = 0 AND place = 4",
            (leaf, _checksum(0, 0, 4, leaf)),
        )
    with pytest.raises(LogShrank), opened_room(home, clock("2020-03-01 21:05")):
        pass
    with opened_room(kept, clock("2020-03-01 21:05")):
        pass


def test_an_older_checkpoint_behind_the_others_hides_no_loss(home: Path) -> None:
    """The log is compared with the largest, wherever it stands in the file."""
    commit(home, "2020-03-01 21:00", 3)
    (older,) = sign(home, "2020-03-01 21:01")
    commit(home, "2020-03-01 21:02", 3)
    sign(home, "2020-03-01 21:03")
    checkpoints.append(home / CHECKPOINTS_FILE, [older])
    with closing(sqlite3.connect(home / LOG_FILE)) as db, db:
        db.execute("DELETE FROM commits_0 WHERE height >= 4")
        db.execute("DELETE FROM touches WHERE height >= 4")
    with pytest.raises(LogShrank, match="3 are missing"), opened_room(home, clock("2020-03-01 21:05")):
        pass
    with pytest.raises(LogShrank):
        sign(home, "2020-03-01 21:06")


def test_all_that_was_signed_of_one_size_must_fit(home: Path) -> None:
    """A note with another root hides behind none that fits."""
    commit(home, "2020-03-01 21:00", 3)
    (fits,) = sign(home, "2020-03-01 21:01")
    key = checkpoint_key.load(home / CHECKPOINT_KEY_FILE, "handlog/riverside")
    other = key.sign(fits.checkpoint._replace(root=bytes(32)), fits.time - 1)
    checkpoints.append(home / CHECKPOINTS_FILE, [other])
    with pytest.raises(LogShrank, match="up to height 3: it was changed"), opened_room(home, clock("2020-03-01 21:05")):
        pass


def test_the_end_of_a_day_covers_no_less_than_was_signed(home: Path) -> None:
    """The room's clock is ahead of the checkpointer's: what it committed after midnight was signed before."""
    sign(home, "2020-03-01 21:00")
    commit(home, "2020-03-02 00:10", 2)
    assert sizes(sign(home, "2020-03-01 23:59")) == [3]
    assert days(sign(home, "2020-03-02 00:01", every=False)) == [(3, ("day 2020-03-01",))]


def test_nothing_is_signed_as_of_a_time_before_the_last(home: Path) -> None:
    sign(home, "2020-03-01 21:01")
    with pytest.raises(LogError, match="set the clock right; nothing is signed as of a time before"):
        sign(home, "2020-03-01 20:59")
    with pytest.raises(LogError, match="more than 400 days before"):
        sign(home, "2025-03-01 20:59")
