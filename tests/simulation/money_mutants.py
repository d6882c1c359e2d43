"""Bugs planted on purpose in what moves money and gives seats, each in one place of the product."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from domain.account import cage, limits, state
from domain.messages import AlreadyDone
from domain.table import decider, seating
from domain.table.cash_out import cash_out
from domain.transfers import AccountCloseTransfer, TransferClosed, check_next, closed_as, closing
from services.node import keeper
from services.room import advance, days, midnight, owners
from tests.simulation.staff import Staff


def _forgets(party: Any, asked: Any) -> None:
    with suppress(AlreadyDone):
        check_next(party, asked)


def table_receives_a_transfer_twice() -> Any:
    return patch("domain.table.funds.check_next", _forgets)


def account_receives_a_transfer_twice() -> Any:
    return patch("domain.account.tables.check_next", _forgets)


def runner_takes_a_refusal_for_a_receipt() -> Any:
    def takes(sender: str, sent: Any, outcome: Any) -> Any:
        command = closing(sender, sent, outcome)
        return replace(command, received=True, why="") if isinstance(command, AccountCloseTransfer) else command

    return patch("services.room.transit.closing", takes)


def account_doesnt_give_back_what_was_refused() -> Any:
    def closed(sent: Any, *, received: bool, why: str, at: int) -> Any:
        fact = closed_as(sent, received=received, why=why, at=at)
        return fact if received else replace(fact, promotion=0, amount=fact.amount - fact.promotion)

    return patch("domain.account.tables.closed_as", closed)


def account_is_paid_again_when_a_transfer_is_closed() -> Any:
    honest = state.FOLDS_OF_ACCOUNT[TransferClosed]

    def pays(account: Any, event: Any) -> None:
        honest(account, event)
        if event.received:
            account.balance += event.amount

    return patch.dict(state.FOLDS_OF_ACCOUNT, {TransferClosed: pays})


def promotion_becomes_cash_at_a_table() -> Any:
    def cashes(*given: Any) -> list[Any]:
        return [replace(sent, promotion=0) for sent in cash_out(*given)]

    return patch("domain.table.seats.cash_out", cashes)


def account_lets_an_overdraft_through() -> Any:
    return patch.object(cage, "check_covered", lambda account, amount: None)


def limits_forget_what_counts() -> Any:
    return patch.object(limits, "_counted", lambda moves, after: 0)


def missed_blind_is_charged_twice() -> Any:
    honest = seating.entry_posts

    def twice(number: int, seat: Any, rules: Any, stakes: Any) -> list[Any]:
        posts = honest(number, seat, rules, stakes)
        return posts + posts if seat.owes_big or seat.owes_small else posts

    return patch.object(seating, "entry_posts", twice)


def newcomer_plays_for_nothing() -> Any:
    return patch.object(seating, "entry_posts", lambda *given: [])


def paused_table_deals() -> Any:
    return patch.object(decider, "check_may_deal", lambda table: None)


def staff_forgets_what_was_under_way() -> Any:
    return patch.object(Staff, "find", lambda self, shard, streams: None)


def failed_hand_goes_on() -> Any:
    return patch.object(keeper, "_has_failed", lambda hand, gap: False)


def pause_is_taken_for_a_failure() -> Any:
    return patch.object(owners.Claims, "_gap", lambda self, shard, height: 10**9)


def overtaken_node_refuses_by_what_it_remembers() -> Any:
    return patch.object(owners.Claims, "confirm", lambda self, shard: True)


@contextmanager
def day_is_closed_while_it_goes_on() -> Iterator[None]:
    with patch.object(days, "still_in", lambda *given: []), patch.object(midnight, "still_in", lambda *given: []):
        yield


def advance_is_done_at_any_price() -> Any:
    return patch.object(advance, "NOT_DEARER", frozenset())


MONEY_MUTANTS = (
    advance_is_done_at_any_price,
    day_is_closed_while_it_goes_on,
    table_receives_a_transfer_twice,
    account_receives_a_transfer_twice,
    runner_takes_a_refusal_for_a_receipt,
    account_doesnt_give_back_what_was_refused,
    account_is_paid_again_when_a_transfer_is_closed,
    promotion_becomes_cash_at_a_table,
    account_lets_an_overdraft_through,
    limits_forget_what_counts,
    missed_blind_is_charged_twice,
    newcomer_plays_for_nothing,
    paused_table_deals,
    staff_forgets_what_was_under_way,
    failed_hand_goes_on,
    pause_is_taken_for_a_failure,
    overtaken_node_refuses_by_what_it_remembers,
)
