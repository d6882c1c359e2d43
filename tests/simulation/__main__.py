"""`python -m tests.simulation --seed N` plays one seed, `--seeds A..B` many of them."""

import argparse
import os
import sys
import traceback

from tests.simulation import report, simulation
from tests.simulation.faults import KINDS
from tests.simulation.simulation import Script


def main() -> int:
    asked = _arguments()
    return _many(asked) if asked.seeds else _one(asked)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--seed", type=int, help="play this one and say what was done")
    what.add_argument("--seeds", help="A..B: play those from A to B")
    parser.add_argument("--steps", type=int, default=simulation.STEPS)
    parser.add_argument("--tables", type=int, default=simulation.TABLES)
    parser.add_argument("--clients", type=int, default=simulation.CLIENTS)
    parser.add_argument("--without", nargs="*", default=[], choices=KINDS, metavar="FAULT", help=", ".join(KINDS))
    parser.add_argument("--drop", default="", help="steps to leave out, such as 3,4,9")
    parser.add_argument("--shrink", action="store_true", help="of a seed that fails, look for the shortest script")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def _one(asked: argparse.Namespace) -> int:
    dropped = frozenset(int(step) for step in asked.drop.split(",") if step)
    script = Script(asked.seed, asked.steps, asked.tables, asked.clients, frozenset(asked.without), dropped)
    played = simulation.run(script)
    print("\n".join(played.lines))
    for what, count in sorted(played.happened.items()):
        print(f"{count:>8}  {what}")
    print(f"digest {played.digest}")
    if played.wrong is None:
        return 0
    if asked.shrink:
        print(report.explain(played))
    else:
        traceback.print_exception(played.wrong)
    print(f"FAILED: {script.command()}")
    return 1


def _many(asked: argparse.Namespace) -> int:
    first, _, last = asked.seeds.partition("..")
    found = report.play(range(int(first), int(last or first) + 1), asked.jobs)
    for line in found.lines():
        print(line)
    for failed in found.failed[:3]:
        print(report.explain(failed))
    return 1 if found.failed or found.missing() else 0


if __name__ == "__main__":
    sys.exit(main())
