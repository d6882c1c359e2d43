"""A node of the room."""

import re
import socket
from pathlib import Path

from services.cli.talk import listen_at, say, stop
from services.node.run import Wanted, run
from services.ports import real_ports

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}").fullmatch


def node(
    home: Path,
    name: str,
    listen: str,
    address: str | None,
    shards: list[int] | None,
    keys: Path | None,
    tokens: Path | None,
    bots: int,
    pace: float,
) -> None:
    host, port = listen_at("--listen", listen)
    only = None if shards is None else tuple(shards)
    wanted = Wanted(home, _named(name), host, port, keys, only, address, tokens, bots, pace)
    run(wanted, real_ports(), say)


def _named(name: str) -> str:
    """The node's name, or one made of the machine's."""
    if not name:
        name = re.sub(r"[^a-z0-9-]+", "-", socket.gethostname().lower()).strip("-")[:40] or "node"
    if not _NAME(name):
        stop(f"{name!r} can't name a node: use 1 to 40 of a-z, digits and -, no - at first")
    return name
