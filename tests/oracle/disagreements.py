"""How a logged hand, dealt again, differs from what the room paid."""

from domain.rules.rulebook import Rulebook
from services.interop.redeal import Disagreement, dealt_again, difference
from tests.oracle.records import RealHand
from tests.oracle.rooms import rulebook_for


def disagreement(hand: RealHand, rulebook: Rulebook | None = None) -> str:
    """In words; "" where it agrees to the chip. Raises Unsupported."""
    try:
        ours = dealt_again(hand.record, rulebook or rulebook_for(hand.record.room))
    except Disagreement as found:
        return str(found)
    return difference(ours.net, hand.net)
