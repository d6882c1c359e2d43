"""A player's file and his accounts, each a fold over the facts of its stream, and both together: the patron."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from domain.account import events as fact
from domain.account.events import LimitKind, Period
from domain.messages import SECOND, Refused, player_stream
from domain.money import SCALES
from domain.rules.phrases import listed
from domain.transfers import (
    NOTES,
    About,
    Inbox,
    NoticeClosed,
    NoticeReceived,
    NoticeSent,
    Outbox,
    Outcome,
    Purpose,
    TransferClosed,
    TransferReceived,
    TransferRefused,
    TransferSent,
)

DAY = 24 * 3600 * SECOND
PERIODS = {Period.DAY: DAY, Period.WEEK: 7 * DAY, Period.MONTH: 30 * DAY}
"""Microseconds over which a limit counts, back from the moment at which it is looked at."""

ACCOUNTS_IN = tuple(currency for currency in SCALES if currency != "CHIPS")
"""Currencies of accounts: a tournament's chips leave its tables for none."""

LimitName = tuple[LimitKind, Period, str]
"""What is limited: the kind, the period, the currency (empty for sessions)."""


@dataclass(slots=True, frozen=True)
class Move:
    """Minor units that went one way at a time; negative: they came back."""

    at: int
    amount: int


@dataclass(slots=True, frozen=True)
class Sitting:
    """A time at a table: from when the money for it left the account until what was left of it came back."""

    since: int
    until: int


@dataclass(slots=True)
class Stay:
    """At a table, or on the way there: since when, and the minor units that were brought there and have arrived."""

    since: int
    brought: int = 0


@dataclass(slots=True)
class Account:
    """An account at one version. What a player may withdraw or play is `balance`; `promotion` he may play only.

    alone_up_to: the largest adjustment that one person may make alone. holds: minor units by id. payments: minor units
    by reference, oldest first, negative for what was paid out. deposits, brought: of the last 30 days, the cash that
    came in, and the cash that went to tables (negative: that came back). seated: by table at which he has money, or to
    which it is under way. returned: by table, what it wouldn't take when it was last asked. sat: the times at tables in
    the last 30 days that are over. sent, received: see `domain.transfers`.

    A payment's reference is known for ever, so `payments` grows, with what goes over the counter and not with what is
    played; it is only added to, at its end.
    """

    opened: fact.AccountOpened
    alone_up_to: int = 0
    balance: int = 0
    promotion: int = 0
    holds: dict[str, int] = field(default_factory=dict)
    payments: dict[str, int] = field(default_factory=dict)
    deposits: list[Move] = field(default_factory=list)
    brought: list[Move] = field(default_factory=list)
    seated: dict[str, Stay] = field(default_factory=dict)
    returned: dict[str, TransferClosed] = field(default_factory=dict)
    sat: list[Sitting] = field(default_factory=list)
    sent: dict[str, Outbox] = field(default_factory=dict)
    received: dict[str, Inbox] = field(default_factory=dict)
    version: int = 1

    @property
    def held(self) -> int:
        return sum(self.holds.values())


@dataclass(slots=True, frozen=True)
class Use:
    """All-in protection that was granted for a hand and not given back."""

    hand: str
    at: int


@dataclass(slots=True)
class PlayerFile:
    """What concerns all accounts of a player.

    limits: by what is limited, the one in force and the one that will be, oldest first. cooling_off: until when.
    excluded: until when, None for good, 0 for not at all. uses: of all-in protection, those of the last 24 hours and
    maybe older ones.
    """

    currencies: list[str] = field(default_factory=list)
    limits: dict[LimitName, list[fact.LimitSet]] = field(default_factory=dict)
    cooling_off: int = 0
    excluded: int | None = 0
    frozen: bool = False
    uses: list[Use] = field(default_factory=list)
    sent: dict[str, Outbox] = field(default_factory=dict)
    received: dict[str, Inbox] = field(default_factory=dict)
    version: int = 0

    def uses_at(self, at: int) -> list[Use]:
        """The uses of all-in protection in the 24 hours before that."""
        return [use for use in self.uses if use.at > at - DAY]


@dataclass(slots=True)
class Patron:
    """A player with all that he has here: his file (None before its first fact) and his accounts, by currency."""

    id: str
    player: PlayerFile | None = None
    accounts: dict[str, Account] = field(default_factory=dict)

    @property
    def stream(self) -> str:
        return player_stream(self.id)

    @property
    def file(self) -> PlayerFile:
        """His file, empty before its first fact."""
        return self.player or PlayerFile()

    def account(self, currency: str) -> Account:
        """Raises Refused where he has none in the currency."""
        account = self.accounts.get(currency)
        if account is None:
            has = f", but in {listed(list(self.accounts))}" if self.accounts else ""
            raise Refused(f"{self.id} has no account in {currency}{has}: one is opened at the cage")
        return account

    def tables(self) -> list[str]:
        """The tables at which he has money, or to which it is under way."""
        return sorted({table for account in self.accounts.values() for table in account.seated})


def in_force(steps: list[fact.LimitSet], at: int) -> int | None:
    """What a limit allows at a time; None: anything."""
    begun = [step for step in steps if step.effective <= at]
    return begun[-1].most if begun else None


# --- the fold of an account ------------------------------------------------------------------------------------------


def evolve_account(account: Account | None, event: Any) -> Account:
    """The account after the event. The first event is AccountOpened; every other changes `account` in place."""
    if account is None:
        return Account(event, event.alone_up_to)
    FOLDS_OF_ACCOUNT[type(event)](account, event)
    account.version += 1
    return account


def _deposited(account: Account, event: fact.Deposited) -> None:
    account.balance += event.amount
    account.payments[event.reference] = event.amount
    account.deposits = _recent(account.deposits, event.at)
    account.deposits.append(Move(event.at, event.amount))


def _withdrawn(account: Account, event: fact.Withdrawn) -> None:
    account.payments[event.reference] = -event.amount
    if event.hold:
        del account.holds[event.hold]
    else:
        account.balance -= event.amount


def _held(account: Account, event: fact.Held) -> None:
    account.balance -= event.amount
    account.holds[event.hold] = event.amount


def _hold_released(account: Account, event: fact.HoldReleased) -> None:
    account.balance += account.holds.pop(event.hold)


def _adjusted(account: Account, event: fact.Adjusted) -> None:
    account.balance += event.amount


def _alone_limit_changed(account: Account, event: fact.AloneLimitChanged) -> None:
    account.alone_up_to = event.alone_up_to


def _promotion_granted(account: Account, event: fact.PromotionGranted) -> None:
    account.promotion += event.amount


def _promotion_taken_back(account: Account, event: fact.PromotionTakenBack) -> None:
    account.promotion -= event.amount


def _sent(account: Account, event: TransferSent) -> None:
    _put(account, event, -1)
    _bring(account, event.at, event.amount - event.promotion, event.at)
    if event.purpose is Purpose.BUY_IN:
        account.seated[_table(event.to)] = Stay(event.at)


def _received(account: Account, event: TransferReceived) -> None:
    """A player takes all that he has from a table, so from here on he isn't there."""
    _put(account, event, 1)
    _bring(account, event.at, event.promotion - event.amount, event.at)
    stay = account.seated.pop(_table(event.sender), Stay(event.at))
    account.sat = [one for one in account.sat if one.until > event.at - PERIODS[Period.MONTH]]
    account.sat.append(Sitting(stay.since, event.at))


def _closed(account: Account, event: TransferClosed) -> None:
    """He may be back from the table already when the account learns that what it had sent there arrived."""
    table = _table(event.to)
    if event.received:
        account.returned.pop(table, None)
        if table in account.seated:
            account.seated[table].brought += event.amount
        return
    account.returned[table] = event
    _put(account, event, 1)
    sent = account.sent[event.to].under_way[0]
    _bring(account, sent.at, event.promotion - event.amount, event.at)
    if event.purpose is Purpose.BUY_IN:
        del account.seated[table]


def _put(account: Account, event: Any, sign: int) -> None:
    account.balance += sign * (event.amount - event.promotion)
    account.promotion += sign * event.promotion


def _bring(account: Account, at: int, cash: int, now: int) -> None:
    account.brought = [*_recent(account.brought, now), Move(at, cash)]


def _recent(moves: list[Move], at: int) -> list[Move]:
    return [move for move in moves if move.at > at - PERIODS[Period.MONTH]]


def _table(stream: str) -> str:
    return stream.partition(":")[2]


def _nothing(of: Any, event: Any) -> None:
    """The bookkeeping of what is under way says it all."""


def _noting(handler: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """A fact of a transfer or a notice: first what it means here, then how the bookkeeping goes on."""

    def fold(of: Any, event: Any) -> None:
        handler(of, event)
        NOTES[type(event)](of, event)

    return fold


FOLDS_OF_ACCOUNT: dict[type[Any], Callable[[Account, Any], None]] = {
    fact.Deposited: _deposited,
    fact.Withdrawn: _withdrawn,
    fact.Held: _held,
    fact.HoldReleased: _hold_released,
    fact.Adjusted: _adjusted,
    fact.AloneLimitChanged: _alone_limit_changed,
    fact.PromotionGranted: _promotion_granted,
    fact.PromotionTakenBack: _promotion_taken_back,
    TransferSent: _noting(_sent),
    TransferReceived: _noting(_received),
    TransferRefused: _noting(_nothing),
    TransferClosed: _noting(_closed),
}


# --- the fold of a player's file -------------------------------------------------------------------------------------


def evolve_player(file: PlayerFile | None, event: Any) -> PlayerFile:
    """The file after the event; its first one may be any."""
    file = file or PlayerFile()
    FOLDS_OF_PLAYER[type(event)](file, event)
    file.version += 1
    return file


def _account_added(file: PlayerFile, event: fact.AccountAdded) -> None:
    file.currencies.append(event.currency)


def _limit_set(file: PlayerFile, event: fact.LimitSet) -> None:
    name = (event.limit, event.period, event.currency)
    begun = [step for step in file.limits.get(name, []) if step.effective <= event.at]
    file.limits[name] = [*begun[-1:], event]


def _cooling_off_begun(file: PlayerFile, event: fact.CoolingOffBegun) -> None:
    file.cooling_off = event.until


def _excluded(file: PlayerFile, event: fact.PlayerExcluded) -> None:
    file.excluded = event.until


def _frozen(file: PlayerFile, event: fact.AccountsFrozen) -> None:
    file.frozen = True


def _unfrozen(file: PlayerFile, event: fact.AccountsUnfrozen) -> None:
    file.frozen = False


def _told(file: PlayerFile, event: NoticeReceived) -> None:
    file.uses = file.uses_at(event.at)
    if event.outcome in {Outcome.GRANTED, Outcome.OVER}:
        file.uses.append(Use(event.hand, event.at))
    elif event.about is About.PROTECTION_RELEASED:
        file.uses = [use for use in file.uses if use.hand != event.hand]


FOLDS_OF_PLAYER: dict[type[Any], Callable[[PlayerFile, Any], None]] = {
    fact.AccountAdded: _account_added,
    fact.LimitSet: _limit_set,
    fact.CoolingOffBegun: _cooling_off_begun,
    fact.PlayerExcluded: _excluded,
    fact.AccountsFrozen: _frozen,
    fact.AccountsUnfrozen: _unfrozen,
    NoticeSent: _noting(_nothing),
    NoticeReceived: _noting(_told),
    NoticeClosed: _noting(_nothing),
}
