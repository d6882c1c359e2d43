"""`python -m tests.oracle FOLDER`: deal the logged hands again and compare what each player won.

Exit 0: all as expected; 1: a hand disagrees, a listed one no longer does, or the skipped ones changed; 2: the folder
can't be read.
"""

import argparse
import json
import sys
from contextlib import nullcontext
from pathlib import Path

from services.interop.unsupported import Reason
from tests.oracle.games import all_declared
from tests.oracle.mutants import MUTANTS, broken
from tests.oracle.records import NoRecords, real_hands
from tests.oracle.report import Report, examine, problems, unpinned


def main() -> int:
    asked = _arguments()
    try:
        with all_declared(), broken(asked.rule) if asked.rule else nullcontext():
            report = examine(real_hands(asked.folder, asked.game))
    except NoRecords as error:
        print(error, file=sys.stderr)
        return 2
    if not report.seen:
        print(f"{asked.folder} holds no hand of {asked.game}", file=sys.stderr)
        return 2
    print(json.dumps(report.rows(), indent=1) if asked.json else _text(report))
    if others := unpinned(report):
        print(f"not the hands that skips.json pins, so not compared with it: {', '.join(others)}", file=sys.stderr)
    found = list(problems(report))
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description="Deal logged hands again.")
    parser.add_argument("folder", type=Path, help="where the *.jsonl.gz files of logged hands lie")
    parser.add_argument("--game", help="only this game, as the records name it: holdem, omaha, omaha_hilo ...")
    parser.add_argument("--json", action="store_true", help="print rows for machines")
    parser.add_argument("--break", dest="rule", choices=MUTANTS, help="break this rule on purpose")
    return parser.parse_args()


def _text(report: Report) -> str:
    lines = [f"{'game':<12} {'limit':<6} {'kind':<8} {'agreed':>7} {'disagreed':>10}  skipped"]
    for row in report.rows():
        skipped = ", ".join(f"{count} {reason}" for reason, count in row["skipped"].items())
        lines.append(
            f"{row['game']:<12} {row['limit']:<6} {row['kind']:<8} {row['agreed']:>7} {row['disagreed']:>10}  {skipped}"
        )
    return "\n".join([*lines, "", *_sums(report)])


def _sums(report: Report) -> list[str]:
    total = report.total()
    dealt = total.agreed + total.disagreed
    undeclared, unknown = total.skipped[Reason.GAME_NOT_DECLARED], total.skipped[Reason.DECIDING_CARDS_UNKNOWN]
    possible = dealt + total.skipped.total() - undeclared - unknown
    reasons = [f"{count:>5} {reason.name}: {reason}" for reason, count in total.skipped.most_common()]
    return [
        f"{dealt} of {possible} hands of declared games whose deciding cards are known were dealt again"
        f" ({100 * dealt / max(possible, 1):.1f} %); {total.agreed} agree to the chip, {total.disagreed} don't",
        "skipped:",
        *reasons,
    ]


if __name__ == "__main__":
    sys.exit(main())
