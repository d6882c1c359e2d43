"""Reads a transcript, plays it, and says what the domain made of it. README.txt beside it explains the format.

Expectations are written by hand from rules.md: nothing here can write a transcript.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from domain.cards import faces
from domain.hand import events as fact
from domain.hand.events import MuckedBecause, Part, PostKind, ShownBecause
from domain.money import Money
from domain.rules.vocabulary import Forced, Street
from tests.hands import SENTENCE, Table, amount_text, command_of, open_cards, open_deck, stacked

HERE = Path(__file__).parent
CLAIM = re.compile(r"(?P<claim>(?:pot|rake|odd|returned)\b.*?) because (?P<why>.*§\d+.*)")
SEAT = re.compile(r"seat (\d+) ([\d.]+) ([2-9TJQKAcdhs()| ]+)")
OWED = re.compile(r"owed (\d+) ([\d.]+) ([a-z ]+)")
BOARD = re.compile(r"(?:\w+|\w+ for all:) ((?:[2-9TJQKA][cdhs] ?)+)")
RULE = re.compile(r"# rule: (.+)")
HEADER = (
    "game", "limit", "stakes", "ante", "bring-in", "min-bet", "maxima", "rulebook", "chips", "chip-unit", "table",
    "button",
)  # fmt: skip


@dataclass
class Transcript:
    """rules: the special rules that it shows. terms: the header by its first word. stacks and cards by seat. owed:
    posts, where they aren't the ordinary ones. lines: what happens, in order. claims: the pots, rake, odd chips and
    returns that `because` lines derive."""

    name: str
    rules: list[str] = field(default_factory=list)
    terms: dict[str, str] = field(default_factory=dict)
    stacks: dict[int, str] = field(default_factory=dict)
    cards: dict[int, str] = field(default_factory=dict)
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
        if rule := RULE.fullmatch(line):
            found.rules.append(rule[1])
        if not line or first == "#":
            continue
        if first in HEADER:
            found.terms[first] = line.partition(" ")[2]
        elif seat := SEAT.fullmatch(line):
            found.stacks[int(seat[1])], found.cards[int(seat[1])] = seat[2], seat[3]
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


def table_of(of: Transcript) -> Table:
    """The hand as it opens, its deck stacked so that each gets the cards that the transcript names for him."""
    terms = of.terms
    kind, currency = terms["chips"].split()

    def chips(text: str) -> int:
        return Money.parse(text, currency).amount

    small, big = terms["stakes"].split("/") if "stakes" in terms else ("0", terms.get("min-bet", "0"))
    posts = [fact.Post(seat, PostKind(what), chips(amount), "blind" in what and "dead" not in what)
             for seat, amount, what in of.owed]  # fmt: skip
    return stacked(
        terms["game"],
        terms["limit"],
        (chips(small), chips(big)),
        stacks={seat: chips(stack) for seat, stack in of.stacks.items()},
        cards={seat: re.sub("[()|]", "", cards) for seat, cards in of.cards.items()},
        board=" ".join(board[1] for line in of.lines if (board := BOARD.fullmatch(line))),
        button=int(terms["button"]) if "button" in terms else None,
        rulebook=terms["rulebook"],
        kind=kind,
        currency=currency,
        seats=int(terms["table"].split()[0]),
        chip_unit=chips(terms["chip-unit"]) if "chip-unit" in terms else 1,
        maxima=tuple(map(chips, terms.get("maxima", "").split())),
        ante=chips(terms.get("ante", "0")),
        bring_in=chips(terms.get("bring-in", "0")),
        posts=posts or None,
    )


@dataclass
class Outcome:
    """What the domain made of a transcript: its lines, the cards by seat, the claims that hold, and of what kinds were
    the decisions whose smallest and largest legal amount were tried one unit beyond."""

    lines: list[str]
    cards: dict[int, str]
    claims: list[str]
    bounds_tried: set[str]


def play(of: Transcript) -> Outcome:
    table = table_of(of)
    said: list[tuple[int, str]] = []
    tried: dict[int, set[int]] = {}
    bounds: set[str] = set()
    for line in of.lines:
        words = line.partition(" | ")[0]
        sentence = words.removeprefix("refused ")
        if not SENTENCE.fullmatch(sentence):
            continue
        so_far = len(table.facts)
        if sentence != words:
            said.append((so_far, f"{words} | {table.refusal(sentence)}"))
            tried.setdefault(table.hand.decision, set()).add(getattr(command_of(table.hand, sentence), "to", 0))
            bounds |= bounds_tried(table, tried)
        else:
            said.append((so_far, f"{sentence} | {table.awaited[1]}" if " | " in line else sentence))
            table.do(sentence)
    return Outcome(in_order(said, told(table)), cards_dealt(table), list(claims(table)), bounds)


def in_order(said: list[tuple[int, str]], told: Iterator[tuple[int, str]]) -> list[str]:
    """Lines by the number of facts before them; what was said stands before what followed from it."""
    return [line for _, line in sorted([*said, *told], key=lambda each: each[0])]


def bounds_tried(table: Table, tried: dict[int, set[int]]) -> set[str]:
    """Fixed limit allows two amounts at the most, and nothing between them."""
    turn, unit = table.hand.turn, table.hand.opened.chip_unit
    if turn is None or isinstance(turn, fact.DrawOffered) or not turn.most:
        return set()
    beyond = {turn.least - unit, turn.most + unit}
    if table.hand.fixed and turn.least + unit < turn.most:
        beyond.add(turn.least + unit)
    kind = "bring-in" if isinstance(turn, fact.BringInOwed) else "bet or raise"
    return {kind} if beyond <= tried[table.hand.decision] else set()


def told(table: Table) -> Iterator[tuple[int, str]]:
    """The lines of facts, each with the number of facts before it. Actions and cards that lie down are excepted: those
    stand in a transcript as what was asked, and in the lines of the seats."""
    for street, dealt in groupby(deals(table), key=lambda deal: deal.street):
        yield from up_cards(street, list(dealt), street is table.hand.game.streets[0])
    for number, one in enumerate(table.facts):
        match one:
            case fact.BlindPosted():
                all_in = ", all-in" if one.all_in else ""
                yield number, f"{one.seat} posts {amount_text(table.hand, one.amount)} {one.kind}{all_in}"
            case fact.BoardDealt():
                yield number, f"{one.street}{for_all(table, one.street)} {faces(one.cards)}"
            case fact.DeckReshuffled():
                yield number, f"reshuffled: {faces(sorted(open_deck(one.cards)))}"
            case fact.HandShown():
                yield number, f"{one.seat} shows {faces(one.cards)}{SHOWN[one.because]}"
            case fact.HandMucked():
                yield number, f"{one.seat} mucks, {MUCKED[one.because]}"
            case fact.PotAwarded():
                hand = f" with {one.hand}" if one.hand else ""
                yield number, f"{one.seat} wins {amount_text(table.hand, one.amount)} of {part_of_pot(one)}{hand}"
            case fact.HandCancelled():
                yield number, "cancelled"
            case fact.HandSettled():
                stacks = zip(one.seats, one.stacks, strict=True)
                yield number, "ends " + ", ".join(f"{seat} {amount_text(table.hand, stack)}" for seat, stack in stacks)


SHOWN = {ShownBecause.ORDER: "", ShownBecause.ASKED: ", asked", ShownBecause.ALL_IN: ", betting is over"}
PARTS = {Part.WHOLE: "", Part.HIGH: " high", Part.LOW: " low", Part.AGREED: " by vote"}
MUCKED = {
    MuckedBecause.BEATEN: "beaten",
    MuckedBecause.GIVEN_UP: "given up",
    MuckedBecause.LAST_LEFT: "nobody left to beat",
}


class Deal(NamedTuple):
    """Cards that a player got for a street, and the number of facts before them."""

    number: int
    street: Street
    seat: int
    cards: tuple[int, ...]
    up: bool


def deals(table: Table) -> Iterator[Deal]:
    """What was dealt to players by street, draws excepted."""
    held: dict[int, int] = {}
    for number, one in enumerate(table.facts):
        if isinstance(one, fact.CardsDealt):
            street = street_after(table, held.get(one.seat, 0))
            if street:
                yield Deal(number, street, one.seat, open_cards(one.cards), one.up)
            held[one.seat] = held.get(one.seat, 0) + len(one.cards)


def street_after(table: Table, cards: int) -> Street | None:
    """The street that gives a player who holds so many cards the next one; None where only a draw does."""
    for street in table.hand.game.streets:
        cards -= street.down + street.up
        if cards < 0:
            return street
    return None


def up_cards(street: Street, dealt: list[Deal], first: bool) -> Iterator[tuple[int, str]]:
    """The line of a street of a stud game: "4th: 1 Kh, 3 7d", or that its cards lie down."""
    up = [f"{deal.seat} {faces(deal.cards)}" for deal in dealt if deal.up]
    if up:
        yield dealt[0].number, f"{street.name}: {', '.join(up)}"
    elif not first:
        yield dealt[0].number, f"{street.name}: down"


def for_all(table: Table, street: str) -> str:
    """The community card in the place of a card for each."""
    return "" if any(one.board for one in table.hand.game.streets if one.name == street) else " for all:"


def cards_dealt(table: Table) -> dict[int, str]:
    """All cards that each seat got, as its line has them: cards that lie down in brackets where others lie up, and a
    bar before what a draw brought."""
    stud = table.hand.game.forced is Forced.ANTE_AND_BRING_IN
    found: dict[int, list[str]] = {one.seat: [] for one in table.hand.opened.seats}
    for one in table.facts:
        match one:
            case fact.CardsDealt():
                text = faces(open_cards(one.cards))
                found[one.seat].append(f"({text})" if stud and not one.up else text)
            case fact.CardsDiscarded():
                found[one.seat].append("|")
    return {seat: " ".join(parts) for seat, parts in found.items()}


def claims(table: Table) -> Iterator[str]:
    """Everything that a transcript has to derive by hand."""
    for back in table.found(fact.UncalledBetReturned):
        yield f"returned {amount_text(table.hand, back.amount)} to {back.seat}"
    for cancelled in table.found(fact.HandCancelled):
        for seat, amount in zip(cancelled.seats, cancelled.amounts, strict=True):
            yield f"returned {amount_text(table.hand, amount)} to {seat}"
    for number, amount in enumerate(table.pots):
        yield f"pot {pot_name(number)} {amount_text(table.hand, amount)}"
    raked = table.found(fact.RakeTaken)
    for number, amount in enumerate(raked[0].by_pot if raked else ()):
        yield f"rake {pot_name(number)} {amount_text(table.hand, amount)}"
    if not raked:
        yield "rake none"
    odd = [one for one in table.found(fact.PotAwarded) if one.odd]
    for award in odd:
        yield f"odd {part_of_pot(award)} {amount_text(table.hand, award.odd)} to {award.seat}"
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
            yield f"odd {pot_name(number)} {amount_text(table.hand, surplus)} to the high half"


def part_of_pot(award: fact.PotAwarded) -> str:
    return pot_name(award.pot) + PARTS[award.part]


def pot_name(number: int) -> str:
    return f"side{number}" if number else "main"
