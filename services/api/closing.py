"""After the floor has closed the room: whether the other nodes know it, so that none of them deals another hand.

The node that recorded it deals none from then on. Another learns it from the log, within a second; here it is asked to
look at once, so that who closed the room is told where it isn't known yet.
"""

import asyncio

import httpx

from services.api.host import Host
from services.api.passes import Passes
from services.room.shards import ROOMS_SHARD

PATIENCE = httpx.Timeout(3.0, connect=2.0)
"""Seconds for another node's answer: the floor waits for it."""


async def still_to_stop(host: Host, passes: Passes | None) -> list[int]:
    """The shards whose nodes haven't said that they know: until they do, their tables may deal another hand.

    To be asked at the node that recorded it.
    """
    own = host.owner(ROOMS_SHARD)
    others: dict[str | None, list[int]] = {}
    for one in host.readiness().shards:
        others.setdefault(host.owner(one.shard), []).append(one.shard)
    others.pop(own, None)
    token = "" if passes is None else passes.make()
    async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as client:
        know = await asyncio.gather(*(_knows(client, address, token) for address in others))
    unaware = (shards for shards, known in zip(others.values(), know, strict=True) if not known)
    return sorted(shard for shards in unaware for shard in shards)


async def _knows(client: httpx.AsyncClient, address: str | None, token: str) -> bool:
    if not address:
        return False
    try:
        found = await client.get(f"{address}/v1/room", headers={"Authorization": f"Bearer {token}"})
        return found.status_code == httpx.codes.OK and found.json()["closed"] is True
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError):
        return False
