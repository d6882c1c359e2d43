"""What proves that the log, a hand and its cards are what they were."""

from pathlib import Path
from typing import Annotated

import typer

from services.cli.commands.options import Door, HandId, Home, Json, Keys, Name, Reason, Seats, Second, home_option
from services.cli.talk import stop

PublicKey = Annotated[
    Path,
    typer.Option("--public-key", help="The checkpointer's public key, of which you keep a copy.", show_default=False),
]


def verify(
    home: Annotated[Path | None, home_option("A home to verify.")] = None,
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


def verify_hand(
    bundle: Annotated[Path, typer.Argument(metavar="BUNDLE", help="What `handlog prove` wrote.")],
    public_key: PublicKey,
    json: Json = False,
) -> None:
    """Check a hand's bundle. Exit 0: proven; 1: not, with what is wrong; 2: could not run."""
    from services.cli import evidence

    raise typer.Exit(evidence.verify_hand(bundle, public_key, json))


def check_cards(
    seat: Annotated[int, typer.Option("--seat", help="Whose cards.", min=1, max=10)],
    hand: Annotated[str | None, typer.Argument(metavar="[HAND]", show_default=False)] = None,
    home: Annotated[Path | None, home_option("The home of the hand.")] = None,
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


def openings(
    home: Home,
    hand: Annotated[str | None, typer.Argument(metavar="[HAND]", show_default=False)] = None,
    json: Json = False,
) -> None:
    """List who has had sealed cards opened, of one hand or of all: when, whose cards, with whom, and why."""
    from services.cli import openings as of_openings

    of_openings.list_openings(home, hand, json)


def erase_reason(
    home: Home,
    decision: Annotated[
        str,
        typer.Argument(
            metavar="[SHARD:HEIGHT]", help="Whose reason, as `handlog audit staff` names it.", show_default=False
        ),
    ] = "",
    by: Name = "",
    door: Door = None,
    again: Annotated[
        bool, typer.Option("--again", help="All that were erased before, after an older texts.keys was brought back.")
    ] = False,
) -> None:
    """Have nobody read the reason of a decision any more. That it was erased, and by whom, stays in the log."""
    from services.cli import erasing

    if again == bool(decision):
        stop("name the decision whose reason is to be erased, SHARD:HEIGHT, or give --again: one of them")
    if again:
        erasing.erase_again(home)
    else:
        erasing.erase_reason(home, decision, by, door)
