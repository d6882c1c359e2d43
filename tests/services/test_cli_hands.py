"""`handlog hands`, `replay`, `readjudicate`, `rebuild`, `report` and `demo`."""

import os
import pty
import re
import select
import subprocess
import sys
from codecs import getincrementaldecoder
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.rules.registry import GAMES_BY_NAME
from domain.rules.vocabulary import Forced
from domain.rulings.replay import Frame
from domain.rulings.replay import frames as replayed
from services.bootstrap import KEY_FILE, VIEWS_FILE, open_log, open_writer
from services.cli.showing import lines, moved, walk
from services.demo import floor as demo
from services.demo.hands import show_hands
from services.rulings import hand_frames
from tests.hands import stacked
from tests.services.cli import handlog, started
from tests.services.homes import Desk, forge_event, new_home, open_table

LEFT, RIGHT, HOME, END = "\x1b[D", "\x1b[C", "\x1b[H", "\x1b[F"


@pytest.fixture
def frames(played: Path) -> list[Frame]:
    with open_log(played) as log:
        return hand_frames(log, "t1-1")


# --- hands -----------------------------------------------------------------------------------------------------------


def test_hands_are_listed(home: Path) -> None:
    done = handlog("hands", "--home", home)
    assert done.code == 0
    assert "t1-1 " in done.out
    assert "0.50/1.00" in done.out


def test_hands_without_blinds_are_listed_with_their_antes_and_bring_ins(home: Path) -> None:
    listed = handlog("hands", "--home", home).out
    assert "fixed limit 2.00/4.00 USD, ante 0.25, bring-in 1.00" in listed
    assert "no limit, ante 0.25, bring-in 0.50, minimum bet 1.00 EUR" in listed
    assert "soko, spread limit, ante 0.25, bring-in 0.50, minimum bet 0.50, maxima 1.00, 1.00, 2.00, 2.00 EUR" in listed
    assert "0.00/0.00" not in listed


def test_hands_fit_a_terminal_and_in_a_pipe_each_is_a_line(home: Path) -> None:
    narrow = handlog("hands", "--home", home, env={"COLUMNS": "80"}).out.splitlines()
    assert max(map(len, narrow)) <= 80
    hands = {hand["hand"] for hand in handlog("hands", "--home", home, "--json").json}
    assert hands <= {line.split()[0] for line in narrow if line.strip()}, "no name is broken"
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    piped = started("hands", "--home", str(home), env=env).stdout.splitlines()
    assert len([line for line in piped if line.strip()]) == len(hands) + 2


def test_maxima_are_told_in_json_and_in_the_replay(home: Path) -> None:
    spread, *_ = handlog("hands", "--home", home, "--table", "t11", "--json").json
    assert spread["maxima"] == [100, 100, 200, 200]
    opening, *_ = handlog("replay", spread["hand"], "--home", home, "--json").json
    assert "minimum bet 0.50, maxima 1.00, 1.00, 2.00, 2.00 EUR, rulebook euro" in opening["says"]


def test_hands_of_one_table(home: Path) -> None:
    found = handlog("hands", "--home", home, "--table", "t2", "--json").json
    assert {hand["table"] for hand in found} == {"t2"}
    assert [hand["number"] for hand in found] == list(range(len(found), 0, -1))
    assert {"hand", "game", "limit", "rulebook", "players", "pot", "rake", "currency"} <= found[0].keys()
    assert len(handlog("hands", "--home", home, "--json").json) == 31


def test_a_hand_that_was_cancelled_is_listed_as_such_and_told_in_its_replay(home: Path) -> None:
    found = handlog("hands", "--home", home, "--json").json
    (hand,) = [one["hand"] for one in found if one["cancelled_after"] is not None]
    listed = handlog("hands", "--home", home, "--table", hand.partition("-")[0]).out
    assert [hand in line for line in listed.splitlines() if "cancelled" in line] == [True]
    assert "the hand was cancelled: the room had no working owner for 74 s" in handlog(
        "replay", hand, "--home", home
    ).out.replace("\n", " ")


@pytest.mark.parametrize("json", [[], ["--json"]])
def test_a_table_that_isn_t_there_is_said_with_those_that_are(home: Path, tmp_path: Path, json: list[str]) -> None:
    done = handlog("hands", "--home", home, "--table", "zz", *json)
    assert (done.code, done.out) == (2, "")
    every = ", ".join(f"t{number}" for number in range(1, 17))
    assert done.err == f"handlog: no table zz: hands were dealt at {every}\n"
    handlog("init", "--home", tmp_path / "new")
    done = handlog("hands", "--home", tmp_path / "new", "--table", "zz", *json)
    assert (done.code, done.out, done.err) == (2, "", "handlog: no table zz\n")


def test_a_table_where_no_hand_was_dealt_yet_is_there(tmp_path: Path) -> None:
    ports = new_home(tmp_path / "home")
    with open_writer(tmp_path / "home", ports) as writer:
        writer.submit(Desk(ports)(open_table("t1"))).result()
    done = handlog("hands", "--home", tmp_path / "home", "--table", "t1")
    assert (done.code, done.out) == (0, "No hand was dealt here yet.\n")


def test_a_new_home_has_no_hands(tmp_path: Path) -> None:
    handlog("init", "--home", tmp_path / "home")
    assert handlog("hands", "--home", tmp_path / "home").out == "No hand was dealt here yet.\n"


# --- replay ----------------------------------------------------------------------------------------------------------


def test_in_a_pipe_all_frames_are_printed(played: Path, frames: list[Frame]) -> None:
    done = handlog("replay", "t1-1", "--home", played)
    assert done.code == 0
    for number, frame in enumerate(frames, start=1):
        assert f"{number}/{len(frames)}  {frame.says}" in done.out


def test_a_frame_shows_seats_pots_turn_and_what_is_legal(frames: list[Frame]) -> None:
    asked = next(frame for frame in frames if frame.turn)
    text = "\n".join(lines(asked, len(frames)))
    assert asked.turn
    assert f"> seat {asked.turn.seat} " in text
    assert f"seat {asked.turn.seat}'s turn: {asked.legal}" in text
    assert "in front 1.00" in text, "the big blind"
    for seat in asked.seats:
        assert seat.player in text


def test_cards_that_lie_face_up_stand_behind_a_bar() -> None:
    table = stacked("stud", "no", (0, 2), stacks=(50, 50), ante=1, cards={1: "AsKd2h", 2: "6c6hJc"})
    shown = lines(list(replayed(table.facts))[-1], 1)
    assert "player1  As Kd | 2h  in" in shown[2]
    assert "player2  6c 6h | Jc  in" in shown[3]
    assert not [line for line in shown if "button" in line]


def test_what_was_discarded_stands_at_the_end_of_its_seat() -> None:
    table = stacked("draw", "no", stacks=(50, 50), cards={1: "AsKd2h6c6h", 2: "JcJd8h7h5h"})
    table.do("2 calls", "1 checks", "1 draws 3: As Kd 2h")
    shown = lines(list(replayed(table.facts))[-1], 1)
    assert shown[2].endswith("48         discarded As Kd 2h")
    assert "discarded" not in shown[3]
    assert shown[-1] == "  seat 2's turn: draw up to 5 cards or stand pat"


def test_frames_as_json(played: Path, frames: list[Frame]) -> None:
    found = handlog("replay", "t1-1", "--home", played, "--json").json
    assert [frame["says"] for frame in found] == [frame.says for frame in frames]
    asked = next(frame for frame in found if frame["turn"])
    assert asked["turn"].keys() == {"type", "seat", "call", "least", "most"}
    assert asked["turn"]["type"] == "hand.turn-given"
    seat = asked["seats"][0]
    assert {"seat", "player", "cards", "unknown", "up", "discards", "stack", "aside", "live", "standing"} == seat.keys()
    assert (seat["cards"], seat["unknown"]) == ([], 2), "they lie face down, and are sealed"
    at_the_end = [seat for seat in found[-1]["seats"] if seat["cards"]]
    assert at_the_end
    assert all([len(card) for card in seat["cards"]] == [2, 2] and not seat["unknown"] for seat in at_the_end)


@pytest.mark.parametrize("hand", ["t1-999", "nohand", "t99-1", "hand:t1-1"])
def test_a_hand_that_isn_t_there_is_said(played: Path, hand: str) -> None:
    for command in ("replay", "readjudicate"):
        done = handlog(command, hand, "--home", played)
        assert (done.code, done.out) == (2, "")
        assert done.err == f"handlog: there is no hand {hand} in this log: `handlog hands` lists them\n"


def test_keys_step_through_the_frames(frames: list[Frame]) -> None:
    seen = walked(frames, RIGHT, RIGHT, LEFT, END, RIGHT, HOME, LEFT, "x", "q")
    last = len(frames)
    assert seen == [1, 2, 3, 2, last, last, 1, 1, 1]


def walked(frames: list[Frame], *keys: str) -> list[int]:
    """The versions of the frames that the keys show."""
    waiting, seen = iter(keys), []
    walk(frames, lambda: next(waiting), lambda frame: seen.append(frame.version))
    assert list(waiting) == [], "q leaves"
    return seen


@pytest.mark.parametrize("key", ["q", "Q", "\x03"])
def test_q_leaves(key: str) -> None:
    assert moved(3, key, 9) is None


@pytest.mark.parametrize(
    ("keys", "to"),
    [((LEFT, "\x1bOD"), 2), ((RIGHT, "\x1bOC"), 4), ((HOME, "\x1bOH", "\x1b[1~"), 0), ((END, "\x1bOF", "\x1b[4~"), 9)],
)
def test_terminals_send_keys_in_several_ways(keys: tuple[str, ...], to: int) -> None:
    assert {moved(3, key, 9) for key in keys} == {to}


def test_on_a_terminal_the_arrow_keys_step(played: Path, frames: list[Frame]) -> None:
    shown = on_a_terminal(["replay", "t1-1", "--home", str(played)], [RIGHT, RIGHT, END, "q"])
    assert re.findall(rf"(?<!\d)(\d+)/{len(frames)}  ", shown) == ["1", "2", "3", str(len(frames))]
    assert "q: leave" in shown


def on_a_terminal(args: list[str], keys: list[str]) -> str:
    """What a command shows on a terminal of its own, one key after each screen."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from services.cli import main; main()", *args]
    env = os.environ | {"TERM": "xterm", "COLUMNS": "200", "LINES": "50"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True) as run:
        os.close(theirs)
        shown, text = "", getincrementaldecoder("utf-8")()  # a read may end in the middle of a character
        for key in keys:
            seen = shown.count("q: leave")
            while shown.count("q: leave") == seen and select.select([ours], [], [], 30)[0]:
                shown += text.decode(os.read(ours, 65536))
            os.write(ours, key.encode())
        assert run.wait(timeout=30) == 0
    os.close(ours)
    return shown


# --- readjudicate ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["t1-1", "--all"])
def test_the_same_decision_exits_0(played: Path, what: str) -> None:
    done = handlog("readjudicate", what, "--home", played)
    assert done.code == 0
    assert "decided again, the same." in done.out
    assert handlog("readjudicate", what, "--home", played, "--json").json["same"] is True


@pytest.mark.parametrize("every", [False, True])
def test_a_divergence_exits_1_and_is_named_exactly(home: Path, every: bool) -> None:
    place = forge_event(home, "hand.pot-awarded", lambda data: data.update(hand="royal flush"), hand="t1-1")
    what = "--all" if every else "t1-1"
    done = handlog("readjudicate", what, "--home", home)
    assert done.code == 1
    assert f"shard {place.shard}, height {place.height}, event {place.index}: hand:t1-1, version" in done.out
    assert "hand.pot-awarded: hand recorded royal flush, decided again" in done.out
    found = handlog("readjudicate", what, "--home", home, "--json").json
    (one,) = found["divergences"]
    assert (one["shard"], one["height"], one["index"]) == (place.shard, place.height, place.index)
    assert one["recorded"]["data"]["hand"] == "royal flush"
    assert one["decided"]["type"] == "hand.pot-awarded"


def test_without_the_keys_each_decision_that_hangs_on_a_sealed_card_is_named_and_it_exits_2(
    home: Path, tmp_path: Path
) -> None:
    (home / KEY_FILE).rename(tmp_path / "elsewhere")
    done = handlog("readjudicate", "--all", "--home", home)
    assert done.code == 2
    sealed = re.findall(r"^  shard \d, height \d+: needs card \d+, sealed$", done.out, re.MULTILINE)
    assert f": {len(sealed)} decisions could not be decided again without the room's keys." in done.out
    found = handlog("readjudicate", "--all", "--home", home, "--json").json
    assert 0 < len(found["sealed"]) == len(sealed) < found["decisions"] / 5
    assert (found["same"], found["divergences"]) == (False, [])
    assert handlog("readjudicate", "--all", "--home", home, "--keys", tmp_path / "elsewhere").code == 0


def test_a_divergence_is_found_without_the_keys_too(home: Path) -> None:
    forge_event(home, "hand.pot-awarded", lambda data: data.update(amount=data["amount"] + 1))
    (home / KEY_FILE).unlink()
    assert handlog("readjudicate", "--all", "--home", home).code == 1


@pytest.mark.parametrize("args", [[], ["t1-1", "--all"]])
def test_one_of_hand_and_all_must_be_said(played: Path, args: list[str]) -> None:
    done = handlog("readjudicate", *args, "--home", played)
    assert done.code == 2
    assert "say which hand to decide again, such as t1-17, or --all; not both" in done.err


# --- the books -------------------------------------------------------------------------------------------------------


def test_balances_come_with_the_proof_that_they_sum(home: Path) -> None:
    done = handlog("report", "balances", "--home", home)
    assert done.code == 0
    assert "All EUR accounts sum to 0.00 EUR." in done.out
    assert "The books balance." in done.out
    found = handlog("report", "balances", "--home", home, "--json").json
    assert found["proof"]["sound"] is True
    assert sum(row["amount"] for row in found["balances"] if row["currency"] == "EUR") == 0
    assert not [row for row in found["balances"] if row["account"].startswith("table:t2:")], "they took their chips"


def test_the_rake_ledger_is_totalled_as_asked(home: Path) -> None:
    by_table = handlog("report", "rake", "--home", home, "--json").json
    assert by_table["by"] == ["table"]
    assert {"table", "currency", "hands", "pot", "rake"} == by_table["rake"][0].keys()
    by_two = handlog("report", "rake", "--by", "rulebook", "--by", "day", "--home", home, "--json").json
    assert {"rulebook", "day"} <= by_two["rake"][0].keys()
    total: Callable[[Any], int] = lambda found: sum(row["rake"] for row in found["rake"])  # noqa: E731
    assert total(by_table) == total(by_two) > 0
    assert "in the house's account" in handlog("report", "rake", "--home", home).out


def test_tables_stand_in_the_books_as_people_count_them(home: Path) -> None:
    """t2 before t10."""
    by_table = [row["table"] for row in handlog("report", "rake", "--home", home, "--json").json["rake"]]
    assert len(by_table) > 10
    assert by_table == sorted(by_table, key=lambda table: int(table[1:]))
    shown = handlog("report", "rake", "--home", home).out
    assert re.findall(r"(?m)^ *(t\d+) ", shown) == by_table
    accounts = [row["account"] for row in handlog("report", "balances", "--home", home, "--json").json["balances"]]
    tables = [int(account.split(":")[1][1:]) for account in accounts if account.startswith("table:")]
    assert max(tables) > 9
    assert tables == sorted(tables)


def test_views_are_rebuilt_from_the_log_alone(home: Path) -> None:
    before = handlog("report", "balances", "--home", home, "--json").json
    assert (home / VIEWS_FILE).exists()
    assert handlog("rebuild", "--home", home, "--json").json["commits"] > 300
    assert handlog("report", "balances", "--home", home, "--json").json == before
    (home / VIEWS_FILE).unlink()
    assert "All views rebuilt from" in handlog("rebuild", "--home", home).out
    assert handlog("report", "balances", "--home", home, "--json").json == before


def test_damaged_views_are_said_and_can_be_made_again(home: Path) -> None:
    (home / VIEWS_FILE).write_bytes(b"Dear auditor, " * 1000)
    done = handlog("hands", "--home", home)
    assert done.code == 2
    assert "handlog rebuild" in done.err


def test_views_of_another_log_are_said(home: Path, tmp_path: Path) -> None:
    handlog("rebuild", "--home", home)
    handlog("init", "--home", tmp_path / "other")
    (home / VIEWS_FILE).rename(tmp_path / "other" / VIEWS_FILE)
    done = handlog("hands", "--home", tmp_path / "other")
    assert done.code == 2
    assert "the views are of another log than this one; run `handlog rebuild`" in done.err
    assert handlog("rebuild", "--home", tmp_path / "other").code == 0
    assert handlog("hands", "--home", tmp_path / "other").code == 0


# --- the demonstration -----------------------------------------------------------------------------------------------


def test_the_demo_shows_and_proves_everything(tmp_path: Path) -> None:
    done = started("demo", "--hands", "20", "--home", str(tmp_path / "home"))
    assert done.returncode == 0, done.stderr
    for said in (
        "20 hands at 16 tables", "sound: chains, bodies, invariants, money", "decided again, all the same",
        "The largest pot with a showdown", "the hand is over", "The books balance.", "it adds up.",
        "Every hand in which", "All is well",
    ):  # fmt: skip
        assert said in done.stdout, said
    assert "ADD UP" not in done.stdout
    assert handlog("verify", "--ledger", "--home", tmp_path / "home").code == 0


def test_the_demo_plays_the_same_hands_for_the_same_seed(tmp_path: Path) -> None:
    """Reshuffles too, which take their cards from the same source at all tables."""
    files = []
    for name in ("one", "two"):
        demo.play(tmp_path / name, hands=30, seed=50)
        handlog("export", tmp_path / f"{name}.hl1", "--home", tmp_path / name)
        files.append((tmp_path / f"{name}.hl1").read_bytes())
    assert files[0] == files[1]
    assert b"hand.deck-reshuffled" in files[0]


def test_the_demo_covers_games_structures_and_rulebooks() -> None:
    assert {one.game for one in demo.TABLES} >= {
        "holdem", "omaha", "omaha-hilo", "stud", "stud-hilo", "soko", "draw", "triple-draw", "americana", "telesina",
        "draw32",
    }  # fmt: skip
    assert {one.limit for one in demo.TABLES} == {"fixed", "spread", "pot", "half-pot", "no"}
    assert {one.rulebook for one in demo.TABLES} == {"ace", "omaha-guide", "classic", "euro"}


@pytest.mark.parametrize("forced", Forced)
def test_the_demo_covers_full_tables_and_tables_of_two_with_each_kind_of_forced_bets(forced: Forced) -> None:
    tables = [(one.seats, GAMES_BY_NAME[one.game]) for one in demo.TABLES]
    seats = [(seats, of.max_seats) for seats, of in tables if of.forced is forced]
    assert any(seats == most for seats, most in seats)
    assert any(seats == 2 for seats, _ in seats)


def test_the_demo_shows_a_hand_that_was_split_by_a_vote(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_log(home) as log:
        show_hands(home, log)
    shown = capsys.readouterr().out
    assert "The largest pot that was split by a vote; `handlog replay t16-" in shown
    assert "agrees to split" in shown
    assert ", as agreed" in shown


def test_the_demo_says_where_no_hand_was_split(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo.play(tmp_path, hands=2, seed=3)
    with open_log(tmp_path) as log:
        show_hands(tmp_path, log)
    assert "No pot that was split by a vote in these hands." in capsys.readouterr().out


def test_the_demo_doesn_t_play_in_a_home_that_is_there(played: Path) -> None:
    done = handlog("demo", "--home", played)
    assert (done.code, done.out) == (2, "")
    assert "has a log already" in done.err
