"""Opening sealed cards: recorded before anything is shown, for two people while the hand goes on; and who did."""

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from domain.rulings.opening import Form, OpenCards
from services.bootstrap import LOG_FILE, TEXTS_FILE, open_log, opened_room
from services.eventlog import body
from services.eventlog.log import AppendUnknown
from services.eventlog.sqlite_log import SqliteLog
from services.ports import Ports
from services.sealing.texts import TextKeys
from tests.services.cli import Run, handlog
from tests.services.homes import Desk, forge_event, forge_sealed
from tests.services.sealer import Sealer
from tests.services.tables import (
    ANN,
    BOTH,
    SETTLED,
    UNDER_WAY,
    a_home,
    bodies,
    deal_and_finish,
    finish_hand,
    give,
    key_file,
    nothing_shown,
    says_why,
)

WHY = BOTH[-1]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def ports(home: Path) -> Ports:
    return a_home(home)


def replay(home: Path, hand: str, *args: object) -> Run:
    return handlog("replay", hand, "--open", *args, "--home", home)


def openings(home: Path, *args: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = handlog("openings", *args, "--home", home, "--json").json
    return found


def last_cards(done: Run) -> list[list[str]]:
    """Each seat's cards in the last frame."""
    return [seat["cards"] for seat in done.json[-1]["seats"]]


# --- recorded first --------------------------------------------------------------------------------------------------


def test_without_open_the_cards_stay_sealed_and_nothing_is_recorded(home: Path) -> None:
    done = handlog("replay", UNDER_WAY, "--home", home, "--json")
    assert last_cards(done) == [[], []]
    assert openings(home) == []


def test_a_settled_hand_is_opened_to_one(home: Path) -> None:
    done = replay(home, SETTLED, *ANN, "--json")
    assert [len(cards) for cards in last_cards(done)] == [2, 2]
    (opened,) = openings(home)
    assert opened.pop("at") > 0
    assert opened == {
        "hand": SETTLED, "by": "floor:ann", "second": None, "form": "faces", "seats": [1, 2], "deck": False,
        "settled": True, "version": 33, "reason": None, "reason_is": "none",
    }  # fmt: skip


def test_a_hand_under_way_is_opened_to_two_for_a_reason(home: Path) -> None:
    done = replay(home, UNDER_WAY, *BOTH, "--json")
    assert [len(cards) for cards in last_cards(done)] == [2, 2]
    (opened,) = openings(home)
    assert (opened["settled"], opened["second"], opened["reason"]) == (False, "floor:bob", WHY)


@pytest.mark.parametrize(
    ("hand", "args", "why"),
    [
        (SETTLED, [], "it is recorded who asks for this: give --by, such as --by floor:ann, or set HANDLOG_BY"),
        (SETTLED, ["--by", ""], "give --by"),
        (SETTLED, ["--by", "Ann"], "'Ann' names nobody as the one who asks (--by)"),
        (SETTLED, ["--by", "a" * 65], "names nobody"),
        (SETTLED, ["--by", "a\nb"], "names nobody"),
        (SETTLED, [*ANN, "--second", "Bob"], "'Bob' names nobody as the second (--second)"),
        (SETTLED, [*ANN, "--second", "floor:ann"], "floor:ann can't be both people"),
        (SETTLED, [*ANN, "--reason", "x" * 501], "the reason has 501 bytes: say it in at most 500"),
        (SETTLED, [*ANN, "--reason", "two\nlines"], "write it as plain text in one line"),
        (SETTLED, [*ANN, "--reason", "no text: \udcff"], "write it as plain text in one line"),
        (UNDER_WAY, ANN, "isn't settled: opening its cards takes two people and a reason"),
        (UNDER_WAY, [*ANN, "--second", "floor:bob"], "takes two people and a reason"),
        (UNDER_WAY, [*ANN, "--reason", "why"], "takes two people and a reason"),
        (UNDER_WAY, [*ANN, "--second", "floor:ann", "--reason", "why"], "can't be both people"),
        ("t1-3", BOTH, "there is no hand t1-3 in this log"),
        ("hand:t1-1", BOTH, "there is no hand hand:t1-1 in this log"),
    ],
)
def test_what_is_no_opening_shows_nothing_and_records_nothing(home: Path, hand: str, args: list[str], why: str) -> None:
    nothing_shown(home, "replay", hand, "--open", *args, why=why)
    nothing_shown(home, "replay", hand, "--open", "--json", *args, why=why)


def test_people_and_a_reason_without_open_are_a_mistake(home: Path) -> None:
    nothing_shown(home, "replay", SETTLED, *BOTH, why="--second and --reason are for opening cards: give --open too")


def test_who_asks_may_stand_in_the_environment(home: Path) -> None:
    env = {"HANDLOG_BY": "audit:eve", "HANDLOG_HOME": str(home)}
    assert handlog("replay", SETTLED, "--open", env=env).code == 0
    assert [one["by"] for one in openings(home)] == ["audit:eve"]
    assert handlog("replay", SETTLED, env=env).code == 0, "by itself it opens nothing"
    assert len(openings(home)) == 1


OPENERS = [
    ["replay", SETTLED, "--open", *ANN],
    ["keys", "export", SETTLED, "OUT", *ANN],
    ["prove", SETTLED, "OUT", "--with-keys", *ANN],
    ["prove", SETTLED, "OUT", "--seat", "1", *ANN],
    ["check-cards", SETTLED, "--seat", "1", *ANN],
]
"""All that shows a sealed card, or gives its key."""


def out_in(command: list[str], folder: Path) -> list[str]:
    return [str(folder / "out") if word == "OUT" else word for word in command]


def test_a_log_that_another_writes_shows_nothing(home: Path, ports: Ports, tmp_path: Path) -> None:
    handlog("checkpoint", "--home", home)
    with opened_room(home, ports):
        for command in OPENERS:
            nothing_shown(home, *out_in(command, tmp_path), why="is in use by process")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", OPENERS, ids=" ".join)
def test_each_is_recorded_once(home: Path, tmp_path: Path, command: list[str]) -> None:
    handlog("checkpoint", "--home", home)
    assert handlog(*out_in(command, tmp_path), "--home", home).code == 0
    assert len(openings(home)) == 1


def test_a_failing_log_shows_nothing(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    handlog("checkpoint", "--home", home)

    def fail(*_: object) -> None:
        raise AppendUnknown("the log failed while it was written")

    monkeypatch.setattr(SqliteLog, "append", fail)
    for command in OPENERS:
        nothing_shown(home, *out_in(command, tmp_path), why="the log failed while it was written")
    assert not (tmp_path / "out").exists()
    monkeypatch.undo()
    assert replay(home, SETTLED, *ANN).code == 0


def test_every_opening_is_an_event_of_its_own(home: Path) -> None:
    for _ in range(3):
        replay(home, SETTLED, *ANN)
    assert len(openings(home, SETTLED)) == 3


def test_a_box_that_was_changed_is_said_and_no_other_card_shown_instead(home: Path) -> None:
    def swap(_: Sealer, data: dict[str, Any]) -> Any:
        if data["up"] or len(data["cards"]) < 2:
            return False
        data["cards"].reverse()
        return True

    forge_sealed(home, "hand.cards-dealt", swap, SETTLED)
    done = replay(home, SETTLED, *ANN)
    says_why(done, "card")


# --- the hand goes on ------------------------------------------------------------------------------------------------


def test_after_openings_the_hand_goes_on_and_all_is_sound(home: Path, ports: Ports) -> None:
    replay(home, UNDER_WAY, *BOTH)
    replay(home, SETTLED, *ANN)
    finish_hand(home, ports)
    replay(home, UNDER_WAY, *ANN)
    deal_and_finish(home, ports, 3)
    assert [one["settled"] for one in openings(home, UNDER_WAY)] == [False, True]
    assert handlog("verify", "--home", home).code == 0
    assert handlog("readjudicate", "--all", "--home", home).code == 0
    assert handlog("report", "balances", "--home", home).code == 0


# --- reasons ---------------------------------------------------------------------------------------------------------


def test_a_reason_stands_nowhere_in_the_log_s_bytes(home: Path) -> None:
    replay(home, UNDER_WAY, *BOTH)
    with sqlite3.connect(home / LOG_FILE) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for file in home.glob("log.sqlite*"):
        data = file.read_bytes()
        for word in (WHY.encode(), b"marked", WHY.encode().hex().encode()):
            assert word not in data
    assert b"floor:bob" in (home / LOG_FILE).read_bytes(), "who it was does"


def test_a_reason_is_read_with_its_key_and_erased_with_it(home: Path) -> None:
    replay(home, UNDER_WAY, *BOTH)
    replay(home, SETTLED, *ANN, "--reason", "asked by ann herself")
    stream = f"audit:{UNDER_WAY}"
    (said,) = map(body.decode, bodies(home, stream))
    box = said.events[0]["data"]["reason"]
    texts = TextKeys(home / TEXTS_FILE)
    assert texts.open(box, stream) == WHY
    texts.erase(box)
    assert [(one["reason"], one["reason_is"]) for one in openings(home)] == [
        (None, "erased"), ("asked by ann herself", "given"),
    ]  # fmt: skip
    assert "erased" in handlog("openings", UNDER_WAY, "--home", home).out
    assert handlog("verify", "--home", home).code == 0


def test_a_reason_whose_key_is_lost_can_t_be_read_and_the_rest_can(home: Path) -> None:
    replay(home, UNDER_WAY, *BOTH)
    (home / TEXTS_FILE).unlink()
    (opened,) = openings(home)
    assert (opened["second"], opened["reason"], opened["reason_is"]) == ("floor:bob", None, "unreadable")
    assert "unreadable" in handlog("openings", "--home", home).out


def test_what_is_no_box_of_this_hand_is_unreadable(home: Path, ports: Ports) -> None:
    replay(home, UNDER_WAY, *BOTH)
    ((box,),) = [[event["data"]["reason"] for event in body.decode(one).events] for one in bodies(home, "audit:t1-2")]
    with opened_room(home, ports) as room:
        give(room, Desk(ports)(OpenCards(SETTLED, Form.FACES, (), deck=False, second="", reason=box)))
    assert [one["reason_is"] for one in openings(home, SETTLED)] == ["unreadable"]


def test_a_reason_that_isn_t_sealed_is_refused(home: Path, ports: Ports) -> None:
    """In the log it couldn't be erased."""
    with opened_room(home, ports) as room:
        asked = OpenCards(SETTLED, Form.FACES, (), deck=False, second="", reason="because")
        (refused,) = room.execute([Desk(ports)(asked)])
    assert "is recorded in a box of its own, which this isn't" in str(refused)
    assert openings(home, SETTLED) == []


def test_text_keys_that_others_can_read_take_no_reason(home: Path) -> None:
    replay(home, UNDER_WAY, *BOTH)
    (home / TEXTS_FILE).chmod(0o644)
    nothing_shown(home, "replay", UNDER_WAY, "--open", *BOTH, why="is open to others (mode 0644)")
    says_why(handlog("openings", "--home", home), "is open to others (mode 0644)")


# --- the list --------------------------------------------------------------------------------------------------------


def test_the_list_says_who_with_whom_when_what_whose_and_why(home: Path, tmp_path: Path) -> None:
    replay(home, UNDER_WAY, *BOTH)
    handlog("keys", "export", SETTLED, tmp_path / "out", "--seat", 2, *ANN, "--home", home)
    handlog("keys", "export", SETTLED, tmp_path / "all", *ANN, "--home", home)
    lines = [line.split() for line in handlog("openings", "--home", home).out.splitlines() if "t1-" in line]
    when = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
    assert all(when.fullmatch(" ".join(line[1:3])) for line in lines)
    first, second, third = (" ".join([line[0], *line[3:]]) for line in lines)
    assert first == f"t1-2 floor:ann floor:bob faces seats 1 and 2 under way {WHY}"
    assert second == "t1-1 floor:ann keys seat 2 settled"
    assert third == "t1-1 floor:ann keys seats 1 and 2, the deck settled"


def test_the_list_of_one_hand(home: Path) -> None:
    assert handlog("openings", "--home", home).out == "No sealed card was opened to anybody yet.\n"
    assert handlog("openings", SETTLED, "--home", home).out == f"No card of hand {SETTLED} was opened yet.\n"
    replay(home, UNDER_WAY, *BOTH)
    assert openings(home, SETTLED) == []
    assert len(openings(home, UNDER_WAY)) == 1
    says_why(handlog("openings", "t1-9", "--home", home), "there is no hand t1-9 in this log")


def test_the_list_needs_no_keys_of_the_room_and_changes_nothing(home: Path) -> None:
    replay(home, UNDER_WAY, *BOTH)
    key_file(home).unlink()
    before = (home / LOG_FILE).read_bytes()
    assert openings(home)[0]["reason"] == WHY
    assert (home / LOG_FILE).read_bytes() == before


def test_an_opening_that_was_taken_out_of_the_log_is_found(home: Path) -> None:
    replay(home, SETTLED, *ANN)
    handlog("checkpoint", "--home", home)
    forge_event(home, "audit.cards-opened", lambda data: data.update(by="floor:eve"))
    assert openings(home)[0]["by"] == "floor:eve"
    done = handlog("verify", "--home", home)
    assert done.code == 1
    assert "this isn't the history that was signed" in done.out
    with open_log(home) as log:
        assert log.head(3).height == 14
