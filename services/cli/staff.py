"""What staff decided, each with its reason opened: read from the log, since the warehouse has no sealed text.

Reading a reason is no opening of cards: nothing is recorded of it.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from domain import catalog
from domain.messages import table_stream
from domain.rulings.reasons import DECISIONS, EraseReason
from services.bootstrap import open_log
from services.cli.answers import tell
from services.cli.forms import Form
from services.cli.homes import commits_in
from services.cli.reasons import keys_of_reasons, read_reason
from services.cli.talk import SOUND, progress, stop
from services.cli.times import moment_of
from services.eventlog.log import Log
from services.evidence.checkpointer import opening_of
from services.sealing.texts import TextKeys
from services.staff_decisions import Decision, Erasures, decisions_in, erasures
from services.warehouse.asking import Answer

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Only(NamedTuple):
    """Which decisions; None, or empty, for all. `by`: also those that he took upon him as the second."""

    table: str | None = None
    player: str | None = None
    by: str | None = None
    since: str = ""
    until: str = ""

    def has(self, decision: Decision) -> bool:
        asked = decision.asked
        return (
            self.table in (None, _table(asked))
            and self.player in (None, getattr(asked, "player", None))
            and (self.by is None or self.by in (decision.by, getattr(asked, "second", "")))
        )


class Row(NamedTuple):
    """A decision as it is told; None where it concerns none such."""

    decided_at: datetime
    decision: str
    by: str
    second: str | None
    what: str
    command: str
    table: str | None
    hand: str | None
    seat: int | None
    player: str | None
    currency: str | None
    amount: int | None
    about: str | None
    reason: str | None
    reason_is: str


def decided_by_staff(home: Path, only: Only, form: Form) -> int:
    """Tell all of them, by time. Stops for a table that never was; raises BadKeys for a damaged file of keys."""
    texts = keys_of_reasons(home)
    with open_log(home) as log:
        zone = opening_of(log).time_zone
        rows = sorted(_rows(log, texts, only, zone, form))
    answer = Answer(list(Row._fields), list(map(tuple, rows)))
    tell(answer, form, zone, (), nothing="Staff decided nothing of that kind.", as_money=True, aside=_ASIDE)
    return SOUND


_ASIDE = {"command", "seat", "reason_is"}
"""What only machines are told: people read it in the other columns."""


def _rows(log: Log, texts: TextKeys, only: Only, zone: str, form: Form) -> Iterator[Row]:
    if only.table is not None and log.stream_version(table_stream(only.table)) is None:
        stop(f"there is no table {only.table} in this log: nothing was ever decided at it")
    erased = erasures(log)
    since = moment_of("--from", only.since, zone, of_a_day=0)
    until = moment_of("--to", only.until, zone, of_a_day=1)
    with progress("reading", commits_in(log)) as step:
        for decision in decisions_in(log, since, until, step):
            if only.has(decision):
                yield _row(decision, texts, erased, form)


def _row(decision: Decision, texts: TextKeys, erased: Erasures, form: Form) -> Row:
    asked = decision.asked
    reason = read_reason(texts, decision.reason, erased.get((decision.shard, decision.height)))
    return Row(
        decided_at=_EPOCH + timedelta(microseconds=decision.at),
        decision=decision.place,
        by=decision.by,
        second=getattr(asked, "second", "") or None,
        what=DECISIONS[type(asked)],
        command=catalog.command.by_class[type(asked)].name,
        table=_table(asked),
        hand=getattr(asked, "hand", None),
        seat=getattr(asked, "seat", None),
        player=getattr(asked, "player", None),
        currency=getattr(asked, "currency", None),
        amount=getattr(asked, "amount", getattr(asked, "alone_up_to", None)),
        about=_about(asked),
        reason=reason.text if form.for_machines else reason.shown,
        reason_is=reason.said,
    )


def _table(asked: Any) -> str | None:
    """Whose table a decision concerns: its own, or that of its hand."""
    hand = getattr(asked, "hand", None)
    return hand.rpartition("-")[0] if hand else getattr(asked, "table", None)


def _about(asked: Any) -> str | None:
    """What it says besides that it is about: of an erasure the decision, of a loss the shard."""
    if isinstance(asked, EraseReason):
        return f"{asked.shard}:{asked.height}"
    return f"shard {asked.shard}" if hasattr(asked, "shard") else getattr(asked, "about", "") or None
