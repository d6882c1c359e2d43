"""Who leaves is stood up as soon as no hand needs his seat, and has his chips back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.account.commands import CoolOff, Exclude
from domain.hand.commands import Fold
from domain.messages import Command
from domain.table.commands import CloseAfterHand, DealHand, RemovePlayer, ReopenTable, SitDown
from services.bootstrap import open_log
from services.eventlog import body
from services.eventlog.log import LogError
from services.eventlog.sqlite_commits import SqliteCommits
from services.ports import Ports
from services.room.door import ROOM
from services.room.recording import Answer
from tests.services.homes import Desk, hand_of, open_table, room_over
from tests.services.money_life import SOME_DAY
from tests.services.patrons import (
    REASON,
    Attended,
    attended,
    balance,
    buy_in,
    nothing_under_way,
    real_table,
    where_money_is,
    with_money,
)


@pytest.fixture
def desk(ports: Ports) -> Desk:
    return Desk(ports)


@pytest.fixture
def log(tmp_path: Path, ports: Ports) -> Iterator[SqliteCommits]:
    with open_log(tmp_path / "home", write=True) as log:
        yield log


@pytest.fixture
def one(log: SqliteCommits, ports: Ports, desk: Desk) -> Attended:
    """A room with its staff, where ann and bob play a hand with 200 cents each and cleo waits with as much."""
    one = attended(room_over(log, ports))
    give(one, *map(desk, [real_table(), *with_money("ann"), *with_money("bob"), *with_money("cleo")]))
    give(one, desk(buy_in("ann", 1)), desk(buy_in("bob", 2)))
    give(one, desk(DealHand("t1", 1)))
    give(one, desk(buy_in("cleo", 3)))
    return one


def give(one: Attended, *commands: Command) -> None:
    outcomes = one.give(*commands)
    assert all(isinstance(outcome, Answer) for outcome in outcomes), outcomes
    one.settle()


def players(one: Attended, table: str = "t1") -> list[str]:
    now = one.room.table(table).table
    assert now is not None
    return [seat.player for _, seat in sorted(now.seats.items())]


def over(one: Attended, desk: Desk) -> Command:
    """What ends the hand: the seat whose turn it is folds its small blind of 1."""
    hand = hand_of(one.room)
    assert hand.turn is not None
    assert hand.turn.seat == 1, "ann has the button, and the small blind"
    return desk(Fold("t1-1", hand.decision, 1))


def removed(desk: Desk, player: str, seat: int, table: str = "t1") -> Command:
    return desk(RemovePlayer(table, seat, player, REASON))


def test_who_is_removed_in_a_hand_goes_when_it_is_over(one: Attended, desk: Desk) -> None:
    one.give(removed(desk, "bob", 2))
    assert one.staff.act() == 0, "nobody asks for what would be refused"
    assert players(one) == ["ann", "bob", "cleo"]
    give(one, over(one, desk))
    assert players(one) == ["ann", "cleo"]
    assert balance(one.room, "bob") == 1001
    assert nothing_under_way(one.room)


def test_who_isn_t_dealt_in_goes_at_once(one: Attended, desk: Desk) -> None:
    give(one, removed(desk, "cleo", 3))
    assert players(one) == ["ann", "bob"]
    assert balance(one.room, "cleo") == 1000


@pytest.mark.parametrize("away", [Exclude("bob", None), CoolOff("bob", SOME_DAY)], ids=["excluded", "cools off"])
def test_who_excludes_himself_in_a_hand_goes_when_it_is_over(one: Attended, desk: Desk, away: Any) -> None:
    """His file tells the table, which lies in another shard; he plays his hand, and wins ann's small blind of 1."""
    give(one, desk(away))
    assert players(one) == ["ann", "bob", "cleo"]
    give(one, over(one, desk))
    assert players(one) == ["ann", "cleo"]
    assert balance(one.room, "bob") == 1001
    assert nothing_under_way(one.room)


def test_when_a_table_closes_everybody_goes(one: Attended, desk: Desk) -> None:
    give(one, desk(CloseAfterHand("t1", REASON)))
    assert players(one) == ["ann", "bob"], "they play on"
    give(one, over(one, desk))
    assert players(one) == []
    assert where_money_is(one.room) == {"accounts": 3000, "on the way": 0, "tables": 0}
    assert [balance(one.room, player) for player in ("ann", "bob", "cleo")] == [999, 1001, 1000]
    assert nothing_under_way(one.room)


def test_a_table_that_reopens_in_time_keeps_its_players(one: Attended, desk: Desk) -> None:
    give(one, removed(desk, "cleo", 3))
    give(one, desk(CloseAfterHand("t1", REASON)), desk(ReopenTable("t1", REASON)))
    give(one, over(one, desk))
    assert players(one) == ["ann", "bob"]


def test_the_cashier_s_chips_go_back_to_the_cashier(one: Attended, desk: Desk) -> None:
    give(one, desk(open_table("t2")), desk(SitDown("t2", 1, "dan", 200)))
    give(one, removed(desk, "dan", 1, "t2"))
    assert players(one, "t2") == []


def test_the_room_says_why_it_stood_him_up(one: Attended, desk: Desk, log: SqliteCommits) -> None:
    give(one, removed(desk, "cleo", 3))
    said = [body.decode(record.body).command for record in log.read(3)]
    assert [(one["by"], one["cause"]) for one in said if one["name"] == "table.stand-up"] == [(ROOM, "floor")]


def test_what_could_not_be_recorded_is_done_later(
    one: Attended, desk: Desk, log: SqliteCommits, monkeypatch: pytest.MonkeyPatch
) -> None:
    (outcome,) = one.give(removed(desk, "cleo", 3))
    assert isinstance(outcome, Answer)
    with monkeypatch.context() as full:
        full.setattr(log, "append_all", lambda appends: [LogError("the disk is full") for _ in appends])
        assert one.staff.act() == 1
        assert one.staff.act() == 0, "not again at once"
    assert players(one) == ["ann", "bob", "cleo"]
    for _ in range(1000):  # a second, by the clock of these ports
        one.room.ports.now()
    one.settle()
    assert players(one) == ["ann", "bob"]


def test_a_defect_of_the_staff_takes_no_answer_back(one: Attended, desk: Desk) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    one.room.listeners.insert(0, broken)
    (outcome,) = one.give(removed(desk, "cleo", 3))
    assert isinstance(outcome, Answer)
    one.settle()
    assert players(one) == ["ann", "bob"], "the others are told all the same"
