"""What a broker is made of: Java, and Kafka's jars, which Maven fetches once for all rooms on this machine."""

import fcntl
import functools
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

POM = Path(__file__).with_name("pom.xml")

_PACKAGES = {"java": "openjdk-17-jre-headless", "mvn": "maven", "openssl": "openssl"}
_OLDEST_JAVA = 17


class PartMissing(Exception):
    """Something that a broker needs isn't on this machine; the sentence says what to install."""


@functools.cache
def java() -> str:
    """The command that runs Java 17 or later. Raises PartMissing."""
    require("java")
    said = subprocess.run(["java", "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', said)
    if version is None or int(version[1]) < _OLDEST_JAVA:
        raise PartMissing(
            f"Kafka 4 needs Java {_OLDEST_JAVA} or later, and `java` here is {version[1] if version else 'unknown'}: "
            f"install {_PACKAGES['java']} or later"
        )
    return "java"


def require(program: str) -> None:
    """Raise PartMissing unless the program is here; on Debian, root gets its package installed first."""
    if shutil.which(program):
        return
    package = _PACKAGES[program]
    if os.geteuid() == 0 and Path("/etc/debian_version").exists() and shutil.which("apt-get"):
        say(f"There is no {program}: installing {package} ...")
        _install(package)
    if not shutil.which(program):
        raise PartMissing(
            f"a broker needs {' and '.join(_PACKAGES[part] for part in ('java', 'mvn'))}, and there is no `{program}` "
            f"here: install {package}"
        )


def _install(package: str) -> None:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-qq"], ["install", "-qq", "--no-install-recommends", package]):
        done = subprocess.run(["apt-get", "-y", *arguments], env=quiet, capture_output=True, text=True, check=False)
        if done.returncode:
            raise PartMissing(f"`apt-get {' '.join(arguments)}` failed: {last_lines(done.stderr, 3)}")


def jars() -> Path:
    """The folder of Kafka's jars; fetched where it isn't there yet. A fetch that was cut off leaves none.

    It lies in $XDG_CACHE_HOME/handlog, or ~/.cache/handlog. Raises PartMissing.
    """
    folder = _cache() / f"kafka-{hashlib.sha256(POM.read_bytes()).hexdigest()[:16]}"
    if folder.is_dir():
        return folder
    require("mvn")
    with locked(_cache() / "lock"):
        if not folder.is_dir():
            say("Fetching Kafka (43 MB) ...")
            half = _cache() / "half"
            shutil.rmtree(half, ignore_errors=True)
            _fetch(half)
            half.rename(folder)
    return folder


def archive() -> Path:
    """Where Java's archive of the jars' classes lies, if it was made: a broker then starts in half the time."""
    return jars().with_suffix(".jsa")


def _cache() -> Path:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "handlog"
    cache.mkdir(parents=True, exist_ok=True)
    return cache


def _fetch(folder: Path) -> None:
    checked = ["mvn", "--quiet", "--batch-mode", "--strict-checksums", "--file", str(POM)]
    goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={folder}"]
    done = subprocess.run([*checked, *goal], capture_output=True, text=True, check=False)
    if done.returncode:
        raise PartMissing(f"Maven can't fetch Kafka's jars: {last_lines(done.stdout or done.stderr, 8)}")


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold a file's lock, waiting for whoever else holds it."""
    with file.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def last_lines(text: str, number: int) -> str:
    return "\n".join(text.rstrip().splitlines()[-number:])


def say(line: str) -> None:
    """What happens, to the person who waits: standard output holds the address alone."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
