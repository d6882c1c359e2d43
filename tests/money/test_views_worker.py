"""What keeps the views up beside a room: a worker that is killed, two at once, reports meanwhile, a log that breaks."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import cast

import pytest

from deploy.kafka.ports import free_ports
from projections.queries import proof
from projections.rebuild import rebuild
from projections.store import Store, StoreError
from services.bootstrap import open_log
from services.eventlog.log import CorruptLog, Log
from services.following import Behind, behind
from services.views import VIEWS, ViewsWorker, commits, current_views, open_views
from tests.money.followers import following, heads, playing, shown, stopped, wait_until
from tests.money.test_warehouse import Stops
from tests.money.warehouses import played_home
from tests.postgresql import empty_database
from tests.projections.stored import contents
from tests.services.homes import new_home


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return played_home(tmp_path / "home")


@pytest.fixture
def log(home: Path) -> Iterator[Log]:
    with open_log(home) as log:
        yield log


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with open_views(home) as store:
        yield store


# --- what it takes in, and how far it is -----------------------------------------------------------------------------


def test_it_folds_all_that_the_log_has_and_says_how_much(log, store):
    worker, told = ViewsWorker(store, log), list[int]()
    worker.catch_up(told.append)
    assert worker.heights() == store.positions() == heads(log)
    assert sum(told) == worker.folded == sum(height + 1 for height in heads(log).values())
    worker.catch_up(told.append)
    assert sum(told) == worker.folded


def test_how_far_it_is_behind_is_told_in_commits_and_in_the_room_s_time(log):
    of_2 = [commit for commit in commits(log) if commit.shard == 2]
    there = heads(log) | {2: 10}
    first, last = of_2[10].at, of_2[-1].at
    assert behind(log, there) == {
        shard: Behind(len(of_2) - 11, (last - first) / 1_000_000) if shard == 2 else Behind(0, 0.0)
        for shard in range(log.shards)
    }
    assert behind(log, {})[2] == Behind(len(of_2), (last - of_2[0].at) / 1_000_000)


def test_a_shard_that_can_t_be_read_leaves_the_others_be_and_is_gone_on_with(log, store):
    broken = cast(Log, Stops(log, [10**9, 50, *[10**9] * (log.shards - 2)]))
    with pytest.raises(CorruptLog, match="shard 1 is broken"):
        ViewsWorker(store, broken).catch_up()
    assert store.positions() == heads(log) | {1: 50}
    ViewsWorker(store, log).catch_up()
    assert store.positions() == heads(log)
    assert proof(store).sound


def test_it_goes_on_where_a_rebuild_from_an_earlier_end_took_the_place_of_the_views(log, store):
    worker = ViewsWorker(store, log)
    worker.catch_up()
    rebuild(store, [commit for commit in commits(log) if commit.height < 20])
    assert store.positions() != heads(log)
    worker.catch_up()
    assert store.positions() == heads(log)


def test_it_goes_on_where_a_rebuild_takes_the_place_of_the_views_while_it_reads(log, store, monkeypatch):
    worker, read = ViewsWorker(store, log), log.read

    def rebuilt_meanwhile(shard: int, start: int = 0) -> object:
        monkeypatch.setattr(log, "read", read)
        rebuild(store, [])
        return read(shard, start)

    rebuild(store, [commit for commit in commits(log) if commit.height < 20])
    monkeypatch.setattr(log, "read", rebuilt_meanwhile)
    worker.catch_up()
    assert store.positions() == heads(log)


def test_the_views_of_another_room_are_left_alone(log, store, tmp_path):
    ViewsWorker(store, log).catch_up()
    new_home(tmp_path / "other", seed=2)
    with open_log(tmp_path / "other") as other, pytest.raises(StoreError, match="of another log than this one"):
        ViewsWorker(store, other)


# --- as a process of its own -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)])
def test_beside_a_room_two_follow_one_is_killed_and_reports_are_answered(kind, tmp_path, monkeypatch):
    """What stands there at the end is what a rebuild makes of the log."""
    home = tmp_path / "home"
    with ExitStack() as stack:
        if kind == "postgresql":
            monkeypatch.setenv(VIEWS, stack.enter_context(empty_database()))
        end_of_play = stack.enter_context(playing(home))
        one, other = (stack.enter_context(following(home, "views")) for _ in range(2))
        log, store = stack.enter_context(open_log(home)), stack.enter_context(open_views(home))

        def folded() -> int:
            return sum(store.positions().values())

        for worker in (one, other):
            before = folded()
            wait_until(lambda: folded() > before + 50)  # noqa: B023 -- it is called here
            if worker is one:
                one.kill()
            for _ in range(4):
                with current_views(home, log) as reported:
                    assert proof(reported).sound
        end_of_play()
        wait_until(lambda: store.positions() == heads(log))
        assert re.fullmatch(r"[1-9][0-9,]* commits folded\.", stopped(other))
        there = contents(store)
        rebuild(store, commits(log))
        assert contents(store) == there


@pytest.mark.soak
def test_prometheus_learns_how_far_it_is(home, log):
    (port,) = free_ports(1)
    with following(home, "views", "--metrics", f"127.0.0.1:{port}") as worker:
        whole = sum(height + 1 for height in heads(log).values())
        there = {"handlog_views_commits_total": whole, "handlog_views_waits": 0.0} | {
            f'{name}{{shard="{shard}"}}': 0.0
            for name in ("handlog_views_lag", "handlog_views_lag_seconds")
            for shard in range(log.shards)
        }
        wait_until(lambda: there.items() <= shown(port).items())
        assert stopped(worker) == f"{whole:,} commits folded."
