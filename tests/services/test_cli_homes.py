"""`handlog init`, `export`, `import`, `verify`: what a floor manager or an auditor types, and what comes back."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from domain.rules.phrases import counted
from services.bootstrap import LOG_FILE, open_log, open_writer
from services.evidence.checkpointer import opening_of
from services.ports import real_ports
from tests.services.cli import Run, handlog, started
from tests.services.homes import damage_record, forge, forge_event


def test_init_makes_a_home_and_says_what_is_fixed_for_ever(tmp_path: Path) -> None:
    done = handlog("init", "--home", tmp_path / "home", "--room", "riverside", "--shards", 8)
    assert done.code == 0
    assert "Room riverside has a home in" in done.out
    assert "8 shards: at the most 8 nodes can ever own something" in done.out
    assert handlog("verify", "--home", tmp_path / "home").out.startswith(
        f"{tmp_path / 'home'} is sound: room riverside, 8 commits, 8 events.\n"
    )


def test_init_answers_in_json(tmp_path: Path) -> None:
    done = handlog("init", "--home", tmp_path / "home", "--json")
    assert done.json == {"home": str(tmp_path / "home"), "room": "room", "shards": 4, "time_zone": "UTC"}


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--room", "The River"], "'The River' can't name a room: use 1 to 40 of the letters a-z, digits and -"),
        (["--shards", "0"], "a log has 1 to 1024 shards, not 0"),
    ],
)
def test_init_refuses_what_no_log_can_have_and_leaves_nothing(tmp_path: Path, args: list[str], sentence: str) -> None:
    done = handlog("init", "--home", tmp_path / "home", *args)
    assert_could_not_run(done, sentence)
    assert handlog("init", "--home", tmp_path / "home").code == 0, "nothing is in the way"


def test_init_doesn_t_touch_a_home_that_is_there(home: Path) -> None:
    before = (home / LOG_FILE).read_bytes()
    assert_could_not_run(handlog("init", "--home", home), "has a log already: use it, or choose another home")
    assert (home / LOG_FILE).read_bytes() == before


@pytest.mark.parametrize("command", [["init"], ["demo", "--hands", 1], ["verify"], ["report", "rake"]])
def test_a_home_without_a_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert_could_not_run(handlog(*command, "--home", ""), "--home is empty: name a folder, . for the one you are in")
    assert list(tmp_path.iterdir()) == []


def test_the_home_may_stand_in_the_environment(played: Path) -> None:
    assert handlog("verify", env={"HANDLOG_HOME": str(played)}).code == 0


@pytest.mark.parametrize(
    "command",
    [
        ["hands"], ["replay", "t1-1"], ["readjudicate", "--all"], ["verify"], ["export", "FILE"], ["rebuild"],
        ["report", "balances"], ["report", "rake"],
    ],
)  # fmt: skip
class TestEveryCommand:
    def test_says_where_no_log_is(self, tmp_path: Path, command: list[str]) -> None:
        home = tmp_path / "nowhere"
        done = handlog(*in_folder(command, tmp_path), "--home", home)
        assert_could_not_run(done, f"there is no log at {home / LOG_FILE}: `handlog init` makes one")
        assert not home.exists(), "asking makes nothing"

    def test_says_which_option_is_missing(self, tmp_path: Path, command: list[str]) -> None:
        done = handlog(*in_folder(command, tmp_path))
        assert done.code == 2
        assert "--home" in done.err

    def test_says_what_is_no_database(self, home: Path, tmp_path: Path, command: list[str]) -> None:
        (home / LOG_FILE).write_bytes(b"Dear auditor, " * 1000)
        assert_could_not_run(handlog(*in_folder(command, tmp_path), "--home", home), "is no SQLite database, so no log")

    def test_reads_while_another_process_writes(self, home: Path, tmp_path: Path, command: list[str]) -> None:
        with open_writer(home, real_ports()):
            assert handlog(*in_folder(command, tmp_path), "--home", home).code == 0


def in_folder(command: list[str], folder: Path) -> list[str]:
    return [str(folder / "log.hl1") if word == "FILE" else word for word in command]


def assert_could_not_run(done: Run, sentence: str) -> None:
    assert done.code == 2
    assert sentence in done.err
    assert done.err.startswith("handlog: ")
    assert done.err.count("\n") == 1, "one sentence"
    assert done.out == ""


# --- verify ----------------------------------------------------------------------------------------------------------


def test_a_sound_home_is_verified_with_exit_0(played: Path) -> None:
    done = handlog("verify", "--home", played)
    assert done.code == 0
    assert "is sound: room demo" in done.out


def test_verify_answers_in_json(played: Path) -> None:
    found = handlog("verify", "--home", played, "--json").json
    assert found["sound"] is True
    assert found["findings"] == []
    assert [head["shard"] for head in found["heads"]] == [0, 1, 2, 3]
    assert found["commits"] == sum(head["height"] + 1 for head in found["heads"])


@pytest.mark.parametrize("from_the_end", [False, True])
def test_a_damaged_record_exits_1_and_is_named(home: Path, from_the_end: bool) -> None:
    shard = 1
    height = last_height(home, shard) if from_the_end else 5
    damage_record(home, shard, height, b'"id":"0', b'"id":"1')
    done = handlog("verify", "--home", home)
    assert done.code == 1
    assert "is NOT sound: 1 finding.\n" in done.out
    assert f"shard {shard}, height {height}: its body hasn't the digest" in done.out
    found = handlog("verify", "--home", home, "--json")
    assert (found.code, found.json["sound"]) == (1, False)
    assert (found.json["findings"][0]["shard"], found.json["findings"][0]["height"]) == (shard, height)


def test_a_page_that_was_lost_exits_1_and_the_first_record_on_it_is_named(home: Path) -> None:
    with sqlite3.connect(home / LOG_FILE) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (record,) = db.execute("SELECT record FROM commits_1 WHERE height = 30").fetchone()
    file = home / LOG_FILE
    data = bytearray(file.read_bytes())
    at = data.index(record[:200]) // 4096 * 4096
    data[at : at + 4096] = bytes(4096)
    file.write_bytes(data)
    done = handlog("verify", "--home", home, "--json")
    assert done.code == 1
    (found,) = done.json["findings"]
    assert found["shard"] == 1
    assert 10 < found["height"] <= 30, "the page holds a few records before that one"
    assert "is damaged" in found["what"]


def last_height(home: Path, shard: int) -> int:
    heads = handlog("verify", "--home", home, "--json").json["heads"]
    return next(int(head["height"]) for head in heads if head["shard"] == shard)


def test_an_event_that_doesn_t_decode_is_found_though_the_chain_is_sound(home: Path) -> None:
    place = forge_event(home, "hand.pot-awarded", lambda data: data.update(amount=-5))
    done = handlog("verify", "--home", home)
    assert done.code == 1
    assert f"shard {place.shard}, height {place.height}: event 'hand.pot-awarded': amount:" in done.out


def test_a_broken_invariant_is_found_though_the_chain_is_sound(home: Path) -> None:
    place = forge_event(home, "hand.pot-awarded", lambda data: data.update(amount=data["amount"] + 1))
    done = handlog("verify", "--home", home)
    assert done.code == 1
    assert f"shard {place.shard}, height {place.height}: hand:t" in done.out
    assert "an amount is negative" in done.out


def test_events_that_don_t_follow_from_each_other_are_found(home: Path) -> None:
    place = forge_event(home, "table.chips-brought", lambda data: data.update(seat=10 if data["seat"] != 10 else 9))
    done = handlog("verify", "--home", home)
    assert done.code == 1
    assert f"shard {place.shard}, height {place.height}: table:t" in done.out
    assert "its events don't follow from each other" in done.out


def test_an_event_of_the_future_is_named(home: Path) -> None:
    def alter(body: dict[str, list[dict[str, object]]]) -> int | None:
        if body["events"][0]["type"] != "table.player-seated":
            return None
        body["events"][0]["rev"] = 9
        return 0

    place = forge(home, alter)
    done = handlog("verify", "--home", home)
    assert done.code == 1
    assert f"shard {place.shard}, height {place.height}: revision 9 of event 'table.player-seated'" in done.out
    for command in (["readjudicate", "--all"], ["rebuild"], ["report", "balances"], ["hands"]):
        assert_could_not_run(handlog(*command, "--home", home), "upgrade it before it reads this log")


@pytest.mark.parametrize(
    ("changed", "differs"),
    [
        ({"room": "gemo"}, "the room's name differs"),
        ({"shard": 2}, "the shard differs"),
        ({"shards": 1}, "the number of shards differs"),
        ({"room_id": "abc", "shards": 5}, "the room's random id and the number of shards differ"),
    ],
)
def test_a_shard_of_another_room_is_named_with_what_differs(home: Path, changed: dict[str, Any], differs: str) -> None:
    first: dict[str, Any] = {}

    def alter(body: dict[str, Any]) -> int | None:
        data = body["events"][0]["data"]
        if data.get("shard") != 1:
            return None
        first.update(data)
        data.update(changed)
        return 0

    forge(home, alter)
    done = handlog("verify", "--home", home)
    assert done.code == 1
    now = first | changed
    opened = (
        f"shard {now['shard']} of room {now['room']} (random id {now['room_id']}, {counted(now['shards'], 'shard')})"
    )
    here = f"shard 1 of room demo (random id {first['room_id']}, 4 shards)"
    assert f"shard 1, height 0: it opens {opened}, but this is {here}: {differs}\n" in done.out


def test_a_flipped_bit_in_the_first_name_of_the_room_is_named(exported: Path) -> None:
    data = exported.read_bytes()
    assert data.startswith(b"HL1 demo ")
    exported.write_bytes(b"HL1 eemo " + data[len(b"HL1 demo ") :])
    done = handlog("verify", "--file", exported)
    assert done.code == 1
    first, second, *_ = done.out.splitlines()[1:]
    assert re.fullmatch(
        r"shard 0, height 0: it opens shard 0 of room demo \(random id (\w+), 4 shards\), but this is shard 0 of room "
        r"eemo \(random id \1, 4 shards\): the room's name differs",
        first,
    )
    assert second == "shard 0, height 1: it is a record of room demo, this log is of room eemo"


def test_a_file_that_holds_its_log_twice_is_read_as_that(exported: Path) -> None:
    exported.write_bytes(exported.read_bytes() * 2)
    assert "it is a record of shard 0, but stands among those of shard 3" in handlog("verify", "--file", exported).out


def test_nothing_to_verify_is_said() -> None:
    assert_could_not_run(handlog("verify"), "give --home DIR (or set HANDLOG_HOME) or --file FILE")


# --- export and import -----------------------------------------------------------------------------------------------


@pytest.fixture
def exported(played: Path, tmp_path: Path) -> Path:
    file = tmp_path / "log.hl1"
    done = handlog("export", file, "--home", played)
    assert done.code == 0
    assert f"commits written to {file}" in done.out
    return file


def test_an_exported_file_is_sound(exported: Path) -> None:
    assert handlog("verify", "--file", exported).code == 0


def test_a_log_comes_through_export_and_import_byte_for_byte(exported: Path, home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    done = handlog("import", exported, "--home", copy)
    assert done.code == 0
    assert "Room demo has a home in" in done.out
    assert "Nothing that was signed was compared, so commits at its end may be missing" in done.out
    heads = [handlog("verify", "--home", each, "--json").json["heads"] for each in (home, copy)]
    assert heads[0] == heads[1]
    again = tmp_path / "again.hl1"
    assert handlog("export", again, "--home", copy).code == 0
    assert again.read_bytes() == exported.read_bytes()
    reports = [handlog("report", "balances", "--home", each, "--json").json for each in (home, copy)]
    assert reports[0] == reports[1]


def test_a_file_that_was_changed_exits_1_and_isn_t_imported(exported: Path, tmp_path: Path) -> None:
    exported.write_bytes(exported.read_bytes().replace(b'"to":', b'"tp":', 1))
    done = handlog("verify", "--file", exported)
    assert done.code == 1
    assert "its body hasn't the digest" in done.out
    copy = tmp_path / "copy"
    assert_could_not_run(handlog("import", exported, "--home", copy), "isn't sound, so nothing was imported: shard ")
    assert not copy.exists()


def test_an_export_overwrites_nothing(exported: Path, played: Path) -> None:
    assert_could_not_run(handlog("export", exported, "--home", played), "exists already: choose another file")


def test_an_import_onto_a_home_is_refused_and_changes_nothing(exported: Path, home: Path) -> None:
    before = (home / LOG_FILE).read_bytes()
    assert_could_not_run(
        handlog("import", exported, "--home", home), "exists already: move it away, or choose another place"
    )
    assert (home / LOG_FILE).read_bytes() == before


@pytest.mark.parametrize("command", [["verify", "--file"], ["import"]])
def test_a_file_that_isn_t_there_is_named(tmp_path: Path, command: list[str]) -> None:
    home = [] if command[0] == "verify" else ["--home", tmp_path / "home"]
    assert_could_not_run(handlog(*command, tmp_path / "no.hl1", *home), "no.hl1 can't be read: No such file")
    assert not (tmp_path / "home").exists()


# --- as a user runs it -----------------------------------------------------------------------------------------------


def test_a_process_exits_with_the_code_and_one_sentence(tmp_path: Path) -> None:
    done = started("hands", "--home", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"handlog: there is no log at {tmp_path / LOG_FILE}: `handlog init` makes one\n"


def test_a_pipe_that_is_closed_early_makes_no_noise(played: Path) -> None:
    code = "from services.cli import main; main()"
    pipe = f'"{sys.executable}" -c "{code}" replay t1-1 --home "{played}" | head -1'
    done = subprocess.run(pipe, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert "hand t1-1 is opened" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("command", [["replay", "t1-1"], ["hands"], ["hands", "--json"], ["verify"], ["games", "stud"]])
def test_a_pipe_that_nobody_reads_is_no_finding(played: Path, command: list[str]) -> None:
    """The exit code is that of `cat` in such a pipe, 128 and the number of SIGPIPE."""
    reader, writer = os.pipe()
    os.close(reader)
    home = [] if command[0] == "games" else ["--home", str(played)]
    args = [sys.executable, "-c", "from services.cli import main; main()", *command, *home]
    done = subprocess.run(args, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("of", ["", "'report', "])
def test_help_loads_nothing_of_the_house(of: str) -> None:
    code = (
        "import sys\nfrom typer.testing import CliRunner\nfrom services.cli.app import app\n"
        f"print(CliRunner().invoke(app, [{of}'--help']).exit_code)\n"
        "print(sorted(name for name in sys.modules if name.startswith(('domain', 'projections', 'services.', "
        "'sqlalchemy', 'eventsourcing')) and not name.startswith('services.cli.commands')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.splitlines() == [
        "0",
        "['services.api', 'services.api.roles', 'services.cli', 'services.cli.app', 'services.cli.talk']",
    ], done.stderr


def test_json_is_all_that_stands_on_stdout(played: Path) -> None:
    done = started("verify", "--json", env=os.environ | {"HANDLOG_HOME": str(played)})
    assert json.loads(done.stdout)["sound"] is True


def test_the_rooms_days_end_by_its_time_zone(tmp_path: Path) -> None:
    assert handlog("init", "--home", tmp_path / "home", "--time-zone", "Europe/Berlin").code == 0
    with open_log(tmp_path / "home") as log:
        assert opening_of(log).time_zone == "Europe/Berlin"
    done = handlog("init", "--home", tmp_path / "other", "--time-zone", "Mars/Olympus")
    assert (done.code, done.out) == (2, "")
    assert "'Mars/Olympus' is no time zone: name one such as UTC or Europe/Berlin" in done.err
    assert not (tmp_path / "other").exists()
