"""How a Kafka is named, and what a wrong setting is told."""

from pathlib import Path

import pytest

from services.kafka.settings import BadSetting, broker_of


def test_where_none_is_named_the_log_is_in_the_home() -> None:
    assert broker_of({}) is None
    assert broker_of({"HANDLOG_KAFKA": " "}) is None


def test_an_address_is_enough() -> None:
    broker = broker_of({"HANDLOG_KAFKA": "127.0.0.1:9092,kafka-2.example:9093"})
    assert broker is not None
    assert broker.bootstrap == "127.0.0.1:9092,kafka-2.example:9093"
    assert broker.options == {"security_protocol": "PLAINTEXT"}


def test_users_have_a_name_and_a_password_in_a_file(tmp_path: Path) -> None:
    for name in ("ca.pem", "password"):
        (tmp_path / name).write_text("secret\n")
    broker = broker_of(
        {
            "HANDLOG_KAFKA": "kafka:9092",
            "HANDLOG_KAFKA_SECURITY": "SASL_SSL",
            "HANDLOG_KAFKA_CA": str(tmp_path / "ca.pem"),
            "HANDLOG_KAFKA_USER": "node",
            "HANDLOG_KAFKA_PASSWORD_FILE": str(tmp_path / "password"),
        }
    )
    assert broker is not None
    assert broker.options == {
        "security_protocol": "SASL_SSL",
        "ssl_cafile": str(tmp_path / "ca.pem"),
        "sasl_mechanism": "SCRAM-SHA-512",
        "sasl_plain_username": "node",
        "sasl_plain_password": "secret",
    }
    assert "secret" not in repr(broker)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"HANDLOG_KAFKA": "kafka"}, "isn't of the form host:port"),
        ({"HANDLOG_KAFKA": "kafka:9092,"}, "'' is no address"),
        ({"HANDLOG_KAFKA_SECURITY": "TLS"}, "HANDLOG_KAFKA_SECURITY=TLS is unknown: it is PLAINTEXT, SSL"),
        ({"HANDLOG_KAFKA_SECURITY": "SSL", "HANDLOG_KAFKA_CA": "/nowhere/ca.pem"}, "there is no such file"),
        ({"HANDLOG_KAFKA_SECURITY": "SASL_SSL"}, "SASL_SSL needs HANDLOG_KAFKA_USER, which isn't set"),
        (
            {"HANDLOG_KAFKA_SECURITY": "SASL_PLAINTEXT", "HANDLOG_KAFKA_USER": "node"},
            "needs HANDLOG_KAFKA_PASSWORD_FILE",
        ),
        (
            {"HANDLOG_KAFKA_SECURITY": "SASL_PLAINTEXT", "HANDLOG_KAFKA_MECHANISM": "PLAIN"},
            "HANDLOG_KAFKA_MECHANISM=PLAIN is unknown: it is SCRAM-SHA-256 or SCRAM-SHA-512",
        ),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_right(settings: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadSetting) as refused:
        broker_of({"HANDLOG_KAFKA": "127.0.0.1:9092"} | settings)
    assert sentence in str(refused.value)
