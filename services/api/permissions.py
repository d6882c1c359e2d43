"""Who may send which command at the door, and as whom he looks at tables and hands."""

from typing import Any

from domain.messages import Refused
from domain.table.play import Play
from domain.visibility import SPECTATOR, STAFF, Viewer
from services.api.problems import FORBIDDEN, Problem
from services.api.roles import Role
from services.api.tokens import PLAYER, Holder
from services.room.door import ROOM, TRANSFER

PLAYERS = frozenset([Role.PLAYER])
FLOOR = frozenset([Role.FLOOR, Role.ADMIN])
DEALING = FLOOR | {Role.SERVICE}
SEATING = FLOOR | PLAYERS
CONNECTING = frozenset([Role.SERVICE])
CAGE = FLOOR | {Role.CAGE, Role.SERVICE}
PAYING_OUT = FLOOR | {Role.CAGE}
NODES = frozenset([Role.NODE])
NOBODY: frozenset[Role] = frozenset()

MAY_SEND: dict[str, frozenset[Role]] = {
    "table.open": FLOOR,
    "table.sit-down": SEATING,
    "table.stand-up": SEATING,
    "table.sit-out": SEATING,
    "table.come-back": SEATING,
    "table.deal-hand": DEALING,
    # Who holds the players' connections notices that one is lost.
    "table.lose-connection": CONNECTING,
    "table.restore-connection": CONNECTING,
    "table.pause": FLOOR,
    "table.resume": FLOOR,
    "table.stop-dealing": FLOOR,
    "table.start-dealing": FLOOR,
    "table.close-after-hand": FLOOR,
    "table.reopen": FLOOR,
    "room.close": FLOOR,
    "room.reopen": FLOOR,
    "table.freeze-player": FLOOR,
    "table.unfreeze-player": FLOOR,
    "table.remove-player": FLOOR,
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
    "hand.run-it-twice": PLAYERS,
    "hand.leave": PLAYERS,
    # A player's own money and what protects him; the floor may exclude who asks for it at the desk.
    "account.buy-in": PLAYERS,
    "account.top-up": PLAYERS,
    "player.set-limit": SEATING,
    "player.cool-off": SEATING,
    "player.exclude": SEATING,
    # The cage, and the floor.
    "account.open": CAGE,
    "account.deposit": CAGE,
    # What is paid out doesn't come back: no lobby's token does that. A program that pays is given one of the cage.
    "account.withdraw": PAYING_OUT,
    "account.hold": CAGE,
    "account.release-hold": CAGE,
    "account.adjust": FLOOR,
    "account.change-alone-limit": FLOOR,
    "account.grant-promotion": CAGE,
    "account.take-back-promotion": CAGE,
    "player.freeze": FLOOR,
    "player.unfreeze": FLOOR,
    # What is under way between two streams, from the node that writes the one to the node that writes the other.
    "table.receive-transfer": NODES,
    "table.close-transfer": NODES,
    "table.receive-notice": NODES,
    "table.close-notice": NODES,
    "account.receive-transfer": NODES,
    "account.close-transfer": NODES,
    "player.receive-notice": NODES,
    "player.close-notice": NODES,
    # The room's own: it is closed, clocks that ran out, owners that failed.
    "table.close-with-room": NOBODY,
    "table.reopen-with-room": NOBODY,
    "hand.act-too-late": NOBODY,
    "hand.protect": NOBODY,
    "hand.draw-too-late": NOBODY,
    "hand.cancel": NOBODY,
    "shard.claim": NOBODY,
    "shard.keep-alive": NOBODY,
    "shard.raise-revision": NOBODY,
    # `handlog` does these, where the keys lie.
    "room.open": NOBODY,
    "room.change-key": NOBODY,
    "room.close-day": FLOOR,
    "room.erase-reason": FLOOR,
    "shard.accept-loss": NOBODY,
    "audit.open-cards": NOBODY,
}
"""By the name of a command, who may send it. What a player sends must be of his own seat, and under his own name."""

CAUSES: dict[Role, tuple[str, ...]] = {
    Role.PLAYER: ("player", "advance"),
    Role.FLOOR: ("floor",),
    Role.ADMIN: ("floor",),
    Role.SERVICE: ("service",),
    Role.CAGE: ("cage",),
    Role.NODE: (TRANSFER,),
}
"""Why somebody's command comes, by his role: the first where he doesn't say. `advance`: a player chose it before his
turn."""

LOOK_PLAYERS_UP = frozenset([Role.FLOOR, Role.CAGE, Role.AUDITOR, Role.INTEGRITY, Role.ADMIN])
"""Who sees any player with his money. A player sees himself."""

LOOKS_AS: dict[Role, Viewer] = {
    Role.FLOOR: STAFF,
    Role.AUDITOR: STAFF,
    Role.INTEGRITY: STAFF,
    Role.ADMIN: STAFF,
    Role.SERVICE: SPECTATOR,
    Role.CAGE: STAFF,
    Role.NODE: STAFF,
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


def sender_of(asker: Holder) -> str:
    """In whose name his command is recorded: a node gives those of the room."""
    return ROOM if asker.role is Role.NODE else asker.who


def player_of(asker: Holder) -> str:
    """The id of the player that somebody is; empty where he is none."""
    return asker.who.removeprefix(PLAYER) if asker.role is Role.PLAYER else ""


def check_is_player(asker: Holder) -> None:
    """Raise a Problem for anybody else."""
    if not player_of(asker):
        raise Problem(FORBIDDEN, f"{asker.who} ({asker.role}) has no seat in a hand: it is for the player himself.")


def seat_in(asker: Holder, now: Play, hand: str) -> int:
    """The seat of a player in the hand that is under way. Raises Refused where he has none."""
    players = [] if now.hand is None or now.hand.id != hand else now.hand.opened.seats
    for one in players:
        if one.player == player_of(asker):
            return one.seat
    raise Refused(f"{player_of(asker)} is in no hand {hand} that is under way")


def viewer_of(asker: Holder, seats: dict[int, str]) -> Viewer:
    """As whom he looks at a table or hand; `seats`: the players by seat."""
    if asker.role is not Role.PLAYER:
        return LOOKS_AS[asker.role]
    return Viewer(next((seat for seat, player in seats.items() if player == player_of(asker)), 0))


def check_may_look_up(asker: Holder, player: str) -> None:
    """Raise a Problem where somebody may not see a player with his money. Whether there is such a player, it doesn't
    say."""
    own = player_of(asker)
    if own and own != player:
        raise Problem(FORBIDDEN, f"You are {own}, not {player}: you see your own money only, at /v1/players/{own}.")
    if not own and asker.role not in LOOK_PLAYERS_UP:
        who = " or ".join(["the player himself", *sorted(LOOK_PLAYERS_UP)])
        raise Problem(FORBIDDEN, f"{asker.who} ({asker.role}) may not see a player's money; it is for {who}.")


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
