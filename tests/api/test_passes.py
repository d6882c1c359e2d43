"""Nodes of a room know each other by its keys, for some minutes at a time."""

import pytest

from services.api.passes import LASTS, Passes
from services.api.roles import Role
from services.ports import Ports
from services.sealing.keyfile import RoomKeys

OLD, NEW = bytes(range(32)), bytes(range(1, 33))
NOW = 1_700_000_000_000_000


def passes(*secrets: bytes, room: str = "riverside", at: int = NOW) -> Passes:
    return Passes(RoomKeys(room, secrets), Ports(lambda: at, lambda bits: 0))


def test_a_node_knows_another_of_its_room() -> None:
    found = passes(OLD).holder_of(passes(OLD).make())
    assert found is not None
    assert (found.who, found.role) == ("node", Role.NODE)


def test_it_does_so_while_only_one_has_rotated_the_keys() -> None:
    assert passes(OLD, NEW).holder_of(passes(OLD).make())
    assert not passes(OLD).holder_of(passes(OLD, NEW).make()), "it hasn't that key yet"


def test_whoever_lacks_the_room_s_key_is_no_node() -> None:
    assert not passes(OLD).holder_of(passes(NEW).make())
    assert not passes(OLD).holder_of(passes(OLD, room="lakeside").make())


@pytest.mark.parametrize("seconds", [-LASTS - 1, -LASTS, 0, LASTS, LASTS + 1])
def test_a_pass_is_good_for_some_minutes(seconds: int) -> None:
    later = passes(OLD, at=NOW + seconds * 1_000_000)
    assert bool(later.holder_of(passes(OLD).make())) is (abs(seconds) <= LASTS)


def test_a_pass_with_another_end_is_none() -> None:
    begins, _, _ = passes(OLD).make().rpartition("_")
    assert [passes(OLD).holder_of(f"{begins}_{mac}") for mac in ("", "0" * 64, "\u00e4")] == [None] * 3


def test_a_pass_can_t_be_made_to_last() -> None:
    made = passes(OLD).make()
    begins, _, mac = made.rpartition("_")
    later = begins[: begins.rindex("_")] + "_1700009999_" + mac
    assert not passes(OLD, at=NOW + 9_999_000_000).holder_of(later)


@pytest.mark.parametrize(
    "text", ["", "handlog_", "handlog_node_", "handlog_node_zz_1_", "handlog_node_00_x_y", "handlog_node_00_²_y", "ä"]
)
def test_anything_else_is_no_pass(text: str) -> None:
    assert passes(OLD).holder_of(text) is None
