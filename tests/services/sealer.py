"""Boxes of a hand, opened and sealed again: for tests that look into them, and for forgers who got hold of the keys."""

from typing import Any

from services.sealing import boxes
from services.sealing.boxes import OpenedDeck
from services.sealing.commitment import root
from services.sealing.keyfile import RoomKeys
from services.sealing.shuffle import salts


class Sealer:
    """One hand's boxes, as the JSON of a log has them."""

    def __init__(self, keys: RoomKeys, hand: str) -> None:
        self._keys, self._hand = keys, hand

    def card(self, seat: int, index: int, box: str, card: int) -> str:
        """The box with another card in it, and the salt that it had."""
        salt = boxes.open_card(self._keys, self._hand, seat, index, box).salt
        return boxes.seal_card(self._keys, self._hand, seat, index, card, salt, nonce=bytes(12))

    def face(self, seat: int, index: int, box: str) -> int:
        """The card in a box."""
        return boxes.open_card(self._keys, self._hand, seat, index, box).card

    def order(self, first: int, deck: dict[str, Any]) -> list[int]:
        """The cards of a deck or reshuffled pile whose first index this is."""
        return list(boxes.open_deck(self._keys, self._hand, first, deck["box"]).order)

    def deck(self, first: int, deck: dict[str, Any], order: list[int], sealed_at: int | None = None) -> dict[str, Any]:
        """The same in another order, or of other cards: sealed, and committed to, as a room would do it.

        `sealed_at`: the first index of another place, where the box opens instead.
        """
        seed = boxes.open_deck(self._keys, self._hand, first, deck["box"]).seed
        place = first if sealed_at is None else sealed_at
        box = boxes.seal_deck(self._keys, self._hand, place, OpenedDeck(seed, tuple(order)), nonce=bytes(12))
        committed = root(order, salts(seed, self._hand, len(order) + 1, first), seed, first)
        return {"size": len(order), "root": committed, "box": box}
