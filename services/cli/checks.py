"""The check of a log in full."""

import re
from dataclasses import dataclass
from pathlib import Path

from domain.rules.phrases import counted
from services.bootstrap import CHECKPOINTS_FILE, PUBLIC_KEY_FILE, open_log
from services.cli.homes import commits_in
from services.cli.talk import FOUND, SOUND, emit, progress, say, stop
from services.eventlog.log import Log, LogError
from services.eventlog.verify import Report
from services.evidence.against import Evidence, Freshness
from services.evidence.checkpointer import moment
from services.evidence.checkpoints import public_key as public_key_in
from services.evidence.checkpoints import read
from services.ledger import Ledger
from services.ports import real_ports
from services.soundness import verify_export, verify_home


@dataclass(frozen=True, slots=True)
class Given:
    """What the auditor brings: files of checkpoints and of their public key, the age that is new enough, and the
    checkpoints that he kept."""

    checkpoints: Path | None = None
    public_key: Path | None = None
    not_older_than: str | None = None
    seen: Path | None = None


def verify(home: Path | None, file: Path | None, given: Given, ledger: Ledger | None, as_json: bool) -> int:
    """`ledger`: where the money is to be added up too, empty books for it."""
    evidence = _evidence(None if file is not None else home, given)
    report = _of_file(file, evidence, ledger) if file is not None else _of_home(home, evidence, ledger)
    if as_json:
        emit(_as_json(report, evidence, ledger))
    else:
        _tell(report, str(file if file is not None else home))
        _tell_evidence(evidence, given)
        for one in [] if ledger is None else ledger.sums():
            say(f"{one.currency}: {one}.")
    return SOUND if report.sound else FOUND


def _evidence(home: Path | None, given: Given) -> Evidence | None:
    """The checkpoints to compare with; those of a home itself where it has some and none are named."""
    age = None if given.not_older_than is None else _seconds(given.not_older_than)
    own = None if home is None else home / CHECKPOINTS_FILE
    offered = given.checkpoints or (own if own is not None and own.exists() else None)
    if offered is None and (home is None or given.seen is None):
        if given != Given():
            stop("nothing to compare with: give what was signed of this log, with --checkpoints FILE")
        return None
    public_key = given.public_key or (None if home is None else home / PUBLIC_KEY_FILE)
    if public_key is None:
        stop("checkpoints are checked with the checkpointer's public key: give --public-key FILE")
    key = public_key_in(public_key)
    now = real_ports().now() // 1_000_000
    seen = [] if given.seen is None else read(given.seen, key)
    freshness = Freshness(None if age is None else now - age, seen, now)
    return Evidence([] if offered is None else read(offered, key, torn=offered == own), freshness, key)


def _seconds(age: str) -> int:
    match = re.fullmatch(r"([0-9]{1,9})([smhd])", age)
    if match is None:
        stop(f"{age!r} is no age: write a number and s, m, h or d, such as 90s, 30m, 1h or 2d")
    return int(match[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[match[2]]


def _of_file(file: Path, evidence: Evidence | None, ledger: Ledger | None) -> Report:
    with progress("verifying", 0) as step:
        return verify_export(file, step, evidence, ledger)


def _of_home(home: Path | None, evidence: Evidence | None, ledger: Ledger | None) -> Report:
    if home is None:
        stop("nothing to verify: give --home DIR (or set HANDLOG_HOME) or --file FILE")
    with open_log(home) as log, progress("verifying", _about(log)) as step:
        return verify_home(log, step, evidence, ledger)


def _about(log: Log) -> int:
    """How many commits there are to look at; 0 where damage hides it."""
    try:
        return commits_in(log)
    except LogError:
        return 0


def _as_json(report: Report, evidence: Evidence | None, ledger: Ledger | None) -> dict[str, object]:
    return {
        "ledger": None if ledger is None else [one._asdict() | {"agrees": one.agrees} for one in ledger.sums()],
        "checkpoints": None
        if evidence is None
        else [
            {"shard": shard, "signed": one.signed_commits, "newest": one.newest and one.newest.time}
            for shard, one in sorted(evidence.shards.items())
        ],
        "sound": report.sound,
        "room": report.room,
        "commits": report.commits,
        "events": report.events,
        "voids": report.voids,
        "heads": [{"shard": shard, **head._asdict()} for shard, head in sorted(report.heads.items())],
        "findings": [{"shard": one.shard, "height": one.height, "what": one.what} for one in report.findings],
    }


def _tell(report: Report, what: str) -> None:
    if report.sound:
        seen = f"{counted(report.commits, 'commit')}, {counted(report.events, 'event')}"
        voids = f"; {counted(report.voids, 'record')} beside them count for nothing" if report.voids else ""
        say(f"{what} is sound: room {report.room}, {seen}{voids}.")
        return
    say(f"{what} is NOT sound: {counted(len(report.findings), 'finding')}.")
    for finding in report.findings:
        say(str(finding))


def _tell_evidence(evidence: Evidence | None, given: Given) -> None:
    """How far the signatures reach, and what can't be excluded all the same."""
    if evidence is None:
        say("No checkpoint was compared: a log that was cut off, or wholly written anew, can't be told from this one.")
        return
    for shard, one in sorted(evidence.shards.items()):
        if one.newest is None:
            say(f"Shard {shard}: nothing of it was signed.")
            continue
        after = one.commits - one.signed_commits
        signed = f"{counted(one.signed_commits, 'commit')} as signed, the last time at {moment(one.newest.time)}"
        rest = f"; {counted(after, 'commit')} after it, chained and not signed" if after else ""
        say(f"Shard {shard}: {signed}{rest}.")
    if given.public_key is None and evidence.key is not None:
        say(
            f"The public key {evidence.key.id} is the home's own: whoever could change all of the home could change "
            "that too."
        )
    if given.not_older_than is None and given.seen is None:
        say(
            "That a newer checkpoint was held back, and what it covers cut off, can't be excluded: --not-older-than or "
            "--seen would."
        )
