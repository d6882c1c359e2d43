"""A reason comes to the log in its box or not at all, whatever it is given for: open, it could never be erased."""

from dataclasses import replace
from typing import Any

import pytest

from domain.account import commands as of_account
from domain.table import commands as of_table
from services.eventlog.sqlite_commits import SqliteCommits
from services.ports import Ports
from tests.services.homes import Desk, a_table_of_two, room_over
from tests.services.patrons import REASON, with_money
from tests.services.tables import give, refusal_of

FOR_A_REASON: list[Any] = [
    of_table.PauseTable("t1", REASON),
    of_table.FreezePlayer("t1", 1, "ann", REASON),
    of_table.RemovePlayer("t1", 1, "ann", REASON),
    of_account.Freeze("ann", REASON),
    of_account.Adjust("ann", "EUR", 1, "floor:ann", "floor:bob", REASON),
    of_account.ChangeAloneLimit("ann", "EUR", 1, "floor:ann", "floor:bob", REASON),
]


@pytest.mark.parametrize("args", FOR_A_REASON, ids=lambda args: type(args).__name__)
def test_one_that_lies_open_is_refused(args: Any, log: SqliteCommits, ports: Ports, desk: Desk) -> None:
    room = room_over(log, ports)
    for given in [*a_table_of_two(), *with_money("ann")]:
        give(room, desk(given))
    heads = [log.head(shard) for shard in range(log.shards)]
    said = refusal_of(room, desk(replace(args, reason="cheat")))
    assert said == "a reason is recorded in a box of its own, which this isn't: seal it first"
    assert [log.head(shard) for shard in range(log.shards)] == heads
    give(room, desk(args))
