"""The checkpointer's secret comes back from its file, and only to its owner."""

import json
from pathlib import Path

import pytest

from services.evidence import keyfile
from services.evidence.note import CheckpointKey
from services.sealing.private_file import BadKeys

NAME = "handlog/riverside"
SECRET = bytes(range(32))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    keyfile.make(tmp_path / "checkpoint.key", NAME, SECRET)
    return tmp_path / "checkpoint.key"


def test_a_key_is_read_as_it_was_made(path: Path) -> None:
    assert keyfile.load(path, NAME).public == CheckpointKey(NAME, SECRET).public
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_text()) == {
        "format": "handlog-checkpoint-key-1",
        "name": NAME,
        "secret": SECRET.hex(),
    }


def test_a_key_is_never_written_over(path: Path) -> None:
    with pytest.raises(BadKeys, match="exists already"):
        keyfile.make(path, NAME, bytes(32))
    assert keyfile.load(path, NAME).public == CheckpointKey(NAME, SECRET).public


def test_a_key_that_can_t_be_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(BadKeys, match="32 bytes, not 31"):
        keyfile.make(tmp_path / "short.key", NAME, bytes(31))
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_others_can_read_is_refused(path: Path) -> None:
    path.chmod(0o640)
    with pytest.raises(BadKeys, match="open to others"):
        keyfile.load(path, NAME)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadKeys, match="no key file stands"):
        keyfile.load(tmp_path / "none", NAME)


def test_another_room_s_key_is_refused(path: Path) -> None:
    with pytest.raises(BadKeys, match="is of handlog/riverside, not of handlog/lakeside"):
        keyfile.load(path, "handlog/lakeside")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"format": "handlog-keys-1"}, "no checkpoint key"),
        ({"secret": SECRET.hex()[:-2]}, "no checkpoint key"),
        ({"secret": SECRET.hex().upper()}, "no checkpoint key"),
        ({"secret": 5}, "no checkpoint key"),
        ({"name": None}, "no checkpoint key"),
    ],
)
def test_a_damaged_file_is_refused_and_its_secret_not_shown(path: Path, change: dict[str, object], why: str) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(BadKeys, match=why) as caught:
        keyfile.load(path, NAME)
    assert SECRET.hex()[:16] not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "null", SECRET.hex()])
def test_a_file_of_anything_else_is_refused(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(BadKeys) as caught:
        keyfile.load(path, NAME)
    assert SECRET.hex()[:16] not in str(caught.value)
