"""A logged hand as the fact that opens one: seats, posts, stakes, house rules, rake, a deck that deals its cards."""

from domain.cards import card, deck
from domain.hand.events import Clocks, DealtIn, HandOpened, Post, PostKind
from domain.hand.state import clockwise
from domain.rules import registry
from domain.rules.rulebook import Rulebook, digest
from domain.rules.stakes import house_rules
from domain.rules.vocabulary import Game, Kind, Limit, RakeSchedule, Stakes
from tests.oracle.records import UNKNOWN, Logged, Record, Seat
from tests.oracle.seating import button_and_seats
from tests.oracle.skips import game_name

POSTS = {
    "ante": PostKind.ANTE,
    "sb": PostKind.SMALL_BLIND,
    "bb": PostKind.BIG_BLIND,
    "late_bb": PostKind.LATE_BLIND,
    "dead": PostKind.DEAD_BLIND,
    "dead_sb": PostKind.DEAD_BLIND,
}


def hand_opened(record: Record, rulebook: Rulebook, rake: RakeSchedule | None) -> HandOpened:
    """The opening of a record that is not to be skipped."""
    seating = button_and_seats(record)
    assert seating is not None, f"{record.id} doesn't tell its seats"
    button, seats = seating
    game, kind, limit = registry.game(game_name(record)), _kind(record), Limit(record.limit)
    return HandOpened(
        table="oracle",
        number=1,
        game=game.name,
        game_revision=game.revision,
        limit=limit,
        stakes=stakes_of(record),
        house=house_rules(rulebook, game, kind, len(seats)),
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
        deck=_rigged(record, game, clockwise([seat.seat for seat in seats], button), seats),
    )


def _kind(record: Record) -> Kind:
    return Kind.TOURNAMENT if record.kind == "tourney" else Kind.REAL


# --- stakes and posts ------------------------------------------------------------------------------------------------


def stakes_of(record: Record) -> Stakes:
    """The stakes as stated; what isn't follows from the blinds, the big one being the dearest that was posted."""
    said = record.stakes
    dearest = max((line.by for line in record.posts if line.post in ("sb", "bb", "late_bb")), default=0)
    big_blind = said.get("bb") or said.get("small_bet") or dearest
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


# --- the deck --------------------------------------------------------------------------------------------------------


def _rigged(record: Record, game: Game, order: tuple[int, ...], seats: tuple[Seat, ...]) -> tuple[int, ...]:
    """A deck that deals every known card to where the log has it; the unknown ones are filled with those left over."""
    player_at = {seat.seat: seat.player for seat in seats}
    down = sum(street.down for street in game.streets)
    hands = [_padded(record.cards.get(player_at[seat], ()), down) for seat in order]
    board = record.boards[0] if record.boards else ()
    wanted = [hand[turn] for turn in range(down) for hand in hands] + list(board)
    known = {card(face) for face in wanted if face != UNKNOWN}
    rest = iter([one for one in deck(game.lowest_rank) if one not in known])
    return tuple(next(rest) if face == UNKNOWN else card(face) for face in wanted) + tuple(rest)


def _padded(cards: tuple[str, ...], count: int) -> tuple[str, ...]:
    return (*cards, *[UNKNOWN] * count)[:count]
