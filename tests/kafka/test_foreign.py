"""What others put into the partition: void or stop as the chain says, counted and told, and the log goes on."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from services.eventlog import body
from services.eventlog.commit import GENESIS, LIMIT, Head, Record
from services.eventlog.log import Append, AppendUnknown, CorruptLog, Entry, Touch
from services.eventlog.sqlite_log import SqliteLog
from services.eventlog.verify import verify_log
from services.rulings import check_known
from services.soundness import verify_home
from tests.contract.logs import AT, command
from tests.kafka.rooms import KafkaRoom, hashes, sealed, table, tables

Foreign = Callable[[KafkaRoom, Head], bytes | None]
"""A record to put in by hand, where the log stands at this head."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("foreign")


@pytest.fixture
def room(folder: Path) -> Iterator[KafkaRoom]:
    with KafkaRoom(folder) as made:
        yield made


# --- void ------------------------------------------------------------------------------------------------------------


def _next(room: KafkaRoom, head: Head, **how: int) -> bytes:
    """The record that would count next, but for what is done to it."""
    return sealed(room, head, table(head.height + 2, at=AT + 1), **how)[0]


VOID: dict[str, tuple[Foreign, str]] = {
    "rubbish": (lambda room, head: b"\xff\x00rubbish", "isn't of the form HL1"),
    "empty": (lambda room, head: b"", "isn't of the form HL1: b''"),
    "a tombstone": (lambda room, head: None, "isn't of the form HL1: b''"),
    "torn": (lambda room, head: _next(room, head)[:-3], "its body hasn't the digest"),
    "torn in its header": (lambda room, head: _next(room, head)[:40], "isn't of the form HL1"),
    "a wrong digest": (lambda room, head: _next(room, head).replace(b'"n":', b'"m":'), "its body hasn't the digest"),
    "of another format": (lambda room, head: _next(room, head).replace(b"HL1", b"HL2"), "isn't of the form HL1"),
    "of another room": (
        lambda room, head: _next(room, head).replace(room.name.encode(), b"lakeside"),
        "it is a record of room lakeside",
    ),
    "of another shard": (lambda room, head: _next(room, head, shard=1), "it is a record of shard 1"),
    "a duplicate": (lambda room, head: room.log.record(0, 0).raw, "it links to another one"),
    "a duplicate of the last": (lambda room, head: room.log.record(0, head.height).raw, "it links to another one"),
    "a zombie's": (lambda room, head: _next(room, room.log.record(0, 0).head), "it links to another one"),
    "a zombie's claim": (lambda room, head: _next(room, room.log.record(0, 0).head, epoch=1), "it links to another"),
    "a rival's of this height": (lambda room, head: _next(room, head._replace(hash="f" * 64)), "its prev is ffff"),
    "two heights on": (lambda room, head: _next(room, head._replace(height=head.height + 1)), "its height is"),
    "two epochs on": (lambda room, head: _next(room, head, epoch=2), "its epoch is 2"),
}


@pytest.fixture(scope="module")
def littered(folder: Path) -> Iterator[KafkaRoom]:
    """A room in whose shard 0 each case puts one record that doesn't count."""
    with KafkaRoom(folder) as made:
        made.log.append(0, GENESIS, list(tables(2)))
        yield made


@pytest.mark.parametrize("kind", VOID)
def test_a_record_that_does_not_count_is_void_counted_and_told(littered: KafkaRoom, kind: str) -> None:
    make, reason = VOID[kind]
    log, told = littered.log, list[tuple[int, int, str]]()
    log.catch_up(0)
    log.on_void = lambda *what: told.append(what)
    head, offset, before = log.head(0), littered.end(), log.voids[0]
    littered.put(make(littered, head))

    heads = log.append(0, head, [table(head.height + 2)])

    assert [(shard, place) for shard, place, _ in told] == [(0, offset)]
    assert reason in told[0][2]
    assert log.voids[0] == before + 1
    assert littered.records()[-1].head == heads[0] == log.head(0)
    assert log.record(0, heads[0].height).prev == head.hash


def test_with_all_of_them_the_log_is_sound_and_goes_on_with_its_index_and_without(littered: KafkaRoom) -> None:
    head = littered.log.head(0)
    for opened in (littered.again, littered.another):
        log = opened()
        assert (log.head(0), log.stopped) == (head, {})
        report = verify_log(log)
        assert report.sound
        assert report.commits == head.height + 1
        assert report.voids == littered.end() - report.commits
        head = log.append(0, head, [table(head.height + 2)])[0]
    print(f"{report.voids} void records of {len(VOID)} kinds beside {report.commits} commits")


def test_many_void_records_are_passed_over(room: KafkaRoom) -> None:
    heads = room.log.append(0, GENESIS, list(tables(3)))
    room.put(*[b"rubbish"] * 200)
    heads += room.log.append(0, heads[-1], [table(4)])
    assert room.log.voids == {0: 200}
    assert room.again().head(0) == room.another().head(0) == heads[-1]


def test_how_much_is_still_to_be_read_is_known_while_it_is_read(room: KafkaRoom) -> None:
    first, head = sealed(room, GENESIS, table(1))
    room.put(b"rubbish", first, b"rubbish", sealed(room, head, table(2))[0])
    unread: list[int] = []
    room.log.on_void = lambda shard, offset, reason: unread.append(room.log.unread(shard))
    assert room.log.catch_up(0) == 2
    assert (unread, room.log.unread(0)) == ([3, 1], 0)


def test_a_record_before_the_one_that_it_follows_never_counts(room: KafkaRoom) -> None:
    first, head = sealed(room, GENESIS, table(1))
    second, end = sealed(room, head, table(2))
    room.put(second, first, second, second)
    assert room.log.catch_up(0) == 2
    assert room.log.head(0) == end
    assert room.log.voids == {0: 2}


def test_records_that_do_not_count_come_between_those_of_one_append(room: KafkaRoom) -> None:
    """What was sent stands elsewhere than expected, and counts all the same: it is answered, and not sent again."""
    head = room.log.append(0, GENESIS, list(tables(1)))[0]
    room.put(b"rubbish")
    heads = room.log.append(0, head, list(tables(3, first=2)))
    assert [record.head for record in room.records()] == [head, *heads]
    assert room.end() == 5


# --- accepted, and unreadable ----------------------------------------------------------------------------------------

SHARD = "shard:{shard}"


def _fact(version: int, kind: str = "shard.alive", rev: int = 1, stream: str = SHARD) -> body.Fact:
    return body.fact(stream, version, kind, rev, {})


def _alive(shard: int, *facts: body.Fact) -> Entry:
    """A commit with these events; SHARD stands for the shard's own stream."""
    said = command() | {"name": "shard.keep-alive", "args": {"shard": shard}}
    return body.entry(AT, said, [fact | {"stream": fact["stream"].format(shard=shard)} for fact in facts])


def _body(said: bytes) -> Callable[[int], Entry]:
    return lambda shard: Entry(said, ())


def _with_version(version: bytes) -> Callable[[int], Entry]:
    return lambda shard: Entry(_alive(shard, _fact(3)).body.replace(b'"version":3', b'"version":' + version), ())


def _of(*facts: body.Fact) -> Callable[[int], Entry]:
    return lambda shard: _alive(shard, *facts)


STOPS: dict[str, tuple[Callable[[int], Entry], str]] = {
    "an unknown event": (_of(_fact(3, "shard.sung")), "shard.sung"),
    "a future revision": (_of(_fact(3, rev=9)), "shard.alive"),
    "no JSON": (_body(b"{not json"), "the body is no JSON"),
    "nothing": (_body(b""), "the body is no JSON"),
    "a very deep body": (_body(b'{"at":' + b"[" * 100_000), "the body is no JSON"),
    "another body": (_body(b"{}"), "the body isn't {at, command, events}"),
    "a version that is no number": (_with_version(b'"3"'), "events[0].version is '3', not of type int"),
    "a version left out": (_of(_fact(5)), "stands at version 2: its next event is 3, not 5"),
    "a version again": (_of(_fact(2)), "stands at version 2: its next event is 3, not 2"),
    "an enormous version": (_with_version(b"9223372036854775808"), "its next event is 3, not 9223372036854775808"),
    "a stream that isn't open": (_of(_fact(2, stream="table:b")), "table:b isn't open"),
    "versions that run back": (_of(_fact(4), _fact(3)), "has version 3 where 5 is next"),
    "versions with a hole": (_of(_fact(3), _fact(5)), "has version 5 where 4 is next"),
}
KINDS = list(STOPS)


@pytest.fixture(scope="module")
def shared(folder: Path) -> Iterator[KafkaRoom]:
    """A room with a shard for each of these, and the last for what goes on."""
    with KafkaRoom(folder, shards=len(KINDS) + 1) as made:
        made.again(readable=check_known)
        yield made


def brought_to_a_stop(shared: KafkaRoom, kind: str) -> list[Head]:
    """Have two commits in the shard of that kind, and after them what stops it, once; the heads of the two."""
    (make, _), log, shard = STOPS[kind], shared.log, KINDS.index(kind)
    if log.head(shard) == GENESIS:
        heads = log.append(shard, GENESIS, [_alive(shard, _fact(1)), _alive(shard, _fact(2))])
        raw, head = sealed(shared, heads[-1], make(shard), shard)
        after, _ = sealed(shared, head, _alive(shard, _fact(3)), shard)
        shared.put(raw, after, shard=shard)
    return [log.record(shard, height).head for height in (0, 1)]


@pytest.mark.parametrize("kind", KINDS)
def test_an_accepted_commit_that_cannot_be_read_stops_its_shard_alone(shared: KafkaRoom, kind: str) -> None:
    _, reason = STOPS[kind]
    log, shard, last = shared.log, KINDS.index(kind), len(KINDS)
    heads = brought_to_a_stop(shared, kind)

    assert log.catch_up(shard) == 0
    assert log.stopped[shard].startswith(f"shard {shard} is stopped at height 2: ")
    assert reason in log.stopped[shard]
    assert log.head(shard) == heads[-1]
    for _ in range(2):
        with pytest.raises(CorruptLog) as refused:
            log.append(shard, heads[-1], [_alive(shard, _fact(3))])
        assert str(refused.value) == log.stopped[shard]
        assert log.catch_up(shard) == 0
    assert shared.end(shard) == 4, "nothing is sent to a shard that is stopped"
    number = log.head(last).height + 1
    log.append(last, log.head(last), [_alive(last, _fact(number + 1))])
    assert log.head(last).height == number


def test_each_of_them_is_found_again_and_named(shared: KafkaRoom) -> None:
    for shard, kind in enumerate(KINDS):
        brought_to_a_stop(shared, kind)
        shared.log.catch_up(shard)
    stopped = dict(shared.log.stopped)
    assert stopped.keys() == set(range(len(KINDS)))
    for log in (shared.again(readable=check_known), shared.another(readable=check_known, write=False)):
        assert log.stopped == stopped
    named = {(one.shard, one.height) for one in verify_home(shared.log).findings}
    assert {(shard, 2) for shard in stopped} <= named


def test_of_several_faults_the_first_stops_the_shard(room: KafkaRoom) -> None:
    head = room.log.append(0, GENESIS, list(tables(2)))[-1]
    values = []
    for made in (table(3), table(9), Entry(b"{}", ())):
        raw, head = sealed(room, head, made)
        values.append(raw)
    room.put(*values)
    assert room.log.catch_up(0) == 1
    assert room.log.head(0).height == 2
    wrong = "table:a stands at version 3: its next event is 4, not 9"
    assert room.log.stopped[0] == f"shard 0 is stopped at height 3: {wrong}"


def test_a_writer_that_meets_an_unreadable_commit_as_it_sends_is_told_of_it(room: KafkaRoom) -> None:
    head = room.log.append(0, GENESIS, list(tables(2)))[-1]
    room.put(sealed(room, head, Entry(b"{}", ()))[0])
    with pytest.raises(CorruptLog, match="shard 0 is stopped at height 2: "):
        room.log.append(0, head, [table(3)])


def test_several_shards_of_which_one_meets_an_unreadable_commit(room: KafkaRoom) -> None:
    head = room.log.append(0, GENESIS, list(tables(2)))[-1]
    room.put(sealed(room, head, Entry(b"{}", ()))[0])
    told = room.log.append_all([Append(0, head, [table(3)]), Append(1, GENESIS, [table(1, "b")])])
    assert isinstance(told[0], CorruptLog)
    assert told[1] == [room.records(1)[0].head]


def test_a_record_over_the_limit_counts_if_somebody_gets_it_there(room: KafkaRoom) -> None:
    """The rule doesn't look at a size, and all readers hold to it alike."""
    head = room.log.append(0, GENESIS, list(tables(2)))[-1]
    said = body.entry(AT, command() | {"args": {"padding": "x" * (LIMIT + 10_000)}}, []).body
    small, _ = sealed(room, head, Entry(b"", ()))
    room.put(small.replace(sha256(b"").hexdigest().encode(), sha256(said).hexdigest().encode()) + said)
    room.log.catch_up(0)
    assert room.log.head(0) == room.records()[-1].head
    assert room.log.head(0).height == 2
    assert room.log.append(0, room.log.head(0), [table(3)])[0].height == 3


@pytest.fixture
def brought(tmp_path: Path) -> Iterator[KafkaRoom]:
    """A room on Kafka, empty, to which commits are brought."""
    with KafkaRoom(tmp_path) as room:
        yield room


def commits_of(room: KafkaRoom, folder: Path) -> list[tuple[Record, Sequence[Touch]]]:
    """Two commits of that room, recorded in a file."""
    with SqliteLog.create(folder / "log.db", room.name, room.log.shards) as log:
        log.append(0, GENESIS, [table(1), table(2)])
        return [(record, body.touches(body.decode(record.body).events)) for record in log.read(0)]


def test_commits_that_are_brought_count_though_somebody_s_record_stands_before_them(
    brought: KafkaRoom, tmp_path: Path
) -> None:
    records = commits_of(brought, tmp_path)
    brought.put(b"rubbish")
    brought.log.store(0, records)
    assert brought.log.head(0) == records[-1][0].head
    assert hashes(list(brought.another().read(0))) == [record.hash for record, _ in records]


def test_whether_brought_commits_are_there_is_unknown_where_nobody_says(
    brought: KafkaRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = commits_of(brought, tmp_path)
    with monkeypatch.context() as silent:
        silent.setattr(brought.log._sender, "send", lambda *_: [None, None])
        with pytest.raises(AppendUnknown, match="do the same again, it goes on"):
            brought.log.store(0, records)
    brought.log.store(0, records)
    assert brought.log.head(0) == records[-1][0].head
