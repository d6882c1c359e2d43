"""Reading the logged hands: what may be fed in, and apart from it what the room paid.

The files lie outside the repository and stay there (see `folder`). A record's amounts are minor units, its cards are
faces such as "Ah", "??" for a card that nobody logged.
"""

import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

UNKNOWN = "??"
ACTIONS = ("fold", "check", "call", "bet", "raise")
LOGGED = ("post", *ACTIONS, "show", "muck", "cash_out")

Net = dict[str, int]
"""What each player won or lost, in minor units; who is missing broke even."""


class NoRecords(Exception):
    """The folder can't be read as a folder of records."""


class Logged(NamedTuple):
    """One line of a log. `by`: chips added now; `to`: the live total of the round afterwards; `post`: what for."""

    act: str
    street: str
    player: str
    by: int
    to: int
    live: bool
    post: str


class Seat(NamedTuple):
    player: str
    seat: int
    stack: int


@dataclass(frozen=True)
class Record:
    """What may be used of a logged hand: never what it paid to whom.

    `seats`: those dealt in. `button`: None where the log names none. `cards`: what is known of each player's cards.
    `boards`: the community cards, one for each time that they were run. `rake`: all that the room took, fees for a
    jackpot included.
    """

    id: str
    room: str
    game: str
    limit: str
    kind: str
    stakes: dict[str, int]
    button: int | None
    seats: tuple[Seat, ...]
    lines: tuple[Logged, ...]
    cards: dict[str, tuple[str, ...]]
    boards: tuple[tuple[str, ...], ...]
    rake: int
    flags: frozenset[str]

    @property
    def posts(self) -> tuple[Logged, ...]:
        return tuple(line for line in self.lines if line.act == "post")

    @property
    def actions(self) -> tuple[Logged, ...]:
        return tuple(line for line in self.lines if line.act in ACTIONS)

    @property
    def mucked(self) -> frozenset[str]:
        return frozenset(line.player for line in self.lines if line.act == "muck")

    @property
    def left(self) -> tuple[Seat, ...]:
        """Those who never folded."""
        folded = {line.player for line in self.lines if line.act == "fold"}
        return tuple(seat for seat in self.seats if seat.player not in folded)

    def cards_known(self, player: str) -> bool:
        known = self.cards.get(player, (UNKNOWN,))
        return UNKNOWN not in known


class RealHand(NamedTuple):
    """A record, and what its players really won or lost."""

    record: Record
    net: Net


def folder() -> Path:
    """Where the records lie: HANDLOG_ORACLE, or the folder beside the repository."""
    beside = Path(__file__).parents[3] / "shared" / "oracle" / "open"
    return Path(os.environ.get("HANDLOG_ORACLE", beside))


def real_hands(where: Path, game: str | None = None) -> Iterator[RealHand]:
    """Every hand of the folder's files, of one game if it is named. Raises NoRecords."""
    files = sorted(where.glob("*.jsonl.gz"))
    if not files:
        raise NoRecords(f"{where} holds no *.jsonl.gz files: name the folder of the logged hands")
    for file in files:
        try:
            with gzip.open(file, "rt") as lines:
                yield from (read(raw) for raw in map(json.loads, lines) if game in (None, raw["game"]))
        except (OSError, EOFError, ValueError, KeyError) as error:
            raise NoRecords(f"{file} can't be read as logged hands: {error!r}") from error


def read(raw: dict[str, Any]) -> RealHand:
    """One hand of a file.

    Who folds before the last post has refused to post and left: nothing was dealt to him.
    """
    events = raw["events"]
    last_post = max((at for at, event in enumerate(events) if event["t"] == "post"), default=0)
    paid = {event["p"] for event in events if event["t"] == "post"}
    gone = {event["p"] for event in events[:last_post] if event["t"] == "fold"} - paid
    events = [event for event in events if event.get("p") not in gone]
    record = Record(
        id=raw["id"],
        room=raw["room"],
        game=raw["game"],
        limit=raw["limit"],
        kind=raw["kind"],
        stakes=raw["stakes"],
        button=raw["button"],
        seats=tuple(_seat(one) for one in raw["seats"] if one["dealt"] and one["p"] not in gone),
        lines=tuple(_logged(event) for event in events if event["t"] in LOGGED),
        cards=_cards(events),
        boards=_boards(events),
        rake=raw["rake"] + sum(raw.get("fees", {}).values()),
        flags=frozenset(flag.partition(":")[0] for flag in raw.get("flags", ())),
    )
    return RealHand(record, {player: won for player, won in raw["net"].items() if won})


def _seat(raw: dict[str, Any]) -> Seat:
    return Seat(raw["p"], raw["seat"], raw["stack"])


def _logged(event: dict[str, Any]) -> Logged:
    return Logged(
        act=event["t"],
        street=event["s"],
        player=event["p"],
        by=event.get("by", 0),
        to=event.get("to", 0),
        live=event.get("live", True),
        post=event.get("k", ""),
    )


def _cards(events: list[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    """What was dealt to each player; a hand that is shown or mucked face up tells all of it."""
    found: dict[str, tuple[str, ...]] = {}
    for event in events:
        seen = tuple(event.get("cards", ()))
        if event["t"] == "deal":
            found[event["p"]] = found.get(event["p"], ()) + seen
        elif event["t"] in ("show", "muck") and seen and UNKNOWN not in seen:
            found[event["p"]] = seen
    return found


def _boards(events: list[dict[str, Any]]) -> tuple[tuple[str, ...], ...]:
    boards: dict[int, tuple[str, ...]] = {}
    for event in events:
        if event["t"] == "board":
            boards[event["board"]] = boards.get(event["board"], ()) + tuple(event["cards"])
    return tuple(boards.values())
