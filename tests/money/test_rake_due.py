"""From when on a hand owes rake, as ledger and warehouse find it by what was dealt: against what the rules' code took,
game by game (rules.md section 9)."""

from dataclasses import replace
from typing import Any

import pytest

from domain.hand.events import BetsCollected, HandCancelled, HandOpened, RakeTaken, RoundOpened
from domain.rules.rake import rake_by_pot
from services.rake_due import RakeDue
from tests.domain.test_rake_trigger import TRIGGERS, dealt, played


def told(facts: list[Any]) -> RakeDue:
    opened, *others = facts
    rake = RakeDue(opened)
    for fact in others:
        rake.take(fact)
    return rake


@pytest.mark.parametrize("game", TRIGGERS)
@pytest.mark.parametrize("last", [1, 2])
def test_it_is_due_where_it_was_taken(game: str, last: int) -> None:
    """A hand that ends in the first betting round owes nothing; one that ends in the second does (`last`)."""
    facts = played(*dealt(game), last)
    assert type(facts[0]) is HandOpened
    taken = [fact.by_pot for fact in facts if type(fact) is RakeTaken]
    assert told(facts).due is (last == 2) is bool(taken)
    if taken:
        pots = [fact.pots for fact in facts if type(fact) is BetsCollected][-1]
        schedule = told(facts).schedule
        assert schedule is not None
        assert tuple(rake_by_pot(schedule, pots)) == taken[0]


@pytest.mark.parametrize("game", TRIGGERS)
def test_it_is_due_from_the_deal_on_whether_or_not_a_round_is_played(game: str) -> None:
    """All-in before it, nobody bets on that street: the facts up to where its betting would begin are enough."""
    facts = played(*dealt(game), last=2)
    second = [place for place, fact in enumerate(facts) if type(fact) is RoundOpened][1]
    assert told(facts[:second]).due
    first = next(place for place, fact in enumerate(facts) if type(fact) is RoundOpened)
    assert not told(facts[: first + 1]).due


def test_a_cancelled_hand_owes_none() -> None:
    facts = played(*dealt("holdem"), last=2)
    assert not told([*facts, HandCancelled(120_000_000, (), ())]).due


def test_without_a_schedule_none_is_due() -> None:
    opened, *others = played(*dealt("holdem"), last=2)
    assert not told([replace(opened, rake=None), *others]).due
