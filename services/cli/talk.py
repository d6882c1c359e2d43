"""How the commands talk: answers and JSON on stdout, errors and progress on stderr, exit codes."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer

SAME = SOUND = 0
FOUND = 1
COULD_NOT_RUN = 2


def say(text: str = "") -> None:
    typer.echo(text)


def emit(value: Any) -> None:
    """A value as JSON, for machines."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def stop(sentence: str) -> NoReturn:
    """End with one sentence on stderr: the command could not run."""
    typer.echo(f"handlog: {sentence}", err=True)
    raise typer.Exit(COULD_NOT_RUN)


def sentence_of(error: BaseException) -> str | None:
    """What to say for an error that a user can do something about; None for a defect, which may trace."""
    from domain.messages import Refused  # noqa: PLC0415 -- only an error needs these
    from projections.store import StoreError  # noqa: PLC0415
    from services.eventlog.commit import BadRecord  # noqa: PLC0415
    from services.eventlog.log import LogError  # noqa: PLC0415
    from services.rulings import NoSuchHand  # noqa: PLC0415

    if isinstance(error, Refused | LogError | BadRecord | NoSuchHand | StoreError):
        return str(error)
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        return f"{error.filename or 'a file'}: {error.strerror or error}"
    return None


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr while work goes on, if that is a terminal; yields the function to call after each step."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console  # noqa: PLC0415 -- only a terminal needs rich
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda: bar.advance(task)


def table(columns: list[str], rows: list[list[str]], right: tuple[str, ...] = ()) -> None:
    """Rows under their columns, as wide as they need where no terminal limits it; `right`: columns of amounts."""
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    made = Table(box=SIMPLE_HEAD)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", no_wrap=True)
    for row in rows:
        made.add_row(*row)
    console = Console(markup=False, highlight=False)
    needed = made.__rich_measure__(console, console.options.update(max_width=1000)).maximum
    if not console.is_terminal or console.width < needed:  # a terminal wraps a line; a cut hand's name is no name
        console = Console(markup=False, highlight=False, width=max(needed, 200 if not console.is_terminal else 0))
    console.print(made)
