"""Checks Handlog's evidence as deploy/FORMAT.md describes it, with nothing of Handlog; numbers are its sections."""
# mypy: disable-error-code="call-arg, arg-type, var-annotated"

import hmac
import json
import re
import sys
from base64 import b64decode, b64encode, urlsafe_b64decode
from collections import namedtuple
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, aead, algorithms

NUMBER, DIGEST, SAFE = rb"(0|[1-9][0-9]{0,15})", rb"([0-9a-f]{64})", range(1 - 2**53, 2**53)
HEADER = re.compile(rb"HL1 ([a-z0-9-]{1,40}) %b %b %b %b %b\n" % (NUMBER, NUMBER, NUMBER, DIGEST, DIGEST)).match
WRONG = AttributeError, LookupError, OverflowError, RecursionError, TypeError, ValueError, InvalidSignature, InvalidTag
Record = namedtuple("Record", "room prev digest shard height epoch hash body")
Note = namedtuple("Note", "note origin size root time")


def check(is_so, what):
    if not is_so:
        raise ValueError(what)


def read_record(raw):  # 1
    if not (match := HEADER(raw)):
        return None
    texts, numbers = map(bytes.decode, match.group(1, 5, 6)), map(int, match.group(2, 3, 4))
    return Record(*texts, *numbers, sha256(raw[: match.end() - 1]).digest(), raw[match.end() :])


def said_in(record):  # 2
    how = {"parse_int": lambda text: SAFE[SAFE.index(int(text))], "parse_float": int, "parse_constant": int}
    how["object_pairs_hook"] = lambda pairs: {name.encode("ascii").decode(): value for name, value in pairs}
    said = json.loads(record.body.decode(), **how)
    again = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    check(again == record.body, "the body isn't canonical JSON")
    return said


def root_of(leaves):  # 4
    if len(leaves) < 2:
        return sha256(b"".join(b"\0" + leaf for leaf in leaves)).digest()
    middle = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1" + root_of(leaves[:middle]) + root_of(leaves[middle:])).digest()


def root_from(leaf, index, size, path):
    check(type(path) is list, "a path is a list")
    if not path or not 0 <= index < size > 1:
        return sha256(b"\0" + leaf).digest() if (index, size, len(path)) == (0, 1, 0) else None
    middle, last = 1 << (size - 1).bit_length() - 1, exact(path[-1], bytes.fromhex, bytes.hex)
    below = root_from(leaf, index % middle, middle if index < middle else size - middle, path[:-1])
    return below and sha256(b"\1" + (below + last if index < middle else last + below)).digest()


def exact(text, read=b64decode, write=lambda data: b64encode(data).decode()):
    check(write(data := read(text)) == text, "another spelling of these bytes")
    return data


def read_key(text):  # 5
    name, key = text.split("+")[0], exact(text.split("\n")[0].split("+", 2)[2])[1:]
    ids = [sha256(name.encode() + b"\n" + kind + key).digest()[:4] for kind in (b"\1", b"\4")]
    return name, ids, Ed25519PublicKey.from_public_bytes(key)


def read_notes(data, key):
    notes, text = [], data.decode()
    for match in re.finditer("((?:.+\n)+)\n((?:— .+\n)+)", text):
        lines = [(by, exact(data)) for _, by, data in (line.split(" ") for line in match[2].split("\n")[:-1])]
        (plain,), (timed,) = ([data[4:] for by, data in lines if (by, data[:4]) == (key[0], id_)] for id_ in key[1])
        origin, size, root, *_ = match[1].split("\n")[:-1]
        check(re.fullmatch("0|[1-9][0-9]{0,15}", size) and len(exact(root)) == 32, "no size or root")
        check(not re.search("[\0-\x09\x0b-\x1f]", match[0]), "a control character")
        notes.append(Note(match[0], origin, int(size), exact(root), int.from_bytes(timed[:8], "big")))
        key[2].verify(plain, match[1].encode())
        key[2].verify(timed[8:], f"cosignature/v1\ntime {notes[-1].time}\n{match[1]}".encode())
    check("".join(note.note for note in notes) == text, "what stands there isn't all whole notes")
    return notes


class Shard:
    def __init__(self):
        self.records, self.at, self.is_void, self.opened = [], 0, False, {}

    def take(self, record, room, number, versions):
        last = self.records[-1] if self.records else Record("", "", "", 0, -1, -1, bytes(32), b"")  # 1
        check(record and (record.room, record.shard) == (room, number), "no record of this room and shard")
        follows = (record.prev, record.height) == (last.hash.hex(), last.height + 1)
        check(follows and record.epoch - last.epoch in (0, 1), "it doesn't follow the last one")
        check(sha256(record.body).hexdigest() == record.digest, "its body isn't the header's")
        self.records.append(record)
        said, wrong = said_in(record), []  # 2
        for stream, version in [(event["stream"], event["version"]) for event in said["events"]]:
            shard, last = versions.get(stream, (number, -1 if version == 0 and stream.startswith("opaque:") else 0))
            versions[stream] = number, version
            wrong += [] if (shard, last + 1) == (number, version) else [f"{stream}, {version}: {last} in shard {shard}"]
        check(said["at"] >= self.at and not wrong, f"time runs back, or these versions aren't the next: {wrong}")
        self.at = said["at"]
        if record.height == 0:
            ((kind, data),) = [(event["type"], event["data"]) for event in said["events"]]
            check((kind, data["room"], data["shard"]) == ("shard.opened", room, number), "it opens something else")
            self.opened = data

    def compare(self, notes, kept, not_before):  # 9
        leaves, roots = [record.hash for record in self.records], {(note.size, note.root) for note in notes + kept}
        size, sizes, last = len(leaves), [at for at, _ in roots], max(len(leaves) - 1, 0)
        ours = {at for at, root in roots if at <= size and root_of(leaves[:at]) == root}
        others = {at for at, root in roots if at <= size and root_of(leaves[:at]) != root}
        agreed, newest = max(ours, default=0), max((note.time for note in notes), default=0)
        if forks := {at for at in others if at <= agreed} | {at for at in sizes if sizes.count(at) > 1}:
            yield max((at for at in ours if at < min(forks)), default=0), min(forks) - 1, "two histories were signed"
        if changed := {at for at in others if at > agreed}:
            yield agreed, min(changed) - 1, "a commit was changed, removed or added"
        if max(sizes, default=0) > size:
            yield size, max(sizes) - 1, "commits are missing"
        if newest < max([not_before, *(note.time for note in kept)]):
            yield last, last, "an old checkpoint is offered as the newest"


def check_log(data, notes, seen=(), not_before=0):  # 3, 9; what is wrong: (shard, from height, to height, what)
    found, versions, shards, turn, room, ends = [], {}, {}, 0, "", data.endswith(b"\n")
    raws = re.findall(rb"([^\n]*(?:\n(?!HL1 )[^\n]*)?)(?:\n|\Z)", data)[: -1 if ends else None]
    for record, after in pairwise(map(read_record, [*raws, b""])):
        before = [one.hash.hex() for one in shards.get(turn, Shard()).records[-1:]]
        if record and record.shard > turn and before != [record.prev]:
            stays = after and after.shard < record.shard and (record.height or before == [after.prev])
            turn = turn if stays else record.shard
        room, shard = room or (record.room if record else ""), shards.setdefault(turn, Shard())
        height, was_void = len(shard.records), shard.is_void
        try:
            shard.take(record, room, turn, versions)
        except WRONG as error:
            found += [] if was_void and len(shard.records) == height else [(turn, height, height, str(error))]
        shard.is_void = len(shard.records) == height
    found += [] if ends else [(turn, height, height, "the file ends within a record")]
    opened = {number: shard.opened for number, shard in sorted(shards.items()) if shard.opened}
    log = next(iter(opened.values()), {"shards": max(shards) + 1})
    ours = {at for at in shards if all(opened.get(at, log).get(one) == log.get(one) for one in ("room_id", "shards"))}
    found += [(at, 0, 0, "no shard of this log stands here") for at in {*shards, *range(log["shards"])} - ours]
    origins = {f"handlog/{room}/{data['room_id']}/{number}": number for number, data in opened.items()}
    for origin in {note.origin for note in [*notes, *seen]} - origins.keys():
        found += [(int("0" + "".join(re.findall("/([0-9]{1,4})$", origin))), 0, 0, f"nothing of {origin} is here")]
    for origin, number in origins.items():
        offered, kept = ([note for note in some if note.origin == origin] for some in (notes, seen))
        found += [(number, *fault) for fault in shards[number].compare(offered, kept, not_before)]
    return found


def check_hand(bundle, key):  # 8; raises one of WRONG for what is wrong with a bundle
    (note,), room, hand, facts = read_notes(bundle["checkpoint"].encode(), key), bundle["room"], bundle["hand"], []
    check(bundle["format"] == "handlog-hand-1" and type(bundle["commits"]) is type(bundle["cards"]) is list, "format")
    check(re.fullmatch("[a-z0-9]{1,32}-[0-9]{1,12}", hand), "this names no hand")
    own, (named, of, _, shard) = (f"hand:{hand}", f"audit:{hand}"), note.origin.split("/")
    for one in bundle["commits"]:
        record = read_record(one["record"].encode())
        check((named, of, shard, room) == ("handlog", record.room, str(record.shard), record.room), "another log")
        check(sha256(record.body).hexdigest() == record.digest, "its body isn't the header's")
        check(root_from(record.hash, record.height, note.size, one["proof"]) == note.root, "not in what was signed")
        events = [event for event in said_in(record)["events"] if event["stream"] in own]
        check(events and (facts or (events[0]["stream"], events[0]["type"]) == (own[0], "hand.opened")), "another hand")
        facts += events
    for versions in ([event["version"] for event in facts if event["stream"] == stream] for stream in own):
        check(facts and versions == list(range(1, len(versions) + 1)), "the hand isn't whole")
    keys = {"format": "handlog-hand-keys-1", "room": room, "hand": hand, "keys": {}}
    check(bundle["keys"] is None or keys | {"keys": bundle["keys"]["keys"]} == bundle["keys"], "another's keys")
    check_cards(room, hand, (bundle["keys"] or keys)["keys"], [event["data"] for event in facts], bundle["cards"])


def check_cards(room, hand, keys, facts, paths):  # 6, 7
    def opened(box, purpose, kind, seat, index):
        data = urlsafe_b64decode(box + "=" * (-len(box) % 4))
        place = f"handlog/1\n{kind}\n{room}\n{hand}\n{seat}\n{index}".encode()
        return aead.AESGCM(bytes.fromhex(keys[data[:8].hex()][purpose])).decrypt(data[8:20], data[20:], place)

    def stream(seed, label, count):
        key = hmac.digest(seed, f"handlog/1\n{label}\n{hand}\n{first}".encode(), "sha256")
        return Cipher(algorithms.ChaCha20(key, bytes(16)), None).encryptor().update(bytes(count))

    pairs = [pair for some in keys.values() for pair in some.items()]
    given, lying, dealt, decks, first = {purpose for purpose, _ in pairs}, {}, {}, {}, 0
    known = re.compile("[0-9a-f]{16}|(deck|seat [1-9][0-9]?) [0-9a-f]{64}").fullmatch
    check(all(map(known, [*keys, *map(" ".join, pairs)])), "a key for nothing known")
    for data in facts:
        deck, kind = data.get("deck", data.get("cards")), "reshuffle" if first else "deck"
        size = deck["size"] if isinstance(deck, dict) else 0
        decks |= dict.fromkeys(range(first, first + size), (first, deck))
        if size and "deck" in given:
            plain = opened(deck["box"], "deck", kind, 0, first)
            seed, order = plain[:32], sorted({*plain[32:]} & {*range(52)})
            salts = stream(seed, "salts", 16 * len(plain))
            drawn = iter(stream(seed, kind, 4096))
            for place in range(len(order) - 1, 0, -1):
                other = next(byte for byte in drawn if byte < 256 - 256 % (place + 1)) % (place + 1)
                order[place], order[other] = order[other], order[place]
            cards = [(first + at).to_bytes(2) + bytes([card]) + salts[16 * at :][:16] for at, card in enumerate(order)]
            found = bytes(order), len(order), root_of([*cards, seed + salts[16 * len(order) :][:16]]).hex()
            check(found == (plain[32:], size, deck["root"]), "another deck than the one that was fixed")
            lying |= enumerate(cards, first)
        first += size
        for index, card in zip(data.get("indices", ()), deck if isinstance(deck, list) else (), strict=False):
            if isinstance(card, int):
                dealt[index] = index.to_bytes(2) + bytes([card])
            elif (purpose := f"seat {data['seat']}") in given:
                dealt[index] = index.to_bytes(2) + opened(card, purpose, "card", data["seat"], index)
    check(all(lying.get(at, leaf).startswith(leaf) for at, leaf in dealt.items()), "another card than the deck has")
    for path in paths:
        index, card, size = numbers = path["index"], path["card"], path["size"]
        check({*map(type, numbers)} == {int}, "no numbers")
        (first, deck), salt = decks.pop(index), exact(path["salt"], bytes.fromhex, bytes.hex)
        leaf = index.to_bytes(2) + bytes([card]) + salt
        root = root_from(leaf, index - first, size, path["path"])
        right = leaf.startswith(dealt[index]), size, root and root.hex()
        check(right == (True, deck["size"] + 1, deck["root"]), "it didn't lie there")


if __name__ == "__main__":  # log FILE CHECKPOINTS [SEEN] PUBLIC-KEY, or hand BUNDLE PUBLIC-KEY: prints what is wrong
    data, *rest, public = [Path(path).read_bytes() for path in sys.argv[2:]]
    try:
        by = read_key(public.decode())
        is_log, notes = sys.argv[1] == "log", [read_notes(file, by) for file in rest]
        wrong = check_log(data, *notes) if is_log else check_hand(json.loads(data), by)
    except WRONG as error:
        wrong = [repr(error)]
    print(*wrong or (), sep="\n")
    sys.exit(bool(wrong))
