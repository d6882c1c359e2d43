"""Whether a new schema of the feed breaks a consumer of the old one.

A consumer reads events. He keeps working if whatever comes now could have come before, and all that he could rely on is
still there. So these break him:

- a type of event that is gone: what it told isn't told any more
- a field that is gone, or that may be absent where it was always there: he looks it up
- another type, or one more (null among them): he computes with the old one
- one value more in an enumeration: none of his cases is for it
- a wider bound, length or pattern: he has made room, a column or a check for the old one

and these don't: a new type of event or a new field (he passes over what he doesn't know), a field that is always there
now, fewer types or values, a narrower bound, other words. Whatever nobody has judged here breaks him until it is.
"""

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]

WORDS = {"$schema", "title", "description", "examples", "$comment"}
"""What says nothing about an event."""

_LOWER, _UPPER = ("minimum", "minLength", "minItems"), ("maximum", "maxLength", "maxItems")
_JUDGED = {*_LOWER, *_UPPER, "type", "enum", "const", "properties", "required", "items", "anyOf"}


def breaks(old: Mapping[str, Schema], new: Mapping[str, Schema]) -> list[str]:
    """What breaks a consumer of the old schemas, by name; a sentence each, none where he needn't care."""
    gone = [f"{name}: this type of event is gone" for name in old if name not in new]
    return gone + [fault for name in old if name in new for fault in faults(old[name], new[name], name)]


def faults(old: Schema, new: Schema, where: str) -> list[str]:
    """The same for one schema; `where` names it in the sentences."""
    return [f"{at}: {what}" for at, what in _faults(old, new, where)]


def _faults(old: Schema, new: Schema, where: str) -> Iterator[tuple[str, str]]:
    if "anyOf" in old or "anyOf" in new:
        yield from _of_choices(old, new, where)
        return
    yield from _of_values(old, new, where)
    yield from _of_bounds(old, new, where)
    yield from _of_fields(old, new, where)
    if "items" in old:
        yield from _faults(old["items"], new.get("items", {}), f"{where}[]")
    for keyword in sorted((old.keys() | new.keys()) - _JUDGED - WORDS):
        if keyword in old and old[keyword] != new.get(keyword):
            yield where, f"{keyword} was {old[keyword]!r} and is {new.get(keyword, 'gone')!r}"


def _of_choices(old: Schema, new: Schema, where: str) -> Iterator[tuple[str, str]]:
    """Each alternative that may come now must be one that could come before."""
    before = old.get("anyOf", [old])
    for one in new.get("anyOf", [new]):
        faults_by_type = [(known.get("type"), list(_faults(known, one, where))) for known in before]
        if all(found for _, found in faults_by_type):
            alike = [found for type_, found in faults_by_type if type_ == one.get("type")]
            unknown = (where, f"{_short(one)} may come, where it was {' or '.join(map(_short, before))}")
            yield from alike[0] if len(alike) == 1 else [unknown]


def _of_values(old: Schema, new: Schema, where: str) -> Iterator[tuple[str, str]]:
    before, now = _listed(old.get("type")), _listed(new.get("type"))
    if before and not (now and now <= before):
        yield where, f"its type was {' or '.join(sorted(before))} and is {' or '.join(sorted(now)) or 'any'}"
    known, given = _values(old), _values(new)
    if known is not None and given is None:
        yield where, f"it was one of {known}, and is anything"
    elif known is not None and given is not None:
        for value in given:
            if value not in known:
                yield where, f"{value!r} may come, where it was one of {known}"


def _of_bounds(old: Schema, new: Schema, where: str) -> Iterator[tuple[str, str]]:
    for keywords, sign in ((_LOWER, 1), (_UPPER, -1)):
        for keyword in keywords:
            if keyword in old and (keyword not in new or sign * new[keyword] < sign * old[keyword]):
                yield where, f"its {keyword} was {old[keyword]} and is {new.get(keyword, 'none')}"


def _of_fields(old: Schema, new: Schema, where: str) -> Iterator[tuple[str, str]]:
    now = new.get("properties", {})
    for field, known in old.get("properties", {}).items():
        if field not in now:
            yield f"{where}.{field}", "this field is gone"
            continue
        if field in old.get("required", ()) and field not in new.get("required", ()):
            yield f"{where}.{field}", "it was always there, and may be absent"
        yield from _faults(known, now[field], f"{where}.{field}")


def _listed(types: Any) -> set[str]:
    return {types} if isinstance(types, str) else set(types or ())


def _values(schema: Schema) -> list[Any] | None:
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _short(schema: Schema) -> str:
    kinds = sorted(_listed(schema.get("type")))
    return "/".join(kinds) if kinds else "anything"
