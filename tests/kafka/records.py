"""Records written and read with kafka-python's own clients: what a broker keeps, seen from outside."""

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition

_QUICK = {"request_timeout_ms": 3_000, "reconnect_backoff_max_ms": 500}


def make_topic(bootstrap: str, topic: str, replicas: int = 1) -> None:
    """A topic of one partition."""
    with KafkaAdminClient(bootstrap_servers=bootstrap, **_QUICK) as admin:
        admin.create_topics({topic: {"num_partitions": 1, "replication_factor": replicas}}, wait_for_metadata=True)


def leader(bootstrap: str, topic: str) -> int:
    """The number of the broker that leads its partition; -1 when there is none."""
    with KafkaAdminClient(bootstrap_servers=bootstrap, **_QUICK) as admin:
        (described,) = admin.describe_topics([topic])
        return int(described["partitions"][0]["leader_id"])


def write(bootstrap: str, topic: str, *values: bytes) -> None:
    """Write records and return once they are acknowledged, which may take until another broker leads."""
    producer = KafkaProducer(
        bootstrap_servers=bootstrap,
        acks="all",
        enable_idempotence=True,
        delivery_timeout_ms=20_000,
        max_block_ms=20_000,
        **_QUICK,
    )
    try:
        for sent in [producer.send(topic, value, partition=0) for value in values]:
            sent.get(timeout=25)
    finally:
        producer.close(timeout=2)


def read(bootstrap: str, topic: str) -> list[bytes]:
    """Every record of its partition."""
    partition = TopicPartition(topic, 0)
    consumer = KafkaConsumer(bootstrap_servers=bootstrap, auto_offset_reset="earliest", **_QUICK)
    try:
        consumer.assign([partition])
        end = consumer.end_offsets([partition])[partition]
        values: list[bytes] = []
        while consumer.position(partition) < end:
            values += [record.value for records in consumer.poll(500).values() for record in records]
        return values
    finally:
        consumer.close()
