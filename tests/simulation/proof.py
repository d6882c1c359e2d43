"""What an auditor with checkpoints does: the product's own signing and verification, over the log of a simulation."""

from pathlib import Path

from services.eventlog.files import Files
from services.eventlog.log import LogError
from services.eventlog.sqlite_log import SqliteLog
from services.evidence.checkpointer import Checkpointer, check_against
from services.evidence.note import CheckpointKey
from services.evidence.tree import TreeStore
from services.soundness import verify_home


class Proof:
    """The checkpoints of a room, in a folder."""

    def __init__(self, key: CheckpointKey, folder: Path) -> None:
        self._key, self._folder = key, folder

    def sign(self, log: SqliteLog, now: int) -> list[tuple[int, bytes]]:
        """Sign all shards; size and root of each. `now`: UTC microseconds."""
        with TreeStore(self._folder / "tree") as tree:
            made = self._checkpointer(log, tree).sign(now)
        return [(one.checkpoint.size, one.checkpoint.root) for one in made if not one.checkpoint.extensions]

    def is_whole(self, log: SqliteLog) -> bool:
        """Whether the log verifies, and is what was signed. LogError where it can't even be read."""
        if not verify_home(log).sound:
            return False
        tree = self._folder / "another tree"
        tree.unlink(missing_ok=True)
        with TreeStore(tree) as fresh:
            check_against(log, fresh, self._checkpointer(log, fresh).signed())
        return True

    def _checkpointer(self, log: SqliteLog, tree: TreeStore) -> Checkpointer:
        return Checkpointer(log, tree, self._key, self._folder / "checkpoints")


def is_found(proof: Proof, path: Path, files: Files) -> bool:
    """Whether who looks at all of a log finds it damaged."""
    try:
        with SqliteLog.open(path, write=False, files=files) as log:
            return not proof.is_whole(log)
    except LogError:
        return True
