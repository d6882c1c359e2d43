"""The writer loop: one thread that takes all commands that wait, has the room decide them together, and answers."""

from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Any, NamedTuple, TypeVar

from domain.messages import Command
from services.room.recording import Answer
from services.room.room import Room

BATCH = 512
"""The most commands of one append: enough to share a disk's sync among them, few enough to answer soon."""

T = TypeVar("T")


class _Asked(NamedTuple):
    """A command that waits for its answer."""

    command: Command
    answer: "Future[Answer]"


class _Look(NamedTuple):
    """A look at the room that waits for its turn."""

    see: Callable[[Room], Any]
    seen: "Future[Any]"


_Waiting = _Asked | _Look


class Writer:
    """Gives a room its one thread. `submit` may be called from any thread."""

    def __init__(self, room: Room, watch: Callable[[int, float], object] = lambda commands, seconds: None) -> None:
        """`watch`: told of each batch, how many commands it had and how many seconds they took."""
        self.room = room
        self._watch = watch
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._closed = False
        self._thread = Thread(target=self._loop, name="writer", daemon=True)
        self._thread.start()

    def submit(self, command: Command) -> "Future[Answer]":
        """The answer to come; it is there only after the log holds the decision.

        Its exception is Refused for a broken rule, LogError where the decision could not be recorded.
        """
        answer: Future[Answer] = Future()
        self._put(_Asked(command, answer), answer)
        return answer

    def look(self, see: Callable[[Room], T]) -> "Future[T]":
        """What `see` finds in the room, in the writer's thread and between two batches, so with nothing half done.

        It should be quick, change nothing, and return nothing that the room will change. Commands that were submitted
        before have been decided.
        """
        seen: Future[T] = Future()
        self._put(_Look(see, seen), seen)
        return seen

    def _put(self, waiting: _Waiting, result: "Future[Any]") -> None:
        if self._closed:
            raise RuntimeError("the writer is closed: it takes no more commands")
        result.set_running_or_notify_cancel()  # what was asked can't be taken back
        self._queue.put(waiting)

    def close(self) -> None:
        """Answer what waits, then stop."""
        self._closed = True
        self._queue.put(None)
        self._thread.join()

    def _loop(self) -> None:
        while self._work(self._next_batch()):
            pass

    def _next_batch(self) -> list[_Waiting | None]:
        batch = [self._queue.get()]
        while len(batch) < BATCH and batch[-1] is not None:
            try:
                batch.append(self._queue.get_nowait())
            except Empty:
                break
        return batch

    def _work(self, batch: list[_Waiting | None]) -> bool:
        """Decide and answer a batch, then let those look who asked for it; False after the last one."""
        self._decide([one for one in batch if isinstance(one, _Asked)])
        for one in batch:
            if isinstance(one, _Look):
                self._show(one)
        return batch[-1] is not None

    def _decide(self, waiting: list[_Asked]) -> None:
        if not waiting:
            return
        began = perf_counter()
        try:
            outcomes = self.room.execute([one.command for one in waiting])
        except Exception as error:  # noqa: BLE001 - nobody may wait for ever
            outcomes = [error] * len(waiting)
        self._watch(len(waiting), perf_counter() - began)
        for one, outcome in zip(waiting, outcomes, strict=True):
            if isinstance(outcome, Exception):
                one.answer.set_exception(outcome)
            else:
                one.answer.set_result(outcome)

    def _show(self, one: _Look) -> None:
        try:
            one.seen.set_result(one.see(self.room))
        except Exception as error:  # noqa: BLE001 - nobody may wait for ever
            one.seen.set_exception(error)
