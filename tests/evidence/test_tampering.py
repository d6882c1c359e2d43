"""Every tampering is found, and named: the shard, what, and where. Two verifiers agree on it that share no code."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from random import Random

import pytest

from services.eventlog.verify import Finding
from services.evidence.against import Evidence, Freshness
from services.evidence.note import Signed
from services.soundness import verify_export
from tests.evidence import independent_verifier as independent
from tests.evidence import tampering
from tests.evidence.histories import History
from tests.evidence.tampering import Book, Case, Place, Tamper

ONCE = 35
"""How often the rarest way is tried in a run; a soak tries it so many times as often."""
SOAK = 50


@pytest.fixture(scope="module")
def book(history: History) -> Book:
    return Book(history)


@pytest.fixture(scope="module")
def other(parted: tuple[History, History]) -> Book:
    return Book(parted[1])


@pytest.fixture(scope="module", autouse=True)
def _quick() -> Iterator[None]:
    """What a body says doesn't change from one tampering to the next: that saves a third of the time."""
    said_in = independent.said_in
    independent.said_in = lru_cache(10_000)(said_in)
    yield
    independent.said_in = said_in


Judge = Callable[..., set[int]]


@pytest.fixture
def judge(tmp_path: Path, history: History) -> Judge:
    """The verdict of both verifiers on a case, compared with each other and with what must be named."""
    file, key = tmp_path / "log", independent.read_key(history.public.to_text())
    opened = lru_cache(1000)(lambda note: independent.read_notes(note.encode(), key)[0])

    def decide(case: Case, seen: list[Signed] | None = None, not_before: int | None = None) -> set[int]:
        file.write_bytes(case.data)
        ours = verify_export(file, evidence=Evidence(case.signed, Freshness(not_before, seen or []))).findings
        kept = [opened(one.note) for one in seen or []]
        theirs = independent.check_log(case.data, [opened(one.note) for one in case.signed], kept, not_before or 0)
        named = {finding.shard for finding in ours}
        assert named == {shard for shard, *_ in theirs}, (ours, theirs)
        assert bool(named) == bool(case.places), (case.places, ours)
        for place in case.places:
            assert any(names(finding, place) for finding in ours), (place, ours)
            assert any((shard, low, high) == place for shard, low, high, _ in theirs), (place, theirs)
        assert case.others or named == {place.shard for place in case.places}, (case.places, ours)
        return named

    return decide


def names(finding: Finding, place: Place) -> bool:
    """Whether the finding says that something is wrong there, no more and no less."""
    if (finding.shard, finding.height) != (place.shard, place.low):
        return False
    missing = f"{place.high - place.low + 1} commits are missing"
    return place.low == place.high or f"height {place.low} to {place.high}" in finding.what or missing in finding.what


def seeds(times: int) -> range:
    return range(times)


def test_what_nobody_touched_is_sound(book: Book, other: Book, judge: Judge) -> None:
    for one in (book, other):
        assert judge(Case(one.data, one.signed, [])) == set()
        assert judge(Case(one.data, [], [])) == set()
        assert judge(Case(one.data, one.signed, []), seen=one.signed, not_before=one.signed[-1].time) == set()


@pytest.mark.parametrize("way", tampering.LOG, ids=lambda way: way.__name__)
def test_a_log_that_was_tampered_with(book: Book, judge: Judge, way: Tamper) -> None:
    for seed in seeds(ONCE * tampering.LOG[way]):
        judge(way(book, Random(seed)))


@pytest.mark.soak
@pytest.mark.parametrize("way", tampering.LOG, ids=lambda way: way.__name__)
def test_a_log_that_was_tampered_with_very_often(book: Book, judge: Judge, way: Tamper) -> None:
    for seed in seeds(ONCE * SOAK * tampering.LOG[way]):
        judge(way(book, Random(seed)))


def test_a_commit_of_an_earlier_shard_behind_an_opening_is_named_where_it_stands(book: Book, judge: Judge) -> None:
    raws = book.raws()
    raws[2].insert(1, raws[1][3])
    judge(Case(book.written(raws), book.signed, [Place(2, 1, 1)]))


def with_some_of(book: Book, other: Book, random: Random) -> tuple[int, list[Signed], list[Signed]]:
    """A shard, and checkpoints of it that only the one history has, and the other."""
    shard = random.randrange(len(book.shards))
    ours, theirs = book.of(shard), other.of(shard)
    own = [one for one in ours if one not in theirs]
    foreign = [one for one in theirs if one not in ours]
    return (
        shard,
        random.sample(own, random.randint(1, len(own))),
        random.sample(foreign, random.randint(1, len(foreign))),
    )


def test_two_histories_that_one_key_signed(book: Book, other: Book, judge: Judge) -> None:
    """Given a checkpoint of each: where the later one of the two isn't beyond the log it is proven that both were
    signed; else the log is shorter than what was signed, or not the one."""
    seen = set()
    for seed in seeds(2 * ONCE):
        random = Random(seed)
        shard, own, foreign = with_some_of(book, other, random)
        common = [one for one in book.of(shard) if one in other.of(shard)]
        signed = [*common, *own, *foreign]
        random.shuffle(signed)
        sizes = sorted(one.checkpoint.size for one in foreign)
        ours = sorted(one.checkpoint.size for one in [*common, *own])
        length, agreed = len(book.shards[shard]), ours[-1]
        if sizes[0] <= agreed:
            place = Place(shard, max(size for size in ours if size < sizes[0]), sizes[0] - 1)
            seen.add("fork")
        elif sizes[0] <= length:
            place = Place(shard, agreed, sizes[0] - 1)
            seen.add("change")
        else:
            place = Place(shard, length, sizes[-1] - 1)
            seen.add("missing")
        judge(Case(book.data, signed, [place]))
    assert "fork" in seen and len(seen) > 1, seen


def test_a_fork_is_seen_without_a_log_of_either(book: Book, other: Book, judge: Judge) -> None:
    """Two roots for one size, beyond what the log has: the key signed twice."""
    for shard in range(len(book.shards)):
        one = book.of(shard)[-1]
        twin = book.history.key.sign(one.checkpoint._replace(root=bytes(32)), one.time)
        raws = book.raws()
        del raws[shard][2:]
        size = one.checkpoint.size
        judge(Case(book.written(raws), [one, twin], [Place(shard, 0, size - 1), Place(shard, 2, size - 1)]))


def test_an_old_checkpoint_that_is_offered_as_the_newest(book: Book, judge: Judge) -> None:
    """Alone it can't be found; a bound on its age finds it, and so does a newer one that the auditor kept."""
    for seed in seeds(ONCE):
        case, kept = tampering.old_as_newest(book, Random(seed))
        (place,) = case.places
        last = Place(place.shard, place.low - 1, place.low - 1)
        assert judge(case._replace(places=[])) == set()
        judge(case._replace(places=[place, last]), seen=kept)
        judge(case._replace(places=[last]), not_before=kept[0].time)
        assert judge(case._replace(places=[]), not_before=book.of(place.shard, case.signed)[-1].time) == set()


def test_a_checkpoint_that_is_left_out_of_many_changes_nothing(book: Book, judge: Judge) -> None:
    """What an older one says the newest says too: they may be fewer, doubled, or in any order."""
    for seed in seeds(ONCE):
        random = Random(seed)
        newest = [book.of(shard)[-1] for shard in range(len(book.shards))]
        others = random.sample(book.signed, random.randrange(len(book.signed)))
        signed = [*newest, *others, *others[:2]]
        random.shuffle(signed)
        assert judge(Case(book.data, signed, [])) == set()


def test_checkpoints_of_another_room_are_of_no_shard(book: Book, judge: Judge) -> None:
    for shard in range(len(book.shards)):
        one = book.of(shard)[-1]
        for name in ("handlog/lakeside/0123456789abcdef", "handlog/riverside/0123456789abcdef"):
            foreign = book.history.key.sign(one.checkpoint._replace(origin=f"{name}/{shard}"), one.time)
            judge(Case(book.data, [*book.signed, foreign], [Place(shard, 0, 0)]))
            judge(Case(book.data, book.signed, [Place(shard, 0, 0)]), seen=[foreign])
