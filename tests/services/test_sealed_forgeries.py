"""A box or a deck in the log that somebody forged who holds the keys: deciding again opens it and names it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.cards import FACES
from domain.rulings.readjudicate import Divergence
from domain.rulings.recorded_shoe import NoKeys
from services.bootstrap import open_log
from services.eventlog import canonical
from services.eventlog.log import Log
from services.eventlog.verify import verify_log
from services.room.recording import Answer
from services.rulings import readjudicate_all, readjudicate_hand
from services.soundness import verify_home
from tests.services.homes import (
    Desk,
    Place,
    SealedChange,
    a_table_of_two,
    forge,
    forge_sealed,
    new_home,
    opener,
    room_over,
)
from tests.services.sealer import Sealer


def down(change: SealedChange) -> SealedChange:
    """The change, made only where cards are dealt face down."""
    return lambda boxes, data: not data["up"] and change(boxes, data)


def another_card(boxes: Sealer, data: dict[str, Any]) -> None:
    seat, index, box = data["seat"], data["indices"][0], data["cards"][0]
    data["cards"][0] = boxes.card(seat, index, box, (boxes.face(seat, index, box) + 1) % len(FACES))


def changed(boxes: Sealer, data: dict[str, Any]) -> None:
    data["cards"][0] = data["cards"][0].translate(str.maketrans("ABab", "BAba"))


def two_swapped(boxes: Sealer, data: dict[str, Any]) -> Any:
    if len(data["cards"]) < 2:
        return False
    data["cards"][:2] = reversed(data["cards"][:2])
    return True


def no_box(boxes: Sealer, data: dict[str, Any]) -> None:
    data["cards"][0] = "AAAA"


def another_root(boxes: Sealer, data: dict[str, Any]) -> None:
    data["deck"]["root"] = "0" * 64


def another_size(boxes: Sealer, data: dict[str, Any]) -> None:
    data["deck"]["size"] -= 1


def reordered(change: Callable[[list[int]], list[int]]) -> SealedChange:
    """Another order or other cards, sealed and committed to as a room would do it."""

    def forged(boxes: Sealer, data: dict[str, Any]) -> None:
        data["deck"] = boxes.deck(0, data["deck"], change(boxes.order(0, data["deck"])))

    return forged


def first_and_last_swapped(order: list[int]) -> list[int]:
    return [order[-1], *order[1:-1], order[0]]


def another_order_under_the_same_root(boxes: Sealer, data: dict[str, Any]) -> None:
    committed = data["deck"]["root"]
    reordered(first_and_last_swapped)(boxes, data)
    data["deck"]["root"] = committed


def a_box_of_a_reshuffle(boxes: Sealer, data: dict[str, Any]) -> None:
    data["deck"] = boxes.deck(0, data["deck"], boxes.order(0, data["deck"]), sealed_at=52)


BOXES: list[tuple[str, SealedChange, str]] = [
    ("another card", down(another_card), r"the box of card \d+ for seat \d+ holds another card than the deck has"),
    ("changed", down(changed), r"the box doesn't open as card \d+ of seat \d+ in hand"),
    ("two of a seat swapped", down(two_swapped), r"the box doesn't open as card \d+ of seat \d+ in hand"),
    ("no box", down(no_box), r"'AAAA' is no box"),
]

DECKS: list[tuple[str, SealedChange, str]] = [
    ("another root", another_root, r"the deck of hand \S+ from card 0 on isn't the one that its root was made of"),
    ("another size", another_size, r"the deck of hand \S+ from card 0 on isn't the one that its root was made of"),
    ("another order", another_order_under_the_same_root, r"isn't the one that its root was made of"),
    ("a box of a reshuffle", a_box_of_a_reshuffle, r"the box doesn't open as the deck in hand"),
]


@pytest.mark.parametrize(("what", "change", "sentence"), BOXES, ids=[one[0] for one in BOXES])
def test_a_box_that_is_not_the_card_of_the_deck_is_named_once(
    home: Path, what: str, change: SealedChange, sentence: str
) -> None:
    assert_named_once(home, forge_sealed(home, "hand.cards-dealt", change), sentence)


def test_the_boxes_of_two_seats_swapped_are_named_once(home: Path) -> None:
    def swapped(body: dict[str, Any]) -> int | None:
        dealt = [one for one in body["events"] if one["type"] == "hand.cards-dealt" and not one["data"]["up"]]
        if len(dealt) < 2:
            return None
        one, other = dealt[0]["data"]["cards"], dealt[1]["data"]["cards"]
        one[0], other[0] = other[0], one[0]
        return int(body["events"].index(dealt[0]))

    assert_named_once(home, forge(home, swapped), r"the box doesn't open as card \d+ of seat \d+ in hand")


@pytest.mark.parametrize(("what", "change", "sentence"), DECKS, ids=[one[0] for one in DECKS])
def test_a_deck_that_is_not_what_was_committed_to_is_named_once(
    home: Path, what: str, change: SealedChange, sentence: str
) -> None:
    assert_named_once(home, forge_sealed(home, "hand.opened", change), sentence)


def assert_named_once(home: Path, place: Place, sentence: str) -> None:
    """By its commit and the sentence, in the whole log and in the hand alone."""
    with open_log(home) as log:
        assert verify_log(log).findings == [], "the forger sealed it well"
        (found,) = divergences(log)
        alone = readjudicate_hand(log, hand_at(log, place), opener(log))
    assert (found.shard, found.height) == (place.shard, place.height)
    assert re.search(sentence, found.refused), found.refused
    assert alone == found


def test_a_deck_that_was_laid_and_not_shuffled_is_named(home: Path) -> None:
    place = forge_sealed(home, "hand.opened", reordered(first_and_last_swapped))
    with open_log(home) as log:
        first = divergences(log)[0]
    assert (first.shard, first.height) == (place.shard, place.height)
    assert "was not shuffled from its seed, but laid" in first.refused


def test_a_laid_deck_whose_cards_agree_is_named_all_the_same(tmp_path: Path) -> None:
    """Deck, root, boxes and facts fit each other; only the seed tells that somebody chose the order."""
    ports = new_home(tmp_path)
    desk = Desk(ports)
    with open_log(tmp_path, write=True) as log:
        room = room_over(log, ports, lambda seed, hand, cards, first: tuple(reversed(cards)))
        for outcome in room.execute([desk(args) for args in a_table_of_two()]):
            assert isinstance(outcome, Answer)
        assert [found for _, found in readjudicate_all(log, opener(log, None)) if found is not None] == []
        first = divergences(log)[0]
    assert "the deck of hand t1-1 from card 0 on was not shuffled from its seed, but laid" in first.refused


def test_a_deck_of_other_cards_than_the_game_has_is_named(home: Path) -> None:
    place = forge_sealed(home, "hand.opened", reordered(lambda order: order[:-1]))
    with open_log(home) as log:
        first = divergences(log)[0]
    assert (first.shard, first.height) == (place.shard, place.height)


@pytest.mark.parametrize("change", [another_card, changed])
def test_who_has_no_keys_is_told_of_no_box(home: Path, change: SealedChange) -> None:
    """He can't tell what is in them; that they are boxes at all, he can."""
    forge_sealed(home, "hand.cards-dealt", down(change))
    with open_log(home) as log:
        assert [found for _, found in readjudicate_all(log, NoKeys()) if isinstance(found, Divergence)] == []


def a_card_in_clear(boxes: Sealer, data: dict[str, Any]) -> None:
    data["cards"][0] = boxes.face(data["seat"], data["indices"][0], data["cards"][0])


def a_deck_in_clear(boxes: Sealer, data: dict[str, Any]) -> None:
    data["deck"] = boxes.order(0, data["deck"])


@pytest.mark.parametrize(
    ("type_", "change"), [("hand.cards-dealt", down(a_card_in_clear)), ("hand.opened", a_deck_in_clear)]
)
def test_what_lies_open_and_should_be_sealed_is_found_without_keys(
    home: Path, type_: str, change: SealedChange
) -> None:
    place = forge_sealed(home, type_, change)
    with open_log(home) as log:
        (found,) = verify_home(log).findings
    assert (found.shard, found.height) == (place.shard, place.height)
    assert "it must be sealed" in found.what


def divergences(log: Log) -> list[Divergence]:
    return [found for _, found in readjudicate_all(log, opener(log)) if isinstance(found, Divergence)]


def hand_at(log: Log, place: Place) -> str:
    """The hand that a commit is of."""
    events = canonical.decode(log.record(place.shard, place.height).body)["events"]
    return str(events[place.index]["stream"].removeprefix("hand:"))
