"""Phrases of which sentences about games are put together."""

from collections.abc import Sequence

from domain.cards import RANKS, SUITS

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
_RANK_NAMES = {rank: rank for rank in RANKS} | {"T": "10"}


def listed(items: Sequence[str], last: str = "and") -> str:
    """As in "flop, turn and river"."""
    return f"{', '.join(items[:-1])} {last} {items[-1]}" if len(items) > 1 else "".join(items)


def number(count: int) -> str:
    """In a word up to ten."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def counted(count: int, noun: str) -> str:
    """As in "1 card", "3 cards"."""
    return f"{count} {noun}{'s' * (count != 1)}"


def seconds(microseconds: int) -> str:
    """As in "74 s", "60.1 s": up to the next tenth, so that what is longer than a bound never reads as the bound."""
    whole, tenths = divmod(-(-microseconds // 100_000), 10)
    return f"{whole}.{tenths} s" if tenths else f"{whole} s"


def players_from(fewest: int, most: int) -> str:
    """As in "six players or more", "eight players" where there are never more."""
    return f"{number(fewest)} players{' or more' * (fewest < most)}"


def street_text(name: str) -> str:
    """A street within a sentence: "the flop", "4th street", "preflop"."""
    if name.endswith(("st", "nd", "rd", "th")) and name[0].isdigit():
        return f"{name} street"
    return name if name.startswith("pre") else f"the {name}"


def on_streets(names: Sequence[str]) -> str:
    """As in "on preflop and the flop", "on 4th street"."""
    return f"on {listed([street_text(name) for name in names])}"


def sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def suits_from_high(suits: str) -> str:
    """The names of suits that stand from low to high, turned round."""
    return ", ".join(_SUIT_NAMES[suit] for suit in reversed(suits))


def in_a_row(ranks: str) -> str:
    """As in "A-7-8-9-10"."""
    return "-".join(_RANK_NAMES[rank] for rank in ranks)


def each_rank(ranks: str) -> list[str]:
    return [_RANK_NAMES[rank] for rank in ranks]
