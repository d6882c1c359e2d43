"""At midnight by the room's clock each owner says that it is there: what comes then is of no day before."""

import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from domain.messages import SECOND, Refused
from domain.room import CloseDay
from domain.table.commands import LoseConnection
from services.bootstrap import make_home
from services.evidence.checkpointer import commits_before
from services.ports import Ports
from services.room.days import end_of
from services.room.shards import ROOMS_SHARD
from tests.node.by_hand import SHARD, ByHand, Clock, Place
from tests.services.homes import a_table_of_two
from tests.services.tables import outcome_of

VIENNA = "Europe/Vienna"
MIDNIGHT = end_of("2023-11-14", VIENNA)
"""23:00 in UTC; the clock begins at 22:13:20."""


@pytest.fixture
def node(tmp_path: Path) -> Iterator[ByHand]:
    """It owns the four shards of a room in Vienna."""
    clock = Clock()
    make_home(tmp_path / "home", "riverside", Ports(lambda: clock.now, secrets.randbits), time_zone=VIENNA)
    with ExitStack() as open_:
        one = ByHand(tmp_path / "home", "n1", clock, open_)
        for shard in range(4):
            one.keeper.take_over(shard)
        yield one


def test_it_says_so_once_in_every_shard(node: ByHand) -> None:
    node.clock.now = MIDNIGHT - 1
    assert node.keeper.keep_alive() == []
    node.clock.now = MIDNIGHT
    assert node.keeper.keep_alive() == [0, 1, 2, 3]
    node.clock.now = MIDNIGHT + 3600 * SECOND
    assert node.keeper.keep_alive() == []
    node.clock.now = end_of("2023-11-15", VIENNA)
    assert node.keeper.keep_alive() == [0, 1, 2, 3]


def test_where_something_was_recorded_since_it_need_not(node: ByHand) -> None:
    node.clock.now = MIDNIGHT
    for args in a_table_of_two():
        node.give(args)
    assert node.keeper.keep_alive() == sorted({0, 1, 2, 3} - {SHARD})


def test_what_was_refused_is_nothing_that_was_recorded(node: ByHand) -> None:
    node.clock.now = MIDNIGHT
    with pytest.raises(AssertionError):
        node.give(a_table_of_two()[1])
    assert node.keeper.keep_alive() == [0, 1, 2, 3]


def test_a_clock_that_went_back_by_a_day_ends_no_node(node: ByHand) -> None:
    """It was 26 hours fast when t1 was asked for: what is recorded there has that time until the clock comes to it, and
    an id of now would be of yesterday."""
    node.clock.now = MIDNIGHT + 26 * 3600 * SECOND
    with pytest.raises(AssertionError):
        node.give(a_table_of_two()[1])
    node.clock.now = MIDNIGHT
    assert node.keeper.keep_alive() == sorted({0, 1, 2, 3} - {SHARD})


def test_it_speaks_for_its_own_shards_only(node: ByHand) -> None:
    node.keeper.let_go(2)
    node.clock.now = MIDNIGHT
    assert node.keeper.keep_alive() == [0, 1, 3]


def test_a_day_is_closed_once_every_owner_s_clock_says_that_it_is_over(place: Place) -> None:
    """On Kafka: the second node has written nothing since midnight, as if its clock were slow: a commit of the day may
    still come of it."""
    first, second = place.node("first"), place.node("second")
    first.keeper.take_over(ROOMS_SHARD)
    second.keeper.take_over(SHARD)
    for args in a_table_of_two():
        second.give(args)
    ended, others = end_of("2023-11-14", "UTC"), {0, 1, 2, 3} - {ROOMS_SHARD, SHARD}
    place.clock.now = ended + 300 * SECOND
    for shard in others:
        first.keeper.take_over(shard)
    first.keeper.keep_alive()
    assert closes(first, ended) == f"nothing was recorded after it in shard {SHARD}"
    second.give(LoseConnection("t1", 1, "ann"))
    assert closes(first, ended) == ""


def closes(node: ByHand, ended: int) -> str:
    """Why the day that ended isn't closed, by all that the node reads now; empty where it is."""
    for shard in range(4):
        node.log.catch_up(shard)
    commits = tuple(commits_before(node.log, shard, ended) for shard in range(4))
    outcome = outcome_of(node.room, node.desk(CloseDay("2023-11-14", ended, commits, ())))
    return str(outcome).partition(": ")[2].partition(",")[0] if isinstance(outcome, Refused) else ""
