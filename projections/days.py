"""View: what each of the room's days moved from one kind of account to another, table by table.

It follows the postings by the names of their accounts alone (kinds.py). What moves within a kind, such as a bet from a
player's chips to the middle, isn't told. The balance of a kind at the end of a day is the sum of all that went to it
till then, less all that it gave.
"""

from typing import NamedTuple

from projections.commit import Commit
from projections.kinds import Kind, flows, kind_of, table_of
from projections.postings import PLACES, Place, Posting, postings
from projections.view import Layout, Rows, View
from projections.zones import ZONES, Zone, day_of, note_zone


class Movement(NamedTuple):
    """`amount` minor units went from `giver` to `taker`, both a Kind, in so many facts. `table`: the one that it went
    to or came from, or empty. `day`: the room's, `2026-01-31`."""

    day: str
    currency: str
    table: str
    giver: str
    taker: str
    amount: int
    facts: int


def fold(commit: Commit, movements: Rows[Movement], places: Rows[Place], zones: Rows[Zone]) -> None:
    note_zone(zones, commit)
    for stream, _, event in commit.facts:
        moved = postings(places, stream, event)
        if moved:
            _note(movements, moved, zones, commit)


def _note(movements: Rows[Movement], moved: tuple[Posting, ...], zones: Rows[Zone], commit: Commit) -> None:
    sums: dict[tuple[str, Kind], int] = {}
    for account, currency, amount in moved:
        key = currency, kind_of(account)
        sums[key] = sums.get(key, 0) + amount
    if not any(sums.values()):
        return
    table = next(filter(None, (table_of(posting.account) for posting in moved)), "")
    day = day_of(zones, commit)
    for currency in {currency for currency, _ in sums}:
        for flow in flows([(kind, amount) for (of, kind), amount in sums.items() if of == currency]):
            _add(movements, Movement(day, currency, table, flow.giver.value, flow.taker.value, flow.amount, 1))


def _add(movements: Rows[Movement], new: Movement) -> None:
    before = movements.get(new[:5])
    if before is not None:
        new = new._replace(amount=new.amount + before.amount, facts=before.facts + 1)
    movements.put(new)


DAYS = View("days", 1, (Layout("movements", Movement, key=5), PLACES, ZONES), fold)
