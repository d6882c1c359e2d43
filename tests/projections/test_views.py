"""The views as pure folds, without a store."""

import re
from collections import Counter
from typing import Any

import pytest

from domain.hand.events import HandCancelled, HandOpened, HandSettled, PotAwarded, RakeTaken
from domain.room import RevisionRaised, ShardAlive, ShardClaimed, ShardOpened
from projections.balances import BALANCES
from projections.commit import Commit, CommittedFact
from projections.hands import HANDS
from projections.rake import RAKE
from projections.registry import VIEWS
from projections.shards import SHARDS, ShardNow
from projections.view import Rows, View
from tests.projections.rooms import TABLES, Room, played


@pytest.fixture(scope="module")
def room() -> Room:
    return played(rounds=25)


def folded(view: View, room: Room) -> list[list[Any]]:
    """The rows of each layout after all commits."""
    rows: list[Rows[Any]] = [Rows(layout) for layout in view.layouts]
    for commit in room.commits:
        view.fold(commit, *rows)
    return [each.all() for each in rows]


def facts_of(room: Room, kind: type[Any]) -> list[tuple[str, Any]]:
    return [(stream, event) for commit in room.commits for stream, _, event in commit.facts if type(event) is kind]


def test_views_are_named_once_and_their_tables_have_plain_names() -> None:
    assert len({view.name for view in VIEWS}) == len(VIEWS)
    for view in VIEWS:
        assert view.name.isalpha()
        assert view.revision >= 1
        assert all(re.fullmatch("[a-z_]+", layout.name) for layout in view.layouts)


def test_balances_sum_to_zero_and_no_chip_is_left_in_the_middle(room: Room) -> None:
    accounts, places = folded(BALANCES, room)
    sums = Counter[str]()
    for account, currency, amount in accounts:
        sums[currency] += amount
        assert amount != 0
        assert not account.startswith("hand:")
    assert set(sums) == {"EUR", "USD", "PLAY"}
    assert not any(sums.values())
    assert {place.stream for place in places} == {f"table:t{number}" for number in range(1, len(TABLES) + 1)}


def test_balances_of_players_are_the_stacks_of_the_tables(room: Room) -> None:
    accounts, _ = folded(BALANCES, room)
    players = {row.account: row.amount for row in accounts if ":player:" in row.account}
    stacks = {
        f"table:{name}:player:{seat.player}": seat.stack
        for name, now in room.tables.items()
        if now.table is not None
        for seat in now.table.seats.values()
    }
    assert players == stacks


def test_rake_ledger_has_one_row_for_each_hand_that_paid(room: Room) -> None:
    ledger, unsettled, _ = folded(RAKE, room)
    taken = {stream: event.amount for stream, event in facts_of(room, RakeTaken)}
    assert {f"hand:{row.hand}": row.rake for row in ledger} == taken
    assert len(taken) > 20
    assert unsettled == []
    for row in ledger:
        game, limit, rulebook, _, _, currency = TABLES[int(row.table[1:]) - 1]
        assert (row.game, row.limit, row.rulebook, row.currency) == (game, limit, rulebook, currency)
        awarded = sum(event.amount for stream, event in facts_of(room, PotAwarded) if stream == f"hand:{row.hand}")
        assert row.pot == awarded + row.rake


def test_headers_say_where_each_hand_lies(room: Room) -> None:
    headers, _ = folded(HANDS, room)
    assert len(headers) == len(facts_of(room, HandOpened)) == 25 * len(TABLES)
    lies: dict[str, tuple[int, int, int]] = {}
    for commit in room.commits:
        for stream in {fact.stream for fact in commit.facts if fact.stream.startswith("hand:")}:
            shard, first, _ = lies.get(stream, (commit.shard, commit.height, 0))
            lies[stream] = (shard, first, commit.height)
    settled = dict(facts_of(room, HandSettled))
    for row in headers:
        assert (row.shard, row.first_height, row.last_height) == lies[f"hand:{row.hand}"]
        assert row.finished_at is not None
        assert row.finished_at > row.started_at
        assert row.rake == settled[f"hand:{row.hand}"].rake
        assert row.pot > row.rake or row.cancelled_after


def test_a_hand_that_was_cancelled_has_a_header_that_says_so_and_moved_no_money(room: Room) -> None:
    headers, _ = folded(HANDS, room)
    ledger = folded(RAKE, room)[0]
    cancelled = {stream: event.gap for stream, event in facts_of(room, HandCancelled)}
    assert len(cancelled) > 2
    assert {f"hand:{row.hand}": row.cancelled_after for row in headers if row.cancelled_after} == cancelled
    for row in headers:
        if row.cancelled_after is not None:
            assert (row.pot, row.rake) == (0, 0)
            assert row.hand not in {raked.hand for raked in ledger}


def test_a_hand_under_way_has_a_header_without_an_end() -> None:
    room = Room()
    room.open_tables()
    next(room.moves("t3"))
    (row,) = folded(HANDS, room)[0]
    assert (row.hand, row.game, row.limit, row.small_blind, row.big_blind) == ("t3-1", "omaha-hilo", "fixed", 100, 200)
    assert (row.small_bet, row.big_bet, row.players, row.kind) == (200, 400, 5, "real")
    assert (row.finished_at, row.last_height, row.pot) == (None, None, 0)
    accounts, _ = folded(BALANCES, room)
    assert {row.account: row.amount for row in accounts}["hand:t3-1"] == 300
    assert folded(RAKE, room)[0] == []


def test_a_header_says_what_the_hand_was_played_for_blinds_or_not(room: Room) -> None:
    headers, _ = folded(HANDS, room)
    opened = {f"{event.table}-{event.number}": event for _, event in facts_of(room, HandOpened)}
    for row in headers:
        assert row.stakes == opened[row.hand].stakes
    assert {bool(row.bring_in) for row in headers if not row.big_blind} == {True}


def test_a_shard_has_the_owner_of_its_last_claim_and_the_revision_that_it_was_raised_to() -> None:
    rows: Rows[ShardNow] = Rows(SHARDS.layouts[0])
    opened = ShardOpened("riverside", "0123456789abcdef", 2, 4, "UTC", "0123456789abcdef", ())
    north, south = (ShardClaimed(node, f"http://{node}:8100", "0.6.0", 2) for node in ("north", "south"))
    facts = [opened, north, ShardAlive(), south, RevisionRaised(2)]
    for height, event in enumerate(facts):
        SHARDS.fold(Commit(2, height, 0, [CommittedFact("shard:2", height + 1, event)]), rows)
    assert rows.all() == [ShardNow(2, "riverside", "0123456789abcdef", 2, "south", "http://south:8100", "0.6.0", 2)]
