"""Why a logged hand can't be dealt again: reasons that its log forces, none that our rules would."""

from enum import StrEnum
from functools import cache
from pathlib import Path

from domain.cards import FACES, card
from domain.rules.evaluation import evaluator
from domain.rules.vocabulary import Forced
from tests.oracle.games import declared, is_declared
from tests.oracle.holdings import holdings, is_blank
from tests.oracle.records import Record
from tests.oracle.seating import button_and_seats

BROKEN = Path(__file__).with_name("broken.txt")


class Skip(StrEnum):
    GAME_NOT_DECLARED = "the room doesn't declare this game yet"
    RUN_TWICE = "the board was run more than once"
    STRADDLE = "a player straddled"
    CASH_OUT = "a player cashed out of his all-in"
    SPLASH_POT = "the room added money to the pot"
    BIG_BLIND_MISSING = "nobody posted the big blind, and no rule of ours knows such a hand"
    SEAT_ORDER_UNRELIABLE = "neither the seats nor the first round's actions tell who sits left of whom"
    DECIDING_CARDS_UNKNOWN = "nobody logged cards that decide a pot"
    STREETS_MERGED = "two streets stand in the log as one"
    BET_LOGGED_TWICE = "one bet stands in the log several times"
    SEATS_WRONG = "the seats of the log contradict its actions"
    POST_LOGGED_AS_BET = "a forced all-in post stands in the log as a bet"
    STAKES_WRONG = "the stakes of the log aren't those that were played"
    LINES_LOST = "lines of the log are lost"
    CANCELLED = "the room cancelled the hand"
    CHECKS_AFTER_ALL_IN = "the log lets players check who have no decision any more"
    CAPPED_GAME = "what a player may put into the hand was capped"
    SEAT_WITHOUT_CHIPS = "a player was dealt in without chips"
    BRING_IN_IN_BET = "the log adds the bring-in to the bet"


def why_skipped(record: Record) -> Skip | None:
    """The first reason that applies; None for a hand that can be dealt again."""
    if not is_declared(record.game):
        return Skip.GAME_NOT_DECLARED
    if record.id in broken():
        return broken()[record.id]
    if len(record.boards) > 1 or "run_it_multiple" in record.flags:
        return Skip.RUN_TWICE
    if any(line.post == "straddle" for line in record.posts):
        return Skip.STRADDLE
    if any(line.act == "cash_out" for line in record.lines):
        return Skip.CASH_OUT
    if "splash_pot" in record.flags:
        return Skip.SPLASH_POT
    if _big_blind_missing(record):
        return Skip.BIG_BLIND_MISSING
    if button_and_seats(record) is None:
        return Skip.SEAT_ORDER_UNRELIABLE
    if _deciding_cards_unknown(record):
        return Skip.DECIDING_CARDS_UNKNOWN
    return None


def _big_blind_missing(record: Record) -> bool:
    has_blinds = declared(record.game).forced is Forced.BLINDS
    return has_blinds and not any(line.post == "bb" for line in record.posts)


def _deciding_cards_unknown(record: Record) -> bool:
    """Whether a showdown lacks cards of a player who didn't lay his hand down himself.

    A logged muck is an action, not an award: it is fed in as giving up. Where the betting ended early all hands are
    turned up, so there no muck helps.
    """
    found = holdings(record, declared(record.game))
    unknown = [seat.player for seat in record.left if not found[seat.player].known]
    if len(record.left) == 1 or not unknown:
        return False
    if not betting_ended_early(record) and record.mucked.issuperset(unknown):
        return False
    return not _same_winners_whatever_it_is(record, {seat.player: found[seat.player].held for seat in record.left})


def _same_winners_whatever_it_is(record: Record, held: dict[str, tuple[str, ...]]) -> bool:
    """Whether one card alone is unknown, and no card in its place would change which hands beat which."""
    seen = [one for hand in held.values() for one in hand]
    seen += record.boards[0] if record.boards else ()
    if sum(map(is_blank, seen)) > 1:
        return False
    orders = {
        _order_of_hands(record, [[face if is_blank(one) else one for one in hand] for hand in held.values()])
        for face in FACES
        if face not in seen
    }
    return len(orders) == 1


def _order_of_hands(record: Record, hands: list[list[str]]) -> tuple[tuple[tuple[int, bool], ...], ...]:
    """For high and for low: how many of the hands beat each, and whether it qualifies."""
    game = declared(record.game)
    board = [card(face) for face in (record.boards[0] if record.boards else ())]
    order = []
    for ranking in filter(None, (game.high, game.low)):
        worth = evaluator(ranking, game.hole_cards_used)
        values = [worth([card(face) for face in hand], board) for hand in hands]
        order.append(tuple((sum(other > mine for other in values), mine > 0) for mine in values))
    return tuple(order)


def betting_ended_early(record: Record) -> bool:
    """Whether at most one of those who are left had chips to bet with."""
    paid: dict[str, int] = {}
    for line in record.lines:
        paid[line.player] = paid.get(line.player, 0) + line.by
    return sum(1 for seat in record.left if seat.stack > paid.get(seat.player, 0)) <= 1


@cache
def broken() -> dict[str, Skip]:
    """The hands listed in broken.txt."""
    lines = (line.split() for line in BROKEN.read_text().splitlines() if line and not line.startswith("#"))
    return {hand: Skip[reason] for hand, reason in lines}
