"""One logged hand, dealt again: its actions go in as commands at the logged amounts, and its nets must come out."""

from dataclasses import replace
from typing import Any

from domain.cards import faces
from domain.hand import commands as ask
from domain.hand import decider
from domain.hand import events as fact
from domain.hand.dealing import OpenShoe
from domain.hand.invariants import check
from domain.hand.state import Hand, clockwise
from domain.messages import Refused
from domain.rules.rulebook import Rulebook
from domain.rules.vocabulary import RakeSchedule
from tests.hands import hole_of
from tests.oracle.games import declared
from tests.oracle.opening import hand_opened
from tests.oracle.rake import schedule_charging
from tests.oracle.records import DRAW, Logged, Net, RealHand, Record
from tests.oracle.rigging import Rigged, rigged
from tests.oracle.rooms import rulebook_for
from tests.oracle.seating import button_and_seats

WITHOUT_AMOUNT = {"fold": ask.Fold, "check": ask.Check, "call": ask.Call}


class Disagreement(Exception):
    """Where the hand went another way than its log."""


def disagreement(hand: RealHand, rulebook: Rulebook | None = None) -> str:
    """How the hand, dealt again, differs from its record; "" where it agrees to the chip."""
    try:
        ours = net(hand.record, rulebook or rulebook_for(hand.record.room))
    except Disagreement as found:
        return str(found)
    if ours == hand.net:
        return ""
    players = sorted(ours.keys() | hand.net.keys())
    return ", ".join(
        f"{player} has {ours.get(player, 0):+} and not {hand.net.get(player, 0):+}"
        for player in players
        if ours.get(player, 0) != hand.net.get(player, 0)
    )


def net(record: Record, rulebook: Rulebook) -> Net:
    """What each player wins or loses when the record is dealt again; who breaks even isn't named.

    The hand is played without rake first: how much lies in its pots says which schedule charges the stated total.
    """
    hand = play(record, rulebook, None)
    if record.rake:
        hand = play(record, rulebook, schedule_charging(record.rake, hand.awarded))
        if hand.rake != record.rake:
            raise Disagreement(f"a rake of {hand.rake} was taken, not {record.rake}")
    won = {one.player.upper(): hand.stack[one.seat] - one.stack for one in hand.opened.seats}
    return {player: chips for player, chips in won.items() if chips}


def play(record: Record, rulebook: Rulebook, rake: RakeSchedule | None) -> Hand:
    """The settled hand. Raises Disagreement where our rules refuse or await something else than the log holds."""
    seating = button_and_seats(record)
    assert seating is not None, f"{record.id} doesn't tell its seats"
    button, seats = seating
    seat_of = {seat.player: seat.seat for seat in seats}
    order = clockwise(seat_of.values(), button)
    rigging = rigged(record, declared(record.game), sorted(seat_of, key=lambda player: order.index(seat_of[player])))
    shoe = OpenShoe(rigging.deck, rigging.shuffle)
    hand = decider.open_hand(hand_opened(record, seating, rigging.deck, rulebook, rake), shoe)
    if record.rake and record.ended_on_first_street:
        _rake_from_the_deal(hand)
    _check_posts(record, hand)
    _lay_down_what_was_mucked_unseen(record, hand, seat_of, rigging, shoe)
    for line in record.actions:
        _feed(hand, line, seat_of[line.player], rigging, shoe)
    if not hand.settled:
        raise Disagreement(f"the log ends, but the hand awaits {hand.turn}")
    _check_cards(record, hand, seat_of, rigging)
    check(hand, shoe)
    return hand


def _rake_from_the_deal(hand: Hand) -> None:
    """Some records took a returned bet out of the win a second time, and derive a rake from that for hands that saw no
    flop. There the table charges what the record states; that such hands pay none (section 9) they can't test."""
    hand.game = replace(hand.game, raked_from=hand.game.streets[0].name)


def _check_posts(record: Record, hand: Hand) -> None:
    posted = [(one.amount, one.live) for one in hand.facts if isinstance(one, fact.BlindPosted)]
    logged = [(line.by, line.live) for line in record.posts if line.by]
    if posted != logged:
        raise Disagreement(f"posts of {posted}, not {logged}")


def _check_cards(record: Record, hand: Hand, seat_of: dict[str, int], rigging: Rigged) -> None:
    """Who is left holds what the log says, or the shoe was rigged wrongly."""
    for seat in record.left:
        held = set(hole_of(hand, seat_of[seat.player]))
        if held != set(rigging.held.get(seat.player, held)):
            raise Disagreement(f"{seat.player} holds {faces(held)}, not {faces(rigging.held[seat.player])}")


def _lay_down_what_was_mucked_unseen(
    record: Record, hand: Hand, seat_of: dict[str, int], rigging: Rigged, shoe: OpenShoe
) -> None:
    """A logged muck is an action: the player gave up, so his cards decide nothing. Known cards are left to the rules,
    which must find them beaten."""
    for seat in record.left if len(record.left) > 1 else ():
        if seat.player in record.mucked and seat.player not in rigging.held:
            _command(hand, ask.GiveUpAtShowdown(hand.id, seat_of[seat.player]), shoe)


def _feed(hand: Hand, line: Logged, seat: int, rigging: Rigged, shoe: OpenShoe) -> None:
    if hand.turn is None:
        raise Disagreement(f"{line.player} has no decision any more, but the log has: {_words(line)}")
    if (street := hand.game.streets[hand.street].name) != line.street:
        raise Disagreement(f"the action is on the {street}, but the log has: {_words(line)}")
    if hand.turn.seat != seat:
        raise Disagreement(f"the action is on seat {hand.turn.seat}, but the log has seat {seat}: {_words(line)}")
    (found, *_) = _command(hand, _command_of(hand, line, seat, rigging), shoe)
    if not _agrees(found, line):
        raise Disagreement(f"{found}, but the log has: {_words(line)}")


def _command_of(hand: Hand, line: Logged, seat: int, rigging: Rigged) -> Any:
    """Some logs call an all-in bet a raise, a completion a bet, and a bring-in of a full bet either: what a wager is
    follows from the round."""
    answers = (hand.id, hand.decision, seat)
    if line.act == DRAW:
        held = dict(zip(hole_of(hand, seat), hand.dealt[seat], strict=True))
        return ask.Draw(*answers, tuple(held[card] for card in rigging.thrown[line.player, line.street]))
    if line.act in WITHOUT_AMOUNT:
        return WITHOUT_AMOUNT[line.act](*answers)
    if isinstance(hand.turn, fact.BringInOwed):
        return ask.BringIn(*answers, line.to)
    return (ask.Raise if hand.wager else ask.Bet)(*answers, line.to)


def _agrees(found: Any, line: Logged) -> bool:
    """Whether the first fact that came of a line is what it says."""
    match found:
        case fact.Folded():
            return line.act == "fold"
        case fact.Checked():
            return line.act == "check"
        case fact.StoodPat():
            return line.act == DRAW and not line.drawn
        case fact.CardsDiscarded():
            return line.act == DRAW and line.drawn == len(found.indices)
        case fact.BroughtIn():
            return found.amount == line.by == line.to
        case fact.Called() | fact.BetMade() | fact.Raised():
            return bool((found.amount, found.to) == (line.by, line.to))
    return False


def _command(hand: Hand, command: Any, shoe: OpenShoe) -> list[Any]:
    try:
        return decider.decide(hand, command, shoe)
    except Refused as refused:
        raise Disagreement(f"refused: {refused}") from refused


def _words(line: Logged) -> str:
    return f"{line.street} {line.player} {line.act} by {line.by} to {line.to}"
