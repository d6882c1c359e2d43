"""Everything that brokers need, had once for all clusters on this machine."""

from pathlib import Path
from tempfile import TemporaryDirectory

from deploy.kafka import parts
from deploy.kafka.cluster import opened


def prepare() -> None:
    """Have Java, the jars, and an archive of their classes: a first broker runs for a moment to fill it.

    Raises PartMissing, BrokerEnded.
    """
    parts.java()
    archive = parts.archive()
    if archive.exists():
        return
    with parts.locked(archive.with_suffix(".lock")):
        if not archive.exists():
            parts.say("Preparing Kafka's classes ...")
            _fill(archive)


def _fill(archive: Path) -> None:
    half = archive.with_suffix(".half")
    half.unlink(missing_ok=True)
    with TemporaryDirectory(prefix="handlog-kafka-", ignore_cleanup_errors=True) as folder:
        (broker,) = opened(Path(folder)).brokers
        try:
            broker.launch(f"-XX:ArchiveClassesAtExit={half}")
            broker.wait()
            broker.stop(60)
        finally:
            broker.kill()
    if half.exists():
        half.rename(archive)
