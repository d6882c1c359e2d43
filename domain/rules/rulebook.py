"""What a rulebook is: the sentences in which one room's house rules differ from another's, as data.

`rulebooks/` holds one file a room. What a room leaves open it takes from `euro` (rules.md, head), so a new one is
`dataclasses.replace(EURO, name=..., ...)` with the sentences in which it differs, and no code.
"""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256

from domain.messages import MOST_SEATS
from domain.money import decimal_text
from domain.rules.vocabulary import Game, Limit, OddHalf, RakeBand, SeatRules

EVERY_GAME = ("*",)
"""For the sentences that a rulebook says of some games and another of all."""

RAKE_SCALE = 2
"""Decimal places of the amounts in rake rows."""


class SmallBlind(StrEnum):
    """The small blind of fixed and spread limit (rules.md section 2, Blinds)."""

    HALF_IN_WHOLE_UNITS = "half of the big blind, down to a whole currency unit"
    HALF = "half of the big blind"


class BringIn(StrEnum):
    """The bring-in of fixed limit (rules.md section 2, Antes and bring-ins). Elsewhere it is always table data."""

    HALF_THE_SMALL_BET = "half of the small bet, up to the chip unit"
    TWICE_THE_ANTE = "what the table states, or twice the ante"


@dataclass(slots=True, frozen=True)
class RakeRow:
    """One row of a rake table: the structures and stakes that it covers, and its bands (rules.md section 9).

    `lowest` and `highest` are (small, big) in minor units: the bets of fixed limit, the blinds elsewhere. The row
    covers all stakes between them, both included; `highest` is None where it has no upper end. The bands run from 2 to
    10 players without a gap; ValueError if they don't.
    """

    limits: tuple[Limit, ...]
    lowest: tuple[int, int]
    highest: tuple[int, int] | None
    bands: tuple[RakeBand, ...]

    def __post_init__(self) -> None:
        counted = [players for band in self.bands for players in range(band.fewest, band.most + 1)]
        if counted != list(range(2, MOST_SEATS + 1)):
            raise ValueError(
                f"the bands of rake row {self} cover {counted} players: they must cover 2 to {MOST_SEATS}, each once"
            )

    def covers(self, limit: Limit, small: int | None, big: int) -> bool:
        """Whether a table of this structure and these stakes pays by this row; `small` is None where it has only one,
        the minimum bet of an ante game."""
        above = self.lowest[1] <= big and (small is None or self.lowest[0] <= small)
        below = self.highest is None or (big <= self.highest[1] and (small is None or small <= self.highest[0]))
        return limit in self.limits and above and below

    def __str__(self) -> str:
        limits = f"{', '.join(self.limits)} limit"
        if self.highest is None:
            return f"{limits} {stakes_text(*self.lowest)} and up" if any(self.lowest) else f"{limits} at any stakes"
        if self.lowest == self.highest:
            return f"{limits} {stakes_text(*self.lowest)}"
        return f"{limits} {stakes_text(*self.lowest)} to {stakes_text(*self.highest)}"


@dataclass(slots=True, frozen=True)
class LeastBuyIn:
    """The least buy-in that a rulebook states for one pair of fixed bets, (small, big), in these games."""

    games: tuple[str, ...]
    limit: Limit
    bets: tuple[int, int]
    least: int


@dataclass(slots=True, frozen=True)
class Seating:
    """What a rulebook says of seats (rules.md sections 7 and 8).

    `missed_big_costs_both`, `taken_off_after`, `stack_remembered`, `protections`: see SeatRules. `least_buy_ins`: where
    it isn't ten small bets. `protected_limits`: the structures of cash tables that have all-in protection.
    """

    missed_big_costs_both: bool
    taken_off_after: int
    stack_remembered: int
    least_buy_ins: tuple[LeastBuyIn, ...]
    protections: int
    protected_limits: tuple[Limit, ...]


def seat_rules(rulebook: "Rulebook", limit: Limit) -> SeatRules:
    """What the rulebook says of the seats of a cash table with this structure."""
    says = rulebook.seating
    return SeatRules(
        missed_big_costs_both=says.missed_big_costs_both,
        taken_off_after=says.taken_off_after,
        stack_remembered=says.stack_remembered,
        protections=says.protections if limit in says.protected_limits else 0,
    )


@dataclass(slots=True, frozen=True)
class Rulebook:
    """A named set of house rules under which a table is opened.

    `source` says where the rules were read. `small_blind`: see SmallBlind. `bets_cap`: bets in a fixed-limit round, one
    bet and its raises; `bets_cap_two`: the same in a round that starts with two players in the hand, at tables with two
    seats only if `bets_cap_two_needs_two_seats` (section 2). `cash_antes`: whether a cash table with blinds may have an
    ante too; tournaments may anywhere. `fixed_bring_in`: see BringIn. `highest_brings_in`: games, by name, and
    structures in which the highest door card brings in; elsewhere it is as the game says. `open_pair_in`: games in
    which a pair that shows on 4th street lets fixed limit bet big. `plays_community_round`: whether there is betting
    after a community card that was dealt because the cards ran short (section 2). `everyone_shows_in`,
    `may_give_up_in`: games in which nobody mucks, in which an unbeaten hand may be laid down unseen (section 3).
    `odd_half`: section 3, odd chips. `rake`: the rows for real money, stated in `rake_currency` (section 9).
    `seating`: see Seating.
    The fields in `_in` hold names of games, or EVERY_GAME.
    """

    name: str
    title: str
    source: str
    small_blind: SmallBlind
    bets_cap: int
    bets_cap_two: int
    bets_cap_two_needs_two_seats: bool
    cash_antes: bool
    fixed_bring_in: BringIn
    highest_brings_in: tuple[tuple[str, Limit], ...]
    open_pair_in: tuple[str, ...]
    plays_community_round: bool
    everyone_shows_in: tuple[str, ...]
    may_give_up_in: tuple[str, ...]
    odd_half: OddHalf
    rake_currency: str
    rake: tuple[RakeRow, ...]
    seating: Seating


def applies_to(games: tuple[str, ...], game: Game) -> bool:
    """Whether a sentence said of `games` binds this game."""
    return games == EVERY_GAME or game.name in games


def digest(rulebook: Rulebook) -> str:
    """The SHA-256, in hex, of everything that the rulebook says of a hand, which pins it beside the rulebook's name.

    What it says of seats is no part of that: a table pins it as values.
    """
    says = asdict(rulebook)
    del says["seating"]
    return sha256(json.dumps(says, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def stakes_text(small: int, big: int) -> str:
    """Real-money stakes as people write them: "0.50/1.00"."""
    return f"{decimal_text(small, RAKE_SCALE)}/{decimal_text(big, RAKE_SCALE)}"
