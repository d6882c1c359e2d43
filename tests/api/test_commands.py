"""Commands over HTTP: what comes of them, and of their repeats."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from domain.hand.commands import Call, Check, Draw, Fold, Raise, RunItTwice
from domain.table.commands import DealHand, OpenTable, SitDown, StandUp
from services.rulings import hand_commits
from tests.api.doors import Door, key, must, problem
from tests.services.homes import open_table


def test_a_command_is_answered_with_its_events(door: Door, table: str) -> None:
    made = must(door.client("player:ann").give(SitDown(table, 3, "ann", 200)))
    assert [one["type"] for one in made["events"]] == ["table.player-seated", "table.chips-brought"]
    assert made["events"][1]["data"] == {"seat": 3, "player": "ann", "amount": 200}
    assert made["shard"] == door.host.shard_of(f"table:{table}")
    assert made["at"] > 1_700_000_000_000_000


def test_a_hand_is_played_to_its_end(door: Door, dealt: str) -> None:
    ann, bob = door.client("player:ann"), door.client("player:bob")
    must(ann.give(Raise(dealt, 1, 1, 6)))
    made = must(bob.give(Fold(dealt, 2, 2)))
    assert made["events"][-1]["type"] == "table.hand-finished"
    assert made["events"][-1]["data"]["stacks"] == [202, 198]
    assert ann.look(f"/v1/hands/{dealt}")["over"]


def test_the_log_holds_who_sent_it_and_why(door: Door, dealt: str) -> None:
    id_ = key()
    must(door.client("player:ann").give(Call(dealt, 1, 1), id_, cause="advance"))
    last = list(door.host._log.stream_commits(f"hand:{dealt}"))[-1]  # type: ignore[attr-defined]
    assert f'"by":"player:ann","cause":"advance","id":"{id_}"'.encode() in last.body


def test_nobody_says_who_he_is_himself(door: Door, dealt: str) -> None:
    said = {"name": "hand.call", "args": {"hand": dealt, "decision": 1, "seat": 1}, "by": "player:bob"}
    assert "by: extra inputs" in problem(door.client("player:ann").post(said), 422, "invalid")


def test_a_repeat_gets_the_same_answer_and_makes_nothing(door: Door, dealt: str) -> None:
    ann, id_ = door.client("player:ann"), key()
    first, again = ann.give(Call(dealt, 1, 1), id_), ann.give(Call(dealt, 1, 1), id_)
    assert must(first) == must(again)
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert len(hand_commits(door.host._log, dealt)) == 2  # type: ignore[attr-defined]


def test_a_repeat_gets_its_answer_when_the_hand_is_over(door: Door, dealt: str) -> None:
    ann, id_ = door.client("player:ann"), key()
    first = must(ann.give(Fold(dealt, 1, 1), id_))
    assert must(ann.give(Fold(dealt, 1, 1), id_)) == first


def test_an_id_with_other_arguments_is_refused(door: Door, dealt: str) -> None:
    ann, id_ = door.client("player:ann"), key()
    must(ann.give(Call(dealt, 1, 1), id_))
    assert "given before with other arguments" in problem(ann.give(Fold(dealt, 1, 1), id_), 409, "refused")


def test_many_at_once_with_one_id_are_decided_once(door: Door, table: str) -> None:
    id_, start = key(), threading.Barrier(8)

    def sit(_: int) -> object:
        start.wait()
        return must(door.client("player:ann").give(SitDown(table, 1, "ann", 200), id_))

    door.client("player:ann")
    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(sit, range(8)))
    assert all(one == answers[0] for one in answers)
    assert len(list(door.host._log.stream_commits(f"table:{table}"))) == 2  # type: ignore[attr-defined]


def test_a_quoted_key_is_the_same_key(door: Door, table: str) -> None:
    id_, ann = key(), door.client("player:ann")
    must(ann.give(SitDown(table, 1, "ann", 200), f'"{id_}"'))
    assert ann.give(SitDown(table, 1, "ann", 200), id_).headers["Idempotency-Replayed"] == "true"


def test_run_it_twice_is_refused_and_one_board_is_dealt(door: Door, dealt: str) -> None:
    """Scenario 57: nothing is recorded, for him who asks again by the same id neither, and the hand goes on."""
    ann, bob, id_ = door.client("player:ann"), door.client("player:bob"), key()
    must(ann.give(Raise(dealt, 1, 1, 200)))
    before = len(hand_commits(door.host._log, dealt))  # type: ignore[attr-defined]
    for asks, seat in ((bob, 2), (ann, 1), (bob, 2)):
        said = problem(asks.give(RunItTwice(dealt, seat), id_), 409, "refused")
        assert said == f"run it twice isn't spread here: one board is dealt in hand {dealt}, whoever is all-in"
    assert problem(ann.give(RunItTwice(dealt, 2)), 403, "forbidden")
    assert len(hand_commits(door.host._log, dealt)) == before  # type: ignore[attr-defined]
    must(bob.give(Call(dealt, 2, 2)))
    assert len(ann.look(f"/v1/hands/{dealt}")["frames"][-1]["board"]) == 5


def test_a_rule_refuses_with_its_sentence(door: Door, dealt: str) -> None:
    ann, bob = door.client("player:ann"), door.client("player:bob")
    assert "seat 1" in problem(bob.give(Check(dealt, 1, 2)), 409, "refused")
    must(ann.give(Call(dealt, 1, 1)))
    assert "since then: seat 1" in problem(ann.give(Fold(dealt, 1, 1)), 409, "refused")
    assert problem(bob.give(Raise(dealt, 2, 2, 3)), 409, "refused")


@pytest.mark.parametrize("id_", ["01890000-0000-7000-8000-000000000001", "fffe0000-0000-7000-8000-000000000001"])
def test_an_id_of_another_day_begins_nothing(door: Door, table: str, id_: str) -> None:
    assert "was made more than" in problem(door.client("floor:fay").give(DealHand(table, 1), id_), 409, "refused")


def test_a_hand_that_is_not_under_way_is_refused(door: Door, dealt: str) -> None:
    table = dealt.partition("-")[0]
    ann = door.client("player:ann")
    said = problem(ann.give(Fold(f"{table}-2", 1, 1)), 409, "refused")
    assert said == f"hand {table}-2 is not under way: {dealt} is the newest"
    assert "nosuch-1 is not under way" in problem(ann.give(Fold("nosuch-1", 1, 1)), 409, "refused")


def test_there_may_be_no_such_table(door: Door) -> None:
    said = problem(door.client("player:ann").give(SitDown("nosuch", 1, "ann", 200)), 409, "refused")
    assert said == "there is no table nosuch: open it first"


# --- who may send what ---


def test_a_player_acts_in_his_own_seat_only(door: Door, dealt: str) -> None:
    bob = door.client("player:bob")
    said = problem(bob.give(Fold(dealt, 1, 1)), 403, "forbidden")
    assert said == f"Seat 1 of hand {dealt} isn't yours: yours is seat 2."
    said = problem(door.client("player:eve").give(Fold(dealt, 1, 1)), 403, "forbidden")
    assert "you weren't dealt in" in said
    must(door.client("player:ann").give(Fold(dealt, 1, 1)))  # known by now
    problem(bob.give(Fold(dealt, 1, 1)), 403, "forbidden")


def test_a_seat_is_whose_it_was_when_the_hand_was_dealt(door: Door, dealt: str) -> None:
    """bob takes the seat in which ann played: her hand isn't his."""
    table = dealt.partition("-")[0]
    ann, bob = door.client("player:ann"), door.client("player:bob")
    must(ann.give(Fold(dealt, 1, 1)))
    must(ann.give(StandUp(table, 1, "ann")))
    must(bob.give(StandUp(table, 2, "bob")))
    must(bob.give(SitDown(table, 1, "bob", 201)))
    problem(bob.give(Fold(dealt, 1, 1)), 403, "forbidden")


def test_a_player_sits_down_and_stands_up_for_himself(door: Door, dealt: str) -> None:
    table = dealt.partition("-")[0]
    bob = door.client("player:bob")
    said = problem(bob.give(StandUp(table, 1, "ann")), 403, "forbidden")
    assert said == "You are bob, not ann: you sit down and stand up for yourself only."
    problem(bob.give(SitDown(table, 3, "eve", 200)), 403, "forbidden")


def test_nobody_acts_for_a_player(door: Door, dealt: str) -> None:
    for who in ("floor:fay", "admin:root", "auditor:al", "integrity:ida", "service:lobby"):
        said = problem(door.client(who).give(Fold(dealt, 1, 1)), 403, "forbidden")
        assert said == f"{who} ({who.partition(':')[0]}) may not send hand.fold here; it is for player."


def test_the_room_s_own_commands_are_nobody_s(door: Door, dealt: str) -> None:
    late = {"name": "hand.draw-too-late", "args": {"hand": dealt, "decision": 1, "seat": 1}}
    claim = {"name": "shard.claim", "args": {}}
    for who in ("player:ann", "floor:fay", "admin:root"):
        for said in (late, claim):
            assert "for nobody" in problem(door.client(who).post(said), 403, "forbidden")


def test_a_cause_is_what_the_sender_may_state(door: Door, dealt: str) -> None:
    for cause in ("timer", "recovery", "room", "floor"):
        said = problem(door.client("player:ann").give(Fold(dealt, 1, 1), cause=cause), 403, "forbidden")
        assert said == f"The cause of what a player sends is player or advance, not '{cause}'."


def test_a_player_opens_no_table_and_deals_no_hand(door: Door, dealt: str) -> None:
    table = dealt.partition("-")[0]
    problem(door.client("player:ann").give(open_table("mine")), 403, "forbidden")
    problem(door.client("player:ann").give(DealHand(table, 2)), 403, "forbidden")
    must(door.client("player:ann").give(Fold(dealt, 1, 1)))
    must(door.client("service:clock").give(DealHand(table, 2)))


def test_draws_go_by_the_indices_that_the_table_names(door: Door, table: str) -> None:
    deuce = OpenTable(f"{table}d", "Oak", "triple-draw", "fixed", "euro", 10, 20, 6, "play", "PLAY")
    must(door.client("floor:fay").give(deuce))
    for seat, player in enumerate(("ann", "bob"), start=1):
        must(door.client(f"player:{player}").give(SitDown(deuce.table, seat, player, 2000)))
    must(door.client("floor:fay").give(DealHand(deuce.table, 1)))
    hand = f"{deuce.table}-1"
    must(door.client("player:ann").give(Call(hand, 1, 1)))
    must(door.client("player:bob").give(Check(hand, 2, 2)))
    bob = door.client("player:bob")
    now = bob.look(f"/v1/tables/{deuce.table}")["hand"]
    assert now["frame"]["turn"]["type"] == "hand.draw-offered"
    own = next(one for one in now["frame"]["seats"] if one["seat"] == 2)
    thrown = own["cards"][:2]
    made = must(bob.give(Draw(hand, now["decision"], 2, tuple(now["dealt"]["2"][:2]))))
    dealt = next(one for one in made["events"] if one["type"] == "hand.cards-dealt")
    assert len(dealt["data"]["cards"]) == 2
    own = next(one for one in bob.look(f"/v1/tables/{deuce.table}")["hand"]["frame"]["seats"] if one["seat"] == 2)
    assert own["discards"] == thrown
    assert len(own["cards"]) == 5
