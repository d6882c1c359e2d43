"""A reason is read, and erased, while a node runs the room: recorded at its door, by the floor."""

from pathlib import Path

import httpx
import pytest

from domain.table.commands import PauseTable, ResumeTable
from services.api.roles import Role
from services.api.tokens import TOKENS_FILE, Tokens
from services.node.node import Node
from services.ports import real_ports
from tests.api.doors import Client, must
from tests.services.cli import handlog
from tests.services.staff_decided import staff


def token_of(home: Path, role: Role) -> str:
    return Tokens(home / TOKENS_FILE).add(f"{role}:fay", role, "a test", real_ports())


def test_the_floor_has_a_reason_erased_at_the_door_of_a_running_node(
    home: Path, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, door = token_of(home, Role.FLOOR), node.owner(0)
    with httpx.Client(base_url=f"{door}", headers={"Authorization": f"Bearer {token}"}) as http:
        client = Client(http)
        must(client.give(PauseTable("t1", "he has a fever")))
        must(client.give(ResumeTable("t1", "he went home")))
    paused, resumed = staff(home)
    assert (paused["by"], paused["reason"], resumed["reason"]) == ("floor:fay", "he has a fever", "he went home")
    erase = ("erase-reason", paused["decision"], "--home", home)
    assert "is in use by process" in handlog(*erase, "--by", "floor:fay").err
    assert "put a token" in handlog(*erase, "--door", door).err
    monkeypatch.setenv("HANDLOG_TOKEN", token_of(home, Role.CAGE))
    assert "may not send room.erase-reason here" in handlog(*erase, "--door", door).err
    assert staff(home)[0]["reason"] == "he has a fever"
    monkeypatch.setenv("HANDLOG_TOKEN", token)
    done = handlog(*erase, "--door", door)
    assert done.code == 0, done.err
    first, second, erasure = staff(home)
    assert (first["reason"], first["reason_is"], second["reason"]) == (None, "erased", "he went home")
    assert (erasure["by"], erasure["about"]) == ("floor:fay", paused["decision"])
    assert "was erased already, by floor:fay" in handlog(*erase).out
