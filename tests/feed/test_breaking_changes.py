"""The published schemas stand guard: what somebody does to an event's class, or to who sees it, breaks a consumer and
is found."""

from collections.abc import Callable
from dataclasses import make_dataclass
from enum import StrEnum
from typing import Any

import pytest

from domain import catalog
from domain.hand import events as fact
from domain.messages import Count, Text
from domain.visibility import VISIBLE, Sight
from services.feed.compatible import breaks
from tests.feed.freeze import published, today


def with_fields(monkeypatch: pytest.MonkeyPatch, name: str, **fields: Any) -> None:
    """Give an event's class other fields, all of them everybody's; None takes one away."""
    entry = catalog.event.by_name[name]
    kept = {**entry.cls.__annotations__, **fields}
    shape = [(field, annotation) for field, annotation in kept.items() if annotation is not None]
    changed = make_dataclass(entry.cls.__name__, shape)
    monkeypatch.setattr(entry, "cls", changed)
    monkeypatch.setitem(VISIBLE, changed, {field: Sight.PUBLIC for field, _ in shape})


def a_field_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    with_fields(monkeypatch, "hand.bet-made", to=None)


def a_field_is_renamed(monkeypatch: pytest.MonkeyPatch) -> None:
    with_fields(monkeypatch, "hand.bet-made", to=None, up_to=Count)


def a_field_gets_another_type(monkeypatch: pytest.MonkeyPatch) -> None:
    with_fields(monkeypatch, "hand.bet-made", amount=Text)


def a_field_may_be_null(monkeypatch: pytest.MonkeyPatch) -> None:
    with_fields(monkeypatch, "hand.bet-made", amount=Count | None)


def a_field_becomes_the_player_s_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VISIBLE[fact.BetMade], "amount", Sight.SEAT)


def a_field_becomes_hidden_while_its_cards_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VISIBLE[fact.SealedDeck], "root", Sight.NEVER)


def an_event_becomes_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VISIBLE, fact.Folded, {"seat": Sight.STAFF})


def an_event_is_renamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog.event.by_name["hand.folded"], "name", "hand.thrown-away")


def a_player_mucks_for_a_new_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    class Because(StrEnum):
        BEATEN = "beaten by a hand that was shown"
        GIVEN_UP = "given up unseen"
        LAST_LEFT = "nobody is left to beat"
        TORN = "a card is torn"

    with_fields(monkeypatch, "hand.hand-mucked", because=Because)


BREAKING: list[tuple[Callable[[pytest.MonkeyPatch], None], str]] = [
    (a_field_is_dropped, "hand.bet-made.v1.to: this field is gone"),
    (a_field_is_renamed, "hand.bet-made.v1.to: this field is gone"),
    (a_field_gets_another_type, "hand.bet-made.v1.amount: its type was integer and is string"),
    (a_field_may_be_null, "hand.bet-made.v1.amount: null may come, where it was integer"),
    (a_field_becomes_the_player_s_alone, "hand.bet-made.v1.amount: this field is gone"),
    (a_field_becomes_hidden_while_its_cards_are, "hand.opened.v1.deck.root: this field is gone"),
    (an_event_becomes_hidden, "hand.folded.v1: this type of event is gone"),
    (an_event_is_renamed, "hand.folded.v1: this type of event is gone"),
    (a_player_mucks_for_a_new_reason, "hand.hand-mucked.v1.because: 'a card is torn' may come, where it was one of"),
]


@pytest.mark.parametrize(("plant", "why"), BREAKING, ids=lambda one: getattr(one, "__name__", one))
def test_a_change_that_breaks_a_consumer_is_found(monkeypatch, plant: Callable[..., None], why: str) -> None:
    plant(monkeypatch)
    assert any(fault.startswith(why) for fault in breaks(published(), today()))


def test_a_new_revision_with_a_field_more_breaks_nobody(monkeypatch) -> None:
    """It comes under the same type: the feed has versions of its own."""
    monkeypatch.setattr(catalog.event.by_name["hand.bet-made"], "rev", 2)
    with_fields(monkeypatch, "hand.bet-made", street=Count)
    assert breaks(published(), today()) == []
    assert published() != today()
