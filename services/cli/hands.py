"""Hands: listed, replayed, decided again."""

import sys
from collections.abc import Iterator
from dataclasses import asdict, fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from domain import catalog
from domain.money import Money
from domain.rules.phrases import counted
from domain.rules.vocabulary import Limit
from domain.rulings.opening import Form
from domain.rulings.readjudicate import Divergence, Undecided, Verdict
from domain.rulings.recorded_shoe import Keyholder, NoKeys
from domain.rulings.words import limit_and_stakes
from projections import queries
from projections.hands import HandHeader
from projections.store import Store
from services.bootstrap import KEY_FILE, open_log, room_keys
from services.cli.books import views_of
from services.cli.homes import commits_in
from services.cli.opening import Asker, record_opening
from services.cli.showing import lines, step_through
from services.cli.talk import COULD_NOT_RUN, FOUND, SAME, emit, progress, say, stop, table
from services.eventlog.log import Log
from services.eventlog.mapper import repository
from services.frames import as_json as frame_as_json
from services.room.load import load_table
from services.rulings import hand_frames, readjudicate_all, readjudicate_hand
from services.sealing.shoe import Opener


def list_hands(home: Path, of_table: str | None, as_json: bool) -> None:
    with views_of(home) as store:
        headers = queries.hand_headers(store, of_table)
        if of_table is not None and not headers:
            _check_table(home, store, of_table)
    if as_json:
        emit([header._asdict() | {"maxima": header.stakes.maxima} for header in headers])
    elif headers:
        table(
            ["hand", "played", "players", "pot", "rake", "began"],
            [_row(header) for header in headers],
            ("players", "pot", "rake"),
        )
    else:
        say("No hand was dealt here yet.")


def _check_table(home: Path, store: Store, name: str) -> None:
    """Stop unless the table was opened; the others are known by their hands."""
    with open_log(home) as log:
        if load_table(repository(log), name) is not None:
            return
    known = sorted({header.table for header in queries.hand_headers(store)}, key=queries.as_counted)
    stop(f"no table {name}" + (f": hands were dealt at {', '.join(known)}" if known else ""))


def _row(of: HandHeader) -> list[str]:
    pot, rake = Money(of.pot, of.currency), Money(of.rake, of.currency)
    under_way, cancelled = of.finished_at is None, of.cancelled_after is not None
    began = datetime.fromtimestamp(of.started_at // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M")
    return [
        of.hand, f"{of.game}, {limit_and_stakes(Limit(of.limit), of.stakes, of.currency)}, {of.rulebook}",
        str(of.players), "under way" if under_way else "cancelled" if cancelled else str(pot),
        "" if under_way or cancelled else str(rake), began,
    ]  # fmt: skip


def replay(home: Path, hand: str, asker: Asker | None, keys: Path | None, as_json: bool) -> None:
    """Without somebody who asks for an opening, cards that are sealed stay so."""
    own = None if asker is None else record_opening(home, keys, hand, asker, Form.FACES, (), deck=False)
    with open_log(home) as log:
        frames = hand_frames(log, hand, NoKeys() if own is None else Opener(own))
    if as_json:
        emit([frame_as_json(frame) for frame in frames])
    elif sys.stdin.isatty() and sys.stdout.isatty():
        step_through(frames)
    else:
        for frame in frames:
            say("\n".join([*lines(frame, len(frames)), ""]))


def readjudicate(home: Path, hand: str | None, every: bool, keys: Path | None, as_json: bool) -> int:
    if (hand is None) != every:
        stop("say which hand to decide again, such as t1-17, or --all; not both")
    with open_log(home) as log:
        keyholder = keyholder_of(home, log, keys)
        decisions, verdicts = (
            _decide_again(log, keyholder) if hand is None else (None, [readjudicate_hand(log, hand, keyholder)])
        )
    found = [each for each in verdicts if isinstance(each, Divergence)]
    sealed = [each for each in verdicts if isinstance(each, Undecided)]
    if as_json:
        emit({
            "same": not found and not sealed,
            "decisions": decisions,
            "divergences": [_as_json(each) for each in found],
            "sealed": [asdict(each) for each in sealed],
        })  # fmt: skip
    else:
        _tell(hand or f"all {decisions} decisions", found, sealed)
    return FOUND if found else COULD_NOT_RUN if sealed else SAME


def keyholder_of(home: Path, log: Log, keys: Path | None) -> Keyholder:
    """What opens the room's cards for the machine itself; nothing where the home has no key file and none is named."""
    if keys is None and not (home / KEY_FILE).exists():
        return NoKeys()
    return Opener(room_keys(home, log.room, keys))


def _decide_again(log: Log, keyholder: Keyholder) -> tuple[int, list[Verdict]]:
    verdicts: list[Verdict] = []
    decisions = 0
    with progress("deciding again", commits_in(log)) as step:
        for _, verdict in readjudicate_all(log, keyholder):
            decisions += 1
            if verdict is not None:
                verdicts.append(verdict)
            step()
    return decisions, verdicts


def _tell(what: str, found: list[Divergence], sealed: list[Undecided]) -> None:
    if not found and not sealed:
        say(f"{what}: decided again, the same.")
    if sealed:
        say(f"{what}: {counted(len(sealed), 'decision')} could not be decided again without the room's keys.")
    for undecided in sealed:
        say(f"  {undecided}")
    for each in found:
        say(f"shard {each.shard}, height {each.height}, event {each.index}: {each.stream}, version {each.version}")
        for line in differences(each):
            say(f"  {line}")


def differences(of: Divergence) -> Iterator[str]:
    """What differs, field by field where both sides are of one kind."""
    recorded, decided = of.recorded, of.decided
    if of.refused:
        yield f"{_name(recorded)} is recorded, but its command is refused: {of.refused}"
    elif type(recorded) is not type(decided):
        yield f"recorded {_name(recorded)}, decided again {_name(decided)}"
        yield f"recorded {recorded}"
        yield f"decided again {decided}"
    elif recorded == decided:
        yield f"{_name(recorded)} is recorded in another stream than the rules say"
    else:
        for field in fields(recorded):
            left, right = getattr(recorded, field.name), getattr(decided, field.name)
            if left != right:
                yield f"{_name(recorded)}: {field.name} recorded {left}, decided again {right}"


def _name(event: Any) -> str:
    return catalog.event.by_class[type(event)].name if is_dataclass(event) else "nothing"


def _as_json(of: Divergence) -> dict[str, Any]:
    return {
        "shard": of.shard,
        "height": of.height,
        "index": of.index,
        "stream": of.stream,
        "version": of.version,
        "recorded": _data(of.recorded),
        "decided": _data(of.decided),
        "refused": of.refused,
        "differences": list(differences(of)),
    }


def _data(event: Any) -> dict[str, Any] | None:
    if event is None:
        return None
    name, rev, data = catalog.event.dump(event)
    return {"type": name, "rev": rev, "data": data}
