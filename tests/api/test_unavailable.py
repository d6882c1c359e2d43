"""What a sender is told where the room can't answer him as it should, and that asking again is safe."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.hand.commands import Call, Fold
from domain.messages import Command, Refused
from domain.table.commands import DealHand, SitDown
from services.api.host import Readiness, RoomHost, Standing
from services.eventlog.log import Append, AppendRefused, AppendUnknown, CorruptLog, LogError, NotHereYet
from services.room.recording import Answer
from tests.api.doors import Door, busy, door_of, key, must, problem, until
from tests.services.homes import forge_event, open_table


class Unsteady:
    """A log whose next append fails with that error; `recorded`: after it was recorded all the same."""

    def __init__(self, log: Any) -> None:
        self._log = log
        self.error: LogError | None = None
        self.recorded = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def append_all(self, appends: Sequence[Append]) -> Any:
        error, self.error = self.error, None
        if error is None or self.recorded:
            done = self._log.append_all(appends)
        return done if error is None else [error] * len(appends)


def at_a_table(door: Door) -> str:
    """A hand of ann and bob at t1."""
    must(door.client("floor:fay").give(open_table()))
    for seat, player in enumerate(("ann", "bob"), start=1):
        must(door.client(f"player:{player}").give(SitDown("t1", seat, player, 200)))
    must(door.client("floor:fay").give(DealHand("t1", 1)))
    return "t1-1"


@contextmanager
def unsteady(home: Path) -> Iterator[tuple[Door, Unsteady]]:
    logs: list[Unsteady] = []

    def over(log: Any) -> Any:
        logs.append(Unsteady(log))
        return logs[0]

    with door_of(home, over=over) as door:
        at_a_table(door)
        yield door, logs[0]


@contextmanager
def impatient(home: Path) -> Iterator[Door]:
    """A door that lets nobody wait for long; ann and bob have sat down at a patient one."""
    with door_of(home) as patient:
        at_a_table(patient)
    with door_of(home, patience=0.2) as door:
        yield door


def answered(send: Callable[[], httpx.Response], status: int) -> httpx.Response:
    """The answer of that status, for which he asks again: an impatient door may be too slow for one at any time."""
    return until(send, lambda found: found.status_code == status)  # type: ignore[no-any-return]


def waits_for_nobody(door: Door) -> None:
    door.host._writer.look(lambda _: None).result()  # type: ignore[attr-defined]


# --- the log ---


def test_what_the_log_refused_was_not_recorded(tmp_path: Path) -> None:
    with unsteady(tmp_path / "home") as (door, log):
        ann, id_ = door.client("player:ann"), key()
        log.error = AppendRefused("/var/lib/handlog/log.sqlite: the disk is full")
        response = ann.give(Call("t1-1", 1, 1), id_)
        assert "this request recorded nothing" in problem(response, 503, "not-recorded")
        assert response.headers["Retry-After"] == "1"
        assert "/var" not in response.text
        again = ann.give(Call("t1-1", 1, 1), id_)
        must(again)
        assert "Idempotency-Replayed" not in again.headers


def test_what_stands_in_a_part_of_the_log_that_is_still_being_read_is_asked_for_later(tmp_path: Path) -> None:
    with unsteady(tmp_path / "home") as (door, log):
        log.error = NotHereYet(3, 900_000)
        response = door.client("player:ann").give(Call("t1-1", 1, 1), key())
        assert "is still being read here, and nothing was recorded" in problem(response, 503, "unreadable")
        assert response.headers["Retry-After"] == "10"


@pytest.mark.parametrize("recorded", [True, False])
def test_what_may_have_been_recorded_is_asked_again(tmp_path: Path, recorded: bool) -> None:
    with unsteady(tmp_path / "home") as (door, log):
        ann, id_ = door.client("player:ann"), key()
        log.error, log.recorded = AppendUnknown("/var/lib/handlog: input/output error"), recorded
        response = ann.give(Call("t1-1", 1, 1), id_)
        assert "send it again with the same Idempotency-Key" in problem(response, 504, "unknown")
        assert response.headers["Retry-After"] == "1"
        assert "/var" not in response.text
        again = ann.give(Call("t1-1", 1, 1), id_)
        assert must(again)["events"]
        assert (again.headers.get("Idempotency-Replayed") == "true") is recorded
        assert len(list(log.stream_commits("hand:t1-1"))) == 2


def test_an_error_that_says_nothing_of_the_command_leaves_it_open(tmp_path: Path) -> None:
    with unsteady(tmp_path / "home") as (door, log):
        log.error, log.recorded = CorruptLog("the log is damaged"), True
        problem(door.client("player:ann").give(Call("t1-1", 1, 1)), 504, "unknown")


def test_a_stopped_shard_takes_no_commands_and_says_so(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with door_of(home) as door:
        at_a_table(door)
    forge_event(home, "table.player-seated", lambda data: data.update(player="NOBODY KNOWS"))
    with door_of(home) as door:
        response = door.client("floor:fay").give(DealHand("t1", 2))
        assert "Nothing was recorded" in problem(response, 503, "stopped")
        assert response.headers["Retry-After"] == "60"
        assert "NOBODY" not in response.text
        problem(door.client("player:ann").give(Fold("t1-1", 1, 1)), 503, "stopped")
        problem(door.client("player:ann").http.get("/v1/tables/t1"), 503, "unreadable")


# --- waiting ---


def test_who_waits_too_long_asks_again_and_nothing_is_done_twice(tmp_path: Path) -> None:
    with impatient(tmp_path / "home") as door:
        ann, id_ = door.client("player:ann"), key()
        answered(lambda: ann.give(Fold("t1-1", 9, 1)), 409)  # so that the door knows her seat
        with busy(door):
            problem(ann.give(Call("t1-1", 1, 1), id_), 504, "unknown")
        waits_for_nobody(door)
        again = answered(lambda: ann.give(Call("t1-1", 1, 1), id_), 200)
        assert again.headers["Idempotency-Replayed"] == "true"
        must(again)


def test_a_command_that_was_not_passed_on_was_not_recorded(tmp_path: Path) -> None:
    """The door still asks whose seat it is."""
    with impatient(tmp_path / "home") as door, busy(door):
        problem(door.client("player:ann").give(Call("t1-1", 1, 1)), 503, "not-recorded")
        problem(door.client("player:ann").http.get("/v1/tables/t1"), 503, "unreadable")


def test_only_so_many_may_wait(tmp_path: Path) -> None:
    with door_of(tmp_path / "home", most_waiting=2) as door, ThreadPoolExecutor(2) as clients:
        fay = door.client("floor:fay")
        with busy(door):
            waiting = [clients.submit(fay.give, open_table(f"t{number}")) for number in range(2)]
            until(lambda: fay.http.get("/metrics").text, lambda text: "handlog_http_waiting 2.0" in text)
            response = fay.give(open_table("t9"))
            assert "send it again" in problem(response, 503, "busy")
            assert response.headers["Retry-After"] == "1"
        for one in waiting:
            must(one.result())
        must(fay.give(open_table("t10")))


# --- what nobody foresaw ---


class Defective(RoomHost):
    """A host in which something is wrong."""

    def submit(self, command: Command) -> "Future[Answer]":
        found: Future[Answer] = Future()
        found.set_exception(KeyError("player:ann holds As"))
        return found

    def facts(self, hand: str) -> list[Any]:
        raise ZeroDivisionError("player:ann holds As")


def test_a_defect_tells_nothing_of_itself(tmp_path: Path) -> None:
    with door_of(tmp_path / "home", host=Defective) as door:
        fay = door.client("floor:fay")
        for response in (fay.give(open_table()), fay.http.get("/v1/hands/t1-1")):
            assert "send it again with the same Idempotency-Key" in problem(response, 500, "defect")
            assert "As" not in response.text


# --- readiness ---


class Behind(RoomHost):
    """A host that isn't caught up."""

    now = Readiness((Standing(0, owned=True), Standing(1, owned=True, lag=7), Standing(2, owned=False, lag=9)))

    def readiness(self) -> Readiness:
        return self.now


def test_a_node_is_ready_when_it_is_caught_up_with_the_shards_it_owns(tmp_path: Path) -> None:
    with door_of(tmp_path / "home", host=Behind) as door:
        nobody = door.with_token(None)
        assert nobody.look("/healthz") == {"alive": True}
        response = nobody.http.get("/readyz")
        assert problem(response, 503, "not-ready") == "Not yet: shard 1 is 7 records behind its log."
        assert "handlog_ready 0.0" in nobody.http.get("/metrics").text
        Behind.now = Readiness((Standing(0, owned=True),), missing="the broker doesn't answer")
        assert problem(nobody.http.get("/readyz"), 503, "not-ready") == "Not yet: the broker doesn't answer."
        Behind.now = Readiness((Standing(0, owned=True, lag=3, stopped=True), Standing(1, owned=True)))
        assert nobody.look("/readyz")["shards"][0] == {"shard": 0, "owned": True, "lag": 3, "stopped": True}
        shown = nobody.http.get("/metrics").text
        assert "handlog_ready 1.0" in shown
        assert 'handlog_shard_stopped{shard="0"} 1.0' in shown
        assert 'handlog_shard_lag{shard="0"} 3.0' in shown


def test_refusals_are_the_room_s_own(tmp_path: Path) -> None:
    with door_of(tmp_path / "home") as door:
        at_a_table(door)
        with pytest.raises(Refused) as refused:
            door.host.submit(Command(key(), DealHand("t1", 2), "floor:fay", "floor")).result()
        assert problem(door.client("floor:fay").give(DealHand("t1", 2)), 409, "refused") == str(refused.value)
