"""Why a broker can't be reached, or refuses, in a sentence that says what to set.

kafka-python tells why an attempt to connect failed in its log only, tries again until its time is over, and then says
just that. A broker's last words are lost where they come together with the end of the connection, so a wrong password
is often no more than a connection that was cut.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from kafka.errors import AuthorizationError, SaslAuthenticationFailedError

from services.kafka.settings import KAFKA, Broker

_LOGGER = logging.getLogger("kafka.net.manager")
_FAILED = "Bootstrap connection to"


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.failures: list[Exception] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg.startswith(_FAILED) and isinstance(record.args, tuple):
            self.failures += [one for one in record.args if isinstance(one, Exception)]


@contextmanager
def failures_heard() -> Iterator[list[Exception]]:
    """Why each attempt to connect fails, while the context lasts."""
    listener = _Listener()
    _LOGGER.addHandler(listener)
    try:
        yield listener.failures
    finally:
        _LOGGER.removeHandler(listener)


def unreachable(broker: Broker, failures: Sequence[Exception]) -> str | None:
    """What kept a client from connecting; None where no attempt failed."""
    told = (sentence for one in failures if (sentence := _told(broker, one)))
    guessed = (sentence for one in failures if (sentence := _guessed(broker, one)))
    last = (f"Kafka at {broker} can't be reached: {one}" for one in reversed(failures))
    return next(told, None) or next(guessed, None) or next(last, None)


def refusal(broker: Broker, error: Exception) -> str:
    """What a broker that was reached doesn't do."""
    if isinstance(error, AuthorizationError):
        return f"Kafka at {broker} doesn't allow {_who(broker)} to do that: {type(error).__name__} (see its grants)"
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"Kafka at {broker} doesn't do what was asked: {text}"


_CREDENTIALS = f"the name ({KAFKA}_USER), the password ({KAFKA}_PASSWORD_FILE) or the mechanism ({KAFKA}_MECHANISM)"


def _guessed(broker: Broker, error: Exception) -> str | None:
    if str(broker.options.get("security_protocol")).startswith("SASL") and "socket disconnected" in str(error):
        return f"Kafka at {broker} cuts the connection as {_who(broker)} comes in: probably {_CREDENTIALS} is wrong"
    return None


def _told(broker: Broker, error: Exception) -> str | None:
    text = str(error)
    if isinstance(error, SaslAuthenticationFailedError):
        return f"Kafka at {broker} doesn't let {_who(broker)} in: {_CREDENTIALS} is wrong"
    if "CERTIFICATE_VERIFY_FAILED" in text:
        reason = text.rpartition("certificate verify failed: ")[2].partition(" (_ssl")[0]
        return (
            f"Kafka at {broker} shows a certificate that isn't trusted: {reason}; {KAFKA}_CA is the file of those that "
            "it may be signed by"
        )
    if "BAD_CERTIFICATE" in text or "CERTIFICATE_REQUIRED" in text:
        return (
            f"Kafka at {broker} lets in only who shows a certificate that it trusts: {KAFKA}_CERT and {KAFKA}_KEY are "
            "the files of it and its key"
        )
    return None


def _who(broker: Broker) -> str:
    return str(broker.options.get("sasl_plain_username") or broker.options.get("ssl_certfile") or "a stranger")
