"""A hand of ours as pokerkit plays it, with the differences of rule on the way: what can be converted is converted and
named; where nothing can, `Incomparable` says which rule differs.
"""

import warnings
from collections import Counter
from collections.abc import Sequence
from enum import Enum
from typing import Any, NamedTuple

from domain.hand import events as fact
from domain.rules.vocabulary import Limit
from tests.domain.hand.pokerkit_peer import apply, state_of
from tests.domain.hand.scripts import Script, Step, script_of


class Difference(Enum):
    """Where pokerkit plays by another rule than ours. The table in test_against_pokerkit.py says which rule decides."""

    UNCALLABLE_RAISE = "a raise that no opponent can call"
    NOTHING_TO_DECIDE = "a decision when nobody else can act"
    FOLD_FOR_NOTHING = "a fold where nothing is owed"
    TOO_FEW_CARDS = "folded hands are dealt again on 7th street"
    REOPENED = "a raise of less than a full one reopens to who has acted"
    ADDED_UP = "short all-ins have added up, and one more follows"
    OPEN_PAIR = "the big bet at an open pair"
    OTHER_STRUCTURE = "half-pot and spread limit"
    LAST_SPREAD_RAISE = "the last raise of a spread-limit round"
    HALF_BET = "an all-in bet or raise in fixed limit for less than a full bet"
    SHORT_POST = "a big blind or bring-in that is all-in for less"
    LARGER_BRING_IN = "a bring-in above the least, not of fixed limit"
    ODD_CHIPS = "several odd chips of one pot"
    ODD_POTS = "odd chips in several pots"
    LOW_OF_ONE_POT = "a low in one pot and none in others"


class Incomparable(Exception):
    """The two programs don't pay the same, by a difference that can't be converted."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.value)
        self.difference = difference


_EXPECTED_WARNINGS = (
    "There is no reason for this player to fold",
    "A card being dealt .* is not recommended",
    "Returning reserved",
)
"""pokerkit's remarks on Difference.FOLD_FOR_NOTHING and TOO_FEW_CARDS, and on cards of a reshuffle."""


class Played(NamedTuple):
    """`stacks` by seat."""

    stacks: dict[int, int]
    met: set[Difference]


def play(facts: Sequence[Any]) -> Played:
    """As `replay`, if the hand holds nothing on which the two are known to differ; otherwise Incomparable is raised."""
    _refuse_incomparable(facts)
    return replay(facts)


def replay(facts: Sequence[Any]) -> Played:
    """pokerkit's play of a hand of ours. What it says to be legal is compared at each action.

    Raises Incomparable where somebody does what only we allow; AssertionError where what is legal differs by no known
    difference; what pokerkit raises where it refuses an action.
    """
    script = script_of(facts)
    play_of = _Play(facts[0], script)
    with warnings.catch_warnings():
        for message in _EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", message)
        for step in script.steps:
            play_of.step(step)
        play_of.let_pass(0)
    assert not play_of.state.status, "the script ends before pokerkit's hand does"
    return Played(dict(zip(script.seats, play_of.state.stacks, strict=True)), play_of.met)


def _refuse_incomparable(facts: Sequence[Any]) -> None:
    """Raise for what the players did or won, where that alone tells that the two differ."""
    stakes, fixed = facts[0].stakes, facts[0].limit is Limit.FIXED
    for one in facts:
        match one:
            case fact.BlindPosted(kind=fact.PostKind.BIG_BLIND, amount=amount) if amount < stakes.big_blind:
                raise Incomparable(Difference.SHORT_POST)
            case fact.BroughtIn(amount=amount) if amount < stakes.bring_in:
                raise Incomparable(Difference.SHORT_POST)
            case fact.BroughtIn(amount=amount) if amount not in (stakes.bring_in, stakes.small_bet):
                raise Incomparable(Difference.HALF_BET if fixed else Difference.LARGER_BRING_IN)
            case fact.BetMade(to=to, level=level) | fact.Raised(to=to, level=level) if fixed and level != to:
                raise Incomparable(Difference.HALF_BET)
    _refuse_incomparable_awards([one for one in facts if type(one) is fact.PotAwarded])


def _refuse_incomparable_awards(awards: Sequence[fact.PotAwarded]) -> None:
    chips, odd_chips = Counter[tuple[int, fact.Part]](), Counter[tuple[int, fact.Part]]()
    for one in awards:  # who wins nothing, because there are fewer chips than winners, stands in no award
        chips[one.pot, one.part] += one.amount
        odd_chips[one.pot, one.part] += one.odd
    if any(odd > 1 for odd in odd_chips.values()):
        raise Incomparable(Difference.ODD_CHIPS)
    without_low = {one.seat for one in awards if one.part is fact.Part.WHOLE}
    if len(without_low) > 1 and any(one.part is fact.Part.LOW for one in awards):
        raise Incomparable(Difference.LOW_OF_ONE_POT)
    odd = {pot for (pot, _), each in odd_chips.items() if each}
    halves = {pot: low for (pot, part), low in chips.items() if part is fact.Part.LOW}
    odd |= {pot for pot, low in halves.items() if chips[pot, fact.Part.HIGH] != low}
    if len(odd) > 1:
        raise Incomparable(Difference.ODD_POTS)


class _Play:
    """A hand under play. `faced`: the highest wager when a player last acted in this round. `paired`: whether a pair
    showed when the round began."""

    def __init__(self, opened: fact.HandOpened, script: Script) -> None:
        self.opened = opened
        self.state = state_of(opened, script)
        self.met: set[Difference] = set()
        self.faced: dict[int, int] = {}
        self.paired = False

    def step(self, step: Step) -> None:
        """Play one step, converted where the rules differ."""
        state = self.state
        if step.word in ("dh", "db", "sd"):
            self.let_pass(0)
            self.faced.clear()
            if step.word == "db" and state.board_dealing_count is None:
                self._deal_to_each(step)
            else:
                apply(state, step)
            return
        self.let_pass(step.player)
        assert state.actor_index == step.player - 1, f"pokerkit awaits player {state.actor_index} + 1 at {step}"
        if not self.faced:
            self.paired = self._pair_shows()
        if step.legal:
            self._compare(step, step.legal)
        if step.word == "cbr" and self._nobody_can_call(step.player):
            self.met.add(Difference.UNCALLABLE_RAISE)
            step = Step("cc", step.player)
        apply(state, step)
        self.faced[step.player] = max(state.bets)

    def let_pass(self, player: int) -> None:
        """Check for those whom pokerkit asks before a player, and ours not: they owe nothing."""
        state = self.state
        while state.actor_index is not None and state.actor_index != player - 1:
            assert not state.checking_or_calling_amount, f"pokerkit awaits a call of player {state.actor_index} + 1"
            self.met.add(Difference.NOTHING_TO_DECIDE)
            state.check_or_call()

    def _deal_to_each(self, step: Step) -> None:
        """One card for all has the same worth as the same card for each."""
        self.met.add(Difference.TOO_FEW_CARDS)
        for player, owed in enumerate(self.state.hole_dealing_statuses, start=1):
            if owed:
                apply(self.state, Step("dh", player, step.cards))

    def _compare(self, step: Step, legal: fact.TurnGiven) -> None:
        """Compare what may be done there; a difference of rule is noted, any other fails."""
        state = self.state
        least = state.min_completion_betting_or_raising_to_amount or 0
        most = state.max_completion_betting_or_raising_to_amount or 0
        assert state.checking_or_calling_amount == legal.call, f"a call is {state.checking_or_calling_amount}: {step}"
        if step.word == "f" and not legal.call:
            self.met.add(Difference.FOLD_FOR_NOTHING)
        if (least, most) == (legal.least, legal.most):
            return
        difference = self._difference(step.player, legal, least, most)
        assert difference, f"to bet or raise is legal from {least} to {most}: {step}"
        self.met.add(difference)
        if step.word == "cbr" and difference is not Difference.UNCALLABLE_RAISE and not least <= step.amount <= most:
            raise Incomparable(difference)

    def _difference(self, player: int, legal: fact.TurnGiven, least: int, most: int) -> Difference | None:
        """Why pokerkit allows other wagers."""
        if legal.most and not most:
            if self._nobody_can_call(player):
                return Difference.UNCALLABLE_RAISE
            return Difference.ADDED_UP if self._acted_and_faces_a_full_raise(player) else None
        if most and not legal.most and self._acted_and_faces_a_full_raise(player) is False:
            return Difference.REOPENED
        if self.opened.house.open_pair and least == legal.least == most < legal.most and self.paired:
            return Difference.OPEN_PAIR
        if self.opened.limit is Limit.SPREAD:
            return Difference.LAST_SPREAD_RAISE if legal.least < least else Difference.OTHER_STRUCTURE
        return Difference.OTHER_STRUCTURE if self.opened.limit is Limit.HALF_POT and least == legal.least else None

    def _acted_and_faces_a_full_raise(self, player: int) -> bool | None:
        """Whether the raises since the player's last action add up to a full one; None where he hasn't acted."""
        if player not in self.faced:
            return None
        state = self.state
        assert state.street
        full = max(state.completion_betting_or_raising_amount, state.street.min_completion_betting_or_raising_amount)
        return max(state.bets) - self.faced[player] >= full

    def _nobody_can_call(self, player: int) -> bool:
        """Whether no opponent has chips for more than the highest wager."""
        state = self.state
        others = [at for at in state.player_indices if at != player - 1 and state.statuses[at]]
        return all(state.bets[at] + state.stacks[at] <= max(state.bets) for at in others)

    def _pair_shows(self) -> bool:
        shown = [[card.rank for card in self.state.get_up_cards(at)] for at in self.state.player_indices]
        return any(len(set(ranks)) < len(ranks) for ranks in shown)
