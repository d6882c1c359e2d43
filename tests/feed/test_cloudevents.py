"""What the feed says of a commit: one CloudEvent an event, with what everybody may see and nothing else."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from cloudevents.core.formats.json import JSONFormat

from domain import catalog, upcasts
from domain.account.events import AccountAdded
from domain.cards import cards
from domain.hand import events as fact
from domain.hand.events import SealedDeck
from domain.rulings.opening import CardsOpened, Form
from domain.table.events import PlayerSeated
from domain.transfers import Purpose, TransferReceived, TransferSent
from domain.visibility import SPECTATOR, sees
from services.eventlog import body
from services.eventlog.canonical import is_canonical
from services.eventlog.commit import Record
from services.eventlog.mapper import UnreadableEvent
from services.feed.cloudevents import NotOfTheFeed, events_of, key_of, moment, place_of
from tests.feed.rooms import NEW_YEAR, commit, events_like, read, records_of, sealed, stored, told_of

FOLD, WISH = fact.Folded(3), fact.ShowdownWished(3, fact.Wish.SHOW)


def test_an_event_is_one_cloudevent() -> None:
    (event,) = events_of(commit(("hand:t1-17", fact.Called(3, 200, 400, False)), at=NEW_YEAR + 1_500))
    assert event.key == "t1"
    assert read(event) == {
        "specversion": "1.0",
        "id": "riverside/0/0/0",
        "source": "/handlog/riverside",
        "type": "handlog.hand.called.v1",
        "subject": "hand:t1-17",
        "time": "2026-01-01T00:00:00.001500Z",
        "datacontenttype": "application/json",
        "dataschema": "urn:handlog:feed:hand.called.v1",
        "data": {"seat": 3, "amount": 200, "to": 400, "all_in": False},
    }


def test_an_event_that_nobody_may_see_is_left_out_and_the_others_keep_their_ids() -> None:
    record = commit(
        ("hand:t1-1", WISH), ("hand:t1-1", FOLD), ("hand:t1-1", WISH), ("table:t1", PlayerSeated(1, "ann", posts=True))
    )
    assert [read(event)["id"] for event in events_of(record)] == ["riverside/0/0/1", "riverside/0/0/3"]


def test_who_opened_cards_is_not_told() -> None:
    assert events_of(commit(("audit:t1-1", CardsOpened(Form.FACES, (3,), False, True, 40, "ann", "", "")))) == []


def test_what_happens_to_an_account_is_not_told_though_a_table_tells_the_same_fact() -> None:
    """Money that came to a seat is public there; where it came from and goes to isn't."""
    content = (50_00, "EUR", Purpose.CASH_OUT, "ann", 3, 10_00)
    sent = TransferSent("account:ann:eur", 1, *content, posts=False, at=0)
    received = TransferReceived("table:t1", 1, *content, at=0)
    (event,) = events_of(commit(("table:t1", sent), ("account:ann:eur", received), ("player:ann", AccountAdded("EUR"))))
    assert read(event)["subject"] == "table:t1"
    assert read(event)["data"] == {"amount": 50_00, "player": "ann", "purpose": "cash-out", "seat": 3}


@pytest.mark.parametrize(
    ("stream", "key"),
    [
        ("table:t1", "t1"),
        ("hand:t1-17", "t1"),
        ("audit:t1-17", "t1"),
        ("dispute:t1-17", "t1"),
        ("room", "room"),
        ("shard:3", "shard:3"),
        ("account:ann:EUR", "account:ann:EUR"),
    ],
)
def test_what_happens_at_a_table_is_in_the_table_s_order(stream: str, key: str) -> None:
    assert key_of(stream) == key


@pytest.mark.parametrize(
    ("at", "time"),
    [
        (0, "1970-01-01T00:00:00.000000Z"),
        (NEW_YEAR + 1, "2026-01-01T00:00:00.000001Z"),
        (NEW_YEAR - 1, "2025-12-31T23:59:59.999999Z"),
    ],
)
def test_a_time_always_has_six_places(at: int, time: str) -> None:
    assert moment(at) == time


def test_equal_commits_make_equal_bytes_which_are_canonical(log) -> None:
    events = told_of(log)
    assert events == told_of(log)
    assert all(is_canonical(event.value) for event in events)


def test_another_s_reader_finds_the_same(log) -> None:
    for event in told_of(log)[:300]:
        found, ours = JSONFormat().read(None, event.value), read(event)
        assert (found.get_id(), found.get_type(), found.get_source()) == (ours["id"], ours["type"], ours["source"])
        assert (found.get_subject(), found.get_data()) == (ours["subject"], ours["data"])
        assert found.get_time() == datetime.fromisoformat(ours["time"]).astimezone(UTC)


def test_an_old_revision_is_told_as_the_one_that_is_written_now(monkeypatch) -> None:
    entry = catalog.event.by_name["hand.folded"]
    monkeypatch.setattr(entry, "rev", 2)
    monkeypatch.setitem(upcasts.UPCASTS, ("hand.folded", 1), lambda data: {"seat": data["chair"]})
    (event,) = events_of(stored(("hand:t1-1", "hand.folded", 1, {"chair": 3})))
    assert (read(event)["type"], read(event)["data"]) == ("handlog.hand.folded.v1", {"seat": 3})


@pytest.mark.parametrize(
    "record",
    [
        stored(("hand:t1-1", "hand.abducted", 1, {})),
        stored(("hand:t1-1", "hand.folded", 9, {"seat": 3})),
        stored(("hand:t1-1", "hand.folded", 1, {"seat": 11})),
        sealed(b"[]"),
        sealed(b'{"at":1,"command":{},"events":[{}]}'),
        sealed(b'{"at":1152921504606846976,"command":{},"events":[]}'),
    ],
)
def test_a_commit_that_this_build_can_t_read_is_named_and_not_passed_over(record: Record) -> None:
    with pytest.raises(UnreadableEvent, match="shard 0, height 0: "):
        events_of(record)


# --- what nobody may see ---------------------------------------------------------------------------------------------


BOX = re.compile(r"(?![0-9a-f]{64}$)[\w-]{40,}").fullmatch
"""What a box looks like; names are shorter, and digests hexadecimal."""


def boxes_in(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield from [value] if BOX(value) else []
        case dict() | list():
            for part in value.values() if isinstance(value, dict) else value:
                yield from boxes_in(part)


def test_nothing_that_is_sealed_is_told(kept) -> None:
    """No box of the log stands in the feed: neither cards, nor decks, nor reasons."""
    stored_ = [fact for record in records_of(*kept) for fact in body.decode(record.body).events]
    boxes = [box for one in stored_ for box in boxes_in(one["data"])]
    feed = b"".join(event.value for event in told_of(*kept))
    assert {one["type"] for one in stored_ if any(boxes_in(one["data"]))} >= {
        "hand.opened", "hand.cards-dealt", "hand.deck-reshuffled", "audit.cards-opened", "shard.loss-accepted",
    }  # fmt: skip
    assert [box for box in boxes if box.encode() in feed] == []


def test_cards_are_told_only_where_they_lie_open() -> None:
    down, up = fact.CardsDealt(3, (0, 6), cards("AhKd"), False), fact.CardsDealt(3, (7,), cards("2c"), True)
    told = [read(event)["data"] for event in events_of(commit(("hand:t1-1", down), ("hand:t1-1", up)))]
    assert told == [{"seat": 3, "indices": [0, 6], "up": False}, {"seat": 3, "indices": [7], "up": True, "cards": [0]}]


def test_of_a_deck_its_size_and_root_are_told() -> None:
    reshuffled = fact.DeckReshuffled((0, 1), (52, 53), SealedDeck(2, "ab" * 32, "b0x"))
    (event,) = events_of(commit(("hand:t1-1", reshuffled)))
    assert read(event)["data"]["cards"] == {"size": 2, "root": "ab" * 32}


def test_of_a_hand_that_was_folded_or_mucked_no_card_is_told_but_those_dealt_face_up(log) -> None:
    events = told_of(log)
    gone = {(one["subject"], one["data"]["seat"]) for name in ("hand.folded", "hand.hand-mucked")
            for one in events_like(events, name)}  # fmt: skip
    shown = {(one["subject"], one["data"]["seat"]) for one in events_like(events, "hand.hand-shown")}
    assert len(gone) > 30 and len(shown) > 10
    assert gone & shown == set()
    for one in map(read, events):
        if (one["subject"], one["data"].get("seat")) in gone and "cards" in one["data"]:
            assert one["type"] == "handlog.hand.cards-dealt.v1" and one["data"]["up"]


def test_every_field_that_is_told_is_everybody_s(kept) -> None:
    for record in records_of(*kept):
        said = body.decode(record.body).events
        for event in events_of(record):
            own = said[event.place.nth]
            loaded = catalog.event.load(own["type"], own["rev"], own["data"])
            assert all(sees(SPECTATOR, loaded, field, settled=True) for field in read(event)["data"])


# --- how far a feed is -----------------------------------------------------------------------------------------------


def test_an_event_says_where_it_stands() -> None:
    (event,) = events_of(commit(("hand:t1-1", WISH), ("hand:t1-1", FOLD)))
    assert place_of(event.value, "riverside", 0) == (event.place, "2026-01-01T00:00:00.000000Z")
    assert event.place == (0, 1)


@pytest.mark.parametrize(
    ("value", "room", "shard", "why"),
    [
        (b"", "riverside", 0, "is no event of a feed"),
        (b"[]", "riverside", 0, "is no event of a feed"),
        (b'{"id":"riverside/0/1"}', "riverside", 0, "is no event of a feed"),
        (b'{"id":7,"time":""}', "riverside", 0, "is no event of a feed"),
        (b'{"id":"riverside/0/1/x","time":""}', "riverside", 0, "is no event of a feed"),
        (b'{"id":"hillside/0/1/0","time":""}', "riverside", 0, "is none of shard 0 of room riverside"),
        (b'{"id":"riverside/1/1/0","time":""}', "riverside", 0, "is none of shard 0 of room riverside"),
    ],
)
def test_what_no_feed_wrote_says_nothing_of_its_place(value: bytes, room: str, shard: int, why: str) -> None:
    with pytest.raises(NotOfTheFeed, match=why):
        place_of(value, room, shard)
