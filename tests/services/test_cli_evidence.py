"""`handlog checkpoint`, `prove`, `verify`, `verify-hand` and `check-cards`: the room, its auditor, and a player."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from domain.hand.events import HandOpened, SealedDeck
from services.bootstrap import (
    CHECKPOINT_KEY_FILE,
    CHECKPOINTS_FILE,
    KEY_FILE,
    PUBLIC_KEY_FILE,
    TREE_FILE,
    open_log,
    opened_room,
)
from services.eventlog import canonical
from services.eventlog.commit import GENESIS, parse, seal
from services.evidence import keyfile as checkpoint_key
from services.evidence.checkpointer import Checkpointer
from services.evidence.checkpoints import append, public_key, read
from services.evidence.note import CheckpointKey, key_name
from services.evidence.tree import TreeStore
from services.ports import Ports
from services.rulings import hand_commits
from services.sealing.private_file import BadKeys
from tests.services.cli import Run, handlog
from tests.services.homes import Change, forge, forge_event
from tests.services.tables import (
    ANN,
    BOTH,
    SETTLED,
    SHARD,
    UNDER_WAY,
    a_home,
    commits,
    deal_and_finish,
    finish_hand,
    nothing_shown,
    says_why,
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def ports(home: Path) -> Ports:
    return a_home(home)


@pytest.fixture
def public(home: Path) -> Path:
    return home / PUBLIC_KEY_FILE


def sign(home: Path, *args: object) -> Run:
    done = handlog("checkpoint", "--home", home, *args)
    assert done.code == 0, done
    return done


def signed_at(home: Path, *moments: datetime) -> None:
    """Have the room's log signed as of these moments."""
    with open_log(home) as log, TreeStore(home / TREE_FILE) as tree:
        key = checkpoint_key.load(home / CHECKPOINT_KEY_FILE, key_name(log.room))
        for moment in moments:
            Checkpointer(log, tree, key, home / CHECKPOINTS_FILE).sign(int(moment.timestamp()) * 1_000_000)


def ago(**time: int) -> datetime:
    return datetime.now(UTC) - timedelta(**time)


# --- checkpoint ------------------------------------------------------------------------------------------------------


def test_each_shard_is_signed_with_its_size(home: Path) -> None:
    lines = sign(home).out.splitlines()
    assert [line.split(" signed at ")[0] for line in lines] == [
        f"Shard {shard}: {size} commit{'s' * (size != 1)}" for shard, size in enumerate(commits(home))
    ]
    done = handlog("verify", "--home", home)
    assert done.code == 0
    assert f"Shard {SHARD}: {commits(home)[SHARD]} commits as signed, the last time at " in done.out


def test_what_was_signed_in_json(home: Path) -> None:
    found = sign(home, "--json").json
    assert [one["size"] for one in found] == commits(home)
    assert all(one["origin"].startswith("handlog/riverside/") for one in found)
    assert all(len(one["root"]) == 64 and one["extensions"] == [] for one in found)


def test_the_log_grows_and_is_signed_again(home: Path, ports: Ports) -> None:
    sign(home)
    finish_hand(home, ports)
    grown = commits(home)
    done = handlog("verify", "--home", home)
    assert done.code == 0
    assert "commits after it, chained and not signed" in done.out
    sign(home)
    found = handlog("verify", "--home", home, "--json").json
    assert [one["signed"] for one in found["checkpoints"]] == grown


def test_the_day_s_end_is_signed_of_what_was_there_by_then(home: Path) -> None:
    today = datetime.now(UTC).replace(hour=12) - timedelta(days=3)
    signed_at(home, today, today + timedelta(days=2))
    notes = (home / CHECKPOINTS_FILE).read_text()
    days = [line for line in notes.splitlines() if line.startswith("day ")]
    both = [f"day {today:%Y-%m-%d}", f"day {today + timedelta(days=1):%Y-%m-%d}"]
    assert days == both * len(commits(home))
    assert handlog("verify", "--home", home).code == 0


def test_it_goes_on_until_it_is_told_to_end(home: Path, ports: Ports) -> None:
    command = [sys.executable, "-c", "from services.cli import main; main()", "checkpoint", "--every", "1"]
    env = os.environ | {"HANDLOG_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout is not None and process.stderr is not None
        first = [process.stdout.readline() for _ in commits(home)]
        finish_hand(home, ports)
        whole = f"Shard {SHARD}: {commits(home)[SHARD]} commits signed at "
        grown = []
        for line in process.stdout:  # two, where it signs in the middle of the hand
            grown.append(line)
            if line.startswith(whole):
                break
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == ""
        assert process.stdout.read() == "", "a shard that hasn't grown isn't signed again"
    assert process.returncode == 0
    assert all(line.startswith("Shard ") for line in first)
    assert grown[-1].startswith(whole)
    assert all(line.startswith(f"Shard {SHARD}: ") for line in grown), "no other shard has grown"


def test_it_goes_on_after_what_passes_and_ends_at_what_does_not(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is set back is said, and set right again; checkpoints that were changed are the end."""
    here, notes, slept = datetime.now(UTC), home / CHECKPOINTS_FILE, []

    def sleep(seconds: int) -> None:
        slept.append(seconds)
        match len(slept):
            case 1:
                signed_at(home, here + timedelta(hours=1))
            case 2:
                notes.write_bytes(b"")
            case 3:
                notes.write_bytes(b"Dear auditor,\n")
            case _:
                raise AssertionError("it waits for what no waiting mends")

    monkeypatch.setattr("time.sleep", sleep)
    done = handlog("checkpoint", "--every", 1, "--home", home)
    first, last = done.err.splitlines()
    assert "set the clock right" in first
    assert first.endswith("the next attempt is in 1 s")
    assert "what stands from byte 0 on is no checkpoint" in last
    assert (done.code, slept) == (2, [1, 1, 1])
    assert len(done.out.splitlines()) == 2 * len(commits(home)), "signed at first, and once the clock was right"


@pytest.mark.parametrize("every", ["0", "-1", "soon", "1.5"])
def test_an_interval_is_a_number_of_seconds(home: Path, every: str) -> None:
    assert handlog("checkpoint", "--every", every, "--home", home).code == 2
    assert not (home / CHECKPOINTS_FILE).exists()


def test_while_the_room_plays_its_log_is_signed(home: Path, ports: Ports) -> None:
    with opened_room(home, ports):
        sign(home)


def test_without_its_key_nothing_is_signed(home: Path, tmp_path: Path) -> None:
    key = home / CHECKPOINT_KEY_FILE
    key.chmod(0o644)
    nothing_shown(home, "checkpoint", why="is open to others (mode 0644): make it 0600")
    key.chmod(0o600)
    key.rename(tmp_path / "away")
    nothing_shown(home, "checkpoint", why=f"no key file stands at {key}")
    nothing_shown(home, "checkpoint", "--key", home / KEY_FILE, why="is no checkpoint key")
    sign(home, "--key", tmp_path / "away")


def test_a_key_that_the_log_doesn_t_name_signs_nothing(home: Path, tmp_path: Path) -> None:
    for room in ("riverside", "lakeside"):
        handlog("init", "--room", room, "--home", tmp_path / room)
    why = "this isn't the checkpoint key that room riverside was opened with"
    nothing_shown(home, "checkpoint", "--key", tmp_path / "riverside" / CHECKPOINT_KEY_FILE, why=why)
    nothing_shown(
        home, "checkpoint", "--key", tmp_path / "lakeside" / CHECKPOINT_KEY_FILE, why="is of handlog/lakeside"
    )
    assert not (home / CHECKPOINTS_FILE).exists()
    with open_log(home) as log, TreeStore(home / TREE_FILE) as tree, pytest.raises(BadKeys, match="nobody would take"):
        Checkpointer(log, tree, checkpoint_key.make(tmp_path / "new", key_name("riverside"), bytes(32)), tmp_path / "c")


# --- verify ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def exported(home: Path, tmp_path: Path) -> Path:
    """The log as an auditor gets it, signed."""
    sign(home)
    handlog("export", tmp_path / "log.hl1", "--home", home)
    return tmp_path / "log.hl1"


def test_an_auditor_needs_a_file_its_checkpoints_and_a_public_key(home: Path, exported: Path, public: Path) -> None:
    given = ("--checkpoints", home / CHECKPOINTS_FILE, "--public-key", public)
    done = handlog("verify", "--file", exported, *given)
    assert done.code == 0
    assert "That a newer checkpoint was held back, and what it covers cut off, can't be excluded" in done.out
    forged = exported.with_name("forged")
    forged.write_bytes(exported.read_bytes().rsplit(b"HL1 ", 1)[0])
    done = handlog("verify", "--file", forged, *given)
    assert done.code == 1
    assert "1 commits are missing" in done.out or "1 commit is missing" in done.out


def test_without_checkpoints_it_is_said_what_can_t_be_told(exported: Path) -> None:
    done = handlog("verify", "--file", exported)
    assert done.code == 0
    assert "No checkpoint was compared: a log that was cut off, or wholly written anew" in done.out


def test_a_log_that_was_wholly_written_anew_is_found(home: Path) -> None:
    sign(home)
    forge_event(home, "table.player-seated", lambda data: data.update(player="eve"))
    done = handlog("verify", "--home", home)
    assert done.code == 1
    assert f"shard {SHARD}, height 0: this isn't the history that was signed" in done.out


@pytest.mark.parametrize(("age", "code"), [("90s", 1), ("30m", 1), ("1h", 1), ("3h", 0), ("2d", 0)])
def test_a_checkpoint_may_be_too_old(home: Path, age: str, code: int) -> None:
    signed_at(home, ago(hours=2))
    done = handlog("verify", "--home", home, "--not-older-than", age)
    assert done.code == code
    assert ("one not older than" in done.out) == bool(code)
    assert "can't be excluded" not in done.out


def test_an_older_checkpoint_than_one_kept_is_no_newest(home: Path, ports: Ports, tmp_path: Path) -> None:
    signed_at(home, ago(hours=2))
    older = (home / CHECKPOINTS_FILE).read_text()
    finish_hand(home, ports)
    sign(home)
    kept = tmp_path / "kept"
    kept.write_text((home / CHECKPOINTS_FILE).read_text())
    assert handlog("verify", "--home", home, "--seen", kept).code == 0
    (home / CHECKPOINTS_FILE).write_text(older)
    done = handlog("verify", "--home", home, "--seen", kept)
    assert done.code == 1
    assert "an old checkpoint is offered as the newest" in done.out
    (home / CHECKPOINTS_FILE).unlink()
    assert handlog("verify", "--home", home, "--seen", kept).code == 1, "none is offered any more"


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--file", "LOG", "--checkpoints", "NOTES"], "give --public-key FILE"),
        (["--file", "LOG", "--public-key", "PUBLIC"], "give what was signed of this log, with --checkpoints FILE"),
        (["--file", "LOG", "--not-older-than", "1h"], "give what was signed of this log, with --checkpoints FILE"),
        (["--file", "LOG", "--seen", "NOTES"], "give what was signed of this log, with --checkpoints FILE"),
        (["--file", "NONE"], "NONE"),
        (["--home", "HOME", "--checkpoints", "NONE"], "can't be read: No such file"),
        (["--home", "HOME", "--checkpoints", "LOG"], "is no whole note"),
        (["--home", "HOME", "--seen", "LOG"], "is no whole note"),
        (["--home", "HOME", "--seen", "NONE"], "can't be read: No such file"),
        (["--home", "HOME", "--public-key", "NONE"], "can't be read: No such file"),
        (["--home", "HOME", "--public-key", "LOG"], "no public key"),
        (["--home", "HOME", "--public-key", "OTHER"], "is it another key's, or was it changed?"),
        (["--home", "HOME", "--not-older-than", "1 hour"], "'1 hour' is no age: write a number and s, m, h or d"),
        (["--home", "HOME", "--not-older-than", "-1h"], "is no age"),
        (["--home", "HOME", "--not-older-than", ""], "'' is no age"),
        ([], "nothing to verify: give --home DIR (or set HANDLOG_HOME) or --file FILE"),
    ],
)
def test_what_an_auditor_may_have_mistaken(
    home: Path, exported: Path, public: Path, tmp_path: Path, args: list[str], why: str
) -> None:
    handlog("init", "--room", "riverside", "--home", tmp_path / "other")
    files = {
        "LOG": exported, "NOTES": home / CHECKPOINTS_FILE, "PUBLIC": public, "HOME": home, "NONE": tmp_path / "NONE",
        "OTHER": tmp_path / "other" / PUBLIC_KEY_FILE,
    }  # fmt: skip
    says_why(handlog("verify", *[files.get(word, word) for word in args]), why)


def test_a_key_file_given_for_the_public_one_is_not_shown(home: Path) -> None:
    sign(home)
    for name in (KEY_FILE, CHECKPOINT_KEY_FILE):
        done = handlog("verify", "--home", home, "--public-key", home / name)
        says_why(done, f"{home / name}: this is no public key")
        secret = json.loads((home / name).read_text())
        secret = secret["secret"] if "secret" in secret else secret["keys"][0]["key"]
        assert secret[:8] not in done.err


def test_it_is_said_when_the_public_key_is_only_the_home_s_own(home: Path, public: Path, tmp_path: Path) -> None:
    """A home that was replaced as a whole brings a key that fits it."""
    sign(home)
    named = f"The public key {public.read_text().split('+')[1]} is the home's own"
    assert named in handlog("verify", "--home", home).out
    kept = Path(shutil.copy(public, tmp_path / "kept"))
    assert named not in handlog("verify", "--home", home, "--public-key", kept).out


def test_a_key_that_the_log_doesn_t_name_is_found(home: Path, exported: Path, tmp_path: Path) -> None:
    """Whoever has another key can sign any log with it."""
    other = CheckpointKey("handlog/riverside", bytes(range(32)))
    (tmp_path / "other.pub").write_text(other.public.to_text())
    ours = read(home / CHECKPOINTS_FILE, public_key(home / PUBLIC_KEY_FILE))
    append(tmp_path / "notes", [other.sign(one.checkpoint, one.time) for one in ours])
    given = ("--checkpoints", tmp_path / "notes", "--public-key", tmp_path / "other.pub")
    done = handlog("verify", "--file", exported, *given)
    assert done.code == 1
    assert "was opened with another checkpoint key than the one that you check with" in done.out


def test_checkpoints_of_another_room_are_said(home: Path, exported: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    handlog("init", "--room", "riverside", "--home", other)
    sign(other)
    given = ("--checkpoints", other / CHECKPOINTS_FILE, "--public-key", other / PUBLIC_KEY_FILE)
    assert handlog("verify", "--file", exported, *given).code == 1


# --- prove and verify-hand -------------------------------------------------------------------------------------------


def prove(home: Path, *args: object, hand: str = SETTLED) -> Path:
    """The bundle that is written."""
    bundle = home.parent / "bundle"
    bundle.unlink(missing_ok=True)
    done = handlog("prove", hand, bundle, *args, "--home", home)
    assert done.code == 0, done
    return bundle


def test_a_hand_is_proven_without_keys_and_nothing_is_recorded(home: Path, public: Path) -> None:
    sign(home)
    before = commits(home)
    bundle = prove(home)
    assert commits(home) == before
    done = handlog("verify-hand", bundle, "--public-key", public)
    assert done.code == 0
    assert f"Hand {SETTLED} is proven: 9 commits of handlog/riverside/" in done.out
    assert "It is settled, and none of its facts is missing" in done.out
    assert "Deciding it again stops at card 1, which is sealed" in done.out
    assert "Whether the deck was shuffled from its seed was not checked: that takes the key to the deck." in done.out
    assert json.loads(bundle.read_text())["keys"] is None


def test_with_the_keys_to_all_cards_it_is_decided_again(home: Path, public: Path) -> None:
    sign(home)
    bundle = prove(home, "--with-keys", *ANN)
    found = handlog("verify-hand", bundle, "--public-key", public, "--json").json
    assert (found["sound"], found["settled"], found["needs_card"], found["shuffle_checked"]) == (True, True, None, True)
    for command in (["verify-hand", bundle], ["check-cards", "--bundle", bundle, "--seat", 1]):
        assert "The deck was shuffled from its seed." in handlog(*command, "--public-key", public).out
    assert len(found["cards"]) == 9
    (opened,) = handlog("openings", SETTLED, "--home", home, "--json").json
    assert (opened["form"], opened["seats"], opened["deck"]) == ("keys", [1, 2], True)


def test_a_player_s_bundle_opens_his_cards_and_no_others(home: Path, public: Path) -> None:
    sign(home)
    bundle = prove(home, "--seat", 2, "--seat", 2, *ANN)
    assert handlog("verify-hand", bundle, "--public-key", public).code == 0
    keys = json.loads(bundle.read_text())["keys"]["keys"]
    assert [list(some) for some in keys.values()] == [["seat 2"]]
    assert handlog("check-cards", "--bundle", bundle, "--seat", 2).code == 0
    says_why(
        handlog("check-cards", "--bundle", bundle, "--seat", 1),
        f"{bundle} opens no card of seat 1: ask the room for one that does (`handlog prove --seat 1`)",
    )


def test_a_hand_under_way_is_proven_as_far_as_it_is_signed(home: Path, ports: Ports, public: Path) -> None:
    sign(home)
    done = handlog("verify-hand", prove(home, hand=UNDER_WAY), "--public-key", public)
    assert done.code == 0
    assert done.out.startswith("NOT settled by these facts: whether more of them were signed, a bundle can't show.")
    assert handlog("verify-hand", home.parent / "bundle", "--public-key", public, "--json").json["settled"] is False
    says_why(
        handlog("prove", UNDER_WAY, home.parent / "none", "--with-keys", *ANN, "--home", home),
        "takes two people and a reason",
    )
    assert not (home.parent / "none").exists()
    assert handlog("verify-hand", prove(home, "--with-keys", *BOTH, hand=UNDER_WAY), "--public-key", public).code == 0
    finish_hand(home, ports)
    why = f"no checkpoint of shard {SHARD} covers hand {UNDER_WAY} yet: sign one with `handlog checkpoint`"
    nothing_shown(home, "prove", UNDER_WAY, home.parent / "none", why=why)


def test_openings_are_part_of_what_is_proven(home: Path, public: Path) -> None:
    handlog("replay", SETTLED, "--open", *ANN, "--home", home)
    sign(home)
    bundle = prove(home)
    assert len(json.loads(bundle.read_text())["commits"]) == 10
    assert handlog("verify-hand", bundle, "--public-key", public).code == 0


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ([SETTLED, "OUT", "--with-keys"], "it is recorded who asks for this"),
        ([SETTLED, "OUT", "--seat", "1"], "it is recorded who asks for this"),
        ([SETTLED, "OUT", "--seat", "7", *ANN], "seat 7 was not dealt in to hand t1-1: seats 1 and 2 were"),
        ([SETTLED, "OUT", "--seat", "1", "--with-keys", *ANN], "choose one"),
        (["t1-9", "OUT"], "there is no hand t1-9 in this log"),
        ([SETTLED, "HOME"], "exists already: choose another file"),
        ([SETTLED, "OUT/none"], "there is no folder"),
    ],
)
def test_what_can_t_be_proven_writes_and_records_nothing(home: Path, tmp_path: Path, args: list[str], why: str) -> None:
    sign(home)
    files = {"OUT": str(tmp_path / "out"), "HOME": str(home), "OUT/none": str(tmp_path / "out" / "none")}
    nothing_shown(home, "prove", *[files.get(word, word) for word in args], why=why)
    assert not (tmp_path / "out").exists()


def test_before_anything_is_signed_nothing_can_be_proven(home: Path, tmp_path: Path) -> None:
    why = f"{home} has no checkpoints yet: sign some with `handlog checkpoint`"
    nothing_shown(home, "prove", SETTLED, tmp_path / "out", "--with-keys", *ANN, why=why)


@pytest.mark.parametrize("part", ["record", "checkpoint", "proof"])
def test_a_bundle_that_was_changed_is_not_proven(home: Path, public: Path, part: str) -> None:
    sign(home)
    bundle = prove(home)
    value = json.loads(bundle.read_text())
    match part:
        case "record":
            value["commits"][2]["record"] = value["commits"][2]["record"].replace("ann", "eve").replace("bob", "eve")
            value["commits"][1]["record"] = value["commits"][1]["record"].replace('"at":1', '"at":2')
        case "checkpoint":
            value["checkpoint"] = value["checkpoint"].replace("\n14\n", "\n15\n")
        case _:
            value["commits"][0]["proof"][0] = "00" * 32
    bundle.write_text(json.dumps(value))
    done = handlog("verify-hand", bundle, "--public-key", public)
    assert done.code == 1
    assert f"Hand {SETTLED} is NOT proven" in done.out


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "7", '{"format": "handlog-hand-1"}', '{"format": "handlog-keys-1"}', "x"]
)
def test_what_is_no_bundle_is_said(home: Path, public: Path, tmp_path: Path, text: str) -> None:
    file = tmp_path / "no bundle"
    file.write_text(text)
    says_why(handlog("verify-hand", file, "--public-key", public), "")
    says_why(handlog("check-cards", "--bundle", file, "--seat", 1), "")


def test_another_room_s_key_proves_nothing(home: Path, tmp_path: Path) -> None:
    sign(home)
    handlog("init", "--home", tmp_path / "other")
    done = handlog("verify-hand", prove(home), "--public-key", tmp_path / "other" / PUBLIC_KEY_FILE)
    assert done.code == 1
    assert "the checkpoint isn't signed by this key" in done.out


def opens_the_deck(data: dict[str, Any]) -> None:
    data["deck"] = list(range(data["deck"]["size"]))


def opens_the_cards(data: dict[str, Any]) -> None:
    data["cards"] = list(data["indices"])


@pytest.mark.parametrize(
    ("event", "change", "what"),
    [
        ("hand.opened", opens_the_deck, "the deck lies open in the log"),
        ("hand.cards-dealt", opens_the_cards, "lies open in the log: it must be sealed"),
    ],
)
def test_what_lies_open_in_a_signed_log_is_not_proven(
    home: Path, public: Path, event: str, change: Change, what: str
) -> None:
    forge_event(home, event, change, SETTLED)
    sign(home)
    done = handlog("verify-hand", prove(home), "--public-key", public)
    assert done.code == 1
    assert what in done.out


def test_a_hand_that_opens_in_another_stream_is_not_proven(home: Path, public: Path) -> None:
    def alter(body: dict[str, Any]) -> int | None:
        own = [event for event in body["events"] if event["stream"] == f"hand:{SETTLED}"]
        for event in own:
            event["stream"] = f"audit:{SETTLED}"
        return 0 if own else None

    forge(home, alter)
    sign(home)
    done = handlog("verify-hand", prove(home), "--public-key", public)
    assert done.code == 1
    assert f"the first commit doesn't open hand {SETTLED}" in done.out


# --- check-cards -----------------------------------------------------------------------------------------------------


def test_a_player_checks_his_cards_out_of_a_bundle_and_in_the_home(home: Path) -> None:
    sign(home)
    at_home = handlog("check-cards", SETTLED, "--seat", 1, *ANN, "--home", home)
    own = handlog("check-cards", "--bundle", prove(home, "--seat", 1, *ANN), "--seat", 1)
    assert (at_home.code, own.code) == (0, 0)
    assert own.out.startswith(at_home.out)
    assert f"The deck of hand {SETTLED} was fixed with root {root_of(home)}." in own.out
    assert own.out.count("dealt to seat 1, face down: it lay there") == 2
    assert "All 7 lay where the deck had them before the first bet." in own.out
    assert "Nothing but the deck's root was compared: whether the room has signed this hand, --public-key" in own.out
    assert "Whether the deck was shuffled from its seed was not checked" in own.out


def root_of(home: Path) -> str:
    """The root that the deck was fixed with, as the log has it."""
    with open_log(home) as log:
        facts = [fact.event for commit in hand_commits(log, SETTLED) for fact in commit.facts]
    (root,) = [
        event.deck.root for event in facts if isinstance(event, HandOpened) and isinstance(event.deck, SealedDeck)
    ]
    return root


def test_a_card_that_lay_elsewhere_is_named(home: Path) -> None:
    sign(home)
    bundle = prove(home, "--seat", 1, *ANN)
    value = json.loads(bundle.read_text())
    value["cards"][0]["path"][0] = "00" * 32
    del value["cards"][1]
    bundle.write_text(json.dumps(value))
    done = handlog("check-cards", "--bundle", bundle, "--seat", 1)
    assert done.code == 1
    assert "it doesn't lie there in the deck that was fixed before the first bet" in done.out
    assert "no path was given for it" in done.out
    assert "2 cards of 7 NOT as they should be." in done.out


def test_a_player_s_bundle_is_checked_as_a_whole_with_the_public_key(home: Path, public: Path) -> None:
    sign(home)
    bundle = prove(home, "--seat", 1, *ANN)
    done = handlog("check-cards", "--bundle", bundle, "--seat", 1, "--public-key", public)
    assert done.code == 0
    assert "This is a hand that the room has signed." in done.out
    value = json.loads(bundle.read_text())
    value["commits"][-1]["proof"][0] = "00" * 32
    bundle.write_text(json.dumps(value))
    assert handlog("check-cards", "--bundle", bundle, "--seat", 1).code == 0, "its cards lie where they did"
    done = handlog("check-cards", "--bundle", bundle, "--seat", 1, "--public-key", public)
    assert done.code == 1
    assert f"Hand {SETTLED} is NOT proven" in done.out


def without_cards(events: list[dict[str, Any]]) -> None:
    events[:] = [event for event in events if event["type"] != "hand.cards-dealt"]


def dealt_to_seat_1(events: list[dict[str, Any]]) -> Any:
    return next(one["data"] for one in events if one["type"] == "hand.cards-dealt" and one["data"]["seat"] == 1)


def with_an_index_more(events: list[dict[str, Any]]) -> None:
    dealt_to_seat_1(events)["indices"].append(50)


def with_a_card_more(events: list[dict[str, Any]]) -> None:
    dealt_to_seat_1(events)["cards"].append(dealt_to_seat_1(events)["cards"][0])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (without_cards, "No card of seat 1 was checked: these facts deal none to it face down."),
        (with_an_index_more, "NOT as they should be"),
        (with_a_card_more, "NOT as they should be"),
    ],
)
def test_facts_that_don_t_fit_together_check_no_cards(
    home: Path, change: Callable[[list[dict[str, Any]]], None], why: str
) -> None:
    sign(home)
    bundle = prove(home, "--seat", 1, *ANN)
    value = json.loads(bundle.read_text())
    record = parse(value["commits"][0]["record"].encode())
    body = canonical.decode(record.body)
    change(body["events"])
    value["commits"][0]["record"] = seal(record.room, record.shard, GENESIS, canonical.encode(body))[0].decode()
    bundle.write_text(json.dumps(value))
    done = handlog("check-cards", "--bundle", bundle, "--seat", 1)
    assert done.code == 1
    assert why in done.out


def test_a_deck_that_is_not_the_one_that_was_fixed_is_found(home: Path) -> None:
    forge_event(home, "hand.opened", lambda data: data["deck"].update(root="00" * 32), SETTLED)
    done = handlog("check-cards", SETTLED, "--seat", 1, *ANN, "--home", home)
    assert done.code == 1
    assert f"The deck of hand {SETTLED} is NOT as it should be" in done.out


@pytest.mark.parametrize("card", [52, 255, -1])
def test_a_card_that_is_none_is_no_proof(home: Path, card: int) -> None:
    sign(home)
    bundle = prove(home, "--seat", 1, *ANN)
    value = json.loads(bundle.read_text())
    value["cards"][0]["card"] = card
    bundle.write_text(json.dumps(value))
    assert handlog("check-cards", "--bundle", bundle, "--seat", 1).code in {1, 2}


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--seat", "1"], "name a hand of the home, or a bundle with --bundle FILE; not both"),
        ([SETTLED, "--bundle", "b", "--seat", "1"], "not both"),
        ([SETTLED, "--seat", "5", *ANN], "seat 5 was not dealt in"),
        ([SETTLED, "--seat", "1"], "it is recorded who asks for this"),
        ([UNDER_WAY, "--seat", "1", *ANN], "takes two people and a reason"),
        (["t1-9", "--seat", "1", *ANN], "there is no hand t1-9"),
    ],
)
def test_what_can_t_be_checked_shows_nothing(home: Path, args: list[str], why: str) -> None:
    nothing_shown(home, "check-cards", *args, why=why)


def test_a_hand_of_the_home_needs_one() -> None:
    says_why(handlog("check-cards", SETTLED, "--seat", 1, *ANN), "give --home DIR (or set HANDLOG_HOME)")


def test_many_hands_and_checkpoints_later_an_old_hand_is_still_proven(home: Path, ports: Ports, public: Path) -> None:
    sign(home)
    finish_hand(home, ports)
    for number in (3, 4):
        deal_and_finish(home, ports, number)
        sign(home)
    for hand in (SETTLED, UNDER_WAY, "t1-4"):
        assert handlog("verify-hand", prove(home, hand=hand), "--public-key", public).code == 0
    (home / TREE_FILE).unlink()
    assert handlog("verify-hand", prove(home), "--public-key", public).code == 0
