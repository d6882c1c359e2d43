"""What a command does to a table and to the hand that is open there, as facts of both streams.

The one way from a command to facts: the room calls it with live aggregates, re-adjudication with replayed ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from domain.hand import commands as of_hand
from domain.hand.dealing import OpenShoe, Shoe
from domain.hand.decider import decide, open_hand
from domain.hand.events import HandSettled
from domain.hand.state import Hand
from domain.messages import Facts, Refused, hand_stream, table_stream
from domain.table import commands as of_table
from domain.table import decider as table_decider
from domain.table.state import EVOLVE, Table, evolve


@dataclass(slots=True)
class Play:
    """A table (None before it is opened), the hand that is open there, and that hand's shoe."""

    id: str
    table: Table | None = None
    hand: Hand | None = None
    shoe: Shoe | None = None


def table_of(args: Any) -> str:
    """The table that a command's arguments concern: a hand is named by its table and its number."""
    table: str | None = getattr(args, "table", None)
    return table if table is not None else str(args.hand).rpartition("-")[0]


def play(now: Play, args: Any, deck: Callable[[int], Sequence[int]]) -> list[Facts]:
    """The facts that follow from a command; table and hand have moved on with them.

    `deck` gives the order of a fresh deck from its lowest rank on, and is asked only when a hand is dealt. Raises
    Refused for a command that breaks a rule: nothing has changed then. After any other exception the caller drops `now`
    and loads it again.
    """
    if isinstance(args, of_table.OpenTable):
        (opened,) = table_decider.open_table(now.table, args)
        now.table = evolve(None, opened)
        return [Facts(table_stream(now.id), [opened])]
    if now.table is None:
        raise Refused(f"there is no table {now.id}: open it first")
    if isinstance(args, of_table.DealHand):
        return _deal(now, now.table, args, deck)
    handler = _OF_TABLE.get(type(args))
    if handler is not None:
        return _fold_into_table(now, now.table, handler(now.table, args))
    return _act(now, now.table, args)


_OF_TABLE: dict[type[Any], Callable[[Table, Any], list[Any]]] = {
    of_table.SitDown: table_decider.sit_down,
    of_table.StandUp: table_decider.stand_up,
}


def _fold_into_table(now: Play, table: Table, events: list[Any]) -> list[Facts]:
    for event in events:
        EVOLVE[type(event)](table, event)
    table.version += len(events)
    return [Facts(table_stream(now.id), events)]


def _deal(now: Play, table: Table, args: of_table.DealHand, deck: Callable[[int], Sequence[int]]) -> list[Facts]:
    started, opened = table_decider.deal_hand(table, args, deck)
    now.hand, now.shoe = None, OpenShoe(opened.deck)
    now.hand = open_hand(opened, now.shoe)
    return _fold_into_table(now, table, [started]) + _settle_with(now, table, now.hand, now.hand.facts)


def _act(now: Play, table: Table, args: of_hand.Fold) -> list[Facts]:
    if now.hand is None or now.shoe is None or now.hand.id != args.hand:
        raise Refused(_why_no_such_hand(table, args.hand))
    return _settle_with(now, table, now.hand, decide(now.hand, args, now.shoe))


def _settle_with(now: Play, table: Table, hand: Hand, events: list[Any]) -> list[Facts]:
    facts = facts_of_hand(hand, events)
    for _, finished in facts[1:]:
        _fold_into_table(now, table, finished)
    return facts


def facts_of_hand(hand: Hand, events: list[Any]) -> list[Facts]:
    """The hand's facts, and its table's where the hand is settled by them."""
    facts = [Facts(hand_stream(hand.id), events)]
    if type(events[-1]) is HandSettled:
        facts.append(Facts(table_stream(hand.opened.table), [table_decider.hand_finished(hand, events[-1])]))
    return facts


def _why_no_such_hand(table: Table, hand: str) -> str:
    if table.open_hand:
        return f"hand {hand} is not under way: {table.open_hand} is"
    number = int(hand.rpartition("-")[2])
    return f"hand {hand} is over" if 0 < number <= table.hands else f"there is no hand {hand}"
