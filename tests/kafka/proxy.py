"""A TCP proxy between clients and a broker that fails as a test tells it, request by request (Kafka's framing).

The broker must name the proxy's address to the clients that come through it (`tests.kafka.listeners`).
"""

import socket
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from enum import StrEnum
from time import sleep

from deploy.kafka.settings import HOST
from tests.kafka.brokers import GIVEN, cluster, shared_cluster
from tests.kafka.listeners import listen_to_a_proxy, way

APPENDS = frozenset({0})
"""The number of Kafka's request that appends records (Produce)."""

NUMBERS = frozenset({22})
"""That by which a producer is given the number that its batches are known by (InitProducerId)."""

ALL = frozenset(range(100))


class Fault(StrEnum):
    """What happens to a request or its answer."""

    NONE = "none"
    LOST_ANSWER = "the broker does what was asked, and its answer is lost"
    LATE_ANSWER = "the answer comes late"
    CUT_ANSWER = "the connection ends in the middle of the answer"
    CUT_REQUEST = "the connection ends in the middle of the request"
    LATE_REQUEST = "the request comes late to the broker, though its client may have gone"
    SILENCE = "connections are taken, and nothing is ever answered or passed on"
    REFUSED = "connections are ended at once"


class Proxy:
    """Passes on all that comes to its port, but for what the present fault says.

    `faults`: how often each was met. REFUSED strikes new connections, SILENCE all that is said, every other fault
    requests of some kinds: those that append, unless a test says others, so that a client can still look.
    """

    def __init__(self, port: int, target: int) -> None:
        self.port, self._target = port, target
        self.faults: Counter[Fault] = Counter()
        self.fault = Fault.NONE
        self.kinds = APPENDS
        self.delay = 0.5
        """Seconds by which what is late comes late."""
        self._times = 0
        self._open: set[socket.socket] = set()
        self._server = socket.create_server((HOST, port))
        self._running = True
        threading.Thread(target=self._accept, daemon=True).start()

    @contextmanager
    def failing(
        self, fault: Fault, *, kinds: frozenset[int] = APPENDS, delay: float = 0.5, times: int = 0
    ) -> Iterator[None]:
        """The fault, for as long as the context lasts, or until it was met so many times."""
        self.kinds, self.delay, self._times, self.fault = kinds, delay, times, fault
        try:
            yield
        finally:
            self.fault = Fault.NONE

    def drop_all(self) -> None:
        """End every connection."""
        for one in list(self._open):
            _end(one)

    def close(self) -> None:
        self._running = False
        _end(self._server)
        self.drop_all()

    def _accept(self) -> None:
        while self._running:
            with suppress(OSError):
                client, _ = self._server.accept()
                if self.fault is Fault.REFUSED:
                    self.faults[self.fault] += 1
                    _end(client)
                    continue
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError), client, socket.create_connection((HOST, self._target), timeout=5) as broker:
            broker.settimeout(None)
            self._open |= {client, broker}
            try:
                kinds: dict[int, int] = {}
                answers = threading.Thread(target=self._answers, args=(broker, client, kinds), daemon=True)
                answers.start()
                self._requests(client, broker, kinds)
            finally:
                _end(client)
                _end(broker)
                answers.join()
                self._open -= {client, broker}

    def _requests(self, client: socket.socket, broker: socket.socket, kinds: dict[int, int]) -> None:
        while frame := _frame(client):
            kind, _, number = struct.unpack(">hhi", frame[4:12])
            kinds[number] = kind
            fault = self._strikes(kind, Fault.CUT_REQUEST, Fault.LATE_REQUEST)
            if self._strikes(kind, Fault.SILENCE):
                continue
            if fault is Fault.CUT_REQUEST:
                broker.sendall(frame[: len(frame) // 2])
                return
            if fault is Fault.LATE_REQUEST:
                sleep(self.delay)
            broker.sendall(frame)

    def _answers(self, broker: socket.socket, client: socket.socket, kinds: dict[int, int]) -> None:
        with suppress(OSError):
            while frame := _frame(broker):
                (number,) = struct.unpack(">i", frame[4:8])
                kind = kinds.pop(number, -1)
                fault = self._strikes(kind, Fault.LOST_ANSWER, Fault.LATE_ANSWER, Fault.CUT_ANSWER)
                if fault is Fault.LOST_ANSWER or self._strikes(kind, Fault.SILENCE):
                    continue
                if fault is Fault.LATE_ANSWER:
                    sleep(self.delay)
                if fault is Fault.CUT_ANSWER:
                    client.sendall(frame[: len(frame) // 2])
                    break
                client.sendall(frame)
        _end(client)

    def _strikes(self, kind: int, *faults: Fault) -> Fault | None:
        """The present fault, if it is one of these and strikes a request of that kind."""
        fault = self.fault
        if fault not in faults or not (kind in self.kinds or fault is Fault.SILENCE):
            return None
        self.faults[fault] += 1
        if self.faults[fault] == self._times:
            self.fault = Fault.NONE
        return fault


def _frame(source: socket.socket) -> bytes:
    """The next message with its length before it; empty at the end."""
    length = _exactly(source, 4)
    return length + _exactly(source, struct.unpack(">i", length)[0]) if length else b""


def _exactly(source: socket.socket, number: int) -> bytes:
    parts = bytearray()
    while len(parts) < number:
        part = source.recv(number - len(parts))
        if not part:
            return b""
        parts += part
    return bytes(parts)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()


@contextmanager
def behind() -> Iterator[tuple[str, Proxy]]:
    """The address of a broker, and a proxy before it: who comes through the proxy is told of no other address.

    It is the broker that all tests share, but where the run was given another.
    """
    with ExitStack() as open_:
        made = shared_cluster() if GIVEN is None else open_.enter_context(cluster(before=listen_to_a_proxy))
        proxy = Proxy(*way())
        open_.callback(proxy.close)
        yield made.bootstrap, proxy
