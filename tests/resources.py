"""What some tests need and not every machine has: they skip where it is missing, and with CI set the run then fails."""

import os
from enum import StrEnum

import pytest


class Resource(StrEnum):
    """Something outside the repository; the value stands in the reason of each test that is skipped for want of it."""

    ORACLE = "oracle"
    KAFKA = "Kafka"
    POSTGRESQL = "PostgreSQL"
    CHROMIUM = "Chromium"


def require_or_skip(resource: Resource, present: object, reason: str) -> None:
    """Skip the calling test unless the resource is `present`; `reason` says what was looked for and where."""
    if not present:
        pytest.skip(f"no {resource}: {reason}")


def is_excused(reason: str) -> bool:
    """Whether a test may be skipped for that reason: with CI set, never for want of a resource."""
    return "CI" not in os.environ or not any(resource.lower() in reason.lower() for resource in Resource)
