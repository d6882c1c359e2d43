"""Blinds, bring-in and bets: the stakes that follow from what a table states (rules.md section 2)."""

from domain.messages import Refused
from domain.money import round_down, round_up
from domain.rules.rulebook import BringIn, SmallBlind
from domain.rules.stated import Stated
from domain.rules.vocabulary import Limit, Stakes


def stakes_of(stated: Stated) -> Stakes:
    """All amounts of the table. Refused where they contradict the rulebook, one another, or can't be told."""
    return _with_blinds(stated) if stated.has_blinds else _with_bring_in(stated)


def _with_blinds(stated: Stated) -> Stakes:
    small, big, ante = stated.small, stated.big, stated.ante
    if stated.limit is Limit.FIXED:
        posted = small_blind(stated.book.small_blind, small, stated.chip_unit, stated.scale)
        return Stakes(small_blind=posted, big_blind=small, ante=ante, small_bet=small, big_bet=big)
    if stated.limit is Limit.SPREAD:
        posted = small_blind(stated.book.small_blind, big, stated.chip_unit, stated.scale)
        if small not in (0, posted):
            raise Refused(
                f"the small blind of a spread-limit table with a big blind of {stated.text(big)} is "
                f"{stated.text(posted)} under rulebook {stated.book.name!r}, not {stated.text(small)}"
            )
        return Stakes(small_blind=posted, big_blind=big, ante=ante, min_bet=big, maxima=stated.maxima)
    return Stakes(small_blind=small, big_blind=big, ante=ante, min_bet=big)


def small_blind(rule: SmallBlind, big_blind: int, chip_unit: int, scale: int) -> int:
    """The small blind of fixed and spread limit; the big blind of fixed limit is its small bet (section 2, Blinds).

    `scale` is the currency's number of decimal places: its whole unit is 10 ** scale minor units.
    """
    half = big_blind // 2
    if rule is SmallBlind.HALF_IN_WHOLE_UNITS:
        half = round_down(half, 10**scale) or half
    return max(round_down(half, chip_unit), chip_unit)


def _with_bring_in(stated: Stated) -> Stakes:
    if stated.limit is Limit.FIXED:
        owed = _bring_in_of_fixed_limit(stated)
        return Stakes(ante=stated.ante, bring_in=owed, small_bet=stated.small, big_bet=stated.big)
    owed = _stated_or_twice_the_ante(stated)
    if 0 < stated.big < owed:
        raise Refused(
            f"the minimum bet of {stated.text(stated.big)} is under {_named(stated, owed)}: state at least that, or 0 "
            "to have the bring-in as the minimum bet"
        )
    return Stakes(ante=stated.ante, bring_in=owed, min_bet=stated.big or owed, maxima=stated.maxima)


def _bring_in_of_fixed_limit(stated: Stated) -> int:
    if stated.book.fixed_bring_in is BringIn.HALF_THE_SMALL_BET:
        return _half_the_small_bet(stated)
    owed = _stated_or_twice_the_ante(stated)
    if owed > stated.small:
        raise Refused(
            f"{_named(stated, owed)} is above the small bet of {stated.text(stated.small)}: it may be that at most"
        )
    return owed


def _half_the_small_bet(stated: Stated) -> int:
    """Up to the chip unit."""
    half = round_up((stated.small + 1) // 2, stated.chip_unit)
    if stated.bring_in not in (0, half):
        raise Refused(
            f"the bring-in of a fixed-limit table with a small bet of {stated.text(stated.small)} is "
            f"{stated.text(half)} under rulebook {stated.book.name!r}, not {stated.text(stated.bring_in)}"
        )
    return half


def _stated_or_twice_the_ante(stated: Stated) -> int:
    owed = stated.bring_in or 2 * stated.ante
    if not owed:
        raise Refused(
            f"a table of {stated.game.title} needs a bring-in: state one, or an ante, of which it is twice as much"
        )
    return owed


def _named(stated: Stated, owed: int) -> str:
    source = "" if stated.bring_in else f" (twice the ante of {stated.text(stated.ante)})"
    return f"the bring-in of {stated.text(owed)}{source}"
