"""What a command does to a table and to the hand that is open there, as facts of both streams.

The one way from a command to facts: the room calls it with live aggregates, re-adjudication with replayed ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from domain.hand.dealing import Shoe, Shoes
from domain.hand.decider import decide, open_hand
from domain.hand.state import Hand
from domain.messages import Facts, Refused, table_stream
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


def play(now: Play, args: Any, shoes: Shoes, at: int) -> list[Facts]:
    """The facts that follow from a command; table and hand have moved on with them.

    `shoes` gives a hand that is dealt its shoe; `at`: the time of the commit, UTC microseconds. Raises Refused for a command that breaks a rule: nothing has changed
    then. After any other exception the caller drops `now` and loads it again.
    """
    handler = _OF_TABLE.get(type(args))
    if now.table is not None:
        return _act(now, now.table, args) if handler is None else handler(now, now.table, args, shoes, at)
    if not isinstance(args, of_table.OpenTable):
        raise Refused(f"there is no table {now.id}: open it first")
    (opened,) = table_decider.open_table(args)
    now.table = evolve(None, opened)
    return [(table_stream(now.id), [opened])]


def _refuse_to_open(now: Play, table: Table, args: of_table.OpenTable, shoes: Shoes, at: int) -> list[Facts]:
    raise Refused(f"table {now.id} is open already: choose another id")


def _sit_down(now: Play, table: Table, args: of_table.SitDown, shoes: Shoes, at: int) -> list[Facts]:
    return _fold_into_table(now, table, table_decider.sit_down(table, args))


def _stand_up(now: Play, table: Table, args: of_table.StandUp, shoes: Shoes, at: int) -> list[Facts]:
    return _fold_into_table(now, table, table_decider.stand_up(table, args))


def _deal(now: Play, table: Table, args: of_table.DealHand, shoes: Shoes, at: int) -> list[Facts]:
    started, opened, shoe = table_decider.deal_hand(table, args, shoes)
    now.hand, now.shoe = None, shoe
    now.hand = open_hand(opened, shoe)
    return _fold_into_table(now, table, [started]) + _settle_with(now, table, now.hand, now.hand.facts)


_OF_TABLE: dict[type[Any], Callable[[Play, Table, Any, Shoes, int], list[Facts]]] = {
    of_table.OpenTable: _refuse_to_open,
    of_table.SitDown: _sit_down,
    of_table.StandUp: _stand_up,
    of_table.DealHand: _deal,
}


def _act(now: Play, table: Table, args: Any) -> list[Facts]:
    hand = now.hand
    if hand is None or now.shoe is None or hand.id != args.hand:
        raise Refused(_why_no_such_hand(table, args.hand))
    return _settle_with(now, table, hand, decide(hand, args, now.shoe))


def _settle_with(now: Play, table: Table, hand: Hand, events: list[Any]) -> list[Facts]:
    """The hand's facts; where they settle it, the table moves on too."""
    facts = facts_of_hand(hand, events)
    if hand.settled:
        _fold_into_table(now, table, facts[-1][1])
    return facts


def facts_of_hand(hand: Hand, events: list[Any]) -> list[Facts]:
    """The hand's facts, and its table's where the hand is settled by them."""
    if not hand.settled:
        return [(hand.stream, events)]
    return [(hand.stream, events), (table_stream(hand.opened.table), [table_decider.hand_finished(hand, events[-1])])]


def _fold_into_table(now: Play, table: Table, events: list[Any]) -> list[Facts]:
    for event in events:
        EVOLVE[type(event)](table, event)
    table.version += len(events)
    return [(table_stream(now.id), events)]


def _why_no_such_hand(table: Table, hand: str) -> str:
    if table.open_hand:
        return f"hand {hand} is not under way: {table.open_hand} is"
    number = int(hand.rpartition("-")[2])
    return f"hand {hand} is over" if 0 < number <= table.hands else f"there is no hand {hand}"
