"""The embedded home alone: durable, one writer, readers beside it, and a sentence for everything that can be wrong."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from services.eventlog import sqlite_commits
from services.eventlog.commit import GENESIS, BadRecord
from services.eventlog.files import MACHINE
from services.eventlog.log import AppendRefused, CorruptLog, HeadMoved, LogError, LogInUse, NoLog, ReadOnly
from services.eventlog.sqlite_log import SqliteLog
from services.eventlog.verify import verify_log
from tests.contract.logs import append, entry, spans
from tests.simulation.apsw_sqlite import DiskFiles
from tests.simulation.faulty_disk import Disk


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.db"


@pytest.fixture
def log(path: Path) -> Iterator[SqliteLog]:
    with SqliteLog.create(path, "riverside") as made:
        yield made


def in_another_process(code: str, *args: object) -> subprocess.CompletedProcess[str]:
    prelude = "import sys; from services.eventlog.sqlite_log import SqliteLog; from services.eventlog.log import *\n"
    root = Path(__file__).parents[2]
    return subprocess.run(
        [sys.executable, "-c", prelude + code, *map(str, args)],
        check=False,
        capture_output=True,
        text=True,
        cwd=root,
        timeout=60,
    )


def test_the_writer_s_own_connection_is_durable(log: SqliteLog, path: Path) -> None:
    assert log.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert log.connection.execute("PRAGMA synchronous").fetchone() == (2,), "2 is FULL"
    log.close()
    with SqliteLog.open(path) as again:
        assert again.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert again.connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_log_has_four_shards_by_default(log: SqliteLog) -> None:
    assert log.shards == 4


def test_a_room_s_name_that_no_header_can_carry_is_refused(path: Path) -> None:
    with pytest.raises(BadRecord, match="can't name a room"):
        SqliteLog.create(path, "The River Side")
    assert not path.exists()


def test_a_log_is_not_made_over_another_file(path: Path) -> None:
    path.write_bytes(b"precious")
    with pytest.raises(LogError, match="exists already"):
        SqliteLog.create(path, "riverside")
    assert path.read_bytes() == b"precious"


def test_a_place_that_can_t_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="nowhere"):
        SqliteLog.create(tmp_path / "nowhere" / "log.db", "riverside")


def test_a_missing_file_is_no_log_and_none_is_made(path: Path) -> None:
    with pytest.raises(NoLog, match=r"there is no log at .*log\.db"):
        SqliteLog.open(path)
    assert not path.exists()


@pytest.mark.parametrize("write", [True, False])
def test_a_file_that_is_no_database_is_no_log(path: Path, write: bool) -> None:
    path.write_bytes(b"Dear auditor, " * 500)
    with pytest.raises(NoLog, match="no SQLite database"):
        SqliteLog.open(path, write=write)
    assert path.read_bytes() == b"Dear auditor, " * 500


def test_another_program_s_database_is_no_log(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (note TEXT)")
    connection.close()
    with pytest.raises(NoLog, match="no Handlog log"):
        SqliteLog.open(path)


def test_an_empty_file_is_no_log(path: Path) -> None:
    path.touch()
    with pytest.raises(NoLog, match="no Handlog log"):
        SqliteLog.open(path)


def test_a_later_layout_is_refused(log: SqliteLog, path: Path) -> None:
    log.connection.execute("PRAGMA user_version = 2")
    log.close()
    with pytest.raises(NoLog, match="layout 2; this build reads layout 1"):
        SqliteLog.open(path)


def test_a_second_process_on_the_same_home_is_refused_and_told_who_holds_it(log: SqliteLog, path: Path) -> None:
    append(log, 0, *spans(2))
    code = "try: SqliteLog.open(sys.argv[1])\nexcept LogInUse as error: print(error)"
    other = in_another_process(code, path)
    assert f"is in use by process {os.getpid()}" in other.stdout, other.stderr
    append(log, 0, entry(("hand:t1-1", 5, 5)))


def test_a_second_opening_by_the_same_process_is_refused(log: SqliteLog, path: Path) -> None:
    with pytest.raises(LogInUse, match=f"process {os.getpid()}"):
        SqliteLog.open(path)


def test_a_home_is_free_again_when_its_writer_was_killed(path: Path) -> None:
    SqliteLog.create(path, "riverside").close()
    code = "log = SqliteLog.open(sys.argv[1]); import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    assert in_another_process(code, path).returncode == -9
    with SqliteLog.open(path) as again:
        append(again, 0, *spans(1))


def test_what_a_killed_writer_was_told_is_recorded(path: Path) -> None:
    SqliteLog.create(path, "riverside").close()
    code = (
        "from tests.contract.logs import spans, append; import os, signal\n"
        "log = SqliteLog.open(sys.argv[1])\n"
        "append(log, 0, *spans(7)); print(log.head(0).hash, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    told = in_another_process(code, path).stdout.strip()
    with SqliteLog.open(path) as again:
        assert (again.head(0).height, again.head(0).hash) == (6, told)
        assert again.stream_version("hand:t1-1") == 14
        assert verify_log(again).sound


def test_another_process_may_read_meanwhile(log: SqliteLog, path: Path) -> None:
    append(log, 0, *spans(3))
    code = (
        "log = SqliteLog.open(sys.argv[1], write=False)\n"
        "print(log.head(0).height, len(list(log.read(0))), log.stream_version('hand:t1-1'))"
    )
    assert in_another_process(code, path).stdout.split() == ["2", "3", "6"]


def test_a_reader_sees_what_is_appended_later(log: SqliteLog, path: Path) -> None:
    with SqliteLog.open(path, write=False) as reader:
        assert reader.head(0) == GENESIS
        append(log, 0, *spans(3))
        assert reader.head(0) == log.head(0)
        assert reader.stream_version("hand:t1-1") == 6
        append(log, 0, entry(("hand:t1-1", 7, 7)))
        assert reader.stream_version("hand:t1-1") == 7
        assert len(reader.stream_parts("hand:t1-1")) == 4
        assert reader.counted(0) == 7


def test_a_reader_can_t_append(log: SqliteLog, path: Path) -> None:
    with SqliteLog.open(path, write=False) as reader, pytest.raises(ReadOnly, match="open for reading only"):
        append(reader, 0, *spans(1))


def test_a_full_disk_records_nothing_of_the_batch_and_a_later_append_succeeds(log: SqliteLog) -> None:
    """`max_page_count` lets SQLite meet the very error that a full disk gives (SQLITE_FULL)."""
    append(log, 0, *spans(2))
    before = log.head(0), log.counted(0)
    pages = log.connection.execute("PRAGMA page_count").fetchone()[0]
    log.connection.execute(f"PRAGMA max_page_count = {pages}")
    batch = [entry(("table:a", 1, 1)), entry(("hand:t1-1", 5, 5), padding="x" * 100_000)]
    with pytest.raises(AppendRefused, match="the disk is full; nothing was recorded"):
        append(log, 0, *batch)
    assert (log.head(0), log.counted(0)) == before
    assert log.stream_version("table:a") is None
    log.connection.execute("PRAGMA max_page_count = 1000000")
    append(log, 0, *batch)
    assert log.head(0).height == before[0].height + 2
    assert verify_log(log).sound


def test_a_record_written_behind_the_writer_s_back_is_met_as_a_moved_head(log: SqliteLog, path: Path) -> None:
    """Somebody deleted the lock file, so two write: the table's key still lets only one extend a height."""
    append(log, 0, *spans(1))
    path.with_name("log.db.lock").unlink()
    with SqliteLog.open(path) as intruder:
        append(intruder, 0, entry(("table:a", 1, 1)))
        with pytest.raises(HeadMoved) as refusal:
            append(log, 0, entry(("table:b", 1, 1)))
        assert refusal.value.actual == intruder.head(0) == log.head(0)
    append(log, 0, entry(("table:b", 1, 1)))
    assert verify_log(log).sound


def damaged(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert data.count(old) == 1
    path.write_bytes(data.replace(old, new))


def test_a_changed_body_is_named_by_whoever_reads_it(log: SqliteLog, path: Path) -> None:
    append(log, 1, entry(("table:a", 1, 1)), entry(("table:a", 2, 2), padding="marker"), entry(("table:a", 3, 3)))
    log.close()
    damaged(path, b"marker", b"market")
    with SqliteLog.open(path) as again:
        with pytest.raises(CorruptLog, match="shard 1, height 1: its body hasn't the digest"):
            list(again.read(1))
        with pytest.raises(CorruptLog, match="shard 1, height 1: the body was changed"):
            again.record(1, 1)
        with pytest.raises(CorruptLog, match="shard 1, height 1"):
            list(again.stream_commits("table:a"))
        with pytest.raises(CorruptLog, match="shard 1, height 1: the body was changed"):
            again.stream_parts("table:a")
        assert [part.last for part in again.stream_parts("table:a", gt=2)] == [3], "the others can be read"
        (finding,) = verify_log(again).findings
        assert (finding.shard, finding.height) == (1, 1)


def test_a_torn_page_is_a_sentence(log: SqliteLog, path: Path) -> None:
    append(log, 0, *spans(200))
    log.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    with pytest.raises(CorruptLog, match=r"is damaged .*restore it from a backup or an export"):
        SqliteLog.open(path)


@pytest.mark.parametrize("connection", ["of the standard library", "on the modelled disk"])
def test_a_name_that_is_no_text_any_more_is_damage(connection: str, tmp_path: Path) -> None:
    place = tmp_path / "log.db" if connection == "of the standard library" else Path("/log.db")
    files = MACHINE if place.is_relative_to(tmp_path) else DiskFiles(Disk(Random(1)))
    with SqliteLog.create(place, "riverside", files=files) as log:
        append(log, 0, entry(("table:a", 1, 1)))
        log.connection.execute("UPDATE streams SET name = CAST(x'7461626c653ae1' AS TEXT)")
        with pytest.raises(CorruptLog, match="is damaged"):
            log.tables(0)
        log.connection.execute("UPDATE log SET room = CAST(x'7461e1' AS TEXT)")
    with pytest.raises(CorruptLog, match="is damaged"):
        SqliteLog.open(place, files=files)


@pytest.mark.parametrize("short", [5_000, 0])
def test_players_are_found_in_the_last_commits_or_among_all_streams(
    log: SqliteLog, short: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_commits, "_SHORT", short)
    append(log, 0, entry(("player:ann", 1, 1)), entry(("account:bob:eur", 1, 1)), entry(("account:ann:eur", 1, 1)))
    append(log, 0, *spans(2), entry(("account:bob:eur", 2, 2)))
    append(log, 1, entry(("player:cleo", 1, 1)))
    assert [log.patrons(0, after) for after in (-1, 0, 2, 5)] == [{"ann", "bob"}, {"ann", "bob"}, {"bob"}, set()]


def test_sqlite_looks_at_its_own_pages(log: SqliteLog, path: Path) -> None:
    append(log, 0, *spans(200))
    log.check_pages()
    log.close()
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xff" * 4096)
    with SqliteLog.open(path) as again, pytest.raises(CorruptLog, match="is damaged"):
        again.check_pages()


def test_closing_twice_does_no_harm(log: SqliteLog) -> None:
    log.close()
    log.close()
    with pytest.raises(LogError):
        append(log, 0, *spans(1))


def test_a_log_on_a_read_only_medium_can_be_read(log: SqliteLog, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup or a disc: no -wal beside it, and nothing can be made there."""
    append(log, 0, *spans(3))
    log.close()
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    monkeypatch.setattr("os.access", lambda *_: False)
    with SqliteLog.open(path, write=False) as reader:
        assert len(list(reader.read(0))) == 3
    assert sorted(one.name for one in path.parent.iterdir() if one.suffix != ".lock") == [path.name]
