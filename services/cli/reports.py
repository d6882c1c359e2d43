"""`handlog report`: what the views are asked, and what is answered with which proof."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, get_type_hints

from domain.money import SCALES, Money
from domain.rules.phrases import counted
from domain.rules.registry import GAMES_BY_NAME
from projections import queries
from projections.balances import Balance
from projections.day_report import DayLine, day_report
from projections.filters import Only
from projections.hands import HandHeader
from projections.player_totals import PlayerBy, player_totals
from projections.reconciliation import Reconciliation, reconciliation
from projections.store import Store
from projections.zones import local_time
from services.cli.books import proof_lines, rake_line, views_of
from services.cli.forms import Form, Report
from services.cli.talk import FOUND, SOUND, stop
from services.cli.times import day_of, moment_of


@dataclass(slots=True)
class Asked:
    """A report as it is asked for: which form, where to, and which rows. Times are the room's, as they are written."""

    home: Path
    form: Form
    since: str = ""
    until: str = ""
    table: str | None = None
    game: str | None = None
    player: str | None = None
    stakes: str | None = None
    currency: str | None = None

    def __post_init__(self) -> None:
        if self.currency is not None and self.currency not in SCALES:
            stop(f"no currency {self.currency}: one of {', '.join(SCALES)}")
        if self.game is not None and self.game not in GAMES_BY_NAME:
            stop(f"no game {self.game}: one of {', '.join(GAMES_BY_NAME)}")

    def only(self, store: Store) -> Only:
        """Which rows; a day as `until` is wanted whole."""
        zone = queries.zone_of(store)
        return Only(
            moment_of("--from", self.since, zone, of_a_day=0),
            moment_of("--to", self.until, zone, of_a_day=1),
            self.table,
            self.game,
            self.player,
            self.stakes,
            self.currency,
        )


def balances(asked: Asked) -> int:
    with views_of(asked.home) as store:
        rows, proof = queries.balances(store, asked.only(store)), queries.proof(store)
    said = {
        "sound": proof.sound,
        "sums": proof.sums,
        "unsettled": [row._asdict() for row in proof.unsettled],
        "overdrawn": [row._asdict() for row in proof.overdrawn],
        "rake": [check._asdict() for check in proof.rake],
        "unshared": proof.unshared,
    }
    _report("balances", Balance, rows, ["amount"], said=proof_lines(proof), also={"proof": said}).write(asked.form)
    return SOUND if proof.sound else FOUND


def rake(asked: Asked, by: Sequence[str]) -> int:
    with views_of(asked.home) as store:
        totals = queries.rake_ledger(store, [queries.By(each) for each in by], asked.only(store))
        proof = queries.proof(store)
    of_players = "player" in by or asked.player is not None
    amounts = ["put_in" if of_players else "pot", "rake"]
    rows: list[dict[str, Any]] = [
        dict(zip(by, row.of, strict=True))
        | {"currency": row.currency, "hands": row.hands}
        | dict(zip(amounts, (row.pot, row.rake), strict=True))
        for row in totals
    ]
    columns = dict.fromkeys([*by, "currency"], str) | dict.fromkeys(["hands", *amounts], int)
    said = [rake_line(check) for check in proof.rake]
    also = {"by": list(by), "proof": [check._asdict() for check in proof.rake]}
    shown = [[*by, "hands", *amounts]]
    Report("rake", columns, rows, amounts, shown, said, also).write(asked.form)
    return SOUND if all(check.ledger == check.house for check in proof.rake) and not proof.unshared else FOUND


def day(asked: Asked) -> int:
    first, last = _whole_day("--from", asked.since), _whole_day("--to", asked.until)
    if first and last and first > last:
        stop(f"--from {first} is after --to {last}")
    with views_of(asked.home) as store:
        found = day_report(store, first, last, Only(table=asked.table, currency=asked.currency))
    amounts = [name for name in DayLine._fields if name not in {"day", "currency", "hands"}]
    on_tables = ["day", "tables_start", "buy_ins", "cash_outs", "rake", "tables_end", "hands", "pots"]
    in_accounts = ["day", *amounts[amounts.index("accounts_start") : amounts.index("transit_end") + 1]]
    wrong = [
        f"{line.day}, {line.currency}: START AND MOVES DON'T COME TO THE END."
        for line in found.lines
        if not line.agrees
    ]
    differ = [
        f"{check.kind}, {check.currency}: {Money(check.days, check.currency)} by the days, "
        f"{Money(check.balances, check.currency)} BY THE BALANCES."
        for check in found.checks
        if check.days != check.balances
    ]
    said = [*wrong, *differ]
    if not said:
        said = [
            f"Start and moves come to the end on each of {counted(len(found.lines), 'line')}, and all days together to "
            "the balances."
        ]
    also = {"proof": {"sound": found.sound, "checks": [check._asdict() for check in found.checks]}}
    shown = [on_tables] if asked.table else [on_tables, in_accounts]
    _report("day", DayLine, found.lines, amounts, shown, said, also).write(asked.form)
    return SOUND if found.sound else FOUND


def hands(asked: Asked) -> int:
    with views_of(asked.home) as store:
        zone, headers = queries.zone_of(store), queries.hand_headers(store, only=asked.only(store))
    rows = [header._asdict() | {"settled": _clock(header.finished_at, zone)} for header in headers]
    columns = _columns(HandHeader) | {"settled": str}
    shown = [["hand", "game", "limit", "stakes_text", "players", "pot", "rake", "settled"]]
    said = [f"{counted(len(rows), 'hand')}. Times are those of {zone}."]
    Report("hands", columns, rows, ["pot", "rake"], shown, said, {"zone": zone}).write(asked.form)
    return SOUND


def player(asked: Asked, by: Sequence[str]) -> int:
    with views_of(asked.home) as store:
        totals = player_totals(store, [PlayerBy(each) for each in by], asked.only(store))
    amounts = ["put_in", "won", "net", "rake"]
    rows: list[dict[str, Any]] = [
        {"player": row.player}
        | dict(zip(by, row.of, strict=True))
        | {"currency": row.currency, "hands": row.hands}
        | {name: getattr(row, name) for name in amounts}
        for row in totals
    ]
    columns = dict.fromkeys(["player", *by, "currency"], str) | dict.fromkeys(["hands", *amounts], int)
    shown = [["player", *by, "hands", *amounts]]
    said = [
        "Net is won less put in; what came back uncalled is in neither. Rake is the player's part by what he put in."
    ]
    Report("player", columns, rows, amounts, shown, said, {"by": list(by)}).write(asked.form)
    return SOUND


def reconcile(asked: Asked) -> int:
    with views_of(asked.home) as store:
        found = reconciliation(store, asked.currency)
    rows = [row._asdict() | {"came_in": row.came_in, "is_there": row.is_there} for row in found]
    columns = _columns(Reconciliation) | {"came_in": int, "is_there": int}
    amounts = [name for name in columns if name != "currency"]
    came, there = amounts[:4], amounts[4:-2]
    shown = [["currency", *came, "came_in"], ["currency", *there, "is_there"]]
    said = [
        f"{row.currency}: {Money(row.came_in, row.currency)} came in, {Money(row.is_there, row.currency)} is there: "
        f"{'the same' if row.agrees else 'DIFFERENT'}."
        for row in found
    ]
    sound = all(row.agrees for row in found)
    Report("reconcile", columns, rows, amounts, shown, said, {"sound": sound}).write(asked.form)
    return SOUND if sound else FOUND


def _report(
    name: str,
    row: type[Any],
    rows: Sequence[Any],
    amounts: Sequence[str],
    shown: Sequence[Sequence[str]] = (),
    said: Sequence[str] = (),
    also: dict[str, Any] | None = None,
) -> Report:
    """A report whose rows are NamedTuples; shown are all columns but the currency, which stands with the amounts."""
    columns = _columns(row)
    shown = shown or [[column for column in columns if column != "currency"]]
    return Report(name, columns, [each._asdict() for each in rows], amounts, shown, said, also or {})


def _columns(row: type[Any]) -> dict[str, type]:
    return {name: str if kind is str else int for name, kind in get_type_hints(row).items()}


def _clock(at: int | None, zone: str) -> str | None:
    return None if at is None else local_time(at, zone)


def _whole_day(option: str, text: str) -> date | None:
    """The day of a report that tells whole days."""
    if ":" in text:
        stop(f"{option} {text}: this report tells whole days: write {text[:10]}")
    return day_of(option, text) if text else None
