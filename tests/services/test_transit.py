"""Money on its way between accounts and tables: never both, never neither, wherever the room is killed."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest

from domain.account import commands as ask
from domain.messages import Command
from domain.table.commands import StandUp
from projections.commit import Commit
from projections.store import Store
from projections.transfers import TRANSFERS
from services.bootstrap import VIEWS_FILE, open_log, open_writer
from services.eventlog.log import Append, LogError
from services.eventlog.sqlite_commits import SqliteCommits
from services.ports import Ports
from services.room.recording import Answer
from services.room.room import Room
from services.rulings import readjudicate_all
from services.soundness import verify_home
from services.under_way import senders_of
from tests.services.homes import Desk, new_home, opener, room_over
from tests.services.patrons import (
    PLAYERS,
    REASON,
    Attended,
    attended,
    balance,
    buy_in,
    nothing_under_way,
    real_table,
    recover,
    where_money_is,
    with_money,
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def desk(ports: Ports) -> Desk:
    return Desk(ports)


@pytest.fixture
def log(home: Path, ports: Ports) -> Iterator[SqliteCommits]:
    with open_log(home, write=True) as log:
        yield log


@pytest.fixture
def one(log: SqliteCommits, ports: Ports, desk: Desk) -> Attended:
    """A room with its staff, a table, and three players with 1000 cents each."""
    one = attended(room_over(log, ports))
    for args in [real_table(), *(args for player in PLAYERS for args in with_money(player))]:
        done(one.give(desk(args)))
    return one


def done(outcomes: Sequence[Any]) -> None:
    assert all(isinstance(outcome, Answer) for outcome in outcomes), outcomes


# --- the way there and back ---


def test_a_buy_in_takes_its_seat_with_its_chips(one: Attended, desk: Desk) -> None:
    done(one.give(desk(buy_in("ann", 1))))
    assert where_money_is(one.room) == {"accounts": 2800, "on the way": 200, "tables": 0}
    one.settle()
    assert where_money_is(one.room) == {"accounts": 2800, "on the way": 0, "tables": 200}
    assert nothing_under_way(one.room)
    table = one.room.table("t1").table
    assert table is not None
    assert (table.seats[1].player, table.seats[1].stack) == ("ann", 200)


def test_what_the_table_refuses_comes_back(one: Attended, desk: Desk) -> None:
    done(one.give(desk(buy_in("ann", 1)), desk(buy_in("cleo", 1))))
    one.settle()
    taken = {player for player in ("ann", "cleo") if balance(one.room, player) == 800}
    assert len(taken) == 1, "a seat is one player's"
    assert where_money_is(one.room) == {"accounts": 2800, "on the way": 0, "tables": 200}
    assert nothing_under_way(one.room)


def test_who_stands_up_has_his_chips_back_in_his_account(one: Attended, desk: Desk) -> None:
    done(one.give(desk(buy_in("ann", 1))))
    one.settle()
    done(one.give(desk(StandUp("t1", 1, "ann"))))
    assert where_money_is(one.room) == {"accounts": 2800, "on the way": 200, "tables": 0}
    one.settle()
    assert balance(one.room, "ann") == 1000
    assert nothing_under_way(one.room)


def test_news_goes_the_same_way(one: Attended, desk: Desk) -> None:
    done(one.give(desk(buy_in("ann", 1))))
    one.settle()
    done(one.give(desk(ask.Freeze("ann", REASON))))
    assert not is_frozen(one)
    one.settle()
    assert is_frozen(one)
    assert nothing_under_way(one.room)


def is_frozen(one: Attended) -> bool:
    table = one.room.table("t1").table
    assert table is not None
    return table.seats[1].frozen


# --- what fails on the way ---


def test_what_could_not_be_recorded_is_carried_later(
    one: Attended, desk: Desk, log: SqliteCommits, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(one.give(desk(buy_in("ann", 1))))
    with monkeypatch.context() as full:
        full.setattr(log, "append_all", lambda appends: [LogError("the disk is full") for _ in appends])
        assert one.staff.act() == 1
        assert one.staff.act() == 0, "not again at once"
    assert where_money_is(one.room)["on the way"] == 200
    later(one)
    one.settle()
    assert nothing_under_way(one.room)
    assert where_money_is(one.room) == {"accounts": 2800, "on the way": 0, "tables": 200}


def later(one: Attended, looks: int = 200) -> None:
    """The clock of these ports goes on by a millisecond a look: two runs' worth of patience."""
    for _ in range(looks):
        one.room.ports.now()


def test_a_room_that_forgot_carries_on_when_it_finds_it(one: Attended, desk: Desk, home: Path) -> None:
    done(one.give(desk(buy_in("ann", 1))))
    other = attended(one.room)
    assert other.staff.act() == 0
    recover(other, home)
    other.settle()
    assert nothing_under_way(one.room)
    assert where_money_is(one.room)["tables"] == 200


def test_two_who_carry_the_same_carry_it_once(one: Attended, desk: Desk, home: Path) -> None:
    """As an owner that doesn't know yet that it is none any more."""
    done(one.give(desk(buy_in("ann", 1))))
    other = attended(one.room)
    recover(other, home)
    for _ in range(4):
        one.staff.act()
        other.staff.act()
    assert nothing_under_way(one.room)
    assert where_money_is(one.room) == {"accounts": 2800, "on the way": 0, "tables": 200}
    assert not one.runner.under_way
    assert not other.runner.under_way


def test_news_waits_for_what_was_sent_before_it_though_nobody_remembers_that(one: Attended, desk: Desk) -> None:
    """The first was received and not closed when the room died; the next staff hears of the second before it has found
    the first. Were the second received first, the first could never be closed."""
    done(one.give(desk(buy_in("ann", 1))))
    one.settle()
    done(one.give(desk(ask.Freeze("ann", REASON))))
    assert one.staff.act() == 1
    other = attended(one.room)
    done(one.give(desk(ask.Unfreeze("ann", REASON))))
    other.settle()
    assert nothing_under_way(one.room)
    assert not is_frozen(one)


def test_news_that_the_staff_did_not_hear_of_goes_before_what_came_after_it(one: Attended, desk: Desk) -> None:
    """It knows the first when another records the second, and then hears of the third."""
    done(one.give(desk(buy_in("ann", 1))))
    one.settle()
    done(one.give(desk(ask.Freeze("ann", REASON))))
    hears = one.room.listeners.pop()
    done(one.give(desk(ask.Unfreeze("ann", REASON))))
    one.room.listeners.append(hears)
    done(one.give(desk(ask.Freeze("ann", REASON))))
    news = [sent.seq for _, sent in one.runner.under_way]
    assert news == list(range(news[0], news[0] + 3))
    one.settle()
    assert nothing_under_way(one.room)
    assert is_frozen(one)


# --- killed between any two steps ---


class Killed(BaseException):
    """The process is gone."""


class Dying:
    """A log whose room is killed at its nth append: before it, or after it and before anybody is told."""

    def __init__(self, log: SqliteCommits, dies_at: int, *, recorded: bool) -> None:
        self._log, self._left, self._recorded = log, dies_at, recorded

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def append_all(self, appends: Sequence[Append]) -> Any:
        if not any(append.entries for append in appends):
            return self._log.append_all(appends)
        self._left -= 1
        if self._left:
            return self._log.append_all(appends)
        if self._recorded:
            self._log.append_all(appends)
        raise Killed


def script(ports: Ports) -> list[Command]:
    """A buy-in, one that is refused since the seat is taken, a top-up, news of a freeze, and the way back."""
    desk = Desk(ports)
    return [
        desk(one)
        for one in [
            real_table(most_buy_in=400),
            *(args for player in PLAYERS for args in with_money(player)),
            buy_in("ann", 1),
            buy_in("cleo", 1),
            buy_in("bob", 2),
            ask.TopUp("ann", "EUR", "t1", 1, 100),
            ask.Freeze("bob", REASON),
            ask.Unfreeze("bob", REASON),
            StandUp("t1", 1, "ann"),
        ]
    ]


def play(log: Any, home: Path, ports: Ports, commands: Sequence[Command], *, again: bool = False) -> Room:
    """Give the commands, each when the one before has come to its end. `again`: the room opens after it was killed,
    and what was under way must come to its end before anybody asks for anything."""
    one = attended(room_over(log, ports))
    if again:
        recover(one, home)
        one.settle()
        check_money(one.room)
        assert nothing_under_way(one.room), "what was under way has come to its end"
    for command in commands:
        done(one.give(command))
        one.settle()
        check_money(one.room)
    return one.room


def check_money(room: Room) -> None:
    """Wherever it is: all of it, and no more."""
    brought = sum(
        one.deposits[0].amount for player in PLAYERS for one in room.patron(player).accounts.values() if one.deposits
    )
    assert sum(where_money_is(room).values()) == brought


def told(room: Room) -> dict[str, Any]:
    """All that the streams say, but for the times."""
    table = room.table("t1").table
    assert table is not None
    balances = {player: balance(room, player) for player in PLAYERS}
    seats = {number: (seat.player, seat.stack, seat.frozen) for number, seat in table.seats.items()}
    return {"balances": balances, "seats": seats}


APPENDS = 14 + 2 * 4 + 2 * 2 + 2
"""14 commands; three buy-ins and a top-up, each received or refused and closed; two pieces of news the same; the way
back: received, closed."""

EXPECTED = {"balances": {"ann": 1000, "bob": 800, "cleo": 1000}, "seats": {2: ("bob", 200, False)}}
"""Ann had 300 at the table and took them back, cleo's 200 came back at once, bob's 200 lie there."""


def test_the_script_comes_to_the_expected_end(home: Path, ports: Ports) -> None:
    with open_log(home, write=True) as log:
        assert told(play(log, home, ports, script(ports))) == EXPECTED


@pytest.mark.parametrize("recorded", [False, True], ids=["before it is recorded", "before anybody is told"])
def test_killed_between_any_two_steps_everything_comes_to_its_end(tmp_path: Path, recorded: bool) -> None:
    dies_at, killed = 0, True
    while killed:
        dies_at += 1
        home = tmp_path / f"home{dies_at}"
        ports = new_home(home)
        commands = script(ports)
        with open_log(home, write=True) as log:
            killed = is_killed(Dying(log, dies_at, recorded=recorded), home, ports, commands)
        with open_log(home, write=True) as log:
            assert told(play(log, home, ports, commands, again=True)) == EXPECTED
            assert verify_home(log).sound
            assert not any(verdict for _, verdict in readjudicate_all(log, opener(log)))
    assert dies_at - 1 == APPENDS, "every step was the last one of some room"


def is_killed(log: Any, home: Path, ports: Ports, commands: Sequence[Command]) -> bool:
    try:
        play(log, home, ports, commands)
    except Killed:
        return True
    return False


# --- a room that is open ---


def test_an_open_room_carries_by_itself(home: Path, ports: Ports, desk: Desk) -> None:
    with open_writer(home, ports) as writer:
        for args in [real_table(), *with_money("ann"), buy_in("ann", 1)]:
            writer.submit(desk(args)).result()
        wait_until(lambda: writer.look(lambda room: room.table("t1").table.seats).result())  # type: ignore[union-attr]
        wait_until(lambda: not writer.look(lambda room: room.under_way("player:ann")).result())


def test_what_was_under_way_is_carried_when_the_room_opens(home: Path, ports: Ports, desk: Desk) -> None:
    with open_log(home, write=True) as log:
        for args in [real_table(), *with_money("ann"), buy_in("ann", 1)]:
            done(room_over(log, ports).execute([desk(args)]))
    with open_writer(home, ports) as writer:
        wait_until(lambda: not writer.look(lambda room: room.under_way("player:ann")).result())
        seats = writer.look(lambda room: room.table("t1").table.seats).result()  # type: ignore[union-attr]
        assert (seats[1].player, seats[1].stack) == ("ann", 200)


# --- the view of it ---


@pytest.mark.parametrize("stored", ["not at all", "by another build", "of another log"])
def test_what_is_under_way_is_found_whatever_the_view_was(one: Attended, desk: Desk, home: Path, stored: str) -> None:
    done(one.give(desk(buy_in("ann", 1))))
    url = f"sqlite:///{home / VIEWS_FILE}"
    if stored == "by another build":
        Store.open(url, (TRANSFERS._replace(revision=99),)).close()
    if stored == "of another log":
        with Store.open(url, (TRANSFERS,)) as store:
            store.apply([Commit(0, height, 0, ()) for height in range(100)])
    assert senders_of(home, one.room.log, frozenset(range(4)), Event()) == [(1, "account:ann:eur")]
    assert senders_of(home, one.room.log, frozenset([0, 2, 3]), Event()) == []
    one.settle()
    assert senders_of(home, one.room.log, frozenset(range(4)), Event()) == []


def wait_until(come: Any) -> None:
    end = monotonic() + 60
    while not come():
        assert monotonic() < end, "it never came"
        sleep(0.01)
