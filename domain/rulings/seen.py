"""A hand as a viewer sees it: built for him, with the faces that he may see and no others (design, Secrets)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from domain.hand.events import Box, CardsDealt, HandOpened, HandSettled
from domain.rulings.recorded_shoe import Keyholder
from domain.rulings.replay import Frame, frames
from domain.visibility import Viewer, sees, sees_nothing

HIDDEN: Box = "hidden"
"""Lies where a card lies whose face the viewer doesn't see."""


def frames_for(viewer: Viewer, facts: Iterable[Any], keyholder: Keyholder, *, opened: bool = False) -> Iterator[Frame]:
    """The frames of a hand for a viewer: one for each fact of which he sees anything, their versions counted among
    these. Arguments and errors are those of `facts_for`."""
    return frames(facts_for(viewer, facts, keyholder, opened=opened))


def facts_for(viewer: Viewer, facts: Iterable[Any], keyholder: Keyholder, *, opened: bool = False) -> Iterator[Any]:
    """The facts of a hand, from its HandOpened on, of which a viewer sees anything. They can be folded; what he may be
    given of each says `domain.visibility.seen_by`.

    Cards dealt face down are opened if he may see them, else HIDDEN lies there, as it does where the keyholder has no
    key. `facts`: all that there are, since staff see cards only of a hand that is settled, or that was `opened` to them
    before (`domain.rulings.opening`). Raises SealBroken for a box that isn't what it should be; no box that he may not
    see is ever opened.
    """
    recorded = list(facts)
    settled = opened or (bool(recorded) and type(recorded[-1]) is HandSettled)
    hand = ""
    for event in recorded:
        if type(event) is HandOpened:
            hand = f"{event.table}-{event.number}"
        if type(event) is CardsDealt:
            yield dealt_for(viewer, hand, event, keyholder, settled)
        elif not sees_nothing(viewer, event, settled):
            yield event


def dealt_for(viewer: Viewer, hand: str, event: CardsDealt, keyholder: Keyholder, settled: bool) -> CardsDealt:
    """Cards of a hand as they lie for a viewer: see `facts_for`; for `settled` see `domain.visibility.seen_by`."""
    may_see = sees(viewer, event, "cards", settled)
    return replace(event, cards=_opened(hand, event, keyholder) if may_see else (HIDDEN,) * len(event.cards))


def _opened(hand: str, event: CardsDealt, keyholder: Keyholder) -> tuple[int | str, ...]:
    return tuple([
        card if isinstance(card, int) else _face(keyholder.card(hand, event.seat, index, card))
        for index, card in zip(event.indices, event.cards, strict=True)
    ])  # fmt: skip


def _face(card: int | None) -> int | str:
    return HIDDEN if card is None else card
