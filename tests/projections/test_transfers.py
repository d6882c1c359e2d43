"""What is under way: sent and not closed, whatever its receiver has made of it."""

from typing import Any

from domain.transfers import (
    About,
    NoticeClosed,
    NoticeSent,
    Outcome,
    Purpose,
    TransferReceived,
    TransferSent,
    closed_as,
    refused_as,
)
from projections.commit import Commit, CommittedFact
from projections.transfers import TRANSFERS, UnderWay
from projections.view import Rows

ANN, FILE, TABLE = "account:ann:eur", "player:ann", "table:t1"


def sent(seq: int) -> TransferSent:
    return TransferSent(TABLE, seq, 200, "EUR", Purpose.BUY_IN, "ann", 1, 0, True, 5)


def received(seq: int) -> TransferReceived:
    return TransferReceived(ANN, seq, 200, "EUR", Purpose.BUY_IN, "ann", 1, 0, 6)


def news(seq: int) -> NoticeSent:
    return NoticeSent(TABLE, seq, About.FREEZE, "ann", "", 0, 7)


def under_way(*facts: tuple[str, Any]) -> list[UnderWay]:
    rows: Rows[UnderWay] = Rows(TRANSFERS.layouts[0])
    for height, (stream, event) in enumerate(facts):
        TRANSFERS.fold(Commit(2, height, 1000 + height, [CommittedFact(stream, 1, event)]), rows)
    return rows.all()


def test_money_is_under_way_from_sent_to_closed() -> None:
    row = UnderWay(ANN, TABLE, 1, "ann", 200, "EUR", "buy-in", 2, 1000)
    assert under_way((ANN, sent(1))) == [row]
    assert under_way((ANN, sent(1)), (TABLE, received(1))) == [row], "its sender doesn't know yet"
    assert under_way((ANN, sent(1)), (TABLE, refused_as(received(1), "taken", 6))) == [row]
    assert under_way((ANN, sent(1)), (TABLE, received(1)), (ANN, closed_as(sent(1), received=True, why="", at=8))) == []


def test_news_is_too_and_several_may_be() -> None:
    closed = NoticeClosed(TABLE, 1, About.FREEZE, "ann", "", Outcome.DONE, 9)
    both = under_way((FILE, news(1)), (FILE, news(2)))
    assert [(row.seq, row.amount, row.currency, row.purpose) for row in both] == [
        (1, 0, "", "freeze"),
        (2, 0, "", "freeze"),
    ]
    assert [row.seq for row in under_way((FILE, news(1)), (FILE, news(2)), (FILE, closed))] == [2]


def test_what_is_closed_in_one_direction_is_under_way_in_the_other() -> None:
    back = TransferSent(ANN, 1, 200, "EUR", Purpose.CASH_OUT, "ann", 1, 0, True, 5)
    closed = closed_as(sent(1), received=True, why="", at=8)
    assert [row.sender for row in under_way((ANN, sent(1)), (TABLE, back), (ANN, closed))] == [TABLE]
