"""`handlog` for tests: in this process, and as a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

from typer.testing import CliRunner

from services.cli.app import app


class Run(NamedTuple):
    """What a command came to: exit code, stdout, stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def handlog(*args: object, env: Mapping[str, str] | None = None) -> Run:
    """Run a command without a terminal; a traceback fails the test."""
    done = CliRunner().invoke(app, [str(arg) for arg in args], env={"HANDLOG_HOME": None, **(env or {})})
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Run(done.exit_code, done.stdout, done.stderr)


def started(*args: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command as a process."""
    return subprocess.run(
        [sys.executable, "-c", "from services.cli import main; main()", *args],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=dict(env or os.environ),
    )
