"""One broker: a process that is started, paused, killed, and known again by whoever comes later."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from deploy.kafka import parts
from deploy.kafka.process import Process, beginning
from deploy.kafka.settings import HOST, Ports

_JVM = (
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:+ExitOnOutOfMemoryError",
    "-Djava.awt.headless=true",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info",
)
_ANSWERS = "Kafka Server started"
_START = 90.0
_STOP = 15.0


class BrokerEnded(Exception):
    """A broker isn't there that should be; the sentence ends with the last lines of its log."""


class BrokerProcess:
    """Broker `node` of a cluster, in a folder of its own: settings, data, log, and which process it is."""

    def __init__(self, node: int, ports: Ports, folder: Path, heap: str) -> None:
        self.node = node
        self.ports = ports
        self.folder = folder
        self._heap = heap
        self._child: subprocess.Popen[bytes] | None = None

    def __str__(self) -> str:
        return f"broker {self.node} at {self.address}"

    @property
    def address(self) -> str:
        """host:port, for clients."""
        return f"{HOST}:{self.ports.clients}"

    @property
    def log(self) -> Path:
        return self.folder / "broker.log"

    @property
    def process(self) -> Process | None:
        """The process that it was last; None when it hasn't been started, or was ended on purpose."""
        try:
            return Process(**json.loads(self._record.read_text()))
        except FileNotFoundError:
            return None

    @property
    def running(self) -> bool:
        """Whether its process is there, be it paused."""
        alive = self.process is not None and self.process.alive
        if self._child is not None:
            self._child.poll()  # after the look, so that one that ended isn't left to be waited for
        return alive

    @property
    def crashed(self) -> bool:
        """Whether it has ended by itself."""
        return self.process is not None and not self.running

    def format(self, cluster: str, settings: Mapping[str, str], more: Sequence[str] = ()) -> None:
        """Make its storage, empty, for the cluster of that id."""
        self.folder.mkdir(parents=True)
        self.configure(settings)
        tool = self._java("kafka.tools.StorageTool", "format", f"--cluster-id={cluster}", "-c", self._settings, *more)
        done = subprocess.run(tool, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BrokerEnded(f"{self} can't be formatted: {parts.last_lines(done.stdout + done.stderr, 8)}")

    def configure(self, settings: Mapping[str, str]) -> None:
        """Write its settings; they hold from its next start."""
        self._settings.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))

    def launch(self, *options: str) -> None:
        """Start its process, unless it runs, with such options of Java; it answers some seconds later."""
        if self.running:
            return
        if self.log.exists():
            self.log.replace(self.log.with_suffix(".log.1"))
        with self.log.open("wb") as log:
            self._child = subprocess.Popen(
                self._java("kafka.Kafka", self._settings, options=options),
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        began = beginning(self._child.pid)
        _write(self._record, json.dumps({"pid": self._child.pid, "began": began or "ended at once"}))

    def wait(self, seconds: float = _START) -> None:
        """Return when it answers. Raises BrokerEnded when it ends, or hasn't answered after so many seconds."""
        last = time.monotonic() + seconds
        while _ANSWERS not in self.log.read_text(errors="replace"):
            if not self.running:
                raise BrokerEnded(f"{self} has ended. {self.tail()}")
            if time.monotonic() > last:
                raise BrokerEnded(f"{self} doesn't answer after {seconds:.0f} s. {self.tail()}")
            time.sleep(0.05)

    def start(self) -> None:
        """Start it and return when it answers. Raises BrokerEnded."""
        self.launch()
        self.wait()

    def pause(self) -> None:
        """Stop its process where it stands (SIGSTOP); its connections stay open."""
        self._send(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused one go on."""
        self._send(signal.SIGCONT)

    def kill(self) -> None:
        """End it without warning (SIGKILL)."""
        self._send(signal.SIGKILL)
        self._gone(_STOP)

    def stop(self, seconds: float = _STOP) -> None:
        """End it in good order, or after so many seconds without."""
        self.ask_to_stop()
        if not self._gone(seconds):
            self.kill()

    def ask_to_stop(self) -> None:
        """Send what ends it in good order, a paused one too."""
        self._send(signal.SIGTERM)
        self.resume()

    def tail(self, lines: int = 20) -> str:
        """The last lines of its log."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        return f"The end of {self.log}:\n{parts.last_lines(text, lines) or '(nothing)'}"

    def _gone(self, seconds: float) -> bool:
        """Whether it ends within that time; then it isn't missed."""
        last = time.monotonic() + seconds
        while self.running:
            if time.monotonic() > last:
                return False
            time.sleep(0.02)
        self._record.unlink(missing_ok=True)
        return True

    def _send(self, what: signal.Signals) -> None:
        if self.process is not None:
            self.process.send(what)

    def _java(self, program: str, *arguments: str | Path, options: Sequence[str] = ()) -> list[str]:
        archive = [f"-XX:SharedArchiveFile={parts.archive()}"] if parts.archive().exists() else []
        java = [parts.java(), f"-Xmx{self._heap}", *_JVM, *archive, *options, "-cp", f"{parts.jars()}/*"]
        return [*java, program, *map(str, arguments)]

    @property
    def _settings(self) -> Path:
        return self.folder / "server.properties"

    @property
    def _record(self) -> Path:
        return self.folder / "process.json"


def _write(file: Path, text: str) -> None:
    """Write a file whole or not at all."""
    half = file.with_suffix(".half")
    half.write_text(text)
    os.replace(half, file)
