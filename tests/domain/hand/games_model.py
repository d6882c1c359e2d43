"""The games and houses once more, for the model of the dealer: tables written from rules.md sections 1, 2, 3 and 5.

Nothing is read from the declarations of the domain: a slip there shows as a difference.
"""

from dataclasses import dataclass

from domain.hand.events import HandOpened

SPADES_HIGH, HEARTS_HIGH = "cdhs", "scdh"


@dataclass(frozen=True)
class Street:
    """`name` where community cards may lie on it. down, up, board: cards. draw: the most to exchange, 0 for none."""

    name: str
    down: int
    up: int
    board: int
    draw: int


@dataclass(frozen=True)
class Plan:
    """`text`: a word a street: d a card down, u one up, b one on the board, xN a draw of up to N, after a colon.
    `big_from`: the round, from 0, from which fixed limit is played for the big bet."""

    text: str
    big_from: int
    blinds: bool = False
    after_the_big_blind: bool = False
    highest_brings_in: bool = False
    suits: str = SPADES_HIGH
    high: str = "standard"
    low: bool = False
    from_two_of_hand: bool = False
    vote: bool = False

    @property
    def streets(self) -> list[Street]:
        words = [word.split(":") for word in self.text.split()]
        return [
            Street(name, cards.count("d"), cards.count("u"), cards.count("b"), int(cards[1:] if "x" in cards else 0))
            for name, cards in words
        ]


HOLDEM = "preflop:dd flop:bbb turn:b river:b"
OMAHA = "preflop:dddd flop:bbb turn:b river:b"
STUD = "3rd:ddu 4th:u 5th:u 6th:u 7th:d"
FIVE_UP = "2nd:du 3rd:u 4th:u 5th:u"

PLANS = {
    "holdem": Plan(HOLDEM, big_from=2, blinds=True),
    "omaha": Plan(OMAHA, big_from=2, blinds=True, from_two_of_hand=True),
    "omaha-hilo": Plan(OMAHA, big_from=2, blinds=True, from_two_of_hand=True, low=True),
    "stud": Plan(STUD, big_from=2),
    "stud-hilo": Plan(STUD, big_from=2, low=True),
    "soko": Plan(FIVE_UP, big_from=2, highest_brings_in=True, high="soko"),
    "draw": Plan("deal:ddddd draw:x5", big_from=1, blinds=True),
    "triple-draw": Plan("deal:ddddd 1st:x5 2nd:x5 3rd:x5", big_from=2, blinds=True, high="deuce-to-seven"),
    "americana": Plan(FIVE_UP, big_from=2, highest_brings_in=True, high="32-card"),
    "telesina": Plan(
        f"{FIVE_UP} vela:b", big_from=2, highest_brings_in=True, suits=HEARTS_HIGH, high="telesina"
    ),
    "draw32": Plan(
        "deal:ddddd draw:x4", big_from=1, blinds=True, after_the_big_blind=True, high="32-card-draw", vote=True
    ),
}  # fmt: skip


class House:
    """What the rulebook of a hand says of it. `table_seats`: a heads-up table has two."""

    def __init__(self, opened: HandOpened, table_seats: int) -> None:
        ace, classic = opened.rulebook == "ace", opened.rulebook == "classic"
        game, limit, stud = opened.game, opened.limit, opened.game == "stud"
        self.highest_brings_in = PLANS[game].highest_brings_in
        if stud and not ace and limit in {"pot", "half-pot", "no"}:
            self.highest_brings_in = True
        self.open_pair = limit == "fixed" and (stud or (ace and game == "stud-hilo"))
        self.plays_community_round = ace
        self.everyone_shows = classic and game in {"omaha", "omaha-hilo"}
        self.may_give_up = ace or (classic and game == "holdem")
        self.most_bets = self.most_bets_of_two = 4
        if opened.kind != "tournament" and (opened.rulebook == "omaha-guide" or (ace and table_seats == 2)):
            self.most_bets_of_two = 6
