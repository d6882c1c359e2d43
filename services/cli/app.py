"""`handlog` as a whole: its commands put together, the options before all of them, and how it says an error."""

import os
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from services.cli.commands import audit, books, evidence, hands, homes, keys, report, running, tokens
from services.cli.talk import leave_the_pipe, sentence_of, stop


class _Sentences(TyperGroup):
    """Says a foreseen error as one sentence and exits with 2; a defect still traces."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort):
            raise
        except BrokenPipeError:
            leave_the_pipe()
        except Exception as error:
            sentence = sentence_of(error)
            if sentence is None:
                raise
            stop(sentence)


app = typer.Typer(
    cls=_Sentences,
    name="handlog",
    help="The backend of a poker room: every hand a chain of facts that replays to the same chips.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def of_all(
    context: typer.Context,
    kafka: Annotated[
        str,
        typer.Option(
            "--kafka",
            envvar="HANDLOG_KAFKA",
            help="The room's log is on this Kafka, host:port[,host:port], not in the home.",
            show_default=False,
        ),
    ] = "",
    room: Annotated[
        str,
        typer.Option(
            "--room", envvar="HANDLOG_ROOM", help="Which room, where that Kafka has several.", show_default=False
        ),
    ] = "",
    views: Annotated[
        str,
        typer.Option(
            "--views",
            envvar="HANDLOG_VIEWS",
            metavar="URL",
            help="The room's views are in this database, postgresql://USER@HOST/DATABASE, not in the home.",
            show_default=False,
        ),
    ] = "",
) -> None:
    """The backend of a poker room: every hand a chain of facts that replays to the same chips."""
    before = dict(os.environ)
    os.environ |= {"HANDLOG_KAFKA": kafka, "HANDLOG_ROOM": room, "HANDLOG_VIEWS": views}
    context.call_on_close(lambda: _restore(before))


def _restore(before: dict[str, str]) -> None:
    """For a program that calls this one: what was set for one command doesn't hold for its next."""
    os.environ.clear()
    os.environ.update(before)


for command in (
    homes.init,
    hands.demo,
    hands.games,
    hands.hands,
    hands.replay,
    hands.readjudicate,
    hands.redeal,
    evidence.verify,
    evidence.checkpoint,
    books.close_day,
    evidence.prove,
    evidence.verify_hand,
    evidence.check_cards,
    evidence.accept_loss,
    evidence.openings,
    evidence.erase_reason,
    running.node,
    running.feed,
    running.upgrade,
    running.topics,
    homes.export,
    homes.import_,
    books.views,
    books.rebuild,
    books.warehouse,
):
    app.command(command.__name__.strip("_").replace("_", "-"))(command)

for name, group in (
    ("keys", keys.commands),
    ("tokens", tokens.commands),
    ("audit", audit.commands),
    ("report", report.commands),
):
    app.add_typer(group, name=name)
