"""How many chips a player may bring to a table (rules.md section 7). Amounts are minor units of its currency."""

from domain.messages import Refused
from domain.money import decimal_text
from domain.rules.registry import rulebook
from domain.rules.stakes import TableTerms
from domain.rules.vocabulary import Kind, Limit
from domain.table.state import Left, Table, minutes

SMALL_BETS_TO_SIT_DOWN = 10
"""The least buy-in where neither table nor rulebook states one."""

TIMES_THE_LEAST = 10
"""The most, in structures that have a maximum, where the table states none."""

WITH_A_MAXIMUM = (Limit.POT, Limit.HALF_POT, Limit.NO)


def least_by_default(terms: TableTerms) -> int:
    """What the rulebook's own list says for these stakes in real money, else ten small bets."""
    bets = (terms.stakes.small_bet, terms.stakes.big_bet)
    for row in rulebook(terms.rulebook).seating.least_buy_ins:
        if terms.kind is Kind.REAL and terms.game in row.games and (terms.limit, bets) == (row.limit, row.bets):
            return row.least
    return ten_small_bets(terms)


def ten_small_bets(terms: TableTerms) -> int:
    """Or ten minimum bets, where there are no fixed ones."""
    return SMALL_BETS_TO_SIT_DOWN * (terms.stakes.small_bet or terms.stakes.min_bet)


def most_by_default(terms: TableTerms, least: int) -> int:
    """`least`: what the table asks for; 0: only the account limits it."""
    return TIMES_THE_LEAST * max(least, ten_small_bets(terms)) if terms.limit in WITH_A_MAXIMUM else 0


def check_buy_in(table: Table, player: str, amount: int, at: int) -> None:
    """Refused unless a player may sit down with so many chips at that time (UTC microseconds).

    Who left within the hour comes back with what he left with, or more.
    """
    least, most, left = table.opened.least_buy_in, table.opened.most_buy_in, _left(table, player, at)
    if left is not None and left.stack > max(least, amount):
        raise Refused(
            f"{_chips(table, amount)} is too little: {player} left with {_chips(table, left.stack)} within the last "
            f"{_remembered(table)} minutes, and comes back with at least that"
        )
    if amount < least:
        raise Refused(f"{_chips(table, amount)} is too little: at least {_chips(table, least)} to sit down")
    most = max(most, left.stack) if left is not None and most else most
    if most and amount > most:
        raise Refused(f"{_chips(table, amount)} is too much: at most {_chips(table, most)} to sit down")


def check_top_up(table: Table, seat: int, amount: int) -> None:
    """Refused unless so many more chips leave the player in that seat at or under the table's maximum."""
    has, most = table.seats[seat].chips, table.opened.most_buy_in
    if most and has + amount > most:
        room = f"at most {_chips(table, most - has)} more" if has < most else "no more"
        raise Refused(
            f"{_chips(table, amount)} is too much: seat {seat} has {_chips(table, has)}, the table's maximum is "
            f"{_chips(table, most)}, so it takes {room}"
        )


def _left(table: Table, player: str, at: int) -> Left | None:
    left = table.left.get(player)
    return left if left is not None and at - left.at <= minutes(_remembered(table)) else None


def _remembered(table: Table) -> int:
    return table.rules.stack_remembered if table.rules is not None else 0


def _chips(table: Table, amount: int) -> str:
    return decimal_text(amount, table.opened.terms.scale)
