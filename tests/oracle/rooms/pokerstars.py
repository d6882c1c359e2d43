"""PokerStars: a hand may be laid down unseen at the showdown (rules.md section 3, show or muck)."""

from dataclasses import replace

from domain.rules.rulebook import EVERY_GAME
from domain.rules.rulebooks.euro import RULEBOOK as EURO

RULEBOOK = replace(EURO, name="pokerstars", title="PokerStars", source="its hand logs", may_give_up_in=EVERY_GAME)

SHOWN_BY = {"may_give_up_in": ("pokerstars:47183430669", "pokerstars:47185492589")}
