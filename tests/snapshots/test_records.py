"""The bytes of a record, made by hand from their description; what a snapshot costs."""

import hmac
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from services.bootstrap import open_log
from services.sealing.keyfile import RoomKeys, key_id
from services.snapshots.records import Kept, Title, parse, seal
from tests.services.homes import new_home, room_over
from tests.snapshots.floor import Floor
from tests.snapshots.takeover import Snapshots

SECRET = bytes(range(32))
KEYS = RoomKeys("riverside", [SECRET])


def test_a_record_is_what_its_description_says() -> None:
    key = HKDF(SHA256(), 32, salt=None, info=b"handlog/1\nriverside\nsnapshots").derive(SECRET)
    body = b'{"commands":{},"state":{}}'
    header = f"HS1 riverside 2 hand:t1-17 1 31 4711 {key_id(SECRET).hex()} {sha256(body).hexdigest()}".encode()
    line = header + b" " + hmac.digest(key, header, "sha256").hex().encode()
    title = Title("hand:t1-17", 1, 31, 4711)
    assert seal(KEYS, 2, title, body) == (line + b"\n" + body, sha256(line).hexdigest())
    assert parse(KEYS, 2, line + b"\n" + body) == Kept(title, body, sha256(line).hexdigest())


@pytest.mark.parametrize(
    ("name", "place", "key"),
    [
        ("table:t1", 0, b"table:t1/0"),
        ("hand:t1-17", 1, b"hand:t1/1"),
        ("commands:t1", 12, b"commands:t1/12"),
        ("letters:t1-17", 1, b"letters:t1-17/1"),
        ("patrons:17", 1, b"patrons:17/1"),
        ("list:2", 0, b"list:2/0"),
        ("manifest", 1, b"manifest/1"),
    ],
)
def test_a_hand_stands_in_the_place_of_its_table_s_last_one(name: str, place: int, key: bytes) -> None:
    title = Title(name, place, 1, 1)
    assert title.key == key
    assert parse(KEYS, 2, seal(KEYS, 2, title, b"{}")[0]).title == title


def test_no_key_of_a_hand_opens_a_snapshot_and_none_of_a_snapshot_a_card() -> None:
    of_hands = {KEYS.key(KEYS.current, "t1-1", purpose) for purpose in ("deck", "seat 1")}
    assert KEYS.of_snapshots(KEYS.current) not in of_hands


def test_a_table_and_a_hand_are_a_few_kilobytes(tmp_path: Path) -> None:
    ports, floor = new_home(tmp_path / "home"), Floor(3)
    with open_log(tmp_path / "home", write=True) as log:
        room = room_over(log, ports)
        snapshots = Snapshots(room)
        room.execute(floor.opening())
        floor.play(room, 200)
        snapshots.write()
        values = [one for partition in snapshots.partitions for one in partition.records.values()]
    sizes = {role: [len(raw) for key, raw in values if key.startswith(role)] for role in (b"table:", b"hand:")}
    assert len(sizes[b"table:"]) == 16
    assert max(sizes[b"table:"]) < 5_000, "the largest has ten seats"
    assert max(sizes[b"hand:"]) < 8_000, "the largest has eight players with seven cards each"
