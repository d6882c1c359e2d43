"""Double entry for every event of the catalog, whatever it says: made from the types of its fields."""

import enum
import pkgutil
from collections import Counter
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic.fields import FieldInfo

import domain
from domain.catalog import event as catalog
from domain.hand.events import HandCancelled
from domain.messages import MOST_SEATS
from projections.kinds import kind_of
from projections.postings import MOVES_NOTHING, PLACES, Place, player_account, postings
from projections.view import Rows

for module in pkgutil.walk_packages(domain.__path__, "domain."):
    import_module(module.name)

EVENTS = sorted(
    (cls for cls in catalog.by_class if cls.__module__.startswith("domain.")),
    key=lambda cls: catalog.by_class[cls].name,
)
STREAMS = {
    "table": "table:t1", "hand": "hand:t1-7", "account": "account:ann:eur", "player": "player:ann",
    "transfer": "account:ann:eur", "notice": "player:ann", "audit": "audit:t1-7",
}  # fmt: skip


def made(annotation: Any) -> st.SearchStrategy[Any]:
    """Values of a field of an event, within what its type allows."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _bounded(
            parts[0], [bound for each in parts[1:] if isinstance(each, FieldInfo) for bound in each.metadata]
        )
    if origin in {Union, UnionType}:
        return st.one_of(*map(made, parts))
    if origin is Literal:
        return st.sampled_from(parts)
    if origin is tuple:
        return st.lists(made(parts[0]), max_size=4).map(tuple) if parts[-1] is ... else st.tuples(*map(made, parts))
    if isinstance(annotation, type) and is_dataclass(annotation):
        hints = get_type_hints(annotation, include_extras=True)
        return st.builds(annotation, **{each.name: made(hints[each.name]) for each in fields(annotation)})
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return st.sampled_from(list(annotation))
    return {NoneType: st.none(), bool: st.booleans(), int: st.integers(0, 99), str: st.text("abc:>-", max_size=9)}[
        annotation
    ]


def _bounded(base: Any, bounds: list[Any]) -> st.SearchStrategy[Any]:
    said = {name: getattr(each, name) for each in bounds for name in ("ge", "le", "pattern") if hasattr(each, name)}
    if base is int:
        return st.integers(said.get("ge", -99), said.get("le", 2**53 - 1))
    if said.get("pattern"):
        return st.from_regex(said["pattern"].replace("$", r"\Z"), alphabet=st.characters(codec="ascii"))
    return made(base)


def books() -> Rows[Place]:
    """A table, and a hand in which every seat is dealt in."""
    places: Rows[Place] = Rows(PLACES)
    for stream in ("table:t1", "hand:t1-7"):
        places.put(Place(stream, 0, stream, "EUR"))
    for seat in range(1, MOST_SEATS + 1):
        places.put(Place("hand:t1-7", seat, player_account("t1", f"p{seat}"), "EUR"))
    return places


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: catalog.by_class[kind].name)
@settings(max_examples=8)
@given(data=st.data())
def test_the_postings_of_any_event_sum_to_zero_in_each_currency(kind: type[Any], data: st.DataObject) -> None:
    event = data.draw(made(kind))
    if isinstance(event, HandCancelled):
        both = min(len(event.seats), len(event.amounts))
        event = replace(event, seats=event.seats[:both], amounts=event.amounts[:both])
    name = catalog.by_class[kind].name
    sums, found = Counter[str](), postings(books(), STREAMS.get(name.partition(".")[0], name), event)
    for posting in found:
        sums[posting.currency] += posting.amount
        assert kind_of(posting.account)
    assert not any(sums.values()), event
    assert not found or kind not in MOVES_NOTHING
