"""What came of the hands: per game, limit and kind, and whether it is what the lists beside this file expect."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from services.interop.unsupported import Reason, Unsupported
from tests.oracle.disagreements import disagreement
from tests.oracle.records import RealHand
from tests.oracle.skips import Skip, why_skipped

KNOWN = Path(__file__).with_name("known.txt")
PINNED = Path(__file__).with_name("skips.json")

Group = tuple[str, str, str]
"""Game, limit, kind."""


@dataclass
class Tally:
    agreed: int = 0
    disagreed: int = 0
    skipped: Counter[Skip | Reason] = field(default_factory=Counter)
    seen: set[str] = field(default_factory=set)


@dataclass
class Report:
    """`disagreements`: how each hand that disagreed differs from its record, by id; `seen`: all ids."""

    tallies: dict[Group, Tally] = field(default_factory=dict)
    disagreements: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def rows(self) -> list[dict[str, Any]]:
        """One for each game, limit and kind."""
        return [
            {
                "game": game,
                "limit": limit,
                "kind": kind,
                "agreed": tally.agreed,
                "disagreed": tally.disagreed,
                "skipped": {reason.name: count for reason, count in sorted(tally.skipped.items())},
            }
            for (game, limit, kind), tally in sorted(self.tallies.items())
        ]

    def total(self) -> Tally:
        total = Tally()
        for tally in self.tallies.values():
            total.agreed += tally.agreed
            total.disagreed += tally.disagreed
            total.skipped += tally.skipped
        return total


def examine(hands: Iterable[RealHand]) -> Report:
    """Deal every hand again that can be."""
    report = Report()
    for hand in hands:
        record = hand.record
        report.seen.add(record.id)
        tally = report.tallies.setdefault((record.game, record.limit, record.kind), Tally())
        tally.seen.add(record.id)
        reason, difference = outcome(hand)
        if reason is not None:
            tally.skipped[reason] += 1
        elif difference:
            tally.disagreed += 1
            report.disagreements[record.id] = difference
        else:
            tally.agreed += 1
    return report


def outcome(hand: RealHand) -> tuple[Skip | Reason | None, str]:
    """Why it is skipped, or else how it differs."""
    reason = why_skipped(hand.record)
    if reason is not None:
        return reason, ""
    try:
        return None, disagreement(hand)
    except Unsupported as unsupported:
        return unsupported.reason, ""


def known() -> dict[str, str]:
    """The hands of known.txt that our rules play otherwise, with section and reason."""
    lines = (line for line in KNOWN.read_text().splitlines() if line and not line.startswith("#"))
    return {hand.strip(): why.strip() for hand, _, why in (line.partition("|") for line in lines)}


def problems(report: Report) -> Iterator[str]:
    """Everything that isn't as the lists say."""
    yield from unexplained(report)
    yield from _changed_skips(report)


def unexplained(report: Report) -> Iterator[str]:
    """Disagreements that known.txt doesn't list, and hands that it lists but that agree."""
    listed = known()
    for hand, difference in report.disagreements.items():
        if hand not in listed:
            yield f"{hand} disagrees: {difference}"
    for hand in sorted((listed.keys() & report.seen) - report.disagreements.keys()):
        yield f"{hand} stands in {KNOWN.name}, but disagrees no longer: take its line out"


def skips(report: Report) -> dict[str, dict[str, Any]]:
    """The skipped hands as they are pinned, by game, limit and kind: which hands there were, and how many by reason."""
    return {
        f"{row['game']} {row['limit']} {row['kind']}": {
            "hands": _digest(report.tallies[row["game"], row["limit"], row["kind"]].seen),
            "skipped": row["skipped"],
        }
        for row in report.rows()
    }


def _digest(ids: set[str]) -> str:
    return sha256(" ".join(sorted(ids)).encode()).hexdigest()[:16]


def _changed_skips(report: Report) -> Iterator[str]:
    """Groups that are skipped otherwise than pinned; the pins say nothing of other hands than their own."""
    pinned = json.loads(PINNED.read_text())
    for group, found in skips(report).items():
        pin = pinned.get(group)
        if pin is not None and pin["hands"] == found["hands"] and pin != found:
            yield f"{group}: skipped {found['skipped']}, but {PINNED.name} pins {pin['skipped']}"


def unpinned(report: Report) -> list[str]:
    """The groups whose hands aren't those that skips.json was made of."""
    pinned = json.loads(PINNED.read_text())
    return [group for group, found in skips(report).items() if pinned.get(group, {}).get("hands") != found["hands"]]
