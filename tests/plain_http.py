"""Clients for doors on this machine, which speak no TLS."""

from typing import Any

import httpx


def plain_http(**options: Any) -> httpx.Client:
    """As httpx makes one, but that it doesn't read every authority of the web first: that takes longer than a test; and
    that it waits a minute for an answer, unless `options` say another timeout."""
    return httpx.Client(verify=False, trust_env=False, **{"timeout": 60, **options})
