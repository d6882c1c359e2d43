"""A node of a home without a Kafka, in this process: it writes all shards."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

from domain.hand.state import Hand
from services.node.beside import beside
from services.node.node import Node
from services.node.run import Wanted, opened_node
from services.ports import real_ports
from tests.node.rooms import holds
from tests.services.homes import Desk


@contextmanager
def a_node(home: Path) -> Iterator[Node]:
    """It writes all shards of its home's log."""
    with (
        opened_node(Wanted(home, "alone", "127.0.0.1", 0), real_ports(), lambda said: None, Event()) as (node, shards),
        beside("keeping", lambda until: node.keep(shards, until, Event())),
    ):
        holds(lambda: len(node.owned) == 4, 60, lambda: f"{node.readiness()}")
        yield node


def give(node: Node, *all_args: Any) -> None:
    for args in all_args:
        node.submit(Desk(real_ports())(args)).result()


def hand_of(node: Node) -> Hand:
    hand = node.look("t1", lambda play: play.hand).result()
    assert hand
    return hand
