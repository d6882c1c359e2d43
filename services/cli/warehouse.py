"""The warehouse as a command: kept up with the log, or built anew."""

import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from domain.rules.phrases import counted
from services.bootstrap import WAREHOUSE_FOLDER, open_log
from services.cli.homes import commits_in
from services.cli.talk import complain, emit, progress, say, sentence_of
from services.eventlog.log import Log, LogError
from services.warehouse import worker
from services.warehouse.manifest import Manifest, WarehouseError, load


def warehouse(home: Path, every: int | None, anew: bool, as_json: bool) -> None:
    """Take in what is new, once; with `every`, go on until somebody presses ctrl-c, or the process is told to end."""
    with open_log(home) as log:
        _tell(home, _taken_in(home, log, worker.rebuild if anew else worker.catch_up), as_json)
        if every:
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            with suppress(KeyboardInterrupt):
                _follow(home, log, every, as_json)


def _taken_in(home: Path, log: Log, how: Callable[..., int]) -> int:
    with progress("taking in", commits_in(log)) as step:
        return how(home / WAREHOUSE_FOLDER, log, step)


def _follow(home: Path, log: Log, every: int, as_json: bool) -> None:
    """A fault is told, and tried again: what was taken in isn't lost."""
    while True:
        time.sleep(every)
        try:
            commits = worker.catch_up(home / WAREHOUSE_FOLDER, log)
        except (LogError, WarehouseError, OSError) as error:
            complain(f"{sentence_of(error)}; the next attempt is in {every} s")
            continue
        if commits:
            _tell(home, commits, as_json)


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
