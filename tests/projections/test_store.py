"""Rows and positions of the views: stored together, or not at all."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, inspect, select, update

from projections.balances import BALANCES, Balance
from projections.commit import Commit
from projections.postings import Place
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
from projections.rebuild import catch_up, rebuild
from projections.registry import VIEWS
from projections.store import Gap, OutOfDate, Store, StoreError
from projections.view import Rows, View
from tests.projections.rooms import Room, played


@pytest.fixture(scope="module")
def room() -> Room:
    return played(rounds=5)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'views.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with Store.open(url) as opened:
        yield opened


def contents(store: Store) -> dict[str, Any]:
    """Every row of every view and where it stands, in order of the keys."""
    found: dict[str, Any] = {}
    with store.read() as db:
        for view in store.views:
            found[view.name] = store.heights(db, view)
            for layout in view.layouts:
                table = store.table(db, view, layout.name)
                rows = db.execute(select(table).order_by(*table.primary_key)).all()
                found[f"{view.name}.{layout.name}"] = [tuple(row) for row in rows]
    return found


@pytest.fixture(scope="module")
def whole(room: Room, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the views hold after all commits, folded in one batch."""
    with Store.open(f"sqlite:///{tmp_path_factory.mktemp('whole') / 'views.db'}") as store:
        store.apply(room.commits)
        return contents(store)


def batches(commits: list[Commit], size: int) -> Iterator[list[Commit]]:
    return (commits[at : at + size] for at in range(0, len(commits), size))


def after(commits: list[Commit], positions: dict[int, int]) -> list[Commit]:
    """The commits that a reader of the log gives to views that stand there."""
    return [commit for commit in commits if commit.height > positions.get(commit.shard, -1)]


@pytest.mark.parametrize("size", [1, 7, 100])
def test_views_that_followed_the_log_are_those_rebuilt_row_for_row(
    size: int, room: Room, store: Store, whole: dict[str, Any]
) -> None:
    for batch in batches(room.commits, size):
        store.apply(batch)
    assert contents(store) == whole
    rebuild(store, room.commits)
    assert contents(store) == whole


def test_commits_that_were_folded_already_are_skipped(room: Room, store: Store, whole: dict[str, Any]) -> None:
    half = len(room.commits) // 2
    assert store.apply(room.commits[:half]) == half
    assert store.apply(room.commits[:half]) == 0
    assert store.apply(room.commits) == len(room.commits) - half
    assert catch_up(store, room.commits) == 0
    assert contents(store) == whole


def test_a_gap_is_refused_and_nothing_of_the_batch_stored(room: Room, store: Store) -> None:
    store.apply(room.commits[:20])
    before = contents(store)
    of_shard_1 = [commit for commit in room.commits[20:] if commit.shard == 1]
    height = store.positions()[1]
    with pytest.raises(Gap, match=rf"can't fold commit {height + 2} of shard 1: the next one is {height + 1}"):
        store.apply(of_shard_1[1:])
    with pytest.raises(Gap):
        store.apply([of_shard_1[0], of_shard_1[2]])
    assert contents(store) == before
    store.apply(of_shard_1)


class Killed(BaseException):
    """The process ends here."""


def kill_before(store: Store, statement: int) -> None:
    """Die before the store executes that statement, counted from 1, or the end of its transaction."""
    left = statement

    def count(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise Killed

    event.listen(store.engine, "before_cursor_execute", count)
    event.listen(store.engine, "commit", count)


def one_round(url: str) -> tuple[list[Commit], dict[str, Any]]:
    """A room of one hand at each table, and what the views hold after it."""
    commits = played(rounds=1).commits
    with Store.open(f"{url}.whole") as store:
        store.apply(commits)
        return commits, contents(store)


def test_killed_before_any_statement_it_loses_nothing_and_repeats_nothing(url: str) -> None:
    """Each batch is tried again and again, killed one statement later each time, until it goes through."""
    commits, whole = one_round(url)
    kills = 0
    for batch in batches(commits, len(commits) // 2 + 1):
        statement, done = 0, False
        while not done:
            statement += 1
            with Store.open(url) as store:
                before = contents(store)
                kill_before(store, statement)
                try:
                    store.apply(batch)
                    done = True
                except Killed:
                    kills += 1
            with Store.open(url) as store:
                assert done or contents(store) == before
    with Store.open(url) as store:
        assert contents(store) == whole
    assert kills > 30


def test_a_rebuild_killed_before_any_statement_leaves_the_old_views_and_can_begin_again(url: str) -> None:
    commits, whole = one_round(url)
    with Store.open(url) as store:
        store.apply(commits[:40])
        old = contents(store)
    statement, done = 0, False
    while not done:
        statement += 1
        with Store.open(url) as store:
            kill_before(store, statement)
            try:
                rebuild(store, commits)
                done = True
            except Killed:
                pass
        if not done:
            with Store.open(url) as store:
                assert contents(store) == old
    with Store.open(url) as store:
        assert contents(store) == whole
    assert statement > 50


ROOT = Path(__file__).parents[2]

FOLLOWER = """
import sys
from projections.store import Store
from tests.projections.rooms import played
commits = played(rounds=5).commits
with Store.open(sys.argv[1]) as store:
    print("ready", flush=True)
    for commit in commits:
        store.apply([commit])
"""


def test_a_process_that_is_killed_goes_on_where_it_stood(room: Room, url: str, whole: dict[str, Any]) -> None:
    follower = subprocess.Popen([sys.executable, "-c", FOLLOWER, url], cwd=ROOT, stdout=subprocess.PIPE)
    assert follower.stdout is not None
    assert follower.stdout.readline() == b"ready\n"
    with Store.open(url) as store:
        while sum(store.positions().values()) < 20:
            time.sleep(0.005)
        follower.send_signal(signal.SIGKILL)
        assert follower.wait() == -signal.SIGKILL
        follower.stdout.close()
        rest = after(room.commits, store.positions())
        assert 0 < len(rest) < len(room.commits)
        store.apply(rest)
        assert contents(store) == whole


def test_the_next_revision_is_built_beside_the_old_which_stays_readable(room: Room, url: str) -> None:
    def without_the_house(commit: Commit, accounts: Rows[Balance], places: Rows[Place]) -> None:
        BALANCES.fold(commit, accounts, places)
        accounts.drop(("house:rake", "EUR"))

    newer = BALANCES._replace(revision=2, fold=without_the_house)
    with Store.open(url) as old, Store.open(url, (newer, *VIEWS[1:])) as new:
        old.apply(room.commits)
        expected = balances(old)
        with pytest.raises(OutOfDate, match=r"balances is stored in revision 1, .* revision 2: run `handlog rebuild`"):
            new.apply(room.commits)
        seen = []
        rebuild(new, room.commits, progress=lambda folded: seen.append((folded, balances(old) == expected)))
        assert seen == [(len(room.commits), True)]
        with pytest.raises(OutOfDate, match=r"revision 2, .* revision 1: use the newer version"):
            balances(old)
        with new.read() as db:
            found = db.execute(select(new.table(db, newer, "accounts")).order_by("account", "currency"))
            rows = [Balance(*row) for row in found]
        assert rows == [row for row in expected if row[:2] != ("house:rake", "EUR")] != expected
        assert set(inspect(new.engine).get_table_names()) == {
            "views",
            "positions",
            "balances_accounts_r2_b2",
            "balances_places_r2_b2",
            "rake_ledger_r1_b2",
            "rake_unsettled_r1_b2",
            "hands_headers_r4_b2",
            "shards_shards_r2_b2",
        }


def test_a_projector_goes_on_after_a_rebuild_that_ended_before_it(
    room: Room, store: Store, whole: dict[str, Any]
) -> None:
    """While a rebuild folds, the projector gets further; afterwards it asks where the views stand now."""
    half = room.commits[: len(room.commits) // 2]
    store.apply(half)
    rebuild(store, half[:-10])
    with pytest.raises(Gap):
        store.apply(room.commits[len(half) :])
    store.apply(after(room.commits, store.positions()))
    assert contents(store) == whole


def test_a_view_that_is_new_to_a_store_is_caught_up_with_the_others(
    room: Room, url: str, whole: dict[str, Any]
) -> None:
    with Store.open(url, VIEWS[:1]) as store:
        store.apply(room.commits)
    with Store.open(url) as store:
        assert store.positions() == {0: -1, 1: -1}
        with pytest.raises(StoreError, match="stand at different commits"):
            proof(store)
        catch_up(store, after(room.commits, store.positions()))
        assert contents(store) == whole


def test_books_balance_and_say_where_they_do_not(room: Room, store: Store) -> None:
    store.apply(room.commits)
    books = proof(store)
    assert books.sound
    assert books.sums == {"EUR": 0, "PLAY": 0, "USD": 0}
    assert [check.currency for check in books.rake] == ["EUR", "USD"]
    assert all(check.ledger == check.house > 0 for check in books.rake)


def _tamper(store: Store, view: View, layout: str, where: dict[str, str], **values: Any) -> None:
    with store.engine.begin() as db:
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


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("views.db", "no address of a database"),
        ("mysql://host/views", "no address of a database|kept in sqlite or postgresql"),
        ("sqlite:////nowhere/at/all/views.db", "can't be used: unable to open database file"),
    ],
)
def test_a_bad_address_is_refused_with_a_sentence(url: str, sentence: str) -> None:
    with pytest.raises(StoreError, match=sentence):
        Store.open(url)


def test_a_damaged_store_says_how_to_get_it_back(tmp_path: Path) -> None:
    path = tmp_path / "views.db"
    path.write_bytes(b"no database" * 100)
    with pytest.raises(StoreError, match=r"file is not a database.* delete it and run `handlog rebuild`"):
        Store.open(f"sqlite:///{path}")


def test_what_sqlite_was_asked_for_is_what_it_does(store: Store) -> None:
    with store.read() as db:
        assert db.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert db.exec_driver_sql("PRAGMA synchronous").scalar() == 1
