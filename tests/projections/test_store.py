"""Rows and positions of the views: stored together, or not at all."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, select

from projections.balances import BALANCES, Balance
from projections.commit import Commit
from projections.postings import Place
from projections.queries import balances, proof
from projections.rebuild import catch_up, rebuild
from projections.registry import VIEWS
from projections.store import Gap, OutOfDate, Store, StoreError
from projections.view import Rows
from tests.projections.rooms import Room, played
from tests.projections.stored import after, batches, contents


@pytest.fixture(scope="module")
def room() -> Room:
    return played(rounds=5)


@pytest.fixture(scope="module")
def whole(room: Room, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the views hold after all commits, folded in one batch."""
    with Store.open(f"sqlite:///{tmp_path_factory.mktemp('whole') / 'views.db'}") as store:
        store.apply(room.commits)
        return contents(store)


@pytest.mark.parametrize("size", [5, 100])
def test_views_that_followed_the_log_are_those_rebuilt_row_for_row(
    size: int, room: Room, store: Store, whole: dict[str, Any]
) -> None:
    folding = store.folding()
    for batch in batches(room.commits, size):
        folding.apply(batch)
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


def test_the_next_revision_is_built_beside_the_old_which_stays_readable(room: Room, url: str) -> None:
    def without_the_house(commit: Commit, accounts: Rows[Balance], places: Rows[Place]) -> None:
        BALANCES.fold(commit, accounts, places)
        accounts.drop(("house:rake", "EUR"))

    newer = BALANCES._replace(revision=BALANCES.revision + 1, fold=without_the_house)
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
        assert set(inspect(new.engine).get_table_names()) == {"views", "positions"} | {
            f"{view.name}_{layout.name}_r{view.revision}_b2" for view in (newer, *VIEWS[1:]) for layout in view.layouts
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


def test_what_sqlite_was_asked_for_is_what_it_does(tmp_path: Path) -> None:
    with Store.open(f"sqlite:///{tmp_path / 'views.db'}") as store, store.read() as db:
        assert db.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert db.exec_driver_sql("PRAGMA synchronous").scalar() == 1
