"""Random legal play: chips are conserved, no card comes twice, every hand ends, its facts alone make it again, an
illegal amount is refused, and a second opinion (pot_model) pays the same."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from domain import catalog
from domain.hand import events as fact
from domain.hand.dealing import OpenShoe
from domain.hand.events import PostKind
from domain.messages import Refused
from domain.rules.games import GAMES
from domain.rules.registry import RULEBOOKS_BY_NAME
from domain.rules.vocabulary import Limit
from tests.domain.hand.pot_model import Reckoning
from tests.hands import Table, everything_in, open_hand_for, replayed

BIG = 20
CHOICES = 40
"""How many actions of a hand are drawn: after them everyone checks or calls, so that the hand ends."""


@st.composite
def openings(draw) -> fact.HandOpened:
    """A hand of any game, limit and rulebook; stacks from one chip up; posts that only a table could owe."""
    game = draw(st.sampled_from(GAMES))
    limit = draw(st.sampled_from(Limit))
    rulebook = draw(st.sampled_from(sorted(RULEBOOKS_BY_NAME)))
    unit = draw(st.sampled_from([1, 1, 5]))
    kind = draw(st.sampled_from(["play", "tournament", "real"]))
    seats = draw(st.lists(st.integers(1, 10), min_size=2, max_size=game.max_seats, unique=True))
    # Stacks that differ by a few chips make side pots smaller than a step of the rake.
    alike = draw(st.sampled_from([0, 0, 150, 500]))
    chips = st.integers(alike, alike + 5) if alike else st.integers(1, 12) | st.integers(1, 60) | st.integers(1, 900)
    stacks = {seat: draw(chips) for seat in seats}
    opened = opened_or_play_money(
        game=game.name,
        limit=limit,
        stakes={Limit.FIXED: (BIG, 2 * BIG), Limit.SPREAD: (0, BIG)}.get(limit, (BIG // 2, BIG)),
        maxima=(BIG, BIG, 2 * BIG, 3 * BIG) if limit is Limit.SPREAD else (),
        stacks=stacks,
        button=draw(st.sampled_from(seats)),
        rulebook=rulebook,
        chip_unit=unit,
        kind=kind,
    )
    opened.posts = draw(posts_of(opened, seats))
    deck = list(range(52))
    Random(draw(st.integers(0, 2**32))).shuffle(deck)
    opened.deck = tuple(deck)
    return opened


def opened_or_play_money(*, kind: str, **terms) -> fact.HandOpened:
    """Real money has neither a chip unit of 5 nor rows for all structures: such a table is opened for play money."""
    try:
        return open_hand_for(kind=kind, **terms)
    except Refused:
        return open_hand_for(kind="play", **terms)


@st.composite
def posts_of(draw, opened: fact.HandOpened, seats: list[int]) -> tuple[fact.Post, ...]:
    """The ordinary blinds, and for some antes, dead and late blinds, a table ante; each seat's antes first, then what
    is dead, then what is live."""
    antes: list[fact.Post] = []
    match draw(st.sampled_from(["no antes", "no antes", "antes", "table ante"])):
        case "antes":
            antes = [fact.Post(seat, PostKind.ANTE, 5, live=False) for seat in seats]
        case "table ante":
            antes = [fact.Post(seats[0], PostKind.TABLE_ANTE, BIG, live=False)]
    blinds = list(opened.posts)
    owed = {post.seat for post in blinds}
    late = [seat for seat in seats if seat not in owed and draw(st.integers(0, 4)) == 0]
    dead = [fact.Post(seat, PostKind.DEAD_BLIND, BIG // 2, live=False) for seat in late if draw(st.booleans())]
    live = [fact.Post(seat, PostKind.LATE_BLIND, BIG, live=True) for seat in late]
    return (*antes, *dead, *blinds, *live)


@settings(max_examples=300)
@given(opened=openings(), choices=st.lists(st.integers(0, 99), max_size=CHOICES))
def test_random_legal_play(opened: fact.HandOpened, choices: list[int]) -> None:
    table = Table(opened)
    decisions = 0
    drawn = iter(choices)
    while table.hand.turn:
        act(table, next(drawn, None))
        decisions += 1
        assert decisions <= CHOICES + 10 * 4 * 2, "the hand doesn't end"
    no_card_comes_twice(table)
    assert [catalog.event.load(*catalog.event.dump(one)) for one in table.facts] == table.facts
    assert everything_in(replayed(table.facts)) == everything_in(table.hand)
    reckoned = Reckoning(table.facts)
    assert list(table.pots) == reckoned.pots
    assert table.won == reckoned.won
    assert sum(table.stacks.values()) + table.hand.rake == sum(one.stack for one in opened.seats)


def act(table: Table, choice: int | None) -> None:
    """One decision: fold, check or call, or a bet or raise somewhere between the least and the most; now and then a
    wish for the showdown first, or an amount that is out of bounds."""
    turn, unit = table.hand.turn, table.hand.opened.chip_unit
    assert turn
    seat, stay = turn.seat, "calls" if turn.call else "checks"
    verb = "raises to" if table.hand.wager else "bets"
    money = in_money(table)
    if choice is None or 30 <= choice < 55:
        table.do(f"{seat} {stay}")
    elif choice < 15:
        table.do(f"{seat} folds")
    elif choice < 20:
        table.do(f"{seat} asks to show", f"{seat} {stay}")
    elif choice < 25 and table.hand.opened.house.may_give_up:
        table.do(f"{seat} gives up at the showdown", f"{seat} {stay}")
    elif choice < 30 or not turn.most:
        for to in {turn.least - 1, turn.most + 1} if turn.most else {table.hand.wager + 1}:
            assert table.refusal(f"{seat} {verb} {money(to)}")
        table.do(f"{seat} {stay}")
    else:
        between = turn.least + (turn.most - turn.least) * (choice - 55) // 44
        to = turn.most if choice == 99 else max(turn.least, between - between % unit)
        table.do(f"{seat} {verb} {money(to)}")


def in_money(table: Table):
    """Minor units as the hand's sentences write them."""
    if table.hand.opened.currency == "EUR":
        return lambda amount: f"{amount // 100}.{amount % 100:02}"
    return str


def no_card_comes_twice(table: Table) -> None:
    indices = [index for one in table.found(fact.CardsDealt) for index in one.indices]
    indices += [index for one in table.found(fact.BoardDealt) for index in one.indices]
    dealt = [card for one in table.found(fact.CardsDealt) for card in one.cards] + list(table.hand.board)
    assert sorted(indices) == list(range(len(indices)))
    assert len(set(dealt)) == len(dealt)
    shoe = OpenShoe(table.hand.opened.deck)
    for one in table.found(fact.CardsDealt):
        assert one.cards == tuple(shoe.card(index) for index in one.indices)
