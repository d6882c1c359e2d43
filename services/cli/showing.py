"""Frames of a hand as text, and stepping through them with keys."""

import os
import re
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from domain.cards import FACES, faces
from domain.money import SCALES, decimal_text
from domain.rulings.replay import Frame, SeatSeen
from domain.rulings.words import pot_name

HELP = "left and right: one fact back or on; home and end; q: leave"

_KEYS = {
    "\x1b[D": "left", "\x1bOD": "left", "\x1b[C": "right", "\x1bOC": "right",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end",
    "q": "quit", "Q": "quit", "\x03": "quit", "\x04": "quit",
}  # fmt: skip
"""What terminals send."""

_KEY = re.compile(r"\x1b[\[O]\d*[A-Za-z~]|.", re.DOTALL)


def lines(frame: Frame, of: int) -> list[str]:
    """A frame as lines of text; `of` is the number of frames."""
    middle = ", ".join(f"{pot_name(number)} {_chips(pot, frame)}" for number, pot in enumerate(frame.pots))
    rake = f", rake {_chips(frame.rake, frame)}" if frame.rake else ""
    return [
        f"{frame.version}/{of}  {frame.says}",
        f"  {frame.street}: board {faces(frame.board) or '-'}; {middle or 'nothing gathered'}{rake}",
        *(_seat_line(seat, frame) for seat in frame.seats),
        f"  {_waiting(frame)}",
    ]


def _seat_line(seat: SeatSeen, frame: Frame) -> str:
    mark = ">" if frame.turn is not None and frame.turn.seat == seat.seat else " "
    button = "button" if seat.seat == frame.button else ""
    live = f"in front {_chips(seat.live, frame)}" if seat.live else ""
    aside = f"set aside {_chips(seat.aside, frame)}" if seat.aside else ""
    discards = f"discarded {faces(seat.discards)}" if seat.discards else ""
    last = "  ".join(filter(None, (live, aside, discards)))
    names = max(len(one.player) for one in frame.seats)
    cards = max(len(_cards(one)) for one in frame.seats)
    return (
        f"{mark} seat {seat.seat:<2} {seat.player:<{names}}  {_cards(seat):<{cards}}  {seat.standing:<7} "
        f"{_chips(seat.stack, frame):>10}  {button:<6} {last}"
    ).rstrip()


def _cards(seat: SeatSeen) -> str:
    """A player's own cards, those that lie face up behind a bar: "2c 7d | Ah Kd"; xx for one that isn't known."""
    down = " ".join([*(FACES[card] for card in seat.cards if card not in seat.up), *["xx"] * seat.unknown])
    return f"{down} | {faces(seat.up)}" if seat.up else down


def _waiting(frame: Frame) -> str:
    if frame.turn is None:
        return "the hand is over" if frame.over else "nobody's turn"
    return f"seat {frame.turn.seat}'s turn: {frame.legal}"


def _chips(amount: int, frame: Frame) -> str:
    return decimal_text(amount, SCALES[frame.currency])


def walk(frames: Sequence[Frame], key: Callable[[], str], show: Callable[[Frame], None]) -> None:
    """Show frames, from the first one on, as the keys say; ends with q."""
    at: int | None = 0
    while at is not None:
        show(frames[at])
        at = moved(at, key(), len(frames) - 1)


def moved(at: int, key: str, last: int) -> int | None:
    """Where a key leads from frame `at`; None: away. Other keys stay."""
    match _KEYS.get(key):
        case "left":
            return max(at - 1, 0)
        case "right":
            return min(at + 1, last)
        case "home":
            return 0
        case "end":
            return last
        case "quit":
            return None
        case _:
            return at


def step_through(frames: Sequence[Frame]) -> None:
    """Show the frames on this terminal, with its keys."""
    from rich.console import Console  # noqa: PLC0415 -- a pipe needs no rich
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False)

    def show(frame: Frame) -> None:
        text = Text("\n".join([*lines(frame, len(frames)), "", HELP]))
        text.highlight_regex(r"\b[2-9TJQKA][hd]\b", "red")
        text.highlight_regex(r"(?m)^>.*$", "bold")
        text.stylize("bold", 0, text.plain.index("\n"))
        console.clear()
        console.print(text)

    with console.screen(hide_cursor=True), suppress(KeyboardInterrupt), _unbuffered() as fd:
        walk(frames, _keys(fd).__next__, show)


@contextmanager
def _unbuffered() -> Iterator[int]:
    """The terminal gives each key at once and keeps those typed ahead; yields its file descriptor."""
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    tty.setcbreak(fd, termios.TCSADRAIN)
    try:
        yield fd
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _keys(fd: int) -> Iterator[str]:
    while pressed := os.read(fd, 64):
        yield from _KEY.findall(pressed.decode(errors="replace"))
    yield "q"  # the terminal is gone
