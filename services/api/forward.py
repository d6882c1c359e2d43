"""Asking the door of a shard's owner, once: a door that was asked so asks no further."""

import httpx
from fastapi import Request, Response

from services.api.asking import FORWARDED, KEY
from services.api.host import Host
from services.api.metrics import Metrics
from services.api.problems import AGAIN, BUSY, Problem, no_owner, unknown

PATIENCE = httpx.Timeout(35.0, connect=2.0, pool=5.0)
"""Seconds: somewhat longer than a door lets anybody wait."""

_CONNECTIONS = httpx.Limits(max_connections=256, keepalive_expiry=3.0)
"""They are let go of before the other door does that, which is after 5 seconds."""

REPLAYED = "Idempotency-Replayed"

_TAKEN_ALONG = ("authorization", "content-type", KEY.lower())
_BROUGHT_BACK = ("content-type", "cache-control", "retry-after", "www-authenticate", REPLAYED.lower())

_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol, httpx.InvalidURL)
"""After these the other door has seen nothing of the request."""


class Forwarder:
    """Passes requests on to the owners of shards, with the sender's own token and the command's own id."""

    def __init__(self, host: Host, metrics: Metrics) -> None:
        self._host, self._metrics = host, metrics
        self._client = httpx.AsyncClient(timeout=PATIENCE, limits=_CONNECTIONS, trust_env=False)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.aclose()

    async def forward(self, request: Request, shard: int, body: bytes = b"") -> Response:
        """The answer of the owner's door. Raises a Problem where there is none, or none came."""
        address = self._host.owner(shard)
        if not address or FORWARDED in request.headers:
            raise no_owner(shard)
        headers = {name: request.headers[name] for name in _TAKEN_ALONG if name in request.headers}
        url = f"{address}{request.url.path}"
        try:
            found = await self._client.request(
                request.method, url, content=body, headers=headers | {FORWARDED: "1"}, follow_redirects=False
            )
        except httpx.PoolTimeout:
            self._metrics.forwarded("busy")
            raise Problem(
                BUSY, "Too many wait for another node, and this wasn't passed on: send it again.", AGAIN
            ) from None
        except _NOT_SENT:
            self._metrics.forwarded("unreachable")
            raise no_owner(shard) from None
        except httpx.HTTPError as error:
            self._metrics.forwarded("lost")
            raise unknown() if request.method == "POST" else no_owner(shard) from error
        self._metrics.forwarded("answered")
        brought = {name: found.headers[name] for name in _BROUGHT_BACK if name in found.headers}
        return Response(found.content, found.status_code, brought)
