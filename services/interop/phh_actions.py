"""The actions of a hand in PHH, line by line.

Its words are, of players, pb (bring in), cbr (complete, bet or raise to), cc (check or call), f (fold), sd (stand pat,
or discard) and sm (muck, or show; a dash for what is known already); of the dealer dh (to a player) and db (to the
board). What follows a # is a remark. Lines don't tell the street: it follows from the cards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import accumulate

from domain.cards import FACES
from domain.rules.vocabulary import Game
from services.interop.history import BRING_IN, CHECK_OR_CALL, DRAW, SHOWDOWN, UNKNOWN, Line, Sight, Unreadable
from services.interop.unsupported import Reason, Unsupported

Minor = Callable[[Decimal, str], int]
"""An amount in minor units; the text says of what."""


@dataclass
class Told:
    """What the actions tell: who did what, what was seen of whose cards, and the board."""

    lines: list[Line] = field(default_factory=list)
    sights: list[Sight] = field(default_factory=list)
    board: list[str] = field(default_factory=list)


def told(game: Game, players: Sequence[str], actions: Sequence[str], minor: Minor) -> Told:
    """Raises Unreadable, naming the action; Unsupported for a second board, and a card to the table where there is
    none."""
    reading = _Reading(game, players, minor)
    for number, action in enumerate(actions, start=1):
        try:
            reading.take(action.partition("#")[0].split())
        except Unreadable as error:
            raise Unreadable(f"action {number}, {action!r}: {error}") from None
    return reading.told


@dataclass
class _Reading:
    """`street`: the number of the one that is played. `dealt`: how many cards each player was dealt; `draws`: how often
    he drew."""

    game: Game
    players: Sequence[str]
    minor: Minor
    told: Told = field(default_factory=Told)
    street: int = 0
    dealt: dict[str, int] = field(default_factory=dict)
    draws: dict[str, int] = field(default_factory=dict)

    def take(self, words: Sequence[str]) -> None:
        match words:
            case []:
                pass
            case ["d", "db", cards]:
                self._to_the_board(_faces(cards))
            case ["d", "dh", player, cards]:
                self._to(self._player(player), _faces(cards))
            case ["d", *_]:
                raise Unreadable("of the dealer there is db CARDS and dh PLAYER CARDS")
            case [player, *what]:
                self._of(self._player(player), what)

    def _of(self, player: str, what: Sequence[str]) -> None:
        match what:
            case ["pb"]:
                self._acts(player, BRING_IN)
            case ["cbr", amount]:
                self._acts(player, "raise", self._amount(amount))
            case ["cc"]:
                self._acts(player, CHECK_OR_CALL)
            case ["f"]:
                self._acts(player, "fold")
            case ["sd", *cards] if len(cards) < 2:
                self._draws(player, _faces("".join(cards)))
            case ["sm", *cards] if len(cards) < 2:
                known = "".join(cards).strip("-")
                self._shows_down(player, "show" if cards else "muck", _faces(known))
            case _:
                raise Unreadable("of a player there is pb, cbr AMOUNT, cc, f, sd or sd CARDS, sm or sm CARDS")

    @property
    def _name(self) -> str:
        return self.game.streets[self.street].name

    def _player(self, word: str) -> str:
        if word not in self.players:
            raise Unreadable(f"{word!r} is no player: they are {self.players[0]} to {self.players[-1]}")
        return word

    def _amount(self, word: str) -> int:
        try:
            return self.minor(Decimal(word), "it raises to")
        except ArithmeticError:
            raise Unreadable(f"{word!r} is no amount") from None

    def _acts(self, player: str, act: str, to: int = 0) -> None:
        self.told.lines.append(Line(act, self._name, player, to=to))

    def _to_the_board(self, cards: Sequence[str]) -> None:
        """A board that is full is dealt no further: what comes then belongs to a second one."""
        full = list(accumulate(street.board for street in self.game.streets))
        if not full[-1]:
            raise Unsupported(Reason.COMMUNITY_CARD)
        self.told.board += cards
        if len(self.told.board) > full[-1]:
            raise Unsupported(Reason.RUN_TWICE)
        self.street = max(number for number, count in enumerate(full) if count <= len(self.told.board))

    def _to(self, player: str, cards: Sequence[str]) -> None:
        """What is dealt once a player has drawn replaces what he threw away."""
        if self.draws.get(player):
            self._replaces(player, tuple(cards))
            return
        for card in cards:
            before = self.dealt.get(player, 0)
            self.dealt[player] = before + 1
            self.street, up = self._place(before)
            self.told.sights.append(Sight("deal", self._name, player, (card,), (up,)))

    def _place(self, before: int) -> tuple[int, bool]:
        """The street of a player's next card, of which he has so many, and whether it lies face up."""
        for number, street in enumerate(self.game.streets):
            if before < street.down + street.up:
                return number, before >= street.down
            before -= street.down + street.up
        raise Unreadable(f"{self.game.title} deals a player no more cards than he has")

    def _draws(self, player: str, thrown: tuple[str, ...]) -> None:
        drawing = [number for number, street in enumerate(self.game.streets) if street.draw is not None]
        before = self.draws.get(player, 0)
        if before == len(drawing):
            raise Unreadable(f"{self.game.title} lets a player draw no more often than he has")
        self.draws[player], self.street = before + 1, drawing[before]
        self.told.lines.append(Line(DRAW, self._name, player, drawn=len(thrown)))
        self.told.sights.append(Sight(DRAW, self._name, player, threw=len(thrown), thrown=thrown))

    def _replaces(self, player: str, cards: tuple[str, ...]) -> None:
        at = max(at for at, one in enumerate(self.told.sights) if one.act == DRAW and one.player == player)
        sight = self.told.sights[at]
        if len(sight.cards) + len(cards) > sight.threw:
            raise Unreadable(f"{player} threw away {sight.threw} and is dealt more")
        self.told.sights[at] = sight._replace(cards=sight.cards + cards)

    def _shows_down(self, player: str, act: str, cards: tuple[str, ...]) -> None:
        self.told.lines.append(Line(act, SHOWDOWN, player))
        self.told.sights.append(Sight(act, SHOWDOWN, player, cards))


def _faces(cards: str) -> tuple[str, ...]:
    """Cards such as "Ah??" one by one."""
    faces = tuple(cards[at : at + 2] for at in range(0, len(cards), 2))
    for face in faces:
        if face != UNKNOWN and face not in FACES:
            raise Unreadable(
                f"{face!r} is no card: a rank of 23456789TJQKA with a suit of cdhs, or ?? for an unknown one"
            )
    return faces
