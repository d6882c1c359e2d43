"""The warehouse's rows by hand, and that each counts once however its worker was stopped."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, cast

import pyarrow.parquet as pq
import pytest

from domain.hand import events as fact
from domain.hand.state import Hand, evolve
from domain.messages import SECOND
from projections.postings import MOVES
from projections.store import StoreError
from services.eventlog.log import CorruptLog, Log
from services.warehouse import files, manifest, worker
from services.warehouse import hand as hand_rows
from services.warehouse.fold import Decided, Fold, Part
from services.warehouse.hand import rake_parts
from services.warehouse.manifest import File
from services.warehouse.tables import REVISION, TABLES, columns
from tests.money.warehouses import NOON, commits_of, dealt, folded, played_log, rows_in, told

# --- rows ------------------------------------------------------------------------------------------------------------


def brief(decision: Any) -> tuple[Any, ...]:
    """(player, kind, amount, bet to, pot before, to call, facing) of a decision."""
    return (
        decision.player, decision.kind, decision.amount, decision.bet_to, decision.pot_before, decision.to_call,
        decision.facing_player,
    )  # fmt: skip


def test_every_decision_is_a_row_with_what_the_player_faced():
    facts = told(
        dealt("t1-7", "ann bob cat", stacks=[200, 40, 200], button=3),
        "3 raises to 6",
        "1 calls",
        "2 calls",
        "1 checks",
        "2 bets 34",  # all he has
        "3 calls",
        "1 folds",
    )
    rows = folded(commits_of(facts))["decisions"]
    assert list(map(brief, rows)) == [
        ("ann", "post", 1, 1, 0, 0, None),
        ("bob", "post", 2, 2, 1, 0, None),
        ("cat", "raise", 6, 6, 3, 2, None),  # the blind is nobody's bet
        ("ann", "call", 5, 6, 9, 5, "cat"),
        ("bob", "call", 4, 6, 14, 4, "cat"),
        ("ann", "check", 0, 0, 18, 0, None),
        ("bob", "bet", 34, 34, 18, 0, None),
        ("cat", "call", 34, 34, 52, 34, "bob"),
        ("ann", "fold", 0, 0, 86, 34, "bob"),
    ]
    assert [one.street for one in rows] == ["", "", *["preflop"] * 3, *["flop"] * 4]
    assert [one.all_in for one in rows] == [False] * 6 + [True, False, False]
    assert [one.decision for one in rows] == [0, 0, 1, 2, 3, 4, 5, 6, 7]
    assert {(one.hand, one.table_id, one.currency, one.cause) for one in rows} == {("t1-7", "t1", "PLAY", "player")}
    assert [facts[one.version - 1].seat for one in rows] == [one.seat for one in rows]


def test_draws_and_votes_are_decisions_too():
    opened = dealt("t1-1", "ann bob cat", game="draw32", stacks=[100] * 3, button=3, cards={3: "7c 8c 9c Ad Kd"})
    facts = told(
        opened,
        *("3 raises to 4", "1 calls", "2 calls"),
        *("3 draws 2: 7c 8c", "1 stands pat", "2 stands pat"),
        *("3 votes to split", "1 bets 4", "2 folds", "3 folds"),
    )
    rows = folded(commits_of(facts))["decisions"]
    after_the_calls = [(one.player, one.kind, one.discards, one.pot_before, one.facing_player) for one in rows[5:]]
    assert after_the_calls == [
        ("cat", "draw", 2, 12, None),  # her raise is of the round that is over
        ("ann", "stand pat", None, 12, None),
        ("bob", "stand pat", None, 12, None),
        ("cat", "vote to split", None, 12, None),
        ("ann", "bet", None, 12, None),
        ("bob", "fold", None, 16, "ann"),
        ("cat", "fold", None, 16, "ann"),
    ]


def test_a_hand_and_its_results():
    """Ann 5.00, bob 5.00, and cat's blind of 1.00: a pot of 11.00 pays 0.05 per 1.00."""
    facts = told(
        dealt(
            "t1-1", "ann bob cat dan", stakes=(50, 100), stacks=[100_00] * 4, kind="real", button=1,
            cards={4: "As Ah", 1: "Ks Kh"}, board="2c 3d 8h 9s Jc",
        ),
        "4 raises to 5.00", "1 calls", "2 folds", "3 folds", *["4 checks", "1 checks"] * 3,
    )  # fmt: skip
    rows = folded(commits_of(facts))
    (hand,) = rows["hands"]
    assert (hand.pots, hand.pot, hand.largest_pot, hand.rake, hand.rake_by_pot) == ((11_50,), 11_50, 11_50, 55, (55,))
    assert (hand.winners, hand.players, hand.dealt_in) == (("dan",), ("ann", "bob", "cat", "dan"), 4)
    assert (hand.rake_per, hand.rake_each, hand.rake_cap) == (100, 5, 2_00)  # four dealt in
    # 55 by 500, 50, 100, 500 of 1150: 23 (1050/1150 over), 2 (450), 4 (900), 23 (1050): 52; ann, dan and cat get one.
    assert [(one.player, one.put_in, one.won, one.net, one.rake_part) for one in rows["results"]] == [
        ("ann", 5_00, 0, -5_00, 24),
        ("bob", 50, 0, -50, 2),
        ("cat", 1_00, 0, -1_00, 5),
        ("dan", 5_00, 10_95, 5_95, 24),
    ]
    assert [(one.player, one.folded, one.shown, one.mucked) for one in rows["results"]] == [
        ("ann", False, False, True),
        ("bob", True, False, False),
        ("cat", True, False, False),
        ("dan", False, True, False),
    ]


@pytest.mark.parametrize(
    ("rake", "staked", "parts"),
    [
        (10, {1: 1, 2: 1, 3: 1}, {1: 4, 2: 3, 3: 3}),  # 3 and a third each: the lowest seat first
        (7, {1: 100, 2: 250, 3: 250}, {1: 1, 2: 3, 3: 3}),  # 1.17, 2.92, 2.92
        (5, {4: 0, 9: 40}, {4: 0, 9: 5}),
        (0, {1: 10, 2: 10}, {1: 0, 2: 0}),
    ],
)
def test_rake_by_contribution_sums_to_the_rake(rake, staked, parts):
    assert rake_parts(rake, staked) == parts


def test_an_uncalled_bet_is_put_in_and_returned():
    facts = told(dealt("t1-1", "ann bob cat", stacks=[200] * 3, button=3), "3 raises to 50", "1 folds", "2 folds")
    results = folded(commits_of(facts))["results"]
    assert [(one.player, one.put_in, one.returned, one.won, one.net) for one in results] == [
        ("ann", 1, 0, 0, -1),
        ("bob", 2, 0, 0, -2),
        ("cat", 50, 48, 5, 3),
    ]


def test_a_hand_belongs_to_the_room_s_day_on_which_it_ended():
    """At 03:30 UTC it is still the evening before in New York."""
    at = int(datetime(2026, 2, 1, 3, 30, tzinfo=UTC).timestamp()) * SECOND
    facts = told(dealt("t1-1", "ann bob cat", stacks=[200] * 3), "3 folds", "1 folds")
    assert {part.day for part in rows_by_part(facts, at, "America/New_York")} == {"2026-01-31"}
    assert {part.day for part in rows_by_part(facts, at, "UTC")} == {"2026-02-01"}


def rows_by_part(facts: list[Any], at: int, zone: str) -> dict[Part, list[Any]]:
    fold = Fold(zone, lambda hand: "")
    for commit in commits_of(facts, at, every=0):
        fold.take(commit)
    return fold.taken_away()


def test_whatever_moves_chips_in_a_hand_is_known_to_its_rows():
    """A fact that the books know and the warehouse doesn't would make its results wrong, and nobody would see it."""
    of_hands = {of for of in MOVES if of.__module__ == fact.__name__}
    assert of_hands <= hand_rows.DID.keys() | hand_rows.NOTED.keys()


# --- against the log -------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _no_power_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here would notice that something wasn't on the disk yet, and waiting for it takes most of the time."""
    monkeypatch.setattr("os.fsync", lambda number: None)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory):
    with played_log(tmp_path_factory.mktemp("played") / "home") as log:
        yield log


def test_what_was_to_call_is_what_the_hand_itself_said(log: Log):
    said = {}
    for hand, facts in facts_by_hand(log).items():
        state: Hand | None = None
        for version, one in enumerate(facts, start=1):
            turn = state.turn if state is not None else None
            if isinstance(turn, fact.TurnGiven | fact.SplitOffered) and turn.seat == getattr(one, "seat", None):
                said[hand, version] = turn.call
            state = evolve(state, one)
    found = {(one.hand, one.version): one.to_call for one in all_rows(log)["decisions"]}
    of_both = said.keys() & found.keys()
    assert len(of_both) > 100
    assert {key: found[key] for key in of_both} == {key: said[key] for key in of_both}


def test_every_hand_that_is_over_stands_there_whole_and_its_chips_sum_to_nothing(log: Log):
    rows, by_hand = all_rows(log), facts_by_hand(log)
    over = {hand for hand, facts in by_hand.items() if isinstance(facts[-1], fact.HandSettled)}
    assert {one.hand for one in rows["hands"]} == over and len(over) == 24
    nets = Counter[str]()
    for one in rows["results"]:
        nets[one.hand] += one.net
        assert one.stack_after == one.stack_before + one.net, one
    raked = {one.hand: one.rake for one in rows["hands"]}
    assert {hand: -net for hand, net in nets.items() if net} == {hand: rake for hand, rake in raked.items() if rake}
    assert sum(one.rake_part for one in rows["results"]) == sum(raked.values()) > 0
    acted = Counter(one.hand for one in rows["decisions"])
    for hand in over:
        assert acted[hand] == sum(isinstance(one, ACTS) for one in by_hand[hand]), hand


ACTS = (
    fact.BlindPosted, fact.BroughtIn, fact.Folded, fact.Checked, fact.Called, fact.BetMade, fact.Raised, fact.StoodPat,
    fact.CardsDiscarded, fact.SplitVoteCast, fact.AllInProtected,
)  # fmt: skip


def facts_by_hand(log: Log) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for commit in commits(log):
        for stream, _, event in commit.facts:
            if stream.startswith("hand:"):
                found.setdefault(stream.removeprefix("hand:"), []).append(event)
    return found


def commits(log: Log) -> list[Decided]:
    return [worker.decided(record) for shard in range(log.shards) for record in log.read(shard)]


def all_rows(log: Log) -> dict[str, list[Any]]:
    return folded(commits(log))


# --- no card ---------------------------------------------------------------------------------------------------------


def test_no_row_depends_on_a_card_that_lay_face_down(log: Log):
    """The same facts with other cards and another deck in them give the same rows, all of them."""
    real = commits(log)
    hidden = [commit._replace(facts=[(*at, without_cards(event)) for *at, event in commit.facts]) for commit in real]
    assert sum(one != other for one, other in zip(real, hidden, strict=True)) > 50
    assert folded(hidden) == folded(real)


def without_cards(event: Any) -> Any:
    if isinstance(event, fact.HandOpened):
        return replace(event, deck=tuple(range(fact.size_of(event.deck))))
    if isinstance(event, fact.CardsDealt) and not event.up:
        return replace(event, cards=("AAAA",) * len(event.cards))
    if isinstance(event, fact.HandShown):
        return replace(event, cards=tuple(range(len(event.cards))))
    return event


def test_every_column_says_what_it_means():
    for table in TABLES:
        for column in columns(table):
            assert column.means, column
            assert column.name not in {"card", "cards", "board", "hole", "up", "shown_cards"}, column


# --- once each -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [1, 7, 300])
def test_however_it_is_split_into_batches_the_rows_are_those_of_one(log: Log, tmp_path: Path, rows):
    worker.catch_up(tmp_path / "one", log)
    worker.catch_up(tmp_path / "many", log, rows=rows)
    assert rows_in(tmp_path / "many") == rows_in(tmp_path / "one")
    assert worker.catch_up(tmp_path / "many", log) == 0
    assert len(rows_in(tmp_path / "one")["decisions"]) == len(all_rows(log)["decisions"])


class Ends:
    """A log that ends earlier, shard by shard: as it once was."""

    def __init__(self, log: Log, heights: list[int]) -> None:
        self._log, self._heights = log, heights

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    def head(self, shard: int) -> Any:
        height = min(self._heights[shard], self._log.head(shard).height)
        return self._log.record(shard, height).head

    def read(self, shard: int, start: int = 0) -> Any:
        return (record for record in self._log.read(shard, start) if record.height <= self._heights[shard])


@pytest.mark.parametrize("seed", range(3))
def test_as_the_log_grows_hands_that_were_under_way_come_whole(log: Log, tmp_path: Path, seed):
    random = Random(seed)
    heights = [0] * log.shards
    under_way = 0
    while any(height < log.head(shard).height for shard, height in enumerate(heights)):
        heights = [height + random.choice((0, 0, random.randrange(120))) for height in heights]
        worker.catch_up(tmp_path / "grown", cast(Log, Ends(log, heights)))
        stands = manifest.load(tmp_path / "grown")
        assert stands is not None
        under_way += sum(len(one.under_way) for one in stands.positions.values())
    worker.catch_up(tmp_path / "one", log)
    assert under_way > 0
    assert rows_in(tmp_path / "grown") == rows_in(tmp_path / "one")


class Killed(BaseException):
    """Stands for a process that ends at once: nothing catches it."""


def test_killed_at_any_write_it_goes_on_without_loss_or_repeat(log: Log, tmp_path: Path, monkeypatch):
    """Each attempt comes one step further than the one before, until one comes to the end."""
    steps = {"left": 0}

    def step(real: Any) -> Any:
        def maybe(*args: Any, **kwargs: Any) -> Any:
            if steps["left"] == 0:
                raise Killed
            steps["left"] -= 1
            return real(*args, **kwargs)

        return maybe

    short = cast(Log, Ends(log, [log.head(shard).height * 9 // 10 for shard in range(log.shards)]))
    monkeypatch.setattr(pq, "write_table", step(pq.write_table))
    monkeypatch.setattr(Path, "replace", step(Path.replace))
    monkeypatch.setattr(Path, "unlink", step(Path.unlink))
    killed = 0
    for allowed in count():
        steps["left"] = allowed
        try:
            worker.catch_up(tmp_path / "killed", short, rows=60)
            break
        except Killed:
            killed += 1
    steps["left"] = 10**9
    worker.catch_up(tmp_path / "one", short)
    assert killed > 20
    assert rows_in(tmp_path / "killed") == rows_in(tmp_path / "one")
    assert stray_files(tmp_path / "killed") == []


def stray_files(folder: Path) -> list[str]:
    stands = manifest.load(folder)
    assert stands is not None
    there = {str(path.relative_to(folder)) for path in folder.glob("g*/**/*") if path.is_file()}
    assert {file.path for file in stands.files} <= there
    return sorted(there - {file.path for file in stands.files})


def test_many_small_files_become_one(log: Log, tmp_path: Path, monkeypatch):
    worker.catch_up(tmp_path / "one", log)
    monkeypatch.setattr(files, "MANY", 3)
    worker.catch_up(tmp_path / "merged", log, rows=1)
    stands = manifest.load(tmp_path / "merged")
    assert stands is not None
    by_place = Counter(str(Path(file.path).parent) for file in stands.files)
    assert max(by_place.values()) < 3
    assert rows_in(tmp_path / "merged") == rows_in(tmp_path / "one")
    assert stray_files(tmp_path / "merged") == []


def test_the_small_files_of_a_day_become_one_when_it_is_over(tmp_path: Path):
    """Two batches each on the 30th and the 31st of one game; only that of the first of February comes after both."""
    day = 24 * 3600 * SECOND
    stands: list[File] = []
    for batch, at in enumerate([NOON - day, NOON - day + SECOND, NOON, NOON + SECOND, NOON + day], start=1):
        facts = told(dealt(f"t1-{batch}", "ann bob cat", stacks=[200] * 3), "3 folds", "1 folds")
        stands = files.write_batch(tmp_path, 1, batch, rows_by_part(facts, at, "UTC"), stands)
    hands = sorted(file.path for file in stands if file.table == "hands")
    assert [path.split("/")[2:] for path in hands] == [
        ["day=2026-01-30", "game=holdem", "00000003.parquet"],
        ["day=2026-01-31", "game=holdem", "00000005.parquet"],
        ["day=2026-02-01", "game=holdem", "00000005.parquet"],
    ]
    assert sum(file.rows for file in stands if file.table == "hands") == 5


def test_what_somebody_reads_is_removed_only_later(log: Log, tmp_path: Path):
    worker.catch_up(tmp_path, log)
    before = {file.path for file in manifest.load(tmp_path).files}  # type: ignore[union-attr]
    with manifest.reading(tmp_path):
        worker.rebuild(tmp_path, log)
        assert all((tmp_path / path).exists() for path in before)
    worker.catch_up(tmp_path, log)
    assert not any((tmp_path / path).exists() for path in before)


def test_one_writes_at_a_time(log: Log, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(manifest, "TRIES", 2)
    with manifest.writing(tmp_path), pytest.raises(StoreError, match="another process is writing"):
        worker.catch_up(tmp_path, log)
    assert worker.catch_up(tmp_path, log) > 0


def test_who_finds_another_writing_waits_a_while(log: Log, tmp_path: Path):
    with ThreadPoolExecutor(1) as other:
        with manifest.writing(tmp_path):
            taken_in = other.submit(worker.catch_up, tmp_path, log)
            assert not wait([taken_in], 0.3).done
        assert taken_in.result() > 0


# --- built anew ------------------------------------------------------------------------------------------------------


def test_of_an_earlier_revision_it_is_built_anew_beside_the_old(log: Log, tmp_path: Path, monkeypatch):
    monkeypatch.setattr(worker, "REVISION", REVISION - 1)
    commits = worker.catch_up(tmp_path, log)
    monkeypatch.undo()
    old = manifest.load(tmp_path)
    assert worker.catch_up(tmp_path, log) == commits
    new = manifest.load(tmp_path)
    assert old is not None and new is not None
    assert (new.revision, new.generation) == (REVISION, old.generation + 1)
    assert sorted(path.name for path in tmp_path.glob("g*")) == [f"g{new.generation}"]


def test_a_rebuild_that_is_killed_changes_nothing(log: Log, tmp_path: Path, monkeypatch):
    worker.catch_up(tmp_path, log)
    before, rows = manifest.load(tmp_path), rows_in(tmp_path)

    def killed(*args: Any) -> None:
        raise Killed

    monkeypatch.setattr(worker, "save", killed)
    with pytest.raises(Killed):
        worker.rebuild(tmp_path, log, rows=400)
    monkeypatch.undo()
    assert manifest.load(tmp_path) == before
    assert rows_in(tmp_path) == rows
    worker.catch_up(tmp_path, log)
    assert stray_files(tmp_path) == []


def test_of_a_later_revision_it_is_left_alone(log: Log, tmp_path: Path):
    worker.catch_up(tmp_path, log)
    stands = manifest.load(tmp_path)
    assert stands is not None
    manifest.save(tmp_path, stands._replace(revision=REVISION + 1))
    with pytest.raises(StoreError, match="use the newer version that wrote it, or run `handlog warehouse --rebuild`"):
        worker.catch_up(tmp_path, log)


def test_of_another_log_it_is_refused(log: Log, tmp_path: Path):
    worker.catch_up(tmp_path, log)
    stands = manifest.load(tmp_path)
    assert stands is not None
    other = {shard: one._replace(hash="0" * 64) for shard, one in stands.positions.items()}
    manifest.save(tmp_path, stands._replace(positions=other))
    with pytest.raises(StoreError, match="made from another log"):
        worker.catch_up(tmp_path, log)
    worker.rebuild(tmp_path, log)
    assert worker.catch_up(tmp_path, log) == 0


class Stops(Ends):
    """A log of which a shard can't be read on after some height."""

    def read(self, shard: int, start: int = 0) -> Any:
        yield from super().read(shard, start)
        if super().head(shard).height < self._log.head(shard).height:
            raise CorruptLog(f"shard {shard} is broken")

    def head(self, shard: int) -> Any:
        return self._log.head(shard)


@pytest.mark.parametrize("do", [worker.catch_up, worker.rebuild])
def test_a_shard_that_is_broken_leaves_the_others_be(log: Log, tmp_path: Path, do):
    broken = cast(Log, Stops(log, [10**9, 50, *[10**9] * (log.shards - 2)]))
    with pytest.raises(CorruptLog, match="shard 1 is broken"):
        do(tmp_path / "broken", broken)
    stands = manifest.load(tmp_path / "broken")
    assert stands is not None
    assert [stands.positions[shard].height for shard in range(log.shards)] == [
        50 if shard == 1 else log.head(shard).height for shard in range(log.shards)
    ]
    worker.catch_up(tmp_path / "broken", log)
    worker.catch_up(tmp_path / "one", log)
    assert rows_in(tmp_path / "broken") == rows_in(tmp_path / "one")


def test_a_manifest_that_is_damaged_is_named(log: Log, tmp_path: Path):
    worker.catch_up(tmp_path, log)
    (tmp_path / manifest.NAME).write_text('{"revision": 1')
    with pytest.raises(StoreError, match="is no manifest of a warehouse"):
        worker.catch_up(tmp_path, log)
    worker.rebuild(tmp_path, log)
    assert worker.catch_up(tmp_path, log) == 0
