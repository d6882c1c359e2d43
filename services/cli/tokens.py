"""The tokens of a node's door from the command line."""

from datetime import UTC, datetime
from pathlib import Path

from services.api.roles import Role
from services.api.tokens import TOKENS_FILE, Tokens
from services.cli.talk import complain, emit, say, stop, table
from services.ports import real_ports


def add(home: Path, who: str, role: Role, label: str, as_json: bool) -> None:
    """The token goes to stdout alone, so that it can be piped to where it is used."""
    if role is Role.NODE:
        stop("a node needs no token: nodes of a room know each other by its keys")
    token = _tokens(home).add(who, role, label, real_ports())
    if as_json:
        emit({"token": token, "who": who, "role": role.value, "label": label})
        return
    say(token)
    complain(f"that is {who}'s token as {role}: it is printed this once, and stands for him until it is removed")


def list_tokens(home: Path, as_json: bool) -> None:
    holders = _tokens(home).holders()
    if as_json:
        shown = ("id", "who", "role", "label", "made")
        emit([{name: getattr(one, name) for name in shown} for one in holders])
    elif holders:
        rows = [[one.id, one.who, one.role.value, one.label, _day(one.made)] for one in holders]
        table(["id", "who", "role", "label", "made"], rows)
    else:
        say("No token was given out yet: `handlog tokens add player:alice --role player` makes one.")


def remove(home: Path, id_: str) -> None:
    gone = _tokens(home).remove(id_)
    say(f"Token {gone.id} of {gone.who} lets nobody in any more.")


def _tokens(home: Path) -> Tokens:
    if not home.is_dir():
        stop(f"there is no home at {home}: `handlog init` makes one")
    return Tokens(home / TOKENS_FILE)


def _day(made: int) -> str:
    return datetime.fromtimestamp(made // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S")
