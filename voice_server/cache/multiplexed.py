"""The one connection to Redis that pre-calls share: many requests under way, replies matched in order.

    pre-call ── send ──┐                                   ┌──→ future
    pre-call ── send ──┼─ write ─→ Redis ─→ parse ─→ match ┼──→ future
    pre-call ── send ──┘      pending, oldest first        └──→ future

A pool costs a checkout, a lock and an `asyncio.timeout` (6 µs) per request; here it is one write and one
entry in a queue, and one timer serves all deadlines. All else uses redis-py.

The line mends itself. One background task goes round:

    pause ─→ connect, when there is no connection ─→ PING ── in time ──→ serve until there is trouble ─┐
      ↑                                               └── late or refused ──┐                          │
      └─────────────────────────────────────────────────────────────────────┴──────────────────────────┘

Trouble is a lost connection, garbage, one second of silence, or several timeouts in a row. Outside of "serve"
every `send` is refused at once: only the first few callers of an outage wait for their deadline.
"""

import asyncio
import logging
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import cast

import hiredis

from voice_server.cache.redis_endpoint import PING, parse_url
from voice_server.errors import VoiceServerError
from voice_server.runtime import background

logger = logging.getLogger(__name__)

SHORTEST_SWEEP = 0.010  # seconds between two looks at the deadlines: a timeout comes at most this late
STALLED = 0.050  # a sweep this late means that our own loop stood still, not Redis
FIRST_PAUSE, LONGEST_PAUSE = 0.050, 2.0  # seconds between attempts to come back, doubling
WRITE_BUFFER = 1 << 20  # bytes waiting for the kernel; beyond it Redis is not reading
NOTHING = object()  # the parser has no whole reply yet
PASSING_PROBE_ERRORS = ("NOPERM",)  # the server lives; its ACL only forbids PING


class LineError(VoiceServerError):
    """Redis gave no answer. Do without it now; a later request may succeed."""


class LineDown(LineError):  # noqa: N818 (the base class says that it is an error)
    """There is no usable connection, it is choked, or it was lost. When `send` raises this, nothing was
    written; when the future does, Redis may or may not have run the commands."""


class LineTimeout(LineError):  # noqa: N818 (the base class says that it is an error)
    """The answer did not come by the deadline. Redis may still run the commands; their replies are
    discarded."""


@dataclass
class Counters:
    """What /metrics shows of a line: numbers that only grow."""

    timeouts: int = 0  # requests without an answer at their deadline
    refusals: int = 0  # requests refused at once
    reconnects: int = 0  # connections made after the first


@dataclass(frozen=True)
class Limits:
    deadline: float  # for one request
    max_pending: int  # requests written and not answered yet
    silence: float  # without the answer that is due next: the connection is dropped
    patience: float  # for connecting, TLS and login together
    trip_after: int  # timeouts in a row
    largest_reply: int  # bytes


class RedisLine:
    """A multiplexed connection to Redis for small, quick commands, in one event loop. Never send commands
    that block or change how Redis replies (BLPOP, SUBSCRIBE, MONITOR, CLIENT REPLY, HELLO)."""

    def __init__(
        self,
        url: str,
        *,
        deadline: float = 0.150,
        max_pending: int = 10_000,
        silence: float = 1.0,
        patience: float = 2.0,
        trip_after: int = 5,
        largest_reply: int = 64 << 20,
    ) -> None:
        """Take a URL as redis-py does: redis://, rediss:// or unix://. Raises ConfigurationError."""
        self._endpoint = parse_url(url)
        self._limits = Limits(deadline, max_pending, silence, patience, trip_after, largest_reply)
        self._wire: _Wire | None = None
        self._task: asyncio.Task[None] | None = None
        self._ready: asyncio.Event = asyncio.Event()
        self._failures = 0
        self._trouble = "connecting"
        self.counters = Counters()

    async def open(self) -> None:
        """Start connecting in the background. Neither waits nor fails when Redis is down."""
        self._task = background.start(self._keep_connected(), "the Redis line")

    async def ready(self) -> None:
        """Wait until requests are accepted. Put your own timeout around it."""
        await self._ready.wait()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._ready.clear()
        self._trouble = "closed"
        if self._wire is not None:
            self._wire.drop("closed")
            await self._wire.closed.wait()

    @property
    def connected(self) -> bool:
        """True when a request would be sent now rather than refused."""
        return self._wire is not None and not self._wire.refusal

    def send(self, commands: bytes, replies: int) -> asyncio.Future[list[object]]:
        """Write already encoded commands at once; the future gives their replies, in order.

        `replies` is the number of commands: a wrong number hands every later caller somebody else's replies.
        An error reply stands in the list as a `hiredis.ReplyError`. Raises LineDown at once when there is no
        usable connection; the future raises LineTimeout or LineDown.
        """
        wire = self._wire
        if wire is None or wire.refusal or wire.closing() or wire.full():
            self.counters.refusals += 1
            raise LineDown(f"Redis at {self._endpoint}: {self._why_refused(wire)}")
        return wire.ask(commands, replies)

    def _why_refused(self, wire: "_Wire | None") -> str:
        if wire is None:
            return self._trouble
        if wire.refusal:
            return self._trouble or wire.refusal
        if wire.closing():
            return "the connection is being closed"
        return f"{len(wire.pending)} requests wait already"

    async def _keep_connected(self) -> None:
        wire: _Wire | None = None
        while True:
            await asyncio.sleep(self._pause())
            if wire is None or wire.lost:
                wire = await self._connect()
            if wire is not None and await self._answers(wire):
                await self._serve(wire)

    def _pause(self) -> float:
        self._failures += 1
        if self._failures == 1:
            return 0.0
        doublings = min(self._failures - 2, 10)
        longest = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**doublings)
        return longest * random.uniform(0.5, 1.0)  # noqa: S311 (jitter is no secret)

    async def _connect(self) -> "_Wire | None":
        wire = _Wire(self._limits, self.counters)
        try:
            async with asyncio.timeout(self._limits.patience):
                await self._endpoint.connect(lambda: wire)
                _refuse_errors(
                    await wire.greet(b"".join(self._endpoint.greeting), len(self._endpoint.greeting))
                )
        except TimeoutError:
            self._tell(f"no connection and login within {self._limits.patience:g} s")
        except (OSError, LineError) as error:
            self._tell(str(error))
        else:
            self.counters.reconnects += self._wire is not None
            self._wire = wire
            return wire
        finally:
            if self._wire is not wire:
                wire.drop("never ready")
        return None

    async def _answers(self, wire: "_Wire") -> bool:
        try:
            _refuse_errors(await wire.probe())
        except LineTimeout:
            self._tell("it answers too slowly")
        except LineDown as error:
            self._tell(str(error))
            wire.drop(str(error))
        else:
            return not wire.lost
        return False

    async def _serve(self, wire: "_Wire") -> None:
        """Start the pauses anew only once a request was answered in time."""
        wire.admit()
        self._recovered()
        await wire.troubled.wait()
        self._ready.clear()
        self._tell(wire.refusal)
        if wire.proved:
            self._failures = 0

    def _tell(self, trouble: str) -> None:
        """Log each trouble once, not at each attempt: an outage of a night is a handful of lines."""
        if trouble != self._trouble:
            logger.warning("Redis at %s: %s; trying again in the background", self._endpoint, trouble)
        self._trouble = trouble

    def _recovered(self) -> None:
        logger.info("Redis at %s answers", self._endpoint)
        self._trouble = ""
        self._ready.set()


def _refuse_errors(replies: list[object]) -> None:
    for reply in replies:
        if isinstance(reply, hiredis.ReplyError) and not str(reply).startswith(PASSING_PROBE_ERRORS):
            raise LineDown(str(reply))


class _Request:
    __slots__ = ("expected", "future", "replies", "sent")

    def __init__(self, future: asyncio.Future[list[object]], expected: int, sent: float) -> None:
        self.future = future
        self.expected = expected
        self.sent = sent
        self.replies: list[object] = []


class _Wire(asyncio.Protocol):
    """One connection: replies come back in the order of requests. A request whose deadline has passed stays
    in `pending` until its replies were thrown away, which keeps all others matched. Deadlines are equally
    long, so the expired ones are the first."""

    def __init__(self, limits: Limits, counters: Counters) -> None:
        self.pending: deque[_Request] = deque()
        self.refusal = "connecting"  # why requests may not pass; empty when they may
        self.choked = False  # the write buffer is full: Redis is not reading
        self.lost = False
        self.proved = False  # a request was answered in time since the last `admit`
        self.troubled = asyncio.Event()
        self.closed = asyncio.Event()
        self._limits = limits
        self._counters = counters
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._write: Callable[[bytes], None] = _write_nowhere
        self._unsent: list[bytes] = []
        self.closing: Callable[[], bool] = _not_open_yet  # true from a failed write to `connection_lost`
        self._reader = hiredis.Reader(notEnoughData=NOTHING)
        self._partial = 0  # bytes of a reply not whole yet
        self._expired = 0  # how many of `pending`, from the left
        self._strikes = 0  # timeouts in a row
        self._probe: asyncio.Future[list[object]] | None = None
        self._sweep: asyncio.TimerHandle | None = None
        self._sweep_due = 0.0
        self._stall_forgiven = False

    # asking

    def full(self) -> bool:
        return self.choked or len(self.pending) >= self._limits.max_pending

    def ask(self, commands: bytes, replies: int) -> asyncio.Future[list[object]]:
        if self._sweep is None:
            self._sweep_in(self._limits.deadline)
        return self.greet(commands, replies)

    def greet(self, commands: bytes, replies: int) -> asyncio.Future[list[object]]:
        future: asyncio.Future[list[object]] = self._loop.create_future()
        idle = not self.pending
        self.pending.append(_Request(future, replies, monotonic()))
        if idle:
            self._write(commands)
        else:
            self._write_later(commands)
        return future

    def _write_later(self, commands: bytes) -> None:
        """Send what is asked in one turn of the loop together: a system call costs as much as a reply. A
        request that finds the line idle does not wait for that."""
        if not self._unsent:
            self._loop.call_soon(self._write_unsent)
        self._unsent.append(commands)

    def _write_unsent(self) -> None:
        unsent, self._unsent = self._unsent, []
        self._write(b"".join(unsent))

    def probe(self) -> asyncio.Future[list[object]]:
        """Send a PING. A late answer is not counted: nobody waits for it."""
        if self.lost:
            raise LineDown(self.refusal)
        self._probe = self.ask(PING, 1)
        return self._probe

    def admit(self) -> None:
        self.refusal = ""
        self.proved = False
        self._strikes = 0
        self.troubled.clear()

    # being answered

    def data_received(self, data: bytes) -> None:
        self._partial += len(data)
        try:
            self._reader.feed(data)
            for reply in iter(self._reader.gets, NOTHING):
                self._match(reply)
        except hiredis.ProtocolError as error:
            self.drop(f"it does not speak Redis's protocol: {error}")
        if self._partial > self._limits.largest_reply:
            self.drop(f"a reply is larger than {self._limits.largest_reply} bytes")

    def _match(self, reply: object) -> None:
        if not self.pending:
            raise hiredis.ProtocolError("a reply that nobody asked for")
        self._partial = 0
        request = self.pending[0]
        request.replies.append(reply)
        if len(request.replies) == request.expected:
            self.pending.popleft()
            self._finish(request)

    def _finish(self, request: _Request) -> None:
        if self._expired:
            self._expired -= 1
            return
        self._strikes = 0
        self.proved = True
        if not request.future.done():  # its caller may have been cancelled
            request.future.set_result(request.replies)

    # deadlines

    def _sweep_in(self, seconds: float) -> None:
        self._sweep_due = monotonic() + seconds
        self._sweep = self._loop.call_later(seconds, self._look_at_deadlines)

    def _look_at_deadlines(self) -> None:
        """Look when the deadline is due that was the oldest on arming: a few times a second under any
        load."""
        self._sweep = None
        now = monotonic()
        if self._stalled(now):
            self._sweep_in(0.001)
            return
        self._expire(now - self._limits.deadline)
        if self.pending and self.pending[0].sent <= now - self._limits.silence:
            self.drop(f"silent for {self._limits.silence:g} s")
        elif self.pending:
            self._sweep_in(max(self._next_due(now) - now, SHORTEST_SWEEP))

    def _stalled(self, now: float) -> bool:
        """Tell whether our own loop stood still: replies may lie unread in the socket, so read once before
        judging."""
        self._stall_forgiven = not self._stall_forgiven and now > self._sweep_due + STALLED
        return self._stall_forgiven

    def _expire(self, sent_before: float) -> None:
        for request in islice(self.pending, self._expired, None):
            if request.sent > sent_before:
                break
            self._expired += 1
            self._strikes += 1
            self._time_out(request.future)
        if self._strikes >= self._limits.trip_after and not self.refusal:
            self._refuse(f"{self._limits.trip_after} requests in a row were not answered in time")

    def _time_out(self, future: asyncio.Future[list[object]]) -> None:
        if future.done():
            return
        self._counters.timeouts += future is not self._probe
        future.set_exception(LineTimeout(f"no answer within {self._limits.deadline * 1000:g} ms"))

    def _next_due(self, now: float) -> float:
        if self._expired < len(self.pending):
            return self.pending[self._expired].sent + self._limits.deadline
        return now + self._limits.deadline

    # the connection's life

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._write, self.closing = self._transport.write, self._transport.is_closing
        self._transport.set_write_buffer_limits(high=WRITE_BUFFER)
        if self.lost:
            self._transport.abort()

    def pause_writing(self) -> None:
        self.choked = True

    def resume_writing(self) -> None:
        self.choked = False

    def connection_lost(self, exc: Exception | None) -> None:
        self.drop(str(exc) if exc else "it closed the connection")
        self.closed.set()

    def drop(self, reason: str) -> None:
        if self.lost:
            return
        self.lost = True
        self._refuse(reason)
        self._hang_up()
        for request in self.pending:
            if not request.future.done():
                request.future.set_exception(LineDown(reason))
        self.pending.clear()

    def _refuse(self, reason: str) -> None:
        self.refusal = reason
        self.troubled.set()

    def _hang_up(self) -> None:
        if self._sweep is not None:
            self._sweep.cancel()
        if self._transport is None:
            self.closed.set()
        else:
            self._write = _write_nowhere
            self._transport.abort()


def _write_nowhere(_data: bytes) -> None:
    """Stand in for the transport's `write` while there is none."""


def _not_open_yet() -> bool:
    return True
