"""Whatever is sent to the door, it answers with a problem document that says what would be right."""

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain import catalog
from services.api.asking import LARGEST
from services.api.permissions import MAY_SEND
from services.api.roles import Role
from tests.api.doors import Client, Door, key, problem
from tests.services.homes import open_table

JSON = {"Content-Type": "application/json"}


def raw(client: Client, body: bytes | Iterator[bytes], **headers: str) -> httpx.Response:
    return client.http.post("/v1/commands", content=body, headers=JSON | {"Idempotency-Key": key()} | headers)


# --- who asks ---


@pytest.mark.parametrize("token", [None, "handlog_00000000_AAAA", "x" * 5000, "\u00e9"])
def test_who_is_not_known_is_told_how_to_be(door: Door, token: str | None) -> None:
    nobody = door.with_token(None)
    headers = {} if token is None else {b"Authorization": f"Bearer {token}".encode()}
    for response in (
        nobody.http.post("/v1/commands", json={}, headers=headers),
        nobody.http.get("/v1/tables/t1", headers=headers),
        nobody.http.get("/v1/hands/t1-1", headers=headers),
    ):
        assert "handlog tokens add" in problem(response, 401, "unauthenticated")
        assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_token_is_all_of_it(door: Door) -> None:
    token = door.client("floor:fay").http.headers["Authorization"].removeprefix("Bearer ")
    assert door.with_token(token).give(open_table("token1")).status_code == 200
    for wrong in (token[:-1], token + "A", token.swapcase(), token[:17] + "A" * 43):
        problem(door.with_token(wrong).give(open_table("token2")), 401, "unauthenticated")


# --- what is sent ---


def test_a_command_needs_an_id_of_its_own(door: Door) -> None:
    fay = door.client("floor:fay")
    said = problem(fay.http.post("/v1/commands", json={"name": "x", "args": {}}), 400, "key-missing")
    assert "header Idempotency-Key" in said
    assert "018bcfe5-6800-7000-8000-000000000001" in said
    for wrong in ("1", "018BCFE5-6800-7000-8000-000000000001", "b5a0b7a2-5bd6-4f0a-8a29-6b0d1b4b1f7c", "x" * 9000):
        assert "is '" in problem(fay.post({"name": "x", "args": {}}, wrong), 400, "key-missing")


def test_what_is_no_json_is_said_to_be_none(door: Door) -> None:
    fay = door.client("floor:fay")
    for body in (b"", b"{", b"\xff\xfe", b'{"name": "\\ud800"}', b"[" * 60_000, b'{"name": NaN}', b"\x00"):
        assert problem(raw(fay, body), 400, "malformed").startswith("The body is no JSON")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([], "The body must be one object"),
        ({}, "name: field required; args: field required"),
        ({"name": 1, "args": {}}, "name: input should be a valid string"),
        ({"name": "hand.fold", "args": []}, "args: input should be a valid dictionary"),
        ({"name": "hand.fold", "args": {}, "more": 1}, "more: extra inputs are not permitted"),
        ({"name": "hand.flod", "args": {}}, "There is no command 'hand.flod'"),
        ({"name": "hand.fold", "args": {}, "rev": 2}, "revision 2 of command 'hand.fold'"),
        ({"name": "hand.fold", "args": {}, "rev": True}, "rev: input should be a valid integer"),
        ({"name": "hand.fold", "args": {}}, "hand: field required"),
        ({"name": "hand.fold", "args": {"hand": "t1-1", "decision": 1, "seat": 11}}, "seat: input should be less than"),
        ({"name": "hand.fold", "args": {"hand": "t1-1", "decision": 1.5, "seat": 1}}, "decision: input should be"),
        ({"name": "hand.fold", "args": {"hand": "t1-1", "decision": 2**70, "seat": 1}}, "decision: input should be"),
    ],
)
def test_what_does_not_fit_is_named(door: Door, said: Any, why: str) -> None:
    assert why in problem(door.client("player:ann").post(said), 422, "invalid")


def test_a_body_has_a_size(door: Door) -> None:
    fay = door.client("floor:fay")
    fits = json.dumps({"name": "table.open", "args": {}}).encode().ljust(LARGEST)
    problem(raw(fay, fits), 422, "invalid")
    assert "at most 65,536 bytes" in problem(raw(fay, fits + b" "), 413, "too-large")
    problem(raw(fay, iter([b" " * 1000] * 70)), 413, "too-large")  # chunked, its size isn't stated
    with suppress(httpx.TransportError):  # broken off in the midst of its sending
        problem(raw(fay, b" " * 20_000_000), 413, "too-large")


def test_an_address_may_lead_nowhere(door: Door) -> None:
    fay = door.client("floor:fay")
    for path in ("/", "/v1", "/v2/commands", "/v1/tables", "/v1/hands/", "/docs", "/v1/tables/t1/x"):
        assert "POST /v1/commands" in problem(fay.http.get(path), 404, "not-found")


def test_a_method_may_not_be_there(door: Door) -> None:
    fay = door.client("floor:fay")
    response = fay.http.get("/v1/commands")
    assert problem(response, 405, "no-such-method") == "GET can't be done here: the header Allow says what can."
    assert response.headers["Allow"] == "POST"
    problem(fay.http.delete("/v1/tables/t1"), 405, "no-such-method")
    problem(fay.http.request("PROPFIND", "/healthz"), 405, "no-such-method")


# --- anything at all ---

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.just("t1-1"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)
NAMES = sorted(name for name, roles in MAY_SEND.items() if {Role.PLAYER, Role.FLOOR} & roles)


@st.composite
def nearly(draw: st.DrawFn) -> Any:
    """A command with the right names and any values, or some that fit."""
    name = draw(st.sampled_from(NAMES))
    fields = catalog.command.by_name[name].cls.__dataclass_fields__
    fitting = st.sampled_from([1, 0, 2**53 - 1, 2**53, "t1", "t1-1", "ann", "holdem", "no", "euro", "play", "PLAY", []])
    args = {field: draw(fitting | VALUES) for field in fields if draw(st.integers(0, 9))}
    return {"name": name, "args": args} | draw(st.dictionaries(st.sampled_from(["rev", "cause"]), VALUES, max_size=1))


NOT_LOOKED_AT = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]

SENT = (
    st.binary(max_size=200)
    | VALUES.map(lambda value: json.dumps(value).encode())
    | nearly().map(lambda value: json.dumps(value).encode())
)


@settings(max_examples=200, suppress_health_check=NOT_LOOKED_AT)
@given(body=SENT, player=st.booleans())
def test_nothing_that_is_sent_breaks_the_door(door: Door, body: bytes, player: bool) -> None:
    response = raw(door.client("player:ann" if player else "floor:fay"), body)
    assert response.status_code in (200, 400, 403, 409, 422), response.text
    if response.status_code != 200:
        assert response.headers["content-type"] == "application/problem+json"
        assert response.json()["detail"]


@settings(max_examples=25, suppress_health_check=NOT_LOOKED_AT)
@given(head=st.binary(max_size=99))
def test_what_is_no_http_is_turned_away(door: Door, head: bytes) -> None:
    address = httpx.URL(door.address)
    with socket.create_connection((address.host, address.port or 0), timeout=60) as connection:
        connection.sendall(head + b"\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        while found := connection.recv(4096):
            assert b" 500 " not in found
    assert door.with_token(None).look("/healthz") == {"alive": True}
