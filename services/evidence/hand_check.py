"""The check of one hand's bundle, on a machine that has nothing but the file and a public key."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from domain.hand.events import HandOpened, HandSettled
from domain.hand.invariants import Broken, check, check_sealed
from domain.hand.state import Hand, evolve
from domain.messages import hand_stream
from domain.rulings.readjudicate import NONSENSE, RecordedCommit, Undecided, readjudicate_hand
from domain.rulings.recorded_shoe import NoKeys
from services.eventlog import canonical
from services.eventlog.commit import Record
from services.eventlog.mapper import UnreadableEvent
from services.evidence import merkle
from services.evidence.bundle import Bundle, Proven
from services.evidence.note import BadCheckpoint, PublicKey, Signed
from services.rulings import recorded
from services.sealing import cards
from services.sealing.boxes import BadBox, open_deck
from services.sealing.cards import Checked
from services.sealing.keyfile import HandKeys, NoKey
from services.sealing.shoe import Opener, order_of_seed


@dataclass(slots=True)
class HandReport:
    """What a bundle's check saw. `signed`: its checkpoint; `settled`: whether its last fact ends the hand; `undecided`:
    the card for which deciding again needs a key; `cards`: those that were checked against the deck; `shuffled`:
    whether the decks were compared with what their seeds make of them, which takes the key to the deck."""

    findings: list[str] = field(default_factory=list)
    signed: Signed | None = None
    settled: bool = False
    facts: list[Any] = field(default_factory=list)
    undecided: Undecided | None = None
    cards: list[Checked] = field(default_factory=list)
    shuffled: bool = False

    @property
    def sound(self) -> bool:
        return not self.findings


def check_bundle(bundle: Bundle, key: PublicKey) -> HandReport:
    """Whether the hand is the one that was signed, whole, and right by its rules."""
    report = HandReport()
    try:
        report.signed = key.open(bundle.checkpoint)
    except BadCheckpoint as error:
        report.findings.append(f"the checkpoint isn't signed by this key: {error}")
        return report
    for one in bundle.commits:
        report.findings += _faults(bundle, report.signed, one)
    try:
        commits = [recorded(one.record) for one in bundle.commits]
    except UnreadableEvent as error:
        report.findings.append(str(error))
        return report
    report.findings += _gaps(bundle, commits)
    if report.sound:
        _look_at_the_hand(bundle, commits, report)
    return report


def _faults(bundle: Bundle, signed: Signed, one: Proven) -> Iterator[str]:
    """What is wrong with a commit by itself."""
    record, checkpoint = one.record, signed.checkpoint
    where = f"shard {record.shard}, height {record.height}"
    if record.room != bundle.room or not _is_of(checkpoint.origin, record):
        yield f"{where}: it is a commit of room {record.room}, the checkpoint is of {checkpoint.origin}"
    if sha256(record.body).hexdigest() != record.digest:
        yield f"{where}: its body hasn't the digest that its header gives: it was changed"
    elif not canonical.is_canonical(record.body):
        yield f"{where}: its body isn't canonical JSON"
    leaf = merkle.leaf_hash(bytes.fromhex(record.hash))
    if not merkle.check_inclusion(leaf, record.height, checkpoint.size, one.proof, checkpoint.root):
        yield f"{where}: no such commit stands in the log that was signed: it was changed, or its proof was"


def _is_of(origin: str, record: Record) -> bool:
    named, room, _, shard = (*origin.split("/"), "", "", "", "")[:4]
    return (named, room, shard) == ("handlog", record.room, str(record.shard)) and origin.count("/") == 3


def _gaps(bundle: Bundle, commits: list[RecordedCommit]) -> Iterator[str]:
    """Facts of the hand, or of what happened to it after, that are missing, and commits that aren't its own."""
    streams = (hand_stream(bundle.hand), f"audit:{bundle.hand}")
    for stream in streams:
        versions = [fact.version for commit in commits for fact in commit.facts if fact.stream == stream]
        if versions != list(range(1, len(versions) + 1)):
            missing = next(n for n in range(1, len(versions) + 2) if n not in versions or versions.count(n) > 1)
            yield f"{stream}: its facts don't follow each other: version {missing} is missing, twice or out of order"
    for one, commit in zip(bundle.commits, commits, strict=True):
        if not any(fact.stream in streams for fact in commit.facts):
            yield f"shard {one.record.shard}, height {one.record.height}: this commit says nothing of {bundle.hand}"
    first = [fact.event for fact in commits[0].facts if fact.stream == hand_stream(bundle.hand)]
    if not first or not isinstance(first[0], HandOpened):
        yield f"the first commit doesn't open hand {bundle.hand}"


def hand_facts(bundle: Bundle) -> list[Any]:
    """The facts of the bundle's hand, none of them checked. Raises UnreadableEvent."""
    commits = [recorded(one.record) for one in bundle.commits]
    return [fact.event for commit in commits for fact in commit.facts if fact.stream == hand_stream(bundle.hand)]


def _look_at_the_hand(bundle: Bundle, commits: list[RecordedCommit], report: HandReport) -> None:
    stream = hand_stream(bundle.hand)
    played = [commit for commit in commits if any(fact.stream == stream for fact in commit.facts)]
    report.facts = [fact.event for commit in played for fact in commit.facts if fact.stream == stream]
    report.settled = isinstance(report.facts[-1], HandSettled)
    hand: Hand | None = None
    try:
        for commit in played:
            for fact in commit.facts:
                if fact.stream == stream:
                    hand = evolve(hand, fact.event)
            assert hand is not None
            hand.facts = [fact.event for fact in commit.facts]
            check(hand)
            for event in hand.facts:
                check_sealed(event)
    except (Broken, *NONSENSE) as error:
        report.findings.append(f"the facts of the hand don't follow from each other: {error}")
        return
    report.findings += _strange_keys(bundle)
    keyholder = NoKeys() if bundle.keys is None else Opener(bundle.keys, None)  # how decks lie is looked at below
    verdict = readjudicate_hand(played, keyholder)
    if isinstance(verdict, Undecided):
        report.undecided = verdict
    elif verdict is not None:
        report.findings.append(f"decided again it comes out otherwise: {verdict}")
    _check_cards(bundle, report)
    report.shuffled = opens_decks(bundle)
    report.findings += shuffle_faults(bundle, report.facts)


def _strange_keys(bundle: Bundle) -> Iterator[str]:
    keys = bundle.keys
    if keys is not None and (keys.room, keys.hand) != (bundle.room, bundle.hand):
        yield f"its keys are of hand {keys.hand} of room {keys.room}, its commits of {bundle.hand} of {bundle.room}"


def opens_decks(bundle: Bundle) -> bool:
    """Whether its keys are for the deck too."""
    return "deck" in _purposes(bundle)


def shuffle_faults(bundle: Bundle, facts: list[Any]) -> Iterator[str]:
    """Decks that don't lie as their seeds shuffle them: such an order was not drawn, but laid. None without the key."""
    if bundle.keys is None or not opens_decks(bundle):
        return
    for first, deck in cards.decks(facts):
        try:
            opened = open_deck(bundle.keys, bundle.hand, first, deck.box)
        except (NoKey, BadBox) as error:
            yield f"the deck from card {first} on: {error}"
            continue
        if opened.order != order_of_seed(opened, bundle.hand, first):
            yield f"the deck from card {first} on doesn't lie as its seed shuffles it: it was laid"


def _check_cards(bundle: Bundle, report: HandReport) -> None:
    """The cards that the keys open, and all for which the bundle has paths."""
    keys = bundle.keys or HandKeys(bundle.room, bundle.hand, {})
    given = {proof.index for proof in bundle.cards}
    seats = sorted(int(purpose.split()[1]) for purpose in _purposes(bundle) - {"deck"})
    checked = cards.check(keys, bundle.hand, report.facts, seats, bundle.cards)
    report.cards = [one for one in checked if one.index in given or one.card < 0]
    report.findings += [f"card {one.index}: {one.fault}" for one in report.cards if one.fault]
    strange = given - {one.index for one in checked}
    report.findings += [f"card {index}: a path is given for it, but not its box's key" for index in sorted(strange)]


def _purposes(bundle: Bundle) -> set[str]:
    """What the bundle's keys are for."""
    return set() if bundle.keys is None else {purpose for some in bundle.keys.keys.values() for purpose in some}
