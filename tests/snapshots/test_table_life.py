"""A table at which everything has happened that can, comes back from a snapshot as it was, at every step."""

from typing import Any

from domain.hand.dealing import OpenShoes
from domain.table.play import Play, play
from services.eventlog import canonical
from services.snapshots.states import dump_table, load_table
from tests.services.table_life import live


def test_a_table_comes_back_at_every_step_of_its_life() -> None:
    now = Play("life")
    steps: list[bytes] = []

    def give(args: Any) -> None:
        play(now, args, OpenShoes(tuple), len(steps))
        assert now.table is not None
        stored = canonical.encode(dump_table(now.table))
        assert load_table(canonical.decode(stored)) == now.table
        steps.append(stored)

    live(give, lambda: now)
    assert len(set(steps)) > 20, "little happened"
