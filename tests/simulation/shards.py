"""The auditor's book of a shard: the end of its chain, who owns it, and how long nobody did (rules.md section 8)."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.simulation.books import Data, Hand, must

SECOND = 1_000_000
DAY = 24 * 3600 * SECOND
"""Microseconds; the room is in UTC."""


@dataclass
class Shard:
    """The end of a shard's chain, and the bytes of all its records."""

    raws: list[bytes] = field(default_factory=list)
    hash: str = "0" * 64
    epoch: int = 0
    at: int = 0
    owner: str = ""
    """The node that claimed it last; empty while nobody has."""
    takeovers: int = 0
    """How often another node than its owner claimed it."""
    gap: int = 0
    """The longest wait before a claim, of those since anybody has played; 0 once somebody has."""
    times: list[int] = field(default_factory=list)
    """When each commit was made."""
    first_of_day: bool = False
    """Whether the last commit is the first one of its day."""

    def take(self, where: str, epoch: int, at: int, command: Data, open_hands: Iterable[Hand]) -> None:
        """The next commit: an epoch begins with a claim and with nothing else; play goes on only in hands that their
        tables' grace still covers."""
        claims = command["name"] == "shard.claim"
        must(epoch == self.epoch + claims, "{}: epoch {} after {} by {}", where, epoch, self.epoch, command["name"])
        must(at >= self.at, "{}: at {} is before {}", where, at, self.at)
        if claims:
            self.gap = max(self.gap, at - self.at)
            self.takeovers += self.owner != command["args"]["node"]
            self.owner = command["args"]["node"]
        elif not is_recovery(command):
            for hand in open_hands:
                must(not has_failed(hand, self.gap), "{}: hand {} goes on after {} us", where, hand.id, self.gap)
            self.gap = 0
        self.first_of_day = at // DAY > self.at // DAY
        if command["name"] == "shard.keep-alive" and not self.first_of_day:
            must(at - self.at >= 10 * SECOND, "{}: kept alive {} us after the last commit", where, at - self.at)
        self.epoch, self.at = epoch, at
        self.times.append(at)

    def cancels(self, hand: Hand, data: Data) -> None:
        """A hand is cancelled: the wait was as long as it says, and longer than its table forgives."""
        must(data["gap"] == self.gap, "hand {} is cancelled for {} us, it were {}", hand.id, data["gap"], self.gap)
        must(has_failed(hand, self.gap), "hand {} is cancelled after {} us", hand.id, self.gap)


def has_failed(hand: Hand, gap: int) -> bool:
    """Whether the wait ends the hand; a tournament's goes on where it stopped."""
    return bool(hand.opened["kind"] != "tournament" and gap > hand.opened["clocks"]["failure_grace"] * SECOND)


def is_recovery(command: Data) -> bool:
    """Whether it is part of taking a shard over, which nobody asks for from without."""
    recovers: bool = command["cause"] == "recovery"
    known = command["name"] == "shard.claim" or (command["name"], command["by"]) == ("hand.cancel", "room")
    must(recovers == known, "{} by {} has the cause {}", command["name"], command["by"], command["cause"])
    return recovers
