"""The checks of the proofs find what they are there to find."""

from pathlib import Path
from typing import Any

import pytest

from domain.hand.events import BoardDealt, CardsDealt
from domain.rulings.readjudicate import RecordedCommit, RecordedFact
from domain.table.commands import DealHand
from domain.table.events import ChipsBrought, ChipsTaken, HandFinished
from tests.node.check import Ledger, check_chips, check_told
from tests.node.journal import Journal, Reader, Sent
from tests.node.killer import answer_time

ID = "018bcfe5-6800-7000-8000-000000000001"


def sent(last: int | None, **more: Any) -> Sent:
    return Sent(ID, "table.deal-hand", {"table": "t1", "number": 1}, [1.0], [2.0], last, **more)


def found(times: int) -> Ledger:
    return Ledger({ID: [0] * times})


@pytest.mark.parametrize(
    ("times", "one"), [(1, sent(200)), (0, sent(409)), (0, sent(503, given_up=True))], ids=lambda one: str(one)[:12]
)
def test_a_client_that_was_told_the_truth(times: int, one: Sent) -> None:
    assert check_told(found(times), [one]).sent == 1


@pytest.mark.parametrize(
    ("times", "one", "wrong"),
    [
        (0, sent(200), "acknowledged, and in the log 0 times"),
        (2, sent(200), "acknowledged, and in the log 2 times"),
        (1, sent(409), "refused, and in the log 1 times"),
        (1, sent(503, given_up=True), "told that it isn't recorded, but it is"),
        (1, sent(None), "never knew what came of it"),
        (0, sent(504), "never knew what came of it"),
    ],
)
def test_a_client_that_was_not(times: int, one: Sent, wrong: str) -> None:
    with pytest.raises(AssertionError, match=wrong):
        check_told(found(times), [one])


def folded(*facts: tuple[str, Any]) -> Ledger:
    ledger = Ledger()
    for stream, event in facts:
        ledger.take(RecordedCommit(0, 0, 0, DealHand("t1", 1), [RecordedFact(stream, 1, event)]), 0)
    return ledger


BROUGHT = [("table:t1", ChipsBrought(seat, player, 200)) for seat, player in ((1, "ann"), (2, "bob"))]


def test_chips_that_were_brought_lie_there_or_went_to_the_house_or_were_taken_home() -> None:
    finished = ("table:t1", HandFinished("t1-1", (1, 2), (250, 140), 10))
    taken = ("table:t1", ChipsTaken(2, "bob", 140))
    assert check_chips(folded(*BROUGHT, finished, taken)) == 260


def test_a_chip_that_is_missing_is_found() -> None:
    finished = ("table:t1", HandFinished("t1-1", (1, 2), (250, 139), 10))
    with pytest.raises(AssertionError, match="t1: 400 were brought, 399 are there"):
        check_chips(folded(*BROUGHT, finished))


def test_a_card_that_was_dealt_twice_is_found() -> None:
    ledger = Ledger()
    ledger._indices["t1-1"] = []
    ledger._of_hand("t1-1", CardsDealt(1, (0, 1), ("", ""), up=False), 0)
    with pytest.raises(AssertionError, match="were dealt before"):
        ledger._of_hand("t1-1", BoardDealt("flop", (1, 2, 3), (7, 8, 9)), 1)


# --- journals --------------------------------------------------------------------------------------------------------


def test_a_journal_says_when_a_command_waited_for_its_answer(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    journal.sent(ID, "http://north", "ann", "hand.call", {"hand": "t1-1"})
    assert Reader(tmp_path / "journal").commands()[ID].last is None
    journal.answered(ID, 504, {})
    journal.sent(ID, "http://south", "ann", "hand.call", {"hand": "t1-1"})
    journal.answered(ID, 200, {}, again=True)
    one = Reader(tmp_path / "journal").commands()[ID]
    assert (one.table, one.last, one.in_doubt, one.again) == ("t1", 200, True, True)
    assert not one.waits_at(one.begins[0] - 1)
    assert one.waits_at(one.begins[0])
    assert one.waits_at(one.ends[0]), "it was told then that nobody knows"
    assert not one.waits_at(one.ends[1])


def test_a_line_that_is_half_written_is_not_read_yet(tmp_path: Path) -> None:
    Journal(tmp_path / "journal").sent(ID, "http://north", "ann", "hand.call", {"hand": "t1-1"})
    with (tmp_path / "journal").open("ab") as file:
        file.write(b'{"answered": "018b')
    assert Reader(tmp_path / "journal").commands()[ID].last is None


def test_the_answer_time_is_the_median_of_those_that_were_answered_at_once() -> None:
    quick = [Sent(str(taken), "hand.call", {}, [0.0], [taken], 200) for taken in (0.01, 0.02, 0.09)]
    assert answer_time([*quick, Sent("retried", "hand.call", {}, [0.0, 3.0], [2.0, 9.0], 200)]) == 0.02
