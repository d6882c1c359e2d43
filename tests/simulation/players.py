"""Players and floor managers who ask for things, most of them legal: they know what the facts say, and no state of the
room's.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from domain.account.commands import Unfreeze
from domain.hand import commands as ask
from domain.messages import Refused
from domain.rules.registry import GAMES_BY_NAME
from domain.rules.stakes import resolve
from domain.rules.vocabulary import Forced, Limit
from domain.rulings.opening import Form, OpenCards
from domain.table.commands import (
    CloseAfterHand,
    ComeBack,
    DealHand,
    FreezePlayer,
    LoseConnection,
    OpenTable,
    PauseTable,
    RemovePlayer,
    ReopenTable,
    RestoreConnection,
    ResumeTable,
    SitDown,
    SitOut,
    StandUp,
    StartDealing,
    StopDealing,
    UnfreezePlayer,
)
from domain.table.events import Funds
from domain.transfers import AccountCloseTransfer, AccountReceiveTransfer, Purpose, TableReceiveTransfer
from services.sealing import boxes
from tests.domain.hand.random_hands import PAIRS, RULEBOOKS, Mood, amounts
from tests.simulation.books import Hand
from tests.simulation.seats_book import Seat
from tests.simulation.table_book import Table

REASON = boxes.packed(bytes(8), bytes(12), bytes(32))
"""Has the form of a text that was sealed."""

PLAYERS = tuple(f"p{number}" for number in range(12))
SHAKY = PLAYERS[:3]
"""Those whose connection is often lost."""

SLEEPY = PLAYERS[3:5]
"""Those who sit out for long."""

_THIRSTY = 0.5
"""How often a game with draws is played so that its deck runs out."""

_FAST = 0.5
"""How often a game with blinds is played so that all fold: many hands in few steps, and seats that change between."""

_CROWDED = 0.6
"""How often a game with draws has all its seats, so that its deck runs out."""


def opening(seed: int, number: int, attempt: int) -> OpenTable:
    """The table of that number; one game and limit after the other from seed to seed. Not each attempt can succeed."""
    random = Random(f"{seed} opens table {number}, attempt {attempt}")
    name, limit = PAIRS[(3 * seed + number) % len(PAIRS)]
    game, bet = GAMES_BY_NAME[name], random.choice([10, 10, 20, 200])
    seats = min(game.max_seats, random.choice([2, 4, 6, 6] if game.forced is Forced.BLINDS else [2, 2, 3, 4, 6]))
    if any(street.draw for street in game.streets) and random.random() < _CROWDED:
        seats = game.max_seats
    kind = random.choice(["real", "real", "play", "tournament"]) if attempt < 3 else "play"
    for _ in range(5):
        rulebook = random.choice(RULEBOOKS)
        (small, big), more = amounts(random, game, Limit(limit), rulebook, bet)
        if kind == "tournament" and game.forced is Forced.BLINDS and random.random() < 0.5:
            more["ante"] = 5
        terms: dict[str, Any] = {
            "kind": kind, "currency": {"real": "EUR", "play": "PLAY", "tournament": "CHIPS"}[kind],
            "seats": seats, "chip_unit": random.choice([1, 1, 5]), **more,
        }  # fmt: skip
        try:
            resolve(name, limit, rulebook, small, big, **terms)
        except Refused:
            continue
        break
    return OpenTable(
        f"t{number}",
        "Elm",
        name,
        limit,
        rulebook,
        small,
        big,
        least_buy_in=1,
        **terms,
        **more_of_the_table(random, kind),
    )


def more_of_the_table(random: Random, kind: str) -> dict[str, Any]:
    """Its maximum, its clocks, and whether blinds are owed there."""
    return {
        "most_buy_in": random.choice([0, 0, 2000]),
        "failure_grace": random.choice([0, 0, 20]),
        "seat_rules": random.random() < 0.9,
        "funds": Funds.ACCOUNTS if kind != "tournament" and random.random() < 0.6 else Funds.CASHIER,
    }


# --- at a table ---


Comes = Callable[[Random, Table, int], list[Any]]
"""What somebody asks for who wants a seat."""


def at_table(random: Random, table: Table, comes: Comes) -> list[Any]:
    """What is asked of a table next, in order."""
    wanted = [*seat_by_seat(random, table), *the_floor(random, table)]
    if table.under_way and table.under_way.asked:
        return [*wanted, *in_hand(random, table.under_way, table)]
    return [*wanted, *between_hands(random, table, comes)]


def between_hands(random: Random, table: Table, comes: Comes) -> list[Any]:
    """Some go, some come, and a hand is dealt."""
    goes = {number for number, seat in table.seats.items() if goes_now(random, table, seat)}
    wanted: list[Any] = [StandUp(table.id, number, table.seats[number].player) for number in sorted(goes)]
    able = [number for number, seat in table.seats.items() if seat.able and number not in goes]
    free = [number for number in range(1, table.terms["seats"] + 1) if number not in table.seats]
    random.shuffle(free)
    sitting = max(2 - len(able), 0) if random.random() < 0.5 else len(free)
    if table.by_account:
        sitting = min(sitting, 3)
    wanted += [one for seat in free[:sitting] for one in comes(random, table, seat)]
    if len(able) + sitting >= 2 and random.random() < 0.8:
        wanted.append(DealHand(table.id, table.hands + 1))
    return wanted


def goes_now(random: Random, table: Table, seat: Seat) -> bool:
    """Whether somebody stands up: most who must, half of the broke, now and then one who has chips."""
    stays = 0.08 if is_fast(table) else 0.03
    chance = 0.7 if seat.leaving or table.closing else stays if seat.stack else 0.5
    return random.random() < chance


def sits_down(random: Random, table: Table, seat: int) -> list[Any]:
    """Somebody comes with money for the cashier."""
    sitting = {one.player for one in table.seats.values()}
    players = [player for player in PLAYERS if player not in sitting]
    least = table.opened["least_buy_in"]
    amount = random.randint(least, max(least, bring(random, table)))
    return [SitDown(table.id, seat, random.choice(players), amount, random.random() < 0.7)]


def bring(random: Random, table: Table) -> int:
    """The most that somebody thinks of sitting down with."""
    bet = max(table.terms["stakes"]["big_blind"], table.terms["stakes"]["big_bet"], table.terms["stakes"]["min_bet"])
    most = random.choice([bet, 3 * bet, 10 * bet, 45 * bet])
    return int(min(most, table.opened["most_buy_in"] or most))


def seat_by_seat(random: Random, table: Table) -> Iterator[Any]:
    """Some sit out and come back, some are cut off and return, some leave while they are in a hand."""
    fast = is_fast(table)
    for number, seat in table.seats.items():
        given = (table.id, number, seat.player)
        if seat.out and random.random() < (0.02 if seat.player in SLEEPY else 0.25):
            yield ComeBack(*given, random.random() < 0.8)
        elif not seat.out and random.random() < (0.4 if seat.player in SLEEPY else 0.1 if fast else 0.04):
            yield SitOut(*given)
        elif seat.enters and random.random() < 0.05:
            yield ComeBack(*given, not seat.posts)
        if random.random() < (0.15 if not seat.connected else 0.3 if seat.player in SHAKY else 0.02):
            yield (LoseConnection if seat.connected else RestoreConnection)(*given)
        if table.in_hand(number) and random.random() < 0.01:
            yield ask.Leave(table.open_hand, number)


def the_floor(random: Random, table: Table) -> Iterator[Any]:
    """The floor stops something, now and then, and allows it again."""
    for one in taken_back(table):
        if random.random() < 0.35:
            yield one
    if random.random() < 0.04:
        yield random.choice([PauseTable, StopDealing, CloseAfterHand])(table.id, REASON)
    if table.seats and random.random() < 0.03:
        number = random.choice(sorted(table.seats))
        yield random.choice([FreezePlayer, RemovePlayer])(table.id, number, table.seats[number].player, REASON)


def taken_back(table: Table) -> Iterator[Any]:
    """All that allows again what the floor has stopped."""
    for stopped, command in (
        (table.paused, ResumeTable),
        (not table.dealing, StartDealing),
        (table.closing, ReopenTable),
    ):
        if stopped:
            yield command(table.id, REASON)
    for number, seat in table.seats.items():
        if "seat" in seat.freezes:
            yield UnfreezePlayer(table.id, number, seat.player, REASON)
        if "money" in seat.freezes:
            yield Unfreeze(seat.player, REASON)


def in_hand(random: Random, hand: Hand, table: Table) -> list[Any]:
    """An answer to what the hand asks; now and then one more for the next decision, before anybody knows that it comes
    (so that one batch holds several of a hand), or a wish."""
    assert hand.asked
    mood = Mood.of(Random(f"the mood of {hand.id} {hand.brought} {hand.players}"))
    if is_fast(table):
        return [*all_fold(hand), DealHand(table.id, table.hands + 1)]
    if hand.asked["type"] in ("hand.draw-offered", "hand.turn-given") and is_thirsty(table):
        return all_stay(hand)
    too_late = nobody_answers(random, hand, table.seats.get(hand.asked["seat"]))
    if too_late:
        return too_late
    wanted: list[Any] = [answer(random, mood, hand)]
    if random.random() < mood.wish:
        wanted.insert(random.randrange(2), wish(random, hand))
    if type(wanted[0]) in (ask.Check, ask.Call, ask.Fold) and random.random() < 0.3:
        seats = sorted(set(hand.stack) - hand.folded)
        after = [seat for seat in seats if seat > hand.asked["seat"]] or seats
        wanted.append(random.choice([ask.Check, ask.Call, ask.Fold])(hand.id, hand.asked["decision"] + 1, after[0]))
    return wanted


def is_fast(table: Table) -> bool:
    """Whether its hands are short."""
    return (
        bool(table.terms["stakes"]["big_blind"])
        and not is_thirsty(table)
        and Random(f"{table.opened} is fast").random() < _FAST
    )


def all_fold(hand: Hand) -> list[Any]:
    """What ends a hand at once, if it arrives in order."""
    asked = hand.asked
    assert asked
    if asked["type"] != "hand.turn-given":
        return [leaves(hand)]
    seats = sorted(set(hand.stack) - hand.folded, key=lambda seat: (seat - asked["seat"]) % 10)
    return [ask.Fold(hand.id, asked["decision"] + at, seat) for at, seat in enumerate(seats[:-1])]


def is_thirsty(table: Table) -> bool:
    """Whether all stay in its hands and draw as much as they may, so that its deck runs out."""
    draws = any(street.draw for street in GAMES_BY_NAME[table.terms["game"]].streets)
    return draws and Random(f"{table.opened} is thirsty").random() < _THIRSTY


def all_stay(hand: Hand) -> list[Any]:
    """What plays a round at once, if it arrives in order: all check or call, or all draw."""
    asked = hand.asked
    assert asked
    seats = sorted(set(hand.stack) - hand.folded, key=lambda seat: (seat - asked["seat"]) % 10)
    if asked["type"] == "hand.draw-offered":
        return [
            ask.Draw(hand.id, asked["decision"] + at, seat, tuple(hand.held[seat][: asked["most"]]))
            for at, seat in enumerate(seats)
        ]
    stays = ask.Call if asked["call"] else ask.Check
    return [stays(hand.id, asked["decision"] + at, seat) for at, seat in enumerate(seats)]


def nobody_answers(random: Random, hand: Hand, seat: Seat | None) -> list[Any]:
    """What the clock asks for where a player is cut off, or takes too long; it isn't always right."""
    asked = hand.asked
    assert asked
    away = seat is not None and not seat.connected
    if random.random() > (0.6 if away else 0.03):
        return []
    given = (hand.id, asked["decision"], asked["seat"])
    late = ask.DrawTooLate if asked["type"] == "hand.draw-offered" else ask.ActTooLate
    return [(ask.Protect if random.random() < (0.7 if away else 0.3) else late)(*given)]


def answer(random: Random, mood: Mood, hand: Hand) -> Any:
    """One legal command."""
    asked = hand.asked
    assert asked
    seat = asked["seat"]
    given = (hand.id, asked["decision"], seat)
    match asked["type"]:
        case "hand.bring-in-owed":
            return ask.BringIn(*given, random.choice([asked["least"], asked["most"]]))
        case "hand.draw-offered":
            if random.random() < mood.late:
                return ask.DrawTooLate(*given)
            count = asked["most"] if random.random() < 0.5 else random.randint(0, asked["most"])
            return ask.Draw(*given, tuple(random.sample(hand.held[seat], count)))
        case "hand.split-offered" if random.random() < mood.agree or not hand.stack[seat]:
            return ask.VoteToSplit(*given, bool(hand.stack[seat]) or random.random() < mood.agree)
    if asked["most"] and random.random() < mood.bet:
        to = asked["most"] if random.random() < mood.most else random.choice(_between(random, hand))
        return (ask.Raise if hand.wager else ask.Bet)(*given, to)
    if random.random() < mood.fold:
        return ask.Fold(*given)
    return ask.Call(*given) if asked["call"] else ask.Check(*given)


def _between(random: Random, hand: Hand) -> list[int]:
    """Some amounts that may be put in."""
    assert hand.asked
    least, most, unit = hand.asked["least"], hand.asked["most"], hand.opened["chip_unit"]
    if hand.opened["limit"] == "fixed":
        return [least, most]
    between = random.randint(least, min(most, 4 * least))
    return [least, most, max(least, between - between % unit)]


def wish(random: Random, hand: Hand) -> Any:
    kind = random.choice([ask.GiveUpAtShowdown, ask.AskToShow])
    return kind(hand.id, random.choice(sorted(set(hand.stack) - hand.folded)))


def leaves(hand: Hand) -> Any:
    """What ends a hand soon: a fold wherever one is legal."""
    asked = hand.asked
    assert asked
    given = (hand.id, asked["decision"], asked["seat"])
    match asked["type"]:
        case "hand.bring-in-owed":
            return ask.BringIn(*given, asked["least"])
        case "hand.draw-offered":
            return ask.Draw(*given, ())
        case "hand.split-offered" if not hand.stack[asked["seat"]]:
            return ask.VoteToSplit(*given, agree=True)
    return ask.Fold(*given)


# --- what isn't legal ---


def illegal(table: Table) -> Iterator[Any]:
    """Commands that the table must refuse."""
    yield DealHand(table.id, table.hands + 2)
    yield DealHand(table.id, table.hands)
    yield (
        SitDown(table.id, 10 if table.terms["seats"] < 10 else 1, "p1", 10**12)
        if table.open_hand
        else StandUp(table.id, 1, "nobody")
    )
    yield TableReceiveTransfer(
        table.id, "account:p1:eur", 1, 100, "EUR", Purpose.BUY_IN, "p1", 1, 0, True
    )  # out of nothing, unless the room says so
    yield AccountReceiveTransfer("p1", "EUR", f"table:{table.id}", 1, 100, Purpose.CASH_OUT, 1, 0)
    yield AccountCloseTransfer("p1", "EUR", f"table:{table.id}", 1, False, "so that it comes back")
    hand = table.hand
    if hand is None:
        return
    if hand.asked_before:
        yield ask.Check(hand.id, hand.asked_before["decision"], hand.asked_before["seat"])
        yield ask.Fold(hand.id, hand.asked_before["decision"], hand.asked_before["seat"])
    if hand.asked is None:
        yield ask.Fold(hand.id, hand.decisions, min(hand.stack))
        yield ask.AskToShow(hand.id, min(hand.stack))
        return
    seat, decision = hand.asked["seat"], hand.asked["decision"]
    yield ask.Check(hand.id, decision, seat % 10 + 1)
    yield ask.ActTooLate(hand.id, decision, seat)
    yield ask.Protect(hand.id, decision, seat)
    yield ask.Check(hand.id, decision + 1, seat)
    yield ask.Fold(f"{table.id}-{table.hands + 1}", decision, seat)
    yield StandUp(table.id, seat, hand.players[seat])
    yield ask.Draw(hand.id, decision, seat, (len(hand.order),))
    if "least" in hand.asked:
        kind = ask.BringIn if hand.asked["type"] == "hand.bring-in-owed" else ask.Raise if hand.wager else ask.Bet
        yield kind(hand.id, decision, seat, hand.asked["most"] + 1)
        yield kind(hand.id, decision, seat, max(0, hand.asked["least"] - 1))


# --- the office ---


def at_the_office(random: Random, hand: Hand) -> OpenCards:
    """An opening of cards: legal, or by one person where it takes two, or of a seat that isn't there."""
    seats = tuple(random.sample(sorted(hand.stack), random.randint(0, 2)))
    second = random.choice(["floor:bob", "floor:bob", "", "floor:ann"])
    form = random.choice(list(Form))
    if random.random() < 0.1:
        seats = (*seats, 10)
    return OpenCards(
        hand.id, form, seats, random.random() < 0.3, second, random.choice([REASON, REASON, REASON, "", "c2VhbGVk"])
    )
