"""`verify --ledger`: an honest room adds up; one forged amount is found where it stands, whatever its chain says."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from domain.hand.events import BetMade, HandOpened, HandSettled, PotAwarded, RakeTaken, UncalledBetReturned
from domain.table.events import ChipsBrought, ChipsTaken, HandFinished
from projections.commit import Commit
from services.ledger import Ledger
from tests.projections.rooms import played


def findings(commits: list[Commit]) -> list[str]:
    """As an auditor reads a file: shard after shard."""
    ledger, found = Ledger(), []

    def find(shard: int, height: int, what: str) -> None:
        found.append(f"{shard}/{height} {what}")

    for commit in sorted(commits, key=lambda one: one.shard):
        ledger.take(commit.shard, commit.height, commit.at, commit.facts, find)
    ledger.finish(find)
    return found


def forged(commits: list[Commit], kind: type[Any], change: Callable[[Any], Any]) -> list[Commit]:
    """The commits with the first fact of a kind that `change` makes another of changed, or left out where it says
    None."""
    made, done = [], False
    for commit in commits:
        facts = []
        for fact in commit.facts:
            event: Any = fact.event
            if not done and type(event) is kind:
                event = change(event)
                done = event is not fact.event
            if event is not None:
                facts.append(fact._replace(event=event))
        made.append(commit._replace(facts=facts))
    assert done, f"no {kind.__name__} was changed"
    return made


@pytest.fixture(scope="module")
def commits():
    return played(rounds=12, seed=3).commits


def test_a_room_that_was_played_by_the_rules_adds_up(commits):
    assert findings(commits) == []


def test_what_came_lies_in_accounts_on_tables_in_transit_or_with_the_house(commits):
    ledger = Ledger()
    for commit in commits:
        ledger.take(commit.shard, commit.height, commit.at, commit.facts, lambda *_: None)
    facts = [fact.event for commit in commits for fact in commit.facts]
    raked = sum(event.amount for event in facts if type(event) is RakeTaken)
    sums = {one.currency: one for one in ledger.sums()}
    assert raked > 0
    assert sum(one.house for one in sums.values()) == raked
    assert all(one.agrees for one in sums.values())
    assert sum(one.came for one in sums.values()) == sum(
        event.amount if type(event) is ChipsBrought else -event.amount
        for event in facts
        if type(event) in (ChipsBrought, ChipsTaken)
    )


FORGERIES: dict[str, tuple[type[Any], Callable[[Any], Any], str]] = {
    "a pot is awarded with one more": (PotAwarded, lambda e: replace(e, amount=e.amount + 1), "at -0.01"),
    "a pot is awarded with one less": (PotAwarded, lambda e: replace(e, amount=e.amount - 1), "left in the middle"),
    "a pot isn't awarded": (PotAwarded, lambda e: None, "left in the middle"),
    "an uncalled bet is kept": (UncalledBetReturned, lambda e: None, "left in the middle"),
    "a bet counts less than it was": (BetMade, lambda e: replace(e, amount=e.amount - 1), "at -"),
    "a stack grows between two hands": (
        HandFinished,
        lambda e: replace(e, stacks=(e.stacks[0] + 1, *e.stacks[1:])),
        "the books say",
    ),
    "chips are brought and not booked to the seat": (ChipsBrought, lambda e: replace(e, player="nobody"), "the books"),
    "more is taken than lay there": (ChipsTaken, lambda e: replace(e, amount=e.amount + 1), "at -"),
    "the rake is left out": (RakeTaken, lambda e: None, "is due"),
    "the rake is kept back from the hand's end": (
        HandSettled,
        lambda e: replace(e, rake=e.rake - 1) if e.rake else e,
        "is due",
    ),
    "a hand is opened without its rake": (HandOpened, lambda e: replace(e, rake=None) if e.rake else e, "is due"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_amount_is_found(commits, forgery):
    kind, change, words = FORGERIES[forgery]
    found = findings(forged(commits, kind, change))
    assert found
    assert words in found[0]


def test_rake_that_was_taken_too_high_from_the_winner_is_found(commits):
    """Rake and award are changed together, so that every sum still holds: the hand's own schedule tells."""
    made, done = [], False
    for commit in commits:
        kinds = [type(fact.event) for fact in commit.facts]
        facts = list(commit.facts)
        if not done and RakeTaken in kinds and PotAwarded in kinds:
            rake, award = kinds.index(RakeTaken), kinds.index(PotAwarded)
            taken, won = facts[rake].event, facts[award].event
            by_pot = (taken.by_pot[0] + 1, *taken.by_pot[1:])
            facts[rake] = facts[rake]._replace(event=replace(taken, amount=taken.amount + 1, by_pot=by_pot))
            facts[award] = facts[award]._replace(event=replace(won, amount=won.amount - 1))
            for at, fact in enumerate(facts):
                if type(fact.event) in (HandSettled, HandFinished):
                    facts[at] = fact._replace(event=replace(fact.event, rake=fact.event.rake + 1))
            done = True
        made.append(commit._replace(facts=facts))
    assert done
    assert "is due" in findings(made)[0]


def test_only_the_forged_hand_is_named(commits):
    kind, change, _ = FORGERIES["a pot is awarded with one less"]
    found = findings(forged(commits, kind, change))
    assert len([line for line in found if "left in the middle" in line]) == 1
