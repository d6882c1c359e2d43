"""One hand of another room, dealt again: what its players did goes in as commands, and our rules decide the rest."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from domain.cards import Card, faces
from domain.hand import commands as ask
from domain.hand import decider
from domain.hand import events as fact
from domain.hand.dealing import OpenShoe
from domain.hand.invariants import check
from domain.hand.legal import chips
from domain.hand.state import Hand, clockwise
from domain.messages import Refused
from domain.rules.phrases import listed
from domain.rules.registry import game as declared
from domain.rules.rulebook import Rulebook
from domain.rules.vocabulary import RakeSchedule
from domain.rulings.words import describe
from services.interop.charging import schedule_charging
from services.interop.history import CHECK_OR_CALL, DRAW, UNKNOWN, History, Line, Net
from services.interop.opening import hand_opened
from services.interop.rigging import Rigged, rigged
from services.interop.seating import button_and_seats
from services.interop.unsupported import Reason, Unsupported

WITHOUT_AMOUNT = {"fold": ask.Fold, "check": ask.Check, "call": ask.Call}


class Disagreement(Exception):
    """Where the hand went another way than its history."""


class BreaksOff(Disagreement):
    """The history ends before the hand does."""


@dataclass(frozen=True)
class Dealt:
    """A hand that was dealt again to its end."""

    hand: Hand
    seat_of: dict[str, int]

    @property
    def net(self) -> Net:
        """What each player won or lost; who broke even isn't named."""
        stacks = {one.seat: one.stack for one in self.hand.opened.seats}
        return self._by_player({seat: self.hand.stack[seat] - stack for seat, stack in stacks.items()})

    @property
    def collected(self) -> Net:
        """What each player was paid from the pots; who was paid nothing isn't named."""
        paid = dict.fromkeys(self.seat_of.values(), 0)
        for one in self.hand.facts:
            if isinstance(one, fact.PotAwarded):
                paid[one.seat] += one.amount
        return self._by_player(paid)

    def _by_player(self, chips: dict[int, int]) -> Net:
        return {player: chips[seat] for player, seat in self.seat_of.items() if chips[seat]}


def difference(ours: Net, theirs: Net, text: Callable[[int], str] = "{:+}".format) -> str:
    """How what we pay differs from what they paid, in words; "" where it agrees to the chip. `text`: of an amount."""
    return ", ".join(
        f"{player} has {text(ours.get(player, 0))} and not {text(theirs.get(player, 0))}"
        for player in sorted(ours.keys() | theirs.keys())
        if ours.get(player, 0) != theirs.get(player, 0)
    )


def dealt_again(history: History, rulebook: Rulebook, paid: int | None = None) -> Dealt:
    """The settled hand, its rake that of the history, of which `why_unsupported` has nothing to say. `paid`: by all
    pots together, where the history tells that instead of the rake.

    It is played without rake first: how much lies in its pots says which schedule charges the stated total. Raises
    Disagreement where our rules refuse or await something else than the history has; Unsupported where cards that
    nobody wrote down come to decide it; Contradiction where a card was dealt twice.
    """
    dealt = play(history, rulebook, None)
    pots = dealt.hand.awarded
    rake = history.rake if paid is None else max(pots - paid, 0)
    if rake:
        dealt = play(history, rulebook, schedule_charging(rake, pots))
        hand = dealt.hand
        if hand.rake != rake:
            raise Disagreement(f"the rake is {chips(hand.rake, hand)}, but there it was {chips(rake, hand)}")
    return dealt


def play(history: History, rulebook: Rulebook, rake: RakeSchedule | None) -> Dealt:
    """The settled hand, raked by that schedule; raises as `dealt_again` does."""
    seating = button_and_seats(history)
    assert seating is not None, "the history doesn't tell its seats"
    button, seats = seating
    seat_of = {seat.player: seat.seat for seat in seats}
    order = clockwise(seat_of.values(), button)
    rigging = rigged(history, declared(history.game), sorted(seat_of, key=lambda player: order.index(seat_of[player])))
    shoe = OpenShoe(rigging.deck, rigging.shuffle)
    hand = decider.open_hand(hand_opened(history, seating, rigging.deck, rulebook, rake), shoe)
    if history.raked_at_once:
        hand.game = replace(hand.game, raked_from=hand.game.streets[0].name)
    _check_posts(history, hand)
    _lay_down_what_was_mucked_unseen(history, hand, seat_of, rigging, shoe)
    for line in history.actions:
        _feed(hand, line, seat_of[line.player], rigging, shoe)
    if not hand.settled:
        raise BreaksOff(f"the history ends, but {describe(hand.turn, hand)}")
    _check_nothing_unknown_decided(history, hand, seat_of, rigging)
    _check_cards(history, hand, seat_of, rigging)
    check(hand, shoe)
    return Dealt(hand, seat_of)


def _check_posts(history: History, hand: Hand) -> None:
    posted = [_post(one.amount, one.live, hand) for one in hand.facts if isinstance(one, fact.BlindPosted)]
    written = [_post(line.by, line.live, hand) for line in history.posts if line.by]
    if posted != written:
        raise Disagreement(f"the posts are {listed(posted)}, but the history has {listed(written)}")


def _check_nothing_unknown_decided(history: History, hand: Hand, seat_of: dict[str, int], rigging: Rigged) -> None:
    """A muck helps nobody where our rules turn all hands up, as they do once the betting has ended early (rules.md
    section 3). Then the board is dealt to its end too, though a history may not have it."""
    shown = {one.seat for one in hand.facts if isinstance(one, fact.HandShown)}
    unseen = any(seat_of[player] in shown and player not in rigging.held for player in history.mucked)
    written = [face for board in history.boards for face in board if face != UNKNOWN]
    if unseen or (shown and len(written) < len(hand.board)):
        raise Unsupported(Reason.DECIDING_CARDS_UNKNOWN)


def _check_cards(history: History, hand: Hand, seat_of: dict[str, int], rigging: Rigged) -> None:
    """Who is left holds what the history says, or the shoe was rigged wrongly."""
    for seat in history.left:
        held = set(_hole_of(hand, seat_of[seat.player]))
        if held != set(rigging.held.get(seat.player, held)):
            raise Disagreement(f"{seat.player} holds {faces(held)}, not {faces(rigging.held[seat.player])}")


def _hole_of(hand: Hand, seat: int) -> tuple[Card, ...]:
    return tuple([card for card in hand.hole[seat] if isinstance(card, int)])


def _lay_down_what_was_mucked_unseen(
    history: History, hand: Hand, seat_of: dict[str, int], rigging: Rigged, shoe: OpenShoe
) -> None:
    """A muck is an action: the player gave up, so his cards decide nothing, unless the rulebook has every unbeaten hand
    shown (rules.md section 3). Known cards are left to the rules, which must find them beaten."""
    for seat in history.left if len(history.left) > 1 else ():
        if seat.player in history.mucked and seat.player not in rigging.held:
            if not hand.opened.house.may_give_up:
                raise Unsupported(Reason.DECIDING_CARDS_UNKNOWN)
            _command(hand, ask.GiveUpAtShowdown(hand.id, seat_of[seat.player]), shoe)


def _feed(hand: Hand, line: Line, seat: int, rigging: Rigged, shoe: OpenShoe) -> None:
    if hand.turn is None:
        raise Disagreement(f"{line.player} has no decision any more, but the history has: {_words(line, hand)}")
    if (street := hand.game.streets[hand.street].name) != line.street:
        raise Disagreement(f"the action is on the {street}, but the history has: {_words(line, hand)}")
    if hand.turn.seat != seat:
        raise Disagreement(
            f"the action is on seat {hand.turn.seat}, but the history has seat {seat}: {_words(line, hand)}"
        )
    (found, *_) = _command(hand, _command_of(hand, line, seat, rigging), shoe)
    if not _agrees(found, line):
        raise Disagreement(f"{describe(found, hand)}, but the history has: {_words(line, hand)}")


def _command_of(hand: Hand, line: Line, seat: int, rigging: Rigged) -> Any:
    """Some rooms call an all-in bet a raise, a completion a bet, and a bring-in of a full bet either, and some write
    one word for check and call: what an action is follows from the round."""
    answers = (hand.id, hand.decision, seat)
    if line.act == DRAW:
        held = dict(zip(_hole_of(hand, seat), hand.dealt[seat], strict=True))
        return ask.Draw(*answers, tuple(held[card] for card in rigging.thrown[line.player, line.street]))
    if line.act == CHECK_OR_CALL:
        return (ask.Call if isinstance(hand.turn, fact.TurnGiven) and hand.turn.call else ask.Check)(*answers)
    if line.act in WITHOUT_AMOUNT:
        return WITHOUT_AMOUNT[line.act](*answers)
    if isinstance(hand.turn, fact.BringInOwed):
        return ask.BringIn(*answers, line.to or hand.turn.least)
    return (ask.Raise if hand.wager else ask.Bet)(*answers, line.to)


def _agrees(found: Any, line: Line) -> bool:
    """Whether the first fact that came of a line is what it says, as far as it says it."""
    match found:
        case fact.Folded():
            return line.act == "fold"
        case fact.Checked():
            return line.act in ("check", CHECK_OR_CALL)
        case fact.StoodPat():
            return line.act == DRAW and not line.drawn
        case fact.CardsDiscarded():
            return line.act == DRAW and line.drawn == len(found.indices)
        case fact.BroughtIn():
            return found.amount == (line.by or found.amount) == (line.to or found.amount)
        case fact.Called() | fact.BetMade() | fact.Raised():
            return bool((found.amount, found.to) == (line.by or found.amount, line.to or found.to))
    return False


def _command(hand: Hand, command: Any, shoe: OpenShoe) -> list[Any]:
    try:
        return decider.decide(hand, command, shoe)
    except Refused as refused:
        raise Disagreement(f"refused: {refused}") from refused


def _post(amount: int, live: bool, hand: Hand) -> str:
    return f"{chips(amount, hand)} {'live' if live else 'dead'}"


def _words(line: Line, hand: Hand) -> str:
    by = f" by {chips(line.by, hand)}" if line.by else ""
    to = f" to {chips(line.to, hand)}" if line.to else ""
    return f"{line.street} {line.player} {line.act}{by}{to}"
