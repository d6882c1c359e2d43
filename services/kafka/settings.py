"""Which Kafka the room's log lies on, and how it is reached: by the environment, or by `--kafka`.

HANDLOG_KAFKA                 host:port[,host:port]: brokers of the cluster
HANDLOG_KAFKA_SECURITY        PLAINTEXT (the default), SSL, SASL_PLAINTEXT or SASL_SSL
HANDLOG_KAFKA_CA              file with the certificates that the brokers' are signed by
HANDLOG_KAFKA_CERT, _KEY      files with the client's own certificate and key
HANDLOG_KAFKA_MECHANISM       SCRAM-SHA-256 or SCRAM-SHA-512 (the default of both SASL ways)
HANDLOG_KAFKA_USER            the user's name
HANDLOG_KAFKA_PASSWORD_FILE   file with his password, one line: a password never stands in the environment
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from domain.rules.phrases import listed
from services.eventlog.log import LogError

KAFKA = "HANDLOG_KAFKA"
ROOM = "HANDLOG_ROOM"

_SECURITY = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
_MECHANISMS = ("SCRAM-SHA-256", "SCRAM-SHA-512")
_ADDRESS = re.compile(r"([A-Za-z0-9._-]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}").fullmatch


class BadSetting(LogError):
    """A setting of the broker that can't be used; the sentence names it."""


@dataclass(frozen=True)
class Broker:
    """A Kafka cluster. `bootstrap`: host:port[,host:port]. `options`: what kafka-python's clients need to reach it."""

    bootstrap: str
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        return self.bootstrap


def broker_of(environ: Mapping[str, str]) -> Broker | None:
    """The cluster that the environment names; None where it names none. Raises BadSetting."""
    bootstrap = environ.get(KAFKA, "").strip()
    if not bootstrap:
        return None
    for address in bootstrap.split(","):
        if not _ADDRESS(address):
            raise BadSetting(f"{KAFKA}={bootstrap} isn't of the form host:port[,host:port]: {address!r} is no address")
    return Broker(bootstrap, _options(environ))


def _options(environ: Mapping[str, str]) -> dict[str, Any]:
    security = _one_of(environ, f"{KAFKA}_SECURITY", _SECURITY, "PLAINTEXT")
    options: dict[str, Any] = {"security_protocol": security}
    if security.endswith("SSL"):
        for name, option in (("CA", "ssl_cafile"), ("CERT", "ssl_certfile"), ("KEY", "ssl_keyfile")):
            file = environ.get(f"{KAFKA}_{name}")
            if file:
                options[option] = str(_existing(f"{KAFKA}_{name}", file))
    if security.startswith("SASL"):
        options["sasl_mechanism"] = _one_of(environ, f"{KAFKA}_MECHANISM", _MECHANISMS, "SCRAM-SHA-512")
        options["sasl_plain_username"] = _given(environ, f"{KAFKA}_USER", security)
        password = _existing(f"{KAFKA}_PASSWORD_FILE", _given(environ, f"{KAFKA}_PASSWORD_FILE", security))
        options["sasl_plain_password"] = password.read_text().rstrip("\r\n")
    return options


def _one_of(environ: Mapping[str, str], name: str, choices: tuple[str, ...], default: str) -> str:
    value = environ.get(name, default)
    if value not in choices:
        raise BadSetting(f"{name}={value} is unknown: it is {listed(choices, 'or')}")
    return value


def _given(environ: Mapping[str, str], name: str, security: str) -> str:
    value = environ.get(name, "")
    if not value:
        raise BadSetting(f"{KAFKA}_SECURITY={security} needs {name}, which isn't set")
    return value


def _existing(name: str, file: str) -> Path:
    if not Path(file).is_file():
        raise BadSetting(f"{name}={file}: there is no such file")
    return Path(file)
