"""However the commits of a random room came to the views, they are those of a rebuild, row for row, on both stores."""

from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.commit import Commit
from projections.rebuild import rebuild
from projections.store import Store
from tests.postgresql import empty_database
from tests.projections.conftest import LONG
from tests.projections.rooms import SHARDS, played
from tests.projections.stored import contents


def as_they_came(random: Random, commits: list[Commit]) -> list[Commit]:
    """The commits of the shards in any order that keeps each shard's own."""
    of_shard = [[commit for commit in commits if commit.shard == shard] for shard in range(SHARDS)]
    order = [shard for shard in range(SHARDS) for _ in of_shard[shard]]
    random.shuffle(order)
    rest = [iter(each) for each in of_shard]
    return [next(rest[shard]) for shard in order]


def empty_store(kind: str, stack: ExitStack) -> Store:
    if kind == "postgresql":
        url = stack.enter_context(empty_database())
    else:
        url = f"sqlite:///{Path(stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True))) / 'views.db'}"
    return stack.enter_context(Store.open(url))


@pytest.mark.parametrize("kind", LONG)
@settings(max_examples=3)
@given(seed=st.integers(0, 2**32), tables=st.integers(1, 3), cuts=st.integers(0, 12))
def test_views_that_followed_in_any_batches_are_those_rebuilt(kind: str, seed: int, tables: int, cuts: int) -> None:
    random = Random(seed)
    room = played(rounds=random.randint(1, 2), seed=seed, tables=tables, time_zone="America/New_York")
    came = as_they_came(random, room.commits)
    places = sorted(random.randrange(len(came) + 1) for _ in range(cuts))
    with ExitStack() as stack:
        store = empty_store(kind, stack)
        for start, end in zip([0, *places], [*places, len(came)], strict=True):
            store.apply(came[max(0, start - random.randrange(3)) : end])  # some come twice
        followed = contents(store)
        rebuild(store, sorted(room.commits, key=lambda commit: (commit.shard, commit.height)))
        assert contents(store) == followed
        assert len(followed["hands.headers"]) >= tables
