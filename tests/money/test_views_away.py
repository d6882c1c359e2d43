"""The database of the views goes away under their worker and comes back: the room plays on, and nothing is lost."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from deploy.kafka.ports import free_ports
from projections.rebuild import rebuild
from services.bootstrap import open_log
from services.views import VIEWS, commits, open_views
from tests.money.followers import following, heads, playing, shown, wait_until
from tests.postgresql import empty_database
from tests.projections.stored import contents


@pytest.mark.soak
def test_the_worker_waits_for_its_database_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, (port,) = tmp_path / "home", free_ports(1)
    with empty_database() as url, playing(home) as end_of_play:
        monkeypatch.setenv(VIEWS, url)
        with following(home, "views", "--metrics", f"127.0.0.1:{port}") as worker, open_log(home) as log:
            wait_until(lambda: shown(port).get("handlog_views_commits_total", 0) > 50)
            with away(url):
                wait_until(lambda: shown(port).get("handlog_views_waits") == 1)
                wait_until(lambda: shown(port).get('handlog_views_lag{shard="0"}', 0) > 20)
            wait_until(lambda: shown(port).get("handlog_views_waits") == 0)
            end_of_play()
            wait_until(lambda: shown(port).get('handlog_views_lag{shard="0"}') == 0)
            with open_views(home) as store:
                wait_until(lambda: store.positions() == heads(log))
                there = contents(store)
                rebuild(store, commits(log))
                assert contents(store) == there
            worker.terminate()
            said = worker.communicate(timeout=60)[1]
    assert "it is tried again" in said
    assert "Traceback" not in said


@contextmanager
def away(url: str) -> Iterator[None]:
    """As long as it lasts nobody gets into the database, and who was in it has been thrown out."""
    address = make_url(url)
    name = address.database
    engine = create_engine(address.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as db:
        db.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
        db.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"))
        try:
            yield
        finally:
            db.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
    engine.dispose()
