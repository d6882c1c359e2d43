"""Deciding sealed hands again: with the room's keys all of it; without, all but what turns on a card that nobody saw,
which is said and never guessed."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.hand import events as fact
from domain.hand.dealing import CardSealed
from domain.rulings.readjudicate import (
    Divergence,
    RecordedCommit,
    RecordedFact,
    Undecided,
    readjudicate,
    readjudicate_hand,
)
from domain.rulings.recorded_shoe import NoKeys, RecordedShoes
from services.sealing.keyfile import RoomKeys, export
from services.sealing.shoe import Opener
from tests.domain.hand.sealed_hands import KEYS, NAMES, OPENER, hands_of, played, with_boxes_opened
from tests.hands import open_deck, replayed

by_game = pytest.mark.parametrize("game", NAMES)


def events_of(commit: RecordedCommit) -> list[Any]:
    return [one.event for one in commit.facts]


def turning_on_sealed_cards(commits: list[RecordedCommit]) -> Iterator[tuple[int, set[int]]]:
    """(height, the sealed cards that it may hang on) of each commit that can't be decided without keys: hands are
    compared and one is mucked; the pile is shuffled; after that, a player may not get back what he threw away."""
    dealt: dict[int, set[int]] = {}
    thrown: dict[int, set[int]] = {}
    reshuffled = False
    for commit in commits:
        needed = set[int]()
        for event in events_of(commit):
            match event:
                case fact.HandOpened():
                    dealt, thrown, reshuffled = {}, {}, False
                case fact.CardsDealt(up=False):
                    dealt.setdefault(event.seat, set()).update(event.indices)
                case fact.CardsDiscarded():
                    dealt[event.seat] -= set(event.indices)
                    thrown.setdefault(event.seat, set()).update(event.indices)
                    if reshuffled:
                        needed |= thrown[event.seat]
                case fact.HandMucked():
                    needed |= dealt[event.seat]
                case fact.DeckReshuffled():
                    reshuffled = True
                    needed |= set(event.pile)
        if needed:
            yield commit.height, needed


@by_game
def test_with_the_rooms_keys_every_decision_comes_out_the_same(game: str) -> None:
    assert [verdict for _, verdict in readjudicate(played(game).commits, OPENER) if verdict is not None] == []


@by_game
def test_without_keys_it_stops_exactly_where_a_sealed_card_decides_and_decides_all_else_again(game: str) -> None:
    commits = played(game).commits
    needed = dict(turning_on_sealed_cards(commits))
    found = {commit.height: verdict for commit, verdict in readjudicate(commits, NoKeys()) if verdict is not None}
    assert found.keys() == needed.keys()
    assert 0 < len(found) < len(commits) / 4
    for height, verdict in found.items():
        assert isinstance(verdict, Undecided)
        assert verdict.card in needed[height]
        assert str(verdict) == f"shard 0, height {height}: needs card {verdict.card}, sealed"


@by_game
def test_a_hand_alone_is_decided_up_to_there(game: str) -> None:
    needed = dict(turning_on_sealed_cards(played(game).commits))
    for commits in commits_by_hand(game):
        first = next((one.height for one in commits if one.height in needed), None)
        verdict = readjudicate_hand(commits, NoKeys())
        assert (verdict and verdict.height) == first
        assert readjudicate_hand(commits, OPENER) is None


def commits_by_hand(game: str) -> list[list[RecordedCommit]]:
    found: list[list[RecordedCommit]] = []
    for commit in played(game).commits:
        if any(isinstance(event, fact.HandOpened) for event in events_of(commit)):
            found.append([])
        if found:
            found[-1].append(commit)
    return found


# --- never guessed ---------------------------------------------------------------------------------------------------


@by_game
def test_without_keys_no_card_is_told_that_the_log_doesn_t_show(game: str) -> None:
    for facts in hands_of(played(game)):
        hand = replayed(facts)
        order = [card for deck in orders_of(hand.id, facts) for card in deck]
        shoes = RecordedShoes(NoKeys())
        shoes.feed(facts)
        shoe, shown = shoes.of(hand), indices_shown(facts)
        for index in range(hand.indices):
            if index in shown:
                assert shoe.card(index) == order[index]
            else:
                with pytest.raises(CardSealed, match=f"needs card {index}, sealed"):
                    shoe.card(index)


def orders_of(hand: str, facts: list[Any]) -> Iterator[tuple[int, ...]]:
    for event in facts:
        match with_boxes_opened(hand, event):
            case fact.HandOpened(deck=deck) | fact.DeckReshuffled(cards=deck):
                yield open_deck(deck)


def indices_shown(facts: list[Any]) -> set[int]:
    """Those that lay face up, on the board, or in a hand that was shown."""
    held: dict[int, set[int]] = {}
    shown = set[int]()
    for event in facts:
        match event:
            case fact.CardsDealt(seat, indices, up=up):
                held.setdefault(seat, set()).update(indices)
                shown |= set(indices) if up else set()
            case fact.CardsDiscarded(seat, indices):
                held[seat] -= set(indices)
            case fact.BoardDealt(indices=indices):
                shown |= set(indices)
            case fact.HandShown(seat):
                shown |= held[seat]
    return shown


@by_game
def test_a_forged_award_is_named_without_keys_where_all_hands_were_shown_and_else_with_them(game: str) -> None:
    commits = played(game).commits
    sealed = dict(turning_on_sealed_cards(commits))
    for height in [one.height for one in commits if any(isinstance(e, fact.PotAwarded) for e in events_of(one))]:
        forged = [one if one.height != height else with_another_winner(one) for one in commits]
        without, having = (dict(verdicts(forged, keyholder))[height] for keyholder in (NoKeys(), OPENER))
        assert isinstance(having, Divergence)
        assert isinstance(having.recorded, fact.PotAwarded)
        assert isinstance(without, Undecided) if height in sealed else without == having


def verdicts(commits: list[RecordedCommit], keyholder: Any) -> Iterator[tuple[int, Any]]:
    """By height, up to the first divergence."""
    for commit, verdict in readjudicate(commits, keyholder):
        yield commit.height, verdict
        if isinstance(verdict, Divergence):
            return


def with_another_winner(commit: RecordedCommit) -> RecordedCommit:
    """The first award goes to another seat."""
    events = events_of(commit)
    at = next(place for place, event in enumerate(events) if isinstance(event, fact.PotAwarded))
    award = events[at]
    to = fact.PotAwarded(award.pot, award.part, award.seat % 2 + 1, award.amount, award.odd, award.hand)
    facts = [*commit.facts]
    facts[at] = RecordedFact(facts[at].stream, facts[at].version, to)
    return commit._replace(facts=facts)


# --- with some of the keys -------------------------------------------------------------------------------------------


def opener_of(game: str, commits: list[RecordedCommit], purposes: list[str]) -> Opener:
    opened = next(event for event in events_of(commits[0]) if isinstance(event, fact.HandOpened))
    return Opener(export(KEYS, f"t1-{opened.number}", [KEYS.current], purposes), None)


@by_game
def test_the_keys_of_all_seats_decide_all_but_a_reshuffle(game: str) -> None:
    for commits in commits_by_hand(game):
        verdict = readjudicate_hand(commits, opener_of(game, commits, [f"seat {seat}" for seat in range(1, 11)]))
        reshuffles = any(isinstance(event, fact.DeckReshuffled) for one in commits for event in events_of(one))
        assert isinstance(verdict, Undecided) if reshuffles else verdict is None


@by_game
def test_the_key_of_one_seat_tells_no_more_than_that_seats_cards(game: str) -> None:
    for commits in commits_by_hand(game):
        needed = dict(turning_on_sealed_cards(commits))
        verdict = readjudicate_hand(commits, opener_of(game, commits, ["seat 1"]))
        assert verdict is None or isinstance(verdict, Undecided)
        assert verdict is None or verdict.card in needed[verdict.height] - held_by(1, commits)


def held_by(seat: int, commits: list[RecordedCommit]) -> set[int]:
    dealt = [event for one in commits for event in events_of(one) if isinstance(event, fact.CardsDealt)]
    return {index for event in dealt if event.seat == seat for index in event.indices}


def test_keys_of_another_room_open_nothing_and_blame_nobody() -> None:
    other = Opener(RoomKeys("riverside", [bytes(32)]))
    commits = played("holdem").commits
    assert list(readjudicate(commits, other)) == list(readjudicate(commits, NoKeys()))
