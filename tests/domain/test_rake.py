"""Rake (rules.md section 9). Every number here is written from the tables by hand, in cents."""

import pytest

from domain.messages import Refused
from domain.rules import registry
from domain.rules.rake import bands_for, rake_by_pot, rake_of, schedule_for
from domain.rules.vocabulary import Limit, RakeSchedule

NO, POT, HALF, FIXED, SPREAD = Limit.NO, Limit.POT, Limit.HALF_POT, Limit.FIXED, Limit.SPREAD


def schedule(rulebook: str, limit: Limit, small: int, big: int, players: int) -> RakeSchedule:
    found = schedule_for(bands_for(registry.rulebook(rulebook), limit, small, big), players)
    assert found is not None
    return found


ROWS = [
    # Rulebook, structures, stakes, players dealt in, {pot: rake} around increments, small-pot line and cap.
    ("euro", (NO, POT, HALF), [(1, 2), (100_00, 200_00)], (2,), {
        0: 0, 19: 0, 20: 1, 39: 1, 40: 2, 3_99: 19, 4_00: 20, 4_99: 20, 5_00: 25, 9_99: 45, 10_00: 50,
        14_99: 70, 15_00: 75, 16_00: 75, 999_00: 75,
    }),
    ("euro", (NO, POT, HALF), [(1, 2), (100_00, 200_00)], (3, 4), {
        19: 0, 20: 1, 3_99: 19, 4_00: 20, 15_99: 75, 16_00: 80, 39_99: 1_95, 40_00: 2_00, 41_00: 2_00, 999_00: 2_00,
    }),
    ("euro", (NO, POT, HALF), [(1, 2), (100_00, 200_00)], (5, 7, 10), {
        19: 0, 20: 1, 3_99: 19, 4_00: 20, 41_00: 2_05, 59_99: 2_95, 60_00: 3_00, 61_00: 3_00, 999_00: 3_00,
    }),
    ("euro", (FIXED, SPREAD), [(2, 4), (25, 50), (50, 1_00)], (2, 3), {
        19: 0, 20: 1, 1_99: 9, 2_00: 10, 2_99: 10, 3_00: 15, 14_99: 70, 15_00: 75, 16_00: 75, 999_00: 75,
    }),
    ("euro", (FIXED, SPREAD), [(2, 4), (25, 50), (50, 1_00)], (4, 10), {
        19: 0, 20: 1, 1_99: 9, 2_00: 10, 19_99: 95, 20_00: 1_00, 21_00: 1_00, 999_00: 1_00,
    }),
    ("euro", (FIXED, SPREAD), [(1_00, 2_00)], (2, 3), {
        4_99: 0, 5_00: 25, 9_99: 25, 10_00: 50, 14_99: 50, 15_00: 75, 20_00: 75, 999_00: 75,
    }),
    ("euro", (FIXED, SPREAD), [(1_00, 2_00)], (4, 10), {
        4_99: 0, 5_00: 25, 39_99: 1_75, 40_00: 2_00, 45_00: 2_00, 999_00: 2_00,
    }),
    ("euro", (FIXED, SPREAD), [(2_00, 4_00), (1000_00, 2000_00)], (2, 3), {
        9_99: 0, 10_00: 50, 19_99: 50, 20_00: 75, 30_00: 75, 999_00: 75,
    }),
    ("euro", (FIXED, SPREAD), [(2_00, 4_00), (1000_00, 2000_00)], (4, 10), {
        9_99: 0, 10_00: 50, 39_99: 1_50, 40_00: 2_00, 50_00: 2_00, 999_00: 2_00,
    }),
    ("ace", (FIXED,), [(2, 4)], (2, 10), {19: 0, 20: 1, 79: 3, 80: 4, 1_00: 4, 99_00: 4}),
    ("ace", (FIXED,), [(4, 8)], (2, 10), {19: 0, 20: 1, 1_59: 7, 1_60: 8, 1_80: 8, 99_00: 8}),
    ("ace", (FIXED,), [(5, 10)], (2, 10), {19: 0, 20: 1, 1_99: 9, 2_00: 10, 2_20: 10, 99_00: 10}),
    ("ace", (FIXED,), [(10, 20)], (2, 10), {19: 0, 20: 1, 3_99: 19, 4_00: 20, 4_20: 20, 99_00: 20}),
    ("ace", (FIXED,), [(25, 50)], (2, 10), {99: 0, 1_00: 5, 7_99: 35, 8_00: 40, 9_00: 40, 99_00: 40}),
    ("ace", (FIXED,), [(50, 1_00)], (2, 10), {99: 0, 1_00: 5, 9_99: 45, 10_00: 50, 11_00: 50, 99_00: 50}),
    ("ace", (FIXED,), [(1_00, 2_00)], (2, 10), {4_99: 0, 5_00: 25, 19_99: 75, 20_00: 1_00, 25_00: 1_00, 999_00: 1_00}),
    ("ace", (FIXED,), [(2_00, 4_00), (100_00, 200_00)], (2, 3), {
        19_99: 0, 20_00: 50, 39_99: 50, 40_00: 1_00, 60_00: 1_00, 999_00: 1_00,
    }),
    ("ace", (FIXED,), [(2_00, 4_00), (100_00, 200_00)], (4, 5), {
        19_99: 0, 20_00: 1_00, 39_99: 1_00, 40_00: 2_00, 60_00: 2_00, 999_00: 2_00,
    }),
    ("ace", (FIXED,), [(2_00, 4_00), (100_00, 200_00)], (6, 10), {
        19_99: 0, 20_00: 1_00, 39_99: 1_00, 40_00: 2_00, 59_99: 2_00, 60_00: 3_00, 80_00: 3_00, 999_00: 3_00,
    }),
    ("ace", (FIXED,), [(200_00, 400_00)], (2, 3), {
        99_99: 0, 100_00: 1_00, 199_99: 1_00, 200_00: 2_00, 300_00: 2_00, 9999_00: 2_00,
    }),
    ("ace", (FIXED,), [(200_00, 400_00)], (4, 10), {
        99_99: 0, 100_00: 1_00, 499_99: 4_00, 500_00: 5_00, 600_00: 5_00, 9999_00: 5_00,
    }),
    ("ace", (POT, NO), [(1, 2), (25_00, 50_00)], (2, 3), {
        20: 0, 99: 0, 1_00: 5, 19_99: 95, 20_00: 1_00, 21_00: 1_00, 999_00: 1_00,
    }),
    ("ace", (POT, NO), [(1, 2), (25_00, 50_00)], (4, 5), {
        99: 0, 1_00: 5, 39_99: 1_95, 40_00: 2_00, 41_00: 2_00, 999_00: 2_00,
    }),
    ("ace", (POT, NO), [(1, 2), (25_00, 50_00)], (6, 9, 10), {
        99: 0, 1_00: 5, 59_99: 2_95, 60_00: 3_00, 61_00: 3_00, 999_00: 3_00,
    }),
]  # fmt: skip


@pytest.mark.parametrize(("rulebook", "limits", "stakes", "players", "rake"), ROWS)
def test_each_row_pays_whole_increments_up_to_its_cap(rulebook, limits, stakes, players, rake):
    for limit in limits:
        for small, big in stakes:
            for dealt_in in players:
                paid = {pot: rake_of(schedule(rulebook, limit, small, big, dealt_in), pot) for pot in rake}
                assert paid == rake, (limit, small, big, dealt_in)


def test_every_row_of_both_tables_is_among_these():
    tested = {
        (rulebook, row)
        for rulebook, limits, stakes, _, _ in ROWS
        for row in registry.rulebook(rulebook).rake
        for limit in limits
        for small, big in stakes
        if row.covers(limit, small, big)
    }
    assert tested == {(name, row) for name in ("ace", "euro") for row in registry.rulebook(name).rake}


@pytest.mark.parametrize("guide", ["omaha-guide", "classic"])
def test_a_guide_rakes_by_the_euro_table(guide):
    assert registry.rulebook(guide).rake == registry.rulebook("euro").rake


def test_increments_are_no_percentage():
    assert rake_of(RakeSchedule(per=1_00, each=5, cap=3_00), 9_99) == 45


@pytest.mark.parametrize(
    ("rulebook", "limit", "small", "big", "players", "pots", "rake"),
    [
        # 3.90 alone is under the small-pot line: 19 x 0.01. 4.40 in all is above it: 4 x 0.05, so the side adds 0.01.
        ("euro", NO, 5, 10, 2, [3_90, 50], [19, 1]),
        # 35 x 0.05 = 1.75; 55 x 0.05 passes the cap of 2.00, of which 0.25 is left.
        ("euro", NO, 5, 10, 3, [35_00, 20_00], [1_75, 25]),
        # 15 reaches no increment of 20; 45 in all reaches two of 1.00.
        ("ace", FIXED, 2_00, 4_00, 4, [15_00, 30_00], [0, 2_00]),
        # The cap is reached in the main pot: the side pots pay nothing.
        ("ace", FIXED, 2_00, 4_00, 4, [40_00, 30_00, 20_00], [2_00, 0, 0]),
        # The small-pot line is passed in the second side pot: 1.90 is 9 x 0.01, 1.99 too; 2.00 is 2 x 0.05.
        ("euro", FIXED, 25, 50, 4, [1_90, 9, 1], [9, 0, 1]),
        # 19.99 is 19 x 0.05; the cent that makes 20.00 would bear 0.05, bears 0.01, and the rest falls on the main pot.
        ("euro", FIXED, 25, 50, 4, [19_99, 1], [99, 1]),
        # Neither 4.99 reaches the 0.25 of 5.00; 9.98 together reach one.
        ("euro", SPREAD, 1_00, 2_00, 3, [4_99, 4_99], [0, 25]),
        # 0.50 per 10.00, capped at 0.75 for three: 10.00 pays 0.50, the next 10.00 what is left, then nothing.
        ("euro", FIXED, 2_00, 4_00, 3, [10_00, 10_00, 10_00], [50, 25, 0]),
        # 0.01 per 0.20 up to 0.04: each 0.30 reaches 1, 3 and 4 steps in all.
        ("ace", FIXED, 2, 4, 6, [30, 30, 30], [1, 2, 1]),
        # 1.00 at 20, 40 and 60 for six or more: 59.99 has two, 0.01 bears what it has of the third.
        ("ace", FIXED, 2_00, 4_00, 6, [59_99, 1], [2_99, 1]),
        ("ace", FIXED, 2_00, 4_00, 6, [19_00, 21_00, 20_00], [0, 2_00, 1_00]),
        # 1.00 per 100.00 up to 5.00: 499 has four, and the side pot the fifth, though it reaches six.
        ("ace", FIXED, 200_00, 400_00, 4, [499_00, 101_00], [4_00, 1_00]),
        # 0.05 per 1.00 up to 3.00, ten players as nine: 58.50 has 2.90, the rest of the cap is in the side pot.
        ("ace", NO, 1_00, 2_00, 10, [58_50, 40_00], [2_90, 10]),
    ],
)
def test_side_pots_bear_what_they_add_to_the_running_total(rulebook, limit, small, big, players, pots, rake):
    assert rake_by_pot(schedule(rulebook, limit, small, big, players), pots) == rake


def test_no_pots_no_rake():
    assert rake_by_pot(RakeSchedule(per=1_00, each=5, cap=3_00), []) == []


def test_a_side_pot_bears_no_more_than_is_in_it_and_the_rest_falls_on_the_pot_before() -> None:
    euro = RakeSchedule(per=100, each=5, cap=300, small_under=400, small_per=20, small_each=1)
    assert rake_by_pot(euro, [498, 4]) == [21, 4]  # 5.02 pays 0.25; 4.98 alone pays 0.20
    assert rake_by_pot(euro, [498, 1, 1]) == [23, 1, 1]  # the last step is reached by the last cent
    assert rake_by_pot(RakeSchedule(per=500, each=25, cap=200), [498, 4]) == [21, 4]


def test_a_larger_pot_never_pays_less():
    """Nowhere, the small-pot line included: a side pot's rake would be negative."""
    for rulebook in registry.RULEBOOKS_BY_NAME.values():
        for row in rulebook.rake:
            for band in row.bands:
                paid = [rake_of(band.schedule, total) for total in range(700_00)]
                assert paid == sorted(paid), (rulebook.name, str(row))


def test_a_table_without_bands_takes_no_rake():
    assert schedule_for((), 6) is None


@pytest.mark.parametrize("players", [1, 11])
def test_a_number_of_players_that_no_band_counts_is_an_error(players):
    with pytest.raises(ValueError, match=rf"^no rake band counts {players} players: they count 2 to 10$"):
        schedule_for(bands_for(registry.rulebook("euro"), NO, 5, 10), players)


@pytest.mark.parametrize(
    ("rulebook", "limit", "min_bet", "as_blinds"),
    [
        ("euro", NO, 1, (1, 2)),
        ("euro", HALF, 1000_00, (1, 2)),
        ("ace", POT, 2, (1, 2)),
        ("ace", NO, 3, (1, 2)),
        ("ace", NO, 50_00, (25_00, 50_00)),
    ],
)
def test_the_minimum_bet_of_an_ante_game_stands_for_the_big_blind(rulebook, limit, min_bet, as_blinds):
    book = registry.rulebook(rulebook)
    assert bands_for(book, limit, None, min_bet) == bands_for(book, limit, *as_blinds)


@pytest.mark.parametrize(
    ("limit", "min_bet", "asked"),
    [
        (NO, 1, "a no-limit minimum bet of 0.01"),
        (POT, 50_01, "a pot-limit minimum bet of 50.01"),
        (HALF, 1_00, "a half-pot-limit minimum bet of 1.00"),
    ],
)
def test_a_minimum_bet_that_no_row_covers_is_refused(limit, min_bet, asked):
    with pytest.raises(Refused, match=rf"^no rake row of rulebook 'ace' covers {asked} for real money: its rows "):
        bands_for(registry.rulebook("ace"), limit, None, min_bet)


@pytest.mark.parametrize(
    ("rulebook", "limit", "small", "big"),
    [
        ("ace", FIXED, 1, 2),
        ("ace", FIXED, 3, 6),
        ("ace", FIXED, 1_50, 3_00),
        ("ace", FIXED, 1_00, 3_00),
        ("ace", FIXED, 150_00, 300_00),
        ("ace", FIXED, 200_00, 500_00),
        ("ace", FIXED, 400_00, 800_00),
        ("ace", POT, 1, 1),
        ("ace", NO, 25_00, 51_00),
        ("ace", NO, 50_00, 100_00),
        ("ace", SPREAD, 1_00, 2_00),
        ("ace", HALF, 1_00, 2_00),
        ("euro", FIXED, 1, 2),
        ("euro", FIXED, 75, 1_50),
        ("euro", FIXED, 1_50, 3_00),
        ("euro", SPREAD, 1_50, 3_00),
        ("classic", FIXED, 1_50, 3_00),
    ],
)
def test_stakes_that_no_row_covers_are_refused(rulebook, limit, small, big):
    with pytest.raises(Refused, match=rf"^no rake row of rulebook '{rulebook}' covers {limit}-limit stakes of "):
        bands_for(registry.rulebook(rulebook), limit, small, big)


def test_the_refusal_names_the_rows_that_exist():
    with pytest.raises(Refused) as refused:
        bands_for(registry.rulebook("ace"), HALF, 1_00, 2_00)
    assert str(refused.value) == (
        "no rake row of rulebook 'ace' covers half-pot-limit stakes of 1.00/2.00 for real money: its rows (USD) are "
        "fixed limit 0.02/0.04; fixed limit 0.04/0.08; fixed limit 0.05/0.10; fixed limit 0.10/0.20; "
        "fixed limit 0.25/0.50; fixed limit 0.50/1.00; fixed limit 1.00/2.00; fixed limit 2.00/4.00 to 100.00/200.00; "
        "fixed limit 200.00/400.00; pot, no limit 0.01/0.02 to 25.00/50.00"
    )
    with pytest.raises(Refused) as refused:
        bands_for(registry.rulebook("euro"), SPREAD, 1_50, 3_00)
    assert str(refused.value) == (
        "no rake row of rulebook 'euro' covers spread-limit stakes of 1.50/3.00 for real money: its rows (EUR) are "
        "no, pot, half-pot limit at any stakes; fixed, spread limit 0.02/0.04 to 0.50/1.00; "
        "fixed, spread limit 1.00/2.00; fixed, spread limit 2.00/4.00 and up"
    )
