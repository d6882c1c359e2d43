"""Who may see what of an event, declared field by field in one table (design, Secrets).

What a viewer is given of a fact is made of the fields that he may see. The others are absent, never blanked, and so is
a fact of which he may see nothing.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from domain import catalog, room, transfers
from domain.account import events as account
from domain.hand import events as hand
from domain.rulings import opening, reasons
from domain.table import events as table


class Sight(StrEnum):
    """Who sees a field."""

    PUBLIC = "everybody"
    SEAT = "the player in the fact's seat, and staff once the hand is settled"
    DOWN = "everybody where the cards were dealt up, else as SEAT"
    STAFF = "staff once the hand is settled"
    DECK = "what is declared for the parts of a SealedDeck, and nothing of one that lies open"
    NEVER = "nobody: it is sealed, and its box isn't shown either"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks at a hand: the player in `seat`, 0 for none of them; `staff`: somebody who works for the room, or its
    auditor."""

    seat: int = 0
    staff: bool = False


SPECTATOR = Viewer()
STAFF = Viewer(staff=True)

PRIVATE = ("account:", "player:")
"""Streams that are nobody's business but their player's and the staff's, whatever of their facts a table shows, too."""

Row = tuple[type[Any], dict[str, Sight]]


def _row(
    of: type[Any], *, public: str = "", seat: str = "", down: str = "", staff: str = "", deck: str = "", never: str = ""
) -> Row:
    """Each argument names the fields of one sight, with spaces between."""
    sights = {
        Sight.PUBLIC: public, Sight.SEAT: seat, Sight.DOWN: down, Sight.STAFF: staff, Sight.DECK: deck,
        Sight.NEVER: never,
    }  # fmt: skip
    return of, {field: sight for sight, names in sights.items() for field in names.split()}


# fmt: off
VISIBLE: dict[type[Any], dict[str, Sight]] = dict([
    # The cards of a hand.
    _row(hand.SealedDeck, public="size root", never="box"),
    _row(hand.HandOpened, deck="deck", public=(
        "table number game game_revision limit stakes house rake chip_unit currency scale kind clocks rulebook "
        "rulebook_digest button seats posts"
    )),
    _row(hand.CardsDealt, public="seat indices up", down="cards"),
    _row(hand.BoardDealt, public="street indices cards"),
    _row(hand.CardsDiscarded, public="seat indices"),
    _row(hand.DeckReshuffled, public="pile indices", deck="cards"),
    _row(hand.HandShown, public="seat cards because"),
    _row(hand.HandMucked, public="seat because"),
    _row(hand.ShowdownWished, seat="seat wish"),
    # What is done openly.
    _row(hand.BlindPosted, public="seat kind amount live all_in"),
    _row(hand.DrawOpened, public="street"),
    _row(hand.DrawOffered, public="seat most"),
    _row(hand.StoodPat, public="seat late"),
    _row(hand.RoundOpened, public="street wager full_raise size bets bets_cap"),
    _row(hand.BringInOwed, public="seat least most"),
    _row(hand.BroughtIn, public="seat amount wager all_in full_raise bets level"),
    _row(hand.TurnGiven, public="seat call least most"),
    _row(hand.SplitOffered, public="seat call least most"),
    _row(hand.SplitVoteCast, public="seat agrees"),
    _row(hand.Folded, public="seat"),
    _row(hand.Checked, public="seat"),
    _row(hand.Called, public="seat amount to all_in"),
    _row(hand.BetMade, public="seat amount to all_in full_raise bets level"),
    _row(hand.Raised, public="seat amount to all_in full_raise bets level"),
    _row(hand.OutOfTime, public="seat"),
    _row(hand.AllInProtected, public="seat aside"),
    _row(hand.PlayerLeft, public="seat"),
    _row(hand.UncalledBetReturned, public="seat amount"),
    _row(hand.BetsCollected, public="pots"),
    _row(hand.RakeTaken, public="amount by_pot"),
    _row(hand.PotAwarded, public="pot part seat amount odd hand"),
    _row(hand.HandCancelled, public="gap seats amounts"),
    _row(hand.HandSettled, public="seats stacks rake"),
    # Tables.
    _row(table.TableOpened, public="name terms clocks least_buy_in most_buy_in funds seating"),
    _row(table.PlayerSeated, public="seat player posts"),
    _row(table.ChipsBrought, public="seat player amount"),
    _row(table.ChipsTaken, public="seat player amount"),
    _row(table.PlayerLeft, public="seat player at stack"),
    _row(table.PlayerLeaving, public="seat player", staff="why", never="reason"),
    _row(table.PlayerSatOut, public="seat player"),
    _row(table.PlayerCameBack, public="seat player posts"),
    _row(table.ConnectionLost, public="seat player at"),
    _row(table.ConnectionRestored, public="seat player at"),
    _row(table.HandStarted, public="hand number button entered"),
    _row(table.BlindsMissed, public="small big"),
    _row(table.HandFinished, public="hand seats stacks rake"),
    # The floor's reasons are sealed; that a player is frozen is nobody's business but the staff's.
    _row(table.TablePaused, public="at", never="reason"),
    _row(table.TableResumed, public="at", never="reason"),
    _row(table.DealingStopped, public="at", never="reason"),
    _row(table.DealingStarted, public="at", never="reason"),
    _row(table.TableClosing, public="at", never="reason"),
    _row(table.TableReopened, public="at", never="reason"),
    _row(table.ClosingWithRoom, public="at"),
    _row(table.ReopenedWithRoom, public="at"),
    _row(table.PlayerFrozen, staff="seat player of", never="reason"),
    _row(table.PlayerUnfrozen, staff="seat player of", never="reason"),
    # Money on its way to a seat and from it. That it goes is public at a table; where it lies else is not.
    _row(transfers.TransferSent, public="amount purpose player seat", staff="to seq currency promotion posts at"),
    _row(transfers.TransferReceived, public="amount purpose player seat", staff="sender seq currency promotion at"),
    _row(transfers.TransferRefused, staff="sender seq amount currency purpose player seat promotion why at"),
    _row(transfers.TransferClosed, staff="to seq amount currency purpose player seat promotion received why at"),
    _row(transfers.NoticeSent, staff="to seq about player hand allowed at"),
    _row(transfers.NoticeReceived, staff="sender seq about player hand allowed outcome at"),
    _row(transfers.NoticeClosed, staff="to seq about player hand outcome at"),
    # Players' accounts and files.
    _row(account.AccountOpened, staff="currency scale kind alone_up_to"),
    _row(account.Deposited, staff="amount reference at"),
    _row(account.Withdrawn, staff="amount reference hold at"),
    _row(account.Held, staff="hold amount at"),
    _row(account.HoldReleased, staff="hold amount at"),
    _row(account.Adjusted, staff="amount by second about at", never="reason"),
    _row(account.AloneLimitChanged, staff="alone_up_to by second at", never="reason"),
    _row(account.PromotionGranted, staff="amount promotion at"),
    _row(account.PromotionTakenBack, staff="amount promotion at"),
    _row(account.AccountAdded, staff="currency"),
    _row(account.LimitSet, staff="limit period currency most effective at"),
    _row(account.CoolingOffBegun, staff="until at"),
    _row(account.PlayerExcluded, staff="until at"),
    _row(account.AccountsFrozen, staff="at", never="reason"),
    _row(account.AccountsUnfrozen, staff="at", never="reason"),
    # The house.
    _row(opening.CardsOpened, staff="form seats deck settled version by second", never="reason"),
    _row(room.ShardOpened, public="room room_id shard shards time_zone key_id checkpoint_keys"),
    _row(room.KeyChanged, public="key_id"),
    _row(room.LossAccepted, public="commits size root", staff="by second", never="reason"),
    # That an owner failed, everybody may know. Which machine serves, where and with what is of use to an attacker only.
    _row(room.ShardClaimed, public="reads", staff="node address software"),
    _row(room.ShardAlive),
    _row(room.DayClosed, public="day ended commits", staff="totals by"),
    _row(room.RoomClosed, staff="by", never="reason"),
    _row(room.RoomReopened, staff="by", never="reason"),
    _row(room.RevisionRaised, public="revision"),
    _row(reasons.ReasonErased, staff="shard height by"),
])
"""Every event of the catalog, and the parts of a sealed deck; a test fails where an event or a field is missing."""
# fmt: on


class Seen(NamedTuple):
    """What somebody sees of a fact: its wire name and revision, and the fields that he may see, as JSON has them."""

    type: str
    rev: int
    data: catalog.Data


def seen_by(viewer: Viewer, event: Any, settled: bool) -> Seen | None:
    """What a viewer may be given of a fact; None where that is nothing.

    `settled`: whether the hand that the fact is about is over; True for a fact about none. Cards that are still in
    their boxes are absent for everybody: `domain.rulings.seen` opens what the viewer may see.
    """
    name, rev, data = catalog.event.dump(event)
    seen = _fields(viewer, event, data, settled)
    return Seen(name, rev, seen) if seen else None


def sees(viewer: Viewer, event: Any, field: str, settled: bool) -> bool:
    """Whether a viewer may see a field of a fact; for `settled` see seen_by."""
    match VISIBLE[type(event)][field]:
        case Sight.PUBLIC | Sight.DECK:
            return True
        case Sight.SEAT:
            return _is_his_own(viewer, event, settled)
        case Sight.DOWN:
            return event.up or _is_his_own(viewer, event, settled)
        case Sight.STAFF:
            return viewer.staff and settled
        case Sight.NEVER:
            return False


def sees_nothing(viewer: Viewer, event: Any, settled: bool) -> bool:
    """Whether the whole fact is hidden from a viewer."""
    return not any(sees(viewer, event, field, settled) for field in VISIBLE[type(event)])


def _is_his_own(viewer: Viewer, event: Any, settled: bool) -> bool:
    return viewer.seat == event.seat or (viewer.staff and settled)


def _fields(viewer: Viewer, message: Any, data: catalog.Data, settled: bool) -> catalog.Data:
    seen: catalog.Data = {}
    for field, sight in VISIBLE[type(message)].items():
        value = getattr(message, field)
        if sight is Sight.DECK:
            if isinstance(value, hand.SealedDeck):
                seen[field] = _fields(viewer, value, data[field], settled)
        elif sees(viewer, message, field, settled) and not (sight is Sight.DOWN and _is_sealed(value)):
            seen[field] = data[field]
    return seen


def _is_sealed(cards: tuple[hand.DownCard, ...]) -> bool:
    return any(isinstance(card, str) for card in cards)
