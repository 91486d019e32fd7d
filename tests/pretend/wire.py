"""The web process behind a real port, and connections to it that are spoken to in bytes."""

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, cast

import uvicorn

from voice_server.app import create_app
from voice_server.settings import Settings
from voice_server.webhooks.http.connections import Connections
from voice_server.webhooks.uvicorn_protocol import PreCallProtocol


class Wire:
    """One connection to the server, spoken to in bytes."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.file: IO[bytes] = self.socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def answer(self) -> tuple[int, dict[str, str], bytes]:
        """The next response: status, headers, body."""
        status = int(self.file.readline().split()[1])
        headers = {}
        while (line := self.file.readline().strip()) != b"":
            name, _, value = line.decode().partition(":")
            headers[name.lower()] = value.strip()
        return status, headers, self.file.read(int(headers["content-length"]))

    def is_closed(self) -> bool:
        """Whether nothing more comes. Waits for it."""
        return self.file.read(1) == b""

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@contextlib.contextmanager
def serving(settings: Settings, clock: Callable[[], float], rules: Connections) -> Iterator[int]:
    """The web process as the command line runs it; its port."""
    app = create_app(settings, clock)
    http = cast("type[asyncio.Protocol]", partial(PreCallProtocol, app.pre_call, rules))
    config = uvicorn.Config(
        app,
        port=0,
        loop="uvloop",
        http=http,
        log_config=None,
        access_log=False,
        timeout_keep_alive=60,  # a busy test machine lets connections wait
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not (server.started and app.pre_call._line.connected):
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
