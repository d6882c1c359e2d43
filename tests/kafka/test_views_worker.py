"""The worker of the views beside a room on Kafka, in a home of its own: it reads the log while it grows."""

from uuid import uuid4

from projections.queries import proof
from projections.rebuild import rebuild
from services.bootstrap import make_home, open_log
from services.ports import seeded_ports
from services.views import commits, open_views
from tests.feed.rooms import play
from tests.money.followers import following, heads, stopped, wait_until
from tests.projections.stored import contents


def test_it_folds_what_is_played_while_it_is_played_and_goes_on_after_it_was_killed(kafka, monkeypatch, tmp_path):
    room, ports = f"views-{uuid4().hex[:12]}", seeded_ports(1)
    monkeypatch.setenv("HANDLOG_KAFKA", kafka.bootstrap)
    monkeypatch.setenv("HANDLOG_ROOM", room)
    home, other, looking = (tmp_path / name for name in ("home", "views", "looking"))
    make_home(home, room, ports)
    play(home, ports, hands=1)
    other.mkdir()
    looking.mkdir()
    with open_log(looking) as log, open_views(other) as store:
        with following(other, "views") as killed:
            wait_until(lambda: store.positions() == heads(log))
            killed.kill()
        with following(other, "views") as worker:
            play(home, ports, hands=1, seed=2)
            wait_until(lambda: store.positions() == heads(log))
            assert stopped(worker).endswith("commits folded.")
        assert proof(store).sound
        there = contents(store)
        rebuild(store, commits(log))
        assert contents(store) == there
