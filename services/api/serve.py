"""Serving the door, from a thread of its own."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from time import sleep

import uvicorn
from fastapi import FastAPI

LOOPBACK = "127.0.0.1"
"""Nobody else's machine reaches that: who serves the world puts TLS in front."""

GRACE = 10
"""Seconds for which requests under way are waited for at the end."""


class CantServe(OSError):
    """The address isn't to be had."""


@contextmanager
def serving(app: FastAPI, host: str = LOOPBACK, port: int = 0) -> Iterator[str]:
    """Serve until the context ends; yields the door's address, such as `http://127.0.0.1:8080`.

    `port` 0: any that is free. At the end no new request is taken, and those under way are answered. Raises CantServe.
    """
    bound = _bound(host, port)
    server = uvicorn.Server(_config(app))
    thread = Thread(target=server.run, kwargs={"sockets": [bound]}, name="door", daemon=True)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise CantServe(f"the door at {host} port {port} ended as it began: its messages say why")
            sleep(0.005)
        yield f"http://{host}:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        bound.close()


def _bound(host: str, port: int) -> socket.socket:
    try:
        bound = socket.create_server((host, port), backlog=1024)
    except OSError as error:
        raise CantServe(
            error.errno, f"the door can't listen at {host} port {port}: {error.strerror}; choose another port"
        ) from error
    # A head and its body are two writes: without this, which connections inherit, the second waits 40 ms for an ACK.
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return bound


def _config(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,  # a path would say who looked at which hand; /metrics counts
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=GRACE,
    )
