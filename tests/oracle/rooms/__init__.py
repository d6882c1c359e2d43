"""Rooms that play a rule differently: one file each, with the sentences in which it differs and the hands that show it."""

from domain.rules.rulebook import Rulebook
from tests.oracle.records import Record
from dataclasses import replace
from domain.rules.rulebook import EVERY_GAME
from domain.rules.rulebooks.euro import RULEBOOK as EURO
ALL = replace(EURO, name="oracle", may_give_up_in=EVERY_GAME)


def rulebook_for(record: Record) -> Rulebook:
    return ALL
