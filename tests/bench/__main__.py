"""`python -m tests.bench [--large]`: every row of the design's table that stands today, printed and in a JSON file.

Takes some five minutes; the file is build/bench.json. `--large` runs only the growth to 10^5 hands and their
evidence, and adds its rows to those of the last bench.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from domain.rules.registry import GAMES_BY_NAME
from tests.bench import durable, evaluation, evidence, games, growth, hands, replay, sealing, start, where
from tests.bench.folder import BUILD
from tests.bench.rows import Row, as_json, as_table

SEED = 1


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured. `few` and `many`: the hands already played in the rooms whose growth is measured;
    `verifications`: how often the log of `many` hands is verified."""

    runs: int = 7
    hands: int = 200
    evaluations: int = 20_000
    tables: int = 64
    commands: int = 4_000
    few: int = 1_000
    many: int = 10_000
    sample: int = 50
    verifications: int = 3
    games: tuple[str, ...] = tuple(GAMES_BY_NAME)


LARGE = 100_000
"""Hands, of `make bench-large`."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Speed, side by side with others.")
    parser.add_argument("--large", action="store_true", help="only the growth to 10^5 hands and their evidence")
    large = parser.parse_args().large
    console = Console(width=160)
    found: list[Row] = []
    try:
        with console.status("") as status:
            run(large_steps() if large else usual_steps(Sizes()), status.update, found)
    finally:  # where a step fails, what was measured before it is shown
        console.print(as_table(found))
    missed = [f"{row.name} ({row.peer_name or row.unit})" for row in found if row.reached is False]
    console.print(f"{len(missed)} goals missed: {'; '.join(missed)}" if missed else "every goal is reached")
    write(found, BUILD / "bench.json", keep=large)


Step = tuple[str, Callable[[], list[Row]]]


def usual_steps(sizes: Sizes) -> Iterator[Step]:
    texts = hands.texts(sizes.hands, SEED)
    yield "whole hands", lambda: hands.rows(texts, sizes.runs)
    yield "sealed hands", lambda: sealing.rows(texts, sizes.runs)
    yield "a hand of each game", lambda: games.rows(sizes.hands, sizes.runs, SEED)
    yield "replay", lambda: replay.rows(texts, sizes.runs)
    yield "evaluation", lambda: evaluation.rows(sizes.evaluations, sizes.runs, SEED)
    yield "durable commands", lambda: durable.rows(sizes.tables, sizes.commands, sizes.runs)
    yield "where time goes", lambda: where.rows(sizes.tables, sizes.commands)
    yield "start", lambda: start.rows(sizes.runs, sizes.games)
    yield "growth", lambda: growth.rows(sizes.few, sizes.many, sizes.sample, sizes.runs)
    yield "evidence", lambda: evidence.rows(sizes.few, sizes.many, sizes.sample, sizes.runs, sizes.verifications)


def large_steps() -> Iterator[Step]:
    sizes = Sizes()
    yield "growth to 10^5 hands", lambda: growth.rows(sizes.few, LARGE, sizes.sample, sizes.runs)
    yield "evidence of 10^5 hands", lambda: evidence.rows(sizes.few, LARGE, sizes.sample, sizes.runs, 1)


def run(steps: Iterator[Step], say: Callable[[str], object], found: list[Row]) -> None:
    """Measure one step after the other; their rows are added to `found`."""
    for name, rows in steps:
        say(f"measuring: {name}")
        found += rows()


def write(rows: list[Row], path: Path, *, keep: bool) -> None:
    """The rows as JSON; with `keep` those of other names that stand in the file stay."""
    path.parent.mkdir(exist_ok=True)
    fresh = as_json(rows)
    kept = _standing(path, {row.name for row in rows}) if keep else []
    path.write_text(json.dumps(kept + fresh, indent=1) + "\n")


def _standing(path: Path, replaced: set[str]) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [row for row in json.loads(path.read_text()) if row["name"] not in replaced]


if __name__ == "__main__":
    main()
