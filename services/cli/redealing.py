"""`handlog redeal`: hands of other rooms, dealt again under a rulebook of ours."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from domain.rules import registry
from domain.rules.phrases import counted, listed
from services.cli.forms import Form, Report
from services.cli.talk import FOUND, SAME, stop
from services.interop.verdicts import Outcome, Verdict, verdicts

TEXTS = ("file", "hand", "outcome", "why", "game", "limit", "currency")
COLUMNS = {**dict.fromkeys(TEXTS, str), "scale": int, "rake": int}


def redeal(files: Sequence[Path], rulebook: str, form: Form) -> int:
    """Every hand is told to machines, and to people those that weren't paid the same. Returns the exit code."""
    book = registry.rulebook(rulebook)
    for file in files:
        if not file.is_file():
            stop(f"{file} is no file: name files of hand histories in PHH")
    told = [verdict for file in files for verdict in verdicts(file, book)]
    others = [verdict for verdict in told if verdict.outcome is not Outcome.AS_PAID]
    Report(
        name="hands",
        columns=COLUMNS,
        rows=[asdict(verdict) for verdict in (told if form.for_machines else others)],
        tables=[[*(["file"] if len(files) > 1 else []), "hand", "outcome", "why"]],
        said=[_summary(told)],
        also={"rulebook": rulebook},
        nothing="Every hand is paid to the chip as it was.",
    ).write(form)
    return FOUND if {Outcome.DIFFERS, Outcome.UNREADABLE} & {verdict.outcome for verdict in told} else SAME


def _summary(told: Sequence[Verdict]) -> str:
    """How many of each outcome, in the order of the outcomes."""
    found = Counter(verdict.outcome for verdict in told)
    return f"{counted(len(told), 'hand')}: {listed([f'{found[one]} {one}' for one in Outcome if found[one]])}."
