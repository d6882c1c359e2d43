"""The hands that the demonstration shows, frame by frame."""

from collections.abc import Callable, Iterator
from pathlib import Path

from domain.hand.events import Part, PotAwarded
from domain.rules.registry import game
from domain.rulings.replay import Frame, Standing
from projections import queries
from projections.hands import HandHeader
from services.cli.showing import lines
from services.cli.talk import say
from services.eventlog.log import Log
from services.rulings import hand_commits, hand_frames
from services.views import current_views


def show_hands(home: Path, log: Log) -> str | None:
    """The hands with the largest pots, in small or minimum bets: one that came to a showdown, one that was split. The
    first of them, if there was one."""
    with current_views(home, log) as store:
        headers = sorted(queries.hand_headers(store), key=_bets_in_the_pot, reverse=True)
    shown = _show_hand("pot with a showdown", log, headers, _had_showdown)
    split_offered = [header for header in headers if game(header.game).split_vote]
    _show_hand("pot that was split by a vote", log, split_offered, _was_split)
    return shown


def _bets_in_the_pot(of: HandHeader) -> int:
    return of.pot * 1_000_000 // (of.small_bet or of.min_bet)


def _show_hand(what: str, log: Log, headers: list[HandHeader], wanted: Callable[[Log, str], bool]) -> str | None:
    found = next((header.hand for header in headers if wanted(log, header.hand)), None)
    if found is None:
        say(f"\nNo {what} in these hands.\n")
        return None
    say(f"\nThe largest {what}; `handlog replay {found}` steps through such a hand:\n")
    for line in _told(hand_frames(log, found)):
        say(line)
    say()
    return found


def _was_split(log: Log, hand: str) -> bool:
    awards = (fact.event for commit in hand_commits(log, hand) for fact in commit.facts)
    return any(isinstance(event, PotAwarded) and event.part is Part.AGREED for event in awards)


def _had_showdown(log: Log, hand: str) -> bool:
    end = hand_frames(log, hand)[-1]
    return sum(1 for seat in end.seats if seat.standing in (Standing.SHOWN, Standing.MUCKED)) > 1


def _told(frames: list[Frame]) -> Iterator[str]:
    """Every fact as a line; the whole frame where a street begins and at the end."""
    street = ""
    for frame in frames:
        shown = lines(frame, len(frames))
        yield from shown if frame.street != street or frame.over else shown[:1]
        street = frame.street
