"""The files of the repository, as git would take them: what is ignored is left out."""

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("domain", "projections", "services")


def _ignored() -> list[str]:
    lines = (ROOT / ".gitignore").read_text().splitlines()
    return [".git", *(line.strip("/") for line in lines if line and not line.startswith("#"))]


IGNORED = _ignored()


def entries(folder: Path) -> list[Path]:
    """What a folder holds that isn't ignored, in order."""
    return sorted(path for path in folder.iterdir() if not any(fnmatch(path.name, one) for one in IGNORED))


def files(folder: Path = ROOT) -> Iterator[Path]:
    """Every file under a folder."""
    for path in entries(folder):
        if path.is_dir():
            yield from files(path)
        else:
            yield path
