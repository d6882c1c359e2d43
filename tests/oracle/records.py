"""Reading the logged hands: what may be fed in, and apart from it what the room paid.

The files lie outside the repository and stay there (see `folder`). A record's amounts are minor units, its cards are
faces such as "Ah", "??" for a card that nobody logged.
"""

import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from domain.rules.vocabulary import Kind, Limit
from services.interop.history import ACTIONS, BRING_IN, DRAW, History, Line, Net, Seat, Sight
from tests.oracle.games import OUR_NAMES, our_street

LOGGED = ("post", *ACTIONS, "show", "muck", "cash_out")
SEEN = ("deal", DRAW, "show", "muck")
LIMITS = {"fixed": Limit.FIXED, "pot": Limit.POT, "no": Limit.NO}
KINDS = {"cash": Kind.REAL, "tourney": Kind.TOURNAMENT}


class NoRecords(Exception):
    """The folder can't be read as a folder of records."""


@dataclass(frozen=True)
class Record(History):
    """The history of a hand, with its `id`, the `room` that played it and the caveats (`flags`) that its record has."""

    id: str = ""
    room: str = ""
    flags: frozenset[str] = frozenset()


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
    events, flags = raw["events"], frozenset(flag.partition(":")[0] for flag in raw.get("flags", ()))
    last_post = max((at for at, event in enumerate(events) if event["t"] == "post"), default=0)
    paid = {event["p"] for event in events if event["t"] == "post"}
    gone = {event["p"] for event in events[:last_post] if event["t"] == "fold"} - paid
    events = [event for event in events if event.get("p") not in gone]
    record = Record(
        id=raw["id"],
        room=raw["room"],
        game=OUR_NAMES.get(raw["game"], raw["game"]),
        limit=LIMITS[raw["limit"]],
        kind=KINDS[raw["kind"]],
        stakes=raw["stakes"],
        button=raw["button"],
        seats=tuple(_seat(one) for one in raw["seats"] if one["dealt"] and one["p"] not in gone),
        lines=tuple(_logged(event, raw["game"]) for event in events if event["t"] in LOGGED),
        sights=tuple(_sight(event, raw["game"]) for event in events if event["t"] in SEEN),
        boards=_boards(events),
        rake=raw["rake"] + sum(raw.get("fees", {}).values()),
        flags=flags,
        seats_in_doubt="seat_order_unreliable" in flags,
    )
    record = replace(record, raked_at_once=_raked_at_once(record))
    return RealHand(record, {player: won for player, won in raw["net"].items() if won})


def _raked_at_once(record: Record) -> bool:
    """Some records took a returned bet out of the win a second time, and derive a rake from that for hands that saw no
    flop, further card or draw. There the table charges what the record states; that such hands pay none (section 9)
    they can't test."""
    return record.rake > 0 and not record.boards and len(record.streets) == 1


def _seat(raw: dict[str, Any]) -> Seat:
    return Seat(raw["p"], raw["seat"], raw["stack"])


def _logged(event: dict[str, Any], game: str) -> Line:
    post = event.get("k", "")
    return Line(
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
