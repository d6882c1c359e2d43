"""Who may send what: the whole table, role by role."""

import pytest

from domain import catalog
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
    of_hands = {name for name in MAY_SEND if name.startswith("hand.")} - {"hand.draw-too-late", "hand.cancel"}
    assert all(MAY_SEND[name] == {Role.PLAYER} for name in of_hands)
    assert {name for name, roles in MAY_SEND.items() if Role.PLAYER in roles} - of_hands == {
        "table.sit-down",
        "table.stand-up",
    }


@pytest.mark.parametrize("role", Role)
def test_the_door_goes_by_the_table(door: Door, role: Role) -> None:
    """What may not be sent is refused before anybody looks what it says."""
    client = door.client(f"{role}:x")
    for name, roles in MAY_SEND.items():
        response = client.post({"name": name, "args": {}})
        assert response.status_code == (422 if role in roles else 403), (role, name)
