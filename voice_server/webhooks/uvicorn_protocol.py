"""uvicorn's HTTP protocol, which answers ordinary pre-calls itself.

    bytes → parser ─┬─ an ordinary pre-call → PreCallApp.answer → one write
                    └─ anything else        → ASGI, as ever

That saves a task, an ASGI conversation of four messages and a system call per request: a quarter of the CPU
(docs/benchmarks.md, three ways into the pre-call). Anything unusual (a wrong token, a chunked or large body,
`Expect`, HTTP/1.0, a pipelined request) goes the ASGI way to the same PreCallApp.

    Upgrade: h2c → parser → the body would be the other protocol's: read again, without the offer

An offer of another protocol (by a proxy that could speak HTTP/2) is answered in this one (RFC 9110, 7.8).

    head → body → our answer → idle → head …

A head or body that does not come in time ends its connection (`connections`).

    request → half a request, or rubbish → our answer to the first → 408 or 400 to the second

Whoever sends more behind a request reads the next response as its answer: no other comes before it.
"""

import asyncio
from array import array
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Literal, cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from voice_server.webhooks.http import asgi
from voice_server.webhooks.http.connections import Connections, Standing
from voice_server.webhooks.paths import PRE_CALL
from voice_server.webhooks.pre_call import PreCallApp

Answering = Coroutine["asyncio.Future[Any]", None, bytes]
_PATH = PRE_CALL.encode()
_TUNNEL = b"CONNECT"  # always leaves HTTP behind
_LARGEST_HEAD = 65_536  # bytes
_ORDINARY_BODY = 16_384  # bytes; a pre-call request has a few hundred
_NOT_STARTED = 0.0
_TIMEOUT = b'{"error":"request_timeout","message":"The request did not arrive in time."}'
_TIMED_OUT = (
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-type: application/json\r\n"
    b"content-length: %d\r\n\r\n%b" % (len(_TIMEOUT), _TIMEOUT)
)


class _NullEvent:
    def set(self) -> None:
        """Wake nobody."""


class _PreCallCycle:
    """Stands in for uvicorn's request-response cycle, so that uvicorn collects the body, queues pipelined
    requests behind it, and knows of it when shutting down."""

    message_event = _NullEvent()

    def __init__(self) -> None:
        self.body = bytearray()
        self.more_body = True
        self.response_complete = False
        self.disconnected = False
        self.keep_alive = True


class _Parser(httptools.HttpRequestParser):
    """Goes on in HTTP/1.1 after an offer of another protocol, where the library takes what follows for that
    protocol. `again` gives the head without the offer."""

    def __init__(self, protocol: HttpToolsProtocol, again: Callable[[], bytes]) -> None:
        super().__init__(protocol)
        self._again = again
        self.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn sets its own

    def feed_data(self, data: "bytes | bytearray | memoryview | array[int]") -> None:
        try:
            super().feed_data(data)
        except httptools.HttpParserUpgrade as offer:
            if self.get_method() == _TUNNEL:
                raise
            self.feed_data(self._again() + bytes(data)[offer.args[0] :])


class PreCallProtocol(HttpToolsProtocol):
    """One connection. uvicorn's `http` is `functools.partial(PreCallProtocol, pre_call, rules)`."""

    def __init__(self, pre_call: PreCallApp, rules: Connections, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.parser = _Parser(self, self._without_offer)
        self._pre_call = pre_call
        self._rules = rules
        self._awaited: Literal["head", "body"] | None = "head"  # of the peer; None: no request is half there
        self._since = _NOT_STARTED  # when the awaited part began
        self._size = 0  # bytes of it so far
        self._terms: dict[object, object] = {}  # what the application says of the body
        self._made = _NOT_STARTED  # when the connection was
        self._untaken, self._taken = 0, _NOT_STARTED  # bytes of answers, and when some were taken last
        self._wrong = ""  # with what came behind requests that are not answered yet

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._made = self._since = self._taken = self._rules.clock()
        self._rules.joined(cast("set[PreCallProtocol]", self.connections), self.loop)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._awaited is not None:  # an ordinary request comes whole
            self._watch_progress(len(data))

    def _watch_progress(self, came: int) -> None:
        """Cut off headers without end: nobody has shown a token yet."""
        self._size += came
        if self._awaited == "head" and self._size > _LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("The request's headers are too large.")
        elif self._since == _NOT_STARTED:
            self._since = self._rules.clock()
        elif self._size >= self._rules.quota and asgi.is_long(self._terms):
            self._since, self._size = self._rules.clock(), 0

    def on_message_begin(self) -> None:
        self._awaited, self._since, self._size = "head", _NOT_STARTED, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._awaited, self._since, self._size = "body", _NOT_STARTED, 0
        if self.url == _PATH and self._is_ordinary():
            self.cycle = cast("RequestResponseCycle", _PreCallCycle())
        else:
            self._terms = {}
            self.scope["extensions"] = {asgi.BODY_TERMS: self._terms}
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._awaited = None
        super().on_message_complete()
        cycle: object = self.cycle
        if isinstance(cycle, _PreCallCycle) and not self.parser.should_upgrade():
            self._go_on(cycle, self._pre_call.answer(bytes(cycle.body)))

    def standing(self) -> Standing | None:
        """Let peers go first that sent half a request or none, then idle peers."""
        if self._waits_for_us():
            return None
        return (1, self._made) if self._awaited is None else (0, self._since)

    def cut_if_overdue(self, now: float) -> None:
        if self._is_deaf(now):
            self.transport.abort()
        elif self._is_overdue(now):
            self.cut()

    def _is_deaf(self, now: float) -> bool:
        left = self.transport.get_write_buffer_size()
        if left == 0 or left != self._untaken:
            self._untaken, self._taken = left, now
        return now - self._taken > self._rules.timeout

    def _is_overdue(self, now: float) -> bool:
        if self._awaited is None:
            return False
        if self._waits_for_us():
            self._since = now
        return now - self._since > self._rules.timeout

    def _waits_for_us(self) -> bool:
        return self.flow.read_paused or self._owes_answer()

    def _owes_answer(self) -> bool:
        cycle = self.cycle
        is_whole = cycle is not None and not cycle.more_body and not cycle.response_complete
        return is_whole or bool(self.pipeline)

    def send_400_response(self, msg: str) -> None:
        """Wait with it (uvicorn calls this): it is no answer to the request before."""
        if self._owes_answer():
            self._wrong = msg
            self.flow.pause_reading()
            return
        super().send_400_response(msg)
        self._give_up_request()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._wrong and not self.transport.is_closing():
            self.send_400_response(self._wrong)

    def cut(self) -> None:
        """End the connection; a request that has begun is told why."""
        if self.transport.is_closing():
            return
        if self._has_begun_a_request():
            self.transport.write(_TIMED_OUT)
        self._give_up_request()
        self.transport.close()

    def _give_up_request(self) -> None:
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _has_begun_a_request(self) -> bool:
        if self._awaited == "head":
            return self._size > 0
        is_begun: bool = self._awaited == "body" and not getattr(self.cycle, "response_started", False)
        return is_begun

    def _should_upgrade(self) -> bool:
        """Keep uvicorn off this request: it comes again, without the offer."""
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
            and self._has_ordinary_headers()
        )

    def _has_ordinary_headers(self) -> bool:
        length = asgi.header(self.headers, b"content-length")
        is_short = length.isdigit() and int(length) <= _ORDINARY_BODY
        return is_short and self._pre_call.authorized(asgi.header(self.headers, b"authorization"))

    def _go_on(
        self, cycle: _PreCallCycle, answering: Answering, _awaited: "asyncio.Future[Any] | None" = None
    ) -> None:
        """Run until there is an answer, or something to await. A task does the same two turns of the loop
        later."""
        try:
            awaited = answering.send(None)
        except StopIteration as ended:
            self._write(cycle, ended.value)
        else:
            awaited.add_done_callback(partial(self._go_on, cycle, answering))

    def _write(self, cycle: _PreCallCycle, body: bytes) -> None:
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
