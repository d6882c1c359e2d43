"""Random hands: what a table could open, players who do anything legal, and everything that must be true of it all.

One seed makes one hand: `play_hand(seed, game, limit)` plays it again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from domain.cards import cards, deck
from domain.hand import commands as ask
from domain.hand import decider, invariants
from domain.hand import events as fact
from domain.hand.dealing import OpenShoe
from domain.hand.events import PostKind
from domain.hand.state import Hand, evolve
from domain.messages import SECOND, Refused, table_stream
from domain.rules.games import GAMES
from domain.rules.registry import GAMES_BY_NAME, RULEBOOKS_BY_NAME
from domain.rules.stakes import TableTerms, resolve
from domain.rules.vocabulary import Forced, Game, Kind, Limit
from domain.rulings.readjudicate import RecordedCommit, RecordedFact, readjudicate_hand
from domain.rulings.recorded_shoe import NoKeys
from domain.table.decider import hand_under
from domain.table.events import HandStarted
from domain.table.play import facts_of_hand
from domain.table.seating import ordinary_posts
from tests.domain.hand.dealer_model import Dealer
from tests.domain.hand.games_model import PLANS
from tests.hands import STATE, open_deck

PLANNED = [game for game in GAMES if game.name in PLANS]
"""The games that the second dealer knows: no hand of another one can be judged."""

PAIRS = [(game.name, limit.value) for game in PLANNED for limit in Limit]
RULEBOOKS = sorted(RULEBOOKS_BY_NAME)
CURRENCY = {Kind.PLAY: "PLAY", Kind.TOURNAMENT: "CHIPS", Kind.REAL: "EUR"}

LONGEST = 600
"""More decisions than any hand of ten can ask for with these stacks."""


# --- openings ---


def opening(random: Random, game: Game, limit: Limit) -> tuple[fact.HandOpened, int]:
    """A hand of any rulebook, kind and size, and the seats of its table."""
    count = game.max_seats if random.random() < 0.2 else random.choice([2, 2, random.randint(2, game.max_seats)])
    table_seats = random.choice([max(2, count), game.max_seats])
    seats = sorted(random.sample(range(1, table_seats + 1), count))
    bet = random.choice([10, 10, 20, 200])
    terms = terms_of(random, game, limit, bet, table_seats)
    button = random.choice(seats) if game.forced is Forced.BLINDS else 0
    posts = ordinary_posts(terms.stakes, seats, button)
    if game.forced is Forced.BLINDS and random.random() < 0.3:
        posts = with_what_is_owed(random, posts, seats, bet)
    opened = hand_under(
        terms,
        table="t1",
        number=1,
        clocks=fact.Clocks(),
        button=button,
        seats=tuple(fact.DealtIn(seat, f"player{seat}", chips) for seat, chips in stacks(random, seats, bet)),
        posts=posts,
        deck=shuffled(random, game, count),
    )
    return opened, table_seats


def terms_of(random: Random, game: Game, limit: Limit, bet: int, seats: int) -> TableTerms:
    """Real money has no rake row for each of these: such a table is opened for play money."""
    rulebook = random.choice(RULEBOOKS)
    unit = random.choice([1, 1, 5])
    stakes, more = amounts(random, game, limit, rulebook, bet)
    kind = random.choice(list(Kind))
    if game.forced is Forced.BLINDS and kind is Kind.TOURNAMENT and random.random() < 0.5:
        more["ante"] = 5
    terms: dict[str, Any] = {"seats": seats, "chip_unit": unit, **more}
    try:
        return resolve(game.name, limit, rulebook, *stakes, kind=kind, currency=CURRENCY[kind], **terms)
    except Refused:
        terms.update({"ante": 0} if game.forced is Forced.BLINDS else {})
        return resolve(game.name, limit, rulebook, *stakes, kind="play", currency="PLAY", **terms)


def amounts(
    random: Random, game: Game, limit: Limit, rulebook: str, bet: int
) -> tuple[tuple[int, int], dict[str, Any]]:
    """(small, big) and what else such a table states; all of it in fives."""
    more: dict[str, Any] = {}
    small, big = bet // 2, bet
    if limit is Limit.FIXED:
        small, big = bet, random.choice([2 * bet, 2 * bet, bet, bet + 5])
    if game.forced is Forced.ANTE_AND_BRING_IN:
        more["ante"] = random.choice([5, bet // 10 * 5, bet // 10 * 5, 0 if bet > 10 else 5])
        if limit is Limit.FIXED:
            more["bring_in"] = 0 if rulebook == "ace" else random.choice([5, bet // 2 // 5 * 5, bet])
        else:
            small, big = 0, random.choice([0, bet, bet])
            more["bring_in"] = random.choice([5, bet // 2 // 5 * 5, bet])
    if limit is Limit.SPREAD:
        small = 0
        more["maxima"] = tuple(bet + 5 * random.choice([0, 0, 1, bet // 5]) for _ in game.streets)
    return (small, big), more


def stacks(random: Random, seats: Sequence[int], bet: int) -> list[tuple[int, int]]:
    """From one chip up. Stacks that differ by a few chips make side pots smaller than a step of the rake."""
    alike = random.choice([0, 0, 0, 7 * bet, 25 * bet])
    bounds = [(1, bet // 2), (1, 3 * bet), (1, 45 * bet), (5 * bet, 45 * bet)]
    if alike:
        return [(seat, random.randint(alike, alike + 5)) for seat in seats]
    return [(seat, random.randint(*random.choice(bounds))) for seat in seats]


def with_what_is_owed(
    random: Random, posts: Sequence[fact.Post], seats: Sequence[int], bet: int
) -> tuple[fact.Post, ...]:
    """Missed blinds and a table ante beside the ordinary posts: what is dead before what is live."""
    blinds = {post.seat for post in posts if post.kind is not PostKind.ANTE}
    late = [seat for seat in seats if seat not in blinds and random.random() < 0.4]
    antes = [post for post in posts if post.kind is PostKind.ANTE]
    if not antes and random.random() < 0.3:
        antes = [fact.Post(random.choice(seats), PostKind.TABLE_ANTE, bet, live=False)]
    dead = [fact.Post(seat, PostKind.DEAD_BLIND, bet // 2, live=False) for seat in late if random.random() < 0.5]
    live = [fact.Post(seat, PostKind.LATE_BLIND, bet, live=True) for seat in late]
    return (*antes, *dead, *(post for post in posts if post.kind is not PostKind.ANTE), *live)


ROYAL_AND_LAST = cards("Th Jh Qh Kh Ah 7s 8s 9s Ts As")


def shuffled(random: Random, game: Game, players: int) -> tuple[int, ...]:
    """A deck; what is too rare for chance is helped on: Telesina's exception, and an open pair in stud. Both come where
    nobody folds before."""
    order = list(deck(game.lowest_rank))
    random.shuffle(order)
    if game.name == "telesina" and random.random() < 0.3:
        for place, card in enumerate(ROYAL_AND_LAST):
            who, which = divmod(place, 5)
            swap(order, which * players + who, order.index(card))
    if game.name in {"stud", "stud-hilo"} and random.random() < 0.3:
        who = random.randrange(players)
        door = order[2 * players + who]
        swap(order, 3 * players + who, order.index(door ^ 1))
    return tuple(order)


def swap(order: list[int], here: int, there: int) -> None:
    order[here], order[there] = order[there], order[here]


# --- players ---


@dataclass
class Mood:
    """How likely the players of a hand are to do what, of 1, and the room to fail at a decision. `gone`: to leave, or
    not to answer."""

    fold: float
    bet: float
    most: float
    late: float
    agree: float
    wish: float
    fail: float = 0
    gone: float = 0

    @staticmethod
    def of(random: Random) -> "Mood":
        return Mood(
            fold=random.choice([0, 0.02, 0.1, 0.3]),
            bet=random.choice([0.05, 0.2, 0.5]),
            most=random.choice([0, 0.1, 0.5]),
            late=random.choice([0, 0.1, 0.5, 0.9]),
            agree=random.choice([0.3, 0.6, 0.9, 1]),
            wish=random.choice([0, 0, 0.1]),
            fail=random.choice([0, 0, 0, 0, 0, 0, 0, 0.05]),
        )


def answer(random: Random, mood: Mood, hand: Hand) -> Any:
    """One legal command."""
    turn = hand.turn
    assert turn
    given = (hand.id, hand.decision, turn.seat)
    match turn:
        case fact.BringInOwed(_, least, most):
            return ask.BringIn(*given, random.choice([least, *amounts_between(random, hand, least, most)]))
        case fact.DrawOffered(seat, most):
            if random.random() < mood.late:
                return ask.DrawTooLate(*given)
            return ask.Draw(*given, tuple(random.sample(hand.dealt[seat], random.randint(0, most))))
        case fact.SplitOffered(seat) if random.random() < mood.agree or not hand.stack[seat]:
            return ask.VoteToSplit(*given, agree=bool(hand.stack[seat]) or random.random() < mood.agree)
    if turn.most and random.random() < mood.bet:
        some = amounts_between(random, hand, turn.least, turn.most)
        to = turn.most if random.random() < mood.most else random.choice(some)
        return (ask.Raise if hand.wager else ask.Bet)(*given, to)
    if random.random() < mood.fold:
        return ask.Fold(*given)
    return ask.Call(*given) if turn.call else ask.Check(*given)


def no_answer(random: Random, hand: Hand) -> Any:
    """What is done where a player doesn't answer: his time is up, he is protected, or one of them leaves."""
    assert hand.turn
    given = (hand.id, hand.decision, hand.turn.seat)
    here = [seat for seat in hand.order if seat not in hand.left]
    if here and random.random() < 0.4:
        return ask.Leave(hand.id, random.choice(here))
    if hand.stack[given[2]] and hand.opened.kind is not Kind.TOURNAMENT and random.random() < 0.6:
        return ask.Protect(*given)
    return (ask.DrawTooLate if type(hand.turn) is fact.DrawOffered else ask.ActTooLate)(*given)


def failure(hand: Hand, over: int) -> ask.CancelHand:
    """The room had no owner, for so many microseconds over what the table bears."""
    return ask.CancelHand(hand.id, hand.opened.clocks.failure_grace * SECOND + over)


def amounts_between(random: Random, hand: Hand, least: int, most: int) -> list[int]:
    """Some that may be put in: the two ends, and one of whole chips between them."""
    if hand.fixed or least == most:
        return [least, most]
    between = random.randint(least, min(most, 4 * least))
    whole = max(least, between - between % hand.unit)
    return [least, most, whole, whole, whole]


def illegal(hand: Hand) -> Iterator[Any]:
    """Answers that the decision doesn't allow: a chip too little, a chip too much, no whole chip, another's turn."""
    turn = hand.turn
    assert turn
    given = (hand.id, hand.decision, turn.seat)
    yield ask.Check(hand.id, hand.decision, turn.seat % 10 + 1)
    yield failure(hand, int(hand.opened.kind is Kind.TOURNAMENT))
    match turn:
        case fact.BringInOwed(_, least, most):
            yield from (ask.BringIn(*given, to) for to in (least - 1, most + 1))
        case fact.DrawOffered(seat, most):
            yield ask.Draw(*given, (hand.indices,))
            yield ask.Draw(*given, hand.dealt[seat][: most + 1]) if most < len(hand.dealt[seat]) else ask.Fold(*given)
        case fact.TurnGiven(_, call, least, most) | fact.SplitOffered(_, call, least, most):
            yield ask.Check(*given) if call else ask.Call(*given)
            wager = ask.Raise if hand.wager else ask.Bet
            yield from (wager(*given, to) for to in ((least - 1, most + 1) if most else (hand.wager + 1,)))
            if least + 1 < most and (hand.unit > 1 or hand.fixed):
                yield wager(*given, least + 1)


def illegal_by_the_room(hand: Hand) -> Iterator[Any]:
    """What the room may not do at the decision: the clock of a draw at an action, protection where there is none."""
    turn = hand.turn
    assert turn
    given = (hand.id, hand.decision, turn.seat)
    yield ask.ActTooLate(*given) if type(turn) is fact.DrawOffered else ask.DrawTooLate(*given)
    if hand.opened.kind is Kind.TOURNAMENT or not hand.stack[turn.seat]:
        yield ask.Protect(*given)


# --- a hand, and what must be true of it ---


def play_hand(seed: int, game: str, limit: str) -> Counter[str]:
    """Play the hand of a seed, judge it, and count what it came to.

    AssertionError, Broken or another exception where something isn't as it must be; its note names the seed.
    """
    random = Random(f"{game} {limit} {seed}")
    opened, table_seats = opening(random, GAMES_BY_NAME[game], Limit(limit))
    try:
        judged = _Judged(opened, random)
        judged.play()
        dealer = Dealer(judged.facts, table_seats)
        dealer.run()
    except Exception as error:
        error.add_note(f"play_hand({seed}, {game!r}, {limit!r}) under {opened.rulebook}, {opened.kind}")
        raise
    return Counter({"hands": 1, "facts": len(judged.facts), **dict.fromkeys(dealer.happened, 1)})


class _Judged:
    """A hand under play. `again` is the same hand as its facts alone make it."""

    def __init__(self, opened: fact.HandOpened, random: Random) -> None:
        self.random, self.mood = random, Mood.of(random)
        self.mood.gone = random.choice([0, 0, 0.03, 0.2])
        self.shoe = OpenShoe(open_deck(opened.deck), lambda pile: random.sample(list(pile), len(pile)))
        self.hand = decider.open_hand(opened, self.shoe)
        self.again: Hand | None = None
        self.facts: list[Any] = []
        self.commits: list[RecordedCommit] = []
        self.take(None, self.hand.facts)

    def play(self) -> None:
        while self.hand.turn:
            if self.random.random() < 0.05:
                self.refuses()
            if self.random.random() < self.mood.wish:
                self.wish()
            fails = self.random.random() < self.mood.fail and self.hand.opened.kind is not Kind.TOURNAMENT
            command = failure(self.hand, 1) if fails else self.what_comes()
            self.take(command, decider.decide(self.hand, command, self.shoe))
            assert len(self.commits) < LONGEST, "the hand doesn't end"
        self.refused(failure(self.hand, 1))
        found = readjudicate_hand(self.commits, NoKeys())
        assert found is None, f"decided again it comes out differently: {found}"

    def what_comes(self) -> Any:
        if self.random.random() < self.mood.gone:
            return no_answer(self.random, self.hand)
        return answer(self.random, self.mood, self.hand)

    def take(self, command: Any, facts: list[Any]) -> None:
        invariants.check(self.hand, self.shoe)
        for one in facts:
            self.again = evolve(self.again, one)
            chips = sum(self.again.stack) + sum(self.again.aside) + self.again.pot + self.again.rake
            assert chips == self.again.brought, f"{one} makes {self.again.brought} chips {chips}"
        assert self.again
        for slot in STATE:
            live, replayed = getattr(self.hand, slot), getattr(self.again, slot)
            assert live == replayed, f"{slot} is {live}, but its facts make {replayed}"
        self.facts += facts
        streams = facts_of_hand(self.hand, facts)
        if command is None:
            started = HandStarted(self.hand.id, self.hand.opened.number, self.hand.opened.button, ())
            streams = [(table_stream(self.hand.opened.table), [started]), *streams]
        recorded = [RecordedFact(stream, 0, one) for stream, events in streams for one in events]
        self.commits.append(RecordedCommit(0, len(self.commits), 0, command, recorded))

    def wish(self) -> None:
        seat = self.random.choice(self.hand.contesting)
        kind = ask.GiveUpAtShowdown if self.random.random() < 0.7 else ask.AskToShow
        command = kind(self.hand.id, seat)
        if kind is ask.GiveUpAtShowdown and not self.hand.opened.house.may_give_up:
            self.refused(command)
        else:
            self.take(command, decider.decide(self.hand, command, self.shoe))

    def refuses(self) -> None:
        for command in (*illegal(self.hand), *illegal_by_the_room(self.hand)):
            self.refused(command)

    def refused(self, command: Any) -> None:
        try:
            decider.decide(self.hand, command, self.shoe)
        except Refused:
            return
        raise AssertionError(f"{command} is no answer to {self.hand.turn}, but it is taken")
