"""The check of a log in full."""

from pathlib import Path

from domain.rules.phrases import counted
from services.bootstrap import open_log
from services.cli.homes import commits_in
from services.cli.talk import FOUND, SOUND, emit, progress, say, stop
from services.eventlog.log import Log, LogError
from services.eventlog.verify import Report
from services.soundness import verify_export, verify_home


def verify(home: Path | None, file: Path | None, as_json: bool) -> int:
    report = _of_file(file) if file is not None else _of_home(home)
    if as_json:
        emit(_as_json(report))
    else:
        _tell(report, str(file if file is not None else home))
    return SOUND if report.sound else FOUND


def _of_file(file: Path) -> Report:
    with progress("verifying", 0) as step:
        return verify_export(file, step)


def _of_home(home: Path | None) -> Report:
    if home is None:
        stop("nothing to verify: give --home DIR (or set HANDLOG_HOME) or --file FILE")
    with open_log(home) as log, progress("verifying", _about(log)) as step:
        return verify_home(log, step)


def _about(log: Log) -> int:
    """How many commits there are to look at; 0 where damage hides it."""
    try:
        return commits_in(log)
    except LogError:
        return 0


def _as_json(report: Report) -> dict[str, object]:
    return {
        "sound": report.sound,
        "room": report.room,
        "commits": report.commits,
        "events": report.events,
        "heads": [{"shard": shard, **head._asdict()} for shard, head in sorted(report.heads.items())],
        "findings": [{"shard": one.shard, "height": one.height, "what": one.what} for one in report.findings],
    }


def _tell(report: Report, what: str) -> None:
    if report.sound:
        seen = f"{counted(report.commits, 'commit')}, {counted(report.events, 'event')}"
        say(f"{what} is sound: room {report.room}, {seen}.")
        return
    say(f"{what} is NOT sound: {counted(len(report.findings), 'finding')}.")
    for finding in report.findings:
        say(str(finding))
