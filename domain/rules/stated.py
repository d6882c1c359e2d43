"""What a table states of its stakes, and the refusals of what no table can be opened with."""

from dataclasses import dataclass
from math import gcd

from domain.messages import Refused
from domain.money import SCALES, decimal_text
from domain.rules import registry
from domain.rules.rulebook import RAKE_SCALE, Rulebook
from domain.rules.vocabulary import Forced, Game, Kind, Limit, RakeBand

_CURRENCY_OF = {Kind.PLAY: "PLAY", Kind.TOURNAMENT: "CHIPS"}


@dataclass(slots=True, frozen=True)
class Stated:
    """The game, structure and house of a table, and the amounts that it states, as `stakes.resolve` reads them: minor
    units of a currency with `scale` decimal places."""

    game: Game
    limit: Limit
    kind: Kind
    book: Rulebook
    small: int
    big: int
    maxima: tuple[int, ...]
    ante: int
    bring_in: int
    chip_unit: int
    scale: int

    @property
    def has_blinds(self) -> bool:
        return self.game.forced is Forced.BLINDS

    def text(self, amount: int) -> str:
        return decimal_text(amount, self.scale)


def check_currency(kind: Kind, currency: str) -> None:
    """Refused unless chips of this kind are counted in that currency."""
    scale = registry.known("currency", currency, SCALES)
    if kind is Kind.REAL and scale != RAKE_SCALE:
        right = ", ".join(name for name, places in SCALES.items() if places == RAKE_SCALE)
        raise Refused(f"a real-money table needs a currency with {RAKE_SCALE} decimal places ({right}), not {currency}")
    if kind in _CURRENCY_OF and currency != _CURRENCY_OF[kind]:
        raise Refused(f"a {kind} table is played in {_CURRENCY_OF[kind]}, not in {currency}")


def check_seats(game: Game, seats: int) -> None:
    """Refused unless the game is played at tables of so many seats (rules.md section 1)."""
    if not 2 <= seats <= game.max_seats:
        raise Refused(f"a table of {game.title} has 2 to {game.max_seats} seats, not {seats}")


def check_amounts(stated: Stated) -> None:
    """Refused where an amount is missing, negative, or none of this game and structure."""
    needed = (*_stakes_needed(stated), "chip unit")
    amounts = {
        "small stake": stated.small,
        "big stake": stated.big,
        "chip unit": stated.chip_unit,
        "ante": stated.ante,
        "bring-in": stated.bring_in,
    }
    for name, amount in amounts.items():
        if amount < 0 or (amount == 0 and name in needed):
            right = "more than 0" if name in needed else "0 or more"
            raise Refused(f"the {name} is {stated.text(amount)}: it must be {right}")
    if stated.has_blinds:
        _check_no_bring_in(stated)
        _check_ante_beside_blinds(stated)
    elif stated.limit is not Limit.FIXED:
        _check_no_small_stake(stated)
    if stated.small > stated.big:
        raise Refused(
            f"stakes of {stated.text(stated.small)}/{stated.text(stated.big)}: the small one stands first and is not "
            "above the big one"
        )


def _stakes_needed(stated: Stated) -> tuple[str, ...]:
    """The stakes that the rulebook can't say where the table doesn't."""
    if stated.limit is Limit.FIXED:
        return "small stake", "big stake"
    if not stated.has_blinds:
        return ()
    return ("big stake",) if stated.limit is Limit.SPREAD else ("small stake", "big stake")


def _check_no_bring_in(stated: Stated) -> None:
    if stated.bring_in:
        raise Refused(
            f"{stated.game.title} is played with blinds: state no bring-in, not {stated.text(stated.bring_in)}"
        )


def _check_ante_beside_blinds(stated: Stated) -> None:
    if stated.ante and stated.kind is not Kind.TOURNAMENT and not stated.book.cash_antes:
        raise Refused(
            f"a {stated.kind} table with blinds has no ante under rulebook {stated.book.name!r}: only a tournament may "
            "add one"
        )


def _check_no_small_stake(stated: Stated) -> None:
    if stated.small:
        raise Refused(
            f"a {stated.limit}-limit table of {stated.game.title} has one stake, the minimum bet: state it as the big "
            f"one and no small one, not {stated.text(stated.small)}"
        )


def check_maxima(stated: Stated, min_bet: int) -> None:
    """Refused unless spread limit, and only it, states one maximum a round, none under the least bet (rules.md section
    2)."""
    if stated.limit is not Limit.SPREAD:
        if stated.maxima:
            raise Refused(f"maxima belong to spread limit: a {stated.limit}-limit table states none")
        return
    rounds = [street.name for street in stated.game.streets]
    if len(stated.maxima) != len(rounds):
        raise Refused(
            f"a spread-limit table of {stated.game.title} states {len(rounds)} maxima, one for each betting round "
            f"({', '.join(rounds)}), not {len(stated.maxima)}"
        )
    for name, maximum in zip(rounds, stated.maxima, strict=True):
        if maximum < min_bet:
            raise Refused(
                f"the {name} maximum of {stated.text(maximum)} is under the {_least_bet(stated)} of "
                f"{stated.text(min_bet)}, the least bet: no maximum may be"
            )


def _least_bet(stated: Stated) -> str:
    if stated.has_blinds:
        return "big blind"
    return "minimum bet" if stated.big else "bring-in"


def check_chip_unit(stated: Stated, rake: tuple[RakeBand, ...]) -> None:
    """Refused unless the chip unit divides all that the table states and every rake step, the last one up to the cap
    too (rules.md section 3, odd chips)."""
    schedules = [band.schedule for band in rake]
    amounts = [
        *(("stake", stake) for stake in (stated.small, stated.big)),
        *(("maximum", maximum) for maximum in stated.maxima),
        ("ante", stated.ante),
        ("bring-in", stated.bring_in),
        *(("rake step", step) for schedule in schedules for step in (schedule.each, schedule.small_each)),
        *(("rake cap", schedule.cap) for schedule in schedules),
    ]
    for name, amount in amounts:
        if amount % stated.chip_unit:
            largest = gcd(*(each for _, each in amounts))
            raise Refused(
                f"the chip unit of {stated.text(stated.chip_unit)} doesn't divide the {name} of {stated.text(amount)}: "
                f"the largest that divides all stakes, antes and rake steps here is {stated.text(largest)}"
            )
