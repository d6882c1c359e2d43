"""The feed on a real broker: its worker killed, stopped and sent back, and a consumer that the README shows."""

import re
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest
import typer
from kafka import TopicPartition

from deploy.kafka.cluster import Cluster
from deploy.kafka.ports import free_ports
from projections.queries import hand_headers
from services.bootstrap import make_home, open_log
from services.cli.feed import feed, starts_of
from services.eventlog import body
from services.eventlog.log import Log
from services.eventlog.mapper import UnreadableEvent
from services.feed.kafka_topic import KafkaTopic
from services.feed.worker import Worker
from services.kafka.clients import admin
from services.kafka.partitions import Reader
from services.kafka.settings import Broker
from services.kafka.topics import BadTopic, feed_topic
from services.ports import Ports, seeded_ports
from services.views import current_views
from tests.feed.feeds import length, partitions, sent_by, stopped, working
from tests.feed.rooms import play
from tests.feed.topics import check_feed, values_of
from tests.money.followers import shown, wait_until

README = (Path(__file__).parents[2] / "README.md").read_text()


@pytest.fixture
def broker(kafka) -> Broker:
    return Broker(kafka.bootstrap)


@pytest.fixture
def room() -> str:
    return f"feed-{uuid4().hex[:12]}"


@pytest.fixture
def ports() -> Ports:
    return seeded_ports(1)


@pytest.fixture
def home(kafka, room, ports, monkeypatch, tmp_path: Path) -> Path:
    """A room of that name whose log is on the broker, and whose bots have played nine hands."""
    monkeypatch.setenv("HANDLOG_KAFKA", kafka.bootstrap)
    monkeypatch.setenv("HANDLOG_ROOM", room)
    home: Path = tmp_path / "home"
    make_home(home, room, ports)
    play(home, ports, hands=3)
    return home


def test_the_feed_tells_all_of_the_log_and_goes_on_where_it_ended(home: Path, ports: Ports, broker: Broker) -> None:
    assert sent_by(home) > 300
    play(home, ports, hands=1, seed=2)
    assert 20 < sent_by(home) < 300
    assert sent_by(home) == 0
    with open_log(home) as log:
        assert check_feed(log, partitions(broker, log)) == 0


@pytest.mark.soak
def test_a_worker_that_is_killed_again_and_again_leaves_nothing_out(home: Path, broker: Broker) -> None:
    """Killed while it sends: the feed has grown then, and isn't whole."""
    random = Random(1)
    with open_log(home) as log:
        whole = sum(len(values_of(log, shard)) for shard in range(log.shards))
        for _ in range(3):
            enough = length(broker, log) + random.randint(5, 30)
            with working(home, pause=0.03):
                wait_until(lambda: length(broker, log) > enough)  # noqa: B023 -- it is called here
            assert length(broker, log) < whole
        sent_by(home)
        check_feed(log, partitions(broker, log))


def test_it_tells_what_is_played_while_it_is_played_until_somebody_stops_it_and_prometheus_learns_how_far_it_is(
    home: Path, ports: Ports, broker: Broker
) -> None:
    (port,) = free_ports(1)
    with working(home, metrics=f"127.0.0.1:{port}") as worker:
        play(home, ports, hands=2, seed=3)
        with open_log(home) as log:
            whole = sum(len(values_of(log, shard)) for shard in range(log.shards))
            there = {"handlog_feed_events_total": whole, "handlog_feed_waits": 0.0}
            there |= {f'handlog_feed_lag{{shard="{shard}"}}': 0.0 for shard in range(log.shards)}
            wait_until(lambda: there.items() <= shown(port).items())
            assert stopped(worker) == f"{whole} events sent."
            assert check_feed(log, partitions(broker, log)) == 0


def test_a_place_for_metrics_is_a_host_and_a_port(home: Path, capsys) -> None:
    for wrong in ("9100", "127.0.0.1:", "127.0.0.1:99999"):
        with pytest.raises(typer.Exit):
            feed(home, (), once=False, metrics=wrong)
        assert f"--metrics {wrong} is no place to listen at: write HOST:PORT" in capsys.readouterr().err
    with pytest.raises(typer.Exit):
        feed(home, (), once=True, metrics="127.0.0.1:9100")
    assert "leave out that or --once" in capsys.readouterr().err


def test_a_shard_whose_feed_was_all_deleted_is_told_from_its_beginning(home: Path, broker: Broker) -> None:
    """As retention does in a room that is quiet for long: ids and bytes are those that were told before."""
    sent_by(home)
    with open_log(home) as log:
        shard = max(range(log.shards), key=lambda one: log.head(one).height)
        before = partitions(broker, log)[shard]
        delete_all(broker, log, shard)
        assert sent_by(home) == len(before)
        with closing(Reader(broker, feed_topic(log.room))) as reader:
            assert [placed.raw for placed in reader.read(shard, reader.begin(shard))] == before


def delete_all(broker: Broker, log: Log, shard: int) -> None:
    """Have the broker delete what stands in a shard's feed."""
    client = admin(broker)
    try:
        with closing(Reader(broker, feed_topic(log.room))) as reader:
            client.delete_records({TopicPartition(feed_topic(log.room), shard): reader.end(shard)})
            wait_until(lambda: reader.begin(shard) == reader.end(shard))
    finally:
        client.close()


@pytest.mark.soak
@pytest.mark.parametrize(
    ("fault", "end", "seconds"), [("kill", "start", 1), ("stop", "start", 1), ("pause", "resume", 12)]
)
def test_a_broker_that_fails_while_it_tells_leaves_nothing_out(
    one: Cluster,
    fault: str,
    end: str,
    seconds: float,
    room: str,
    ports: Ports,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    broker, home, node = Broker(one.bootstrap), tmp_path / "home", one.brokers[0]
    monkeypatch.setenv("HANDLOG_KAFKA", one.bootstrap)
    monkeypatch.setenv("HANDLOG_ROOM", room)
    make_home(home, room, ports)
    play(home, ports, hands=3)
    with open_log(home) as log:
        whole = sum(len(values_of(log, shard)) for shard in range(log.shards))
        with working(home, pause=0.02):
            for _ in range(3):
                enough = length(broker, log) + 20
                wait_until(lambda: length(broker, log) > enough)  # noqa: B023 -- it is called here
                getattr(node, fault)()
                time.sleep(seconds)
                getattr(node, end)()
            wait_until(lambda: length(broker, log) > enough + 10)
            assert length(broker, log) < whole
        sent_by(home)
        repeats = check_feed(log, partitions(broker, log))
        print(f"{whole} events, three times {fault} and {end} of the broker: {repeats} told twice")


def test_a_shard_is_sent_again_from_a_height(home: Path, broker: Broker) -> None:
    sent_by(home)
    with open_log(home) as log:
        shard = max(range(log.shards), key=lambda one: log.head(one).height)
        height = log.head(shard).height - 10
        again = sent_by(home, f"{shard}:{height}")
        assert again > 0
        assert check_feed(log, partitions(broker, log)) == again


def test_a_shard_that_is_stopped_is_told_up_to_there_and_the_others_whole(home: Path, broker: Broker, tmp_path) -> None:
    with open_log(home, write=True) as log:
        shard = max(range(log.shards), key=lambda one: log.head(one).height)
        command = {"id": "1", "name": "hand.abduct", "rev": 1, "args": {}, "by": "ann", "cause": "floor"}
        abducted = body.fact(f"shard:{shard}", 2, "shard.abducted", 1, {})
        end = log.append(shard, log.head(shard), [body.entry(log_time(log, shard), command, [abducted])])[0]
    with open_log(tmp_path / "another") as log, closing(KafkaTopic(broker, log.room, log.shards)) as topic:
        worker = Worker(log, topic)
        with pytest.raises(UnreadableEvent, match=f"shard {shard} is stopped at height {end.height}: .*shard.abducted"):
            worker.catch_up()
        assert check_feed(log, partitions(broker, log)) == 0
        assert worker.sent == length(broker, log) > 300


def log_time(log: Log, shard: int) -> int:
    return body.decode(log.record(shard, log.head(shard).height).body).at


def test_a_topic_that_is_not_the_room_s_is_refused(home: Path, room: str, broker: Broker) -> None:
    with pytest.raises(BadTopic, match=r"there is no topic handlog\.nowhere\.feed\.v1 for the feed: `handlog topics"):
        KafkaTopic(broker, "nowhere", 4)
    with pytest.raises(BadTopic, match=rf"{room}\.feed\.v1 has 4 partitions where the room has 8 shards"):
        KafkaTopic(broker, room, 8)


@pytest.mark.parametrize("text", ["", "3", "3:", ":3", "-1:0", "a:b", "1:2:3"])
def test_a_start_is_a_shard_and_a_height(text: str, capsys) -> None:
    with pytest.raises(typer.Exit):
        starts_of([text])
    assert f"--from {text} isn't SHARD:HEIGHT, such as 2:0" in capsys.readouterr().err


def test_starts_are_heights_by_shard() -> None:
    assert starts_of(["2:0", "0:17"]) == {2: 0, 0: 17}


# --- the consumer that the README shows ------------------------------------------------------------------------------


def test_the_readme_s_consumer_knows_what_each_game_s_pots_come_to(home: Path, room: str) -> None:
    """As the views have it, though parts were sent twice; one that takes repeats for news doesn't."""
    sent_by(home)
    with open_log(home) as log:
        most, less, *_ = sorted(range(log.shards), key=lambda one: -log.head(one).height)
        sent_by(home, f"{most}:0", f"{less}:{log.head(less).height // 2}")
        pots = Counter[tuple[str, str]]()
        with current_views(home, log) as store:
            for hand in hand_headers(store):
                pots[hand.game, hand.currency] += hand.pot
    expected = [f"{game} {amount} {currency}" for (game, currency), amount in sorted(pots.items())]
    careless = consumer(room).replace("continue  # a repeat", "pass")
    assert len(expected) == 3
    with ThreadPoolExecutor() as both:  # each waits some seconds for more
        right, wrong = both.map(printed_by, (consumer(room), careless))
    assert right == expected != wrong


def consumer(room: str) -> str:
    """The README's program, for a room of that name."""
    program: str
    (program,) = [code for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "KafkaConsumer(" in code]
    return program.replace("riverside", room)


def printed_by(program: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()
