"""Who may enter a secure cluster: an authority of its own, a certificate for each broker, password and more for users.

Everything lies in one folder, readable by its owner only: `ca.pem`, `broker-1.pem` (key and certificate), and for each
user `node.password`, `node.key`, `node.crt`, and `node.env` with the settings that Handlog takes from the environment.
"""

import secrets
import subprocess
import tomllib
from collections.abc import Iterable
from pathlib import Path

from deploy.kafka import parts
from deploy.kafka.settings import HOST, SUPER

ACLS = Path(__file__).with_name("acls.toml")
MECHANISM = "SCRAM-SHA-512"

_DAYS = "3650"


def users() -> list[str]:
    """Every user that a role has, and the one who may do all."""
    return [SUPER, *(user for role in tomllib.loads(ACLS.read_text()).values() for user in role["users"])]


def make(folder: Path, brokers: int) -> None:
    """Make the authority, certificates of that many brokers, certificates and passwords of all users."""
    parts.require("openssl")
    folder.mkdir(mode=0o700)
    authority = ["-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Handlog's own authority"]
    _openssl(folder, *authority, "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    for node in range(1, brokers + 1):
        name = f"broker-{node}"
        _sign(folder, name, "serverAuth,clientAuth", "-addext", f"subjectAltName=IP:{HOST},DNS:localhost")
        both = (folder / f"{name}.key").read_text() + (folder / f"{name}.crt").read_text()
        (folder / f"{name}.pem").write_text(both)
    for user in users():
        _sign(folder, user, "clientAuth")
        (folder / f"{user}.password").write_text(secrets.token_urlsafe(24) + "\n")
    for file in folder.iterdir():
        file.chmod(0o600)


def scram(folder: Path) -> list[str]:
    """What formats a broker's storage with every user in it."""
    words = []
    for user in users():
        password = (folder / f"{user}.password").read_text().strip()
        words += ["--add-scram", f"{MECHANISM}=[name={user},password={password}]"]
    return words


def environment(folder: Path, user: str, bootstrap: str) -> dict[str, str]:
    """How a user reaches the cluster with his password."""
    return {
        "HANDLOG_KAFKA": bootstrap,
        "HANDLOG_KAFKA_SECURITY": "SASL_SSL",
        "HANDLOG_KAFKA_CA": f"{folder / 'ca.pem'}",
        "HANDLOG_KAFKA_MECHANISM": MECHANISM,
        "HANDLOG_KAFKA_USER": user,
        "HANDLOG_KAFKA_PASSWORD_FILE": f"{folder / user}.password",
    }


def environment_with_certificate(folder: Path, user: str, bootstrap: str) -> dict[str, str]:
    """How a user reaches the cluster's other listener with his certificate."""
    return {
        "HANDLOG_KAFKA": bootstrap,
        "HANDLOG_KAFKA_SECURITY": "SSL",
        "HANDLOG_KAFKA_CA": f"{folder / 'ca.pem'}",
        "HANDLOG_KAFKA_CERT": f"{folder / user}.crt",
        "HANDLOG_KAFKA_KEY": f"{folder / user}.key",
    }


def tell(folder: Path, bootstrap: str) -> None:
    """Write each user's settings to a file that a shell can read."""
    for user in users():
        file = folder / f"{user}.env"
        file.touch(mode=0o600)
        file.write_text(_lines(environment(folder, user, bootstrap).items()))


def _lines(settings: Iterable[tuple[str, str]]) -> str:
    return "".join(f"export {name}='{value}'\n" for name, value in settings)


def _sign(folder: Path, name: str, usage: str, *more: str) -> None:
    """A key and a certificate of that common name."""
    files = ["-keyout", f"{name}.key", "-out", f"{name}.crt", "-CA", "ca.pem", "-CAkey", "ca.key"]
    limits = ["-addext", "basicConstraints=critical,CA:FALSE", "-addext", f"extendedKeyUsage={usage}"]
    _openssl(folder, *files, "-subj", f"/CN={name}", *limits, *more)


def _openssl(folder: Path, *arguments: str) -> None:
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    request = ["openssl", "req", "-x509", *key, "-days", _DAYS, *arguments]
    done = subprocess.run(request, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise parts.PartMissing(f"`openssl req` fails (version 3 is needed): {parts.last_lines(done.stderr, 5)}")
