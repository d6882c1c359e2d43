"""Nobody learns at the door of another's money: what he is given there is the same, byte for byte, whatever becomes of
it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.account import commands as ask
from domain.account.events import LimitKind, Period
from services.api import app, seen
from tests.api.cage import ANN, BOB, CAGE, FLOOR, Cage, cage_of
from tests.services.patrons import buy_in, real_table

OTHERS = (BOB, "player:cleo", "service:lobby", "node:north")
"""A player at her table, one who isn't there, and programs that may not see players' money."""


@pytest.fixture
def cage(tmp_path: Path) -> Iterator[Cage]:
    """Ann and bob sit at table t1."""
    with cage_of(tmp_path / "home") as cage:
        cage.done(FLOOR, real_table())
        for seat, player in enumerate(("ann", "bob"), start=1):
            cage.done(CAGE, ask.OpenAccount(player, "EUR"))
            cage.done(CAGE, ask.Deposit(player, "EUR", 10_00, f"payment of {player}"))
            cage.done(f"player:{player}", buy_in(player, seat))
        yield cage


HERS: list[tuple[str, Any]] = [
    (CAGE, ask.Deposit("ann", "EUR", 20_00, "pay2")),
    (CAGE, ask.Withdraw("ann", "EUR", 3_00, "out1")),
    (CAGE, ask.Hold("ann", "EUR", "h1", 1_00)),
    (CAGE, ask.GrantPromotion("ann", "EUR", 2_00, "welcome")),
    (CAGE, ask.OpenAccount("ann", "USD")),
    (ANN, ask.SetLimit("ann", LimitKind.LOSS, Period.DAY, "EUR", 50_00)),
    (FLOOR, {"name": "player.freeze", "args": {"player": "ann", "reason": "two cards up her sleeve"}}),
]


def test_nobody_learns_of_another_s_money(cage: Cage) -> None:
    before = {who: told(cage, who) for who in OTHERS}
    own = told(cage, ANN)
    for who, args in HERS:
        cage.done(who, args)
        assert {other: told(cage, other) for other in OTHERS} == before, args
        assert told(cage, ANN) != own, "she sees it"
        own = told(cage, ANN)


def told(cage: Cage, who: str) -> dict[str, str]:
    """What somebody is given who asks for whatever he can think of."""
    client = cage.door.client(who)
    responses = {f"GET {path}": client.http.get(path) for path in ("/v1/players/ann", "/v1/tables/t1")}
    for args in (buy_in("ann", 3), ask.TopUp("ann", "EUR", "t1", 1, 1), ask.CoolOff("ann", 5)):
        if who != ANN:
            responses[repr(args)] = client.give(args)
    return {place: _bytes(response) for place, response in responses.items()}


def _bytes(response: httpx.Response) -> str:
    """A response with its head, but for the time of day."""
    head = [(name, value) for name, value in response.headers.items() if name != "date"]
    return f"{response.status_code} {head}\n{response.text}"


# --- leaks that are planted are found ---


def everybody_may_look_players_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "check_may_look_up", lambda asker, player: None)


def a_seat_shows_that_it_is_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    seat_seen = seen._seat_seen
    monkeypatch.setattr(seen, "_seat_seen", lambda number, seat: seat_seen(number, seat) | {"frozen": seat.frozen})


@pytest.mark.parametrize("plant", [everybody_may_look_players_up, a_seat_shows_that_it_is_frozen])
def test_a_leak_of_money_is_found(cage: Cage, monkeypatch: pytest.MonkeyPatch, plant: Any) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError, match=r"Deposit|player\.freeze"):
        test_nobody_learns_of_another_s_money(cage)
