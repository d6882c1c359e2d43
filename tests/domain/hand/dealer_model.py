"""A dealer who knows rules.md by heart: he runs a hand from top to bottom, asks the facts only for what players chose,
and says of every other fact what it must be.

He imports no code of the domain's engine, only the facts that it writes. Where the engine waits, reacts and goes on
from one event to the next, this is one procedure that reads like a hand.
"""

from collections.abc import Sequence
from typing import Any

from domain.hand import events as fact
from domain.hand.events import MuckedBecause, Part, PostKind, ShownBecause, Wish
from tests.domain.hand.betting_model import Round, round_of
from tests.domain.hand.games_model import PLANS, House, Street
from tests.domain.hand.pot_model import Pot, Share, deal_out, pots_of, rake_of, returns_of
from tests.domain.hand.showdown_model import Cards, Showdown, showing_key

ASKED = (fact.TurnGiven, fact.SplitOffered, fact.DrawOffered, fact.BringInOwed)
PUT_IN = (fact.BlindPosted, fact.BroughtIn, fact.Called, fact.BetMade, fact.Raised)


NOBODY = 0


class Wrong(AssertionError):
    """A fact that the rules don't make."""


class Cancelled(Exception):
    """The room failed, and the hand is off."""


class Dealer:
    """`happened`: the names of the rules that the hand came to, for those who count."""

    def __init__(self, facts: Sequence[Any], table_seats: int) -> None:
        self.facts, self.at = facts, 1
        self.opened: fact.HandOpened = facts[0]
        opened = self.opened
        self.plan, self.house = PLANS[opened.game], House(opened, table_seats)
        self.happened: set[str] = set()
        seats = sorted(one.seat for one in opened.seats)
        self.order = [seat for seat in seats if seat > opened.button] + [
            seat for seat in seats if seat <= opened.button
        ]
        self.in_hand: list[int] = list(self.order)
        self.stack = {one.seat: one.stack for one in opened.seats}
        self.live = dict.fromkeys(seats, 0)
        self.put_in = dict.fromkeys(seats, 0)
        self.dead = self.raked = 0
        self.shoe = list(enumerate(opened.deck))
        self.next_index = len(opened.deck)
        self.muck: list[tuple[int, int]] = []
        self.own: dict[int, list[tuple[int, int]]] = {seat: [] for seat in seats}
        self.up: dict[int, list[int]] = {seat: [] for seat in seats}
        self.thrown: dict[int, set[int]] = {seat: set() for seat in seats}
        self.board: Cards = ()
        self.gathered: tuple[int, ...] = ()
        self.wishes: dict[int, Wish] = {}
        self.shown: list[int] = []
        self.votes: dict[int, bool] = {}
        self.late: set[int] = set()
        self.left: set[int] = set()
        self.aside: dict[int, int] = {}
        self.aggressor = 0
        self.street = 0
        self.last_round = -1
        self.round: Round

    # --- facts ---

    def take(self) -> Any:
        """The next fact; wishes for the showdown may come between any two decisions, and somebody may leave."""
        while self.at < len(self.facts):
            found = self.facts[self.at]
            self.at += 1
            if isinstance(found, fact.HandCancelled):
                raise Cancelled
            if isinstance(found, fact.PlayerLeft):
                if found.seat not in self.order or found.seat in self.left:
                    raise Wrong(f"nobody is there to leave: {found}")
                self.left.add(found.seat)
                self.happened.add("a player left")
                continue
            if not isinstance(found, fact.ShowdownWished):
                return found
            if found.seat not in self.in_hand or (found.wish is Wish.GIVE_UP and not self.house.may_give_up):
                raise Wrong(f"nobody may wish so: {found}")
            self.wishes[found.seat] = found.wish
        raise Wrong("the facts end before the hand does")

    def expect(self, right: Any) -> None:
        found = self.take()
        if found != right:
            raise Wrong(f"fact {self.at}: {found}, but the rules make {right}")

    def sees(self, kind: type[Any]) -> bool:
        return self.at < len(self.facts) and isinstance(self.facts[self.at], kind)

    # --- the hand ---

    def run(self) -> None:
        """Raises Wrong for the first fact that the rules don't make."""
        try:
            self.play()
        except Cancelled:
            self.give_back()
        self.expect(
            fact.HandSettled(
                tuple(sorted(self.stack)),
                tuple(self.stack[seat] + self.aside.get(seat, 0) for seat in sorted(self.stack)),
                self.raked,
            )
        )
        if self.at != len(self.facts):
            raise Wrong(f"the hand is over, but there is more: {self.facts[self.at :]}")

    def give_back(self) -> None:
        """While somebody is asked for something, the room failed for longer than the table bears, and no tournament is
        played: each gets what he put in and didn't get back yet, whatever for, and the house nothing."""
        unasked = (fact.ShowdownWished, fact.PlayerLeft)
        before = [found for found in self.facts[: self.at - 1] if not isinstance(found, unasked)]
        if not isinstance(before[-1], ASKED) or self.opened.kind == "tournament":
            raise Wrong(f"a hand isn't cancelled after {before[-1]}")
        put_in = dict.fromkeys(sorted(self.stack), 0)
        for found in before:
            if isinstance(found, PUT_IN):
                put_in[found.seat] += found.amount
            if isinstance(found, fact.UncalledBetReturned):
                put_in[found.seat] -= found.amount
        seats = tuple(seat for seat, amount in put_in.items() if amount)
        cancelled = self.facts[self.at - 1]
        if cancelled.gap <= 60_000_000 or cancelled != fact.HandCancelled(
            cancelled.gap, seats, tuple(put_in[seat] for seat in seats)
        ):
            raise Wrong(f"{put_in} were put in, but {cancelled}")
        self.stack, self.aside = {one.seat: one.stack for one in self.opened.seats}, {}
        self.raked = 0
        self.happened.add("cancelled")

    def play(self) -> None:
        for post in self.opened.posts:
            self.post(post)
        streets = self.plan.streets
        for self.street, street in enumerate(streets):
            played = self.deal(street)
            if street.draw:
                self.draw(street)
            if played and len(self.in_hand) > 1:
                self.bet()
            self.gather()
            if len(self.in_hand) == 1:
                break
            self.turn_up_early()
        if len(self.in_hand) > 1:
            self.show_down()
        else:
            self.last_one_left()

    def post(self, post: fact.Post) -> None:
        amount = min(post.amount, self.stack[post.seat])
        if not amount:
            return
        self.stack[post.seat] -= amount
        self.expect(fact.BlindPosted(post.seat, post.kind, amount, post.live, not self.stack[post.seat]))
        if post.live:
            self.live[post.seat] += amount
        if post.live or post.kind is PostKind.ANTE:
            self.put_in[post.seat] += amount
        else:
            self.dead += amount
        if not self.stack[post.seat]:
            self.happened.add(f"all-in from the {post.kind}")

    def deal(self, street: Street) -> bool:
        """Whether the street's round may be played."""
        each = street.down + street.up
        if each * len(self.in_hand) > len(self.shoe):
            self.deal_board(street.name, each)
            self.happened.add("a community card for want of cards")
            return self.house.plays_community_round
        for count, up in ((street.down, False), (street.up, True)):
            now: dict[int, list[tuple[int, int]]] = {seat: [] for seat in self.in_hand}
            for _ in range(count):
                for seat in self.in_hand:
                    now[seat].append(self.shoe.pop(0))
            for seat in self.in_hand if count else ():
                self.give(seat, now[seat], up or seat in self.shown)
        if street.board:
            self.deal_board(street.name, street.board)
        return True

    def give(self, seat: int, cards: list[tuple[int, int]], up: bool) -> None:
        self.own[seat] += cards
        self.up[seat] += [card for _, card in cards if up]
        indices, faces = zip(*cards, strict=True)
        self.expect(fact.CardsDealt(seat, indices, faces, up))

    def deal_board(self, name: str, count: int) -> None:
        indices, faces = zip(*self.shoe[:count], strict=True)
        del self.shoe[:count]
        self.board += faces
        self.expect(fact.BoardDealt(name, indices, faces))

    # --- draws ---

    def draw(self, street: Street) -> None:
        self.late = set()
        self.expect(fact.DrawOpened(self.street))
        for seat in self.clockwise_from(self.first(self.street)):
            if self.is_away(seat):
                self.expect(fact.StoodPat(seat, late=False))
                continue
            self.expect(fact.DrawOffered(seat, street.draw))
            match self.take():
                case fact.AllInProtected() as found:
                    self.protect(found, seat)
                    self.expect(fact.StoodPat(seat, late=False))
                case fact.OutOfTime() if not self.is_in_for(seat):
                    self.expect(fact.Folded(seat))
                    self.fold(seat)
                    self.happened.add("simply out in a draw")
                    if len(self.in_hand) == 1:
                        return
                case other if seat in self.left:
                    self.must_be(other, fact.StoodPat(seat, late=False))
                case fact.StoodPat(seat=who, late=late) if who == seat:
                    if late:
                        self.late.add(seat)
                        self.happened.add("late to draw")
                case fact.CardsDiscarded(seat=who, indices=indices) if who == seat and 0 < len(indices) <= street.draw:
                    self.exchange(seat, indices)
                case other:
                    raise Wrong(f"seat {seat} draws up to {street.draw} cards, but {other}")

    def exchange(self, seat: int, indices: Sequence[int]) -> None:
        away = [(index, card) for index, card in self.own[seat] if index in indices]
        if len(away) != len(indices):
            raise Wrong(f"seat {seat} holds {self.own[seat]}, but discards {indices}")
        self.own[seat] = [one for one in self.own[seat] if one not in away]
        self.thrown[seat].update(card for _, card in away)
        self.muck += away
        missing = len(away)
        while missing:
            fit = [one for one in self.shoe if one[1] not in self.thrown[seat]][:missing]
            if fit:
                if fit != self.shoe[: len(fit)]:
                    self.happened.add("an own discard passed over")
                self.shoe = [one for one in self.shoe if one not in fit]
                self.give(seat, fit, up=False)
                missing -= len(fit)
            else:
                self.reshuffle()

    def reshuffle(self) -> None:
        found = self.take()
        pile, faces = zip(*sorted(self.muck), strict=True)
        new = tuple(range(self.next_index, self.next_index + len(pile)))
        if not isinstance(found, fact.DeckReshuffled):
            raise Wrong(f"the deck has run out and is reshuffled, but {found}")
        if not isinstance(found.cards, tuple) or sorted(found.cards) != sorted(faces):
            raise Wrong(f"the deck has run out and {faces} are shuffled, but {found}")
        if found != fact.DeckReshuffled(pile, new, found.cards):
            raise Wrong(f"{pile} get the new indices {new}, but {found}")
        self.shoe += zip(new, found.cards, strict=True)
        self.next_index += len(pile)
        self.muck = []
        self.happened.add("a reshuffle")

    # --- who doesn't answer ---

    def is_away(self, seat: int) -> bool:
        """He left, or is all-in protected: he is asked nothing more."""
        return seat in self.left or seat in self.aside

    def protect(self, found: fact.AllInProtected, seat: int) -> None:
        """He is all-in for what he has put in; the rest of his stack waits for the end of the hand."""
        if self.opened.kind == "tournament" or not self.is_in_for(seat):
            raise Wrong(f"seat {seat} can't be protected: {found}")
        self.must_be(found, fact.AllInProtected(seat, self.stack[seat]))
        self.aside[seat], self.stack[seat] = self.stack[seat], 0
        self.happened.add("all-in protected")

    def is_in_for(self, seat: int) -> int:
        """Chips of his in the pot, dead ones too."""
        brought = {one.seat: one.stack for one in self.opened.seats}
        put_in: int = brought[seat] - self.stack[seat]
        return put_in

    def fold(self, seat: int) -> None:
        self.in_hand.remove(seat)
        self.muck += self.own[seat]

    def out_of_time(self, turn: fact.TurnGiven | fact.SplitOffered) -> None:
        """He checks if that is free, else he folds, and always in a tournament; so does who lost his connection, with
        nothing in the pot to be protected for."""
        self.happened.add("out of time")
        seat, action = turn.seat, self.take()
        if turn.call or self.opened.kind == "tournament" or (action == fact.Folded(seat) and not self.is_in_for(seat)):
            self.must_be(action, fact.Folded(seat))
            self.fold(seat)
        else:
            self.must_be(action, fact.Checked(seat))
            self.round.acted(seat)

    def must_be(self, found: Any, right: Any) -> None:
        if found != right:
            raise Wrong(f"fact {self.at}: {found}, but the rules make {right}")

    # --- seats ---

    def clockwise_from(self, seat: int) -> list[int]:
        """Those in the hand, clockwise, from the first at or after a seat."""
        return sorted(self.in_hand, key=lambda one: (one < seat, one))

    def able(self) -> list[int]:
        return [seat for seat in self.in_hand if self.stack[seat]]

    def first(self, street: int) -> int:
        """The seat from which the round and the draw of a street, or after the last the showdown, start clockwise."""
        if self.plan.blinds and (street == 0 or self.plan.after_the_big_blind):
            (big_blind,) = [post.seat for post in self.opened.posts if post.kind is PostKind.BIG_BLIND]
            return big_blind + 1
        if self.plan.blinds:
            return self.opened.button + 1
        best = max(showing_key(self.plan, self.up[seat]) for seat in self.in_hand)
        return next(seat for seat in self.in_hand if showing_key(self.plan, self.up[seat]) == best)

    # --- betting ---

    def bet(self) -> None:
        """A round that nobody can act in isn't played; before the first cards of a blind game one may face a blind."""
        first_of_blinds = self.street == 0 and self.plan.blinds
        playable = len(self.able()) > 1 or (first_of_blinds and len(self.able()) == 1)
        self.aggressor = 0
        self.live = self.live if self.street == 0 else dict.fromkeys(self.live, 0)
        price = max(self.opened.stakes.big_blind, *self.live.values()) if first_of_blinds else 0
        pair = self.house.open_pair and self.street == 1 and self.pair_shows()
        self.round = round_of(
            self.opened, self.house, self.street, price, self.street >= self.plan.big_from, pair, len(self.in_hand)
        )
        self.round.late = self.late
        if playable:
            opening = self.take()
            if not isinstance(opening, fact.RoundOpened) or (opening.street, opening.wager) != (self.street, price):
                raise Wrong(f"round {self.street} opens with {price} to match, but {opening}")
            self.last_round = self.street
            if pair:
                self.happened.add("an open pair")
        seat = self.first(self.street) if self.plan.blinds or self.street else 0
        if self.street == 0 and not self.plan.blinds:
            if not playable:
                return
            seat = self.bring_in() + 1
            playable = seat > 1
        if self.plan.vote and self.street + 1 == len(self.plan.streets):
            seat = self.vote(seat)
        if playable:
            self.go_around(seat)

    def pair_shows(self) -> bool:
        return any(len({card // 4 for card in self.up[seat]}) < len(self.up[seat]) for seat in self.in_hand)

    def bring_in(self) -> int:
        """Who brings in; NOBODY, where too few are left who could play the round."""
        pick = max if self.house.highest_brings_in else min
        owes = pick(self.order, key=lambda seat: self.door(self.up[seat][0]))
        seat = next(seat for seat in self.clockwise_from(owes) if self.stack[seat])
        if seat != owes:
            self.happened.add("a bring-in passed on")
        least = min(self.opened.stakes.bring_in, self.stack[seat])
        self.round.pot = self.pot
        most = max(least, min(self.round.span(0)[1], self.stack[seat]))
        if seat not in self.left:
            self.expect(fact.BringInOwed(seat, least, most))
        made = self.take()
        if isinstance(made, fact.AllInProtected):
            self.protect(made, seat)
            return self.bring_in() if len(self.able()) > 1 else NOBODY
        if isinstance(made, fact.OutOfTime):
            made = self.take()
            if made == fact.Folded(seat) and not self.is_in_for(seat):
                self.fold(seat)
                return self.bring_in() if len(self.able()) > 1 else NOBODY
            most = least
        if seat in self.left:
            most = least
        if (
            not isinstance(made, fact.BroughtIn)
            or made.seat != seat
            or not self.allowed(least, made.amount, most, seat)
        ):
            raise Wrong(f"seat {seat} brings in with {least} to {most}, but {made}")
        self.put(seat, made.amount)
        self.round.bring_in(made.amount)
        self.round.acted(seat)
        if made.wager != self.round.wager or made.all_in is not (not self.stack[seat]):
            raise Wrong(f"the price is {self.round.wager} then, but {made}")
        if made.amount < self.opened.stakes.bring_in:
            self.happened.add("a bring-in all-in for less")
        return seat

    def door(self, card: int) -> tuple[int, int]:
        """Rank, then suit."""
        return card // 4, self.plan.suits.index("cdhs"[card % 4])

    @property
    def pot(self) -> int:
        return sum(self.put_in.values()) + self.dead

    def put(self, seat: int, amount: int) -> None:
        self.stack[seat] -= amount
        self.live[seat] += amount
        self.put_in[seat] += amount

    def allowed(self, least: int, to: int, most: int, seat: int) -> bool:
        """Fixed limit knows two amounts; all but an all-in are whole chips."""
        inside = to in {least, most} if self.opened.limit == "fixed" else least <= to <= most
        return inside and (to % self.opened.chip_unit == 0 or to == self.live[seat] + self.stack[seat])

    def go_around(self, seat: int) -> None:
        """Until everyone who can act has acted and matched the last bet; `seat` is where the action is."""
        while len(self.in_hand) > 1:
            waiting = [one for one in self.clockwise_from(seat) if self.stack[one] and self.must_act(one)]
            checks = self.late.issuperset(self.able()) and not self.left.intersection(self.able())
            if self.able() and checks and not self.round.wager:
                for one in waiting:
                    self.expect(fact.Checked(one))
                if waiting:
                    self.happened.add("a round checked through because all were late")
                return
            if not waiting or self.nobody_to_bet_with(waiting[0]):
                return
            self.round.pot = self.pot
            if waiting[0] in self.left:
                self.expect(fact.Folded(waiting[0]))
                self.fold(waiting[0])
            else:
                self.ask(fact.TurnGiven(waiting[0], *self.legal(waiting[0])))
            seat = waiting[0] + 1

    def must_act(self, seat: int) -> bool:
        return seat not in self.round.faced or self.live[seat] < self.round.wager

    def nobody_to_bet_with(self, seat: int) -> bool:
        """Nobody else can act, and he has put in at least as much as each opponent."""
        return self.able() == [seat] and all(self.put_in[other] <= self.put_in[seat] for other in self.in_hand)

    def legal(self, seat: int) -> tuple[int, int, int]:
        self.round.pot = self.pot
        return self.round.legal(seat, self.live[seat], self.stack[seat])

    def ask(self, turn: fact.TurnGiven | fact.SplitOffered) -> None:
        """A decision, and the action that answers it."""
        self.expect(turn)
        self.answer(turn, self.take())

    def answer(self, turn: fact.TurnGiven | fact.SplitOffered, action: Any) -> None:
        seat = turn.seat
        if getattr(action, "seat", None) != seat:
            raise Wrong(f"seat {seat} is to act, but {action}")
        if seat in self.left:
            self.must_be(action, fact.Folded(seat))
        match action:
            case fact.OutOfTime():
                self.out_of_time(turn)
            case fact.AllInProtected():
                self.protect(action, seat)
            case fact.Folded():
                self.fold(seat)
            case fact.Checked() if not turn.call:
                self.round.acted(seat)
            case fact.Called(amount=amount) if amount == turn.call > 0:
                self.put(seat, amount)
                self.check_wager(action)
                self.round.acted(seat)
            case fact.BetMade(to=to) | fact.Raised(to=to) if turn.most and self.allowed(
                turn.least, to, turn.most, seat
            ):
                if isinstance(action, fact.Raised) is not (self.round.wager > 0):
                    raise Wrong(f"{self.round.wager} is the wager, but {action}")
                self.put(seat, to - self.live[seat])
                self.check_wager(action)
                self.round.raised(to)
                self.round.acted(seat)
                if (action.bets, action.full_raise) != self.round.counted():
                    raise Wrong(f"(bets, full raise) are {self.round.counted()} then, but {action}")
                self.aggressor = seat
            case _:
                raise Wrong(f"legal is {turn}, but {action}")

    def check_wager(self, action: fact.Called | fact.BetMade | fact.Raised) -> None:
        """Amount, live total and all-in say the same of what was put in."""
        if action.to != self.live[action.seat] or action.all_in is not (not self.stack[action.seat]):
            raise Wrong(
                f"seat {action.seat} has {self.live[action.seat]} live, {self.stack[action.seat]} left: {action}"
            )

    # --- the vote ---

    def vote(self, first: int) -> int:
        """The offer goes round until somebody acts otherwise; the seat where the action is then."""
        self.votes = {}
        seat = first
        for one in self.clockwise_from(first):
            if not any(one in pot.seats and self.at_stake(pot) for pot in self.pots()):
                continue
            seat = one + 1
            if self.is_away(one):
                if self.stack[one]:
                    self.expect(fact.Folded(one))
                    self.fold(one)
                    self.votes = {}
                    return seat
                self.refuses_the_split(one)
                continue
            alone = len(self.able()) < 2
            turn = (
                fact.SplitOffered(one, 0, 0, 0)
                if alone or not self.stack[one]
                else fact.SplitOffered(one, *self.legal(one))
            )
            self.expect(turn)
            answer = self.take()
            if isinstance(answer, fact.AllInProtected):
                self.protect(answer, one)
                self.refuses_the_split(one)
                continue
            if not self.stack[one] and isinstance(answer, fact.OutOfTime):
                self.refuses_the_split(one)
                continue
            if not isinstance(answer, fact.SplitVoteCast):
                self.votes = {}
                self.answer(turn, answer)
                self.happened.add("a vote ended by an action")
                return seat
            if answer.seat != one or (self.stack[one] and not answer.agrees):
                raise Wrong(f"seat {one} votes or, with chips, acts: {answer}")
            if one in self.left:
                self.must_be(answer, fact.SplitVoteCast(one, agrees=False))
            self.votes[one] = answer.agrees
            self.round.acted(one)
        return seat

    def refuses_the_split(self, seat: int) -> None:
        self.expect(fact.SplitVoteCast(seat, agrees=False))
        self.votes[seat] = False
        self.round.acted(seat)

    def at_stake(self, pot: Pot) -> bool:
        """Whether a pot can still be divided: two or more contest it, and nobody of them refused."""
        return len(pot.seats) > 1 and not any(self.votes.get(seat) is False for seat in pot.seats)

    # --- the end of a round and of the hand ---

    def pots(self) -> list[Pot]:
        return pots_of(self.put_in, self.in_hand, self.dead)

    def gather(self) -> None:
        last_has_chips = len(self.in_hand) == 1 and self.stack[self.in_hand[0]] > 0
        back = returns_of(self.put_in, self.in_hand, last_has_chips)
        while back:
            found = self.take()
            if not isinstance(found, fact.UncalledBetReturned) or found.amount != back.pop(found.seat, None):
                raise Wrong(f"{back} go back, but {found}")
            chips = self.aside if found.seat in self.aside else self.stack
            chips[found.seat] += found.amount
            self.put_in[found.seat] -= found.amount
        amounts = tuple(pot.chips for pot in self.pots())
        if amounts != self.gathered:
            self.expect(fact.BetsCollected(amounts))
            self.gathered = amounts

    def turn_up_early(self) -> None:
        """With one player able to bet at most, all hands lie open as soon as no draw and no vote is left; after the
        last round that was played they are shown in order instead."""
        coming = self.plan.streets[self.street + 1 :]
        if self.shown or len(self.able()) > 1 or any(street.draw for street in coming):
            return
        if not coming and (self.last_round == self.street or self.all_agreed()):
            return
        for seat in self.clockwise_from(self.first(len(self.plan.streets) - 1)):
            self.show(seat, ShownBecause.ALL_IN)
        self.happened.add("hands turned up")

    def all_agreed(self) -> bool:
        return all(self.agreed(pot) for pot in self.pots())

    def agreed(self, pot: Pot) -> bool:
        return all(self.votes.get(seat) is True for seat in pot.seats)

    def show(self, seat: int, because: ShownBecause) -> None:
        self.expect(fact.HandShown(seat, self.cards(seat), because))
        self.shown.append(seat)

    def cards(self, seat: int) -> Cards:
        return tuple(card for _, card in self.own[seat])

    def last_one_left(self) -> None:
        for seat in self.in_hand:
            if self.wishes.get(seat) is Wish.SHOW:
                self.show(seat, ShownBecause.ASKED)
        self.pay([{Part.WHOLE: pot.seats} for pot in self.pots()])

    def show_down(self) -> None:
        pots = self.pots()
        if self.all_agreed():
            for seat in self.in_hand:
                if self.wishes.get(seat) is Wish.SHOW:
                    self.show(seat, ShownBecause.ASKED)
            self.happened.add("a vote agreed")
            self.pay([self.divided(pot) for pot in pots])
            return
        if any(self.agreed(pot) for pot in pots):
            self.happened.add("a vote half refused")
        hands = Showdown(self.plan, self.cards, self.board, self.in_hand)
        left = {pot: list(pot.seats) for pot in pots if not self.agreed(pot)}
        given_up = self.show_or_muck(hands, left)
        won = [self.divided(pot) if self.agreed(pot) else self.winners(hands, pot, left[pot], given_up) for pot in pots]
        if hands.the_royal_was_beaten:
            self.happened.add("the royal beaten")
        self.pay(won)

    def show_or_muck(self, hands: Showdown, left: dict[Pot, list[int]]) -> set[int]:
        """Those who gave up; `left`: the pots that are played for, with those who still hold cards for them."""
        given_up = set()
        starts = self.aggressor if self.last_round == self.street and self.aggressor else self.first(self.street)
        for seat in self.clockwise_from(starts):
            if seat in self.shown:
                continue
            why = None if self.house.everyone_shows else self.why_muck(hands, left, seat)
            if why is None:
                self.show(seat, ShownBecause.ORDER)
            elif self.wishes.get(seat) is Wish.SHOW:
                self.show(seat, ShownBecause.ASKED)
            else:
                self.expect(fact.HandMucked(seat, why))
                self.happened.add(why.value)
                if why is MuckedBecause.LAST_LEFT:
                    continue
                for holders in left.values():
                    if seat in holders:
                        holders.remove(seat)
                if why is MuckedBecause.GIVEN_UP:
                    given_up.add(seat)
        return given_up

    def why_muck(self, hands: Showdown, left: dict[Pot, list[int]], seat: int) -> MuckedBecause | None:
        mine = [(pot, holders) for pot, holders in left.items() if seat in holders]
        if all(holders == [seat] for _, holders in mine):
            return MuckedBecause.LAST_LEFT
        shown = {pot: [other for other in self.shown if other in holders] for pot, holders in mine}
        if not any(hands.can_share(seat, shown[pot], len(pot.seats)) for pot, _ in mine):
            return MuckedBecause.BEATEN
        asked = self.wishes.get(seat) is Wish.GIVE_UP and self.house.may_give_up
        if asked and all(len(holders) > 1 for _, holders in mine):
            return MuckedBecause.GIVEN_UP
        return None

    def divided(self, pot: Pot) -> dict[Part, Sequence[int]]:
        return {Part.AGREED if len(pot.seats) > 1 else Part.WHOLE: pot.seats}

    def winners(
        self, hands: Showdown, pot: Pot, holders: Sequence[int], given_up: set[int]
    ) -> dict[Part, Sequence[int]]:
        """The winners of each part, of all who didn't give up: so nobody who mucked as beaten may be among them. The
        last who holds cards takes the whole, unless they have been seen."""
        seats = [seat for seat in pot.seats if seat not in given_up]
        highs, lows = hands.best_high(seats, len(pot.seats)), hands.best_low(seats)
        if not set(holders).issuperset({*highs, *lows}):
            raise Wrong(f"seats {highs} have the high, {lows} the low, but only {holders} hold cards")
        if len(highs) > 1 or len(lows) > 1:
            self.happened.add("a pot split")
        if lows and len(pot.seats) > 1 and (len(holders) > 1 or holders[0] in self.shown):
            self.happened.add("a low")
            return {Part.HIGH: highs, Part.LOW: lows}
        return {Part.WHOLE: highs}

    def pay(self, won: list[dict[Part, Sequence[int]]]) -> None:
        pots = [pot.chips for pot in self.pots()]
        raked = [0] * len(pots)
        if self.opened.rake is not None and self.street > 0:
            raked = rake_of(self.opened.rake, pots)
        self.raked = sum(raked)
        if self.raked:
            self.expect(fact.RakeTaken(self.raked, tuple(raked)))
            self.happened.add("rake")
        for number, parts in enumerate(won):
            halves = deal_out(pots[number] - raked[number], range(len(parts)), self.opened.chip_unit)
            for half in halves:
                part, winners = list(parts.items())[half.seat]
                for share in deal_out(half.chips, winners, self.opened.chip_unit):
                    self.award(number, part, share)

    def award(self, number: int, part: Part, share: Share) -> None:
        found = self.take()
        words = getattr(found, "hand", "")
        if found != fact.PotAwarded(number, part, share.seat, share.chips, share.odd, words):
            raise Wrong(f"of pot {number} the {part} part gives {share}, but {found}")
        if words and (share.seat not in self.shown or part is Part.AGREED):
            raise Wrong(f"the hand was not shown: {found}")
        self.stack[share.seat] += share.chips
        if share.odd:
            self.happened.add("an odd chip")
