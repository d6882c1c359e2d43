"""Days and the reconciliation: start and moves come to the end, and it is what the balances say."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from domain.room import ShardOpened
from domain.table import events as of_table
from domain.table.commands import OpenTable, StandUp
from projections import postings as books
from projections.commit import Commit, CommittedFact
from projections.day_report import DayLine, day_report
from projections.days import DAYS
from projections.filters import Only
from projections.postings import Posting
from projections.queries import By, hand_headers, proof, rake_ledger
from projections.reconciliation import reconciliation
from projections.store import Store
from tests.projections.rooms import NEW_YEAR, Room, played

DAY = 86_400_000_000


def a_quiet_week() -> Room:
    """One table. New Year: two sit down with 50.00 and 80.00. Two days later the first leaves; nothing in between."""
    room = Room()
    room.ask("t1", OpenTable("t1", "", "holdem", "no", "euro", 50, 100, 6, "real", "EUR"))
    room.sit_down("t1", 1, "ann")
    room.sit_down("t1", 2, "bob")
    room.at += 2 * DAY
    room.ask("t1", StandUp("t1", 1, "ann"))
    return room


def chips(room: Room, kind: type[Any]) -> list[int]:
    return [event.amount for commit in room.commits for _, _, event in commit.facts if type(event) is kind]


def test_a_day_without_play_has_a_line_too(store: Store) -> None:
    room = a_quiet_week()
    store.apply(room.commits)
    (ann, bob), (back,) = chips(room, of_table.ChipsBrought), chips(room, of_table.ChipsTaken)
    assert back == ann
    found = day_report(store, None, None, Only())
    assert found.sound
    assert [(line.day, line.tables_start, line.buy_ins, line.cash_outs, line.tables_end) for line in found.lines] == [
        ("2026-01-01", 0, ann + bob, 0, ann + bob),
        ("2026-01-02", ann + bob, 0, 0, ann + bob),
        ("2026-01-03", ann + bob, 0, ann, bob),
    ]
    later = day_report(store, date(2026, 1, 4), date(2026, 1, 5), Only())
    assert [(line.day, line.tables_start, line.tables_end, line.hands) for line in later.lines] == [
        ("2026-01-04", bob, bob, 0),
        ("2026-01-05", bob, bob, 0),
    ]
    before = day_report(store, date(2025, 12, 30), date(2025, 12, 31), Only())
    assert [(line.tables_start, line.tables_end) for line in before.lines] == [(0, 0), (0, 0)]


def test_days_of_a_store_without_commits_are_none(store: Store) -> None:
    assert day_report(store, None, None, Only()).lines == []
    assert reconciliation(store) == []


def test_days_hands_and_ledger_tell_the_same_rake_and_pots(store: Store) -> None:
    room = played(rounds=6, seed=2, time_zone="America/New_York")
    store.apply(room.commits)
    found = day_report(store, None, None, Only())
    assert found.sound
    assert {line.currency for line in found.lines} == {"EUR", "USD", "PLAY"}
    assert "2025-12-31" in {line.day for line in found.lines}, "five hours of New Year's Eve are left in New York"
    ledger = {(total.of[0], total.currency): total.rake for total in rake_ledger(store, [By.DAY])}
    assert {(line.day, line.currency): line.rake for line in found.lines if line.rake} == ledger
    headers = [row for row in hand_headers(store) if row.cancelled_after is None]
    for line in found.lines:
        of_it = [row for row in headers if (row.day, row.currency) == (line.day, line.currency)]
        assert (line.hands, line.pots) == (len(of_it), sum(row.pot for row in of_it))


def test_the_lines_of_tables_sum_to_those_of_the_room(store: Store) -> None:
    store.apply(played(rounds=3, seed=4).commits)
    room = {(line.day, line.currency): line for line in day_report(store, None, None, Only()).lines}
    sums: dict[tuple[str, str], list[int]] = {}
    for table in range(1, 8):
        report = day_report(store, None, None, Only(table=f"t{table}"))
        assert report.sound
        assert report.lines
        for line in report.lines:
            amounts = sums.setdefault((line.day, line.currency), [0] * 7)
            told = line.tables_start, line.buy_ins, line.cash_outs, line.rake, line.tables_end, line.hands, line.pots
            sums[line.day, line.currency] = [a + b for a, b in zip(amounts, told, strict=True)]
    for key, line in room.items():
        told = line.tables_start, line.buy_ins, line.cash_outs, line.rake, line.tables_end, line.hands, line.pots
        assert sums[key] == list(told)


def test_a_movement_that_was_changed_differs_from_the_balances(store: Store) -> None:
    store.apply(a_quiet_week().commits)
    with store._transaction(write=True) as db:
        rows = store.table(db, DAYS, "movements")
        db.execute(update(rows).where(rows.c.day == "2026-01-03").values(amount=1))
    found = day_report(store, None, None, Only())
    assert not found.sound
    assert {check.kind for check in found.checks if check.days != check.balances} == {"tables", "cashier"}
    (euros,) = reconciliation(store)
    assert not euros.agrees


def test_what_came_in_is_what_is_there(store: Store) -> None:
    store.apply(played(rounds=4).commits)
    assert proof(store).sound
    found = reconciliation(store)
    assert [row.currency for row in found] == ["EUR", "PLAY", "USD"]
    for row in found:
        assert row.agrees
        assert row.sold > 0
        assert row.sold - row.bought_back == row.tables + row.house
        assert (row.deposits, row.accounts, row.transit) == (0, 0, 0)
    assert reconciliation(store, "USD") == found[2:]


class Moved:
    """A fact that moves what a test says, to see how the books follow accounts that no table knows."""

    def __init__(self, *moves: tuple[str, str, int]) -> None:
        self.postings = tuple(
            posting
            for giver, taker, amount in moves
            for posting in (Posting(giver, "EUR", -amount), Posting(taker, "EUR", amount))
        )


@pytest.fixture
def moves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Store]]:
    """A store that has folded these moves, each a fact of its own: (day of January, giver, taker, amount)."""
    monkeypatch.setitem(books.MOVES, Moved, lambda places, stream, event: event.postings)
    with Store.open(f"sqlite:///{tmp_path / 'views.db'}") as store:

        def folded(*moves: tuple[int, str, str, int]) -> Store:
            opened = ShardOpened("room", "00", 0, 1, "UTC", "00" * 8, ())
            commits = [Commit(0, 0, NEW_YEAR, [CommittedFact("shard:0", 1, opened)])]
            for height, (day, giver, taker, amount) in enumerate(moves, start=1):
                facts = [CommittedFact("account:ann:eur", height, Moved((giver, taker, amount)))]
                commits.append(Commit(0, height, NEW_YEAR + (day - 1) * DAY, facts))
            store.apply(commits)
            return store

        yield folded


def test_money_of_accounts_goes_its_way_through_the_days(moves: Callable[..., Store]) -> None:
    """Deposit 100, buy-in 60 that arrives the next day, cash-out 75 (15 won), hold 20, a gift of 5, withdrawal 30."""
    ann, chips_ = "account:ann:eur", "table:t1:player:ann"
    out, back = f"transit:{ann}>table:t1", f"transit:table:t1>{ann}"
    store = moves(
        (1, "bank", ann, 100),
        (1, ann, out, 60),
        (2, out, chips_, 60),
        (2, "table:t1:player:bob", chips_, 15),
        (3, chips_, back, 75),
        (3, back, ann, 75),
        (3, ann, f"{ann}:held", 20),
        (3, "house:promotions", f"{ann}:promotion", 5),
        (3, ann, "bank", 30),
    )
    found = day_report(store, None, None, Only())
    assert all(line.agrees for line in found.lines)
    assert found.sound
    empty = DayLine("", "EUR", *[0] * (len(DayLine._fields) - 2))
    assert found.lines == [
        empty._replace(day="2026-01-01", deposits=100, to_tables=60, accounts_end=40, transit_end=60),
        empty._replace(
            day="2026-01-02", accounts_start=40, accounts_end=40, transit_start=60, buy_ins=60, tables_end=60
        ),
        empty._replace(
            day="2026-01-03", tables_start=60, cash_outs=75, tables_end=-15, accounts_start=40, from_tables=75,
            withdrawals=30, other=5, accounts_end=90,
        ),
    ]  # fmt: skip
    (row,) = reconciliation(store)
    assert (row.deposits, row.withdrawals, row.came_in) == (100, 30, 70)
    assert (row.accounts, row.held, row.promotion, row.tables, row.transit, row.house) == (65, 20, 5, -15, 0, -5)
    assert row.agrees
    of_table = day_report(store, None, None, Only(table="t1"))
    assert [(line.transit_start, line.buy_ins, line.cash_outs, line.transit_end) for line in of_table.lines] == [
        (0, 0, 0, 60),
        (60, 60, 0, 0),
        (0, 0, 75, 0),
    ]
    assert of_table.sound
    assert {line.accounts_end for line in of_table.lines} == {0}


def test_a_buy_in_that_is_refused_comes_back(moves: Callable[..., Store]) -> None:
    out = "transit:account:ann:eur>table:t1"
    store = moves((1, "account:ann:eur", out, 60), (1, out, "account:ann:eur", 60))
    (line,) = day_report(store, None, None, Only()).lines
    assert (line.to_tables, line.from_tables, line.accounts_end, line.buy_ins) == (60, 60, 0, 0)


def test_what_no_kind_is_known_of_stops_the_days(moves: Callable[..., Store]) -> None:
    with pytest.raises(books.UnknownEvent, match="no kind of account begins as 'jar:tips' does"):
        moves((1, "bank", "jar:tips", 5))
