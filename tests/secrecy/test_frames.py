"""Frames for a viewer: his own cards, those that lie open, and no others."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from domain.cards import FACES, cards
from domain.hand import events as fact
from domain.hand.dealing import SealBroken
from domain.rulings.recorded_shoe import NoKeys
from domain.rulings.replay import Frame
from domain.rulings.seen import facts_for, frames_for
from domain.visibility import SPECTATOR, STAFF, Viewer
from tests.hands import Table, open_hand_for, stacked

HOLES = {1: cards("AhAd"), 2: cards("KhKd"), 3: cards("QhQd")}


class Boxes:
    """Opens boxes that name what they hold and where they belong; notes whose were opened."""

    def __init__(self) -> None:
        self.opened: set[int] = set()

    def order(self, hand: str, first: int, deck: fact.SealedDeck) -> None:
        raise AssertionError("no frame needs a deck")

    def card(self, hand: str, seat: int, index: int, box: str) -> int:
        if box[:-2] != f"{hand}_{seat}_{index}_":
            raise SealBroken(f"the box of card {index} of seat {seat} was changed")
        self.opened.add(seat)
        return FACES.index(box[-2:])


def sealed(facts: Iterable[Any]) -> list[Any]:
    """The same facts as a room records them."""
    return [_sealed(one) if isinstance(one, fact.CardsDealt) and not one.up else one for one in facts]


def _sealed(dealt: fact.CardsDealt) -> fact.CardsDealt:
    both = zip(dealt.indices, dealt.cards, strict=True)
    return replace(dealt, cards=tuple(f"t1-1_{dealt.seat}_{index}_{FACES[int(card)]}" for index, card in both))


def seen(table: Table, viewer: Viewer) -> list[Frame]:
    return list(frames_for(viewer, sealed(table.facts), Boxes()))


def holes(frame: Frame) -> list[tuple[int, ...]]:
    return [seat.cards for seat in frame.seats]


def three_handed(**terms: Any) -> Table:
    """Hold'em, no limit 1/2, button 3; seat 3 is first before the flop."""
    named = {seat: "".join(FACES[card] for card in hole) for seat, hole in HOLES.items()}
    return Table(open_hand_for(stacks=(100, 100, 100), cards=named, board="2c7s9hJdJs", **terms))


def to_showdown(*wishes: str, **terms: Any) -> Table:
    """Aces and kings check it down, queens fold on the flop; seat 1 is first to show."""
    table = three_handed(**terms).do("3 calls", "1 calls", "2 checks", "1 checks", "2 checks", "3 folds", *wishes)
    return table.do(*["1 checks", "2 checks"] * 2)


def draw_of_three() -> Table:
    table = stacked("triple-draw", "no", stacks=(50, 50, 50), cards={1: "9c9d9hTcJc 7d", 2: "KcKdKhQsQc 8h8s 7s"})
    return table.do("3 calls", "1 calls", "2 checks", "1 draws 1: Jc", "2 draws 2: Qs Qc", "3 stands pat")


def test_a_player_sees_his_own_cards_and_how_many_the_others_hold() -> None:
    frame = seen(three_handed(), Viewer(2))[-1]
    assert holes(frame) == [(), HOLES[2], ()]
    assert [seat.unknown for seat in frame.seats] == [2, 0, 2]


def test_a_spectator_sees_none_and_reads_of_none() -> None:
    shown = seen(three_handed(), SPECTATOR)
    assert holes(shown[-1]) == [(), (), ()]
    assert "seat 1 is dealt 2 cards face down" in [frame.says for frame in shown]


def test_who_may_see_a_card_reads_it_too() -> None:
    assert "seat 1 is dealt Ah Ad" in [frame.says for frame in seen(three_handed(), Viewer(1))]


def test_cards_that_lie_face_up_are_everybody_s() -> None:
    table = stacked("stud", "fixed", (2, 4), stacks=[50] * 2, ante=1, cards={1: "AsKdQh", 2: "6c6hJc"})
    assert holes(seen(table, SPECTATOR)[-1]) == [cards("Qh"), cards("Jc")]
    assert holes(seen(table, Viewer(2))[-1]) == [cards("Qh"), cards("6c6hJc")]


@pytest.mark.parametrize("viewer", [SPECTATOR, Viewer(2), STAFF])
def test_a_folded_hand_is_nobody_else_s_while_the_hand_lasts(viewer: Viewer) -> None:
    frame = seen(three_handed().do("3 folds"), viewer)[-1]
    assert holes(frame)[2] == ()


def test_a_player_still_sees_what_he_folded() -> None:
    assert holes(seen(three_handed().do("3 folds"), Viewer(3))[-1])[2] == HOLES[3]


def test_a_hand_is_seen_from_the_fact_on_that_shows_it() -> None:
    shown = seen(to_showdown(), SPECTATOR)
    first = next(at for at, frame in enumerate(shown) if frame.says.startswith("seat 1 shows"))
    assert {holes(frame)[0] for frame in shown[:first]} == {()}
    assert {holes(frame)[0] for frame in shown[first:]} == {HOLES[1]}


@pytest.mark.parametrize("viewer", [SPECTATOR, Viewer(1)])
def test_neither_a_folded_nor_a_mucked_hand_is_shown_to_others_at_the_end(viewer: Viewer) -> None:
    end = seen(to_showdown(), viewer)[-1]
    assert [seat.standing for seat in end.seats] == ["shown", "mucked", "folded"]
    assert holes(end) == [HOLES[1], (), ()]


def test_staff_see_every_hand_once_it_is_settled_from_its_first_card_on() -> None:
    table = to_showdown()
    shown = seen(table, STAFF)
    dealt = next(at for at, frame in enumerate(shown) if all(holes(frame)))
    assert all(holes(frame) == list(HOLES.values()) for frame in shown[dealt:])
    under_way = list(frames_for(STAFF, sealed(table.facts)[:-1], Boxes()))
    assert holes(under_way[-1]) == [HOLES[1], (), ()], "not yet settled"


def test_a_hand_that_was_opened_to_staff_before_its_end_is_seen_by_staff_alone() -> None:
    facts = sealed(three_handed().facts)
    for viewer, seen_by_him in (
        (STAFF, list(HOLES.values())),
        (SPECTATOR, [(), (), ()]),
        (Viewer(1), [HOLES[1], (), ()]),
    ):
        assert holes(list(frames_for(viewer, facts, Boxes(), opened=True))[-1]) == seen_by_him


def test_discards_are_their_player_s() -> None:
    table = draw_of_three()
    assert [seat.discards for seat in seen(table, Viewer(2))[-1].seats] == [(), cards("QsQc"), ()]
    assert [seat.discards for seat in seen(table, SPECTATOR)[-1].seats] == [(), (), ()]
    for viewer in (SPECTATOR, Viewer(2)):
        assert "seat 2 discards 2 cards" in [frame.says for frame in seen(table, viewer)]


def test_who_didn_t_wish_can_t_tell_that_another_did() -> None:
    asked, silent = three_handed(rulebook="ace").do("1 gives up at the showdown"), three_handed(rulebook="ace")
    for viewer in (SPECTATOR, Viewer(2), STAFF):
        assert seen(asked, viewer) == seen(silent, viewer)
    assert len(seen(asked, Viewer(1))) == len(seen(silent, Viewer(1))) + 1


def test_a_wish_is_no_other_player_s_after_the_hand_either() -> None:
    told = [frame.says for frame in seen(to_showdown("2 gives up at the showdown", rulebook="ace"), Viewer(1))]
    assert not any("asks to give up" in says for says in told)


def test_only_the_boxes_that_the_viewer_may_see_are_opened() -> None:
    facts = sealed(to_showdown().facts)
    for viewer, opened in ((Viewer(2), {2}), (SPECTATOR, set()), (STAFF, {1, 2, 3})):
        boxes = Boxes()
        list(frames_for(viewer, facts, boxes))
        assert boxes.opened == opened


def test_without_keys_a_player_sees_no_card_and_learns_how_many_there_are() -> None:
    frame = list(frames_for(Viewer(2), sealed(three_handed().facts), NoKeys()))[-1]
    assert (holes(frame)[1], frame.seats[1].unknown) == ((), 2)


def test_a_box_that_was_changed_is_no_card() -> None:
    facts = sealed(three_handed().facts)
    at = next(at for at, one in enumerate(facts) if isinstance(one, fact.CardsDealt) and one.seat == 2)
    facts[at].cards = (facts[at].cards[1], facts[at].cards[0])
    with pytest.raises(SealBroken, match="card 1 of seat 2 was changed"):
        list(facts_for(Viewer(2), facts, Boxes()))
    assert len(list(facts_for(Viewer(1), facts, Boxes()))) == len(facts)


def test_faces_that_no_box_hides_are_hidden_all_the_same() -> None:
    """The facts of an open shoe, as tests have them."""
    end = list(frames_for(Viewer(1), to_showdown().facts, NoKeys()))[-1]
    assert holes(end) == [HOLES[1], (), ()]
