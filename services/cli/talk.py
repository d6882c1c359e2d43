"""How the commands talk: answers and JSON on stdout, errors and progress on stderr, exit codes."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from signal import SIGPIPE
from typing import Any, NoReturn, Protocol

import typer

SAME = SOUND = 0
FOUND = 1
COULD_NOT_RUN = 2


def say(text: str = "") -> None:
    typer.echo(text)


def emit(value: Any) -> None:
    """A value as JSON, for machines."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def complain(sentence: str) -> None:
    """One sentence on stderr."""
    typer.echo(f"handlog: {sentence}", err=True)


def stop(sentence: str) -> NoReturn:
    """End with one sentence on stderr: the command could not run."""
    complain(sentence)
    raise typer.Exit(COULD_NOT_RUN)


def listen_at(option: str, text: str) -> tuple[str, int]:
    """The host and port of an option such as 127.0.0.1:8080. Stops where the text isn't of that form."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        stop(f"{option} {text} is no place to listen at: write HOST:PORT, such as 127.0.0.1:8080")
    return host, int(port)


def leave_the_pipe() -> NoReturn:
    """End as tools do that the shell's SIGPIPE ends: the reader of the pipe, such as `head`, had enough.

    No finding: 128 and the signal's number is what a shell then says of `cat`.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is flushed at the end
    raise typer.Exit(128 + SIGPIPE)


def sentence_of(error: BaseException) -> str | None:
    """What to say for an error that a user can do something about; None for a defect, which may trace."""
    from domain.rules.declaration import BadDeclaration  # noqa: PLC0415 -- only an error needs these

    if isinstance(error, BadDeclaration):  # nothing that knows the games can be imported then
        return str(error)
    from domain.hand.dealing import SealBroken  # noqa: PLC0415
    from domain.messages import Refused  # noqa: PLC0415
    from projections.store import StoreError  # noqa: PLC0415
    from services.eventlog.commit import BadRecord  # noqa: PLC0415
    from services.eventlog.log import LogError  # noqa: PLC0415
    from services.rulings import NoSuchHand  # noqa: PLC0415

    if isinstance(error, Refused | LogError | BadRecord | NoSuchHand | SealBroken | StoreError):
        return str(error)
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        return f"{error.filename or 'a file'}: {error.strerror or error}"
    return None


class Step(Protocol):
    """Moves a bar on by one, or by so many."""

    def __call__(self, done: int = 1) -> None: ...


@contextmanager
def progress(title: str, total: int) -> Iterator[Step]:
    """A bar on stderr while work goes on, if that is a terminal; yields the function to call after each step."""
    if not sys.stderr.isatty():
        yield lambda done=1: None
        return
    from rich.console import Console  # noqa: PLC0415 -- only a terminal needs rich
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done=1: bar.advance(task, done)


def width() -> int:
    """Columns for a text: those of the terminal (or what COLUMNS says), 100 in a pipe."""
    return get_terminal_size((100, 0)).columns


def table(columns: list[str], rows: list[list[str]], right: tuple[str, ...] = (), within: int | None = None) -> None:
    """Rows under their columns; `right`: columns of amounts. These and names are never broken.

    Words wrap `within` a number of columns: the terminal's, if none is said. In a pipe a row is then a line, however
    wide.
    """
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    made = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for column, *cells in zip(columns, *rows, strict=True):
        amounts = column in right
        whole = amounts or not any(" " in cell for cell in cells)
        made.add_column(column, justify="right" if amounts else "left", no_wrap=whole, overflow="fold")
    for row in rows:
        made.add_row(*row)
    measured = made.__rich_measure__(Console(), Console().options.update(max_width=1000))
    wished = within or get_terminal_size((measured.maximum, 0)).columns
    # Narrower than its longest words, a terminal breaks the lines itself: nothing is ever cut off.
    console = Console(markup=False, highlight=False, width=max(wished, measured.minimum))
    with console.capture() as shown:
        console.print(made)
    typer.echo(shown.get(), nl=False)  # as all else is said: a closed pipe is found in one place
