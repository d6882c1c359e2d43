"""The auditor's book of what goes from one stream to another: each number once, received or refused once, closed so."""

from collections import Counter
from dataclasses import dataclass, field

from tests.simulation.books import Data, must

Pair = tuple[str, str]
"""The stream that sends, and the one that receives."""

CONTENT = ("amount", "currency", "purpose", "player", "seat", "promotion", "posts", "about", "hand", "allowed")
"""What sender and receiver must say alike."""


@dataclass
class Letters:
    """Of one pair, by number from 1: what was sent, what became of it there, what the sender closed it as."""

    sent: list[Data] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)
    closed: int = 0

    @property
    def under_way(self) -> list[Data]:
        return self.sent[self.closed :]


class Mail:
    """All pairs of the room."""

    def __init__(self, seen: Counter[str]) -> None:
        self.pairs: dict[Pair, Letters] = {}
        self._seen = seen

    def take(self, stream: str, kind: str, data: Data) -> Data:
        """The next fact of a transfer or a notice; what it is about, as it was sent."""
        of, _, step = kind.partition(".")
        match step:
            case "sent":
                self._sent(stream, of, data)
            case "closed":
                self._closed(stream, of, data)
            case _:
                self._arrived(stream, step, data)
        purpose = data.get("purpose") or data["about"]
        self._seen[f"{of} {purpose} {step}"] += 1
        pair = (data["sender"], stream) if "sender" in data else (stream, data["to"])
        sent: Data = self.pairs[pair].sent[data["seq"] - 1]
        return sent

    def _sent(self, stream: str, of: str, data: Data) -> None:
        letters = self.pairs.setdefault((stream, data["to"]), Letters())
        must(data["seq"] == len(letters.sent) + 1, "{} sends {} after {}", stream, data, len(letters.sent))
        must(of == "notice" or not letters.under_way, "{} sends {} while {}", stream, data, letters.under_way)
        letters.sent.append(data)

    def _arrived(self, stream: str, step: str, data: Data) -> None:
        """Received or refused: the next one, as it was sent, and never again."""
        letters = self.pairs.get((data["sender"], stream), Letters())
        must(data["seq"] == len(letters.outcomes) + 1, "{}: {} {} after {}", stream, step, data, letters.outcomes)
        must(data["seq"] <= len(letters.sent), "{}: {} {} was never sent", stream, step, data)
        sent = letters.sent[data["seq"] - 1]
        changed = [name for name in CONTENT if name in sent and name in data and sent[name] != data[name]]
        must(not changed, "{}: {} {} was sent as {}", stream, step, data, sent)
        letters.outcomes.append(data.get("outcome", step))

    def _closed(self, stream: str, of: str, data: Data) -> None:
        letters = self.pairs[stream, data["to"]]
        must(data["seq"] == letters.closed + 1, "{} closes {} after {}", stream, data, letters.closed)
        must(data["seq"] <= len(letters.outcomes), "{} closes {}, of which nothing became", stream, data)
        became = letters.outcomes[data["seq"] - 1]
        says = data["outcome"] if of == "notice" else "received" if data["received"] else "refused"
        must(says == became, "{} closes {}, which was {}", stream, data, became)
        letters.closed += 1

    def in_transit(self) -> dict[tuple[str, str, str], int]:
        """Money that has left its sender and has neither arrived nor come back: by pair and currency."""
        found: Counter[tuple[str, str, str]] = Counter()
        for (sender, receiver), letters in self.pairs.items():
            for number, sent in enumerate(letters.sent[letters.closed :], start=letters.closed):
                came = number < len(letters.outcomes) and letters.outcomes[number] == "received"
                if "amount" in sent and not came:
                    found[sender, receiver, sent["currency"]] += sent["amount"]
        return {key: amount for key, amount in found.items() if amount}

    def on_the_way_to(self, stream: str) -> bool:
        """Whether anything is on its way there, or its sender hasn't heard yet that it arrived."""
        return any(letters.under_way for (_, receiver), letters in self.pairs.items() if receiver == stream)

    def under_way(self) -> list[tuple[str, str, int]]:
        """All that isn't closed: sender, receiver, number."""
        return sorted((*pair, sent["seq"]) for pair, letters in self.pairs.items() for sent in letters.under_way)

    def became(self, sender: str, receiver: str, seq: int) -> str | None:
        """What became of a number; None where nothing has yet."""
        letters = self.pairs.get((sender, receiver), Letters())
        return letters.outcomes[seq - 1] if 0 < seq <= len(letters.outcomes) else None
