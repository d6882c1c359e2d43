"""Looking at a room that works: in its writer's thread, between two batches."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.bootstrap import open_log
from services.room.writer import Writer
from tests.services.homes import Desk, a_table_of_two, new_home, open_table, room_over


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Writer]:
    ports = new_home(tmp_path / "home")
    with open_log(tmp_path / "home", write=True) as log:
        writer = Writer(room_over(log, ports))
        yield writer
        writer.close()


@pytest.fixture
def desk(writer: Writer) -> Desk:
    return Desk(writer.room.ports)


def test_it_is_done_in_the_writer_s_thread(writer: Writer) -> None:
    assert writer.look(lambda room: threading.current_thread().name).result() == "writer"
    assert writer.look(lambda room: room is writer.room).result()


def test_it_sees_what_was_submitted_before(writer: Writer, desk: Desk) -> None:
    for args in a_table_of_two():
        writer.submit(desk(args))
    play = writer.look(lambda room: room.table("t1")).result()
    assert play.hand is not None
    assert play.hand.id == "t1-1"


def test_what_it_raises_is_for_him_who_looked(writer: Writer, desk: Desk) -> None:
    with pytest.raises(ZeroDivisionError):
        writer.look(lambda room: 1 // 0).result()
    assert writer.submit(desk(open_table())).result().events


def test_who_stops_waiting_stops_nothing(writer: Writer, desk: Desk) -> None:
    """A future that could be cancelled would end the writer's thread when it is answered."""
    go_on = threading.Event()
    held = writer.look(lambda room: go_on.wait(60))
    answer, seen = writer.submit(desk(open_table())), writer.look(lambda room: room.table("t1").table)
    assert not answer.cancel()
    assert not seen.cancel()
    go_on.set()
    assert held.result()
    assert answer.result().events
    assert seen.result() is not None


def test_a_closed_writer_takes_nothing(writer: Writer, desk: Desk) -> None:
    writer.close()
    with pytest.raises(RuntimeError, match="takes no more commands"):
        writer.look(lambda room: None)
    with pytest.raises(RuntimeError, match="takes no more commands"):
        writer.submit(desk(open_table()))
