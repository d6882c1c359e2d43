"""The warehouse as a command: kept up with the log, or built anew."""

from collections.abc import Callable
from pathlib import Path

from domain.rules.phrases import counted
from services.bootstrap import WAREHOUSE_FOLDER, open_log
from services.cli.following import follow, only_while_following
from services.cli.homes import commits_in
from services.cli.talk import emit, progress, say
from services.eventlog.log import Log
from services.following import WAREHOUSE
from services.warehouse import worker
from services.warehouse.manifest import Manifest, load

EVERY = 60
"""Seconds between two looks for what is new in the log: each that finds something writes files."""


def warehouse(home: Path, go_on: bool, every: int | None, anew: bool, metrics: str | None, as_json: bool) -> None:
    """Take in what is new, once; to `go_on`, or `every` so many seconds, until the process is told to end."""
    go_on = go_on or every is not None
    only_while_following(metrics, go_on, "say --follow too")
    with open_log(home) as log:
        _tell(home, _taken_in(home, log, worker.rebuild if anew else worker.catch_up), as_json)
        if go_on:
            keeper = worker.WarehouseWorker(home / WAREHOUSE_FOLDER, log)
            follow(
                log, keeper, WAREHOUSE, metrics, every or EVERY, lambda new: _tell(home, new, as_json) if new else None
            )


def _taken_in(home: Path, log: Log, how: Callable[..., int]) -> int:
    with progress("taking in", commits_in(log)) as step:
        return how(home / WAREHOUSE_FOLDER, log, step)


def _tell(home: Path, commits: int, as_json: bool) -> None:
    manifest = load(home / WAREHOUSE_FOLDER)
    assert manifest is not None
    rows = {table: _rows(manifest, table) for table in ("hands", "decisions")}
    under_way = sum(len(one.under_way) for one in manifest.positions.values())
    if as_json:
        emit({"commits": commits, **rows, "under_way": under_way, "files": len(manifest.files)})
        return
    whole = f"{counted(rows['hands'], 'hand')}, {counted(rows['decisions'], 'decision')}"
    say(f"{counted(commits, 'commit')} taken in. The warehouse has {whole}, in {counted(len(manifest.files), 'file')}.")
    if under_way:
        say(f"{counted(under_way, 'hand')} under way: they come when they are over.")


def _rows(manifest: Manifest, table: str) -> int:
    return sum(file.rows for file in manifest.files if file.table == table)
