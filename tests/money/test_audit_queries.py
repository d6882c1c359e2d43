"""The auditor's questions, each asked of hands whose answer is known by hand."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from domain.hand import events as fact
from domain.messages import SECOND
from domain.rulings.opening import CardsOpened, Form
from services.warehouse.asking import Warehouse, as_dicts
from services.warehouse.fold import Decided
from services.warehouse.raking import rake_that_differs
from tests.money.warehouses import NOON, commits_of, dealt, told, warehouse_of
from tests.projections import rooms

TWELVE = datetime(2026, 1, 31, 12, tzinfo=UTC)


def asked(warehouse: Warehouse, name: str, *columns: str, **parameters: Any) -> list[tuple[Any, ...]]:
    """The rows of an answer, of these columns only."""
    return [tuple(row[column] for column in columns) for row in as_dicts(warehouse.ask(name, **parameters))]


# --- who folded to whom ----------------------------------------------------------------------------------------------

FOUR = told(
    dealt("t1-1", "ann bob cat dan", stakes=(1, 2), stacks=[200] * 4, button=4),
    "3 raises to 6",
    "4 folds",  # 1 + 2 + 6 in the middle, 6 to call
    "1 calls",
    "2 folds",  # 6 + 2 + 6, 4 more to call
    "1 bets 10",  # 14 + 10
    "3 folds",  # 10 to call
)


@pytest.mark.parametrize(
    ("who", "to_whom", "expected"),
    [
        ("dan", "cat", [("t1-1", "preflop", 9, 6, 6)]),
        ("bob", "cat", [("t1-1", "preflop", 14, 6, 4)]),
        ("cat", "ann", [("t1-1", "flop", 24, 10, 10)]),
        ("dan", "ann", []),  # ann had only posted
        ("bob", "ann", []),  # she had called by then, but the raise was cat's
        ("ann", "cat", []),
        ("cat", "cat", []),
    ],
)
def test_a_player_folded_to_who_had_bet_or_raised_last(tmp_path: Path, who, to_whom, expected):
    with warehouse_of(tmp_path, commits_of(FOUR)) as warehouse:
        found = asked(warehouse, "folded", "hand", "street", "pot_before", "wager", "to_call", who=who, to_whom=to_whom)
    assert found == expected


def test_a_fold_to_a_blind_is_a_fold_to_nobody(tmp_path: Path):
    facts = told(dealt("t1-1", "ann bob cat", stacks=[200] * 3, button=3), "3 folds", "1 folds")
    with warehouse_of(tmp_path, commits_of(facts)) as warehouse:
        found = asked(warehouse, "folded", "hand", who="cat", to_whom="bob")
        folds = warehouse.ask_freely("SELECT player, facing_player, to_call FROM decisions WHERE kind = 'fold'").rows
    assert found == []
    assert folds == [("cat", None, 2), ("ann", None, 1)]


def test_what_a_short_stack_had_to_call_is_what_he_had(tmp_path: Path):
    facts = told(dealt("t1-1", "ann bob cat", stacks=[200, 30, 200], button=3), "3 raises to 100", "1 folds", "2 folds")
    with warehouse_of(tmp_path, commits_of(facts)) as warehouse:
        found = asked(warehouse, "folded", "wager", "to_call", who="bob", to_whom="cat")
    assert found == [(100, 28)]  # of his 30 two are the big blind


# --- pots ------------------------------------------------------------------------------------------------------------


def a_pot_of(hand: str, each: str, **terms: Any) -> list[Any]:
    """Two players put in so much each, and check it down."""
    checks = ["1 checks", "2 checks"] * 3
    opened = dealt(hand, "ann bob cat", stacks=[100_00] * 3, button=3, **terms)
    return told(opened, "3 folds", f"1 raises to {each}", "2 calls", *checks)


@pytest.mark.parametrize(
    ("hundredths", "currency", "expected"),
    [
        (40_00, None, ["t1-2", "t1-3"]),  # EUR 40.02, PLAY 42
        (39_99, None, ["t1-2", "t1-1", "t1-3"]),
        (40_02, None, ["t1-3"]),
        (41_50, None, ["t1-3"]),
        (42_00, None, []),
        (40_00, "EUR", ["t1-2"]),
        (40_00, "PLAY", ["t1-3"]),
        (40_00, "USD", []),
    ],
)
def test_pots_over_an_amount_by_each_currency_s_own_unit(tmp_path: Path, hundredths, currency, expected):
    real: dict[str, Any] = {"kind": "real", "stakes": (50, 100)}
    hands = [
        a_pot_of("t1-1", "20.00", **real),
        a_pot_of("t1-2", "20.01", **real),
        a_pot_of("t1-3", "21", stakes=(1, 2)),
    ]
    with warehouse_of(tmp_path, *map(commits_of, hands)) as warehouse:
        found = asked(warehouse, "pots-over", "hand", hundredths=hundredths, currency=currency)
    assert [hand for (hand,) in found] == expected


# --- a disputed minute -----------------------------------------------------------------------------------------------


def seconds(many: int) -> int:
    return many * SECOND


@pytest.mark.parametrize(
    ("begin", "end", "expected"),
    [
        (0, 60, ["t1-1", "t2-1"]),
        (-60, 0, ["t1-1"]),
        (20, 60, ["t2-1"]),
        (10, 11, ["t1-1"]),  # its last commit is just then
        (59, 60, ["t2-1"]),
        (60, 120, []),
        (-600, -10, []),
        (-600, -9, ["t1-1"]),
    ],
)
def test_hands_that_touch_a_span_of_time(tmp_path: Path, begin, end, expected):
    facts = told(dealt("t1-1", "ann bob cat", stacks=[200] * 3, button=3), "3 folds", "1 folds")
    dealt_at, *later = commits_of(facts, NOON - seconds(10))  # 11:59:50 to 12:00:10
    one = [dealt_at, *(commit._replace(at=NOON + seconds(10)) for commit in later)]
    other = commits_of([replace(facts[0], table="t2"), *facts[1:]], NOON + seconds(59), every=0)
    with warehouse_of(tmp_path, one, other) as warehouse:
        at = [datetime.fromtimestamp(NOON // SECOND + offset, UTC) for offset in (begin, end)]
        found = asked(warehouse, "minute", "hand", begin=at[0], end=at[1])
    assert [hand for (hand,) in found] == expected


def test_who_did_anything_in_the_minute(tmp_path: Path):
    """Both blinds are posted a minute before; cat folds in it, ann after it."""
    facts = told(dealt("t1-1", "ann bob cat", stacks=[200] * 3, button=3), "3 folds", "1 folds")
    folds = [nth for nth, one in enumerate(facts) if isinstance(one, fact.Folded)]
    times = [
        NOON - seconds(60) if nth < folds[0] else NOON if nth < folds[1] else NOON + seconds(60)
        for nth in range(len(facts))
    ]
    commits = [commit._replace(at=at) for commit, at in zip(commits_of(facts), times, strict=True)]
    with warehouse_of(tmp_path, commits) as warehouse:
        begin, end = TWELVE, TWELVE.replace(minute=1)
        found = asked(warehouse, "minute", "hand", "decisions", "acted", "players", begin=begin, end=end)
    assert found == [("t1-1", 1, ["cat"], ["ann", "bob", "cat"])]


# --- all-in protection -----------------------------------------------------------------------------------------------


def a_protected_hand(hand: str, at: int) -> list[Decided]:
    """Cat raises to 6, ann's connection is lost with 1 in the middle, bob folds; ann wins or loses 1."""
    facts = told(
        dealt(hand, "ann bob cat", stacks=[200] * 3, button=3, cards={1: "As Ah", 3: "7c 2d"}, board="Ks Qd 9h 8s 3c"),
        "3 raises to 6",
        "1 is protected",
        "2 folds",
    )
    return list(commits_of(facts, at, cause="timer"))


def test_uses_of_all_in_protection_and_how_many_within_24_hours(tmp_path: Path):
    day = 24 * 3600
    starts = [NOON, NOON + seconds(3600), NOON + seconds(day), NOON + seconds(day + 3599)]
    hands = [a_protected_hand(f"t1-{nth}", at) for nth, at in enumerate(starts, start=1)]
    with warehouse_of(tmp_path, *hands) as warehouse:
        found = asked(
            warehouse, "protection", "hand", "player", "street", "pot_before", "to_call", "put_in", "aside", "net",
            "uses_24h",
        )  # fmt: skip
        kept = warehouse.ask_freely("SELECT DISTINCT stack_after FROM results WHERE protected").rows
    assert kept == [(202,)]  # what was set aside is hers again
    # 1 + 2 + 6 in the middle, 5 more to call. All put in 1 for the main pot, which her aces win; cat gets 4 back.
    same = ("ann", "preflop", 9, 5, 1, 199, 2)
    # A use that is 24 hours old no longer counts: the first for the third. The second still does for the fourth.
    assert found == [("t1-1", *same, 1), ("t1-2", *same, 2), ("t1-3", *same, 2), ("t1-4", *same, 3)]


# --- cancelled, opened -----------------------------------------------------------------------------------------------


def test_hands_that_were_cancelled_and_what_went_back(tmp_path: Path):
    opened = dealt("t1-1", "ann bob cat", stacks=[200] * 3, button=3)
    facts = told(opened, "3 raises to 6", "1 calls", "no owner for 75 s")
    fine = told(replace(opened, number=2), "3 folds", "1 folds")
    with warehouse_of(tmp_path, commits_of(facts), commits_of(fine)) as warehouse:
        found = asked(warehouse, "cancelled", "hand", "seconds_without_owner", "returned", "players")
        hands = warehouse.ask_freely("SELECT hand, pot, rake, cancelled FROM hands ORDER BY hand").rows
        nets = warehouse.ask_freely("SELECT DISTINCT net FROM results WHERE hand = 't1-1'").rows
    assert found == [("t1-1", 75, 14, ["ann", "bob", "cat"])]  # 6 + 6 + 2
    assert hands == [("t1-1", 0, 0, True), ("t1-2", 2, 0, False)]
    assert nets == [(0,)]


def test_openings_of_cards_while_a_hand_goes_on_and_after_it(tmp_path: Path):
    facts = told(dealt("t1-1", "ann bob cat", stacks=[200] * 3, button=3), "3 folds", "1 folds")
    early = CardsOpened(Form.FACES, (2,), False, False, 9, "floor:ann", "floor:bob", "c2VhbGVk")
    late = CardsOpened(Form.KEYS, (1, 2, 3), True, True, 14, "floor:bob", "", "")
    commits = list(commits_of(facts))
    openings = [
        Decided(0, 99, NOON + nth, "floor", [("audit:t1-1", nth + 1, one)]) for nth, one in enumerate((early, late))
    ]
    with warehouse_of(tmp_path, commits[:5], openings[:1], commits[5:], openings[1:]) as warehouse:
        found = asked(warehouse, "opened", "hand", "game", "asked_by", "second", "form", "seats", "deck", "settled")
        names = warehouse.ask("opened").columns
    assert found == [
        ("t1-1", "holdem", "floor:ann", "floor:bob", "faces", [2], False, False),
        ("t1-1", "holdem", "floor:bob", "", "keys", [1, 2, 3], True, True),
    ]
    assert "reason" not in names


# --- rake ------------------------------------------------------------------------------------------------------------

REAL: dict[str, Any] = {"kind": "real", "button": 3}

SIDE_POT = told(  # all-in for 1.30, 1.55 and 1.55: a main pot of 3.90 and a side pot of 0.50
    dealt("t1-1", "ann bob cat", stakes=(5, 10), stacks=[155, 155, 130], **REAL),
    "3 raises to 1.30",
    "1 raises to 1.55",
    "2 calls",
)
NO_FLOP = told(dealt("t1-2", "ann bob cat", stakes=(50, 100), stacks=[100_00] * 3, **REAL), "3 folds", "1 folds")


def changed(facts: Sequence[Any], **fields: Any) -> list[Any]:
    """The facts with another rake."""
    return [replace(one, **fields) if isinstance(one, fact.RakeTaken) else one for one in facts]


def differing(tmp_path: Path, *hands: Sequence[Any]) -> list[tuple[Any, ...]]:
    with warehouse_of(tmp_path, *map(commits_of, hands)) as warehouse:
        found = as_dicts(rake_that_differs(warehouse))
    return [tuple(row[name] for name in ("hand", "pots", "rake", "by_rules", "by_arithmetic")) for row in found]


def test_rake_that_is_as_it_should_be_is_no_finding(tmp_path: Path):
    (raked,) = [one for one in SIDE_POT if isinstance(one, fact.RakeTaken)]
    assert raked == fact.RakeTaken(20, (19, 1))  # rules.md section 9, by hand there
    assert differing(tmp_path, SIDE_POT, NO_FLOP) == []


def test_a_cent_too_much_or_too_little_is_found_by_both(tmp_path: Path):
    more = differing(tmp_path / "more", changed(SIDE_POT, amount=21, by_pot=(20, 1)))
    less = differing(tmp_path / "less", changed(SIDE_POT, amount=19, by_pot=(19, 0)))
    assert more == [("t1-1", [390, 50], 21, [19, 1], 20)]
    assert less == [("t1-1", [390, 50], 19, [19, 1], 20)]


def test_rake_that_the_wrong_pot_bears_is_found_by_the_rules(tmp_path: Path):
    assert differing(tmp_path, changed(SIDE_POT, by_pot=(20, 0))) == [("t1-1", [390, 50], 20, [19, 1], 20)]


def test_rake_that_was_left_out_is_found(tmp_path: Path):
    without = [one for one in SIDE_POT if not isinstance(one, fact.RakeTaken)]
    assert differing(tmp_path, without) == [("t1-1", [390, 50], 0, [19, 1], 20)]


def test_rake_of_a_hand_that_saw_no_flop_is_found(tmp_path: Path):
    at = next(nth for nth, one in enumerate(NO_FLOP) if isinstance(one, fact.PotAwarded))
    raked = [*NO_FLOP[:at], fact.RakeTaken(5, (5,)), *NO_FLOP[at:]]
    assert differing(tmp_path, raked) == [("t1-2", [100], 5, [], 0)]


def test_the_rake_of_a_hand_that_was_played_out_is_raked_by_its_street_not_by_its_rounds(tmp_path: Path):
    """All-in before the flop: no round is played on it, but it is dealt, and the hand pays."""
    facts = told(
        dealt("t1-3", "ann bob", stakes=(50, 100), stacks=[5_00, 5_00], kind="real"), "2 raises to 5.00", "1 calls"
    )
    with warehouse_of(tmp_path, commits_of(facts)) as warehouse:
        found = warehouse.ask_freely("SELECT rake_due, pot, rake FROM hands").rows
    assert found == [(True, 10_00, 50)]  # 0.05 per 1.00


# --- a room at random ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_of_a_room_at_random_what_its_facts_say(tmp_path: Path, seed):
    """Seven games at all limits; hands are cancelled, players bust, leave and come back."""
    room = rooms.played(12, seed)
    commits = [Decided(*commit[:3], "player", commit.facts) for commit in room.commits]
    events = [(stream.removeprefix("hand:"), event) for commit in commits for stream, _, event in commit.facts]
    cancelled = Counter({hand: sum(event.amounts) for hand, event in events if isinstance(event, fact.HandCancelled)})
    for hand, event in events:
        if isinstance(event, fact.UncalledBetReturned) and hand in cancelled:
            cancelled[hand] += event.amount
    raked = {hand for hand, event in events if isinstance(event, fact.RakeTaken)}
    with warehouse_of(tmp_path, commits) as warehouse:
        assert dict(asked(warehouse, "cancelled", "hand", "returned")) == cancelled != {}
        assert {hand for (hand,) in asked(warehouse, "raked", "hand")} >= raked != set()
        assert rake_that_differs(warehouse).rows == []
        assert asked(warehouse, "protection", "hand") == []
        totals = warehouse.ask_freely(
            "SELECT sum(r.net)::BIGINT, sum(r.rake_part)::BIGINT FROM results AS r "
            "JOIN hands AS h ON h.hand = r.hand GROUP BY h.hand, h.rake HAVING sum(r.net) <> -h.rake "
            "OR sum(r.rake_part) <> h.rake OR sum(r.stack_after - r.stack_before) <> -h.rake"
        )
        assert totals.rows == []
