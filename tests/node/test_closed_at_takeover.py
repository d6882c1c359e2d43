"""A node that takes a shard over knows what was done to the room's doors by then, however lately it has looked."""

from domain.messages import Refused
from domain.room import CloseRoom
from domain.table.commands import DealHand
from domain.table.floor import ROOM_CLOSED
from services.room.shards import ROOMS_SHARD
from tests.node.by_hand import SHARD, Place
from tests.services.homes import a_table_of_two
from tests.services.tables import outcome_of
from tests.simulation.players import REASON


def test_no_hand_is_dealt_by_who_takes_over_after_the_room_was_closed(place: Place) -> None:
    """The second node has read nothing since before the first one closed the room."""
    first, second = place.node("first"), place.node("second")
    assert SHARD != ROOMS_SHARD
    for shard in (ROOMS_SHARD, SHARD):
        first.keeper.take_over(shard)
    for args in a_table_of_two():
        first.give(args)
    first.finish_hand()
    first.keeper.let_go(SHARD)
    first.give(CloseRoom(REASON))
    second.keeper.take_over(SHARD)
    refused = outcome_of(second.room, second.desk(DealHand("t1", 2)))
    assert isinstance(refused, Refused)
    assert str(refused) == ROOM_CLOSED
