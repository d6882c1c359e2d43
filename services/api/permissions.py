"""Who may send which command at the door, and as whom he looks at tables and hands."""

from typing import Any

from domain.visibility import SPECTATOR, STAFF, Viewer
from services.api.problems import FORBIDDEN, Problem
from services.api.roles import Role
from services.api.tokens import PLAYER, Holder

PLAYERS = frozenset([Role.PLAYER])
FLOOR = frozenset([Role.FLOOR, Role.ADMIN])
DEALING = FLOOR | {Role.SERVICE}
SEATING = FLOOR | PLAYERS
NOBODY: frozenset[Role] = frozenset()

MAY_SEND: dict[str, frozenset[Role]] = {
    "table.open": FLOOR,
    "table.sit-down": SEATING,
    "table.stand-up": SEATING,
    "table.deal-hand": DEALING,
    # A player acts for himself: nobody folds for him.
    "hand.fold": PLAYERS,
    "hand.check": PLAYERS,
    "hand.call": PLAYERS,
    "hand.bet": PLAYERS,
    "hand.raise": PLAYERS,
    "hand.bring-in": PLAYERS,
    "hand.draw": PLAYERS,
    "hand.vote-to-split": PLAYERS,
    "hand.give-up-at-showdown": PLAYERS,
    "hand.ask-to-show": PLAYERS,
    # The room's own: clocks that ran out, owners that failed.
    "hand.draw-too-late": NOBODY,
    "hand.cancel": NOBODY,
    "shard.claim": NOBODY,
    "shard.keep-alive": NOBODY,
    "shard.raise-revision": NOBODY,
    # `handlog` does these, where the keys lie.
    "room.open": NOBODY,
    "room.change-key": NOBODY,
    "shard.accept-loss": NOBODY,
    "audit.open-cards": NOBODY,
}
"""By the name of a command, who may send it. What a player sends must be of his own seat, and under his own name."""

CAUSES: dict[Role, tuple[str, ...]] = {
    Role.PLAYER: ("player", "advance"),
    Role.FLOOR: ("floor",),
    Role.ADMIN: ("floor",),
    Role.SERVICE: ("service",),
}
"""Why somebody's command comes, by his role: the first where he doesn't say. `advance`: a player chose it before his
turn."""

LOOKS_AS: dict[Role, Viewer] = {
    Role.FLOOR: STAFF,
    Role.AUDITOR: STAFF,
    Role.INTEGRITY: STAFF,
    Role.ADMIN: STAFF,
    Role.SERVICE: SPECTATOR,
}
"""What each role sees; a player what his seat sees. No face is opened to staff here: `handlog replay --open` does
that, after it has recorded the opening."""


def check_may_send(asker: Holder, name: str) -> None:
    """Raise a Problem where somebody of his role may not send that command."""
    roles = MAY_SEND.get(name, NOBODY)
    if asker.role not in roles:
        who = " or ".join(sorted(roles)) or "nobody: the room gives it to itself, or `handlog` does"
        raise Problem(FORBIDDEN, f"{asker.who} ({asker.role}) may not send {name} here; it is for {who}.")


def cause_of(asker: Holder, cause: str | None) -> str:
    """The cause of his command. Raises a Problem for one that isn't his to state."""
    causes = CAUSES[asker.role]
    if cause is not None and cause not in causes:
        raise Problem(FORBIDDEN, f"The cause of what a {asker.role} sends is {' or '.join(causes)}, not {cause!r:.80}.")
    return cause or causes[0]


def player_of(asker: Holder) -> str:
    """The id of the player that somebody is; empty where he is none."""
    return asker.who.removeprefix(PLAYER) if asker.role is Role.PLAYER else ""


def viewer_of(asker: Holder, seats: dict[int, str]) -> Viewer:
    """As whom he looks at a table or hand; `seats`: the players by seat."""
    if asker.role is not Role.PLAYER:
        return LOOKS_AS[asker.role]
    return Viewer(next((seat for seat, player in seats.items() if player == player_of(asker)), 0))


def check_own_name(asker: Holder, args: Any) -> None:
    """Raise a Problem where a player would act under another's name."""
    player = player_of(asker)
    named = getattr(args, "player", player)
    if player and named != player:
        raise Problem(FORBIDDEN, f"You are {player}, not {named}: you sit down and stand up for yourself only.")


def check_own_seat(asker: Holder, args: Any, seats: dict[int, str]) -> None:
    """Raise a Problem where a player would act in another's seat; `seats`: the players of the hand by seat."""
    if seats.get(args.seat) != player_of(asker):
        own = viewer_of(asker, seats).seat
        yours = f"yours is seat {own}" if own else "you weren't dealt in"
        raise Problem(FORBIDDEN, f"Seat {args.seat} of hand {args.hand} isn't yours: {yours}.")
