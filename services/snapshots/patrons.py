"""The patrons of a shard as a snapshot has them: there may be any number, of whom few are active, so each is decoded
when he is first needed."""

from collections.abc import Iterable, Mapping

from domain.account.state import Patron
from domain.desk import under_way
from domain.messages import account_stream, player_stream
from services.eventlog import canonical
from services.room.load import Known
from services.snapshots.cabinet import Cabinet
from services.snapshots.states import dump_patron, load_patron

UNDER_WAY = "under-way"
"""Under this name, which no player has, lie the players whose streams have something under way."""


class StoredPatrons:
    """Lies in a cabinet, by the player. Not for several threads at once."""

    def __init__(self, drawers: Iterable[bytes] = ()) -> None:
        """`drawers`: see `Cabinet`."""
        self.cabinet = Cabinet(drawers)

    def patron(self, player: str) -> tuple[Patron, dict[str, Known]] | None:
        """The patron in objects of his own, and the commands that he remembers; None for one of whom nothing was
        recorded. Raises BadState."""
        value = self.cabinet.get(player)
        return None if value is None else load_patron(player, canonical.decode(value))

    def under_way(self) -> set[str]:
        """The players of whom something is under way to other streams."""
        return set(canonical.decode(self.cabinet.get(UNDER_WAY) or b"[]"))

    def streams(self) -> dict[str, int]:
        """The versions of all their streams. Everyone is looked at."""
        versions = {}
        for player, value in self.cabinet.items():
            if player != UNDER_WAY:
                said = canonical.decode(value)
                if said["player"] is not None:
                    versions[player_stream(player)] = said["player"]["version"]
                versions |= {account_stream(player, currency): one["version"] for currency, one in said["accounts"]}
        return versions

    def put(self, patrons: "Mapping[str, Written]") -> None:
        """Lay patrons there as they are now."""
        before = self.under_way()
        now = {player for player, one in patrons.items() if one.under_way}
        busy = before - patrons.keys() | now
        values = {player: one.value for player, one in patrons.items()}
        self.cabinet.put(values if busy == before else values | {UNDER_WAY: canonical.write(sorted(busy))})


class Written:
    """A patron as he is written, and whether his streams have something under way."""

    __slots__ = ("under_way", "value")

    def __init__(self, patron: Patron, known: dict[str, Known]) -> None:
        self.value = canonical.write(dump_patron(patron, known))
        self.under_way = bool(under_way(patron))
