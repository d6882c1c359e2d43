"""What a player's own limits leave him, looked at when money moves. Amounts in minor units, times UTC microseconds.

Each counts over 24 hours, 7 or 30 days back from now. A loss is the cash that went to tables less what came back from
them, never under 0; money that is still at a table counts as lost until then. A session is time with a seat at any
table, counted once where he sits at several. Who sits when it runs out plays on with what he has there, and brings
nothing more: limits hold at buy-ins and top-ups; an exclusion is what takes him from his seat.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from domain.account.events import LimitKind, Period
from domain.account.state import PERIODS, Account, Move, Patron, Sitting, in_force
from domain.messages import SECOND, Refused
from domain.money import decimal_text

_OVER = {Period.DAY: "24 hours", Period.WEEK: "7 days", Period.MONTH: "30 days"}


def check_deposit(patron: Patron, account: Account, amount: int, at: int) -> None:
    """Raise Refused where the deposit would go over a limit of deposits."""
    _check_amounts(patron, account, LimitKind.DEPOSIT, account.deposits, amount, at)


def check_loss(patron: Patron, account: Account, cash: int, at: int) -> None:
    """Raise Refused where all that he then had at tables, if he lost it, would go over a limit of losses."""
    _check_amounts(patron, account, LimitKind.LOSS, account.brought, cash, at)


def check_session(patron: Patron, at: int) -> None:
    """Raise Refused where he has sat at tables as long as he wants to."""
    sat = _united(_sittings(patron, at))
    for period, most in _in_force(patron, LimitKind.SESSION, "", at):
        span = PERIODS[period]
        if _lasted(sat, at - span) < most * SECOND:
            continue
        if not most:
            raise Refused(
                f"{patron.id}'s session limit is no time at tables: raise it first, which holds after 24 hours"
            )
        ends = _when_under(sat, most * SECOND) + span
        raise Refused(
            f"{patron.id}'s session limit is {_time(most)} at tables in {_OVER[period]}, and none of it is left: "
            f"sit down or top up after {when(ends)}"
        )


def when(at: int) -> str:
    """As in "2026-11-30 15:00:00 UTC", up to the next second."""
    return datetime.fromtimestamp(-(-at // SECOND), UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _in_force(patron: Patron, kind: LimitKind, currency: str, at: int) -> Iterable[tuple[Period, int]]:
    for period in Period:
        most = in_force(patron.file.limits.get((kind, period, currency), []), at)
        if most is not None:
            yield period, most


def _check_amounts(
    patron: Patron, account: Account, kind: LimitKind, moves: Sequence[Move], amount: int, at: int
) -> None:
    currency, scale = account.opened.currency, account.opened.scale
    for period, most in _in_force(patron, kind, currency, at):
        span = PERIODS[period]
        left = most - _counted(moves, at - span)
        if amount <= left:
            continue
        free = _when_free(moves, most - amount, span, at)
        later = f"{decimal_text(amount, scale)} fits after {when(free)}" if free else "so much never fits under it"
        raise Refused(
            f"{patron.id}'s {kind} limit is {decimal_text(most, scale)} {currency} in {_OVER[period]}, of which "
            f"{decimal_text(max(left, 0), scale)} is left now, not {decimal_text(amount, scale)}: {later}"
        )


def _counted(moves: Iterable[Move], after: int) -> int:
    """What counts of moves that were made after a time."""
    return max(sum(move.amount for move in moves if move.at > after), 0)


def _when_free(moves: Sequence[Move], room: int, span: int, at: int) -> int:
    """When the oldest moves have run out so far that what counts is at most `room`; 0: never."""
    if room < 0:
        return 0
    ends = sorted(move.at + span for move in moves if move.at + span > at)
    return next(end for end in ends if _counted(moves, end - span) <= room)


# --- time at tables --------------------------------------------------------------------------------------------------


def _sittings(patron: Patron, at: int) -> list[Sitting]:
    """All times at tables, those that go on up to now."""
    accounts = patron.accounts.values()
    over = [sitting for account in accounts for sitting in account.sat]
    return over + [Sitting(stay.since, at) for account in accounts for stay in account.seated.values()]


def _united(sittings: list[Sitting]) -> list[Sitting]:
    """The same times without overlaps, in order."""
    united: list[Sitting] = []
    for one in sorted(sittings, key=lambda sitting: sitting.since):
        if united and one.since <= united[-1].until:
            last = united.pop()
            united.append(Sitting(last.since, max(last.until, one.until)))
        else:
            united.append(one)
    return united


def _lasted(united: Iterable[Sitting], after: int) -> int:
    return sum(max(one.until - max(one.since, after), 0) for one in united)


def _when_under(united: Sequence[Sitting], most: int) -> int:
    """The moment after which all sittings together lasted `most`: once that is a period ago, less than that counts."""
    for one in reversed(united):
        if one.until - one.since >= most:
            return one.until - most
        most -= one.until - one.since
    raise AssertionError("this is asked only where they lasted so long")


def _time(seconds: int) -> str:
    """As in "1 h 30 min"."""
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    parts = [f"{count} {unit}" for count, unit in ((hours, "h"), (minutes, "min"), (left, "s")) if count]
    return " ".join(parts) or "0 s"
