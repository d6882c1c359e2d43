"""The games, a page of data each (rules.md section 1)."""

from dataclasses import replace

from domain.rules.vocabulary import DoorCard, Forced, Game, Opener, Street

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

STUD = Game(
    name="stud",
    title="7-card stud",
    revision=1,
    max_seats=8,
    forced=Forced.ANTE_AND_BRING_IN,
    streets=(
        Street("3rd", Opener.BRING_IN, down=2, up=1),
        Street("4th", Opener.BEST_SHOWING, up=1, open_pair=True),
        Street("5th", Opener.BEST_SHOWING, up=1, big=True),
        Street("6th", Opener.BEST_SHOWING, up=1, big=True),
        Street("7th", Opener.BEST_SHOWING, down=1, big=True),
    ),
    raked_from="4th",
    high="standard",
)

STUD_HILO = replace(STUD, name="stud-hilo", title="7-card stud hi/lo, eight or better", low="eight-or-better")

SOKO = Game(
    name="soko",
    title="Soko",
    revision=1,
    max_seats=8,
    forced=Forced.ANTE_AND_BRING_IN,
    streets=(
        Street("2nd", Opener.BRING_IN, down=1, up=1),
        Street("3rd", Opener.BEST_SHOWING, up=1),
        Street("4th", Opener.BEST_SHOWING, up=1, big=True),
        Street("5th", Opener.BEST_SHOWING, up=1, big=True),
    ),
    raked_from="3rd",
    high="soko",
    brings_in=DoorCard.HIGHEST,
)

DRAW = Game(
    name="draw",
    title="5-card draw",
    revision=1,
    max_seats=6,
    forced=Forced.BLINDS,
    streets=(
        Street("predraw", Opener.AFTER_BIG_BLIND, down=5),
        Street("draw", Opener.LEFT_OF_BUTTON, draw=5, big=True),
    ),
    raked_from="draw",
    high="standard",
)

TRIPLE_DRAW = Game(
    name="triple-draw",
    title="2-7 triple draw",
    revision=1,
    max_seats=6,
    forced=Forced.BLINDS,
    streets=(
        Street("predraw", Opener.AFTER_BIG_BLIND, down=5),
        Street("first draw", Opener.LEFT_OF_BUTTON, draw=5),
        Street("second draw", Opener.LEFT_OF_BUTTON, draw=5, big=True),
        Street("third draw", Opener.LEFT_OF_BUTTON, draw=5, big=True),
    ),
    raked_from="first draw",
    high="deuce-to-seven",
)

AMERICANA = replace(SOKO, name="americana", title="Americana", max_seats=6, high="32-card", lowest_rank=5)

TELESINA = replace(
    AMERICANA,
    name="telesina",
    title="Telesina",
    streets=(*SOKO.streets, Street("vela", Opener.BEST_SHOWING, board=1, big=True)),
    high="telesina",
    suits="scdh",
)

DRAW_32 = Game(
    name="draw32",
    title="32-card draw",
    revision=1,
    max_seats=5,
    forced=Forced.BLINDS,
    streets=(
        Street("predraw", Opener.AFTER_BIG_BLIND, down=5),
        Street("draw", Opener.AFTER_BIG_BLIND, draw=4, big=True),
    ),
    raked_from="draw",
    high="32-card-draw",
    lowest_rank=5,
    split_vote=True,
)

GAMES = (HOLDEM, OMAHA, OMAHA_HILO, STUD, STUD_HILO, SOKO, DRAW, TRIPLE_DRAW, AMERICANA, TELESINA, DRAW_32)
