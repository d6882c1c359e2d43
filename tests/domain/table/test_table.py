"""A table: opening, seats, chips, the button and the posts of its hands (rules.md sections 2 and 7)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from domain.cards import deck
from domain.hand import commands as of_hand
from domain.hand.dealing import OpenShoes
from domain.hand.events import Clocks, HandOpened, HandSettled, PostKind
from domain.messages import Refused
from domain.table import commands as ask
from domain.table import events as fact
from domain.table.decider import deal_hand, open_table
from domain.table.play import Play, play
from domain.table.seats import sit_down
from domain.table.state import Table, evolve
from tests.domain.table.tables import HOLDEM, IN_ORDER, STUD, deal, events, fold_to_the_end, given


def posts(opened: HandOpened) -> dict[PostKind, list[tuple[int, int]]]:
    made: dict[PostKind, list[tuple[int, int]]] = {}
    for post in opened.posts:
        made.setdefault(post.kind, []).append((post.seat, post.amount))
    return made


# --- opening and sitting down ----------------------------------------------------------------------------------------


def test_a_table_pins_its_terms_as_values() -> None:
    (opened,) = events(Play("t1"), HOLDEM)
    assert (opened.terms.game, opened.terms.stakes.small_blind, opened.terms.stakes.big_blind) == ("holdem", 1, 2)
    assert opened.terms.rulebook == "euro"
    assert len(opened.terms.rulebook_digest) == 64


def test_a_table_of_an_ante_game_may_state_its_bring_in() -> None:
    assert [events(Play("t1"), replace(STUD, bring_in=owed))[0].terms.stakes.bring_in for owed in (0, 3)] == [2, 3]


def test_clocks_are_table_data() -> None:
    (stated,) = events(Play("t1"), replace(HOLDEM, action_clock=12, draw_clock=20, failure_grace=90))
    (usual,) = events(Play("t1"), HOLDEM)
    assert (stated.clocks, usual.clocks) == (Clocks(12, 20, 90), Clocks(30, 30, 60))


def test_a_tournament_has_no_seat_rules() -> None:
    (cash,) = events(Play("t1"), HOLDEM)
    (tournament,) = events(Play("t1"), replace(HOLDEM, kind="tournament", currency="CHIPS"))
    assert cash.seating is not None
    assert (tournament.seating, tournament.most_buy_in) == (None, 0)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": "whist"}, "unknown game 'whist': one of holdem, omaha, omaha-hilo"),
        ({"limit": "high"}, "unknown limit 'high': one of fixed, spread, pot, half-pot, no"),
        ({"rulebook": "hoyle"}, "unknown rulebook 'hoyle'"),
        ({"least_buy_in": 100, "most_buy_in": 50}, "the most to buy in with, 50, is under the least, 100"),
        (
            {"kind": "real", "currency": "EUR", "small": 1_00, "big": 2_00, "most_buy_in": 1_50},
            "the most to buy in with, 1.50, is under the least, 20.00: state a larger one, or 0 for none",
        ),
        ({"name": "\x1b[31mred\n"}, "can't name a table: use printable characters only"),
        ({"seats": 11}, "a table of Texas hold'em has 2 to 10 seats, not 11"),
        ({"game": "stud", "small": 0, "ante": 1, "seats": 9}, "a table of 7-card stud has 2 to 8 seats, not 9"),
        ({"game": "stud", "small": 0}, "a table of 7-card stud needs a bring-in"),
    ],
)
def test_a_table_that_can_not_be_opened_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        play(Play("t1"), replace(HOLDEM, **change), IN_ORDER, 0)


def test_a_table_is_opened_once() -> None:
    now = given()
    with pytest.raises(Refused, match="table t1 is open already: choose another id"):
        play(now, HOLDEM, IN_ORDER, 0)


def test_nothing_happens_at_a_table_that_is_not_open() -> None:
    with pytest.raises(Refused, match="there is no table t1: open it first"):
        play(Play("t1"), ask.SitDown("t1", 1, "ann", 100), IN_ORDER, 0)


def test_a_player_sits_down_with_chips_from_the_cashier() -> None:
    now = given()
    made = events(now, ask.SitDown("t1", 3, "ann", 150))
    assert made == [fact.PlayerSeated(3, "ann", True), fact.ChipsBrought(3, "ann", 150)]


@pytest.mark.parametrize(
    ("seat", "player", "amount", "sentence"),
    [
        (1, "ann", 100, "seat 1 is taken by player1: free are 2, 3, 4, 5, 6"),
        (7, "ann", 100, "there is no seat 7: the table has seats 1 to 6"),
        (2, "player1", 100, "player1 sits in seat 1 already: stand up first"),
        (2, "ann", 39, "39 is too little: at least 40 to sit down"),
        (2, "ann", 201, "201 is too much: at most 200 to sit down"),
    ],
)
def test_who_can_not_sit_down_is_told_why(seat: int, player: str, amount: int, sentence: str) -> None:
    now = given((1, 100), opening=replace(HOLDEM, least_buy_in=40, most_buy_in=200))
    with pytest.raises(Refused, match=sentence):
        play(now, ask.SitDown("t1", seat, player, amount), IN_ORDER, 0)
    assert now.table is not None
    assert list(now.table.seats) == [1]


def test_a_player_who_stands_up_takes_his_chips() -> None:
    now = given((1, 100), (2, 120))
    assert events(now, ask.StandUp("t1", 2, "player2")) == [
        fact.ChipsTaken(2, "player2", 120),
        fact.PlayerLeft(2, "player2", 0, 120),
    ]


# --- dealing ---------------------------------------------------------------------------------------------------------


def test_the_seat_left_of_the_button_posts_the_small_blind_and_the_next_the_big_blind() -> None:
    assert posts(deal(given((1, 100), (2, 100), (3, 100), (4, 100)))) == {
        PostKind.SMALL_BLIND: [(2, 1)],
        PostKind.BIG_BLIND: [(3, 2)],
    }


def test_two_players_the_button_posts_the_small_blind_and_acts_first() -> None:
    now = given((1, 100), (2, 100))
    assert posts(deal(now)) == {PostKind.SMALL_BLIND: [(1, 1)], PostKind.BIG_BLIND: [(2, 2)]}
    assert now.hand is not None and now.hand.turn is not None
    assert now.hand.turn.seat == 1


def test_a_seat_without_chips_is_not_dealt_in() -> None:
    now = given((1, 100), (2, 100), (3, 100))
    assert now.table is not None
    now.table.seats[2].stack = 0
    opened = deal(now)
    assert [one.seat for one in opened.seats] == [1, 3]


def test_antes_of_a_tournament_level_are_posted_by_all_before_the_blinds() -> None:
    opening = replace(HOLDEM, kind="tournament", currency="CHIPS", ante=1)
    made = deal(given((1, 100), (2, 100), (3, 100), opening=opening)).posts
    assert [(post.kind, post.seat) for post in made] == [
        (PostKind.ANTE, 2),
        (PostKind.ANTE, 3),
        (PostKind.ANTE, 1),
        (PostKind.SMALL_BLIND, 2),
        (PostKind.BIG_BLIND, 3),
    ]


def test_a_hand_needs_two_players_with_chips() -> None:
    with pytest.raises(Refused, match="1 can be dealt in: a hand needs two with chips who don't sit out"):
        deal(given((1, 100)))


def test_one_hand_at_a_time_and_each_number_once() -> None:
    now = given((1, 100), (2, 100))
    deal(now)
    with pytest.raises(Refused, match="hand t1-1 is under way: the next one is dealt when it is over"):
        play(now, ask.DealHand("t1", 2), IN_ORDER, 0)
    fold_to_the_end(now)
    with pytest.raises(Refused, match="hand 1 is not the next one of table t1: that is 2"):
        play(now, ask.DealHand("t1", 1), IN_ORDER, 0)


def test_the_table_learns_the_stacks_of_a_settled_hand_in_the_same_decision() -> None:
    now = given((1, 100), (2, 100), (3, 100))
    deal(now)
    made = fold_to_the_end(now)
    assert [type(event) for event in made[-2:]] == [HandSettled, fact.HandFinished]
    assert now.table is not None
    assert {seat: one.stack for seat, one in now.table.seats.items()} == {1: 100, 2: 99, 3: 101}


def test_an_action_on_a_hand_that_is_not_under_way_is_told_which_one_is() -> None:
    now = given((1, 100), (2, 100))
    with pytest.raises(Refused, match="there is no hand t1-1"):
        play(now, of_hand.Fold("t1-1", 1, 1), IN_ORDER, 0)
    deal(now)
    with pytest.raises(Refused, match="hand t1-2 is not under way: t1-1 is"):
        play(now, of_hand.Fold("t1-2", 1, 1), IN_ORDER, 0)
    fold_to_the_end(now)
    with pytest.raises(Refused, match="hand t1-1 is over"):
        play(now, of_hand.Fold("t1-1", 1, 1), IN_ORDER, 0)


# --- games with an ante and a bring-in: no button, no blinds (sections 1 and 2) ---------------------------------------


def table_with(opening: ask.OpenTable, *seats: int) -> Table:
    """A table with players in these seats, as its facts alone make it."""
    (opened,) = open_table(opening)
    made = evolve(None, opened)
    for seat in seats:
        for event in sit_down(made, ask.SitDown("t1", seat, f"player{seat}", 40), 0):
            evolve(made, event)
    return made


def dealt_at(table: Table) -> HandOpened:
    """The next hand of the table, over at once."""
    (started,), opened, _ = deal_hand(table, ask.DealHand("t1", table.hands + 1), IN_ORDER)
    assert started.button == opened.button
    evolve(table, started)
    evolve(table, fact.HandFinished(started.hand, (), (), 0))
    return opened


@pytest.mark.parametrize("game", ["stud", "stud-hilo", "soko", "americana", "telesina"])
def test_an_ante_game_has_no_button_in_any_hand(game: str) -> None:
    table = table_with(replace(STUD, game=game), 2, 4, 5)
    assert [dealt_at(table).button for _ in range(3)] == [0, 0, 0]
    assert table.button == 0


@pytest.mark.parametrize("game", ["draw", "triple-draw"])
def test_a_draw_game_has_a_button_that_moves_and_blinds(game: str) -> None:
    table = table_with(replace(HOLDEM, game=game), 2, 4, 5)
    hands = [dealt_at(table) for _ in range(3)]
    assert [(opened.button, posts(opened)) for opened in hands] == [
        (2, {PostKind.SMALL_BLIND: [(4, 1)], PostKind.BIG_BLIND: [(5, 2)]}),
        (4, {PostKind.SMALL_BLIND: [(5, 1)], PostKind.BIG_BLIND: [(2, 2)]}),
        (5, {PostKind.SMALL_BLIND: [(2, 1)], PostKind.BIG_BLIND: [(4, 2)]}),
    ]


@pytest.mark.parametrize("seats", [(2, 4, 5), (3, 6), (1, 2, 3, 4, 5, 6)])
def test_all_post_the_ante_and_nothing_else_clockwise_from_the_dealer_box_before_seat_1(seats: tuple[int, ...]) -> None:
    table = table_with(STUD, *seats)
    for _ in range(2):
        assert posts(dealt_at(table)) == {PostKind.ANTE: [(seat, 1) for seat in seats]}


def test_a_game_without_an_ante_posts_nothing() -> None:
    """Some low games of `ace` have none (section 2)."""
    table = table_with(replace(STUD, rulebook="ace", limit="fixed", small=4, big=8, ante=0), 1, 2)
    opened = dealt_at(table)
    assert (opened.posts, opened.stakes.bring_in) == ((), 2)


@pytest.mark.parametrize(
    ("game", "lowest_rank", "cards"), [("holdem", 0, 52), ("stud", 0, 52), ("americana", 5, 32), ("draw32", 5, 32)]
)
def test_the_deck_is_that_of_the_game_in_the_order_that_the_shuffle_gives(
    game: str, lowest_rank: int, cards: int
) -> None:
    stakes: dict[str, Any] = {"small": 0, "ante": 1} if game in {"stud", "americana"} else {}
    table = table_with(replace(HOLDEM, game=game, seats=5, **stakes), 1, 2)
    asked = []

    def backwards(given: Sequence[int]) -> Sequence[int]:
        asked.append(tuple(given))
        return given[::-1]

    _, opened, shoe = deal_hand(table, ask.DealHand("t1", 1), OpenShoes(backwards))
    assert asked == [tuple(deck(lowest_rank))]
    assert opened.deck == tuple(reversed(deck(lowest_rank)))
    assert [shoe.card(index) for index in range(cards)] == list(opened.deck)
