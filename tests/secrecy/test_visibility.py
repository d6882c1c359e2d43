"""The table of who sees what: complete, and as strict as the words of its fields."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from domain import catalog
from domain.cards import Card, cards
from domain.hand import events as fact
from domain.hand.events import Box, SealedDeck
from domain.messages import SealedText
from domain.rulings.opening import CardsOpened, Form
from domain.visibility import SPECTATOR, STAFF, VISIBLE, Seen, Sight, Viewer, seen_by
from services import bootstrap  # noqa: F401 -- all of the house's messages are in the catalog

EVENTS = sorted(catalog.event.by_name)

CARDS_THAT_LIE_OPEN = {(fact.BoardDealt, "cards"), (fact.HandShown, "cards")}

BOX = SealedDeck(52, "0" * 64, "b0x")


def event_class(name: str) -> type[Any]:
    return catalog.event.by_name[name].cls


def inside(annotation: Any) -> Iterator[Any]:
    """What an annotation names, at any depth, fields of nested messages included."""
    yield annotation
    for part in getattr(annotation, "__args__", ()):
        yield from inside(part)
    if is_dataclass(annotation) and isinstance(annotation, type):
        for part in annotation.__annotations__.values():
            yield from inside(part)


@pytest.mark.parametrize("name", EVENTS)
def test_every_field_of_every_event_is_declared(name: str) -> None:
    declared = VISIBLE.get(event_class(name), {})
    assert declared.keys() == {field.name for field in fields(event_class(name))}, f"declare {name} in visibility.py"


def test_every_part_of_a_sealed_deck_is_declared_and_nothing_else_that_is_no_event() -> None:
    assert VISIBLE[SealedDeck].keys() == {field.name for field in fields(SealedDeck)}
    assert VISIBLE.keys() - {SealedDeck} == set(catalog.event.by_class)


@pytest.mark.parametrize("name", EVENTS)
def test_what_is_sealed_is_never_seen_and_a_card_only_where_it_lies_open(name: str) -> None:
    cls = event_class(name)
    for field, annotation in cls.__annotations__.items():
        names, sight = list(inside(annotation)), VISIBLE[cls][field]
        if any(one is SealedText for one in names):
            assert sight is Sight.NEVER
        elif any(one is Box for one in names):
            assert sight in (Sight.DOWN, Sight.DECK, Sight.NEVER)
        elif any(one is Card for one in names):
            assert (cls, field) in CARDS_THAT_LIE_OPEN or sight is not Sight.PUBLIC


def test_the_twelfth_game_s_event_can_t_be_forgotten() -> None:
    """The three tests above read the catalog: they see an event that was added to it and nowhere else."""
    assert {"hand.cards-dealt", "table.opened", "audit.cards-opened", "shard.opened"} <= set(EVENTS)


# --- what is seen ----------------------------------------------------------------------------------------------------


def dealt(*, up: bool) -> fact.CardsDealt:
    return fact.CardsDealt(3, (0, 6), cards("AhKd"), up)


def data_of(seen: Seen | None) -> dict[str, Any]:
    assert seen is not None
    return seen.data


@pytest.mark.parametrize(
    ("viewer", "settled", "sees"),
    [
        (Viewer(3), False, True),
        (Viewer(3), True, True),
        (Viewer(2), False, False),
        (Viewer(2), True, False),
        (SPECTATOR, True, False),
        (STAFF, False, False),
        (STAFF, True, True),
    ],
)
def test_a_card_dealt_down_is_its_player_s_and_staff_s_once_the_hand_is_settled(
    viewer: Viewer, settled: bool, sees: bool
) -> None:
    seen = data_of(seen_by(viewer, dealt(up=False), settled))
    assert seen.get("cards", "absent") == (list(cards("AhKd")) if sees else "absent")
    assert (seen["seat"], seen["indices"], seen["up"]) == (3, [0, 6], False)


def test_a_card_dealt_up_is_everybody_s() -> None:
    assert data_of(seen_by(SPECTATOR, dealt(up=True), settled=False))["cards"] == list(cards("AhKd"))


@pytest.mark.parametrize("viewer", [Viewer(3), STAFF])
def test_a_box_is_nobody_s(viewer: Viewer) -> None:
    sealed = fact.CardsDealt(3, (0, 6), ("b0x", "b0x"), up=False)
    assert "cards" not in data_of(seen_by(viewer, sealed, settled=True))


@pytest.mark.parametrize("viewer", [SPECTATOR, Viewer(1), STAFF])
def test_of_a_deck_its_size_and_root_are_seen(viewer: Viewer) -> None:
    reshuffled = fact.DeckReshuffled((0, 1), (52, 53), BOX)
    assert data_of(seen_by(viewer, reshuffled, settled=True))["cards"] == {"size": 52, "root": "0" * 64}


def test_of_a_deck_that_lies_open_nothing_is_seen() -> None:
    reshuffled = fact.DeckReshuffled((0, 1), (52, 53), cards("AhKd"))
    assert "cards" not in data_of(seen_by(STAFF, reshuffled, settled=True))


def test_a_wish_is_absent_for_all_but_its_player_and_staff_once_the_hand_is_settled() -> None:
    wish = fact.ShowdownWished(3, fact.Wish.GIVE_UP)
    assert seen_by(Viewer(2), wish, settled=True) is None
    assert seen_by(SPECTATOR, wish, settled=True) is None
    assert seen_by(STAFF, wish, settled=False) is None
    for viewer, settled in ((Viewer(3), False), (STAFF, True)):
        assert seen_by(viewer, wish, settled) == Seen("hand.showdown-wished", 1, {"seat": 3, "wish": "give up"})


def test_who_had_cards_opened_is_staff_s_and_why_is_sealed() -> None:
    opened = CardsOpened(Form.FACES, (3,), False, True, 40, "auditor:ann", "", "c2VhbGVk")
    assert seen_by(Viewer(3), opened, settled=True) is None
    assert data_of(seen_by(STAFF, opened, settled=True)).keys() == VISIBLE[CardsOpened].keys() - {"reason"}
