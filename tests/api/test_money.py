"""Players' money at the door: who may do what with it, and who sees it."""

from pathlib import Path
from secrets import token_bytes

import pytest

from domain.account import commands as ask
from services.bootstrap import open_log
from services.eventlog import body
from services.sealing.texts import TextKeys
from tests.api.doors import Door, door_of, key, must, problem
from tests.services.patrons import buy_in, real_table, with_money

CAGE, ANN, BOB, LOBBY = "cage:cara", "player:ann", "player:bob", "service:lobby"


@pytest.fixture(scope="module")
def money(door: Door) -> Door:
    """Ann and bob have 1000 cents each, and there is a table to play with them."""
    must(door.client("floor:fay").give(real_table("money1")))
    for args in [*with_money("ann"), *with_money("bob")]:
        must(door.client(CAGE).give(args))
    return door


def test_a_command_on_an_account_is_decided_in_its_player_s_shard(money: Door) -> None:
    made = must(money.client(CAGE).give(ask.Withdraw("ann", "EUR", 100, "to her bank")))
    assert made["shard"] == money.host.shard_of("player:ann")
    assert [(one["stream"], one["type"]) for one in made["events"]] == [("account:ann:eur", "account.withdrawn")]


def test_a_player_sees_what_he_did_with_his_own_money(money: Door) -> None:
    made = must(money.client(ANN).give(buy_in("ann", 1, table="money1")))
    (sent,) = made["events"]
    assert (sent["stream"], sent["type"]) == ("account:ann:eur", "transfer.sent")
    assert (sent["data"]["to"], sent["data"]["amount"], sent["data"]["promotion"]) == ("table:money1", 200, 0)


def test_nobody_plays_with_another_s_money(money: Door) -> None:
    said = problem(money.client(BOB).give(buy_in("ann", 1, table="money1")), 403, "forbidden")
    assert said.startswith("You are bob, not ann")
    problem(money.client(BOB).give(ask.CoolOff("ann", 2_000_000_000_000_000)), 403, "forbidden")
    problem(money.client(CAGE).give(buy_in("ann", 1, table="money1")), 403, "forbidden")


def test_a_player_s_money_comes_and_goes_through_the_cage_alone(money: Door) -> None:
    problem(money.client(ANN).give(ask.Deposit("ann", "EUR", 100, "p2")), 403, "forbidden")
    problem(money.client(ANN).give(ask.Withdraw("ann", "EUR", 100, "to her bank")), 403, "forbidden")


def test_a_lobby_is_not_told_what_lies_in_an_account(money: Door) -> None:
    assert must(money.client(LOBBY).give(ask.Deposit("ann", "EUR", 100, "p2")))["events"] == []


def test_a_lobby_brings_money_in_and_takes_none_out(money: Door) -> None:
    said = problem(money.client(LOBBY).give(ask.Withdraw("ann", "EUR", 100, "to whom it likes")), 403, "forbidden")
    assert said.endswith("(service) may not send account.withdraw here; it is for admin or cage or floor.")


def test_a_payment_is_paid_out_once_whatever_the_id_of_the_command(money: Door) -> None:
    """The cashier heard nothing of the first, and asked again as if it were another."""
    client, withdrawal = money.client(CAGE), ask.Withdraw("bob", "EUR", 100, "payout-4")
    must(client.give(withdrawal))
    said = problem(client.give(withdrawal), 409, "refused")
    assert said == "payment payout-4 was paid out already, 1.00 EUR: another payment has a reference of its own"
    must(client.give(ask.Deposit("bob", "EUR", 100, "back again")))  # as it was


def test_a_repeat_brings_nothing_twice(money: Door) -> None:
    """Scenario 48: the same payment, delivered again."""
    client, deposit = money.client(CAGE), ask.Deposit("ann", "EUR", 100, "p3")
    id_ = key()
    first, again = client.give(deposit, id_), client.give(deposit, id_)
    assert must(first) == must(again)
    assert again.headers["Idempotency-Replayed"] == "true"
    said = problem(client.give(deposit), 409, "refused")
    assert "payment p3 was deposited already" in said


def test_a_refusal_says_what_would_be_right(money: Door) -> None:
    said = problem(money.client(ANN).give(buy_in("ann", 1, table="money2")), 409, "refused")
    assert said == "there is no table money2: look which are open"
    said = problem(money.client(CAGE).give(ask.Withdraw("bob", "EUR", 1001, "to his bank")), 409, "refused")
    assert "10.01 EUR is more than the balance, 10.00 EUR" in said


# --- why ---


def test_a_reason_is_plain_text_on_the_wire_and_sealed_in_the_log(tmp_path: Path) -> None:
    texts = TextKeys(tmp_path / "texts.keys")
    with door_of(
        tmp_path / "home", seal=lambda text, stream: texts.seal(text, stream, token_bytes(32), token_bytes(12))
    ) as door:
        for args in with_money("ann"):
            must(door.client(CAGE).give(args))
        client, id_ = door.client("floor:fay"), key()
        said = {"name": "player.freeze", "args": {"player": "ann", "reason": "two cards up her sleeve"}}
        first = client.post(said, id_)
        (frozen,) = must(first)["events"]
        assert "reason" not in frozen["data"], "it isn't shown, not even in its box"
        assert must(client.post(said, id_)) == must(first), "a repeat, though it was sealed anew"
    with open_log(tmp_path / "home") as log:
        (box,) = [
            event["data"]["reason"]
            for record in log.stream_commits("player:ann")
            for event in body.decode(record.body).events
            if event["type"] == "player.frozen"
        ]
    assert texts.open(box, "player:ann") == "two cards up her sleeve"


@pytest.mark.parametrize("reason", [" ", "two\nlines", "x" * 501])
def test_a_reason_is_a_line_that_can_be_read(money: Door, reason: str) -> None:
    said = {"name": "player.freeze", "args": {"player": "ann", "reason": reason}}
    assert problem(money.client("floor:fay").post(said), 422, "invalid").startswith("reason: say why")
