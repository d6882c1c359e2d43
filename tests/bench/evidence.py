"""What evidence costs: the tree beside the hands, a checkpoint, the proof of one hand, and the check of a whole log.

Two rooms of one shard: in one few hands were played, in the other many, and as many checkpoints were signed on the way.
Hands are proven in turns, one of each room, so that a machine that is busy now and idle then is so for both.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import NamedTuple, TypeVar

from services.bootstrap import CHECKPOINT_KEY_FILE, CHECKPOINTS_FILE, TREE_FILE
from services.cli.evidence import seats_of
from services.eventlog.commit import LIMIT
from services.eventlog.transfer import export_file
from services.evidence import bundle as bundles
from services.evidence import checkpoints
from services.evidence import keyfile as checkpoint_key
from services.evidence.against import Evidence
from services.evidence.bundle import Bundle, Proven
from services.evidence.checkpointer import Checkpointer
from services.evidence.hand_check import check_bundle
from services.evidence.merkle import Frontier, check_inclusion, leaf_hash
from services.evidence.note import Checkpoint, CheckpointKey, Signed, key_name
from services.evidence.tree import TreeStore
from services.rulings import facts_of_hand
from services.soundness import verify_export
from tests.bench.folder import folder
from tests.bench.homes import Lockstep
from tests.bench.rows import Row, Side, compare, faster, growing, info, share
from tests.services.homes import keys_of

TABLES, PLAYERS, SHARD = 16, 6, 0

CHECKPOINTS = 100
"""Signed in each room, spread over its hands."""

SIGNATURES = 50
"""Made and checked for the costs of one."""

T = TypeVar("T")

Costs = dict[tuple[str, str], float]
"""By what it is, and the unit."""


class Signing(NamedTuple):
    """A room, the tree of its shard, who signs it, and how many seconds each checkpoint took."""

    home: Path
    room: Lockstep
    tree: TreeStore
    key: CheckpointKey
    checkpointer: Checkpointer
    took: list[float]

    def play_and_sign(self, until: int) -> None:
        self.room.play_hands(until)
        seconds, _ = _clocked(lambda: self.checkpointer.sign(self.room.ports.now()))
        self.took.append(seconds)

    def signed(self) -> list[Signed]:
        return checkpoints.read(self.home / CHECKPOINTS_FILE, self.key.public)


def rows(few: int, many: int, sample: int, runs: int, verifications: int) -> list[Row]:
    """`sample`: the hands that are proven, and those that are played each time that the tree's growth is measured."""
    with signed_room(few) as early, signed_room(many) as late:
        return [
            *_checkpoint_rows(early),
            *_proof_rows(early, late, few, many, sample),
            *_tree_rows(late, many, sample, runs),
            *_verify_rows(late, many, verifications),
        ]


@contextmanager
def signed_room(hands: int) -> Iterator[Signing]:
    """A room in which so many hands were played and signed."""
    with folder() as path, closing(Lockstep(path / "room", TABLES, PLAYERS, shards=1)) as room:
        home = path / "room"
        with TreeStore(home / TREE_FILE) as tree:
            key = checkpoint_key.load(home / CHECKPOINT_KEY_FILE, key_name(room.log.room))
            signing = Signing(home, room, tree, key, Checkpointer(room.log, tree, key, home / CHECKPOINTS_FILE), [])
            for until in sorted({hands * part // CHECKPOINTS for part in range(1, CHECKPOINTS + 1)}):
                signing.play_and_sign(until)
            yield signing


# --- checkpoints and proofs ------------------------------------------------------------------------------------------


def _checkpoint_rows(signing: Signing) -> list[Row]:
    """With what a checkpointer reads before it signs: all that it signed before."""
    key, one = signing.key, signing.signed()[-1]
    tenth = max(len(signing.took) // 10, 1)
    first, last = median(signing.took[:tenth]), median(signing.took[-tenth:])
    signature = median(_clocked(lambda: key.sign(one.checkpoint, one.time))[0] for _ in range(SIGNATURES))
    opened = median(_clocked(lambda: key.public.open(one.note))[0] for _ in range(SIGNATURES))
    return [
        info("a checkpoint: its two signatures", "us", 1e6 * signature),
        info("a checkpoint: its signatures checked", "us", 1e6 * opened),
        growing(
            f"a checkpoint signed, durable, among the last tenth of {len(signing.took)}", "us",
            1e6 * last, 1e6 * first, "among the first tenth", None,
        ),
    ]  # fmt: skip


def _proof_rows(early: Signing, late: Signing, few: int, many: int, sample: int) -> list[Row]:
    sides = [(signing, signing.signed(), _some_hands(signing.room, sample)) for signing in (early, late)]
    costs = [[_proven(signing, signed, hands[turn]) for signing, signed, hands in sides] for turn in range(sample)]
    return [
        growing(
            f"{what}, after {many:,} hands", unit,
            median(of_late[what, unit] for _, of_late in costs),
            median(of_early[what, unit] for of_early, _ in costs),
            f"after {few:,} hands", None,
        )
        for what, unit in costs[0][0]
    ]  # fmt: skip


def _some_hands(room: Lockstep, count: int) -> list[str]:
    """Hands of all times."""
    random, tables = Random(1), [table for table in room.tables if table.hands_over]
    chosen = [random.choice(tables) for _ in range(count)]
    return [f"{table.table}-{random.randint(1, table.hands_over)}" for table in chosen]


def _proven(signing: Signing, signed: Sequence[Signed], hand: str) -> Costs:
    log, public = signing.room.log, signing.key.public
    gathering, bare = _clocked(lambda: bundles.gather(log, signing.tree, signed[::-1], hand))
    opening, whole = _clocked(lambda: _with_every_key(signing, bare))
    checking, report = _clocked(lambda: check_bundle(bare, public))
    deciding, decided = _clocked(lambda: check_bundle(whole, public))
    assert report.sound and decided.sound and decided.undecided is None, (report.findings, decided.findings)
    newest, last = public.open(bare.checkpoint), bare.commits[-1]
    walking, included = _clocked(lambda: _is_included(last, newest.checkpoint))
    assert included
    return {
        ("the proof of one commit", "bytes"): sum(map(len, last.proof)),
        ("the proof of one commit checked", "us"): 1e6 * walking,
        ("a hand's bundle without keys", "bytes"): _size(signing, bare),
        ("a hand's bundle without keys, gathered", "us"): 1e6 * gathering,
        ("a hand's bundle without keys, checked", "us"): 1e6 * checking,
        ("a hand's bundle with every card", "bytes"): _size(signing, whole),
        ("a hand's bundle with every card, gathered", "us"): 1e6 * (gathering + opening),
        ("a hand's bundle with every card, checked", "us"): 1e6 * deciding,
    }


def _is_included(one: Proven, checkpoint: Checkpoint) -> bool:
    leaf = leaf_hash(bytes.fromhex(one.record.hash))
    return check_inclusion(leaf, one.record.height, checkpoint.size, one.proof, checkpoint.root)


def _size(signing: Signing, bundle: Bundle) -> int:
    """Bytes of the bundle's file."""
    path = signing.home / "bundle"
    bundles.write(bundle, path)
    size = path.stat().st_size
    path.unlink()
    return size


def _with_every_key(signing: Signing, bundle: Bundle) -> Bundle:
    """The bundle with what opens all of its cards and checks where they lay."""
    log, own = signing.room.log, keys_of(signing.room.log)
    facts, _ = facts_of_hand(log, bundle.hand)
    return bundles.with_keys(bundle, own, facts, seats_of(facts), deck=True)


# --- the tree --------------------------------------------------------------------------------------------------------


def _tree_rows(signing: Signing, hands: int, sample: int, runs: int) -> list[Row]:
    """The tree catches up after each sample, as a checkpointer does every few seconds."""
    samples = [_grown(signing, sample) for _ in range(runs)]
    played, stored, alone, commits = (median(one) for one in zip(*samples, strict=True))
    name, whole = f"the tree, after {hands:,} hands", "a hand played and recorded"
    return [
        share(f"{name}: a hand's commits appended", "us/hand", 1e6, stored, played, whole),
        share(f"{name}: the same in memory alone", "us/hand", 1e6, alone, played, whole),
        info(f"{name}: a commit appended", "us", 1e6 * stored / commits),
    ]


def _grown(signing: Signing, sample: int) -> tuple[float, float, float, float]:
    """Of one hand, on average: seconds to play it, to store its commits' nodes, to append them alone; its commits."""
    room, tree = signing.room, signing.tree
    before, size = room.hands, tree.catch_up(room.log, SHARD)
    played, _ = _clocked(lambda: room.play_hands(before + sample))
    stored, grown = _clocked(lambda: tree.catch_up(room.log, SHARD))
    leaves = [bytes.fromhex(record.hash) for record in room.log.read(SHARD, size)]
    alone, _ = _clocked(lambda: _appended(leaves))
    each = max(room.hands - before, 1)
    return played / each, stored / each, alone / each, (grown - size) / each


def _appended(leaves: Sequence[bytes]) -> None:
    frontier = Frontier()
    for leaf in leaves:
        frontier.append(leaf_hash(leaf))


# --- the whole log ---------------------------------------------------------------------------------------------------


def _verify_rows(signing: Signing, hands: int, runs: int) -> list[Row]:
    file = exported(signing)
    ours, peer = compare(Side(lambda _: [verified(signing, file)]), Side(lambda _: [hashed(file)]), runs=runs)
    name, commits = f"verify, with checkpoints, a log of {hands:,} hands", signing.room.log.head(SHARD).height + 1
    return [
        faster(name, "s", 1, ours, peer, "reading and hashing the same bytes", None),
        info(f"{name}: rate", "commits/s", commits / ours),
        info(f"{name}: rate", "MB/s", file.stat().st_size / ours / 1e6),
    ]


def exported(signing: Signing) -> Path:
    """The room's log in a file, all of it signed."""
    signing.play_and_sign(0)
    file = signing.home / "exported"
    export_file(signing.room.log, file)
    return file


def verified(signing: Signing, file: Path) -> int:
    """The commits that were found sound and signed."""
    evidence = Evidence(signing.signed())
    report = verify_export(file, evidence=evidence)
    assert report.sound, report.findings
    return evidence.shards[SHARD].signed_commits


def hashed(file: Path) -> int:
    """The commits whose bytes were hashed, in the pieces in which ours reads them: two lines each."""
    pieces, digest = 0, sha256()
    with file.open("rb") as lines:
        while piece := lines.readline(LIMIT + 2):
            digest.update(piece)
            pieces += 1
    return pieces // 2


def _clocked(do: Callable[[], T]) -> tuple[float, T]:
    start = perf_counter()
    done = do()
    return perf_counter() - start, done
