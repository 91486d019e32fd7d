"""uvicorn's HTTP protocol, which answers ordinary pre-calls itself.

    bytes → parser ─┬─ an ordinary pre-call → PreCallApp.begin → Redis → PreCallApp.finish → one write
                    └─ anything else        → ASGI, as ever

Per request that saves a task, an ASGI conversation of four messages and a system call: it is the
difference between half and nearly all of what a bare server answers (reference: 0.62 against 0.95).
What is not quite ordinary (a wrong token, a chunked or large body, `Expect`, HTTP/1.0, a pipelined
request) goes the ASGI way and is answered by the same PreCallApp.

    Upgrade: h2c → parser → the body would be the other protocol's: read again, without the offer

Who offers another protocol (a proxy that could speak HTTP/2) is answered in this one, as RFC 9110 (7.8) allows.
"""

import asyncio
from array import array
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from voice_server.webhooks.paths import PRE_CALL
from voice_server.webhooks.pre_call import Asked, PreCallApp

_PATH = PRE_CALL.encode()
_TUNNEL = b"CONNECT"  # always leaves HTTP behind
_LARGEST_HEAD = 65_536  # bytes
_ORDINARY_BODY = 16_384  # bytes; a pre-call request has a few hundred


class _NobodyWaits:
    """Stands in for the event that wakes an ASGI application."""

    def set(self) -> None:
        """Wake nobody."""


class _PreCallCycle:
    """One pre-call under way, in the place where uvicorn keeps its request-response cycle: so that its
    own code collects the body, queues pipelined requests behind it, and knows it when shutting down."""

    message_event = _NobodyWaits()

    def __init__(self) -> None:
        self.body = bytearray()
        self.more_body = True
        self.response_complete = False
        self.disconnected = False
        self.keep_alive = True


class _Parser(httptools.HttpRequestParser):
    """The parser, which takes what follows an offer of another protocol for that protocol. This one goes on
    in HTTP/1.1: `again` gives the head without the offer, and the body follows."""

    def __init__(self, protocol: HttpToolsProtocol, again: Callable[[], bytes]) -> None:
        super().__init__(protocol)
        self._again = again
        self.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn sets its own

    def feed_data(self, data: "bytes | bytearray | memoryview | array[int]") -> None:
        """Parse some more."""
        try:
            super().feed_data(data)
        except httptools.HttpParserUpgrade as offer:
            if self.get_method() == _TUNNEL:
                raise
            self.feed_data(self._again() + bytes(data)[offer.args[0] :])


class PreCallProtocol(HttpToolsProtocol):
    """One connection. Make it with `functools.partial(PreCallProtocol, pre_call)` for uvicorn's `http`."""

    def __init__(self, pre_call: PreCallApp, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.parser = _Parser(self, self._without_offer)
        self._pre_call = pre_call
        self._head: int | None = 0  # bytes of headers so far; None while a body is read

    def data_received(self, data: bytes) -> None:
        """Called by the transport. Headers without end are cut off: nobody has shown a token yet."""
        super().data_received(data)
        if self._head is not None:
            self._head += len(data)
            if self._head > _LARGEST_HEAD and not self.transport.is_closing():
                self.send_400_response("The request's headers are too large.")

    def on_message_begin(self) -> None:
        """Called by the parser."""
        self._head = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Called by the parser."""
        self._head = None
        if self.url == _PATH and self._is_ordinary():
            self.cycle = cast("RequestResponseCycle", _PreCallCycle())
        else:
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Called by the parser."""
        super().on_message_complete()
        cycle: object = self.cycle
        if isinstance(cycle, _PreCallCycle) and not self.parser.should_upgrade():
            self._answer(cycle)

    def _should_upgrade(self) -> bool:
        """Whether uvicorn is to leave this request alone: it comes again, without the offer."""
        return self.parser.get_method() != _TUNNEL

    def _without_offer(self) -> bytes:
        head = [
            b"%b %b HTTP/%b" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())
        ]
        head += [b"%b: %b" % (name, value) for name, value in self.headers if name != b"upgrade"]
        return b"\r\n".join((*head, b"", b""))

    def _is_ordinary(self) -> bool:
        parser, before = self.parser, self.cycle
        return (
            parser.get_method() == b"POST"
            and parser.get_http_version() == "1.1"
            and parser.should_keep_alive()
            and not parser.should_upgrade()
            and not self.expect_100_continue
            and not self.flow.write_paused  # who does not read its answers waits for them the ASGI way
            and (before is None or before.response_complete)
            and self._has_ordinary_body()
            and self._pre_call.authorized(self.headers)
        )

    def _has_ordinary_body(self) -> bool:
        for name, value in self.headers:
            if name == b"content-length":
                return value.isdigit() and int(value) <= _ORDINARY_BODY
        return False

    def _answer(self, cycle: _PreCallCycle) -> None:
        answer = self._pre_call.begin(bytes(cycle.body))
        if isinstance(answer, Asked):
            answer.replies.add_done_callback(partial(self._finish, cycle, answer))
        else:
            self._write(cycle, answer)

    def _finish(self, cycle: _PreCallCycle, asked: Asked, _replies: "asyncio.Future[list[object]]") -> None:
        self._write(cycle, self._pre_call.finish(asked))

    def _write(self, cycle: _PreCallCycle, body: bytes) -> None:
        """The whole answer at once."""
        cycle.response_complete = True
        if self.transport.is_closing():
            return
        lines = [b"HTTP/1.1 200 OK\r\n"]
        for name, value in self.server_state.default_headers:
            lines += (name, b": ", value, b"\r\n")
        if not cycle.keep_alive:
            lines.append(b"connection: close\r\n")
        lines.append(b"content-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body))
        lines.append(body)
        self.transport.write(b"".join(lines))
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()
