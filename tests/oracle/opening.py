"""A logged hand as the fact that opens one: seats, posts, stakes, house rules, rake, a deck that deals its cards."""

from domain.hand.events import Clocks, DealtIn, HandOpened, Post, PostKind
from domain.rules.rulebook import Rulebook, digest
from domain.rules.stakes import house_rules
from domain.rules.vocabulary import Forced, Kind, Limit, RakeSchedule, Stakes
from tests.oracle.games import declared
from tests.oracle.records import Logged, Record, Seat
from tests.oracle.seating import Seating

POSTS = {
    "ante": PostKind.ANTE,
    "sb": PostKind.SMALL_BLIND,
    "bb": PostKind.BIG_BLIND,
    "late_bb": PostKind.LATE_BLIND,
    "dead": PostKind.DEAD_BLIND,
    "dead_sb": PostKind.DEAD_BLIND,
}


def hand_opened(
    record: Record, seating: Seating, deck: tuple[int, ...], rulebook: Rulebook, rake: RakeSchedule | None
) -> HandOpened:
    """The opening of a record that is not to be skipped."""
    button, seats = seating
    game, kind, limit = declared(record.game), _kind(record), Limit(record.limit)
    return HandOpened(
        table="oracle",
        number=1,
        game=game.name,
        game_revision=game.revision,
        limit=limit,
        stakes=stakes_of(record),
        house=house_rules(rulebook, game, limit, kind, len(seats)),
        rake=rake,
        chip_unit=1,
        currency="CHIPS" if kind is Kind.TOURNAMENT else "USD",
        scale=0 if kind is Kind.TOURNAMENT else 2,
        kind=kind,
        clocks=Clocks(),
        rulebook=rulebook.name,
        rulebook_digest=digest(rulebook),
        button=button,
        seats=tuple(DealtIn(seat.seat, seat.player.lower(), seat.stack) for seat in seats),
        posts=_posts(record, seats),
        deck=deck,
    )


def _kind(record: Record) -> Kind:
    return Kind.TOURNAMENT if record.kind == "tourney" else Kind.REAL


# --- stakes and posts ------------------------------------------------------------------------------------------------


def stakes_of(record: Record) -> Stakes:
    """The stakes as stated; what isn't follows from what was posted and bet."""
    if declared(record.game).forced is Forced.ANTE_AND_BRING_IN:
        return _with_bring_in(record)
    said = record.stakes
    big_blind = said.get("bb") or said.get("small_bet") or _dearest(record, "sb", "bb", "late_bb")
    if record.limit == "fixed":
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


def _with_bring_in(record: Record) -> Stakes:
    """A bring-in that is neither stated nor posted, because its player opened for a full bet, is twice the ante."""
    said = record.stakes
    ante = said.get("ante") or _dearest(record, "ante")
    bring_in = said.get("bring_in") or 2 * ante
    if record.limit != "fixed":
        return Stakes(ante=ante, bring_in=bring_in, min_bet=said.get("min_bet", bring_in))
    small_bet = said.get("small_bet") or _small_bet_played(record, bring_in)
    return Stakes(ante=ante, bring_in=bring_in, small_bet=small_bet, big_bet=said.get("big_bet") or 2 * small_bet)


def _dearest(record: Record, *posts: str) -> int:
    return max((line.by for line in record.posts if line.post in posts), default=0)


def _small_bet_played(record: Record, bring_in: int) -> int:
    """That of the first bet which was no all-in, or half of it on a street for the big bet. Where there is none, any
    that the all-ins don't pass would do."""
    big = {street.name for street in declared(record.game).streets if street.big}
    wagers = [line for line in record.actions if line.act in ("bet", "raise", "complete")]
    for line in wagers:
        if not line.all_in:
            return line.to // 2 if line.street in big else line.to
    return max([line.to for line in wagers], default=2 * bring_in)


def _posts(record: Record, seats: tuple[Seat, ...]) -> tuple[Post, ...]:
    """The posts in the log's order, each in full: a player all-in posts what he has. An ante that only one player posts
    is the table's. Some rooms log a post of nothing."""
    seat_of = {seat.player: seat.seat for seat in seats}
    stack = {seat.player: seat.stack for seat in seats}
    one_for_all = sum(1 for line in record.posts if line.post == "ante") == 1
    posts = []
    for line in record.posts:
        stack[line.player] -= line.by
        amount = line.by if stack[line.player] else max(line.by, _nominal(record, line.post))
        if amount:
            posts.append(Post(seat_of[line.player], _kind_of_post(line, one_for_all), amount, line.live))
    return tuple(posts)


def _nominal(record: Record, post: str) -> int:
    stakes = stakes_of(record)
    return {"ante": stakes.ante, "sb": stakes.small_blind, "bb": stakes.big_blind}.get(post, 0)


def _kind_of_post(line: Logged, one_for_all: bool) -> PostKind:
    return PostKind.TABLE_ANTE if line.post == "ante" and one_for_all else POSTS[line.post]
