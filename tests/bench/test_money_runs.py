"""The rows of money in small: what they count is what there is, and a side that leaves something out is noticed."""

from contextlib import closing

import pytest

from projections.queries import By, rake_ledger
from services.eventlog import body
from services.eventlog.commit import parse
from services.views import current_views
from tests.bench import lag, money, reports, transfers, views, warehouse
from tests.bench.folder import folder
from tests.bench.lag import Stored
from tests.bench.money_rooms import money_room


def test_hands_are_raked_day_by_day() -> None:
    with folder() as place, money_room(place / "room", 300) as room:
        assert room.hands >= 300
        with closing(current_views(room.home, room.log)) as store:
            (total,) = rake_ledger(store, [])
            days = rake_ledger(store, [By.DAY])
    assert total.hands > 200
    assert total.rake > 0
    assert sum(day.rake for day in days) == total.rake


def test_a_rebuild_that_tells_of_fewer_commits_than_the_log_has_is_noticed() -> None:
    with folder() as place, money_room(place / "room", 3) as room:
        there = sum(room.log.head(shard).height + 1 for shard in range(room.log.shards))
        views._all_of(room.log)(there)
        with pytest.raises(AssertionError, match=f"{there - 1} of {there} commits"):
            views._all_of(room.log)(there - 1)


def test_where_a_rebuild_spends_its_time_is_told_of_every_view() -> None:
    with folder() as place, money_room(place / "room", 3) as room:
        said = {row.name.partition(": ")[2]: row.ours for row in views.where(room)}
    assert {f"fold {view}" for view in ("balances", "rake", "hands", "results", "days", "shards", "transfers")} < {
        *said
    }
    assert all(said.values())


def test_views_are_farthest_behind_before_a_batch_is_stored() -> None:
    """Decided at 0 and 1 before play begins at 10; at 10, 12 and 14 in it. The first batch comes at 11 with the two
    old ones: 0, 1 and 10 were decided, none was in the views. The second comes at 20 with the rest: three."""
    batches = [Stored(11, [0, 1]), Stored(20, [10, 12, 14])]
    assert lag.in_commits(batches, began=10) == [3, 3]
    assert lag.in_time(batches, began=10) == [20 - 10, 20 - 12, 20 - 14]


def test_what_was_stored_before_play_began_counts_for_nothing() -> None:
    batches = [Stored(5, [0, 1]), Stored(11, [10])]
    assert lag.in_commits(batches, began=10) == [1]
    assert lag.in_time(batches, began=10) == [1]


def test_a_transfer_is_three_commits_and_the_peer_inserts_them() -> None:
    with folder() as home:
        seconds, records = transfers.play(home / "room", tables=1, transfers=8)
    names = [body.decode(parse(raw).body).command["name"] for raw in records]
    assert seconds > 0
    assert {name: names.count(name) for name in names} == {
        "account.buy-in": 6,
        "account.top-up": 2,
        "table.receive-transfer": 8,
        "account.close-transfer": 8,
    }


def test_every_report_and_every_query_has_its_plan() -> None:
    said = list(money.plans(3))
    names = [plan.partition("\n")[0] for plan in said]
    assert names == [*reports.REPORTS, *warehouse.ASKED]
    assert all("SCAN" in plan or "SEARCH" in plan for plan in said[: len(reports.REPORTS)])
    assert all("Total Time" in plan for plan in said[len(reports.REPORTS) :])


def test_what_books_cost_is_stated_beside_the_cost_with_fewer_hands(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(money, "BUILD", tmp_path)
    for one in (reports, warehouse):
        monkeypatch.setattr(one, "ASKINGS", 1)
    found = money.grown(2, 4)
    names = [row.name.partition(", at ")[0] for row in found]
    assert names[:2] == ["all views built", "warehouse written"]
    assert len(names) == 2 + len(reports.REPORTS) + len(warehouse.QUESTIONS)
    assert all(row.peer and row.peer_name and row.ratio == row.ours / row.peer for row in found)
    assert {path.name for path in tmp_path.iterdir()} == {"plans-2.txt", "plans-4.txt"}
    assert "rake by player" in (tmp_path / "plans-4.txt").read_text()
