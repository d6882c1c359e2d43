"""A room's keys and what comes from them; the exported keys of one hand."""

import json

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st

from services.sealing import keyfile
from services.sealing.boxes import BadBox, OpenedDeck, open_card, open_deck, seal_card, seal_deck
from services.sealing.keyfile import BadKeys, HandKeys, NoKey, RoomKeys, export, key_id

SECRET, NEXT = bytes(range(32)), bytes(range(32, 64))
OLD = RoomKeys("riverside", [SECRET])
KEYS = RoomKeys("riverside", [SECRET, NEXT])
SALT, NONCE = bytes(16), bytes(12)


def hkdf(secret: bytes, info: str, size: int) -> bytes:
    return HKDF(SHA256(), size, salt=None, info=info.encode("ascii")).derive(secret)


def test_known_keys() -> None:
    assert key_id(SECRET).hex() == "d18095ef89124a7a"
    deck, seat = (OLD.key(OLD.current, "t1-5", purpose).hex() for purpose in ("deck", "seat 3"))
    assert deck == "f33a336bf6aee4ecbe47208fbd451ab223a78108b588164969dc26019bf3dfbb"
    assert seat == "f683e174e1ada3e41dc75f760f2aa0a6dde47eab28543db3fbf50097ef86e863"


def test_hkdf_is_that_of_rfc_5869() -> None:
    """Appendix A.3: neither salt nor info; the first 32 of its 42 bytes."""
    extracted = keyfile._extract(b"\x0b" * 22)
    assert extracted.hex() == "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04"
    known = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
    assert keyfile._expand(extracted, b"", 32).hex() == known


@given(
    st.binary(min_size=32, max_size=32),
    st.from_regex(r"[a-z0-9-]{1,40}", fullmatch=True),
    st.from_regex(r"[a-z0-9]{1,32}-[0-9]{1,12}", fullmatch=True),
    st.sampled_from(["deck", *(f"seat {seat}" for seat in range(1, 11))]),
)
def test_keys_are_hkdf_of_room_hand_and_purpose(secret, room, hand, purpose) -> None:
    keys = RoomKeys(room, [secret])
    assert keys.current == key_id(secret) == hkdf(secret, "handlog/1 key id", 8)
    assert keys.key(keys.current, hand, purpose) == hkdf(secret, f"handlog/1\n{room}\n{hand}\n{purpose}", 32)


def test_every_room_hand_purpose_and_room_key_has_a_key_of_its_own() -> None:
    keys = {
        room.key(id_, hand, purpose)
        for room in (KEYS, RoomKeys("lakeside", [SECRET, NEXT]))
        for id_ in room.ids()
        for hand in ("t1-5", "t1-51", "t15-1")
        for purpose in ("deck", "seat 1", "seat 10")
    }
    assert len(keys) == 2 * 2 * 3 * 3


def test_the_last_key_seals_and_all_open() -> None:
    box = seal_card(OLD, "t1-5", 3, 17, 5, SALT, NONCE)
    assert KEYS.ids() == (key_id(SECRET), key_id(NEXT))
    assert KEYS.current == key_id(NEXT)
    assert seal_card(KEYS, "t1-5", 3, 17, 5, SALT, NONCE) != box
    assert open_card(KEYS, "t1-5", 3, 17, box).card == 5


@pytest.mark.parametrize("hand", ["", "t1", "t1-", "T1-5", "t1-5\n", "t1\n-5", "t1-5\nseat 3", "t1-٥", "t-1-5"])
def test_a_hand_is_named_by_table_and_number(hand) -> None:
    with pytest.raises(BadKeys, match="names no hand: write its table and number, such as t1-17"):
        KEYS.key(KEYS.current, hand, "deck")


@pytest.mark.parametrize("purpose", ["", "seat", "seat 0", "seat 03", "seat x", "deck\n", "Deck", "seat 3\n", "seat ٣"])
def test_a_purpose_is_the_deck_or_a_seat(purpose) -> None:
    with pytest.raises(BadKeys, match="is no purpose of a key: there are deck, and seat 1 and so on"):
        KEYS.key(KEYS.current, "t1-5", purpose)


@pytest.mark.parametrize(
    ("room", "secrets", "sentence"),
    [
        ("riverside", [], "room riverside needs one key or several that differ: 0 were given"),
        ("riverside", [SECRET, NEXT, SECRET], "one key or several that differ: 3 were given"),
        ("riverside", [SECRET[:16]], "a key has 32 random bytes, this one has 16"),
        ("River\nside", [SECRET], "can't name a room"),
    ],
)
def test_a_room_has_different_keys_of_32_bytes(room, secrets, sentence) -> None:
    with pytest.raises(BadKeys, match=sentence):
        RoomKeys(room, secrets)


def test_keys_don_t_show_themselves() -> None:
    hand = export(KEYS, "t1-5", KEYS.ids(), ["deck"])
    shown = repr(KEYS) + str(KEYS) + repr(hand) + str(hand)
    for secret in (SECRET, NEXT, *(hand.key(id_, "t1-5", "deck") for id_ in KEYS.ids())):
        assert secret.hex() not in shown
        assert repr(secret) not in shown


# One hand's keys


CARD = seal_card(KEYS, "t1-5", 3, 17, 5, SALT, NONCE)
DECK = seal_deck(OLD, "t1-5", 0, OpenedDeck(SECRET, (1, 2, 3)), NONCE)


def test_exported_keys_open_that_hand() -> None:
    keys = export(KEYS, "t1-5", KEYS.ids(), ["deck", "seat 3"])
    assert open_card(keys, "t1-5", 3, 17, CARD) == (5, SALT)
    assert open_deck(keys, "t1-5", 0, DECK) == (SECRET, (1, 2, 3))


def test_exported_keys_open_no_other_hand_seat_or_room_key() -> None:
    keys = export(KEYS, "t1-5", KEYS.ids(), ["deck", "seat 3"])
    with pytest.raises(NoKey, match=r"the key of seat 3 of hand t1-6 under .* isn't among these of hand t1-5"):
        open_card(keys, "t1-6", 3, 17, seal_card(KEYS, "t1-6", 3, 17, 5, SALT, NONCE))
    with pytest.raises(NoKey, match="the key of seat 4 of hand t1-5"):
        open_card(keys, "t1-5", 4, 18, seal_card(KEYS, "t1-5", 4, 18, 6, SALT, NONCE))
    with pytest.raises(NoKey, match=f"the key of deck of hand t1-5 under room key {OLD.current.hex()}"):
        open_deck(export(KEYS, "t1-5", [KEYS.current], ["deck"]), "t1-5", 0, DECK)


def test_a_hand_s_keys_passed_off_as_another_s_open_nothing_there() -> None:
    value = export(KEYS, "t1-5", KEYS.ids(), ["seat 3"]).to_json() | {"hand": "t1-6"}
    with pytest.raises(BadBox):
        open_card(HandKeys.from_json(value), "t1-6", 3, 17, seal_card(KEYS, "t1-6", 3, 17, 5, SALT, NONCE))


def test_exported_keys_hold_no_room_key() -> None:
    text = json.dumps(export(KEYS, "t1-5", KEYS.ids(), ["deck", "seat 3"]).to_json())
    assert SECRET.hex() not in text
    assert NEXT.hex() not in text
    assert not any(extracted.hex() in text for extracted in KEYS._extracted.values())


def test_they_survive_json() -> None:
    keys = export(KEYS, "t1-5", KEYS.ids(), ["deck", "seat 3"])
    value = json.loads(json.dumps(keys.to_json()))
    assert value == {
        "format": "handlog-hand-keys-1",
        "room": "riverside",
        "hand": "t1-5",
        "keys": {
            id_.hex(): {purpose: KEYS.key(id_, "t1-5", purpose).hex() for purpose in ("deck", "seat 3")}
            for id_ in KEYS.ids()
        },
    }
    again = HandKeys.from_json(value)
    assert (again.room, again.hand, again.keys) == (keys.room, keys.hand, keys.keys)


def test_only_keys_that_are_there_are_exported() -> None:
    with pytest.raises(NoKey, match=f"room key {KEYS.current.hex()} isn't among those of riverside"):
        export(OLD, "t1-5", [KEYS.current], ["deck"])
    with pytest.raises(BadKeys, match="is no purpose"):
        export(OLD, "t1-5", OLD.ids(), ["all"])


GOOD = export(OLD, "t1-5", OLD.ids(), ["deck"]).to_json()
ID, KEY = OLD.current.hex(), OLD.key(OLD.current, "t1-5", "deck").hex()


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (None, "these are no keys of a hand"),
        ([], "these are no keys of a hand"),
        ({}, "an object of format handlog-hand-keys-1, room, hand and keys is needed"),
        (GOOD | {"format": "handlog-hand-keys-2"}, "an object of format handlog-hand-keys-1"),
        (GOOD | {"room": 5}, "these are no keys of a hand"),
        (GOOD | {"room": "River"}, "can't name a room"),
        (GOOD | {"hand": "t1"}, "names no hand"),
        (GOOD | {"keys": []}, "these are no keys of a hand"),
        (
            GOOD | {"keys": {"5c": {}}},
            "what should be the id of a room key isn't one: that has 16 lower-case hex digits",
        ),
        (GOOD | {"keys": {ID.upper(): {}}}, "what should be the id of a room key isn't one"),
        (GOOD | {"keys": {ID: [KEY]}}, "the keys of hand t1-5 aren't purposes with 64 hex digits each"),
        (GOOD | {"keys": {ID: {"deck": 5}}}, "64 hex digits each"),
        (GOOD | {"keys": {ID: {"deck": KEY[:-2]}}}, "64 hex digits each"),
        (GOOD | {"keys": {ID: {"deck": KEY[:-1] + "g"}}}, "64 hex digits each"),
        (
            GOOD | {"keys": {ID: {"table": KEY}}},
            "a purpose of the keys of hand t1-5 is neither deck nor seat and its number",
        ),
    ],
)
def test_other_values_are_no_keys_of_a_hand(value, sentence) -> None:
    with pytest.raises(BadKeys, match=sentence) as refused:
        HandKeys.from_json(value)
    assert KEY[:20] not in str(refused.value)
