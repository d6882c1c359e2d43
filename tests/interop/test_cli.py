"""`handlog redeal`: a file in, a verdict on each hand out."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.interop.hands import ALL_IN_ON_THE_FLOP, HEADS_UP, changed
from tests.services.cli import Run, handlog

TWICE = changed(HEADS_UP, actions=[*ALL_IN_ON_THE_FLOP, "d db 2c", "d db 3h", "d db Ks", "d db 9s"], hand=12)
WRONG = changed(HEADS_UP, finishing_stacks=[235, 115], hand=13)


def toml(**fields: object) -> str:
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in fields.items())


def file_of(folder: Path, *hands: dict[str, object]) -> Path:
    file = folder / "elsewhere.phhs"
    file.write_text("".join(f"[{number}]\n{toml(**hand)}\n" for number, hand in enumerate(hands, start=1)))
    return file


def redeal(*args: object) -> Run:
    return handlog("redeal", *args)


def test_what_was_paid_alike_is_counted_and_the_others_are_listed(tmp_path: Path) -> None:
    ran = redeal(file_of(tmp_path, HEADS_UP, TWICE, WRONG))
    assert ran.code == 1
    assert "12    unsupported  the board was run more than once, which isn't spread here" in ran.out
    assert "13    differs      p1 has +36 and not +35, p2 has -36 and not -35" in ran.out
    assert ran.out.rstrip().endswith("3 hands: 1 as paid, 1 differs and 1 unsupported.")


def test_what_is_not_spread_here_is_no_fault(tmp_path: Path) -> None:
    assert redeal(file_of(tmp_path, HEADS_UP, TWICE)).code == 0


def test_machines_are_told_of_every_hand(tmp_path: Path) -> None:
    file = file_of(tmp_path, HEADS_UP, TWICE)
    told = redeal(file, "--json").json
    assert told["rulebook"] == "euro"
    paid, twice = told["hands"]
    assert (paid["outcome"], paid["hand"], paid["net"], paid["rake"]) == ("as paid", "1", {"p1": 36, "p2": -36}, 0)
    assert (twice["outcome"], twice["hand"], twice["net"]) == ("unsupported", "12", None)
    rows = list(csv.DictReader(io.StringIO(redeal(file, "--csv").out)))
    assert [row["outcome"] for row in rows] == ["as paid", "unsupported"]


def test_all_paid_alike(tmp_path: Path) -> None:
    ran = redeal(file_of(tmp_path, HEADS_UP), "--rulebook", "ace")
    assert ran.code == 0
    assert "Every hand is paid to the chip as it was." in ran.out


@pytest.mark.parametrize(
    ("bytes_", "why"),
    [
        (b"PokerStars Hand #1", "it isn't TOML, as PHH is"),
        (b"\xff\xfe", "no text in UTF-8: invalid start byte at byte 0"),
        (b"", "it holds no hand"),
        (b"[1]\nvariant = 'NT'", "antes: Field required; starting_stacks: Field required; actions: Field required"),
    ],
)
def test_another_file_than_phh_is_listed_as_unreadable(tmp_path: Path, bytes_: bytes, why: str) -> None:
    file = tmp_path / "other.phh"
    file.write_bytes(bytes_)
    ran = redeal(file, file_of(tmp_path, HEADS_UP))
    assert ran.code == 1
    assert "unreadable" in ran.out
    assert why in ran.out
    assert "1 as paid" in ran.out


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("none.phh",), "none.phh is no file"),
        ((__file__, "--rulebook", "wsop"), "unknown rulebook 'wsop': one of ace, classic, euro, omaha-guide"),
        ((__file__, "--json", "--csv"), "--json and --csv can't go together"),
    ],
)
def test_what_can_not_run_says_so(args: tuple[str, ...], why: str) -> None:
    ran = redeal(*args)
    assert ran.code == 2
    assert why in ran.err
