"""pokerkit as a second opinion: its state for a hand of ours, and a step of our script as its operation."""

from pokerkit import (
    Automation,
    BettingStructure,
    Deck,
    EightOrBetterLowHand,
    Hand,
    Mode,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    Opening,
    StandardHighHand,
    StandardLowHand,
    State,
    Street,
)

from domain.hand import events as fact
from domain.rules.registry import GAMES_BY_NAME
from domain.rules.vocabulary import Forced, Game, Limit, Opener
from domain.rules.vocabulary import Street as OurStreet
from tests.domain.hand.scripts import Script, Step

_BY_US = {Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING}
AUTOMATIONS = tuple(each for each in Automation if each not in _BY_US)
"""All that a user who deals the cards of a script would leave to pokerkit."""

_HAND_TYPES: dict[tuple[str, int | None], type[Hand]] = {
    ("standard", None): StandardHighHand,
    ("standard", 2): OmahaHoldemHand,
    ("eight-or-better", None): EightOrBetterLowHand,
    ("eight-or-better", 2): OmahaEightOrBetterLowHand,
    ("deuce-to-seven", None): StandardLowHand,
}
_STRUCTURES = {
    Limit.FIXED: BettingStructure.FIXED_LIMIT,
    Limit.POT: BettingStructure.POT_LIMIT,
    Limit.NO: BettingStructure.NO_LIMIT,
    Limit.HALF_POT: BettingStructure.NO_LIMIT,
    Limit.SPREAD: BettingStructure.NO_LIMIT,
}
"""pokerkit knows three; no limit has room for the other two."""
_OPENINGS = {
    Opener.AFTER_BIG_BLIND: Opening.POSITION,
    Opener.LEFT_OF_BUTTON: Opening.POSITION,
    Opener.BRING_IN: Opening.LOW_CARD,
    Opener.BEST_SHOWING: Opening.HIGH_HAND,
}


def known(game: Game) -> bool:
    """Whether pokerkit can be told to play the game."""
    ranked = [(ranking, game.hole_cards_used) in _HAND_TYPES for ranking in (game.high, game.low) if ranking]
    return all(ranked) and game.lowest_rank == 0 and not game.split_vote


def state_of(opened: fact.HandOpened, script: Script) -> State:
    """A fresh state of pokerkit that has the game, stakes and stacks of our hand, and burns no cards."""
    game, stakes = GAMES_BY_NAME[opened.game], opened.stakes
    return State(
        AUTOMATIONS,
        Deck.STANDARD,
        tuple(_HAND_TYPES[ranking, game.hole_cards_used] for ranking in (game.high, game.low) if ranking),
        tuple(_street(opened, game, street) for street in game.streets),
        _STRUCTURES[opened.limit],
        True,  # the main pot takes from each only what the shortest ante put in
        stakes.ante,
        (stakes.small_blind, stakes.big_blind),
        stakes.bring_in,
        script.stacks,
        len(script.stacks),
        mode=Mode.CASH_GAME,
    )


def _street(opened: fact.HandOpened, game: Game, street: OurStreet) -> Street:
    stakes = opened.stakes
    least, most = stakes.min_bet, None
    if opened.limit is Limit.FIXED:
        least = stakes.big_bet if street.big else stakes.small_bet
        blind = game.forced is Forced.BLINDS and street is game.streets[0]
        most = opened.house.bets_cap - blind  # the blind is the round's first bet, and pokerkit doesn't count it
    return Street(
        False,
        (False,) * street.down + (True,) * street.up,
        street.board,
        street.draw is not None,
        _OPENINGS[street.opener],
        least,
        most,
    )


def apply(state: State, step: Step) -> None:
    """One step as pokerkit's operation. A user who burns cards burns an unknown one before each deal."""
    word = step.word
    if state.card_burning_status and word != "sd":
        state.burn_card("??")
    if word == "cc":
        state.check_or_call()
    elif word == "f":
        state.fold()
    elif word == "cbr":
        state.complete_bet_or_raise_to(step.amount)
    elif word == "dh":
        state.deal_hole(step.cards, step.player - 1)
    elif word == "db":
        state.deal_board(step.cards)
    elif word == "sd":
        state.stand_pat_or_discard(step.cards)
    else:
        state.post_bring_in()
