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

from tests.oracle.games import our_street

UNKNOWN = "??"
BRING_IN, DRAW = "bring_in", "draw"
ACTIONS = ("fold", "check", "call", "bet", "raise", "complete", BRING_IN, DRAW)
LOGGED = ("post", *ACTIONS, "show", "muck", "cash_out")
SEEN = ("deal", DRAW, "show", "muck")
SHOWDOWN = "showdown"

Net = dict[str, int]
"""What each player won or lost, in minor units; who is missing broke even."""


class NoRecords(Exception):
    """The folder can't be read as a folder of records."""


class Logged(NamedTuple):
    """One line of a log. `by`: chips added now; `to`: the live total of the round afterwards; `post`: what for;
    `drawn`: how many cards."""

    act: str
    street: str
    player: str
    by: int
    to: int
    live: bool
    post: str
    all_in: bool
    drawn: int


class Sight(NamedTuple):
    """What a line of a log tells of a player's cards: those dealt (`up`: which of them face up), shown or mucked; of a
    draw how many he `threw`, which (`thrown`), those that he got (`cards`) and what he held `after` it."""

    act: str
    street: str
    player: str
    cards: tuple[str, ...]
    up: tuple[bool, ...]
    threw: int
    thrown: tuple[str, ...]
    after: tuple[str, ...]


class Seat(NamedTuple):
    player: str
    seat: int
    stack: int


@dataclass(frozen=True)
class Record:
    """What may be used of a logged hand: never what it paid to whom.

    `seats`: those dealt in. `button`: None where the log names none. `sights`: what is known of the players' cards.
    `boards`: the community cards, one for each time that they were run. `rake`: all that the room took, fees for a
    jackpot included. Streets go by the domain's names.
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
    sights: tuple[Sight, ...]
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

    @property
    def streets(self) -> frozenset[str]:
        """Those that players acted on, or had cards dealt on."""
        seen = {line.street for line in self.lines} | {sight.street for sight in self.sights}
        return frozenset(seen - {SHOWDOWN})

    @property
    def ended_on_first_street(self) -> bool:
        """Whether no flop, further card or draw was logged."""
        return not self.boards and len(self.streets) == 1


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
        lines=tuple(_logged(event, raw["game"]) for event in events if event["t"] in LOGGED),
        sights=tuple(_sight(event, raw["game"]) for event in events if event["t"] in SEEN),
        boards=_boards(events),
        rake=raw["rake"] + sum(raw.get("fees", {}).values()),
        flags=frozenset(flag.partition(":")[0] for flag in raw.get("flags", ())),
    )
    return RealHand(record, {player: won for player, won in raw["net"].items() if won})


def _seat(raw: dict[str, Any]) -> Seat:
    return Seat(raw["p"], raw["seat"], raw["stack"])


def _logged(event: dict[str, Any], game: str) -> Logged:
    post = event.get("k", "")
    return Logged(
        act=BRING_IN if post == BRING_IN else event["t"],
        street=our_street(game, event["s"]),
        player=event["p"],
        by=event.get("by", 0),
        to=event.get("to", 0),
        live=event.get("live", True),
        post=post,
        all_in=event.get("allin", False),
        drawn=event.get("n", 0),
    )


def _sight(event: dict[str, Any], game: str) -> Sight:
    return Sight(
        act=event["t"],
        street=our_street(game, event["s"]),
        player=event["p"],
        cards=tuple(event.get("drawn" if event["t"] == DRAW else "cards", ())),
        up=tuple(event.get("up", ())),
        threw=event.get("n", 0),
        thrown=tuple(event.get("discard", ())),
        after=tuple(event.get("hand_after", ())),
    )


def _boards(events: list[dict[str, Any]]) -> tuple[tuple[str, ...], ...]:
    boards: dict[int, tuple[str, ...]] = {}
    for event in events:
        if event["t"] == "board":
            boards[event["board"]] = boards.get(event["board"], ()) + tuple(event["cards"])
    return tuple(boards.values())
