"""Who is dealt in, where the button goes, who posts what, and whom the blinds pass by (rules.md section 7)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from domain.hand.events import Post, PostKind
from domain.hand.state import clockwise
from domain.messages import MOST_SEATS, Refused
from domain.rules.vocabulary import Forced, Game, SeatRules, Stakes
from domain.table.state import Seat, Table

NO_BUTTON = 0
"""Ante games are dealt from a box that stands before seat 1 and never moves (rules.md section 1)."""


class LineUp(NamedTuple):
    """The next hand, as seats: its button, who is dealt in (ascending), and the posts in their order.

    entered: who plays from this hand on and owes nothing any more. missed_small, missed_big: whom the blinds pass by;
    who owes the small blind already isn't named again.
    """

    button: int
    seats: tuple[int, ...]
    posts: tuple[Post, ...]
    entered: tuple[int, ...] = ()
    missed_small: tuple[int, ...] = ()
    missed_big: tuple[int, ...] = ()


def line_up(table: Table, game: Game) -> LineUp:
    """The next hand of a table. Refused where nobody can play against anybody."""
    able = sorted([number for number, seat in table.seats.items() if seat.can_be_dealt_in])
    if len(able) < 2:
        raise Refused(f"{len(able)} can be dealt in: a hand needs two with chips who don't sit out")
    if game.forced is not Forced.BLINDS:
        return _everybody(table, able, NO_BUTTON)
    regulars = [number for number in able if not table.seats[number].has_to_enter]
    if table.rules is None or len(regulars) < 2 or len(regulars) == len(able):
        return _everybody(table, able, clockwise(able, table.button)[0])
    return _with_newcomers(table, table.rules, able, regulars)


def _everybody(table: Table, able: Sequence[int], button: int) -> LineUp:
    """Ordinary posts only: a game that starts or is played with antes, or nobody there has to enter."""
    posts = ordinary_posts(table.opened.terms.stakes, able, button)
    return LineUp(button, tuple(able), posts, _entering(table, able), *_passed_by(table, able, button))


def _with_newcomers(table: Table, rules: SeatRules, able: Sequence[int], regulars: Sequence[int]) -> LineUp:
    """Regulars all play; who has to enter does so with the big blind, or for a post, but not between button and small
    blind."""
    stakes, button = table.opened.terms.stakes, clockwise(regulars, table.button)[0]
    dealt = _dealt_in(table, able, regulars, button)
    small, big = blinds_of(dealt, button)
    entered = _entering(table, dealt)
    entries = [
        post
        for number in clockwise(entered, big)
        if number not in (small, big)
        for post in entry_posts(number, table.seats[number], rules, stakes)
    ]
    posts = (*ordinary_posts(stakes, dealt, button), *entries)
    return LineUp(button, dealt, posts, entered, *_passed_by(table, dealt, button))


def _dealt_in(table: Table, able: Sequence[int], regulars: Sequence[int], button: int) -> tuple[int, ...]:
    """All who play, ascending. Where fewer than three would, who wants to post may be the small blind at once."""
    posting = [number for number in able if number not in regulars and table.seats[number].posts]
    small = clockwise(regulars, button)[0]
    dealt = _dealt_in_with(small, able, regulars, posting, button)
    passed_over = [number for number in posting if is_between(button, number, small)]
    if len(dealt) < 3 and passed_over:
        return _dealt_in_with(clockwise(passed_over, button)[0], able, regulars, posting, button)
    return dealt


def _dealt_in_with(
    small: int, able: Sequence[int], regulars: Sequence[int], posting: Sequence[int], button: int
) -> tuple[int, ...]:
    """Whoever comes next after the small blind has the big one, also if he waited: that is what he waited for."""
    big = clockwise(able, small)[0]
    at_once = (number for number in posting if not is_between(button, number, small))
    return tuple(sorted({*regulars, small, big, *at_once}))


def _entering(table: Table, dealt: Iterable[int]) -> tuple[int, ...]:
    if table.rules is None:
        return ()
    return tuple(number for number in dealt if table.seats[number].has_to_enter)


def entry_posts(number: int, seat: Seat, rules: SeatRules, stakes: Stakes) -> list[Post]:
    """What somebody posts to play at once: a newcomer the big blind; else what he missed, the small one dead."""
    posts = []
    if seat.owes_big or not seat.entered:
        posts.append(Post(number, PostKind.LATE_BLIND, stakes.big_blind, True))
    if seat.owes_small or (seat.owes_big and rules.missed_big_costs_both):
        posts.append(Post(number, PostKind.DEAD_BLIND, stakes.small_blind, False))
    return posts


def _passed_by(table: Table, dealt: Sequence[int], button: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who misses the small and who the big blind: players who sit out, or have no chips left."""
    everybody_plays = len(dealt) == len(table.seats)
    if everybody_plays or table.rules is None or not table.opened.terms.stakes.big_blind:
        return (), ()
    small, big = blinds_of(dealt, button)
    absent = [number for number in sorted(table.seats) if _is_absent(table.seats[number])]
    return (
        tuple(number for number in absent if is_between(button, number, small) and not table.seats[number].owes_small),
        tuple(number for number in absent if is_between(small, number, big)),
    )


def _is_absent(seat: Seat) -> bool:
    """A newcomer has nothing to miss yet; a frozen player is kept away."""
    return seat.entered and (seat.sits_out or not seat.stack) and not (seat.frozen or seat.leaving)


def is_between(start: int, seat: int, end: int) -> bool:
    """Whether a seat lies clockwise between two others, neither of them."""
    return 0 < (seat - start) % MOST_SEATS < (end - start) % MOST_SEATS


def blinds_of(dealt: Sequence[int], button: int) -> tuple[int, int]:
    """The small blind, left of the button, and the big one next to it; heads-up the button has the small one (section
    2)."""
    order = clockwise(dealt, button)
    return (order[1], order[0]) if len(order) == 2 else (order[0], order[1])


def ordinary_posts(stakes: Stakes, seats: Sequence[int], button: int) -> tuple[Post, ...]:
    """Antes of all, clockwise from the button, then the blinds of a game that has them (section 2)."""
    paying = clockwise(seats, button) if stakes.ante else ()
    antes = tuple([Post(seat, PostKind.ANTE, stakes.ante, False) for seat in paying])
    if not stakes.big_blind:
        return antes
    small, big = blinds_of(seats, button)
    return (
        *antes,
        Post(small, PostKind.SMALL_BLIND, stakes.small_blind, True),
        Post(big, PostKind.BIG_BLIND, stakes.big_blind, True),
    )
