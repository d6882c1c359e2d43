"""A day is closed while a node runs the room: at its door, by the floor."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from domain.messages import SECOND
from services.api.roles import Role
from services.api.tokens import TOKENS_FILE, Tokens
from services.bootstrap import open_log
from services.eventlog import body
from services.ledger import Ledger
from services.ports import real_ports
from services.room.days import closed_days
from services.soundness import verify_home
from tests.services.cli import handlog


def day_before_its_first(home: Path) -> str:
    """By the home's log, not by the clock: midnight may have come since."""
    with open_log(home) as log:
        began = body.decode(log.record(0, 0).body).at
    return (datetime.fromtimestamp(began // SECOND, UTC) - timedelta(days=1)).date().isoformat()


def test_the_floor_closes_yesterday_at_the_door_of_a_running_node(home, node, monkeypatch) -> None:
    yesterday = day_before_its_first(home)
    close = ("close-day", yesterday, "--home", home, "--door", node.owner(0))
    assert "put a token" in handlog(*close).err
    token = Tokens(home / TOKENS_FILE).add("floor:ann", Role.FLOOR, "a test", real_ports())
    monkeypatch.setenv("HANDLOG_TOKEN", token)
    done = handlog(*close)
    assert done.code == 0, done.err
    assert f"{yesterday} (UTC) is closed, after 0, 0, 0, 0 commits" in done.out
    again = handlog(*close)
    assert again.code == 2
    assert f"{yesterday} was" in again.err
    with open_log(home) as log:
        assert [(one.day, one.by, one.totals) for one in closed_days(log)] == [(yesterday, "floor:ann", ())]
        assert verify_home(log, ledger=Ledger()).findings == []


def test_only_the_floor_closes_a_day(home, node, monkeypatch) -> None:
    token = Tokens(home / TOKENS_FILE).add("player:ann", Role.PLAYER, "a test", real_ports())
    monkeypatch.setenv("HANDLOG_TOKEN", token)
    refused = handlog("close-day", "--home", home, "--door", node.owner(0))
    assert refused.code == 2
    assert "may not send room.close-day here" in refused.err


def test_without_a_door_it_needs_the_room_to_itself(home, node) -> None:
    refused = handlog("close-day", "--home", home, "--by", "floor:ann")
    assert refused.code == 2
    assert "is in use by process" in refused.err
