"""Players with accounts, and the cage: they bring money to tables and ask for all that accounts can do, and can't."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from domain.account import commands as ask
from domain.account.events import LimitKind, Period
from tests.simulation.accounts_book import DAY, Account
from tests.simulation.money_book import Money
from tests.simulation.players import PLAYERS, REASON, bring
from tests.simulation.table_book import Table


def buys_in(random: Random, money: Money, table: Table, seat: int) -> list[Any]:
    """Somebody comes to a table with money of his account, which he may have to open and to fill first."""
    currency, least = table.terms["currency"], table.opened["least_buy_in"]
    sitting = {one.player for one in table.seats.values()}
    player = random.choice([player for player in PLAYERS if player not in sitting])
    file, account = money.file(player), money.account(player, currency)
    if file.frozen and random.random() < 0.5:
        return [ask.Unfreeze(player, REASON)]
    has = 0 if account is None else account.balance + account.promotion
    most = max(least, bring(random, table))
    amount = random.randint(least, most)
    wanted: list[Any] = [] if account else [ask.OpenAccount(player, currency)]
    if has < amount or random.random() < 0.1:
        wanted.append(_fill(random, player, currency, amount * random.choice([1, 1, 3])))
    return [*wanted, ask.BuyIn(player, currency, table.id, seat, amount, random.random() < 0.7)]


def _fill(random: Random, player: str, currency: str, amount: int) -> Any:
    if currency == "PLAY" or random.random() < 0.2:
        return ask.GrantPromotion(player, currency, amount, "welcome")
    return ask.Deposit(player, currency, amount, f"pay{random.randrange(10**9)}")


def newcomer(table: Table, number: int) -> str:
    """Who has no past in the room."""
    return f"n{table.id}x{number}"


def comes_at_last(table: Table, seat: int, number: int) -> list[Any]:
    """A newcomer with as much as the table asks for."""
    player, currency, amount = newcomer(table, number), table.terms["currency"], table.opened["least_buy_in"]
    filled = ask.GrantPromotion(player, currency, amount, "") if currency == "PLAY" else None
    return [
        ask.OpenAccount(player, currency),
        filled or ask.Deposit(player, currency, amount, "first"),
        ask.BuyIn(player, currency, table.id, seat, amount),
    ]


def at_the_cage(random: Random, money: Money, table: Table, now: int) -> list[Any]:
    """One thing that is asked of some account, or of a player's file, by him, the cage or the floor."""
    accounts = list(money.accounts.values())
    if not accounts:
        return []
    kind = random.choice(_KINDS)
    has = _HAS.get(kind)
    return list(kind(random, random.choice([one for one in accounts if has and has(one)] or accounts), table, now))


def _who(account: Account) -> tuple[str, str]:
    return account.file.id, account.opened["currency"]


def _is_real(account: Account) -> bool:
    return bool(account.opened["kind"] == "real")


def _some(random: Random, of: int) -> int:
    """Of so much: all, a part, one unit too much, or far too much."""
    return random.choice([max(of, 1), random.randint(1, max(of, 1)), of + 1, 10 * of + 7])


def _top_up(random: Random, account: Account, table: Table, now: int) -> Iterator[Any]:
    seats = [(number, one.player) for number, one in table.seats.items()] or [(1, account.file.id)]
    seat, player = random.choice(seats)
    yield ask.TopUp(player, table.terms["currency"], table.id, seat, _some(random, table.opened["least_buy_in"]))


def _more(account: Account, table: Table, amount: int) -> Iterator[Any]:
    """He brings more to where he sits, or takes a seat."""
    seats = [number for number, one in table.seats.items() if one.player == account.file.id]
    if seats:
        yield ask.TopUp(*_who(account), table.id, seats[0], amount)
    else:
        free = [number for number in range(1, table.terms["seats"] + 1) if number not in table.seats]
        yield ask.BuyIn(*_who(account), table.id, (free or [1])[0], table.opened["least_buy_in"])


def _elsewhere(random: Random, account: Account, table: Table, now: int) -> Iterator[Any]:
    """A buy-in that the table may refuse: another currency, a seat that is taken, an amount that isn't right."""
    seat = random.choice(sorted(table.seats) or [1])
    yield ask.BuyIn(*_who(account), table.id, seat, _some(random, account.balance + account.promotion))


def _withdraw(random: Random, account: Account, table: Table, now: int) -> Iterator[Any]:
    yield ask.Withdraw(*_who(account), _some(random, account.balance), f"out{now}")


def _hold(random: Random, account: Account, table: Table, now: int) -> Iterator[Any]:
    hold, amount = f"h{random.randrange(4)}", _some(random, account.balance)
    yield ask.Hold(*_who(account), hold, amount)
    if random.random() < 0.5:
        paid_out = ask.Withdraw(*_who(account), amount, f"held{now}", hold)
        yield random.choice([ask.ReleaseHold(*_who(account), hold), paid_out])


def _end_hold(random: Random, account: Account, table: Table, now: int) -> Iterator[Any]:
    for hold, amount in account.holds.items():
        if random.random() < 0.6:
            yield ask.ReleaseHold(*_who(account), hold)
        else:
            yield ask.Withdraw(*_who(account), amount + (random.random() < 0.1), f"{hold}{now}", hold)


def _adjust(random: Random, account: Account, table: Table, now: int) -> Iterator[Any]:
    amount = random.choice([-1, 1]) * _some(random, account.balance)
    second = random.choice(["", "floor:bob", "floor:bob", "floor:ann"])
    yield ask.Adjust(*_who(account), amount, "floor:ann", second, random.choice([REASON, REASON, ""]))
    if second:
        yield ask.ChangeAloneLimit(*_who(account), abs(amount), "floor:ann", second, REASON)


def _promotion(random: Random, account: Account, table: Table, now: int) -> Iterator[Any]:
    if random.random() < 0.5:
        yield ask.GrantPromotion(*_who(account), random.randint(1, 500), "spring")
    else:
        yield ask.TakeBackPromotion(*_who(account), _some(random, account.promotion), "spring")


def _deposit(random: Random, account: Account, table: Table, now: int) -> Iterator[Any]:
    """New ones, and payments that were booked before."""
    reference = random.choice([*sorted(account.references), f"pay{random.randrange(10**9)}"])
    yield ask.Deposit(*_who(account), random.randint(1, 1000), reference)


def _limit(random: Random, account: Account, table: Table, now: int) -> Iterator[Any]:
    """He limits himself, and then asks for what is too much only together."""
    kind, period = random.choice(list(LimitKind)), random.choice(list(Period))
    most = random.choice([None, 0, 5, 60, 500, 500, 5000])
    yield ask.SetLimit(account.file.id, kind, period, "" if kind is LimitKind.SESSION else _who(account)[1], most)
    amounts = [random.randint((most or 20) // 2 + 1, most or 20) for _ in range(2)]
    for amount in amounts:
        if kind is LimitKind.DEPOSIT:
            yield ask.Deposit(*_who(account), amount, f"pay{random.randrange(10**9)}")
        else:
            yield from _more(account, table, amount)


def _away(random: Random, account: Account, table: Table, now: int) -> Iterator[Any]:
    until = now + random.choice([-1, 1, 60, 24 * 3600]) * 1_000_000
    if random.random() < 0.6:
        yield ask.CoolOff(account.file.id, until)
    else:
        yield ask.Exclude(account.file.id, random.choice([None, until, now + 30 * DAY]))


def _freeze(random: Random, account: Account, table: Table, now: int) -> Iterator[Any]:
    if not account.file.frozen:
        yield ask.Freeze(account.file.id, REASON)
    if account.file.frozen or random.random() < 0.3:
        yield ask.Unfreeze(account.file.id, REASON)


_HAS: dict[Any, Callable[[Account], object]] = {
    _hold: lambda account: _is_real(account) and account.balance,
    _withdraw: lambda account: _is_real(account) and account.balance,
    _adjust: lambda account: account.balance,
    _end_hold: lambda account: account.holds,
    _promotion: lambda account: account.promotion,
    _freeze: lambda account: account.file.frozen,
}
"""With whose account it is done, if there is one such."""

_KINDS: tuple[Callable[[Random, Account, Table, int], Iterator[Any]], ...] = (
    _top_up, _top_up, _elsewhere, _withdraw, _hold, _hold, _end_hold, _end_hold, _adjust, _promotion, _deposit, _limit,
    _limit, _away, _freeze,
)  # fmt: skip
