"""What the simulator found, each as the shortest way there."""

from typing import Any

import pytest

from domain.hand import commands as ask
from domain.messages import Refused
from domain.table.commands import DealHand, SitDown, StandUp
from services.bootstrap import open_log
from services.ports import Ports, seeded_ports
from services.room.recording import Answer
from tests.services.homes import START, Desk, a_table_of_two, new_home, open_table, room_over

DAY = 24 * 3600 * 1_000_000


def test_a_player_sits_down_after_a_refused_action(tmp_path) -> None:
    """A refused command left the hand without facts, and the next command to its table was met by an IndexError."""
    ports = new_home(tmp_path)
    desk = Desk(ports)
    with open_log(tmp_path, write=True) as log:
        room = room_over(log, ports)
        room.execute([desk(args) for args in a_table_of_two()])
        (refused,) = room.execute([desk(ask.Raise("t1-1", 1, 1, to=0))])
        (sits,) = room.execute([desk(SitDown("t1", 3, "cid", 200))])
    assert isinstance(refused, Refused)
    assert isinstance(sits, Answer)


def test_a_command_is_not_forgotten_while_the_clock_is_wrong(tmp_path) -> None:
    """A table that was loaded while the clock ran a day ahead forgot its ids; with the clock set right they were taken
    for new, and a player sat down a second time."""
    new_home(tmp_path)
    clock = Clock()
    ports = Ports(clock, seeded_ports(2).bits)
    desk = Desk(ports)
    sits = desk(SitDown("t1", 1, "ann", 200))
    with open_log(tmp_path, write=True) as log:
        answers: list[Any] = room_over(log, ports).execute([desk(open_table()), sits, desk(StandUp("t1", 1, "ann"))])
        room = room_over(log, ports)
        clock.ahead = 2 * DAY
        room.table("t1")
        clock.ahead = 0
        assert room.execute([sits]) == [answers[1]]
        assert not room.table("t1").table.seats  # type: ignore[union-attr]


@pytest.mark.parametrize("number", [1, 2])
def test_a_settled_hand_leaves_the_table_free(tmp_path, number: int) -> None:
    """The same for a hand that is over: what is refused of it must not stop its table."""
    ports = new_home(tmp_path)
    desk = Desk(ports)
    with open_log(tmp_path, write=True) as log:
        room = room_over(log, ports)
        room.execute([desk(args) for args in [*a_table_of_two(), ask.Fold("t1-1", 1, 1)]])
        assert isinstance(room.execute([desk(ask.Fold("t1-1", number, 2))])[0], Refused)
        assert isinstance(room.execute([desk(DealHand("t1", 2))])[0], Answer)


class Clock:
    """Goes on by a millisecond a look."""

    def __init__(self) -> None:
        self.time, self.ahead = START + DAY, 0

    def __call__(self) -> int:
        self.time += 1000
        return self.time + self.ahead
