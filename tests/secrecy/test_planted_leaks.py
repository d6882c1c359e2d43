"""What could leak a hidden card is planted here, and found: a check must be able to fail."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain import catalog
from domain.cards import FACES, faces, suit_of
from domain.hand import decider, refusals
from domain.hand import events as fact
from domain.hand.betting import opening
from domain.hand.legal import legal
from domain.hand.showdown import awards
from domain.hand.state import Hand
from domain.rulings import replay, words
from domain.visibility import VISIBLE, Seen, Sight, Viewer
from services.eventlog.commit import Record
from services.feed import cloudevents
from services.sealing.shoe import SealedShoe
from tests.secrecy.scenes import Scene, reveals, scene, until
from tests.secrecy.twins import check_that_nobody_can_tell, spectator

SEED = 1
GAMES = ("stud", "triple-draw", "draw32")


class Peek:
    """The cards of every hand that is played, for whoever should not know them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._cards: dict[str, tuple[int, ...]] = {}
        add = SealedShoe.add

        def noting(shoe: SealedShoe, order: Any) -> Any:
            found = add(shoe, order)
            self._cards[shoe._hand] = shoe._cards
            return found

        monkeypatch.setattr(SealedShoe, "add", noting)

    def __call__(self, hand: Hand, indices: Any) -> list[int]:
        return self.of(hand.id, indices)

    def of(self, hand: str, indices: Any) -> list[int]:
        return [self._cards[hand][index] for index in indices]


def words_name_a_discard(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    monkeypatch.setitem(
        words.SENTENCES,
        fact.CardsDiscarded,
        lambda event, hand: f"seat {event.seat} discards {faces(peek(hand, event.indices))}",
    )


def a_frame_shows_a_folded_hand(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    look = replay._Seen._seat

    def looking(seen: Any, one: fact.DealtIn, hand: Hand) -> replay.SeatSeen:
        found = look(seen, one, hand)
        gone = found.standing in (replay.Standing.FOLDED, replay.Standing.MUCKED)
        return replace(found, cards=tuple(peek(hand, hand.dealt[one.seat]))) if gone else found

    monkeypatch.setattr(replay._Seen, "_seat", looking)


def the_words_for_what_is_legal_depend_on_a_card(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    def hinting(hand: Hand) -> str:
        red = hand.turn is not None and any(
            suit_of(card) in (1, 2) for card in peek(hand, hand.dealt[hand.turn.seat][:1])
        )
        return legal(hand) + "," * red

    monkeypatch.setattr("domain.rulings.replay.legal", hinting)


def the_table_calls_a_down_card_public(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    monkeypatch.setitem(VISIBLE[fact.CardsDealt], "cards", Sight.PUBLIC)


def a_refusal_names_a_card(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    refuse = refusals.not_his_turn
    monkeypatch.setattr(
        refusals,
        "not_his_turn",
        lambda hand, command: refuse(hand, command) + f" ({FACES[peek(hand, [hand.indices - 1])[0]]})",
    )


def discards_lie_in_the_order_of_their_faces(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    exchange = decider._exchange
    monkeypatch.setattr(
        decider,
        "_exchange",
        lambda hand, seat, discards, shoe: exchange(hand, seat, tuple(sorted(discards, key=shoe.card)), shoe),
    )


def a_box_is_longer_for_a_red_card(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    down = SealedShoe.down
    monkeypatch.setattr(
        SealedShoe,
        "down",
        lambda shoe, seat, index: down(shoe, seat, index) + "A" * (suit_of(shoe.card(index)) in (1, 2)),
    )


def a_fact_holds_a_face(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    down = SealedShoe.down
    monkeypatch.setattr(
        SealedShoe, "down", lambda shoe, seat, index: shoe.card(index) if index == 3 else down(shoe, seat, index)
    )


def a_reshuffle_lies_open(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    shuffle = SealedShoe.shuffle

    def openly(shoe: SealedShoe, cards: Any) -> Any:
        deck = shuffle(shoe, cards)
        return shoe._cards[-deck.size :] if len(shoe._cards) > deck.size else deck

    monkeypatch.setattr(SealedShoe, "shuffle", openly)


def a_public_number_depends_on_a_card(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    """One that nothing follows from: a round's size, but in fixed and spread limit."""

    def hinting(hand: Hand, street: int) -> fact.RoundOpened:
        opened = opening(hand, street)
        return opened if opened.size else replace(opened, size=peek(hand, hand.dealt[hand.order[0]])[0])

    monkeypatch.setattr("domain.hand.decider.opening", hinting)


def the_feed_shows_boxes(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    def whole(viewer: Viewer, event: Any, settled: bool) -> Seen | None:
        return Seen(*catalog.event.dump(event))

    monkeypatch.setattr(cloudevents, "seen_by", whole)


def the_feed_names_a_discard(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    value = cloudevents._value

    def naming(record: Record, nth: int, stream: str, time: str, seen: Seen) -> bytes:
        if seen.type == "hand.cards-discarded":
            thrown = peek.of(stream.removeprefix("hand:"), seen.data["indices"])
            seen = seen._replace(data={**seen.data, "cards": thrown})
        return value(record, nth, stream, time, seen)

    monkeypatch.setattr(cloudevents, "_value", naming)


def the_feed_leaves_out_a_fold_for_a_card(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    """Not a byte of it is a card's: what isn't told tells."""
    value = cloudevents._value

    def told(record: Record, nth: int, stream: str, time: str, seen: Seen) -> bytes:
        if seen.type == "hand.folded" and suit_of(*peek.of(stream.removeprefix("hand:"), [-seen.data["seat"]])) in (
            1,
            2,
        ):
            return b""
        return value(record, nth, stream, time, seen)

    monkeypatch.setattr(cloudevents, "_value", told)


def a_hand_that_wins_unseen_is_named(monkeypatch: pytest.MonkeyPatch, peek: Peek) -> None:
    def naming(hand: Hand, *given: Any) -> list[fact.PotAwarded]:
        return [
            one if one.hand else replace(one, hand=faces(peek(hand, hand.dealt[one.seat])))
            for one in awards(hand, *given)
        ]

    monkeypatch.setattr("domain.hand.decider.awards", naming)


Plant = Callable[[pytest.MonkeyPatch, Peek], None]

BEFORE_A_REVEAL: list[tuple[Plant, str]] = [
    (words_name_a_discard, "the frames of t8-1"),
    (words_name_a_discard, "the answers"),
    (a_frame_shows_a_folded_hand, "the frames of t8-1"),
    (the_words_for_what_is_legal_depend_on_a_card, "the frames of t8-1 as text"),
    (the_table_calls_a_down_card_public, "the facts of t4-1"),
    (the_table_calls_a_down_card_public, "the frames of t4-1"),
    (a_refusal_names_a_card, "the answers"),
    (a_public_number_depends_on_a_card, "the facts of t8-1"),
    (discards_lie_in_the_order_of_their_faces, "the facts of t8-1"),
    (a_box_is_longer_for_a_red_card, "shard 3 of the log"),
    (a_fact_holds_a_face, "shard 3 of the log"),
    (a_reshuffle_lies_open, "the answers"),
    (the_table_calls_a_down_card_public, "the feed of shard 3"),
    (a_public_number_depends_on_a_card, "the feed of shard 3"),
    (the_feed_shows_boxes, "the feed of shard 3"),
    (the_feed_names_a_discard, "the feed of shard 3"),
    (the_feed_leaves_out_a_fold_for_a_card, "the feed of shard 3"),
]
"""Leaks, and a place where each is found."""


@cache
def some_scenes() -> list[Scene]:
    return [scene(SEED, name) for name in GAMES]


@cache
def live_scenes() -> list[Scene]:
    return until(some_scenes(), reveals)


def compare(folder: Path, scenes: Sequence[Scene]) -> None:
    check_that_nobody_can_tell(folder, SEED, scenes, spectator(scenes, Random(SEED)))


def test_nothing_is_found_where_nothing_is_planted(tmp_path: Path, monkeypatch) -> None:
    live_scenes()
    Peek(monkeypatch)
    compare(tmp_path / "live", live_scenes())
    compare(tmp_path / "whole", some_scenes())


@pytest.mark.parametrize(("plant", "place"), BEFORE_A_REVEAL, ids=lambda one: getattr(one, "__name__", one))
def test_a_planted_leak_is_found(tmp_path: Path, monkeypatch, plant: Plant, place: str) -> None:
    scenes = live_scenes()
    plant(monkeypatch, Peek(monkeypatch))
    with pytest.raises(AssertionError, match=f"hidden cards can be told from [^:]*{place}[,:]"):
        compare(tmp_path, scenes)


def test_a_hand_that_wins_unseen_and_is_named_is_found(tmp_path: Path, monkeypatch) -> None:
    scenes = some_scenes()
    a_hand_that_wins_unseen_is_named(monkeypatch, Peek(monkeypatch))
    with pytest.raises(AssertionError, match="hidden cards can be told from the answers"):
        compare(tmp_path, scenes)
