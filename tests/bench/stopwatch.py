"""Where time goes: functions that are watched while they run."""

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

import pytest

Watched = tuple[object, str, str]
"""What holds a function, the function's name there, and the part that its time is charged to."""


class Stopwatch:
    """The seconds spent in each part, what a part spends within another one not counted for the outer."""

    def __init__(self, parts: Iterable[str]) -> None:
        self.seconds = dict.fromkeys(parts, 0.0)
        self._running: list[str] = []
        self._since = 0.0

    def watch(self, function: Callable[..., Any], part: str) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            self._switch()
            self._running.append(part)
            try:
                return function(*args, **kwargs)
            finally:
                self._switch()
                self._running.pop()

        return watched

    def install(self, patch: pytest.MonkeyPatch, watched: Iterable[Watched]) -> None:
        """Watch all of these, for as long as the patch lasts."""
        for owner, name, part in watched:
            patch.setattr(owner, name, self.watch(getattr(owner, name), part))

    def _switch(self) -> None:
        """Charge the time since the last switch to the part that ran."""
        now = perf_counter()
        if self._running:
            self.seconds[self._running[-1]] += now - self._since
        self._since = now
