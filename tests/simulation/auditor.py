"""The auditor: reads the log's bytes as anybody could, keeps his own books, and remembers what the room answered.

He imports no fold, no format and no verifier of the product; `json`, `hashlib` and `cryptography` are enough.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from tests.simulation.advance_book import Advances
from tests.simulation.books import ANSWERS, Data, Hand, Wrong, must
from tests.simulation.money_book import Money
from tests.simulation.shards import Shard, is_recovery
from tests.simulation.table_book import Table
from tests.simulation.unsealing import Keyring, tree_root

HEADER = re.compile(
    rb"HL1 ([a-z0-9-]{1,40}) (0|[1-9]\d*) (0|[1-9]\d*) (0|[1-9]\d*) ([0-9a-f]{64}) ([0-9a-f]{64})"
).fullmatch

DAY = 24 * 3600 * 1_000_000
"""Microseconds for which an id may begin something."""


CARRIED = frozenset(
    f"{owner}.{step}-{what}"
    for owners, what in ((("table", "account"), "transfer"), (("table", "player"), "notice"))
    for owner in owners
    for step in ("receive", "close")
)
"""The steps of transfers and notices, which are known for ever, whatever the id of the command."""


TIMED = frozenset({"hand.act-too-late", "hand.protect"})
"""What the room's clock asks for."""


class Sent(NamedTuple):
    """A command as it was sent: `place` is the owner or stream that remembers its id; arguments as JSON has them."""

    id: str
    place: str
    args: Data
    name: str


class Said(NamedTuple):
    """What the room said to one: `kind` is answer, refused, unknown (perhaps recorded) or failed (surely not)."""

    kind: str
    text: str = ""
    at: int = 0
    events: Sequence[Data] = ()


class Commit(NamedTuple):
    """One accepted commit."""

    shard: int
    height: int
    at: int
    sent: Sent
    events: Sequence[Data]
    owner: str = ""
    """The node that had claimed the shard by then."""
    by_room: bool = False
    """Whether nobody asked for it: its node said so of itself."""


class Auditor:
    """Looks at every record once, in order. Raises Wrong at the first thing that must never be."""

    def __init__(self, room: str) -> None:
        self.room = room
        self.keyring = Keyring(room)
        self.seen: Counter[str] = Counter()
        """What the room has played."""
        self.shards: list[Shard] = []
        self.tables: dict[str, Table] = {}
        self.hands: dict[str, Hand] = {}
        self.money = Money(self.tables, self.seen)
        self.commits: dict[tuple[str, str], Commit] = {}
        """By place and id of the command."""
        self.advances = Advances(self.seen)
        self.closed: list[Data] = []
        """The days that were closed."""
        self.clock = 0
        """The latest that the room's clock has said."""
        self._versions: dict[str, int] = {}
        self._said: dict[tuple[str, str], Said] = {}
        """The answers that were given."""
        self._doubtful: set[tuple[str, str]] = set()
        """Commands of which nobody knows whether they were recorded."""

    # The log

    def take(self, shard: int, raw: bytes) -> Commit:
        """The shard's next record."""
        if shard == len(self.shards):
            self.shards.append(Shard())
        end = self.shards[shard]
        header, _, body = raw.partition(b"\n")
        match = HEADER(header)
        must(match is not None, "shard {}: {} is no header", shard, header)
        assert match
        room, of, height, epoch, prev, digest = (group.decode() for group in match.groups())
        where = f"shard {shard}, height {height}"
        must(room == self.room and int(of) == shard, "{}: a record of {} {}", where, room, of)
        must(int(height) == len(end.raws) and prev == end.hash, "{}: the chain is broken", where)
        must(sha256(body).hexdigest() == digest, "{}: another body", where)
        end.raws.append(raw)
        end.hash = sha256(header).hexdigest()
        return self._take_body(end, shard, int(height), int(epoch), body)

    def _take_body(self, end: Shard, shard: int, height: int, epoch: int, body: bytes) -> Commit:
        value = json.loads(body)
        plain = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        must(plain == body, "shard {}, height {}: the body isn't canonical", shard, height)
        at, command, events = value["at"], value["command"], value["events"]
        end.take(f"shard {shard}, height {height}", epoch, at, command, self._open_hands(shard))
        sent = Sent(command["id"], place_of(command["name"], command["args"]), command["args"], command["name"])
        commit = Commit(
            shard, height, at, sent, events, end.owner, is_recovery(command) or command["name"] == "shard.keep-alive"
        )
        if command["name"] != "room.open":
            key = (sent.place, sent.id)
            must(
                key not in self.commits,
                "command {} was carried out twice: {} and {}",
                key,
                self.commits.get(key),
                commit,
            )
            self.commits[key] = commit
        self._check_chosen(command, events, end.takeovers)
        own = command["name"] in CARRIED or command["name"] in TIMED
        must(not own or command["by"] == "room", "{} was given by {}", command["name"], command["by"])
        self._check_answers_the_question(command)
        for event in events:
            self._take_event(shard, event)
        if any(event["stream"].startswith(("account:", "table:")) for event in events):
            self.money.check()
        for hand in {event["stream"] for event in events if event["stream"].startswith("hand:")}:
            self.hands[hand.removeprefix("hand:")].end_of_commit()
        return commit

    def _check_chosen(self, command: Data, events: Sequence[Data], takeovers: int) -> None:
        hand = self.hands.get(command["args"].get("hand", ""))
        asked = hand.asked if hand else None
        self.advances.take(command, events, asked.get("call", 0) if asked else 0, takeovers)

    def _check_answers_the_question(self, command: Data) -> None:
        if command["name"] in ANSWERS:
            args = command["args"]
            hand = self.hands[args["hand"]]
            must(hand.asked is not None, "{} answers nothing", command)
            assert hand.asked
            asked = hand.asked["decision"], hand.asked["seat"]
            must((args["decision"], args["seat"]) == asked, "{} answers another decision than {}", command, asked)
            hand.asked_before, hand.asked = hand.asked, None

    def _open_hands(self, shard: int) -> list[Hand]:
        return [table.hand for table in self.tables.values() if table.shard == shard and table.open_hand and table.hand]

    def _take_event(self, shard: int, event: Data) -> None:
        stream, version, kind, data = event["stream"], event["version"], event["type"], event["data"]
        known = self._versions.get(stream, 0)
        must(version == known + 1, "{} stands at {}, its next event has version {}", stream, known, version)
        self._versions[stream] = version
        of, _, id_ = stream.partition(":")
        match of, kind:
            case "table", "table.opened":
                self.tables[id_] = Table(id_, data, shard, self.seen)
            case "player" | "account", _:
                self.money.take(stream, kind, data, self.shards[shard].at)
            case "table", _ if kind.startswith(("transfer.", "notice.")):
                self.money.take(stream, kind, data, self.shards[shard].at)
            case "table", _:
                self.tables[id_].take(kind, data, self.shards[shard].at)
            case "hand", "hand.opened":
                self.hands[id_] = Hand(id_, data, self.keyring, self.seen)
                self.tables[data["table"]].open(self.hands[id_])
            case "hand", _:
                self._take_of_hand(shard, self.hands[id_], version, kind, data)
            case "shard", "shard.claimed":
                self.seen["shards claimed"] += 1
            case "shard", "shard.alive":
                new_day = self.shards[shard].first_of_day
                must(new_day or bool(self._open_hands(shard)), "shard {} is kept alive, and no hand is open", shard)
                self.seen["shards that a new day began in" if new_day else "shards kept alive"] += 1
            case "room", "room.day-closed":
                self.closed.append(data)
                self.seen["days closed"] += 1
            case "audit", "audit.cards-opened":
                self.seen["cards opened"] += 1
                self.seen["cards opened of a hand under way"] += not data["settled"]
                must(data["settled"] is self.hands[id_].settled, "{} says another state of its hand", event)
                two = bool(data["second"]) and data["second"] != data["by"] and bool(data["reason"])
                must(data["settled"] or two, "{} was asked by one person", event)
            case "room" | "shard", _:
                pass
            case _:
                raise Wrong(f"the auditor doesn't know {kind} in {stream}")

    def _take_of_hand(self, shard: int, hand: Hand, version: int, kind: str, data: Data) -> None:
        table = self.tables[hand.opened["table"]]
        must(not table.paused or hand.cancelled or kind == "hand.cancelled", "{} at {}, which is paused", kind, table)
        if kind == "hand.cancelled":
            self.shards[shard].cancels(hand, data)
        if kind == "hand.all-in-protected":
            table.check_protected(data["seat"])
        hand.take(version, kind, data)

    def compare(self, shard: int, raws: Sequence[bytes]) -> list[bytes]:
        """The records after those that were seen before, which must all be there as they were."""
        known = self.shards[shard].raws if shard < len(self.shards) else []
        must(len(raws) >= len(known), "shard {} has {} commits of {}: some were lost", shard, len(raws), len(known))
        must(list(raws[: len(known)]) == known, "shard {}: a commit was changed", shard)
        return list(raws[len(known) :])

    def root(self, shard: int) -> bytes:
        """The root of the shard's Merkle tree: over the hashes of its headers."""
        return tree_root(
            [sha256(b"\0" + sha256(raw.partition(b"\n")[0]).digest()).digest() for raw in self.shards[shard].raws]
        )

    # Answers

    def answers(
        self, batch: Sequence[Sent], said: Sequence[Said], fresh: Sequence[Commit], *, stale: bool, writer: str
    ) -> None:
        """What a batch was told, and what it added to the log.

        `writer`: the node that answered. `stale`: two rooms write, and each may be behind the other: what one refuses
        may be of the past, no answer may.

        A refusal records nothing; one after an acceptance is right only for other arguments, for a hand that isn't the
        newest of its table any more, or for an id of yesterday. Refusals aren't remembered: a later repeat of a refused
        command may be accepted.
        """
        told: dict[tuple[str, str], set[str]] = {}
        for sent, one in zip(batch, said, strict=True):
            told.setdefault((sent.place, sent.id), set()).add(one.kind)
        for commit in fresh:
            if commit.by_room:
                continue
            key = (commit.sent.place, commit.sent.id)
            must(commit.owner == writer, "{} was recorded by {}, the shard is another's", commit, writer)
            must(bool(told.get(key, set()) & {"answer", "unknown"}), "{} is in the log, told {}", commit, told.get(key))
        to_come = {(commit.sent.place, commit.sent.id) for commit in fresh}
        for sent, one in zip(batch, said, strict=True):
            key = (sent.place, sent.id)
            self._answer(
                sent, one, stale, known=None if key in to_come and one.kind == "refused" else self.commits.get(key)
            )
            if one.kind == "answer":
                to_come.discard(key)

    def _answer(self, sent: Sent, said: Said, stale: bool, known: Commit | None) -> None:
        """`known`: its commit, if there was one by then."""
        key, commit = (sent.place, sent.id), known
        match said.kind:
            case "answer" if commit is None and sent.name in CARRIED:
                must(
                    self.money.was_done(sent.place, sent.name, sent.args, said.events),
                    "{} was done before? {}",
                    sent,
                    said,
                )
                self.seen["steps of transfers repeated"] += 1
            case "answer":
                must(commit is not None, "{} was acknowledged ({}) and isn't in the log", sent, said.at)
                assert commit
                must(commit.sent.args == sent.args, "{} got the answer of {}", sent, commit.sent.args)
                must((commit.at, list(commit.events)) == (said.at, list(said.events)), "{}: another answer", sent)
                self.seen["repeats answered the same"] += key in self._said
                self._said[key] = said
            case "refused" if commit is not None:
                other = commit.sent.args != sent.args
                self.seen["other arguments refused"] += other
                must(
                    other or stale or self._is_forgotten(commit, said.text),
                    "{} was accepted at height {} and is refused now: {}", sent, commit.height, said.text,
                )  # fmt: skip
            case "refused":
                self.seen["commands refused"] += 1
            case "unknown":
                self._doubtful.add(key)
            case "failed":
                must(stale or not said.text.startswith("VersionConflict"), "{} was decided on a wrong state", sent)
            case _:
                raise Wrong(f"{sent}: {said.text}")

    def _is_forgotten(self, commit: Commit, why: str) -> bool:
        if commit.sent.name.startswith("hand."):
            hand = commit.sent.args["hand"]
            table, _, number = hand.rpartition("-")
            gone = int(number) < self.tables[table].hands
            self.seen["repeats after their hand"] += gone
            return bool(gone)
        # Were it refused for anything else, it would have been taken for new.
        old = made_at(commit.sent.id) < self.clock - DAY and "made more than 24 hours ago" in why
        self.seen["repeats of yesterday refused"] += old
        return old

    def lost(self, batch: Iterable[Sent]) -> None:
        """The process died before it answered these."""
        self._doubtful.update((sent.place, sent.id) for sent in batch)

    def recovered(self, fresh: Sequence[Commit]) -> None:
        """What a new process found beyond what was known: only what was in doubt."""
        for commit in fresh:
            if commit.by_room:
                continue
            key = (commit.sent.place, commit.sent.id)
            must(key in self._doubtful, "{} came into the log from nowhere", commit)
            self.seen["found recorded after a crash"] += 1

    def check_closed_days(self) -> None:
        """Nothing has come into a day since it was closed."""
        for day in self.closed:
            has = [sum(at < day["ended"] for at in shard.times) for shard in self.shards]
            must(has == day["commits"], "{} was closed after {} commits, it has {}", day["day"], day["commits"], has)

    # Views

    def check_views(self, views: Mapping[str, Sequence[tuple[Any, ...]]]) -> None:
        """The rows of the views against the books: what lies in each account, the rake, the hands."""
        accounts = self.money.rows()
        for table in self.tables.values():
            currency = table.terms["currency"]
            if not table.by_account:
                accounts["cashier", currency] += table.taken - table.brought
            accounts["house:rake", currency] += table.raked
            hand = table.hand if table.open_hand else None
            for seat, one in table.seats.items():
                accounts[f"table:{table.id}:player:{one.player}", currency] += table.chips(seat)
            if hand:
                accounts[f"hand:{hand.id}", currency] += hand.pot
                accounts["house:rake", currency] += hand.rake
        books = sorted((*account, amount) for account, amount in accounts.items() if amount)
        must(sorted(views["accounts"]) == books, "the view has {}, the books {}", views["accounts"], books)
        raked = sorted(
            (hand.id, hand.rake, hand.awarded + hand.rake) for hand in self.hands.values() if hand.settled and hand.rake
        )
        must(sorted(views["raked"]) == raked, "the rake ledger has {}, the books {}", views["raked"], raked)
        played = sorted(
            (hand.id, len(hand.players), hand.rake, hand.awarded + hand.rake) for hand in self.hands.values()
        )
        must(sorted(views["hands"]) == played, "the view has the hands {}, the books {}", views["hands"], played)
        carried = self.money.mail.under_way()
        must(views["under way"] == carried, "the view has under way {}, the books {}", views["under way"], carried)
        sums = Counter[str]()
        for _, currency, amount in views["accounts"]:
            sums[currency] += amount
        must(not any(sums.values()), "the accounts sum to {}", sums)


def place_of(name: str, args: Data) -> str:
    """What remembers a command's id: the table that it concerns, or a stream of the office's."""
    match name.partition(".")[0]:
        case "audit":
            return f"audit:{args['hand']}"
        case "room":
            return "room"
        case "shard":
            return f"shard:{args['shard']}"
        case "table":
            return f"table:{args['table']}"
        case "account" | "player":
            return f"player:{args['player']}"
        case _:
            return f"table:{args['hand'].rpartition('-')[0]}"


def made_at(id_: str) -> int:
    """When an id was made, in UTC microseconds."""
    return int(id_[:8] + id_[9:13], 16) * 1000
