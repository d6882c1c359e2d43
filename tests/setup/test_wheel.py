"""The built wheel in a clean environment: it holds the house, needs only what it declares, and `handlog demo` runs."""

import importlib.metadata
import os
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.setup.tree import PACKAGES, ROOT, files


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command as a stranger would, with nothing of this run's surroundings; its output."""
    private = ("PYTHON", "HANDLOG", "VIRTUAL_ENV")
    env = {name: value for name, value in os.environ.items() if not name.startswith(private)}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def pip(*arguments: str | Path, cwd: Path) -> str:
    return run(sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments, cwd=cwd)


def closure(wheel: Path) -> set[str]:
    """The names of the distributions that the wheel asks for, what these ask for, and so on."""
    (itself,) = importlib.metadata.distributions(name="handlog", path=[str(wheel)])
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = list(asked(itself, ()))
    while waiting:
        requirement = waiting.pop()
        one = (canonicalize_name(requirement.name), frozenset(requirement.extras))
        if one not in seen:
            seen.add(one)
            waiting += asked(importlib.metadata.distribution(requirement.name), requirement.extras)
    return {name for name, _ in seen}


def asked(distribution: importlib.metadata.Distribution, extras: Iterable[str]) -> Iterator[Requirement]:
    """What a distribution asks for on this machine, with those of its extras that are wanted."""
    for requirement in map(Requirement, distribution.requires or []):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield requirement


def tops(distribution: importlib.metadata.Distribution) -> Iterator[Path]:
    """The files and folders of a distribution that lie directly in site-packages."""
    names = {file.parts[0] for file in distribution.files or [] if file.parts[0] not in ("..", "__pycache__")}
    return (Path(str(distribution.locate_file(name))) for name in sorted(names))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def clean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment that holds the wheel and what it declares, and nothing else."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, with_pip=False, symlinks=True)
    bin_ = folder / "bin"
    pip("--python", bin_ / "python", "install", "--no-index", "--no-deps", wheel, cwd=folder)
    (site,) = folder.glob("lib/python*/site-packages")
    for top in {top for name in closure(wheel) for top in tops(importlib.metadata.distribution(name))}:
        (site / top.name).symlink_to(top)
    return bin_


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(wheel: Path) -> None:
    held = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == {str(file.relative_to(ROOT)) for package in PACKAGES for file in files(ROOT / package)}


def test_the_wheel_holds_the_licence(wheel: Path) -> None:
    assert any(name.endswith("/LICENSE") for name in ZipFile(wheel).namelist())


@pytest.mark.parametrize("package", PACKAGES)
def test_the_packages_come_from_the_wheel(clean: Path, tmp_path: Path, package: str) -> None:
    where = run(clean / "python", "-c", f"import {package}; print({package}.__file__)", cwd=tmp_path)
    assert clean.parent in Path(where.strip()).parents


def test_nothing_undeclared_is_there(clean: Path, tmp_path: Path) -> None:
    find = "import importlib.util as u; print([n for n in ('pytest', 'hypothesis', 'pokerkit') if u.find_spec(n)])"
    assert run(clean / "python", "-c", find, cwd=tmp_path).strip() == "[]"


def test_every_module_can_be_imported(clean: Path, tmp_path: Path) -> None:
    modules = sorted(module(file) for package in PACKAGES for file in files(ROOT / package) if file.suffix == ".py")
    run(clean / "python", "-c", "\n".join(f"import {name}" for name in modules), cwd=tmp_path)


def module(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_the_demo_runs(clean: Path, tmp_path: Path) -> None:
    assert run(clean / "handlog", "demo", "--hands", "5", cwd=tmp_path)
