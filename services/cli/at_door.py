"""Commands that are given at the door of a running node, as somebody who has a token of it."""

import os
from typing import Any

import httpx

from domain import catalog
from services.cli.talk import stop
from services.ids import uuid7
from services.ports import Ports

SIGNED_IN = "HANDLOG_TOKEN"
"""The environment's variable with the bearer token for a node's door."""


def give_at(door: str, asked: Any, ports: Ports) -> None:
    """Have a node record it. Stops with what its door answers otherwise."""
    token = os.environ.get(SIGNED_IN)
    if not token:
        stop(f"the door wants to know who asks: put a token of the floor's into {SIGNED_IN}")
    name, _, args = catalog.command.dump(asked)
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": uuid7(ports.now(), ports.bits(74))}
    try:
        said = httpx.post(f"{door.rstrip('/')}/v1/commands", json={"name": name, "args": args}, headers=headers)
    except httpx.HTTPError as error:
        stop(f"{door} doesn't answer ({error}): nothing is known to be recorded; ask again")
    if said.status_code != httpx.codes.OK:
        stop(f"{door} answers {said.status_code}: {said.json().get('detail', said.text)}")
