"""Those who share a store: one writes after the other, and who reads sees one moment, on every database."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from projections.balances import BALANCES
from projections.engines import engine_for
from projections.queries import balances
from projections.rebuild import rebuild
from projections.store import Store, StoreError
from tests.projections.rooms import Room, played
from tests.projections.stored import after, batches, contents


@pytest.fixture(scope="module")
def room() -> Room:
    return played(rounds=2, tables=3)


def test_two_who_project_the_same_log_at_once_fold_each_commit_once(room: Room, url: str) -> None:
    def follow(size: int) -> int:
        with Store.open(url) as store:
            return sum(store.apply(after(batch, store.positions())) for batch in batches(room.commits, size))

    with ThreadPoolExecutor() as both:
        new = sum(both.map(follow, [4, 7]))
    assert new == len(room.commits)
    with Store.open(url) as store:
        followed = contents(store)
        rebuild(store, room.commits)
        assert contents(store) == followed


def test_who_reads_sees_one_moment_while_another_writes(room: Room, url: str) -> None:
    half = len(room.commits) // 2
    with Store.open(url) as store, Store.open(url) as writer:
        writer.apply(room.commits[:half])
        with store.read() as db:
            before = db.execute(select(store.table(db, BALANCES, "accounts"))).all(), store.heights(db, BALANCES)
            writer.apply(room.commits[half:])
            after_it = db.execute(select(store.table(db, BALANCES, "accounts"))).all(), store.heights(db, BALANCES)
        assert before == after_it
        assert sum(store.positions().values()) == len(room.commits) - 2


def test_a_rebuild_drops_no_rows_that_somebody_reads(room: Room, url: str) -> None:
    with Store.open(url) as store, Store.open(url) as writer:
        writer.apply(room.commits)
        expected = balances(store)
        rebuilding = threading.Thread(target=rebuild, args=(writer, room.commits))
        with store.read() as db:
            accounts = store.table(db, BALANCES, "accounts")
            rebuilding.start()
            rebuilding.join(timeout=0.5)
            assert len(db.execute(select(accounts)).all()) == len(expected)
        rebuilding.join()
        assert balances(store) == expected


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
def test_who_only_reads_can_write_nothing(url: str) -> None:
    with Store.open(url) as store, pytest.raises(StoreError, match="read-only transaction"), store.read() as db:
        db.exec_driver_sql("DELETE FROM positions")


@pytest.mark.parametrize("short", ["postgres://ann@db/views", "postgresql://ann@db/views"])
def test_a_short_address_names_the_driver_that_is_installed(short: str) -> None:
    assert engine_for(short).url.drivername == "postgresql+psycopg"


def test_a_server_that_does_not_answer_is_said_without_its_password() -> None:
    with pytest.raises(
        StoreError, match=r"postgresql\+psycopg://ann:\*\*\*@127.0.0.1:1/views, can't be used: "
    ) as said:
        Store.open("postgresql://ann:secret@127.0.0.1:1/views")
    assert "secret" not in str(said.value)
