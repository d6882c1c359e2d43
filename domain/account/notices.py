"""What tables and a player's file tell each other; a player's uses of all-in protection are counted here (rules.md
section 8)."""

from domain.account.state import Patron, PlayerFile
from domain.messages import Facts, Refused
from domain.transfers import (
    About,
    NoticeClosed,
    Outcome,
    PlayerCloseNotice,
    PlayerReceiveNotice,
    check_next,
    noticed_as,
    under_way,
)


def receive_notice(patron: Patron, asked: PlayerReceiveNotice, at: int) -> list[Facts]:
    check_next(patron.file, asked)
    return [(patron.stream, [noticed_as(asked, _outcome(patron.file, asked, at), at)])]


def _outcome(file: PlayerFile, asked: PlayerReceiveNotice, at: int) -> Outcome:
    """Granted are as many uses in 24 hours as the table allows, those that were given back not counted."""
    uses = file.uses_at(at)
    match asked.about:
        case About.PROTECTION:
            return Outcome.GRANTED if len(uses) < asked.allowed else Outcome.REFUSED
        case About.PROTECTION_USED:
            return Outcome.DONE if any(use.hand == asked.hand for use in file.uses) else Outcome.OVER
        case About.PROTECTION_RELEASED:
            return Outcome.DONE
        case _:
            raise Refused(f"a player's file tells tables of a {asked.about}, none tells it")


def close_notice(patron: Patron, asked: PlayerCloseNotice, at: int) -> list[Facts]:
    sent = under_way(patron.file, asked)
    closed = NoticeClosed(sent.to, sent.seq, sent.about, sent.player, sent.hand, asked.outcome, at)
    return [(patron.stream, [closed])]
