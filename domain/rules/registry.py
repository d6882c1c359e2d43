"""Games, structures, rulebooks and kinds of chips by their names."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

from domain.messages import Refused
from domain.rules import rulebooks
from domain.rules.declaration import BadDeclaration, check_declaration
from domain.rules.games import GAMES
from domain.rules.rulebook import Rulebook
from domain.rules.vocabulary import Game, Kind, Limit

T = TypeVar("T")

GAMES_BY_NAME: dict[str, Game] = {}
"""The newest revision of each game: what a table is opened with."""

GAMES_BY_REVISION: dict[tuple[str, int], Game] = {}
"""Every declaration that a hand may have pinned."""

LIMITS_BY_NAME: Mapping[str, Limit] = {limit.value: limit for limit in Limit}
KINDS_BY_NAME: Mapping[str, Kind] = {kind.value: kind for kind in Kind}
RULEBOOKS_BY_NAME: dict[str, Rulebook] = {}


def game(name: str) -> Game:
    return known("game", name, GAMES_BY_NAME)


class UnknownRevision(LookupError):
    """A hand was opened under a declaration that this build doesn't have."""


def game_at(name: str, revision: int) -> Game:
    """The declaration that a hand pinned. A changed one is a new revision, and the old one stays for the old hands.

    Raises UnknownRevision.
    """
    declared = GAMES_BY_REVISION.get((name, revision))
    if declared is None:
        known = ", ".join(f"{game} {of}" for game, of in GAMES_BY_REVISION)
        raise UnknownRevision(f"this build knows no revision {revision} of game {name!r}: it knows {known}")
    return declared


def limit(name: str) -> Limit:
    return known("limit", name, LIMITS_BY_NAME)


def kind(name: str) -> Kind:
    return known("kind of chips", name, KINDS_BY_NAME)


def rulebook(name: str) -> Rulebook:
    return known("rulebook", name, RULEBOOKS_BY_NAME)


def known(noun: str, name: str, choices: Mapping[str, T]) -> T:
    """What goes by that name. Refused, with the names that exist, where nothing does."""
    if name not in choices:
        raise Refused(f"unknown {noun} {name!r}: one of {', '.join(choices)}")
    return choices[name]


def register_game(game: Game) -> None:
    """Add a game that doesn't stand in `games.py`.

    BadDeclaration for one that can't be played, or if another declaration has that name and revision: hands already
    played pin them.
    """
    check_declaration(game)
    if GAMES_BY_REVISION.setdefault((game.name, game.revision), game) != game:
        raise BadDeclaration(f"another revision {game.revision} of game {game.name!r} is known: give this one the next")
    newest = GAMES_BY_NAME.get(game.name, game)
    GAMES_BY_NAME[game.name] = max(newest, game, key=lambda one: one.revision)


def register(rulebook: Rulebook) -> None:
    """Add a rulebook that stands in no file of `rulebooks/`.

    ValueError if another rulebook has that name: hands already played name it.
    """
    if RULEBOOKS_BY_NAME.setdefault(rulebook.name, rulebook) != rulebook:
        raise ValueError(f"another rulebook is named {rulebook.name!r}: give this one a name of its own")


def in_files() -> Iterator[Rulebook]:
    """The rulebook of every file in `rulebooks/`: a new file needs no line of code elsewhere."""
    for module in iter_modules(rulebooks.__path__, prefix=f"{rulebooks.__name__}."):
        yield import_module(module.name).RULEBOOK


for _declared in GAMES:
    register_game(_declared)
for _found in in_files():
    register(_found)
