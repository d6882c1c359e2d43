"""Options and arguments that several commands take."""

from pathlib import Path
from typing import Annotated, Any

import typer

from services.cli.talk import stop


def _folder(text: str) -> Path:
    if not text:
        stop("--home is empty: name a folder, . for the one you are in")
    return Path(text)


def home_option(help_: str, envvar: str | None = "HANDLOG_HOME") -> Any:
    return typer.Option("--home", envvar=envvar, help=help_, show_default=False, parser=_folder, metavar="DIR")


Home = Annotated[Path, home_option("The folder of the room's log.")]
Keys = Annotated[
    Path | None,
    typer.Option(
        "--keys", envvar="HANDLOG_KEYS", help="The room's key file, where it isn't in the home.", show_default=False
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Follow = Annotated[bool, typer.Option("--follow", help="Go on, until the process is told to end.")]
Metrics = Annotated[
    str | None,
    typer.Option("--metrics", metavar="HOST:PORT", help="Show how far it is to Prometheus there.", show_default=False),
]
Csv = Annotated[bool, typer.Option("--csv", help="Answer in CSV.")]
HandId = Annotated[str, typer.Argument(metavar="HAND", help="The hand, such as t1-17: table and number.")]


Name = Annotated[
    str, typer.Option("--by", envvar="HANDLOG_BY", help="Who asks, such as floor:ann.", show_default=False)
]
Second = Annotated[
    str,
    typer.Option("--second", help="Who takes it upon him too: needed until the hand is settled.", show_default=False),
]
Reason = Annotated[
    str,
    typer.Option(
        "--reason", help="Why: needed until the hand is settled. It is sealed, and can be erased.", show_default=False
    ),
]
Seats = Annotated[
    list[int] | None,
    typer.Option("--seat", help="Only this seat's cards; may be repeated.", show_default=False, min=1, max=10),
]
From = Annotated[
    str,
    typer.Option("--from", metavar="TIME", help="A day, 2026-01-31, or a time, 2026-01-31T20:00.", show_default=False),
]
To = Annotated[
    str,
    typer.Option("--to", metavar="TIME", help="The last day, 2026-01-31; or the moment after.", show_default=False),
]
OfTable = Annotated[str | None, typer.Option("--table", help="Only this table.", show_default=False)]
OfPlayer = Annotated[str | None, typer.Option("--player", help="Only this player, by id.", show_default=False)]
Door = Annotated[
    str | None,
    typer.Option(
        "--door", help="Of a running node, http://HOST:PORT; your token in HANDLOG_TOKEN.", show_default=False
    ),
]
