"""Where the bench keeps its homes: on the disk that holds the repository."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

BUILD = Path(__file__).parents[2] / "build"


@contextmanager
def folder() -> Iterator[Path]:
    """An empty folder in build/, cleared away afterwards."""
    BUILD.mkdir(exist_ok=True)
    path = Path(mkdtemp(prefix="bench-", dir=BUILD))
    try:
        yield path
    finally:
        shutil.rmtree(path)
