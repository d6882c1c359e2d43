"""Boxes: cards and decks sealed for the log (design, Secrets).

A box is base64url without padding of: the room key's id (8 bytes), a nonce (12), and AES-256-GCM ciphertext with its
tag (16), under the hand's key for the seat or the deck. It is bound to its place by the associated data

    handlog/1 LF <type> LF <room> LF <hand> LF <seat> LF <index>

The types are `card`, `deck` and `reshuffle`; the seat of decks is 0, their index that of their first card. A card's
plaintext is the card (1 byte) and its salt (16), a deck's the seed (32) and its order (a byte a card).
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.eventlog.log import LogError
from services.sealing.keyfile import Keys, RoomKeys

ID, NONCE, TAG, SALT, SEED = 8, 12, 16, 16, 32
"""Bytes of the parts of a box and its plaintext."""

CIPHERS = 2048
"""Ciphers kept ready: those of a hand's seats and deck, for some 200 hands at once."""


class BadBox(LogError):
    """Not a box, or one that doesn't open here: it was changed, or sealed for another place; the sentence names where.

    (A wrong key has a wrong id, which is NoKey.)
    """


class OpenedCard(NamedTuple):
    """A card (0 to 51) and the 16 bytes of salt that its leaf of the commitment has."""

    card: int
    salt: bytes

    def __repr__(self) -> str:
        return "OpenedCard(hidden)"  # no log and no traceback shows one


class OpenedDeck(NamedTuple):
    """A deck or reshuffled pile: the seed of its shuffle (32 bytes), and its cards as they lie."""

    seed: bytes
    order: tuple[int, ...]

    def __repr__(self) -> str:
        return "OpenedDeck(hidden)"


def seal_card(keys: RoomKeys, hand: str, seat: int, index: int, card: int, salt: bytes, nonce: bytes) -> str:
    """The box of a card that lies at `index` of the deck and was dealt to `seat`; `nonce`: 12 bytes, random each time.

    Raises ValueError for what is no card, salt or nonce.
    """
    if not 0 <= card <= 51 or len(salt) != SALT:
        raise ValueError(f"a card from 0 to 51 and {SALT} bytes of salt are sealed, not {card} and {len(salt)} bytes")
    return _seal(keys, hand, f"seat {seat}", _card_place(keys, hand, seat, index), bytes((card,)) + salt, nonce)


def open_card(keys: Keys, hand: str, seat: int, index: int, box: str) -> OpenedCard:
    """What `seal_card` put into the box. Raises BadBox, NoKey."""
    place = _card_place(keys, hand, seat, index)
    plain = _open(keys, hand, f"seat {seat}", place, box)
    if len(plain) != 1 + SALT or plain[0] > 51:
        raise BadBox(f"the box of {_told(place)} holds no card and salt")
    return OpenedCard(plain[0], plain[1:])


def seal_deck(keys: RoomKeys, hand: str, first: int, opened: OpenedDeck, nonce: bytes) -> str:
    """The box of a deck (`first` is 0) or of a reshuffled pile, whose first card has index `first`.

    Raises ValueError for what is no seed, order or nonce.
    """
    if not _is_deck(opened):
        raise ValueError(f"a seed of {SEED} bytes and different cards from 0 to 51 are sealed as a deck")
    return _seal(keys, hand, "deck", _deck_place(keys, hand, first), opened.seed + bytes(opened.order), nonce)


def open_deck(keys: Keys, hand: str, first: int, box: str) -> OpenedDeck:
    """What `seal_deck` put into the box. Raises BadBox, NoKey."""
    place = _deck_place(keys, hand, first)
    plain = _open(keys, hand, "deck", place, box)
    opened = OpenedDeck(plain[:SEED], tuple(plain[SEED:]))
    if not _is_deck(opened):
        raise BadBox(f"the box of {_told(place)} holds no seed and order")
    return opened


def key_id_of(box: str) -> bytes:
    """The id of the room key under which a box was sealed. Raises BadBox."""
    return parts(box)[0]


def packed(key_id: bytes, nonce: bytes, ciphertext: bytes) -> str:
    """A box of its parts."""
    return urlsafe_b64encode(key_id + nonce + ciphertext).rstrip(b"=").decode()


def parts(box: str) -> tuple[bytes, bytes, bytes]:
    """The key's id, nonce and ciphertext of a box. Raises BadBox unless it is exactly what `packed` writes."""
    try:
        data = urlsafe_b64decode(box + "=" * (-len(box) % 4))
    except ValueError:
        data = b""
    found = data[:ID], data[ID : ID + NONCE], data[ID + NONCE :]
    if len(data) <= ID + NONCE + TAG or packed(*found) != box:  # the decoder passes over letters that it doesn't know
        raise BadBox(f"{box[:80]!r} is no box: one is base64url without padding, of more than {ID + NONCE + TAG} bytes")
    return found


@lru_cache(CIPHERS)
def _cipher(keys: Keys, key_id: bytes, hand: str, purpose: str) -> AESGCM:
    return AESGCM(keys.key(key_id, hand, purpose))


def _seal(keys: RoomKeys, hand: str, purpose: str, place: bytes, plain: bytes, nonce: bytes) -> str:
    if len(nonce) != NONCE:
        raise ValueError(f"a nonce has {NONCE} bytes, this one has {len(nonce)}")
    key_id = keys.current
    return packed(key_id, nonce, _cipher(keys, key_id, hand, purpose).encrypt(nonce, plain, place))


def _open(keys: Keys, hand: str, purpose: str, place: bytes, box: str) -> bytes:
    key_id, nonce, ciphertext = parts(box)
    try:
        return _cipher(keys, key_id, hand, purpose).decrypt(nonce, ciphertext, place)
    except InvalidTag:
        raise BadBox(
            f"the box doesn't open as {_told(place)}: it was changed, or sealed for another place or under another key"
        ) from None


def _card_place(keys: Keys, hand: str, seat: int, index: int) -> bytes:
    return f"handlog/1\ncard\n{keys.room}\n{hand}\n{seat}\n{index}".encode()


def _deck_place(keys: Keys, hand: str, first: int) -> bytes:
    return f"handlog/1\n{'reshuffle' if first else 'deck'}\n{keys.room}\n{hand}\n0\n{first}".encode()


def _told(place: bytes) -> str:
    """The place that a box is bound to, in words."""
    _, kind, room, hand, seat, index = place.decode().split("\n")
    what = {
        "card": f"card {index} of seat {seat}",
        "deck": "the deck",
        "reshuffle": f"the reshuffle from card {index}",
    }[kind]
    return f"{what} in hand {hand} of room {room}"


def _is_deck(opened: OpenedDeck) -> bool:
    seed, order = opened
    return len(seed) == SEED and 0 < len(order) == len(set(order)) and max(order) <= 51 and min(order) >= 0
