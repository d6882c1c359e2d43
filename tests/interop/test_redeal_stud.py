"""Invented stud records: what door and up-cards decide, bring-in and completion, and what an unknown card means."""

from functools import partial
from typing import Any

import pytest

from services.interop.unsupported import Reason
from tests.oracle.disagreements import disagreement
from tests.oracle.invented import act, altered, deal, line_altered, players, post, shown
from tests.oracle.records import read
from tests.oracle.skips import Skip, why_skipped

RECORD: dict[str, Any] = {
    "id": "invented:2",
    "room": "invented",
    "game": "stud7",
    "limit": "fixed",
    "kind": "cash",
    "stakes": {"ante": 10, "bring_in": 20, "small_bet": 50, "big_bet": 100},
    "button": None,
    "seats": players(3),
    "events": [
        *(post(f"P{seat}", "ante", 10, live=False, street="3rd") for seat in (1, 2, 3)),
        deal("3rd", "P1", "?? ?? 2h", up=1),
        deal("3rd", "P2", "Kc Ks 9d", up=1),
        deal("3rd", "P3", "?? ?? 2c", up=1),
        post("P3", "bring_in", 20, street="3rd"),
        act("3rd", "P1", "fold"),
        act("3rd", "P2", "complete", by=50, to=50),
        act("3rd", "P3", "call", by=30, to=50),
        deal("4th", "P2", "4d", up=1),
        deal("4th", "P3", "4s", up=1),
        act("4th", "P2", "bet", by=50, to=50),
        act("4th", "P3", "call", by=50, to=50),
        deal("5th", "P2", "Jc", up=1),
        deal("5th", "P3", "Ah", up=1),
        act("5th", "P3", "check"),
        act("5th", "P2", "bet", by=100, to=100),
        act("5th", "P3", "call", by=100, to=100),
        deal("6th", "P2", "7h", up=1),
        deal("6th", "P3", "4h", up=1),
        act("6th", "P3", "check"),
        act("6th", "P2", "check"),
        deal("7th", "P2", "8h"),
        act("7th", "P3", "check"),
        act("7th", "P2", "check"),
        shown("P2", "Kc Ks 9d 4d Jc 7h 8h"),
        shown("P3", "Qh Td 2c 4s Ah 4h 5s", "muck"),
    ],
    "rake": 0,
    "net": {"P1": -10, "P2": 220, "P3": -210},
}
"""The deuce of clubs brings in; P2's kings win 430 from the pair of fours."""


record, with_line = partial(altered, RECORD), partial(line_altered, RECORD)


def with_cards(changes: dict[str, str], *lines: str) -> dict[str, Any]:
    """The record with other cards in the place of some, in lines of all kinds or of those named."""
    changed = record()
    for line in changed["events"]:
        if "cards" in line and (not lines or line["t"] in lines):
            line["cards"] = [changes.get(face, face) for face in line["cards"]]
    return changed


def without(*faces: str) -> dict[str, Any]:
    return with_cards(dict.fromkeys(faces, "??"))


def test_a_stud_hand_that_pays_what_its_record_says_agrees() -> None:
    assert disagreement(read(record())) == ""


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (with_cards({"2c": "2d"}), ""),
        (with_cards({"2c": "2s"}), "the action is on seat 1, but the history has seat 3: 3rd P3 bring_in"),
        (with_line(6, by=30, to=30), "seat 3 must bring in with 0.20 or 0.50 and nothing else"),
        (with_line(8, by=40, to=40), "seat 2 may raise to 0.50 and nothing else"),
        (with_line(12, by=100, to=100), "seat 2 may bet 0.50 and nothing else"),
        (with_cards({"4s": "6s"}), ""),
        (with_cards({"Ah": "3h"}), "the action is on seat 2, but the history has seat 3: 5th P3 check"),
        (with_line(17, by=50, to=50), "seat 2 may bet 1.00 and nothing else"),
    ],
)
def test_up_cards_say_who_acts_and_the_streets_for_how_much(changed: dict[str, Any], why: str) -> None:
    found = disagreement(read(changed))
    assert why in found if why else not found


def test_an_open_pair_lets_4th_street_be_played_for_the_big_bet() -> None:
    changed = with_cards({"4s": "2s"})
    for line in changed["events"][12:14]:
        line.update(by=100, to=100)
    changed["events"].insert(12, act("4th", "P3", "check"))
    changed["net"] = {"P1": -10, "P2": 270, "P3": -260}
    assert disagreement(read(changed)) == ""


def test_an_opening_for_the_full_bet_is_the_bring_in() -> None:
    changed = with_line(6, t="bet", by=50, to=50)
    changed["events"][8].update(t="call")
    del changed["events"][9], changed["stakes"]["bring_in"]
    assert disagreement(read(changed)) == ""


def test_unknown_door_cards_are_dealt_so_that_the_log_holds() -> None:
    assert disagreement(read(with_cards(dict.fromkeys(("2h", "9d", "2c"), "??"), "deal"))) == ""


def test_stakes_that_no_log_line_states_are_those_that_were_bet() -> None:
    assert disagreement(read(record(stakes={"ante": 10, "bring_in": 20}))) == ""


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (record(), None),
        (without("8h"), None),
        (without("8h", "7h"), Reason.DECIDING_CARDS_UNKNOWN),
        (without("Ks"), Reason.DECIDING_CARDS_UNKNOWN),
    ],
)
def test_one_unknown_card_that_changes_no_winner_decides_nothing(changed: dict[str, Any], reason: Skip | None) -> None:
    assert why_skipped(read(changed).record) is reason
    assert reason or disagreement(read(changed)) == ""
