"""Evidence, as the demonstration shows it: a hand proven from its bundle, a tampered copy caught, cards checked."""

from dataclasses import replace
from pathlib import Path

from domain.hand.events import HandShown
from domain.rules.phrases import counted
from domain.rulings.opening import Form
from services.bootstrap import (
    CHECKPOINT_KEY_FILE,
    CHECKPOINTS_FILE,
    PUBLIC_KEY_FILE,
    TREE_FILE,
    open_log,
    room_keys,
    signed_in,
)
from services.cli.evidence import tell_cards
from services.cli.opening import Asker, record_opening
from services.cli.talk import SOUND, say
from services.eventlog.commit import Head, parse, seal
from services.evidence import bundle as bundles
from services.evidence import checkpoints
from services.evidence import keyfile as checkpoint_key
from services.evidence.bundle import Bundle
from services.evidence.checkpointer import Checkpointer
from services.evidence.hand_check import HandReport, check_bundle
from services.evidence.note import key_name
from services.evidence.tree import TreeStore
from services.ports import real_ports
from services.rulings import facts_of_hand
from services.sealing import cards


def show_evidence(home: Path, hand: str) -> bool:
    """Sign the log, prove a hand, change it, and check a player's cards; whether all came out as it must."""
    bundle, seat = _proven(home, hand)
    key = checkpoints.public_key(home / PUBLIC_KEY_FILE)
    report = check_bundle(bundle, key)
    say(
        f"Evidence: hand {hand} out of its bundle and the public key alone: "
        f"{counted(len(bundle.commits), 'commit')} of the signed log, {_verdict(report)}."
    )
    caught = check_bundle(_with_another_winner(bundle), key)
    say(f"A copy whose last commit pays otherwise, sealed anew: {'; '.join(caught.findings) or 'NOT FOUND'}.")
    say(f"The player in seat {seat} checks his cards, with the keys of his seat:")
    assert bundle.keys is not None
    checked = cards.check(bundle.keys, hand, report.facts, (seat,), bundle.cards)
    lay = tell_cards(hand, seat, report.facts, checked)
    return report.sound and not caught.sound and lay == SOUND


def _verdict(report: HandReport) -> str:
    if not report.sound:
        return "NOT PROVEN"
    again = (
        "decided again the same"
        if report.undecided is None
        else f"decided again as far as card {report.undecided.card}"
    )
    return f"proven, {'whole' if report.settled else 'under way'}, {again}"


def _proven(home: Path, hand: str) -> tuple[Bundle, int]:
    """A hand's bundle with the keys of one player's cards, against a checkpoint that is signed now; his seat."""
    with open_log(home) as log, TreeStore(home / TREE_FILE) as tree:
        facts, shard = facts_of_hand(log, hand)
        seat = next(event.seat for event in facts if isinstance(event, HandShown))
        own = room_keys(home, log.room)
        signer = checkpoint_key.load(home / CHECKPOINT_KEY_FILE, key_name(log.room))
        Checkpointer(log, tree, signer, home / CHECKPOINTS_FILE).sign(real_ports().now())
    record_opening(home, None, hand, Asker("demo"), Form.KEYS, (seat,), deck=False)
    with open_log(home) as log, TreeStore(home / TREE_FILE) as tree:
        bundle = bundles.gather(log, tree, signed_in(home, log)[shard], hand)
    return bundles.with_keys(bundle, own, facts, (seat,), deck=False), seat


def _with_another_winner(bundle: Bundle) -> Bundle:
    """The bundle with one chip more for a winner in its last commit of the hand, sealed anew where it stood."""
    last = bundle.commits[-1]
    record = last.record
    body = record.body.replace(b'"amount":', b'"amount":1', 1)
    raw, _ = seal(record.room, record.shard, Head(record.height - 1, record.epoch, record.prev), body)
    return replace(bundle, commits=(*bundle.commits[:-1], replace(last, record=parse(raw))))
