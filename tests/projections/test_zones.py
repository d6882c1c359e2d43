"""The room's days: events are UTC, a day ends at the room's own midnight (scenario 54)."""

from datetime import datetime

import pytest

from domain.room import ShardOpened
from projections.commit import Commit, CommittedFact
from projections.view import MissingRow, Rows
from projections.zones import ZONES, Zone, day_of, local_day, local_time, moment, note_zone

HALF_PAST_THREE = 1_767_238_200_000_000
"""2026-01-01 03:30 UTC."""


@pytest.mark.parametrize(
    ("zone", "day", "time"),
    [
        ("UTC", "2026-01-01", "2026-01-01 03:30:00"),
        ("America/New_York", "2025-12-31", "2025-12-31 22:30:00"),  # five hours behind
        ("America/Los_Angeles", "2025-12-31", "2025-12-31 19:30:00"),  # eight
        ("Europe/Vienna", "2026-01-01", "2026-01-01 04:30:00"),
        ("Pacific/Kiritimati", "2026-01-01", "2026-01-01 17:30:00"),  # fourteen before
    ],
)
def test_a_hand_at_half_past_three_utc_was_played_the_day_before_in_america(zone, day, time) -> None:
    assert local_day(HALF_PAST_THREE, zone) == day
    assert local_time(HALF_PAST_THREE, zone) == time
    assert moment(datetime.fromisoformat(time), zone) == HALF_PAST_THREE


def test_a_day_ends_at_midnight_to_the_microsecond() -> None:
    midnight = 1_767_225_600_000_000
    assert local_day(midnight, "UTC") == "2026-01-01"
    assert local_day(midnight - 1, "UTC") == "2025-12-31"


def test_the_day_on_which_the_clocks_change_has_twenty_three_hours() -> None:
    """29 March 2026, Vienna: from 2:00 it is 3:00."""
    first, next_ = (moment(datetime.fromisoformat(f"2026-03-{day}"), "Europe/Vienna") for day in (29, 30))
    assert next_ - first == 23 * 3_600_000_000
    assert local_day(first, "Europe/Vienna") == local_day(next_ - 1, "Europe/Vienna") == "2026-03-29"


def test_a_shard_counts_days_in_the_zone_that_it_was_opened_with() -> None:
    zones: Rows[Zone] = Rows(ZONES)
    opened = ShardOpened("room", "00", 3, 4, "America/New_York", "00" * 8, ())
    note_zone(zones, Commit(3, 0, 0, [CommittedFact("shard:3", 1, opened)]))
    assert day_of(zones, Commit(3, 7, HALF_PAST_THREE, [])) == "2025-12-31"
    with pytest.raises(MissingRow, match=r"zones has no row \(2,\)"):
        day_of(zones, Commit(2, 7, HALF_PAST_THREE, []))
