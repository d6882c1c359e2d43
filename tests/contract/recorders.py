"""The published test cases of the `eventsourcing` library over a log; `test_recorder` runs them on every home."""

from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import TestCase

from eventsourcing.persistence import AggregateRecorder
from eventsourcing.tests.persistence import (
    AggregateRecorderTestCase,
    ApplicationRecorderTestCase,
    NonInterleavingNotificationIDsBaseCase,
)

from services.eventlog.log import Log
from services.eventlog.recorder import ShardAggregateRecorder, ShardRecorder
from tests.contract.homes import HOMES, Place
from tests.contract.logs import append, entry


class OnALog(TestCase):
    """Gives each test a log of its own."""

    home: str

    def make_log(self) -> Log:
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        place = Place(HOMES[self.home], Path(folder.name))
        self.addCleanup(place.close)
        return place.log


class AggregateCase(OnALog, AggregateRecorderTestCase):
    def create_recorder(self) -> AggregateRecorder:
        return ShardAggregateRecorder(self.make_log(), 2)


class ApplicationCase(OnALog, ApplicationRecorderTestCase[ShardRecorder]):
    def create_recorder(self) -> ShardRecorder:
        return ShardRecorder(self.make_log(), 2)

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class NonInterleavingCase(OnALog, NonInterleavingNotificationIDsBaseCase):
    def create_recorder(self) -> ShardRecorder:
        return ShardRecorder(self.make_log(), 2)


class BesideRoomStreamsCase(ApplicationCase):
    """The same in a shard whose `room` and `shard:<n>` streams have events: those take no number."""

    def make_log(self) -> Log:
        log = super().make_log()
        append(log, 2, entry(("shard:2", 1, 1), ("room", 1, 3)))
        return log
