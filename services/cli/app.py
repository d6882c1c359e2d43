"""The commands of `handlog`, their options and their help. What they do is imported when it is asked for."""
# ruff: noqa: PLC0415 -- `handlog --help` must not load the house

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from services.cli.talk import leave_the_pipe, sentence_of, stop


class _Sentences(TyperGroup):
    """Says a foreseen error as one sentence and exits with 2; a defect still traces."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            leave_the_pipe()
        except Exception as error:
            sentence = sentence_of(error)
            if sentence is None:
                raise
            stop(sentence)


app = typer.Typer(
    cls=_Sentences,
    name="handlog",
    help="The backend of a poker room: every hand a chain of facts that replays to the same chips.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _folder(text: str) -> Path:
    if not text:
        stop("--home is empty: name a folder, . for the one you are in")
    return Path(text)


def _home(help_: str, envvar: str | None = "HANDLOG_HOME") -> Any:
    return typer.Option("--home", envvar=envvar, help=help_, show_default=False, parser=_folder, metavar="DIR")


Home = Annotated[Path, _home("The folder of the room's log.")]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
HandId = Annotated[str, typer.Argument(metavar="HAND", help="The hand, such as t1-17: table and number.")]


class By(StrEnum):
    """What rake may be totalled by."""

    TABLE = "table"
    GAME = "game"
    LIMIT = "limit"
    RULEBOOK = "rulebook"
    DAY = "day"


@app.command()
def init(
    home: Home,
    room: Annotated[str, typer.Option(help="The room's name: a-z, digits and -.")] = "room",
    shards: Annotated[int, typer.Option(help="The most nodes that can ever own something; fixed for ever.")] = 4,
    json: Json = False,
) -> None:
    """Make a new home: an empty log for a room."""
    from services.cli import homes

    homes.init(home, room, shards, json)


@app.command()
def demo(
    home: Annotated[Path | None, _home("Keep the room there; else it is cleared away.", envvar=None)] = None,
    hands: Annotated[int, typer.Option(min=1, help="How many hands the bots play.")] = 300,
    seed: Annotated[int, typer.Option(help="The same seed plays the same hands.")] = 1,
) -> None:
    """Let bots play every game, check everything, and show two hands. Ends by itself."""
    from services.demo import run

    raise typer.Exit(run(home, hands, seed))


@app.command()
def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", show_default=False)] = None,
    json: Json = False,
) -> None:
    """List the games; name one, such as stud, to have it explained from its declaration."""
    from services.cli import games as of_games

    if game is None:
        of_games.list_games(json)
    else:
        of_games.tell(game, json)


@app.command()
def hands(
    home: Home,
    table: Annotated[str | None, typer.Option(help="Only the hands of this table.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """List the hands, the latest first."""
    from services.cli import hands as of_hands

    of_hands.list_hands(home, table, json)


@app.command()
def replay(hand: HandId, home: Home, json: Json = False) -> None:
    """Step through a hand fact by fact: arrow keys on a terminal, all frames as text in a pipe."""
    from services.cli import hands as of_hands

    of_hands.replay(home, hand, json)


@app.command()
def readjudicate(
    home: Home,
    hand: Annotated[str | None, typer.Argument(metavar="[HAND]", show_default=False)] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every decision of the log.")] = False,
    json: Json = False,
) -> None:
    """Decide again from the recorded commands and cards. Exit 0: the same; 1: a divergence; 2: could not run."""
    from services.cli import hands as of_hands

    raise typer.Exit(of_hands.readjudicate(home, hand, all_, json))


@app.command()
def verify(
    home: Annotated[Path | None, _home("A home to verify.")] = None,
    file: Annotated[Path | None, typer.Option("--file", help="An exported file.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """Check a log in full. Exit 0: sound; 1: not, with shard, height and what is wrong; 2: could not run."""
    from services.cli import checks

    raise typer.Exit(checks.verify(home, file, json))


@app.command()
def export(file: Annotated[Path, typer.Argument()], home: Home, json: Json = False) -> None:
    """Write the log to a new file, byte for byte."""
    from services.cli import homes

    homes.export(home, file, json)


@app.command(name="import")
def import_(file: Annotated[Path, typer.Argument()], home: Home, json: Json = False) -> None:
    """Make a home of an exported file, which is verified first."""
    from services.cli import homes

    homes.import_(home, file, json)


@app.command()
def rebuild(home: Home, json: Json = False) -> None:
    """Build all views anew from the log."""
    from services.cli import books

    books.rebuild(home, json)


report = typer.Typer(help="The books: balances, and the rake ledger.", no_args_is_help=True)
app.add_typer(report, name="report")


@report.command()
def balances(home: Home, json: Json = False) -> None:
    """What lies in each account, and the proof that the books balance. Exit 1 if they don't."""
    from services.cli import books

    raise typer.Exit(books.balances(home, json))


@report.command()
def rake(
    home: Home,
    by: Annotated[list[By] | None, typer.Option(help="What to total by; may be repeated.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """The rake ledger, totalled by table or what you ask for. Exit 1 if it differs from the house's account."""
    from services.cli import books

    raise typer.Exit(books.rake(home, [each.value for each in by or [By.TABLE]], json))
