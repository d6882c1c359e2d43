"""Ways to tamper with an exported log and its checkpoints, and what must be found of each."""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from services.eventlog import canonical
from services.eventlog.commit import GENESIS, Head, Record, parse, seal
from services.evidence.note import Signed
from tests.evidence.histories import ROOM, History


class Place(NamedTuple):
    """Where something is wrong: between two heights of a shard, both included."""

    shard: int
    low: int
    high: int


class Case(NamedTuple):
    """A tampered file with what is offered of checkpoints. `places`: all of them must be named; none: it is sound.
    `others`: whether more shards may be named, because the change stands between two of them."""

    data: bytes
    signed: list[Signed]
    places: list[Place]
    others: bool = False


class Book:
    """A history, taken apart."""

    def __init__(self, history: History) -> None:
        lines = history.data.splitlines(keepends=True)
        self.history, self.data, self.signed = history, history.data, history.signed
        self.shards: list[list[Record]] = []
        for header, body in zip(lines[::2], lines[1::2], strict=True):
            record = parse((header + body).removesuffix(b"\n"))
            if record.height == 0:
                self.shards.append([])
            self.shards[record.shard].append(record)
        self.sizes = [
            sorted({one.checkpoint.size for one in self.signed if one.checkpoint.origin.endswith(f"/{shard}")})
            for shard in range(len(self.shards))
        ]

    def newest(self, shard: int) -> int:
        """The size of the shard's newest checkpoint."""
        return self.sizes[shard][-1]

    def between(self, shard: int, height: int) -> list[Place]:
        """The two checkpoints between which a change of that height lies; none where it isn't signed yet."""
        after = bisect_right(self.sizes[shard], height)
        if after == len(self.sizes[shard]):
            return []
        return [Place(shard, self.sizes[shard][after - 1] if after else 0, self.sizes[shard][after] - 1)]

    def written(self, shards: list[list[bytes]]) -> bytes:
        return b"".join(raw + b"\n" for shard in shards for raw in shard)

    def raws(self) -> list[list[bytes]]:
        return [[record.raw for record in shard] for shard in self.shards]

    def places_of_bytes(self) -> Iterator[tuple[int, int, int, int]]:
        """(first byte, shard, height, length with LF) of each record in the file."""
        at = 0
        for shard in self.shards:
            for record in shard:
                length = len(record.raw) + 1
                yield at, record.shard, record.height, length
                at += length

    def of(self, shard: int, signed: list[Signed] | None = None) -> list[Signed]:
        some = self.signed if signed is None else signed
        return [one for one in some if one.checkpoint.origin.endswith(f"/{shard}")]


def resealed(shard: int, bodies: list[bytes], head: Head = GENESIS, epochs: list[int] | None = None) -> list[bytes]:
    """A chain over these bodies, as sound as any."""
    raws = []
    for place, body in enumerate(bodies):
        raw, head = seal(ROOM, shard, head, body, epochs[place] if epochs else None)
        raws.append(raw)
    return raws


Tamper = Callable[[Book, Random], Case]


def a_shard(book: Book, random: Random) -> int:
    return random.randrange(len(book.shards))


def a_commit(book: Book, random: Random, *, signed: bool = False, first: int = 0) -> tuple[int, int]:
    """A shard and a height there."""
    shard = a_shard(book, random)
    return shard, random.randrange(first, book.newest(shard) if signed else len(book.shards[shard]))


def flipped_byte(book: Book, random: Random) -> Case:
    """Any byte, to any other. What it meant is known by its record, but for two kinds: an epoch that became one more,
    which is a claim, shows in the next record's link; and the edge of two shards may be seen from both."""
    at = random.randrange(len(book.data))
    byte = random.choice([other for other in range(256) if other != book.data[at]])
    data = book.data[:at] + bytes([byte]) + book.data[at + 1 :]
    begin, shard, height, length = max(one for one in book.places_of_bytes() if one[0] <= at)
    last = height == len(book.shards[shard]) - 1
    if at - begin < 200 and data[begin:at].count(b" ") == 4 and byte == ord("1") and book.data[at] == ord("0"):
        return Case(data, book.signed, [] if last else [Place(shard, height + 1, height + 1)])
    return Case(
        data, book.signed, [Place(shard, height, height)], others=height == 0 or (last and at == begin + length - 1)
    )


def removed(book: Book, random: Random) -> Case:
    """One commit or several in a row, from among those before others."""
    shard = a_shard(book, random)
    height = random.randrange(len(book.shards[shard]) - 1)
    until = random.randint(height + 1, min(height + 3, len(book.shards[shard]) - 1))
    raws = book.raws()
    del raws[shard][height:until]
    return Case(book.written(raws), book.signed, [Place(shard, height, height)], others=height == 0)


def swapped(book: Book, random: Random) -> Case:
    shard = a_shard(book, random)
    one, other = sorted(random.sample(range(len(book.shards[shard])), 2))
    raws = book.raws()
    raws[shard][one], raws[shard][other] = raws[shard][other], raws[shard][one]
    return Case(book.written(raws), book.signed, [Place(shard, one, one)], others=one == 0)


def doubled(book: Book, random: Random) -> Case:
    """A commit that stands a second time, anywhere after it."""
    shard, height = a_commit(book, random)
    again = random.randint(height + 1, len(book.shards[shard]))
    raws = book.raws()
    raws[shard].insert(again, raws[shard][height])
    return Case(book.written(raws), book.signed, [Place(shard, again, again)])


def inserted(book: Book, random: Random) -> Case:
    """A commit of any shard, or one that links well and isn't the next one's past."""
    shard, height = a_commit(book, random, first=1)
    from_shard, from_height = a_commit(book, random, first=1)
    raws = book.raws()
    raw = raws[from_shard][from_height]
    if random.randrange(2) and height < len(raws[shard]) - 1:
        raw, _ = seal(ROOM, shard, book.shards[shard][height - 1].head, book.shards[from_shard][from_height].body)
        if raw != raws[shard][height]:
            raws[shard].insert(height, raw)
            # It is accepted, and what was there before it came isn't any more; it may say what can't be there.
            return Case(book.written(raws), book.signed, [Place(shard, height + 1, height + 1)], others=True)
    if (from_shard, from_height) == (shard, height):
        return doubled(book, random)
    raws[shard].insert(height, raw)
    return Case(book.written(raws), book.signed, [Place(shard, height, height)], others=from_shard > shard)


def cut_tail(book: Book, random: Random) -> Case:
    """The end of one shard or several, before the newest checkpoint."""
    raws, places = book.raws(), []
    for shard in random.sample(range(len(raws)), random.randint(1, len(raws))):
        size = random.randrange(1, book.newest(shard))
        del raws[shard][size:]
        places.append(Place(shard, size, book.newest(shard) - 1))
    return Case(book.written(raws), book.signed, places)


def cut_after_the_newest(book: Book, random: Random) -> Case:
    """What no checkpoint covers yet is held by nothing: cutting it off can't be seen."""
    raws = book.raws()
    for shard, records in enumerate(raws):
        del records[random.randint(book.newest(shard), len(records)) :]
    return Case(book.written(raws), book.signed, [])


def without_a_shard(book: Book, random: Random) -> Case:
    raws = book.raws()
    gone = random.sample(range(len(raws)), random.randint(1, len(raws) - 1))
    left = [shard if number not in gone else [] for number, shard in enumerate(raws)]
    return Case(book.written(left), book.signed, [Place(shard, 0, 0) for shard in gone])


def rewritten(book: Book, random: Random) -> Case:
    """One commit's body changed, and all after it sealed anew: from anywhere, or from the very first on."""
    shard, height = a_commit(book, random, signed=True)
    bodies = [record.body for record in book.shards[shard]]
    body = canonical.decode(bodies[height])
    body["at"] += 1 if random.randrange(4) else -1
    body["command"]["by"] += "x"
    bodies[height] = canonical.encode(body)
    return _sealed_anew(book, shard, bodies, height)


def rewritten_in_full(book: Book, random: Random) -> Case:
    """Every shard from its first commit on, with another time."""
    raws, by = book.raws(), random.randint(1, 1000)
    for shard, records in enumerate(book.shards):
        bodies = [canonical.decode(record.body) for record in records]
        raws[shard] = resealed(shard, [canonical.encode(body | {"at": body["at"] + by}) for body in bodies])
    return Case(
        book.written(raws), book.signed, [place for shard in range(len(raws)) for place in book.between(shard, 0)]
    )


def edited_with_a_new_chain(book: Book, random: Random) -> Case:
    """A commit removed, put in, or two swapped, and the chain made anew."""
    shard, height = a_commit(book, random, signed=True)
    bodies = [record.body for record in book.shards[shard]]
    match random.randrange(3):
        case 0 if height < len(bodies) - 1:
            del bodies[height]
        case 1 if height < book.newest(shard) - 1:
            bodies[height], bodies[height + 1] = bodies[height + 1], bodies[height]
        case _:
            bodies.insert(height, bodies[random.randrange(len(bodies))])
            if bodies[height] == bodies[height + 1]:  # the next ones are pushed on
                height += 1
                while bodies[height] == book.shards[shard][height].body:
                    height += 1
    return _sealed_anew(book, shard, bodies, height)


def void_as_accepted(book: Book, random: Random) -> Case:
    """A record that the chain's rule refuses stands in the place of an accepted one, and the rest goes on from it."""
    shard, height = a_commit(book, random, first=1)
    records = book.shards[shard]
    before = records[height - 1].head
    raw = _void(book, records[height], before, random)
    bodies = [record.body for record in records[height + 1 :]]
    try:
        follows = parse(raw).head
    except ValueError:
        follows = records[height].head
    raws = book.raws()
    raws[shard][height:] = [raw, *resealed(shard, bodies, follows._replace(height=height))]
    return Case(book.written(raws), book.signed, [Place(shard, height, height)])


def void_beside(book: Book, random: Random) -> Case:
    """The same, but the accepted records are all there: a void one stands among them, as in a topic."""
    shard, height = a_commit(book, random, first=1)
    raws, records = book.raws(), book.shards[shard]
    raws[shard].insert(height, _void(book, records[height], records[height - 1].head, random))
    return Case(book.written(raws), book.signed, [Place(shard, height, height)])


def _void(book: Book, record: Record, before: Head, random: Random) -> bytes:
    shard, body = record.shard, record.body
    match random.randrange(7):
        case 0:  # an epoch too far
            return seal(ROOM, shard, before, body, before.epoch + 2)[0]
        case 1:  # the epoch before
            return record.raw.replace(b" 0 " + record.prev.encode(), b" 9 " + record.prev.encode())
        case 2:  # a writer that didn't know the last commit
            return seal(ROOM, shard, before._replace(hash="0" * 64), body)[0]
        case 3:  # another height
            return seal(ROOM, shard, before._replace(height=before.height + 1), body)[0]
        case 4:  # another body than the header says
            return record.raw + b" "
        case 5:  # another spelling
            return record.raw.replace(b" 0 " + record.prev.encode(), b" 00 " + record.prev.encode())
        case _:  # another room
            return seal("lakeside", shard, before, body)[0]


def changed_result(book: Book, random: Random) -> Case:
    """A hand's winner gets less, another more, and the chain is made anew."""
    settled = [
        (record.shard, record.height)
        for shard in book.shards
        for record in shard[: book.newest(shard[0].shard)]
        if b'"hand.settled"' in record.body
    ]
    shard, height = random.choice(settled)
    bodies = [record.body for record in book.shards[shard]]
    body = canonical.decode(bodies[height])
    for event in body["events"]:
        if event["type"] == "hand.settled":
            event["data"]["stacks"][0] += 1
            event["data"]["stacks"][1] -= 1
    bodies[height] = canonical.encode(body)
    return _sealed_anew(book, shard, bodies, height)


def _sealed_anew(book: Book, shard: int, bodies: list[bytes], height: int) -> Case:
    raws = book.raws()
    raws[shard] = resealed(shard, bodies)
    # Where only the unsigned end is another one, it is a decision that was recorded before: its versions say so.
    places = book.between(shard, height) or [Place(shard, height, height)]
    return Case(book.written(raws), book.signed, places)


def old_as_newest(book: Book, random: Random) -> tuple[Case, list[Signed]]:
    """The log of a shard cut off at an older checkpoint, and the later ones held back: alone it can't be found.
    Beside the case, what an auditor kept who had seen the newest."""
    shard = a_shard(book, random)
    size = random.choice(book.sizes[shard][:-1])
    raws = book.raws()
    del raws[shard][size:]
    own = book.of(shard)
    offered = [one for one in book.signed if one not in own or one.checkpoint.size <= size]
    return Case(book.written(raws), offered, [Place(shard, size, book.newest(shard) - 1)]), own[-1:]


LOG: dict[Tamper, int] = {
    flipped_byte: 12,
    removed: 2,
    swapped: 2,
    doubled: 2,
    inserted: 2,
    cut_tail: 2,
    cut_after_the_newest: 1,
    without_a_shard: 1,
    rewritten: 2,
    rewritten_in_full: 1,
    edited_with_a_new_chain: 2,
    void_as_accepted: 2,
    void_beside: 2,
    changed_result: 1,
}
"""The ways, and how often each is tried, in relation to the others."""
