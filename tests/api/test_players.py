"""A player with his money, as he and the staff see it; nobody else does."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from domain.account import commands as ask
from domain.account.events import LimitKind, Period
from domain.account.play import play
from domain.account.state import Patron
from domain.messages import SECOND
from domain.table.commands import StandUp
from domain.transfers import About, Outcome, PlayerReceiveNotice
from services.api.patrons import patron_seen
from tests.api.cage import ANN, BOB, CAGE, FLOOR, Cage, cage_of
from tests.api.doors import must, problem
from tests.domain.account.patrons import DAY, NOON, facts, patron
from tests.services.patrons import buy_in, real_table

STAFF = ("floor:fay", "cage:cara", "auditor:al", "integrity:ivy", "admin:ada")


@contextmanager
def ann_plays(home: Path) -> Iterator[Cage]:
    """Ann brought 10.00 EUR and was given 1.00 EUR; 3.00 EUR are on hold, and 1.50 EUR at table t1."""
    with cage_of(home) as cage:
        cage.done(FLOOR, real_table())
        cage.done(CAGE, ask.OpenAccount("ann", "EUR"))
        cage.done(CAGE, ask.Deposit("ann", "EUR", 10_00, "pay1"))
        cage.done(CAGE, ask.GrantPromotion("ann", "EUR", 1_00, "welcome"))
        cage.done(CAGE, ask.Hold("ann", "EUR", "h1", 3_00))
        cage.done(ANN, buy_in("ann", 1, 1_50))
        yield cage


@pytest.fixture(scope="module")
def cage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cage]:
    """To look at."""
    with ann_plays(tmp_path_factory.mktemp("players") / "home") as cage:
        yield cage


@pytest.fixture
def own_cage(tmp_path: Path) -> Iterator[Cage]:
    """For a test that moves money."""
    with ann_plays(tmp_path / "home") as cage:
        yield cage


# --- what is seen ---


def test_a_player_sees_where_his_money_is(cage: Cage) -> None:
    """Balance: 10.00 - 3.00 - 1.50."""
    seen = cage.seen()
    (account,) = seen["accounts"]
    (table,) = account.pop("tables")
    assert account == {
        "currency": "EUR", "scale": 2, "kind": "real", "balance": 5_50, "held": 3_00,
        "holds": [{"hold": "h1", "amount": 3_00}], "promotion": 1_00, "under_way": [], "returned": [],
    }  # fmt: skip
    assert (table["table"], table["brought"]) == ("t1", 1_50)
    assert table["since"] <= seen["at"] <= time.time_ns() // 1000
    assert (seen["player"], seen["frozen"], seen["excluded"], seen["limits"]) == ("ann", False, False, [])


def test_what_has_left_the_account_is_under_way_until_the_table_has_it(own_cage: Cage) -> None:
    cage = own_cage
    must(cage.sent(ANN, ask.TopUp("ann", "EUR", "t1", 1, 20)))
    (sent,) = cage.account()["under_way"]
    (at_table,) = cage.account()["tables"]
    assert (sent["to"], sent["purpose"], sent["amount"], at_table["brought"]) == ("table:t1", "top-up", 20, 1_50)
    cage.carry()
    (at_table,) = cage.account()["tables"]
    assert (cage.account()["under_way"], at_table["brought"]) == ([], 1_70)
    cage.done(ANN, StandUp("t1", 1, "ann"))
    assert cage.account()["tables"] == []


def test_all_staff_see_the_same(cage: Cage) -> None:
    own = without_time(cage.seen())
    for who in STAFF:
        assert without_time(cage.seen(who)) == own


def without_time(seen: Any) -> Any:
    return {name: value for name, value in seen.items() if name != "at"}


def test_it_is_kept_nowhere(cage: Cage) -> None:
    assert cage.door.client(ANN).http.get("/v1/players/ann").headers["Cache-Control"] == "no-store"


# --- who sees it ---


@pytest.mark.parametrize("who", [BOB, "service:lobby", "node:north"])
def test_nobody_else_learns_even_whether_he_is_there(cage: Cage, who: str) -> None:
    """But for the names that he asked for, the answers are the same."""
    ann, nobody = (cage.door.client(who).http.get(f"/v1/players/{player}") for player in ("ann", "zed"))
    problem(ann, 403, "forbidden")
    assert ann.text.replace("ann", "zed") == nobody.text
    assert ann.headers.keys() == nobody.headers.keys()


def test_who_is_refused_is_told_where_to_look(cage: Cage) -> None:
    said = problem(cage.door.client(BOB).http.get("/v1/players/ann"), 403, "forbidden")
    assert said == "You are bob, not ann: you see your own money only, at /v1/players/bob."
    said = problem(cage.door.client("service:lobby").http.get("/v1/players/ann"), 403, "forbidden")
    assert said == (
        "service:lobby (service) may not see a player's money; it is for the player himself or admin or auditor or "
        "cage or floor or integrity."
    )
    problem(cage.door.with_token(None).http.get("/v1/players/ann"), 401, "unauthenticated")


@pytest.mark.parametrize(("who", "player"), [(CAGE, "zed"), (BOB, "bob")])
def test_of_whom_nothing_is_recorded_nothing_is_seen(cage: Cage, who: str, player: str) -> None:
    said = problem(cage.door.client(who).http.get(f"/v1/players/{player}"), 404, "not-found")
    assert said == f"Nothing is recorded of a player {player}: the cage opens his accounts."
    desks = cage.door.host._writer.room._desks  # type: ignore[attr-defined]
    assert f"player:{player}" not in desks, "nor kept in memory"


def test_an_id_that_can_not_be_one_is_named(cage: Cage) -> None:
    assert "player" in problem(cage.door.client(CAGE).http.get("/v1/players/Ann!"), 422, "invalid")


# --- his file ---


def seen_at(now: Patron, at: int = NOON) -> Any:
    seen = patron_seen(now, at)
    assert seen is not None
    return seen


def test_limits_are_shown_as_they_are_and_will_be() -> None:
    """Stricter at once, looser after 24 hours."""
    now = patron()
    for most, at in ((50_00, NOON - 2 * DAY), (20_00, NOON - DAY), (30_00, NOON)):
        facts(now, ask.SetLimit("ann", LimitKind.DEPOSIT, Period.WEEK, "EUR", most), at)
    begun = {"limit": "deposit", "period": "week", "currency": "EUR", "most": 20_00, "since": NOON - DAY}
    assert seen_at(now, NOON + DAY - 1)["limits"] == [begun | {"then": {"most": 30_00, "from": NOON + DAY}}]
    loosened = begun | {"most": 30_00, "since": NOON + DAY, "then": None}
    assert seen_at(now, NOON + DAY)["limits"] == [loosened]


def test_a_limit_is_shown_until_its_lifting_holds() -> None:
    now = patron()
    facts(now, ask.SetLimit("ann", LimitKind.SESSION, Period.DAY, "", 3600), NOON - DAY)
    facts(now, ask.SetLimit("ann", LimitKind.SESSION, Period.DAY, "", None), NOON)
    (lifted,) = seen_at(now, NOON)["limits"]
    assert (lifted["currency"], lifted["most"], lifted["then"]) == (None, 3600, {"most": None, "from": NOON + DAY})
    assert seen_at(now, NOON + DAY)["limits"] == []


def test_what_keeps_him_away_is_shown_as_long_as_it_does() -> None:
    now = patron()
    facts(now, ask.CoolOff("ann", NOON + DAY))
    facts(now, ask.Exclude("ann", NOON + 2 * DAY))
    assert away(now, NOON + DAY - 1) == (NOON + DAY, True, NOON + 2 * DAY)
    assert away(now, NOON + DAY) == (None, True, NOON + 2 * DAY)
    assert away(now, NOON + 2 * DAY) == (None, False, None)
    facts(now, ask.Exclude("ann", None))
    assert away(now, NOON + 9_000 * DAY) == (None, True, None), "for good"


def away(now: Patron, at: int) -> tuple[int | None, bool, int | None]:
    seen = seen_at(now, at)
    return seen["cooling_off_until"], seen["excluded"], seen["excluded_until"]


def test_uses_of_protection_are_shown_for_a_day() -> None:
    now = patron()
    for seq, at in ((1, NOON), (2, NOON + 5 * SECOND)):
        asked = PlayerReceiveNotice("ann", "table:t1", seq, About.PROTECTION, f"t1-{seq}", 2)
        ((_, (told,)),) = play(now, asked, at)
        assert told.outcome is Outcome.GRANTED
    both = [{"hand": "t1-1", "at": NOON}, {"hand": "t1-2", "at": NOON + 5 * SECOND}]
    assert seen_at(now, NOON + DAY - 1)["protections"] == both
    assert seen_at(now, NOON + DAY)["protections"] == both[1:]


def test_that_he_is_frozen_is_shown_without_the_reason() -> None:
    now = patron()
    facts(now, ask.Freeze("ann", "c2VhbGVk"))
    seen = seen_at(now)
    assert seen["frozen"]
    assert "c2VhbGVk" not in str(seen)
