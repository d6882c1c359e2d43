"""A node keeps time at the tables of its shards, by the machine's clock (rules.md section 8)."""

from pathlib import Path

from domain.hand import events as fact
from services.bootstrap import make_home
from services.ports import real_ports
from tests.node.alone import a_node, give, hand_of
from tests.node.rooms import holds
from tests.services.homes import a_table_of_two, open_table

HAND, CLOCK = "t1-1", 1
"""Seconds to act."""

FOR_CLOCKS = [open_table("t1", action_clock=CLOCK), *a_table_of_two()[1:]]


def test_who_does_not_answer_is_out_of_time(tmp_path: Path) -> None:
    make_home(tmp_path, "riverside", real_ports())
    with a_node(tmp_path) as node:
        give(node, *FOR_CLOCKS)
        holds(lambda: hand_of(node).settled, 60, lambda: "nobody is out of time")
        assert [type(one) for one in node.facts(HAND) if isinstance(one, fact.OutOfTime | fact.Folded)] == [
            fact.OutOfTime,
            fact.Folded,
        ]


def test_a_hand_that_is_taken_over_has_its_clock_again(tmp_path: Path) -> None:
    """The first node ends before time is up; the second hears of the hand only by taking its shard over."""
    make_home(tmp_path, "riverside", real_ports())
    with a_node(tmp_path) as node:
        give(node, *FOR_CLOCKS)
    with a_node(tmp_path) as node:
        holds(lambda: hand_of(node).settled, 60, lambda: "its clock doesn't run")
        assert fact.OutOfTime in [type(one) for one in node.facts(HAND)]
