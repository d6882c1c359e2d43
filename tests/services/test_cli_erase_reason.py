"""`handlog erase-reason`: recorded first, then the key is forgotten, and all that proves the log goes on proving it."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from domain.rulings.reasons import EraseReason
from services.bootstrap import TEXTS_FILE, open_log
from services.ledger import Ledger
from services.ports import Ports
from services.rulings import readjudicate_all
from services.sealing.texts import TextKeys
from services.soundness import verify_home
from tests.services.cli import Run, handlog
from tests.services.homes import Desk, forge_event, opener, room_over
from tests.services.staff_decided import ANN, facts_in, staff, staff_home
from tests.services.tables import SETTLED, give, refusal_of


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def ports(home: Path) -> Ports:
    return staff_home(home)


def place_of(home: Path, command: str) -> str:
    """Where the decision stands."""
    return str(row_of(home, command)["decision"])


def row_of(home: Path, command: str) -> dict[str, Any]:
    return next(row for row in staff(home) if row["command"] == command)


def erase(home: Path, place: str, *args: object) -> Run:
    return handlog("erase-reason", place, *(args or ("--by", ANN)), "--home", home)


def erased(home: Path) -> list[dict[str, Any]]:
    return facts_in(home, "room.reason-erased")


def test_a_reason_that_was_erased_is_read_by_nobody_and_the_others_are(home: Path) -> None:
    before, place = staff(home), place_of(home, "account.adjust")
    done = erase(home, place)
    assert done.code == 0, done.err
    assert f"balance adjusted, by floor:ann, at {place}" in done.out
    *after, erasure = staff(home)
    gone = next(row for row in before if row["decision"] == place)
    assert after == [row | {"reason": None, "reason_is": "erased"} if row == gone else row for row in before]
    assert (erasure["by"], erasure["what"], erasure["about"]) == (ANN, "reason erased", place)
    shard, height = map(int, place.split(":"))
    assert erased(home) == [{"shard": shard, "height": height, "by": ANN}]
    assert "paid twice" not in handlog("audit", "staff", "--home", home).out


def test_the_reason_of_an_opening_is_erased_for_openings_too(home: Path) -> None:
    assert erase(home, place_of(home, "audit.open-cards")).code == 0
    (opening,) = handlog("openings", "--home", home, "--json").json
    assert (opening["reason"], opening["reason_is"]) == (None, "erased")


def test_what_proves_the_log_still_does(home: Path) -> None:
    for command in ("table.pause", "audit.open-cards", "account.adjust", "room.close"):
        assert erase(home, place_of(home, command)).code == 0
    with open_log(home) as log:
        assert verify_home(log, ledger=Ledger()).findings == []
        assert [found for _, found in readjudicate_all(log, opener(log)) if found is not None] == []
    assert handlog("replay", SETTLED, "--home", home).code == 0
    assert handlog("checkpoint", "--home", home).code == 0
    bundle = home.parent / "t1-1.json"
    assert handlog("prove", SETTLED, bundle, "--home", home).code == 0
    assert handlog("verify-hand", bundle, "--public-key", home / "checkpoint.pub").code == 0


def test_a_crash_between_the_fact_and_the_erasing_is_mended_by_asking_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = place_of(home, "table.pause")

    def crash(self: TextKeys, box: str) -> None:
        raise RuntimeError("the power is cut")

    with monkeypatch.context() as broken:
        broken.setattr(TextKeys, "erase", crash)
        with pytest.raises(RuntimeError):
            erase(home, place)
    row = row_of(home, "table.pause")
    assert row["reason"] is None
    assert row["reason_is"] == f"to be erased: its key is still here; `handlog erase-reason {place}` forgets it"
    assert erase(home, place).code == 0
    assert row_of(home, "table.pause")["reason_is"] == "erased"
    assert "was erased already, by floor:ann" in erase(home, place).out
    assert len(erased(home)) == 1


def test_an_older_file_of_keys_brings_no_reason_back_for_good(home: Path) -> None:
    copy = shutil.copy(home / TEXTS_FILE, home.parent)
    erase(home, place_of(home, "table.pause"))
    erase(home, place_of(home, "room.close"))
    shutil.copy(copy, home / TEXTS_FILE)
    assert row_of(home, "table.pause")["reason"] is None
    assert handlog("erase-reason", "--again", "--home", home).out.endswith(": 2.\n")
    assert [row_of(home, one)["reason_is"] for one in ("table.pause", "room.close")] == ["erased", "erased"]
    assert handlog("erase-reason", "--again", "--home", home).out.endswith(": 0.\n")
    assert len(erased(home)) == 2


def test_the_fact_stands_once_whoever_asks(home: Path, ports: Ports) -> None:
    shard, height = map(int, place_of(home, "table.pause").split(":"))
    with open_log(home, write=True) as log:
        room, asked = room_over(log, ports), EraseReason(shard, height)
        give(room, Desk(ports)(asked))
        said = refusal_of(room, Desk(ports)(asked))
    assert said.startswith(f"the reason of decision {shard}:{height} was erased already, by floor:ann: ")
    assert len(erased(home)) == 1


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("noon", "'noon' names no decision: write SHARD:HEIGHT, such as 1:14, as `handlog audit staff` does"),
        ("9:1", "there is no shard 9: this room has shards 0 to 3"),
        ("3:4000", "shard 3 has no height 4000: its last commit is at "),
        ("3:1", "at 3:1 staff decided nothing for a reason: `handlog audit staff` names what they did"),
        ("", "name the decision whose reason is to be erased, SHARD:HEIGHT, or give --again: one of them"),
    ],
)
def test_nothing_but_a_decision_of_staff_can_be_named(home: Path, place: str, said: str) -> None:
    done = erase(home, place)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert erased(home) == []


def test_a_decision_without_a_reason_and_an_erasure_have_none_to_erase(home: Path) -> None:
    place = place_of(home, "table.stop-dealing")
    assert f"decision {place} has no reason" in erase(home, place).err
    assert erase(home, place_of(home, "table.pause")).code == 0
    own = place_of(home, "room.erase-reason")
    assert f"decision {own} has no reason" in erase(home, own).err
    assert len(erased(home)) == 1


def test_it_is_recorded_who_asks(home: Path) -> None:
    place = place_of(home, "table.pause")
    assert "give --by" in handlog("erase-reason", place, "--home", home).err
    assert "names nobody" in erase(home, place, "--by", "Ann!").err
    assert erased(home) == []
    assert row_of(home, "table.pause")["reason"] == "a drink was spilt"


def test_where_the_key_does_not_lie_nothing_is_recorded(home: Path) -> None:
    place = place_of(home, "table.pause")
    (home / TEXTS_FILE).rename(home.parent / "elsewhere")
    done = erase(home, place)
    assert done.code == 2
    assert "bring back the file that was used with this log" in done.err
    assert erased(home) == []


def test_a_box_that_is_not_its_own_erases_no_other_reason(home: Path) -> None:
    """The resuming's box stands where the pause's was: its key stays."""
    (resumed,) = [one["reason"] for one in facts_in(home, "table.resumed")]
    (frozen,) = [one["reason"] for one in facts_in(home, "player.frozen")]
    assert resumed != frozen
    forge_event(home, "table.paused", lambda data: data.update(reason=frozen))
    done = erase(home, place_of(home, "table.pause"))
    assert done.code == 2
    assert "doesn't open as a text of table:t1" in done.err
    assert row_of(home, "player.freeze")["reason"] == "his papers are wanted"
