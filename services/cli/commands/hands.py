"""Games and hands: to look at, to step through, to decide again."""

from pathlib import Path
from typing import Annotated

import typer

from services.cli.commands.options import Csv, HandId, Home, Json, Keys, Name, Reason, Second, home_option
from services.cli.talk import stop


def demo(
    home: Annotated[Path | None, home_option("Keep the room there; else it is cleared away.", envvar=None)] = None,
    hands: Annotated[int, typer.Option(min=1, help="How many hands the bots play.")] = 300,
    seed: Annotated[int, typer.Option(help="The same seed plays the same hands.")] = 1,
) -> None:
    """Let bots play every game, check everything, and show two hands. Ends by itself."""
    from services.demo.show import run

    raise typer.Exit(run(home, hands, seed))


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


def hands(
    home: Home,
    table: Annotated[str | None, typer.Option(help="Only the hands of this table.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """List the hands, the latest first."""
    from services.cli import hands as of_hands

    of_hands.list_hands(home, table, json)


def replay(
    hand: HandId,
    home: Home,
    open_: Annotated[bool, typer.Option("--open", help="Open the down cards, which is recorded first.")] = False,
    by: Name = "",
    second: Second = "",
    reason: Reason = "",
    keys: Keys = None,
    json: Json = False,
) -> None:
    """Step through a hand fact by fact: arrow keys on a terminal, all frames as text in a pipe."""
    from services.cli import hands as of_hands
    from services.cli.opening import Asker

    if not open_ and (second or reason):
        stop("--second and --reason are for opening cards: give --open too")
    of_hands.replay(home, hand, Asker(by, second, reason) if open_ else None, keys, json)


def redeal(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Hand histories in PHH: .phh or .phhs.")],
    rulebook: Annotated[str, typer.Option(help="Which of ours: see `handlog games`.")] = "euro",
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Deal hands of other rooms again under a rulebook of ours, and compare what was paid. Nothing is recorded.

    A hand that isn't spread here, such as one run twice, is listed with the reason, and no part of it counts. Exit 0:
    none differs; 1: one differs or can't be read; 2: could not run.
    """
    from services.cli import redealing
    from services.cli.forms import form

    raise typer.Exit(redealing.redeal(files, rulebook, form(json, csv)))


def readjudicate(
    home: Home,
    hand: Annotated[str | None, typer.Argument(metavar="[HAND]", show_default=False)] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every decision of the log.")] = False,
    keys: Keys = None,
    json: Json = False,
) -> None:
    """Decide again from the recorded commands and cards.

    Exit 0: the same; 1: a divergence; 2: could not run, or needs a card that is sealed.
    """
    from services.cli import hands as of_hands

    raise typer.Exit(of_hands.readjudicate(home, hand, all_, keys, json))
