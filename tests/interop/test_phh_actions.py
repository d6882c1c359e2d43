"""PHH's lines don't tell the street: it follows from the cards."""

from services.interop.history import DRAW, SHOWDOWN
from services.interop.phh import read
from tests.interop.hands import HEADS_UP, STUD, TRIPLE_DRAW, Hand, with_action


def streets(hand: Hand) -> list[str]:
    """On which street each action stands."""
    return [line.street for line in read(hand).history.actions]


def test_the_board_tells_the_street() -> None:
    assert streets(HEADS_UP) == ["preflop"] * 2 + ["flop"] * 3 + ["turn"] * 2 + ["river"] * 2


def test_a_flop_may_come_card_by_card() -> None:
    assert read(with_action(HEADS_UP, 5, "d db 7d", "d db Qh", "d db 6h")) == read(HEADS_UP)


def test_each_further_card_of_stud_is_a_street() -> None:
    assert streets(STUD) == ["3rd"] * 3 + ["4th"] * 2 + ["5th"] * 2


def test_the_third_card_of_stud_lies_face_up() -> None:
    seen = [(one.cards[0], one.up[0]) for one in read(STUD).history.sights if one.player == "p2"]
    assert seen == [("Ah", False), ("As", False), ("Kd", True), ("Ks", True), ("3c", True)]


def test_each_draw_begins_a_street() -> None:
    first = ["predraw"] * 3
    assert streets(TRIPLE_DRAW) == [*first, *["first draw"] * 4, *["second draw"] * 4, *["third draw"] * 4]


def test_what_is_dealt_after_a_draw_replaces_what_was_thrown_away() -> None:
    draws = [one for one in read(TRIPLE_DRAW).history.sights if one.act == DRAW and one.player == "p2"]
    assert [(one.thrown, one.cards) for one in draws] == [
        (("??", "??"), ("??", "??")),
        (("??",), ("??",)),
        (("??",), ("8d",)),
    ]


def test_without_cards_a_player_mucks() -> None:
    shown = [(one.player, one.act) for one in read(HEADS_UP).history.lines if one.street == SHOWDOWN]
    assert shown == [("p1", "show"), ("p2", "muck")]


def test_a_dash_shows_what_is_known_already() -> None:
    shown = read(with_action(HEADS_UP, 16, "p2 sm -")).history.lines[-1]
    assert (shown.player, shown.act) == ("p2", "show")
