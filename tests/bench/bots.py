"""Bots that play a table through commands and see only the answers: what a client knows."""

from random import Random
from typing import Any

from domain.hand import commands as of_hand
from domain.table.commands import DealHand, OpenTable, SitDown
from services.room.recording import Answer

DEEP = 10**9
"""Chips enough that nobody is ever broke."""

Money = tuple[str, str]
"""What a table is played for: the kind of money, and its currency."""

PLAY: Money = ("play", "PLAY")
EUROS: Money = ("real", "EUR")


class TableBots:
    """The players of one table, all of them. `next_command` after each answer; the first is the table's opening."""

    def __init__(
        self, table: str, players: int, random: Random, *, game: str = "holdem", limit: str = "no", money: Money = PLAY
    ) -> None:
        self.table = table
        self.players = players
        self.hands_over = 0
        self._random = random
        self._game, self._limit, self._money = game, limit, money
        self._hand = ""
        self._decision = 0
        self._turn: dict[str, int] | None = None
        self._wager = 0

    def opening(self) -> list[Any]:
        """The commands that open the table and seat everybody."""
        return [
            OpenTable(
                self.table, "Bots", self._game, self._limit, "euro", 50, 100, self.players, *self._money,
                most_buy_in=DEEP,
            ),
            *(SitDown(self.table, seat, f"p{seat}", DEEP) for seat in range(1, self.players + 1)),
        ]  # fmt: skip

    @property
    def hand_under_way(self) -> bool:
        return self._turn is not None

    def next_command(self) -> Any:
        """A hand is dealt where none is under way; otherwise whoever has the action does something legal."""
        if self._turn is None:
            return DealHand(self.table, self.hands_over + 1)
        turn = self._turn
        answers = (self._hand, self._decision, turn["seat"])
        dice = self._random.random()
        if turn["call"] and dice < 0.25:
            return of_hand.Fold(*answers)
        if turn["most"] and dice > 0.85:
            wager = of_hand.Raise if self._wager else of_hand.Bet
            return wager(*answers, turn["least"])
        return of_hand.Call(*answers) if turn["call"] else of_hand.Check(*answers)

    def take(self, answer: Answer) -> None:
        """What an answer says about whose turn it now is."""
        self._turn = None
        for event in answer.events:
            match event["type"]:
                case "hand.opened":
                    self._hand = event["stream"].removeprefix("hand:")
                    self._decision = 0
                case "hand.round-opened":
                    self._wager = event["data"]["wager"]
                case "hand.bet-made" | "hand.raised":
                    self._wager = event["data"]["to"]
                case "hand.turn-given":
                    self._decision += 1
                    self._turn = event["data"]
                case "hand.settled":
                    self.hands_over += 1
