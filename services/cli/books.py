"""The books: rebuilt from the log, and the proof that they balance in words."""

from pathlib import Path

from domain.money import Money
from domain.rules.phrases import counted
from projections import queries
from projections.store import Store
from services.bootstrap import open_log
from services.cli.homes import commits_in
from services.cli.talk import emit, progress, say
from services.views import current_views, rebuild_views


def rebuild(home: Path, as_json: bool) -> None:
    with open_log(home) as log, progress("rebuilding", commits_in(log)) as step:
        folded = rebuild_views(home, log, step)
    if as_json:
        emit({"commits": folded})
    else:
        say(f"All views rebuilt from {counted(folded, 'commit')}.")


def views_of(home: Path) -> Store:
    """The home's views, caught up with its log."""
    with open_log(home) as log, progress("catching up", commits_in(log)) as step:
        return current_views(home, log, step)


def rake_rows(totals: list[queries.RakeTotal]) -> list[list[str]]:
    return [
        [*row.of, str(row.hands), str(Money(row.pot, row.currency)), str(Money(row.rake, row.currency))]
        for row in totals
    ]


def proof_lines(proof: queries.Proof) -> list[str]:
    """The proof that the books balance, or what breaks it, in sentences."""
    lines = [f"All {currency} accounts sum to {Money(total, currency)}." for currency, total in proof.sums.items()]
    lines += [
        f"Left in the middle of a hand that is over: {Money(row.amount, row.currency)} in {row.account}."
        for row in proof.unsettled
    ]
    lines += [f"Overdrawn: {row.account} at {Money(row.amount, row.currency)}." for row in proof.overdrawn]
    lines += [rake_line(check) for check in proof.rake]
    lines += [f"The players' parts of the rake of hand {hand} don't sum to it." for hand in proof.unshared]
    return [*lines, "The books balance." if proof.sound else "THE BOOKS DO NOT BALANCE."]


def rake_line(check: queries.RakeCheck) -> str:
    ledger, house = Money(check.ledger, check.currency), Money(check.house, check.currency)
    verdict = "the same" if check.ledger == check.house else "DIFFERENT"
    return f"Rake by the ledger {ledger}, in the house's account {house}: {verdict}."
