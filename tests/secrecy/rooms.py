"""A room that plays scenes on a real log, its keys and its shoes."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from domain.messages import Refused
from services.bootstrap import open_log
from services.room.recording import Answer
from services.room.room import Outcome
from tests.secrecy.scenes import Renaming, Scene, Step
from tests.services.homes import Desk, in_its_name, new_home, room_over


def play_out(
    home: Path, seed: int, scenes: Sequence[Scene], other: Mapping[str, Renaming] | None = None
) -> list[Outcome]:
    """Play the scenes side by side in a new home, a step of each at a time; what was answered.

    `other`: the cards that lie elsewhere, by hand; all else that is random comes from the seed. AssertionError where a
    command isn't taken, or one refused, as the scene has it.
    """
    ports = new_home(home, seed)
    by_hand = {scene.hand: scene for scene in scenes}

    def order(seed: bytes, hand: str, cards: Sequence[int], first: int) -> tuple[int, ...]:
        names = (other or {}).get(hand, {})
        laid = tuple(names.get(card, card) for card in by_hand[hand].orders[first])
        assert sorted(laid) == sorted(cards), f"hand {hand} shuffles other cards than the scene"
        return laid

    outcomes: list[Outcome] = []
    desk = Desk(ports)
    with open_log(home, write=True) as log:
        room = room_over(log, ports, order)
        for steps in zip_longest(*(scene.steps for scene in scenes)):
            asked = [pair for step in steps if step is not None for pair in _asked(step)]
            found = room.execute([in_its_name(desk, args) if kind is Answer else desk(args) for args, kind in asked])
            for (args, kind), outcome in zip(asked, found, strict=True):
                assert isinstance(outcome, kind), f"{args} comes to {outcome!r}"
            outcomes += found
    return outcomes


def _asked(step: Step) -> list[tuple[object, type]]:
    return [*((args, Refused) for args in step.refused), (step.command, Answer)]
