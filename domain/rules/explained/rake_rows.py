"""What a game pays in rake, and by which rows (rules.md section 9)."""

from domain.money import decimal_text
from domain.rules.explained.house import Books
from domain.rules.phrases import listed, street_text
from domain.rules.rulebook import RAKE_SCALE, RakeRow
from domain.rules.vocabulary import Forced, Game, RakeBand, RakeSchedule, Street

COLUMNS = ("rulebook", "limit and stakes", "dealt in", "rake", "at most")


def rake(game: Game) -> list[str]:
    street = next(street for street in game.streets if street.name == game.raked_from)
    told = [
        f"Real money only, and only once {_reached(street)}. Play money and tournaments pay none.",
        "Each increment that the pot reaches pays once, up to the most; the uncalled bet was returned before.",
        "Spread limit pays by the row of its first maximum and twice that. A real-money table that no row covers isn't "
        "opened.",
    ]
    if game.forced is Forced.ANTE_AND_BRING_IN:
        told.append("In pot, half-pot and no limit the minimum bet counts as the big blind.")
    return told


def _reached(street: Street) -> str:
    return f"{street_text(street.name)} {'was dealt' if street.draw is None else 'took place'}"


def rows(books: Books) -> list[tuple[str, ...]]:
    """One for each band of each row; rulebooks that rake alike share theirs."""
    found: dict[tuple[str, tuple[RakeRow, ...]], list[str]] = {}
    for book in books:
        found.setdefault((book.rake_currency, book.rake), []).append(book.name)
    return [
        (listed(names), f"{row} {currency}", _players(band), _schedule(band.schedule), _text(band.schedule.cap))
        for (currency, table), names in found.items()
        for row in table
        for band in row.bands
    ]


def _players(band: RakeBand) -> str:
    return str(band.fewest) if band.fewest == band.most else f"{band.fewest} to {band.most}"


def _schedule(of: RakeSchedule) -> str:
    usual = f"{_text(of.each)} per {_text(of.per)}"
    if not of.small_under:
        return usual
    return f"{usual}; pots under {_text(of.small_under)}: {_text(of.small_each)} per {_text(of.small_per)}"


def _text(amount: int) -> str:
    return decimal_text(amount, RAKE_SCALE)
