"""A new game is a page of data: Razz, which the house doesn't ship, is declared here and nowhere else, and played.

Seven cards as in stud, and the lowest five win: ace to five, pairs count against a hand, straights and flushes don't.
"""

from pathlib import Path
from random import Random

import pytest

from domain.cards import deck
from domain.hand import events as fact
from domain.hand.dealing import OpenShoes
from domain.hand.invariants import check
from domain.rules import registry
from domain.rules.declaration import check_declaration
from domain.rules.explained import explain
from domain.rules.games import STUD
from domain.rules.ranking_words import Ranking
from domain.rules.rankings import RANKINGS
from domain.rules.vocabulary import DoorCard, Forced, Game, Limit
from tests.domain.hand.habits import Habits, play_at_random
from tests.hands import Table, as_it_lies, open_hand_for, replayed, stacked

RAZZ_LOW = Ranking(
    name="razz-low",
    categories=("four of a kind", "full house", "three of a kind", "two pair", "one pair", "high card"),
    ranks="A23456789TJQK",
    lowest_wins=True,
)

RAZZ = Game(
    name="razz",
    title="Razz",
    revision=1,
    max_seats=8,
    forced=Forced.ANTE_AND_BRING_IN,
    streets=STUD.streets,
    raked_from="4th",
    high="razz-low",
    brings_in=DoorCard.HIGHEST,
)


@pytest.fixture(autouse=True)
def declared(monkeypatch) -> None:
    monkeypatch.setitem(RANKINGS, RAZZ_LOW.name, RAZZ_LOW)
    check_declaration(RAZZ)
    monkeypatch.setitem(registry.GAMES_BY_NAME, RAZZ.name, RAZZ)
    monkeypatch.setitem(registry.GAMES_BY_REVISION, (RAZZ.name, 1), RAZZ)


def test_no_file_of_the_house_knows_it() -> None:
    house = Path(__file__).parents[2]
    code = [path for part in ("domain", "projections", "services") for path in (house / part).rglob("*.py")]
    assert [path for path in code if "razz" in path.read_text().lower()] == []


def test_the_highest_door_card_brings_in_and_an_ace_is_the_lowest() -> None:
    cards = {1: "2c 3c Ah", 2: "2d 3d Ks", 3: "2h 3h Kd"}
    table = Table(open_hand_for("razz", "fixed", (4, 8), ante=1, cards=cards, stacks=[100] * 3))
    assert table.awaited == (2, "bring in 2 or 4")


def test_the_lowest_hand_showing_opens() -> None:
    cards = {1: "2c 3c Ah Ad", 2: "2d 3d Ks 4s", 3: "2h 3h 8d 7d"}
    table = stacked("razz", "fixed", (4, 8), ante=1, cards=cards, stacks=[100] * 3)
    table.do("2 brings in for 2", "3 calls", "1 calls")
    assert table.awaited == (3, "check, bet 4")


def test_the_wheel_wins_whatever_its_suits() -> None:
    cards = {1: "Ac 2c 3c 4c 5c Kd Ks", 2: "Ad 2d 3d 4d 6s Qd Qs"}
    table = stacked("razz", "fixed", (4, 8), ante=1, cards=cards, stacks=[5, 5])
    assert table.hand.turn is not None
    table.do(f"{table.hand.turn.seat} brings in for 4")
    table.do(f"{table.hand.turn.seat} calls")
    assert table.won == {1: 10}
    assert [award.hand for award in table.found(fact.PotAwarded)] == ["5-4-3-2-A low"]


@pytest.mark.parametrize("limit", Limit)
def test_random_hands_under_every_structure(limit) -> None:
    random = Random(limit)
    stakes = (4, 8) if limit is Limit.FIXED else (0, 0)
    maxima = (6, 6, 12, 12, 12) if limit is Limit.SPREAD else ()
    for _ in range(20):
        players = random.randint(2, RAZZ.max_seats)
        opened = open_hand_for(
            "razz", limit, stakes, ante=1, maxima=maxima, stacks=[random.randint(1, 200) for _ in range(players)]
        )
        opened.deck = tuple(random.sample(deck(0), 52))
        hand = replayed(play_at_random(opened, random, Habits(raising=0.3)))
        assert hand.settled
        check(hand, OpenShoes(as_it_lies).of(hand))


def test_handlog_games_explains_it_from_its_declaration() -> None:
    sections = explain(RAZZ, tuple(registry.RULEBOOKS_BY_NAME.values()))
    told = {section.heading: " ".join(section.sentences) for section in sections}
    assert "Who brings in: the highest door card. Door cards rank from A up to K" in told["forced bets"]
    assert "pair shows" not in told["streets"], "no rulebook names it"
    assert "open pair" not in told["limits"]
    assert "best first: high card, one pair, two pair, three of a kind and four of a kind" in told["streets"]
    assert "left before 7th street than players still in, one card" in told["too few cards"]
    assert told["ranking"] == (
        "The lowest hand wins; from best to worst: high card, one pair, two pair, three of a kind, full house, four of "
        "a kind. The ace is low. Straights and flushes don't count. Ranks compare from the highest card down, and the "
        "lower is the better; then hands tie. The best hand is A-2-3-4-5."
    )
    assert "The best hand wins" in told["showdown"]
