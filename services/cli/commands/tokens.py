"""`handlog tokens`."""

from typing import Annotated

import typer

from services.api.roles import Role
from services.cli.commands.options import Home, Json

commands = typer.Typer(help="Tokens: who may come in at the door of a node.", no_args_is_help=True)


@commands.command()
def add(
    who: Annotated[str, typer.Argument(metavar="WHO", help="For whom: player:alice, floor:ann.")],
    home: Home,
    role: Annotated[Role, typer.Option(help="What he is to the room.")],
    label: Annotated[str, typer.Option(help="Where the token is used.", show_default=False)] = "",
    json: Json = False,
) -> None:
    """Give out a new token. It is printed once and kept nowhere: hand it to whom it is for."""
    from services.cli import tokens

    tokens.add(home, who, role, label, json)


@commands.command(name="list")
def list_tokens(home: Home, json: Json = False) -> None:
    """List for whom tokens were given out. The tokens themselves are kept nowhere."""
    from services.cli import tokens

    tokens.list_tokens(home, json)


@commands.command()
def remove(
    token: Annotated[str, typer.Argument(metavar="ID", help="The token's id, 8 hex digits: see the list.")],
    home: Home,
) -> None:
    """Take a token back: a second later no door lets anybody in with it."""
    from services.cli import tokens

    tokens.remove(home, token)
