"""What protects a player: his limits, a cooling off, an exclusion, which he sets himself, and what the floor freezes.

Stricter holds at once, looser after 24 hours; an exclusion is never shortened.
"""

from domain.account import commands as ask
from domain.account import events as fact
from domain.account.events import LimitKind
from domain.account.limits import when
from domain.account.state import ACCOUNTS_IN, DAY, Patron, PlayerFile, in_force
from domain.messages import Facts, Refused
from domain.rules.phrases import listed
from domain.transfers import About, NoticeSent, notices

LOOSENED_AFTER = DAY
"""Microseconds before a looser limit holds."""

_ONLY_OUT = "meanwhile money is withdrawn, and none deposited or brought to tables"


def set_limit(patron: Patron, asked: ask.SetLimit, at: int) -> list[Facts]:
    if asked.limit is LimitKind.SESSION and asked.currency:
        raise Refused(f"a session limit is of time and has no currency, not {asked.currency}: leave it out")
    if asked.limit is not LimitKind.SESSION and asked.currency not in ACCOUNTS_IN:
        raise Refused(f"a {asked.limit} limit is of a currency: {listed(ACCOUNTS_IN, 'or')}, not {asked.currency!r}")
    now = in_force(patron.file.limits.get((asked.limit, asked.period, asked.currency), []), at)
    if now is None and asked.most is None:
        raise Refused(f"{patron.id} has no such limit: there is none to lift")
    stricter = now is None or (asked.most is not None and asked.most <= now)
    effective = at if stricter else at + LOOSENED_AFTER
    return [(patron.stream, [fact.LimitSet(asked.limit, asked.period, asked.currency, asked.most, effective, at)])]


def cool_off(patron: Patron, asked: ask.CoolOff, at: int) -> list[Facts]:
    if asked.until <= at:
        raise Refused(f"a cooling off ends later than now: {when(asked.until)} is past")
    if asked.until < patron.file.cooling_off:
        raise Refused(f"{patron.id} cools off until {when(patron.file.cooling_off)}: that can be made longer only")
    return [(patron.stream, [fact.CoolingOffBegun(asked.until, at), *_told(patron, About.LEAVE, at)])]


def exclude(patron: Patron, asked: ask.Exclude, at: int) -> list[Facts]:
    if asked.until is not None and asked.until <= at:
        raise Refused(f"an exclusion ends later than now, or never: {when(asked.until)} is past")
    now = patron.file.excluded
    if now is None:
        raise Refused(f"{patron.id} is excluded for good already: that is never shortened")
    if asked.until is not None and asked.until < now:
        raise Refused(f"{patron.id} is excluded until {when(now)}: that can be made longer only")
    return [(patron.stream, [fact.PlayerExcluded(asked.until, at), *_told(patron, About.LEAVE, at)])]


def freeze(patron: Patron, asked: ask.Freeze, at: int) -> list[Facts]:
    if patron.file.frozen:
        raise Refused(f"{patron.id} is frozen already: he stays so until somebody unfreezes him")
    _check_reason(asked.reason)
    return [(patron.stream, [fact.AccountsFrozen(asked.reason, at), *_told(patron, About.FREEZE, at)])]


def unfreeze(patron: Patron, asked: ask.Unfreeze, at: int) -> list[Facts]:
    """Who went away meanwhile is told to his tables again: a frozen seat couldn't be left."""
    if not patron.file.frozen:
        raise Refused(f"{patron.id} isn't frozen: there is nothing to take back")
    _check_reason(asked.reason)
    also = (About.LEAVE,) if is_away(patron, at) else ()
    return [(patron.stream, [fact.AccountsUnfrozen(asked.reason, at), *_told(patron, About.UNFREEZE, at, *also)])]


def news_for(patron: Patron, table: str, at: int) -> list[NoticeSent]:
    """What a table must learn of a player whose money has just come there: it may have been told before that."""
    about = [About.FREEZE] if patron.file.frozen else []
    about += [About.LEAVE] if is_away(patron, at) else []
    return notices(patron.file, [(table, one) for one in about], patron.id, at)


def check_may_play(patron: Patron, at: int) -> None:
    """Raise Refused for a player who is frozen, excluded or cools off."""
    check_not_frozen(patron)
    check_not_away(patron, at)


def check_not_frozen(patron: Patron) -> None:
    if patron.file.frozen:
        raise Refused(f"{patron.id}'s money is frozen by the floor: ask the floor manager")


def check_not_away(patron: Patron, at: int) -> None:
    """Raise Refused for a player who is excluded or cools off, with when that ends."""
    if is_excluded(patron.file, at):
        excluded = patron.file.excluded
        ends = "for good" if excluded is None else f"until {when(excluded)}"
        raise Refused(f"{patron.id} excluded himself {ends}: {_ONLY_OUT}")
    if patron.file.cooling_off > at:
        raise Refused(f"{patron.id} cools off until {when(patron.file.cooling_off)}: {_ONLY_OUT}")


def is_away(patron: Patron, at: int) -> bool:
    return is_excluded(patron.file, at) or patron.file.cooling_off > at


def is_excluded(file: PlayerFile, at: int) -> bool:
    return file.excluded is None or file.excluded > at


def _told(patron: Patron, about: About, at: int, *also: About) -> list[NoticeSent]:
    news = [(f"table:{table}", one) for table in patron.tables() for one in (about, *also)]
    return notices(patron.file, news, patron.id, at)


def _check_reason(reason: str) -> None:
    if not reason:
        raise Refused("a player's money is frozen and unfrozen for a reason: say why")
