"""A shard against its checkpoints, one case a sentence; thousands of random ones are in test_tampering."""

import pytest

from domain.room import LossAccepted
from services.eventlog.commit import GENESIS, Record, parse, seal
from services.evidence.against import Against, Evidence, Freshness
from services.evidence.losses import Loss
from services.evidence.merkle import leaf_hash, root_of
from services.evidence.note import Checkpoint, CheckpointKey, Signed, origin

KEY = CheckpointKey("handlog/riverside", bytes(range(32)))
NAME = origin("riverside", "0123456789abcdef", 2)
NOON = 1_800_000_000


def history(length: int, kind: str = "a") -> list[Record]:
    """A chain of so many commits; those of another kind have other bodies."""
    head, records = GENESIS, []
    for height in range(length):
        raw, head = seal("riverside", 2, head, f'"{kind}{height}"'.encode())
        records.append(parse(raw))
    return records


def fork(length: int, at: int) -> list[Record]:
    """The same history up to a height, from which on it is another one."""
    records = history(at)
    head = records[-1].head if records else GENESIS
    for height in range(at, length):
        raw, head = seal("riverside", 2, head, f'"b{height}"'.encode())
        records.append(parse(raw))
    return records


def signed(records: list[Record], size: int, time: int = NOON) -> Signed:
    root = root_of(leaf_hash(bytes.fromhex(record.hash)) for record in records[:size])
    return KEY.sign(Checkpoint(NAME, size, root), time)


def findings(
    records: list[Record],
    offered: list[Signed],
    freshness: Freshness | None = None,
    losses: list[Loss] | None = None,
) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    against = Against(2, offered, freshness or Freshness(), lambda shard, height, what: found.append((height, what)))
    for loss in losses or []:
        against.accept(loss)
    for record in records:
        against.take(record)
    against.finish()
    return found


OURS = history(10)


def test_a_log_as_it_was_signed_has_no_finding() -> None:
    assert findings(OURS, [signed(OURS, size) for size in (0, 1, 4, 7, 10)]) == []
    assert findings([], [signed(OURS, 0)]) == []
    assert findings(OURS, []) == []


def test_it_says_how_far_the_signatures_reach() -> None:
    against = Against(2, [signed(OURS, 4, NOON), signed(OURS, 7, NOON - 9)], Freshness(), lambda *_: None)
    for record in OURS:
        against.take(record)
    assert (against.commits, against.signed_commits) == (10, 7)
    assert against.newest == signed(OURS, 4, NOON), "the time decides which is the newest"


def test_commits_that_are_missing_are_counted() -> None:
    ((height, what),) = findings(OURS[:5], [signed(OURS, 4), signed(OURS, 7), signed(OURS, 9)])
    assert height == 5
    assert what.startswith("4 commits are missing: the checkpoint of 2027-01-15 08:00:00 UTC covers 9")


@pytest.mark.parametrize(("at", "low", "high"), [(0, 0, 2), (2, 0, 2), (3, 3, 5), (5, 3, 5), (6, 6, 8), (8, 6, 8)])
def test_a_change_is_laid_between_the_two_checkpoints_that_are_nearest(at: int, low: int, high: int) -> None:
    ((height, what),) = findings(fork(10, at), [signed(OURS, size) for size in (3, 6, 9)])
    assert height == low
    assert f"a commit of height {low} to {high} was changed, removed or added" in what
    assert ("the beginning" in what) == (low == 0)


def test_a_change_after_the_newest_checkpoint_is_not_seen() -> None:
    assert findings(fork(10, 9), [signed(OURS, size) for size in (3, 6, 9)]) == []


def test_two_histories_are_proven_by_a_later_checkpoint_that_agrees() -> None:
    ((height, what),) = findings(OURS, [signed(OURS, 3), signed(fork(10, 4), 6), signed(OURS, 8)])
    assert height == 3
    assert what.startswith("two histories were signed: the checkpoint of 2027-01-15 08:00:00 UTC at size 6 has another")
    assert "they part at height 3 to 5" in what


def test_two_histories_are_proven_by_two_roots_of_one_size() -> None:
    for records in (OURS, fork(10, 4), OURS[:2]):
        found = findings(records, [signed(OURS, 6), signed(fork(10, 4), 6)])
        assert found[0][1].startswith("two histories were signed"), found


def test_a_checkpoint_of_another_history_that_nothing_follows_is_no_proof_that_both_were_signed() -> None:
    ((height, what),) = findings(OURS, [signed(OURS, 3), signed(fork(10, 4), 6)])
    assert (height, what.split(":")[0]) == (3, "this isn't the history that was signed")


def test_what_an_auditor_kept_is_compared_too() -> None:
    ((height, what),) = findings(OURS, [signed(OURS, 3, NOON + 1)], Freshness(seen=[signed(fork(10, 4), 6, NOON)]))
    assert (height, what.split(":")[0]) == (3, "this isn't the history that was signed")


def test_one_that_was_kept_shows_that_an_old_one_is_offered_as_the_newest() -> None:
    kept = Freshness(seen=[signed(OURS, 7, NOON + 60)])
    ((height, what),) = findings(OURS, [signed(OURS, 4, NOON)], kept)
    assert height == 9
    assert what == (
        "an old checkpoint is offered as the newest: that of 2027-01-15 08:00:00 UTC, but you keep one of "
        "2027-01-15 08:01:00 UTC"
    )
    assert "none, but you keep" in findings(OURS, [], kept)[0][1]
    assert findings(OURS, [signed(OURS, 4, NOON + 60)], kept) == [], "the same second is as new"


def test_a_bound_on_the_age_of_the_newest() -> None:
    assert findings(OURS, [signed(OURS, 4)], Freshness(NOON)) == []
    ((_, what),) = findings(OURS, [signed(OURS, 4)], Freshness(NOON + 1))
    assert what.startswith("the newest checkpoint is of 2027-01-15 08:00:00 UTC: one not older than")
    assert "isn't there" in findings(OURS, [], Freshness(NOON))[0][1]


LOST = signed(OURS, 9, NOON)
"""The newest checkpoint of what was lost: the log was found with 5 commits."""


def accepted(commits: int = 5, time: int = NOON + 60) -> Loss:
    event = LossAccepted(commits, LOST.checkpoint.size, LOST.checkpoint.root.hex(), "floor:ann", "floor:bob", "")
    return Loss(event, commits, time)


def test_a_loss_that_was_accepted_stays_a_finding_and_says_by_whom() -> None:
    """Also where the log goes on beyond it, and is signed anew."""
    after = fork(12, 5)
    older = [signed(OURS, 4), signed(OURS, 7, NOON - 60), LOST]
    for records, newer in ((after[:6], []), (after[:6], [signed(after, 6, NOON + 99)]), (after, [signed(after, 11)])):
        found = findings(records, [*older, *newer], losses=[accepted()])
        assert found
        assert all(
            what.endswith("; accepted by floor:ann and floor:bob, as the log says at height 5") for _, what in found
        ), found


def test_a_loss_that_came_after_is_not_accepted_with_it() -> None:
    """The room went on, was signed, and was cut off again: two people took the first loss upon them, not this one."""
    after = fork(12, 5)
    found = findings(after[:6], [LOST, signed(after, 8, NOON + 120)], losses=[accepted()])
    ((height, what),) = found
    assert (height, what.split(":")[0]) == (6, "2 commits are missing")
    assert "accepted" not in what


def test_checkpoints_without_a_log_are_named_with_their_shards() -> None:
    found: list[tuple[int, int, str]] = []
    Evidence([LOST]).finish(lambda *finding: found.append(finding))
    assert found == [
        (2, 0, f"the checkpoint of 2027-01-15 08:00:00 UTC is of {NAME}, not of this log, whose opening can't be read")
    ]


def test_a_loss_binds_only_where_the_log_ended_when_it_was_accepted() -> None:
    """The same record behind another end, after a further cut, is nobody's consent."""
    moved = Loss(accepted().event, 3, NOON + 60)
    assert not any(moved.covers(one) for one in (LOST, signed(OURS, 7, NOON - 60)))
    assert accepted().covers(LOST)


def test_a_history_of_nothing_has_one_root() -> None:
    ((height, what),) = findings(OURS, [signed([], 0)._replace(checkpoint=Checkpoint(NAME, 0, bytes(32)))])
    assert (height, what.rpartition("; ")[2]) == (0, "they part at height 0 to 0")


def test_a_checkpoint_of_the_future_is_found() -> None:
    """Else it would be the newest for ever, whatever is held back."""
    offered = [signed(OURS, 4, NOON + 1000)]
    ((_, what),) = findings(OURS, offered, Freshness(NOON - 60, now=NOON))
    assert "which is still to come" in what
    assert findings(OURS, offered, Freshness(NOON - 60, now=NOON + 800)) == []
