"""A player chooses his next action at a node's door before his turn (rules.md section 8)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.hand import commands as ask
from domain.hand import events as fact
from services.api.roles import Role
from services.api.tokens import TOKENS_FILE, Tokens
from services.bootstrap import make_home
from services.node.node import Node
from services.ports import real_ports
from tests.node.alone import a_node, give, hand_of
from tests.node.rooms import holds
from tests.plain_http import plain_http
from tests.services.homes import a_table_of_two

CHOICE = "/v1/hands/t1-1/advance"


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Node, Path]]:
    """Heads-up: ann in seat 1 has the button and is to act, bob in seat 2 has the big blind of 2."""
    home = tmp_path_factory.mktemp("node")
    make_home(home, "riverside", real_ports())
    with a_node(home) as node:
        give(node, *a_table_of_two())
        yield node, home


def at_the_door(node: tuple[Node, Path], who: str) -> httpx.Client:
    at, home = node
    token = Tokens(home / TOKENS_FILE).add(who, Role(who.partition(":")[0]), "a test", real_ports())
    return plain_http(base_url=at.owner(0) or "", headers={"Authorization": f"Bearer {token}"})


def held(answer: httpx.Response) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()["held"]


def test_what_he_chose_is_held_shown_taken_back_and_done_at_his_turn(node: tuple[Node, Path]) -> None:
    bob = at_the_door(node, "player:bob")
    assert held(bob.get(CHOICE)) is None
    assert held(bob.put(CHOICE, json={"choice": "fold"})) == {"choice": "fold", "amount": 0, "price": 0}
    assert held(bob.get(CHOICE))["choice"] == "fold"
    assert held(bob.delete(CHOICE)) is None
    assert held(bob.put(CHOICE, json={"choice": "check"}))["choice"] == "check"
    give(node[0], ask.Call("t1-1", 1, 1))
    holds(lambda: hand_of(node[0]).decision == 3, 60, lambda: "bob's check isn't made")
    assert fact.Checked(2) in node[0].facts("t1-1")
    assert held(bob.get(CHOICE)) is None


@pytest.mark.parametrize(
    ("who", "said", "status", "why"),
    [
        ("player:bob", {"choice": "dance"}, 422, "choice"),
        ("player:bob", {"choice": "fold", "amount": -1}, 422, "amount"),
        ("player:ann", {"choice": "call", "price": 7}, 409, "now"),
        ("player:eve", {"choice": "fold"}, 409, "eve is in no hand t1-1"),
        ("floor:fay", {"choice": "fold"}, 403, "it is for the player himself"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    node: tuple[Node, Path], who: str, said: dict[str, Any], status: int, why: str
) -> None:
    answer = at_the_door(node, who).put(CHOICE, json=said)
    assert answer.status_code == status, answer.text
    assert why in answer.json()["detail"]
