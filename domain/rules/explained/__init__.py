"""A game in plain words, out of its declaration: what a dealer would say of it.

Nothing here is written for one game. What a sentence says it reads from the game's streets, its rankings and the
rulebooks, so a game that is declared is explained.

play          forced bets, streets, draws, the cards running short, the split vote
limits        the five betting structures, round by round
ranking       a ranking
ending        the showdown
seats         newcomers, missed blinds, buy-ins, protection
rake_rows     the rake
house         the rules that each rulebook decides
cards_needed  how far the deck goes
"""

from dataclasses import dataclass

from domain.rules.explained import ending, play, rake_rows
from domain.rules.explained.house import Books
from domain.rules.explained.limits import limits
from domain.rules.explained.ranking import ranking
from domain.rules.explained.seats import seats
from domain.rules.vocabulary import Game

Row = tuple[str, ...]


@dataclass(slots=True, frozen=True)
class Section:
    """Sentences under a heading, and a table under them where `columns` are named."""

    heading: str
    sentences: tuple[str, ...] = ()
    columns: Row = ()
    rows: tuple[Row, ...] = ()


def explain(game: Game, books: Books) -> list[Section]:
    """Everything that a player asks of a game, as these rulebooks have it. Raises UnknownRanking."""
    told = [
        ("forced bets", play.forced_bets(game, books)),
        ("streets", play.streets(game, books)),
        ("limits", limits(game, books)),
        ("draws", play.draws(game)),
        ("too few cards", play.too_few_cards(game, books)),
        ("split vote", play.split_vote(game)),
        ("ranking" if not game.low else "ranking, high", ranking(game, game.high)),
        ("ranking, low", ranking(game, game.low) if game.low else []),
        ("showdown", ending.showdown(game, books)),
        ("seats", seats(game, books)),
    ]
    return [
        *(Section(heading, tuple(sentences)) for heading, sentences in told if sentences),
        Section("rake", tuple(rake_rows.rake(game)), rake_rows.COLUMNS, tuple(rake_rows.rows(books))),
    ]
