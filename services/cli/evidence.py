"""Evidence from the command line: checkpoints, a hand's proof, and a loss that is accepted."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from domain.cards import FACES
from domain.hand.dealing import SealBroken
from domain.hand.events import HandOpened
from domain.room import AcceptLoss
from domain.rules.phrases import counted, listed
from domain.rulings.opening import Form
from services.bootstrap import (
    CHECKPOINT_KEY_FILE,
    CHECKPOINTS_FILE,
    TREE_FILE,
    open_log,
    opened_office,
    signed_in,
)
from services.cli.opening import Asker, give, record_opening, sealed_text
from services.cli.talk import FOUND, SOUND, complain, emit, say, sentence_of, stop
from services.eventlog.log import CorruptLog, Log, LogError, NoLog
from services.evidence import bundle as bundles
from services.evidence import checkpoints
from services.evidence import keyfile as checkpoint_key
from services.evidence.bundle import Bundle
from services.evidence.checkpointer import Checkpointer, LogShrank, check_against, moment
from services.evidence.hand_check import HandReport, check_bundle, hand_facts, opens_decks, shuffle_faults
from services.evidence.note import BadCheckpoint, Signed, key_name
from services.evidence.tree import TreeStore
from services.ports import real_ports
from services.rulings import facts_of_hand
from services.sealing import cards
from services.sealing.cards import Checked
from services.sealing.keyfile import BadKeys, HandKeys, purposes
from services.views import rebuild_views


def checkpoint(home: Path, key: Path | None, every: int | None, as_json: bool) -> None:
    """Sign the shards once; with `every`, go on until somebody presses ctrl-c, or nothing can be signed any more."""
    ports = real_ports()
    with open_log(home) as log, TreeStore(home / TREE_FILE) as tree, suppress(KeyboardInterrupt):
        signer = checkpoint_key.load(key or home / CHECKPOINT_KEY_FILE, key_name(log.room))
        checkpointer = Checkpointer(log, tree, signer, home / CHECKPOINTS_FILE)
        _tell_signed(checkpointer.sign(ports.now()), as_json)
        while every:
            time.sleep(every)
            try:
                signed = checkpointer.sign(ports.now(), every=False)
            except _LASTING:
                raise
            except (LogError, OSError) as error:  # such as a full disk, or a clock that is being set
                complain(f"{sentence_of(error)}; the next attempt is in {every} s")
                continue
            if signed:
                _tell_signed(signed, as_json)


_LASTING = (LogShrank, BadCheckpoint, CorruptLog, NoLog, BadKeys)
"""What no waiting mends."""


def _tell_signed(signed: list[Signed], as_json: bool) -> None:
    if as_json:
        emit([
            {"origin": one.checkpoint.origin, "size": one.checkpoint.size, "root": one.checkpoint.root.hex(),
             "time": one.time, "extensions": one.checkpoint.extensions}
            for one in signed
        ])  # fmt: skip
        return
    for one in signed:
        of_day = "".join(f", the end of {line}" for line in one.checkpoint.extensions)
        shard = one.checkpoint.origin.rpartition("/")[2]
        say(f"Shard {shard}: {counted(one.checkpoint.size, 'commit')} signed at {moment(one.time)}{of_day}.")


def prove(
    home: Path, hand: str, file: Path, seats: tuple[int, ...], every_card: bool, keys: Path | None, asker: Asker
) -> None:
    """Write a hand's bundle; with keys to the cards of some seats, or to all, which is an opening."""
    if seats and every_card:
        stop("--with-keys gives the keys to all cards, --seat those of a seat: choose one")
    check_new_file(file)
    with open_log(home) as log, TreeStore(home / TREE_FILE) as tree:
        facts, shard = facts_of_hand(log, hand)
        signed = _signed(home, log).get(shard, [])
        bundle = bundles.gather(log, tree, signed, hand)  # before anything is opened, so that no opening is in vain
    given_to = seats_of(facts) if every_card else tuple(sorted(set(seats)))
    if given_to:
        own = record_opening(home, keys, hand, asker, Form.KEYS, seats, deck=every_card)
        bundle = bundles.with_keys(bundle, own, facts, given_to, deck=every_card)
    bundles.write(bundle, file)
    whose = "all cards" if every_card else f"the cards of {listed(purposes(given_to, deck=False))}"
    say(f"Hand {hand} and its proof are in {file}, {f'with the keys to {whose}' if given_to else 'without keys'}.")
    say("`handlog verify-hand` checks it on a machine that has nothing but this file and the public key.")


def check_new_file(file: Path) -> None:
    """Stop unless a new file can stand there."""
    if file.exists():
        stop(f"{file} exists already: choose another file")
    if not file.parent.is_dir():
        stop(f"there is no folder {file.parent}: make it, or choose another place")


def seats_of(facts: list[Any]) -> tuple[int, ...]:
    return tuple(one.seat for one in facts[0].seats)


def _signed(home: Path, log: Log) -> Mapping[int, Sequence[Signed]]:
    if not (home / CHECKPOINTS_FILE).exists():
        stop(f"{home} has no checkpoints yet: sign some with `handlog checkpoint`")
    return signed_in(home, log)


def verify_hand(file: Path, public_key: Path, as_json: bool) -> int:
    bundle, key = bundles.read(file), checkpoints.public_key(public_key)
    report = check_bundle(bundle, key)
    if as_json:
        emit(_as_json(bundle.hand, report))
    else:
        _tell(bundle, report)
    return SOUND if report.sound else FOUND


def _as_json(hand: str, report: HandReport) -> dict[str, Any]:
    return {
        "hand": hand,
        "sound": report.sound,
        "settled": report.settled,
        "shuffle_checked": report.shuffled,
        "signed": report.signed and report.signed.time,
        "facts": len(report.facts),
        "needs_card": report.undecided and report.undecided.card,
        "cards": [{"index": one.index, "seat": one.seat, "fault": one.fault} for one in report.cards],
        "findings": report.findings,
    }


def _tell(bundle: Bundle, report: HandReport) -> None:
    if not report.sound:
        say(f"Hand {bundle.hand} is NOT proven: {counted(len(report.findings), 'finding')}.")
        for finding in report.findings:
            say(f"  {finding}")
        return
    assert report.signed is not None
    checkpoint = report.signed.checkpoint
    if not report.settled:
        say("NOT settled by these facts: whether more of them were signed, a bundle can't show.")
    say(
        f"Hand {bundle.hand} is proven: {counted(len(bundle.commits), 'commit')} of {checkpoint.origin}, signed at "
        f"{moment(report.signed.time)}, {counted(len(report.facts), 'fact')}."
    )
    if report.settled:
        say("It is settled, and none of its facts is missing; what happened to it later may be shown only in part.")
    if report.undecided is None:
        say("Decided again from its commands and cards, it comes out the same.")
    else:
        say(f"Deciding it again stops at card {report.undecided.card}, which is sealed: that takes the hand's keys.")
    if report.cards:
        say(f"{counted(len(report.cards), 'card')} lay in the deck that was fixed before the first bet.")
    say(_SHUFFLED if report.shuffled else _NOT_TOLD)


_SHUFFLED = "The deck was shuffled from its seed."
_NOT_TOLD = "Whether the deck was shuffled from its seed was not checked: that takes the key to the deck."


def check_cards(
    home: Path | None,
    hand: str | None,
    file: Path | None,
    public_key: Path | None,
    seat: int,
    keys: Path | None,
    asker: Asker,
) -> int:
    """A player's cards against the deck that was fixed: out of a bundle that he was given, or of the home."""
    if (file is None) == (hand is None):
        stop("name a hand of the home, or a bundle with --bundle FILE; not both")
    if file is not None:
        return _check_in_bundle(file, public_key, seat)
    if home is None or hand is None:
        stop("give --home DIR (or set HANDLOG_HOME)")
    with open_log(home) as log:
        facts, _ = facts_of_hand(log, hand)
    own = record_opening(home, keys, hand, asker, Form.FACES, (seat,), deck=False)
    try:
        paths = cards.proofs(own, hand, facts, [one.index for one in cards.dealt(facts, (seat,))])
    except SealBroken as error:
        say(f"The deck of hand {hand} is NOT as it should be: {error}.")
        return FOUND
    return tell_cards(hand, seat, facts, cards.check(own, hand, facts, (seat,), paths))


def _check_in_bundle(file: Path, public_key: Path | None, seat: int) -> int:
    bundle = bundles.read(file)
    if public_key is not None and not check_bundle(bundle, checkpoints.public_key(public_key)).sound:
        return verify_hand(file, public_key, as_json=False)
    facts = hand_facts(bundle)
    given = _keys_in(bundle, facts, seat, file)
    code = tell_cards(bundle.hand, seat, facts, cards.check(given, bundle.hand, facts, (seat,), bundle.cards))
    laid = list(shuffle_faults(bundle, facts))
    for fault in laid:
        say(f"{fault}.")
    if not laid:
        say(_SHUFFLED if opens_decks(bundle) else _NOT_TOLD)
    say(
        "This is a hand that the room has signed."
        if public_key is not None
        else "Nothing but the deck's root was compared: whether the room has signed this hand, --public-key FILE tells."
    )
    return FOUND if laid else code


def _keys_in(bundle: Bundle, facts: list[Any], seat: int, file: Path) -> HandKeys:
    """What opens the cards of that seat; stop where the bundle hasn't it."""
    if not facts or not isinstance(facts[0], HandOpened):
        stop(f"{file} doesn't begin with the opening of hand {bundle.hand}: `handlog verify-hand` says what is wrong")
    if seat not in seats_of(facts):
        stop(
            f"seat {seat} was not dealt in to hand {bundle.hand}: seats {listed(list(map(str, seats_of(facts))))} were"
        )
    if bundle.keys is None or not any(f"seat {seat}" in some for some in bundle.keys.keys.values()):
        stop(f"{file} opens no card of seat {seat}: ask the room for one that does (`handlog prove --seat {seat}`)")
    return bundle.keys


def tell_cards(hand: str, seat: int, facts: list[Any], checked: list[Checked]) -> int:
    for first, deck in cards.decks(facts):
        what = "The deck" if first == 0 else f"The reshuffled cards from {first} on"
        say(f"{what} of hand {hand} {'was' if first == 0 else 'were'} fixed with root {deck.root}.")
    for one in [one for one in checked if one.seat or one.fault]:
        where = f"to seat {one.seat}, face down" if one.seat else "open"
        say(f"card {one.index:>2}  {_face(one)}  dealt {where}: {one.fault or 'it lay there'}")
    lay_open = [f"{one.index} {_face(one)}" for one in checked if not one.seat and not one.fault]
    if lay_open:
        say(f"cards dealt open, which lay there too: {', '.join(lay_open)}")
    wrong = [one for one in checked if one.fault]
    if not any(one.seat == seat for one in checked):
        say(f"No card of seat {seat} was checked: these facts deal none to it face down.")
        return FOUND
    say(
        f"{counted(len(wrong), 'card')} of {len(checked)} NOT as they should be."
        if wrong
        else f"All {len(checked)} lay where the deck had them before the first bet."
    )
    return FOUND if wrong else SOUND


def _face(one: Checked) -> str:
    return FACES[one.card] if one.card >= 0 else "?"


def accept_loss(home: Path, shard: int, asker: Asker) -> None:
    """Go on from a log that isn't what its newest checkpoint says: an event by which everybody sees that."""
    asker.check()
    if not asker.second or not asker.reason:
        stop("a loss is accepted by two people and for a reason: give --second and --reason")
    ports = real_ports()
    with opened_office(home, ports, must_be_whole=False) as room:
        lost = _lost(home, room.log, shard)
        fault = next(room.log.index_faults(), None)
        if fault is not None:
            stop(
                f"the log of shard {fault[0]} is damaged besides (height {fault[1]}: {fault[2]}): move what is left of "
                "it to a new home with `handlog export` and `handlog import`, and the room's other files with it"
            )
        reason, of = sealed_text(home, asker.reason, f"shard:{shard}", ports), lost.signed.checkpoint
        give(room, AcceptLoss(shard, lost.commits, of.size, of.root.hex(), asker.second, reason), asker.by)
        rebuild_views(home, room.log)  # they may have folded what is lost now
    left = counted(lost.commits, "commit")
    say(f"{asker.by} and {asker.second} have accepted that shard {shard} goes on with {left}.")
    say("That is recorded in the log, and `handlog verify` names the loss for ever.")


def _lost(home: Path, log: Log, shard: int) -> LogShrank:
    """What is missing of a shard; stop where nothing is."""
    if not 0 <= shard < log.shards:
        stop(f"there is no shard {shard}: this room has shards 0 to {log.shards - 1}")
    signed = _signed(home, log)
    try:
        with TreeStore(home / TREE_FILE) as tree:
            check_against(log, tree, {at: one for at, one in signed.items() if at == shard})
    except LogShrank as lost:
        return lost
    return stop(
        f"shard {shard} is all that was signed of it, or its loss was accepted before: nothing is to be accepted"
    )
