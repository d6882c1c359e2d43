"""Boxes: their exact bytes, one length for each kind, and that they open in their own place with their own key only."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.sealing import boxes
from services.sealing.boxes import BadBox, OpenedCard, OpenedDeck, key_id_of, open_card, open_deck, seal_card, seal_deck
from services.sealing.keyfile import HandKeys, NoKey, RoomKeys, export
from services.sealing.shuffle import shuffled

SECRET, OTHER = bytes(range(32)), bytes(32)
KEYS = RoomKeys("riverside", [SECRET])
HAND = "t1-5"
SALT, NONCE = bytes(16), bytes(range(12))
DECK = OpenedDeck(SECRET, shuffled(SECRET, HAND, range(52)))
PILE = OpenedDeck(SECRET, (3, 5, 1, 26, 15, 4, 35, 9))

CARD_BOX = "0YCV74kSSnoAAQIDBAUGBwgJCgvqPdfE7PNzrK7MCGJr4SVTTz5AqA3MZc5DGAExg2UuJRA"
DECK_BOX = (
    "0YCV74kSSnoAAQIDBAUGBwgJCgv48jv7cmTKRgWWcFYvXhAiiZ-0jf2x7uIy0Q-vd4cLPFe6WVg-0GxJ19zKJ7vZILcX2VVu-tiVbPz77dp_aa0nGi"
    "NbdseQniKVIEUNioL-dXTNXSmbv5uNM_rZVzp0UXGI9qn1"
)
PILE_BOX = "0YCV74kSSnoAAQIDBAUGBwgJCgv48jv7cmTKRgWWcFYvXhAiiZ-0jf2x7uIy0Q-vd4cLPEilWWYz9lpHU0gxHWtqhGPKhnLCLUVeyQ"
BOXES = (CARD_BOX, DECK_BOX, PILE_BOX)


def open_any(box: str) -> OpenedCard | OpenedDeck:
    """Open one of the three where it belongs, whatever was done to its letters."""
    if len(box) < 80:
        return open_card(KEYS, HAND, 3, 17, box)
    return open_deck(KEYS, HAND, 0 if len(box) > 150 else 52, box)


def test_known_boxes() -> None:
    assert seal_card(KEYS, HAND, 3, 17, 5, SALT, NONCE) == CARD_BOX
    assert seal_deck(KEYS, HAND, 0, DECK, NONCE) == DECK_BOX
    assert seal_deck(KEYS, HAND, 52, PILE, NONCE) == PILE_BOX


@pytest.mark.parametrize(
    ("box", "purpose", "place", "plain"),
    [
        (CARD_BOX, "seat 3", b"handlog/1\ncard\nriverside\nt1-5\n3\n17", bytes([5]) + SALT),
        (DECK_BOX, "deck", b"handlog/1\ndeck\nriverside\nt1-5\n0\n0", SECRET + bytes(DECK.order)),
        (PILE_BOX, "deck", b"handlog/1\nreshuffle\nriverside\nt1-5\n0\n52", SECRET + bytes(PILE.order)),
    ],
)
def test_a_box_is_key_id_nonce_and_ciphertext_bound_to_its_place(box, purpose, place, plain) -> None:
    data = urlsafe_b64decode(box + "==")
    assert (data[:8], data[8:20]) == (KEYS.current, NONCE)
    cipher = AESGCM(KEYS.key(KEYS.current, HAND, purpose))
    assert cipher.decrypt(NONCE, data[20:], place) == plain
    assert len(data) == 8 + 12 + len(plain) + 16


def test_a_box_opens_in_its_place() -> None:
    assert open_card(KEYS, HAND, 3, 17, CARD_BOX) == (5, SALT)
    assert open_deck(KEYS, HAND, 0, DECK_BOX) == DECK
    assert open_deck(KEYS, HAND, 52, PILE_BOX) == PILE
    assert {key_id_of(box) for box in BOXES} == {KEYS.current}


def test_every_card_of_every_place_has_a_box_of_the_same_length() -> None:
    lengths = {
        len(seal_card(KEYS, f"table9-{10**number}", seat, index, card, bytes([card]) * 16, bytes([card]) * 12))
        for number, seat, index, card in zip(range(12), range(1, 11), range(0, 300, 27), range(0, 52, 5), strict=False)
    }
    assert lengths == {len(CARD_BOX)}


def test_every_deck_of_as_many_cards_has_a_box_of_the_same_length() -> None:
    orders = (shuffled(bytes([seed]) * 32, HAND, range(52)) for seed in range(20))
    assert {len(seal_deck(KEYS, HAND, 0, OpenedDeck(SECRET, order), NONCE)) for order in orders} == {len(DECK_BOX)}


@pytest.mark.parametrize(
    ("room", "hand", "seat", "index", "told"),
    [
        ("lakeside", HAND, 3, 17, "card 17 of seat 3 in hand t1-5 of room lakeside"),
        ("riverside", "t1-51", 3, 17, "card 17 of seat 3 in hand t1-51 of room riverside"),
        ("riverside", HAND, 4, 17, "card 17 of seat 4 in hand t1-5 of room riverside"),
        ("riverside", HAND, 3, 18, "card 18 of seat 3 in hand t1-5 of room riverside"),
    ],
)
def test_a_card_moved_to_another_place_does_not_open(room, hand, seat, index, told) -> None:
    with pytest.raises(BadBox, match=f"the box doesn't open as {told}: it was changed, or sealed for another place"):
        open_card(RoomKeys(room, [SECRET]), hand, seat, index, CARD_BOX)


@pytest.mark.parametrize(
    ("room", "hand", "first", "told"),
    [
        ("lakeside", HAND, 0, "the deck in hand t1-5 of room lakeside"),
        ("riverside", "t2-5", 0, "the deck in hand t2-5 of room riverside"),
        ("riverside", HAND, 52, "the reshuffle from card 52 in hand t1-5 of room riverside"),
    ],
)
def test_a_deck_moved_to_another_place_does_not_open(room, hand, first, told) -> None:
    with pytest.raises(BadBox, match=f"the box doesn't open as {told}: "):
        open_deck(RoomKeys(room, [SECRET]), hand, first, DECK_BOX)


@pytest.mark.parametrize("first", [0, 51, 53])
def test_a_reshuffle_is_no_deck_and_no_other_reshuffle(first) -> None:
    with pytest.raises(BadBox, match="it was changed, or sealed for another place"):
        open_deck(KEYS, HAND, first, PILE_BOX)


def test_the_place_alone_binds_where_the_key_is_the_same(monkeypatch) -> None:
    """Each part of the associated data counts, not only the key that comes from some of them."""
    monkeypatch.setattr(RoomKeys, "key", lambda *_: OTHER)
    box = seal_card(RoomKeys("riverside", [OTHER]), HAND, 3, 17, 5, SALT, NONCE)
    places = [("riverside", HAND, 3, 18), ("riverside", HAND, 4, 17), ("riverside", "t1-6", 3, 17), ("x", HAND, 3, 17)]
    for room, hand, seat, index in places:
        with pytest.raises(BadBox):
            open_card(RoomKeys(room, [OTHER]), hand, seat, index, box)
    with pytest.raises(BadBox, match="doesn't open as the deck"):
        open_deck(RoomKeys("riverside", [OTHER]), HAND, 0, box)
    assert open_card(RoomKeys("riverside", [OTHER]), HAND, 3, 17, box).card == 5


@pytest.mark.parametrize("box", BOXES)
def test_no_changed_bit_is_overlooked(box) -> None:
    data = urlsafe_b64decode(box + "==")
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(NoKey if bit < 64 else BadBox):
            open_any(urlsafe_b64encode(changed).rstrip(b"=").decode())


@pytest.mark.parametrize("box", BOXES)
def test_a_box_has_one_spelling(box) -> None:
    """The last letter has bits to spare where the length is no multiple of three: they are zero."""
    open_any(box)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for last in set(letters) - {box[-1]}:
        with pytest.raises(BadBox):
            open_any(box[:-1] + last)
    spellings = [box + "=", box + "==", box + "\n", " " + box, box[:9] + "\n" + box[9:], box[:9] + "é" + box[10:]]
    spellings += [box[:9] + "+" + box[10:], box[:9] + "/" + box[10:], box[:9] + "!" + box[10:], box[:9] + "!" + box[9:]]
    for other in spellings:
        with pytest.raises(BadBox, match="is no box"):
            open_any(other)


@pytest.mark.parametrize("box", ["", "A", "AAAA", "=", CARD_BOX[:48], "\ud800" * 71, "5c" * 40 + "\0"])
def test_what_is_no_box_is_said_so(box) -> None:
    with pytest.raises(BadBox, match="is no box: one is base64url without padding, of more than 36 bytes"):
        open_card(KEYS, HAND, 3, 17, box)
    with pytest.raises(BadBox):
        key_id_of(box)


@pytest.mark.parametrize("box", BOXES)
def test_a_box_cut_short_or_drawn_out_does_not_open(box) -> None:
    for changed in [*(box[:end] for end in range(1, len(box))), box + "A", box + "AAAA"]:
        with pytest.raises(BadBox):
            open_any(changed)


@pytest.mark.parametrize("box", BOXES)
def test_another_key_is_named(box) -> None:
    other = RoomKeys("riverside", [OTHER])
    with pytest.raises(NoKey, match=rf"room key {KEYS.current.hex()} isn't among those of riverside \(\w+\)"):
        open_card(other, HAND, 3, 17, box)


def test_another_key_under_the_right_id_does_not_open() -> None:
    """As a key of a hand that somebody made up: a hand's keys have no id of their own."""
    own = export(KEYS, HAND, KEYS.ids(), ["deck"]).keys[KEYS.current]
    keys = HandKeys("riverside", HAND, {KEYS.current: {**own, "seat 3": OTHER}})
    with pytest.raises(BadBox, match="or under another key"):
        open_card(keys, HAND, 3, 17, CARD_BOX)
    assert open_deck(keys, HAND, 0, DECK_BOX) == DECK


@pytest.mark.parametrize("plain", [b"", bytes(16), bytes(18), bytes([52]) + SALT, bytes([255]) + SALT])
def test_what_holds_no_card_is_refused_though_the_room_sealed_it(plain) -> None:
    place = b"handlog/1\ncard\nriverside\nt1-5\n3\n17"
    box = boxes.packed(KEYS.current, NONCE, AESGCM(KEYS.key(KEYS.current, HAND, "seat 3")).encrypt(NONCE, plain, place))
    with pytest.raises(BadBox, match=r"no card and salt|is no box"):
        open_card(KEYS, HAND, 3, 17, box)


@pytest.mark.parametrize("order", [b"", b"\1\1", b"\x34", bytes(range(53))])
def test_what_holds_no_deck_is_refused_though_the_room_sealed_it(order) -> None:
    place = b"handlog/1\ndeck\nriverside\nt1-5\n0\n0"
    cipher = AESGCM(KEYS.key(KEYS.current, HAND, "deck"))
    box = boxes.packed(KEYS.current, NONCE, cipher.encrypt(NONCE, SECRET + order, place))
    with pytest.raises(BadBox, match="the box of the deck in hand t1-5 of room riverside holds no seed and order"):
        open_deck(KEYS, HAND, 0, box)


@pytest.mark.parametrize(
    ("card", "salt", "nonce", "sentence"),
    [
        (52, SALT, NONCE, "a card from 0 to 51 and 16 bytes of salt are sealed, not 52 and 16 bytes"),
        (-1, SALT, NONCE, "not -1 and 16 bytes"),
        (5, SALT[1:], NONCE, "not 5 and 15 bytes"),
        (5, SALT, NONCE + b"x", "a nonce has 12 bytes, this one has 13"),
        (5, SALT, NONCE[1:], "a nonce has 12 bytes, this one has 11"),
    ],
)
def test_only_cards_are_sealed_as_cards(card, salt, nonce, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        seal_card(KEYS, HAND, 3, 17, card, salt, nonce)


@pytest.mark.parametrize(
    ("seed", "order"), [(SECRET[1:], (1, 2)), (SECRET, ()), (SECRET, (1, 1)), (SECRET, (52,)), (SECRET, (-1, 3))]
)
def test_only_decks_are_sealed_as_decks(seed, order) -> None:
    with pytest.raises(ValueError, match="a seed of 32 bytes and different cards from 0 to 51 are sealed as a deck"):
        seal_deck(KEYS, HAND, 0, OpenedDeck(seed, order), NONCE)


def test_what_was_kept_ready_for_one_room_s_keys_opens_nothing_of_another_s() -> None:
    """Ciphers are remembered by keys, id, hand and purpose."""
    box = seal_card(KEYS, HAND, 3, 17, 5, SALT, NONCE)
    with pytest.raises(NoKey):
        open_card(RoomKeys("riverside", [OTHER]), HAND, 3, 17, box)
    with pytest.raises(NoKey):
        open_card(export(KEYS, HAND, KEYS.ids(), ["deck"]), HAND, 3, 17, box)
    assert boxes._cipher.cache_info().currsize <= boxes.CIPHERS
