"""What carries a transfer or a notice from its sender to its receiver and back, and what both remember."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from domain import catalog
from domain.messages import AlreadyDone, Refused
from domain.transfers import (
    CARRIED,
    NOTES,
    About,
    AccountCloseTransfer,
    AccountReceiveTransfer,
    Inbox,
    NoticeClosed,
    NoticeReceived,
    NoticeSent,
    Outbox,
    Outcome,
    PlayerCloseNotice,
    PlayerReceiveNotice,
    Purpose,
    TableCloseNotice,
    TableCloseTransfer,
    TableReceiveNotice,
    TableReceiveTransfer,
    TransferClosed,
    TransferReceived,
    TransferRefused,
    TransferSent,
    check_next,
    check_nothing_under_way,
    closing,
    delivery,
    next_number,
    notices,
    under_way,
)

ANN, TABLE, FILE = "account:ann:eur", "table:t1", "player:ann"
CONTENT = (50_00, "EUR", Purpose.BUY_IN, "ann", 3, 10_00)
BUY_IN = TransferSent(TABLE, 1, *CONTENT, posts=True, at=5)
CASH_OUT = TransferSent(ANN, 1, 60_00, "EUR", Purpose.CASH_OUT, "ann", 3, 10_00, posts=False, at=9)
RECEIVED = TransferReceived(ANN, 1, *CONTENT, at=6)
REFUSED = TransferRefused(ANN, 1, *CONTENT, "seat 3 is taken", at=6)
FROZEN = NoticeSent(TABLE, 1, About.FREEZE, "ann", "", 0, at=5)
LOST = NoticeSent(FILE, 1, About.PROTECTION, "ann", "t1-7", 2, at=5)


@dataclass
class Stream:
    """A stream that does nothing but send and receive."""

    version: int = 0
    sent: dict[str, Outbox] = field(default_factory=dict)
    received: dict[str, Inbox] = field(default_factory=dict)

    def take(self, *facts: Any) -> "Stream":
        for fact in facts:
            NOTES[type(fact)](self, fact)
            self.version += 1
        return self


@pytest.mark.parametrize(
    ("sender", "sent", "brought"),
    [
        (ANN, BUY_IN, TableReceiveTransfer("t1", ANN, 1, *CONTENT, posts=True)),
        (TABLE, CASH_OUT, AccountReceiveTransfer("ann", "EUR", TABLE, 1, 60_00, Purpose.CASH_OUT, 3, 10_00)),
        (FILE, FROZEN, TableReceiveNotice("t1", FILE, 1, About.FREEZE, "ann", "", 0)),
        (TABLE, LOST, PlayerReceiveNotice("ann", TABLE, 1, About.PROTECTION, "t1-7", 2)),
    ],
)
def test_what_was_sent_is_brought_to_its_receiver_as_it_is(sender: str, sent: Any, brought: Any) -> None:
    assert delivery(sender, sent) == brought


GRANTED = NoticeReceived(TABLE, 1, About.PROTECTION, "ann", "t1-7", 2, Outcome.GRANTED, 6)
TAKEN = NoticeReceived(FILE, 1, About.FREEZE, "ann", "", 0, Outcome.DONE, 6)
CASHED = TransferReceived(TABLE, 1, 60_00, "EUR", Purpose.CASH_OUT, "ann", 3, 10_00, 10)


@pytest.mark.parametrize(
    ("sender", "sent", "outcome", "told"),
    [
        (ANN, BUY_IN, RECEIVED, AccountCloseTransfer("ann", "EUR", TABLE, 1, received=True, why="")),
        (ANN, BUY_IN, REFUSED, AccountCloseTransfer("ann", "EUR", TABLE, 1, received=False, why="seat 3 is taken")),
        (TABLE, CASH_OUT, CASHED, TableCloseTransfer("t1", ANN, 1, received=True, why="")),
        (FILE, FROZEN, TAKEN, PlayerCloseNotice("ann", TABLE, 1, Outcome.DONE)),
        (TABLE, LOST, GRANTED, TableCloseNotice("t1", FILE, 1, Outcome.GRANTED)),
    ],
)
def test_its_sender_is_told_what_became_of_it(sender: str, sent: Any, outcome: Any, told: Any) -> None:
    assert closing(sender, sent, outcome) == told


def test_each_ordered_pair_is_numbered_from_1() -> None:
    account = Stream()
    assert next_number(account, TABLE) == 1
    account.take(BUY_IN)
    assert (next_number(account, TABLE), next_number(account, "table:t2")) == (2, 1)


def test_several_notices_to_one_stream_are_numbered_on() -> None:
    file = Stream().take(FROZEN)
    made = notices(file, [(TABLE, About.UNFREEZE), ("table:t2", About.LEAVE), (TABLE, About.LEAVE)], "ann", 7)
    assert [(one.to, one.seq) for one in made] == [(TABLE, 2), ("table:t2", 1), (TABLE, 3)]


def test_one_transfer_of_a_pair_is_under_way_at_a_time() -> None:
    account = Stream().take(BUY_IN)
    with pytest.raises(Refused, match="a transfer to table:t1 is under way"):
        check_nothing_under_way(account, TABLE)
    check_nothing_under_way(account, "table:t2")
    account.take(TransferClosed(TABLE, 1, *CONTENT, received=True, why="", at=7))
    check_nothing_under_way(account, TABLE)


def brought(seq: int, amount: int = 50_00) -> Any:
    return TableReceiveTransfer("t1", ANN, seq, amount, *CONTENT[1:], posts=True)


def test_the_first_is_1_and_the_next_the_last_and_one() -> None:
    check_next(Stream(), brought(1))
    with pytest.raises(Refused, match="2 of account:ann:eur can't be taken: the next one is 1"):
        check_next(Stream(), brought(2))
    table = Stream().take(RECEIVED)
    check_next(table, brought(2))
    with pytest.raises(Refused, match="3 of account:ann:eur can't be taken: the next one is 2"):
        check_next(table, brought(3))


@pytest.mark.parametrize("outcome", [RECEIVED, REFUSED])
def test_the_last_one_again_has_the_same_outcome_and_can_not_be_another(outcome: Any) -> None:
    table = Stream().take(outcome)
    with pytest.raises(AlreadyDone) as done:
        check_next(table, brought(1))
    assert done.value.outcome == outcome
    with pytest.raises(Refused, match="1 of account:ann:eur was of 5000, not 4000: it can't change"):
        check_next(table, brought(1, 40_00))


def closed(seq: int, received: bool) -> Any:
    return AccountCloseTransfer("ann", "EUR", TABLE, seq, received, "" if received else "seat 3 is taken")


def test_only_what_is_under_way_is_closed_and_once() -> None:
    account = Stream()
    with pytest.raises(Refused, match="1 to table:t1 can't be closed: nothing is under way there"):
        under_way(account, closed(1, True))
    account.take(BUY_IN)
    with pytest.raises(Refused, match="2 to table:t1 can't be closed: 1 is the oldest under way there"):
        under_way(account, closed(2, True))
    assert under_way(account, closed(1, True)) == BUY_IN
    account.take(TransferClosed(TABLE, 1, *CONTENT, received=True, why="", at=7))
    with pytest.raises(AlreadyDone):
        under_way(account, closed(1, True))
    with pytest.raises(Refused, match="1 to table:t1 was closed as received, not refused: it can't change"):
        under_way(account, closed(1, False))


def test_notices_are_closed_in_the_order_in_which_they_were_sent() -> None:
    second = NoticeSent(TABLE, 2, About.UNFREEZE, "ann", "", 0, at=6)
    file = Stream().take(FROZEN, second)
    with pytest.raises(Refused, match="2 to table:t1 can't be closed: 1 is the oldest under way there"):
        under_way(file, PlayerCloseNotice("ann", TABLE, 2, Outcome.DONE))
    file.take(NoticeClosed(TABLE, 1, About.FREEZE, "ann", "", Outcome.DONE, 7))
    assert under_way(file, PlayerCloseNotice("ann", TABLE, 2, Outcome.DONE)) == second


def test_every_command_that_carries_loads_as_it_is_dumped() -> None:
    for command in (
        *(delivery(*one) for one in ((ANN, BUY_IN), (TABLE, CASH_OUT), (FILE, FROZEN), (TABLE, LOST))),
        *(closing(*one) for one in ((ANN, BUY_IN, REFUSED), (TABLE, CASH_OUT, CASHED), (TABLE, LOST, GRANTED))),
        PlayerCloseNotice("ann", TABLE, 1, Outcome.DONE),
    ):
        assert type(command) in CARRIED
        assert catalog.command.load(*catalog.command.dump(command)) == command


@pytest.mark.parametrize("stream", ["account:ann:eur", "player:ann", "table:t1"])
def test_streams_that_send_and_receive_are_accounts_files_and_tables(stream: str) -> None:
    name, rev, data = catalog.event.dump(FROZEN)
    assert catalog.event.load(name, rev, data | {"to": stream}).to == stream
    for other in ("hand:t1-1", f"{stream}:x:y", "room", ""):
        with pytest.raises(catalog.InvalidMessage, match="to: "):
            catalog.event.load(name, rev, data | {"to": other})
