"""What keeps the books: days closed, views, the warehouse."""

from typing import Annotated

import typer

from services.cli.commands.options import Door, Follow, Home, Json, Metrics, Name


def close_day(
    home: Home,
    day: Annotated[
        str, typer.Argument(metavar="DAY", help="Such as 2026-01-31; yesterday if none is named.", show_default=False)
    ] = "",
    by: Name = "",
    door: Door = None,
    json: Json = False,
) -> None:
    """Close a day's books: its heights and totals become a fact, and are signed with the log."""
    from services.cli import days

    days.close(home, day, by, door, json)


def rebuild(home: Home, json: Json = False) -> None:
    """Build all views anew from the log."""
    from services.cli import books

    books.rebuild(home, json)


def views(home: Home, follow: Follow = False, metrics: Metrics = None, json: Json = False) -> None:
    """Take what is new in the log into the views that reports read; with --follow, keep them up beside a room."""
    from services.cli import views

    views.views(home, follow, metrics, json)


def warehouse(
    home: Home,
    follow: Follow = False,
    every: Annotated[
        int | None,
        typer.Option(help="Go on, and look every so many seconds; with --follow alone 60.", min=1, show_default=False),
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build all anew, beside what is there.")] = False,
    metrics: Metrics = None,
    json: Json = False,
) -> None:
    """Write every hand that is over as Parquet, for `handlog audit` and whoever else reads it."""
    from services.cli import warehouse

    warehouse.warehouse(home, follow, every, rebuild, metrics, json)
