"""The room's key file: read only when it is safe and whole, never written over, whole after an interruption."""

import json
import os
import resource
import threading
from pathlib import Path

import pytest

from services.sealing.boxes import open_card, seal_card
from services.sealing.keyfile import BadKeys, RoomKeys, key_id, load, make, rotate
from tests.sealing.disk import steps_to_disk

SECRET, NEXT = bytes(range(32)), bytes(range(32, 64))
AT = 1_700_000_000_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A room's key file with one key."""
    make(tmp_path / "room.key", "riverside", SECRET, AT)
    return tmp_path / "room.key"


def refusal(path: Path, room: str = "riverside") -> str:
    """The sentence with which a key file is refused, by a reader and by a rotation alike; it shows no key."""
    with pytest.raises(BadKeys) as refused:
        load(path, room)
    sentence = str(refused.value)
    with pytest.raises(BadKeys) as refused:
        rotate(path, room, NEXT, AT)
    assert str(path.resolve()) in str(refused.value)
    assert SECRET.hex()[:10] not in sentence + str(refused.value)
    return sentence


def changed(path: Path, **parts: object) -> Path:
    path.write_text(json.dumps(json.loads(path.read_text()) | parts))
    return path


ENTRY = {"id": key_id(SECRET).hex(), "key": SECRET.hex(), "made_at": AT}


def test_a_key_file_is_json_that_its_owner_alone_can_read(path) -> None:
    assert json.loads(path.read_text()) == {"format": "handlog-keys-1", "room": "riverside", "keys": [ENTRY]}
    assert path.stat().st_mode & 0o7777 == 0o600
    assert os.listdir(path.parent) == ["room.key"]


def test_what_was_made_can_be_loaded(path) -> None:
    made, loaded = RoomKeys("riverside", [SECRET]), load(path, "riverside")
    box = seal_card(made, "t1-5", 3, 17, 5, bytes(16), bytes(12))
    assert (loaded.room, loaded.ids(), loaded.current) == ("riverside", (key_id(SECRET),), key_id(SECRET))
    assert open_card(loaded, "t1-5", 3, 17, box).card == 5


def test_its_mode_is_0600_whatever_the_mask(tmp_path) -> None:
    before = os.umask(0)
    try:
        make(tmp_path / "room.key", "riverside", SECRET, AT)
        rotate(tmp_path / "room.key", "riverside", NEXT, AT)
    finally:
        os.umask(before)
    assert (tmp_path / "room.key").stat().st_mode & 0o7777 == 0o600


# Making one


def test_a_key_is_never_written_over(path) -> None:
    before = path.read_bytes()
    with pytest.raises(
        BadKeys, match=r"room.key exists already, and a key is never written over: choose another place"
    ):
        make(path, "riverside", NEXT, AT)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == ["room.key"]


@pytest.mark.parametrize("kind", ["folder", "empty file", "link to nowhere"])
def test_nor_is_anything_else(tmp_path, kind) -> None:
    path = tmp_path / "room.key"
    {"folder": path.mkdir, "empty file": path.touch, "link to nowhere": lambda: path.symlink_to("nowhere")}[kind]()
    with pytest.raises(BadKeys, match="exists already"):
        make(path, "riverside", SECRET, AT)
    assert os.listdir(tmp_path) == ["room.key"]


def test_a_key_has_32_bytes(path, tmp_path) -> None:
    with pytest.raises(BadKeys, match="a key has 32 random bytes, this one has 31"):
        make(tmp_path / "short.key", "riverside", SECRET[1:], AT)
    with pytest.raises(BadKeys, match="a key has 32 random bytes, this one has 33"):
        rotate(path, "riverside", SECRET + b"x", AT)
    assert os.listdir(tmp_path) == ["room.key"]
    assert load(path, "riverside").ids() == (key_id(SECRET),)


def test_a_folder_that_isn_t_there_is_a_sentence(tmp_path) -> None:
    with pytest.raises(BadKeys, match=r"the key file .*nowhere/room.key can't be written: No such file or directory"):
        make(tmp_path / "nowhere" / "room.key", "riverside", SECRET, AT)


def test_a_new_file_and_a_changed_one_are_durable_before_they_are_used(tmp_path, monkeypatch) -> None:
    """The draft is on the disk before it gets its name, and the name before the key seals anything."""
    steps = steps_to_disk(monkeypatch)
    make(tmp_path / "room.key", "riverside", SECRET, AT)
    assert steps == ["file synced", "in place", "folder synced"]
    steps.clear()
    rotate(tmp_path / "room.key", "riverside", NEXT, AT)
    assert steps == ["file synced", "in place", "folder synced"]


# Loading one


def test_a_missing_file_is_refused(path) -> None:
    path.unlink()
    assert "no key file stands at" in refusal(path)
    assert os.listdir(path.parent) == []


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601, 0o644, 0o660, 0o777])
def test_one_that_is_open_to_others_is_refused(path, mode) -> None:
    path.chmod(mode)
    assert f"room.key is open to others (mode {mode:04o}): make it 0600; if somebody may have read it" in refusal(path)


def test_one_that_its_owner_can_only_read_will_do(path) -> None:
    path.chmod(0o400)
    assert load(path, "riverside").current == key_id(SECRET)


def test_one_of_another_owner_is_refused(path, monkeypatch) -> None:
    asking = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: asking)
    assert f"belongs to user {asking - 1}, but user {asking} is asking: its owner alone may use it" in refusal(path)


def test_a_link_is_as_good_as_what_it_leads_to(path, tmp_path) -> None:
    (tmp_path / "link").symlink_to(path)
    assert load(tmp_path / "link", "riverside").current == key_id(SECRET)
    path.chmod(0o640)
    assert "link is open to others (mode 0640)" in refusal(tmp_path / "link")


def test_a_folder_a_pipe_and_a_device_are_no_key_files(tmp_path) -> None:
    assert "can't be read: Is a directory" in refusal(tmp_path)
    os.mkfifo(tmp_path / "pipe", 0o600)
    assert "is no regular file: keys are kept in one" in refusal(tmp_path / "pipe")
    assert "is no regular file" in refusal(Path("/dev/null"))


@pytest.mark.parametrize(
    "text", [b"", b" ", b"\n", b"handlog", b'{"format":', b"\xff\xfe", b"\0" * 300, b"[" * 100_000]
)
def test_one_without_json_is_refused(path, text) -> None:
    path.write_bytes(text)
    assert f"holds no JSON in its {len(text)} bytes: bring back its backup" in refusal(path)


def test_one_that_was_cut_short_anywhere_is_refused(path) -> None:
    whole = path.read_bytes().rstrip()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        refusal(path)


@pytest.mark.parametrize("value", ["null", "[]", "5", '"handlog-keys-1"', "{}"])
def test_other_json_is_no_key_file(path, value) -> None:
    path.write_text(value)
    assert "is no key file: an object of format handlog-keys-1, room and one key or more is needed" in refusal(path)


@pytest.mark.parametrize(
    "parts",
    [{"format": "handlog-keys-2"}, {"format": "handlog-hand-keys-1"}, {"format": None}, {"room": 5}, {"keys": []},
     {"keys": {}}, {"keys": None}],
)  # fmt: skip
def test_another_format_is_refused(path, parts) -> None:
    assert "is no key file: an object of format handlog-keys-1" in refusal(changed(path, **parts))


def test_another_room_s_is_refused(path) -> None:
    assert "room.key is of room riverside, this is room lakeside: choose this room's own" in refusal(path, "lakeside")
    changed(path, room="lakeside")
    assert "room.key is of room lakeside, this is room riverside" in refusal(path)


@pytest.mark.parametrize(
    "entry",
    [None, 5, [], {}, ENTRY | {"key": SECRET.hex()[:-2]}, ENTRY | {"key": SECRET.hex() + "00"}, ENTRY | {"key": ""},
     ENTRY | {"key": SECRET.hex().upper()}, ENTRY | {"key": SECRET.hex()[:-1] + "g"}, ENTRY | {"key": 5},
     ENTRY | {"key": " " + SECRET.hex()[1:]}, ENTRY | {"id": None}, ENTRY | {"made_at": "now"},
     ENTRY | {"made_at": 1.5}, {"id": ENTRY["id"], "key": ENTRY["key"]}],
)  # fmt: skip
def test_a_damaged_key_is_named_by_its_place(path, entry) -> None:
    other = {"id": key_id(NEXT).hex(), "key": NEXT.hex(), "made_at": AT}
    sentence = refusal(changed(path, keys=[other, entry]))
    assert f"key 2 of {path} isn't an id of 16 hex digits, a key of 64, and made_at in microseconds" in sentence


@pytest.mark.parametrize("id_", [key_id(NEXT).hex(), "", "d18095ef89124a7b", "D18095EF89124A7A"])
def test_a_key_that_isn_t_that_of_its_id_is_refused(path, id_) -> None:
    assert f"key 1 of {path} isn't the one of its id: one of" in refusal(changed(path, keys=[ENTRY | {"id": id_}]))


def test_a_key_that_is_there_twice_is_refused(path) -> None:
    assert "would hold a key twice: each is there once" in refusal(changed(path, keys=[ENTRY, ENTRY]))


# Rotating


def test_after_a_rotation_the_new_key_seals_and_the_old_one_still_opens(path) -> None:
    old = load(path, "riverside")
    box = seal_card(old, "t1-5", 3, 17, 5, bytes(16), bytes(12))
    rotated = rotate(path, "riverside", NEXT, AT + 1)
    for keys in (rotated, load(path, "riverside")):
        assert keys.ids() == (key_id(SECRET), key_id(NEXT))
        assert keys.current == key_id(NEXT)
        assert open_card(keys, "t1-5", 3, 17, box).card == 5
    assert old.ids() == (key_id(SECRET),)
    assert path.stat().st_mode & 0o7777 == 0o600
    assert [key["made_at"] for key in json.loads(path.read_text())["keys"]] == [AT, AT + 1]
    assert os.listdir(path.parent) == ["room.key"]


def test_a_rotation_needs_a_new_key(path) -> None:
    before = path.read_bytes()
    with pytest.raises(BadKeys, match="would hold a key twice"):
        rotate(path, "riverside", SECRET, AT)
    assert path.read_bytes() == before


def test_a_rotation_keeps_what_else_stands_in_the_file(path) -> None:
    changed(path, remark="in the safe since May")
    rotate(path, "riverside", NEXT, AT)
    assert json.loads(path.read_text())["remark"] == "in the safe since May"


def test_a_rotation_through_a_link_changes_the_file_and_not_the_link(path, tmp_path) -> None:
    (tmp_path / "link").symlink_to(path)
    rotate(tmp_path / "link", "riverside", NEXT, AT)
    assert (tmp_path / "link").is_symlink()
    assert load(path, "riverside").current == key_id(NEXT)


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("interruption", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_interrupted_rotation_leaves_the_old_file_whole(path, monkeypatch, step, interruption) -> None:
    before = path.read_bytes()

    def interrupted(*_: object) -> None:
        raise interruption

    with monkeypatch.context() as patched:
        patched.setattr(os, step, interrupted)
        with pytest.raises((KeyboardInterrupt, BadKeys)):
            rotate(path, "riverside", NEXT, AT)
    assert path.read_bytes() == before
    assert rotate(path, "riverside", NEXT, AT).ids() == (key_id(SECRET), key_id(NEXT))
    assert os.listdir(path.parent) == ["room.key"]


def test_a_rotation_that_finds_no_room_on_the_disk_leaves_the_old_file_whole(path) -> None:
    """A real limit of the machine: the file may not grow over 100 bytes."""
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(BadKeys, match="room.key can't be written: File too large"):
            rotate(path, "riverside", NEXT, AT)
        with pytest.raises(BadKeys, match="other.key can't be written: File too large"):
            make(path.with_name("other.key"), "riverside", NEXT, AT)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == ["room.key"]


def test_a_draft_that_a_crash_left_is_no_obstacle(path) -> None:
    path.with_name("room.key.new").write_bytes(b"half a fi")
    assert load(path, "riverside").ids() == (key_id(SECRET),)
    rotate(path, "riverside", NEXT, AT)
    assert load(path, "riverside").ids() == (key_id(SECRET), key_id(NEXT))
    assert os.listdir(path.parent) == ["room.key"]


def test_of_rotations_at_once_none_drops_another_s_key(path) -> None:
    secrets = [bytes([number]) * 32 for number in range(12)]
    threads = [threading.Thread(target=rotate, args=(path, "riverside", secret, AT)) for secret in secrets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(load(path, "riverside").ids()) == {key_id(secret) for secret in [SECRET, *secrets]}
