"""The auditor's own little book of a table: who sits there with how many chips, and what he may do."""

from collections import Counter
from collections.abc import Callable

from tests.simulation.books import Data, Hand, Wrong, must
from tests.simulation.seats_book import Seat, line_up

HOUR = 3600 * 1_000_000
"""Microseconds for which who has left is remembered."""


class Table:
    """One table. `hand`: the newest one. `brought`, `taken`: all chips that came and went."""

    def __init__(self, id_: str, opened: Data, shard: int, seen: Counter[str]) -> None:
        self.id, self.shard, self.opened, self.terms, self._seen = id_, shard, opened, opened["terms"], seen
        self.seats: dict[int, Seat] = {}
        self.hands = self.button = 0
        self.hand: Hand | None = None
        self.open_hand = ""
        self.brought = self.taken = self.raked = 0
        self.paused = self.closing = self.room_closed = False
        self.dealing = True
        self._left: dict[str, tuple[int, int]] = {}
        """By player: with how much, and when."""
        self._started: Data = {}
        self._missed: Data = {}
        self._taken_off: list[Data] = []

    def __repr__(self) -> str:
        there = {number: (one.player, one.stack) for number, one in self.seats.items()}
        return f"table {self.id} of {self.terms['game']}, {there}, hand {self.hands}: {self.open_hand or 'none open'}"

    @property
    def by_account(self) -> bool:
        """Whether chips come from accounts, not from the cashier."""
        return bool(self.opened["funds"] == "accounts")

    def chips(self, number: int) -> int:
        """All that a seat has outside the middle."""
        seat, hand = self.seats[number], self.under_way
        if hand is not None and number in hand.stack:
            return int(seat.pending + hand.stack[number] + hand.aside[number])
        return seat.stack + seat.pending

    def in_hand(self, number: int) -> bool:
        """Whether the seat plays in the hand that is open."""
        return self.under_way is not None and number in self.under_way.stack

    @property
    def under_way(self) -> Hand | None:
        """The hand that is open, once its first fact was seen."""
        return self.hand if self.hand is not None and self.hand.id == self.open_hand else None

    def take(self, kind: str, data: Data, at: int) -> None:
        """The next fact of the table."""
        handler = _OF_TABLE.get(kind)
        if handler is None:
            raise Wrong(f"the books don't know {kind}")
        handler(self, data, at)
        self.check()

    @property
    def closes(self) -> bool:
        """By itself, or with the room."""
        return self.closing or self.room_closed

    # Seats and chips

    def _of(self, data: Data) -> Seat:
        seat = self.seats.get(data["seat"])
        must(seat is not None and seat.player == data["player"], "{} is of nobody at {}", data, self)
        assert seat
        return seat

    def _seated(self, data: Data, at: int) -> None:
        must(not self.closes, "{} sits down at {}, which is closing", data, self)
        must(data["seat"] not in self.seats, "seat {} of {} is given twice", data["seat"], self)
        must(1 <= data["seat"] <= self.terms["seats"], "{} has no seat {}", self, data["seat"])
        must(data["player"] not in [one.player for one in self.seats.values()], "{} sits twice", data["player"])
        self.seats[data["seat"]] = Seat(data["player"], data["posts"])

    def _brought(self, data: Data, at: int) -> None:
        must(not self.by_account, "the cashier brings {} to {}", data, self)
        self.receives(self._of(data), data["amount"], at, new=True)

    def receives(self, seat: Seat, amount: int, at: int, *, new: bool) -> None:
        """Chips come to a seat, from the next hand on in play. `new`: he has just sat down."""
        least, most = self.opened["least_buy_in"], self.opened["most_buy_in"]
        has, when = self._left.get(seat.player, (0, -HOUR)) if new else (0, -HOUR)
        if self.opened["seating"] and at - when <= HOUR:
            least, most = max(least, has), most and max(most, has)
            self._seen["came back within the hour"] += 1
        total = amount + (0 if new else seat.stack + seat.pending)
        must(amount > 0 and (not new or amount >= least), "{} brings {}: at least {}", seat, amount, least)
        must(not most or total <= most, "{} brings {}: at most {}", seat, amount, most)
        if self.open_hand:
            seat.pending += amount
        else:
            seat.stack += amount
        self.brought += amount

    def _chips_taken(self, data: Data, at: int) -> None:
        must(not self.by_account, "the cashier takes {} off {}", data, self)
        self.gives(data["seat"], self._of(data), data["amount"])

    def gives(self, number: int, seat: Seat, amount: int) -> None:
        """All chips of a seat go; a frozen player's only where the floor removes him."""
        must(not self.in_hand(number), "{} takes chips off {} during a hand", seat, self)
        must(amount == seat.stack + seat.pending, "{} takes {} off {}", seat, amount, self)
        must(not seat.frozen or not amount or "floor" in seat.leaving, "{} is frozen and takes {}", seat, amount)
        seat.stack = seat.pending = 0
        seat.took = amount
        self.taken += amount

    def _player_left(self, data: Data, at: int) -> None:
        seat = self._of(data)
        must(not self.in_hand(data["seat"]), "{} leaves during hand {}", data, self.open_hand)
        if self.opened["seating"]:
            must(
                (data["at"], data["stack"]) == (at, seat.took + seat.stack + seat.pending),
                "{} leaves as {}",
                seat,
                data,
            )
            self._left[seat.player] = data["stack"], at
        must(not seat.stack and not seat.pending, "{} leaves chips on {}", data, self)
        del self.seats[data["seat"]]
        self._seen["players left"] += 1

    def _leaving(self, data: Data, at: int) -> None:
        if self.open_hand and self.under_way is None:
            self._taken_off.append(data)  # by the hand that is being dealt, to which he belongs as he was
        else:
            self._of(data).leaving = data["why"]
        self._seen[f"leaving, since {data['why']}"] += 1

    def _sat_out(self, data: Data, at: int) -> None:
        seat = self._of(data)
        must(not seat.out, "{} sits out twice", data)
        seat.out = True
        self._seen["sat out"] += 1

    def _came_back(self, data: Data, at: int) -> None:
        seat = self._of(data)
        seat.out, seat.posts = False, data["posts"]
        self._seen["came back"] += 1

    def _lost(self, data: Data, at: int) -> None:
        must(self._of(data).connected, "{} is lost twice", data)
        self._of(data).connected = False
        self._seen["connections lost"] += 1

    def _restored(self, data: Data, at: int) -> None:
        must(not self._of(data).connected, "{} wasn't lost", data)
        self._of(data).connected = True

    def check_protected(self, number: int) -> None:
        """All-in protection is for who is away, at tables that have it, unless it was refused."""
        seat, rules = self.seats[number], self.opened["seating"]
        must(not seat.connected, "{} is protected and there", seat)
        must(bool(rules and rules["protections"]), "{} is protected at {}", seat, self)
        must(seat.protection != "refused", "{} is protected, which was refused", seat)

    # What accounts send and get, and what players' files tell

    def takes(self, data: Data, at: int) -> None:
        """Money of an account becomes chips of a seat."""
        must(self.by_account and data["currency"] == self.terms["currency"], "{} takes {}", self, data)
        seat, new = self._of(data), data["purpose"] == "buy-in"
        idle = not (seat.stack or seat.pending) and not seat.promotion
        must(not new or (idle and seat.posts is data["posts"]), "{} takes {} twice", self, data)
        must(new or not (seat.frozen or seat.leaving or self.closes), "{} takes {} for {}", self, data, seat)
        self.receives(seat, data["amount"], at, new=new)
        seat.promotion += data["promotion"]
        self.check()

    def sends(self, data: Data) -> None:
        """All chips of a seat go to its player's account: first the credit that he brought, the rest is cash."""
        seat = self._of(data)
        must(self.by_account and data["purpose"] == "cash-out", "{} sends {}", self, data)
        account = f"account:{seat.player}:{self.terms['currency'].lower()}"
        must((data["to"], data["currency"]) == (account, self.terms["currency"]), "{} sends {}", self, data)
        must(data["promotion"] == min(seat.promotion, data["amount"]), "{} sends {} of {}", self, data, seat)
        self.gives(data["seat"], seat, data["amount"])
        self.check()

    def hears(self, data: Data) -> None:
        """News of a player, who sits here or doesn't."""
        sits = data["player"] in [one.player for one in self.seats.values()]
        must(data["outcome"] == ("done" if sits else "absent"), "{} hears {}", self, data)

    def asks(self, kind: str, data: Data, sent: Data) -> None:
        """Whether a player who was cut off in a hand is protected there, and the answer."""
        if data["about"] != "protection" or data["hand"] != self.open_hand:
            return
        for seat in self.seats.values():
            if seat.player == data["player"]:
                seat.protection = "asked" if kind == "notice.sent" else data["outcome"]

    # Hands

    def _hand_started(self, data: Data, at: int) -> None:
        must(not self.open_hand and data["number"] == self.hands + 1, "{} starts at {}", data, self)
        may = self.dealing and not self.paused and not self.closes
        must(may, "{} starts at {}, whose floor stopped it", data, self)
        self.hands, self.open_hand = data["number"], data["hand"]
        self._started, self._missed, self._taken_off = data, {"small": [], "big": []}, []

    def _blinds_missed(self, data: Data, at: int) -> None:
        self._missed = data

    def open(self, hand: Hand) -> None:
        """A hand opens with those that rules.md section 7 says, all of their chips, and the posts that they owe."""
        line = line_up(self.seats, self.button, self.opened, has_button=bool(self._started["button"]))
        there = {seat: (hand.players[seat], stack) for seat, stack in hand.brought_by.items()}
        due = {seat: (self.seats[seat].player, self.seats[seat].stack) for seat in line.dealt}
        must(there == due, "hand {} opens with {}, it must be {}, of {}", hand.id, there, due, self.seats)
        button = hand.opened["button"]
        must(
            button == line.button == self._started["button"], "hand {}: button {}, not {}", hand.id, button, line.button
        )
        posts = sorted((one["seat"], one["kind"], one["amount"], one["live"]) for one in hand.opened["posts"])
        must(posts == sorted(line.posts), "hand {}: posts {}, due are {}", hand.id, posts, line.posts)
        missed = set(self._missed["small"]), set(self._missed["big"])
        must(missed == (line.missed_small, line.missed_big), "hand {}: {} missed, it were {}", hand.id, missed, line)
        must(set(self._started["entered"]) == line.entered, "hand {}: entered {}, {}", hand.id, self._started, line)
        self._count(hand, posts)
        for one in self._taken_off:
            self._of(one).leaving = one["why"]
        self._owe(line.missed_small, line.missed_big)
        for number in line.dealt:
            seat = self.seats[number]
            seat.entered, seat.owes, seat.missed = True, set(), 0
        self.hand, self.button = hand, button or self.button

    def _owe(self, small: set[int], big: set[int]) -> None:
        for number in small:
            self.seats[number].owes.add("small")
        for number in big:
            seat = self.seats[number]
            seat.owes.add("big")
            seat.missed += 1
            most = self.opened["seating"]["taken_off_after"]
            must(
                not 0 < most <= seat.missed or bool(seat.leaving),
                "{} missed {} big blinds and stays",
                seat,
                seat.missed,
            )
        self._seen["small blinds missed"] += len(small)
        self._seen["big blinds missed"] += len(big)

    def _count(self, hand: Hand, posts: list[tuple[int, str, int, bool]]) -> None:
        kinds = Counter(kind for _, kind, _, _ in posts)
        self._seen["newcomers' and late blinds"] += kinds["late blind"]
        self._seen["dead blinds"] += kinds["dead blind"]
        waited = [one for one, seat in self.seats.items() if seat.able and seat.enters and one not in hand.stack]
        self._seen["newcomers who waited"] += len(waited)

    def _finished(self, data: Data, at: int) -> None:
        hand = self.hand
        must(hand is not None and hand.settled and hand.id == data["hand"] == self.open_hand, "{} at {}", data, self.id)
        assert hand
        stacks = dict(zip(data["seats"], data["stacks"], strict=True))
        must(stacks == hand.stack and data["rake"] == hand.rake, "{} isn't what hand {} came to", data, hand.id)
        self.open_hand = ""
        for number, stack in stacks.items():
            self.seats[number].stack = stack
            self._seen["busts"] += not stack
        for seat in self.seats.values():
            seat.stack, seat.pending, seat.protection = seat.stack + seat.pending, 0, ""
        self.raked += hand.rake

    def check(self) -> None:
        """Chips come from the cashier or from accounts and go back there, or are rake; in a hand they may be in the
        middle."""
        here = sum(self.chips(number) for number in self.seats)
        hand = self.under_way
        middle = hand.pot + hand.rake if hand else 0
        must(
            here + middle + self.taken + self.raked == self.brought,
            "{}: {} on it, {} in the middle, {} taken, {} raked of {} brought",
            self, here, middle, self.taken, self.raked, self.brought,
        )  # fmt: skip

    # The floor

    def _switch(self, name: str, value: bool) -> None:
        must(getattr(self, name) is not value, "{} is {} {} already", self, name, value)
        setattr(self, name, value)
        self._seen[f"floor: {name} {'on' if value else 'off'}"] += 1

    def _frozen(self, data: Data, at: int) -> None:
        must(data["of"] not in self._of(data).freezes, "{} is frozen so already: {}", self._of(data), data)
        self._of(data).freezes.add(data["of"])
        self._seen["seats frozen"] += 1

    def _unfrozen(self, data: Data, at: int) -> None:
        must(data["of"] in self._of(data).freezes, "{} isn't frozen so: {}", self._of(data), data)
        self._of(data).freezes.remove(data["of"])


def _switches(name: str, value: bool) -> Callable[[Table, Data, int], None]:
    return lambda table, data, at: table._switch(name, value)


_OF_TABLE: dict[str, Callable[[Table, Data, int], None]] = {
    "table.player-seated": Table._seated,
    "table.chips-brought": Table._brought,
    "table.chips-taken": Table._chips_taken,
    "table.player-left": Table._player_left,
    "table.player-leaving": Table._leaving,
    "table.player-sat-out": Table._sat_out,
    "table.player-came-back": Table._came_back,
    "table.connection-lost": Table._lost,
    "table.connection-restored": Table._restored,
    "table.hand-started": Table._hand_started,
    "table.blinds-missed": Table._blinds_missed,
    "table.hand-finished": Table._finished,
    "table.paused": _switches("paused", True),
    "table.resumed": _switches("paused", False),
    "table.dealing-stopped": _switches("dealing", False),
    "table.dealing-started": _switches("dealing", True),
    "table.closing": _switches("closing", True),
    "table.reopened": _switches("closing", False),
    "table.closing-with-room": _switches("room_closed", True),
    "table.reopened-with-room": _switches("room_closed", False),
    "table.player-frozen": Table._frozen,
    "table.player-unfrozen": Table._unfrozen,
}
