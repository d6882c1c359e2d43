"""What the repository holds and where; what may stand in the domain."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.setup.tree import PACKAGES, ROOT, entries, files
from tests.suites import SUITES

TOP = {*PACKAGES, "deploy", "tests", "pyproject.toml", "README.md", "Makefile", "LICENSE", "requirements.lock"}

# Written in two halves, so that this file doesn't hold what it looks for.
HOSTS = re.compile("|".join(re.escape(f"{name}.{rest}") for name, rest in (
    ("pypi", "org"), ("pythonhosted", "org"), ("pypi", "python"), ("registry", "npmjs"), ("index", "docker"),
)))  # fmt: skip


def test_the_top_holds_the_house_and_nothing_else() -> None:
    assert {path.name for path in entries(ROOT) if not path.name.startswith(".")} == TOP


@pytest.mark.parametrize("name", sorted(TOP))
def test_no_room_of_the_house_is_empty(name: str) -> None:
    path = ROOT / name
    assert any(file.stat().st_size for file in (files(path) if path.is_dir() else [path]))


def test_every_folder_of_tests_belongs_to_a_suite() -> None:
    known = {folder for suite in SUITES for folder in suite.folders}
    found = {path.name for path in entries(ROOT / "tests") if any(path.rglob("test_*.py"))}
    assert found <= known, f"add {', '.join(found - known)} to a suite of tests/suites.py"


def test_every_folder_of_python_is_a_package() -> None:
    folders = {file.parent for file in files() if file.suffix == ".py"}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_nothing_names_a_registry() -> None:
    named = [str(file) for file in files() if HOSTS.search(file.read_text(errors="replace"))]
    assert named == []


def test_the_lock_holds_names_versions_and_digests_only() -> None:
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text
    assert not re.search(r"^\s*(-i|-f|--index-url|--extra-index-url|--find-links|--trusted-host)\b", text, re.MULTILINE)


def test_the_lock_holds_what_the_project_asks_for() -> None:
    asked = re.findall(r'^    "([\w-]+)(?:\[\w+\])?(==[\w.]+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    locked = (ROOT / "requirements.lock").read_text()
    assert len(asked) > 10
    assert [name for name, version in asked if f"\n{name}{version} " not in locked] == []


def domain_nodes() -> Iterator[tuple[Path, ast.AST]]:
    for file in files(ROOT / "domain"):
        if file.suffix == ".py":
            yield from ((file, node) for node in ast.walk(ast.parse(file.read_text())))


def imported(node: ast.AST) -> list[str]:
    """The first names of the modules that a statement imports."""
    match node:
        case ast.Import(names=names):
            return [name.name.partition(".")[0] for name in names]
        case ast.ImportFrom(module=str(module)):
            return [module.partition(".")[0]]
    return []


def test_the_domain_imports_the_standard_library_and_pydantic_only() -> None:
    allowed = {"domain", "pydantic", *sys.stdlib_module_names}
    assert [(file, name) for file, node in domain_nodes() for name in imported(node) if name not in allowed] == []


def is_float(node: ast.AST) -> bool:
    """A float literal, the name `float`, or a division that makes one."""
    match node:
        case ast.Constant(value=float()) | ast.Name(id="float") | ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
            return True
    return False


def test_there_is_no_float_in_the_domain() -> None:
    assert [f"{file}:{getattr(node, 'lineno', '?')}" for file, node in domain_nodes() if is_float(node)] == []


@pytest.mark.parametrize("source", ["x = 1.0", "x = a / b", "x /= 2", "float(x)"])
def test_a_float_would_be_seen(source: str) -> None:
    assert any(is_float(node) for node in ast.walk(ast.parse(source)))
