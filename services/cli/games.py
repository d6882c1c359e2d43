"""The games: listed, and each explained from its declaration."""

from dataclasses import asdict
from textwrap import fill

from domain.cards import RANKS
from domain.rules import registry
from domain.rules.explained import Row, Section, explain
from domain.rules.explained.cards_needed import cards_in_deck
from domain.rules.vocabulary import Game, Limit
from services.cli.talk import emit, say, table, width


def list_games(as_json: bool) -> None:
    games = list(registry.GAMES_BY_NAME.values())
    if as_json:
        emit([_as_json(game) for game in games])
        return
    table(
        ["game", "title", "seats", "deck", "forced bets", "rounds"],
        [
            [game.name, game.title, _seats(game), str(cards_in_deck(game)), game.forced, str(len(game.streets))]
            for game in games
        ],
        ("deck", "rounds"),
    )
    say(f"Each under every limit: {', '.join(_limits())}.")
    say(f"Each under every rulebook: {', '.join(registry.RULEBOOKS_BY_NAME)}.")
    say("`handlog games NAME` explains one.")


def tell(name: str, as_json: bool) -> None:
    """Explain a game. Raises Refused, with the names that exist, where none goes by that one."""
    game = registry.game(name)
    sections = explain(game, tuple(registry.RULEBOOKS_BY_NAME.values()))
    if as_json:
        emit(_as_json(game) | {"sections": [asdict(section) for section in sections]})
        return
    deck = f"{cards_in_deck(game)} cards, {RANKS[game.lowest_rank]} to {RANKS[-1]}"
    say(f"{game.title}: {_seats(game)} seats, {deck}, {game.forced}.")
    for section in sections:
        _tell_section(section)


def _tell_section(section: Section) -> None:
    say(f"\n{section.heading.upper()}")
    for sentence in section.sentences:
        say(fill(sentence, width(), initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False))
    if section.rows:
        table(list(section.columns), _without_repeats(section.rows), within=width())


def _without_repeats(rows: tuple[Row, ...]) -> list[list[str]]:
    """The rows for the eye: what stands at the left as it does one row above is left out."""
    shown: list[list[str]] = []
    before: Row = ()
    for row in rows:
        same = 0
        while same < len(row) - 1 and row[: same + 1] == before[: same + 1]:
            same += 1
        shown.append(["" if column < same else cell for column, cell in enumerate(row)])
        before = row
    return shown


def _as_json(game: Game) -> dict[str, object]:
    return {
        "game": game.name,
        "title": game.title,
        "least_seats": 2,
        "most_seats": game.max_seats,
        "deck": cards_in_deck(game),
        "forced": game.forced,
        "streets": [street.name for street in game.streets],
        "limits": _limits(),
        "rulebooks": list(registry.RULEBOOKS_BY_NAME),
    }


def _seats(game: Game) -> str:
    return f"2 to {game.max_seats}"


def _limits() -> list[str]:
    return [limit.value for limit in Limit]
