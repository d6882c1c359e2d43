"""What is proved of the demonstration's log, and shown: chains, decisions, books, an audit."""

from pathlib import Path

from domain.money import Money
from domain.rulings.recorded_shoe import Keyholder
from domain.rulings.words import limit_and_stakes
from domain.table.state import Table
from projections import queries
from projections.balances import Balance
from projections.reconciliation import Reconciliation, reconciliation
from services.cli.audit import audit_of, folded
from services.cli.books import proof_lines, rake_rows
from services.cli.forms import Form
from services.cli.homes import commits_in
from services.cli.talk import SOUND, progress, say, table
from services.demo.floor import TABLES
from services.eventlog.log import Log
from services.eventlog.mapper import repository
from services.ledger import Ledger
from services.room.load import load_table
from services.rulings import readjudicate_all
from services.soundness import verify_home
from services.views import current_views


def tables_of(log: Log) -> dict[str, Table]:
    loaded = ((one.table, load_table(repository(log), one.table)) for one in TABLES)
    return {table_id: found for table_id, found in loaded if found is not None}


def show_tables(tables: dict[str, Table]) -> None:
    rows = []
    for table_id, now in tables.items():
        terms = now.opened.terms
        played = f"{terms.game}, {limit_and_stakes(terms.limit, terms.stakes, terms.currency)}, {terms.rulebook}"
        chips = Money(sum(seat.stack for seat in now.seats.values()), terms.currency)
        rows.append([
            table_id, now.opened.name, played, str(len(now.seats)), str(now.hands), str(chips),
        ])  # fmt: skip
    table(
        ["table", "name", "played", "seats", "hands", "chips"],
        rows,
        ("seats", "hands", "chips"),
    )


def show_log(log: Log) -> bool:
    """Chains, bodies and invariants hold, and the money adds up: from the log alone, without a view."""
    ledger = Ledger()
    with progress("verifying", commits_in(log)) as step:
        report = verify_home(log, step, ledger=ledger)
    for finding in report.findings:
        say(str(finding))
    sound = "sound: chains, bodies, invariants, money" if report.sound else "NOT SOUND"
    say(f"Log: {report.commits} commits and {report.events} events in {log.shards} shards, {sound}.")
    return report.sound


def show_rulings(log: Log, keyholder: Keyholder) -> bool:
    decisions, different = 0, []
    with progress("deciding again", commits_in(log)) as step:
        for _, found in readjudicate_all(log, keyholder):
            decisions += 1
            different += [found] if found is not None else []
            step()
    for each in different:
        say(str(each))
    verdict = f"{len(different)} OTHERWISE" if different else "all the same"
    say(f"Rulings: {decisions} decisions of tables, hands and accounts decided again, {verdict}.")
    return not different


def show_books(home: Path, log: Log) -> bool:
    """What lies where, the rake, and that both add up."""
    with current_views(home, log) as store:
        totals, proof = queries.rake_ledger(store, (queries.By.TABLE, queries.By.RULEBOOK)), queries.proof(store)
        balances, reconciled = queries.balances(store), reconciliation(store)
    _show_players(balances)
    table(["table", "rulebook", "hands", "pots", "rake"], rake_rows(totals), ("hands", "pots", "rake"))
    for line in proof_lines(proof):
        say(line)
    for one in reconciled:
        say(f"{_in_words(one)}: {'it adds up' if one.agrees else 'IT DOES NOT ADD UP'}.")
    return proof.sound and all(one.agrees for one in reconciled)


_SHOWN = 6
"""Players whose balances are shown."""


def _show_players(balances: list[Balance]) -> None:
    """The players with the most money: in their accounts and at their tables."""
    money: dict[tuple[str, str], list[int]] = {}
    for row in balances:
        kind, _, rest = row.account.partition(":")
        if kind == "account":
            money.setdefault((rest.split(":")[0], row.currency), [0, 0])[0] += row.amount
        elif kind == "table":
            money.setdefault((rest.rpartition(":")[2], row.currency), [0, 0])[1] += row.amount
    richest = sorted(money.items(), key=lambda one: (-sum(one[1]), one[0]))
    rows = [[who, *(str(Money(amount, currency)) for amount in lie)] for (who, currency), lie in richest]
    say(f"Balances of the {_SHOWN} with the most, of {len(rows)}; `handlog report balances` has them all:")
    table(["player", "in his account", "at his table"], rows[:_SHOWN], ("in his account", "at his table"))


def _in_words(of: Reconciliation) -> str:
    def money(amount: int) -> str:
        return str(Money(amount, of.currency))

    came = f"{money(of.deposits)} deposited - {money(of.withdrawals)} withdrawn"
    if of.sold or of.bought_back:
        came += f" + {money(of.sold - of.bought_back)} in chips from the cashier"
    accounts = money(of.accounts + of.held + of.promotion)
    return (
        f"{came} = {accounts} in accounts + {money(of.tables)} on tables + {money(of.transit)} in transit"
        f" + {money(of.house)} of the house"
    )


def show_an_audit(home: Path) -> bool:
    """One audit query, answered: of two players, every hand in which the one folded to the other."""
    with audit_of(home) as audit:
        found = audit.warehouse.ask_freely(_MOST_FOLDS).rows
    if not found:
        say("Nobody has folded to anybody in these hands.")
        return True
    who, to_whom = found[0]
    say(f"Every hand in which {who} folded to {to_whom}, as `handlog audit folded {who} {to_whom}` tells:")
    return folded(home, who, to_whom, Form()) == SOUND


_MOST_FOLDS = """
SELECT player, facing_player FROM decisions WHERE kind = 'fold' AND facing_player <> ''
GROUP BY player, facing_player ORDER BY count(*) DESC, player, facing_player LIMIT 1
"""
