"""`handlog audit staff`: who decided what, with whom, and why, where the keys of reasons lie."""

import csv
import io
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from domain import catalog
from domain.rulings.reasons import DECISIONS
from services.bootstrap import TEXTS_FILE
from tests.services.cli import handlog
from tests.services.homes import forge_event
from tests.services.staff_decided import ANN, BOB, DECIDED, staff, staff_home


@pytest.fixture
def home(tmp_path: Path) -> Path:
    staff_home(tmp_path / "home")
    return tmp_path / "home"


def reasons(rows: list[dict[str, Any]]) -> list[str | None]:
    return [row["reason"] for row in rows]


def test_every_command_that_takes_a_reason_is_told() -> None:
    takes_one = {entry.cls for entry in catalog.command.by_class.values() if "reason" in entry.cls.__annotations__}
    assert takes_one == {asked for asked in DECISIONS if "reason" in asked.__annotations__}


def test_every_decision_is_told_by_time_with_who_took_it_and_why(home: Path) -> None:
    found = staff(home)
    assert [(row["by"], row["what"], row["reason"]) for row in found] == [
        (by, DECISIONS[type(args)], why or None) for by, args, why in DECIDED
    ]
    assert [row["decided_at"] for row in found] == sorted(row["decided_at"] for row in found)
    assert [row["reason_is"] for row in found] == ["none" if not why else "given" for _, _, why in DECIDED]


def test_a_decision_names_what_it_concerns(home: Path) -> None:
    rows = {row["command"]: row for row in staff(home)}

    def of(command: str) -> dict[str, Any]:
        names = ("second", "table", "hand", "seat", "player", "currency", "amount", "about")
        return {name: rows[command][name] for name in names if rows[command][name] is not None}

    assert of("table.pause") == {"table": "t1"}
    assert of("table.freeze-player") == {"table": "t1", "seat": 1, "player": "ann"}
    assert of("account.adjust") == {
        "second": BOB, "player": "dan", "currency": "EUR", "amount": 250, "about": "t1-1",
    }  # fmt: skip
    assert of("account.change-alone-limit") == {"second": ANN, "player": "dan", "currency": "EUR", "amount": 500}
    assert of("audit.open-cards") == {"second": BOB, "table": "t1", "hand": "t1-1"}
    assert of("room.close") == {}


def test_filters_keep_what_they_name(home: Path) -> None:
    assert reasons(staff(home, "--table", "t1")) == [
        "a drink was spilt", "it is dry", None, "he swore", "he says they were marked",
    ]  # fmt: skip
    assert reasons(staff(home, "--player", "dan")) == ["his papers are wanted", "paid twice", "small things"]
    assert reasons(staff(home, "--by", BOB)) == [
        "it is dry", "he swore", "paid twice", "small things", "he says they were marked", "water comes in",
    ]  # fmt: skip
    assert reasons(staff(home, "--by", BOB, "--player", "ann")) == ["he swore"]
    assert staff(home, "--by", "floor:eve") == []
    refused = handlog("audit", "staff", "--table", "t9", "--home", home)
    assert (refused.code, refused.err) == (
        2,
        "handlog: there is no table t9 in this log: nothing was ever decided at it\n",
    )


def test_from_and_to_are_days_or_times(home: Path) -> None:
    at = datetime.fromisoformat(staff(home)[0]["decided_at"])
    day, before, after = at.date(), (at - timedelta(1)).date(), (at + timedelta(1)).date()
    assert len(staff(home, "--from", day, "--to", after)) == len(DECIDED)
    assert staff(home, "--to", before) == staff(home, "--from", at.date() + timedelta(2)) == []
    second = at.replace(microsecond=0)
    assert staff(home, "--to", second.isoformat()) == []
    assert len(staff(home, "--from", second.isoformat())) == len(DECIDED)
    assert "neither a day nor a time" in handlog("audit", "staff", "--from", "noon", "--home", home).err


def test_people_read_a_table_and_machines_csv(home: Path) -> None:
    shown = handlog("audit", "staff", "--player", "dan", "--home", home).out
    assert "balance adjusted" in shown and "paid twice" in shown and "2.50" in shown
    lines = list(csv.DictReader(io.StringIO(handlog("audit", "staff", "--csv", "--home", home).out)))
    assert [(line["command"], line["amount"]) for line in lines if line["amount"]] == [
        ("account.adjust", "250"), ("account.change-alone-limit", "500"),
    ]  # fmt: skip


def test_a_reason_whose_key_is_missing_is_told_as_unreadable_and_the_rest_as_ever(home: Path) -> None:
    keys = (home / TEXTS_FILE).read_bytes().splitlines(keepends=True)
    (home / TEXTS_FILE).write_bytes(b"".join(keys[1:]))  # the pause's was the first
    paused, resumed, *_ = staff(home)
    assert paused["reason"] is None
    assert paused["reason_is"].startswith("unreadable: text key ")
    assert resumed["reason"] == "it is dry"
    assert "unreadable: text key" in handlog("audit", "staff", "--table", "t1", "--home", home).out


def test_a_box_that_does_not_open_is_told_as_unreadable_and_the_rest_as_ever(home: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["reason"] = data["reason"][:-1] + ("A" if data["reason"][-1] != "A" else "B")

    forge_event(home, "table.paused", change)
    paused, resumed, *_ = staff(home)
    assert paused["reason_is"].startswith("unreadable: ")
    assert resumed["reason"] == "it is dry"
