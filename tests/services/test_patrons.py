"""The room and its patrons: players' accounts and files, recorded, loaded, decided again as tables are."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.account import commands as ask
from domain.messages import Command, Refused
from domain.rulings.readjudicate import Divergence
from domain.transfers import AccountCloseTransfer, Purpose, TableReceiveTransfer
from services.bootstrap import open_log
from services.eventlog import body
from services.eventlog.log import AppendRefused
from services.eventlog.sqlite_commits import SqliteCommits
from services.ids import uuid7
from services.ports import Ports
from services.room.door import ROOM, TRANSFER
from services.room.recording import Answer, AnswerAgain
from services.room.room import Room
from services.rulings import readjudicate_all
from services.soundness import verify_home
from tests.services.homes import Desk, forge_event, opener, room_over
from tests.services.patrons import balance, buy_in, real_table, with_money


@pytest.fixture
def log(tmp_path: Path, ports: Ports) -> Iterator[SqliteCommits]:
    with open_log(tmp_path / "home", write=True) as log:
        yield log


@pytest.fixture
def room(log: SqliteCommits, ports: Ports) -> Room:
    return room_over(log, ports)


@pytest.fixture
def desk(ports: Ports) -> Desk:
    return Desk(ports)


def given(room: Room, *commands: Command) -> list[Answer]:
    outcomes = room.execute(commands)
    assert all(isinstance(outcome, Answer) for outcome in outcomes), outcomes
    return outcomes  # type: ignore[return-value]


def refusal(room: Room, command: Command) -> str:
    before = commits(room)
    (outcome,) = room.execute([command])
    assert isinstance(outcome, Refused), outcome
    assert commits(room) == before
    return str(outcome)


def commits(room: Room) -> int:
    return sum(room.log.head(shard).height + 1 for shard in range(room.log.shards))


def of_the_room(ports: Ports, args: Any) -> Command:
    return Command(uuid7(ports.now(), ports.bits(74)), args, ROOM, TRANSFER)


def to_seat_1(seq: int = 1, amount: int = 200) -> TableReceiveTransfer:
    return TableReceiveTransfer("t1", "account:ann:eur", seq, amount, "EUR", Purpose.BUY_IN, "ann", 1, 0, True)


# --- recorded and loaded ---


def test_a_patron_has_a_shard_of_his_own_for_all_his_streams(room: Room, desk: Desk) -> None:
    opened, deposited = given(room, *map(desk, with_money("ann")))
    assert [one["stream"] for one in opened.events] == ["player:ann", "account:ann:eur"]
    assert [(one["stream"], one["version"]) for one in deposited.events] == [("account:ann:eur", 2)]
    assert [room.log.head(shard).height for shard in range(4)] == [0, 2, 0, 0]


def test_a_patron_is_as_he_was_when_the_room_opens_again(room: Room, log: SqliteCommits, desk: Desk) -> None:
    given(room, *map(desk, with_money("ann")), desk(ask.Withdraw("ann", "EUR", 300, "to his bank", "")))
    again = room_over(log, room.ports)
    assert again.patron("ann") == room.patron("ann")
    assert balance(again, "ann") == 700


def test_a_repeat_gets_the_same_answer_after_the_room_was_opened_again(
    room: Room, log: SqliteCommits, desk: Desk
) -> None:
    asked = [*map(desk, with_money("ann"))]
    first = given(room, *asked)
    again = room_over(log, room.ports)
    before = commits(again)
    assert [answer.events for answer in given(again, *asked)] == [answer.events for answer in first]
    assert commits(again) == before
    assert balance(again, "ann") == 1000
    other = Command(asked[1].id, ask.Deposit("ann", "EUR", 1, "another"), "floor:ann", "floor")
    assert "was given before with other arguments" in refusal(again, other)


def test_nothing_is_kept_of_who_has_nothing_here(room: Room, desk: Desk) -> None:
    assert "dan has no account in EUR" in refusal(room, desk(ask.Deposit("dan", "EUR", 1, "p")))
    assert "player:dan" not in room._desks


def test_money_goes_to_no_table_that_was_never_opened(room: Room, desk: Desk) -> None:
    """Nobody could receive it there, nor refuse it: it would be on its way for ever."""
    given(room, *map(desk, with_money("ann")))
    assert refusal(room, desk(buy_in("ann", 1))) == "there is no table t1: look which are open"
    given(room, desk(real_table()))
    given(room, desk(buy_in("ann", 1)))


# --- what only the room does ---


def test_nobody_but_the_room_carries_what_is_under_way(room: Room, desk: Desk) -> None:
    given(room, desk(real_table()))
    given(room, *map(desk, with_money("ann")), desk(buy_in("ann", 1)))
    assert "floor:ann can't give table.receive-transfer: only the room does" in refusal(room, desk(to_seat_1()))
    closing = AccountCloseTransfer("ann", "EUR", "table:t1", 1, False, "")
    assert "floor:ann can't give account.close-transfer: only the room does" in refusal(room, desk(closing))
    given(room, of_the_room(room.ports, to_seat_1()))


def test_an_adjustment_is_signed_by_who_sends_it(room: Room, desk: Desk) -> None:
    given(room, *map(desk, with_money("ann")))
    asked = ask.Adjust("ann", "EUR", 5, "floor:bob", "floor:ann", "")
    assert "floor:ann can't give account.adjust in the name of floor:bob" in refusal(room, desk(asked))


# --- what was done before ---


def test_what_was_done_before_is_answered_with_its_outcome_and_recorded_once(room: Room, desk: Desk) -> None:
    given(room, desk(real_table()))
    given(room, *map(desk, with_money("ann")), desk(buy_in("ann", 1)))
    (first,) = given(room, of_the_room(room.ports, to_seat_1()))
    before = commits(room)
    (again,) = given(room, of_the_room(room.ports, to_seat_1()))
    assert isinstance(again, AnswerAgain)
    assert commits(room) == before
    received = next(one for one in first.events if one["type"] == "transfer.received")
    assert again.events == [{name: received[name] for name in ("stream", "type", "rev", "data")}]


def test_an_outcome_is_told_only_when_the_log_holds_it(room: Room, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repeat in the batch of the first one stands and falls with it."""
    given(room, desk(real_table()))
    given(room, *map(desk, with_money("ann")), desk(buy_in("ann", 1)))
    batch = [of_the_room(room.ports, to_seat_1()) for _ in range(2)]
    with monkeypatch.context() as full:
        full.setattr(room.log, "append_all", lambda appends: [AppendRefused("the disk is full") for _ in appends])
        assert [type(outcome) for outcome in room.execute(batch)] == [AppendRefused, AppendRefused]
    first, again = given(room, *batch)
    assert not isinstance(first, AnswerAgain)
    assert isinstance(again, AnswerAgain)


# --- decided again ---


def test_every_decision_on_a_patron_is_decided_again(room: Room, log: SqliteCommits, desk: Desk) -> None:
    given(room, desk(real_table()))
    given(room, *map(desk, with_money("ann")), desk(buy_in("ann", 1)))
    given(room, of_the_room(room.ports, to_seat_1()))
    given(room, of_the_room(room.ports, AccountCloseTransfer("ann", "EUR", "table:t1", 1, True, "")))
    verdicts = [verdict for _, verdict in readjudicate_all(log, opener(log))]
    assert verdicts == [None] * 6
    assert verify_home(log).sound


@pytest.mark.parametrize(
    ("type_", "field", "by"), [("account.deposited", "amount", 1), ("transfer.sent", "promotion", 1)]
)
def test_a_forged_fact_of_a_patron_is_named(
    room: Room, log: SqliteCommits, desk: Desk, tmp_path: Path, type_: str, field: str, by: int
) -> None:
    given(room, desk(real_table()))
    given(room, *map(desk, with_money("ann")), desk(buy_in("ann", 1)))
    log.close()

    def add(data: dict[str, Any]) -> None:
        data[field] += by

    place = forge_event(tmp_path / "home", type_, add)
    with open_log(tmp_path / "home") as forged:
        found = [verdict for _, verdict in readjudicate_all(forged, opener(forged)) if verdict]
    assert [(one.shard, one.height) for one in found] == [(place.shard, place.height)]
    assert isinstance(found[0], Divergence)


def test_an_overdraft_that_was_forged_is_no_sound_log(
    room: Room, log: SqliteCommits, desk: Desk, tmp_path: Path
) -> None:
    """1000 came, 700 went: with 300 fewer that came it is exactly covered, with 301 it is overdrawn by 1."""
    given(room, *map(desk, with_money("ann")), desk(ask.Withdraw("ann", "EUR", 700, "to his bank", "")))
    log.close()

    def take(cents: int) -> Any:
        def change(data: dict[str, Any]) -> None:
            data["amount"] -= cents

        return change

    forge_event(tmp_path / "home", "account.deposited", take(300))
    with open_log(tmp_path / "home") as forged:
        assert verify_home(forged).sound
    forge_event(tmp_path / "home", "account.deposited", take(1))
    with open_log(tmp_path / "home") as forged:
        findings = [str(one) for one in verify_home(forged).findings]
    assert len(findings) == 1
    assert "account:ann:eur: the balance is -1" in findings[0]


def test_the_room_tells_what_it_recorded_and_nothing_else(room: Room, desk: Desk) -> None:
    told: list[Any] = []
    room.listeners.append(lambda _, some: told.extend(some))
    opening, deposit = map(desk, with_money("ann"))
    room.execute([opening, deposit, desk(ask.Withdraw("ann", "EUR", 1001, "", ""))])
    room.execute([deposit])
    assert [(one.shard, one.owner) for one in told] == [(1, "player:ann")] * 2
    assert [len(one.answer.events) for one in told] == [2, 1]
    assert told[1].answer.events == body.decode(room.log.record(1, 2).body).events
