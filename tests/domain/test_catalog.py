"""Messages by their wire names: dumped to JSON's own types, loaded with validation, upcast."""

from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest

from domain import catalog, upcasts
from domain.catalog import Catalog, InvalidMessage, UnknownMessage
from domain.hand import commands as ask
from tests.hands import open_hand_for, played

FACTS = [
    open_hand_for(stacks=[100, 60, 30], kind="real", stakes=(50, 100)),
    *played(open_hand_for(stacks=[100, 60, 30], stakes=(1, 2)), "3 raises to 30", "1 folds", "2 calls").facts,
]


def types_in(value: Any) -> Iterator[type]:
    yield type(value)
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from types_in(part)


@pytest.mark.parametrize("event", FACTS, ids=lambda event: type(event).__name__)
def test_an_event_is_dumped_to_the_types_of_json_and_loads_to_the_same(event: Any) -> None:
    name, rev, data = catalog.event.dump(event)
    assert set(types_in(data)) <= {str, int, bool, type(None), list, dict}
    assert catalog.event.load(name, rev, data) == event


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"hand": "t1-1", "decision": 9, "seat": 3, "to": 2.5}, "to: .* not 2.5"),
        ({"hand": "t1-1", "decision": 9, "seat": 3, "to": "16"}, "to: .* not '16'"),
        ({"hand": "t1-1", "decision": 9, "seat": 3, "to": True}, "to: .* not True"),
        ({"hand": "t1-1", "decision": 9, "seat": 3, "to": -1}, "to: .*greater than or equal to 0, not -1"),
        ({"hand": "t1-1", "decision": 9, "seat": 3, "to": 2**53}, "to: .*less than or equal to"),
        ({"hand": "t1-1", "decision": 9, "seat": 11, "to": 16}, "seat: .*less than or equal to 10, not 11"),
        ({"hand": "T1", "decision": 9, "seat": 3, "to": 16}, "hand: .* not 'T1'"),
        ({"hand": "t1-1", "decision": 9, "seat": 3}, "to: field required"),
        ({"hand": "t1-1", "decision": 9, "seat": 3, "to": 16, "tip": 1}, "tip: "),
    ],
)
def test_a_command_that_does_not_fit_is_refused_with_the_field_and_what_stood_there(data: Any, fault: str) -> None:
    with pytest.raises(InvalidMessage, match=rf"command 'hand\.raise': .*{fault}"):
        catalog.command.load("hand.raise", 1, data)


def test_an_unknown_command_is_told_which_there_are() -> None:
    with pytest.raises(UnknownMessage, match=r"unknown command 'hand\.cheat': this build reads .*hand\.ask-to-show, "):
        catalog.command.load("hand.cheat", 1, {})


def test_an_event_of_a_future_revision_is_never_guessed() -> None:
    with pytest.raises(UnknownMessage, match=r"revision 2 of event 'hand\.folded': this build reads revisions 1 to 1"):
        catalog.event.load("hand.folded", 2, {"seat": 1})


def test_two_messages_never_share_a_name() -> None:
    with pytest.raises(ValueError, match=r"two commands are named 'hand\.fold'"):
        catalog.command("hand.fold")(ask.Check)


def test_an_old_revision_is_upcast_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    books = Catalog("event")

    @books("lamp.lit", rev=3)
    @dataclass(slots=True)
    class Lit:
        watts: int
        colour: str

    monkeypatch.setitem(upcasts.UPCASTS, ("lamp.lit", 1), lambda data: {"watts": data["power"]})
    monkeypatch.setitem(upcasts.UPCASTS, ("lamp.lit", 2), lambda data: {**data, "colour": "white"})
    assert books.load("lamp.lit", 1, {"power": 60}) == Lit(60, "white")
    assert books.load("lamp.lit", 2, {"watts": 40}) == Lit(40, "white")
    assert books.load("lamp.lit", 3, {"watts": 40, "colour": "red"}) == Lit(40, "red")


def test_an_event_belongs_to_the_revision_of_the_log_that_it_came_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "READS", 3)
    books = Catalog("event")

    @books("lamp.lit", rev=3, since={2: 2, 3: 3})
    @dataclass(slots=True)
    class Lit:
        watts: int

    @books("lamp.broken", since={1: 2})
    @dataclass(slots=True)
    class Broken:
        pass

    assert [books.log_revision("lamp.lit", rev) for rev in (1, 2, 3)] == [1, 2, 3]
    assert books.log_revision("lamp.broken", 1) == 2
    with pytest.raises(UnknownMessage, match="revision 4 of event 'lamp.lit'"):
        books.log_revision("lamp.lit", 4)
    with pytest.raises(UnknownMessage, match="unknown event 'lamp.lost'"):
        books.log_revision("lamp.lost", 1)


def test_every_event_of_today_may_stand_in_a_log_that_was_never_raised() -> None:
    assert {catalog.revision_of(name, rev) for name in catalog.event.by_name for rev in [1]} == {1}


def test_nothing_is_of_a_revision_that_this_build_does_not_say_to_read() -> None:
    with pytest.raises(ValueError, match="'lamp.lit' is of revision 2 of the log, but READS says .* up to 1"):
        catalog.event("lamp.lit", since={1: 2})


def field_types(annotation: Any) -> Iterator[Any]:
    """The types of a field, through tuples, unions, annotations and nested messages."""
    parts = get_args(annotation)
    if get_origin(annotation) is Annotated:
        yield from field_types(parts[0])
    elif parts:
        for part in parts:
            yield from field_types(part)
    elif is_dataclass(annotation):
        for one in get_type_hints(annotation, include_extras=True).values():
            yield from field_types(one)
    elif annotation is not Ellipsis:
        yield annotation


@pytest.mark.parametrize("entry", catalog.event.by_class.values(), ids=lambda entry: entry.name)
def test_no_event_has_a_field_that_canonical_json_has_no_room_for(entry: Any) -> None:
    for annotation in get_type_hints(entry.cls, include_extras=True).values():
        for kind in field_types(annotation):
            assert issubclass(kind, str | int | bool | NoneType), (entry.name, kind)
