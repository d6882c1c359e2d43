"""What is true of every hand at every moment, stated once: the writer asks before it appends, verify and tests after."""

from domain.hand.state import Hand


class Broken(Exception):
    """An invariant that doesn't hold: the hand must not go on."""


def check(hand: Hand) -> None:
    """Every invariant of a hand. Raises Broken with the first that doesn't hold."""
    brought = sum(one.stack for one in hand.opened.seats)
    if sum(hand.stack) + hand.pot + hand.rake != brought:
        raise Broken(
            f"chips are not conserved: stacks {sum(hand.stack)}, pot {hand.pot} and rake {hand.rake} make "
            f"{sum(hand.stack) + hand.pot + hand.rake}, but {brought} were brought"
        )
    if min(hand.stack) < 0 or hand.pot < 0:
        raise Broken(f"an amount is negative: stacks {hand.stack}, pot {hand.pot}")
    if not hand.settled and hand.pot + hand.rake + hand.awarded != sum(hand.put_in) + hand.dead:
        raise Broken(f"the pot holds {hand.pot}, but {sum(hand.put_in)} were put in and {hand.dead} dead")
    if hand.settled and hand.pot:
        raise Broken(f"the hand is settled with {hand.pot} left in the middle")
    _check_cards(hand)
    _check_turn(hand)


def _check_cards(hand: Hand) -> None:
    seen = [card for cards in hand.hole for card in cards] + list(hand.board)
    if len(set(seen)) != len(seen):
        raise Broken(f"a card was dealt twice: {sorted(seen)}")
    if sum(map(len, hand.dealt)) + len(hand.board) != hand.next_index:
        raise Broken(f"{hand.next_index} cards left the shoe, but players and board hold another number")


def _check_turn(hand: Hand) -> None:
    turn = hand.turn
    if turn is None:
        if not hand.settled:
            raise Broken("the hand awaits nothing and is not settled")
        return
    if turn.seat not in hand.contesting or not hand.stack[turn.seat]:
        raise Broken(f"the action is on seat {turn.seat}, which folded or has no chips")
    if turn.call > hand.stack[turn.seat] or turn.least > turn.most:
        raise Broken(f"seat {turn.seat} was offered what it can't do: {turn}")
