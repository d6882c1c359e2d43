"""deploy/FORMAT.md says what the code does: its examples are recomputed; and a verifier could be written from it."""

import ast
import sys

from services.eventlog import canonical
from services.eventlog.commit import GENESIS, parse, seal
from services.evidence.merkle import leaf_hash, root_of
from services.evidence.note import Checkpoint, CheckpointKey
from services.sealing import boxes, commitment, keyfile
from services.sealing.keyfile import RoomKeys
from services.sealing.shuffle import salts, shuffled
from tests.evidence import independent_verifier
from tests.setup.tree import ROOT

PAGE = (ROOT / "deploy" / "FORMAT.md").read_text()
HAND = "t1-1"
ROOM_KEY, SEED, SECRET = (bytes(range(start, start + 32)) for start in (0x00, 0x20, 0x40))


def records() -> dict[str, str]:
    command = {"id": "c1", "name": "test.do", "rev": 1, "args": {}, "by": "floor:ann", "cause": "floor"}
    body = canonical.encode({"at": 1, "command": command, "events": []})
    raw, head = seal("riverside", 0, GENESIS, body)
    return {
        "body": body.decode(),
        "header": raw.split(b"\n")[0].decode(),
        "record hash": head.hash,
        "root of 0 leaves": root_of([]).hex(),
        "root of 1 leaf, the record above": root_of([leaf_hash(bytes.fromhex(parse(raw).hash))]).hex(),
        "root of 3 leaves, whose data are 32 bytes of 00, of 01, of 02": root_of(
            leaf_hash(bytes([byte]) * 32) for byte in range(3)
        ).hex(),
    }


def notes() -> dict[str, str]:
    key = CheckpointKey("handlog/riverside", SECRET)
    root = root_of([leaf_hash(bytes.fromhex(records()["record hash"]))])
    signed = key.sign(Checkpoint("handlog/riverside/0123456789abcdef/0", 1, root), 1_800_000_000)
    text, _, lines = signed.note.partition("\n\n")
    plain, timed = lines.splitlines()
    public, public_timed = key.public.to_text().splitlines()
    return {
        "public key": public,
        "public key, timed": public_timed,
        "text": " | ".join(text.split("\n")),
        "plain line, of that text": plain,
        "timed line, at 1800000000": timed,
    }


def keys() -> dict[str, str]:
    room = RoomKeys("riverside", [ROOM_KEY])
    return {
        "room key id": keyfile.key_id(ROOM_KEY).hex(),
        "deck key": room.key(room.current, HAND, "deck").hex(),
        "seat 1 key": room.key(room.current, HAND, "seat 1").hex(),
        "box of card 50 at index 3, seat 1, salt 16 times 07, nonce 12 times 09": boxes.seal_card(
            room, HAND, 1, 3, 50, b"\x07" * 16, b"\x09" * 12
        ),
    }


def decks() -> dict[str, str]:
    order = shuffled(SEED, HAND, range(8))
    fresh = salts(SEED, HAND, 9)
    return {
        "order of cards 0 to 7, first index 0": " ".join(map(str, order)),
        "first salt": fresh[0].hex(),
        "commitment to those 8 cards": commitment.root(order, fresh, SEED),
    }


def test_the_examples_are_what_the_code_makes() -> None:
    computed = {**records(), **notes(), **keys(), **decks()}
    written = [line.removeprefix("    example: ") for line in PAGE.splitlines() if line.startswith("    example: ")]
    assert written == [f"{name} {value}" for name, value in computed.items()]


def test_the_independent_verifier_makes_the_same_of_them() -> None:
    """It was written from the page: so the page's words and its examples mean the same."""
    made, said = records(), notes()
    record = independent_verifier.read_record(f"{made['header']}\n{made['body']}".encode())
    assert record.hash.hex() == made["record hash"]
    assert independent_verifier.said_in(record) == canonical.decode(made["body"].encode())
    assert independent_verifier.root_of([bytes([byte]) * 32 for byte in range(3)]).hex() in PAGE
    key = independent_verifier.read_key(f"{said['public key']}\n{said['public key, timed']}\n")
    lines = [*said["text"].split(" | "), "", said["plain line, of that text"], said["timed line, at 1800000000"], ""]
    (note,) = independent_verifier.read_notes("\n".join(lines).encode(), key)
    assert (note.size, note.time) == (1, 1_800_000_000)


VERIFIER = ROOT / "tests" / "evidence" / "independent_verifier.py"


def test_the_independent_verifier_is_small() -> None:
    """Comments counted, blank lines not."""
    assert sum(1 for line in VERIFIER.read_text().splitlines() if line) < 200


def test_the_independent_verifier_imports_nothing_of_ours() -> None:
    allowed = {*sys.stdlib_module_names, "cryptography"}
    nodes = list(ast.walk(ast.parse(VERIFIER.read_text())))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= allowed
    assert not [node for node in nodes if isinstance(node, ast.Name) and node.id in {"__import__", "exec", "eval"}]
