"""A command's way to the room and back: who may send it, from whose seat, and what came of it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, NamedTuple, TypeVar

from domain import catalog
from domain.desk import is_of_hand, owner_of
from domain.hand.dealing import SealBroken
from domain.hand.invariants import Broken
from domain.messages import Command, Refused
from domain.rules.registry import UnknownRevision
from domain.table.play import Play, table_of
from services.api import seen
from services.api.host import Host
from services.api.permissions import (
    cause_of,
    check_may_send,
    check_own_name,
    check_own_seat,
    player_of,
    sender_of,
)
from services.api.problems import AGAIN, BUSY, NOT_RECORDED, REFUSED, STOPPED, Problem, not_here_yet, unknown
from services.eventlog.log import AppendRefused, CorruptLog, LogError, NotHereYet, NotOwner
from services.eventlog.mapper import UnreadableEvent
from services.room.recording import Answer, AnswerAgain, TooLarge
from services.room.room import ShardStopped
from services.sealing.private_file import BadKeys

T = TypeVar("T")

UNREADABLE = (LogError, UnknownRevision, Broken, SealBroken, TimeoutError)
"""Why a table or hand can't be looked at."""

_REMEMBERED = 4096
"""Hands whose players are remembered."""


class Given(NamedTuple):
    """What the sender of a command is given; `again`: whether it is known that he got it before."""

    seen: seen.Seen
    again: bool


class Line:
    """Those who wait for the room. It belongs to one event loop."""

    def __init__(self, longest: int, patience: float) -> None:
        """`longest`: how many may wait; `patience`: seconds for which anybody does."""
        self.longest, self.patience, self.waiting = longest, patience, 0

    async def wait(self, ask: Callable[[], "Future[T]"]) -> T:
        """What comes of it. Raises its exception; a Problem where too many wait; TimeoutError when patience is over.

        What was asked is never taken back: it keeps its place until the room has answered.
        """
        if self.waiting >= self.longest:
            raise Problem(BUSY, "Too many wait for this node, and this wasn't passed on: send it again.", AGAIN)
        result = asyncio.wrap_future(ask())
        self.waiting += 1
        result.add_done_callback(self._leave)
        await asyncio.wait([result], timeout=self.patience)  # which, unlike others, cancels nothing
        if not result.done():
            raise TimeoutError
        return result.result()

    def _leave(self, result: "asyncio.Future[Any]") -> None:
        self.waiting -= 1
        if not result.cancelled():
            result.exception()  # seen, also where nobody waits any more


class Commands:
    """Takes commands to the room of a host."""

    def __init__(self, host: Host, line: Line) -> None:
        self._host, self._line = host, line
        self._players: dict[str, dict[int, str]] = {}

    async def give(self, look: seen.Look, id_: str, args: Any, cause: str | None) -> Given:
        """What came of a command with these arguments, its id and cause.

        Raises a Problem; NotOwner where another node's door must be asked.
        """
        asker = look.asker
        check_may_send(asker, catalog.command.by_class[type(args)].name)
        command = Command(id_, args, sender_of(asker), cause_of(asker, cause))
        check_own_name(asker, args)
        try:
            await self._check_seat(look, args)
            answer = await self._submitted(command)
        except Refused as refused:
            raise Problem(REFUSED, str(refused)) from None
        given = seen.answer_seen(answer, self._host.shard_of(owner_of(args)), args, look)
        return Given(given, isinstance(answer, AnswerAgain))

    async def _check_seat(self, look: seen.Look, args: Any) -> None:
        """Only the newest hand of a table can be acted in, so it alone is asked for."""
        if not player_of(look.asker) or not is_of_hand(args):
            return
        players = self._players.get(args.hand)
        check_own_seat(look.asker, args, players or await self._players_of(args))

    async def _players_of(self, args: Any) -> dict[int, str]:
        try:
            hand, players = await self._line.wait(lambda: self._host.look(table_of(args), _newest_hand))
        except UNREADABLE as error:
            raise _not_given(error) from error
        if hand != args.hand:
            raise Refused(f"hand {args.hand} is not under way" + (f": {hand} is the newest" if hand else ""))
        self._remember(hand, players)
        return players

    def _remember(self, hand: str, players: dict[int, str]) -> None:
        if len(self._players) >= _REMEMBERED:
            del self._players[next(iter(self._players))]
        self._players[hand] = players

    async def _submitted(self, command: Command) -> Answer:
        try:
            return await self._line.wait(lambda: self._host.submit(command))
        except TooLarge as error:
            raise Problem(REFUSED, str(error)) from error
        except _SURELY_NOT_RECORDED as error:
            raise _not_given(error) from error
        except (LogError, TimeoutError) as error:
            raise unknown() from error


def _newest_hand(play: Play) -> tuple[str, dict[int, str]]:
    return (play.hand.id, seen.seats_of(play.hand.opened)) if play.hand else ("", {})


_SURELY_NOT_RECORDED = (NotOwner, NotHereYet, ShardStopped, AppendRefused, BadKeys)
"""After these the log holds nothing of the command; what any other error of the log means isn't sure."""


def _not_given(error: Exception) -> Exception:
    """What to say where a command never came to the log."""
    match error:
        case NotOwner():
            return error
        case ShardStopped() | UnreadableEvent() | CorruptLog() | UnknownRevision() | Broken() | SealBroken():
            return Problem(
                STOPPED,
                "Something in the log of this table can't be gone on from: it takes no commands until somebody has "
                "looked. Nothing was recorded. Whoever runs the room finds with `handlog verify` what is wrong.",
                {"Retry-After": "60"},
            )
        case NotHereYet():
            return not_here_yet()
        case _:
            return Problem(
                NOT_RECORDED,
                "The room can't record just now, and this request recorded nothing: send the command again, with the "
                "same Idempotency-Key. Whoever runs the room finds in its messages why.",
                AGAIN,
            )
