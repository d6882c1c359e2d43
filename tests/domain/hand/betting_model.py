"""What a betting round allows, a second time, from rules.md section 2 alone. Live totals in minor units."""

from domain.hand.events import HandOpened
from tests.domain.hand.games_model import House

Span = tuple[int, int]
NOTHING: Span = (0, 0)


class Round:
    """`wager`: the highest; `faced`: what each seat that has acted had before it when it did, in chips or, in fixed
    limit, in counted bets. `pot` is told by the dealer before he asks."""

    def __init__(self, opened: HandOpened, number: int, price: int) -> None:
        self.opened, self.unit, self.number = opened, opened.chip_unit, number
        self.wager = price
        self.pot = 0
        self.faced: dict[int, int] = {}
        self.late: set[int] = set()

    def legal(self, seat: int, live: int, stack: int) -> tuple[int, int, int]:
        """(call, least, most): the chips of a call, the live totals to which the seat may bet or raise."""
        owed = self.wager - live
        if stack <= owed:
            return stack, 0, 0
        if seat in self.late or (seat in self.faced and not self.reopened(seat)):
            return owed, 0, 0
        least, most = self.span(live)
        if not most:
            return owed, 0, 0
        return owed, min(least, live + stack), min(most, live + stack)

    def acted(self, seat: int) -> None:
        self.faced[seat] = self.facing()

    def down(self, amount: int) -> int:
        return amount // self.unit * self.unit

    def up(self, amount: int) -> int:
        return -(-amount // self.unit) * self.unit

    def facing(self) -> int:
        raise NotImplementedError

    def counted(self) -> tuple[int, int]:
        """(bets, full raise) as the facts write them."""
        raise NotImplementedError

    def reopened(self, seat: int) -> bool:
        raise NotImplementedError

    def span(self, live: int) -> Span:
        raise NotImplementedError

    def bring_in(self, to: int) -> None:
        raise NotImplementedError

    def raised(self, to: int) -> None:
        raise NotImplementedError


class BigBets(Round):
    """Pot, half-pot, no limit, and spread. `full`: the last full bet or raise, the minimum bet at first. `under`: the
    wager is a bring-in under the minimum bet: who matches that has faced no bet yet."""

    def __init__(self, opened: HandOpened, number: int, price: int) -> None:
        super().__init__(opened, number, price)
        self.full = opened.stakes.min_bet
        self.under = False

    def facing(self) -> int:
        return 0 if self.under else self.wager

    def counted(self) -> tuple[int, int]:
        return 0, self.full

    def reopened(self, seat: int) -> bool:
        return self.wager - self.faced[seat] >= self.full

    def span(self, live: int) -> Span:
        least = self.opened.stakes.min_bet if self.under else self.wager + self.full
        after_the_call = self.pot + self.wager - live
        if self.opened.limit == "spread":
            return self.spread(least)
        by = {"no": 2**53, "pot": after_the_call, "half-pot": self.down(after_the_call // 2)}[self.opened.limit]
        return self.up(least), max(self.up(least), self.down(self.wager + by))

    def spread(self, least: int) -> Span:
        """A raise that would pass three times the maximum goes exactly to it, even if under the last raise."""
        maximum = self.opened.stakes.maxima[self.number]
        if self.wager >= 3 * maximum:
            return NOTHING
        low, high = min(self.up(least), 3 * maximum), min(self.down(self.wager + maximum), 3 * maximum)
        return (low, high) if low <= high else NOTHING

    def bring_in(self, to: int) -> None:
        self.wager = max(to, self.opened.stakes.bring_in)
        self.under = self.wager < self.opened.stakes.min_bet
        self.full = max(self.full, self.wager)

    def raised(self, to: int) -> None:
        self.full = max(self.full, to - self.wager)
        self.wager, self.under = to, False


class FixedBets(Round):
    """Fixed limit by its levels: `base`, the last whole number of bets that was reached in full, `bets` of them, and
    `step` to the next. `big`: the larger step that an open pair allows, else the same."""

    def __init__(self, opened: HandOpened, number: int, price: int, steps: Span, most_bets: int) -> None:
        super().__init__(opened, number, price)
        self.step, self.big = steps
        self.most_bets = most_bets
        self.base = self.bets = 0
        self.uncounted = 0
        if price:
            self.raised(price)

    def facing(self) -> int:
        """The bets counted: an all-in counts as the next from half of the step on, a bring-in as none."""
        if self.wager <= self.uncounted:
            return 0
        return self.bets + (2 * (self.wager - self.base) >= self.step)

    def counted(self) -> tuple[int, int]:
        return self.facing(), self.step

    def reopened(self, seat: int) -> bool:
        return self.facing() > self.faced[seat]

    def span(self, live: int) -> Span:
        if self.bets >= self.most_bets:
            return NOTHING
        if self.facing() > self.bets:  # an all-in that counts is completed, not passed
            return self.base + self.step, self.base + self.step
        return self.base + self.step, self.base + self.big

    def bring_in(self, to: int) -> None:
        owed = self.opened.stakes.bring_in
        if owed < self.step:
            self.uncounted = owed
        self.raised(max(to, owed))

    def raised(self, to: int) -> None:
        """An all-in between the small and the big bet of an open pair counts as the big one from half of the way on."""
        self.wager = to
        if to == self.base + self.big or (self.big > self.step and 2 * (to - self.base) >= self.step + self.big):
            self.step = self.big
        while to >= self.base + self.step:
            self.base, self.bets = self.base + self.step, self.bets + 1


def round_of(opened: HandOpened, house: House, number: int, price: int, big: bool, pair: bool, players: int) -> Round:
    """The round of a street. `big`: it is played for the big bet; `pair`: one shows where the house lets it count;
    `players`: how many start it."""
    if opened.limit != "fixed":
        return BigBets(opened, number, price)
    small_bet, big_bet = opened.stakes.small_bet, opened.stakes.big_bet
    step = big_bet if big else small_bet
    most_bets = house.most_bets_of_two if players == 2 else house.most_bets
    return FixedBets(opened, number, price, (step, big_bet if pair else step), most_bets)
