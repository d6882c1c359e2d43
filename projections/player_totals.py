"""What players put in, won and paid, over hands that are settled."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import and_, func, select

from projections.filters import ALL, Only, of_the_hand, wanted, within
from projections.hands import HANDS
from projections.queries import as_counted, check_together
from projections.results import RESULTS
from projections.store import Store


class PlayerBy(StrEnum):
    """What a player's hands may be totalled by; `day` is the room's."""

    TABLE = "table"
    GAME = "game"
    STAKES = "stakes"
    DAY = "day"


class PlayerTotal(NamedTuple):
    """`of`: the values of what was asked for, in that order. Minor units of the currency, as in results.py: `put_in` is
    what he committed less what came back uncalled, `rake` his part of the hands' rake, which `won` is without."""

    player: str
    of: tuple[str, ...]
    currency: str
    hands: int
    put_in: int
    won: int
    rake: int

    @property
    def net(self) -> int:
        """What the hands brought him, or cost."""
        return self.won - self.put_in


def player_totals(store: Store, by: Sequence[PlayerBy] = (), only: Only = ALL) -> list[PlayerTotal]:
    """Totals of each player, one for each currency and combination of values, as people count: t2 before t10.

    Hands count by when they were settled; one that was cancelled doesn't count. Raises StoreError where the views stand
    at different commits.
    """
    with store.read() as db:
        check_together(store, db, HANDS, RESULTS)
        headers, players = store.table(db, HANDS, "headers"), store.table(db, RESULTS, "players")
        names = {PlayerBy.STAKES: "stakes_text"}
        keys = [players.c.player, *(headers.c[names.get(each, each)] for each in by), headers.c.currency]
        columns = of_the_hand(headers, "stakes_text") | {"player": players.c.player}
        rows = db.execute(
            select(*keys, func.count(), func.sum(players.c.put_in), func.sum(players.c.won), func.sum(players.c.rake))
            .select_from(players.join(headers, headers.c.hand == players.c.hand))
            .where(
                and_(
                    headers.c.cancelled_after.is_(None), *within(only, headers.c.finished_at), *wanted(only, **columns)
                )
            )
            .group_by(*keys)
        )
        found = [
            PlayerTotal(row[0], tuple(row[1 : len(by) + 1]), row[len(by) + 1], *map(int, row[len(by) + 2 :]))
            for row in rows
        ]
    return sorted(found, key=lambda one: (as_counted(one.player), [as_counted(each) for each in one.of], one.currency))
