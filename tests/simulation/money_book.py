"""The auditor's double entry: of each currency, all that came in is in accounts, at tables, under way, or is rake."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tests.simulation.accounts_book import Account, PlayerFile, sat_for
from tests.simulation.books import Data, Wrong, must
from tests.simulation.mail_book import Mail
from tests.simulation.table_book import Table


class Money:
    """Accounts, players' files, and what is under way. `tables`: the auditor's, by id."""

    def __init__(self, tables: Mapping[str, Table], seen: Counter[str]) -> None:
        self._tables, self._seen = tables, seen
        self.mail = Mail(seen)
        self.files: dict[str, PlayerFile] = {}
        self.accounts: dict[str, Account] = {}

    def file(self, player: str) -> PlayerFile:
        return self.files.setdefault(player, PlayerFile(player, self._seen))

    def account(self, player: str, currency: str) -> Account | None:
        return self.accounts.get(f"account:{player}:{currency.lower()}")

    def take(self, stream: str, kind: str, data: Data, at: int) -> None:
        """The next fact that concerns accounts, or is of a transfer or a notice, in whatever stream."""
        must(data.get("at", at) == at, "{} in {} says another time than its commit, {}", data, stream, at)
        if kind.startswith(("transfer.", "notice.")):
            self._moves(stream, kind, data, self.mail.take(stream, kind, data), at)
        elif kind == "account.opened":
            self._opened(stream, data)
        elif stream.startswith("account:"):
            self.accounts[stream].take(kind, data)
        else:
            self.file(stream.partition(":")[2]).take(kind, data)

    def _opened(self, stream: str, data: Data) -> None:
        _, player, currency = stream.split(":")
        must(stream not in self.accounts and data["currency"].lower() == currency, "{} opens as {}", stream, data)
        must((data["kind"] == "play") is (data["currency"] == "PLAY"), "{} opens as {}", stream, data)
        must(data["currency"] in self.file(player).currencies, "{} opens, and its file doesn't know it", stream)
        self.accounts[stream] = Account(stream, self.file(player), data)
        self._seen["accounts opened"] += 1

    def _moves(self, stream: str, kind: str, data: Data, sent: Data, at: int) -> None:
        of = stream.partition(":")[0]
        match of, kind:
            case "account", "transfer.sent":
                self._check_session(stream, at)
                self.accounts[stream].sends(data)
            case "account", "transfer.received":
                self.accounts[stream].receives(data)
            case "account", "transfer.closed":
                self.accounts[stream].closes(data, sent)
            case "table", "transfer.sent":
                self._table(stream).sends(data)
            case "table", "transfer.received":
                self._table(stream).takes(sent, at)
            case "table", "transfer.refused":
                must(bool(data["why"]), "{} refuses {} for nothing", stream, data)
            case "table", "transfer.closed":
                must(data["received"], "{}: {} was refused by an account", stream, data)
            case "player", "notice.received":
                self.file(data["player"]).hears(data)
            case "table", "notice.received":
                self._table(stream).hears(data)
            case "table", "notice.sent" | "notice.closed":
                self._table(stream).asks(kind, data, sent)
            case "player", "notice.sent" | "notice.closed":
                pass
            case _:
                raise Wrong(f"{stream} has a fact {kind}: {data}")

    def _table(self, stream: str) -> Table:
        return self._tables[stream.partition(":")[2]]

    def _check_session(self, stream: str, at: int) -> None:
        file = self.accounts[stream].file
        his = [one for one in self.accounts.values() if one.file is file]
        for span, most in file.limited("session", "", at):
            sat = sat_for(his, at, span)
            must(sat < most * 1_000_000, "{} plays on after {} us: at most {} s", stream, sat, most)
            self._seen["session within a limit"] += 1

    def check(self) -> None:
        """Nothing comes from nowhere and nothing is gone; hands and tables are checked where they change."""
        came, there = Counter[str](), Counter[str]()
        for account in self.accounts.values():
            currency = account.opened["currency"]
            came[currency] += account.came.total()
            there[currency] += account.all
        for (_, _, currency), amount in self.mail.in_transit().items():
            there[currency] += amount
        for table in self._tables.values():
            if table.by_account:
                there[table.terms["currency"]] += table.brought - table.taken
        for currency in {*came, *there}:
            must(came[currency] == there[currency], "of {} came {}, there are {}", currency, came, there)

    def rows(self) -> Counter[tuple[str, str]]:
        """What lies in each account of a view of balances that concerns accounts and transfers."""
        rows: Counter[tuple[str, str]] = Counter()
        for stream, one in self.accounts.items():
            currency = one.opened["currency"]
            rows[stream, currency] += one.balance
            rows[f"{stream}:held", currency] += sum(one.holds.values())
            rows[f"{stream}:promotion", currency] += one.promotion
            for source, amount in one.came.items():
                rows[source, currency] -= amount
        for (sender, receiver, currency), amount in self.mail.in_transit().items():
            rows[f"transit:{sender}>{receiver}", currency] += amount
        return rows

    def was_done(self, place: str, name: str, args: Data, events: Any) -> bool:
        """Whether a step of a transfer or a notice was taken before, as its answer says: what became of what arrived,
        nothing of what was closed."""
        if name.endswith(("close-transfer", "close-notice")):
            stream = f"account:{args['player']}:{args['currency'].lower()}" if name.startswith("account.") else place
            letters = self.mail.pairs.get((stream, args["to"]))
            says = args.get("outcome") or ("received" if args["received"] else "refused")
            known = letters is not None and args["seq"] <= letters.closed
            return not events and known and self.mail.became(stream, args["to"], args["seq"]) == says
        (one,) = events
        data, step = one["data"], one["type"].partition(".")[2]
        same = (data["seq"], data["sender"]) == (args["seq"], args["sender"])
        return same and self.mail.became(data["sender"], one["stream"], data["seq"]) == data.get("outcome", step)
