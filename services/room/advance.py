"""Advance actions: what players chose before it was their turn (rules.md section 8).

The room holds them in memory; whoever takes the shard over knows nothing of them. When his turn comes the player's
action is a command like any other, by him, with the cause `advance`, and its envelope says when he chose it and which
price he saw. To give up at the showdown is no such action: `hand.give-up-at-showdown` is recorded when it is asked.

| what lapses                        | when                                                                            |
|------------------------------------|---------------------------------------------------------------------------------|
| every one                          | the street ends, the hand ends, he has no action left, he chooses another, or   |
|                                    | none; the shard is taken over                                                   |
| check, call, bet, raise            | the call becomes dearer than he saw                                             |
| bet, raise, raise any              | his turn comes, and no such bet or raise is legal                               |
| fold, check/fold, call any         | never before his turn: check/fold then folds where there is a bet               |
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from domain.hand import commands as ask
from domain.hand.events import SplitOffered, TurnGiven
from domain.hand.legal import chips
from domain.hand.state import Action, Hand
from domain.messages import Command, HandId, Queued, Refused, SeatNumber, table_stream
from domain.money import Chips
from domain.table.play import Play
from services.ids import uuid7
from services.ports import Ports
from services.room.recording import Answer, Told
from services.room.room import Room

ADVANCE = "advance"
"""The cause of what was chosen in advance."""


class Choice(StrEnum):
    FOLD = "fold"
    CHECK = "check"
    CHECK_FOLD = "check/fold"
    CALL = "call"
    CALL_ANY = "call any"
    BET = "bet"
    RAISE = "raise"
    RAISE_ANY = "raise any"


NOT_DEARER = frozenset([Choice.CHECK, Choice.CALL, Choice.BET, Choice.RAISE])
"""What is done at the price that he saw, or not at all."""


@dataclass(frozen=True, slots=True)
class Advance:
    """What a player chooses. `amount`: the live total to bet or raise to, 0 otherwise (raise any: the least that is
    legal then); `price`: the chips of the call that he saw, 0 where he could check."""

    hand: HandId
    seat: SeatNumber
    choice: Choice
    amount: Chips = 0
    price: Chips = 0


@dataclass(frozen=True, slots=True)
class _Held:
    """What is held of whom, since when, and the street on which he chose it."""

    advance: Advance
    by: str
    at: int
    street: int


class AdvanceActions:
    """One of a room's staff (`services.room.staff.Attendant`). What isn't the staff's is called where `hear` is, in the
    room's own thread."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._held: dict[str, dict[int, _Held]] = {}
        """By table and seat."""
        self._due: list[Command] = []

    # What a player asks

    def take(self, now: Play, advance: Advance, by: str) -> None:
        """Hold it until his turn, instead of what he chose before. Raises Refused."""
        hand = _newest(now, advance.hand)
        check(hand, advance)
        self._held.setdefault(now.id, {})[advance.seat] = _Held(advance, by, self._ports.now(), hand.street)

    def take_back(self, now: Play, seat: int) -> Advance | None:
        """What he chose doesn't count any more; what it was, None where nothing is held."""
        held = self._held.get(now.id, {}).pop(seat, None)
        return None if held is None else held.advance

    def held(self, now: Play, seat: int) -> Advance | None:
        """What the room holds of a seat."""
        held = self._held.get(now.id, {}).get(seat)
        return None if held is None else held.advance

    # The staff's

    def hear(self, room: Room, told: Sequence[Told]) -> None:
        for owner in {one.owner for one in told}:
            kind, _, table = owner.partition(":")
            if kind == "table" and table in self._held:
                self._look_at(table, room.table(table).hand)

    def leave(self, tables: Callable[[str], bool]) -> None:
        """The room writes those tables no more, or has taken them over: by their streams."""
        for table in [table for table in self._held if tables(table_stream(table))]:
            del self._held[table]

    def due(self, now: int) -> list[Command]:
        due, self._due = self._due, []
        return due

    def answered(self, command: Command, outcome: Answer | Exception, now: int) -> None:
        """Whatever came of it, it isn't held any more."""

    def wakes(self) -> int | None:
        return 0 if self._due else None

    def _look_at(self, table: str, hand: Hand | None) -> None:
        held = self._held[table]
        for seat, one in list(held.items()):
            if hand is None or has_lapsed(one.advance, one.street, hand):
                del held[seat]
            elif _is_to_act(hand, seat):
                del held[seat]
                args = action_for(one.advance, hand)
                if args is not None:
                    self._due.append(self._command(one, args))
        if not held:
            del self._held[table]

    def _command(self, held: _Held, args: Any) -> Command:
        id_ = uuid7(self._ports.now(), self._ports.bits(74))
        return Command(id_, args, held.by, ADVANCE, Queued(held.at, held.advance.price))


def _newest(now: Play, hand: str) -> Hand:
    if now.hand is None or now.hand.id != hand:
        raise Refused(f"hand {hand} is not under way: choose in the one that is")
    return now.hand


# --- what may be chosen, what lapses, and what is done ---------------------------------------------------------------


def check(hand: Hand, advance: Advance) -> None:
    """Raise Refused for what can't be chosen in a hand as it stands now."""
    seat, choice, price = advance.seat, advance.choice, price_for(hand, advance.seat)
    if hand.settled:
        raise Refused(f"hand {hand.id} is over")
    if not _can_act(hand, seat):
        raise Refused(f"seat {seat} has no action left in hand {hand.id}")
    if _is_to_act(hand, seat):
        raise Refused(f"seat {seat} is to act now: act, instead of choosing in advance")
    if advance.price != price:
        raise Refused(f"the call is {chips(price, hand)} now, not {chips(advance.price, hand)}: look, and choose again")
    wrong = _wrong_by_price(choice, price, hand.wager)
    if wrong:
        raise Refused(f"{choice} can't be chosen: {wrong}")
    if (choice in (Choice.BET, Choice.RAISE)) is not (advance.amount > 0):
        raise Refused("a bet or raise says in amount to how much; any other choice has amount 0")


def _wrong_by_price(choice: Choice, price: int, wager: int) -> str:
    match choice:
        case Choice.CHECK if price:
            return "there is a bet: choose check/fold, call or fold"
        case Choice.CALL if not price:
            return "there is nothing to call: choose check or call any"
        case Choice.BET if wager:
            return "somebody has bet: choose raise"
        case Choice.RAISE if not wager:
            return "nobody has bet: choose bet"
        case _:
            return ""


def price_for(hand: Hand, seat: int) -> int:
    """Chips that the seat would add for a call as things stand."""
    if not _can_act(hand, seat):
        return 0
    return min(hand.stack[seat], max(0, hand.wager - hand.live[seat]))


def has_lapsed(advance: Advance, street: int, hand: Hand) -> bool:
    """Whether it doesn't count any more, before his turn comes; `street`: that on which it was chosen."""
    if hand.id != advance.hand or hand.settled or hand.street != street or not _can_act(hand, advance.seat):
        return True
    return advance.choice in NOT_DEARER and price_for(hand, advance.seat) > advance.price


def action_for(advance: Advance, hand: Hand) -> Any:
    """The command of what he chose, now that he is to act; None where it isn't legal."""
    turn = hand.turn
    assert isinstance(turn, TurnGiven | SplitOffered)
    answer = (hand.id, hand.decision, turn.seat)
    match advance.choice:
        case Choice.CHECK if turn.call:
            return None
        case Choice.CHECK | Choice.CHECK_FOLD | Choice.CALL | Choice.CALL_ANY if not turn.call:
            return ask.Check(*answer)
        case Choice.CALL | Choice.CALL_ANY:
            return ask.Call(*answer)
        case Choice.FOLD | Choice.CHECK_FOLD:
            return ask.Fold(*answer)
        case _:
            return _wager(advance, hand, turn, answer)


def _wager(advance: Advance, hand: Hand, turn: Action, answer: tuple[str, int, int]) -> Any:
    """A bet after which somebody bet is none any more. Whether the amount is legal, the hand says."""
    to = turn.least if advance.choice is Choice.RAISE_ANY else advance.amount
    make: Callable[..., Any] = ask.Raise if hand.wager else ask.Bet
    if not turn.most or not turn.least <= to <= turn.most or (advance.choice is Choice.BET and hand.wager):
        return None
    return make(*answer, to)


def _can_act(hand: Hand, seat: int) -> bool:
    return seat in hand.contesting and hand.stack[seat] > 0 and not hand.is_away(seat)


def _is_to_act(hand: Hand, seat: int) -> bool:
    """Whether it is his turn, other than to bring in."""
    return isinstance(hand.turn, TurnGiven | SplitOffered) and hand.turn.seat == seat
