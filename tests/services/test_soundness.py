"""`verify` in full: what a sound chain alone doesn't show."""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from services.bootstrap import LOG_FILE, make_home
from services.ports import seeded_ports
from tests.services.cli import handlog
from tests.services.homes import forge, forge_event


def findings(home: Path) -> list[dict[str, Any]]:
    done = handlog("verify", "--home", home, "--json")
    assert done.code == (1 if done.json["findings"] else 0)
    found: list[dict[str, Any]] = done.json["findings"]
    return found


def change(home: Path, *statements: str) -> None:
    with sqlite3.connect(home / LOG_FILE) as db:
        for statement in statements:
            db.execute(statement)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("DELETE FROM touches WHERE stream = 5 AND first > 8", "the index of streams says"),
        ("DELETE FROM touches", "the index of streams says"),
        ("UPDATE streams SET name = 'table:zz' WHERE name = 'table:t1'", "the index of streams says"),
        ("UPDATE streams SET name = CAST(name AS BLOB) WHERE name LIKE 'hand:%'", "the index of streams says"),
        ("UPDATE streams SET shard = 3 - shard WHERE name = 'table:t1'", "the index of streams"),
        ("UPDATE commits_1 SET counted = counted + 5 WHERE height = 9", "the home counts"),
        ("UPDATE commits_1 SET height = 5000 WHERE height = 20", "no commit"),
        ("UPDATE commits_1 SET record = 'text' WHERE height = 20", "there is no record but 'text'"),
        ("UPDATE commits_1 SET record = NULL WHERE height = 20", "NOT NULL"),
        ("UPDATE log SET shards = 3", "the room was opened with 4 shards, but 3 have commits"),
        ("DROP TABLE touches", "no such table: touches"),
    ],
)
def test_a_home_whose_tables_don_t_say_what_its_records_say_is_found(home: Path, statement: str, what: str) -> None:
    if what == "NOT NULL":
        with pytest.raises(sqlite3.IntegrityError):
            change(home, statement)
        return
    change(home, statement)
    assert any(what in found["what"] for found in findings(home)), findings(home)


def test_a_log_without_its_settings_is_a_sentence(home: Path) -> None:
    change(home, "DELETE FROM log")
    done = handlog("verify", "--home", home)
    assert done.code == 2
    assert "is damaged: it holds [], not one room and its number of shards" in done.err


def test_two_rooms_of_one_name_are_not_one_log(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 2)):
        make_home(tmp_path / name, "room", seeded_ports(seed))
        assert handlog("export", tmp_path / f"{name}.log", "--home", tmp_path / name).code == 0
    lines = [(tmp_path / f"{name}.log").read_bytes().splitlines(keepends=True) for name in ("a", "b")]
    spliced = tmp_path / "spliced.log"
    spliced.write_bytes(b"".join(lines[0][:6] + lines[1][6:]))
    done = handlog("verify", "--file", spliced)
    assert done.code == 1
    assert "shard 3, height 0: it opens shard 3 of room" in done.out
    assert "isn't sound, so nothing was imported" in handlog("import", spliced, "--home", tmp_path / "c").err
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("field", ["room", "room_id", "shard", "shards"])
def test_an_opening_of_another_shard_or_room_is_found(home: Path, field: str) -> None:
    forge_event(home, "shard.opened", lambda data: data.update({field: 9 if isinstance(data[field], int) else "other"}))
    assert findings(home)


def test_nothing_is_said_of_what_follows_a_commit_that_can_t_be_read(home: Path) -> None:
    def later(body: dict[str, Any]) -> int | None:
        if body["events"][0]["type"] != "hand.raised":
            return None
        body["events"][0]["rev"] = 2
        return 0

    place = forge(home, later)
    (found,) = findings(home)
    assert (found["shard"], found["height"]) == (place.shard, place.height)
    assert "nothing after it in this shard was looked at but the chain" in found["what"]


def test_an_import_refuses_what_verify_refuses(home: Path, tmp_path: Path) -> None:
    forge_event(home, "table.player-seated", lambda data: data.update(seat=11))
    exported = tmp_path / "room.log"
    assert handlog("export", exported, "--home", home).code == 0
    assert handlog("verify", "--file", exported).code == 1
    done = handlog("import", exported, "--home", tmp_path / "copy")
    assert (done.code, (tmp_path / "copy").exists()) == (2, False)


def test_a_log_is_not_put_beside_what_is_left_of_another(played: Path, tmp_path: Path) -> None:
    """A log that was deleted after a crash, but not its -wal: SQLite would replay that into the new one."""
    exported, home = tmp_path / "room.log", tmp_path / "home"
    assert handlog("export", exported, "--home", played).code == 0
    home.mkdir()
    (home / f"{LOG_FILE}-wal").write_bytes(b"the last commits of another log")
    for command in (["import", exported], ["init"]):
        done = handlog(*command, "--home", home)
        assert done.code == 2
        assert "log.sqlite-wal is left of another log there: move it away, or choose another place" in done.err
    assert not (home / LOG_FILE).exists()


@pytest.mark.parametrize("name", ["a b", "q?x=1", "pct%41", "h#1", "é"])
def test_a_home_may_have_any_name(played: Path, tmp_path: Path, name: str) -> None:
    home = Path(shutil.copytree(played, tmp_path / name))
    assert handlog("report", "balances", "--home", home).code == 0
    assert (home / "views.sqlite").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]


def moved(data: dict[str, Any]) -> None:
    data["stacks"][0] += 1
    data["stacks"][1] -= 1


@pytest.mark.parametrize(
    ("type_", "what"),
    [("hand.settled", "not as it says: HandSettled"), ("table.hand-finished", "but its table is told")],
)
def test_an_end_that_the_hand_didn_t_come_to_is_found(home: Path, type_: str, what: str) -> None:
    """No chip more and no chip less, and all commits after it sealed anew: without keys and without checkpoints."""
    place = forge_event(home, type_, moved)
    assert any(
        (found["shard"], found["height"]) == (place.shard, place.height) and what in found["what"]
        for found in findings(home)
    )
