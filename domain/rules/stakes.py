"""From what a table is opened with to the values that its hands pin: stakes, house rules, rake, chip unit."""

from dataclasses import dataclass
from math import gcd
from typing import Annotated

from pydantic import Field

from domain.messages import Count, Refused, Text
from domain.money import SCALES, decimal_text, round_down
from domain.rules import registry
from domain.rules.rake import bands_for
from domain.rules.rulebook import RAKE_SCALE, Rulebook, SmallBlind, applies_to, digest
from domain.rules.vocabulary import Game, HouseRules, Kind, Limit, RakeBand, Stakes

TOURNAMENT_BETS_CAP = 4
"""Tournaments: one bet and three raises, when two are left too, whatever the rulebook (rules.md section 10)."""

_CURRENCY_OF = {Kind.PLAY: "PLAY", Kind.TOURNAMENT: "CHIPS"}


@dataclass(slots=True, frozen=True)
class TableTerms:
    """Everything that the rules say of a table, resolved to values; amounts in minor units of `currency`, which has
    `scale` decimal places.

    `rake` is empty where the table takes none. `rulebook_digest` pins what the rulebook said on the day.
    """

    game: Text
    game_revision: Count
    limit: Limit
    kind: Kind
    currency: Text
    scale: Count
    seats: Annotated[int, Field(strict=True, ge=2, le=10)]
    chip_unit: Annotated[int, Field(strict=True, ge=1)]
    stakes: Stakes
    house_rules: HouseRules
    rake: tuple[RakeBand, ...]
    rulebook: Text
    rulebook_digest: Text


@dataclass(slots=True, frozen=True)
class _Stated:
    """The amounts that a table states."""

    limit: Limit
    small: int
    big: int
    maxima: tuple[int, ...]
    ante: int
    chip_unit: int
    scale: int

    def text(self, amount: int) -> str:
        return decimal_text(amount, self.scale)


def resolve(
    game: str,
    limit: str,
    rulebook: str,
    small: int,
    big: int,
    *,
    kind: str,
    currency: str,
    seats: int,
    chip_unit: int | None = None,
    maxima: tuple[int, ...] = (),
    ante: int = 0,
) -> TableTerms:
    """The terms of a table with blinds (rules.md section 2).

    `small` and `big` are the small and the big bet in fixed limit (a "2/4" table), the blinds in pot, half-pot and no
    limit. In spread limit `big` is the big blind, `small` 0 (the rulebook says the small blind) or that same small
    blind, and `maxima` holds one maximum for each betting round. `chip_unit` defaults to the smallest unit.

    A rake table stated in one currency is read as the same numbers in any other with two decimal places.

    Refused, with a sentence, for anything that no table can be opened with.
    """
    played, book = registry.game(game), registry.rulebook(rulebook)
    structure, chips = registry.limit(limit), registry.kind(kind)
    _check_currency(chips, currency)
    _check_seats(played, seats)
    unit = 1 if chip_unit is None else chip_unit
    stated = _Stated(structure, small, big, maxima, ante, unit, SCALES[currency])
    _check_amounts(stated)
    _check_maxima(stated, played)
    _check_ante(stated, chips, book)
    rake = _rake(stated, book) if chips is Kind.REAL else ()
    _check_chip_unit(stated, rake)
    return TableTerms(
        game=played.name,
        game_revision=played.revision,
        limit=structure,
        kind=chips,
        currency=currency,
        scale=SCALES[currency],
        seats=seats,
        chip_unit=unit,
        stakes=_stakes(stated, book),
        house_rules=house_rules(book, played, chips, seats),
        rake=rake,
        rulebook=book.name,
        rulebook_digest=digest(book),
    )


def house_rules(rulebook: Rulebook, game: Game, kind: Kind, seats: int) -> HouseRules:
    """What the rulebook says of a hand of this game at a table with that many seats (rules.md sections 2, 3 and 10)."""
    cap = cap_two = rulebook.bets_cap
    if seats == 2 or not rulebook.bets_cap_two_needs_two_seats:
        cap_two = rulebook.bets_cap_two
    if kind is Kind.TOURNAMENT:
        cap = cap_two = TOURNAMENT_BETS_CAP
    return HouseRules(
        bets_cap=cap,
        bets_cap_two=cap_two,
        everyone_shows=applies_to(rulebook.everyone_shows_in, game),
        may_give_up=applies_to(rulebook.may_give_up_in, game),
        odd_half=rulebook.odd_half,
    )


def small_blind(rule: SmallBlind, big_blind: int, chip_unit: int, scale: int) -> int:
    """The small blind of fixed and spread limit; the big blind of fixed limit is its small bet (section 2, Blinds).

    `scale` is the currency's number of decimal places: its whole unit is 10 ** scale minor units.
    """
    half = big_blind // 2
    if rule is SmallBlind.HALF_IN_WHOLE_UNITS:
        half = round_down(half, 10**scale) or half
    return max(round_down(half, chip_unit), chip_unit)


def _stakes(stated: _Stated, book: Rulebook) -> Stakes:
    small, big, ante = stated.small, stated.big, stated.ante
    if stated.limit is Limit.FIXED:
        posted = small_blind(book.small_blind, small, stated.chip_unit, stated.scale)
        return Stakes(small_blind=posted, big_blind=small, ante=ante, small_bet=small, big_bet=big)
    if stated.limit is Limit.SPREAD:
        posted = small_blind(book.small_blind, big, stated.chip_unit, stated.scale)
        if small not in (0, posted):
            raise Refused(
                f"the small blind of a spread-limit table with a big blind of {stated.text(big)} is "
                f"{stated.text(posted)} under rulebook {book.name!r}, not {stated.text(small)}"
            )
        return Stakes(small_blind=posted, big_blind=big, ante=ante, min_bet=big, maxima=stated.maxima)
    return Stakes(small_blind=small, big_blind=big, ante=ante, min_bet=big)


def _rake(stated: _Stated, book: Rulebook) -> tuple[RakeBand, ...]:
    if stated.limit is Limit.SPREAD:
        return bands_for(book, stated.limit, stated.maxima[0], 2 * stated.maxima[0])
    return bands_for(book, stated.limit, stated.small, stated.big)


def _check_currency(kind: Kind, currency: str) -> None:
    scale = registry.known("currency", currency, SCALES)
    if kind is Kind.REAL and scale != RAKE_SCALE:
        right = ", ".join(name for name, places in SCALES.items() if places == RAKE_SCALE)
        raise Refused(f"a real-money table needs a currency with {RAKE_SCALE} decimal places ({right}), not {currency}")
    if kind in _CURRENCY_OF and currency != _CURRENCY_OF[kind]:
        raise Refused(f"a {kind} table is played in {_CURRENCY_OF[kind]}, not in {currency}")


def _check_seats(game: Game, seats: int) -> None:
    if not 2 <= seats <= game.max_seats:
        raise Refused(f"a table of {game.title} has 2 to {game.max_seats} seats, not {seats}")


def _check_amounts(stated: _Stated) -> None:
    small_left_open = stated.limit is Limit.SPREAD and stated.small == 0
    for name, amount in (("small stake", stated.small), ("big stake", stated.big), ("chip unit", stated.chip_unit)):
        if amount <= 0 and not (name == "small stake" and small_left_open):
            raise Refused(f"the {name} is {stated.text(amount)}: it must be more than 0")
    if stated.ante < 0:
        raise Refused(f"the ante is {stated.text(stated.ante)}: it must be 0 or more")
    if stated.small > stated.big:
        raise Refused(
            f"stakes of {stated.text(stated.small)}/{stated.text(stated.big)}: the small one stands first and is not "
            "above the big one"
        )


def _check_maxima(stated: _Stated, game: Game) -> None:
    if stated.limit is not Limit.SPREAD:
        if stated.maxima:
            raise Refused(f"maxima belong to spread limit: a {stated.limit}-limit table states none")
        return
    rounds = [street.name for street in game.streets]
    if len(stated.maxima) != len(rounds):
        raise Refused(
            f"a spread-limit table of {game.title} states {len(rounds)} maxima, one for each betting round "
            f"({', '.join(rounds)}), not {len(stated.maxima)}"
        )
    for name, maximum in zip(rounds, stated.maxima, strict=True):
        if maximum < stated.big:
            raise Refused(
                f"the {name} maximum of {stated.text(maximum)} is under the big blind of {stated.text(stated.big)}, "
                "the least bet: no maximum may be"
            )


def _check_ante(stated: _Stated, kind: Kind, book: Rulebook) -> None:
    if stated.ante and kind is not Kind.TOURNAMENT and not book.cash_antes:
        raise Refused(
            f"a {kind} table with blinds has no ante under rulebook {book.name!r}: only a tournament may add one"
        )


def _check_chip_unit(stated: _Stated, rake: tuple[RakeBand, ...]) -> None:
    """The chip unit divides stakes, ante and every rake step, the last one up to the cap too (section 3, odd chips)."""
    schedules = [band.schedule for band in rake]
    amounts = [
        *(("stake", stake) for stake in (stated.small, stated.big, *stated.maxima)),
        ("ante", stated.ante),
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
