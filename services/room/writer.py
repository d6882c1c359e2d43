"""The writer loop: one thread that takes all commands that wait, has the room decide them together, and answers."""

from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Thread

from domain.messages import Command
from services.room.recording import Answer
from services.room.room import Room

BATCH = 512
"""The most commands of one append: enough to share a disk's sync among them, few enough to answer soon."""

_Waiting = tuple[Command, "Future[Answer]"]


class Writer:
    """Gives a room its one thread. `submit` may be called from any thread."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._closed = False
        self._thread = Thread(target=self._loop, name="writer", daemon=True)
        self._thread.start()

    def submit(self, command: Command) -> "Future[Answer]":
        """The answer to come; it is there only after the log holds the decision.

        Its exception is Refused for a broken rule, LogError where the decision could not be recorded.
        """
        if self._closed:
            raise RuntimeError("the writer is closed: it takes no more commands")
        answer: Future[Answer] = Future()
        self._queue.put((command, answer))
        return answer

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
        """Decide and answer a batch; False after the last one."""
        waiting = [one for one in batch if one is not None]
        try:
            outcomes = self.room.execute([command for command, _ in waiting])
        except Exception as error:  # noqa: BLE001 - nobody may wait for ever
            outcomes = [error] * len(waiting)
        for (_, answer), outcome in zip(waiting, outcomes, strict=True):
            if isinstance(outcome, Exception):
                answer.set_exception(outcome)
            else:
                answer.set_result(outcome)
        return batch[-1] is not None
