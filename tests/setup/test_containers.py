"""The Dockerfile and the compose file: pinned, without rights or secrets, and every command in them can be asked."""

import json
import re
import tomllib
from fnmatch import fnmatch
from typing import Any

import pytest
from typer.main import get_command

from deploy.kafka.settings import Ports, properties
from services.cli.app import app
from tests.setup.containers import (
    BROKERS,
    COMPOSE,
    DEPLOY,
    HOME,
    OURS,
    SERVICES,
    Instruction,
    Started,
    instructions,
    started,
)

ROOT = DEPLOY.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DOCKERFILE = instructions()

PINNED = re.compile(r"[a-z0-9-]+(?:/[a-z0-9-]+)?:\d+\.\d+\.\d+(?:-[a-z0-9.-]+)?").fullmatch
SECRET = re.compile(r"password|secret|private|token|key", re.IGNORECASE)
WORDS = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "ENTRYPOINT", "CMD", "HEALTHCHECK"}


def told(word: str) -> list[Instruction]:
    return [one for one in DOCKERFILE if one.word == word]


def test_the_dockerfile_has_known_instructions_only() -> None:
    assert {one.word for one in DOCKERFILE} <= WORDS
    assert DOCKERFILE[0].word == "FROM"


@pytest.mark.parametrize(
    "image", [one.text.split()[0] for one in told("FROM")] + [SERVICES[one]["image"] for one in SERVICES]
)
def test_every_image_has_a_version_and_no_host(image: str) -> None:
    assert PINNED(image)


@pytest.mark.parametrize(
    "image", ["python", "python:latest", "python:3", "registry.example/python:3.11.1", "localhost:5000/x:1.0.0"]
)
def test_an_image_without_a_version_or_with_a_host_would_be_seen(image: str) -> None:
    assert not PINNED(image)


def test_the_images_are_those_that_the_tests_run_with() -> None:
    jars = re.search(r"<version>(4[.\d]+)</version>", (DEPLOY / "kafka/pom.xml").read_text())
    assert jars is not None
    assert {SERVICES[one]["image"] for one in BROKERS} == {f"apache/kafka:{jars[1]}"}
    assert {SERVICES[one]["image"] for one in OURS} == {f"handlog:{PROJECT['version']}"}
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert all(one.text.startswith(f"python:{oldest}.") for one in told("FROM"))


def test_the_image_runs_as_a_user_without_rights() -> None:
    last_stage = DOCKERFILE[max(at for at, one in enumerate(DOCKERFILE) if one.word == "FROM") :]
    words = [one.word for one in last_stage]
    (user,) = (one.text for one in last_stage if one.word == "USER")
    assert user.isdecimal()
    assert int(user) > 0
    assert words.index("USER") > max(at for at, word in enumerate(words) if word == "RUN")
    assert f"useradd --uid {user} --home-dir {HOME} " in next(one.text for one in last_stage if one.word == "RUN")


def test_the_image_has_no_secrets() -> None:
    assert not [one for one in told("ENV") if SECRET.search(one.text)]
    taken = {source for one in told("COPY") for source in one.words[:-1]}
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().split()
    assert ignored[0] == "*"
    assert {line[1:] for line in ignored if line.startswith("!")} == taken
    assert not [path for path in taken if fnmatch(path, "*.key*") or not (ROOT / path).exists()]


def test_the_image_is_installed_from_what_the_lock_names() -> None:
    (fetched, built) = (one.text for one in told("RUN") if " wheel " in one.text)
    (installed,) = (one.text for one in told("RUN") if " install " in one.text)
    assert "--require-hashes --requirement requirements.lock" in fetched
    assert "--no-index --no-deps" in built
    assert "--no-index --find-links" in installed


@pytest.mark.parametrize("word", ["ENTRYPOINT", "CMD"])
def test_no_shell_stands_between_a_signal_and_the_process(word: str) -> None:
    (one,) = told(word)
    assert json.loads(one.text)


def test_the_image_says_how_it_is() -> None:
    (check,) = told("HEALTHCHECK")
    (port,) = told("EXPOSE")
    assert f"http://127.0.0.1:{port.text}/healthz" in check.text


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_says_how_it_is_or_serves_nobody(name: str) -> None:
    check = SERVICES[name].get("healthcheck", {})
    if name in BROKERS:
        assert check["test"][0] == "CMD"
    else:
        assert check.get("disable", False) is ("ports" not in SERVICES[name])


@pytest.mark.parametrize("name", OURS)
def test_our_services_have_few_rights(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert not {"privileged", "user", "cap_add", "network_mode", "pid"} & service.keys()
    assert service["volumes"] == [f"room:{HOME}"]


@pytest.mark.parametrize("name", SERVICES)
def test_no_secret_stands_in_the_environment(name: str) -> None:
    settings = SERVICES[name]["environment"]
    assert {key for key in settings if SECRET.search(key)} <= {"HANDLOG_KEYS", "HANDLOG_TOKENS"}
    assert all(settings[key].startswith(f"{HOME}/") for key in settings if SECRET.search(key))


@pytest.mark.parametrize("name", SERVICES)
def test_only_this_machine_reaches_a_port(name: str) -> None:
    assert all(port.startswith("127.0.0.1:") for port in SERVICES[name].get("ports", []))


def test_what_is_named_is_there() -> None:
    used = {volume.partition(":")[0] for one in SERVICES.values() for volume in one["volumes"]}
    assert used == COMPOSE["volumes"].keys()
    assert {network for one in SERVICES.values() for network in one["networks"]} == COMPOSE["networks"].keys()
    assert {other for one in SERVICES.values() for other in one.get("depends_on", {})} == set(BROKERS)


def test_each_node_is_reached_by_its_own_name() -> None:
    nodes = [one for one in started() if "node" in one.words]
    assert [one.service for one in nodes] == ["node-1", "node-2"]
    for one in nodes:
        said = dict(zip(one.words[2::2], one.words[3::2], strict=True))
        assert (said["--name"], said["--address"]) == (one.service, f"http://{one.service}:8080")
        assert said["--home"] == f"{HOME}/{one.service}"


PLACE = {"node.id", "listeners", "advertised.listeners", "controller.quorum.voters", "log.dirs"}
SMALL = {
    "controller.quorum.election.timeout.ms", "controller.quorum.fetch.timeout.ms", "log.cleaner.dedupe.buffer.size",
    "log.cleaner.backoff.ms",
    "offsets.topic.num.partitions", "share.coordinator.state.topic.num.partitions",
    "transaction.state.log.num.partitions",
}  # fmt: skip
"""What only spares a machine on which brokers are tested."""


@pytest.mark.parametrize("name", BROKERS)
def test_the_brokers_are_set_up_as_those_of_the_tests(name: str) -> None:
    said = {
        key.removeprefix("KAFKA_").lower().replace("_", "."): value
        for key, value in SERVICES[name]["environment"].items()
        if key.startswith("KAFKA_")
    }
    tried = properties(1, [Ports(1, 2, 3)] * 3, DEPLOY, None)
    same = said.keys() - PLACE
    assert {key: said[key] for key in same} == {key: tried[key] for key in tried if key not in PLACE | SMALL}
    assert said["advertised.listeners"] == f"CLIENTS://{name}:9092"
    assert said["node.id"] == name.removeprefix("kafka-")
    assert f"{said['node.id']}@{name}:9093" in said["controller.quorum.voters"]


@pytest.mark.parametrize("one", list(started()), ids=lambda one: one.service)
def test_every_command_can_be_asked(one: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in one.environment.items():
        monkeypatch.setenv(name, value)
    program, *arguments = one.words
    assert program == "handlog"
    parse(get_command(app), program, arguments)


@pytest.mark.parametrize("wrong", [["nodes"], ["node", "--port", "1"], ["tokens", "ad"], ["node", "--shard", "x"]])
def test_a_command_that_cannot_be_asked_would_be_seen(wrong: list[str]) -> None:
    with pytest.raises(Exception, match="No such|Input should|Missing"):
        parse(get_command(app), "handlog", wrong)


def parse(command: Any, name: str, arguments: list[str]) -> None:
    """Read the arguments as the command would, down to the last of its commands, and do nothing."""
    with command.make_context(name, list(arguments)) as context:
        if hasattr(command, "resolve_command"):
            inner, found, rest = command.resolve_command(context, [*context._protected_args, *context.args])
            parse(found, inner, rest)
