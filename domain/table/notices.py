"""What a table and the files of its players tell each other: who is frozen or must leave, and whether a player whose
connection is lost is protected (rules.md section 8)."""

from collections.abc import Iterable, Sequence
from typing import Any

from domain.hand.events import AllInProtected, HandSettled
from domain.messages import Refused, player_stream
from domain.table.events import Freeze, Leaving, PlayerFrozen, PlayerLeaving, PlayerUnfrozen
from domain.table.state import Seat, Table
from domain.transfers import (
    About,
    NoticeClosed,
    Outcome,
    TableCloseNotice,
    TableReceiveNotice,
    check_next,
    noticed_as,
    notices,
    under_way,
)


def receive_notice(table: Table, asked: TableReceiveNotice, at: int) -> list[Any]:
    """Raises AlreadyDone for the last notice again, Refused for one that isn't the next."""
    check_next(table, asked)
    number = next((number for number, seat in table.seats.items() if seat.player == asked.player), 0)
    outcome = Outcome.DONE if number else Outcome.ABSENT
    return [
        noticed_as(asked, outcome, at),
        *(_what_follows(table.seats[number], number, asked.about) if number else []),
    ]


def _what_follows(seat: Seat, number: int, about: About) -> list[Any]:
    """What a notice means to his seat, if that isn't so already. The reason stands in his file."""
    match about:
        case About.FREEZE:
            return [] if seat.money_frozen else [PlayerFrozen(number, seat.player, "", Freeze.MONEY)]
        case About.UNFREEZE:
            return [PlayerUnfrozen(number, seat.player, "", Freeze.MONEY)] if seat.money_frozen else []
        case About.LEAVE:
            return [] if seat.leaving else [PlayerLeaving(number, seat.player, Leaving.AWAY, "")]
        case _:
            raise Refused(f"a table tells players' files of {about}, none tells it")


def close_notice(table: Table, asked: TableCloseNotice, at: int) -> list[Any]:
    sent = under_way(table, asked)
    return [NoticeClosed(sent.to, sent.seq, sent.about, sent.player, sent.hand, asked.outcome, at)]


# --- all-in protection -----------------------------------------------------------------------------------------------


def ask_protection(table: Table, hand: str, lost: Iterable[int], at: int) -> list[Any]:
    """Ask for those seats, which play in that hand and have lost their connection: once a hand each."""
    allowed = table.rules.protections if table.rules is not None else 0
    if not allowed:
        return []
    seats = [table.seats[number] for number in lost if not table.seats[number].protection]
    return [one for seat in seats for one in _news(table, seat, About.PROTECTION, hand, at, allowed)]


def tell_protection(table: Table, hand: str, facts: Sequence[Any], at: int) -> list[Any]:
    """What facts of a hand mean to the protection that was asked for: it is used, or, with the hand over, it isn't."""
    used = [fact.seat for fact in facts if type(fact) is AllInProtected]
    told = [one for number in used for one in _news(table, table.seats[number], About.PROTECTION_USED, hand, at)]
    if type(facts[-1]) is HandSettled:
        unused = [
            seat for number, seat in table.seats.items() if seat.protection in _NOT_USED_YET and number not in used
        ]
        told += [one for seat in unused for one in _news(table, seat, About.PROTECTION_RELEASED, hand, at)]
    return told


_NOT_USED_YET = frozenset({"asked", "granted"})


def _news(table: Table, seat: Seat, about: About, hand: str, at: int, allowed: int = 0) -> list[Any]:
    to = [(player_stream(seat.player), about)]
    return notices(table, to, seat.player, at, hand=hand, allowed=allowed)
