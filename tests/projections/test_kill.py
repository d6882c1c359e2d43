"""A process that is killed while it projects: what it left is all of a batch or nothing, and it goes on from there."""

import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from projections.balances import BALANCES
from projections.commit import Commit
from projections.rake import RAKE
from projections.rebuild import rebuild
from projections.store import Store
from tests.projections.conftest import LONG
from tests.projections.rooms import played
from tests.projections.stored import after, batches, contents, raise_before

FEW = (BALANCES, RAKE)
"""The views that are killed before each statement: enough, since a store does the same with all."""


def _step(url: str) -> int:
    """SQLite is killed before every statement; the server, to which each takes longer, before every fourth."""
    return 1 if url.startswith("sqlite") else 4


class Killed(BaseException):
    """The process ends here."""


def kill_before(store: Store, statement: int) -> None:
    """Die before the store executes that statement, counted from 1, or the end of its transaction."""
    raise_before(store, statement, Killed, of=("before_cursor_execute", "commit"))


@pytest.fixture(scope="module")
def one_round(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Commit], dict[str, Any]]:
    """A room of one hand, and what the views hold after it."""
    commits = played(rounds=1, tables=1).commits
    with Store.open(f"sqlite:///{tmp_path_factory.mktemp('round') / 'views.db'}", FEW) as store:
        store.apply(commits)
        return commits, contents(store)


def test_killed_before_any_statement_it_loses_nothing_and_repeats_nothing(
    url: str, one_round: tuple[list[Commit], dict[str, Any]]
) -> None:
    """Each batch is tried again and again, killed one statement later each time, until it goes through."""
    commits, whole = one_round
    kills = 0
    for batch in batches(commits, len(commits) // 2 + 1):
        statement, done = 0, False
        while not done:
            statement += _step(url)
            with Store.open(url, FEW) as store:
                before = contents(store)
                kill_before(store, statement)
                try:
                    store.apply(batch)
                    done = True
                except Killed:
                    kills += 1
            with Store.open(url, FEW) as store:
                assert done or contents(store) == before
    with Store.open(url, FEW) as store:
        assert contents(store) == whole
    assert kills * _step(url) > 20


@pytest.mark.parametrize("url", LONG, indirect=True)
def test_a_rebuild_killed_before_any_statement_leaves_the_old_views_and_can_begin_again(
    url: str, one_round: tuple[list[Commit], dict[str, Any]]
) -> None:
    commits, whole = one_round
    with Store.open(url, FEW) as store:
        store.apply(commits[:40])
        old = contents(store)
    statement, done = 0, False
    while not done:
        statement += _step(url)
        with Store.open(url, FEW) as store:
            kill_before(store, statement)
            try:
                rebuild(store, commits)
                done = True
            except Killed:
                pass
        if not done:
            with Store.open(url, FEW) as store:
                assert contents(store) == old
    with Store.open(url, FEW) as store:
        assert contents(store) == whole
    assert statement > 40


ROOT = Path(__file__).parents[2]

FOLLOWER = """
import pickle, signal, sys
from pathlib import Path
from random import Random
from projections.rebuild import rebuild
from projections.store import Store
from tests.projections.stored import after
url, file, seed, what = sys.argv[1:]
commits, random = pickle.loads(Path(file).read_bytes()), Random(int(seed))
with Store.open(url) as store:
    rest = after(commits, store.positions())
    print("ready", flush=True)
    while rest and what == "follow":
        size = random.randint(1, 9)
        store.apply(rest[:size])
        rest = rest[size:]
    while what == "rebuild":
        rebuild(store, commits)
    signal.pause()
"""
KILLS = 2


def test_a_process_that_is_killed_again_and_again_loses_nothing_and_repeats_nothing(url: str, tmp_path: Path) -> None:
    """It follows in batches of any size, or rebuilds; SIGKILL comes at any moment of that."""
    commits, random = played(rounds=6, seed=5, tables=3).commits, Random(7)
    (tmp_path / "commits").write_bytes(pickle.dumps(commits))
    for kill in range(KILLS):
        what = "rebuild" if kill == KILLS - 1 else "follow"
        before = _positions(url)
        _killed_while(what, url, tmp_path / "commits", seed=kill, after_seconds=random.uniform(0.005, 0.06))
        assert what != "rebuild" or _positions(url) == before
    with Store.open(url) as store:
        store.apply(after(commits, store.positions()))
        followed = contents(store)
        rebuild(store, commits)
        assert contents(store) == followed


def _positions(url: str) -> dict[int, int]:
    with Store.open(url) as store:
        return store.positions()


def _killed_while(what: str, url: str, commits: Path, seed: int, after_seconds: float) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", FOLLOWER, url, str(commits), str(seed), what], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    time.sleep(after_seconds)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    child.stdout.close()
