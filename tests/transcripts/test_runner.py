"""The transcripts can fail: each thing that a transcript says is changed, and the runner notices."""

from pathlib import Path

import pytest

from tests.transcripts.runner import HERE, play, read

GOLDEN = (HERE / "holdem_no.txt").read_text()


def changed(tmp_path: Path, old: str, new: str) -> Path:
    assert GOLDEN.count(old) == 1
    path = tmp_path / "changed.txt"
    path.write_text(GOLDEN.replace(old, new))
    return path


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("raise 34.00..100.00", "raise 34.01..100.00"),
        ("at the least and 80.00 at the most", "at the least and 81.00 at the most"),
        ("1 posts 1.00 small blind", "1 posts 2.00 small blind"),
        ("2 shows Kd Kc, betting is over\n", ""),
        ("1 wins 88.00 of main", "1 wins 90.00 of main"),
        ("ends 1 88.00, 2 120.00", "ends 1 90.00, 2 118.00"),
    ],
)
def test_a_line_that_is_not_so(tmp_path, old, new) -> None:
    transcript = read(changed(tmp_path, old, new))
    assert play(transcript).lines != transcript.lines


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pot main 90.00 because", "pot main 91.00 because"),
        ("rake main 2.00 because", "rake main 4.50 because"),
        ("returned 20.00 to 2 because", "returned 20.00 to 3 because"),
        ("odd none because", "odd main 0.01 to 1 because"),
        ("pot side1 100.00 because", "# pot side1 100.00 because"),
    ],
)
def test_a_derivation_that_is_not_so_or_is_not_there(tmp_path, old, new) -> None:
    transcript = read(changed(tmp_path, old, new))
    assert sorted(play(transcript).claims) != sorted(transcript.claims)


def test_a_derivation_without_its_reason(tmp_path) -> None:
    with pytest.raises(ValueError, match="says not why"):
        read(changed(tmp_path, "odd none because §3: each pot has one winner", "odd none"))


def test_a_reason_without_its_section(tmp_path) -> None:
    with pytest.raises(ValueError, match="says not why"):
        read(changed(tmp_path, "odd none because §3: each pot", "odd none because each pot"))


def test_a_bound_that_is_not_tried(tmp_path) -> None:
    beyond = "refused 3 raises to 80.01 | seat 3 can't raise to 80.01: all that he has makes 80.00\n"
    assert not play(read(changed(tmp_path, beyond, ""))).bounds_tried
