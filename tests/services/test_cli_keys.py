"""`handlog keys`: made, exported, rotated; and a room whose key file is lost, another one, or open to others."""

import json
import shutil
import stat
from pathlib import Path

import pytest

from domain.table.commands import DealHand, SitDown
from services.bootstrap import CHECKPOINT_KEY_FILE, LOG_FILE, key_ids_named, open_log, open_writer
from services.ports import Ports, real_ports
from services.rulings import hand_commits
from services.sealing import cards
from services.sealing.keyfile import BadKeys, HandKeys, load, make, rotate
from services.sealing.shoe import Opener
from tests.services.cli import handlog
from tests.services.homes import Desk, a_table_of_two, hand_of
from tests.services.tables import (
    ANN,
    BOTH,
    SETTLED,
    UNDER_WAY,
    a_home,
    bodies,
    deal_and_finish,
    finish_hand,
    give,
    key_file,
    nothing_shown,
    outcome_of,
    play_on,
    room_of,
    says_why,
)

NO_KEYS_NEEDED = [["hands"], ["replay", SETTLED], ["report", "balances"], ["report", "rake"], ["rebuild"], ["verify"]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def ports(home: Path) -> Ports:
    return a_home(home)


@pytest.fixture
def keys(home: Path, ports: Ports) -> Path:
    """The room's key file."""
    return key_file(home)


def key_ids(path: Path) -> list[str]:
    return [one["id"] for one in json.loads(path.read_text())["keys"]]


def named(home: Path) -> list[str]:
    with open_log(home) as log:
        return key_ids_named(log)


def open_room(home: Path, ports: Ports, keys: Path | None = None) -> None:
    """Open the room with its writer, and close it."""
    with open_writer(home, ports, keys):
        pass


def sealed_under(home: Path, hand: str) -> list[str]:
    """The keys that a hand's cards are sealed under."""
    with open_log(home) as log:
        facts = [fact.event for commit in hand_commits(log, hand) for fact in commit.facts]
    return [one.hex() for one in cards.key_ids(facts)]


# --- init ------------------------------------------------------------------------------------------------------------


def test_a_home_is_made_with_its_keys_and_says_what_they_are_for(tmp_path: Path) -> None:
    home = tmp_path / "new"
    done = handlog("init", "--home", home)
    assert f"{home / 'room.keys'} opens every card: keep a copy of it" in done.out
    assert f"{home / 'checkpoint.pub'} checks what is signed of it" in done.out
    for name in ("room.keys", CHECKPOINT_KEY_FILE):
        assert stat.S_IMODE((home / name).stat().st_mode) == 0o600
    assert named(home) == key_ids(home / "room.keys")


def test_the_key_may_lie_outside_the_home_from_the_beginning(tmp_path: Path) -> None:
    home, outside = tmp_path / "new", tmp_path / "safe.keys"
    assert handlog("init", "--home", home, env={"HANDLOG_KEYS": str(outside)}).code == 0
    assert outside.exists()
    assert not (home / "room.keys").exists()
    says_why(handlog("keys", "rotate", *ANN, "--home", home), "no key file stands at")
    assert handlog("keys", "rotate", *ANN, "--home", home, "--keys", outside).code == 0
    open_room(home, real_ports(), outside)


@pytest.mark.parametrize("left", ["room.keys", "checkpoint.key", "checkpoints"])
def test_a_new_home_takes_nothing_of_an_older_one(tmp_path: Path, left: str) -> None:
    home = tmp_path / "new"
    home.mkdir()
    (home / left).write_text("of another room")
    says_why(handlog("init", "--home", home), f"{home / left} is left of another log")
    assert [one.name for one in home.iterdir()] == [left]
    assert (home / left).read_text() == "of another room"


def test_a_home_that_couldn_t_be_made_leaves_no_key(tmp_path: Path) -> None:
    home, keys = tmp_path / "new", tmp_path / "nowhere" / "room.keys"
    says_why(handlog("init", "--home", home, "--keys", keys), str(keys))
    assert list(home.iterdir()) == []
    assert handlog("init", "--home", home).code == 0, "nothing is in the way"


def test_a_second_key_is_made_by_rotation_only(home: Path, keys: Path) -> None:
    before = keys.read_bytes()
    nothing_shown(home, "keys", "init", *ANN, why="`handlog keys rotate` makes another")
    assert keys.read_bytes() == before


@pytest.mark.parametrize("command", ["init", "rotate"])
@pytest.mark.parametrize("by", [[], ["--by", "Ann Smith"], ["--by", "x" * 65]])
def test_without_a_name_for_the_log_no_key_is_made(home: Path, keys: Path, command: str, by: list[str]) -> None:
    before = keys.read_bytes()
    nothing_shown(home, "keys", command, *by, why="--by")
    keys.rename(home / "away")
    nothing_shown(home, "keys", command, *by, why="--by")
    assert not keys.exists()
    assert (home / "away").read_bytes() == before


def test_while_the_room_plays_no_key_is_made(home: Path, ports: Ports, keys: Path) -> None:
    before = keys.read_bytes()
    with room_of(home, ports):
        says_why(handlog("keys", "rotate", *ANN, "--home", home), "is in use by process")
        keys.rename(home / "away")
        says_why(handlog("keys", "init", *ANN, "--home", home), "is in use by process")
    assert not keys.exists()
    assert (home / "away").read_bytes() == before


# --- a key file that is lost -----------------------------------------------------------------------------------------


def test_a_lost_key_stops_the_room_and_the_sentence_says_what_helps(home: Path, ports: Ports, keys: Path) -> None:
    keys.unlink()
    with pytest.raises(BadKeys, match=r"no key file stands at .*: bring back that of room riverside .* keys init"):
        open_room(home, ports)
    nothing_shown(home, "replay", SETTLED, "--open", *ANN, why="no key file stands at")
    nothing_shown(home, "keys", "rotate", *ANN, why="no key file stands at")
    nothing_shown(home, "keys", "export", SETTLED, home / "out", *ANN, why="no key file stands at")
    nothing_shown(home, "check-cards", SETTLED, "--seat", 1, *ANN, why="no key file stands at")
    assert not (home / "out").exists()


def test_without_keys_chips_turns_and_results_replay(home: Path, keys: Path) -> None:
    with_keys = [handlog(*command, "--home", home) for command in NO_KEYS_NEEDED]
    keys.unlink()
    assert [handlog(*command, "--home", home) for command in NO_KEYS_NEEDED] == with_keys
    assert all(done.code == 0 for done in with_keys)
    assert handlog("export", home / "log.hl1", "--home", home).code == 0
    assert handlog("verify", "--file", home / "log.hl1").code == 0


def test_without_keys_no_down_card_is_shown(home: Path, keys: Path) -> None:
    *_, last = handlog("replay", UNDER_WAY, "--home", home, "--json").json
    assert [seat["cards"] for seat in last["seats"]] == [[], []]


def test_deciding_again_stops_where_it_needs_a_sealed_card(home: Path, keys: Path) -> None:
    assert handlog("readjudicate", "--all", "--home", home).code == 0
    keys.rename(home / "away")
    done = handlog("readjudicate", SETTLED, "--home", home)
    assert done.code == 2
    assert "needs card 1, sealed" in done.out
    found = handlog("readjudicate", "--all", "--home", home, "--json").json
    assert (found["same"], found["divergences"]) == (False, [])
    assert [one["card"] for one in found["sealed"]] == [1]
    assert handlog("readjudicate", "--all", "--home", home, "--keys", home / "away").code == 0


def test_after_a_loss_a_new_key_seals_and_the_hand_under_way_says_why_it_can_t_go_on(
    home: Path, ports: Ports, keys: Path
) -> None:
    lost = keys.rename(home / "away")
    assert "It opens nothing that was sealed before" in handlog("keys", "init", *ANN, "--home", home).out
    assert named(home) == [*key_ids(lost), *key_ids(keys)]
    desk = Desk(ports)
    with room_of(home, ports) as room:
        stuck = str(outcome_of(room, desk(SitDown("t1", 3, "eve", 100))))
        assert f"hand {UNDER_WAY} can't go on without the key that its deck is sealed under: room key" in stuck
        assert key_ids(lost)[0] in stuck
        for args in a_table_of_two("t12"):  # a table of the same shard
            give(room, desk(args))
    assert sealed_under(home, "t12-1") == key_ids(keys)


def test_what_was_sealed_under_a_lost_key_is_not_opened_in_vain(home: Path, keys: Path) -> None:
    lost = keys.rename(home / "away")
    handlog("keys", "init", *ANN, "--home", home)
    why = f"the cards of hand {SETTLED} are sealed under key {key_ids(lost)[0]}, which isn't in {keys}"
    nothing_shown(home, "replay", SETTLED, "--open", *ANN, why=why)
    nothing_shown(home, "keys", "export", SETTLED, home / "out", *ANN, why=why)
    assert bodies(home, f"audit:{SETTLED}") == []
    assert handlog("replay", SETTLED, "--open", *ANN, "--home", home, "--keys", lost).code == 0


def test_a_key_that_was_made_and_not_recorded_is_recorded_by_the_next_attempt(
    home: Path, ports: Ports, keys: Path
) -> None:
    """As after a power cut between the two."""
    lost = keys.rename(home / "away")
    make(keys, "riverside", ports.bits(256).to_bytes(32), ports.now())
    with pytest.raises(BadKeys, match="seals with"):
        open_room(home, ports)
    made = keys.read_bytes()
    assert handlog("keys", "init", *ANN, "--home", home).code == 0
    assert keys.read_bytes() == made
    assert named(home) == [*key_ids(lost), *key_ids(keys)]
    open_room(home, ports)


# --- a wrong one -----------------------------------------------------------------------------------------------------


def test_another_room_s_keys_are_refused(home: Path, ports: Ports, tmp_path: Path) -> None:
    handlog("init", "--room", "lakeside", "--home", tmp_path / "other")
    other = key_file(tmp_path / "other")
    why = f"the key file {other} is of room lakeside, this is room riverside: choose this room's own"
    with pytest.raises(BadKeys, match="lakeside"):
        open_room(home, ports, other)
    for command in (["replay", SETTLED, "--open", *ANN], ["keys", "rotate", *ANN], ["readjudicate", "--all"]):
        nothing_shown(home, *command, "--keys", other, why=why)


def test_another_room_of_the_same_name_has_other_keys(home: Path, ports: Ports, tmp_path: Path) -> None:
    handlog("init", "--room", "riverside", "--home", tmp_path / "other")
    with pytest.raises(BadKeys, match="but room riverside seals with .* by now"):
        open_room(home, ports, key_file(tmp_path / "other"))


def test_an_older_copy_of_the_key_file_is_refused(home: Path, ports: Ports, keys: Path) -> None:
    older = shutil.copy2(keys, home / "older")
    handlog("keys", "rotate", *ANN, "--home", home)
    newer = keys.read_bytes()
    shutil.copy2(older, keys)
    now = named(home)[-1]
    why = f"has {key_ids(keys)[0]}, but room riverside seals with {now} by now: bring back the file that has it"
    with pytest.raises(BadKeys, match=why):
        open_room(home, ports)
    for command in ("rotate", "init"):
        nothing_shown(home, "keys", command, *ANN, why=why)
    keys.write_bytes(newer)
    finish_hand(home, ports)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_keys_that_others_can_read_are_refused(home: Path, ports: Ports, keys: Path, mode: int) -> None:
    keys.chmod(mode)
    why = f"is open to others (mode {mode:04o}): make it 0600"
    with pytest.raises(BadKeys, match="is open to others"):
        open_room(home, ports)
    for command in (["replay", SETTLED, "--open", *ANN], ["keys", "rotate", *ANN], ["readjudicate", "--all"]):
        nothing_shown(home, *command, why=why)
    assert handlog("replay", SETTLED, "--home", home).code == 0
    keys.chmod(0o600)
    finish_hand(home, ports)


@pytest.mark.parametrize(
    ("content", "why"), [(b"", "holds no JSON"), (b"{}", "is no key file"), (b"Dear floor,", "holds no JSON")]
)
def test_what_is_no_key_file_is_refused(home: Path, keys: Path, content: bytes, why: str) -> None:
    keys.write_bytes(content)
    nothing_shown(home, "replay", SETTLED, "--open", *ANN, why=why)
    nothing_shown(home, "keys", "init", *ANN, why=why)


def test_a_folder_is_no_key_file(home: Path, ports: Ports, tmp_path: Path) -> None:
    nothing_shown(home, "readjudicate", "--all", "--keys", tmp_path, why=str(tmp_path))


# --- imported --------------------------------------------------------------------------------------------------------


def test_an_imported_home_has_no_keys_until_it_is_given_some(home: Path, ports: Ports, tmp_path: Path) -> None:
    file, moved = tmp_path / "log.hl1", tmp_path / "moved"
    handlog("export", file, "--home", home)
    done = handlog("import", file, "--home", moved)
    assert "Its keys are in no export" in done.out
    assert [one.name for one in moved.iterdir()] == [LOG_FILE]
    assert handlog("readjudicate", "--all", "--home", moved).code == 2
    nothing_shown(moved, "replay", SETTLED, "--open", *ANN, why="no key file stands at")

    assert handlog("keys", "init", *ANN, "--home", moved).code == 0
    assert handlog("readjudicate", "--all", "--home", moved).code == 2, "they open nothing that was sealed before"
    desk = Desk(ports)
    with room_of(moved, ports) as room:
        for args in a_table_of_two("t3"):
            give(room, desk(args))
        assert "can't go on" in str(outcome_of(room, desk(DealHand("t1", 3))))


def test_with_its_key_file_an_imported_home_goes_on(home: Path, ports: Ports, keys: Path, tmp_path: Path) -> None:
    file, moved = tmp_path / "log.hl1", tmp_path / "moved"
    handlog("export", file, "--home", home)
    handlog("import", file, "--home", moved)
    shutil.copy2(keys, key_file(moved))
    finish_hand(moved, ports)
    assert handlog("readjudicate", "--all", "--home", moved).code == 0


# --- rotated ---------------------------------------------------------------------------------------------------------


def test_a_hand_goes_on_under_a_key_that_was_rotated_in_its_middle(home: Path, ports: Ports, keys: Path) -> None:
    with room_of(home, ports) as room:
        desk = Desk(ports)
        play_on(room, desk)
        give(room, desk(DealHand("t1", 3)))
    done = handlog("keys", "rotate", *ANN, "--home", home)
    assert f"seals with key {key_ids(keys)[1]} from now on; {keys} has 2 keys" in done.out
    assert named(home) == key_ids(keys)
    finish_hand(home, ports)
    deal_and_finish(home, ports, 4)
    assert handlog("readjudicate", "--all", "--home", home).code == 0
    assert [sealed_under(home, hand) for hand in ("t1-3", "t1-4")] == [key_ids(keys)[:1], key_ids(keys)[1:]]


def test_a_hand_that_is_sealed_under_two_keys_is_exported_with_both(tmp_path: Path) -> None:
    home, ports, desk = tmp_path / "home", real_ports(), Desk(real_ports())
    handlog("init", "--home", home)
    opened, *seating = a_table_of_two()
    opened.game, opened.limit = "stud", "fixed"
    opened.ante, opened.small, opened.big = 1, 2, 4
    with room_of(home, ports) as room:
        for args in (opened, *seating):
            give(room, desk(args))
    handlog("keys", "rotate", *ANN, "--home", home)
    with room_of(home, ports) as room:
        play_on(room, desk)
        assert len(hand_of(room).dealt[1]) == 7, "cards were dealt face down before and after"
    file = tmp_path / "hand.keys"
    assert handlog("keys", "export", SETTLED, file, "--seat", 1, *ANN, "--home", home).code == 0
    exported = HandKeys.from_json(json.loads(file.read_text()))
    assert [one.hex() for one in exported.keys] == key_ids(key_file(home))
    with open_log(home) as log:
        facts = [fact.event for commit in hand_commits(log, SETTLED) for fact in commit.facts]
    opener = Opener(exported)
    down = [one for one in cards.dealt(facts, (1,)) if one.seat]
    assert len(down) == 3
    assert all(opener.card(SETTLED, 1, one.index, str(one.card)) is not None for one in down)
    assert handlog("checkpoint", "--home", home).code == 0
    bundle = tmp_path / "bundle"
    assert handlog("prove", SETTLED, bundle, "--with-keys", *ANN, "--home", home).code == 0
    assert handlog("verify-hand", bundle, "--public-key", home / "checkpoint.pub").code == 0
    assert handlog("check-cards", "--bundle", bundle, "--seat", 1).code == 0


def test_a_rotation_that_was_not_recorded_is_recorded_by_the_next_one(home: Path, ports: Ports, keys: Path) -> None:
    rotate(keys, "riverside", ports.bits(256).to_bytes(32), ports.now())
    with pytest.raises(BadKeys, match="`handlog keys rotate` finishes a rotation that was cut short"):
        finish_hand(home, ports)
    assert handlog("keys", "rotate", *ANN, "--home", home).code == 0
    finish_hand(home, ports)
    assert len(key_ids(keys)) == 2
    assert named(home) == key_ids(keys)
    assert handlog("keys", "rotate", *ANN, "--home", home).code == 0
    assert len(key_ids(keys)) == 3


# --- exported --------------------------------------------------------------------------------------------------------


def test_exported_keys_open_one_hand_and_no_other(home: Path, keys: Path, tmp_path: Path) -> None:
    file = tmp_path / "hand.keys"
    done = handlog("keys", "export", SETTLED, file, *ANN, "--home", home)
    assert f"The keys of hand {SETTLED} (seat 1, seat 2 and deck) are in {file}. They open no other hand." in done.out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    exported = HandKeys.from_json(json.loads(file.read_text()))
    (id_,) = load(keys, "riverside").ids()
    assert exported.keys[id_].keys() == {"seat 1", "seat 2", "deck"}
    assert exported.key(id_, SETTLED, "deck") == load(keys, "riverside").key(id_, SETTLED, "deck")
    with pytest.raises(BadKeys):
        exported.key(id_, UNDER_WAY, "deck")


def test_of_one_seat_no_more_is_exported(home: Path, ports: Ports, tmp_path: Path) -> None:
    file = tmp_path / "hand.keys"
    handlog("keys", "export", SETTLED, file, "--seat", 2, "--seat", 2, *ANN, "--home", home)
    (some,) = HandKeys.from_json(json.loads(file.read_text())).keys.values()
    assert list(some) == ["seat 2"]
    (opened,) = handlog("openings", SETTLED, "--home", home, "--json").json
    assert (opened["form"], opened["seats"], opened["deck"]) == ("keys", [2], False)


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ([SETTLED, "OUT"], "--by"),
        ([SETTLED, "OUT", "--seat", "7", *ANN], "seat 7 was not dealt in"),
        ([SETTLED, "OUT", "--seat", "11", *ANN], "equal to 10"),
        (["t9-9", "OUT", *ANN], "there is no hand t9-9"),
        ([UNDER_WAY, "OUT", *ANN], "takes two people and a reason"),
        ([SETTLED, "OUT/none", *ANN], "there is no folder"),
    ],
)
def test_what_can_t_be_exported_writes_nothing(
    home: Path, ports: Ports, tmp_path: Path, args: list[str], why: str
) -> None:
    out = tmp_path / "out"
    done = handlog("keys", "export", *[word.replace("OUT", str(out)) for word in args], "--home", home)
    assert done.code == 2
    assert why in done.err
    assert not out.exists()
    assert handlog("openings", "--home", home, "--json").json == []


def test_an_export_writes_over_nothing(home: Path, ports: Ports, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    nothing_shown(home, "keys", "export", SETTLED, tmp_path / "out", *ANN, why="exists already: choose another file")
    assert (tmp_path / "out").read_text() == "mine"


def test_of_a_hand_under_way_two_people_get_the_keys(home: Path, ports: Ports, tmp_path: Path) -> None:
    done = handlog("keys", "export", UNDER_WAY, tmp_path / "out", *BOTH, "--home", home)
    assert done.code == 0
    (opened,) = handlog("openings", UNDER_WAY, "--home", home, "--json").json
    assert (opened["settled"], opened["second"], opened["deck"]) == (False, "floor:bob", True)
