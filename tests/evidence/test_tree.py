"""The trees beside a log say what the log's records say, whatever happens to their file."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from services.eventlog.log import CorruptLog, LogError
from services.eventlog.sqlite_log import SqliteLog
from services.evidence import merkle
from services.evidence.merkle import check_consistency, check_inclusion, leaf_hash
from services.evidence.tree import TreeStore
from tests.contract.logs import append, entry
from tests.evidence import model

SIZES = (57, 20, 1, 0)
"""Commits in each shard of the log."""


def add(log: SqliteLog, shard: int, number: int, word: str = "") -> None:
    first = (log.stream_version(f"hand:t{shard}-1") or 0) + 1
    entries = [entry((f"hand:t{shard}-1", first + i, first + i), padding=word) for i in range(number)]
    append(log, shard, *entries)


def make_log(path: Path, word: str = "") -> SqliteLog:
    log = SqliteLog.create(path, "riverside")
    for shard, size in enumerate(SIZES):
        if size:
            add(log, shard, size, word)
    return log


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log, and the file of all four trees beside it: to be copied."""
    folder = tmp_path_factory.mktemp("home")
    with make_log(folder / "log.db") as log, TreeStore(folder / "tree.db") as tree:
        for shard in range(4):
            tree.catch_up(log, shard)
    return folder


@pytest.fixture
def log(home: Path, tmp_path: Path) -> Iterator[SqliteLog]:
    shutil.copy(home / "log.db", tmp_path)
    with SqliteLog.open(tmp_path / "log.db") as opened:
        yield opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where no file of trees stands yet."""
    return tmp_path / "new.db"


@pytest.fixture
def built(home: Path, tmp_path: Path) -> Path:
    """The file of all four trees."""
    return Path(shutil.copy(home / "tree.db", tmp_path))


def data(log: SqliteLog, shard: int) -> list[bytes]:
    """The leaves' data: the raw bytes of the records' hashes."""
    return [bytes.fromhex(record.hash) for record in log.read(shard)]


@cache
def roots_of(leaves: tuple[bytes, ...]) -> list[bytes]:
    """The roots of their trees of every size."""
    return [model.mth(leaves[:size]) for size in range(len(leaves) + 1)]


def assert_right(tree: TreeStore, log: SqliteLog, shard: int) -> None:
    """Every root, and proofs of every size, are those of the RFC's recursion over the log's records."""
    leaves = data(log, shard)
    roots = roots_of(tuple(leaves))
    assert tree.size(shard) == len(leaves)
    assert [tree.root(shard, size) for size in range(len(leaves) + 1)] == roots
    for size in range(1, len(leaves) + 1):
        for index in {0, size // 3, size - 1}:
            path = tree.inclusion(shard, index, size)
            assert check_inclusion(leaf_hash(leaves[index]), index, size, path, roots[size])
        old = size // 2
        assert check_consistency(old, size, tree.consistency(shard, old, size), roots[old], roots[size])


def test_a_new_tree_is_empty(path: Path) -> None:
    with TreeStore(path) as tree:
        assert (tree.size(3), tree.root(3, 0)) == (0, merkle.EMPTY)


@pytest.mark.parametrize("step", [1, 7, 8, 1000])
def test_trees_are_their_log_s_in_steps_of_any_size(log: SqliteLog, path: Path, step: int) -> None:
    with TreeStore(path) as tree:
        assert [tree.catch_up(log, shard, step) for shard in range(4)] == list(SIZES)
        for shard in range(4):
            assert_right(tree, log, shard)


def test_a_tree_grows_with_its_log_and_is_there_when_opened_again(log: SqliteLog, path: Path) -> None:
    for number in (1, 2, 30, 0):
        if number:
            add(log, 1, number)
        with TreeStore(path) as tree:
            tree.catch_up(log, 1)
            assert_right(tree, log, 1)


def test_the_past_is_neither_read_nor_hashed_nor_written_again(
    log: SqliteLog, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(log, 0, 3)
    starts, hashed = spied_on(monkeypatch, log, "read"), spied_on(monkeypatch, merkle, "node_hash")
    with TreeStore(built) as tree:
        before = tree._db.total_changes
        assert tree.catch_up(log, 0) == 60
        assert starts == [(0, 57)]
        assert len(hashed) == 3, "58 and 60 leaves make a pair each, 60 a four of two pairs"
        assert tree._db.total_changes - before == 3 + 3


def spied_on(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[tuple[object, ...]]:
    """The arguments of each call of a function, which does what it did."""
    calls: list[tuple[object, ...]] = []
    real = getattr(owner, name)

    def spied(*arguments: object) -> object:
        calls.append(arguments)
        return real(*arguments)

    monkeypatch.setattr(owner, name, spied)
    return calls


def test_nothing_is_written_where_nothing_is_new(log: SqliteLog, built: Path) -> None:
    before = built.read_bytes(), built.stat().st_mtime_ns
    with TreeStore(built) as tree:
        assert tree.catch_up(log, 0) == 57
    assert (built.read_bytes(), built.stat().st_mtime_ns) == before


def test_a_step_is_written_all_or_none(log: SqliteLog, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that breaks at height 25, read in steps of 10."""
    read = log.read

    def breaking(shard: int, start: int = 0) -> Iterator[object]:
        for record in read(shard, start):
            if record.height == 25:
                raise CorruptLog("height 25 is damaged")
            yield record

    with TreeStore(path) as tree:
        with monkeypatch.context() as patch:
            patch.setattr(log, "read", breaking)
            with pytest.raises(CorruptLog, match="height 25"):
                tree.catch_up(log, 0, 10)
        assert tree.size(0) == 20
        assert tree.root(0, 20) == model.mth(data(log, 0)[:20])
        tree.catch_up(log, 0)
        assert_right(tree, log, 0)


def test_two_processes_share_the_file(log: SqliteLog, path: Path) -> None:
    with TreeStore(path) as one, TreeStore(path) as other:
        one.catch_up(log, 0)
        assert other.catch_up(log, 0) == 57
        add(log, 0, 10)
        assert other.catch_up(log, 0, 3) == 67
        assert one.catch_up(log, 0) == 67
        assert_right(one, log, 0)


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda tree: tree.root(0, 58), "shard 0 covers 57 commits, not 58: catch up"),
        (lambda tree: tree.root(0, -1), "covers 57 commits, not -1"),
        (lambda tree: tree.inclusion(0, 5, 58), "covers 57 commits, not 58"),
        (lambda tree: tree.inclusion(0, 57, 57), "none of height 57"),
        (lambda tree: tree.inclusion(0, -1, 57), "none of height -1"),
        (lambda tree: tree.consistency(0, 5, 58), "covers 57 commits, not 58"),
        (lambda tree: tree.consistency(0, 6, 5), "can't have grown from one of 6"),
        (lambda tree: tree.consistency(0, -1, 5), "can't have grown from one of -1"),
        (lambda tree: tree.root(3, 1), "shard 3 covers 0 commits"),
    ],
)
def test_a_question_beyond_the_tree_is_refused(built: Path, ask: Callable[[TreeStore], object], why: str) -> None:
    with TreeStore(built) as tree, pytest.raises(LogError, match=why):
        ask(tree)


def test_a_step_of_nothing_is_refused(log: SqliteLog, path: Path) -> None:
    with TreeStore(path) as tree, pytest.raises(ValueError, match="at least 1"):
        tree.catch_up(log, 0, 0)


# Files that aren't what they should be


def damaged(path: Path) -> None:
    """The bytes of every node of shard 0 changed, as a disk would do it."""
    content = bytearray(path.read_bytes())
    for i in range(4096, len(content)):
        content[i] ^= 0x10
    path.write_bytes(content)


def without_its_table(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE nodes")
    db.close()


def of_another_layout(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 7")
    db.close()


def somebody_else_s(path: Path) -> None:
    path.unlink()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE nodes (a TEXT)")
    db.close()


BROKEN: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_bytes(b"no database at all" * 300),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:5000]),
    "every page changed": damaged,
    "without its table": without_its_table,
    "of another layout": of_another_layout,
    "somebody else's": somebody_else_s,
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_file_is_built_again(log: SqliteLog, built: Path, how: str) -> None:
    BROKEN[how](built)
    with TreeStore(built) as tree:
        assert [tree.catch_up(log, shard) for shard in range(4)] == list(SIZES)
        for shard in range(4):
            assert_right(tree, log, shard)


@pytest.mark.parametrize("how", BROKEN)
def test_a_file_that_breaks_while_it_is_open_is_built_again(log: SqliteLog, built: Path, how: str) -> None:
    with TreeStore(built) as tree:
        for shard in range(4):
            tree.catch_up(log, shard)
        BROKEN[how](built)
        add(log, 1, 3)
        assert tree.catch_up(log, 1) == 23
        for shard in range(4):
            assert_right(tree, log, shard)


@pytest.mark.parametrize("seed", range(30))
def test_random_damage_never_makes_a_wrong_root_or_proof(log: SqliteLog, built: Path, seed: int) -> None:
    random = Random(seed)
    content = bytearray(built.read_bytes())
    for _ in range(random.choice((1, 1, 5, 100))):
        content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    if random.random() < 0.2:
        del content[random.randrange(len(content)) :]
    built.write_bytes(content)
    with TreeStore(built) as tree:
        for shard in (0, 1):
            tree.catch_up(log, shard)
        for shard in (0, 1):
            assert_right(tree, log, shard)


def test_a_changed_node_is_seen_where_it_is_read(log: SqliteLog, built: Path) -> None:
    db = sqlite3.connect(built)
    db.execute("UPDATE nodes SET hash = zeroblob(32) WHERE shard = 0 AND level = 2 AND place = 3")
    db.commit()
    db.close()
    with TreeStore(built) as tree:
        tree.catch_up(log, 0)
        assert_right(tree, log, 0)


def test_leaves_that_are_lost_while_the_file_is_open_are_missed(log: SqliteLog, built: Path) -> None:
    with TreeStore(built) as tree:
        tree.catch_up(log, 0)
        db = sqlite3.connect(built)
        db.execute("DELETE FROM nodes WHERE shard = 0 AND level = 0 AND place > 40")
        db.commit()
        db.close()
        assert tree.root(0, 57) == model.mth(data(log, 0))


def test_another_log_s_tree_is_built_again(log: SqliteLog, built: Path, tmp_path: Path) -> None:
    with make_log(tmp_path / "other.db", "another") as other, TreeStore(built) as tree:
        assert [tree.catch_up(other, shard) for shard in range(4)] == list(SIZES)
        for shard in range(4):
            assert_right(tree, other, shard)
        log.close()
        add(other, 0, 1)
        assert tree.catch_up(other, 0) == 58, "the log that it was of before isn't asked any more"


def test_a_tree_longer_than_its_log_is_built_again(log: SqliteLog, built: Path, tmp_path: Path) -> None:
    """The log was brought back from a backup: that commits are missing is for the checkpoints to say."""
    log.close()
    shutil.copy(log.path, tmp_path / "backup.db")
    with SqliteLog.open(log.path) as later, TreeStore(built) as tree:
        add(later, 0, 5)
        assert tree.catch_up(later, 0) == 62
    with SqliteLog.open(tmp_path / "backup.db") as earlier, TreeStore(built) as tree:
        assert tree.catch_up(earlier, 0) == 57
        assert_right(tree, earlier, 0)


def test_one_store_goes_from_one_log_to_another(log: SqliteLog, path: Path, tmp_path: Path) -> None:
    with TreeStore(path) as tree:
        for shard in range(4):
            tree.catch_up(log, shard)
        log.close()
        with make_log(tmp_path / "other.db", "another") as other:
            assert tree.catch_up(other, 1) == 20
            assert_right(tree, other, 1)
            assert tree.size(0) == 0, "nothing of the closed log is left"


def test_two_stores_of_a_deleted_file_settle_on_one(
    log: SqliteLog, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TreeStore(built) as one, TreeStore(built) as other:
        removed = spied_on(monkeypatch, one, "_remove"), spied_on(monkeypatch, other, "_remove")
        built.unlink()
        for tree in (one, other, one, other):
            add(log, 0, 1)
            assert tree.catch_up(log, 0) == log.head(0).height + 1
            assert_right(tree, log, 0)
        assert removed == ([], []), "neither throws away what the other made"


def test_a_log_is_never_thrown_away_for_a_tree(log: SqliteLog) -> None:
    before = log.head(0)
    with pytest.raises(LogError, match="is a log: the trees beside it need a file of their own"):
        TreeStore(log.path)
    assert log.head(0) == before
    assert len(data(log, 0)) == 57


def test_a_place_that_can_t_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="nowhere"):
        TreeStore(tmp_path / "nowhere" / "tree.db")


def test_a_closed_store_answers_nothing_and_leaves_its_file_be(built: Path) -> None:
    tree = TreeStore(built)
    tree.close()
    before = built.read_bytes()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        tree.root(0, 5)
    assert built.read_bytes() == before


def test_a_full_disk_is_no_reason_to_start_over(log: SqliteLog, built: Path) -> None:
    add(log, 0, 3000)
    with TreeStore(built) as tree:
        pages = tree._db.execute("PRAGMA page_count").fetchone()[0]
        tree._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(LogError, match="full"):
            tree.catch_up(log, 0)
        assert tree.size(0) == 57
        tree._db.execute("PRAGMA max_page_count = 100000")
        assert tree.catch_up(log, 0) == 3057
        assert tree.root(0, 3057) == model.mth(data(log, 0))
