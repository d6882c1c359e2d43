"""How the databases that keep views are spoken to: what each needs so that the store's promises hold on it.

A transaction that reads sees one moment. Of those that write one waits for the other, at the most LOCK_SECONDS.
"""

import sqlite3
from time import sleep
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url

from projections.tables import CURRENT

LOCK_SECONDS = 30
"""How long a writer waits for another one."""

_WRITER = 0x68616E64
"""The advisory lock that a writer holds in PostgreSQL till its transaction ends. It needs no table, so that two
processes that find an empty database wait for each other too."""

_SHORT = {"postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}
"""What people call the driver that is installed."""


def engine_for(url: str | URL) -> Engine:
    """The engine for an address; nothing is connected yet. Raises what SQLAlchemy does for one that it can't use."""
    address = make_url(url)
    address = address.set(drivername=_SHORT.get(address.drivername, address.drivername))
    if address.get_backend_name() == "sqlite":
        engine = create_engine(address, connect_args={"timeout": LOCK_SECONDS})
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    else:
        engine = create_engine(address, connect_args={"connect_timeout": LOCK_SECONDS}, pool_pre_ping=True)
        event.listen(engine, "begin", _begin_postgresql)
    return engine


def keep_the_tables(db: Connection) -> None:
    """While this transaction reads, no build that it may read is dropped: `alone` waits for it."""
    if db.dialect.name == "postgresql":
        # Before the first query: only then the moment that it sees is after the lock.
        db.exec_driver_sql(f"LOCK TABLE {CURRENT.name} IN ACCESS SHARE MODE")


def alone(db: Connection) -> None:
    """Wait until nobody reads; who comes then waits for the end of this transaction. SQLite needs no such thing."""
    if db.dialect.name == "postgresql":
        db.exec_driver_sql(f"LOCK TABLE {CURRENT.name} IN ACCESS EXCLUSIVE MODE")


def _set_up_sqlite(connection: Any, _: Any) -> None:
    # Python's driver begins transactions by itself, but not before CREATE or SELECT: leave it to us.
    connection.isolation_level = None
    _use_wal(connection)
    # After a power cut the last batches may be gone, rows and positions alike: they are folded again.
    connection.execute("PRAGMA synchronous = NORMAL")


def _use_wal(connection: Any) -> None:
    """SQLite itself waits for nobody where a new file gets its mode: of several who open it at once, one is refused."""
    for _ in range(100 * LOCK_SECONDS):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            sleep(0.01)
        else:
            return
    connection.execute("PRAGMA journal_mode = WAL")


def _begin_sqlite(db: Connection) -> None:
    db.exec_driver_sql("BEGIN IMMEDIATE" if _writes(db) else "BEGIN")


def _begin_postgresql(db: Connection) -> None:
    if _writes(db):
        # Read committed, the default: what is read after the wait is what the writer before has left.
        db.exec_driver_sql(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
        db.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITER})")
    else:
        db.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _writes(db: Connection) -> bool:
    return bool(db.get_execution_options().get("write"))
