"""The demonstration from its first hand to its verdict."""

from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from services.bootstrap import open_log, room_keys
from services.cli.talk import FOUND, SOUND, say
from services.demo.evidence import show_evidence
from services.demo.floor import TABLES, play
from services.demo.hands import show_hands
from services.demo.proof import show_an_audit, show_books, show_log, show_rulings, show_tables, tables_of
from services.sealing.shoe import Opener


def run(home: Path | None, hands: int, seed: int) -> int:
    """Play and show; 0 if all is well. The home is a temporary one where none is named; a named one must be new."""
    if home is not None:
        return _show_all(home, hands, seed)
    with TemporaryDirectory(prefix="handlog-demo-") as folder:
        return _show_all(Path(folder), hands, seed)


def _show_all(home: Path, hands: int, seed: int) -> int:
    began = monotonic()
    commands = play(home, hands, seed)
    say(f"{hands} hands at {len(TABLES)} tables: {commands} commands in {monotonic() - began:.1f} s, seed {seed}.")
    with open_log(home) as log:
        tables, keyholder = tables_of(log), Opener(room_keys(home, log.room))
        show_tables(tables)
        well = [show_log(log), show_rulings(log, keyholder)]
        shown = show_hands(home, log)
        if shown is not None:
            well.append(show_evidence(home, shown))
    with open_log(home) as log:
        well.append(show_books(home, log))
    well.append(show_an_audit(home))
    say(f"{'All is well' if all(well) else 'SOMETHING IS WRONG'}, after {monotonic() - began:.1f} s.")
    return SOUND if all(well) else FOUND
