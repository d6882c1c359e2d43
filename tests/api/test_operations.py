"""What those who run the room look at: metrics, the description of the interface, the server itself."""

import re
import socket
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from domain.hand.commands import Call
from services.api import problems
from services.api.app import create_app
from services.api.problems import Kind
from services.api.serve import CantServe, serving
from tests.api.doors import Door, busy, door_of, key, must, until
from tests.services.homes import open_table

SAMPLE = re.compile(r'handlog_\w+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+')


def counted(door: Door) -> list[str]:
    """The samples of /metrics."""
    return [line for line in door.with_token(None).http.get("/metrics").text.splitlines() if line[0] != "#"]


def test_requests_and_commands_are_counted(tmp_path: Path) -> None:
    with door_of(tmp_path / "home") as door:
        fay, id_ = door.client("floor:fay"), key()
        must(fay.give(open_table(), id_))
        must(fay.give(open_table(), id_))
        fay.give(open_table())
        fay.post({"name": "who.knows", "args": {}})
        fay.http.get("/v1/tables/t1")
        fay.http.get("/v1/tables/t2")
        fay.http.get("/nowhere/at/all")
        fay.http.request("PROPFIND", "/healthz")
        seen = counted(door)
    assert 'handlog_http_commands_total{name="table.open",outcome="recorded"} 1.0' in seen
    assert 'handlog_http_commands_total{name="table.open",outcome="repeated"} 1.0' in seen
    assert 'handlog_http_commands_total{name="table.open",outcome="refused"} 1.0' in seen
    assert 'handlog_http_commands_total{name="none",outcome="invalid"} 1.0' in seen
    of_requests = 'handlog_http_request_seconds_count{method="%s",route="%s",status="%s"} 1.0'
    assert of_requests % ("GET", "/v1/tables/{table}", 200) in seen
    assert of_requests % ("GET", "/v1/tables/{table}", 404) in seen
    assert of_requests % ("GET", "none", 404) in seen
    assert of_requests % ("other", "/healthz", 405) in seen
    assert 'handlog_shard_owned{shard="3"} 1.0' in seen
    assert "handlog_http_waiting 0.0" in seen


def test_no_label_names_anybody(door: Door, dealt: str) -> None:
    door.client("player:ann").look(f"/v1/hands/{dealt}")
    must(door.client("player:ann").give(Call(dealt, 1, 1)))
    seen = counted(door)
    assert all(SAMPLE.fullmatch(one) for one in seen)
    assert not [one for one in seen if "ann" in one or dealt in one]


# --- the description ---


def test_the_interface_is_described(door: Door) -> None:
    described = door.with_token(None).look("/openapi.json")
    assert described["paths"].keys() == {
        "/v1/commands", "/v1/room", "/v1/tables/{table}", "/v1/hands/{hand}", "/v1/players/{player}",
        "/healthz", "/readyz", "/metrics",
    }  # fmt: skip
    for path in described["paths"].values():
        for operation in path.values():
            assert operation["summary"]
            for status, response in operation["responses"].items():
                assert response["description"]
                assert status == "200" or "application/problem+json" in response["content"]
    sending = described["paths"]["/v1/commands"]["post"]
    assert sending["parameters"][0]["name"] == "Idempotency-Key"
    assert sending["requestBody"]["content"]["application/json"]["schema"]["required"] == ["name", "args"]
    assert sending["security"] == [{"HTTPBearer": []}]


def test_kinds_of_problems_are_told_apart() -> None:
    kinds = [one for one in vars(problems).values() if isinstance(one, Kind)]
    assert len({one.type for one in kinds}) == len(kinds) > 15
    assert all(re.fullmatch(r"tag:handlog,2026:[a-z-]+", one.type) for one in kinds)


# --- the server ---


def test_a_port_that_is_taken_is_said_to_be(door: Door) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(CantServe, match=f"127.0.0.1 port {port}"),
            serving(create_app(door.host, door.tokens), port=port),
        ):
            pass


def test_it_listens_to_this_machine_only(door: Door) -> None:
    assert door.address.startswith("http://127.0.0.1:")


def test_at_the_end_who_was_let_in_is_answered(tmp_path: Path) -> None:
    answers = []
    with ExitStack() as held, door_of(tmp_path / "home") as door:
        fay = door.client("floor:fay")
        go_on = held.enter_context(busy(door))
        sending = threading.Thread(target=lambda: answers.append(fay.give(open_table())))
        sending.start()
        until(lambda: counted(door), lambda samples: "handlog_http_waiting 1.0" in samples)
        threading.Timer(0.3, go_on.set).start()
    sending.join()
    must(answers[0])
