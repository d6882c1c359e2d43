"""`handlog report`: what is asked for, in every form, with its proof; and views that lie in a PostgreSQL."""

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from sqlalchemy import update

from projections.days import DAYS
from services.bootstrap import VIEWS_FILE, make_home, open_writer
from services.ports import Ports, seeded_ports
from services.views import open_views
from tests.postgresql import empty_database
from tests.services.cli import handlog
from tests.services.homes import Desk, a_table_of_two, hand_of, stays_in

HALF_PAST_THREE = 1_767_238_200_000_000
"""2026-01-01 03:30 UTC."""

REPORTS = ("balances", "rake", "day", "hands", "player", "reconcile")


def asked(home: Path, report: str, *options: object) -> Any:
    """The rows of a report, as JSON has them."""
    return handlog("report", report, *options, "--home", home, "--json").json[report]


# --- forms -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("report", REPORTS)
def test_all_forms_of_a_report_have_the_same_rows(report: str, home: Path, tmp_path: Path) -> None:
    rows = asked(home, report)
    assert rows
    as_csv = handlog("report", report, "--home", home, "--csv")
    texts = [{name: "" if value is None else str(value) for name, value in row.items()} for row in rows]
    assert list(csv.DictReader(io.StringIO(as_csv.out))) == texts
    file = tmp_path / "report.parquet"
    written = handlog("report", report, "--home", home, "--parquet", file)
    assert parquet.read_table(file).to_pylist() == rows
    shown = handlog("report", report, "--home", home)
    assert as_csv.code == written.code == shown.code == 0
    assert written.out == ""
    assert as_csv.err == written.err, "what is said of the proof is in no row"
    assert as_csv.err in shown.out


def test_a_report_is_written_in_one_form_and_over_no_file(home: Path, tmp_path: Path) -> None:
    both = handlog("report", "day", "--home", home, "--csv", "--json")
    assert (both.code, both.out) == (2, "")
    assert "--json and --csv can't go together: an answer has one form" in both.err
    (tmp_path / "there").write_text("mine")
    over = handlog("report", "day", "--home", home, "--parquet", tmp_path / "there")
    assert (over.code, (tmp_path / "there").read_text()) == (2, "mine")
    assert "is there already: name a new file" in over.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["hands", "--from", "yesterday"], "--from yesterday is neither a day nor a time: write 2026-01-31, or "),
        (["hands", "--to", "2026-02-30"], "--to 2026-02-30 is neither a day nor a time"),
        (["hands", "--to", "2026-01-31 25:00"], "'2026-01-31 25:00' is no time: write "),
        (["day", "--from", "2026-01-31T20:00"], "this report tells whole days: write 2026-01-31"),
        (["day", "--from", "2026-02-01", "--to", "2026-01-31"], "--from 2026-02-01 is after --to 2026-01-31"),
        (["rake", "--currency", "euro"], "no currency euro: one of EUR, USD"),
        (["rake", "--game", "bridge"], "no game bridge: one of "),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_would(options: list[str], sentence: str, home: Path) -> None:
    done = handlog("report", *options, "--home", home)
    assert done.code == 2
    assert sentence in done.err


# --- what is asked for -----------------------------------------------------------------------------------------------


def test_players_bear_the_whole_rake_and_lose_no_more_than_it(home: Path) -> None:
    total: Callable[[Any, str], int] = lambda rows, name: sum(row[name] for row in rows)  # noqa: E731
    for currency in ("EUR", "USD"):
        only = ("--currency", currency)
        by_table, by_player = asked(home, "rake", *only), asked(home, "rake", "--by", "player", *only)
        of_players = asked(home, "player", *only)
        assert total(by_table, "rake") == total(by_player, "rake") == total(of_players, "rake") > 0
        assert total(by_table, "pot") == total(by_player, "put_in")
        assert total(of_players, "net") == -total(by_table, "rake")
        for row in of_players:
            assert row["net"] == row["won"] - row["put_in"]


def test_filters_part_the_rows(home: Path) -> None:
    for report in ("rake", "hands", "player"):
        whole = asked(home, report)
        games = {row["game"] for row in asked(home, "hands")}
        parts = [row for game in sorted(games) for row in asked(home, report, "--game", game)]
        assert sorted(map(str, parts)) == sorted(map(str, whole))
    hands = asked(home, "hands")
    assert asked(home, "hands", "--stakes", "2.00/4.00") == [row for row in hands if row["stakes_text"] == "2.00/4.00"]
    of_t1 = [row for row in hands if row["table"] == "t1"]
    assert asked(home, "hands", "--table", "t1") == of_t1 != []
    one = asked(home, "player", "--table", "t1")[0]["player"]
    assert {row["player"] for row in asked(home, "player", "--player", one)} == {one}
    assert {row["table"] for row in asked(home, "hands", "--player", one)} == {"t1"}
    assert all(one in row["account"] for row in asked(home, "balances", "--player", one))
    assert {row["account"].split(":")[1].split("-")[0] for row in asked(home, "balances", "--table", "t1")} == {"t1"}
    mine = asked(home, "rake", "--player", one)
    assert [row["rake"] for row in mine] == [
        row["rake"] for row in asked(home, "player", "--player", one) if row["rake"]
    ]


def test_hands_of_a_day_are_those_of_the_day_report(home: Path) -> None:
    (first, *_) = days = asked(home, "day")
    for line in days:
        of_it = asked(home, "hands", "--from", line["day"], "--to", line["day"], "--currency", line["currency"])
        played = [row for row in of_it if row["cancelled_after"] is None and row["finished_at"] is not None]
        assert (line["hands"], line["pots"]) == (len(played), sum(row["pot"] for row in played))
    nothing = asked(home, "hands", "--to", "2000-01-01")
    assert nothing == []
    assert "Nothing to report." in handlog("report", "hands", "--to", "2000-01-01", "--home", home).out
    quiet = asked(home, "day", "--from", "2000-01-01", "--to", "2000-01-02")
    assert {(row["day"], row["tables_start"], row["tables_end"], row["hands"]) for row in quiet} == {
        ("2000-01-01", 0, 0, 0),
        ("2000-01-02", 0, 0, 0),
    }
    assert first["tables_start"] == 0


def test_money_that_came_in_is_there(home: Path) -> None:
    done = handlog("report", "reconcile", "--currency", "EUR", "--home", home)
    assert done.code == 0
    assert "EUR came in, " in done.out
    assert "is there: the same." in done.out
    (row,) = asked(home, "reconcile", "--currency", "EUR")
    assert row["came_in"] == row["deposits"] - row["withdrawals"] + row["sold"] - row["bought_back"] > 0
    lies = ("accounts", "held", "promotion", "tables", "transit", "house")
    assert row["is_there"] == sum(row[where] for where in lies) == row["came_in"]


def test_days_that_were_changed_in_the_store_are_found(home: Path) -> None:
    handlog("report", "day", "--home", home)
    with open_views(home) as store, store._transaction(write=True) as db:
        rows = store.table(db, DAYS, "movements")
        db.execute(update(rows).where(rows.c.taker == "rake", rows.c.currency == "EUR").values(amount=1))
    day = handlog("report", "day", "--home", home)
    assert day.code == 1
    assert "rake, EUR: " in day.out
    assert "BY THE BALANCES." in day.out
    assert handlog("report", "reconcile", "--home", home).code == 0, "what came in was not touched"
    assert handlog("rebuild", "--home", home).code == 0
    assert handlog("report", "day", "--home", home).code == 0


# --- the room's days -------------------------------------------------------------------------------------------------


def test_a_hand_at_half_past_three_utc_is_of_the_day_before_in_new_york(tmp_path: Path) -> None:
    home = tmp_path / "home"
    ports = Ports(lambda: HALF_PAST_THREE, seeded_ports(1).bits)
    make_home(home, "riverside", ports, time_zone="America/New_York")
    desk = Desk(ports)
    with open_writer(home, ports) as writer:
        for command in a_table_of_two():
            writer.submit(desk(command)).result()
        while (hand := hand_of(writer.room)).turn:
            writer.submit(desk(stays_in(hand))).result()
    (row,) = asked(home, "hands")
    assert (row["day"], row["settled"]) == ("2025-12-31", "2025-12-31 22:30:00")
    assert len(asked(home, "hands", "--from", "2025-12-31", "--to", "2025-12-31")) == 1
    assert asked(home, "hands", "--from", "2026-01-01") == []
    assert asked(home, "hands", "--to", "2025-12-31T22:30") == [], "--to is the moment after"
    assert len(asked(home, "hands", "--to", "2025-12-31T22:30:01")) == 1
    assert len(asked(home, "hands", "--from", "2026-01-01 03:30+00:00")) == 1, "with an offset of its own"
    assert {line["day"] for line in asked(home, "day")} == {"2025-12-31"}


# --- views elsewhere -------------------------------------------------------------------------------------------------


@pytest.fixture
def elsewhere() -> Iterator[str]:
    with empty_database() as url:
        yield url


def test_views_may_lie_in_a_postgresql_and_are_the_same_there(home: Path, elsewhere: str) -> None:
    (home / VIEWS_FILE).unlink(missing_ok=True)
    there = {report: handlog("--views", elsewhere, "report", report, "--home", home) for report in REPORTS}
    assert not (home / VIEWS_FILE).exists()
    for report, done in there.items():
        assert done.code == 0
        assert done.out == handlog("report", report, "--home", home).out, report
    rebuilt = handlog("rebuild", "--home", home, env={"HANDLOG_VIEWS": elsewhere})
    assert "All views rebuilt from" in rebuilt.out
    assert handlog("--views", elsewhere, "report", "day", "--home", home).out == there["day"].out


def test_two_rooms_do_not_share_a_database(home: Path, elsewhere: str, tmp_path: Path) -> None:
    before = handlog("--views", elsewhere, "report", "day", "--home", home).out
    handlog("init", "--home", tmp_path / "other")
    read = handlog("--views", elsewhere, "report", "day", "--home", tmp_path / "other")
    assert (read.code, read.out) == (2, "")
    assert "the views are of another log" in read.err
    rebuilt = handlog("--views", elsewhere, "rebuild", "--home", tmp_path / "other")
    assert rebuilt.code == 2
    assert "HANDLOG_VIEWS names a database with the views of another room: each room needs its own" in rebuilt.err
    assert handlog("--views", elsewhere, "report", "day", "--home", home).out == before


def test_a_database_that_does_not_answer_is_said(home: Path) -> None:
    done = handlog("--views", "postgresql://ann:secret@127.0.0.1:1/views", "report", "day", "--home", home)
    assert done.code == 2
    assert "the store of the views, postgresql+psycopg://ann:***@127.0.0.1:1/views, can't be used" in done.err
