"""The tests of the log on Kafka can fail: each mutant of it fails those that say what it broke."""

from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from services.eventlog.commit import GENESIS
from services.eventlog.kafka_log import KafkaLog
from tests.contract import test_lasting as lasting
from tests.contract.homes import Place, on_kafka
from tests.kafka import mutants as m
from tests.kafka import test_foreign as foreign
from tests.kafka import test_holes as holes
from tests.kafka import test_index as index
from tests.kafka import test_proxy as network
from tests.kafka import test_race as race
from tests.kafka.proxy import Proxy, behind
from tests.kafka.rooms import KafkaRoom, tables

Kind = type[KafkaLog]
Rule = Callable[[Kind, Path, tuple[str, Proxy]], None]
"""A test run with a log of that class, in that folder; the last is a broker's address and a proxy before it."""


def in_room(test: Callable[..., None], *given: Any) -> Rule:
    """A test of a room."""

    def run(kind: Kind, folder: Path, _: tuple[str, Proxy]) -> None:
        with KafkaRoom(folder, kind) as room:
            test(room, *given)

    return run


def littered(kind_of_void: str) -> Rule:
    """That of a void record of this kind."""

    def run(kind: Kind, folder: Path, _: tuple[str, Proxy]) -> None:
        with KafkaRoom(folder, kind) as room:
            room.log.append(0, GENESIS, list(tables(2)))
            foreign.test_a_record_that_does_not_count_is_void_counted_and_told(room, kind_of_void)

    return run


def behind_the_proxy(test: Callable[..., None], *given: Any) -> Rule:
    """A test of a network that fails."""

    def run(kind: Kind, folder: Path, broker: tuple[str, Proxy]) -> None:
        with network.writing_through(*broker, folder, kind) as proxied:
            test(proxied, *given)

    return run


def in_contract(clause: Callable[..., None]) -> Rule:
    """A clause of the contract of every log."""

    def run(kind: Kind, folder: Path, _: tuple[str, Proxy]) -> None:
        with Place(on_kafka(kind), folder) as place:
            clause(**{name: place.given[name] for name in signature(clause).parameters})

    return run


TWO_WRITERS = in_room(race.test_of_two_writers_with_the_same_head_the_slower_is_told_what_stands_there)
BETWEEN = in_room(foreign.test_records_that_do_not_count_come_between_those_of_one_append)
UNREADABLE = in_room(foreign.test_a_writer_that_meets_an_unreadable_commit_as_it_sends_is_told_of_it)

FAILS: dict[Kind, tuple[Rule, ...]] = {
    m.AnswersWithoutLookingAtTheOffset: (
        TWO_WRITERS,
        in_room(race.test_a_claim_fences_an_idle_writer),
    ),
    m.AnswersBeforeAnythingIsSent: (BETWEEN, in_contract(lasting.test_what_was_answered_is_there_after_a_crash)),
    m.AnswersHeadsWhereItWasSurprised: (TWO_WRITERS,),
    m.SendsAgainWhereItWasSurprised: (BETWEEN,),
    m.SaysRefusedWhereItIsUnknown: (
        behind_the_proxy(
            network.test_a_batch_that_comes_after_it_was_given_up_counts_if_nothing_stands_there_yet,
        ),
    ),
    m.SaysUnknownWhereAnotherCommitStands: (TWO_WRITERS,),
    m.SaysRefusedWhereTheIndexFailsAfterwards: (
        in_room(index.test_a_disk_that_is_full_after_the_records_were_sent_leaves_it_open),
    ),
    m.SkipsWhatItCannotRead: (UNREADABLE,),
    m.VoidsWhatItCannotRead: (UNREADABLE,),
    m.AcceptsAnyPrev: (littered("a rival's of this height"),),
    m.PassesOverWhatItFailedToTakeOver: (
        in_room(index.test_what_a_full_disk_kept_from_being_taken_over_is_taken_over_later),
        in_room(index.test_a_catching_up_that_breaks_off_is_begun_again),
    ),
    m.TrustsAnIndexAheadOfThePartition: (
        in_room(index.test_a_writer_under_whom_kafka_loses_records_never_answers_recorded),
        in_room(index.test_an_index_of_a_log_that_was_written_anew_is_refused_too),
    ),
    m.LetsADroppedProducerSend: (
        behind_the_proxy(network.test_a_producer_that_is_dropped_sends_no_more_of_what_it_holds),
    ),
    m.CountsNoVoids: (in_room(foreign.test_many_void_records_are_passed_over), littered("rubbish")),
    m.GivesUpAtAHole: (in_room(holes.test_the_log_goes_on_after_a_transaction_s_marker, True),),
}
"""What each mutant is caught by."""


@pytest.fixture(scope="module")
def broker() -> Iterator[tuple[str, Proxy]]:
    with behind() as made:
        yield made


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    network.give_up_soon(monkeypatch)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("kind", "number"),
    [
        pytest.param(kind, number, id=f"{kind.__name__}-{number}")
        for kind, rules in FAILS.items()
        for number in range(len(rules))
    ],
)
def test_a_mutant_fails_what_it_breaks(kind: Kind, number: int, tmp_path: Path, broker: tuple[str, Proxy]) -> None:
    with pytest.raises((Exception, pytest.fail.Exception)):  # a rule fails by whatever it raises
        FAILS[kind][number](kind, tmp_path, broker)


def test_each_mutant_is_caught_by_something() -> None:
    assert set(m.MUTANTS) == FAILS.keys()
