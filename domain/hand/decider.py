"""The decider of a hand: what follows from a command, until the hand waits again.

All control flow of a hand stands here; the modules beside it compute. `open_hand` makes the first facts, `decide` all
later ones, and the hand moves on with each fact as it is found. So the caller owns the hand: where its facts can't be
recorded, or anything but Refused is raised, he drops it and loads it again. A refused command changes nothing.
"""

from collections.abc import Callable
from typing import Any

from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand import refusals as why
from domain.hand.betting import bring_in_owed, brought_in, first_seat, next_turn, opening, wagered
from domain.hand.dealing import Shoe, deal, one_for_all, runs_short
from domain.hand.drawing import drawn_from_shoe, next_draw, reshuffled
from domain.hand.pots import Pot, pots, uncalled
from domain.hand.showdown import Strength, awards, order_of_showing, rake_taken, show, show_or_muck, strengths
from domain.hand.splitvote import agreed, next_offer
from domain.hand.state import NOT_ACTED, Action, Hand, Turn
from domain.messages import SECOND, Refused
from domain.rules.vocabulary import Kind, Opener


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


def _asked(hand: Hand, command: Any) -> Turn:
    """What the command answers, if that is what the hand waits for."""
    turn = hand.turn
    if turn is None or command.decision != hand.decision or command.seat != turn.seat:
        raise Refused(why.not_his_turn(hand, command))
    return turn


def _action_of(hand: Hand, command: Any) -> Action:
    """The decision that an action answers."""
    turn = hand.turn
    if type(turn) is fact.TurnGiven and command.decision == hand.decision and command.seat == turn.seat:
        return turn
    turn = _asked(hand, command)
    if type(turn) is fact.SplitOffered and hand.stack[turn.seat]:
        return turn
    raise Refused(why.asked_for_something_else(hand, turn))


def _fold(hand: Hand, command: ask.Fold, shoe: Shoe) -> None:
    _action_of(hand, command)
    hand.record(fact.Folded(command.seat))
    _go_on(hand, command.seat, shoe)


def _check(hand: Hand, command: ask.Check, shoe: Shoe) -> None:
    turn = _action_of(hand, command)
    if turn.call:
        raise Refused(why.may_not_check(hand, turn))
    hand.record(fact.Checked(command.seat))
    _go_on(hand, command.seat, shoe)


def _call(hand: Hand, command: ask.Call, shoe: Shoe) -> None:
    turn = _action_of(hand, command)
    if not turn.call:
        raise Refused(why.nothing_to_call(turn))
    seat, amount = turn.seat, turn.call
    hand.record(fact.Called(seat, amount, hand.live[seat] + amount, amount == hand.stack[seat]))
    _go_on(hand, seat, shoe)


def _bet(hand: Hand, command: ask.Bet, shoe: Shoe) -> None:
    turn = _action_of(hand, command)
    if hand.wager:
        raise Refused(why.bet_already(hand, turn))
    _wager(hand, turn, command.to, shoe)


def _raise(hand: Hand, command: ask.Raise, shoe: Shoe) -> None:
    turn = _action_of(hand, command)
    if not hand.wager:
        raise Refused(why.nobody_has_bet(hand, turn))
    _wager(hand, turn, command.to, shoe)


def _wager(hand: Hand, turn: Action, to: int, shoe: Shoe) -> None:
    if to == 0 or not _within(hand, turn.least, to, turn.most):
        raise Refused(why.not_that_wager(hand, turn, to))
    _check_chips(hand, turn.seat, to)
    hand.record(wagered(hand, turn.seat, to))
    _go_on(hand, turn.seat, shoe)


def _within(hand: Hand, least: int, to: int, most: int) -> bool:
    """Fixed limit allows the least and the most, and nothing between."""
    return to in (least, most) if hand.fixed else least <= to <= most


def _check_chips(hand: Hand, seat: int, to: int) -> None:
    all_in = to == hand.live[seat] + hand.stack[seat]
    if to % hand.opened.chip_unit and not all_in:
        raise Refused(why.no_such_chips(hand, to))


def _bring_in(hand: Hand, command: ask.BringIn, shoe: Shoe) -> None:
    turn = _asked(hand, command)
    if type(turn) is not fact.BringInOwed:
        raise Refused(why.asked_for_something_else(hand, turn))
    if not _within(hand, turn.least, command.to, turn.most):
        raise Refused(why.not_that_bring_in(hand, turn, command.to))
    _check_chips(hand, turn.seat, command.to)
    hand.record(brought_in(hand, turn.seat, command.to))
    _go_on(hand, turn.seat, shoe)


# --- draws, votes and wishes -----------------------------------------------------------------------------------------


def _draw(hand: Hand, command: ask.Draw, shoe: Shoe) -> None:
    turn = _draw_of(hand, command)
    seat, discards = turn.seat, command.discards
    strange = [index for index in discards if index not in hand.dealt[seat]]
    if strange:
        raise Refused(why.not_his_card(hand, seat, strange[0]))
    if len(set(discards)) < len(discards):
        raise Refused(why.twice_the_same_card(seat, discards))
    if len(discards) > turn.most:
        raise Refused(why.too_many_discards(turn, len(discards)))
    if discards:
        _exchange(hand, seat, discards, shoe)
    else:
        hand.record(fact.StoodPat(seat, late=False))
    _go_on_drawing(hand, seat, shoe)


def _draw_too_late(hand: Hand, command: ask.DrawTooLate, shoe: Shoe) -> None:
    turn = _draw_of(hand, command)
    hand.record(fact.StoodPat(turn.seat, late=True))
    _go_on_drawing(hand, turn.seat, shoe)


def _draw_of(hand: Hand, command: Any) -> fact.DrawOffered:
    turn = _asked(hand, command)
    if type(turn) is not fact.DrawOffered:
        raise Refused(why.asked_for_something_else(hand, turn))
    return turn


def _exchange(hand: Hand, seat: int, discards: tuple[int, ...], shoe: Shoe) -> None:
    """As many cards as were thrown away, after a reshuffle where the deck runs out (section 5)."""
    hand.record(fact.CardsDiscarded(seat, discards))
    missing = len(discards)
    while missing:
        dealt = drawn_from_shoe(hand, seat, missing, shoe)
        if dealt is None:
            hand.record(reshuffled(hand, shoe))
        else:
            hand.record(dealt)
            missing -= len(dealt.indices)


def _vote(hand: Hand, command: ask.VoteToSplit, shoe: Shoe) -> None:
    turn = _asked(hand, command)
    if type(turn) is not fact.SplitOffered:
        raise Refused(why.no_split_offered(hand, turn))
    if not command.agree and hand.stack[turn.seat]:
        raise Refused(why.refuses_by_acting(hand, turn))
    _cast_vote(hand, turn.seat, command.agree, shoe)


def _cast_vote(hand: Hand, seat: int, agrees: bool, shoe: Shoe) -> None:
    hand.record(fact.SplitVoteCast(seat, agrees))
    if not _offer_a_split(hand, seat, shoe):
        _go_on(hand, seat, shoe)


def _wish(hand: Hand, command: ask.GiveUpAtShowdown | ask.AskToShow, shoe: Shoe) -> None:
    seat = command.seat
    if hand.settled:
        raise Refused(why.too_late_to_wish(hand))
    if seat not in hand.contesting:
        raise Refused(why.no_wish_now(hand, seat))
    give_up = isinstance(command, ask.GiveUpAtShowdown)
    if give_up and not hand.opened.house.may_give_up:
        raise Refused(why.all_hands_are_shown(hand))
    hand.record(fact.ShowdownWished(seat, fact.Wish.GIVE_UP if give_up else fact.Wish.SHOW))


def _run_it_twice(hand: Hand, command: ask.RunItTwice, shoe: Shoe) -> None:
    raise Refused(why.not_run_twice(hand))


def _cancel(hand: Hand, command: ask.CancelHand, shoe: Shoe) -> None:
    """Whatever the hand waits for. No card is turned up for it, and nothing is won (section 8, server failure)."""
    if hand.settled:
        raise Refused(why.too_late_to_cancel(hand))
    if hand.opened.kind is Kind.TOURNAMENT:
        raise Refused(why.goes_on_in_a_tournament(hand))
    if command.gap <= hand.opened.clocks.failure_grace * SECOND:
        raise Refused(why.no_failure(hand, command.gap))
    put_in = [(one.seat, hand.has_put_in(one.seat)) for one in hand.opened.seats]
    back = [(seat, amount) for seat, amount in put_in if amount]
    seats, amounts = tuple([seat for seat, _ in back]), tuple([amount for _, amount in back])
    hand.record(fact.HandCancelled(command.gap, seats, amounts))
    _end(hand)


# --- players who don't answer ----------------------------------------------------------------------------------------


def _act_too_late(hand: Hand, command: ask.ActTooLate, shoe: Shoe) -> None:
    turn = _asked(hand, command)
    if type(turn) is fact.DrawOffered:
        raise Refused(why.asked_for_something_else(hand, turn))
    hand.record(fact.OutOfTime(turn.seat))
    _answer_for_him(hand, turn, shoe, folds=hand.opened.kind is Kind.TOURNAMENT)


def _protect(hand: Hand, command: ask.Protect, shoe: Shoe) -> None:
    """With nothing in the pot he is simply out (section 8)."""
    turn = _asked(hand, command)
    seat, behind = turn.seat, hand.stack[turn.seat]
    if hand.opened.kind is Kind.TOURNAMENT:
        raise Refused(why.unprotected_in_a_tournament(hand))
    if not behind:
        raise Refused(why.needs_no_protection(hand, seat))
    if hand.has_put_in(seat):
        hand.record(fact.AllInProtected(seat, behind))
    else:
        hand.record_all([fact.OutOfTime(seat), fact.Folded(seat)])
    _go_on_without_him(hand, turn, shoe)


def _go_on_without_him(hand: Hand, turn: Turn, shoe: Shoe) -> None:
    """After a seat that was awaited, and has folded or become all-in without doing what it was asked."""
    seat = turn.seat
    if len(hand.contesting) == 1:
        _end_round(hand, hand.street, shoe)
    elif type(turn) is fact.BringInOwed:
        _ask_to_bring_in(hand, shoe)
    elif type(turn) is not fact.TurnGiven and seat in hand.contesting:
        _answer_for_him(hand, turn, shoe)
    elif type(turn) is fact.DrawOffered:
        _go_on_drawing(hand, seat, shoe)
    else:
        _go_on(hand, seat, shoe)


def _leave(hand: Hand, command: ask.Leave, shoe: Shoe) -> None:
    """It is a fold when his turn comes (section 7). A bring-in is owed all the same, and a draw can't be folded in: he
    folds at his next action."""
    seat = command.seat
    if hand.settled:
        raise Refused(why.too_late_to_leave(hand))
    if seat not in hand.order or seat in hand.left:
        raise Refused(why.cannot_leave(hand, seat))
    hand.record(fact.PlayerLeft(seat))
    if hand.turn is not None and hand.turn.seat == seat:
        _answer_for_him(hand, hand.turn, shoe, folds=True)


def _answer_for_him(hand: Hand, turn: Turn, shoe: Shoe, *, folds: bool = False) -> None:
    """What is done for a player who doesn't answer: he checks if that is free, unless he `folds` in any case."""
    seat = turn.seat
    match turn:
        case fact.BringInOwed():
            hand.record(brought_in(hand, seat, turn.least))
            _go_on(hand, seat, shoe)
        case fact.DrawOffered():
            hand.record(fact.StoodPat(seat, late=False))
            _go_on_drawing(hand, seat, shoe)
        case fact.SplitOffered() if not hand.stack[seat]:
            _cast_vote(hand, seat, False, shoe)
        case _:
            hand.record(fact.Folded(seat) if folds or turn.call else fact.Checked(seat))
            _go_on(hand, seat, shoe)


_HANDLERS: dict[type[Any], Callable[[Hand, Any, Shoe], None]] = {
    ask.Fold: _fold,
    ask.Check: _check,
    ask.Call: _call,
    ask.Bet: _bet,
    ask.Raise: _raise,
    ask.BringIn: _bring_in,
    ask.Draw: _draw,
    ask.DrawTooLate: _draw_too_late,
    ask.ActTooLate: _act_too_late,
    ask.Protect: _protect,
    ask.Leave: _leave,
    ask.VoteToSplit: _vote,
    ask.GiveUpAtShowdown: _wish,
    ask.AskToShow: _wish,
    ask.RunItTwice: _run_it_twice,
    ask.CancelHand: _cancel,
}


# --- what follows by rule --------------------------------------------------------------------------------------------


def _play_street(hand: Hand, number: int, shoe: Shoe) -> None:
    """Deal a street, or have it drawn, and play its betting round."""
    street = hand.game.streets[number]
    short = runs_short(hand, street)
    hand.record_all([one_for_all(hand, street, shoe)] if short else deal(hand, street, shoe))
    if street.draw is not None:
        hand.record(fact.DrawOpened(number))
        _go_on_drawing(hand, first_seat(hand, number), shoe)
    elif short and not hand.opened.house.plays_community_round:
        _end_round(hand, number, shoe)
    else:
        _open_round(hand, number, shoe)


def _go_on_drawing(hand: Hand, after: int, shoe: Shoe) -> None:
    """The next player draws; after the last, the betting round. Who is away stands pat."""
    offer = next_draw(hand, after)
    while offer is not None and hand.is_away(offer.seat):
        hand.record(fact.StoodPat(offer.seat, late=False))
        offer = next_draw(hand, offer.seat)
    if offer is not None:
        hand.record(offer)
    else:
        _open_round(hand, hand.street, shoe)


def _open_round(hand: Hand, number: int, shoe: Shoe) -> None:
    """Where nobody can act, the round isn't played; the split vote is, once the last cards are drawn."""
    if _can_still_bet(hand, number):
        hand.record(opening(hand, number))
        if hand.game.streets[number].opener is Opener.BRING_IN:
            hand.record(bring_in_owed(hand))
        elif not _votes(hand, number, shoe):
            _go_on(hand, first_seat(hand, number), shoe)
    elif not _votes(hand, number, shoe):
        _end_round(hand, number, shoe)


def _ask_to_bring_in(hand: Hand, shoe: Shoe) -> None:
    """Another one, where the first can't; nobody, where the round can't be played any more. Who left is not asked."""
    if not _can_still_bet(hand, hand.street):
        _end_round(hand, hand.street, shoe)
        return
    owed = bring_in_owed(hand)
    if hand.is_away(owed.seat):
        _answer_for_him(hand, owed, shoe)
    else:
        hand.record(owed)


def _votes(hand: Hand, number: int, shoe: Shoe) -> bool:
    """Whether the first player is asked for his vote: where the game has one and this is its last round."""
    if not hand.game.split_vote or number + 1 < len(hand.game.streets):
        return False
    return _offer_a_split(hand, first_seat(hand, number), shoe)


def _offer_a_split(hand: Hand, after: int, shoe: Shoe) -> bool:
    """Ask the next player clockwise after a seat for his vote; False where nobody is left to ask.

    For who is away it is refused, or with chips folded, with which the offer ends and the hand has gone on.
    """
    while (offer := next_offer(hand, after)) is not None:
        after = offer.seat
        if not hand.is_away(after):
            hand.record(offer)
            return True
        if hand.stack[after]:
            hand.record(fact.Folded(after))
            _go_on(hand, after, shoe)
            return True
        hand.record(fact.SplitVoteCast(after, False))
    return False


def _can_still_bet(hand: Hand, number: int) -> bool:
    """Two can act, or before the first round one, who may face a bigger blind."""
    able = hand.able_to_bet()
    return able > 1 or (able == 1 and number == 0 and hand.game.streets[0].opener is not Opener.BRING_IN)


def _go_on(hand: Hand, after: int, shoe: Shoe) -> None:
    """The next decision of the round clockwise after a seat, or the end of the round. Who left folds."""
    while len(hand.contesting) > 1:
        if hand.late:
            _check_through_if_all_are_late(hand, after)
        turn = next_turn(hand, after)
        if turn is None:
            break
        after = turn.seat
        if after not in hand.left:
            hand.record(turn)
            return
        hand.record(fact.Folded(after))
    _end_round(hand, hand.street, shoe)


def _check_through_if_all_are_late(hand: Hand, after: int) -> None:
    """Where nobody has bet and nobody may, because all who can act drew too late, the round is checked through
    (section 5)."""
    able = [seat for seat in hand.clockwise[after] if seat in hand.contesting and hand.stack[seat]]
    checks = all(seat in hand.late and seat not in hand.left for seat in able)
    if checks and hand.last_round == hand.street and not hand.wager:
        hand.record_all([fact.Checked(seat) for seat in able if hand.seen[seat] == NOT_ACTED])


def _end_round(hand: Hand, number: int, shoe: Shoe) -> None:
    """Return what nobody called, gather the pots, and go to the next street, the showdown or the only one left."""
    takes_all = len(hand.contesting) == 1 and hand.stack[hand.contesting[0]] > 0
    for seat, excess in uncalled(hand.put_in, hand.contesting, takes_all):
        hand.record(fact.UncalledBetReturned(seat, excess))
    standing = pots(hand.put_in, hand.contesting, hand.dead)
    amounts = tuple([pot.amount for pot in standing])
    if amounts != hand.pots:
        hand.record(fact.BetsCollected(amounts))
    if len(hand.contesting) == 1:
        _settle_unopposed(hand, number, standing, shoe)
    elif number + 1 == len(hand.game.streets):
        _showdown(hand, number, standing, shoe)
    else:
        _turn_up_if_betting_is_over(hand, number + 1, shoe)
        _play_street(hand, number + 1, shoe)


def _turn_up_if_betting_is_over(hand: Hand, number: int, shoe: Shoe) -> None:
    """With at most one who contests having chips left, all live hands are turned up as soon as no draw and no vote is
    left (section 3, show or muck); `number` is the street that comes next."""
    if hand.shown or hand.able_to_bet() > 1:
        return
    to_come = hand.game.streets[number:]
    if to_come and (hand.game.split_vote or any(street.draw is not None for street in to_come)):
        return
    for seat in order_of_showing(hand):
        hand.record(show(seat, hand, shoe, fact.ShownBecause.ALL_IN))


def _showdown(hand: Hand, number: int, standing: list[Pot], shoe: Shoe) -> None:
    """Pots that all their players voted to split aren't played for; who is in none that is shows only at his wish."""
    by_vote = agreed(hand, standing)
    disputed = [pot for at, pot in enumerate(standing) if at not in by_vote]
    if not any(pot.shared for pot in disputed):
        _show_at_wish(hand, shoe)
        _settle(hand, number, standing, {}, by_vote)
        return
    if hand.last_round < number:
        _turn_up_if_betting_is_over(hand, number + 1, shoe)
    worth = strengths(hand, shoe)
    hand.record_all(show_or_muck(hand, disputed, worth, shoe))
    _settle(hand, number, standing, worth, by_vote)


def _settle_unopposed(hand: Hand, number: int, standing: list[Pot], shoe: Shoe) -> None:
    """When all but one fold, the pot is his; he shows only at his wish (section 3)."""
    _show_at_wish(hand, shoe)
    _settle(hand, number, standing, {}, frozenset())


def _show_at_wish(hand: Hand, shoe: Shoe) -> None:
    for seat in hand.contesting:
        if hand.wishes.get(seat) is fact.Wish.SHOW:
            hand.record(show(seat, hand, shoe, fact.ShownBecause.ASKED))


def _settle(hand: Hand, number: int, standing: list[Pot], worth: dict[int, Strength], by_vote: frozenset[int]) -> None:
    """Rake, awards, and the stacks of the end; `number` is the street in which the hand ends."""
    rake = rake_taken(hand, standing, number)
    if rake is not None and rake.amount:
        hand.record(rake)
    raked = rake.by_pot if rake is not None else (0,) * len(standing)
    hand.record_all(awards(hand, standing, raked, worth, by_vote))
    _end(hand)


def _end(hand: Hand) -> None:
    seats = tuple(sorted(hand.order))
    stacks = tuple([hand.stack[seat] + hand.aside[seat] for seat in seats])
    hand.record(fact.HandSettled(seats, stacks, hand.rake))
