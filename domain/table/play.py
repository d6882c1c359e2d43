"""What a command does to a table and to the hand that is open there, as facts of both streams.

The one way from a command to facts: the room calls it with live aggregates, re-adjudication with replayed ones.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from domain.hand.commands import CancelHand, Protect
from domain.hand.dealing import Shoe, Shoes
from domain.hand.decider import decide, open_hand
from domain.hand.events import AllInProtected, PlayerLeft
from domain.hand.state import Hand
from domain.messages import Facts, Refused, table_stream
from domain.table import cash_out, floor, funds, notices, seats
from domain.table import commands as of_table
from domain.table import decider as table_decider
from domain.table.events import Leaving, PlayerLeaving
from domain.table.protection import check_may_be_protected
from domain.table.state import Table, evolve
from domain.transfers import TableCloseNotice, TableCloseTransfer, TableReceiveNotice, TableReceiveTransfer


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
    return table if table is not None else table_of_hand(args.hand)


def table_of_hand(hand: str) -> str:
    return hand.rpartition("-")[0]


def play(now: Play, args: Any, shoes: Shoes, at: int) -> list[Facts]:
    """The facts that follow from a command; table and hand have moved on with them.

    `shoes` gives a hand that is dealt its shoe; `at`: the time of the commit, UTC microseconds. Raises Refused for a
    command that breaks a rule: nothing has changed then. After any other exception the caller drops `now` and loads it
    again.
    """
    handler = _OF_TABLE.get(type(args))
    if now.table is not None:
        return _act(now, now.table, args, at) if handler is None else handler(now, now.table, args, shoes, at)
    if not isinstance(args, of_table.OpenTable):
        raise Refused(f"there is no table {now.id}: open it first")
    (opened,) = table_decider.open_table(args)
    now.table = evolve(None, opened)
    return [(table_stream(now.id), [opened])]


def _refuse_to_open(now: Play, table: Table, args: of_table.OpenTable, shoes: Shoes, at: int) -> list[Facts]:
    raise Refused(f"table {now.id} is open already: choose another id")


def _stand_up(now: Play, table: Table, args: of_table.StandUp, shoes: Shoes, at: int) -> list[Facts]:
    return _fold_into_table(now, table, seats.stand_up(table, args, is_dealt_in(now, args.seat), at))


def is_dealt_in(now: Play, seat: int) -> bool:
    """Whether the seat plays in the hand that is open."""
    hand = now.hand
    return hand is not None and not hand.settled and seat in hand.order


def _deal(now: Play, table: Table, args: of_table.DealHand, shoes: Shoes, at: int) -> list[Facts]:
    started, opened, shoe = table_decider.deal_hand(table, args, shoes)
    now.hand, now.shoe = None, shoe
    now.hand = open_hand(opened, shoe)
    lost = [seat for seat in now.hand.order if not table.seats[seat].connected]
    begun = _fold_into_table(now, table, started + notices.ask_protection(table, now.hand.id, lost, at))
    return begun + _settle_with(now, table, now.hand, now.hand.facts, at)


def _lose_connection(now: Play, table: Table, args: of_table.LoseConnection, shoes: Shoes, at: int) -> list[Facts]:
    """Who plays in the open hand may be protected in it: his file is asked."""
    lost = seats.lose_connection(table, args, at)
    dealt_in = [args.seat] if is_dealt_in(now, args.seat) else []
    return _fold_into_table(now, table, lost + notices.ask_protection(table, table.open_hand, dealt_in, at))


Handler = Callable[[Play, Table, Any, Shoes, int], list[Facts]]


def _by_the_table(decide: Callable[[Table, Any, int], list[Any]]) -> Handler:
    """What concerns the table alone, and no hand."""
    return lambda now, table, args, shoes, at: _fold_into_table(now, table, decide(table, args, at))


_OF_TABLE: dict[type[Any], Handler] = {
    of_table.OpenTable: _refuse_to_open,
    of_table.StandUp: _stand_up,
    of_table.DealHand: _deal,
    of_table.SitDown: _by_the_table(seats.sit_down),
    of_table.SitOut: _by_the_table(seats.sit_out),
    of_table.ComeBack: _by_the_table(seats.come_back),
    of_table.LoseConnection: _lose_connection,
    of_table.RestoreConnection: _by_the_table(seats.restore_connection),
    of_table.PauseTable: _by_the_table(floor.pause),
    of_table.ResumeTable: _by_the_table(floor.resume),
    of_table.StopDealing: _by_the_table(floor.stop_dealing),
    of_table.StartDealing: _by_the_table(floor.start_dealing),
    of_table.CloseAfterHand: _by_the_table(floor.close_after_hand),
    of_table.ReopenTable: _by_the_table(floor.reopen),
    of_table.CloseWithRoom: _by_the_table(floor.close_with_room),
    of_table.ReopenWithRoom: _by_the_table(floor.reopen_with_room),
    of_table.FreezePlayer: _by_the_table(floor.freeze_player),
    of_table.UnfreezePlayer: _by_the_table(floor.unfreeze_player),
    of_table.RemovePlayer: _by_the_table(floor.remove_player),
    TableReceiveTransfer: _by_the_table(funds.receive_transfer),
    TableCloseTransfer: _by_the_table(cash_out.close_transfer),
    TableReceiveNotice: _by_the_table(notices.receive_notice),
    TableCloseNotice: _by_the_table(notices.close_notice),
}


def _act(now: Play, table: Table, args: Any, at: int) -> list[Facts]:
    hand = now.hand
    if hand is None or now.shoe is None or hand.id != args.hand:
        raise Refused(_why_no_such_hand(table, args.hand))
    if table.paused and not isinstance(args, CancelHand):
        raise Refused(floor.PAUSED)
    if type(args) is Protect:
        check_may_be_protected(table, args.seat)
    return _settle_with(now, table, hand, decide(hand, args, now.shoe), at)


def _settle_with(now: Play, table: Table, hand: Hand, events: list[Any], at: int) -> list[Facts]:
    """The hand's facts; where they concern its table, or the protection of who plays there, that moves on too: where
    they settle it, or begin with what became of a player. Most do neither."""
    if not hand.settled and type(events[0]) not in _CONCERN_THE_TABLE:
        return [(hand.stream, events)]
    of_hand, *of_its_table = facts_of_hand(hand, events)
    news = notices.tell_protection(table, hand.id, events, at)
    own = [event for _, made in of_its_table for event in made] + news
    return [of_hand, *(_fold_into_table(now, table, own) if own else [])]


_CONCERN_THE_TABLE = (AllInProtected, PlayerLeft)


def facts_of_hand(hand: Hand, events: list[Any]) -> list[Facts]:
    """The hand's facts, and its table's where a player leaves by them or they settle the hand."""
    of_table: list[Any] = []
    if type(events[0]) is PlayerLeft:
        of_table.append(_leaving(hand, events[0].seat))
    if hand.settled:
        of_table.append(table_decider.hand_finished(hand, events[-1]))
    return [(hand.stream, events), (table_stream(hand.opened.table), of_table)] if of_table else [(hand.stream, events)]


def _leaving(hand: Hand, seat: int) -> PlayerLeaving:
    player = next(one.player for one in hand.opened.seats if one.seat == seat)
    return PlayerLeaving(seat, player, Leaving.ASKED, "")


def _fold_into_table(now: Play, table: Table, events: list[Any]) -> list[Facts]:
    for event in events:
        evolve(table, event)
    return [(table_stream(now.id), events)]


def _why_no_such_hand(table: Table, hand: str) -> str:
    if table.open_hand:
        return f"hand {hand} is not under way: {table.open_hand} is"
    number = int(hand.rpartition("-")[2])
    return f"hand {hand} is over" if 0 < number <= table.hands else f"there is no hand {hand}"
