"""Reads a transcript, plays it, and says what the domain made of it. README.txt beside it explains the format.

Expectations are written by hand from rules.md: nothing here can write a transcript.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from domain.cards import faces
from domain.hand import events as fact
from domain.hand.events import MuckedBecause, Part, PostKind, ShownBecause
from domain.money import SCALES, Money, decimal_text
from tests.hands import SENTENCE, Table, command_of, open_hand_for

HERE = Path(__file__).parent
CLAIM = re.compile(r"(?P<claim>(?:pot|rake|odd|returned)\b.*?) because (?P<why>.*§\d+.*)")
SEAT = re.compile(r"seat (\d+) ([\d.]+) ((?:[2-9TJQKA][cdhs] ?)+)")
OWED = re.compile(r"owed (\d+) ([\d.]+) ([a-z ]+)")
STREET = re.compile(r"(flop|turn|river) ((?:[2-9TJQKA][cdhs] ?)+)")
HEADER = ("game", "limit", "stakes", "maxima", "ante", "rulebook", "chips", "chip-unit", "table", "button")


@dataclass
class Transcript:
    """terms: the header by its first word. seats: (seat, stack, cards). owed: posts, where they aren't the ordinary
    ones. lines: what happens, in order. claims: the pots, rake, odd chips and returns that `because` lines derive."""

    name: str
    terms: dict[str, str] = field(default_factory=dict)
    seats: list[tuple[int, str, str]] = field(default_factory=list)
    owed: list[tuple[int, str, str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)


def files() -> list[Path]:
    return sorted(path for path in HERE.glob("*.txt") if path.name != "README.txt")


def read(path: Path) -> Transcript:
    """Raises ValueError for a line that is none of the format's."""
    found = Transcript(path.stem)
    for raw in path.read_text().splitlines():
        line = " ".join(raw.split())
        first = line.partition(" ")[0]
        if not line or first == "#":
            continue
        if first in HEADER:
            found.terms[first] = line.partition(" ")[2]
        elif seat := SEAT.fullmatch(line):
            found.seats.append((int(seat[1]), seat[2], seat[3]))
        elif owed := OWED.fullmatch(line):
            found.owed.append((int(owed[1]), owed[2], owed[3]))
        elif first in ("pot", "rake", "odd", "returned"):
            claim = CLAIM.fullmatch(line)
            if not claim:
                raise ValueError(f"{path.name}: {line!r} says not why: write 'because', the reason and its section (§)")
            found.claims.append(claim["claim"])
        else:
            found.lines.append(line)
    return found


def opening(of: Transcript) -> fact.HandOpened:
    terms = of.terms
    kind, currency = terms["chips"].split()

    def chips(text: str) -> int:
        return Money.parse(text, currency).amount

    small, big = terms["stakes"].split("/")
    streets = [street[2] for line in of.lines if (street := STREET.fullmatch(line))]
    posts = [fact.Post(seat, PostKind(what), chips(amount), "blind" in what and "dead" not in what)
             for seat, amount, what in of.owed]  # fmt: skip
    return open_hand_for(
        terms["game"],
        terms["limit"],
        (chips(small), chips(big)),
        stacks={seat: chips(stack) for seat, stack, _ in of.seats},
        cards={seat: hole for seat, _, hole in of.seats},
        board=" ".join(streets),
        button=int(terms["button"]),
        rulebook=terms["rulebook"],
        kind=kind,
        currency=currency,
        seats=int(terms["table"].split()[0]),
        chip_unit=chips(terms["chip-unit"]) if "chip-unit" in terms else 1,
        maxima=tuple(map(chips, terms.get("maxima", "").split())),
        ante=chips(terms["ante"]) if "ante" in terms else 0,
        posts=posts or None,
    )


@dataclass
class Outcome:
    """What the domain made of a transcript: its lines, the claims that hold, and the decisions whose smallest and
    largest legal amount were each tried one unit beyond."""

    lines: list[str]
    claims: list[str]
    bounds_tried: list[str]


def play(of: Transcript) -> Outcome:
    table = Table(opening(of))
    lines = list(told(table, table.facts))
    tried: dict[int, set[int]] = {}
    bounds: list[str] = []
    for line in of.lines:
        words = line.partition(" | ")[0]
        refused = words.startswith("refused ")
        sentence = words.removeprefix("refused ")
        if not SENTENCE.fullmatch(sentence):
            continue
        if refused:
            lines.append(f"{words} | {table.refusal(sentence)}")
            tried.setdefault(table.hand.decision, set()).add(getattr(command_of(table.hand, sentence), "to", 0))
            bounds += bounds_tried(table, tried)
        else:
            legal = table.awaited[1]
            lines.append(f"{sentence} | {legal}" if " | " in line else sentence)
            before = len(table.facts)
            table.do(sentence)
            lines += told(table, table.facts[before:])
    return Outcome(lines, list(claims(table)), bounds)


def bounds_tried(table: Table, tried: dict[int, set[int]]) -> list[str]:
    turn, unit = table.hand.turn, table.hand.opened.chip_unit
    if turn and turn.most and {turn.least - unit, turn.most + unit} <= tried[table.hand.decision]:
        return [f"seat {turn.seat}, {turn.least} to {turn.most}"]
    return []


def told(table: Table, facts: list[Any]) -> Iterator[str]:
    """The lines of facts, actions and cards of players excepted: those stand in a transcript as what was asked."""
    for one in facts:
        match one:
            case fact.BlindPosted():
                all_in = ", all-in" if one.all_in else ""
                yield f"{one.seat} posts {money(table, one.amount)} {one.kind}{all_in}"
            case fact.BoardDealt():
                yield f"{one.street} {faces(one.cards)}"
            case fact.HandShown():
                yield f"{one.seat} shows {faces(one.cards)}{SHOWN[one.because]}"
            case fact.HandMucked():
                yield f"{one.seat} mucks, {MUCKED[one.because]}"
            case fact.PotAwarded():
                half = "" if one.part is Part.WHOLE else f" {one.part}"
                hand = f" with {one.hand}" if one.hand else ""
                yield f"{one.seat} wins {money(table, one.amount)} of {pot_name(one.pot)}{half}{hand}"
            case fact.HandSettled():
                stacks = zip(one.seats, one.stacks, strict=True)
                yield "ends " + ", ".join(f"{seat} {money(table, stack)}" for seat, stack in stacks)


SHOWN = {ShownBecause.ORDER: "", ShownBecause.ASKED: ", asked", ShownBecause.ALL_IN: ", betting is over"}
MUCKED = {
    MuckedBecause.BEATEN: "beaten",
    MuckedBecause.GIVEN_UP: "given up",
    MuckedBecause.LAST_LEFT: "nobody left to beat",
}


def claims(table: Table) -> Iterator[str]:
    """Everything that a transcript has to derive by hand."""
    for back in table.found(fact.UncalledBetReturned):
        yield f"returned {money(table, back.amount)} to {back.seat}"
    for number, amount in enumerate(table.pots):
        yield f"pot {pot_name(number)} {money(table, amount)}"
    raked = table.found(fact.RakeTaken)
    for number, amount in enumerate(raked[0].by_pot if raked else ()):
        yield f"rake {pot_name(number)} {money(table, amount)}"
    if not raked:
        yield "rake none"
    odd = [one for one in table.found(fact.PotAwarded) if one.odd]
    for award in odd:
        half = "" if award.part is Part.WHOLE else f" {award.part}"
        yield f"odd {pot_name(award.pot)}{half} {money(table, award.odd)} to {award.seat}"
    yield from between_halves(table)
    if not odd and not list(between_halves(table)):
        yield "odd none"


def between_halves(table: Table) -> Iterator[str]:
    """The odd chip between the halves of a pot: the high half's surplus over the low."""
    for number in range(len(table.pots)):
        halves = {Part.HIGH: 0, Part.LOW: 0}
        for award in table.found(fact.PotAwarded):
            if award.pot == number and award.part in halves:
                halves[award.part] += award.amount
        surplus = halves[Part.HIGH] - halves[Part.LOW]
        if surplus and all(halves.values()):
            yield f"odd {pot_name(number)} {money(table, surplus)} to the high half"


def pot_name(number: int) -> str:
    return f"side{number}" if number else "main"


def money(table: Table, amount: int) -> str:
    return decimal_text(amount, SCALES[table.hand.opened.currency])
