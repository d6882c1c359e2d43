"""Clients that can't be made, since no broker answers, leave nothing behind: a node tries again and again."""

import threading

import pytest

from services.kafka import clients
from services.kafka.clients import BrokerAway
from services.kafka.settings import Broker

NOBODY = Broker("127.0.0.1:1")


@pytest.mark.parametrize("make", [clients.producer, clients.consumer, clients.admin])
def test_a_client_that_reaches_nobody_leaves_no_thread(make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "DELIVERY", 100)
    before = threading.enumerate()
    for _ in range(3):
        with pytest.raises(BrokerAway, match="127.0.0.1:1"):
            make(NOBODY)
    new = [one for one in threading.enumerate() if one not in before]
    for one in new:
        one.join(30)
    assert not [one for one in new if one.is_alive()]
