"""The views as a command: caught up with the log once, or kept up with it beside a room."""

from pathlib import Path

from domain.rules.phrases import counted
from services import following
from services.bootstrap import open_log
from services.cli.following import follow, only_while_following
from services.cli.homes import commits_in
from services.cli.talk import emit, progress, say
from services.views import ViewsWorker, open_views

PAUSE = 0.1
"""Seconds between two looks for what is new in the log."""


def views(home: Path, go_on: bool, metrics: str | None, as_json: bool) -> None:
    """Fold what the log has and the views lack. Raises StoreError, LogError."""
    only_while_following(metrics, go_on, "say --follow too")
    with open_log(home) as log, open_views(home) as store:
        worker = ViewsWorker(store, log)
        if go_on:
            follow(log, worker, following.VIEWS, metrics, PAUSE)
        else:
            with progress("catching up", commits_in(log)) as step:
                worker.catch_up(step)
    if as_json:
        emit({"commits": worker.folded})
    else:
        say(f"{counted(worker.folded, 'commit')} folded.")
