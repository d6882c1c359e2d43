"""What stands in the warehouse: five tables, each a class with a column a field, and what the column means.

Only hands that are over stand here, each whole, and of their cards nothing. Two columns more come from where a file
lies: PARTED_BY.
"""

from enum import Enum
from functools import cache
from types import NoneType
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import pyarrow as pa

REVISION = 2
"""Of tables and fold. A warehouse of an earlier revision is built anew beside the old one, which it then replaces."""

PARTED_BY = {
    "day": "by the room's time zone, the day on which the hand ended, the cards were opened, or the answer came",
    "game": "the game's name",
}
"""What the folders of the files say, and what that means."""


class Is(Enum):
    """What a number is, beyond a number."""

    AMOUNT = "minor units of the hand's currency"
    TIME = "UTC microseconds since 1970"


Amount = Annotated[int, Is.AMOUNT]
Amounts = Annotated[tuple[int, ...], Is.AMOUNT]
Time = Annotated[int, Is.TIME]


class Decision(NamedTuple):
    """What a player did in a hand, and each post that he was forced to make. Unique and in order: (hand, version)."""

    hand: Annotated[str, "the hand, such as t1-17: table and number"]
    version: Annotated[int, "the place of the fact among those of the hand, from 1"]
    table_id: Annotated[str, "the table"]
    acted_at: Annotated[Time, "when the room recorded it"]
    decision: Annotated[int, "the number of the decision that it answers, as commands name it; 0 for a post"]
    seat: Annotated[int, "his seat"]
    player: Annotated[str, "his reference"]
    street: Annotated[str, "the street that was played, in the game's own words; empty before the first"]
    kind: Annotated[
        str,
        "post, bring-in, fold, check, call, bet, raise, draw, stand pat, vote to split, refuse to split, "
        "all-in protection",
    ]
    post: Annotated[str, "what a forced post is for, such as small blind; else empty"]
    amount: Annotated[Amount, "the chips that he put in now"]
    bet_to: Annotated[Amount, "his live total of the round after it; 0 where he put nothing in"]
    pot_before: Annotated[Amount, "all chips in the middle before it, those of this round among them"]
    to_call: Annotated[Amount, "the chips that a call would have cost him; 0 where he could check, and for a post"]
    wager: Annotated[Amount, "the live total of the round that he had to match"]
    facing_seat: Annotated[int | None, "whose bet or raise he faced: none where nobody had made one in the round"]
    facing_player: Annotated[str | None, "the same player by his reference"]
    all_in: Annotated[bool, "whether it took his last chips"]
    discards: Annotated[int | None, "how many cards he drew; none but in a draw"]
    currency: Annotated[str, "the hand's currency"]
    cause: Annotated[str, "where the command came from: player, advance, timer, floor, ..."]
    shard: Annotated[int, "the shard of the log"]
    height: Annotated[int, "the commit in that shard"]


class HandRow(NamedTuple):
    """A hand that is over."""

    hand: Annotated[str, "the hand, such as t1-17: table and number"]
    table_id: Annotated[str, "the table"]
    number: Annotated[int, "its number at the table"]
    structure: Annotated[str, "no, pot, half-pot, fixed or spread"]
    kind: Annotated[str, "real, play or tournament"]
    rulebook: Annotated[str, "the rulebook's name"]
    currency: Annotated[str, "in which all its amounts are"]
    scale: Annotated[int, "decimal places of the currency"]
    small_blind: Annotated[Amount, "0 in ante games"]
    big_blind: Annotated[Amount, "0 in ante games"]
    ante: Annotated[Amount, "0 where there is none"]
    bring_in: Annotated[Amount, "0 in games with blinds"]
    min_bet: Annotated[Amount, "0 in fixed limit"]
    small_bet: Annotated[Amount, "0 but in fixed limit"]
    big_bet: Annotated[Amount, "0 but in fixed limit"]
    maxima: Annotated[Amounts, "the maxima of spread limit, round by round"]
    button: Annotated[int, "the seat of the button, 0 in ante games"]
    dealt_in: Annotated[int, "how many players were dealt in"]
    players: Annotated[tuple[str, ...], "who they were, by seat"]
    pots: Annotated[Amounts, "the pots at the end, main pot first, before rake; none of a cancelled hand"]
    pot: Annotated[Amount, "all of them together"]
    largest_pot: Annotated[Amount, "the largest of them"]
    rake: Annotated[Amount, "what was taken"]
    rake_by_pot: Annotated[Amounts, "the same by pot; none where nothing was taken"]
    rake_due: Annotated[bool, "whether the hand came to the street from which its game pays rake, at a table that does"]
    rake_per: Annotated[Amount | None, "the increment of the rake's schedule that the hand pinned; none: no rake"]
    rake_each: Annotated[Amount | None, "what each whole increment pays"]
    rake_cap: Annotated[Amount | None, "what a hand pays at most"]
    rake_small_under: Annotated[Amount | None, "under this the small-pot line counts; 0: there is none"]
    rake_small_per: Annotated[Amount | None, "its increment"]
    rake_small_each: Annotated[Amount | None, "what each whole one pays"]
    winners: Annotated[tuple[str, ...], "who was awarded any of a pot, by seat"]
    cancelled: Annotated[bool, "whether every chip went back because the shard had no working owner"]
    without_owner: Annotated[int | None, "for how long it had none, in microseconds; none: not cancelled"]
    started_at: Annotated[Time, "when it was dealt"]
    finished_at: Annotated[Time, "when it was settled"]
    shard: Annotated[int, "the shard of the log"]
    first_height: Annotated[int, "the commit in that shard that opened it"]
    last_height: Annotated[int, "the commit that settled it"]


class Result(NamedTuple):
    """What a hand that is over came to for a player who was dealt in."""

    hand: Annotated[str, "the hand, such as t1-17: table and number"]
    table_id: Annotated[str, "the table"]
    seat: Annotated[int, "his seat"]
    player: Annotated[str, "his reference"]
    currency: Annotated[str, "the hand's currency"]
    stack_before: Annotated[Amount, "his chips when it was dealt"]
    stack_after: Annotated[Amount, "his chips when it was settled"]
    put_in: Annotated[Amount, "all that he put in, what came back among it"]
    returned: Annotated[Amount, "what came back: uncalled bets, or all where the hand was cancelled"]
    won: Annotated[Amount, "what he was awarded of the pots, after rake"]
    net: Annotated[Amount, "won, less what he put in and didn't get back"]
    rake_part: Annotated[Amount, "his part of the rake, by what he put in and didn't get back; the parts sum to it"]
    folded: Annotated[bool, "whether he folded"]
    shown: Annotated[bool, "whether his hand was shown"]
    mucked: Annotated[bool, "whether he mucked it at the showdown"]
    protected: Annotated[bool, "whether all-in protection was used for him"]
    aside: Annotated[Amount, "the rest of his stack that was set aside then"]
    finished_at: Annotated[Time, "when the hand was settled"]


class OpeningRow(NamedTuple):
    """Cards of a hand that were dealt face down and opened to staff. The reason is sealed: `handlog openings`."""

    hand: Annotated[str, "the hand, such as t1-17: table and number"]
    opened_at: Annotated[Time, "when the room recorded it"]
    form: Annotated[str, "what was given: faces, or keys"]
    seats: Annotated[tuple[int, ...], "whose cards"]
    deck: Annotated[bool, "whether the order of the deck was opened too"]
    settled: Annotated[bool, "whether the hand was over"]
    version: Annotated[int, "at which fact of the hand"]
    asked_by: Annotated[str, "who asked"]
    second: Annotated[str, "who took it upon him too; empty where none is needed"]
    shard: Annotated[int, "the shard of the log"]
    height: Annotated[int, "the commit in that shard"]


class ProtectionAnswer(NamedTuple):
    """What a player's file, which counts his uses of all-in protection, answered to a table about a hand."""

    hand: Annotated[str, "the hand, such as t1-17: table and number"]
    table_id: Annotated[str, "the table"]
    player: Annotated[str, "his reference"]
    about: Annotated[
        str, "protection: may he be protected, asked when his connection was lost; protection-used: he was"
    ]
    outcome: Annotated[str, "granted or refused; of a use done, or over: it hadn't been granted"]
    answered_at: Annotated[Time, "when the table had the answer"]
    shard: Annotated[int, "the shard of the log"]
    height: Annotated[int, "the commit in that shard"]


TABLES: dict[str, type[Any]] = {
    "decisions": Decision,
    "hands": HandRow,
    "results": Result,
    "openings": OpeningRow,
    "protection_answers": ProtectionAnswer,
}


class Column(NamedTuple):
    """A column as the files have it."""

    name: str
    type: pa.DataType
    nullable: bool
    means: str
    of: Is | None

    @property
    def text(self) -> str:
        """What the column means, and in what it is counted."""
        return f"{self.means}; {self.of.value}" if self.of is Is.AMOUNT else self.means


@cache
def columns(table: str) -> tuple[Column, ...]:
    """The columns of a table, in order."""
    hints = get_type_hints(TABLES[table], include_extras=True)
    return tuple(_column(name, hint) for name, hint in hints.items())


@cache
def schema(table: str) -> pa.Schema:
    """The columns as Parquet gets them, each with its meaning."""
    return pa.schema([
        pa.field(one.name, one.type, one.nullable, {"means": one.means}) for one in columns(table)
    ])  # fmt: skip


_TYPES: dict[Any, pa.DataType] = {
    int: pa.int64(),
    str: pa.string(),
    bool: pa.bool_(),
    tuple[int, ...]: pa.list_(pa.int64()),
    tuple[str, ...]: pa.list_(pa.string()),
}


def _column(name: str, hint: Any) -> Column:
    kind, *notes = get_args(hint)
    optional = [one for one in get_args(kind) if one is not NoneType] if NoneType in get_args(kind) else []
    if optional and get_origin(optional[0]) is Annotated:
        inner, *more = get_args(optional[0])
        optional, notes = [inner], [*more, *notes]
    kind = optional[0] if optional else kind
    of = next((one for one in notes if isinstance(one, Is)), None)
    type_ = pa.timestamp("us", "UTC") if of is Is.TIME else _TYPES[kind]
    return Column(name, type_, bool(optional), notes[-1], of)


_RECKONED = {"due", "by_rules", "by_arithmetic"}

AMOUNTS = frozenset(one.name for table in TABLES for one in columns(table) if one.of is Is.AMOUNT) | _RECKONED
"""The columns, of whatever table or query, that hold amounts, or lists of them."""
