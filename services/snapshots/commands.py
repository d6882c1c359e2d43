"""Commands that were answered, as JSON values and back: some 35 bytes each."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

from services.room.load import Known
from services.snapshots.shapes import BadState


def dump_commands(known: Sequence[tuple[str, Known]]) -> dict[str, Any]:
    """In the order of their commits.

    `at` and `heights` are steps, the first one from 0. What a command said stands in the log, at its height.
    """
    return {
        "ids": b64encode(bytes.fromhex("".join([id_ for id_, _ in known]).replace("-", ""))).decode(),
        "at": _steps([one.at for _, one in known]),
        "heights": _steps([one.height for _, one in known]),
    }


def load_commands(value: Any) -> dict[str, Known]:
    """Raises BadState."""
    try:
        known = zip(
            _ids(b64decode(value["ids"], validate=True).hex()),
            accumulate(value["at"]),
            accumulate(value["heights"]),
            strict=True,
        )
        return {id_: Known(at, height) for id_, at, height in known}
    except (KeyError, TypeError, ValueError) as error:
        raise BadState(f"no commands of this build: {error}") from error


def _ids(digits: str) -> list[str]:
    """The ids of 32 digits each; `UUID` takes ten times as long."""
    ids = [digits[at : at + 32] for at in range(0, len(digits), 32)]
    return [f"{one[:8]}-{one[8:12]}-{one[12:16]}-{one[16:20]}-{one[20:]}" for one in ids]


def _steps(numbers: Sequence[int]) -> list[int]:
    return [later - earlier for earlier, later in pairwise([0, *numbers])]
