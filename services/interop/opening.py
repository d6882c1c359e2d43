"""A hand of another room as the fact that opens one: seats, posts, stakes, house rules, rake, and the deck rigged."""

from domain.hand.events import Clocks, DealtIn, HandOpened, Post, PostKind
from domain.money import SCALES
from domain.rules.registry import game as declared
from domain.rules.rulebook import Rulebook, digest
from domain.rules.stakes import house_rules
from domain.rules.vocabulary import Forced, Kind, Limit, RakeSchedule, Stakes
from services.interop.history import History, Line, Seat
from services.interop.seating import Seating

POSTS = {
    "ante": PostKind.ANTE,
    "sb": PostKind.SMALL_BLIND,
    "bb": PostKind.BIG_BLIND,
    "late_bb": PostKind.LATE_BLIND,
    "dead": PostKind.DEAD_BLIND,
    "dead_sb": PostKind.DEAD_BLIND,
}


CURRENCY = {Kind.REAL: "USD", Kind.PLAY: "PLAY", Kind.TOURNAMENT: "CHIPS"}
"""What the chips are counted in: the amounts of a hand don't hang on which currency it is."""


def hand_opened(
    history: History, seating: Seating, deck: tuple[int, ...], rulebook: Rulebook, rake: RakeSchedule | None
) -> HandOpened:
    """The opening of a history that is not to be skipped."""
    button, seats = seating
    game, kind, limit = declared(history.game), history.kind, history.limit
    currency = CURRENCY[kind]
    return HandOpened(
        table="elsewhere",
        number=1,
        game=game.name,
        game_revision=game.revision,
        limit=limit,
        stakes=stakes_of(history),
        house=house_rules(rulebook, game, limit, kind, len(seats)),
        rake=rake,
        chip_unit=1,
        currency=currency,
        scale=SCALES[currency],
        kind=kind,
        clocks=Clocks(),
        rulebook=rulebook.name,
        rulebook_digest=digest(rulebook),
        button=button,
        seats=tuple(DealtIn(seat.seat, f"p{seat.seat}", seat.stack) for seat in seats),
        posts=_posts(history, seats),
        deck=deck,
    )


# --- stakes and posts ------------------------------------------------------------------------------------------------


def stakes_of(history: History) -> Stakes:
    """The stakes as stated; what isn't follows from what was posted and bet."""
    if declared(history.game).forced is Forced.ANTE_AND_BRING_IN:
        return _with_bring_in(history)
    said = history.stakes
    big_blind = said.get("bb") or said.get("small_bet") or _dearest(history, "sb", "bb", "late_bb")
    if history.limit is Limit.FIXED:
        small_bet = said.get("small_bet", big_blind)
        return Stakes(
            small_blind=said.get("sb", 0),
            big_blind=big_blind,
            ante=said.get("ante", 0),
            small_bet=small_bet,
            big_bet=said.get("big_bet", 2 * small_bet),
        )
    return Stakes(
        small_blind=said.get("sb", 0),
        big_blind=big_blind,
        ante=said.get("ante", 0),
        min_bet=big_blind,
    )


def _with_bring_in(history: History) -> Stakes:
    """A bring-in that is neither stated nor posted, because its player opened for a full bet, is twice the ante."""
    said = history.stakes
    ante = said.get("ante") or _dearest(history, "ante")
    bring_in = said.get("bring_in") or 2 * ante
    if history.limit is not Limit.FIXED:
        return Stakes(ante=ante, bring_in=bring_in, min_bet=said.get("min_bet", bring_in))
    small_bet = said.get("small_bet") or _small_bet_played(history, bring_in)
    return Stakes(ante=ante, bring_in=bring_in, small_bet=small_bet, big_bet=said.get("big_bet") or 2 * small_bet)


def _dearest(history: History, *posts: str) -> int:
    return max((line.by for line in history.posts if line.post in posts), default=0)


def _small_bet_played(history: History, bring_in: int) -> int:
    """That of the first bet which was no all-in, or half of it on a street for the big bet. Where there is none, any
    that the all-ins don't pass would do."""
    big = {street.name for street in declared(history.game).streets if street.big}
    wagers = [line for line in history.actions if line.act in ("bet", "raise", "complete")]
    for line in wagers:
        if not line.all_in:
            return line.to // 2 if line.street in big else line.to
    return max([line.to for line in wagers], default=2 * bring_in)


def _posts(history: History, seats: tuple[Seat, ...]) -> tuple[Post, ...]:
    """The posts in the history's order, each in full: a player all-in posts what he has. An ante that only one player
    posts is the table's. Some rooms write a post of nothing."""
    seat_of = {seat.player: seat.seat for seat in seats}
    stack = {seat.player: seat.stack for seat in seats}
    one_for_all = sum(1 for line in history.posts if line.post == "ante") == 1
    posts = []
    for line in history.posts:
        stack[line.player] -= line.by
        amount = line.by if stack[line.player] else max(line.by, _nominal(history, line.post))
        if amount:
            posts.append(Post(seat_of[line.player], _kind_of_post(line, one_for_all), amount, line.live))
    return tuple(posts)


def _nominal(history: History, post: str) -> int:
    stakes = stakes_of(history)
    return {"ante": stakes.ante, "sb": stakes.small_blind, "bb": stakes.big_blind}.get(post, 0)


def _kind_of_post(line: Line, one_for_all: bool) -> PostKind:
    return PostKind.TABLE_ANTE if line.post == "ante" and one_for_all else POSTS[line.post]
