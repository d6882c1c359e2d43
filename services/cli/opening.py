"""Openings from the command line: recorded first, then shown (design, Secrets)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain.messages import Command
from domain.rulings.opening import Form, OpenCards
from services.bootstrap import KEY_FILE, TEXTS_FILE, opened_office, room_keys
from services.cli.talk import stop
from services.eventlog.log import Log
from services.ids import uuid7
from services.ports import Ports, real_ports
from services.room.office import check_person
from services.room.recording import Answer
from services.room.room import Room
from services.rulings import hand_commits
from services.sealing import cards
from services.sealing.keyfile import BadKeys, RoomKeys
from services.sealing.texts import TextKeys

_LONGEST_REASON = 500
"""Bytes of a reason: a sentence or two. In its box it fits an event by far."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks for an opening, the second one who takes it upon him, and why; empty where nobody, nothing."""

    by: str
    second: str = ""
    reason: str = ""

    def check(self) -> None:
        """Stop, or raise Refused, where this couldn't be recorded."""
        if not self.by:
            stop("it is recorded who asks for this: give --by, such as --by floor:ann, or set HANDLOG_BY")
        check_person(self.by, "the one who asks (--by)")
        if self.second:
            check_person(self.second, "the second (--second)")
        size = len(self.reason.encode(errors="replace"))
        if size > _LONGEST_REASON:
            stop(f"the reason has {size:,} bytes: say it in at most {_LONGEST_REASON:,}")
        if self.reason and not self.reason.strip():
            stop("the reason is empty: say why, in words")
        if not self.reason.isprintable():
            stop("the reason holds signs that can't be shown, such as a line's end: write it as plain text in one line")


def record_opening(
    home: Path, keys: Path | None, hand: str, asker: Asker, form: Form, seats: tuple[int, ...], *, deck: bool
) -> RoomKeys:
    """The keys to open cards of a hand to a person, once it is recorded that they are opened.

    Raises Refused, NoSuchHand, LogError, BadKeys.
    """
    asker.check()
    ports = real_ports()
    with opened_office(home, ports) as room:
        own = _keys_that_open(home, keys, room.log, hand)
        reason = sealed_text(home, asker.reason, f"audit:{hand}", ports)
        give(room, OpenCards(hand, form, seats, deck, asker.second, reason), asker.by)
    return own


def _keys_that_open(home: Path, keys: Path | None, log: Log, hand: str) -> RoomKeys:
    """The room's keys, if those of the hand are among them: else an opening would be recorded and nothing shown."""
    facts = (fact.event for commit in hand_commits(log, hand) for fact in commit.facts)
    own = room_keys(home, log.room, keys)
    lacking = [one.hex() for one in cards.key_ids(facts) if one not in own.ids()]
    if lacking:
        raise BadKeys(
            f"the cards of hand {hand} are sealed under key {lacking[0]}, which isn't in {keys or home / KEY_FILE}: "
            "name the key file that has it with --keys"
        )
    return own


def sealed_text(home: Path, text: str, stream: str, ports: Ports) -> str:
    """A text in a box of its own; empty where there is none."""
    if not text:
        return ""
    return TextKeys(home / TEXTS_FILE).seal(text, stream, ports.bits(256).to_bytes(32), ports.bits(96).to_bytes(12))


def give(room: Room, args: Any, by: str) -> Answer:
    """The room's answer to a command of its staff. Raises Refused, LogError."""
    (outcome,) = room.execute([Command(uuid7(room.ports.now(), room.ports.bits(74)), args, by, "floor")])
    if isinstance(outcome, Exception):
        raise outcome
    return outcome
