"""What each fact moves: double entry that sums to zero."""

import pkgutil
from collections import Counter
from dataclasses import dataclass, replace
from importlib import import_module

import pytest

import domain
from domain.catalog import event as catalog
from domain.hand import commands as ask
from domain.hand import events as fact
from domain.hand.dealing import OpenShoe
from domain.hand.decider import decide, open_hand
from domain.messages import hand_stream
from domain.rules.vocabulary import RakeSchedule
from domain.table import events as of_table
from projections.commit import Commit, CommittedFact
from projections.postings import MOVES, MOVES_NOTHING, PLACES, Place, Posting, UnknownEvent, postings
from projections.rake import RAKE, RakedHand
from projections.view import MissingRow, Rows
from projections.zones import ZONES, Zone
from tests.hands import as_it_lies, open_deck, open_hand_for
from tests.projections.rooms import Room, played


@pytest.fixture(scope="module")
def room() -> Room:
    return played(rounds=25)


def test_every_event_of_the_catalog_moves_chips_or_is_listed_as_moving_none() -> None:
    for module in pkgutil.walk_packages(domain.__path__, "domain."):
        import_module(module.name)
    of_the_house = {cls for cls in catalog.by_class if cls.__module__.startswith("domain.")}
    assert of_the_house == MOVES.keys() | MOVES_NOTHING
    assert not MOVES.keys() & MOVES_NOTHING


def test_postings_of_each_fact_sum_to_zero_and_only_movers_have_any(room: Room) -> None:
    places: Rows[Place] = Rows(PLACES)
    seen = set()
    for commit in room.commits:
        for stream, _, event in commit.facts:
            sums = Counter[str]()
            found = postings(places, stream, event)
            for posting in found:
                sums[posting.currency] += posting.amount
                assert posting.amount != 0
            assert not any(sums.values()), event
            assert not found or type(event) in MOVES, event
            seen.add(type(event))
    of_tables = {mover for mover in MOVES if mover.__module__ in (fact.__name__, of_table.__name__)}
    assert of_tables <= seen, "those of accounts: test_postings_accounts.py"


def test_accounts_of_players_are_their_stacks_and_those_of_hands_the_chips_in_the_middle() -> None:
    """Checked against the domain's own state after every decision, hands under way included."""
    room = Room(seed=3)
    room.open_tables()
    places: Rows[Place] = Rows(PLACES)
    accounts = Counter[str]()
    folded = 0
    for _ in range(10):
        for _ in room.moves("t1"):
            for commit in room.commits[folded:]:
                for stream, _, event in commit.facts:
                    for posting in postings(places, stream, event):
                        accounts[posting.account] += posting.amount
            folded = len(room.commits)
            hand = room.tables["t1"].hand
            assert hand is not None
            assert accounts[hand_stream(hand.id)] == hand.pot > 0
            for one in hand.opened.seats:
                assert accounts[f"table:t1:player:{one.player}"] == hand.stack[one.seat]


def test_an_event_of_which_nobody_said_what_it_moves_stops_the_books() -> None:
    @dataclass
    class TipGiven:
        amount: int

    with pytest.raises(UnknownEvent, match="hand:t1-1: the books don't know what TipGiven moves: name it in"):
        postings(Rows(PLACES), "hand:t1-1", TipGiven(5))


def test_a_bet_in_a_hand_that_was_never_opened_stops_the_books() -> None:
    with pytest.raises(MissingRow, match=r"places has no row \('hand:t1-1', 2\)"):
        postings(Rows(PLACES), "hand:t1-1", fact.Called(2, 10, 10, False))


def test_net_is_what_was_collected_less_what_was_committed_and_not_returned() -> None:
    """Scenario 23, in cents: bet 3.17, 0.34 of it returned, 5.50 collected: 2.67 won."""
    places: Rows[Place] = Rows(PLACES)
    places.put(Place("hand:t1-1", 4, "table:t1:player:ann", "EUR"))
    facts = [
        fact.BetMade(4, 3_17, 3_17, False, 3_17, 1, 0),
        fact.UncalledBetReturned(4, 34),
        fact.PotAwarded(0, fact.Part.WHOLE, 4, 5_50, 0, ""),
    ]
    found = [posting for event in facts for posting in postings(places, "hand:t1-1", event)]
    assert sum(posting.amount for posting in found if posting.account == "table:t1:player:ann") == 2_67


def test_a_bring_in_moves_chips_as_a_bet_does_and_a_draw_or_a_vote_moves_none() -> None:
    places: Rows[Place] = Rows(PLACES)
    places.put(Place("hand:t1-1", 4, "table:t1:player:ann", "EUR"))
    brought_in = fact.BroughtIn(4, 75, 1_00, True, 2_00, 0, 0)
    assert postings(places, "hand:t1-1", brought_in) == (
        Posting("table:t1:player:ann", "EUR", -75),
        Posting("hand:t1-1", "EUR", 75),
    )
    drawn = [
        fact.DrawOffered(4, 5),
        fact.CardsDiscarded(4, (3,)),
        fact.StoodPat(4, late=True),
        fact.SplitVoteCast(4, True),
    ]
    assert [postings(places, "hand:t1-1", event) for event in drawn] == [()] * len(drawn)


def test_rake_is_taken_from_what_was_called_alone() -> None:
    """Scenario 24: 40 called and 60 uncalled, 1 for each 10: 4, and the ledger shows the pot of 40."""
    tenth = RakeSchedule(per=10, each=1, cap=1000)
    opened = replace(
        open_hand_for(stacks=(20, 80), button=2, cards={1: "2c 7d", 2: "Ac As"}, board="Kh Qd 9s 4c 3h"), rake=tenth
    )
    shoe = OpenShoe(open_deck(opened.deck), as_it_lies)
    hand = open_hand(opened, shoe)
    events = list(hand.facts)
    events += decide(hand, ask.Raise(hand.id, hand.decision, 2, 80), shoe)
    events += decide(hand, ask.Call(hand.id, hand.decision, 1), shoe)
    stream = hand_stream(hand.id)
    commit = Commit(0, 1, 0, [CommittedFact(stream, version, event) for version, event in enumerate(events, start=1)])

    ledger: Rows[RakedHand] = Rows(RAKE.layouts[0])
    zones: Rows[Zone] = Rows(ZONES)
    zones.put(Zone(0, "UTC"))
    RAKE.fold(commit, ledger, Rows(RAKE.layouts[1]), zones)
    (row,) = ledger.all()
    assert (row.pot, row.rake, row.players, row.day) == (40, 4, 2, "1970-01-01")

    places: Rows[Place] = Rows(PLACES)
    accounts = Counter[str]()
    for event in events:
        for posting in postings(places, stream, event):
            accounts[posting.account] += posting.amount
    of_the_table = f"table:{opened.table}:player:"
    (loser, winner) = (of_the_table + one.player for one in opened.seats)
    assert accounts[winner] == 36 - (80 - 60)
    assert accounts[loser] == -20
    assert accounts["house:rake"] == 4
    assert accounts[stream] == 0
