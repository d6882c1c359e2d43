"""What a command does to a patron, as facts of his file and of his accounts.

The one way from a command to facts: the room calls it with live aggregates, re-adjudication with replayed ones.
"""

from collections.abc import Callable
from typing import Any

from domain import transfers
from domain.account import cage, commands, notices, protection, tables
from domain.account.state import Patron, evolve_account, evolve_player
from domain.messages import Facts, Refused

__all__ = ["Patron", "evolve_patron", "play"]


def play(now: Patron, args: Any, at: int) -> list[Facts]:
    """The facts that follow from a command; the patron has moved on with them.

    `at`: the time of the commit, UTC microseconds. Raises Refused for a command that breaks a rule, AlreadyDone for a
    step of a transfer or a notice that was taken before: nothing has changed then.
    """
    decide = _DECIDES.get(type(args))
    if decide is None:
        raise Refused(f"{args!r:.80} is nothing that can be asked of a player's accounts")
    facts = decide(now, args, at)
    for stream, events in facts:
        for event in events:
            evolve_patron(now, stream, event)
    return facts


def evolve_patron(patron: Patron, stream: str, event: Any) -> None:
    """Take a fact of one of his streams into the patron."""
    if stream == patron.stream:
        patron.player = evolve_player(patron.player, event)
        return
    currency = stream.rpartition(":")[2].upper()
    patron.accounts[currency] = evolve_account(patron.accounts.get(currency), event)


_DECIDES: dict[type[Any], Callable[[Patron, Any, int], list[Facts]]] = {
    commands.OpenAccount: cage.open_account,
    commands.Deposit: cage.deposit,
    commands.Withdraw: cage.withdraw,
    commands.Hold: cage.hold,
    commands.ReleaseHold: cage.release_hold,
    commands.Adjust: cage.adjust,
    commands.ChangeAloneLimit: cage.change_alone_limit,
    commands.GrantPromotion: cage.grant_promotion,
    commands.TakeBackPromotion: cage.take_back_promotion,
    commands.BuyIn: tables.buy_in,
    commands.TopUp: tables.top_up,
    transfers.AccountReceiveTransfer: tables.receive_transfer,
    transfers.AccountCloseTransfer: tables.close_transfer,
    commands.SetLimit: protection.set_limit,
    commands.CoolOff: protection.cool_off,
    commands.Exclude: protection.exclude,
    commands.Freeze: protection.freeze,
    commands.Unfreeze: protection.unfreeze,
    transfers.PlayerReceiveNotice: notices.receive_notice,
    transfers.PlayerCloseNotice: notices.close_notice,
}
