"""One who goes on folding keeps the rows that he has met: they are right, whoever else writes and whatever fails."""

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from sqlalchemy import event

from projections import view
from projections.commit import Commit
from projections.rebuild import rebuild
from projections.store import Gap, Store
from tests.projections.rooms import played
from tests.projections.stored import after, batches, contents, raise_before


@pytest.fixture(scope="module")
def commits() -> list[Commit]:
    return played(rounds=2, seed=3, tables=3).commits


@pytest.fixture(scope="module")
def whole(commits: list[Commit], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the views hold after all commits, folded in one batch."""
    with Store.open(f"sqlite:///{tmp_path_factory.mktemp('whole') / 'views.db'}") as store:
        store.apply(commits)
        return contents(store)


@pytest.fixture
def two(url: str) -> Iterator[tuple[Store, Store]]:
    """Two processes' handles on one store."""
    with Store.open(url) as one, Store.open(url) as other:
        yield one, other


def test_of_two_who_fold_at_once_each_notices_what_the_other_has_folded(commits, whole, two) -> None:
    """Each reads on from where he believes to be: now both fold the same commits, now one is behind by many."""
    random, folding = Random(1), [store.folding() for store in two]
    places = [0, 0]
    folded = 0
    while min(places) < len(commits):
        one = random.randrange(2)
        end = places[one] + random.randint(1, 25)
        folded += folding[one].apply(commits[places[one] : end])
        places[one] = end if random.random() < 0.6 else max(end, *places)
    assert folded == len(commits)
    assert contents(two[0]) == whole


def test_rows_are_loaded_again_where_they_became_too_many_to_keep(commits, whole, store, monkeypatch) -> None:
    monkeypatch.setattr(view, "MOST_KNOWN", 2)
    folding = store.folding()
    for batch in batches(commits, 9):
        folding.apply(batch)
    assert contents(store) == whole


def test_rows_that_were_met_are_not_loaded_again(commits, store) -> None:
    """40 commits, one by one: who keeps no rows loads some for nearly each of them."""
    loaded: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda *of: loaded.append(of[2]) if _loads(of[2]) else None)
    folding = store.folding()
    folding.apply(commits[:-80])
    loaded.clear()
    for commit in commits[-80:-40]:
        folding.apply([commit])
    met = len(loaded)
    for commit in commits[-40:]:
        store.apply([commit])
    assert met < 40
    assert len(loaded) - met > 100


def _loads(statement: str) -> bool:
    return statement.startswith("SELECT") and "WHERE" in statement


class Lost(Exception):
    """The database can't be reached, for a moment."""


def test_after_a_batch_that_was_refused_or_broke_off_it_goes_on(commits, whole, url) -> None:
    """A gap is refused; where the database is lost before any statement after those that begin, it is tried again."""
    for batch, statement in zip(batches(commits, 40), range(3, 500, 5), strict=False):
        with Store.open(url) as store:
            folding = store.folding()
            folding.apply(batch[:20])
            with pytest.raises(Gap):
                folding.apply([*batch[20:30], batch[-1]._replace(height=10**6)])
            raise_before(store, statement, Lost)
            while True:
                with suppress(Lost):
                    folding.apply(batch[20:])
                    break
    with Store.open(url) as store:
        assert contents(store) == whole


def test_it_goes_on_in_what_a_rebuild_put_in_the_place_of_the_views(commits, whole, two) -> None:
    one, other = two
    folding, half = one.folding(), len(commits) // 2
    folding.apply(commits[:half])
    rebuild(other, commits[: half - 30])
    with pytest.raises(Gap):
        folding.apply(commits[half:])
    folding.apply(after(commits, one.positions()))
    assert contents(other) == whole
