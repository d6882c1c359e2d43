"""The words in which games, stakes and house rules are declared.

A game is a page of these (`games.py`), a rulebook a file of them (`rulebooks/`). Nothing here decides anything.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from domain.messages import Count, Flag
from domain.money import Chips


class Limit(StrEnum):
    """The five betting structures (rules.md section 2)."""

    FIXED = "fixed"
    SPREAD = "spread"
    POT = "pot"
    HALF_POT = "half-pot"
    NO = "no"


class Kind(StrEnum):
    """What the chips are: real money, play money, or a tournament's chips."""

    REAL = "real"
    PLAY = "play"
    TOURNAMENT = "tournament"


class Forced(StrEnum):
    """The forced bets of a game (rules.md section 1)."""

    BLINDS = "blinds"
    ANTE_AND_BRING_IN = "ante and bring-in"


class Opener(StrEnum):
    """Who acts first in a betting round (rules.md section 2)."""

    AFTER_BIG_BLIND = "the first seat after the big blind"
    LEFT_OF_BUTTON = "the first seat left of the button"
    BRING_IN = "the bring-in"
    BEST_SHOWING = "the best hand showing"


class DoorCard(StrEnum):
    """Whose door card brings in, by the ranks and suits of the game (rules.md section 2)."""

    LOWEST = "the lowest"
    HIGHEST = "the highest"


@dataclass(slots=True, frozen=True)
class Street:
    """What is dealt or drawn, and the betting round that follows.

    `down`, `up`: cards dealt to each player; `board`: community cards; `draw`: the most cards that a player may
    exchange, None where nobody draws. `big`: the round is played for the big bet in fixed limit; `open_pair`: where a
    pair shows, it may be, if the rulebook lets the game (section 2, open pair).
    """

    name: str
    opener: Opener
    down: int = 0
    up: int = 0
    board: int = 0
    draw: int | None = None
    big: bool = False
    open_pair: bool = False

    @property
    def own(self) -> int:
        """Cards dealt to each player, down and up."""
        return self.down + self.up


@dataclass(slots=True, frozen=True)
class Game:
    """A game of cards, whatever its betting structure (rules.md section 1).

    `lowest_rank` is that of the deck's lowest cards (0: 52 cards, 5: the 32 from the seven up). `high` and `low` name
    rankings of `rankings.py`; `low` is "" where no low is played. `hole_cards_used` is the exact number of a player's
    own cards in his hand, None where any mix counts. `raked_from` names the street that must have been dealt (or drawn)
    before a hand pays rake (section 9). `suits` ranks the suits from low to high where they decide who brings in;
    `brings_in` says by which door card, unless the rulebook differs. `split_vote`: after the last draw the players may
    vote to split (section 6).
    """

    name: str
    title: str
    revision: int
    max_seats: int
    forced: Forced
    streets: tuple[Street, ...]
    raked_from: str
    high: str
    low: str = ""
    hole_cards_used: int | None = None
    lowest_rank: int = 0
    suits: str = "cdhs"
    brings_in: DoorCard = DoorCard.LOWEST
    split_vote: bool = False


@dataclass(slots=True, frozen=True)
class Stakes:
    """The resolved amounts of a table or hand, all in minor units.

    Fixed limit uses `small_bet` and `big_bet`; the others `min_bet`; spread limit `maxima` too, one for each betting
    round of the game. Blinds are 0 in ante games, `bring_in` in games with blinds.
    """

    small_blind: Chips = 0
    big_blind: Chips = 0
    ante: Chips = 0
    bring_in: Chips = 0
    min_bet: Chips = 0
    small_bet: Chips = 0
    big_bet: Chips = 0
    maxima: tuple[Chips, ...] = ()


class OddHalf(StrEnum):
    """Who gets the odd chip between the halves of a hi/lo pot (rules.md section 3, odd chips)."""

    HIGH = "high"
    LOW = "low"


@dataclass(slots=True, frozen=True)
class HouseRules:
    """What a rulebook says of one hand, resolved to values that the hand pins.

    `bets_cap`: bets in a fixed-limit round (one bet and the raises); `bets_cap_two`: the same in a round that starts
    with two players in the hand (section 2, fixed limit). `everyone_shows`: nobody mucks at the showdown.
    `may_give_up`: an unbeaten hand may be laid down unseen (section 3). `odd_half`: see OddHalf. `brings_in`: by which
    door card (section 2). `open_pair`: where a pair shows on 4th street, the big bet may be bet there.
    `plays_community_round`: a round is played after the community card that comes where the cards run short.
    """

    bets_cap: Annotated[int, Field(strict=True, ge=1, le=100)] = 4
    bets_cap_two: Annotated[int, Field(strict=True, ge=1, le=100)] = 4
    everyone_shows: Flag = False
    may_give_up: Flag = False
    odd_half: OddHalf = OddHalf.HIGH
    brings_in: DoorCard = DoorCard.LOWEST
    open_pair: Flag = False
    plays_community_round: Flag = False


@dataclass(slots=True, frozen=True)
class SeatRules:
    """What a rulebook says of the seats of one table, resolved to values that the table pins (rules.md sections 7, 8).

    `missed_big_costs_both`: who missed the big blind posts the small one, too, dead. `taken_off_after`: so many big
    blinds missed in a row cost the seat; 0: never. `stack_remembered`: minutes within which who left brings back what
    he left with. `protections`: uses of all-in protection a player has in 24 hours; 0: none here.
    """

    missed_big_costs_both: Flag
    taken_off_after: Count
    stack_remembered: Count
    protections: Count


@dataclass(slots=True, frozen=True)
class RakeSchedule:
    """Increments and cap of one rake row for one number of players, in minor units (rules.md section 9).

    Each whole `per` in the pot pays `each`, at most `cap`. A pot under `small_under` pays `small_each` for each whole
    `small_per` instead; 0 where the row has no small-pot line.
    """

    per: Annotated[int, Field(strict=True, ge=1)]
    each: Chips
    cap: Chips
    small_under: Chips = 0
    small_per: Chips = 0
    small_each: Chips = 0


@dataclass(slots=True, frozen=True)
class RakeBand:
    """The schedule for hands with `fewest` to `most` players dealt in."""

    fewest: Count
    most: Count
    schedule: RakeSchedule
