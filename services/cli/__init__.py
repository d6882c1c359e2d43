"""The command line: `handlog COMMAND`.

app      the commands, their options and their help
homes    init, export, import
games    games
hands    hands, replay, readjudicate
books    rebuild, and the proof that the books balance
reports  report balances, rake, day, hands, player, reconcile; report_forms: as a table, CSV, JSON, Parquet
checks   verify
tokens   tokens add, list, remove
showing  frames as text, and stepping through them
talk     what all of them say and how: sentences, JSON, progress, exit codes
"""


def main() -> None:
    """The entry point."""
    from services.cli.app import app  # noqa: PLC0415 -- typer is only needed by a command line

    app()
