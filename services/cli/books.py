"""The books: rebuilt from the log, and reported with the proof that they balance."""

from collections.abc import Callable
from pathlib import Path

from domain.money import Money
from domain.rules.phrases import counted
from projections import queries
from projections.store import Store
from services.bootstrap import open_log
from services.cli.homes import commits_in
from services.cli.talk import FOUND, SOUND, emit, progress, say, table
from services.views import current_views, rebuild_views


def rebuild(home: Path, as_json: bool) -> None:
    with open_log(home) as log, progress("rebuilding", commits_in(log)) as step:
        folded = rebuild_views(home, log, _each(step))
    if as_json:
        emit({"commits": folded})
    else:
        say(f"All views rebuilt from {counted(folded, 'commit')}.")


def balances(home: Path, as_json: bool) -> int:
    with views_of(home) as store:
        rows, proof = queries.balances(store), queries.proof(store)
    if as_json:
        emit({"balances": [row._asdict() for row in rows], "proof": _as_json(proof)})
    else:
        table(["account", "amount"], [[row.account, str(Money(row.amount, row.currency))] for row in rows], ("amount",))
        for line in proof_lines(proof):
            say(line)
    return SOUND if proof.sound else FOUND


def rake(home: Path, by: list[str], as_json: bool) -> int:
    with views_of(home) as store:
        totals, proof = queries.rake_ledger(store, [queries.By(each) for each in by]), queries.proof(store)
    if as_json:
        emit({"by": by, "rake": [_total(by, row) for row in totals], "proof": [one._asdict() for one in proof.rake]})
    else:
        table([*by, "hands", "pots", "rake"], rake_rows(totals), ("hands", "pots", "rake"))
        for check in proof.rake:
            say(rake_line(check))
    return SOUND if all(check.ledger == check.house for check in proof.rake) else FOUND


def views_of(home: Path) -> Store:
    """The home's views, caught up with its log."""
    with open_log(home) as log, progress("catching up", commits_in(log)) as step:
        return current_views(home, log, _each(step))


def rake_rows(totals: list[queries.RakeTotal]) -> list[list[str]]:
    return [
        [*row.of, str(row.hands), str(Money(row.pot, row.currency)), str(Money(row.rake, row.currency))]
        for row in totals
    ]


def _total(by: list[str], row: queries.RakeTotal) -> dict[str, object]:
    amounts = {"currency": row.currency, "hands": row.hands, "pot": row.pot, "rake": row.rake}
    return dict(zip(by, row.of, strict=True)) | amounts


def proof_lines(proof: queries.Proof) -> list[str]:
    """The proof that the books balance, or what breaks it, in sentences."""
    lines = [f"All {currency} accounts sum to {Money(total, currency)}." for currency, total in proof.sums.items()]
    lines += [
        f"Left in the middle of a hand that is over: {Money(row.amount, row.currency)} in {row.account}."
        for row in proof.unsettled
    ]
    lines += [f"Overdrawn: {row.account} at {Money(row.amount, row.currency)}." for row in proof.overdrawn]
    lines += [rake_line(check) for check in proof.rake]
    return [*lines, "The books balance." if proof.sound else "THE BOOKS DO NOT BALANCE."]


def rake_line(check: queries.RakeCheck) -> str:
    ledger, house = Money(check.ledger, check.currency), Money(check.house, check.currency)
    verdict = "the same" if check.ledger == check.house else "DIFFERENT"
    return f"Rake by the ledger {ledger}, in the house's account {house}: {verdict}."


def _as_json(proof: queries.Proof) -> dict[str, object]:
    return {
        "sound": proof.sound,
        "sums": proof.sums,
        "unsettled": [row._asdict() for row in proof.unsettled],
        "overdrawn": [row._asdict() for row in proof.overdrawn],
        "rake": [check._asdict() for check in proof.rake],
    }


def _each(step: Callable[[], None]) -> Callable[[int], None]:
    """Steps for work that tells how far it is."""
    done = 0

    def advance(folded: int) -> None:
        nonlocal done
        for _ in range(folded - done):
            step()
        done = folded

    return advance
