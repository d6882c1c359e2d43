"""Tables for tests: players are named by their seats, everybody folds, and a deal is said as a dealer would."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from domain.hand import commands as of_hand
from domain.hand.dealing import OpenShoes
from domain.hand.events import BringInOwed, DrawOffered, HandOpened, PostKind
from domain.messages import SECOND
from domain.table import commands as ask
from domain.table.play import Play, play, table_of
from domain.table.state import Seat, Table

HOLDEM = ask.OpenTable("t1", "Table 1", "holdem", "no", "euro", 1, 2, 6, "play", "PLAY")
TEN_SEATS = replace(HOLDEM, seats=10)
STUD = replace(HOLDEM, game="stud", small=0, big=4, ante=1)

IN_ORDER = OpenShoes(tuple)
MINUTE = 60 * SECOND


def given(*players: tuple[int, int], opening: ask.OpenTable = HOLDEM) -> Play:
    """A table at which players sit: (seat, chips)."""
    now = Play(table_of(opening))
    events(now, opening)
    for seat, chips in players:
        sit_down(now, seat, chips)
    return now


def playing(*seats: int, opening: ask.OpenTable = HOLDEM) -> Play:
    """A table at which one hand was played by players in these seats: all are regulars, and the lowest had the
    button."""
    now = given(*((seat, 100) for seat in seats), opening=opening)
    play_hand(now)
    return now


def under(rulebook: str, **terms: Any) -> ask.OpenTable:
    return replace(HOLDEM, rulebook=rulebook, **terms)


def events(now: Play, args: Any, at: int = 0) -> list[Any]:
    return [event for _, made in play(now, args, IN_ORDER, at) for event in made]


def name(seat: int) -> str:
    return f"player{seat}"


def sit_down(now: Play, seat: int, chips: int = 100, *, posts: bool = True, at: int = 0) -> None:
    events(now, ask.SitDown(now.id, seat, name(seat), chips, posts), at)


def stand_up(now: Play, *seats: int, at: int = 0) -> None:
    for seat in seats:
        events(now, ask.StandUp(now.id, seat, table(now).seats[seat].player), at)


def sit_out(now: Play, *seats: int) -> None:
    for seat in seats:
        events(now, ask.SitOut(now.id, seat, name(seat)))


def come_back(now: Play, *seats: int, posts: bool = True) -> None:
    for seat in seats:
        events(now, ask.ComeBack(now.id, seat, name(seat), posts))


def bust(now: Play, *seats: int) -> None:
    for seat in seats:
        table(now).seats[seat].stack = 0


def table(now: Play) -> Table:
    assert now.table is not None
    return now.table


def seat_of(now: Play, seat: int) -> Seat:
    return table(now).seats[seat]


def deal(now: Play) -> HandOpened:
    """The next hand, which stays open."""
    made = events(now, ask.DealHand(now.id, table(now).hands + 1))
    return next(event for event in made if isinstance(event, HandOpened))


def fold_to_the_end(now: Play) -> list[Any]:
    """Everybody folds, but for what he must bring in or draw, until the hand is over; the last decision's events."""
    made: list[Any] = []
    while table(now).open_hand:
        made = events(now, _fold(now))
    return made


def _fold(now: Play) -> Any:
    assert now.hand is not None and now.hand.turn is not None
    turn, answer = now.hand.turn, (now.hand.id, now.hand.decision, now.hand.turn.seat)
    match turn:
        case BringInOwed():
            return of_hand.BringIn(*answer, turn.least)
        case DrawOffered():
            return of_hand.Draw(*answer, ())
        case _:
            return of_hand.Fold(*answer)


def play_hand(now: Play) -> HandOpened:
    opened = deal(now)
    fold_to_the_end(now)
    return opened


def next_hand(now: Play) -> str:
    """The next hand, played to its end, as it was dealt: see `said`."""
    return said(play_hand(now))


def said(opened: HandOpened) -> str:
    """A hand of a game with blinds: "1 button, 2 small, 3 big, 5, 6 posts 2 live and 1 dead"."""
    order = sorted((one.seat for one in opened.seats), key=lambda seat: (seat - opened.button) % 10)
    return ", ".join(" ".join([str(seat), *_does(opened, seat)]) for seat in order)


def _does(opened: HandOpened, seat: int) -> Iterable[str]:
    what = {
        PostKind.SMALL_BLIND: (opened.stakes.small_blind, True, "small"),
        PostKind.BIG_BLIND: (opened.stakes.big_blind, True, "big"),
    }
    told = ["button"] if seat == opened.button else []
    extra = []
    for post in opened.posts:
        if post.seat == seat and post.kind in what:
            amount, live, word = what[post.kind]
            assert (post.amount, post.live) == (amount, live)
            told.append(word)
        elif post.seat == seat:
            assert post.live == (post.kind is PostKind.LATE_BLIND)
            extra.append(f"{post.amount} {'live' if post.live else 'dead'}")
    if extra:
        told.append(f"posts {' and '.join(extra)}")
    return told
