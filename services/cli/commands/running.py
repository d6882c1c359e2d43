"""A room that runs: its nodes, its feed, its topics on Kafka."""

from pathlib import Path
from typing import Annotated

import typer

from services.cli.commands.options import Home, Json, Keys, Metrics, Name


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


def feed(
    home: Home,
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--from", metavar="SHARD:HEIGHT", help="Send a shard anew from there; may be repeated.", show_default=False
        ),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="End where the log ends now.")] = False,
    metrics: Metrics = None,
) -> None:
    """Keep the room's public feed on Kafka up with its log: one CloudEvent an event, without what nobody may see."""
    from services.cli import feed

    feed.feed(home, start or (), once, metrics)


def upgrade(
    revision: Annotated[int, typer.Argument(metavar="REV", help="The revision of the log to raise it to.")],
    home: Home,
    by: Name,
    json: Json = False,
) -> None:
    """Let what came with a new revision be written: once every node of the room can read it. It can't be taken back."""
    from services.cli import upgrade

    upgrade.upgrade(home, revision, by, json)


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
