"""The harness itself, on invented records: it takes nothing that differs by a chip, and says why it skips."""

from functools import partial
from typing import Any

import pytest

from domain.rules.rulebook import Rulebook
from domain.rules.rulebooks.ace import RULEBOOK as ACE
from domain.rules.rulebooks.euro import RULEBOOK as EURO
from services.interop.unsupported import Reason, Unsupported
from tests.oracle.disagreements import disagreement
from tests.oracle.invented import act, altered, board, line_altered, players, post, shown
from tests.oracle.records import read
from tests.oracle.skips import Skip, why_skipped

SHOWN = [shown("P2", "Ah Ad"), shown("P3", "Kh Kd", "muck")]

RECORD: dict[str, Any] = {
    "id": "invented:1",
    "room": "invented",
    "game": "holdem",
    "limit": "no",
    "kind": "cash",
    "stakes": {"sb": 50, "bb": 100},
    "button": 1,
    "seats": players(3),
    "events": [
        post("P2", "sb", 50),
        post("P3", "bb", 100),
        act("preflop", "P1", "fold"),
        act("preflop", "P2", "raise", by=250, to=300),
        act("preflop", "P3", "call", by=200, to=300),
        board("2c", "7d", "9s"),
        act("flop", "P2", "check"),
        act("flop", "P3", "check"),
        board("Jc"),
        act("turn", "P2", "check"),
        act("turn", "P3", "check"),
        board("3h"),
        act("river", "P2", "bet", by=400, to=400),
        act("river", "P3", "call", by=400, to=400),
        *SHOWN,
    ],
    "rake": 70,
    "net": {"P2": 630, "P3": -700},
}
"""P2's aces beat P3's kings in a pot of 1400 that pays 70."""


record, with_line = partial(altered, RECORD), partial(line_altered, RECORD)


def test_a_hand_that_pays_what_its_record_says_agrees() -> None:
    assert disagreement(read(record())) == ""


def test_one_chip_is_a_disagreement() -> None:
    assert disagreement(read(record(net={"P2": 629, "P3": -700}))) == "P2 has +630 and not +629"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (with_line(4, by=199, to=299), "seat 3 calls 2.00, but the history has: preflop P3 call by 1.99 to 2.99"),
        (with_line(3, by=149, to=199), "seat 2 may raise to 2.00 at the least"),
        (with_line(6, t="fold"), "P3 has no decision any more"),
        (with_line(6, p="P3"), "the action is on seat 2, but the history has seat 3"),
        (with_line(6, s="turn"), "the action is on the flop"),
        (
            with_line(1, by=10_001),
            "the posts are 0.50 live and 100.00 live, but the history has 0.50 live",
        ),
    ],
)
def test_what_the_log_holds_is_taken_as_it_stands_or_disagrees(changed: dict[str, Any], why: str) -> None:
    assert why in disagreement(read(changed))


def test_a_log_that_ends_before_its_hand_disagrees() -> None:
    cut = record()
    cut["events"] = [line for line in cut["events"] if line["s"] != "river"]
    assert "the history ends, but action is on seat 2" in disagreement(read(cut))


def unseen(*lines: dict[str, Any]) -> dict[str, Any]:
    """The record with another showdown."""
    changed = record()
    changed["events"] = [*changed["events"][: -len(SHOWN)], *lines]
    return changed


def plus(*lines: dict[str, Any]) -> dict[str, Any]:
    changed = record()
    changed["events"] += lines
    return changed


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (record(), None),
        (record(game="badugi"), Reason.GAME_NOT_DECLARED),
        (plus(board("4c", "5c", "6c", "7c", "8c", run=1)), Reason.RUN_TWICE),
        (record(flags=["run_it_multiple"]), Reason.RUN_TWICE),
        (with_line(0, k="straddle"), Reason.STRADDLE),
        (plus(act("river", "P3", "cash_out")), Skip.CASH_OUT),
        (record(flags=["splash_pot"]), Skip.SPLASH_POT),
        (with_line(1, k="late_bb"), Reason.BIG_BLIND_MISSING),
        (record(flags=["seat_order_unreliable"]), None),
        (record(button=None), None),
        (unseen(SHOWN[0]), Reason.DECIDING_CARDS_UNKNOWN),
        (unseen(SHOWN[0], shown("P3", "Kh ??")), Reason.DECIDING_CARDS_UNKNOWN),
        (unseen(SHOWN[0], act("showdown", "P3", "muck")), None),
    ],
)
def test_a_hand_is_skipped_for_what_its_log_lacks(changed: dict[str, Any], reason: Skip | None) -> None:
    assert why_skipped(read(changed).record) is reason


def test_an_order_that_neither_seats_nor_actions_tell_is_skipped() -> None:
    changed = record(flags=["seat_order_unreliable"], seats=players(4))
    assert why_skipped(read(changed).record) is Reason.SEAT_ORDER_UNRELIABLE


ALL_IN_AND_AFTER = ("preflop", "showdown")


@pytest.mark.parametrize("rulebook", [EURO, ACE], ids=lambda book: book.name)
def test_unseen_cards_decide_where_the_betting_ended_early(rulebook: Rulebook) -> None:
    """Under euro every unbeaten hand is shown, under ace one may be given up, but not once all hands lie face up."""
    changed = unseen(SHOWN[0], act("showdown", "P3", "muck"))
    changed["events"][3].update(by=9_950, to=10_000)
    changed["events"][4].update(by=9_900, to=10_000)
    changed["events"] = [line for line in changed["events"] if line["t"] == "board" or line["s"] in ALL_IN_AND_AFTER]
    with pytest.raises(Unsupported) as found:
        disagreement(read(changed), rulebook)
    assert found.value.reason is Reason.DECIDING_CARDS_UNKNOWN


def test_who_folds_before_the_last_post_was_not_dealt_in() -> None:
    changed = record()
    changed["events"].insert(1, changed["events"].pop(2))
    assert [seat.player for seat in read(changed).record.seats] == ["P2", "P3"]
