"""Tables, hands and answers as somebody sees them: built for him, with what he may not see absent (design, Secrets).

No version of a fact is given, nor the height of a commit: a player's wish for the showdown counts in both, and nobody
else may know of it.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from domain import catalog
from domain.hand.events import CardsDealt, HandOpened, HandSettled
from domain.hand.state import Hand, evolve
from domain.rulings.recorded_shoe import NO_KEYS, Keyholder
from domain.rulings.replay import frames
from domain.rulings.seen import dealt_for, facts_for
from domain.table.play import Play
from domain.table.state import Seat
from domain.visibility import PRIVATE, SPECTATOR, STAFF, Viewer, seen_by
from services.api.permissions import player_of, viewer_of
from services.api.tokens import Holder
from services.frames import as_json
from services.room.recording import Answer

Seen = dict[str, Any]

HAND = "hand:"
_PATRON = ("player", "account")


class Look(NamedTuple):
    """Who looks, and what opens his own cards for him. To everybody else they stay closed here."""

    asker: Holder
    keyholder: Keyholder

    def viewer(self, seats: dict[int, str]) -> Viewer:
        """As whom he looks, where these players sit in the seats."""
        return viewer_of(self.asker, seats)

    @property
    def keys(self) -> Keyholder:
        return self.keyholder if player_of(self.asker) else NO_KEYS


# --- hands ---


def seats_of(opened: HandOpened) -> dict[int, str]:
    """The players of a hand by seat, which never change."""
    return {one.seat: one.player for one in opened.seats}


def hand_seen(facts: Sequence[Any], look: Look) -> Seen:
    """A hand from its opening on: one frame for each fact of which he sees anything, and the fact in each."""
    seen = _Hand(facts, look)
    both = zip(seen.facts, frames(seen.facts), strict=True)
    return seen.header() | {"frames": [as_json(frame) | {"fact": seen.fact(one)} for one, frame in both]}


def hand_now(facts: Sequence[Any], look: Look) -> Seen:
    """A hand as it stands: the last frame, and the cards that lie before each seat by their index, as a player names
    them who draws."""
    seen = _Hand(facts, look)
    *_, last = frames(seen.facts)
    dealt = {str(seat): list(seen.hand.dealt[seat]) for seat in seen.hand.order}
    return seen.header() | {"dealt": dealt, "frame": as_json(last)}


class _Hand:
    """What somebody sees of a hand's facts."""

    def __init__(self, facts: Sequence[Any], look: Look) -> None:
        self.viewer = look.viewer(seats_of(facts[0]))
        self.facts = list(facts_for(self.viewer, facts, look.keys))
        self.hand = _folded(self.facts)

    def header(self) -> Seen:
        hand = self.hand
        return {"hand": hand.id, "table": hand.opened.table, "over": hand.settled, "decision": hand.decision}

    def fact(self, event: Any) -> Seen:
        seen = seen_by(self.viewer, event, self.hand.settled)
        assert seen is not None
        return seen._asdict()


def _folded(facts: Iterable[Any]) -> Hand:
    hand: Hand | None = None
    for event in facts:
        hand = evolve(hand, event)
    assert hand is not None
    return hand


# --- tables ---


def table_seen(play: Play) -> Seen | None:
    """A table with its terms and seats, and what the floor has done to it; None where there is none. While a hand is
    open, stacks are those that were brought into it."""
    table = play.table
    if table is None:
        return None
    opened = seen_by(SPECTATOR, table.opened, settled=True)
    assert opened is not None
    seats = [_seat_seen(number, seat) for number, seat in sorted(table.seats.items())]
    seen = {"table": play.id, **opened.data, "seats": seats, "button": table.button, "hands": table.hands}
    floor = {"paused": table.paused, "dealing": table.dealing, "closing": table.closes}
    return seen | floor | ({"open_hand": table.open_hand} if table.open_hand else {})


def _seat_seen(number: int, seat: Seat) -> Seen:
    """Whether he plays, and which blinds he owes, everybody at the table has seen; that he is frozen, nobody."""
    owed = {"small blind": seat.owes_small, "big blind": seat.owes_big}
    return {
        "seat": number, "player": seat.player, "stack": seat.stack, "standing": seat.standing.value,
        "owes": [blind for blind, owes in owed.items() if owes], "connected": seat.connected,
    }  # fmt: skip


# --- answers ---


def answer_seen(answer: Answer, shard: int, args: Any, look: Look) -> Seen:
    """What the sender of a command is given of the facts that it made; `at` in UTC microseconds."""
    player = player_of(look.asker)
    viewer = look.viewer({args.seat: player} if player and hasattr(args, "seat") else {})
    events = [(one["stream"], catalog.event.load(one["type"], one["rev"], one["data"])) for one in answer.events]
    settled = any(type(event) is HandSettled for _, event in events)
    given = [
        _event_seen(stream, event, _as_whom(viewer, stream, player), settled, look.keys) for stream, event in events
    ]
    return {"at": answer.at, "shard": shard, "events": [one for one in given if one]}


def _as_whom(viewer: Viewer, stream: str, player: str) -> Viewer:
    """A player sees all of his own file and accounts, as staff do."""
    kind, _, rest = stream.partition(":")
    return STAFF if player and kind in _PATRON and rest.partition(":")[0] == player else viewer


def _event_seen(stream: str, event: Any, viewer: Viewer, settled: bool, keys: Keyholder) -> Seen | None:
    if stream.startswith(PRIVATE) and not viewer.staff:
        return None
    if type(event) is CardsDealt:
        event = dealt_for(viewer, stream.removeprefix(HAND), event, keys, settled)
    seen = seen_by(viewer, event, settled or not stream.startswith(HAND))
    return {"stream": stream, **seen._asdict()} if seen else None
