"""Players and floor managers who ask for things, most of them legal: they know what the facts say, and no state of the
room's.
"""

from collections.abc import Iterator
from random import Random
from typing import Any

from domain.hand import commands as ask
from domain.messages import Refused
from domain.rules.registry import GAMES_BY_NAME
from domain.rules.stakes import resolve
from domain.rules.vocabulary import Forced, Limit
from domain.rulings.opening import Form, OpenCards
from domain.table.commands import DealHand, OpenTable, SitDown, StandUp
from services.sealing import boxes
from tests.domain.hand.random_hands import PAIRS, RULEBOOKS, Mood, amounts
from tests.simulation.books import Hand, Table

REASON = boxes.packed(bytes(8), bytes(12), bytes(32))
"""Has the form of a text that was sealed."""

_CROWDED = 0.6
"""How often a game with draws has all its seats, so that its deck runs out."""


def opening(seed: int, number: int, attempt: int) -> OpenTable:
    """The table of that number; one game and limit after the other from seed to seed. Not each attempt can succeed."""
    random = Random(f"{seed} opens table {number}, attempt {attempt}")
    name, limit = PAIRS[(3 * seed + number) % len(PAIRS)]
    game, bet = GAMES_BY_NAME[name], random.choice([10, 10, 20, 200])
    seats = min(game.max_seats, random.choice([2, 2, 3, 4, 6]))
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
    return OpenTable(f"t{number}", "Elm", name, limit, rulebook, small, big, least_buy_in=1, **terms)


# --- at a table ---


def at_table(random: Random, table: Table) -> list[Any]:
    """What is asked of a table next, in order."""
    if table.open_hand:
        return in_hand(random, table)
    rich = [seat for seat, (_, stack) in table.seats.items() if stack]
    broke = [(seat, player) for seat, (player, stack) in table.seats.items() if not stack]
    wanted: list[Any] = [StandUp(table.id, *one) for one in broke if random.random() < 0.5]
    if len(rich) > 2 and random.random() < 0.1:
        seat = random.choice(rich)
        wanted.append(StandUp(table.id, seat, table.seats[seat][0]))
        rich.remove(seat)
    free = [seat for seat in range(1, table.terms["seats"] + 1) if seat not in table.seats]
    random.shuffle(free)
    sitting = max(2 - len(rich), 0) if random.random() < 0.5 else len(free)
    wanted += [sit_down(random, table, seat) for seat in free[:sitting]]
    if len(rich) + sitting >= 2 and random.random() < 0.8:
        wanted.append(DealHand(table.id, table.hands + 1))
    return wanted


def sit_down(random: Random, table: Table, seat: int) -> SitDown:
    bet = max(table.terms["stakes"]["big_blind"], table.terms["stakes"]["big_bet"], table.terms["stakes"]["min_bet"])
    most = random.choice([bet, 3 * bet, 10 * bet, 45 * bet])
    sitting = {player for player, _ in table.seats.values()}
    players = [player for player in (f"p{number}" for number in range(12)) if player not in sitting]
    return SitDown(table.id, seat, random.choice(players), random.randint(1, most))


def in_hand(random: Random, table: Table) -> list[Any]:
    """An answer to what the hand asks; now and then one more for the next decision, before anybody knows that it comes
    (so that one batch holds several of a hand), or a wish."""
    hand = table.hand
    assert hand and hand.asked
    mood = Mood.of(Random(f"the mood of {hand.id} {hand.brought} {hand.players}"))
    wanted: list[Any] = [answer(random, mood, hand)]
    if random.random() < mood.wish:
        wanted.insert(random.randrange(2), wish(random, hand))
    if type(wanted[0]) in (ask.Check, ask.Call, ask.Fold) and random.random() < 0.3:
        seats = sorted(set(hand.stack) - hand.folded)
        after = [seat for seat in seats if seat > hand.asked["seat"]] or seats
        wanted.append(random.choice([ask.Check, ask.Call, ask.Fold])(hand.id, hand.asked["decision"] + 1, after[0]))
    return wanted


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
