"""Who may send what: the whole table, role by role."""

import pytest

from domain import catalog
from domain.transfers import CARRIED
from services.api.permissions import CAUSES, LOOKS_AS, MAY_SEND
from services.api.roles import Role
from tests.api.doors import Door


def test_every_command_of_the_catalog_has_its_row() -> None:
    assert MAY_SEND.keys() == catalog.command.by_name.keys()


def test_who_may_send_something_has_a_cause_for_it() -> None:
    assert {role for roles in MAY_SEND.values() for role in roles} == CAUSES.keys()


def test_every_role_but_the_player_s_looks_as_somebody() -> None:
    assert LOOKS_AS.keys() == set(Role) - {Role.PLAYER}


def test_players_play_and_nobody_else() -> None:
    of_the_clock = {"hand.draw-too-late", "hand.act-too-late", "hand.protect", "hand.cancel"}
    of_hands = {name for name in MAY_SEND if name.startswith("hand.")} - of_the_clock
    assert all(MAY_SEND[name] == {Role.PLAYER} for name in of_hands)
    assert {name for name, roles in MAY_SEND.items() if Role.PLAYER in roles} - of_hands == {
        "table.sit-down",
        "table.stand-up",
        "table.sit-out",
        "table.come-back",
        "account.buy-in",
        "account.top-up",
        "player.set-limit",
        "player.cool-off",
        "player.exclude",
    }


def test_the_floor_closes_the_room_and_nobody_a_table_in_its_name() -> None:
    assert MAY_SEND["room.close"] == MAY_SEND["room.reopen"] == {Role.FLOOR, Role.ADMIN}
    assert MAY_SEND["table.close-with-room"] == MAY_SEND["table.reopen-with-room"] == set()


def test_only_a_node_carries_what_is_under_way() -> None:
    carried = {catalog.command.by_class[one].name for one in CARRIED}
    assert {name for name, roles in MAY_SEND.items() if Role.NODE in roles} == carried
    assert all(MAY_SEND[name] == {Role.NODE} for name in carried)


@pytest.mark.parametrize("role", Role)
def test_the_door_goes_by_the_table(door: Door, role: Role) -> None:
    """What may not be sent is refused before anybody looks what it says."""
    client = door.client(f"{role}:x")
    for name, roles in MAY_SEND.items():
        response = client.post({"name": name, "args": {}})
        assert response.status_code == (422 if role in roles else 403), (role, name)
