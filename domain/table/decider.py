"""The decider of a table's hands: its opening, and the two moments when table and hand meet, opened and settled."""

from collections.abc import Sequence
from typing import Any

from domain.cards import deck
from domain.hand.dealing import Shoe, Shoes
from domain.hand.events import Clocks, DealtIn, Deck, HandOpened, HandSettled, Post
from domain.hand.state import Hand
from domain.messages import Refused
from domain.money import decimal_text
from domain.rules.rake import schedule_for
from domain.rules.registry import game_at, rulebook
from domain.rules.rulebook import seat_rules
from domain.rules.stakes import TableTerms, resolve
from domain.rules.vocabulary import Kind, SeatRules
from domain.table import commands as ask
from domain.table import events as fact
from domain.table.buy_in import least_by_default, most_by_default, ten_small_bets
from domain.table.floor import check_may_deal
from domain.table.seating import LineUp, line_up
from domain.table.state import Table


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
    seating = _seating(command, terms)
    least, most = _buy_ins(command, terms, seating)
    return [fact.TableOpened(command.name, terms, _clocks(command), least, most, command.funds, seating)]


def _seating(command: ask.OpenTable, terms: TableTerms) -> SeatRules | None:
    """A tournament's players neither wait nor owe, and buy in once."""
    if not command.seat_rules or terms.kind is Kind.TOURNAMENT:
        return None
    return seat_rules(rulebook(terms.rulebook), terms.limit)


def _buy_ins(command: ask.OpenTable, terms: TableTerms, seating: SeatRules | None) -> tuple[int, int]:
    """The least and the most (section 7): where the table states none, what the rulebook says."""
    least = command.least_buy_in or (ten_small_bets(terms) if seating is None else least_by_default(terms))
    if command.most_buy_in and command.most_buy_in < least:
        raise Refused(
            f"the most to buy in with, {decimal_text(command.most_buy_in, terms.scale)}, is under the least, "
            f"{decimal_text(least, terms.scale)}: state a larger one, or 0 for none"
        )
    return least, command.most_buy_in or (0 if seating is None else most_by_default(terms, least))


def _clocks(command: ask.OpenTable) -> Clocks:
    usual = Clocks()
    return Clocks(
        command.action_clock or usual.action,
        command.draw_clock or usual.draw,
        command.failure_grace or usual.failure_grace,
    )


def deal_hand(table: Table, command: ask.DealHand, shoes: Shoes) -> tuple[list[Any], HandOpened, Shoe]:
    """The button moves, if the game has one, and a hand is opened with its shoe: all the game's cards, shuffled.

    First come the facts of the table: the hand was started, and whom its blinds passed by.
    """
    if table.open_hand:
        raise Refused(f"hand {table.open_hand} is under way: the next one is dealt when it is over")
    if command.number != table.hands + 1:
        raise Refused(f"hand {command.number} is not the next one of table {command.table}: that is {table.hands + 1}")
    check_may_deal(table)
    terms = table.opened.terms
    game = game_at(terms.game, terms.game_revision)
    lined_up = line_up(table, game)
    hand = f"{command.table}-{command.number}"
    shoe = shoes.new(hand, deck(game.lowest_rank))
    opened = hand_under(
        terms,
        table=command.table,
        number=command.number,
        clocks=table.opened.clocks,
        button=lined_up.button,
        seats=tuple(DealtIn(seat, table.seats[seat].player, table.seats[seat].stack) for seat in lined_up.seats),
        posts=lined_up.posts,
        deck=shoe.deck,
    )
    started = fact.HandStarted(hand, command.number, lined_up.button, lined_up.entered)
    return [started, *_passed_by(table, lined_up)], opened, shoe


def _passed_by(table: Table, lined_up: LineUp) -> list[Any]:
    """The blinds that this hand's absent missed, and who loses his seat for it."""
    small, big, rules = lined_up.missed_small, lined_up.missed_big, table.rules
    if rules is None or not (small or big):
        return []
    taken_off = [
        fact.PlayerLeaving(number, table.seats[number].player, fact.Leaving.MISSED_BLINDS, "")
        for number in big
        if 0 < rules.taken_off_after <= table.seats[number].missed_in_a_row + 1
    ]
    return [fact.BlindsMissed(small, big), *taken_off]


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


def hand_finished(hand: Hand, settled: HandSettled) -> fact.HandFinished:
    """What a settled hand means for its table.

    One that was cancelled counts as dealt, though all it moved was the button: the next one is dealt from the next
    button, and whoever posted for it owes nothing of that again (a reading of ours: `euro`, rules.md section 8, says
    only where the chips go; by section 7 the button moves each hand, and a blind that is skipped so isn't owed).
    """
    return fact.HandFinished(hand.id, settled.seats, settled.stacks, settled.rake)
