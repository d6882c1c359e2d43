"""A log that was forged and sealed anew: the chain is sound, and deciding again names exactly the event."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain import catalog
from domain.cards import FACES
from domain.hand.events import HandOpened
from domain.messages import Command
from domain.rulings.readjudicate import Divergence, RecordedCommit, readjudicate
from services.bootstrap import open_log, open_writer
from services.eventlog import canonical
from services.eventlog.log import Log
from services.eventlog.verify import verify_log
from services.room.room import Room
from services.rulings import played_commits, readjudicate_all, readjudicate_hand
from tests.services.homes import (
    Change,
    Desk,
    Place,
    a_table_of_two,
    forge,
    forge_event,
    in_its_name,
    new_home,
    opener,
    room_over,
)
from tests.services.money_life import FORGERIES_OF_MONEY
from tests.services.table_life import live


def add(field: str, amount: int = 1) -> Change:
    def change(data: dict[str, Any]) -> Any:
        if data[field] + amount < 0:
            return False
        data[field] += amount
        return True

    return change


def put(field: str, value: Any) -> Change:
    def change(data: dict[str, Any]) -> Any:
        if data[field] == value:
            return False
        data[field] = value
        return True

    return change


def first_of(field: str, amount: int = 1) -> Change:
    """One more in the first of several amounts."""

    def change(data: dict[str, Any]) -> Any:
        data[field] = [data[field][0] + amount, *data[field][1:]]

    return change


def another_card(data: dict[str, Any]) -> Any:
    data["cards"] = [(data["cards"][0] + 1) % len(FACES), *data["cards"][1:]]


def another_card_face_up(data: dict[str, Any]) -> Any:
    return data["up"] and another_card(data)


def another_seat(data: dict[str, Any]) -> Any:
    data["seat"] = data["seat"] % 6 + 1


def another_wish(data: dict[str, Any]) -> Any:
    data["wish"] = "show" if data["wish"] == "give up" else "give up"


def another_order(data: dict[str, Any]) -> Any:
    data["seats"].reverse()


def odd_chip_gone(data: dict[str, Any]) -> Any:
    if not data["odd"]:
        return False
    data["odd"] -= 1
    data["amount"] -= 1
    return True


def agreed_no_longer(data: dict[str, Any]) -> Any:
    return data["part"] == "agreed" and put("part", "whole")(data)


def chips_of_the_first(data: dict[str, Any]) -> Any:
    data["seats"][0]["stack"] += 1


def a_post_more(data: dict[str, Any]) -> Any:
    data["posts"][0]["amount"] += 1


FORGERIES: list[tuple[str, str, Change]] = [
    ("hand.opened", "button", put("button", 9)),
    ("hand.opened", "a player's stack", chips_of_the_first),
    ("hand.opened", "what is owed", a_post_more),
    ("hand.opened", "rake", put("rake", None)),
    ("hand.blind-posted", "amount", add("amount")),
    ("hand.blind-posted", "live", put("live", False)),
    ("hand.cards-dealt", "card face up", another_card_face_up),
    ("hand.cards-dealt", "seat", another_seat),
    ("hand.board-dealt", "card", another_card),
    ("hand.round-opened", "price", add("wager")),
    ("hand.round-opened", "least raise", add("full_raise")),
    ("hand.round-opened", "cap", add("bets_cap")),
    ("hand.turn-given", "turn", another_seat),
    ("hand.turn-given", "price of a call", add("call")),
    ("hand.turn-given", "a legal amount made illegal", add("least")),
    ("hand.turn-given", "an illegal amount made legal", add("most")),
    ("hand.folded", "seat", another_seat),
    ("hand.checked", "seat", another_seat),
    ("hand.called", "amount", add("amount", -1)),
    ("hand.called", "all-in", put("all_in", True)),
    ("hand.bet-made", "amount", add("amount")),
    ("hand.bet-made", "least raise after it", add("full_raise")),
    ("hand.raised", "live total", add("to")),
    ("hand.raised", "count of bets", add("bets")),
    ("hand.uncalled-bet-returned", "return", add("amount", -1)),
    ("hand.uncalled-bet-returned", "to whom", another_seat),
    ("hand.bets-collected", "pot", first_of("pots")),
    ("hand.showdown-wished", "wish", another_wish),
    ("hand.hand-shown", "card", another_card),
    ("hand.hand-shown", "why", put("because", "at the player's wish")),
    ("hand.hand-mucked", "why", put("because", "given up unseen")),
    ("hand.hand-mucked", "seat", another_seat),
    ("hand.rake-taken", "rake", add("amount")),
    ("hand.rake-taken", "pot that bears it", first_of("by_pot")),
    ("hand.pot-awarded", "winner", another_seat),
    ("hand.pot-awarded", "amount", add("amount", -1)),
    ("hand.pot-awarded", "odd chip", odd_chip_gone),
    ("hand.pot-awarded", "pot", add("pot")),
    ("hand.pot-awarded", "hand in words", put("hand", "royal flush")),
    ("hand.cancelled", "what goes back", first_of("amounts")),
    ("hand.cancelled", "to whom", another_order),
    ("hand.cancelled", "for how long there was no owner", add("gap")),
    ("hand.settled", "stack", first_of("stacks")),
    ("hand.settled", "rake", add("rake")),
    ("hand.draw-opened", "which draw", add("street")),
    ("hand.draw-offered", "whose draw", another_seat),
    ("hand.draw-offered", "how many", add("most", -1)),
    ("hand.stood-pat", "late", put("late", False)),
    ("hand.stood-pat", "seat", another_seat),
    ("hand.cards-discarded", "card", first_of("indices")),
    ("hand.cards-dealt", "which way up", put("up", True)),
    ("hand.deck-reshuffled", "pile", first_of("pile")),
    ("hand.deck-reshuffled", "new indices", first_of("indices")),
    ("hand.bring-in-owed", "seat", another_seat),
    ("hand.bring-in-owed", "least", add("least", -1)),
    ("hand.bring-in-owed", "most", add("most")),
    ("hand.brought-in", "amount", add("amount")),
    ("hand.brought-in", "price of a call", add("wager")),
    ("hand.brought-in", "least raise after it", add("full_raise")),
    ("hand.brought-in", "count of bets", add("bets")),
    ("hand.brought-in", "level", add("level")),
    ("hand.split-offered", "to whom", another_seat),
    ("hand.split-offered", "an illegal amount made legal", add("most")),
    ("hand.split-vote-cast", "vote", put("agrees", False)),
    ("hand.pot-awarded", "agreed or won", agreed_no_longer),
    ("table.opened", "least buy-in", add("least_buy_in")),
    ("table.player-seated", "seat", another_seat),
    ("table.player-seated", "player", put("player", "mallory")),
    ("table.chips-brought", "amount", add("amount")),
    ("table.chips-taken", "amount", add("amount", -1)),
    ("table.player-left", "player", put("player", "mallory")),
    ("table.hand-started", "button", add("button")),
    ("table.hand-finished", "stack", first_of("stacks")),
    ("table.hand-finished", "rake", add("rake")),
]

FORGERIES_AT_A_TABLE: list[tuple[str, str, Change]] = [
    ("table.opened", "whose seat rules", put("seating", None)),
    ("table.player-seated", "whether he waits", put("posts", False)),
    ("table.player-left", "with how much", add("stack")),
    ("table.player-left", "when", add("at")),
    ("table.player-leaving", "why", put("why", "he asked for it")),
    ("table.player-sat-out", "player", put("player", "mallory")),
    ("table.player-came-back", "whether he posts", put("posts", False)),
    ("table.connection-lost", "when", add("at")),
    ("table.connection-restored", "when", add("at")),
    ("table.hand-started", "who owes nothing now", put("entered", [])),
    ("table.blinds-missed", "who missed the big one", put("big", [])),
    ("hand.out-of-time", "whose time", another_seat),
    ("hand.all-in-protected", "what is set aside", add("aside", -1)),
    ("hand.player-left", "who left", another_seat),
    ("table.paused", "when", add("at")),
    ("table.resumed", "when", add("at")),
    ("table.dealing-stopped", "when", add("at")),
    ("table.dealing-started", "when", add("at")),
    ("table.closing", "when", add("at")),
    ("table.reopened", "when", add("at")),
    ("table.closing-with-room", "when", add("at")),
    ("table.reopened-with-room", "when", add("at")),
    ("table.player-frozen", "player", put("player", "mallory")),
    ("table.player-unfrozen", "player", put("player", "mallory")),
]
"""Of a table at which all of that happens."""

NOTHING_DECIDED = {
    "shard.opened", "shard.loss-accepted", "shard.claimed", "shard.alive", "shard.revision-raised", "room.key-changed",
    "room.day-closed", "room.closed", "room.reopened", "room.reason-erased", "audit.cards-opened",
}  # fmt: skip
"""Events that no rule of the game decides: the room's own, its nodes', and those of its office."""


def test_every_event_that_carries_a_result_is_forged() -> None:
    forged = FORGERIES + FORGERIES_AT_A_TABLE + FORGERIES_OF_MONEY
    assert {type_ for type_, _, _ in forged} == catalog.event.by_name.keys() - NOTHING_DECIDED


@pytest.mark.parametrize(("type_", "what", "change"), FORGERIES, ids=[f"{one[0]}: {one[1]}" for one in FORGERIES])
def test_a_forged_result_passes_the_chain_and_is_named_exactly(
    home: Path, type_: str, what: str, change: Change
) -> None:
    place = forge_event(home, type_, change)
    with open_log(home) as log:
        assert verify_log(log).findings == [], "the forger sealed it well"
        first = first_divergence(log)
        assert names(first) == place
        assert catalog.event.dump(first.recorded)[0] == type_
        assert first.recorded != first.decided


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of one table with a full life. Read only."""
    home = tmp_path_factory.mktemp("lived") / "home"
    ports = new_home(home)
    desk = Desk(ports)
    with open_log(home, write=True) as log:
        room = room_over(log, ports)
        live(lambda args: answered(room, in_its_name(desk, args)), lambda: room.table("life"))
    return home


def answered(room: Room, command: Command) -> None:
    (outcome,) = room.execute([command])
    if isinstance(outcome, Exception):
        raise outcome


@pytest.mark.parametrize(
    ("type_", "what", "change"), FORGERIES_AT_A_TABLE, ids=[f"{one[0]}: {one[1]}" for one in FORGERIES_AT_A_TABLE]
)
def test_what_is_forged_of_a_table_s_life_is_named_exactly(
    lived: Path, tmp_path: Path, type_: str, what: str, change: Change
) -> None:
    home = Path(shutil.copytree(lived, tmp_path / "home"))
    place = forge_event(home, type_, change)
    with open_log(home) as log:
        found = first_divergence(log)
        assert names(found) == place
        assert found.recorded != found.decided


def test_of_a_table_s_life_all_is_decided_again_the_same_and_each_hand_alone(lived: Path) -> None:
    """A hand alone takes as given whom its blinds passed by, and who lost his seat for it."""
    with open_log(lived) as log:
        assert [found for _, found in readjudicate_all(log, opener(log)) if found is not None] == []
        assert [readjudicate_hand(log, f"life-{number}", opener(log)) for number in range(1, 9)] == [None] * 8


@pytest.mark.parametrize(
    ("type_", "what", "change"),
    [one for one in FORGERIES if one[0] in ("hand.pot-awarded", "hand.turn-given", "hand.rake-taken", "hand.settled")],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_one_hand_decided_again_alone_names_it_too(home: Path, type_: str, what: str, change: Change) -> None:
    place = forge_event(home, type_, change)
    with open_log(home) as log:
        stream = event_at(log.record(place.shard, place.height).body, place.index)["stream"]
        found = readjudicate_hand(log, stream.removeprefix("hand:"), opener(log))
        assert isinstance(found, Divergence)
        assert names(found) == place


def first_divergence(log: Log) -> Divergence:
    """Nothing is decided again after it."""
    return next(found for _, found in readjudicate_all(log, opener(log)) if isinstance(found, Divergence))


def names(found: Divergence) -> Place:
    return Place(found.shard, found.height, found.index)


def event_at(body: bytes, index: int) -> dict[str, Any]:
    event: dict[str, Any] = canonical.decode(body)["events"][index]
    return event


def test_what_was_played_is_decided_the_same(played: Path) -> None:
    with open_log(played) as log:
        decided = list(readjudicate_all(log, opener(log)))
        assert len(decided) > 300
        assert [found for _, found in decided if found is not None] == []


def test_a_command_that_the_rules_refuse_is_named_with_the_sentence(home: Path) -> None:
    def overbet(body: dict[str, Any]) -> int | None:
        if body["command"]["name"] != "hand.raise":
            return None
        body["command"]["args"]["to"] += 10**9
        return 0

    place = forge(home, overbet)
    with open_log(home) as log:
        first = first_divergence(log)
    assert names(first) == place
    assert "may" in first.refused or "can't raise to" in first.refused
    assert "its command is refused" in str(first)


def test_an_event_too_many_is_named(home: Path) -> None:
    def one_more_check(body: dict[str, Any]) -> int | None:
        last = body["events"][-1]
        if last["type"] != "table.player-left":
            return None
        body["events"].append({**last, "version": last["version"] + 1})
        return len(body["events"]) - 1

    place = forge(home, one_more_check)
    with open_log(home) as log:
        first = first_divergence(log)
    assert (names(first), first.decided) == (place, None)


def test_an_event_that_is_missing_is_named(home: Path) -> None:
    def without_the_last(body: dict[str, Any]) -> int | None:
        if body["command"]["name"] != "hand.fold" or body["events"][-1]["type"] != "hand.turn-given":
            return None
        del body["events"][-1]
        return len(body["events"])

    place = forge(home, without_the_last)
    with open_log(home) as log:
        first = first_divergence(log)
    assert (names(first), first.recorded) == (place, None)


def test_after_a_divergence_it_goes_on_from_what_is_recorded(tmp_path: Path) -> None:
    """A seat was given to another player than asked, and all that follows is right by that: one fact is wrong."""
    desk = Desk(new_home(tmp_path / "home"))
    with open_writer(tmp_path / "home", desk.ports) as writer:
        for args in a_table_of_two():
            writer.submit(desk(args)).result()
    with open_log(tmp_path / "home") as log:
        shard = next(iter(log.stream_commits("table:t1"))).shard
        commits = [seated_instead(commit) for commit in played_commits(log, shard)]
        (found,) = [found for _, found in readjudicate(commits, opener(log)) if found is not None]
    assert isinstance(found, Divergence)
    assert (found.height, found.recorded.player, found.decided.player) == (2, "eve", "ann")


def seated_instead(commit: RecordedCommit) -> RecordedCommit:
    """The commit with eve wherever its facts say ann."""
    return commit._replace(facts=[fact._replace(event=_eve_for_ann(fact.event)) for fact in commit.facts])


def _eve_for_ann(event: Any) -> Any:
    if isinstance(event, HandOpened):
        return replace(event, seats=tuple(_eve_for_ann(one) for one in event.seats))
    return replace(event, player="eve") if getattr(event, "player", "") == "ann" else event
