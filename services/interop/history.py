"""A hand history: what another room wrote down of a hand, line by line, and apart from it what it paid.

Amounts are minor units; cards are faces such as "Ah", "??" for one that nobody wrote down. Games and streets go by the
domain's names.
"""

from dataclasses import dataclass
from typing import NamedTuple

from domain.rules.vocabulary import Kind, Limit

UNKNOWN = "??"
BRING_IN, DRAW, CHECK_OR_CALL = "bring_in", "draw", "check or call"
ACTIONS = ("fold", "check", "call", CHECK_OR_CALL, "bet", "raise", "complete", BRING_IN, DRAW)
SHOWDOWN = "showdown"

Net = dict[str, int]
"""What each player won or lost, in minor units; who is missing broke even."""


class Unreadable(Exception):
    """A file, or a hand of it, that isn't of its format: a sentence that says where."""


class Line(NamedTuple):
    """One line of a history. `by`: chips added now; `to`: the live total of the round afterwards, both 0 where the room
    wrote no amount; `post`: what for; `drawn`: how many cards."""

    act: str
    street: str
    player: str
    by: int = 0
    to: int = 0
    live: bool = True
    post: str = ""
    all_in: bool = False
    drawn: int = 0


class Sight(NamedTuple):
    """What a line tells of a player's cards: those dealt (`up`: which of them face up), shown or mucked; of a draw how
    many he `threw`, which (`thrown`), those that he got (`cards`) and what he held `after` it."""

    act: str
    street: str
    player: str
    cards: tuple[str, ...] = ()
    up: tuple[bool, ...] = ()
    threw: int = 0
    thrown: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


class Seat(NamedTuple):
    player: str
    seat: int
    stack: int


@dataclass(frozen=True)
class History:
    """What may be used of a hand to deal it again: never what was paid to whom.

    `seats`: those dealt in. `button`: None where the room names none. `sights`: what is known of the players' cards.
    `boards`: the community cards, one for each time that they were run. `rake`: all that the room took, fees for a
    jackpot included; `raked_at_once`: though it ended on the first street, where ours takes none (rules.md section 9).
    `seats_in_doubt`: the seats as written can't be relied on.
    """

    game: str
    limit: Limit
    kind: Kind
    stakes: dict[str, int]
    button: int | None
    seats: tuple[Seat, ...]
    lines: tuple[Line, ...]
    sights: tuple[Sight, ...]
    boards: tuple[tuple[str, ...], ...]
    rake: int
    raked_at_once: bool = False
    seats_in_doubt: bool = False

    @property
    def posts(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.act == "post")

    @property
    def actions(self) -> tuple[Line, ...]:
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
