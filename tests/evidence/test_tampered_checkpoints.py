"""The file of checkpoints: nothing in it can be changed, and what is said names the checkpoint."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from services.evidence import checkpoints
from services.evidence.note import BadCheckpoint, CheckpointKey, Signed
from tests.evidence import independent_verifier as independent
from tests.evidence.histories import History

ONCE = 300
SOAK = 50

Read = Callable[[bytes], list[Signed]]


@pytest.fixture
def read(history: History, tmp_path: Path) -> Read:
    """The checkpoints in a file of these bytes. Both verifiers take the same files, and find the same in them."""
    file, key = tmp_path / "checkpoints", independent.read_key(history.public.to_text())

    def both(data: bytes) -> list[Signed]:
        file.write_bytes(data)
        try:
            theirs = independent.read_notes(data, key)
        except independent.WRONG:
            theirs = None
        try:
            ours = checkpoints.read(file, history.public)
        except BadCheckpoint:
            assert theirs is None
            raise
        assert theirs is not None
        assert [one.note for one in ours] == [one.note for one in theirs]
        return ours

    return both


def place_of(signed: list[Signed], at: int) -> tuple[int, int, str]:
    """The number of the checkpoint that has this byte, the line on which it begins, and its origin."""
    line = 1
    for number, one in enumerate(signed, start=1):
        length = len(one.note.encode())
        if at < length:
            return number, line, one.checkpoint.origin
        at, line = at - length, line + one.note.count("\n")
    raise AssertionError("beyond the file")


def flips(history: History, read: Read, times: int) -> None:
    data = history.notes
    for seed in range(times):
        random = Random(seed)
        at = random.randrange(len(data))
        byte = random.choice([other for other in range(256) if other != data[at]])
        number, line, _ = place_of(history.signed, at)
        with pytest.raises(BadCheckpoint) as found:
            read(data[:at] + bytes([byte]) + data[at + 1 :])
        said = str(found.value)
        named = re.search(r"checkpoint (\d+) \(|line (\d+) is|UTF-8 at byte (\d+)", said)
        assert named, said
        if named[1]:
            assert int(named[1]) == number, said
        elif named[2]:
            assert line <= int(named[2]) <= line + 6, said
        else:
            assert abs(int(named[3]) - at) <= 3, said


def test_a_flipped_byte_is_found_and_its_checkpoint_named(history: History, read: Read) -> None:
    flips(history, read, ONCE)


@pytest.mark.soak
def test_many_flipped_bytes(history: History, read: Read) -> None:
    flips(history, read, ONCE * SOAK)


def test_a_root_that_was_changed_is_named_with_its_shard(history: History, read: Read) -> None:
    one = history.signed[4]
    root = one.note.split("\n")[2]
    changed = history.notes.replace(root.encode(), b"A" * 43 + b"=")
    with pytest.raises(BadCheckpoint, match=f"checkpoint 5 \\({one.checkpoint.origin}, size {one.checkpoint.size}\\)"):
        read(changed)


def test_checkpoints_that_are_fewer_doubled_or_in_another_order_are_read_as_they_are(
    history: History, read: Read
) -> None:
    """Each stands for itself; what that means for the log is another question (test_tampering)."""
    for seed in range(20):
        random = Random(seed)
        some = random.choices(history.signed, k=random.randrange(1, 12))
        assert read("".join(one.note for one in some).encode()) == some


def test_a_part_of_another_checkpoint_doesn_t_fit(history: History, read: Read) -> None:
    """Texts, signatures and times of two checkpoints exchanged."""
    one, other = history.signed[0], history.signed[-1]
    lines, others = one.note.split("\n"), other.note.split("\n")
    for place in range(len(lines) - 1):
        if lines[place] != others[place]:
            mixed = "\n".join([*lines[:place], others[place], *lines[place + 1 :]])
            with pytest.raises(BadCheckpoint, match="checkpoint 1 "):
                read(mixed.encode())


@pytest.mark.parametrize("name", ["handlog/riverside", "handlog/lakeside"])
def test_one_that_another_key_signed_is_named(history: History, read: Read, name: str) -> None:
    stranger = CheckpointKey(name, bytes(range(32)))
    one = history.signed[3]
    foreign = stranger.sign(one.checkpoint, one.time)
    with pytest.raises(BadCheckpoint, match="checkpoint 4 .*0 plain signature lines by handlog/riverside"):
        read(history.notes.replace(one.note.encode(), foreign.note.encode()))


def test_a_file_that_was_cut_short_is_no_file_for_an_auditor(history: History, read: Read) -> None:
    data, whole = history.notes, {0}
    for one in history.signed:
        whole.add(max(whole) + len(one.note.encode()))
    second_line = {
        end - len(one.note.encode().split(b"\n")[-2]) - 1
        for end, one in zip(sorted(whole)[1:], history.signed, strict=True)
    }
    for cut in range(0, len(data), 7):
        if cut in whole:
            assert read(data[:cut]) is not None
        else:
            with pytest.raises(BadCheckpoint):
                read(data[:cut])
    for cut in second_line:  # the timed line is missing
        with pytest.raises(BadCheckpoint, match="0 timed signature lines"):
            read(data[:cut])
