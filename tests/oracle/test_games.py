"""A twelfth game is a page of data: 5-card stud, declared for the harness alone."""

from dataclasses import replace

import pytest

from domain.rules import registry
from tests.oracle.games import OUR_NAMES, all_declared
from tests.oracle.stud5 import FIVE_CARD_STUD


def test_every_game_of_the_records_is_declared() -> None:
    assert set(OUR_NAMES.values()) <= registry.GAMES_BY_NAME.keys()


def test_a_registered_game_is_found_like_any_other() -> None:
    registry.register_game(FIVE_CARD_STUD)
    assert registry.game("five-card-stud") == registry.game_at("five-card-stud", 1) == FIVE_CARD_STUD


def test_another_game_of_that_name_and_revision_is_no_game() -> None:
    with pytest.raises(ValueError, match="another revision 1 of game 'five-card-stud'"):
        registry.register_game(replace(FIVE_CARD_STUD, max_seats=7))


def test_the_newest_revision_opens_and_the_older_one_stays_for_its_hands() -> None:
    with all_declared():
        changed = replace(FIVE_CARD_STUD, revision=2, max_seats=7)
        registry.register_game(changed)
        registry.register_game(FIVE_CARD_STUD)
        assert registry.game("five-card-stud") == changed
        assert registry.game_at("five-card-stud", 1) == FIVE_CARD_STUD
    with pytest.raises(registry.UnknownRevision, match="no revision 2 of game 'five-card-stud'"):
        registry.game_at("five-card-stud", 2)
