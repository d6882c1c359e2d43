"""`handlog report`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from services.cli.commands.options import Csv, From, Home, Json, OfPlayer, OfTable, To

commands = typer.Typer(
    help="The books: balances, rake, days, hands, players, and where all money lies. Amounts are minor units (cents) "
    "in CSV, JSON and Parquet. Days and times are the room's: see `handlog init --time-zone`.",
    no_args_is_help=True,
)

Parquet = Annotated[
    Path | None, typer.Option("--parquet", metavar="FILE", help="Write Parquet to a new file.", show_default=False)
]
OfGame = Annotated[str | None, typer.Option("--game", help="Only this game, such as stud.", show_default=False)]
OfStakes = Annotated[
    str | None,
    typer.Option("--stakes", help="Only these, such as 0.50/1.00; with antes, the minimum bet.", show_default=False),
]
OfCurrency = Annotated[str | None, typer.Option("--currency", help="Only this one, such as EUR.", show_default=False)]


class By(StrEnum):
    """What rake may be totalled by."""

    TABLE = "table"
    GAME = "game"
    LIMIT = "limit"
    STAKES = "stakes"
    RULEBOOK = "rulebook"
    DAY = "day"
    PLAYER = "player"


class PlayerBy(StrEnum):
    """What a player's hands may be totalled by."""

    TABLE = "table"
    GAME = "game"
    STAKES = "stakes"
    DAY = "day"


@commands.command()
def balances(
    home: Home,
    table: OfTable = None,
    player: OfPlayer = None,
    currency: OfCurrency = None,
    json: Json = False,
    csv: Csv = False,
    parquet: Parquet = None,
) -> None:
    """What lies in each account, and the proof that the books balance. Exit 1 if they don't."""
    from services.cli import reports
    from services.cli.forms import form

    asked = reports.Asked(home, form(json, csv, parquet), table=table, player=player, currency=currency)
    raise typer.Exit(reports.balances(asked))


@commands.command()
def rake(
    home: Home,
    by: Annotated[list[By] | None, typer.Option(help="What to total by; may be repeated.", show_default=False)] = None,
    from_: From = "",
    to: To = "",
    table: OfTable = None,
    game: OfGame = None,
    player: OfPlayer = None,
    stakes: OfStakes = None,
    currency: OfCurrency = None,
    json: Json = False,
    csv: Csv = False,
    parquet: Parquet = None,
) -> None:
    """The rake ledger, totalled by table or what you ask for. Exit 1 if it differs from the house's account.

    By player, each bears his part of a hand's rake by what he put into its pots.
    """
    from services.cli import reports
    from services.cli.forms import form

    asked = reports.Asked(home, form(json, csv, parquet), from_, to, table, game, player, stakes, currency)
    raise typer.Exit(reports.rake(asked, [each.value for each in by or [By.TABLE]]))


@commands.command()
def day(
    home: Home,
    from_: From = "",
    to: To = "",
    table: OfTable = None,
    currency: OfCurrency = None,
    json: Json = False,
    csv: Csv = False,
    parquet: Parquet = None,
) -> None:
    """What each day did with the money on tables and in accounts, days without play too. Exit 1 if it doesn't add up.

    Without --from and --to: from the first day on which money moved to the last.
    """
    from services.cli import reports
    from services.cli.forms import form

    raise typer.Exit(
        reports.day(reports.Asked(home, form(json, csv, parquet), from_, to, table=table, currency=currency))
    )


@commands.command()
def hands(
    home: Home,
    from_: From = "",
    to: To = "",
    table: OfTable = None,
    game: OfGame = None,
    player: OfPlayer = None,
    stakes: OfStakes = None,
    currency: OfCurrency = None,
    json: Json = False,
    csv: Csv = False,
    parquet: Parquet = None,
) -> None:
    """The hands that were settled then, or began and are under way, the latest first."""
    from services.cli import reports
    from services.cli.forms import form

    asked = reports.Asked(home, form(json, csv, parquet), from_, to, table, game, player, stakes, currency)
    raise typer.Exit(reports.hands(asked))


@commands.command()
def player(
    home: Home,
    by: Annotated[
        list[PlayerBy] | None, typer.Option(help="What to total by; may be repeated.", show_default=False)
    ] = None,
    from_: From = "",
    to: To = "",
    table: OfTable = None,
    game: OfGame = None,
    player: OfPlayer = None,
    stakes: OfStakes = None,
    currency: OfCurrency = None,
    json: Json = False,
    csv: Csv = False,
    parquet: Parquet = None,
) -> None:
    """What each player put into pots, won and lost, and the rake that he bore: by table, or what you ask for."""
    from services.cli import reports
    from services.cli.forms import form

    asked = reports.Asked(home, form(json, csv, parquet), from_, to, table, game, player, stakes, currency)
    raise typer.Exit(reports.player(asked, [each.value for each in by or [PlayerBy.TABLE]]))


@commands.command()
def reconcile(
    home: Home, currency: OfCurrency = None, json: Json = False, csv: Csv = False, parquet: Parquet = None
) -> None:
    """Whether deposits less withdrawals are what lies in accounts, on tables, in transit and with the house. Else 1."""
    from services.cli import reports
    from services.cli.forms import form

    raise typer.Exit(reports.reconcile(reports.Asked(home, form(json, csv, parquet), currency=currency)))
