"""A hand's bundle: nothing of it can be changed unseen. Two verifiers agree on that which share no code."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from services.eventlog import canonical
from services.eventlog.commit import parse, seal
from services.eventlog.log import LogError
from services.evidence.bundle import Bundle
from services.evidence.hand_check import check_bundle, hand_facts
from services.evidence.note import CheckpointKey
from tests.evidence import histories
from tests.evidence import independent_verifier as independent
from tests.evidence.histories import ROOM, History

FLIPS = 100
TIMES = 12
SOAK = 50

Value = dict[str, Any]
Verdict = Callable[[Value], list[str]]

KEYS: dict[str, dict[str, Any]] = {
    "without keys": {},
    "with a seat's keys": {"seats": (1,)},
    "with all keys": {"seats": (1, 2), "deck": True},
}


@pytest.fixture(scope="module")
def hands(history: History) -> list[str]:
    return histories.hands_of(history)


@pytest.fixture
def verdict(history: History) -> Verdict:
    """What ours finds in a bundle; the other verifier finds something if, and only if, ours does."""
    key = independent.read_key(history.public.to_text())

    def both(value: Value) -> list[str]:
        try:
            independent.check_hand(value, key)
            theirs = ""
        except independent.WRONG as error:
            theirs = repr(error)
        try:
            ours = check_bundle(Bundle.from_json(value), history.public).findings
        except LogError as error:
            ours = [str(error)]
        assert bool(ours) == bool(theirs), (ours, theirs)
        return ours

    return both


@pytest.mark.parametrize("keys", KEYS)
def test_what_nobody_touched_is_sound(history: History, hands: list[str], verdict: Verdict, keys: str) -> None:
    for hand in hands:
        assert verdict(histories.bundle_of(history, hand, **KEYS[keys]).to_json()) == []


def flip(history: History, hands: list[str], verdict: Verdict, keys: dict[str, Any], times: int) -> int:
    """A character changed anywhere in the file; how often it was still JSON, of another value."""
    changed = 0
    for hand in hands:
        value = histories.bundle_of(history, hand, **keys).to_json()
        text = json.dumps(value, indent=1)
        random = Random(hand)
        for _ in range(times):
            at = random.randrange(len(text))
            other = random.choice([code for code in range(1, 127) if chr(code) != text[at]])
            try:
                tampered = json.loads(text[:at] + chr(other) + text[at + 1 :])
            except ValueError:
                continue
            assert bool(verdict(tampered)) == (tampered != value), (hand, at, chr(other))
            changed += tampered != value
    return changed


@pytest.mark.parametrize("keys", KEYS)
def test_a_flipped_character_is_found(history: History, hands: list[str], verdict: Verdict, keys: str) -> None:
    assert flip(history, hands, verdict, KEYS[keys], FLIPS) > 200


@pytest.mark.soak
@pytest.mark.parametrize("keys", KEYS)
def test_a_flipped_character_is_found_very_often(
    history: History, hands: list[str], verdict: Verdict, keys: str
) -> None:
    assert flip(history, hands, verdict, KEYS[keys], FLIPS * SOAK) > 200 * SOAK


def tampered(history: History, hands: list[str]) -> list[tuple[Random, Value, Value]]:
    """Bundles to tamper with, each with one of another hand."""
    made = []
    for seed in range(TIMES):
        random = Random(seed)
        one, other = random.sample(hands, 2)
        keys = random.choice(list(KEYS.values()))
        made.append(
            (
                random,
                histories.bundle_of(history, one, **keys).to_json(),
                histories.bundle_of(history, other, **keys).to_json(),
            )
        )
    return made


def where(commit: Value) -> str:
    record = parse(commit["record"].encode())
    return f"shard {record.shard}, height {record.height}"


def named(findings: list[str], what: str) -> bool:
    return any(what in finding for finding in findings)


def test_a_commit_that_was_removed(history: History, hands: list[str], verdict: Verdict) -> None:
    """Of those before the last: a gap. Without the last the hand isn't settled, and no bundle can show what follows."""
    for _, value, _ in tampered(history, hands):
        for place in range(len(value["commits"])):
            less = deepcopy(value)
            del less["commits"][place]
            if place < len(value["commits"]) - 1:
                assert named(verdict(less), "don't follow each other"), place
            elif place:
                assert verdict(less) == [] or less["cards"]
                report = check_bundle(Bundle.from_json(less), history.public)
                assert not report.settled


def test_commits_that_changed_places_or_stand_twice(history: History, hands: list[str], verdict: Verdict) -> None:
    for random, value, _ in tampered(history, hands):
        swapped, doubled = deepcopy(value), deepcopy(value)
        one, two = random.sample(range(len(value["commits"])), 2)
        commits = swapped["commits"]
        commits[one], commits[two] = commits[two], commits[one]
        assert named(verdict(swapped), "don't follow each other")
        doubled["commits"].insert(one, value["commits"][two])
        assert named(verdict(doubled), "don't follow each other")


def test_a_commit_of_another_hand(history: History, hands: list[str], verdict: Verdict) -> None:
    for random, value, other in tampered(history, hands):
        more = deepcopy(value)
        foreign = random.choice(other["commits"])
        more["commits"].insert(random.randrange(len(more["commits"]) + 1), foreign)
        assert named(verdict(more), where(foreign))


def test_a_changed_commit_is_named_by_its_height(history: History, hands: list[str], verdict: Verdict) -> None:
    """Its body changed, with or without the header's digest; the room's own forger would seal it again."""
    for random, value, _ in tampered(history, hands):
        place = random.randrange(len(value["commits"]))
        record = parse(value["commits"][place]["record"].encode())
        body = canonical.decode(record.body)
        for event in body["events"]:
            if event["type"] == "hand.settled":
                event["data"]["stacks"].reverse()
        body["at"] += 1
        new = canonical.encode(body)
        sealed, _ = seal(ROOM, record.shard, record.head._replace(height=record.height - 1, hash=record.prev), new)
        for raw in (record.raw.replace(record.body, new), sealed):
            changed = deepcopy(value)
            changed["commits"][place]["record"] = raw.decode()
            assert named(verdict(changed), where(value["commits"][place]))


def test_a_proof_that_isn_t_the_commit_s(history: History, hands: list[str], verdict: Verdict) -> None:
    for random, value, _ in tampered(history, hands):
        place = random.randrange(len(value["commits"]))
        proof = value["commits"][place]["proof"]
        for wrong in (proof[:-1], proof[1:], [*proof, "00" * 32], proof[::-1], [sha256().hexdigest(), *proof[1:]]):
            if wrong != proof:
                changed = deepcopy(value)
                changed["commits"][place]["proof"] = wrong
                assert named(verdict(changed), where(value["commits"][place]))


def test_a_checkpoint_that_isn_t_the_bundle_s(history: History, hands: list[str], verdict: Verdict) -> None:
    """An older one, another shard's, another root signed by the same key: nothing of the hand stands in it."""
    stranger = CheckpointKey("handlog/riverside", bytes(32))
    for _, value, _ in tampered(history, hands):
        own = next(one for one in history.signed if one.note == value["checkpoint"])
        twin = history.key.sign(own.checkpoint._replace(root=bytes(32)), own.time)
        for other in [*history.signed, twin]:
            if other != own:
                assert named(verdict(value | {"checkpoint": other.note}), where(value["commits"][0]))
        foreign = stranger.sign(own.checkpoint, own.time)
        assert named(verdict(value | {"checkpoint": foreign.note}), "isn't signed by this key")


def test_another_name_for_the_hand_or_the_room(history: History, hands: list[str], verdict: Verdict) -> None:
    for _, value, other in tampered(history, hands):
        assert verdict(value | {"hand": other["hand"]})
        assert named(verdict(value | {"room": "lakeside"}), "it is a commit of room riverside")


def test_keys_and_cards_of_another_hand(history: History, hands: list[str], verdict: Verdict) -> None:
    for _, value, other in tampered(history, hands):
        if value["keys"]:
            assert named(verdict(value | {"keys": other["keys"]}), f"its keys are of hand {other['hand']}")
            posing = deepcopy(other["keys"]) | {"hand": value["hand"]}
            assert verdict(value | {"keys": posing})
            assert named(verdict(value | {"cards": other["cards"]}), "card ")


def test_a_card_s_tree_has_the_deck_s_size(history: History, hands: list[str], verdict: Verdict) -> None:
    """The same path is right in trees of some other sizes: the deck's own is the one that counts."""
    for hand in hands:
        value = histories.bundle_of(history, hand, (1,)).to_json()
        for card in value["cards"]:
            for other in (card["size"] - 1, card["size"] + 1):
                changed = deepcopy(value)
                next(one for one in changed["cards"] if one["index"] == card["index"])["size"] = other
                assert named(verdict(changed), f"card {card['index']}: it doesn't lie there")


def test_a_deck_that_was_laid(history: History, tmp_path: Path) -> None:
    """Sealed and committed to as it should be, but in an order that its seed doesn't make."""
    key = independent.read_key(history.public.to_text())
    laid = histories.a_laid_deck(tmp_path / "home")
    value = histories.bundle_of(laid, "t1-1", (1, 2), deck=True).to_json()
    findings = check_bundle(Bundle.from_json(value), laid.public).findings
    assert findings == ["the deck from card 0 on doesn't lie as its seed shuffles it: it was laid"]
    key = independent.read_key(laid.public.to_text())
    with pytest.raises(ValueError, match="another deck than the one that was fixed"):
        independent.check_hand(value, key)


MALFORMED: dict[str, Callable[[Value], object]] = {
    "two paths for a card": lambda value: value["cards"].append(value["cards"][0]),
    "a wrong path before the right one": lambda value: value["cards"].insert(0, value["cards"][0] | {"card": 1}),
    "no commits": lambda value: value.update(commits=[]),
    "a commit twice": lambda value: value["commits"].insert(0, value["commits"][0]),
    "cards in an object": lambda value: value.update(cards={}),
    "commits in an object": lambda value: value.update(commits=dict(enumerate(value["commits"]))),
    "a proof in an object": lambda value: value["commits"][0].update(proof=dict.fromkeys(value["commits"][0]["proof"])),
    "keys that are none": lambda value: value.update(keys={}),
    "keys that are false": lambda value: value.update(keys=False),
    "keys that are zero": lambda value: value.update(keys=0),
    "a key too short": lambda value: value["keys"]["keys"].update({"00" * 8: {"seat 1": "00" * 16}}),
    "a key's id of another form": lambda value: value["keys"]["keys"].update({"00": {}}),
    "a key for nothing known": lambda value: value["keys"]["keys"].update({"00" * 8: {"seat 0": "00" * 32}}),
    "paths to down cards without keys": lambda value: value.update(keys=None),
    "no checkpoint": lambda value: value.pop("checkpoint"),
    "no cards": lambda value: value.pop("cards"),
    "no keys": lambda value: value.pop("keys"),
    "no record": lambda value: value["commits"][0].pop("record"),
    "no salt": lambda value: value["cards"][0].pop("salt"),
    "a salt too short": lambda value: value["cards"][0].update(salt=value["cards"][0]["salt"][2:]),
    "a salt in capitals": lambda value: value["cards"][0].update(salt=value["cards"][0]["salt"].upper()),
    "an index that is a bool": lambda value: index_as(value, bool),
    "an index that is a float": lambda value: index_as(value, float),
    "a card beyond the last": lambda value: value["cards"][0].update(card=300),
    "a card below the first": lambda value: value["cards"][0].update(card=-1),
    "an index beyond all": lambda value: value["cards"][0].update(index=2**70),
    "a room that is a pattern": lambda value: value.update(room="[[a]"),
    "a hand of another form": lambda value: value.update(hand="t1-1\u001b[2J"),
    "another format": lambda value: value.update(format="handlog-hand-2"),
}


def index_as(value: Value, kind: type) -> None:
    """The index of a card 0 or 1 as a bool or float that equals it."""
    card = next(one for one in value["cards"] if one["index"] < 2)
    card["index"] = kind(card["index"])


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_bundle_is_none_to_either_verifier(history: History, verdict: Verdict, what: str) -> None:
    value = histories.bundle_of(history, "t1-1", (1,)).to_json()
    MALFORMED[what](value)
    assert verdict(value)


ODD: tuple[Any, ...] = (None, True, False, 0, 1, -1, 2**70, 1.0, "", "\ud800", [], {}, [0], {"a": 1}, [[]])


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each container of a bundle with each key of it; of lists the first one only."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value[:1])):
            yield value, key
            yield from places(value[key])


def test_verifiers_agree_on_whatever_stands_in_a_place_and_on_nothing_there(history: History, verdict: Verdict) -> None:
    value = histories.bundle_of(history, "t2-1", (1, 2), deck=True).to_json()
    sound = set()
    for container, key in list(places(value)):
        was = container[key]
        for odd in ODD:
            container[key] = odd
            if not verdict(value) and (type(odd), odd) != (type(was), was):
                sound.add((key, repr(odd)))
        container[key] = was
        if isinstance(container, dict):
            del container[key]
            verdict(value)
            container[key] = was
    assert sound == {("cards", "[]")}, "nobody has to give a path"


def test_a_path_takes_the_card_s_own_key(history: History, verdict: Verdict) -> None:
    """The key to the deck shows where all cards lie, but a path is given for those that somebody's key opens."""
    value = histories.bundle_of(history, "t1-1", (1, 2), deck=True).to_json()
    for keys in value["keys"]["keys"].values():
        del keys["seat 2"]
    assert named(verdict(value), "a path is given for it, but not its box's key")


def test_open_cards_have_paths_that_need_no_key(history: History, verdict: Verdict) -> None:
    """They are checked all the same: with another card, both say so."""
    value = next(value for hand in histories.hands_of(history) if (value := without_down_cards(history, hand))["cards"])
    assert verdict(value) == []
    value["cards"][0]["card"] ^= 1
    assert named(verdict(value), "the path is for another card")


def without_down_cards(history: History, hand: str) -> Value:
    """A hand's bundle with paths to its open cards, and no keys."""
    value = histories.bundle_of(history, hand, (1,)).to_json()
    facts = hand_facts(Bundle.from_json(value))
    down = {at for fact in facts if getattr(fact, "up", True) is False for at in fact.indices}
    return value | {"keys": None, "cards": [card for card in value["cards"] if card["index"] not in down]}
