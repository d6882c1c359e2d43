"""Why a command to a hand is refused, and what would be right: one sentence each."""

from typing import Any

from domain.hand import events as fact
from domain.hand.legal import actions, chips, legal
from domain.hand.state import Action, Hand, Turn
from domain.messages import SECOND
from domain.rules.phrases import counted, seconds


def not_his_turn(hand: Hand, command: Any) -> str:
    """For an answer to another decision than the one that is awaited, or of another seat."""
    if hand.cancelled:
        return f"hand {hand.id} was cancelled, every chip has gone back; it takes no more actions"
    if hand.settled:
        return f"hand {hand.id} is over; it takes no more actions"
    turn = hand.turn
    if turn is None:
        return f"hand {hand.id} awaits no action"
    awaited = f"the action is on seat {turn.seat} (decision {hand.decision})"
    if command.decision < hand.decision:
        return f"decision {command.decision} of hand {hand.id} has been answered, and the hand has moved on: {awaited}"
    if command.decision > hand.decision:
        return f"hand {hand.id} has no decision {command.decision} yet: {awaited}"
    return f"seat {command.seat} acts out of turn: {awaited}"


def asked_for_something_else(hand: Hand, turn: Turn) -> str:
    """For an answer of another kind than the one that is awaited."""
    match turn:
        case fact.BringInOwed():
            return f"seat {turn.seat} must bring in with {_amounts(hand, turn)}"
        case fact.DrawOffered():
            return f"seat {turn.seat} draws now: discard up to {counted(turn.most, 'card')}, or stand pat"
        case fact.SplitOffered() if not hand.stack[turn.seat]:
            return f"seat {turn.seat} is all-in: agree to the split, or refuse it"
        case _:
            return f"seat {turn.seat} is to act now: {legal(hand)}"


def _amounts(hand: Hand, turn: Action | fact.BringInOwed) -> str:
    least, most = chips(turn.least, hand), chips(turn.most, hand)
    if turn.least == turn.most:
        return f"{least} and nothing else"
    return f"{least} or {most} and nothing else" if hand.fixed else f"{least} at the least and {most} at the most"


def not_that_bring_in(hand: Hand, turn: fact.BringInOwed, to: int) -> str:
    return f"{asked_for_something_else(hand, turn)}, not with {chips(to, hand)}"


def may_not_check(hand: Hand, turn: Action) -> str:
    return f"seat {turn.seat} may not check: {chips(turn.call, hand)} to call, or fold"


def nothing_to_call(turn: Action) -> str:
    return f"seat {turn.seat} has nothing to call: check"


def bet_already(hand: Hand, turn: Action) -> str:
    return f"seat {turn.seat} may not bet: {chips(hand.wager, hand)} was bet already; {legal(hand)}"


def nobody_has_bet(hand: Hand, turn: Action) -> str:
    return f"seat {turn.seat} may not raise: nobody has bet; {legal(hand)}"


def not_that_wager(hand: Hand, turn: Action, to: int) -> str:
    """For a bet or raise that isn't legal, or not to that amount."""
    seat, word = turn.seat, "raise" if hand.wager else "bet"
    if turn.most == 0:
        because = "it drew too late; " if seat in hand.late else ""
        return f"seat {seat} may not {word}: {because}{legal(hand)}"
    word = "raise to" if hand.wager else "bet"
    everything = hand.live[seat] + hand.stack[seat]
    if to > everything:
        return f"seat {seat} can't {word} {chips(to, hand)}: all that he has makes {chips(everything, hand)}"
    return f"seat {seat} may {word} {_amounts(hand, turn)}, not {chips(to, hand)}"


def no_such_chips(hand: Hand, to: int) -> str:
    unit = chips(hand.opened.chip_unit, hand)
    return f"{chips(to, hand)} can't be made of chips of {unit}: put in a multiple of it, or go all-in"


def not_his_card(hand: Hand, seat: int, index: int) -> str:
    held = ", ".join(map(str, hand.dealt[seat]))
    return f"seat {seat} doesn't hold card {index}: it can discard of {held}"


def twice_the_same_card(seat: int, discards: tuple[int, ...]) -> str:
    return f"seat {seat} can discard a card only once: {', '.join(map(str, discards))}"


def too_many_discards(turn: fact.DrawOffered, count: int) -> str:
    return f"seat {turn.seat} may discard {counted(turn.most, 'card')} at the most, not {count}"


def no_split_offered(hand: Hand, turn: Turn) -> str:
    return f"no split is offered: {asked_for_something_else(hand, turn)}"


def refuses_by_acting(hand: Hand, turn: fact.SplitOffered) -> str:
    return f"seat {turn.seat} has chips left and refuses the split by acting: {actions(turn, hand)}"


def too_late_to_wish(hand: Hand) -> str:
    return f"hand {hand.id} is over: what its showdown does had to be asked before"


def all_hands_are_shown(hand: Hand) -> str:
    """For a wish to give up where the rulebook has none."""
    return f"rulebook {hand.opened.rulebook} has every unbeaten hand of this game shown: it can't be given up"


def no_wish_now(hand: Hand, seat: int) -> str:
    """For a seat without a live hand."""
    where = "is not in hand {} any more" if seat in hand.order else "was not dealt into hand {}"
    return f"seat {seat} {where.format(hand.id)}: only a live hand can be shown or given up"


def not_run_twice(hand: Hand) -> str:
    """For whoever asks, whenever: no rulebook of this room has it."""
    dealt = "one board is dealt" if any(one.board for one in hand.game.streets) else "every card is dealt once"
    return f"run it twice isn't spread here: {dealt} in hand {hand.id}, whoever is all-in"


def unprotected_in_a_tournament(hand: Hand) -> str:
    return f"hand {hand.id} is of a tournament: nobody is all-in protected there, who is late folds"


def needs_no_protection(hand: Hand, seat: int) -> str:
    return f"seat {seat} is all-in and needs no protection: he is too late"


def too_late_to_leave(hand: Hand) -> str:
    return f"hand {hand.id} is over: stand up from the table"


def cannot_leave(hand: Hand, seat: int) -> str:
    """For a seat that isn't in the hand, or has left it."""
    if seat in hand.left:
        return f"seat {seat} has left hand {hand.id} already"
    return f"seat {seat} was not dealt into hand {hand.id}: stand up from the table"


def too_late_to_cancel(hand: Hand) -> str:
    return f"hand {hand.id} {'was cancelled already' if hand.cancelled else 'is over'}: it can't be cancelled any more"


def goes_on_in_a_tournament(hand: Hand) -> str:
    return f"hand {hand.id} is of a tournament: it goes on where it stopped"


def no_failure(hand: Hand, gap: int) -> str:
    grace = hand.opened.clocks.failure_grace * SECOND
    return (
        f"hand {hand.id} goes on: {seconds(gap)} without an owner is a pause, it is cancelled after more than "
        f"{seconds(grace)}"
    )
