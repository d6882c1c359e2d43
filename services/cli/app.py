"""The commands of `handlog`, their options and their help. What they do is imported when it is asked for."""
# ruff: noqa: PLC0415 -- `handlog --help` must not load the house

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from services.api.roles import Role
from services.cli.talk import leave_the_pipe, sentence_of, stop


class _Sentences(TyperGroup):
    """Says a foreseen error as one sentence and exits with 2; a defect still traces."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
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


def _folder(text: str) -> Path:
    if not text:
        stop("--home is empty: name a folder, . for the one you are in")
    return Path(text)


def _home(help_: str, envvar: str | None = "HANDLOG_HOME") -> Any:
    return typer.Option("--home", envvar=envvar, help=help_, show_default=False, parser=_folder, metavar="DIR")


Home = Annotated[Path, _home("The folder of the room's log.")]
Keys = Annotated[
    Path | None,
    typer.Option(
        "--keys", envvar="HANDLOG_KEYS", help="The room's key file, where it isn't in the home.", show_default=False
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Csv = Annotated[bool, typer.Option("--csv", help="Answer in CSV.")]
HandId = Annotated[str, typer.Argument(metavar="HAND", help="The hand, such as t1-17: table and number.")]


PublicKey = Annotated[
    Path,
    typer.Option("--public-key", help="The checkpointer's public key, of which you keep a copy.", show_default=False),
]
Name = Annotated[
    str, typer.Option("--by", envvar="HANDLOG_BY", help="Who asks, such as floor:ann.", show_default=False)
]
Second = Annotated[
    str,
    typer.Option("--second", help="Who takes it upon him too: needed until the hand is settled.", show_default=False),
]
Reason = Annotated[
    str,
    typer.Option(
        "--reason", help="Why: needed until the hand is settled. It is sealed, and can be erased.", show_default=False
    ),
]
Seats = Annotated[
    list[int] | None,
    typer.Option("--seat", help="Only this seat's cards; may be repeated.", show_default=False, min=1, max=10),
]


class By(StrEnum):
    """What rake may be totalled by."""

    TABLE = "table"
    GAME = "game"
    LIMIT = "limit"
    STAKES = "stakes"
    RULEBOOK = "rulebook"
    DAY = "day"
    PLAYER = "player"


class PlayerBy(StrEnum):
    """What a player's hands may be totalled by."""

    TABLE = "table"
    GAME = "game"
    STAKES = "stakes"
    DAY = "day"


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


@app.command()
def init(
    home: Home,
    room: Annotated[str, typer.Option(help="The room's name: a-z, digits and -.")] = "room",
    shards: Annotated[int, typer.Option(help="The most nodes that can ever own something; fixed for ever.")] = 4,
    time_zone: Annotated[str, typer.Option(help="By which the room's days end; fixed for ever.")] = "UTC",
    keys: Annotated[
        Path | None,
        typer.Option(
            "--keys",
            envvar="HANDLOG_KEYS",
            help="Where to write the room's key file; else in the home.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Make a new home: an empty log for a room, and its keys."""
    from services.cli import homes

    homes.init(home, room, shards, time_zone, keys, json)


@app.command()
def demo(
    home: Annotated[Path | None, _home("Keep the room there; else it is cleared away.", envvar=None)] = None,
    hands: Annotated[int, typer.Option(min=1, help="How many hands the bots play.")] = 300,
    seed: Annotated[int, typer.Option(help="The same seed plays the same hands.")] = 1,
) -> None:
    """Let bots play every game, check everything, and show two hands. Ends by itself."""
    from services.demo.show import run

    raise typer.Exit(run(home, hands, seed))


@app.command()
def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", show_default=False)] = None,
    json: Json = False,
) -> None:
    """List the games; name one, such as stud, to have it explained from its declaration."""
    from services.cli import games as of_games

    if game is None:
        of_games.list_games(json)
    else:
        of_games.tell(game, json)


@app.command()
def hands(
    home: Home,
    table: Annotated[str | None, typer.Option(help="Only the hands of this table.", show_default=False)] = None,
    json: Json = False,
) -> None:
    """List the hands, the latest first."""
    from services.cli import hands as of_hands

    of_hands.list_hands(home, table, json)


@app.command()
def replay(
    hand: HandId,
    home: Home,
    open_: Annotated[bool, typer.Option("--open", help="Open the down cards, which is recorded first.")] = False,
    by: Name = "",
    second: Second = "",
    reason: Reason = "",
    keys: Keys = None,
    json: Json = False,
) -> None:
    """Step through a hand fact by fact: arrow keys on a terminal, all frames as text in a pipe."""
    from services.cli import hands as of_hands
    from services.cli.opening import Asker

    if not open_ and (second or reason):
        stop("--second and --reason are for opening cards: give --open too")
    of_hands.replay(home, hand, Asker(by, second, reason) if open_ else None, keys, json)


@app.command()
def readjudicate(
    home: Home,
    hand: Annotated[str | None, typer.Argument(metavar="[HAND]", show_default=False)] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every decision of the log.")] = False,
    keys: Keys = None,
    json: Json = False,
) -> None:
    """Decide again from the recorded commands and cards.

    Exit 0: the same; 1: a divergence; 2: could not run, or needs a card that is sealed.
    """
    from services.cli import hands as of_hands

    raise typer.Exit(of_hands.readjudicate(home, hand, all_, keys, json))


@app.command()
def verify(
    home: Annotated[Path | None, _home("A home to verify.")] = None,
    file: Annotated[Path | None, typer.Option("--file", help="An exported file.", show_default=False)] = None,
    checkpoints: Annotated[
        Path | None, typer.Option("--checkpoints", help="What was signed of it.", show_default=False)
    ] = None,
    public_key: Annotated[
        Path | None, typer.Option("--public-key", help="The checkpointer's public key.", show_default=False)
    ] = None,
    not_older_than: Annotated[
        str | None,
        typer.Option(
            "--not-older-than", help="The age of the newest checkpoint at most: 90s, 30m, 1h, 2d.", show_default=False
        ),
    ] = None,
    seen: Annotated[
        Path | None, typer.Option("--seen", help="Checkpoints that you kept of earlier.", show_default=False)
    ] = None,
    ledger: Annotated[bool, typer.Option("--ledger", help="Add up the money too: each rake, each transfer.")] = False,
    json: Json = False,
) -> None:
    """Check a log in full, against its signed checkpoints, and with --ledger its money.

    Exit 0: sound; 1: not, with shard, height and what is wrong; 2: could not run.
    """
    from services.cli import checks
    from services.ledger import Ledger

    signed = checks.Given(checkpoints, public_key, not_older_than, seen)
    raise typer.Exit(checks.verify(home, file, signed, Ledger() if ledger else None, json))


@app.command()
def checkpoint(
    home: Home,
    every: Annotated[
        int | None,
        typer.Option(help="Go on, and sign what has grown every so many seconds.", min=1, show_default=False),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", help="The checkpointer's key, where it isn't in the home.", show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    """Sign how long each shard of the log is, and the root of its tree."""
    from services.cli import evidence

    evidence.checkpoint(home, key, every, json)


@app.command(name="close-day")
def close_day(
    home: Home,
    day: Annotated[
        str, typer.Argument(metavar="DAY", help="Such as 2026-01-31; yesterday if none is named.", show_default=False)
    ] = "",
    by: Name = "",
    door: Annotated[
        str | None,
        typer.Option(
            "--door", help="Of a running node, http://HOST:PORT; your token in HANDLOG_TOKEN.", show_default=False
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Close a day's books: its heights and totals become a fact, and are signed with the log."""
    from services.cli import days

    days.close(home, day, by, door, json)


@app.command()
def prove(
    hand: HandId,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the hand's bundle.")],
    home: Home,
    seat: Seats = None,
    with_keys: Annotated[bool, typer.Option("--with-keys", help="With the keys to all of its cards.")] = False,
    by: Name = "",
    second: Second = "",
    reason: Reason = "",
    keys: Keys = None,
) -> None:
    """Write one hand with the proof that it stands in the signed log; with keys to cards, that is an opening."""
    from services.cli import evidence
    from services.cli.opening import Asker

    evidence.prove(home, hand, file, tuple(seat or ()), with_keys, keys, Asker(by, second, reason))


@app.command(name="verify-hand")
def verify_hand(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="What `handlog prove` wrote.")],
    public_key: PublicKey,
    json: Json = False,
) -> None:
    """Check a hand's bundle. Exit 0: proven; 1: not, with what is wrong; 2: could not run."""
    from services.cli import evidence

    raise typer.Exit(evidence.verify_hand(bundle, public_key, json))


@app.command(name="check-cards")
def check_cards(
    seat: Annotated[int, typer.Option("--seat", help="Whose cards.", min=1, max=10)],
    hand: Annotated[str | None, typer.Argument(metavar="[HAND]", show_default=False)] = None,
    home: Annotated[Path | None, _home("The home of the hand.")] = None,
    bundle: Annotated[
        Path | None, typer.Option("--bundle", help="A bundle with your seat's keys.", show_default=False)
    ] = None,
    public_key: Annotated[
        Path | None, typer.Option("--public-key", help="Check the bundle's proof too.", show_default=False)
    ] = None,
    by: Name = "",
    second: Second = "",
    reason: Reason = "",
    keys: Keys = None,
) -> None:
    """A player's check that his cards lay in the deck that was fixed before the first bet. Exit 0: they did; 1: not."""
    from services.cli import evidence
    from services.cli.opening import Asker

    raise typer.Exit(evidence.check_cards(home, hand, bundle, public_key, seat, keys, Asker(by, second, reason)))


@app.command(name="accept-loss")
def accept_loss(
    home: Home,
    shard: Annotated[int, typer.Option(help="The shard whose log isn't what its checkpoint says.", min=0)],
    by: Name = "",
    second: Annotated[str, typer.Option(help="Who takes it upon him too.", show_default=False)] = "",
    reason: Annotated[str, typer.Option(help="Why. It is sealed, and can be erased.", show_default=False)] = "",
) -> None:
    """Let the room go on from a log that isn't all that was signed. Everybody will see that it was done."""
    from services.cli import evidence
    from services.cli.opening import Asker

    evidence.accept_loss(home, shard, Asker(by, second, reason))


@app.command()
def openings(
    home: Home,
    hand: Annotated[str | None, typer.Argument(metavar="[HAND]", show_default=False)] = None,
    json: Json = False,
) -> None:
    """List who has had sealed cards opened, of one hand or of all: when, whose cards, with whom, and why."""
    from services.cli import openings as of_openings

    of_openings.list_openings(home, hand, json)


of_keys = typer.Typer(help="The room's keys, which open cards.", no_args_is_help=True)
app.add_typer(of_keys, name="keys")


@of_keys.command(name="init")
def keys_init(home: Home, by: Name = "", keys: Keys = None) -> None:
    """Make a key for a home that has none: it was imported, or its key is lost."""
    from services.cli import keys as the_keys

    the_keys.init(home, keys, by)


@of_keys.command(name="rotate")
def keys_rotate(home: Home, by: Name = "", keys: Keys = None) -> None:
    """Seal with a new key from now on. The old ones still open what they sealed."""
    from services.cli import keys as the_keys

    the_keys.rotate(home, keys, by)


@of_keys.command(name="export")
def keys_export(
    hand: HandId,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the keys.")],
    home: Home,
    seat: Seats = None,
    by: Name = "",
    second: Second = "",
    reason: Reason = "",
    keys: Keys = None,
) -> None:
    """Write the keys of one hand's cards, which is recorded first; of one that isn't settled only for two people."""
    from services.cli import keys as the_keys
    from services.cli.opening import Asker

    the_keys.export(home, hand, file, tuple(seat or ()), keys, Asker(by, second, reason))


@app.command()
def node(
    home: Home,
    name: Annotated[str, typer.Option(help="The node's name; else the machine's.", show_default=False)] = "",
    listen: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Where its door listens; port 0: any.")
    ] = "127.0.0.1:8080",
    address: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Its door as other nodes reach it; else where it listens.", show_default=False
        ),
    ] = None,
    shard: Annotated[
        list[int] | None,
        typer.Option(
            "--shard", help="Only this shard; may be repeated. Else those that the group suggests.", show_default=False
        ),
    ] = None,
    keys: Keys = None,
    tokens: Annotated[
        Path | None,
        typer.Option(
            envvar="HANDLOG_TOKENS",
            help="The file of tokens, where it isn't in the home: one for all nodes of a room.",
            show_default=False,
        ),
    ] = None,
    bots: Annotated[int, typer.Option(help="Tables at which bots play, in all games.", min=0)] = 0,
    pace: Annotated[float, typer.Option(help="Seconds between two of their actions at a table.", min=0.0)] = 0.5,
) -> None:
    """Be a node of the room: write its shards, take commands at a door, until it is told to end."""
    from services.cli import node

    node.node(home, name, listen, address, shard, keys, tokens, bots, pace)


@app.command()
def feed(
    home: Home,
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--from", metavar="SHARD:HEIGHT", help="Send a shard anew from there; may be repeated.", show_default=False
        ),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="End where the log ends now.")] = False,
    metrics: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Show how far it is to Prometheus there.", show_default=False),
    ] = None,
) -> None:
    """Keep the room's public feed on Kafka up with its log: one CloudEvent an event, without what nobody may see."""
    from services.cli import feed

    feed.feed(home, start or (), once, metrics)


@app.command()
def upgrade(
    revision: Annotated[int, typer.Argument(metavar="REV", help="The revision of the log to raise it to.")],
    home: Home,
    by: Name,
    json: Json = False,
) -> None:
    """Let what came with a new revision be written: once every node of the room can read it. It can't be taken back."""
    from services.cli import upgrade

    upgrade.upgrade(home, revision, by, json)


@app.command()
def topics(
    create: Annotated[bool, typer.Option("--create", help="Make what is missing.")] = False,
    shards: Annotated[
        int, typer.Option(help="Partitions of a topic that is made: the most nodes that can own something.")
    ] = 4,
    replicas: Annotated[
        int, typer.Option(help="Of a topic that is made; 0: three, or as many as there are brokers.")
    ] = 0,
    acls: Annotated[
        Path | None,
        typer.Option("--acls", help="Grant what this file says, such as deploy/kafka/acls.toml.", show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    """Check the room's topics on Kafka, and make what is missing: a wrong one is named with what is wrong."""
    from services.cli import topics

    raise typer.Exit(topics.topics(create=create, shards=shards, replicas=replicas, acls=acls, as_json=json))


of_tokens = typer.Typer(help="Tokens: who may come in at the door of a node.", no_args_is_help=True)
app.add_typer(of_tokens, name="tokens")


@of_tokens.command(name="add")
def tokens_add(
    who: Annotated[str, typer.Argument(metavar="WHO", help="For whom: player:alice, floor:ann.")],
    home: Home,
    role: Annotated[Role, typer.Option(help="What he is to the room.")],
    label: Annotated[str, typer.Option(help="Where the token is used.", show_default=False)] = "",
    json: Json = False,
) -> None:
    """Give out a new token. It is printed once and kept nowhere: hand it to whom it is for."""
    from services.cli import tokens

    tokens.add(home, who, role, label, json)


@of_tokens.command(name="list")
def tokens_list(home: Home, json: Json = False) -> None:
    """List for whom tokens were given out. The tokens themselves are kept nowhere."""
    from services.cli import tokens

    tokens.list_tokens(home, json)


@of_tokens.command(name="remove")
def tokens_remove(
    token: Annotated[str, typer.Argument(metavar="ID", help="The token's id, 8 hex digits: see the list.")],
    home: Home,
) -> None:
    """Take a token back: a second later no door lets anybody in with it."""
    from services.cli import tokens

    tokens.remove(home, token)


@app.command()
def export(file: Annotated[Path, typer.Argument()], home: Home, json: Json = False) -> None:
    """Write the log to a new file, byte for byte."""
    from services.cli import homes

    homes.export(home, file, json)


@app.command(name="import")
def import_(file: Annotated[Path, typer.Argument()], home: Home, json: Json = False) -> None:
    """Make a home of an exported file, which is verified first."""
    from services.cli import homes

    homes.import_(home, file, json)


@app.command()
def rebuild(home: Home, json: Json = False) -> None:
    """Build all views anew from the log."""
    from services.cli import books

    books.rebuild(home, json)


@app.command()
def warehouse(
    home: Home,
    every: Annotated[
        int | None,
        typer.Option(help="Go on, and take in what is new every so many seconds.", min=1, show_default=False),
    ] = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Build all anew, beside what is there.")] = False,
    json: Json = False,
) -> None:
    """Write every hand that is over as Parquet, for `handlog audit` and whoever else reads it."""
    from services.cli import warehouse

    warehouse.warehouse(home, every, rebuild, json)


of_audit = typer.Typer(help="An auditor's questions, to every hand that is over.", no_args_is_help=True)
app.add_typer(of_audit, name="audit")


@of_audit.command(name="folded")
def audit_folded(
    who: Annotated[str, typer.Argument(metavar="WHO", help="The player who folded, by reference.")],
    to_whom: Annotated[str, typer.Argument(metavar="TO_WHOM", help="The player whose bet or raise he faced.")],
    home: Home,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Every hand in which one player folded to another's bet or raise."""
    from services.cli import answers, audit

    audit.folded(home, who, to_whom, answers.form(json, csv))


@of_audit.command(name="pots-over")
def audit_pots_over(
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="Such as 40 or 12.50.")],
    home: Home,
    currency: Annotated[str | None, typer.Option(help="Only hands in this one.", show_default=False)] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Every hand whose pots together, before rake, were more than an amount; the largest first."""
    from services.cli import answers, audit

    audit.pots_over(home, amount, currency, answers.form(json, csv))


@of_audit.command(name="minute")
def audit_minute(
    time: Annotated[
        str,
        typer.Argument(
            metavar="TIME",
            help='"2026-01-31 21:34", by the room\'s clock, or with an offset: "2026-01-31 21:34+01:00".',
        ),
    ],
    home: Home,
    around: Annotated[int, typer.Option(help="Seconds more, before and after.", min=0)] = 0,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Every hand that was under way in a disputed minute, and what was done in it."""
    from services.cli import answers, audit

    audit.minute(home, time, around, answers.form(json, csv))


@of_audit.command(name="protection")
def audit_protection(home: Home, json: Json = False, csv: Csv = False) -> None:
    """Every use of all-in protection, with how many the player had in the 24 hours up to it."""
    from services.cli import answers, audit

    audit.protection(home, answers.form(json, csv))


@of_audit.command(name="cancelled")
def audit_cancelled(home: Home, json: Json = False, csv: Csv = False) -> None:
    """Every hand that was cancelled because the room had failed, and what went back."""
    from services.cli import answers, audit

    audit.cancelled(home, answers.form(json, csv))


@of_audit.command(name="opened")
def audit_opened(home: Home, json: Json = False, csv: Csv = False) -> None:
    """Every opening of sealed cards to staff. Why: `handlog openings`."""
    from services.cli import answers, audit

    audit.opened_cards(home, answers.form(json, csv))


@of_audit.command(name="rake-differs")
def audit_rake_differs(home: Home, json: Json = False, csv: Csv = False) -> None:
    """Every hand whose rake isn't what its schedule and its pots make. Exit 0: there is none; 1: there is."""
    from services.cli import answers, audit

    raise typer.Exit(audit.rake_differs(home, answers.form(json, csv)))


@of_audit.command(name="sql")
def audit_sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="One SELECT, in DuckDB's SQL.")],
    home: Home,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Any other question, which can only read: `handlog audit tables` has the columns."""
    from services.cli import answers, audit

    audit.sql(home, query, answers.form(json, csv))


@of_audit.command(name="tables")
def audit_tables(
    table: Annotated[str | None, typer.Argument(metavar="[TABLE]", show_default=False)] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """The warehouse's tables: each column and what it means."""
    from services.cli import answers, audit

    audit.show_tables(table, answers.form(json, csv))


@of_audit.command(name="query")
def audit_query(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", show_default=False)] = None,
) -> None:
    """The SQL of a question, or of all, to be changed and asked with `handlog audit sql`."""
    from services.cli import audit

    audit.show_query(name)


report = typer.Typer(
    help="The books: balances, rake, days, hands, players, and where all money lies. Amounts are minor units (cents) "
    "in CSV, JSON and Parquet. Days and times are the room's: see `handlog init --time-zone`.",
    no_args_is_help=True,
)
app.add_typer(report, name="report")

Parquet = Annotated[
    Path | None, typer.Option("--parquet", metavar="FILE", help="Write Parquet to a new file.", show_default=False)
]
From = Annotated[
    str,
    typer.Option("--from", metavar="TIME", help="A day, 2026-01-31, or a time, 2026-01-31T20:00.", show_default=False),
]
To = Annotated[
    str,
    typer.Option("--to", metavar="TIME", help="The last day, 2026-01-31; or the moment after.", show_default=False),
]
OfTable = Annotated[str | None, typer.Option("--table", help="Only this table.", show_default=False)]
OfGame = Annotated[str | None, typer.Option("--game", help="Only this game, such as stud.", show_default=False)]
OfPlayer = Annotated[str | None, typer.Option("--player", help="Only this player, by id.", show_default=False)]
OfStakes = Annotated[
    str | None,
    typer.Option("--stakes", help="Only these, such as 0.50/1.00; with antes, the minimum bet.", show_default=False),
]
OfCurrency = Annotated[str | None, typer.Option("--currency", help="Only this one, such as EUR.", show_default=False)]


@report.command()
def balances(
    home: Home,
    table: OfTable = None,
    player: OfPlayer = None,
    currency: OfCurrency = None,
    json: Json = False,
    csv: Csv = False,
    parquet: Parquet = None,
) -> None:
    """What lies in each account, and the proof that the books balance. Exit 1 if they don't."""
    from services.cli import reports

    asked = reports.Asked(home, reports.form(json, csv, parquet), table=table, player=player, currency=currency)
    raise typer.Exit(reports.balances(asked))


@report.command()
def rake(
    home: Home,
    by: Annotated[list[By] | None, typer.Option(help="What to total by; may be repeated.", show_default=False)] = None,
    from_: From = "",
    to: To = "",
    table: OfTable = None,
    game: OfGame = None,
    player: OfPlayer = None,
    stakes: OfStakes = None,
    currency: OfCurrency = None,
    json: Json = False,
    csv: Csv = False,
    parquet: Parquet = None,
) -> None:
    """The rake ledger, totalled by table or what you ask for. Exit 1 if it differs from the house's account.

    By player, each bears his part of a hand's rake by what he put into its pots.
    """
    from services.cli import reports

    asked = reports.Asked(home, reports.form(json, csv, parquet), from_, to, table, game, player, stakes, currency)
    raise typer.Exit(reports.rake(asked, [each.value for each in by or [By.TABLE]]))


@report.command()
def day(
    home: Home,
    from_: From = "",
    to: To = "",
    table: OfTable = None,
    currency: OfCurrency = None,
    json: Json = False,
    csv: Csv = False,
    parquet: Parquet = None,
) -> None:
    """What each day did with the money on tables and in accounts, days without play too. Exit 1 if it doesn't add up.

    Without --from and --to: from the first day on which money moved to the last.
    """
    from services.cli import reports

    raise typer.Exit(
        reports.day(reports.Asked(home, reports.form(json, csv, parquet), from_, to, table=table, currency=currency))
    )


@report.command(name="hands")
def hands_report(
    home: Home,
    from_: From = "",
    to: To = "",
    table: OfTable = None,
    game: OfGame = None,
    player: OfPlayer = None,
    stakes: OfStakes = None,
    currency: OfCurrency = None,
    json: Json = False,
    csv: Csv = False,
    parquet: Parquet = None,
) -> None:
    """The hands that were settled then, or began and are under way, the latest first."""
    from services.cli import reports

    asked = reports.Asked(home, reports.form(json, csv, parquet), from_, to, table, game, player, stakes, currency)
    raise typer.Exit(reports.hands(asked))


@report.command()
def player(
    home: Home,
    by: Annotated[
        list[PlayerBy] | None, typer.Option(help="What to total by; may be repeated.", show_default=False)
    ] = None,
    from_: From = "",
    to: To = "",
    table: OfTable = None,
    game: OfGame = None,
    player: OfPlayer = None,
    stakes: OfStakes = None,
    currency: OfCurrency = None,
    json: Json = False,
    csv: Csv = False,
    parquet: Parquet = None,
) -> None:
    """What each player put into pots, won and lost, and the rake that he bore: by table, or what you ask for."""
    from services.cli import reports

    asked = reports.Asked(home, reports.form(json, csv, parquet), from_, to, table, game, player, stakes, currency)
    raise typer.Exit(reports.player(asked, [each.value for each in by or [PlayerBy.TABLE]]))


@report.command()
def reconcile(
    home: Home, currency: OfCurrency = None, json: Json = False, csv: Csv = False, parquet: Parquet = None
) -> None:
    """Whether deposits less withdrawals are what lies in accounts, on tables, in transit and with the house. Else 1."""
    from services.cli import reports

    raise typer.Exit(reports.reconcile(reports.Asked(home, reports.form(json, csv, parquet), currency=currency)))
