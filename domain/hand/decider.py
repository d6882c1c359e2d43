"""The decider of a hand: what follows from a command, until the hand waits again.

All control flow of a hand stands here; the modules beside it compute. `open_hand` makes the first facts, `decide` all
later ones, and the hand moves on with each fact as it is found. So the caller owns the hand: where its facts can't be
recorded, or anything but Refused is raised, he drops it and loads it again. A refused command changes nothing.
"""

from collections.abc import Callable
from typing import Any

from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.betting import first_seat, next_turn, opening, wagered
from domain.hand.dealing import Shoe, deal
from domain.hand.pots import Pot, pots, uncalled
from domain.hand.showdown import Strength, awards, rake_taken, show, show_or_muck, strengths
from domain.hand.state import Hand
from domain.messages import Refused
from domain.money import decimal_text


def open_hand(opened: fact.HandOpened, shoe: Shoe) -> Hand:
    """A new hand: posts, the first cards, and the first decision or whatever follows without one.

    Its first facts stand in `facts`.
    """
    hand = Hand(opened)
    for post in opened.posts:
        _post(hand, post)
    _play_street(hand, 0, shoe)
    return hand


def decide(hand: Hand, command: Any, shoe: Shoe) -> list[Any]:
    """The facts that follow from a command; the hand has moved on with them.

    Raises Refused, with a sentence that says what would be right, for a command that breaks a rule.
    """
    handler = _HANDLERS.get(type(command))
    if handler is None:
        raise Refused(f"a hand knows no command {type(command).__name__}")
    facts: list[Any] = []
    hand.facts = facts
    handler(hand, command, shoe)
    return facts


def _post(hand: Hand, post: fact.Post) -> None:
    """A short stack posts what it has."""
    amount = min(post.amount, hand.stack[post.seat])
    if amount:
        hand.record(fact.BlindPosted(post.seat, post.kind, amount, post.live, amount == hand.stack[post.seat]))


# --- actions ---------------------------------------------------------------------------------------------------------


def _turn_of(hand: Hand, command: Any) -> fact.TurnGiven:
    """The decision that the command answers."""
    turn = hand.turn
    if turn is None or command.decision != hand.decision or command.seat != turn.seat:
        raise Refused(_why_not_his_turn(hand, command))
    return turn


def _why_not_his_turn(hand: Hand, command: Any) -> str:
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


def _fold(hand: Hand, command: ask.Fold, shoe: Shoe) -> None:
    _turn_of(hand, command)
    hand.record(fact.Folded(command.seat))
    _go_on(hand, command.seat, shoe)


def _check(hand: Hand, command: ask.Check, shoe: Shoe) -> None:
    turn = _turn_of(hand, command)
    if turn.call:
        raise Refused(f"seat {turn.seat} may not check: {_chips(hand, turn.call)} to call, or fold")
    hand.record(fact.Checked(command.seat))
    _go_on(hand, command.seat, shoe)


def _call(hand: Hand, command: ask.Call, shoe: Shoe) -> None:
    turn = _turn_of(hand, command)
    if not turn.call:
        raise Refused(f"seat {turn.seat} has nothing to call: check")
    seat, amount = turn.seat, turn.call
    hand.record(fact.Called(seat, amount, hand.live[seat] + amount, amount == hand.stack[seat]))
    _go_on(hand, seat, shoe)


def _bet(hand: Hand, command: ask.Bet, shoe: Shoe) -> None:
    turn = _turn_of(hand, command)
    if hand.wager:
        raise Refused(f"seat {turn.seat} may not bet: {_chips(hand, hand.wager)} was bet already; call, raise or fold")
    _wager(hand, turn, command.to, shoe)


def _raise(hand: Hand, command: ask.Raise, shoe: Shoe) -> None:
    turn = _turn_of(hand, command)
    if not hand.wager:
        raise Refused(f"seat {turn.seat} may not raise: nobody has bet; check or bet")
    _wager(hand, turn, command.to, shoe)


def _wager(hand: Hand, turn: fact.TurnGiven, to: int, shoe: Shoe) -> None:
    if not turn.least <= to <= turn.most or to == 0:
        raise Refused(_why_not_to(hand, turn, to))
    all_in = to == hand.live[turn.seat] + hand.stack[turn.seat]
    if to % hand.opened.chip_unit and not all_in:
        raise Refused(
            f"{_chips(hand, to)} can't be made of chips of {_chips(hand, hand.opened.chip_unit)}: "
            "bet or raise to a multiple of it, or all-in"
        )
    hand.record(wagered(hand, turn.seat, to))
    _go_on(hand, turn.seat, shoe)


def _why_not_to(hand: Hand, turn: fact.TurnGiven, to: int) -> str:
    word = "raise" if hand.wager else "bet"
    if turn.most == 0:
        return f"seat {turn.seat} may not {word}: {_instead(hand, turn)}"
    everything = hand.live[turn.seat] + hand.stack[turn.seat]
    if to > everything:
        return f"seat {turn.seat} can't {word} to {_chips(hand, to)}: all that he has makes {_chips(hand, everything)}"
    if turn.least == turn.most:
        return f"seat {turn.seat} may {word} to {_chips(hand, turn.least)} and nothing else, not to {_chips(hand, to)}"
    return (
        f"seat {turn.seat} may {word} to {_chips(hand, turn.least)} at the least and {_chips(hand, turn.most)} "
        f"at the most, not to {_chips(hand, to)}"
    )


def _instead(hand: Hand, turn: fact.TurnGiven) -> str:
    return f"call {_chips(hand, turn.call)} or fold" if turn.call else "check or fold"


def _chips(hand: Hand, amount: int) -> str:
    return decimal_text(amount, hand.opened.scale)


def _wish(hand: Hand, command: ask.GiveUpAtShowdown | ask.AskToShow, shoe: Shoe) -> None:
    seat = command.seat
    if hand.settled:
        raise Refused(f"hand {hand.id} is over: what its showdown does had to be asked before")
    if seat not in hand.contesting:
        raise Refused(f"seat {seat} is not in hand {hand.id} any more: only a live hand can be shown or given up")
    give_up = isinstance(command, ask.GiveUpAtShowdown)
    if give_up and not hand.opened.house.may_give_up:
        raise Refused(
            f"rulebook {hand.opened.rulebook} has every unbeaten hand of this game shown: it can't be given up"
        )
    hand.record(fact.ShowdownWished(seat, fact.Wish.GIVE_UP if give_up else fact.Wish.SHOW))


_HANDLERS: dict[type[Any], Callable[[Hand, Any, Shoe], None]] = {
    ask.Fold: _fold,
    ask.Check: _check,
    ask.Call: _call,
    ask.Bet: _bet,
    ask.Raise: _raise,
    ask.GiveUpAtShowdown: _wish,
    ask.AskToShow: _wish,
}


# --- what follows by rule --------------------------------------------------------------------------------------------


def _go_on(hand: Hand, seat: int, shoe: Shoe) -> None:
    """After an action: the next decision of the round, or the end of the round."""
    if len(hand.contesting) > 1:
        turn = next_turn(hand, seat)
        if turn is not None:
            hand.record(turn)
            return
    _end_round(hand, hand.street, shoe)


def _play_street(hand: Hand, street: int, shoe: Shoe) -> None:
    """Deal a street and open its betting round; where nobody can act, the round isn't played."""
    hand.record_all(deal(hand, hand.game.streets[street], shoe))
    if _can_still_bet(hand, street):
        hand.record(opening(hand, street))
        turn = next_turn(hand, first_seat(hand, street))
        if turn is not None:
            hand.record(turn)
            return
    _end_round(hand, street, shoe)


def _can_still_bet(hand: Hand, street: int) -> bool:
    """In the first round somebody may still owe a blind; later a bet needs two who have chips."""
    able = hand.able_to_bet()
    return able > 1 or (street == 0 and able == 1)


def _end_round(hand: Hand, street: int, shoe: Shoe) -> None:
    """Return what nobody called, gather the pots, and go to the next street, the showdown or the only one left."""
    takes_all = len(hand.contesting) == 1 and hand.stack[hand.contesting[0]] > 0
    for seat, excess in uncalled(hand.put_in, hand.contesting, takes_all):
        hand.record(fact.UncalledBetReturned(seat, excess))
    standing = pots(hand.put_in, hand.contesting, hand.dead)
    amounts = tuple([pot.amount for pot in standing])
    if amounts != hand.pots:
        hand.record(fact.BetsCollected(amounts))
    if len(hand.contesting) == 1:
        _settle_unopposed(hand, standing, shoe)
    elif street + 1 == len(hand.game.streets):
        _showdown(hand, standing, shoe)
    else:
        _turn_up_if_betting_is_over(hand, shoe)
        _play_street(hand, street + 1, shoe)


def _turn_up_if_betting_is_over(hand: Hand, shoe: Shoe) -> None:
    """With at most one who contests having chips left, all live hands are turned up (section 3, show or muck)."""
    if hand.shown or hand.able_to_bet() > 1:
        return
    for seat in hand.contesting:
        hand.record(show(seat, hand, shoe, fact.ShownBecause.ALL_IN))


def _showdown(hand: Hand, standing: list[Pot], shoe: Shoe) -> None:
    worth = strengths(hand, shoe)
    hand.record_all(show_or_muck(hand, standing, worth, shoe))
    _settle(hand, standing, worth)


def _settle_unopposed(hand: Hand, standing: list[Pot], shoe: Shoe) -> None:
    """When all but one fold, the pot is his; he shows only at his wish (section 3)."""
    (winner,) = hand.contesting
    if hand.wishes.get(winner) is fact.Wish.SHOW:
        hand.record(show(winner, hand, shoe, fact.ShownBecause.ASKED))
    _settle(hand, standing, {})


def _settle(hand: Hand, standing: list[Pot], worth: dict[int, Strength]) -> None:
    """Rake, awards, and the stacks of the end."""
    rake = rake_taken(hand, standing)
    if rake is not None and rake.amount:
        hand.record(rake)
    raked = rake.by_pot if rake is not None else (0,) * len(standing)
    hand.record_all(awards(hand, standing, raked, worth))
    seats = tuple(sorted(hand.order))
    hand.record(fact.HandSettled(seats, tuple([hand.stack[seat] for seat in seats]), hand.rake))
