"""Every decision on players' money is decided again, and what was forged of it is named exactly."""

import shutil
from pathlib import Path

import pytest

from domain import catalog
from services.bootstrap import open_log
from services.rulings import readjudicate_all
from tests.services.homes import Change, Desk, forge_event, new_home, opener, room_over
from tests.services.money_life import FORGERIES_OF_MONEY, life
from tests.services.patrons import attended


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a room in which all of that happened. Read only."""
    home = tmp_path_factory.mktemp("money") / "home"
    ports = new_home(home)
    desk = Desk(ports)
    with open_log(home, write=True) as log:
        one = attended(room_over(log, ports))
        for args in life():
            (outcome,) = one.give(desk(args))
            assert not isinstance(outcome, Exception), (args, outcome)
            one.settle()
    return home


def test_all_of_it_is_decided_again_the_same(lived: Path) -> None:
    with open_log(lived) as log:
        assert [found for _, found in readjudicate_all(log, opener(log)) if found is not None] == []


@pytest.mark.parametrize(
    ("type_", "what", "change"), FORGERIES_OF_MONEY, ids=[f"{one[0]}: {one[1]}" for one in FORGERIES_OF_MONEY]
)
def test_what_is_forged_of_it_is_named_exactly(
    lived: Path, tmp_path: Path, type_: str, what: str, change: Change
) -> None:
    home = Path(shutil.copytree(lived, tmp_path / "home"))
    place = forge_event(home, type_, change)
    with open_log(home) as log:
        found = next(found for _, found in readjudicate_all(log, opener(log)) if found is not None)
        assert (found.shard, found.height, found.index) == (place.shard, place.height, place.index)  # type: ignore[union-attr]
        assert catalog.event.dump(found.recorded)[0] == type_  # type: ignore[union-attr]
        assert found.recorded != found.decided  # type: ignore[union-attr]
