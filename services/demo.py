"""The demonstration: bots play a room full of tables, and everything that can be proved of it is proved and shown."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from domain.hand.commands import DrawTooLate
from domain.hand.events import DrawOffered, Part, PotAwarded
from domain.hand.state import Hand
from domain.messages import Command
from domain.money import Money
from domain.rules.registry import game
from domain.rulings.replay import Frame, Standing
from domain.rulings.words import limit_and_stakes
from domain.table import events as of_table
from domain.table.commands import DealHand, OpenTable, SitDown, StandUp
from domain.table.state import Table
from projections import queries
from projections.balances import Balance
from projections.hands import HandHeader
from services.bootstrap import make_home, open_log, open_writer
from services.bots import STYLES, Style, act, wish
from services.cli.books import proof_lines, rake_rows
from services.cli.homes import commits_in
from services.cli.showing import lines
from services.cli.talk import FOUND, SOUND, progress, say, table
from services.eventlog.log import Log
from services.eventlog.mapper import repository
from services.ids import uuid7
from services.ports import Ports, seeded_ports
from services.room.load import load_table
from services.room.recording import Answer
from services.room.writer import Writer
from services.rulings import hand_commits, hand_frames, readjudicate_all, table_commits
from services.soundness import verify_home
from services.views import current_views

BIG_BLINDS = 60
"""What a bot sits down with at the most, in big blinds or small bets."""

LATE = 2
"""Of a hundred draws, how many are decided too late."""

TABLES = (
    OpenTable("t1", "Elm", "holdem", "no", "euro", 50, 100, 6, "real", "EUR"),
    OpenTable("t2", "Oak", "holdem", "no", "classic", 100, 200, 2, "real", "EUR"),
    OpenTable("t3", "Ash", "holdem", "fixed", "ace", 200, 400, 10, "real", "USD"),
    OpenTable("t4", "Fir", "holdem", "half-pot", "omaha-guide", 50, 100, 3, "tournament", "CHIPS", ante=10),
    OpenTable("t5", "Yew", "omaha", "pot", "ace", 50, 100, 6, "real", "USD"),
    OpenTable("t6", "Bay", "omaha-hilo", "fixed", "omaha-guide", 100, 200, 9, "real", "EUR"),
    OpenTable("t7", "Box", "omaha-hilo", "no", "euro", 5, 10, 4, "play", "PLAY"),
    OpenTable("t8", "Lime", "stud", "fixed", "ace", 200, 400, 8, "real", "USD", ante=25),
    OpenTable("t9", "Pine", "stud", "no", "euro", 0, 100, 2, "real", "EUR", ante=25),
    OpenTable("t10", "Plum", "stud-hilo", "pot", "omaha-guide", 0, 100, 6, "real", "EUR", ante=25),
    OpenTable("t11", "Pear", "soko", "spread", "euro", 0, 50, 8, "real", "EUR", maxima=(100, 100, 200, 200), ante=25),
    OpenTable("t12", "Sloe", "draw", "half-pot", "classic", 25, 50, 6, "real", "EUR"),
    OpenTable("t13", "Haw", "triple-draw", "fixed", "euro", 100, 200, 6, "real", "EUR"),
    OpenTable("t14", "Rowan", "americana", "pot", "classic", 0, 20, 6, "real", "EUR", ante=5),
    OpenTable("t15", "Hazel", "telesina", "fixed", "omaha-guide", 100, 200, 4, "real", "EUR", ante=25),
    OpenTable("t16", "Holly", "draw32", "no", "euro", 50, 100, 5, "real", "EUR"),
)


def run(home: Path | None, hands: int, seed: int) -> int:
    """Play and show; 0 if all is well. The home is a temporary one where none is named; a named one must be new."""
    if home is not None:
        return _show_all(home, hands, seed)
    with TemporaryDirectory(prefix="handlog-demo-") as folder:
        return _show_all(Path(folder), hands, seed)


def _show_all(home: Path, hands: int, seed: int) -> int:
    began = monotonic()
    commands = play(home, hands, seed)
    say(f"{hands} hands at {len(TABLES)} tables: {commands} commands in {monotonic() - began:.1f} s, seed {seed}.")
    with open_log(home) as log:
        tables = _tables(log)
        _show_tables(tables)
        well = [_show_chips(log, tables), _show_log(log), _show_rulings(log), _show_books(home, log)]
        show_hands(home, log)
    say(f"{'All is well' if all(well) else 'SOMETHING IS WRONG'}, after {monotonic() - began:.1f} s.")
    return SOUND if all(well) else FOUND


# --- play ------------------------------------------------------------------------------------------------------------


def play(home: Path, hands: int, seed: int) -> int:
    """Make a home and have the bots play so many hands there; the number of commands.

    The same seed makes the same log, byte for byte.
    """
    floor = _Floor(seed)
    make_home(home, "demo", floor.ports)
    with open_writer(home, floor.ports) as writer, progress("playing", hands) as step:
        floor.open_tables(writer)
        dealt = 0
        while True:
            waiting = [one.table for one in TABLES if _open_hand(writer, one.table) is None]
            for table_id in waiting[: hands - dealt]:
                floor.deal(writer, table_id)
                dealt += 1
                step()
            acting = [one.table for one in TABLES if _open_hand(writer, one.table) is not None]
            if not acting:
                return floor.commands
            floor.act_once(writer, acting)


class _Floor:
    """Gives the commands of players and dealers, and the room its time and its cards.

    Time stands still while commands are out, so that it doesn't matter in which batches the writer takes them.
    """

    def __init__(self, seed: int) -> None:
        seeded = seeded_ports(seed)
        self._tick, self._time = seeded.now, seeded.now()
        self.ports: Ports = replace(seeded, now=lambda: self._time)
        self._random = Random(seed)  # noqa: S311 -- what bots do; cards come from the ports
        self.commands = 0

    def open_tables(self, writer: Writer) -> None:
        for one in TABLES:
            self._give(writer, one, "floor")
            for seat in range(1, one.seats + 1):
                self._sit_down(writer, one, seat)

    def deal(self, writer: Writer, table_id: str) -> None:
        """The next hand of a table, after those who are broke have bought in again.

        One at a time, since all tables take their cards from one source.
        """
        table_now = _table(writer, table_id)
        for seat in [number for number, one in table_now.seats.items() if not one.stack]:
            self._give(writer, StandUp(table_id, seat, table_now.seats[seat].player), "player")
            self._sit_down(writer, _terms(table_id), seat)
        self._give(writer, DealHand(table_id, table_now.hands + 1), "advance")

    def act_once(self, writer: Writer, tables: list[str]) -> None:
        """One action at each table, all at once; the log has them all before anybody looks again.

        Draws come first and one at a time: a deck that runs out is shuffled, and all tables take their cards from one
        source.
        """
        hands = {table_id: _hand(writer, table_id) for table_id in tables}
        drawing = [table_id for table_id, hand in hands.items() if isinstance(hand.turn, DrawOffered)]
        for table_id in drawing:
            for command in self._answers(table_id, hands.pop(table_id)):
                writer.submit(command).result()
        commands = [command for table_id, hand in hands.items() for command in self._answers(table_id, hand)]
        for answer in [writer.submit(command) for command in commands]:
            answer.result()
        self._time = self._tick()

    def _answers(self, table_id: str, hand: Hand) -> list[Command]:
        """What the player does whose turn it is, or the clock for him: now and then one is too late to draw."""
        assert hand.turn is not None
        style = style_of(table_id, hand.turn.seat)
        wished = wish(style, hand, self._random)
        given = [] if wished is None else [self._command(wished, "player")]
        if isinstance(hand.turn, DrawOffered) and self._random.randrange(100) < LATE:
            return [*given, self._command(DrawTooLate(hand.id, hand.decision, hand.turn.seat), "timer")]
        return [*given, self._command(act(style, hand, self._random), "player")]

    def _sit_down(self, writer: Writer, of: OpenTable, seat: int) -> None:
        size = of.small if of.limit == "fixed" else of.big
        amount = size * self._random.randrange(10, BIG_BLINDS + 1)
        self._give(writer, SitDown(of.table, seat, player_of(of.table, seat), amount), "player")

    def _give(self, writer: Writer, args: Any, cause: str) -> Answer:
        answer = writer.submit(self._command(args, cause)).result()
        self._time = self._tick()
        return answer

    def _command(self, args: Any, cause: str) -> Command:
        self.commands += 1
        return Command(uuid7(self._time, self.ports.bits(74)), args, "demo", cause)


def style_of(table_id: str, seat: int) -> Style:
    return STYLES[(int(table_id[1:]) + seat) % len(STYLES)]


def player_of(table_id: str, seat: int) -> str:
    """A bot is named by its style, its table and its seat."""
    return f"{style_of(table_id, seat).name}{table_id}x{seat}"


def _terms(table_id: str) -> OpenTable:
    return next(one for one in TABLES if one.table == table_id)


def _table(writer: Writer, table_id: str) -> Table:
    found = writer.room.table(table_id).table
    assert found is not None
    return found


def _hand(writer: Writer, table_id: str) -> Hand:
    found = writer.room.table(table_id).hand
    assert found is not None
    return found


def _open_hand(writer: Writer, table_id: str) -> str | None:
    return _table(writer, table_id).open_hand or None


# --- proof -----------------------------------------------------------------------------------------------------------


def _tables(log: Log) -> dict[str, Table]:
    loaded = ((one.table, load_table(repository(log), one.table)) for one in TABLES)
    return {table_id: found for table_id, found in loaded if found is not None}


def _show_tables(tables: dict[str, Table]) -> None:
    rows = []
    for table_id, now in tables.items():
        terms = now.opened.terms
        played = f"{terms.game}, {limit_and_stakes(terms.limit, terms.stakes, terms.currency)}, {terms.rulebook}"
        chips = Money(sum(seat.stack for seat in now.seats.values()), terms.currency)
        rows.append([
            table_id, now.opened.name, played, str(len(now.seats)), str(now.hands), str(chips),
        ])  # fmt: skip
    table(
        ["table", "name", "played", "seats", "hands", "chips"],
        rows,
        ("seats", "hands", "chips"),
    )


def _show_chips(log: Log, tables: dict[str, Table]) -> bool:
    """Chips that came, less those that left and the rake, lie on the tables: counted from the tables' own facts."""
    due: dict[str, int] = {}
    for table_id, amount in _movements(log):
        currency = tables[table_id].opened.terms.currency
        due[currency] = due.get(currency, 0) + amount
    found = dict.fromkeys(due, 0)
    for now in tables.values():
        found[now.opened.terms.currency] += sum(seat.stack for seat in now.seats.values())
    for currency, amount in sorted(due.items()):
        same = "as many lie there" if found[currency] == amount else f"but {Money(found[currency], currency)} lie there"
        say(f"Chips: {Money(amount, currency)} were brought and not taken or raked, {same}.")
    return due == found


def _movements(log: Log) -> Iterator[tuple[str, int]]:
    for shard in range(log.shards):
        for commit in table_commits(log, shard):
            for stream, _, event in commit.facts:
                match event:
                    case of_table.ChipsBrought():
                        yield stream.removeprefix("table:"), event.amount
                    case of_table.ChipsTaken():
                        yield stream.removeprefix("table:"), -event.amount
                    case of_table.HandFinished():
                        yield stream.removeprefix("table:"), -event.rake
                    case _:
                        pass


def _show_log(log: Log) -> bool:
    with progress("verifying", commits_in(log)) as step:
        report = verify_home(log, step)
    for finding in report.findings:
        say(str(finding))
    sound = "sound: chains, bodies, invariants" if report.sound else "NOT SOUND"
    say(f"Log: {report.commits} commits and {report.events} events in {log.shards} shards, {sound}.")
    return report.sound


def _show_rulings(log: Log) -> bool:
    decisions, different = 0, []
    with progress("deciding again", commits_in(log)) as step:
        for _, divergence in readjudicate_all(log):
            decisions += 1
            different += [divergence] if divergence is not None else []
            step()
    for each in different:
        say(str(each))
    verdict = f"{len(different)} OTHERWISE" if different else "all the same"
    say(f"Rulings: {decisions} decisions of tables and hands decided again, {verdict}.")
    return not different


def _show_books(home: Path, log: Log) -> bool:
    with current_views(home, log) as store:
        totals, proof = queries.rake_ledger(store, (queries.By.TABLE, queries.By.RULEBOOK)), queries.proof(store)
        balances = queries.balances(store)
    table(["table", "rulebook", "hands", "pots", "rake"], rake_rows(totals), ("hands", "pots", "rake"))
    house = [row for row in balances if not row.account.startswith("table:")]
    rows = [[row.account, str(Money(row.amount, row.currency))] for row in house]
    table(["account", "balance"], [*rows, *_seats_together(balances)], ("balance",))
    for line in proof_lines(proof):
        say(line)
    return proof.sound


def _seats_together(balances: list[Balance]) -> list[list[str]]:
    """The players' accounts, summed for each table."""
    sums: dict[tuple[str, str], int] = {}
    for row in balances:
        if row.account.startswith("table:"):
            key = row.account.split(":")[1], row.currency
            sums[key] = sums.get(key, 0) + row.amount
    return [[f"table:{name}, all players", str(Money(amount, currency))] for (name, currency), amount in sums.items()]


# --- two hands -------------------------------------------------------------------------------------------------------


def show_hands(home: Path, log: Log) -> None:
    """The hands with the largest pots, in small or minimum bets: one that came to a showdown, one that was split."""
    with current_views(home, log) as store:
        headers = sorted(queries.hand_headers(store), key=_bets_in_the_pot, reverse=True)
    _show_hand("pot with a showdown", log, headers, _had_showdown)
    split_offered = [header for header in headers if game(header.game).split_vote]
    _show_hand("pot that was split by a vote", log, split_offered, _was_split)


def _bets_in_the_pot(of: HandHeader) -> int:
    return of.pot * 1_000_000 // (of.small_bet or of.min_bet)


def _show_hand(what: str, log: Log, headers: list[HandHeader], wanted: Callable[[Log, str], bool]) -> None:
    found = next((header.hand for header in headers if wanted(log, header.hand)), None)
    if found is None:
        say(f"\nNo {what} in these hands.\n")
        return
    say(f"\nThe largest {what}; `handlog replay {found}` steps through such a hand:\n")
    for line in _told(hand_frames(log, found)):
        say(line)
    say()


def _was_split(log: Log, hand: str) -> bool:
    awards = (fact.event for commit in hand_commits(log, hand) for fact in commit.facts)
    return any(isinstance(event, PotAwarded) and event.part is Part.AGREED for event in awards)


def _had_showdown(log: Log, hand: str) -> bool:
    end = hand_frames(log, hand)[-1]
    return sum(1 for seat in end.seats if seat.standing in (Standing.SHOWN, Standing.MUCKED)) > 1


def _told(frames: list[Frame]) -> Iterator[str]:
    """Every fact as a line; the whole frame where a street begins and at the end."""
    street = ""
    for frame in frames:
        shown = lines(frame, len(frames))
        yield from shown if frame.street != street or frame.over else shown[:1]
        street = frame.street
