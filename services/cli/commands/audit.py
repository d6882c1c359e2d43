"""`handlog audit`."""

from typing import Annotated

import typer

from services.cli.commands.options import Csv, From, Home, Json, OfPlayer, OfTable, To

commands = typer.Typer(
    help="An auditor's questions, to every hand that is over, and to what staff decided.", no_args_is_help=True
)


@commands.command()
def folded(
    who: Annotated[str, typer.Argument(metavar="WHO", help="The player who folded, by reference.")],
    to_whom: Annotated[str, typer.Argument(metavar="TO_WHOM", help="The player whose bet or raise he faced.")],
    home: Home,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Every hand in which one player folded to another's bet or raise."""
    from services.cli import audit
    from services.cli.forms import form

    audit.folded(home, who, to_whom, form(json, csv))


@commands.command()
def pots_over(
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="Such as 40 or 12.50.")],
    home: Home,
    currency: Annotated[str | None, typer.Option(help="Only hands in this one.", show_default=False)] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Every hand whose pots together, before rake, were more than an amount; the largest first."""
    from services.cli import audit
    from services.cli.forms import form

    audit.pots_over(home, amount, currency, form(json, csv))


@commands.command()
def minute(
    time: Annotated[
        str,
        typer.Argument(
            metavar="TIME",
            help='"2026-01-31 21:34", by the room\'s clock, or with an offset: "2026-01-31 21:34+01:00".',
        ),
    ],
    home: Home,
    around: Annotated[int, typer.Option(help="Seconds more, before and after.", min=0)] = 0,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Every hand that was under way in a disputed minute, and what was done in it."""
    from services.cli import audit
    from services.cli.forms import form

    audit.minute(home, time, around, form(json, csv))


@commands.command()
def protection(home: Home, json: Json = False, csv: Csv = False) -> None:
    """Every use of all-in protection, with how many the player had in the 24 hours up to it."""
    from services.cli import audit
    from services.cli.forms import form

    audit.protection(home, form(json, csv))


@commands.command()
def cancelled(home: Home, json: Json = False, csv: Csv = False) -> None:
    """Every hand that was cancelled because the room had failed, and what went back."""
    from services.cli import audit
    from services.cli.forms import form

    audit.cancelled(home, form(json, csv))


@commands.command()
def opened(home: Home, json: Json = False, csv: Csv = False) -> None:
    """Every opening of sealed cards to staff. Why: `handlog openings`, or `handlog audit staff`."""
    from services.cli import audit
    from services.cli.forms import form

    audit.opened_cards(home, form(json, csv))


@commands.command()
def staff(
    home: Home,
    table: OfTable = None,
    player: OfPlayer = None,
    by: Annotated[
        str | None, typer.Option(help="Only what he decided, or took upon him as the second.", show_default=False)
    ] = None,
    from_: From = "",
    to: To = "",
    json: Json = False,
    csv: Csv = False,
) -> None:
    """What floor and cage decided for a reason, and the reason: pauses, freezes, adjustments, openings, and so on."""
    from services.cli import staff as of_staff
    from services.cli.forms import form

    of_staff.decided_by_staff(home, of_staff.Only(table, player, by, from_, to), form(json, csv))


@commands.command()
def rake_differs(home: Home, json: Json = False, csv: Csv = False) -> None:
    """Every hand whose rake isn't what its schedule and its pots make. Exit 0: there is none; 1: there is."""
    from services.cli import audit
    from services.cli.forms import form

    raise typer.Exit(audit.rake_differs(home, form(json, csv)))


@commands.command()
def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="One SELECT, in DuckDB's SQL.")],
    home: Home,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Any other question, which can only read: `handlog audit tables` has the columns."""
    from services.cli import audit
    from services.cli.forms import form

    audit.sql(home, query, form(json, csv))


@commands.command()
def tables(
    table: Annotated[str | None, typer.Argument(metavar="[TABLE]", show_default=False)] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """The warehouse's tables: each column and what it means."""
    from services.cli import audit
    from services.cli.forms import form

    audit.show_tables(table, form(json, csv))


@commands.command()
def query(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", show_default=False)] = None,
) -> None:
    """The SQL of a question, or of all, to be changed and asked with `handlog audit sql`."""
    from services.cli import audit

    audit.show_query(name)
