"""Integer money: amounts as people write them, and the one division."""

import pytest

from domain.money import BadAmount, Money, decimal_text, divide, round_down, round_up


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [("2.50", "EUR", 250), ("2.5", "EUR", 250), ("2", "EUR", 200), ("0.05", "USD", 5), ("1500", "CHIPS", 1500)],
)
def test_an_amount_is_read_in_minor_units(text: str, currency: str, amount: int) -> None:
    assert Money.parse(text, currency) == Money(amount, currency)


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("2.505", "EUR"), ("2,50", "EUR"), ("-2", "EUR"), ("", "EUR"), (".5", "EUR"), ("5.", "EUR"), ("1.5", "CHIPS"),
        ("1e3", "EUR"), ("5.\u00b2", "EUR"), ("5.\u0663", "EUR"), ("\u0663", "EUR"), ("9" * 20, "CHIPS"),
    ],
)  # fmt: skip
def test_anything_else_is_no_amount(text: str, currency: str) -> None:
    with pytest.raises(BadAmount, match=f"is no amount of {currency}: digits with at most"):
        Money.parse(text, currency)


def test_an_unknown_currency_is_told_which_there_are() -> None:
    with pytest.raises(BadAmount, match="unknown currency 'XYZ': one of EUR, USD"):
        Money.parse("1", "XYZ")


def test_an_amount_is_written_with_its_decimal_places() -> None:
    assert [decimal_text(amount, 2) for amount in (250, 5, -5, 0)] == ["2.50", "0.05", "-0.05", "0.00"]
    assert str(Money(1500, "CHIPS")) == "1500 CHIPS"


def test_a_division_returns_the_odd_chips() -> None:
    assert divide(103, 2, 1) == (51, 1)
    assert divide(100, 3, 1) == (33, 1)
    assert divide(130, 2, 25) == (50, 30)


def test_rounding_is_to_whole_units() -> None:
    assert (round_down(37, 25), round_up(37, 25), round_down(50, 25), round_up(50, 25)) == (25, 50, 50, 50)
