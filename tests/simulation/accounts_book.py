"""The auditor's books of a player: his file, and his accounts with the limits that he has set himself."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.books import Data, Wrong, must

DAY = 24 * 3600 * 1_000_000
SPANS = {"day": DAY, "week": 7 * DAY, "month": 30 * DAY}


@dataclass
class PlayerFile:
    """What concerns all accounts of a player. `limits`: the steps of each, by kind, period and currency."""

    id: str
    seen: Counter[str]
    currencies: list[str] = field(default_factory=list)
    limits: dict[tuple[str, str, str], list[Data]] = field(default_factory=dict)
    cooling_off: int = 0
    excluded: int | None = 0
    frozen: bool = False
    uses: list[tuple[str, int]] = field(default_factory=list)
    """All-in protection that was granted and not given back: hand and time."""

    def is_away(self, at: int) -> bool:
        """Whether he excluded himself or cools off."""
        return self.excluded is None or self.excluded > at or self.cooling_off > at

    def take(self, kind: str, data: Data) -> None:
        """The next fact of his file, but for what it hears and sends."""
        match kind:
            case "player.account-added":
                self.currencies.append(data["currency"])
            case "player.limit-set":
                self._limit(data)
            case "player.cooling-off-begun":
                must(data["until"] >= self.cooling_off, "{} cools off for less: {}", self.id, data)
                self.cooling_off = data["until"]
            case "player.excluded":
                shorter = self.excluded is None or (data["until"] is not None and data["until"] < self.excluded)
                must(not shorter, "{} is excluded for less: {}", self.id, data)
                self.excluded = data["until"]
            case "player.frozen" | "player.unfrozen":
                must(self.frozen is (kind == "player.unfrozen"), "{} was that already: {}", self.id, kind)
                self.frozen = not self.frozen
            case _:
                raise Wrong(f"the auditor doesn't know {kind}")
        self.seen[kind] += 1

    def _limit(self, data: Data) -> None:
        """Stricter at once, looser after a day."""
        name = (data["limit"], data["period"], data["currency"])
        begun = [step for step in self.limits.get(name, []) if step["effective"] <= data["at"]]
        now = begun[-1]["most"] if begun else None
        stricter = now is None or (data["most"] is not None and data["most"] <= now)
        due = data["at"] if stricter else data["at"] + DAY
        must(data["effective"] == due, "{}: limit {} begins at {}, not at {}", self.id, data, data["effective"], due)
        self.limits[name] = [*begun[-1:], data]

    def limited(self, kind: str, currency: str, at: int) -> Iterable[tuple[int, int]]:
        """What is allowed now: microseconds back, and how much."""
        for (limit, period, of), steps in self.limits.items():
            begun = [step["most"] for step in steps if step["effective"] <= at]
            if (limit, of) == (kind, currency) and begun and begun[-1] is not None:
                yield SPANS[period], begun[-1]

    def hears(self, data: Data) -> None:
        """What a table tells of protection: so many uses in a day, and not one more (rules.md section 8)."""
        uses = [use for use in self.uses if use[1] > data["at"] - DAY]
        match data["about"]:
            case "protection":
                granted = len(uses) < data["allowed"]
                must(data["outcome"] == ("granted" if granted else "refused"), "{}: {} with {}", self.id, data, uses)
                self.seen["protections granted"] += granted
                self.seen["protections refused"] += not granted
            case "protection-used":
                known = [use for use in self.uses if use[0] == data["hand"]]
                right = {"done"} if set(known) & set(uses) else {"done", "over"} if known else {"over"}
                must(data["outcome"] in right, "{}: {} with {}", self.id, data, self.uses)
            case "protection-released":
                self.uses = [use for use in self.uses if use[0] != data["hand"]]
        if data["outcome"] in ("granted", "over"):
            self.uses.append((data["hand"], data["at"]))


@dataclass
class Account:
    """One account. `deposits`, `brought`: (when, how much). `seated`: by table, since when. `sat`: (since, until)."""

    stream: str
    file: PlayerFile
    opened: Data
    balance: int = 0
    promotion: int = 0
    holds: dict[str, int] = field(default_factory=dict)
    references: set[str] = field(default_factory=set)
    deposits: list[tuple[int, int]] = field(default_factory=list)
    brought: list[tuple[int, int]] = field(default_factory=list)
    seated: dict[str, int] = field(default_factory=dict)
    sat: list[tuple[int, int]] = field(default_factory=list)
    came: Counter[str] = field(default_factory=Counter)
    """From where: deposits less withdrawals from the bank, adjustments and promotions of the house."""

    def __post_init__(self) -> None:
        self.alone = self.opened["alone_up_to"]

    @property
    def all(self) -> int:
        return self.balance + self.promotion + sum(self.holds.values())

    def take(self, kind: str, data: Data) -> None:
        """The next fact of the account, but for transfers."""
        handler = _OF_ACCOUNT.get(kind)
        if handler is None:
            raise Wrong(f"the auditor doesn't know {kind}")
        handler(self, data)
        self.file.seen[kind] += 1
        self.check(kind)

    def check(self, after: str) -> None:
        """No account is ever overdrawn."""
        least = min([self.balance, self.promotion, *self.holds.values()])
        must(least >= 0, "{} has {} after {}", self.stream, self, after)

    def _real(self, data: Data) -> None:
        must(self.opened["kind"] == "real", "{}: play money is bought or sold: {}", self.stream, data)

    def _deposited(self, data: Data) -> None:
        self._real(data)
        self._pays(data)
        must(not self.file.is_away(data["at"]), "{}: {} by somebody who is away", self.stream, data)
        self._within("deposit", self.deposits, data["amount"], data["at"])
        self.deposits.append((data["at"], data["amount"]))
        self.balance += data["amount"]
        self.came["bank"] += data["amount"]

    def _pays(self, data: Data) -> None:
        """Over the counter, in or out: each payment once."""
        must(data["reference"] not in {"", *self.references}, "{}: payment {} twice", self.stream, data)
        self.references.add(data["reference"])

    def _withdrawn(self, data: Data) -> None:
        self._real(data)
        self._pays(data)
        must(not self.file.frozen, "{}: {} while frozen", self.stream, data)
        if data["hold"]:
            must(self.holds.pop(data["hold"]) == data["amount"], "{}: {} isn't the hold", self.stream, data)
        else:
            self.balance -= data["amount"]
        self.came["bank"] -= data["amount"]

    def _held(self, data: Data) -> None:
        must(data["hold"] not in self.holds, "{}: {} twice", self.stream, data)
        self.balance -= data["amount"]
        self.holds[data["hold"]] = data["amount"]

    def _released(self, data: Data) -> None:
        must(self.holds.pop(data["hold"]) == data["amount"], "{}: {} isn't the hold", self.stream, data)
        self.balance += data["amount"]

    def _adjusted(self, data: Data) -> None:
        two = bool(data["second"]) and data["second"] != data["by"]
        must(two or abs(data["amount"]) <= self.alone, "{}: {} by one person", self.stream, data)
        must(bool(data["by"] and data["reason"]), "{}: {} by nobody or for nothing", self.stream, data)
        self.balance += data["amount"]
        self.came["house:adjustments"] += data["amount"]

    def _alone_changed(self, data: Data) -> None:
        two = bool(data["by"] and data["second"]) and data["second"] != data["by"]
        must(two and bool(data["reason"]), "{}: {} by one person or for nothing", self.stream, data)
        must(data["alone_up_to"] != self.alone, "{}: {} changes nothing", self.stream, data)
        self.alone = data["alone_up_to"]

    def _granted(self, data: Data) -> None:
        self.promotion += data["amount"]
        self.came["house:promotions"] += data["amount"]

    def _taken_back(self, data: Data) -> None:
        self.promotion -= data["amount"]
        self.came["house:promotions"] -= data["amount"]

    # Transfers

    def sends(self, data: Data) -> None:
        """To a table: by one who may play, within his limits, cash first."""
        table, at, cash = data["to"], data["at"], data["amount"] - data["promotion"]
        must(data["amount"] > 0 and cash >= 0 <= data["promotion"], "{} sends {}", self.stream, data)
        must(data["currency"] == self.opened["currency"], "{} sends {}", self.stream, data)
        must(not self.file.frozen and not self.file.is_away(at), "{} sends {} for {}", self.stream, data, self.file)
        must(data["promotion"] == 0 or cash == self.balance, "{}: credit before cash, {}", self.stream, data)
        must((table in self.seated) is (data["purpose"] == "top-up"), "{} sends {}", self.stream, data)
        self._within("loss", self.brought, cash, at)
        self._puts(data, -1)
        self.brought.append((at, cash))
        self.seated.setdefault(table, at)
        self.check("transfer.sent")

    def receives(self, data: Data) -> None:
        """From a table: all that he has there."""
        must(data["currency"] == self.opened["currency"], "{} receives {}", self.stream, data)
        self._puts(data, 1)
        self.brought.append((data["at"], data["promotion"] - data["amount"]))
        self.sat.append((self.seated.pop(data["sender"], data["at"]), data["at"]))

    def closes(self, data: Data, sent: Data) -> None:
        """What was refused comes back, cash and credit as they were, and counts as never brought."""
        if data["received"]:
            return
        must(data["promotion"] == sent["promotion"], "{} gets {} back as {}", self.stream, sent, data)
        self._puts(sent, 1)
        self.brought.append((sent["at"], sent["promotion"] - sent["amount"]))
        if sent["purpose"] == "buy-in":
            del self.seated[data["to"]]

    def _puts(self, data: Data, sign: int) -> None:
        self.balance += sign * (data["amount"] - data["promotion"])
        self.promotion += sign * data["promotion"]

    def _within(self, kind: str, moves: list[tuple[int, int]], amount: int, at: int) -> None:
        for span, most in self.file.limited(kind, self.opened["currency"], at):
            counts = max(sum(moved for when, moved in moves if when > at - span), 0)
            must(counts + amount <= most, "{}: {} of {} is over {} after {}", self.stream, kind, amount, most, counts)
            self.file.seen[f"{kind} within a limit"] += 1


_OF_ACCOUNT: dict[str, Callable[[Account, Any], None]] = {
    "account.deposited": Account._deposited,
    "account.withdrawn": Account._withdrawn,
    "account.held": Account._held,
    "account.hold-released": Account._released,
    "account.adjusted": Account._adjusted,
    "account.alone-limit-changed": Account._alone_changed,
    "account.promotion-granted": Account._granted,
    "account.promotion-taken-back": Account._taken_back,
}


def sat_for(accounts: Iterable[Account], at: int, span: int) -> int:
    """Microseconds with a seat at any table within the span before now, counted once."""
    times = [time for one in accounts for time in one.sat]
    times += [(since, at) for one in accounts for since in one.seated.values()]
    total, end = 0, at - span
    for since, until in sorted(times):
        total += max(until - max(since, end), 0)
        end = max(end, until)
    return total
