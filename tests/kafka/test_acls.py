"""A file of grants: what it grants in a room, and what is wrong with one."""

import pytest

from deploy.kafka.users import ACLS
from services.kafka.acls import BadGrants, Grant, grants_of

FILE = ACLS.read_text()


def test_a_role_grants_each_of_its_users_each_operation() -> None:
    text = """
        [reader]
        users = ["anna", "ben"]
        topics."handlog.{room}.log.v1" = ["read", "describe-configs"]
        groups."handlog.{room}.feed.*" = ["read"]
    """
    assert grants_of(text, "riverside") == [
        Grant(user, operation, kind, name, prefix)
        for user in ("anna", "ben")
        for operation, kind, name, prefix in (
            ("describe-configs", "topic", "handlog.riverside.log.v1", False),
            ("read", "group", "handlog.riverside.feed.", True),
            ("read", "topic", "handlog.riverside.log.v1", False),
        )
    ]


def test_only_nodes_write_the_log_and_nobody_deletes() -> None:
    grants = grants_of(FILE, "riverside")
    assert [one.user for one in grants if one.operation == "write" and one.name.endswith(".log.v1")] == ["node"]
    assert [one for one in grants if one.operation in ("delete", "alter")] == []
    assert [one for one in grants if one.prefix and one.operation in ("read", "write") and one.kind == "topic"] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[node", "the file of grants isn't TOML"),
        ("node = 1", "role node is a table of does, users, topics and groups, with users at least"),
        ("[node]\ndoes = 'much'", "role node is a table of"),
        ("[node]\nusers = ['a']\nhosts = ['b']", "role node is a table of"),
        ("[node]\nusers = 'ab'", "role node: users is a list of names"),
        ("[node]\nusers = ['a']\ntopics = 1", "role node: topics is a table"),
        (
            "[node]\nusers = ['a']\ntopics.'handlog.{room}.log.v1' = 'read'",
            "role node: handlog.{room}.log.v1 is granted a list of operations",
        ),
        (
            "[node]\nusers = ['a']\ntopics.'handlog.{room}.log.v1' = ['all']",
            "role node: a topic can't be granted all, only read, write, create",
        ),
        (
            "[node]\nusers = ['a']\ngroups.'handlog.{room}.x' = ['write']",
            "role node: a group can't be granted write, only read, describe or delete",
        ),
        ("[node]\nusers = ['a']\ntopics.'*' = ['read']", "role node: * isn't of the room, whose names begin with"),
        (
            "[node]\nusers = ['a']\ntopics.'handlog.{room}*' = ['read']",
            "role node: handlog.{room}* isn't of the room, whose names begin with handlog.{room}.",
        ),
    ],
)  # fmt: skip
def test_a_file_that_makes_no_sense_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(BadGrants) as error:
        grants_of(text, "riverside")
    assert wrong in str(error.value)
