"""A run of the tests that is killed while it has a broker: prints the broker's process and waits to be killed."""

import time

from tests.kafka.brokers import cluster

with cluster() as one:
    process = one.brokers[0].process
    assert process is not None
    print(process.pid, process.began, one.folder, flush=True)
    time.sleep(60)
