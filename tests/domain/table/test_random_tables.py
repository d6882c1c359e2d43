"""Players come, bust, sit out, come back and go at random: what section 7 of rules.md promises holds in every hand.

The promises are checked on the facts alone, by walking from seat to seat, with a record of its own of who owes what.
"""

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from domain.hand.events import HandOpened, Post, PostKind
from domain.messages import Refused
from domain.table import commands as ask
from domain.table import events as fact
from domain.table.play import Play
from tests.domain.table.tables import (
    HOLDEM,
    STUD,
    events,
    fold_to_the_end,
    given,
    name,
    play_hand,
    said,
    seat_of,
    table,
)

SMALL, BIG, LATE, DEAD = PostKind.SMALL_BLIND, PostKind.BIG_BLIND, PostKind.LATE_BLIND, PostKind.DEAD_BLIND
HANDS = 400


@dataclass
class Record:
    """Of the player in a seat: whether he has played, what passed him by, and how many big blinds in a row."""

    new: bool = True
    small: bool = False
    big: bool = False
    in_a_row: int = 0

    @property
    def has_to_enter(self) -> bool:
        return self.new or self.small or self.big


@dataclass
class Watched:
    """A table on which somebody keeps records, and all players do as they like."""

    now: Play
    random: Random
    records: dict[int, Record] = field(default_factory=dict)
    button: int = 0

    def something_happens(self) -> None:
        for _ in range(self.random.choice([0, 0, 1, 1, 2, 4])):
            seat = self.random.randint(1, table(self.now).opened.terms.seats)
            try:
                made = events(self.now, self._wish(seat))
            except Refused:
                continue
            for event in made:
                if isinstance(event, fact.PlayerSeated):
                    self.records[seat] = Record()
                elif isinstance(event, fact.PlayerLeft):
                    del self.records[seat]

    def _wish(self, seat: int) -> Any:
        """Mostly to play: who is away comes back, who is broke has chips again, a free seat is taken."""
        sits, what = table(self.now).seats.get(seat), ("t1", seat, name(seat))
        chance, posts = self.random.random(), self.random.random() < 0.6
        if sits is None:
            left = table(self.now).left.get(name(seat))
            return ask.SitDown(*what, max(100, left.stack if left else 0), posts)
        if not sits.stack or chance < 0.05:
            sits.stack = self.random.choice([0, 1, 100, 100, 100])
        if sits.leaving or chance < 0.12:
            return ask.StandUp(*what)
        if sits.frozen:
            return ask.UnfreezePlayer(*what, "")
        if chance < 0.15:
            return ask.FreezePlayer(*what, "")
        if sits.sits_out or sits.has_to_enter:
            return ask.ComeBack(*what, posts)
        return ask.SitOut(*what)

    def deal(self) -> tuple[HandOpened, list[Any]] | None:
        """The next hand and the facts beside it; None where too few can play."""
        try:
            made = events(self.now, ask.DealHand("t1", table(self.now).hands + 1))
        except Refused:
            return None
        return next(event for event in made if isinstance(event, HandOpened)), made

    def dealt_in_by_right(self, seat: int) -> bool:
        """Has chips, and neither the player nor anybody else keeps him out."""
        sits = table(self.now).seats[seat]
        return bool(sits.stack) and not (sits.sits_out or sits.frozen or sits.leaving)

    def regulars(self) -> list[int]:
        able = [seat for seat in sorted(self.records) if self.dealt_in_by_right(seat)]
        return [seat for seat in able if not self.records[seat].has_to_enter]


def walk(start: int, end: int) -> list[int]:
    """The seats clockwise between two others."""
    seats = []
    seat = start % 10 + 1
    while seat != end:
        seats.append(seat)
        seat = seat % 10 + 1
    return seats


def posted(opened: HandOpened, *kinds: PostKind) -> list[Post]:
    return [post for post in opened.posts if post.kind in kinds]


def check_hand(watched: Watched, opened: HandOpened, made: list[Any], regulars: list[int]) -> None:
    dealt = [one.seat for one in opened.seats]
    small, big = check_blinds(opened, dealt)
    starts = len(regulars) < 2
    if not starts:
        assert set(regulars) <= set(dealt), "a regular is always dealt in"
        assert not set(walk(watched.button, opened.button)) & set(regulars), "the button passes no regular over"
        assert opened.button in regulars
    for seat in dealt:
        check_entry(watched, opened, seat, starts, seat in (small, big))
    for seat in dealt:
        watched.records[seat] = Record(new=False)
    check_missed(watched, opened.button, small, big, made)
    watched.button = opened.button


def check_blinds(opened: HandOpened, dealt: list[int]) -> tuple[int, int]:
    """Exactly one small and one big blind, next to each other from the button on; heads-up the button has the small."""
    (small,), (big,) = posted(opened, SMALL), posted(opened, BIG)
    assert (small.amount, big.amount) == (opened.stakes.small_blind, opened.stakes.big_blind)
    assert small.seat != big.seat
    if len(dealt) == 2:
        assert small.seat == opened.button
    else:
        assert not set(walk(opened.button, small.seat)) & set(dealt)
    assert not set(walk(small.seat, big.seat)) & set(dealt)
    return small.seat, big.seat


def check_entry(watched: Watched, opened: HandOpened, seat: int, starts: bool, has_a_blind: bool) -> None:
    """Nobody enters for nothing, nor pays for more than passed him by, nor for that twice."""
    record, rules = watched.records[seat], table(watched.now).opened.seating
    assert rules is not None
    entry = [(post.kind, post.amount, post.live) for post in posted(opened, LATE, DEAD) if post.seat == seat]
    if starts or has_a_blind or not record.has_to_enter:
        assert entry == [], (said(opened), seat)
        return
    assert seat_of(watched.now, seat).posts, "who waits plays for the big blind only"
    late = [(LATE, opened.stakes.big_blind, True)] if record.new or record.big else []
    costs_both = rules.missed_big_costs_both and record.big
    dead = [(DEAD, opened.stakes.small_blind, False)] if record.small or costs_both else []
    assert entry == late + dead, (said(opened), seat)
    assert entry


def check_missed(watched: Watched, button: int, small: int, big: int, made: list[Any]) -> None:
    """Whom the blinds pass by owes them, and loses his seat where the rulebook says so."""
    seats = table(watched.now).seats
    away = [
        seat
        for seat, record in watched.records.items()
        if not record.new
        and (seats[seat].sits_out or not seats[seat].stack)
        and not seats[seat].frozen
        and (seats[seat].leaving is None or any(isinstance(e, fact.PlayerLeaving) and e.seat == seat for e in made))
    ]
    for seat in away:
        record = watched.records[seat]
        if seat in walk(small, big):
            record.big, record.in_a_row = True, record.in_a_row + 1
        elif small != button and seat in walk(button, small):
            record.small = True
    for seat, record in watched.records.items():
        owed = (seats[seat].owes_small, seats[seat].owes_big, seats[seat].missed_in_a_row)
        assert owed == (record.small, record.big, record.in_a_row), seat
    rules = table(watched.now).opened.seating
    assert rules is not None
    taken_off = {event.seat for event in made if isinstance(event, fact.PlayerLeaving)}
    assert taken_off == {
        seat for seat in away if seat in walk(small, big) and watched.records[seat].in_a_row == rules.taken_off_after
    }


@pytest.mark.parametrize("rulebook", ["ace", "omaha-guide", "classic", "euro"])
@pytest.mark.parametrize(
    ("game", "seats"), [("holdem", 3), ("holdem", 6), ("holdem", 10), ("omaha", 6), ("draw", 6), ("triple-draw", 4)]
)
def test_every_hand_keeps_the_promises_of_section_7(game: str, seats: int, rulebook: str) -> None:
    opening = replace(HOLDEM, game=game, rulebook=rulebook, limit="fixed", small=4, big=8, seats=seats)
    watched = Watched(given(opening=opening), Random(f"{game} with {seats} under {rulebook}"))
    hands = entered = missed = 0
    for _ in range(HANDS):
        watched.something_happens()
        regulars = watched.regulars()
        dealt = watched.deal()
        if dealt is None:
            continue
        opened, made = dealt
        check_hand(watched, opened, made, regulars)
        fold_to_the_end(watched.now)
        hands += 1
        entered += len(made[0].entered) if len(regulars) > 1 else 0
        missed += any(isinstance(event, fact.BlindsMissed) for event in made)
    assert hands > HANDS / 3 and entered > 10 and missed > 10, "little happened"


@pytest.mark.parametrize("game", ["stud", "telesina"])
def test_in_ante_games_whoever_can_play_does_and_nobody_owes(game: str) -> None:
    watched = Watched(given(opening=replace(STUD, game=game)), Random(game))
    hands = 0
    for _ in range(HANDS):
        watched.something_happens()
        able = [seat for seat in sorted(watched.records) if watched.dealt_in_by_right(seat)]
        dealt = watched.deal()
        assert (dealt is None) == (len(able) < 2)
        if dealt is None:
            continue
        opened, made = dealt
        assert [one.seat for one in opened.seats] == able
        assert {post.kind for post in opened.posts} == {PostKind.ANTE}
        assert not any(isinstance(event, fact.BlindsMissed) for event in made)
        fold_to_the_end(watched.now)
        hands += 1
    assert hands > HANDS / 2


@pytest.mark.parametrize("seats", [(1, 4), (2, 3, 6), (1, 2, 3, 4), (1, 2, 4, 5, 6), (1, 2, 3, 4, 5, 6)])
def test_over_a_round_without_change_each_posts_every_blind_once(seats: tuple[int, ...]) -> None:
    now = given(*((seat, 100) for seat in seats))
    for _ in range(3):
        hands = [play_hand(now) for _ in seats]
        for kind in (SMALL, BIG):
            assert sorted(post.seat for opened in hands for post in posted(opened, kind)) == list(seats)
        assert not any(posted(opened, LATE, DEAD) for opened in hands)


def test_the_check_sees_a_blind_that_is_charged_twice() -> None:
    """A record that knows of no missed blind finds the post for it wrong."""
    watched = Watched(given(*((seat, 100) for seat in (1, 2, 3, 4))), Random(1))
    watched.records = {seat: Record() for seat in (1, 2, 3, 4)}
    dealt = watched.deal()
    assert dealt is not None
    check_hand(watched, *dealt, [])
    fold_to_the_end(watched.now)
    seat_of(watched.now, 1).owes_small = True
    dealt = watched.deal()
    assert dealt is not None
    assert said(dealt[0]) == "2 button, 3 small, 4 big, 1 posts 1 dead"
    with pytest.raises(AssertionError):
        check_hand(watched, *dealt, [1, 2, 3, 4])
