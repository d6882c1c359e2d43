"""The logged hands, dealt again: nothing disagrees but what known.txt explains, and a broken rule is found out."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from domain.rules.rulebook import Rulebook
from domain.rules.rulebooks.euro import RULEBOOK as EURO
from domain.rules.vocabulary import Kind, Limit
from services.interop.unsupported import Reason, Unsupported
from tests.oracle.disagreements import disagreement
from tests.oracle.mutants import MUTANTS, broken
from tests.oracle.records import NoRecords, RealHand, folder, real_hands
from tests.oracle.report import Report, examine, known, outcome, problems, unpinned
from tests.oracle.rooms import rooms
from tests.oracle.skips import broken as broken_logs
from tests.resources import Resource, require_or_skip


@pytest.fixture(scope="module")
def hands() -> list[RealHand]:
    try:
        found = list(real_hands(folder()))
    except NoRecords as error:
        found, why = [], f"no real hands were dealt again: {error}, or set HANDLOG_ORACLE"
        require_or_skip(Resource.ORACLE, None, why)
    return found


@pytest.fixture(scope="module")
def report(hands: list[RealHand]) -> Report:
    return examine(hands)


def test_every_disagreement_is_explained_and_the_skipped_hands_are_those_pinned(report: Report) -> None:
    assert list(problems(report)) == []
    assert unpinned(report) == []


def test_a_changed_count_of_skipped_hands_is_a_problem(hands: list[RealHand]) -> None:
    changed = examine(hand for hand in hands if hand.record.game == "omaha")
    tally = changed.tallies["omaha", Limit.POT, Kind.REAL]
    tally.skipped[Reason.RUN_TWICE] += 1
    (problem,) = problems(changed)
    assert problem.startswith("omaha pot real: skipped ")


def test_other_hands_are_not_held_against_the_pinned_counts(hands: list[RealHand]) -> None:
    fewer = examine([hand for hand in hands if hand.record.game == "omaha"][1:])
    assert len(unpinned(fewer)) == 1
    assert list(problems(fewer)) == []


def test_most_hands_whose_deciding_cards_are_known_are_dealt_again(report: Report) -> None:
    total = report.total()
    dealt = total.agreed + total.disagreed
    not_counted = total.skipped[Reason.GAME_NOT_DECLARED] + total.skipped[Reason.DECIDING_CARDS_UNKNOWN]
    assert dealt >= 0.95 * (len(report.seen) - not_counted)


def test_the_lists_name_hands_that_exist(report: Report) -> None:
    assert (known().keys() | broken_logs().keys()) - report.seen == set()


@pytest.mark.parametrize("rule", MUTANTS)
def test_a_broken_rule_makes_a_hand_disagree(rule: str, hands: list[RealHand]) -> None:
    listed = known()
    concerned = (hand for hand in hands if MUTANTS[rule].concerns(hand.record))
    with broken(rule):
        dealt = ((hand, difference) for hand in concerned for skip, difference in [outcome(hand)] if skip is None)
        found = next((hand for hand, difference in dealt if bool(difference) != (hand.record.id in listed)), None)
    assert found
    print(f"{rule}: found by {found.record.id}")


@pytest.mark.parametrize(
    ("room", "sentence"), [(room, sentence) for room, file in rooms().items() for sentence in file.SHOWN_BY]
)
def test_a_room_differs_only_where_two_hands_show_it(room: str, sentence: str, hands: list[RealHand]) -> None:
    file = rooms()[room]
    plain = replace(file.RULEBOOK, **{sentence: getattr(EURO, sentence)})
    cited = [hand for hand in hands if hand.record.id in file.SHOWN_BY[sentence]]
    assert len(cited) == len(file.SHOWN_BY[sentence]) >= 2
    for hand in cited:
        assert agrees(hand, file.RULEBOOK)
        assert not agrees(hand, plain)


def agrees(hand: RealHand, rulebook: Rulebook) -> bool:
    """A hand doesn't where it can't be dealt at all: an unseen hand that was given up, where all are shown."""
    try:
        return disagreement(hand, rulebook) == ""
    except Unsupported:
        return False


@pytest.mark.parametrize("room", rooms())
def test_a_room_says_nothing_more_than_what_it_cites(room: str) -> None:
    file = rooms()[room]
    cited = {sentence: getattr(file.RULEBOOK, sentence) for sentence in file.SHOWN_BY}
    named = replace(EURO, name=room, title=file.RULEBOOK.title, source=file.RULEBOOK.source)
    assert replace(named, **cited) == file.RULEBOOK


def test_a_folder_without_records_can_not_be_read(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.oracle", str(tmp_path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "holds no *.jsonl.gz files" in ran.stderr
