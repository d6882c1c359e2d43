"""Whether a log's money adds up: every chip has come from somewhere and lies somewhere, each rake is what its hand
owes, and what one stream sent another was received there, or refused and given back (rules.md section 9; design,
Money).

It keeps books of its own in memory, from the first commit on, and asks no store of views: an auditor has a file only.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from domain import transfers
from domain.hand import events as of_hand
from domain.money import Money
from domain.room import DayClosed, DayTotal, ShardOpened
from domain.rules.rake import rake_by_pot
from domain.table.state import Table
from domain.table.state import evolve as evolve_table
from projections.kinds import HOUSE, MAY_OWE, PLAYERS_OWN, Kind, kind_of
from projections.postings import PLACES, UnknownEvent, player_account, postings
from projections.view import MissingRow, Rows
from projections.zones import local_day
from services.rake_due import RakeDue

Find = Callable[[int, int, str], None]
"""Takes a finding: the shard, the height, what is wrong."""


class Sum(NamedTuple):
    """What the money of a currency comes to, in minor units.

    `came`: deposits less withdrawals, and the chips that the cashier has sold at tables and not bought back. `house`:
    its rake, less what it gave by adjustments and promotions.
    """

    currency: str
    came: int
    accounts: int
    tables: int
    in_transit: int
    house: int

    @property
    def agrees(self) -> bool:
        return self.came == self.accounts + self.tables + self.in_transit + self.house

    def __str__(self) -> str:
        came, *parts = (str(Money(amount, self.currency)) for amount in self[1:])
        named = " + ".join(f"{part} {what}" for what, part in zip(_PARTS, parts, strict=True))
        return f"deposits less withdrawals {came} {'=' if self.agrees else 'IS NOT'} {named}"


_PARTS = ("in accounts", "on tables", "in transit", "of the house")


class _Hand:
    """What a hand under way tells of the rake that it owes."""

    def __init__(self, opened: of_hand.HandOpened) -> None:
        self.currency = opened.currency
        self.owing = RakeDue(opened)
        self.pots: tuple[int, ...] = ()
        self.raked: tuple[int, ...] = ()
        self.cancelled = False

    def take(self, event: Any) -> None:
        """Note what was gathered and raked, and how far the hand came."""
        self.owing.take(event)
        match event:
            case of_hand.BetsCollected():
                self.pots = event.pots
            case of_hand.RakeTaken():
                self.raked = event.by_pot
            case of_hand.HandCancelled():
                self.cancelled = True

    def owes(self) -> tuple[int, ...]:
        """What each pot owes by the schedule that the hand has pinned."""
        schedule = self.owing.schedule
        due = rake_by_pot(schedule, self.pots) if schedule is not None and self.owing.due else []
        return tuple(due) if any(due) else ()


@dataclass(slots=True)
class _Day:
    """A shard at the end of one of its days: its commits from the beginning on, and what lies in each kind of account
    of its books, by currency; and of that day its hands, rake, deposits and withdrawals."""

    day: str
    commits: int = 0
    kinds: Counter[tuple[str, Kind]] = field(default_factory=Counter)
    hands: Counter[str] = field(default_factory=Counter)
    rake: Counter[str] = field(default_factory=Counter)
    deposits: Counter[str] = field(default_factory=Counter)
    withdrawals: Counter[str] = field(default_factory=Counter)


def is_any(total: DayTotal) -> bool:
    """Whether there was anything of a currency: a day isn't closed with the others."""
    return any(getattr(total, each.name) for each in fields(total) if each.name != "currency")


def _sums(days: Iterable[_Day]) -> list[Sum]:
    """What each currency comes to, all shards together."""
    by_kind: Counter[tuple[str, Kind]] = Counter()
    for one in days:
        by_kind.update(one.kinds)

    def total(currency: str, *kinds: Kind) -> int:
        return sum(by_kind[currency, kind] for kind in kinds)

    return [
        Sum(
            currency=each,
            came=-total(each, Kind.BANK, Kind.CASHIER),
            accounts=total(each, *PLAYERS_OWN),
            tables=total(each, Kind.TABLES),
            in_transit=total(each, Kind.TRANSIT),
            house=total(each, *HOUSE),
        )
        for each in sorted({currency for currency, _ in by_kind})
    ]


class _Pair(NamedTuple):
    """Who sent to whom, and which one it was."""

    sender: str
    to: str
    seq: int


class Ledger:
    """Takes the commits of a log, shard by shard, and finds what doesn't add up."""

    def __init__(self) -> None:
        self._places: Rows[Any] = Rows(PLACES)
        self._balances: Counter[tuple[str, str]] = Counter()
        self._zone = "UTC"
        self._days: dict[int, list[_Day]] = {}
        self._closed_days: list[tuple[int, int, DayClosed]] = []
        self._hands: dict[str, _Hand] = {}
        self._tables: dict[str, Table] = {}
        self._sent: dict[_Pair, tuple[int, int, Any]] = {}
        self._received: dict[_Pair, tuple[int, int, Any]] = {}
        self._closed: dict[_Pair, tuple[int, int, Any]] = {}
        self._stopped: set[str] = set()

    def take(self, shard: int, height: int, at: int, facts: Sequence[tuple[str, int, Any]], find: Find) -> None:
        """Book a commit, made `at` (UTC microseconds), of facts as (stream, version, event); of a stream that didn't
        add up no more is looked at."""
        today = self._day(shard, height, at, facts)
        for stream, _, event in facts:
            if stream in self._stopped:
                continue
            try:
                wrong = self._book(today, stream, event) or self._carry(shard, height, stream, event)
            except (UnknownEvent, MissingRow, LookupError, ValueError) as error:
                wrong = f"can't be booked: {error}"
            if wrong is not None:
                self._stop(shard, height, stream, wrong, find)
            if type(event) is DayClosed:
                self._closed_days.append((shard, height, event))
        for table in {stream for stream, _, _ in facts if stream in self._tables} - self._stopped:
            wrong = self._stacks(table, self._tables[table])
            if wrong is not None:
                self._stop(shard, height, table, wrong, find)

    def _stop(self, shard: int, height: int, stream: str, wrong: str, find: Find) -> None:
        self._stopped.add(stream)
        find(shard, height, f"{stream}: {wrong}")

    def finish(self, find: Find) -> None:
        """At the end of all shards: what each stream says of another's money, and each currency's sum."""
        self._match(find)
        if self._stopped:
            return
        for shard, height, closed in self._closed_days:
            if self.at_end_of(closed.day) != (closed.commits, closed.totals):
                commits, totals = self.at_end_of(closed.day)
                find(
                    shard,
                    height,
                    f"{closed.day} was closed with {_added_up(closed.commits, closed.totals)}, "
                    f"it comes to {_added_up(commits, totals)}",
                )
        for one in self.sums():
            if not one.agrees:
                find(0, 0, f"the money of {one.currency} doesn't add up: {one}")
        for (account, currency), amount in sorted(self._balances.items()):
            if amount < 0 and account not in MAY_OWE:
                find(0, 0, f"{account} is at {Money(amount, currency)}: more left it than came")

    def sums(self) -> list[Sum]:
        """What each currency comes to."""
        return _sums(days[-1] for days in self._days.values())

    # Days

    def _day(self, shard: int, height: int, at: int, facts: Sequence[tuple[str, int, Any]]) -> _Day:
        """The shard's books of that day, which begin with what the day before has left."""
        if shard not in self._days:
            self._zone = next((event.time_zone for _, _, event in facts if type(event) is ShardOpened), self._zone)
        days, day = self._days.setdefault(shard, []), local_day(at, self._zone)
        if not days or days[-1].day != day:
            days.append(_Day(day, kinds=Counter(days[-1].kinds) if days else Counter()))
        days[-1].commits = height + 1
        return days[-1]

    def at_end_of(self, day: str) -> tuple[tuple[int, ...], tuple[DayTotal, ...]]:
        """A day of the room's, added up: how many commits each shard had at its end, and each currency's total."""
        last = [self._last_until(shard, day) for shard in sorted(self._days)]
        today = [one for one in last if one is not None and one.day == day]
        totals = (
            DayTotal(
                one.currency,
                deposits=sum(each.deposits[one.currency] for each in today),
                withdrawals=sum(each.withdrawals[one.currency] for each in today),
                rake=sum(each.rake[one.currency] for each in today),
                hands=sum(each.hands[one.currency] for each in today),
                accounts=one.accounts,
                tables=one.tables,
                in_transit=one.in_transit,
            )
            for one in _sums(filter(None, last))
        )
        return tuple(0 if one is None else one.commits for one in last), tuple(filter(is_any, totals))

    def _last_until(self, shard: int, day: str) -> _Day | None:
        days = self._days[shard]
        found = bisect_left([one.day for one in days], day + "~")
        return days[found - 1] if found else None

    # Each fact

    def _book(self, today: _Day, stream: str, event: Any) -> str | None:
        """Post what the fact moves; what is wrong with it, None where nothing is."""
        posted = postings(self._places, stream, event)
        for currency in {one.currency for one in posted}:
            if sum(one.amount for one in posted if one.currency == currency):
                return f"{type(event).__name__} makes or loses money of {currency}: {posted}"
        for one in posted:
            kind = kind_of(one.account)
            today.kinds[one.currency, kind] += one.amount
            if kind is Kind.BANK:
                (today.deposits if one.amount < 0 else today.withdrawals)[one.currency] += abs(one.amount)
            left = self._balances[one.account, one.currency] = self._balances[one.account, one.currency] + one.amount
            # What is under way may have been received in a shard that is read before its sender's.
            if left < 0 and one.account not in MAY_OWE and kind is not Kind.TRANSIT:
                return f"{type(event).__name__} leaves {one.account} at {Money(left, one.currency)}"
        if stream.startswith("table:"):
            self._tables[stream] = evolve_table(self._tables.get(stream), event)
        return self._of_hand(today, stream, event)

    def _of_hand(self, today: _Day, stream: str, event: Any) -> str | None:
        if type(event) is of_hand.HandOpened:
            self._hands[stream] = _Hand(event)
        elif stream in self._hands:
            self._hands[stream].take(event)
            if type(event) is of_hand.HandSettled:
                return self._settled(today, stream, self._hands.pop(stream), event)
        return None

    def _settled(self, today: _Day, stream: str, hand: _Hand, event: of_hand.HandSettled) -> str | None:
        """The rake is what the hand owes, and nothing is left in the middle."""
        currency = hand.currency
        today.hands[currency] += not hand.cancelled
        today.rake[currency] += event.rake
        if hand.raked != hand.owes() or event.rake != sum(hand.raked):
            taken, due = ([str(Money(one, currency)) for one in some] for some in (hand.raked, hand.owes()))
            return f"rake {taken or 'nothing'} of pots {hand.pots} was taken, {due or 'nothing'} is due"
        if left := self._balances[stream, currency]:
            return f"{Money(left, currency)} are left in the middle of a hand that is over"
        return None

    def _stacks(self, stream: str, table: Table) -> str | None:
        """Between hands each seat has the chips that the books have; what is wrong where one hasn't."""
        if table.open_hand:
            return None
        currency = table.opened.terms.currency
        for number, seat in table.seats.items():
            booked = self._balances[player_account(stream.removeprefix("table:"), seat.player), currency]
            if seat.chips != booked:
                chips, said = Money(seat.chips, currency), Money(booked, currency)
                return f"{seat.player} in seat {number} has {chips} before him, the books say {said}"
        return None

    # What goes from one stream to another

    def _carry(self, shard: int, height: int, stream: str, event: Any) -> str | None:
        match event:
            case transfers.TransferSent() | transfers.NoticeSent():
                pair, told = _Pair(stream, event.to, event.seq), self._sent
            case transfers.TransferReceived() | transfers.TransferRefused() | transfers.NoticeReceived():
                pair, told = _Pair(event.sender, stream, event.seq), self._received
            case transfers.TransferClosed() | transfers.NoticeClosed():
                pair, told = _Pair(stream, event.to, event.seq), self._closed
            case _:
                return None
        if pair in told:
            return f"{type(event).__name__} {pair.seq} from {pair.sender} to {pair.to} stands in the log twice"
        if pair.seq > 1 and pair._replace(seq=pair.seq - 1) not in told:
            return f"{type(event).__name__} {pair.seq} from {pair.sender} to {pair.to} comes without the one before it"
        told[pair] = shard, height, event
        return None

    def _match(self, find: Find) -> None:
        """What was received must have been sent, as it was; what was closed must have been received, or refused."""
        for told, before, verb in ((self._received, self._sent, "sent"), (self._closed, self._received, "answered")):
            for pair, (shard, height, event) in told.items():
                said = before.get(pair)
                if {pair.sender, pair.to} & self._stopped:
                    continue
                if said is None:
                    what = f"{type(event).__name__} {pair.seq} from {pair.sender} to {pair.to}"
                    find(shard, height, f"{what} was never {verb}")
                elif (differ := _differs(said[2], event)) is not None:
                    find(shard, height, f"{pair.seq} from {pair.sender} to {pair.to}: {differ}")


_SAME = ("amount", "currency", "purpose", "player", "seat", "promotion", "about", "hand", "allowed", "outcome")


def _differs(before: Any, after: Any) -> str | None:
    """In what one step says otherwise than the one before it; None where in nothing."""
    for name in _SAME:
        was, says = getattr(before, name, None), getattr(after, name, None)
        if None not in (was, says) and was != says:
            return f"{type(before).__name__} says {name} {was}, {type(after).__name__} {says}"
    if isinstance(after, transfers.TransferClosed):
        received = isinstance(before, transfers.TransferReceived)
        if after.received is not received:
            return f"it was {'received' if received else 'refused'}, but closed as the other"
    return None


def _added_up(commits: Sequence[int], totals: Sequence[DayTotal]) -> str:
    ends = ", ".join(map(str, commits))
    return f"{ends} commits and {'; '.join(map(str, totals)) or 'no money'}"
