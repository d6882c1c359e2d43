"""`handlog keys`."""

from pathlib import Path
from typing import Annotated

import typer

from services.cli.commands.options import HandId, Home, Keys, Name, Reason, Seats, Second

commands = typer.Typer(help="The room's keys, which open cards.", no_args_is_help=True)


@commands.command()
def init(home: Home, by: Name = "", keys: Keys = None) -> None:
    """Make a key for a home that has none: it was imported, or its key is lost."""
    from services.cli import keys as the_keys

    the_keys.init(home, keys, by)


@commands.command()
def rotate(home: Home, by: Name = "", keys: Keys = None) -> None:
    """Seal with a new key from now on. The old ones still open what they sealed."""
    from services.cli import keys as the_keys

    the_keys.rotate(home, keys, by)


@commands.command()
def export(
    hand: HandId,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the keys.")],
    home: Home,
    seat: Seats = None,
    by: Name = "",
    second: Second = "",
    reason: Reason = "",
    keys: Keys = None,
) -> None:
    """Write the keys of one hand's cards, which is recorded first; of one that isn't settled only for two people."""
    from services.cli import keys as the_keys
    from services.cli.opening import Asker

    the_keys.export(home, hand, file, tuple(seat or ()), keys, Asker(by, second, reason))
