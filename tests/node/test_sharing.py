"""How shards are shared out among nodes: all of them, evenly, and none moves without need."""

from random import Random

import pytest

from services.node.sharing import Member, share_out


@pytest.mark.parametrize("seed", range(200))
def test_every_shard_has_one_owner_and_shares_differ_by_one_at_most(seed: int) -> None:
    random = Random(seed)
    shards = random.randint(1, 20)
    members = [f"m{number}" for number in range(random.randint(1, 8))]
    owned = {member: random.sample(range(shards), random.randint(0, shards)) for member in members}
    shares = share_out(shards, owned)
    assert sorted(shard for share in shares.values() for shard in share) == list(range(shards))
    sizes = [len(share) for share in shares.values()]
    assert max(sizes) - min(sizes) <= 1


def test_nothing_moves_where_all_is_even() -> None:
    owned = {"a": [0, 3], "b": [1, 2]}
    assert share_out(4, owned) == owned


def test_a_newcomer_takes_what_the_others_have_too_many_of() -> None:
    assert share_out(4, {"a": [0, 1, 2, 3], "b": []}) == {"a": [0, 1], "b": [2, 3]}
    assert share_out(5, {"a": [0, 1, 2], "b": [3, 4], "c": []}) == {"a": [0, 1], "b": [3, 4], "c": [2]}


def test_what_one_leaves_goes_to_those_who_have_least() -> None:
    assert share_out(6, {"a": [0, 1], "b": [2, 3]}) == {"a": [0, 1, 4], "b": [2, 3, 5]}


def test_of_two_who_say_that_they_own_it_one_keeps_it() -> None:
    shares = share_out(2, {"a": [0, 1], "b": [0, 1]})
    assert sorted(map(len, shares.values())) == [1, 1]


def test_more_nodes_than_shards_leave_some_without() -> None:
    assert share_out(2, {"a": [0], "b": [1], "c": []}) == {"a": [0], "b": [1], "c": []}


def test_nobody_takes_nothing() -> None:
    assert share_out(4, {}) == {}


def test_what_a_member_says_of_itself_comes_back() -> None:
    member = Member("north", "http://127.0.0.1:8080", "1.2", 3)
    assert Member.from_bytes(member.to_bytes([2, 0])) == (member, [0, 2])


@pytest.mark.parametrize(
    "said", [b"", b"{}", b"\xff", b"[1]", b'{"node": "a", "address": "", "software": "", "reads": "x"}']
)
def test_what_is_no_node_s_is_nobody(said: bytes) -> None:
    assert Member.from_bytes(said) is None
