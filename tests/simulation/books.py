"""The auditor's own little book of a hand: chips and cards, kept from the facts as JSON has them.

Nothing of the product is imported here: two folds that agree are evidence, one fold that agrees with itself is none.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.simulation.unsealing import Keyring, laid, root, salts

Data = dict[str, Any]

ASKS = ("hand.bring-in-owed", "hand.turn-given", "hand.draw-offered", "hand.split-offered")
"""The facts that a command answers: each is a decision."""

ANSWERS = frozenset({
    "hand.fold", "hand.check", "hand.call", "hand.bet", "hand.raise", "hand.bring-in", "hand.draw",
    "hand.draw-too-late", "hand.vote-to-split", "hand.act-too-late", "hand.protect",
})  # fmt: skip


class Wrong(AssertionError):
    """Something that must never be; the sentence says what."""


def must(holds: bool, sentence: str, *args: Any) -> None:
    """Raise Wrong unless it holds."""
    if not holds:
        raise Wrong(sentence.format(*args))


class Hand:
    """One hand: who has how many chips and which cards."""

    def __init__(self, id_: str, opened: Data, keyring: Keyring, seen: Counter[str]) -> None:
        self.id, self.opened, self._keyring, self._seen = id_, opened, keyring, seen
        self.players = {one["seat"]: one["player"] for one in opened["seats"]}
        self.stack = {one["seat"]: one["stack"] for one in opened["seats"]}
        self.brought_by = dict(self.stack)
        self.brought = sum(self.stack.values())
        self.aside = dict.fromkeys(self.stack, 0)
        """What a protected player has besides, until the hand is over."""
        self.left: set[int] = set()
        """Who left while it went on."""
        self.late: Data | None = None
        """The question whose answer came too late, until what is done instead."""
        self.pot = self.rake = self.awarded = self.wager = 0
        self.put_in = dict.fromkeys(self.stack, 0)
        """Of each, without what went back."""
        self.version = 1
        self.asked: Data | None = None
        """The last fact that asks for an answer, with its type and version; None once it was answered."""
        self.asked_before: Data | None = None
        self.decisions = 0
        self.settled = self.cancelled = False
        self.folded: set[int] = set()
        self.order: list[int] = []
        self.salts: list[bytes] = []
        self.gone: set[int] = set()
        self.returned: set[int] = set()
        self.held: dict[int, list[int]] = {seat: [] for seat in self.stack}
        self.thrown: dict[int, list[int]] = {seat: [] for seat in self.stack}
        self.seed = b""
        self._add_deck(opened["deck"], range(52 - opened["deck"]["size"], 52))
        must(sorted(self.order) in (list(range(52)), list(range(20, 52))), "hand {} has no whole deck", id_)

    # Chips

    def take(self, version: int, kind: str, data: Data) -> None:
        """The next fact of the hand."""
        self.version = version
        must(not self.settled, "{} {} comes after hand {} was settled", version, kind, self.id)
        handler = _OF_HAND.get(kind)
        must(handler is not None or kind in _NOTHING, "the books don't know {}", kind)
        if self.late is not None:
            self._instead(kind, data)
        if handler is not None:
            handler(self, data)
        if kind in ASKS:
            must(data["seat"] in self.stack and data["seat"] not in self.folded, "{} asks a seat that is out", kind)
            self.decisions += 1
            self.asked_before, self.asked = self.asked, {"type": kind, "decision": self.decisions, **data}
        chips = sum(self.stack.values()) + sum(self.aside.values()) + self.pot + self.rake
        must(chips == self.brought, "hand {} has {} chips of {} after {}", self.id, chips, self.brought, kind)
        must(min(self.stack.values()) >= 0 <= self.pot, "hand {}: {} makes an amount negative", self.id, kind)

    def _put_in(self, data: Data) -> None:
        self.stack[data["seat"]] -= data["amount"]
        self.put_in[data["seat"]] += data["amount"]
        self.pot += data["amount"]
        self.wager = max(self.wager, data.get("wager", 0), data.get("to", 0))

    def _round(self, data: Data) -> None:
        self.wager = data["wager"]

    def _gathered(self, data: Data) -> None:
        self.wager = 0

    def _uncalled(self, data: Data) -> None:
        self.put_in[data["seat"]] -= data["amount"]
        self._gets(data["seat"], data["amount"])

    def _gets(self, seat: int, amount: int) -> None:
        self.stack[seat] += amount
        self.pot -= amount

    def _cancelled(self, data: Data) -> None:
        back = dict(zip(data["seats"], data["amounts"], strict=True))
        theirs = {seat: amount for seat, amount in self.put_in.items() if amount}
        must(back == theirs and not self.rake, "hand {} gives back {} of {}", self.id, back, theirs)
        for seat, amount in back.items():
            self._gets(seat, amount)
        self.cancelled = True
        self._seen["hands cancelled"] += 1

    def _raked(self, data: Data) -> None:
        must(self.opened["kind"] == "real" or not data["amount"], "hand {} for no money pays rake", self.id)
        due = rake_due(self.opened["rake"], self.pot)
        must(
            data["amount"] == due == sum(data["by_pot"]), "hand {}: rake {} of {}, due {}", self.id, data, self.pot, due
        )
        self.rake += data["amount"]
        self.pot -= data["amount"]
        self._seen["rake taken"] += data["amount"] > 0

    def _awarded(self, data: Data) -> None:
        must(data["amount"] > 0, "hand {} awards {}", self.id, data)
        must(data["seat"] not in self.folded, "hand {} pays seat {}, which folded", self.id, data["seat"])
        self.awarded += data["amount"]
        self._gets(data["seat"], data["amount"])
        self._seen["pots divided by a vote"] += data["part"] == "agreed"
        self._seen["side pots awarded"] += data["pot"] > 0

    def _out_of_time(self, data: Data) -> None:
        must(self.asked_before is not None and self.asked_before["seat"] == data["seat"], "{} was asked nothing", data)
        self.late = self.asked_before
        self._seen["answers too late"] += 1

    def _instead(self, kind: str, data: Data) -> None:
        """The clock's rule: checked where that is free, else folded; in tournaments always folded. Who is protected and
        has nothing in the pot is simply out."""
        late, self.late = self.late, None
        assert late
        match late["type"]:
            case "hand.bring-in-owed":
                allowed = {"hand.brought-in", "hand.folded"} if not self.put_in[late["seat"]] else {"hand.brought-in"}
            case "hand.split-offered" if not self.stack[late["seat"]]:
                allowed = {"hand.split-vote-cast"}
            case _:
                free = not late["call"] and self.opened["kind"] != "tournament"
                allowed = {"hand.checked"} if free else {"hand.folded"}
                if not self.put_in[late["seat"]]:
                    allowed.add("hand.folded")
        must(kind in allowed and data["seat"] == late["seat"], "hand {}: too late for {}, then {}", self.id, late, kind)

    def _protected(self, data: Data) -> None:
        seat = data["seat"]
        must(data["aside"] == self.stack[seat] > 0, "hand {}: {} of {} is set aside", self.id, data, self.stack[seat])
        must(self.put_in[seat] > 0, "hand {}: seat {} is protected and has nothing in the pot", self.id, seat)
        must(self.opened["kind"] != "tournament", "hand {}: protection in a tournament", self.id)
        self.stack[seat], self.aside[seat] = 0, data["aside"]
        self._seen["all-in protections"] += 1

    def _leaves_the_table(self, data: Data) -> None:
        must(data["seat"] in self.stack and data["seat"] not in self.left, "hand {}: {} leaves", self.id, data)
        self.left.add(data["seat"])
        self._seen["leavers mid-hand"] += 1

    def _settled(self, data: Data) -> None:
        for seat, aside in self.aside.items():
            self.stack[seat] += aside
            self.aside[seat] = 0
        stacks = dict(zip(data["seats"], data["stacks"], strict=True))
        must(stacks == self.stack, "hand {} is settled with {}, the books have {}", self.id, stacks, self.stack)
        whole = not self.cancelled or (data["rake"] == 0 and self.brought_by == stacks)
        must(whole, "hand {} was cancelled, and not everybody has what he brought: {}", self.id, stacks)
        must(self.pot == 0 and data["rake"] == self.rake, "hand {} leaves {} in the middle", self.id, self.pot)
        self.settled, self.asked = True, None
        self._seen[f"hands of {self.opened['game']}"] += 1
        self._seen[f"hands under {self.opened['rulebook']}"] += 1
        self._seen[f"hands in {self.opened['limit']} limit"] += 1
        self._seen[f"hands for {self.opened['kind']} money"] += 1

    # Cards

    def _add_deck(self, deck: Data, cards: Any) -> None:
        first = len(self.order)
        seed, order = self._keyring.deck(self.id, first, deck["box"])
        must(not first or seed == self.seed, "hand {}: a reshuffle of another seed", self.id)
        self.seed = seed
        must(len(order) == deck["size"], "hand {}: a deck of {} has {} cards", self.id, deck["size"], len(order))
        must(order == laid(seed, self.id, cards, first), "hand {}: its deck isn't the seed's", self.id)
        fresh = salts(seed, self.id, len(order) + 1, first)
        must(root(order, fresh, seed, first) == deck["root"], "hand {}: its deck isn't the committed one", self.id)
        self.order += order
        self.salts += fresh[:-1]

    def _dealt(self, data: Data) -> None:
        seat = data["seat"]
        for index, there in zip(data["indices"], data["cards"], strict=True):
            must(data["up"] is isinstance(there, int), "hand {}: card {} lies open or is sealed", self.id, index)
            known = isinstance(there, int)
            card, salt = (there, self.salts[index]) if known else self._keyring.card(self.id, seat, index, there)
            self._leaves(index, card)
            must(salt == self.salts[index], "hand {}: card {} has another salt", self.id, index)
            must(
                card not in [self.order[thrown] for thrown in self.thrown[seat]],
                "hand {}: seat {} gets card {} back, which it discarded", self.id, seat, card,
            )  # fmt: skip
        self.held[seat] += data["indices"]

    def _board(self, data: Data) -> None:
        for index, card in zip(data["indices"], data["cards"], strict=True):
            self._leaves(index, card)

    def _leaves(self, index: int, card: int) -> None:
        must(index not in self.gone, "hand {}: index {} is dealt twice", self.id, index)
        must(
            card == self.order[index],
            "hand {}: card {} is {}, the deck has {}",
            self.id,
            index,
            card,
            self.order[index],
        )
        before = [self.order[other] for other in self.gone - self.returned]
        must(card not in before, "hand {}: card {} is out twice", self.id, card)
        self.gone.add(index)

    def _discarded(self, data: Data) -> None:
        for index in data["indices"]:
            must(index in self.held[data["seat"]], "hand {}: seat {} discards {}", self.id, data["seat"], index)
            self.held[data["seat"]].remove(index)
        self.thrown[data["seat"]] += data["indices"]

    def _pat(self, data: Data) -> None:
        self._seen["late draws"] += data["late"]

    def _reshuffled(self, data: Data) -> None:
        thrown = [index for indices in self.thrown.values() for index in indices]
        thrown += [index for seat in self.folded for index in self.held[seat]]
        pile = sorted(set(thrown) - self.returned)
        must(data["pile"] == pile, "hand {}: {} was reshuffled, the pile is {}", self.id, data["pile"], pile)
        behind = list(range(len(self.order), len(self.order) + len(pile)))
        must(data["indices"] == behind, "hand {}: the new indices are {}", self.id, data["indices"])
        self._add_deck(data["cards"], [self.order[index] for index in pile])
        self.returned |= set(pile)
        self._seen["reshuffles"] += 1

    def _shown(self, data: Data) -> None:
        held = sorted(self.order[index] for index in self.held[data["seat"]])
        must(
            sorted(data["cards"]) == held, "hand {}: seat {} shows {}, was dealt {}", self.id, data["seat"], data, held
        )

    def _folds(self, data: Data) -> None:
        must(data["seat"] not in self.folded, "hand {}: seat {} folds twice", self.id, data["seat"])
        self.folded.add(data["seat"])

    def _voted(self, data: Data) -> None:
        self._seen["votes cast"] += 1

    def end_of_commit(self) -> None:
        """Cards leave the deck from the top; after a reshuffle those are passed over that their player discarded."""
        from_the_top = self.returned or len(self.gone) == max(self.gone, default=-1) + 1
        must(bool(from_the_top), "hand {}: cards are passed over in the shoe: {}", self.id, sorted(self.gone))
        must(self.settled or self.asked is not None, "hand {} waits for nobody and isn't settled", self.id)
        away = self.left | {seat for seat, aside in self.aside.items() if aside}
        must(self.asked is None or self.asked["seat"] not in away, "hand {} waits for {}, who is away", self.id, away)


def rake_due(schedule: Data | None, pot: int) -> int:
    """What a pot owes by the schedule that its hand pins."""
    if schedule is None:
        return 0
    small = pot < schedule["small_under"]
    per, each = (schedule["small_per"], schedule["small_each"]) if small else (schedule["per"], schedule["each"])
    return int(min(pot // per * each, schedule["cap"]))


_OF_HAND: dict[str, Callable[[Hand, Data], None]] = {
    "hand.blind-posted": Hand._put_in,
    "hand.brought-in": Hand._put_in,
    "hand.called": Hand._put_in,
    "hand.bet-made": Hand._put_in,
    "hand.raised": Hand._put_in,
    "hand.round-opened": Hand._round,
    "hand.bets-collected": Hand._gathered,
    "hand.uncalled-bet-returned": Hand._uncalled,
    "hand.cancelled": Hand._cancelled,
    "hand.rake-taken": Hand._raked,
    "hand.pot-awarded": Hand._awarded,
    "hand.settled": Hand._settled,
    "hand.out-of-time": Hand._out_of_time,
    "hand.all-in-protected": Hand._protected,
    "hand.player-left": Hand._leaves_the_table,
    "hand.cards-dealt": Hand._dealt,
    "hand.board-dealt": Hand._board,
    "hand.cards-discarded": Hand._discarded,
    "hand.stood-pat": Hand._pat,
    "hand.deck-reshuffled": Hand._reshuffled,
    "hand.hand-shown": Hand._shown,
    "hand.folded": Hand._folds,
    "hand.split-vote-cast": Hand._voted,
}
_NOTHING = {
    *ASKS, "hand.draw-opened", "hand.checked", "hand.showdown-wished", "hand.hand-mucked",
}  # fmt: skip
