"""Tables and hands over HTTP: built for who looks, with what he may not see absent."""

from typing import Any

import pytest

from domain.hand.commands import Call, Check, Fold, Raise
from domain.table.commands import DealHand, SitDown
from tests.api.doors import Door, must, problem

STAFF = ("floor:fay", "auditor:al", "integrity:ida", "admin:root")
NOT_IN_THE_HAND = (*STAFF, "service:lobby", "player:eve")


def cards_seen(frame: Any) -> dict[int, int]:
    """How many faces of each seat's cards are seen."""
    return {one["seat"]: len(one["cards"]) for one in frame["seats"]}


def test_a_table_shows_its_terms_seats_and_hand(door: Door, dealt: str) -> None:
    table = dealt.partition("-")[0]
    seen = door.client("service:lobby").look(f"/v1/tables/{table}")
    assert seen["name"] == "Elm"
    assert seen["terms"]["stakes"]["big_blind"] == 2
    plays = {"stack": 200, "standing": "playing", "owes": [], "connected": True}
    assert seen["seats"] == [{"seat": 1, "player": "ann", **plays}, {"seat": 2, "player": "bob", **plays}]
    assert (seen["paused"], seen["dealing"], seen["closing"]) == (False, True, False)
    assert (seen["button"], seen["hands"], seen["open_hand"]) == (1, 1, dealt)
    assert seen["hand"]["frame"]["turn"] == {"type": "hand.turn-given", "seat": 1, "call": 1, "least": 4, "most": 200}
    assert seen["hand"]["decision"] == 1


def test_between_hands_no_hand_is_shown(door: Door, dealt: str) -> None:
    must(door.client("player:ann").give(Fold(dealt, 1, 1)))
    seen = door.client("player:ann").look(f"/v1/tables/{dealt.partition('-')[0]}")
    assert not {"open_hand", "hand"} & seen.keys()
    assert [one["stack"] for one in seen["seats"]] == [199, 201]


def test_a_player_sees_his_own_cards_and_no_others(door: Door, dealt: str) -> None:
    table = dealt.partition("-")[0]
    for player, seen in (("player:ann", {1: 2, 2: 0}), ("player:bob", {1: 0, 2: 2})):
        client = door.client(player)
        assert cards_seen(client.look(f"/v1/tables/{table}")["hand"]["frame"]) == seen
        assert cards_seen(client.look(f"/v1/hands/{dealt}")["frames"][-1]) == seen


@pytest.mark.parametrize("who", NOT_IN_THE_HAND)
def test_who_has_no_cards_sees_none(door: Door, dealt: str, who: str) -> None:
    hand = door.client(who).look(f"/v1/hands/{dealt}")
    assert cards_seen(hand["frames"][-1]) == {1: 0, 2: 0}
    assert [one["unknown"] for one in hand["frames"][-1]["seats"]] == [2, 2]
    for one in hand["frames"]:
        assert (one["fact"]["type"] != "hand.cards-dealt") or "cards" not in one["fact"]["data"]


def test_staff_see_no_folded_card_of_a_settled_hand_either(door: Door, dealt: str) -> None:
    """An opening would have to be recorded first."""
    must(door.client("player:ann").give(Fold(dealt, 1, 1)))
    for who in STAFF:
        assert cards_seen(door.client(who).look(f"/v1/hands/{dealt}")["frames"][-1]) == {1: 0, 2: 0}
    assert cards_seen(door.client("player:ann").look(f"/v1/hands/{dealt}")["frames"][-1]) == {1: 2, 2: 0}


def test_no_box_and_no_order_leaves_the_door(door: Door, dealt: str) -> None:
    boxes = _boxes_of(door, dealt)
    assert len(boxes) == 5  # the deck, and four cards
    for who in ("player:ann", *NOT_IN_THE_HAND):
        text = door.client(who).http.get(f"/v1/hands/{dealt}").text
        assert not [box for box in boxes if box in text]
    opening = door.client("floor:fay").look(f"/v1/hands/{dealt}")["frames"][0]["fact"]
    assert opening["data"]["deck"].keys() == {"size", "root"}


def _boxes_of(door: Door, hand: str) -> list[str]:
    opened, *rest = door.host.facts(hand)
    dealt = [card for one in rest for card in getattr(one, "cards", ())]
    return [opened.deck.box, *(card for card in dealt if isinstance(card, str))]


def test_an_answer_shows_the_sender_s_cards_and_no_others(door: Door, table: str) -> None:
    for seat, player in enumerate(("ann", "bob"), start=1):
        must(door.client(f"player:{player}").give(SitDown(table, seat, player, 200)))
    made = must(door.client("floor:fay").give(DealHand(table, 1)))
    dealt = [one for one in made["events"] if one["type"] == "hand.cards-dealt"]
    assert [one["data"].keys() for one in dealt] == [{"seat", "indices", "up"}] * len(dealt)
    opened = next(one for one in made["events"] if one["type"] == "hand.opened")
    assert opened["data"]["deck"].keys() == {"size", "root"}
    assert not [box for box in _boxes_of(door, f"{table}-1") if box in str(made)]


def test_nothing_counts_a_wish_that_nobody_else_knows_of(door: Door, dealt: str) -> None:
    """The version of a fact and the height of a commit would."""
    made = must(door.client("player:ann").give(Call(dealt, 1, 1)))
    assert made.keys() == {"at", "shard", "events"}
    assert all(one.keys() == {"stream", "type", "rev", "data"} for one in made["events"])
    hand = door.client("player:ann").look(f"/v1/hands/{dealt}")
    assert [one["version"] for one in hand["frames"]] == list(range(1, len(hand["frames"]) + 1))
    assert all(one["fact"].keys() == {"type", "rev", "data"} for one in hand["frames"])


def test_the_board_and_what_is_shown_are_everybody_s(door: Door, dealt: str) -> None:
    ann, bob = door.client("player:ann"), door.client("player:bob")
    must(ann.give(Raise(dealt, 1, 1, 200)))
    must(bob.give(Call(dealt, 2, 2)))
    last = door.client("player:eve").look(f"/v1/hands/{dealt}")["frames"][-1]
    assert len(last["board"]) == 5
    assert max(cards_seen(last).values()) == 2
    assert last["over"]


def test_there_may_be_no_such_thing(door: Door) -> None:
    eve = door.client("player:eve")
    assert problem(eve.http.get("/v1/tables/nosuch"), 404, "not-found") == "There is no table nosuch in this room."
    assert problem(eve.http.get("/v1/hands/nosuch-1"), 404, "not-found") == "There is no hand nosuch-1 in this room."
    for path in (
        "/v1/tables/No%20Such",
        "/v1/hands/t1",
        "/v1/hands/t1-",
        f"/v1/hands/t1-{'9' * 99}",
        "/v1/hands/%00-1",
    ):
        assert problem(eve.http.get(path), 422, "invalid").startswith("path.")


def test_looking_for_tables_that_do_not_exist_leaves_nothing_behind(door: Door) -> None:
    for number in range(20):
        problem(door.client("player:eve").http.get(f"/v1/tables/none{number}"), 404, "not-found")
    assert not [one for one in door.host._writer.room._desks if one.startswith("none")]  # type: ignore[attr-defined]


def test_a_look_sees_what_was_answered(door: Door, dealt: str) -> None:
    ann, bob = door.client("player:ann"), door.client("player:bob")
    must(ann.give(Call(dealt, 1, 1)))
    assert bob.look(f"/v1/tables/{dealt.partition('-')[0]}")["hand"]["decision"] == 2
    must(bob.give(Check(dealt, 2, 2)))
    assert ann.look(f"/v1/tables/{dealt.partition('-')[0]}")["hand"]["frame"]["street"] == "flop"
