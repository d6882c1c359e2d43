"""A log with something in every shard."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.eventlog import body
from services.eventlog.sqlite_log import SqliteLog
from tests.contract.logs import AT, append, command, entry

COMMITS = 5
"""Commits in each shard of `full`."""


@pytest.fixture
def full(tmp_path: Path) -> Iterator[SqliteLog]:
    """Four shards of five commits: opened, then a table and its first hand."""
    with SqliteLog.create(tmp_path / "full.db", "riverside") as log:
        for shard in range(4):
            opened = body.fact(
                f"shard:{shard}", 1, "shard.opened", 1, {"room": "riverside", "shard": shard, "shards": 4}
            )
            append(log, shard, body.entry(AT, command(), [opened]))
            for number in range(1, COMMITS):
                at = AT + number
                append(
                    log, shard, entry((f"table:t{shard}", number, number), (f"hand:t{shard}-1", number, number), at=at)
                )
        yield log
