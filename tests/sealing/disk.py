"""What is written down of a file's way to the disk."""

import os
import stat
from typing import Any

import pytest


def steps_to_disk(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list to which each sync of a file or folder, and each file that gets its place, is added from now on."""
    steps: list[str] = []
    fsync, link, replace = os.fsync, os.link, os.replace

    def synced(file: int) -> None:
        steps.append("folder synced" if stat.S_ISDIR(os.fstat(file).st_mode) else "file synced")
        fsync(file)

    def linked(*names: Any) -> None:
        steps.append("in place")
        link(*names)

    def replaced(*names: Any) -> None:
        steps.append("in place")
        replace(*names)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "link", linked)
    monkeypatch.setattr(os, "replace", replaced)
    return steps
