"""`python -m tests.bench [--large | --plans] [--only STEP]`: the rows of the design, printed and in a JSON file.

Takes under a quarter of an hour; the file is build/bench.json. The rows of Kafka are measured on the cluster that
HANDLOG_KAFKA names, or on a broker of their own; where none can be started they are left out, and why is said, and so
it is with PostgreSQL. `--large` runs the growth to 10^5 hands with their evidence, and the books of 10^6: some hours.
`--only` runs the steps with that in their name. Both add their rows to those of the last bench. `--plans` measures
nothing: it prints how reports and audit queries are answered.
"""

import argparse
import gc
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from domain.rules.registry import GAMES_BY_NAME
from services.views import VIEWS
from tests.bench import (
    door,
    durable,
    durable_kafka,
    evaluation,
    evidence,
    games,
    growth,
    hands,
    lag,
    memory,
    money,
    patrons,
    replay,
    replay_kafka,
    sealing,
    start,
    takeover,
    transfers,
    where,
)
from tests.bench.folder import BUILD
from tests.bench.rows import Row, as_json, as_table

SEED = 1


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured. `few` and `many`: the hands already played in the rooms whose growth is measured;
    `verifications`: how often the log of `many` hands is verified. On Kafka: `at_once`: how many tables, and how many
    commands they give together; `replayed`: the hands of the room that is replayed. `clients`: of a door, for `seconds`
    each. `open_tables`: those whose memory is measured. `kills`: of a node. `books_runs`: how often the views are
    made of `many` hands. `followed`: commands of the room whose views are kept up. `transfers`: of a run.
    `patrons`: of a shard."""

    runs: int = 7
    hands: int = 200
    evaluations: int = 20_000
    tables: int = 64
    commands: int = 4_000
    few: int = 1_000
    many: int = 10_000
    sample: int = 50
    verifications: int = 2
    games: tuple[str, ...] = tuple(GAMES_BY_NAME)
    at_once: tuple[tuple[int, int], ...] = ((1, 400), (8, 1_500), (64, 4_000))
    kafka_runs: int = 5
    replayed: int = 300
    clients: tuple[int, ...] = (1, 8, 64)
    seconds: float = 2.0
    open_tables: int = 1_000
    kills: int = 5
    books_runs: int = 3
    followed: int = 20_000
    transfers: int = 600
    patrons: int = 10_000


LARGE, HUGE = 100_000, 1_000_000
"""Hands, of `make bench-large`."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Speed, side by side with others.")
    parser.add_argument("--large", action="store_true", help="the growth to 10^5 hands, the books of 10^6")
    parser.add_argument("--plans", action="store_true", help="only how reports and audit queries are answered")
    parser.add_argument("--only", metavar="STEP", default="", help="only the steps with this in their name")
    asked = parser.parse_args()
    os.environ.pop(VIEWS, None)  # those of the bench lie in homes of its own
    if asked.plans:
        print(*money.plans(Sizes().few), sep="\n\n")
    else:
        measure(large=asked.large, only=asked.only)


def measure(*, large: bool, only: str) -> None:
    """Every row of a bench, printed and written; `only`: of the steps with that in their name."""
    console = Console(width=160)
    found: list[Row] = []
    gc.collect()
    gc.freeze()  # what is imported lasts: it needn't be looked through before each run
    try:
        with console.status("") as status:
            for steps in [large_steps()] if large else [usual_steps(Sizes()), kafka_steps(Sizes())]:
                run((step for step in steps if only in step[0]), status.update, found)
    except pytest.skip.Exception as missing:
        console.print(f"without the rows of Kafka: {missing}")
    finally:  # where a step fails, what was measured before it is shown
        console.print(as_table(found))
    missed = [f"{row.name} ({row.peer_name or row.unit})" for row in found if row.reached is False]
    console.print(f"{len(missed)} goals missed: {'; '.join(missed)}" if missed else "every goal is reached")
    write(found, BUILD / "bench.json", keep=large or bool(only))


Step = tuple[str, Callable[[], list[Row]]]


def usual_steps(sizes: Sizes) -> Iterator[Step]:
    texts = hands.texts(sizes.hands, SEED)
    yield "whole hands", lambda: hands.rows(texts, sizes.runs)
    yield "sealed hands", lambda: sealing.rows(texts, sizes.runs)
    yield "a hand of each game", lambda: games.rows(sizes.hands, sizes.runs, SEED)
    yield "replay", lambda: replay.rows(texts, sizes.runs)
    yield "evaluation", lambda: evaluation.rows(sizes.evaluations, sizes.runs, SEED)
    yield "durable commands", lambda: durable.rows(sizes.tables, sizes.commands, sizes.runs)
    yield "a door", lambda: door.rows("SQLite", sizes.clients, sizes.seconds)
    yield "memory", lambda: memory.rows(sizes.open_tables)
    yield "transfers", lambda: transfers.rows(sizes.tables, sizes.transfers, min(sizes.runs, 3))
    yield "views behind a room", lambda: lag.rows(sizes.tables, sizes.followed)
    yield "where time goes", lambda: where.rows(sizes.tables, sizes.commands)
    yield "start", lambda: start.rows(sizes.runs, sizes.games)
    yield "growth", lambda: growth.rows(sizes.few, sizes.many, sizes.sample, sizes.runs)
    yield "evidence", lambda: evidence.rows(sizes.few, sizes.many, sizes.sample, sizes.runs, sizes.verifications)
    yield "books", lambda: money.rows(sizes.few, sizes.many, sizes.books_runs)


def kafka_steps(sizes: Sizes) -> Iterator[Step]:
    runs = sizes.kafka_runs
    yield "durable commands on Kafka", lambda: durable_kafka.rows(sizes.at_once, runs)
    yield "where time goes on Kafka", lambda: where.kafka_rows(sizes.tables, sizes.commands)
    yield "replay from Kafka", lambda: replay_kafka.rows(sizes.replayed, runs)
    yield "a door on Kafka", lambda: door.rows("Kafka", sizes.clients, sizes.seconds)
    yield "patrons in a snapshot", lambda: patrons.rows(sizes.patrons, runs)
    if sizes.kills:
        yield "takeover", lambda: takeover.rows(sizes.kills)


def large_steps() -> Iterator[Step]:
    sizes = Sizes()
    yield "growth to 10^5 hands", lambda: growth.rows(sizes.few, LARGE, sizes.sample, sizes.runs)
    yield "evidence of 10^5 hands", lambda: evidence.rows(sizes.few, LARGE, sizes.sample, sizes.runs, 1)
    yield "books of 10^5 hands", lambda: money.grown(sizes.many, LARGE)
    yield "books of 10^6 hands", lambda: money.grown(LARGE, HUGE)


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
