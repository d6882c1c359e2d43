"""The kinds of accounts, by their names."""

import pytest

from projections.kinds import Flow, Kind, UnknownAccount, flows, kind_of, player_of, table_of


@pytest.mark.parametrize(
    ("account", "kind", "table", "player"),
    [
        ("account:ann:eur", Kind.ACCOUNTS, "", "ann"),
        ("account:ann:eur:held", Kind.HELD, "", "ann"),
        ("account:ann:eur:promotion", Kind.PROMOTION, "", "ann"),
        ("transit:account:ann:eur>table:t1", Kind.TRANSIT, "t1", ""),
        ("transit:table:t1>account:ann:eur", Kind.TRANSIT, "t1", ""),
        ("table:t1:player:ann", Kind.TABLES, "t1", "ann"),
        ("hand:t1-17", Kind.TABLES, "t1", ""),
        ("house:rake", Kind.RAKE, "", ""),
        ("house:adjustments", Kind.ADJUSTMENTS, "", ""),
        ("house:promotions", Kind.PROMOTIONS, "", ""),
        ("bank", Kind.BANK, "", ""),
        ("cashier", Kind.CASHIER, "", ""),
    ],
)
def test_an_account_says_its_kind_its_table_and_its_player(account, kind, table, player) -> None:
    assert (kind_of(account), table_of(account), player_of(account)) == (kind, table, player)


def test_an_account_of_no_kind_stops_the_books() -> None:
    with pytest.raises(UnknownAccount, match="no kind of account begins as 'jar:tips' does"):
        kind_of("jar:tips")


def test_who_gained_had_it_from_who_lost() -> None:
    assert flows([(Kind.BANK, -5), (Kind.ACCOUNTS, 5)]) == [Flow(Kind.BANK, Kind.ACCOUNTS, 5)]
    assert flows([(Kind.TRANSIT, -7), (Kind.ACCOUNTS, 5), (Kind.PROMOTION, 2)]) == [
        Flow(Kind.TRANSIT, Kind.ACCOUNTS, 5),
        Flow(Kind.TRANSIT, Kind.PROMOTION, 2),
    ]
    assert flows([(Kind.ACCOUNTS, -5), (Kind.PROMOTION, -2), (Kind.TRANSIT, 7)]) == [
        Flow(Kind.ACCOUNTS, Kind.TRANSIT, 5),
        Flow(Kind.PROMOTION, Kind.TRANSIT, 2),
    ]
    assert flows([(Kind.TABLES, 0)]) == []
