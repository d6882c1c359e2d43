"""The command line: `handlog COMMAND`.

commands  how they are typed: names, options, help; app: put together

homes     init, export, import
games     games
hands     hands, replay, readjudicate; showing: frames as text, and stepping through them
checks    verify
evidence  checkpoint, prove, verify-hand, check-cards, accept-loss
openings  openings; opening: cards opened to whoever asks, recorded first
keys      keys init, rotate, export
node      node; feed, topics, upgrade, each in its own file
tokens    tokens add, list, remove
books     rebuild, and the proof that the books balance
days      close-day
views     views, once or beside a room; following: what goes on until it is told to end, its metrics
warehouse warehouse
audit     audit folded, pots-over, minute, ...; answers: with times by the room's clock
reports   report balances, rake, day, hands, player, reconcile

forms     rows as a table, CSV, JSON, Parquet
times     times as people type and read them
talk      what all of them say and how: sentences, JSON, progress, exit codes
"""


def main() -> None:
    """The entry point."""
    from services.cli.app import app  # noqa: PLC0415 -- typer is only needed by a command line

    app()
