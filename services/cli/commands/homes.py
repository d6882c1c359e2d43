"""A home: made, written to a file, made of a file."""

from pathlib import Path
from typing import Annotated

import typer

from services.cli.commands.options import Home, Json


def init(
    home: Home,
    room: Annotated[str, typer.Option(help="The room's name: a-z, digits and -.")] = "room",
    shards: Annotated[int, typer.Option(help="The most nodes that can ever own something; fixed for ever.")] = 4,
    time_zone: Annotated[str, typer.Option(help="By which the room's days end; fixed for ever.")] = "UTC",
    keys: Annotated[
        Path | None,
        typer.Option(
            "--keys",
            envvar="HANDLOG_KEYS",
            help="Where to write the room's key file; else in the home.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Make a new home: an empty log for a room, and its keys."""
    from services.cli import homes

    homes.init(home, room, shards, time_zone, keys, json)


def export(file: Annotated[Path, typer.Argument()], home: Home, json: Json = False) -> None:
    """Write the log to a new file, byte for byte."""
    from services.cli import homes

    homes.export(home, file, json)


def import_(file: Annotated[Path, typer.Argument()], home: Home, json: Json = False) -> None:
    """Make a home of an exported file, which is verified first."""
    from services.cli import homes

    homes.import_(home, file, json)
