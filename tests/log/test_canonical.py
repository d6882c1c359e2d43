"""Canonical JSON: RFC 8785 narrowed (design, Format: bytes)."""

import json
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.eventlog.canonical import LARGEST, NotCanonical, decode, encode, is_canonical

ASCII = st.text(st.characters(max_codepoint=127), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(SCALARS, lambda part: st.lists(part, max_size=4) | st.dictionaries(ASCII, part, max_size=4))


@given(VALUES)
def test_the_bytes_are_those_of_sorted_compact_json_in_utf_8(value: Any) -> None:
    plain = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert encode(value) == plain.encode()
    assert decode(encode(value)) == value
    assert is_canonical(encode(value))


def test_equal_values_have_equal_bytes_whatever_order_they_were_built_in() -> None:
    assert (
        encode({"b": 1, "a": {"d": 2, "c": 3}})
        == encode({"a": {"c": 3, "d": 2}, "b": 1})
        == b'{"a":{"c":3,"d":2},"b":1}'
    )


def test_control_characters_are_escaped_as_rfc_8785_says_and_nothing_else_is() -> None:
    assert (
        encode('\x00\x1f\b\t\n\f\r"\\/\x7f é\u2028😀')
        == '"\\u0000\\u001f\\b\\t\\n\\f\\r\\"\\\\/\x7f é\u2028😀"'.encode()
    )


class Fraction(Enum):
    HALF = 0.5


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (1.0, r"value: 1.0 is a float"),
        ({"to": [1, 2.5]}, r"value.to\[1\]: 2.5 is a float"),
        ({"x": float("nan")}, "value.x: nan is a float"),
        ([float("inf")], "inf is a float"),
        ([1e16], "is a float"),
        ([5e-324], "is a float"),
        ([Fraction.HALF], "Fraction is no JSON value"),
        ({"a": {"é": 1}}, "value.a: the key 'é' isn't ASCII"),
        ({"é": 1.5}, "the key 'é' isn't ASCII"),
        ({1: 2}, "the key 1 isn't ASCII text"),
        ({"n": LARGEST + 1}, r"value.n: 9007199254740992 is beyond"),
        ([-LARGEST - 1], "-9007199254740992 is beyond"),
        ([2**70], "is beyond"),
        ({"s": "\ud800"}, "value.s: .* holds a lone surrogate"),
        ({"\udc00": 1}, "isn't ASCII"),
        ([b"bytes"], "bytes is no JSON value"),
        ({"d": {1, 2}}, "value.d: set is no JSON value"),
    ],
)
def test_what_has_no_canonical_form_is_refused_and_named(value: Any, sentence: str) -> None:
    with pytest.raises(NotCanonical, match=sentence):
        encode(value)


@given(
    st.floats(), st.sampled_from([lambda f: f, lambda f: [f], lambda f: {"a": f}, lambda f: {"a": [1, {"b": (f,)}]}])
)
def test_no_float_passes_the_door(number: float, place: Any) -> None:
    with pytest.raises(NotCanonical):
        encode(place(number))


def test_text_that_looks_like_a_float_is_text() -> None:
    assert encode({"odds": "[1.5,2e9,null"}) == b'{"odds":"[1.5,2e9,null"}'


def test_the_largest_integers_pass() -> None:
    assert encode([LARGEST, -LARGEST]) == b"[9007199254740991,-9007199254740991]"


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": 1}',
        b'{"b":1,"a":2}',
        b'{"a":1,"a":1}',
        b'{"a":1.0}',
        b'{"a":1e2}',
        b'{"a":-0}',
        b'{"a":9007199254740992}',
        b'{"a":123456789012345678901234567890}',
        b'{"a":"\\u0041"}',
        b'{"a":"\\/"}',
        b'{"a":"\\u001F"}',
        b'{"a":"\\ud800"}',
        b'{"a":"\xff"}',
        '{"é":1}'.encode(),
        b'{"a":1}\n',
        b'{"a":01}',
        b'\xef\xbb\xbf{"a":1}',
        b"NaN",
        b"",
    ],
)
def test_any_other_spelling_is_not_canonical(data: bytes) -> None:
    assert not is_canonical(data)


def test_bytes_that_are_no_json_are_refused_with_a_sentence() -> None:
    with pytest.raises(NotCanonical, match="no JSON"):
        decode(b'{"a":')
