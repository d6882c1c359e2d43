"""What is proved of the demonstration's log, and shown: chips, chains, decisions, books."""

from collections.abc import Iterator
from pathlib import Path

from domain.money import Money
from domain.rulings.recorded_shoe import Keyholder
from domain.rulings.words import limit_and_stakes
from domain.table import events as of_table
from domain.table.state import Table
from projections import queries
from projections.balances import Balance
from services.cli.books import proof_lines, rake_rows
from services.cli.homes import commits_in
from services.cli.talk import progress, say, table
from services.demo.floor import TABLES
from services.eventlog.log import Log
from services.eventlog.mapper import repository
from services.room.load import load_table
from services.rulings import readjudicate_all, table_commits
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


def show_chips(log: Log, tables: dict[str, Table]) -> bool:
    """Chips that came, less those that left and the rake, lie on the tables: counted from the tables' own facts."""
    due: dict[str, int] = {}
    for table_id, amount in _movements(log):
        currency = tables[table_id].opened.terms.currency
        due[currency] = due.get(currency, 0) + amount
    found = dict.fromkeys(due, 0)
    for now in tables.values():
        found[now.opened.terms.currency] += sum(seat.stack for seat in now.seats.values())
    for currency, amount in sorted(due.items()):
        same = "as many lie there" if found[currency] == amount else f"but {Money(found[currency], currency)} lie there"
        say(f"Chips: {Money(amount, currency)} were brought and not taken or raked, {same}.")
    return due == found


def _movements(log: Log) -> Iterator[tuple[str, int]]:
    for shard in range(log.shards):
        for commit in table_commits(log, shard):
            for stream, _, event in commit.facts:
                match event:
                    case of_table.ChipsBrought():
                        yield stream.removeprefix("table:"), event.amount
                    case of_table.ChipsTaken():
                        yield stream.removeprefix("table:"), -event.amount
                    case of_table.HandFinished():
                        yield stream.removeprefix("table:"), -event.rake
                    case _:
                        pass


def show_log(log: Log) -> bool:
    with progress("verifying", commits_in(log)) as step:
        report = verify_home(log, step)
    for finding in report.findings:
        say(str(finding))
    sound = "sound: chains, bodies, invariants" if report.sound else "NOT SOUND"
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
    say(f"Rulings: {decisions} decisions of tables and hands decided again, {verdict}.")
    return not different


def show_books(home: Path, log: Log) -> bool:
    with current_views(home, log) as store:
        totals, proof = queries.rake_ledger(store, (queries.By.TABLE, queries.By.RULEBOOK)), queries.proof(store)
        balances = queries.balances(store)
    table(["table", "rulebook", "hands", "pots", "rake"], rake_rows(totals), ("hands", "pots", "rake"))
    house = [row for row in balances if not row.account.startswith("table:")]
    rows = [[row.account, str(Money(row.amount, row.currency))] for row in house]
    table(["account", "balance"], [*rows, *_seats_together(balances)], ("balance",))
    for line in proof_lines(proof):
        say(line)
    return proof.sound


def _seats_together(balances: list[Balance]) -> list[list[str]]:
    """The players' accounts, summed for each table."""
    sums: dict[tuple[str, str], int] = {}
    for row in balances:
        if row.account.startswith("table:"):
            key = row.account.split(":")[1], row.currency
            sums[key] = sums.get(key, 0) + row.amount
    return [[f"table:{name}, all players", str(Money(amount, currency))] for (name, currency), amount in sums.items()]
