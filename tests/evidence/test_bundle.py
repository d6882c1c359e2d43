"""A hand's bundle: gathered, written, read and checked; what it can show, and what it can't."""

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from domain.table.commands import OpenTable
from services.bootstrap import CHECKPOINT_KEY_FILE, TREE_FILE, make_home, open_log
from services.eventlog.log import LogError
from services.evidence import bundle as bundles
from services.evidence import keyfile as checkpoint_key
from services.evidence.bundle import BadBundle, Bundle
from services.evidence.hand_check import check_bundle
from services.evidence.tree import TreeStore, _checksum
from services.ports import seeded_ports
from services.rulings import NoSuchHand
from tests.evidence import histories, independent_verifier
from tests.evidence.histories import ROOM, SHARDS, Floor, History
from tests.setup.tree import ROOT


def test_a_bundle_comes_back_from_its_file(history: History, tmp_path: Path) -> None:
    made = histories.bundle_of(history, "t5-1", (1, 2), deck=True)
    bundles.write(made, tmp_path / "hand.json")
    back = bundles.read(tmp_path / "hand.json")
    assert back.to_json() == made.to_json()
    assert check_bundle(back, history.public).sound
    with pytest.raises(LogError, match="exists already"):
        bundles.write(made, tmp_path / "hand.json")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "holds no JSON"),
        ("[" * 100_000, "holds no JSON"),
        ("[]", "lacks a part"),
        ("{}", "lacks a part"),
        ('{"format": "handlog-hand-2"}', "no bundle of format handlog-hand-1, but 'handlog-hand-2'"),
    ],
)
def test_what_is_no_bundle_is_a_sentence(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "hand.json").write_text(text)
    with pytest.raises(BadBundle, match=what):
        bundles.read(tmp_path / "hand.json")


def test_a_hand_that_no_checkpoint_covers_yet_can_t_be_proven(history: History) -> None:
    with open_log(history.home) as log, TreeStore(history.home / TREE_FILE) as tree:
        played = {f"{table.table}-3" for table in histories.TABLES} - set(histories.hands_of(history))
        assert not played, "the last hands are signed in this history"
        with pytest.raises(LogError, match="no checkpoint of shard . covers hand t1-3 yet: sign one"):
            bundles.gather(log, tree, [], "t1-3")
        with pytest.raises(NoSuchHand, match="there is no hand t9-1"):
            bundles.gather(log, tree, [], "t9-1")


def test_no_bundle_is_made_of_a_tree_that_was_changed(history: History, tmp_path: Path) -> None:
    """Another leaf with the checksum that fits it: no path over it leads to what was signed."""
    home = Path(shutil.copytree(history.home, tmp_path / "home"))
    made = histories.bundle_of(history, "t1-1")
    shard, place = made.commits[0].record.shard, made.commits[0].record.height ^ 1
    node = bytes(32)
    with closing(sqlite3.connect(home / TREE_FILE)) as db, db:
        changed = db.execute(
            "UPDATE nodes SET hash = ?, checksum = ? WHERE shard = ? AND level = 0 AND place = ?",
            (node, _checksum(shard, 0, place, node), shard, place),
        ).rowcount
    assert changed == 1
    own = [one for one in history.signed if one.note == made.checkpoint]
    with open_log(home) as log, TreeStore(home / TREE_FILE) as tree:
        with pytest.raises(LogError, match="the tree beside the log doesn't prove hand t1-1"):
            bundles.gather(log, tree, own, "t1-1")
        assert bundles.gather(log, tree, own, "t1-1").to_json() == made.to_json()


def test_without_keys_a_bundle_holds_no_hidden_card(history: History) -> None:
    value = histories.bundle_of(history, "t5-1").to_json()
    assert (value["keys"], value["cards"]) == (None, [])


def test_a_seat_s_keys_open_its_own_cards_only(history: History) -> None:
    made = histories.bundle_of(history, "t5-1", (1,))
    report = check_bundle(made, history.public)
    assert report.sound
    assert {one.seat for one in report.cards} == {1}
    assert made.keys is not None
    assert {purpose for some in made.keys.keys.values() for purpose in some} == {"seat 1"}


def test_a_hand_whose_last_commits_are_left_out_is_not_called_settled(history: History) -> None:
    whole = histories.bundle_of(history, "t2-1")
    assert check_bundle(whole, history.public).settled
    for left in range(1, len(whole.commits)):
        part = Bundle(whole.room, whole.hand, whole.checkpoint, whole.commits[:left])
        report = check_bundle(part, history.public)
        assert report.sound
        assert not report.settled


@pytest.fixture(scope="module")
def reshuffled(tmp_path_factory: pytest.TempPathFactory) -> tuple[History, str]:
    """A history in which the deck of a hand ran out, and that hand."""
    home = tmp_path_factory.mktemp("reshuffled") / "home"
    make_home(home, ROOM, seeded_ports(7), shards=SHARDS)
    key = checkpoint_key.load(home / CHECKPOINT_KEY_FILE, f"handlog/{ROOM}")
    floor = Floor(home, histories.ports_later(7, 0), Random(7), players=(3,) * 6)
    table = OpenTable("t1", "Elm", "triple-draw", "fixed", "euro", 100, 200, 6, "real", "EUR")
    for hand in range(1, 40):
        floor.play(1, (table,))
        with open_log(home) as log:
            if any(b'"hand.deck-reshuffled"' in record.body for record in log.stream_commits(f"hand:t1-{hand}")):
                floor.sign(key)
                return histories.history_of(home, key), f"t1-{hand}"
    raise AssertionError("no deck ran out")


def test_a_reshuffled_pile_is_proven_as_the_deck_is(reshuffled: tuple[History, str]) -> None:
    history, hand = reshuffled
    key = independent_verifier.read_key(history.public.to_text())
    value = histories.bundle_of(history, hand, tuple(range(1, 7)), deck=True).to_json()
    assert max(one["index"] for one in value["cards"]) >= 52, "cards of the pile were dealt"
    assert check_bundle(Bundle.from_json(value), history.public).findings == []
    independent_verifier.check_hand(value, key)
    for card in value["cards"][-1], value["cards"][0]:
        card["salt"], salt = "00" * 16, card["salt"]
        assert check_bundle(Bundle.from_json(value), history.public).findings[0].startswith(f"card {card['index']}: ")
        with pytest.raises(ValueError, match="it didn't lie there"):
            independent_verifier.check_hand(value, key)
        card["salt"] = salt


def verifier(*args: object) -> subprocess.CompletedProcess[str]:
    program = ROOT / "tests" / "evidence" / "independent_verifier.py"
    return subprocess.run(
        [sys.executable, "-I", str(program), *map(str, args)], capture_output=True, text=True, timeout=60, check=False
    )


def test_the_independent_verifier_runs_alone(history: History, tmp_path: Path) -> None:
    """Isolated from everything of ours, on files."""
    log, signed, public, hand = (tmp_path / name for name in ("log", "checkpoints", "public", "hand.json"))
    log.write_bytes(history.data)
    signed.write_bytes(history.notes)
    public.write_text(history.public.to_text())
    hand.write_text(json.dumps(histories.bundle_of(history, "t5-1", (1, 2), deck=True).to_json()))
    assert verifier("log", log, signed, public).returncode == 0
    assert verifier("log", log, signed, signed, public).returncode == 0
    assert verifier("hand", hand, public).returncode == 0
    log.write_bytes(history.data.replace(b'"floor:ann"', b'"floor:bob"', 1))
    done = verifier("log", log, signed, public)
    assert (done.returncode, done.stderr) == (1, "")
    assert "its body isn't the header's" in done.stdout
    hand.write_text(hand.read_text().replace("floor:ann", "floor:bob", 1))
    assert verifier("hand", hand, public).returncode == 1
