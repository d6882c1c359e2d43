"""What keeps the warehouse up beside a room, as a process that is killed and one that is told to end."""

from pathlib import Path

from deploy.kafka.ports import free_ports
from services.bootstrap import WAREHOUSE_FOLDER, open_log
from services.warehouse.worker import WarehouseWorker, catch_up
from tests.money.followers import following, heads, playing, shown, stopped, wait_until
from tests.money.warehouses import played_log, rows_in


def test_it_takes_in_all_that_the_log_has_and_says_how_much(tmp_path: Path):
    with played_log(tmp_path / "home") as log:
        worker, told = WarehouseWorker(tmp_path / "warehouse", log), list[int]()
        assert worker.heights() == {}
        worker.catch_up(told.append)
        worker.catch_up(told.append)
        assert worker.heights() == heads(log)
        assert told == [sum(height + 1 for height in heads(log).values()), 0]


def test_beside_a_room_it_follows_is_killed_goes_on_and_ends_when_it_is_told_to(tmp_path: Path):
    """What is there at the end is what one look takes of the whole log."""
    home = tmp_path / "home"
    (port,) = free_ports(1)
    with playing(home) as end_of_play, open_log(home) as log:
        worker = WarehouseWorker(home / WAREHOUSE_FOLDER, log)
        with following(home, "warehouse", "--every", "1") as killed:
            wait_until(lambda: sum(worker.heights().values()) > 0)
            before = sum(worker.heights().values())
            wait_until(lambda: sum(worker.heights().values()) > before)
            killed.kill()
        end_of_play()
        with following(home, "warehouse", "--metrics", f"127.0.0.1:{port}") as other:
            wait_until(lambda: worker.heights() == heads(log) and shown(port).get("handlog_warehouse_waits") == 0.0)
            assert "The warehouse has" in stopped(other)
        catch_up(tmp_path / "at-once", log)
        assert rows_in(home / WAREHOUSE_FOLDER) == rows_in(tmp_path / "at-once")
