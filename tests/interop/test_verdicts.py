"""What comes of another room's hand: paid to the chip, otherwise, or not to be dealt again, and why."""

from decimal import Decimal
from typing import Any

import pytest

from domain.rules.rulebooks.ace import RULEBOOK as ACE
from domain.rules.rulebooks.euro import RULEBOOK as EURO
from services.interop.unsupported import Reason
from services.interop.verdicts import Outcome, Verdict, verdict
from tests.interop.hands import (
    ALL_IN_ON_THE_FLOP,
    HEADS_UP,
    STUD,
    THREE_HANDED,
    TRIPLE_DRAW,
    Hand,
    changed,
    with_action,
)


def of(hand: Hand, **fields: Any) -> Verdict:
    return verdict(changed(hand, **fields), EURO)


@pytest.mark.parametrize(
    ("hand", "net"),
    [
        (HEADS_UP, {"p1": 36, "p2": -36}),
        (THREE_HANDED, {"p1": -60, "p2": -2010, "p3": 1870}),
        (STUD, {"p1": -45, "p2": 45}),
        (TRIPLE_DRAW, {"p1": 140, "p2": -140}),
    ],
)
def test_a_hand_that_we_pay_alike_is_paid_to_the_chip(hand: Hand, net: dict[str, int]) -> None:
    found = of(hand)
    assert (found.outcome, found.why, found.net) == (Outcome.AS_PAID, "", net)


def test_the_rake_is_what_the_pots_held_and_nobody_had() -> None:
    found = of(THREE_HANDED)
    assert (found.rake, found.currency, found.scale) == (200, "USD", 2)
    raked = of(HEADS_UP, finishing_stacks=[233, 114])
    assert (raked.outcome, raked.rake) == (Outcome.AS_PAID, 3)


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        (changed(HEADS_UP, finishing_stacks=[237, 113]), "p1 has +36 and not +37, p2 has -36 and not -37"),
        (changed(HEADS_UP, finishing_stacks=[164, 186]), "p1 has +36 and not -36, p2 has -36 and not +36"),
        (changed(THREE_HANDED, winnings=[0, Decimal("38.80"), 0]), "p2 has +0.00 and not +38.80, p3 has +38.80"),
        (changed(THREE_HANDED, winnings=[0, 0, Decimal("40.81")]), "p3 has +40.80 and not +40.81"),
        (with_action(HEADS_UP, 13, "p1 cbr 1"), "refused: seat 1 may bet 2 at the least"),
        (
            with_action(HEADS_UP, 7, "p1 cbr 10"),
            "the action is on seat 2, but the history has seat 1: flop p1",
        ),
        (with_action(HEADS_UP, 8, "p1 f"), "p1 has no decision any more, but the history has: turn p1"),
        (changed(HEADS_UP, actions=HEADS_UP["actions"][:9]), "the history ends, but action is on seat 1"),
    ],
)
def test_where_ours_go_another_way_is_said(hand: Hand, why: str) -> None:
    found = of(hand)
    assert found.outcome is Outcome.DIFFERS
    assert why in found.why


def test_no_flop_no_drop() -> None:
    """Rules section 9: there the pot of 2 + 2 paid a rake of 1, here it pays none."""
    folded = changed(HEADS_UP, actions=["d dh p1 ????", "d dh p2 ????", "p2 cbr 6", "p1 f"])
    assert of(folded, finishing_stacks=[198, 152]).outcome is Outcome.AS_PAID
    assert of(folded, finishing_stacks=[198, 151]).why == "the rake is 0, but there it was 1"


def test_a_file_need_not_tell_what_was_paid() -> None:
    found = of(HEADS_UP, finishing_stacks=None)
    assert (found.outcome, found.why) == (Outcome.NOT_TOLD, "here p1 has +36, p2 has -36")


def test_a_rulebook_may_pay_otherwise() -> None:
    """Rules section 3: whoever mucks a hand unseen gives it up under ace, and has to show it under euro."""
    unseen = with_action(HEADS_UP, 2, "d dh p2 ????")
    assert verdict(unseen, ACE).outcome is Outcome.AS_PAID
    assert verdict(unseen, EURO).why == Reason.DECIDING_CARDS_UNKNOWN


# --- not to be dealt again ---


def at_a_table_of(players: int) -> Hand:
    """All fold to the big blind."""
    order = [*range(3, players + 1), 1]
    return changed(
        HEADS_UP,
        antes=[0] * players,
        blinds_or_straddles=[1, 2, *[0] * (players - 2)],
        starting_stacks=[100] * players,
        actions=[*(f"d dh p{player} ????" for player in range(1, players + 1)), *(f"p{player} f" for player in order)],
        finishing_stacks=[99, 101, *[100] * (players - 2)],
    )


def stud_of(players: int) -> Hand:
    """The deck has 52 cards, seven for each of seven players. The first deuce brings in, and all fold to it."""
    doors = ["2c", *(f"{rank}d" for rank in "3456789TJ"[: players - 1])]
    return changed(
        STUD,
        antes=[5] * players,
        starting_stacks=[100] * players,
        actions=[
            *(f"d dh p{player} ????{door}" for player, door in enumerate(doors, start=1)),
            "p1 pb",
            *(f"p{player} f" for player in range(2, players + 1)),
        ],
        finishing_stacks=[100 + 5 * (players - 1), *[95] * (players - 1)],
    )


def test_players_are_dealt_in_as_long_as_each_can_have_his_cards() -> None:
    """Rules section 1: ten play hold'em, eight stud, though not all of eight could play to the last card; Omaha has
    nine seats here, and cards for ten."""
    assert of(at_a_table_of(10)).outcome is Outcome.AS_PAID
    assert of(stud_of(8)).outcome is Outcome.AS_PAID
    assert of(at_a_table_of(10), variant="PO").outcome is Outcome.AS_PAID


@pytest.mark.parametrize(
    "boards",
    [
        ["d db 2c", "d db 3h", "d db Ks", "d db 9s"],
        ["d db 2c3h", "d db Ks9s"],
        ["d db 2c", "d db 3h", "d db Ks"],
    ],
)
@pytest.mark.parametrize("paid", [None, [200, 150]])
def test_a_hand_with_two_boards_is_unsupported_and_never_half_read(boards: list[str], paid: list[int] | None) -> None:
    """Run it twice isn't spread here: neither the first board alone is paid, nor half of the pots."""
    twice = [*ALL_IN_ON_THE_FLOP[:7], *boards, *ALL_IN_ON_THE_FLOP[7:]]
    found = of(HEADS_UP, actions=twice, finishing_stacks=paid)
    assert found == Verdict("", "", Outcome.UNSUPPORTED, Reason.RUN_TWICE)


def test_the_same_hand_with_one_board_is_dealt() -> None:
    once = [*ALL_IN_ON_THE_FLOP[:7], "d db 2c", "d db 3h", *ALL_IN_ON_THE_FLOP[7:]]
    assert of(HEADS_UP, actions=once, finishing_stacks=[350, 0]).outcome is Outcome.AS_PAID


@pytest.mark.parametrize(
    ("hand", "reason"),
    [
        *((changed(HEADS_UP, variant=code), Reason.GAME_NOT_DECLARED) for code in ("NS", "FR", "N2L1D", "FB", "???")),
        (changed(THREE_HANDED, blinds_or_straddles=[Decimal("0.50"), 1, 2]), Reason.STRADDLE),
        (changed(THREE_HANDED, blinds_or_straddles=[Decimal("0.50"), 0, 0]), Reason.BIG_BLIND_MISSING),
        (changed(HEADS_UP, starting_stacks=[Decimal("inf"), 150]), Reason.STACK_UNKNOWN),
        (at_a_table_of(11), Reason.TOO_MANY_PLAYERS),
        (stud_of(9), Reason.TOO_MANY_PLAYERS),
        (with_action(STUD, 13, "p1 cc", "d db 9h"), Reason.COMMUNITY_CARD),
        (changed(HEADS_UP, actions=HEADS_UP["actions"][:9], finishing_stacks=None), Reason.BREAKS_OFF),
        (with_action(with_action(HEADS_UP, 2, "d dh p2 ????"), 16, "p2 sm ????"), Reason.DECIDING_CARDS_UNKNOWN),
        (changed(HEADS_UP, actions=ALL_IN_ON_THE_FLOP), Reason.DECIDING_CARDS_UNKNOWN),
    ],
)
def test_what_can_not_be_dealt_again_is_listed_with_its_reason(hand: Hand, reason: Reason) -> None:
    assert of(hand) == Verdict("", "", Outcome.UNSUPPORTED, reason)
