"""One hand under way: the rows of its decisions as they come, and those of the whole hand once it is settled."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from domain.hand import events as fact
from domain.hand.state import NOT_PLAYED, Hand, evolve
from projections.shares import shares
from services.rake_due import RakeDue
from services.warehouse.tables import Decision, HandRow, Result


class Did(NamedTuple):
    """What a fact says that a player did; fields as in Decision."""

    kind: str
    amount: int = 0
    bet_to: int = 0
    all_in: bool = False
    post: str = ""
    discards: int | None = None


class HandUnderWay:
    """A hand whose rows aren't due yet; what it needs of the past is all in its own facts."""

    def __init__(self, opened: fact.HandOpened, shard: int, height: int, at: int) -> None:
        self.shard, self.first_height, self.started_at = shard, height, at
        self.state: Hand = evolve(None, opened)
        self.game = opened.game
        self.players = {one.seat: one.player for one in opened.seats}
        self.decisions: list[Decision] = []
        self.owing = RakeDue(opened)
        self.rake_by_pot: tuple[int, ...] = ()
        self.without_owner: int | None = None
        self.put_in: Counter[int] = Counter()
        self.returned: Counter[int] = Counter()
        self.won: Counter[int] = Counter()
        self.folded: set[int] = set()
        self.mucked: set[int] = set()
        self.aside: dict[int, int] = {}

    def take(self, version: int, event: Any, *, at: int, height: int, cause: str) -> None:
        """The next fact, of a commit at that time and height."""
        said = DID.get(type(event))
        if said is not None:
            did = said(event, self.state)
            self.put_in[event.seat] += did.amount
            self.decisions.append(self._decision(event.seat, did, version, at, height, cause))
        self.owing.take(event)
        noted = NOTED.get(type(event))
        if noted is not None:
            noted(self, event)
        evolve(self.state, event)

    def rows(self, settled: fact.HandSettled, at: int, height: int) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """(table, row) for all that the hand gives, now that it is over."""
        yield from (("decisions", one) for one in self.decisions)
        yield "hands", self._hand(at, height)
        yield from (("results", one) for one in self._results(settled, at))

    def _decision(self, seat: int, did: Did, version: int, at: int, height: int, cause: str) -> Decision:
        hand = self.state
        opened = hand.opened
        betting = did.kind not in _WITHOUT_A_PRICE
        to_call = max(0, min(hand.stack[seat], hand.wager - hand.live[seat])) if betting else 0
        facing = hand.aggressor if betting and to_call and hand.aggressor != seat else 0
        asked = hand.turn is not None and hand.turn.seat == seat
        return Decision(
            hand=hand.id,
            version=version,
            table_id=opened.table,
            acted_at=at,
            decision=hand.decision if asked else 0,
            seat=seat,
            player=self.players[seat],
            street="" if hand.street == NOT_PLAYED else hand.game.streets[hand.street].name,
            kind=did.kind,
            post=did.post,
            amount=did.amount,
            bet_to=did.bet_to,
            pot_before=hand.pot,
            to_call=to_call,
            wager=hand.wager,
            facing_seat=facing or None,
            facing_player=self.players[facing] if facing else None,
            all_in=did.all_in,
            discards=did.discards,
            currency=opened.currency,
            cause=cause,
            shard=self.shard,
            height=height,
        )

    def _hand(self, at: int, height: int) -> HandRow:
        opened, stakes, rake = self.state.opened, self.state.opened.stakes, self.state.opened.rake
        return HandRow(
            hand=self.state.id,
            table_id=opened.table,
            number=opened.number,
            structure=opened.limit.value,
            kind=opened.kind.value,
            rulebook=opened.rulebook,
            currency=opened.currency,
            scale=opened.scale,
            small_blind=stakes.small_blind,
            big_blind=stakes.big_blind,
            ante=stakes.ante,
            bring_in=stakes.bring_in,
            min_bet=stakes.min_bet,
            small_bet=stakes.small_bet,
            big_bet=stakes.big_bet,
            maxima=tuple(stakes.maxima),
            button=opened.button,
            dealt_in=len(opened.seats),
            players=tuple(self.players[seat] for seat in sorted(self.players)),
            pots=self.state.pots,
            pot=sum(self.state.pots),
            largest_pot=max(self.state.pots, default=0),
            rake=self.state.rake,
            rake_by_pot=self.rake_by_pot,
            rake_due=self.owing.due,
            rake_per=rake.per if rake else None,
            rake_each=rake.each if rake else None,
            rake_cap=rake.cap if rake else None,
            rake_small_under=rake.small_under if rake else None,
            rake_small_per=rake.small_per if rake else None,
            rake_small_each=rake.small_each if rake else None,
            winners=tuple(self.players[seat] for seat in sorted(self.won)),
            cancelled=self.without_owner is not None,
            without_owner=self.without_owner,
            started_at=self.started_at,
            finished_at=at,
            shard=self.shard,
            first_height=self.first_height,
            last_height=height,
        )

    def _results(self, settled: fact.HandSettled, at: int) -> Iterator[Result]:
        opened = self.state.opened
        after = dict(zip(settled.seats, settled.stacks, strict=True))
        staked = {one.seat: self.put_in[one.seat] - self.returned[one.seat] for one in opened.seats}
        parts = rake_parts(self.state.rake, staked)
        for one in opened.seats:
            seat = one.seat
            yield Result(
                hand=self.state.id,
                table_id=opened.table,
                seat=seat,
                player=one.player,
                currency=opened.currency,
                stack_before=one.stack,
                stack_after=after[seat],
                put_in=self.put_in[seat],
                returned=self.returned[seat],
                won=self.won[seat],
                net=self.won[seat] - staked[seat],
                rake_part=parts[seat],
                folded=seat in self.folded,
                shown=seat in self.state.shown,
                mucked=seat in self.mucked,
                protected=seat in self.aside,
                aside=self.aside.get(seat, 0),
                finished_at=at,
            )


def rake_parts(rake: int, staked: dict[int, int]) -> dict[int, int]:
    """Each seat's part of the rake by what it put in and didn't get back; `projections.shares` says how it is cut."""
    seats = sorted(staked)
    return dict(zip(seats, shares(rake, [staked[seat] for seat in seats]), strict=True))


# --- what players did ------------------------------------------------------------------------------------------------


def _put(kind: str) -> Callable[[Any, Hand], Did]:
    return lambda event, hand: Did(kind, event.amount, event.to, event.all_in)


def _said(kind: str) -> Callable[[Any, Hand], Did]:
    return lambda event, hand: Did(kind)


def _posted(event: fact.BlindPosted, hand: Hand) -> Did:
    live = hand.live[event.seat] + event.amount if event.live else 0
    return Did("post", event.amount, live, event.all_in, event.kind.value)


def _brought_in(event: fact.BroughtIn, hand: Hand) -> Did:
    return Did("bring-in", event.amount, event.amount, event.all_in)


def _voted(event: fact.SplitVoteCast, hand: Hand) -> Did:
    return Did("vote to split" if event.agrees else "refuse to split")


def _drew(event: fact.CardsDiscarded, hand: Hand) -> Did:
    return Did("draw", discards=len(event.indices))


DID: dict[type[Any], Callable[[Any, Hand], Did]] = {
    fact.BlindPosted: _posted,
    fact.BroughtIn: _brought_in,
    fact.Folded: _said("fold"),
    fact.Checked: _said("check"),
    fact.Called: _put("call"),
    fact.BetMade: _put("bet"),
    fact.Raised: _put("raise"),
    fact.CardsDiscarded: _drew,
    fact.StoodPat: _said("stand pat"),
    fact.SplitVoteCast: _voted,
    fact.AllInProtected: _said("all-in protection"),
}
"""The facts that give a row of decisions."""

_WITHOUT_A_PRICE = {"post", "bring-in", "draw", "stand pat"}


# --- what else is noted of a hand ------------------------------------------------------------------------------------


def _fold(hand: HandUnderWay, event: fact.Folded) -> None:
    hand.folded.add(event.seat)


def _muck(hand: HandUnderWay, event: fact.HandMucked) -> None:
    hand.mucked.add(event.seat)


def _back(hand: HandUnderWay, event: fact.UncalledBetReturned) -> None:
    hand.returned[event.seat] += event.amount


def _rake(hand: HandUnderWay, event: fact.RakeTaken) -> None:
    hand.rake_by_pot = event.by_pot


def _protect(hand: HandUnderWay, event: fact.AllInProtected) -> None:
    hand.aside[event.seat] = event.aside


def _award(hand: HandUnderWay, event: fact.PotAwarded) -> None:
    hand.won[event.seat] += event.amount


def _cancel(hand: HandUnderWay, event: fact.HandCancelled) -> None:
    hand.without_owner = event.gap
    for seat, amount in zip(event.seats, event.amounts, strict=True):
        hand.returned[seat] += amount


NOTED: dict[type[Any], Callable[[HandUnderWay, Any], None]] = {
    fact.Folded: _fold,
    fact.HandMucked: _muck,
    fact.UncalledBetReturned: _back,
    fact.AllInProtected: _protect,
    fact.RakeTaken: _rake,
    fact.PotAwarded: _award,
    fact.HandCancelled: _cancel,
}
"""Those that tell what the hand came to."""
