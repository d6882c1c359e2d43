"""Texts that can be erased: each under a key of its own, which is durable before its box is and can be forgotten."""

import json
import os
import resource
from base64 import urlsafe_b64decode
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st

from services.sealing import texts
from services.sealing.boxes import BadBox, key_id_of
from services.sealing.keyfile import BadKeys, NoKey, key_id
from services.sealing.texts import TextKeys
from tests.sealing.disk import steps_to_disk

STREAM = "audit:t1-5"
NONCE = bytes(12)
REASON = "Seat 3 says that his hand was killed: the camera shows it. Größe: 5 €"


def key(number: int) -> bytes:
    return bytes([number]) * 32


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "texts.keys"


def test_a_text_comes_back(path) -> None:
    keys = TextKeys(path)
    box = keys.seal(REASON, STREAM, key(1), NONCE)
    assert keys.open(box, STREAM) == REASON
    assert TextKeys(path).open(box, STREAM) == REASON


def test_a_box_is_id_nonce_and_ciphertext_under_the_text_s_own_key(path) -> None:
    data = urlsafe_b64decode(TextKeys(path).seal("spilt drink", STREAM, key(1), NONCE) + "==")
    assert (data[:8], data[8:20]) == (key_id(key(1)), NONCE)
    plain = AESGCM(key(1)).decrypt(NONCE, data[20:], b"handlog/1\ntext\naudit:t1-5")
    assert plain == b"spilt drink\x80" + bytes(52)


def test_the_file_holds_a_line_for_each_key_and_its_owner_alone_can_read_it(path) -> None:
    keys = TextKeys(path)
    assert not path.exists()
    for number in (1, 2):
        keys.seal(REASON, STREAM, key(number), NONCE)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines == [{"id": key_id(key(number)).hex(), "key": key(number).hex()} for number in (1, 2)]
    assert path.stat().st_mode & 0o7777 == 0o600
    assert REASON not in path.read_text()


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_every_text_survives_padding_to_a_multiple_of_64_bytes(text) -> None:
    padded = texts._padded(text)
    assert len(padded) % 64 == 0
    assert len(text.encode()) < len(padded) <= len(text.encode()) + 64
    assert texts._unpadded(padded) == text


def test_texts_of_up_to_63_bytes_have_boxes_of_one_length(path) -> None:
    keys = TextKeys(path)
    lengths = [len(keys.seal("x" * size, STREAM, key(size), NONCE)) for size in (0, 1, 20, 63, 64, 127, 128)]
    assert lengths == [134, 134, 134, 134, 219, 219, 304]


def test_a_lone_surrogate_is_no_text(path) -> None:
    with pytest.raises(ValueError, match="holds a lone surrogate: such a text has no bytes"):
        TextKeys(path).seal("\ud800", STREAM, key(1), NONCE)
    assert not path.exists()


# Keys


def test_each_text_has_a_key_of_its_own(path) -> None:
    keys = TextKeys(path)
    first, second = (keys.seal(REASON, STREAM, key(number), NONCE) for number in (1, 2))
    assert key_id_of(first) != key_id_of(second)
    for again in (keys, TextKeys(path)):
        with pytest.raises(BadKeys, match=r"text key \w{16} was used before: each text has a key of its own"):
            again.seal("another text", STREAM, key(1), bytes(range(12)))
    keys.erase(first)
    with pytest.raises(BadKeys, match="was used before"):
        keys.seal("another text", STREAM, key(1), bytes(range(12)))
    assert len(path.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("key", "nonce", "sentence"),
    [
        (bytes(31), NONCE, "a key has 32 random bytes, this one has 31"),
        (bytes(32), bytes(13), "a nonce has 12 bytes, this one has 13"),
    ],
)
def test_key_and_nonce_have_their_lengths(path, key, nonce, sentence) -> None:
    with pytest.raises((BadKeys, ValueError), match=sentence):
        TextKeys(path).seal(REASON, STREAM, key, nonce)
    assert not path.exists()


def test_a_box_moved_to_another_stream_does_not_open(path) -> None:
    keys = TextKeys(path)
    box = keys.seal(REASON, STREAM, key(1), NONCE)
    with pytest.raises(BadBox, match="the box doesn't open as a text of audit:t1-6: it was changed, or sealed for"):
        keys.open(box, "audit:t1-6")


def test_no_changed_letter_is_overlooked(path) -> None:
    keys = TextKeys(path)
    box = keys.seal("spilt drink", STREAM, key(1), NONCE)
    for place, letter in enumerate(box):
        with pytest.raises((BadBox, NoKey)):
            keys.open(box[:place] + ("A" if letter != "A" else "B") + box[place + 1 :], STREAM)


def test_a_lost_file_is_not_taken_for_an_erased_text(path) -> None:
    keys = TextKeys(path)
    box = keys.seal(REASON, STREAM, key(1), NONCE)
    path.unlink()
    for again in (keys, TextKeys(path)):
        with pytest.raises(NoKey, match=rf"text key {key_id(key(1)).hex()} isn't in .*texts.keys: bring back the file"):
            again.open(box, STREAM)
        with pytest.raises(NoKey):
            again.erase(box)


def test_a_key_is_durable_before_its_box_is_given_out_and_gone_before_an_erasure_ends(path, monkeypatch) -> None:
    steps = steps_to_disk(monkeypatch)
    box = TextKeys(path).seal(REASON, STREAM, key(1), NONCE)
    assert steps == ["file synced", "folder synced"]
    steps.clear()
    TextKeys(path).erase(box)
    assert steps == ["file synced", "in place", "folder synced", "file synced"], "the old file last"


# Erasing


def test_an_erased_text_is_gone_and_the_others_stay(path) -> None:
    keys = TextKeys(path)
    boxes = [keys.seal(f"reason {number}", STREAM, key(number), NONCE) for number in (1, 2, 3)]
    keys.erase(boxes[1])
    for again in (keys, TextKeys(path)):
        assert [again.open(box, STREAM) for box in boxes] == ["reason 1", None, "reason 3"]
    assert key(2).hex() not in path.read_text()
    assert path.stat().st_mode & 0o7777 == 0o600
    assert os.listdir(path.parent) == ["texts.keys"]
    keys.erase(boxes[1])
    later = keys.seal("reason 4", STREAM, key(4), NONCE)
    assert [TextKeys(path).open(box, STREAM) for box in (*boxes, later)] == ["reason 1", None, "reason 3", "reason 4"]


def test_the_key_s_bytes_are_overwritten_where_they_stood(path) -> None:
    keys = TextKeys(path)
    box = keys.seal(REASON, STREAM, key(1), NONCE)
    os.link(path, path.with_name("the same bytes"))
    size = path.stat().st_size
    keys.erase(box)
    assert path.with_name("the same bytes").read_bytes() == bytes(size)


def test_an_erasure_that_finds_no_room_on_the_disk_changes_nothing(path) -> None:
    keys = TextKeys(path)
    boxes = [keys.seal(f"reason {number}", STREAM, key(number), NONCE) for number in (1, 2, 3)]
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, hard))
    try:
        with pytest.raises(BadKeys, match="can't be written: File too large"):
            keys.erase(boxes[0])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == before
    assert keys.open(boxes[0], STREAM) == "reason 1"


def test_one_who_has_the_file_open_sees_what_another_seals_and_erases(path) -> None:
    one, other = TextKeys(path), TextKeys(path)
    first = other.seal("first", STREAM, key(1), NONCE)
    assert one.open(first, STREAM) == "first"
    other.erase(first)
    assert one.open(first, STREAM) is None
    second = one.seal("second", STREAM, key(2), NONCE)
    assert other.open(second, STREAM) == "second"


# Damage


def test_a_last_line_that_was_cut_short_belongs_to_no_box(path) -> None:
    """Its append never ended, so its box was never given out. The next key takes its place."""
    keys = TextKeys(path)
    boxes = [keys.seal(f"reason {number}", STREAM, key(number), NONCE) for number in (1, 2)]
    whole = path.read_bytes()
    line = texts._line(key_id(key(3)), key(3))
    for end in range(len(line)):
        path.write_bytes(whole + line[:end])
        torn = TextKeys(path)
        assert [torn.open(box, STREAM) for box in boxes] == ["reason 1", "reason 2"]
        third = torn.seal("reason 3", STREAM, key(3), NONCE)
        assert path.read_bytes() == whole + line
        assert TextKeys(path).open(third, STREAM) == "reason 3"


def test_a_torn_last_line_is_not_kept_by_an_erasure(path) -> None:
    keys = TextKeys(path)
    box = keys.seal(REASON, STREAM, key(1), NONCE)
    with path.open("ab") as file:
        file.write(b'{"id":"5c')
    keys.erase(box)
    assert path.read_text() == json.dumps({"id": key_id(key(1)).hex(), "key": None}, separators=(",", ":")) + "\n"


@pytest.mark.parametrize(
    "line",
    [b"", b"null", b"[]", b"{", b'{"id":5,"key":null}', b'{"id":"5c","key":null}', b'{"id":"zz","key":null}',
     b'{"id":"' + key_id(key(1)).hex().encode() + b'","key":"' + key(2).hex().encode() + b'"}',
     b'{"id":"' + key_id(key(1)).hex().encode() + b'","key":"01"}', b"\0" * 109],
)  # fmt: skip
def test_any_other_line_that_is_no_key_is_damage(path, line) -> None:
    keys = TextKeys(path)
    box = keys.seal(REASON, STREAM, key(9), NONCE)
    good = path.read_bytes()
    path.write_bytes(good + line + b"\n")
    sentence = "line 2 of .*texts.keys is no text key with its id: bring back the file's backup"
    with pytest.raises(BadKeys, match=sentence):
        TextKeys(path)
    with pytest.raises(BadKeys, match=sentence):
        keys.open(box, STREAM)
    with pytest.raises(BadKeys, match=sentence):
        keys.seal(REASON, STREAM, key(3), NONCE)


def test_a_file_that_is_open_to_others_is_refused(path) -> None:
    TextKeys(path).seal(REASON, STREAM, key(1), NONCE)
    before = TextKeys(path)
    path.chmod(0o640)
    for ask in (lambda: TextKeys(path), lambda: before.seal(REASON, STREAM, key(2), NONCE)):
        with pytest.raises(BadKeys, match=r"texts.keys is open to others \(mode 0640\): make it 0600"):
            ask()


def test_a_key_that_can_t_be_kept_seals_nothing(path) -> None:
    keys = TextKeys(path)
    box = keys.seal(REASON, STREAM, key(1), NONCE)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 10, hard))
    try:
        with pytest.raises(BadKeys, match="can't be written: File too large"):
            keys.seal(REASON, STREAM, key(2), NONCE)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert keys.open(box, STREAM) == REASON
    assert keys.open(keys.seal(REASON, STREAM, key(2), NONCE), STREAM) == REASON
