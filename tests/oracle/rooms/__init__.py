"""Rooms that play a rule differently, a file each: a rulebook with only the sentences in which it differs from `euro`.

Such a file holds RULEBOOK, whose name is the room's in the records, and SHOWN_BY: for each of those sentences, two or
more hands that show it.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from domain.rules.rulebook import Rulebook
from domain.rules.rulebooks.euro import RULEBOOK as EURO


def rulebook_for(room: str) -> Rulebook:
    """The room's own rulebook, or `euro`, from which every room takes what it leaves open."""
    return rooms()[room].RULEBOOK if room in rooms() else EURO


@cache
def rooms() -> dict[str, ModuleType]:
    """The files, by the room's name in the records."""
    files = [import_module(found.name) for found in iter_modules(__path__, prefix=f"{__name__}.")]
    return {file.RULEBOOK.name: file for file in files}
