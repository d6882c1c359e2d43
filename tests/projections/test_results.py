"""What each player made of each hand, and the part of its rake that he bore."""

from collections import Counter
from typing import Any

import pytest

from domain.hand import events as fact
from domain.hand.events import HandCancelled, HandSettled
from projections.commit import Commit, CommittedFact
from projections.postings import PLACES, Place, player_account, postings
from projections.results import RESULTS, Result
from projections.view import Rows
from tests.hands import open_hand_for
from tests.projections.rooms import Room, played


@pytest.fixture(scope="module")
def room() -> Room:
    return played(rounds=20)


def results_of(commits: list[Commit]) -> list[Result]:
    rows, unsettled = (Rows[Any](layout) for layout in RESULTS.layouts)
    for commit in commits:
        RESULTS.fold(commit, rows, unsettled)
    assert not unsettled.all()
    return rows.all()


def one_hand(*events: Any, players: int) -> list[Result]:
    """The results of a hand of these facts, seats 1 to `players` dealt in."""
    opened = open_hand_for(stacks=(100_00,) * players, button=1, cards={}, board="")
    stream = f"hand:{opened.table}-{opened.number}"
    facts = [CommittedFact(stream, version, event) for version, event in enumerate((opened, *events), start=1)]
    return results_of([Commit(0, 0, 0, facts)])


def test_each_bears_the_rake_by_what_he_put_in_and_who_folded_does_too() -> None:
    """10.00 called and 5.00 folded make a pot of 25.00: 1.25 of rake is 0.50, 0.50 and 0.25."""
    rows = one_hand(
        fact.BetMade(1, 10_00, 10_00, False, 10_00, 1, 0),
        fact.Called(2, 10_00, 10_00, False),
        fact.Called(3, 5_00, 5_00, True),
        fact.RakeTaken(1_25, (1_25,)),
        fact.PotAwarded(0, fact.Part.WHOLE, 2, 23_75, 0, ""),
        HandSettled((1, 2, 3), (0, 0, 0), 1_25),
        players=3,
    )
    assert [(row.seat, row.put_in, row.won, row.rake) for row in rows] == [
        (1, 10_00, 0, 50),
        (2, 10_00, 23_75, 50),
        (3, 5_00, 0, 25),
    ]


def test_what_came_back_uncalled_bears_no_rake() -> None:
    """1.00 is bet and 0.40 called for all: 0.60 goes back. Both put 0.40 in: the cent that is left is the first's."""
    rows = one_hand(
        fact.BetMade(2, 1_00, 1_00, False, 1_00, 1, 0),
        fact.Called(1, 40, 40, True),
        fact.UncalledBetReturned(2, 60),
        fact.RakeTaken(3, (3,)),
        fact.PotAwarded(0, fact.Part.WHOLE, 1, 77, 0, ""),
        HandSettled((1, 2), (0, 0), 3),
        players=2,
    )
    assert [(row.put_in, row.won, row.rake) for row in rows] == [(40, 77, 2), (40, 0, 1)]


def test_a_hand_that_was_cancelled_cost_nobody_anything(room: Room) -> None:
    cancelled = {
        stream.removeprefix("hand:")
        for commit in room.commits
        for stream, _, event in commit.facts
        if type(event) is HandCancelled
    }
    rows = [row for row in results_of(room.commits) if row.hand in cancelled]
    assert {row.hand for row in rows} == cancelled != set()
    assert all((row.put_in, row.won, row.rake) == (0, 0, 0) for row in rows)


def test_parts_sum_to_the_rake_of_each_hand_and_nets_to_its_loss(room: Room) -> None:
    rakes = {
        stream.removeprefix("hand:"): event.rake
        for commit in room.commits
        for stream, _, event in commit.facts
        if type(event) is HandSettled
    }
    parts, nets = Counter[str](), Counter[str]()
    for row in results_of(room.commits):
        parts[row.hand] += row.rake
        nets[row.hand] += row.won - row.put_in
        assert row.rake >= 0
        assert row.rake == 0 or row.put_in > 0
    assert {hand: parts[hand] for hand in rakes} == rakes
    assert {hand: -nets[hand] for hand in rakes} == rakes
    assert sum(1 for rake in rakes.values() if rake) > 20


def test_the_net_of_a_player_is_what_the_postings_brought_his_chips(room: Room) -> None:
    """Whatever moves chips in a hand is in his result."""
    places: Rows[Place] = Rows(PLACES)
    moved = Counter[tuple[str, str]]()
    for commit in room.commits:
        for stream, _, event in commit.facts:
            for posting in postings(places, stream, event):
                if stream.startswith("hand:"):
                    moved[stream.removeprefix("hand:"), posting.account] += posting.amount
    for row in results_of(room.commits):
        assert moved[row.hand, player_account(row.hand.partition("-")[0], row.player)] == row.won - row.put_in
