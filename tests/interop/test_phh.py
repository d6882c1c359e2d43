"""Reading PHH: who posts what, what the chips are, and a sentence for what isn't PHH."""

from decimal import Decimal
from typing import Any

import pytest

from domain.rules.vocabulary import Kind
from services.interop.history import History, Unreadable
from services.interop.phh import hands_of, read
from tests.interop.hands import HEADS_UP, STUD, THREE_HANDED, TRIPLE_DRAW, Hand, changed, with_action


def history(hand: Hand, **fields: Any) -> History:
    return read(changed(hand, **fields)).history


def posted(hand: Hand, **fields: Any) -> list[tuple[str, str, int]]:
    return [(line.player, line.post, line.by) for line in history(hand, **fields).posts]


FOLDS = ["d dh p1 ????", "d dh p2 ????", "p1 f"]


# --- who posts what ---


def test_heads_up_the_button_posts_the_small_blind_and_is_the_last_player() -> None:
    assert posted(HEADS_UP) == [("p2", "sb", 1), ("p1", "bb", 2)]
    assert history(HEADS_UP).button == 2


def test_heads_up_antes_are_listed_the_other_way_round_too() -> None:
    assert posted(HEADS_UP, antes=[0, 3]) == [("p1", "ante", 3), ("p2", "sb", 1), ("p1", "bb", 2)]


def test_with_more_players_the_first_two_post_blinds() -> None:
    assert posted(THREE_HANDED, antes=[0, 0, 0]) == [("p1", "sb", 50), ("p2", "bb", 100)]
    assert history(THREE_HANDED).button == 3


def test_a_big_blind_of_another_is_posted_late_and_more_is_a_straddle() -> None:
    last = [posted(THREE_HANDED, antes=[0, 0, 0], blinds_or_straddles=[0, 1, amount])[-1] for amount in (1, 2)]
    assert last == [("p3", "late_bb", 100), ("p3", "straddle", 200)]


def test_who_has_less_posts_that_the_ante_first() -> None:
    short = posted(HEADS_UP, antes=[2, 2], starting_stacks=[3, 1], actions=FOLDS, finishing_stacks=None)
    assert short == [("p2", "ante", 1), ("p1", "ante", 2), ("p1", "bb", 1)]


# --- what the chips are ---


@pytest.mark.parametrize(
    ("hand", "kind"),
    [
        (HEADS_UP, Kind.PLAY),
        (changed(HEADS_UP, currency="EUR"), Kind.REAL),
        (changed(HEADS_UP, currency_symbol="$"), Kind.REAL),
        (changed(HEADS_UP, blinds_or_straddles=[Decimal("0.5"), 2]), Kind.REAL),
        (changed(HEADS_UP, blinds_or_straddles=[Decimal("1.0"), 2]), Kind.PLAY),
        (TRIPLE_DRAW, Kind.TOURNAMENT),
    ],
)
def test_money_has_a_currency_or_a_fraction_and_a_tournament_a_level(hand: Hand, kind: Kind) -> None:
    assert history(hand).kind is kind


def test_amounts_are_minor_units() -> None:
    assert history(THREE_HANDED).stakes == {"sb": 50, "bb": 100, "ante": 10, "min_bet": 100}
    assert [seat.stack for seat in history(THREE_HANDED).seats] == [10_000, 2_010, 10_000]
    assert history(STUD).stakes == {"ante": 5, "bring_in": 10, "small_bet": 20, "big_bet": 40}


# --- what isn't PHH ---


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        (changed(HEADS_UP, antes=None), "antes: Field required"),
        (changed(HEADS_UP, antes=[0]), "antes has 1 entries, but starting_stacks tells of 2 players"),
        (changed(HEADS_UP, winnings=[1, 2, 3]), "winnings has 3 entries, but starting_stacks tells of 2 players"),
        (changed(HEADS_UP, min_bet="2"), "min_bet: Value error, '2' is no number"),
        (changed(HEADS_UP, starting_stacks=[200, True]), "starting_stacks.1: Value error, True is no number"),
        (changed(HEADS_UP, starting_stacks=[200]), "starting_stacks: List should have at least 2 items"),
        (changed(HEADS_UP, starting_stacks=[200, -150]), "starting_stacks: -150 is no amount"),
        (changed(HEADS_UP, starting_stacks=[200, 0]), "starting_stacks: somebody has nothing"),
        (
            changed(THREE_HANDED, min_bet=Decimal("1.005")),
            "min_bet: 1.005 is no amount: those of this hand",
        ),
        (changed(HEADS_UP, antes=[Decimal("inf"), 0]), "antes: Infinity is no amount"),
        (changed(HEADS_UP, finishing_stacks=[236, 115]), "finishing_stacks hold more chips than starting_stacks"),
        (changed(HEADS_UP, actions="p1 f"), "actions: Input should be a valid list"),
        (17, "17 is no hand"),
    ],
)
def test_a_field_that_is_wrong_is_named(hand: Any, why: str) -> None:
    with pytest.raises(Unreadable, match=why.replace(".", r"\.")):
        read(hand)


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("p3 cc", "'p3' is no player: they are p1 to p2"),
        ("P1 cc", "'P1' is no player"),
        ("p1 check", "of a player there is pb, cbr AMOUNT, cc, f, sd or sd CARDS, sm or sm CARDS"),
        ("p1", "of a player there is pb"),
        ("p1 cbr much", "'much' is no amount"),
        ("p1 cbr NaN", "NaN is no amount"),
        ("p1 cbr 6.5", "it raises to: 6.5 is no amount: those of this hand are multiples of 1, never negative"),
        ("p1 cbr -6", "-6 is no amount"),
        ("p1 sd AhAd", "Texas hold'em lets a player draw no more often than he has"),
        ("d db 1h", "'1h' is no card"),
        ("d db Ahh", "'h' is no card"),
        ("d ah p1", "of the dealer there is db CARDS and dh PLAYER CARDS"),
        ("d dh p1 2h", "Texas hold'em deals a player no more cards than he has"),
    ],
)
def test_an_action_that_is_wrong_is_named_with_its_number(action: str, why: str) -> None:
    with pytest.raises(Unreadable) as found:
        read(with_action(HEADS_UP, 4, action))
    assert str(found.value).startswith(f"action 4, {action!r}: ")
    assert why in str(found.value)


def test_a_remark_is_passed_over() -> None:
    remarks = with_action(HEADS_UP, 3, "", "# they wait", "p2 cbr 6 # at last")
    assert read(remarks) == read(HEADS_UP)


# --- files ---


def test_a_file_holds_one_hand_or_many() -> None:
    assert hands_of("variant = 'NT'\nantes = [0.5]") == {"": {"variant": "NT", "antes": [Decimal("0.5")]}}
    assert hands_of("[1]\nvariant = 'NT'\n[7]\nvariant = 'PO'") == {"1": {"variant": "NT"}, "7": {"variant": "PO"}}


@pytest.mark.parametrize(("text", "why"), [("", "holds no hand"), ("PokerStars Hand #1", "isn't TOML")])
def test_a_file_of_something_else_is_said_to_be_that(text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        hands_of(text)
