"""The Dockerfile and the compose file as they stand: instructions, services, and the commands that the services run."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
DOCKERFILE = DEPLOY / "Dockerfile"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if "build" in service]
BROKERS = [name for name in SERVICES if name not in OURS]

HOME = "/var/lib/handlog"
"""Where the image keeps what lasts."""


class Instruction(NamedTuple):
    """A line of the Dockerfile: RUN and the like, and what follows."""

    word: str
    text: str

    @property
    def words(self) -> list[str]:
        """Of the exec form, JSON, or of a line that no shell reads."""
        return list(json.loads(self.text)) if self.text.startswith("[") else shlex.split(self.text)


def instructions() -> list[Instruction]:
    """Of the whole Dockerfile, in order; lines that go on are joined, comments are gone."""
    lines = (line for line in DOCKERFILE.read_text().splitlines() if not line.startswith("#"))
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [Instruction(*line.split(" ", 1)) for line in joined.splitlines() if line]


class Started(NamedTuple):
    """What a service of ours starts: `handlog` and its arguments, with settings from the environment."""

    service: str
    words: list[str]
    environment: Mapping[str, str]

    def plain(self, folder: Path, bootstrap: str) -> "Started":
        """The same as a process of this machine: in a folder, with a Kafka that is here, at a door that is free."""
        return Started(
            self.service,
            [_here(word, folder) for word in self.words],
            {name: _here(value, folder) for name, value in self.environment.items()} | {"HANDLOG_KAFKA": bootstrap},
        )


def started() -> Iterator[Started]:
    """What each service of ours starts, in the file's order."""
    (entrypoint,) = (one.words for one in instructions() if one.word == "ENTRYPOINT")
    for name in OURS:
        service = SERVICES[name]
        yield Started(name, service.get("entrypoint", entrypoint) + service["command"], service["environment"])


def _here(text: str, folder: Path) -> str:
    door = text.replace("0.0.0.0:8080", "127.0.0.1:0")
    return re.sub(r"http://node-\d:8080", "", door).replace(HOME, str(folder))
