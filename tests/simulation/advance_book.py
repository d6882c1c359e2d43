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
        self._chosen: dict[tuple[str, int], Data] = {}

    def chose(self, advance: Data, by: str, at: int, epoch: int) -> None:
        """Who chose is told that it is held; it takes the place of what he chose before."""
        self._chosen[advance["hand"], advance["seat"]] = {**advance, "by": by, "at": at, "epoch": epoch}
        self._seen["advance actions chosen"] += 1

    def take(self, command: Data, events: Sequence[Data], call: int, epoch: int) -> None:
        """A command that was carried out. `call`: the chips that the one to act had to add; `epoch`: of its shard."""
        must(("queued" in command) is (command["cause"] == "advance"), "{} was queued, or wasn't", command)
        if "queued" not in command:
            return
        args, queued = command["args"], command["queued"]
        one = self._chosen.pop((args["hand"], args["seat"]), None)
        must(one is not None, "nobody chose {}, or it was done before", command)
        assert one
        said = (command["by"], queued["at"], queued["price"])
        must(said == (one["by"], one["at"], one["price"]), "{} isn't what was chosen: {}", command, one)
        must(command["name"] in BECOMES[one["choice"]], "{} came of {}", command["name"], one)
        must(epoch == one["epoch"], "{} was chosen in epoch {}, and is done in {}", one, one["epoch"], epoch)
        must(one["choice"] in ANY_PRICE or call <= one["price"], "{} is done where the call is {}", one, call)
        must(command["name"] != "hand.fold" or one["choice"] == "fold" or call > 0, "{} folds for nothing", one)
        must(one["amount"] in (0, args.get("to")), "{} is done as {}", one, args)
        must(bool(events), "{} was carried out and did nothing", command)
        self._seen["advance actions carried out"] += 1
