"""The README shows nothing that doesn't run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from domain.table.commands import OpenTable
from domain.table.decider import open_table
from tests.services.cli import handlog

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
CODE = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_its_program_prints_what_it_says(tmp_path: Path) -> None:
    program, *_ = CODE
    (promised,) = re.findall(r"# (\[.*\])$", program, re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout.strip(), done.stderr) == (promised, "")


@pytest.mark.parametrize("example", re.findall(r"`(OpenTable\(.*?\))`", README, re.DOTALL))
def test_its_tables_can_be_opened(example: str) -> None:
    (opened,) = open_table(eval(example, {"OpenTable": OpenTable}))
    assert opened.terms.game


def test_its_game_is_the_one_that_is_played() -> None:
    *_, page = CODE
    played = (ROOT / "tests/domain/test_a_twelfth_game.py").read_text()
    for declaration in page.strip().split("\n\n"):
        assert declaration in played


@pytest.mark.parametrize("command", sorted(set(re.findall(r"handlog ([a-z-]+)", README))))
def test_its_commands_exist(command: str) -> None:
    assert handlog(command, "--help").code == 0


@pytest.mark.parametrize("target", sorted(set(re.findall(r"make ([a-z-]+)", README))))
def test_its_targets_exist(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"`((?:domain|projections|services|deploy|tests)/[\w/.]+)`", README)))
)
def test_its_paths_exist(path: str) -> None:
    assert (ROOT / path).exists()
