"""Freezes the feed's schemas as they are now: `python -m tests.feed.freeze`, when a new one is published.

Refuses where that would break a consumer of those that were published before.
"""

import json
import sys
from pathlib import Path
from typing import Any

from services.feed.compatible import WORDS, breaks
from services.feed.schema import envelope, schemas

PUBLISHED = Path(__file__).parent / "published" / "v1.json"
"""What consumers rely on: the schemas of `handlog.<room>.feed.v1` by name."""


def today() -> dict[str, Any]:
    """All schemas of the feed as the events' classes make them now, without words for readers."""
    return {name: shape(schema) for name, schema in {**schemas(), "cloudevent": envelope()}.items()}


def shape(value: Any) -> Any:
    """A schema without words; a field may be called as one of them is."""
    if isinstance(value, list):
        return [shape(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {name: shape(one) for name, one in part.items()} if key == "properties" else shape(part)
        for key, part in value.items()
        if key not in WORDS
    }


def published() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(PUBLISHED.read_text())
    return found


def freeze() -> None:
    now = today()
    broken = breaks(published(), now) if PUBLISHED.exists() else []
    if broken:
        sys.exit("this would break consumers:\n" + "\n".join(broken))
    PUBLISHED.write_text(json.dumps(now, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    freeze()
