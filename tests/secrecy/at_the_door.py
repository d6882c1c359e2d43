"""All that somebody is given over HTTP, byte for byte: hands, tables, answers, refusals."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import httpx

from domain.hand.commands import Fold
from domain.visibility import Viewer
from services.api.roles import Role
from services.api.seen import Look, answer_seen
from services.api.tokens import Holder
from services.bootstrap import open_log
from services.eventlog import canonical
from services.room.recording import Answer
from services.room.room import Outcome
from tests.api.doors import Door, door_of
from tests.secrecy.readers import Readable
from tests.services.homes import opener

_ROOT = re.compile(r'(?<="root":")[0-9a-f]*(?=")')


def told_at_the_door(home: Path, outcomes: Sequence[Outcome], viewers: Mapping[str, Viewer]) -> Readable:
    """What the door of a home gives to somebody; `viewers`: who he is in each hand."""
    found: Readable = {}
    with door_of(home, order=_none_is_shuffled) as door:
        for hand, viewer in viewers.items():
            found |= _of_a_hand(door, hand, viewer)
    for hand, viewer in viewers.items():
        found[f"answers of the door, {hand}"] = _answers(home, outcomes, hand, viewer)
    return found


def _none_is_shuffled(*_: object) -> NoReturn:
    raise AssertionError("nothing is dealt at the door")


def _of_a_hand(door: Door, hand: str, viewer: Viewer) -> Readable:
    table = hand.rpartition("-")[0]
    client = door.client(_who(hand, viewer))
    found = {
        f"the door's hand {hand}": client.http.get(f"/v1/hands/{hand}"),
        f"the door's table {table}": client.http.get(f"/v1/tables/{table}"),
    }
    if viewer.seat:
        id_ = "018bcfe5-6800-7000-8000-000000000001"
        found[f"the door's refusal, {hand}"] = client.give(Fold(hand, 0, viewer.seat), id_)
        assert found[f"the door's refusal, {hand}"].status_code == 409
    return {place: _bytes(response) for place, response in found.items()}


def _who(hand: str, viewer: Viewer) -> str:
    """The scenes name players so."""
    if viewer.seat:
        return f"player:{hand.rpartition('-')[0]}p{viewer.seat}"
    return "floor:fay" if viewer.staff else "service:lobby"


def _bytes(response: httpx.Response) -> str:
    """A response with its head, but for the time of day."""
    head = [(name, value) for name, value in response.headers.items() if name != "date"]
    return f"{response.status_code} {head}\n{_masked(response.text)}"


def _masked(text: str) -> str:
    return _ROOT.sub(lambda root: "." * len(root[0]), text)


def _answers(home: Path, outcomes: Sequence[Outcome], hand: str, viewer: Viewer) -> str:
    """All answers of a hand as its sender would get them, were he the viewer."""
    who = _who(hand, viewer)
    holder = Holder("00000000", "0" * 64, who, Role(who.partition(":")[0]), "", 0)
    table, of_hand = f"table:{hand.rpartition('-')[0]}", f"hand:{hand}"
    with open_log(home) as log:
        look = Look(holder, opener(log))
        given = [
            answer_seen(one, 0, SimpleNamespace(seat=viewer.seat), look)
            for one in outcomes
            if isinstance(one, Answer) and {event["stream"] for event in one.events} <= {table, of_hand}
        ]
    assert given
    return _masked(canonical.write(given).decode())
