"""Commands of the room to shards that other nodes write: through their doors, in the room's name.

Only what is under way between two streams goes so (`services/room/transit.py`).
"""

import json
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Self

import httpx

from domain import catalog
from domain.desk import owner_of
from domain.messages import Command, Refused
from domain.transfers import CARRIED
from services.api.asking import FORWARDED, KEY
from services.api.passes import Passes
from services.api.problems import REFUSED
from services.eventlog.log import LogError, NotOwner
from services.room.recording import Answer

AT_ONCE = 8
"""Requests to other nodes at a time."""

PATIENCE = httpx.Timeout(15.0, connect=2.0)
"""Seconds for an answer: somewhat longer than a door lets anybody wait. Without one it is asked again."""

_CARRIED = frozenset(CARRIED)


class Doors:
    """Gives the staff's commands to the owners of their shards: to this node's room, or at another node's door."""

    def __init__(
        self,
        shard_of: Callable[[str], int],
        owner: Callable[[int], str | None],
        submit: Callable[[Command], "Future[Answer]"],
        owned: Callable[[], Collection[int]],
        passes: Passes,
    ) -> None:
        """`shard_of`, `owner`, `submit`: as those of a host (`services.api.host.Host`). `owned`: the shards that this
        node writes."""
        self._shard_of, self._owner, self._submit, self._owned, self._passes = shard_of, owner, submit, owned, passes
        self._client = httpx.Client(timeout=PATIENCE, trust_env=False)
        self._threads = ThreadPoolExecutor(AT_ONCE, "doors")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)
        self._client.close()

    def send(self, command: Command) -> "Future[Answer]":
        """The answer to come, as from `Writer.submit`; NotOwner also where the shard has no owner just now."""
        shard = self._shard_of(owner_of(command.args))
        if shard in self._owned() or type(command.args) not in _CARRIED:
            return self._submit(command)
        return self._threads.submit(self._ask, shard, command)

    def _ask(self, shard: int, command: Command) -> Answer:
        address = self._owner(shard)
        if not address:
            raise NotOwner(shard)
        name, rev, args = catalog.command.dump(command.args)
        try:
            found = self._client.post(
                f"{address}/v1/commands",
                json={"name": name, "rev": rev, "args": args, "cause": command.cause},
                headers={"Authorization": f"Bearer {self._passes.make()}", KEY: command.id, FORWARDED: "1"},
            )
        except httpx.HTTPError as error:
            raise LogError(f"the door of shard {shard}, {address}, can't be asked: {error}") from error
        return _answer(found)


def _answer(found: httpx.Response) -> Answer:
    try:
        said: dict[str, Any] = found.json()
        if found.status_code == httpx.codes.OK:
            return Answer(said["at"], said["events"])
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise LogError(f"another node's answer can't be read: {error}") from error
    if said.get("type") == REFUSED.type:
        raise Refused(said["detail"])
    why = said.get("detail", "nothing")
    if found.status_code == httpx.codes.UNAUTHORIZED:
        why = "it doesn't know this node's pass: give both the same room.keys, and set their clocks"
    raise LogError(f"another node has answered {found.status_code}: {why}")
