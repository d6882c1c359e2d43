"""A hand that another room takes over, wherever it stands, goes on as it would have: same cards, same decisions."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from shutil import copy2
from typing import Any

import pytest

from domain import catalog
from domain.hand import commands as ask
from domain.hand import events as fact
from domain.rulings.readjudicate import Divergence
from projections import queries
from services.bootstrap import KEY_FILE, LOG_FILE, VIEWS_FILE, open_log
from services.eventlog import body, canonical
from services.eventlog.sqlite_commits import SqliteCommits
from services.eventlog.transfer import export_file, import_file
from services.eventlog.verify import verify_log
from services.ports import Ports
from services.room.recording import Answer
from services.room.room import Room
from services.rulings import hand_commits, hand_frames, readjudicate_all, readjudicate_hand
from services.soundness import verify_export, verify_home
from services.views import current_views, rebuild_views
from tests.hands import everything_in
from tests.services.homes import (
    Desk,
    Place,
    SealedChange,
    a_full_table,
    a_table_of_two,
    forge_sealed,
    hand_of,
    in_its_name,
    new_home,
    opener,
    room_over,
    sealer,
    stays_in,
)
from tests.services.sealer import Sealer
from tests.services.test_readjudication import FORGERIES_AT_A_TABLE

HANDS: dict[str, list[Any]] = {
    "a bring-in, and one community card for eight": a_full_table("stud", 8, rulebook="ace", small=2, big=4, ante=1),
    "a vela": a_full_table("telesina", 6, small=2, big=4, ante=1),
    "three draws and a reshuffle": a_full_table("triple-draw", 6, small=2, big=4),
    "a draw, a reshuffle and a vote": a_full_table("draw32", 5, small=2, big=4),
    "a board": a_table_of_two(),
}
"""What opens a table and deals a hand there, in which everybody then stays."""

RESHUFFLED = ("three draws and a reshuffle", "a draw, a reshuffle and a vote")


def backwards(seed: bytes, hand: str, cards: Sequence[int], first: int) -> tuple[int, ...]:
    """An order that two rooms agree on."""
    return tuple(reversed(cards))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def ports(place: Path) -> Ports:
    return new_home(place)


@pytest.fixture
def desk(ports: Ports) -> Desk:
    return Desk(ports)


@contextmanager
def room_at(place: Path, ports: Ports) -> Iterator[Room]:
    with open_log(place, write=True) as log:
        yield room_over(log, ports, backwards)


@pytest.fixture
def room(place: Path, ports: Ports) -> Iterator[Room]:
    with room_at(place, ports) as opened:
        yield opened


def give(room: Room, desk: Desk, args: Any) -> Answer:
    (outcome,) = room.execute([in_its_name(desk, args)])
    assert isinstance(outcome, Answer), outcome
    return outcome


def deal(room: Room, desk: Desk, what: str) -> None:
    for args in HANDS[what]:
        give(room, desk, args)


def play_on(room: Room, desk: Desk) -> list[list[dict[str, Any]]]:
    """What each answer says until the hand is over."""
    answers = []
    while not hand_of(room).settled:
        answers.append(give(room, desk, stays_in(hand_of(room))).events)
    return answers


def play_until(room: Room, desk: Desk, kind: type[Any], count: int = 1) -> None:
    """Play until so many facts of a kind are recorded: the hand is under way then."""
    while len(recorded(room, kind)) < count:
        give(room, desk, stays_in(hand_of(room)))
    assert not hand_of(room).settled


def recorded(room: Room, kind: type[Any]) -> list[Any]:
    events = [one.event for commit in hand_commits(room.log, "t1-1") for one in commit.facts]
    return [event for event in events if type(event) is kind]


def shoe_of(room: Room) -> list[int]:
    """Every card that lies or lay in the hand's shoe, reshuffled ones too."""
    play = room.table("t1")
    assert play.shoe
    return [play.shoe.card(index) for index in range(hand_of(room).indices)]


def opened_in(room: Room, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events of an answer with what lies in their boxes: nobody seals the same box twice."""
    boxes = sealer(room.log, "t1-1")
    for event in events:
        data = event["data"]
        if event["type"] == "hand.cards-dealt" and not data["up"]:
            places = zip(data["indices"], data["cards"], strict=True)
            data["cards"] = [boxes.face(data["seat"], index, box) for index, box in places]
        if event["type"] == "hand.deck-reshuffled":
            data["cards"]["box"] = boxes.order(data["indices"][0], data["cards"])
    return events


def everything_opened(room: Room) -> dict[str, Any]:
    """Every slot of the hand's state, with what lies in its boxes."""
    everything, hand, boxes = everything_in(hand_of(room)), hand_of(room), sealer(room.log, "t1-1")
    everything["hole"] = [
        [boxes.face(seat, index, card) if isinstance(card, str) else card for index, card in zip(*held, strict=True)]
        for seat, held in enumerate(zip(hand.dealt, hand.hole, strict=True))
    ]
    first, decks = 0, []
    for deck in map(asdict, hand.decks):  # type: ignore[arg-type]
        decks.append({**deck, "box": boxes.order(first, deck)})
        first += deck["size"]
    return everything | {"decks": decks}


def brought_in(file: Path, home: Path, source: Path) -> Path:
    """A home that was made of an exported log, and of the keys of its source."""
    home.mkdir()
    import_file(file, home / LOG_FILE)
    copy2(source / KEY_FILE, home / KEY_FILE)
    return home


# --- taken over ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", HANDS)
def test_a_room_that_is_loaded_at_any_decision_knows_all_that_the_live_one_knows(
    room: Room, desk: Desk, what: str
) -> None:
    deal(room, desk, what)
    decisions = 0
    while not hand_of(room).settled:
        decisions += 1
        loaded = room_over(room.log, room.ports, backwards)
        assert everything_in(hand_of(loaded)) == everything_in(hand_of(room))
        assert shoe_of(loaded) == shoe_of(room)
        give(room, desk, stays_in(hand_of(room)))
    assert decisions >= 8
    assert bool(recorded(room, fact.DeckReshuffled)) == (what in RESHUFFLED)


@pytest.mark.parametrize(
    ("what", "kind", "count"),
    [
        ("a bring-in, and one community card for eight", fact.BringInOwed, 1),
        ("a bring-in, and one community card for eight", fact.BoardDealt, 1),
        ("a vela", fact.BoardDealt, 1),
        ("three draws and a reshuffle", fact.CardsDiscarded, 2),
        ("three draws and a reshuffle", fact.DeckReshuffled, 1),
        ("three draws and a reshuffle", fact.DeckReshuffled, 2),
        ("a draw, a reshuffle and a vote", fact.DeckReshuffled, 1),
        ("a draw, a reshuffle and a vote", fact.SplitVoteCast, 2),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else str(value),
)
def test_a_hand_that_is_taken_over_goes_on_exactly_as_the_live_one(
    place: Path, ports: Ports, desk: Desk, tmp_path: Path, what: str, kind: type[Any], count: int
) -> None:
    with ExitStack() as open_rooms:
        live = open_rooms.enter_context(room_at(place, ports))
        deal(live, desk, what)
        play_until(live, desk, kind, count)
        export_file(live.log, tmp_path / "log.hl1")
        other_place = brought_in(tmp_path / "log.hl1", tmp_path / "other", place)
        other = open_rooms.enter_context(room_at(other_place, ports))
        expected = [opened_in(live, events) for events in play_on(live, desk)]
        assert [opened_in(other, events) for events in play_on(other, desk)] == expected
        assert everything_opened(other) == everything_opened(live)


def test_a_stale_draw_is_refused_with_what_all_may_know_and_no_card(room: Room, desk: Desk) -> None:
    deal(room, desk, "a draw, a reshuffle and a vote")
    play_until(room, desk, fact.DrawOffered)
    first = hand_of(room)
    old, seat = first.decision, first.turn.seat  # type: ignore[union-attr]
    play_until(room, desk, fact.CardsDiscarded, 1)
    give(room, desk, ask.DrawTooLate("t1-1", hand_of(room).decision, hand_of(room).turn.seat))  # type: ignore[union-attr]
    (outcome,) = room.execute([desk(ask.Draw("t1-1", old, seat, ()))])
    assert str(outcome).endswith(
        f"since then: seat {seat} discards 4 cards, seat {seat + 1} is too late: it stands pat, "
        "and may neither bet nor raise in the round that follows"
    )


# --- looked at afterwards --------------------------------------------------------------------------------------------


@pytest.fixture
def played_out(place: Path, ports: Ports, desk: Desk, request: pytest.FixtureRequest) -> Path:
    with room_at(place, ports) as room:
        deal(room, desk, request.param)
        play_on(room, desk)
    return place


def of_each_hand(argument: str, hands: Sequence[str] = tuple(HANDS)) -> Callable[..., Any]:
    return pytest.mark.parametrize(argument, hands, indirect=True)


@of_each_hand("played_out")
def test_every_hand_is_sound_decided_the_same_and_comes_through_export_and_import(
    played_out: Path, tmp_path: Path
) -> None:
    with open_log(played_out) as log:
        assert verify_home(log).sound
        assert [found for _, found in readjudicate_all(log, opener(log, None)) if found is not None] == []
        assert readjudicate_hand(log, "t1-1", opener(log, None)) is None
        assert hand_frames(log, "t1-1")[-1].over
        export_file(log, tmp_path / "log.hl1")
    assert verify_export(tmp_path / "log.hl1").sound
    assert views_of(brought_in(tmp_path / "log.hl1", tmp_path / "copy", played_out)) == views_of(played_out)


@of_each_hand("played_out")
def test_the_books_of_every_hand_balance_and_are_rebuilt_row_for_row(played_out: Path) -> None:
    before = views_of(played_out)
    (played_out / VIEWS_FILE).unlink()
    with open_log(played_out) as log:
        rebuild_views(played_out, log)
    assert views_of(played_out) == before


def views_of(home: Path) -> tuple[Any, ...]:
    with open_log(home) as log, current_views(home, log) as store:
        assert queries.proof(store).sound
        return queries.balances(store), queries.hand_headers(store), queries.raked_hands(store)


# --- a reshuffle that was forged by somebody who holds the keys ------------------------------------------------------


def pile_forged(change: Callable[[list[int]], list[int]]) -> SealedChange:
    """Another order or other cards behind the deck, sealed and committed to as a room would do it."""

    def forged(boxes: Sealer, data: dict[str, Any]) -> None:
        first, pile = data["indices"][0], data["cards"]
        data["cards"] = boxes.deck(first, pile, change(boxes.order(first, pile)))

    return forged


def first_and_last_swapped(order: list[int]) -> list[int]:
    return [order[-1], *order[1:-1], order[0]]


def first_and_second_swapped(order: list[int]) -> list[int]:
    return [order[1], order[0], *order[2:]]


def a_card_that_never_was_in_it(order: list[int]) -> list[int]:
    return [*order[:-1], next(card for card in range(20, 52) if card not in order)]


def a_card_left_out(boxes: Sealer, data: dict[str, Any]) -> None:
    pile_forged(lambda order: order[:-1])(boxes, data)
    del data["indices"][-1]


def another_pile(boxes: Sealer, data: dict[str, Any]) -> None:
    data["pile"] = data["pile"][1:]


def another_order_under_the_same_root(boxes: Sealer, data: dict[str, Any]) -> None:
    committed = data["cards"]["root"]
    pile_forged(first_and_last_swapped)(boxes, data)
    data["cards"]["root"] = committed


def a_box_of_another_place(boxes: Sealer, data: dict[str, Any]) -> None:
    """It opens, but as the deck that the hand began with."""
    first, pile = data["indices"][0], data["cards"]
    data["cards"] = boxes.deck(first, pile, boxes.order(first, pile), sealed_at=0)


def lies_open(boxes: Sealer, data: dict[str, Any]) -> None:
    data["cards"] = boxes.order(data["indices"][0], data["cards"])


either_way = pytest.mark.parametrize("alone", [False, True], ids=["the whole log", "the hand alone"])


@of_each_hand("played_out", RESHUFFLED)
@either_way
def test_another_order_of_a_reshuffle_is_named_at_the_first_card_that_came_of_it(played_out: Path, alone: bool) -> None:
    """The order is no result, as that of the deck isn't: the cards are. The first one now is one that its player threw
    away, and is passed over."""
    place = forge_sealed(played_out, "hand.deck-reshuffled", pile_forged(first_and_last_swapped))
    with open_log(played_out) as log:
        found = divergences(log, alone)[0]
    assert (found.shard, found.height, found.index) == (place.shard, place.height, place.index + 1)
    assert catalog.event.dump(found.recorded)[0] == "hand.cards-dealt"


@of_each_hand("played_out", RESHUFFLED[:1])
@either_way
def test_another_order_of_a_reshuffle_is_named_where_a_box_holds_another_card(played_out: Path, alone: bool) -> None:
    place = forge_sealed(played_out, "hand.deck-reshuffled", pile_forged(first_and_second_swapped))
    with open_log(played_out) as log:
        dealt = data_at(log, replace(place, index=place.index + 1))
        found = divergences(log, alone)[0]
    assert (found.shard, found.height) == (place.shard, place.height)
    assert f"the box of card {dealt['indices'][0]} for seat {dealt['seat']} holds" in found.refused


@of_each_hand("played_out", RESHUFFLED)
@either_way
def test_another_pile_than_was_mucked_and_discarded_is_named(played_out: Path, alone: bool) -> None:
    place = forge_sealed(played_out, "hand.deck-reshuffled", another_pile)
    with open_log(played_out) as log:
        assert verify_log(log).sound, "the forger sealed it well"
        found = divergences(log, alone)[0]
    assert Place(found.shard, found.height, found.index) == place


@of_each_hand("played_out", RESHUFFLED)
@either_way
@pytest.mark.parametrize("change", [a_card_left_out, pile_forged(a_card_that_never_was_in_it)])
def test_a_reshuffle_of_other_cards_than_its_pile_is_named(played_out: Path, change: SealedChange, alone: bool) -> None:
    place = forge_sealed(played_out, "hand.deck-reshuffled", change)
    with open_log(played_out) as log:
        assert verify_log(log).sound, "the forger sealed it well"
        found = divergences(log, alone)[0]
        assert Place(found.shard, found.height, found.index) == place


@of_each_hand("played_out", RESHUFFLED)
@pytest.mark.parametrize("change", [a_card_left_out, another_pile, lies_open])
def test_a_reshuffle_is_found_wrong_without_keys_where_cards_are_missing_or_lie_open(
    played_out: Path, change: SealedChange
) -> None:
    place = forge_sealed(played_out, "hand.deck-reshuffled", change)
    with open_log(played_out) as log:
        assert verify_log(log).sound, "the forger sealed it well"
        assert [(found.shard, found.height) for found in verify_home(log).findings] == [(place.shard, place.height)]


@of_each_hand("played_out", RESHUFFLED)
@either_way
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (another_order_under_the_same_root, "from card {first} on isn't the one that its root was made of"),
        (a_box_of_another_place, "the box doesn't open as the reshuffle from card {first} in hand t1-1"),
    ],
)
def test_a_pile_that_is_not_what_was_committed_to_is_named_once(
    played_out: Path, change: SealedChange, sentence: str, alone: bool
) -> None:
    place = forge_sealed(played_out, "hand.deck-reshuffled", change)
    with open_log(played_out) as log:
        first = data_at(log, place)["indices"][0]
        (found,) = divergences(log, alone)
    assert (found.shard, found.height) == (place.shard, place.height)
    assert sentence.format(first=first) in found.refused


def data_at(log: SqliteCommits, place: Place) -> dict[str, Any]:
    """What the event there says."""
    data: dict[str, Any] = canonical.decode(log.record(place.shard, place.height).body)["events"][place.index]["data"]
    return data


def divergences(log: SqliteCommits, alone: bool) -> list[Divergence]:
    verdicts = (
        [readjudicate_hand(log, "t1-1", opener(log, None))]
        if alone
        else [found for _, found in readjudicate_all(log, opener(log, None))]
    )
    return [found for found in verdicts if isinstance(found, Divergence)]


# --- the room that bots played ---------------------------------------------------------------------------------------


OF_PLAY = {name for name in catalog.event.by_name if name.startswith(("hand.", "table."))}
"""What the office records of the room is played by `test_office.py`, what nodes do by `tests/node`, and what becomes of
money by `test_readjudicated_money.py`."""

NOT_BY_BOTS = {
    "hand.all-in-protected", "hand.out-of-time", "hand.player-left",
    "table.blinds-missed", "table.player-came-back", "table.player-leaving", "table.player-sat-out",
    "table.connection-lost", "table.connection-restored",
    "table.closing", "table.reopened", "table.closing-with-room", "table.reopened-with-room",
    "table.dealing-started", "table.dealing-stopped", "table.paused", "table.resumed",
    "table.player-frozen", "table.player-unfrozen",
}  # fmt: skip
"""Bots act in time, stay connected and at the table, and no floor looks after them. What others do `table_life.py`
plays, over which `test_readjudication.py` goes."""


def test_every_kind_of_fact_of_play_lies_in_the_room_that_bots_played(played: Path) -> None:
    """So that the tests over it are over all of them."""
    with open_log(played) as log:
        records = [record for shard in range(log.shards) for record in log.read(shard)]
    events = [event for record in records for event in body.decode(record.body).events]
    found = {event["type"] for event in events}
    assert OF_PLAY - found == NOT_BY_BOTS
    assert {type_ for type_, _, _ in FORGERIES_AT_A_TABLE} >= NOT_BY_BOTS
