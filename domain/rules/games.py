"""The games, a page of data each (rules.md section 1)."""

from domain.rules.vocabulary import Forced, Game, Opener, Street

_FLOP_TURN_RIVER = (
    Street("flop", Opener.LEFT_OF_BUTTON, board=3),
    Street("turn", Opener.LEFT_OF_BUTTON, board=1, big=True),
    Street("river", Opener.LEFT_OF_BUTTON, board=1, big=True),
)

HOLDEM = Game(
    name="holdem",
    title="Texas hold'em",
    revision=1,
    max_seats=10,
    forced=Forced.BLINDS,
    streets=(Street("preflop", Opener.AFTER_BIG_BLIND, down=2), *_FLOP_TURN_RIVER),
    raked_from="flop",
    high="standard",
)

OMAHA = Game(
    name="omaha",
    title="Omaha",
    revision=1,
    max_seats=9,
    forced=Forced.BLINDS,
    streets=(Street("preflop", Opener.AFTER_BIG_BLIND, down=4), *_FLOP_TURN_RIVER),
    raked_from="flop",
    high="standard",
    hole_cards_used=2,
)

OMAHA_HILO = Game(
    name="omaha-hilo",
    title="Omaha hi/lo, eight or better",
    revision=1,
    max_seats=9,
    forced=Forced.BLINDS,
    streets=OMAHA.streets,
    raked_from="flop",
    high="standard",
    low="eight-or-better",
    hole_cards_used=2,
)

GAMES = (HOLDEM, OMAHA, OMAHA_HILO)
