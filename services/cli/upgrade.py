"""Raising the revision of the log from the command line."""

from pathlib import Path

from domain.rules.phrases import counted
from services.bootstrap import opened_office
from services.cli.talk import emit, say
from services.eventlog.kafka_log import KafkaLog
from services.node.upgrade import check_all_read, check_can_read, members_of, raise_all
from services.ports import real_ports


def upgrade(home: Path, revision: int, by: str, as_json: bool) -> None:
    check_can_read(revision)
    with opened_office(home, real_ports()) as room:
        nodes = members_of(room.log.broker, room.log.room) if isinstance(room.log, KafkaLog) else []
        check_all_read(nodes, revision)
        raised = raise_all(room, revision, by)
    if as_json:
        emit({"revision": revision, "raised": raised, "nodes": [one.node for one in nodes if one]})
        return
    asked = f"{counted(len(nodes), 'node')} read it" if nodes else "no node is there to ask"
    say(f"The log is of revision {revision} now: {asked}; {counted(len(raised), 'shard')} raised.")
