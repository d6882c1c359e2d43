"""The decider of a table, and the two moments when table and hand meet: a hand opened and a hand settled."""

from collections.abc import Sequence
from typing import Any

from domain.cards import deck
from domain.hand.dealing import Shoe, Shoes
from domain.hand.events import Clocks, DealtIn, Deck, HandOpened, HandSettled, Post, PostKind
from domain.hand.state import Hand, clockwise
from domain.messages import Refused
from domain.money import decimal_text
from domain.rules.rake import schedule_for
from domain.rules.registry import game_at
from domain.rules.stakes import TableTerms, resolve
from domain.rules.vocabulary import Forced, Game, Stakes
from domain.table import commands as ask
from domain.table import events as fact
from domain.table.state import Table

SMALL_BETS_TO_SIT_DOWN = 10
"""The least buy-in where the table states none (rules.md section 7)."""

NO_BUTTON = 0
"""Ante games are dealt from a box that stands before seat 1 and never moves (rules.md section 1)."""


def open_table(command: ask.OpenTable) -> list[Any]:
    """The table with its names resolved to values. Refused where no table can be opened so."""
    if not command.name.isprintable():
        raise Refused(f"{command.name!r} can't name a table: use printable characters only")
    terms = resolve(
        command.game,
        command.limit,
        command.rulebook,
        command.small,
        command.big,
        kind=command.kind,
        currency=command.currency,
        seats=command.seats,
        chip_unit=command.chip_unit or None,
        maxima=command.maxima,
        ante=command.ante,
        bring_in=command.bring_in,
    )
    least = command.least_buy_in or SMALL_BETS_TO_SIT_DOWN * (terms.stakes.small_bet or terms.stakes.min_bet)
    if command.most_buy_in and command.most_buy_in < least:
        raise Refused(
            f"the most to buy in with, {decimal_text(command.most_buy_in, terms.scale)}, is under the least, "
            f"{decimal_text(least, terms.scale)}: state a larger one, or 0 for none"
        )
    return [fact.TableOpened(command.name, terms, Clocks(), least, command.most_buy_in)]


def sit_down(table: Table, command: ask.SitDown) -> list[Any]:
    """A player takes a seat with chips from the cashier."""
    terms, opened = table.opened.terms, table.opened
    if command.seat > terms.seats:
        raise Refused(f"there is no seat {command.seat}: the table has seats 1 to {terms.seats}")
    if command.seat in table.seats:
        raise Refused(f"seat {command.seat} is taken by {table.seats[command.seat].player}: {_free_seats(table)}")
    elsewhere = next((number for number, seat in table.seats.items() if seat.player == command.player), None)
    if elsewhere is not None:
        raise Refused(f"{command.player} sits in seat {elsewhere} already: stand up first")
    if command.amount < opened.least_buy_in:
        raise Refused(
            f"{_chips(table, command.amount)} is too little: at least {_chips(table, opened.least_buy_in)} to sit down"
        )
    if opened.most_buy_in and command.amount > opened.most_buy_in:
        raise Refused(
            f"{_chips(table, command.amount)} is too much: at most {_chips(table, opened.most_buy_in)} to sit down"
        )
    return [
        fact.PlayerSeated(command.seat, command.player),
        fact.ChipsBrought(command.seat, command.player, command.amount),
    ]


def _free_seats(table: Table) -> str:
    free = [str(seat) for seat in range(1, table.opened.terms.seats + 1) if seat not in table.seats]
    return f"free are {', '.join(free)}" if free else "no seat is free"


def stand_up(table: Table, command: ask.StandUp) -> list[Any]:
    """A player leaves between hands; his chips go back to the cashier."""
    seat = table.seats.get(command.seat)
    if seat is None or seat.player != command.player:
        raise Refused(f"{command.player} doesn't sit in seat {command.seat}")
    if table.open_hand:
        raise Refused(f"hand {table.open_hand} is under way: stand up when it is over")
    taken = [fact.ChipsTaken(command.seat, seat.player, seat.stack)] if seat.stack else []
    return [*taken, fact.PlayerLeft(command.seat, seat.player)]


def deal_hand(table: Table, command: ask.DealHand, shoes: Shoes) -> tuple[fact.HandStarted, HandOpened, Shoe]:
    """The button moves, if the game has one, and a hand is opened with its shoe: all the game's cards, shuffled."""
    if table.open_hand:
        raise Refused(f"hand {table.open_hand} is under way: the next one is dealt when it is over")
    if command.number != table.hands + 1:
        raise Refused(f"hand {command.number} is not the next one of table {command.table}: that is {table.hands + 1}")
    seats = sorted(number for number, seat in table.seats.items() if seat.stack)
    if len(seats) < 2:
        raise Refused(f"table {command.table} has {len(seats)} with chips: a hand needs two")
    terms = table.opened.terms
    game = game_at(terms.game, terms.game_revision)
    button = _next_button(game, seats, table.button)
    hand = f"{command.table}-{command.number}"
    shoe = shoes.new(hand, deck(game.lowest_rank))
    opened = hand_under(
        terms,
        table=command.table,
        number=command.number,
        clocks=table.opened.clocks,
        button=button,
        seats=tuple(DealtIn(seat, table.seats[seat].player, table.seats[seat].stack) for seat in seats),
        posts=ordinary_posts(terms.stakes, seats, button),
        deck=shoe.deck,
    )
    return fact.HandStarted(hand, command.number, button), opened, shoe


def _next_button(game: Game, seats: Sequence[int], last: int) -> int:
    """The next seat dealt in, clockwise; in the first hand the lowest one (section 7). Ante games have none."""
    return clockwise(seats, last)[0] if game.forced is Forced.BLINDS else NO_BUTTON


def hand_under(
    terms: TableTerms,
    *,
    table: str,
    number: int,
    clocks: Clocks,
    button: int,
    seats: tuple[DealtIn, ...],
    posts: Sequence[Post],
    deck: Deck,
) -> HandOpened:
    """A hand that pins what the terms of its table say of it."""
    return HandOpened(
        table=table,
        number=number,
        game=terms.game,
        game_revision=terms.game_revision,
        limit=terms.limit,
        stakes=terms.stakes,
        house=terms.house_rules,
        rake=schedule_for(terms.rake, len(seats)),
        chip_unit=terms.chip_unit,
        currency=terms.currency,
        scale=terms.scale,
        kind=terms.kind,
        clocks=clocks,
        rulebook=terms.rulebook,
        rulebook_digest=terms.rulebook_digest,
        button=button,
        seats=seats,
        posts=tuple(posts),
        deck=deck,
    )


def ordinary_posts(stakes: Stakes, seats: Sequence[int], button: int) -> tuple[Post, ...]:
    """Antes of all, then the blinds of a game that has them: the small one left of the button and the big one next to
    it; heads-up the button posts the small one (rules.md section 2)."""
    order = clockwise(seats, button)
    antes = tuple(Post(seat, PostKind.ANTE, stakes.ante, False) for seat in order if stakes.ante)
    if not stakes.big_blind:
        return antes
    small, big = (order[1], order[0]) if len(order) == 2 else order[:2]
    return (
        *antes,
        Post(small, PostKind.SMALL_BLIND, stakes.small_blind, True),
        Post(big, PostKind.BIG_BLIND, stakes.big_blind, True),
    )


def hand_finished(hand: Hand, settled: HandSettled) -> fact.HandFinished:
    """What a settled hand means for its table.

    One that was cancelled counts as dealt, though all it moved was the button: the next one is dealt from the next
    button, and whoever posted for it owes nothing of that again (a reading of ours: `euro`, rules.md section 8, says
    only where the chips go; by section 7 the button moves each hand, and a blind that is skipped so isn't owed).
    """
    return fact.HandFinished(hand.id, settled.seats, settled.stacks, settled.rake)


def _chips(table: Table, amount: int) -> str:
    return decimal_text(amount, table.opened.terms.scale)
