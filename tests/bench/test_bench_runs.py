"""The bench itself, in small: it runs, states its rows, and notices where two sides differ. No time is asserted."""

import json
from contextlib import closing
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from domain.rules.games import DRAW_32, GAMES
from services.eventlog.commit import parse
from services.kafka.topics import log_topic
from tests.bench import (
    durable,
    durable_kafka,
    evaluation,
    evidence,
    games,
    hands,
    replay,
    replay_kafka,
    sealing,
    sitting,
    takeover,
)
from tests.bench.__main__ import Sizes, kafka_steps, run, usual_steps, write
from tests.bench.folder import folder
from tests.bench.homes import Lockstep, on_kafka, record
from tests.bench.rows import Row, compare, faster, growing, timed, within
from tests.bench.scripts import NO_LIMIT_HOLDEM, VARIANTS, make, read
from tests.domain.hand.scripts import Script, Step
from tests.kafka.brokers import shared_broker

TINY = Sizes(
    runs=1, hands=3, evaluations=200, tables=2, commands=20, few=2, many=4, sample=7, verifications=1,
    games=("holdem",), at_once=((64, 70),), kafka_runs=1, replayed=3, clients=(2,), seconds=0.2, open_tables=8, kills=0,
    books_runs=1, followed=40, transfers=30, patrons=300,
)  # fmt: skip
"""No node is killed: tests/node does that often enough."""

GOALS = {
    "decide + evolve, 6-max no-limit hold'em": 60,
    "decide + evolve, 6-max pot-limit Omaha": 60,
    "decide + evolve, 6-max fixed-limit stud": 60,
    "decide + evolve, 6-max fixed-limit triple draw": 60,
    "replay of stored commits, decode included": 60,
    "5 of 7 evaluation": 150,
    "durable commands, SQLite": 5,
    "memory of a node's room": 100,
    "start: handlog --help": 0.5,
    "start: first hand of the slowest game": 1.0,
    "all views rebuilt": 0.3,
    "a hand played and recorded": 1,
    "a hand loaded": 1,
    "a hand decided again": 1,
}
"""What the design's table asks of the rows that stand today, by how a row's name begins."""

_MAY_BE_NOTHING = ("of a durable command", "of a sealed hand: all", "views behind a room")

KAFKA_GOALS = {
    "durable commands, Kafka, 64 tables at once": 0.4,
}


@pytest.mark.soak
def test_every_row_stands_in_the_json_with_its_goal() -> None:
    said = _said(usual_steps(TINY), GOALS)
    assert [row["name"].split(",")[0] for row in said if row["name"].startswith("a fixed-limit hand of")] == [
        f"a fixed-limit hand of {game.name}" for game in GAMES
    ]


@pytest.mark.soak
def test_every_row_of_kafka_too(kafka) -> None:
    said = _said(kafka_steps(TINY), KAFKA_GOALS)
    for name in ("replay from Kafka to the final state", "building the index", "commands through the door, Kafka"):
        assert [row for row in said if row["name"].startswith(name)], name


def test_a_takeover_is_stated_by_its_usual_and_its_worst_time() -> None:
    usual, worst = takeover.stated([1.5, 5.0, 2.5])
    assert (usual.ours, usual.goal, usual.reached) == (2.5, 3, True)
    assert (worst.ours, worst.goal, worst.reached) == (5.0, 4.5, False)


def _said(steps, goals) -> list[dict[str, Any]]:
    """The rows that the steps leave in the JSON, each of which is whole; the goals stand in it."""
    rows: list[Row] = []
    run(steps, lambda _: None, rows)
    with folder() as path:
        write(rows, path / "bench.json", keep=False)
        said: list[dict[str, Any]] = json.loads((path / "bench.json").read_text())
    keys = {field.name for field in fields(Row)}
    assert all(set(row) == keys for row in said)
    for beginning, goal in goals.items():
        assert [row for row in said if row["name"].startswith(beginning) and row["goal"] == goal], beginning
    for row in said:
        assert row["ours"] > 0 or row["name"].startswith(_MAY_BE_NOTHING), row
        assert (row["reached"] is None) == (row["goal"] is None), row
        assert (row["peer"] is None) == (row["ratio"] is None) == (row["peer_name"] is None), row
    return said


def test_rows_of_another_bench_stay_and_rows_of_the_same_name_are_replaced() -> None:
    with folder() as path:
        file = path / "bench.json"
        write([within("kept", "s", 1, 2), within("replaced", "s", 1, 2)], file, keep=False)
        write([within("replaced", "s", 3, 2)], file, keep=True)
        assert [(row["name"], row["ours"]) for row in json.loads(file.read_text())] == [("kept", 1), ("replaced", 3)]


def test_a_missed_goal_is_said() -> None:
    assert faster("x", "s", 1, ours=1, peer=59, peer_name="y", goal=60).reached is False
    assert faster("x", "s", 1, ours=1, peer=60, peer_name="y", goal=60).reached is True
    assert within("x", "s", 0.6, 0.5).reached is False
    assert growing("x", "s", later=2, earlier=1, earlier_name="y").reached is False


def test_scripts_are_different_hands_of_some_nineteen_actions() -> None:
    texts = make(NO_LIMIT_HOLDEM, 60, seed=1)
    assert len(set(texts)) == 60
    assert texts[:5] == make(NO_LIMIT_HOLDEM, 5, seed=1)
    decisions = [len(read(text).decisions) for text in texts]
    assert 18.3 < sum(decisions) / 60 < 19.7


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.game)
def test_both_sides_and_phh_itself_end_with_the_same_stacks(variant) -> None:
    texts = make(variant, 3, seed=2)
    scripts = [read(text) for text in texts]
    compare(hands.our_side(variant, scripts), hands.their_side(variant, scripts), replay.their_side(texts), runs=1)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.game)
def test_a_tampered_script_makes_the_comparison_of_hands_fail(variant) -> None:
    script = read(make(variant, 1, seed=2)[0])
    richer = replace(script, stacks=(script.stacks[0] + 100, *script.stacks[1:]))
    with pytest.raises(AssertionError, match="the sides differ at 0"):
        compare(hands.our_side(variant, [script]), hands.their_side(variant, [richer]), runs=1)


def test_a_tampered_text_makes_the_comparison_of_replays_fail() -> None:
    text = make(NO_LIMIT_HOLDEM, 1, seed=2)[0]
    first = read(text).stacks[0]
    with folder() as home:
        stored = record(home, NO_LIMIT_HOLDEM, [read(text)])
        tampered = text.replace(f"starting_stacks = [{first},", f"starting_stacks = [{first + 100},")
        with pytest.raises(AssertionError, match="the sides differ at 0"):
            compare(replay.our_side(home, stored), replay.their_side([tampered]), runs=1)


def test_sealed_and_open_hands_end_alike_and_a_tampered_script_is_noticed() -> None:
    script = read(make(NO_LIMIT_HOLDEM, 1, seed=2)[0])
    compare(sealing.side([script], sealing.sealed_dealer), sealing.side([script], sealing.open_dealer), runs=1)
    richer = replace(script, stacks=(script.stacks[0] + 100, *script.stacks[1:]))
    with pytest.raises(AssertionError, match="the sides differ at 0"):
        compare(sealing.side([script], sealing.sealed_dealer), sealing.side([richer], sealing.open_dealer), runs=1)


def test_every_part_of_sealing_takes_its_time() -> None:
    spent = sealing.seconds_of_parts([read(make(NO_LIMIT_HOLDEM, 1, seed=2)[0])])
    assert tuple(spent) == sealing.PARTS
    assert all(spent.values())


def test_a_log_that_is_not_sound_or_not_all_signed_is_no_verification() -> None:
    with evidence.signed_room(2) as room:
        file = evidence.exported(room)
        assert evidence.verified(room, file) == evidence.hashed(file)
        raw = file.read_bytes()
        file.write_bytes(raw.replace(b'"stack":1000000000', b'"stack":1000000001', 1))
        with pytest.raises(AssertionError):
            evidence.verified(room, file)
        file.write_bytes(raw + b"HL1")
        with pytest.raises(AssertionError):
            evidence.verified(room, file)


def test_an_evaluator_that_ranks_one_hand_differently_is_noticed() -> None:
    texts = evaluation.deals(50, seed=1)
    right = evaluation.ranking(texts, lambda hole, board: len(set(hole + board)))
    wrong = evaluation.ranking(texts, lambda hole, board: len(set(hole + board)) + 20 * (hole == texts[7][0]))
    compare(right, right, runs=1)
    with pytest.raises(AssertionError, match="the sides differ"):
        compare(right, wrong, runs=1)


def test_an_action_that_is_not_legal_stops_the_bench() -> None:
    script = read(make(NO_LIMIT_HOLDEM, 1, seed=2)[0])
    with pytest.raises(Exception, match="may raise to"):
        timed(hands.our_side(NO_LIMIT_HOLDEM, [_with_first_decision(script, Step("cbr", 3, amount=101))]))


def _with_first_decision(script: Script, step: Step) -> Script:
    first = script.steps.index(script.decisions[0])
    return replace(script, steps=(*script.steps[:first], step, *script.steps[first + 1 :]))


def test_a_hand_of_a_game_that_ends_otherwise_when_played_again_is_noticed() -> None:
    recorded = games.record(DRAW_32, Random(1))
    with pytest.raises(AssertionError, match="ends otherwise"):
        timed(games.our_side(DRAW_32, [recorded._replace(stacks=(0,))]))


def test_peers_insert_exactly_the_records_that_ours_made() -> None:
    with folder() as home:
        _, batches, waits = sitting.play(sitting.SQLITE, home / "ours", tables=2, commands=10, seed=1)
        assert sum(map(len, batches)) == len(waits) == 10
        assert all(raw.startswith(b"HL1 bench ") for batch in batches for raw in batch)
        assert durable.inserted(home / "peer", batches) > 0


def test_peers_send_what_ours_has_sent_to_kafka(kafka) -> None:
    """Partitions, keys and bytes: whatever the room's topic has besides are its openings."""
    with folder() as home:
        played = sitting.play(sitting.KAFKA, home / "ours", tables=3, commands=10, seed=1)
    sent = [durable_kafka.keyed(raw) for batch in played.batches for raw in batch]
    topic = log_topic(parse(sent[0][2]).room)
    assert len(set(sent)) == 10
    assert set(sent) < set(durable_kafka.stored(shared_broker(), topic))


def test_a_replay_that_ends_otherwise_than_the_records_say_is_noticed(kafka) -> None:
    with (
        folder() as home,
        closing(Lockstep(home / "one", 1, 3, new=on_kafka)) as one,
        closing(Lockstep(home / "another", 1, 4, new=on_kafka)) as another,
    ):
        one.play_hands(1)
        another.play_hands(1)
        ours, peer = replay_kafka.our_side(one.log.room, home, []), replay_kafka.their_side(another.log.room)
        with pytest.raises(AssertionError, match="the sides differ at 0"):
            compare(ours, peer, runs=1)
