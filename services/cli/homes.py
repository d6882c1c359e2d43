"""Homes: making one, and moving a log from one to another."""

from contextlib import suppress
from pathlib import Path

from domain.rules.phrases import counted
from services.bootstrap import KEY_FILE, PUBLIC_KEY_FILE, import_log, make_home, open_log
from services.cli.talk import emit, progress, say
from services.eventlog.log import Log
from services.eventlog.transfer import export_file
from services.ports import real_ports


def init(home: Path, room: str, shards: int, time_zone: str, keys: Path | None, as_json: bool) -> None:
    make_home(home, room, real_ports(), shards=shards, time_zone=time_zone, keys=keys)
    if as_json:
        emit({"home": str(home), "room": room, "shards": shards, "time_zone": time_zone})
        return
    nodes = "one node" if shards == 1 else f"{shards} nodes"
    say(f"Room {room} has a home in {home}.")
    say(f"Its log has {counted(shards, 'shard')}: at the most {nodes} can ever own something. That is fixed.")
    say(f"{keys or home / KEY_FILE} opens every card: keep a copy of it outside this machine, apart from the log's.")
    say(f"{home / PUBLIC_KEY_FILE} checks what is signed of it: give a copy to whoever is to verify that.")


def export(home: Path, file: Path, as_json: bool) -> None:
    with open_log(home) as log, progress("exporting", commits_in(log)) as step:
        written = export_file(log, file, step)
    if as_json:
        emit({"file": str(file), "commits": written})
    else:
        say(f"{counted(written, 'commit')} written to {file}.")


def import_(home: Path, file: Path, as_json: bool) -> None:
    new = not home.exists()
    home.mkdir(parents=True, exist_ok=True)
    try:
        with progress("importing", 2 * _records_in(file)) as step:  # each is verified, then stored
            report = import_log(home, file, step)
    except BaseException:
        if new:
            with suppress(OSError):
                home.rmdir()
        raise
    if as_json:
        emit({"home": str(home), "room": report.room, "commits": report.commits, "events": report.events})
    else:
        came = f"{counted(report.commits, 'commit')}, {counted(report.events, 'event')}"
        say(f"Room {report.room} has a home in {home}: {came}.")
        say("Its keys are in no export: bring its key file here, or make a new key with `handlog keys init`.")
        say(
            "Nothing that was signed was compared, so commits at its end may be missing: `handlog verify` tells, with "
            "--checkpoints FILE and --public-key FILE that were kept elsewhere."
        )


def commits_in(log: Log) -> int:
    return sum(log.head(shard).height + 1 for shard in range(log.shards))


def _records_in(file: Path) -> int:
    """About how many: a record is two lines."""
    if not file.is_file():
        return 0
    with file.open("rb") as lines:
        return sum(1 for _ in lines) // 2
