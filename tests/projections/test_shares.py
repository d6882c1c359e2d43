"""An amount shared by weight (largest remainder)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.shares import shares


@pytest.mark.parametrize(
    ("amount", "weights", "parts"),
    [
        # 3.00 of rake on 20, 20 and 20: a third each.
        (3_00, [20_00, 20_00, 20_00], [1_00, 1_00, 1_00]),
        # 0.25 on 3.00, 1.50, 0.50: 15, 7.5 and 2.5 cents; the two halves tie for the cent: the first has it.
        (25, [3_00, 1_50, 50], [15, 8, 2]),
        # 0.10 on 1, 1, 1: 3.33 each; the cent that is left goes to the first.
        (10, [1, 1, 1], [4, 3, 3]),
        # 0.07 on 5, 3, 1: 3.89, 2.33, 0.78; rounded down 3, 2, 0, and the two cents left go to .89 and .78.
        (7, [5, 3, 1], [4, 2, 1]),
        # Who put nothing in bears nothing.
        (5, [0, 2_00, 0, 1_00], [0, 3, 0, 2]),
        (0, [7, 3], [0, 0]),
        (0, [0, 0], [0, 0]),
        (0, [], []),
    ],
)
def test_each_bears_his_part_and_what_is_left_goes_to_the_largest_remainders(amount, weights, parts) -> None:
    assert shares(amount, weights) == parts


def test_nothing_can_be_shared_by_nobody() -> None:
    with pytest.raises(ValueError, match="5 can't be shared among weights that sum to 0"):
        shares(5, [0, 0])


@given(st.integers(0, 10**15), st.lists(st.integers(0, 10**15), min_size=1, max_size=10).filter(any))
def test_the_parts_sum_to_the_amount_and_none_is_a_whole_unit_off(amount, weights) -> None:
    parts = shares(amount, weights)
    assert sum(parts) == amount
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part * sum(weights) - amount * weight) < sum(weights)
