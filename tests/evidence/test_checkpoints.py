"""The file of checkpoints: what a crash cuts short is passed over and replaced; the rest stands."""

from pathlib import Path

import pytest

from services.eventlog.log import LogError
from services.evidence import checkpoints
from services.evidence.note import BadCheckpoint, Checkpoint, CheckpointKey, Signed, origin

KEY = CheckpointKey("handlog/riverside", bytes(range(32)))
ROOM_ID = "0123456789abcdef"
SHARDS = {origin("riverside", ROOM_ID, shard): shard for shard in range(2)}


def signed(shard: int, size: int, time: int = 1_800_000_000) -> Signed:
    return KEY.sign(Checkpoint(origin("riverside", ROOM_ID, shard), size, bytes([size] * 32)), time)


ONE, TWO, THREE = signed(0, 1), signed(1, 2), signed(0, 3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints"


def test_what_was_appended_is_read_in_its_order(file: Path) -> None:
    checkpoints.append(file, [ONE])
    checkpoints.append(file, [TWO, THREE])
    assert checkpoints.read(file, KEY.public) == [ONE, TWO, THREE]
    assert file.read_bytes() == (ONE.note + TWO.note + THREE.note).encode()


def test_a_checkpoint_that_a_crash_cut_short_anywhere_is_passed_over_and_replaced(file: Path) -> None:
    """Within a sign of several bytes, too; the home reads on, an auditor is told."""
    whole = ONE.note.encode()
    for cut in range(1, len(TWO.note.encode())):
        file.write_bytes(whole + TWO.note.encode()[:cut])
        assert checkpoints.read(file, KEY.public, torn=True) == [ONE], cut
        with pytest.raises(BadCheckpoint):
            checkpoints.read(file, KEY.public)
        checkpoints.append(file, [THREE])
        assert checkpoints.read(file, KEY.public) == [ONE, THREE], cut


def test_the_first_one_may_be_cut_short_too(file: Path) -> None:
    for cut in (0, 1, 40, 100, len(ONE.note.encode()) - 1):
        file.write_bytes(ONE.note.encode()[:cut])
        assert checkpoints.read(file, KEY.public, torn=True) == []
        checkpoints.append(file, [TWO])
        assert checkpoints.read(file, KEY.public) == [TWO]


def test_damage_before_the_last_one_is_never_passed_over(file: Path) -> None:
    data = (ONE.note + TWO.note + THREE.note).encode()
    for at in range(0, len((ONE.note + TWO.note).encode()), 3):
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(BadCheckpoint, match="checkpoints"):
            checkpoints.read(file, KEY.public, torn=True)


def test_what_others_signed_beside_stays(file: Path) -> None:
    """A witness may add a line of its own."""
    witness = CheckpointKey("witness", bytes(32)).sign(ONE.checkpoint, 5).note.splitlines(keepends=True)[-1]
    file.write_text(ONE.note + witness)
    checkpoints.append(file, [TWO])
    first, second = checkpoints.read(file, KEY.public)
    assert (first.checkpoint, second) == (ONE.checkpoint, TWO)
    assert witness in first.note


def test_each_shard_has_its_own_newest(file: Path) -> None:
    checkpoints.append(file, [ONE, TWO, THREE])
    assert checkpoints.newest(file, KEY.public, SHARDS) == {0: [THREE, ONE], 1: [TWO]}


def test_in_a_home_nothing_of_another_log_is_signed(file: Path) -> None:
    stranger = KEY.sign(ONE.checkpoint._replace(origin=origin("riverside", "f" * 16, 0)), 1)
    for strange in (stranger, signed(2, 7)):
        file.unlink(missing_ok=True)
        checkpoints.append(file, [ONE, TWO, THREE, strange])
        with pytest.raises(BadCheckpoint, match="which is no shard of this room"):
            checkpoints.newest(file, KEY.public, SHARDS)


def test_the_newest_is_found_from_the_end_of_a_long_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the file: what lies before the newest of each shard is neither read nor verified."""
    monkeypatch.setattr(checkpoints, "_TAIL", 1000)
    checkpoints.append(file, [TWO])
    checkpoints.append(file, [THREE, ONE] * 5)
    found = checkpoints.newest(file, KEY.public, SHARDS)
    assert (found[0][0], found[1]) == (THREE, [TWO])
    with file.open("ab") as end:
        end.write(THREE.note.encode()[:-40])
    assert checkpoints.newest(file, KEY.public, SHARDS) == found
    checkpoints.append(file, [THREE])
    assert checkpoints.read(file, KEY.public)[-1] == THREE


def test_the_newest_that_binds_is_found_however_many_after_it_are_lost(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was accepted as lost doesn't stand before what the log must still be."""
    monkeypatch.setattr(checkpoints, "_TAIL", 1000)
    checkpoints.append(file, [ONE])
    checkpoints.append(file, [TWO, THREE] * 10)
    found = checkpoints.newest(file, KEY.public, SHARDS, lambda shard, one: shard == 0 and one.checkpoint.size > 1)
    assert (found[0], found[1][0]) == ([ONE], TWO)


def test_where_nothing_was_signed_there_is_no_newest(file: Path) -> None:
    assert checkpoints.newest(file, KEY.public, SHARDS) == {}


def test_a_file_that_isn_t_there_or_is_no_text_is_a_sentence(file: Path) -> None:
    with pytest.raises(LogError, match="can't be read: No such file"):
        checkpoints.read(file, KEY.public)
    with pytest.raises(LogError, match="can't be read"):
        checkpoints.public_key(file)
    file.write_bytes(b"\xff\n" + ONE.note.encode())
    with pytest.raises(BadCheckpoint, match="isn't UTF-8 at byte 0"):
        checkpoints.read(file, KEY.public)


@pytest.mark.parametrize("extensions", [(), ("day 2026-11-30",)])
def test_only_what_can_be_the_beginning_of_a_note_was_cut_short(file: Path, extensions: tuple[str, ...]) -> None:
    """A whole note in which one byte was changed is damage: it may be the one that shows a loss."""
    last = KEY.sign(ONE.checkpoint._replace(size=7, extensions=extensions), 1_800_000_001).note.encode()
    for cut in range(len(last)):
        file.write_bytes(TWO.note.encode() + last[:cut])
        assert checkpoints.newest(file, KEY.public, SHARDS) == {1: [TWO]}, cut
    flips = [(bit // 8, last[bit // 8] ^ 1 << bit % 8) for bit in range(0, 8 * len(last), 3)]
    for at, byte in [*flips, (len(last) - 1, 0)]:
        damaged = bytearray(last)
        damaged[at] = byte
        file.write_bytes(TWO.note.encode() + damaged)
        with pytest.raises(BadCheckpoint):
            checkpoints.newest(file, KEY.public, SHARDS)
