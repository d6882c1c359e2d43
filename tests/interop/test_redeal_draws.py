"""Invented draw records: counts, discards or the hand shown at last tell what was thrown away and drawn."""

from functools import partial
from typing import Any

import pytest

from domain.cards import card
from domain.rules.registry import game as declared
from services.interop.holdings import holdings
from services.interop.redeal import play
from services.interop.rigging import rigged
from tests.oracle.disagreements import disagreement
from tests.oracle.invented import act, altered, deal, draw, line_altered, players, post, shown
from tests.oracle.records import read
from tests.oracle.rooms import rulebook_for

RECORD: dict[str, Any] = {
    "id": "invented:3",
    "room": "invented",
    "game": "td27",
    "limit": "fixed",
    "kind": "tourney",
    "stakes": {"sb": 5, "bb": 10, "small_bet": 10, "big_bet": 20},
    "button": 3,
    "seats": players(3),
    "events": [
        post("P1", "sb", 5, street="predraw"),
        post("P2", "bb", 10, street="predraw"),
        deal("predraw", "P1", "2s 7s Kh Kd 4c"),
        act("predraw", "P3", "fold"),
        act("predraw", "P1", "call", by=5, to=10),
        act("predraw", "P2", "check"),
        draw("draw1", "P1", 2, discard="Kh Kd", drawn="3h Qd", hand_after="2s 7s 4c 3h Qd"),
        draw("draw1", "P2", 3),
        act("draw1", "P1", "check"),
        act("draw1", "P2", "check"),
        draw("draw2", "P1", 1, hand_after="2s 7s 4c 3h 9c"),
        draw("draw2", "P2", 0),
        act("draw2", "P1", "bet", by=20, to=20),
        act("draw2", "P2", "call", by=20, to=20),
        draw("draw3", "P1", 0),
        draw("draw3", "P2", 1),
        act("draw3", "P1", "check"),
        act("draw3", "P2", "check"),
        shown("P1", "2s 7s 4c 3h 9c"),
        shown("P2", "2d 3d 5h 6h 8h"),
    ],
    "rake": 0,
    "net": {"P1": -30, "P2": 30},
}
"""P2's eight beats P1's nine."""


record, with_line = partial(altered, RECORD), partial(line_altered, RECORD)


def test_a_draw_hand_that_pays_what_its_record_says_agrees() -> None:
    assert disagreement(read(record())) == ""


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (with_line(6, p="P2"), "the action is on seat 1, but the history has seat 2"),
        (with_line(12, by=10, to=10), "seat 1 may bet 20 and nothing else"),
        (with_line(15, t="check"), "seat 2"),
        (record(net={"P1": -29, "P2": 30}), "P1 has -30 and not -29"),
    ],
)
def test_what_the_log_holds_is_taken_as_it_stands_or_disagrees(changed: dict[str, Any], why: str) -> None:
    assert why in disagreement(read(changed))


def test_the_last_hand_tells_what_was_kept_and_drawn() -> None:
    told = holdings(read(record()).record, declared("triple-draw"))["P2"]
    assert set(told.held) == {"2d", "3d", "5h", "6h", "8h"}
    first, second, third = (told.streets[f"{number} draw"] for number in ("first", "second", "third"))
    assert (len(first.thrown), len(first.down)) == (3, 3)
    assert (second.thrown, second.down) == ((), ())
    assert len(third.thrown) == 1 and set(third.down) < set(told.held)
    assert not set(third.thrown) & set(told.held)


def test_the_hand_after_a_draw_tells_what_was_thrown_away() -> None:
    told = holdings(read(record()).record, declared("triple-draw"))["P1"]
    assert told.streets["second draw"].thrown == ("Qd",)
    assert told.streets["second draw"].down == ("9c",)


def test_cards_that_contradict_one_another_are_unknown() -> None:
    changed = with_line(6, discard=["Ah", "Kd"])
    assert not holdings(read(changed).record, declared("triple-draw"))["P1"].known


RAN_OUT = record(
    seats=players(6),
    button=6,
    events=[
        post("P1", "sb", 5, street="predraw"),
        post("P2", "bb", 10, street="predraw"),
        *(act("predraw", f"P{seat}", "call", by=10, to=10) for seat in (3, 4, 5)),
        act("predraw", "P6", "fold"),
        act("predraw", "P1", "call", by=5, to=10),
        act("predraw", "P2", "check"),
        *(draw("draw1", f"P{seat}", 4) for seat in (1, 2, 3, 4, 5)),
        *(act("draw1", f"P{seat}", "check") for seat in (1, 2, 3, 4, 5)),
        *(draw("draw2", f"P{seat}", 2) for seat in (1, 2, 3, 4, 5)),
        *(act("draw2", f"P{seat}", "check") for seat in (1, 2, 3, 4, 5)),
        *(draw("draw3", f"P{seat}", seat > 3) for seat in (1, 2, 3, 4, 5)),
        *(act("draw3", f"P{seat}", "check") for seat in (1, 2, 3)),
        act("draw3", "P4", "bet", by=20, to=20),
        act("draw3", "P5", "call", by=20, to=20),
        *(act("draw3", f"P{seat}", "fold") for seat in (1, 2, 3)),
        shown("P4", "2d 3d 5h 6h 8h"),
        shown("P5", "2c 3c 5d 6d 9d"),
    ],
    net={"P1": -10, "P2": -10, "P3": -10, "P4": 60, "P5": -30},
)
"""30 dealt, 20 drawn, 10 drawn: the deck runs out in the second draw, and what is shown comes back from the pile."""


def test_known_cards_come_back_from_a_reshuffled_pile() -> None:
    hand = read(RAN_OUT)
    rigging = rigged(hand.record, declared("triple-draw"), [f"P{seat}" for seat in range(1, 7)])
    assert disagreement(hand) == ""
    ended = play(hand.record, rulebook_for("invented"), None).hand
    assert set(ended.hole[4]) == {card(face) for face in ("2d", "3d", "5h", "6h", "8h")} == set(rigging.held["P4"])
    assert max(ended.dealt[4]) >= len(rigging.deck)
