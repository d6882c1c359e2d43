"""The transcripts can fail: each thing that a transcript says is changed, and the runner notices."""

from pathlib import Path

import pytest

from tests.transcripts.runner import HERE, play, read


def changed(tmp_path: Path, old: str, new: str, golden: str = "holdem_no") -> Path:
    text = (HERE / f"{golden}.txt").read_text()
    assert text.count(old) == 1
    path = tmp_path / "changed.txt"
    path.write_text(text.replace(old, new))
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
    ("golden", "old", "new"),
    [
        ("stud_fixed", "3rd: 1 Qh, 2 Jc, 3 2d, 4 Ts\n", ""),
        ("stud_fixed", "4th: 1 3c, 2 Jh, 4 4s", "4th: 1 3c, 2 Js, 4 4s"),
        ("stud_fixed", "7th: down\n", ""),
        ("stud_fixed", "| bring in 1.00 or 2.00", "| bring in 1.00..2.00"),
        ("stud_fixed", "| check, bet 2.00 or 4.00", "| check, bet 2.00"),
        ("triple-draw_fixed", "2 draws 2: Qd Qh | draw 0..5", "2 draws 2: Qd Qh | draw 0..4"),
        ("draw32_pot", "4 votes to split | check, bet 2..22, or vote", "4 votes to split | check, bet 2..22"),
    ],
)
def test_a_line_of_a_stud_or_draw_hand_that_is_not_so(tmp_path, golden, old, new) -> None:
    transcript = read(changed(tmp_path, old, new, golden))
    assert play(transcript).lines != transcript.lines


@pytest.mark.parametrize(
    ("golden", "old", "new"),
    [
        ("stud_fixed", "(9s 8h) 2d", "9s (8h) 2d"),
        ("stud_fixed", "(9s 8h) 2d", "(9s 8h) 2d 7c"),
        ("stud_fixed", "5s Kh (4d)", "5s Kh"),
        ("triple-draw_fixed", "Qd Qh | 3c 9d | 6h", "Qd Qh | 3c | 9d 6h"),
    ],
)
def test_a_card_that_does_not_come_so(tmp_path, golden, old, new) -> None:
    transcript = read(changed(tmp_path, old, new, golden))
    assert play(transcript).cards != transcript.cards


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


@pytest.mark.parametrize("amount", ["0.99", "1.01", "2.01"])
def test_an_amount_beside_the_two_of_a_bring_in_that_is_not_tried(tmp_path, amount) -> None:
    refusal = (
        f"refused 3 brings in for {amount} | seat 3 must bring in with 1.00 or 2.00 and nothing else, not with {amount}"
    )
    path = changed(tmp_path, refusal, f"# {refusal}", "stud_fixed")
    assert play(read(path)).bounds_tried == {"bet or raise"}
