"""5-card stud, a twelfth game for the harness alone: a page of data in the words of the other eleven."""

from domain.rules.vocabulary import DoorCard, Forced, Game, Opener, Street

FIVE_CARD_STUD = Game(
    name="five-card-stud",
    title="5-card stud",
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
    high="standard",
    brings_in=DoorCard.LOWEST,
)
