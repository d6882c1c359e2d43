"""The auditor's book of advance actions: what players chose before their turn, and what was done of it (rules.md
section 8)."""

from collections import Counter
from collections.abc import Sequence

from tests.simulation.books import Data, must

BECOMES = {
    "fold": {"hand.fold"},
    "check": {"hand.check"},
    "check/fold": {"hand.check", "hand.fold"},
    "call": {"hand.call", "hand.check"},
    "call any": {"hand.call", "hand.check"},
    "bet": {"hand.bet"},
    "raise": {"hand.raise"},
    "raise any": {"hand.bet", "hand.raise"},
}
"""The commands that a choice may become."""

ANY_PRICE = frozenset({"fold", "check/fold", "call any", "raise any"})


class Advances:
    """A choice counts once, at the price that its player saw, as long as the node that holds it owns the shard."""

    def __init__(self, seen: Counter[str]) -> None:
        self._seen = seen
        self._chosen: dict[tuple[str, int], dict[int, Data]] = {}
        """By hand and seat, what each process holds of it."""

    def chose(self, advance: Data, by: str, at: int, takeovers: int, holder: int) -> None:
        """Who chose is told that it is held; it takes the place of what he chose there before. `holder`: the process;
        one that was overtaken may hold something too."""
        held = self._chosen.setdefault((advance["hand"], advance["seat"]), {})
        held[holder] = {**advance, "by": by, "at": at, "takeovers": takeovers}
        self._seen["advance actions chosen"] += 1

    def take(self, command: Data, events: Sequence[Data], call: int, takeovers: int) -> None:
        """A command that was carried out. `call`: the chips that the one to act had to add; `takeovers`: of its shard
        so far."""
        must(("queued" in command) is (command["cause"] == "advance"), "{} was queued, or wasn't", command)
        if "queued" not in command:
            return
        args, queued = command["args"], command["queued"]
        held = self._chosen.get((args["hand"], args["seat"]), {})
        said = (command["by"], queued["at"], queued["price"])
        holder = next((at for at, one in held.items() if said == (one["by"], one["at"], one["price"])), None)
        must(holder is not None, "nobody chose {}, or it was done before: {}", command, held)
        assert holder is not None
        one = held.pop(holder)
        must(command["name"] in BECOMES[one["choice"]], "{} came of {}", command["name"], one)
        must(takeovers == one["takeovers"], "{} is done by who took the shard over", one)
        must(one["choice"] in ANY_PRICE or call <= one["price"], "{} is done where the call is {}", one, call)
        must(command["name"] != "hand.fold" or one["choice"] == "fold" or call > 0, "{} folds for nothing", one)
        must(one["amount"] in (0, args.get("to")), "{} is done as {}", one, args)
        must(bool(events), "{} was carried out and did nothing", command)
        self._seen["advance actions carried out"] += 1
