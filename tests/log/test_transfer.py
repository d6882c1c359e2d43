"""Export and import: byte for byte, and all or nothing."""

import io
import os
from pathlib import Path

import pytest

from services.eventlog import body
from services.eventlog.log import CorruptLog, LogError
from services.eventlog.sqlite_log import SqliteLog
from services.eventlog.transfer import export, export_file, import_file
from services.eventlog.verify import verify_log
from tests.contract.logs import AT, append, command, entry


def exported(log: SqliteLog) -> bytes:
    out = io.BytesIO()
    export(log, out)
    return out.getvalue()


def test_an_export_is_every_commit_of_each_shard_in_order_followed_by_lf(full: SqliteLog) -> None:
    assert exported(full) == b"".join(record.raw + b"\n" for shard in range(4) for record in full.read(shard))
    assert exported(full).count(b"\n") == 2 * 20


def test_a_log_comes_back_byte_for_byte(full: SqliteLog, tmp_path: Path) -> None:
    file = tmp_path / "log.hl"
    assert export_file(full, file) == 20
    report = import_file(file, tmp_path / "copy.db")
    assert report.commits == 20
    with SqliteLog.open(tmp_path / "copy.db") as copy:
        assert exported(copy) == file.read_bytes()
        assert (copy.room, copy.shards) == ("riverside", 4)
        for shard in range(4):
            assert (copy.head(shard), copy.counted(shard)) == (full.head(shard), full.counted(shard))
            assert copy.stream_parts(f"hand:t{shard}-1") == full.stream_parts(f"hand:t{shard}-1")
        append(copy, 1, entry(("table:t1", 5, 5), at=2**51))
        assert verify_log(copy).sound


def test_the_number_of_shards_comes_back_though_some_are_empty(tmp_path: Path) -> None:
    with SqliteLog.create(tmp_path / "log.db", "riverside", 7) as log:
        for shard in range(7):
            opened = body.fact(f"shard:{shard}", 1, "shard.opened", 1, {"shards": 7})
            append(log, shard, body.entry(AT, command(), [opened]))
        export_file(log, tmp_path / "log.hl")
    import_file(tmp_path / "log.hl", tmp_path / "copy.db")
    with SqliteLog.open(tmp_path / "copy.db") as copy:
        assert copy.shards == 7


def test_a_file_that_is_not_sound_is_refused_and_nothing_is_made(full: SqliteLog, tmp_path: Path) -> None:
    file = tmp_path / "log.hl"
    export_file(full, file)
    sound = file.read_bytes()
    before = sorted(os.listdir(tmp_path))
    for torn in (sound[:-1], sound[:-50], sound[: len(sound) // 2], sound.replace(b'"n":3', b'"n":4', 1), b""):
        file.write_bytes(torn)
        with pytest.raises(LogError, match="isn't sound, so nothing was imported: shard"):
            import_file(file, tmp_path / "copy.db")
        assert sorted(os.listdir(tmp_path)) == before


def test_an_import_never_writes_over_what_stands_there(full: SqliteLog, tmp_path: Path) -> None:
    export_file(full, tmp_path / "log.hl")
    with pytest.raises(LogError, match="exists already"):
        import_file(tmp_path / "log.hl", full.path)
    (tmp_path / "precious").write_bytes(b"precious")
    with pytest.raises(LogError, match="exists already"):
        export_file(full, tmp_path / "precious")
    assert (tmp_path / "precious").read_bytes() == b"precious"


def test_an_import_leaves_only_the_log(full: SqliteLog, tmp_path: Path) -> None:
    export_file(full, tmp_path / "log.hl")
    (tmp_path / "new").mkdir()
    import_file(tmp_path / "log.hl", tmp_path / "new" / "copy.db")
    assert os.listdir(tmp_path / "new") == ["copy.db"]


def test_a_damaged_home_is_not_exported(full: SqliteLog, tmp_path: Path) -> None:
    changed = full.record(2, 1).raw.replace(b'"n":1', b'"n":2')
    full.connection.execute("UPDATE commits_2 SET record = ? WHERE height = 1", (changed,))
    with pytest.raises(CorruptLog, match="shard 2, height 1"):
        export_file(full, tmp_path / "log.hl")
    assert not any(name.startswith("log.hl") for name in os.listdir(tmp_path))


def test_a_folder_that_isn_t_there_is_a_sentence(full: SqliteLog, tmp_path: Path) -> None:
    with pytest.raises(LogError, match="can't be written: No such file"):
        export_file(full, tmp_path / "nowhere" / "log.hl")
