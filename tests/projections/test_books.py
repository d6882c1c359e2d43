"""What reports ask of the views, and the proof that the books balance, which must be able to fail."""

from typing import Any

import pytest
from sqlalchemy import update

from projections.balances import BALANCES, Balance
from projections.queries import (
    By,
    RakeCheck,
    RakeTotal,
    balances,
    hand_header,
    hand_headers,
    proof,
    rake_ledger,
    raked_hands,
)
from projections.rake import RAKE
from projections.results import RESULTS
from projections.store import Store
from projections.view import View
from tests.projections.rooms import Room, played


@pytest.fixture(scope="module")
def room() -> Room:
    return played(rounds=5)


def test_books_balance_and_say_where_they_do_not(room: Room, store: Store) -> None:
    store.apply(room.commits)
    books = proof(store)
    assert books.sound
    assert books.sums == {"EUR": 0, "PLAY": 0, "USD": 0}
    assert [check.currency for check in books.rake] == ["EUR", "USD"]
    assert all(check.ledger == check.house > 0 for check in books.rake)


def _tamper(store: Store, view: View, layout: str, where: dict[str, Any], **values: Any) -> None:
    with store._transaction(write=True) as db:
        table = store.table(db, view, layout)
        done = db.execute(update(table).filter_by(**where).values(**values))
        assert done.rowcount == 1


def test_the_proof_finds_a_chip_too_many(room: Room, store: Store) -> None:
    store.apply(room.commits)
    _tamper(store, BALANCES, "accounts", {"account": "house:rake", "currency": "EUR"}, amount=1)
    books = proof(store)
    assert not books.sound
    assert books.sums["EUR"] < 0
    assert books.rake[0].house == 1 != books.rake[0].ledger


def test_the_proof_finds_a_row_missing_from_the_ledger(room: Room, store: Store) -> None:
    store.apply(room.commits)
    row = raked_hands(store)[0]
    _tamper(store, RAKE, "ledger", {"hand": row.hand}, rake=0)
    check = {check.currency: check for check in proof(store).rake}[row.currency]
    assert check == RakeCheck(row.currency, check.house - row.rake, check.house)
    assert not proof(store).sound


def test_the_proof_finds_a_hand_whose_rake_nobody_bore(room: Room, store: Store) -> None:
    store.apply(room.commits)
    assert proof(store).unshared == []
    hand = raked_hands(store)[0].hand
    _tamper(store, RESULTS, "players", {"hand": hand, "seat": 1}, rake=99_999)
    assert proof(store).unshared == [hand]
    assert not proof(store).sound


def test_the_proof_finds_chips_in_the_middle_of_a_hand_that_is_over(room: Room, store: Store) -> None:
    store.apply(room.commits)
    _tamper(store, BALANCES, "accounts", {"account": "cashier", "currency": "PLAY"}, account="hand:t4-1")
    books = proof(store)
    assert [balance.account for balance in books.unsettled] == ["hand:t4-1"]
    assert books.unsettled == books.overdrawn  # and a hand's chips are never under 0
    assert not any(books.sums.values())
    assert not books.sound


def test_chips_in_the_middle_of_a_hand_under_way_are_no_fault(store: Store) -> None:
    room = Room()
    room.open_tables()
    next(room.moves("t1"))
    store.apply(room.commits)
    assert Balance("hand:t1-1", "EUR", 150) in balances(store)
    assert proof(store).sound


def test_rake_is_totalled_by_what_is_asked_for(room: Room, store: Store) -> None:
    store.apply(room.commits)
    rows = raked_hands(store)
    by_table = rake_ledger(store)
    assert [total.of for total in by_table] == [("t1",), ("t2",), ("t3",), ("t5",), ("t7",)]
    for total in by_table:
        of_table = [row for row in rows if (row.table,) == total.of]
        pots, rakes = sum(row.pot for row in of_table), sum(row.rake for row in of_table)
        assert total == RakeTotal(total.of, of_table[0].currency, len(of_table), pots, rakes)
    by_game = rake_ledger(store, [By.GAME, By.LIMIT])
    assert {total.of for total in by_game} == {
        ("holdem", "no"), ("omaha", "pot"), ("omaha-hilo", "fixed"), ("stud", "fixed"), ("draw32", "half-pot"),
    }  # fmt: skip
    by_rulebook = rake_ledger(store, [By.RULEBOOK])
    assert [(total.of, total.currency) for total in by_rulebook] == [
        (("ace",), "USD"),
        (("euro",), "EUR"),
        (("euro",), "USD"),
    ]
    for by in By:
        assert sum(total.rake for total in rake_ledger(store, [by])) == sum(row.rake for row in rows)
    assert [(total.of, total.currency) for total in rake_ledger(store, [])] == [((), "EUR"), ((), "USD")]


def test_headers_are_listed_latest_first(room: Room, store: Store) -> None:
    store.apply(room.commits)
    assert [row.number for row in hand_headers(store, table="t2")] == [5, 4, 3, 2, 1]
    latest = hand_headers(store, limit=3)
    assert [row.started_at for row in latest] == sorted((row.started_at for row in hand_headers(store)), reverse=True)[
        :3
    ]
    assert hand_header(store, "t2-2") == hand_headers(store, table="t2")[3]
    assert hand_header(store, "t2-6") is None
    assert hand_headers(store, table="t9") == []
