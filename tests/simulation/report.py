"""Many seeds, over several processes, and what they came to: how often each fault fired, and what was played."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from time import monotonic

from tests.domain.hand.random_hands import PLANNED, RULEBOOKS
from tests.simulation.faults import MUST_FIRE
from tests.simulation.shrink import RUNS, shrunk
from tests.simulation.simulation import Run, Script, run

PLAYED = (
    *(f"hands of {game.name}" for game in PLANNED),
    *(f"hands under {rulebook}" for rulebook in RULEBOOKS),
    *(f"hands in {limit} limit" for limit in ("fixed", "half-pot", "no", "pot", "spread")),
    *(f"hands for {kind} money" for kind in ("play", "real", "tournament")),
    "votes cast", "pots divided by a vote", "late draws", "reshuffles", "side pots awarded", "rake taken",
    "cards opened", "cards opened of a hand under way", "keys rotated", "commands refused", "commands sent again",
    "repeats answered the same", "sent with other arguments", "other arguments refused", "repeats after their hand",
    "repeats of yesterday refused", "appends unknown", "found recorded after a crash", "crash while starting",
    "start that failed", "views caught up", "views rebuilt", "logs verified and signed",
    "shards claimed", "shards kept alive", "hands cancelled", "hands that went on after a pause",
    "newcomers' and late blinds", "newcomers who waited", "dead blinds", "big blinds missed", "small blinds missed",
    "sat out", "came back", "came back within the hour", "busts", "players left", "leavers mid-hand", "seats frozen",
    *(f"leaving, since {why}" for why in (
        "he asked for it", "he missed too many big blinds in a row", "the floor removed him",
        "he excluded himself, or cools off",
    )),
    *(f"floor: {what} {state}" for what in ("paused", "dealing", "closing") for state in ("on", "off")),
    "connections lost", "answers too late", "all-in protections", "protections granted",
    *(f"notice {about} closed" for about in (
        "freeze", "unfreeze", "leave", "protection", "protection-used", "protection-released",
    )),
    *(f"transfer {purpose} closed" for purpose in ("buy-in", "top-up", "cash-out")),
    "transfer buy-in refused", "transfer top-up refused", "steps of transfers repeated", "staff without an answer",
    *(f"account.{what}" for what in (
        "deposited", "withdrawn", "held", "hold-released", "adjusted", "alone-limit-changed", "promotion-granted",
        "promotion-taken-back",
    )),
    *(f"{kind} within a limit" for kind in ("deposit", "loss", "session")),
    *(f"player.{what}" for what in ("limit-set", "cooling-off-begun", "excluded", "frozen", "unfrozen")),
    "tables from which all have their money", "commands forged", "days closed", "shards that a new day began in",
    "advance actions chosen", "advance actions carried out",
)  # fmt: skip
"""What must have happened in a long run, beside the faults."""

ENOUGH = 200
"""Seeds after which everything must have happened."""

SHOWN = 20
"""Failures that are printed."""

CHUNK = 25
"""Seeds that a process plays at a time."""


@dataclass
class Report:
    """What many runs came to."""

    seeds: int = 0
    seconds: float = 0.0
    happened: Counter[str] = field(default_factory=Counter)
    failed: list[Run] = field(default_factory=list)

    def missing(self) -> list[str]:
        """What should have happened and never did."""
        return [what for what in (*MUST_FIRE, *PLAYED) if not self.happened[what]] if self.seeds >= ENOUGH else []

    def lines(self) -> Iterator[str]:
        yield f"{self.seeds} seeds in {self.seconds:.1f} s ({self.seeds / max(self.seconds, 0.001):.1f} a second)"
        for title, names in (
            ("faults that fired", MUST_FIRE),
            ("what was played", PLAYED),
            ("beside these", self._rest()),
        ):
            yield f"{title}:"
            yield from (f"{self.happened[name]:>10}  {name}" for name in names)
        for what in self.missing():
            yield f"NEVER HAPPENED: {what}"
        yield from (f"FAILED: {one.wrong}, seed {one.script.seed}"[:500] for one in self.failed[:SHOWN])
        if self.failed:
            yield f"{len(self.failed)} seeds failed"

    def _rest(self) -> Sequence[str]:
        return sorted(self.happened.keys() - {*MUST_FIRE, *PLAYED})


def play(seeds: range, jobs: int = 1, seconds: float | None = None) -> Report:
    """Play the seeds, for so many seconds at most."""
    report, began = Report(), monotonic()
    for happened, played, failed in _results(seeds, jobs):
        report.seeds += played
        report.happened += happened
        report.failed += failed
        report.seconds = monotonic() - began
        if seconds is not None and report.seconds > seconds:
            break
    return report


_Result = tuple[Counter[str], int, list[Run]]


def _results(seeds: range, jobs: int) -> Iterator[_Result]:
    chunks = [seeds[at : at + CHUNK] for at in range(0, len(seeds), CHUNK)]
    if jobs == 1:
        yield from map(_chunk, chunks)
        return
    # Spawned, not forked: a process of its own begins with nothing in memory.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        try:
            yield from pool.map(_chunk, chunks)
        finally:
            pool.shutdown(cancel_futures=True)


def _chunk(seeds: Iterable[int]) -> _Result:
    happened: Counter[str] = Counter()
    failed, count = [], 0
    for seed in seeds:
        one = run(Script(seed))
        happened += one.happened
        count += 1
        if one.wrong is not None:
            failed.append(_told(one))
    return happened, count, failed


def _told(one: Run) -> Run:
    """A run that can be sent to another process: its error as text."""
    one.wrong = AssertionError(f"{type(one.wrong).__name__}: {one.wrong}")
    return one


def explain(failed: Run, most: int = RUNS) -> str:
    """A failure, how to run it again, and the shortest script that still fails, of so many that are tried."""
    again = run(failed.script)
    if again.wrong is None:
        return f"seed {failed.script.seed} failed ({failed.wrong}) and does so no more: it isn't reproduced"
    short = shrunk(again, most=most)
    steps = "\n".join(f"  {line}" for line in short.lines)
    return (
        f"seed {failed.script.seed}: {type(again.wrong).__name__}: {again.wrong}\n"
        f"run it again: {failed.script.command()}\n"
        f"the shortest that fails: {short.script.command()}\n{steps}\n  {type(short.wrong).__name__}: {short.wrong}"
    )
