"""A room that all tests of indexes that begin at a snapshot read and none changes."""

from collections.abc import Iterator

import pytest

from services.eventlog.kafka_log import KafkaLog
from tests.kafka.begun import Played


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(tmp_path_factory.mktemp("played"))


@pytest.fixture(scope="session")
def whole(played: Played) -> Iterator[KafkaLog]:
    with played.open() as log:
        yield log
