"""`handlog warehouse` and `handlog audit` over a room that bots played, against what its log says by itself."""

import csv
import io
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.hand import events as fact
from domain.table.commands import DealHand
from services.bootstrap import WAREHOUSE_FOLDER, open_log, open_writer
from services.ports import seeded_ports
from services.warehouse import worker
from services.warehouse.asking import query_names, query_text
from tests.money.warehouses import played_home, rows_in
from tests.services.cli import Run, handlog
from tests.services.homes import Desk


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Read only, but for the warehouse that the commands keep there."""
    return played_home(tmp_path_factory.mktemp("audited") / "home")


def rows_of(*args: object) -> Any:
    done = handlog(*args, "--json")
    assert done.code == 0, done.err
    return done.json["rows"]


# --- what the log says by itself, folded as simply as can be ---------------------------------------------------------


def events_of(home: Path) -> Iterator[tuple[str, int, Any]]:
    """(stream, at, event), shard by shard."""
    with open_log(home) as log:
        for shard in range(log.shards):
            for record in log.read(shard):
                commit = worker.decided(record)
                for stream, _, event in commit.facts:
                    yield stream, commit.at, event


def folds_by_log(home: Path) -> Counter[tuple[str, str]]:
    """How often who folded to whom had bet or raised last in the round."""
    players: dict[str, dict[int, str]] = {}
    last: dict[str, int] = {}
    folds = Counter[tuple[str, str]]()
    for hand, _, event in events_of(home):
        match event:
            case fact.HandOpened():
                players[hand] = {one.seat: one.player for one in event.seats}
            case fact.RoundOpened():
                last.pop(hand, None)
            case fact.BetMade() | fact.Raised():
                last[hand] = event.seat
            case fact.Folded() if hand in last:
                folds[players[hand][event.seat], players[hand][last[hand]]] += 1
    return folds


def test_folded_is_what_the_log_says_of_any_two(home: Path):
    said = folds_by_log(home)
    assert sum(said.values()) > 20
    query = (
        "SELECT player AS who, facing_player AS to_whom, count(*) AS folds FROM decisions "
        "WHERE kind = 'fold' AND facing_player IS NOT NULL GROUP BY ALL"
    )
    assert {
        (one["who"], one["to_whom"]): one["folds"] for one in rows_of("audit", "sql", query, "--home", home)
    } == said
    (who, to_whom), folds = said.most_common(1)[0]
    found = rows_of("audit", "folded", who, to_whom, "--home", home)
    assert len(found) == folds
    assert all(one["to_call"] > 0 for one in found)


def test_pots_over_an_amount_is_what_the_log_says(home: Path):
    pots, currencies = Counter[str](), dict[str, str]()
    for hand, _, event in events_of(home):
        match event:
            case fact.HandOpened():
                currencies[hand] = event.currency
            case fact.RakeTaken() | fact.PotAwarded():
                pots[hand] += event.amount
    over = {hand.removeprefix("hand:") for hand, pot in pots.items() if currencies[hand] == "EUR" and pot > 5_00}
    found = rows_of("audit", "pots-over", "5", "--currency", "EUR", "--home", home)
    assert {one["hand"] for one in found} == over and over
    assert [one["pot"] for one in found] == sorted((one["pot"] for one in found), reverse=True)


def test_the_rake_differs_nowhere(home: Path):
    done = handlog("audit", "rake-differs", "--home", home)
    assert done.code == 0
    assert "is what the schedules and pots make of it." in done.out
    raked = {stream for stream, _, event in events_of(home) if isinstance(event, fact.RakeTaken)}
    assert len(rows_of("audit", "sql", "FROM hands WHERE rake > 0", "--home", home)) == len(raked) > 5


def test_a_minute_of_the_log(home: Path):
    (first, *_) = [at for _, at, event in events_of(home) if isinstance(event, fact.HandOpened)]
    text = time.strftime("%Y-%m-%d %H:%M", time.gmtime(first // 1_000_000))
    everything = {
        stream.removeprefix("hand:") for stream, _, event in events_of(home) if isinstance(event, fact.HandSettled)
    }
    found = rows_of("audit", "minute", text, "--around", 3600, "--home", home)
    assert {one["hand"] for one in found} == everything
    assert rows_of("audit", "minute", "2001-01-01 00:00", "--home", home) == []


def test_cards_that_were_opened_after_all_else_was_taken_in(tmp_path: Path):
    home = played_home(tmp_path / "home")
    first = rows_of("audit", "sql", "FROM hands LIMIT 1", "--home", home)[0]
    hand, game = first["hand"], first["game"]
    assert rows_of("audit", "opened", "--home", home) == []
    assert handlog("replay", hand, "--open", "--by", "floor:ann", "--home", home).code == 0
    (opened,) = rows_of("audit", "opened", "--home", home)
    assert (opened["hand"], opened["game"], opened["asked_by"], opened["form"]) == (hand, game, "floor:ann", "faces")
    assert opened["settled"] is True


# --- how it is said --------------------------------------------------------------------------------------------------


def test_csv_has_what_json_has(home: Path):
    said = rows_of("audit", "pots-over", "1", "--home", home)
    done = handlog("audit", "pots-over", "1", "--csv", "--home", home)
    found = list(csv.DictReader(io.StringIO(done.out)))
    assert [(one["hand"], int(one["pot"]), one["finished_at"]) for one in found] == [
        (one["hand"], one["pot"], one["finished_at"]) for one in said
    ]


def test_what_json_has_no_word_for_is_text(home: Path):
    query = "SELECT sum(n) AS n, 1.50 AS mean, DATE '2026-01-31' AS day, NULL AS none FROM range(4) AS t(n)"
    assert rows_of("audit", "sql", query, "--home", home) == [
        {"n": 6, "mean": "1.50", "day": "2026-01-31", "none": None}
    ]


def test_columns_of_one_name_are_told_apart(home: Path):
    query = "SELECT 1 AS day, 2 AS day, 3 AS day_2, 4 AS day"
    assert rows_of("audit", "sql", query, "--home", home) == [{"day": 1, "day_3": 2, "day_2": 3, "day_4": 4}]


def test_the_columns_of_a_table_for_machines():
    said = handlog("audit", "tables", "results", "--json").json["columns"]
    (net,) = [one for one in said if one["column"] == "net"]
    assert net == {
        "table": "results",
        "column": "net",
        "type": "int64",
        "means": "won, less what he put in and didn't get back; minor units of the hand's currency",
    }
    assert len(list(csv.DictReader(io.StringIO(handlog("audit", "tables", "results", "--csv").out)))) == len(said)


def test_a_table_shows_amounts_with_their_decimal_point(home: Path):
    one = rows_of("audit", "pots-over", "1", "--currency", "EUR", "--home", home)[0]
    done = handlog("audit", "pots-over", "1", "--currency", "EUR", "--home", home)
    line = next(line for line in done.out.splitlines() if line.startswith(f" {one['hand']} "))
    assert f" {one['pot'] // 100}.{one['pot'] % 100:02} " in line


def test_times_stand_in_utc_and_by_the_room_s_clock(tmp_path: Path):
    handlog("init", "--home", tmp_path / "home", "--time-zone", "America/New_York")
    done = handlog("audit", "minute", "2026-01-31 22:30", "--home", tmp_path / "home")
    assert done.code == 0
    assert (
        "from 2026-01-31 22:30:00 America/New_York (2026-02-01 03:30:00 UTC) "
        "to 2026-01-31 22:31:00 America/New_York (2026-02-01 03:31:00 UTC)"
    ) in done.out
    assert "No hand was." in done.out
    same = handlog("audit", "minute", "2026-02-01 04:30+01:00", "--home", tmp_path / "home")
    assert same.out == done.out
    asked = rows_of("audit", "sql", "SELECT TIMESTAMPTZ '2026-02-01 03:30:00+00' AS t", "--home", tmp_path / "home")
    assert asked == [{"t": "2026-02-01T03:30:00+00:00", "t_room": "2026-01-31T22:30:00-05:00"}]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("yesterday", "'yesterday' is no time: write \"2026-01-31 21:34\""),
        ("2026-01-31", "'2026-01-31' is no time"),
        ("2026-11-01 01:30", "shows 2026-11-01 01:30 twice, where its summer time ends or begins: write "
         "2026-11-01 01:30:00-04:00 or 2026-11-01 01:30:00-05:00"),
        ("2026-03-08 02:30", "shows 2026-03-08 02:30 never"),
    ],
)  # fmt: skip
def test_a_time_that_is_none_or_two_is_asked_again(tmp_path: Path, text, why):
    handlog("init", "--home", tmp_path / "home", "--time-zone", "America/New_York")
    refused(handlog("audit", "minute", text, "--home", tmp_path / "home"), why)


def refused(done: Run, why: str) -> None:
    """Exit 2 and one sentence."""
    assert done.code == 2, done
    assert why in done.err
    assert done.err.count("\n") == 1, done.err


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["folded", "nobody", "noone"], "no player nobody was dealt in to a hand that is over"),
        (["pots-over", "12.345"], "'12.345' is no amount: write digits, such as 40 or 12.50"),
        (["pots-over", "12", "--currency", "DEM"], "DEM is no currency of a room"),
        (["cancelled", "--json", "--csv"], "--json and --csv can't go together: an answer has one form"),
        (
            ["tables", "cards"],
            "the warehouse has no table cards: it has decisions, hands, results, openings and protection_answers",
        ),
        (["query", "cards"], "there is no query cards"),
    ],
)
def test_what_cannot_be_asked(home: Path, args, why):
    at = [] if args[0] in {"tables", "query"} else ["--home", home]
    refused(handlog("audit", *args, *at), why)


@pytest.mark.parametrize(
    "query",
    [
        "CREATE TABLE mine AS FROM hands",
        "COPY hands TO '{folder}/hands.csv'",
        "EXPLAIN ANALYZE COPY hands TO '{folder}/hands.csv'",
        "SELECT 1; SELECT 2",
        "ATTACH '{folder}/other.db'",
        "SET enable_external_access = true",
        "INSTALL httpfs",
        "DELETE FROM hands",
        "FROM read_csv('/etc/passwd')",
        "FROM read_text('{folder}/manifest.json')",
        "FROM read_parquet('{folder}/*/*/*/*/*.parquet')",
        "SELECT nothing FROM hands",
        "SELEKT",
        "",
    ],
)
def test_a_query_can_only_read_and_only_the_warehouse(home: Path, query):
    folder = home / WAREHOUSE_FOLDER
    handlog("warehouse", "--home", home)
    before = sorted(folder.rglob("*.parquet"))
    done = handlog("audit", "sql", query.format(folder=folder), "--home", home)
    assert done.code == 2 and done.err.count("\n") == 1, done
    assert not (folder / "hands.csv").exists()
    assert sorted(folder.rglob("*.parquet")) == before


def test_every_query_says_what_it_is_and_every_column_what_it_means():
    for name in query_names():
        what, parameters, columns = (
            query_text(name).find(f"-- {part}") for part in ("What:", "Parameters:", "Columns:")
        )
        assert 0 == what < parameters < columns, name
    assert "facing_player" in handlog("audit", "tables", "decisions").out
    assert handlog("audit", "query", "folded").out.strip().endswith(query_text("folded").strip())


def test_a_hand_under_way_is_named_as_not_counted(tmp_path: Path):
    """The bots' last hands are over; one that is dealt afterwards isn't."""
    home = played_home(tmp_path / "home")
    ports = seeded_ports(8)
    with open_writer(home, ports) as writer:
        table = writer.room.table("t1").table
        assert table is not None
        writer.submit(Desk(ports)(DealHand("t1", table.hands + 1))).result()
        hand = f"t1-{table.hands}"
    done = handlog("audit", "cancelled", "--home", home)
    assert done.out.splitlines()[-1] == f"Not counted, since it is under way: {hand}."
    assert handlog("audit", "cancelled", "--json", "--home", home).json["under_way"] == [hand]


# --- the worker ------------------------------------------------------------------------------------------------------


def test_the_warehouse_is_told_and_then_has_nothing_new(tmp_path: Path):
    home = played_home(tmp_path / "home")
    first = handlog("warehouse", "--home", home, "--json").json
    again = handlog("warehouse", "--home", home, "--json").json
    anew = handlog("warehouse", "--home", home, "--json", "--rebuild").json
    assert first["hands"] == 24 and first["commits"] > 200
    assert again == first | {"commits": 0}
    assert anew == first


KILLED_AGAIN_AND_AGAIN = """
import os, signal, sys
from pathlib import Path
from services.bootstrap import open_log
from services.warehouse import worker
for nth in range(4):
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_REAL, 0.02 + nth * 0.06)
        with open_log(Path(sys.argv[1])) as log:
            worker.catch_up(Path(sys.argv[2]), log, rows=120)
        os._exit(0)
    print(os.WTERMSIG(os.waitpid(child, 0)[1]), flush=True)
"""


def test_a_process_that_is_killed_leaves_what_the_next_one_finishes(home: Path, tmp_path: Path):
    """Killed by the kernel wherever it is, each attempt a little later than the one before: by an alarm of its own, so
    that none comes to its end because who would kill it was late."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED_AGAIN_AND_AGAIN, str(home), str(tmp_path / "killed")],
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split().count(str(int(signal.SIGALRM))) >= 2, done.stdout
    with open_log(home) as log:
        worker.catch_up(tmp_path / "killed", log)
        worker.catch_up(tmp_path / "one", log)
    assert rows_in(tmp_path / "killed") == rows_in(tmp_path / "one")
