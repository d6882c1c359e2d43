"""Accounts and a table, and between them a driver that loses, repeats and reorders whatever it carries.

Every decision is one commit: facts of one owner, kept in a log. A crash drops all else, and the log is folded again.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from domain import catalog
from domain.account import commands as of_account
from domain.account.play import evolve_patron
from domain.account.play import play as play_patron
from domain.account.state import Patron
from domain.hand.commands import ActTooLate, Call, Protect
from domain.hand.dealing import OpenShoes
from domain.hand.events import RakeTaken
from domain.messages import AlreadyDone, Facts, Refused, account_stream, player_stream, table_stream
from domain.table import commands as of_table
from domain.table.events import Funds
from domain.table.play import Play, play
from domain.table.state import Table, evolve
from domain.transfers import (
    NoticeClosed,
    NoticeReceived,
    NoticeSent,
    Outbox,
    Sent,
    TransferClosed,
    TransferReceived,
    TransferRefused,
    TransferSent,
    closing,
    delivery,
)
from projections.postings import PLACES, Place, postings
from projections.view import Rows
from tests.domain.table.tables import HOLDEM

PLAYERS = ("ann", "bo", "cy")
TABLE = replace(
    HOLDEM, limit="fixed", rulebook="ace", small=1_00, big=2_00, kind="real", currency="USD", funds=Funds.ACCOUNTS,
    most_buy_in=60_00,
)  # fmt: skip
"""Fixed limit under `ace`, which protects whose connection is lost, twice in 24 hours."""

_SHOES = OpenShoes(tuple)
_REASON = "Ym94"


class Books:
    """What lies where, by postings alone; each fact's must sum to zero."""

    def __init__(self) -> None:
        self._places: Rows[Place] = Rows(PLACES)
        self.accounts = Counter[str]()

    def take(self, stream: str, event: Any) -> None:
        found = postings(self._places, stream, event)
        assert sum(posting.amount for posting in found) == 0, event
        for posting in found:
            self.accounts[posting.account] += posting.amount

    def under(self, *beginnings: str) -> int:
        return sum(amount for account, amount in self.accounts.items() if account.startswith(beginnings))


class Room:
    """Three players with accounts, a table, and everything that was ever recorded of them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.now = 0
        self.log: list[tuple[str, Any]] = []
        self.books = Books()
        self.patrons = {player: Patron(player) for player in PLAYERS}
        self.table = Play("t1")
        self.rake = 0
        self.carried: list[Any] = []
        """Commands that the driver made at any time and may still send, or send again."""
        self.do(TABLE)
        for player in PLAYERS:
            self.do(of_account.OpenAccount(player, "USD"))
            self.do(of_account.Deposit(player, "USD", 60_00, "first"))
            self.do(of_account.GrantPromotion(player, "USD", 40_00, "welcome"))

    # One step

    def do(self, args: Any) -> list[Any]:
        """The facts of a command; none for one that is refused or was done before, which changes nothing."""
        self.now += 1_000
        before = repr((self.patrons, self.table.table))
        try:
            facts = self._decide(args)
        except AlreadyDone as done:
            assert repr((self.patrons, self.table.table)) == before
            return [done.outcome]
        except Refused:
            assert repr((self.patrons, self.table.table)) == before
            return []
        for stream, events in facts:
            for event in events:
                self.log.append((stream, event))
                self.books.take(stream, event)
                self.rake += event.amount if isinstance(event, RakeTaken) else 0
        self.check()
        return [event for _, events in facts for event in events]

    def _decide(self, args: Any) -> list[Facts]:
        if catalog.command.by_class[type(args)].name.startswith(("table.", "hand.")):
            return play(self.table, args, _SHOES, self.now)
        return play_patron(self.patrons[args.player], args, self.now)

    # What anybody may do at any time

    def anything(self) -> None:
        """A player, the floor, a hand, or the driver does something; or the room crashes."""
        what = [self._money, self._floor, self._hand, self._carry, self._crash]
        self.random.choices(what, weights=[5, 1, 8, 6, 1])[0]()

    def _money(self) -> None:
        player, amount = self.random.choice(PLAYERS), self.random.randint(1, 40_00)
        seat = self._seat_of(player) or self.random.randint(1, 4)
        wishes = [
            (of_account.BuyIn(player, "USD", "t1", seat, 15_00 + amount), 6),
            (of_account.TopUp(player, "USD", "t1", seat, amount // 4 + 1), 3),
            (of_table.StandUp("t1", seat, player), 5),
            (of_account.Withdraw(player, "USD", amount // 4 + 1, "out"), 1),
            (of_account.Deposit(player, "USD", amount, f"pay{self.now}"), 2),
            (of_account.Hold(player, "USD", f"h{self.now}", amount // 4 + 1), 1),
        ]
        self._one_of(wishes)

    def _floor(self) -> None:
        player = self.random.choice(PLAYERS)
        seat = self._seat_of(player) or 1
        self._one_of(
            [
                (of_account.Freeze(player, _REASON), 1),
                (of_account.Unfreeze(player, _REASON), 4),
                (of_account.CoolOff(player, self.now + 10_000), 1),
                (of_table.CloseAfterHand("t1", _REASON), 1),
                (of_table.ReopenTable("t1", _REASON), 4),
                (of_table.LoseConnection("t1", seat, player), 4),
                (of_table.RestoreConnection("t1", seat, player), 2),
            ]
        )

    def _one_of(self, wishes: Sequence[tuple[Any, int]]) -> None:
        """One of the commands, each so many times as likely."""
        commands, weights = zip(*wishes, strict=True)
        self.do(self.random.choices(commands, weights)[0])

    def _hand(self) -> None:
        table, hand = self._table, self.table.hand
        if hand is None or hand.settled:
            self.do(of_table.DealHand("t1", table.hands + 1))
        elif hand.turn is not None:
            turn = (hand.id, hand.decision, hand.turn.seat)
            self.do(Protect(*turn)) or self.do(Call(*turn)) or self.do(ActTooLate(*turn))

    def _carry(self) -> None:
        """Something that is under way, or anything that was carried before, once more."""
        for sender, outbox in list(self.outboxes()):  # what is carried changes their order
            if outbox.under_way and self.random.random() < 0.5:
                self._step(sender, outbox.under_way[0])
        if self.carried:
            self.do(self.random.choice(self.carried))

    def _step(self, sender: str, sent: Sent) -> None:
        """Deliver; the answer may be lost, or what became of it is told the sender, soon or later."""
        brought = delivery(sender, sent)
        self.carried.append(brought)
        outcome = outcome_of(self.do(brought))
        if outcome is not None and self.random.random() < 0.7:
            closed = closing(sender, sent, outcome)
            self.carried.append(closed)
            if self.random.random() < 0.5:
                self.do(closed)

    def _crash(self) -> None:
        """All that is in memory is gone: the same follows from the log, but for a hand, which isn't looked at here."""
        self.carried.clear()
        patrons, table = {player: Patron(player) for player in PLAYERS}, None
        for stream, event in self.log:
            kind, _, id_ = stream.partition(":")
            if kind == "table":
                table = evolve(table, event)
            elif kind != "hand":
                evolve_patron(patrons[id_.partition(":")[0]], stream, event)
        assert (patrons, table) == (self.patrons, self.table.table)
        self.patrons, self.table.table = patrons, table

    # In the end

    def settle(self) -> None:
        """The driver does its work without a fault until nothing is under way."""
        for _ in range(100):
            under_way = [(sender, box.under_way[0]) for sender, box in self.outboxes() if box.under_way]
            if not under_way:
                return
            for sender, sent in under_way:
                outcome = outcome_of(self.do(delivery(sender, sent)))
                assert outcome is not None, f"{sent} is neither received nor refused"
                self.do(closing(sender, sent, outcome))
        raise AssertionError("something is under way for ever")

    def outboxes(self) -> Iterator[tuple[str, Outbox]]:
        """(who sent it, what) of every ordered pair."""
        for player, patron in self.patrons.items():
            yield from ((player_stream(player), box) for box in patron.file.sent.values())
            yield from (
                (account_stream(player, currency), box)
                for currency, account in patron.accounts.items()
                for box in account.sent.values()
            )
        yield from ((table_stream("t1"), box) for box in self._table.sent.values())

    @property
    def _table(self) -> Table:
        assert self.table.table is not None
        return self.table.table

    def _seat_of(self, player: str) -> int:
        return next((number for number, seat in self._table.seats.items() if seat.player == player), 0)

    # What must hold after every decision

    def check(self) -> None:
        """All money is somewhere, once, by the states and by the postings alike; nobody owes any."""
        if self.table.table is None:
            return
        accounts = [account for patron in self.patrons.values() for account in patron.accounts.values()]
        for account in accounts:
            assert min(account.balance, account.promotion, *account.holds.values()) >= 0
        held_here = sum(account.balance + account.held + account.promotion for account in accounts)
        seated = sum(seat.chips for seat in self._table.seats.values()) - self._in_the_middle()
        assert held_here == self.books.under("account:")
        assert seated == self.books.under("table:")
        assert self._in_the_middle() == self.books.under("hand:")
        assert self._in_transit() == self.books.under("transit:")
        came = -self.books.under("bank", "house:promotions", "house:adjustments")
        assert came == held_here + seated + self._in_the_middle() + self._in_transit() + self.rake
        owners = ("account:", "table:", "transit:", "hand:")
        assert all(amount >= 0 for name, amount in self.books.accounts.items() if name.startswith(owners))

    def _in_the_middle(self) -> int:
        hand = self.table.hand
        return hand.pot if hand is not None and not hand.settled else 0

    def _in_transit(self) -> int:
        """By the log: sent, and neither received nor given back."""
        transit = 0
        for _, event in self.log:
            if isinstance(event, TransferSent):
                transit += event.amount
            elif isinstance(event, TransferReceived) or (isinstance(event, TransferClosed) and not event.received):
                transit -= event.amount
        return transit

    def ends(self) -> list[tuple[str, str, int, list[str]]]:
        """Of everything that was sent: from, to, number, and what happened to it, in the order of the log."""
        happened: dict[tuple[str, str, int], list[str]] = {}
        for stream, event in self.log:
            match event:
                case TransferSent() | NoticeSent():
                    happened.setdefault((stream, event.to, event.seq), []).append("sent")
                case TransferReceived() | NoticeReceived():
                    happened.setdefault((event.sender, stream, event.seq), []).append("received")
                case TransferRefused():
                    happened.setdefault((event.sender, stream, event.seq), []).append("refused")
                case TransferClosed():
                    end = "closed" if event.received else "given back"
                    happened.setdefault((stream, event.to, event.seq), []).append(end)
                case NoticeClosed():
                    happened.setdefault((stream, event.to, event.seq), []).append("closed")
        return [(*pair, steps) for pair, steps in happened.items()]


def outcome_of(facts: list[Any]) -> Any:
    """What became of what was delivered; None where it wasn't taken."""
    return next((one for one in facts if isinstance(one, TransferReceived | TransferRefused | NoticeReceived)), None)
