"""Hand histories in PHH, the poker hand history format (TOML; one hand in a .phh file, many in a .phhs).

PHH counts players from 1, the first left of the button, who has the last number. Heads-up it lists antes and blinds the
other way round. Fields that say nothing of chips or cards are passed over.
"""

import tomllib
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError

from domain.rules.registry import GAMES_BY_NAME
from domain.rules.vocabulary import Forced, Game, Kind, Limit
from services.interop.history import History, Line, Net, Seat, Unreadable
from services.interop.phh_actions import Told, told
from services.interop.unsupported import Reason, Unsupported

VARIANTS = {
    "FT": ("holdem", Limit.FIXED),
    "NT": ("holdem", Limit.NO),
    "PO": ("omaha", Limit.POT),
    "FO/8": ("omaha-hilo", Limit.FIXED),
    "F7S": ("stud", Limit.FIXED),
    "F7S/8": ("stud-hilo", Limit.FIXED),
    "F2L3D": ("triple-draw", Limit.FIXED),
}
"""The codes of the games that are spread here; of others PHH has NS, FR, N2L1D and FB."""

CENTS = 2
"""Decimal places of money."""


class Imported(NamedTuple):
    """A hand of a file. `net`: what its players won or lost by their stacks at the end; `collected`: what they had from
    the pots. Both are None where the file tells neither; the rake stands in the history only with `net`. `currency`: as
    the file says it, "EUR" or "$", or empty."""

    history: History
    net: Net | None
    collected: Net | None
    currency: str


def _number(value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError(f"{value!r} is no number")
    return Decimal(value)


Amount = Annotated[Decimal, PlainValidator(_number)]


class _Fields(BaseModel):
    """The fields of a hand that are read."""

    model_config = ConfigDict(extra="ignore")

    variant: str
    antes: list[Amount]
    blinds_or_straddles: list[Amount] = []
    bring_in: Amount = Decimal(0)
    small_bet: Amount = Decimal(0)
    big_bet: Amount = Decimal(0)
    min_bet: Amount = Decimal(0)
    starting_stacks: list[Amount] = Field(min_length=2)
    actions: list[str]
    finishing_stacks: list[Amount] | None = None
    winnings: list[Amount] | None = None
    level: int | None = None
    currency: str = ""
    currency_symbol: str = ""


def hands_of(text: str) -> dict[str, Any]:
    """The hands of a file, unread, by what they are called there: the number of a .phhs's table, "" for a .phh's one.

    Raises Unreadable for a text that isn't TOML, or holds no hand.
    """
    try:
        document = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"it isn't TOML, as PHH is: {error}") from None
    if "variant" in document:
        return {"": document}
    if not document:
        raise Unreadable("it holds no hand")
    return document


def read(hand: Any) -> Imported:
    """One hand of a file. Raises Unreadable for what isn't PHH; Unsupported for a game that isn't spread here, stacks
    that nobody knows, and a board that was run twice, which shows in more cards than it has: no part is taken then."""
    fields = _fields(hand)
    if fields.variant not in VARIANTS:
        raise Unsupported(Reason.GAME_NOT_DECLARED)
    if not all(stack.is_finite() for stack in fields.starting_stacks):
        raise Unsupported(Reason.STACK_UNKNOWN)
    name, limit = VARIANTS[fields.variant]
    return _Hand(fields, GAMES_BY_NAME[name], limit).imported()


def _fields(hand: Any) -> _Fields:
    if not isinstance(hand, dict):
        raise Unreadable(f"{hand!r} is no hand: a hand has at least variant, antes, starting_stacks and actions")
    try:
        fields = _Fields.model_validate(hand)
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors(include_url=False)]
        raise Unreadable("; ".join(faults)) from None
    count = len(fields.starting_stacks)
    for name in ("antes", "blinds_or_straddles", "finishing_stacks", "winnings"):
        entries = getattr(fields, name)
        if entries and len(entries) != count:
            raise Unreadable(f"{name} has {len(entries)} entries, but starting_stacks tells of {count} players")
    return fields


class _Hand:
    """The fields of one hand as a history."""

    def __init__(self, fields: _Fields, game: Game, limit: Limit) -> None:
        self.fields, self.game, self.limit = fields, game, limit
        self.players = [f"p{number}" for number in range(1, len(fields.starting_stacks) + 1)]
        self.kind = self._kind()

    def imported(self) -> Imported:
        stacks = self._by_player("starting_stacks")
        if not all(stacks.values()):
            raise Unreadable("starting_stacks: somebody has nothing, but who is dealt in has chips")
        net = self._net(stacks)
        actions = told(self.game, self.players, self.fields.actions, self._minor)
        history = self._history(stacks, actions, rake=-sum(net.values()) if net else 0)
        collected = self._by_player("winnings") if net is None and self.fields.winnings is not None else None
        currency = self.fields.currency or self.fields.currency_symbol
        return Imported(history, _paid(net), _paid(collected), currency)

    def _history(self, stacks: Net, actions: Told, rake: int) -> History:
        return History(
            game=self.game.name,
            limit=self.limit,
            kind=self.kind,
            stakes=self._stakes(),
            button=None if self.game.forced is Forced.ANTE_AND_BRING_IN else len(self.players),
            seats=tuple(Seat(player, number, stacks[player]) for number, player in enumerate(self.players, start=1)),
            lines=(*self._posts(dict(stacks)), *actions.lines),
            sights=tuple(actions.sights),
            boards=(tuple(actions.board),) if actions.board else (),
            rake=rake,
        )

    def _kind(self) -> Kind:
        """Amounts without a currency or a fraction are chips, which can't be broken."""
        fields = self.fields
        if fields.level is not None:
            return Kind.TOURNAMENT
        forced = (fields.bring_in, fields.small_bet, fields.big_bet, fields.min_bet)
        amounts = (*fields.antes, *fields.blinds_or_straddles, *fields.starting_stacks, *forced)
        fraction = any(one.is_finite() and one % 1 for one in amounts)
        return Kind.REAL if fraction or fields.currency or fields.currency_symbol else Kind.PLAY

    def _minor(self, amount: Decimal, what: str) -> int:
        """An amount in minor units."""
        minor = amount * 10 ** (CENTS if self.kind is Kind.REAL else 0)
        if not minor.is_finite() or minor < 0 or minor % 1:
            least = "0.01" if self.kind is Kind.REAL else "1"
            raise Unreadable(
                f"{what}: {amount} is no amount: those of this hand are multiples of {least}, never negative"
            )
        return int(minor)

    def _all_minor(self, name: str) -> list[int]:
        return [self._minor(one, name) for one in getattr(self.fields, name)]

    def _by_player(self, name: str) -> Net:
        return dict(zip(self.players, self._all_minor(name), strict=True))

    def _net(self, stacks: Net) -> Net | None:
        if self.fields.finishing_stacks is None:
            return None
        ended = self._by_player("finishing_stacks")
        if sum(ended.values()) > sum(stacks.values()):
            raise Unreadable("finishing_stacks hold more chips than starting_stacks: none come from nowhere")
        return {player: ended[player] - stacks[player] for player in self.players}

    def _stakes(self) -> dict[str, int]:
        small, big = (*self._all_minor("blinds_or_straddles"), 0, 0)[:2]
        bets = {name: self._minor(getattr(self.fields, name), name) for name in ("small_bet", "big_bet", "min_bet")}
        bring_in = self._minor(self.fields.bring_in, "bring_in")
        stated = {
            "sb": small,
            "bb": big,
            "ante": max(self._all_minor("antes"), default=0),
            "bring_in": bring_in,
            **bets,
        }
        return {name: amount for name, amount in stated.items() if amount}

    def _posts(self, left: Net) -> Iterator[Line]:
        """Antes, then blinds; who has less posts that. `left`: what each player has, which this uses up."""
        antes, blinds = self._all_minor("antes"), self._all_minor("blinds_or_straddles")
        yield from self._posted(left, antes, ["ante"] * len(antes))
        yield from self._posted(left, blinds, _named(blinds))

    def _posted(self, left: Net, amounts: Sequence[int], names: Sequence[str]) -> Iterator[Line]:
        posting = self.players[::-1] if len(self.players) == 2 else self.players
        for player, amount, name in zip(posting, amounts, names, strict=False):
            by = min(amount, left[player])
            left[player] -= by
            if by:
                yield Line("post", self.game.streets[0].name, player, by, live=name != "ante", post=name)


def _named(blinds: Sequence[int]) -> list[str]:
    """Who posts a big blind out of turn posts it late (rules.md section 7); who posts anything else has straddled."""
    return ["sb", "bb", *("late_bb" if amount == blinds[1] else "straddle" for amount in blinds[2:])][: len(blinds)]


def _paid(amounts: Net | None) -> Net | None:
    """Without those who had nothing."""
    return None if amounts is None else {player: amount for player, amount in amounts.items() if amount}
