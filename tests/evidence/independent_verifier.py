"""Checks Handlog's evidence as deploy/FORMAT.md describes it, with nothing of Handlog.

    python independent_verifier.py log FILE CHECKPOINTS PUBLIC-KEY [--seen FILE] [--not-older-than SECONDS]
    python independent_verifier.py hand BUNDLE PUBLIC-KEY
"""

import argparse
import hmac
import json
import re
import time
from base64 import b64decode, b64encode, urlsafe_b64decode
from collections import Counter, namedtuple
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, aead, algorithms

NUMBER, DIGEST = rb"(0|[1-9][0-9]{0,15})", rb"([0-9a-f]{64})"
HEADER = re.compile(rb"HL1 ([a-z0-9-]{1,40}) %b %b %b %b %b\n" % (NUMBER, NUMBER, NUMBER, DIGEST, DIGEST)).match
COMMAND = {"id": str, "name": str, "rev": int, "args": dict, "by": str, "cause": str}
EVENT = {"stream": str, "version": int, "type": str, "rev": int, "data": dict}
Record = namedtuple("Record", "room shard height epoch prev digest hash body")
Note = namedtuple("Note", "origin size root time note")
Found = namedtuple("Found", "shard low high what")


class Wrong(ValueError):
    """Evidence that isn't what it should be."""


def check(so, what):
    if not so:
        raise Wrong(what)


def parsed(raw):
    match = HEADER(raw)
    check(match, "its header hasn't the form")
    return Record(match[1].decode(), *map(int, match.group(2, 3, 4)), match[5].decode(), match[6].decode(),
                  sha256(raw[: match.end() - 1]).hexdigest(), raw[match.end() :])  # fmt: skip


def said_in(body):
    """The value of a body, if it is one in canonical JSON."""
    try:
        said = json.loads(body.decode(), parse_int=whole, parse_float=whole, parse_constant=whole)
        check(json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() == body, "spelling")
        check(keys_are_ascii(said), "a key that isn't ASCII")
    except (ValueError, RecursionError) as error:
        raise Wrong(f"its body isn't canonical JSON: {error}") from error
    check(type(said) is dict and type(said.get("at")) is int and type(said.get("events")) is list, "no body")
    for parts, value in [(COMMAND, said.get("command")), *((EVENT, event) for event in said["events"])]:
        check(type(value) is dict and all(type(value.get(name)) is kind for name, kind in parts.items()), "no body")
    return said


def whole(text):
    check(abs(int(text)) < 2**53, f"{text} is too large")
    return int(text)


def keys_are_ascii(value):
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (not isinstance(value, dict) or all(map(str.isascii, value))) and all(map(keys_are_ascii, parts))


def node(left, right):
    return sha256(b"\1" + left + right).digest()


def root_of(leaves):
    """The root over the data of leaves."""
    if len(leaves) < 2:
        return sha256(b"\0" + leaves[0] if leaves else b"").digest()
    middle = 1 << (len(leaves) - 1).bit_length() - 1
    return node(root_of(leaves[:middle]), root_of(leaves[middle:]))


def root_from(data, index, size, path):
    """The root to which an audit path leads; None where it leads nowhere."""
    if size == 1 or not path or not 0 <= index < size:
        return sha256(b"\0" + data).digest() if size == 1 and not path and index == 0 else None
    middle = 1 << (size - 1).bit_length() - 1
    if index < middle:
        below = root_from(data, index, middle, path[:-1])
        return below and node(below, path[-1])
    below = root_from(data, index - middle, size - middle, path[:-1])
    return below and node(path[-1], below)


def exact(text):
    data = b64decode(text, validate=True)
    check(b64encode(data).decode() == text, "base64 in another spelling")
    return data


def read_key(text):
    """(name, public key) of a public key file."""
    lines = [re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+(\S+)", line) for line in text.split("\n")[:-1]]
    keys = [(line[1], exact(line[3])[1:]) for line in lines if line and key_id(line[1], exact(line[3])) == line[2]]
    check(len(lines) == 2 and len(keys) == 2 and keys[0] == keys[1], "no public key")
    return keys[0]


def key_id(name, data):
    return sha256(name.encode() + b"\n" + data).hexdigest()[:8]


def read_notes(data, key):
    notes, end = [], 0
    for match in re.finditer("((?:.+\n)+)\n((?:— .+\n)+)", text := data.decode()):
        check(match.start() == end, f"no note after byte {end}")
        notes.append(opened_note(match[0], match[1], match[2], key))
        end = match.end()
    check(end == len(text), "the last note isn't whole")
    return notes


def opened_note(note, text, lines, key):
    try:
        check(not re.search("[\0-\x09\x0b-\x1f]", note), "a control character")
        (origin, size, root, *_), name = text.split("\n"), key[0]
        check(re.fullmatch("0|[1-9][0-9]{0,15}", size) and len(exact(root)) == 32, "its size or root")
        signed = [(by, exact(data)) for _, by, data in (line.split(" ") for line in lines.split("\n")[:-1])]
        ids = [bytes.fromhex(key_id(name, kind + key[1])) for kind in (b"\1", b"\4")]
        (plain,), (timed,) = ([data[4:] for by, data in signed if by == name and data[:4] == id_] for id_ in ids)
        when = int.from_bytes(timed[:8], "big")
        Ed25519PublicKey.from_public_bytes(key[1]).verify(plain, text.encode())
        timed_text = f"cosignature/v1\ntime {when}\n{text}"
        Ed25519PublicKey.from_public_bytes(key[1]).verify(timed[8:], timed_text.encode())
    except (ValueError, InvalidSignature) as error:
        raise Wrong(f"a checkpoint isn't signed by {key[0]}: {error!r}") from error
    return Note(origin, int(size), exact(root), when, note)


class Shard:
    """What was accepted of one shard."""

    def __init__(self, number):
        self.number, self.last, self.leaves, self.at, self.void, self.origin = number, None, [], 0, False, None
        self.versions, self.stated = {}, None

    def accept(self, raw, room, streams):
        """Take a record; the faults of what it says. Raises Wrong where it is void."""
        record = parsed(raw)
        before, height, epoch = (self.last.hash, self.last.height, self.last.epoch) if self.last else ("0" * 64, -1, -1)
        check((record.room, record.shard) == (room, self.number), "of another room or shard")
        check((record.prev, record.height) == (before, height + 1), "it doesn't follow the last one")
        check(record.epoch in (epoch, epoch + 1), "its epoch")
        check(sha256(record.body).hexdigest() == record.digest, "its body hasn't the digest")
        self.last, self.void = record, False
        self.leaves.append(bytes.fromhex(record.hash))
        try:
            said = said_in(record.body)
        except Wrong as error:
            return [str(error)]
        faults = [] if record.height or self.opens(record, said["events"]) else ["it doesn't open the shard"]
        faults += ["time runs back"] if said["at"] < self.at else []
        self.at = max(self.at, said["at"])
        for event in said["events"]:
            stream, version = event["stream"], event["version"]
            first = 0 if stream.startswith("opaque:") and version == 0 else 1
            dense = version == self.versions.get(stream, first - 1) + 1
            faults += [] if dense else [f"{stream} has no version before {version}"]
            faults += [] if streams.setdefault(stream, self.number) == self.number else [f"{stream} in two shards"]
            self.versions[stream] = version
        return faults

    def opens(self, record, events):
        data = events[0]["data"] if events and events[0]["type"] == "shard.opened" else {}
        self.stated = (data.get("room_id"), data.get("shards"))
        self.origin = f"handlog/{record.room}/{data.get('room_id')}/{record.shard}" if data else None
        return len(events) == 1 and (data.get("room"), data.get("shard")) == (record.room, record.shard)
