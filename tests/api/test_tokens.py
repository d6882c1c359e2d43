"""Tokens: given out once, kept as digests, taken back at once."""

import json
import stat
import time
from pathlib import Path

import pytest

from services.api.roles import Role
from services.api.tokens import TOKENS_FILE, Tokens
from services.ports import seeded_ports
from services.sealing.private_file import BadKeys
from tests.api.doors import Door, problem
from tests.services.cli import handlog

PORTS = seeded_ports(5)


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    return Tokens(tmp_path / TOKENS_FILE, rest=0)


def test_a_token_stands_for_somebody(tokens: Tokens) -> None:
    token = tokens.add("player:alice", Role.PLAYER, "her phone", PORTS)
    holder = tokens.holder_of(token)
    assert holder is not None
    assert (holder.who, holder.role, holder.label) == ("player:alice", Role.PLAYER, "her phone")
    assert token.startswith(f"handlog_{holder.id}_")
    assert len(token) == 60


def test_no_other_token_does(tokens: Tokens) -> None:
    token = tokens.add("player:alice", Role.PLAYER, "", PORTS)
    other = tokens.add("player:bob", Role.PLAYER, "", PORTS)
    mixed = token[:17] + other[17:]
    for wrong in ("", token[:-1], token + "=", token.upper(), mixed, token[8:16], "\ud800", "x" * 10_000):
        assert tokens.holder_of(wrong) is None


def test_the_file_is_private_and_holds_no_token(tokens: Tokens, tmp_path: Path) -> None:
    token = tokens.add("floor:ann", Role.FLOOR, "", PORTS)
    path = tmp_path / TOKENS_FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert token.rpartition("_")[2] not in path.read_text()
    path.chmod(0o644)
    with pytest.raises(BadKeys, match="open to others"):
        tokens.holder_of(token)


def test_another_process_s_changes_are_seen(tokens: Tokens, tmp_path: Path) -> None:
    elsewhere = Tokens(tmp_path / TOKENS_FILE)
    token = elsewhere.add("floor:ann", Role.FLOOR, "", PORTS)
    holder = tokens.holder_of(token)
    assert holder is not None
    elsewhere.remove(holder.id)
    assert tokens.holder_of(token) is None
    with pytest.raises(BadKeys, match="there is no token"):
        tokens.remove(holder.id)


def test_a_new_token_is_known_at_once_and_an_old_one_for_a_second_at_most(tmp_path: Path) -> None:
    here, elsewhere = Tokens(tmp_path / TOKENS_FILE, rest=0.3), Tokens(tmp_path / TOKENS_FILE)
    assert here.holder_of(elsewhere.add("floor:ann", Role.FLOOR, "", PORTS))
    token = elsewhere.add("floor:bob", Role.FLOOR, "", PORTS)
    assert here.holder_of(token)
    elsewhere.remove(token[8:16])
    time.sleep(0.3)
    assert here.holder_of(token) is None


@pytest.mark.parametrize(
    ("who", "role"),
    [
        ("", Role.FLOOR), ("Ann", Role.FLOOR), ("a" * 65, Role.FLOOR), ("alice", Role.PLAYER), ("player:", Role.PLAYER),
        ("player:a-b", Role.PLAYER), ("player:alice", Role.FLOOR), ("floor:ann", Role.PLAYER), ("ann\n", Role.FLOOR),
    ],
)  # fmt: skip
def test_a_token_is_for_somebody_in_his_role(tokens: Tokens, who: str, role: Role) -> None:
    with pytest.raises(BadKeys, match="a token is for somebody"):
        tokens.add(who, role, "", PORTS)
    assert tokens.holders() == []


def test_a_damaged_file_is_said_to_be_one_and_not_shown(tokens: Tokens, tmp_path: Path) -> None:
    tokens.add("floor:ann", Role.FLOOR, "", PORTS)
    path = tmp_path / TOKENS_FILE
    for damaged in ("{", "[]", '{"tokens": [{"id": "secret"}]}', "{}"):
        path.write_text(damaged)
        with pytest.raises(BadKeys, match=r"tokens\.json") as error:
            tokens.holders()
        assert "secret" not in str(error.value)


def test_a_token_that_is_taken_back_lets_nobody_in(door: Door) -> None:
    token = door.tokens.add("floor:old", Role.FLOOR, "", PORTS)
    old = door.with_token(token)
    assert old.http.get("/v1/tables/nosuch").status_code == 404
    door.tokens.remove(token[8:16])
    problem(old.http.get("/v1/tables/nosuch"), 401, "unauthenticated")


# --- handlog tokens ---


def test_the_command_line_gives_them_out_and_takes_them_back(tmp_path: Path) -> None:
    home = ("--home", tmp_path)
    assert "No token was given out yet" in handlog("tokens", "list", *home).out
    added = handlog("tokens", "add", "player:alice", "--role", "player", "--label", "her phone", *home)
    token = added.out.strip()
    assert "printed this once" in added.err
    assert Tokens(tmp_path / TOKENS_FILE).holder_of(token)
    listed = handlog("tokens", "list", *home)
    assert "player:alice" in listed.out and "her phone" in listed.out
    assert token not in listed.out
    (one,) = handlog("tokens", "list", "--json", *home).json
    assert one.keys() == {"id", "who", "role", "label", "made"}
    gone = handlog("tokens", "remove", one["id"], *home)
    assert gone.out == f"Token {one['id']} of player:alice lets nobody in any more.\n"
    assert handlog("tokens", "remove", one["id"], *home).code == 2
    assert handlog("tokens", "list", "--json", *home).json == []


def test_the_command_line_says_what_would_be_right(tmp_path: Path) -> None:
    run = handlog("tokens", "add", "alice", "--role", "player", "--home", tmp_path)
    assert (run.code, run.out) == (2, "")
    assert "a player as player:alice" in run.err
    assert "there is no home at" in handlog("tokens", "list", "--home", tmp_path / "nowhere").err
    shown = handlog("tokens", "add", "floor:ann", "--role", "floor", "--json", "--home", tmp_path)
    assert json.loads(shown.out)["who"] == "floor:ann"
