"""From what a table is opened with to the values that its hands pin: stakes, house rules, rake, chip unit."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from domain.messages import MOST_SEATS, Count, Text
from domain.money import SCALES
from domain.rules import registry
from domain.rules.forced_bets import stakes_of
from domain.rules.rake import bands_for
from domain.rules.rulebook import Rulebook, applies_to, digest
from domain.rules.stated import Stated, check_amounts, check_chip_unit, check_currency, check_maxima, check_seats
from domain.rules.vocabulary import DoorCard, Game, HouseRules, Kind, Limit, RakeBand, Stakes

TOURNAMENT_BETS_CAP = 4
"""Tournaments: one bet and three raises, when two are left too, whatever the rulebook (rules.md section 10)."""


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
    seats: Annotated[int, Field(strict=True, ge=2, le=MOST_SEATS)]
    chip_unit: Annotated[int, Field(strict=True, ge=1)]
    stakes: Stakes
    house_rules: HouseRules
    rake: tuple[RakeBand, ...]
    rulebook: Text
    rulebook_digest: Text


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
    bring_in: int = 0,
) -> TableTerms:
    """The terms of a table (rules.md section 2).

    `small` and `big` are the small and the big bet in fixed limit (a "2/4" table). Elsewhere they are the blinds, in
    spread limit `small` 0 (the rulebook says the small blind) or that same small blind; in games with an ante and a
    bring-in `small` is 0 and `big` the minimum bet, 0 for the bring-in. `maxima`, of spread limit, holds one maximum
    for each betting round. `bring_in` 0: what the rulebook says. `chip_unit` defaults to the smallest unit.

    A rake table stated in one currency is read as the same numbers in any other with two decimal places.

    Refused, with a sentence, for anything that no table can be opened with.
    """
    played, book = registry.game(game), registry.rulebook(rulebook)
    structure, chips = registry.limit(limit), registry.kind(kind)
    check_currency(chips, currency)
    check_seats(played, seats)
    unit, scale = 1 if chip_unit is None else chip_unit, SCALES[currency]
    stated = Stated(played, structure, chips, book, small, big, maxima, ante, bring_in, unit, scale)
    check_amounts(stated)
    stakes = stakes_of(stated)
    check_maxima(stated, stakes.min_bet)
    rake = _rake(stated, stakes.min_bet) if chips is Kind.REAL else ()
    check_chip_unit(stated, rake)
    return TableTerms(
        game=played.name,
        game_revision=played.revision,
        limit=structure,
        kind=chips,
        currency=currency,
        scale=scale,
        seats=seats,
        chip_unit=unit,
        stakes=stakes,
        house_rules=house_rules(book, played, structure, chips, seats),
        rake=rake,
        rulebook=book.name,
        rulebook_digest=digest(book),
    )


def house_rules(rulebook: Rulebook, game: Game, limit: Limit, kind: Kind, seats: int) -> HouseRules:
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
        brings_in=DoorCard.HIGHEST if (game.name, limit) in rulebook.highest_brings_in else game.brings_in,
        open_pair=limit is Limit.FIXED and applies_to(rulebook.open_pair_in, game),
        plays_community_round=rulebook.plays_community_round,
    )


def _rake(stated: Stated, min_bet: int) -> tuple[RakeBand, ...]:
    """The row that rules.md section 9 has such a table pay by."""
    if stated.limit is Limit.SPREAD:
        return bands_for(stated.book, stated.limit, stated.maxima[0], 2 * stated.maxima[0])
    if stated.has_blinds or stated.limit is Limit.FIXED:
        return bands_for(stated.book, stated.limit, stated.small, stated.big)
    return bands_for(stated.book, stated.limit, None, min_bet)
