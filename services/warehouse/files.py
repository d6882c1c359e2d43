"""The Parquet files: `<generation>/<table>/day=2026-01-31/game=holdem/<batch>.parquet`.

A file is written under another name, brought to the disk, and then renamed; it counts once a manifest names it.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from services.warehouse.fold import Part
from services.warehouse.manifest import File, sync_folder
from services.warehouse.tables import columns, schema

SMALL = 100_000
"""Rows. Smaller files of one part are put together where they are many."""

MANY = 16


def write_batch(
    folder: Path, generation: int, batch: int, rows: Mapping[Part, Sequence[tuple[Any, ...]]], before: Iterable[File]
) -> list[File]:
    """Write the rows of a batch; what the warehouse's files are then, `before` being those up to now.

    Where a part has many small files, or more than one and its day is over, they are written once more as one: the old
    ones stay until nobody needs them.
    """
    fresh = {_place(generation, part): _arrow(part.table, some) for part, some in rows.items()}
    newest = max((part.day for part in rows), default="")
    by_place: dict[str, list[File]] = defaultdict(list)
    for file in before:
        by_place[os.path.dirname(file.path)].append(file)
    touched = {folder}
    for place in sorted(by_place.keys() | fresh.keys()):
        new = [fresh[place]] if place in fresh else []
        small = [file for file in by_place[place] if file.rows < SMALL]
        merged = small if len(small) + len(new) >= (MANY if _day_of(place) >= newest else 2) else []
        if new or merged:
            table = pa.concat_tables([*(_read(folder / one.path) for one in merged), *new])
            path = f"{place}/{batch:08}.parquet"
            _write(folder / path, table)
            touched.update((folder / path).parents[:4])  # the game's folder up to the generation's
            rest = [file for file in by_place[place] if file not in merged]
            by_place[place] = [*rest, File(_table_of(place), path, table.num_rows)]
    for each in touched:
        sync_folder(each)
    return [file for files in by_place.values() for file in files]


def _place(generation: int, part: Part) -> str:
    return f"g{generation}/{part.table}/day={part.day}/game={part.game}"


def _table_of(place: str) -> str:
    return place.split("/")[1]


def _day_of(place: str) -> str:
    return place.split("/")[2].removeprefix("day=")


def remove_garbage(folder: Path, files: Iterable[File]) -> None:
    """Remove whatever lies in the generations' folders and isn't one of these files."""
    wanted = {file.path for file in files}
    for path in _found(folder):
        if str(path.relative_to(folder)) not in wanted:
            path.unlink(missing_ok=True)
    for place in sorted((path for path in folder.glob("g*/**/") if path != folder), reverse=True):
        if not any(place.iterdir()):
            place.rmdir()


def _found(folder: Path) -> Iterator[Path]:
    return (path for path in folder.glob("g*/**/*") if path.is_file())


def _arrow(table: str, rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    arrays = [
        pa.array(values, one.type) for one, values in zip(columns(table), zip(*rows, strict=True), strict=True)
    ]  # fmt: skip
    return pa.Table.from_arrays(arrays, schema=schema(table))


def _read(path: Path) -> pa.Table:
    # Not `read_table`, which adds the columns that the path names.
    return pq.ParquetFile(path).read()


def _write(path: Path, table: pa.Table) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    with draft.open("wb") as file:
        pq.write_table(table, file, compression="zstd")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
