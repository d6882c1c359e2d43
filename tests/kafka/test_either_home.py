"""A room on Kafka or in a file, by one setting: it moves from one to the other byte for byte, and every command says
the same of both."""

import shutil
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pytest

from services.bootstrap import CHECKPOINT_KEY_FILE, INDEX_FILE, KEY_FILE, LOG_FILE, PUBLIC_KEY_FILE
from services.demo import floor as demo
from tests.kafka.brokers import shared_broker
from tests.services.cli import Run, handlog

KEYS = (KEY_FILE, CHECKPOINT_KEY_FILE, PUBLIC_KEY_FILE)


class Moved(NamedTuple):
    """A room in a file, the same on Kafka with a home of its own, and the export by which it moved."""

    in_file: Path
    on_kafka: Path
    export: Path
    room: str

    def on(self, *args: object, home: Path | None = None) -> Run:
        """A command on Kafka."""
        return handlog(*args, "--home", home or self.on_kafka, env=self.env)

    @property
    def env(self) -> dict[str, str]:
        return {"HANDLOG_KAFKA": shared_broker().bootstrap, "HANDLOG_ROOM": self.room}


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Moved:
    folder = tmp_path_factory.mktemp("moved")
    made = Moved(folder / "file", folder / "kafka", folder / "room.hl", f"demo-{uuid4().hex[:12]}")
    demo.play(made.in_file, hands=8, seed=3, room=made.room)
    handlog("export", made.export, "--home", made.in_file)
    done = made.on("import", made.export)
    assert done.code == 0, done.err
    for name in KEYS:
        shutil.copy(made.in_file / name, made.on_kafka / name)
    return made


def test_it_comes_back_byte_for_byte(moved: Moved, tmp_path: Path) -> None:
    moved.on("export", tmp_path / "again.hl")
    assert (tmp_path / "again.hl").read_bytes() == moved.export.read_bytes()
    handlog("import", tmp_path / "again.hl", "--home", tmp_path / "home")
    handlog("export", tmp_path / "third.hl", "--home", tmp_path / "home")
    assert (tmp_path / "third.hl").read_bytes() == moved.export.read_bytes()


@pytest.mark.parametrize(
    "command",
    [
        ("verify", "--json"),
        ("hands", "--json"),
        ("replay", "t1-1", "--json"),
        ("readjudicate", "--all", "--json"),
        ("report", "balances", "--json"),
        ("report", "rake", "--json"),
    ],
)
def test_every_command_says_the_same_of_both(moved: Moved, command: tuple[str, ...]) -> None:
    there, here = moved.on(*command), handlog(*command, "--home", moved.in_file)
    assert (there.code, there.out) == (here.code, here.out)
    assert there.code == 0, there.err


def test_checkpoints_and_proofs_are_made_of_what_is_on_kafka(moved: Moved, tmp_path: Path) -> None:
    home = shutil.copytree(moved.on_kafka, tmp_path / "home")
    signed = moved.on("checkpoint", home=home)
    assert signed.code == 0, signed.err
    proven = moved.on("prove", "t1-1", tmp_path / "bundle.json", home=home)
    assert proven.code == 0, proven.err
    checked = handlog("verify-hand", tmp_path / "bundle.json", "--public-key", home / PUBLIC_KEY_FILE)
    assert checked.code == 0, checked.out
    verified = moved.on("verify", home=home)
    assert verified.code == 0, verified.out
    assert "as signed" in verified.out


def test_the_index_may_be_deleted_at_any_time(moved: Moved) -> None:
    before = moved.on("hands", "--json")
    for file in moved.on_kafka.glob(f"{INDEX_FILE}*"):
        file.unlink()
    assert moved.on("hands", "--json") == before


def test_an_import_that_broke_off_goes_on(moved: Moved, tmp_path: Path) -> None:
    again = moved.on("import", moved.export, home=tmp_path / "other")
    assert again.code == 0, again.err
    moved.on("export", tmp_path / "again.hl")
    assert (tmp_path / "again.hl").read_bytes() == moved.export.read_bytes()


def test_another_log_is_never_mixed_in(moved: Moved, tmp_path: Path) -> None:
    demo.play(tmp_path / "file", hands=2, seed=4, room=moved.room)
    handlog("export", tmp_path / "other.hl", "--home", tmp_path / "file")
    done = moved.on("import", tmp_path / "other.hl", home=tmp_path / "kafka")
    assert done.code == 2
    assert "with which the file doesn't begin: nothing was imported" in done.err


def test_a_home_with_a_log_of_its_own_is_not_used_for_kafka(moved: Moved) -> None:
    done = moved.on("hands", home=moved.in_file)
    assert done.code == 2
    assert "has a log of its own, but HANDLOG_KAFKA says that the log is on Kafka" in done.err
    assert (moved.in_file / LOG_FILE).exists()


def test_a_room_is_made_once(moved: Moved, tmp_path: Path) -> None:
    done = handlog("init", "--room", moved.room, "--home", tmp_path / "home", env=moved.env)
    assert done.code == 2
    assert f"has a log of room {moved.room} already" in done.err
    assert not (tmp_path / "home" / KEY_FILE).exists()


def test_a_room_whose_keys_could_not_be_written_is_not_made(tmp_path: Path) -> None:
    """Without them nobody could ever sign or deal there, and what Kafka has can't be taken back."""
    room = f"keyless-{uuid4().hex[:12]}"
    env = {"HANDLOG_KAFKA": shared_broker().bootstrap, "HANDLOG_ROOM": room}
    (tmp_path / "file").touch()
    init = ("init", "--room", room, "--home", tmp_path / "home")
    assert handlog(*init, "--keys", tmp_path / "file" / "room.keys", env=env).code == 2
    done = handlog(*init, env=env)
    assert done.code == 0, done.err
    assert handlog("verify", "--home", tmp_path / "home", env=env).code == 0


def test_the_office_records_on_kafka(moved: Moved, tmp_path: Path) -> None:
    """In a home of its own, as somebody does while a node is at work in another."""
    room, home = f"office-{uuid4().hex[:12]}", tmp_path / "home"
    env = {"HANDLOG_KAFKA": shared_broker().bootstrap, "HANDLOG_ROOM": room}
    assert handlog("init", "--room", room, "--home", home, env=env).code == 0
    rotated = handlog("keys", "rotate", "--home", home, "--by", "floor:ann", env=env)
    assert rotated.code == 0, rotated.err
    assert handlog("verify", "--home", home, env=env).code == 0


def test_topics_are_checked_from_the_command_line(moved: Moved) -> None:
    done = handlog("topics", env=moved.env)
    assert done.code == 0, done.out
    assert f"handlog.{moved.room}.log.v1 is set up for the log: 4 partitions." in done.out
    assert handlog("topics").err == (
        "handlog: no Kafka is named: set HANDLOG_KAFKA or give --kafka host:port before the command\n"
    )
