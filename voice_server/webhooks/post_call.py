"""A call has ended: verify, record, acknowledge. Jobs understand what was said.

The platform may deliver a transcript once only, so an authentic event is stored raw, in one transaction with
its job, before we answer 200. What we could not store gets 503: only then does the platform try again. It is
a raw ASGI app ahead of the router, like the pre-call.
"""

import contextlib
import logging
import re
import time
from collections.abc import Callable, Mapping, Sequence
from time import monotonic

import msgspec
from msgspec import Struct

from voice_server.domain.event import Envelope
from voice_server.platforms.platform import Platform
from voice_server.queue import queue
from voice_server.queue.names import INGEST, INGEST_KEY, INGEST_LATER
from voice_server.runtime import logs
from voice_server.runtime.histogram import Histogram
from voice_server.store import session
from voice_server.store.lifecycle import webhook_events
from voice_server.store.session import DirectConnections
from voice_server.webhooks.bursts import Bursts
from voice_server.webhooks.http import asgi
from voice_server.webhooks.http.asgi import Receive, Scope, Send
from voice_server.webhooks.signature import Tolerance, Verifier

log = logging.getLogger(__name__)

# Half a kilobyte of base64 under this key is audio. A quote inside a JSON string is escaped, so this is a
# key and never something said; a short value may be anybody's variable, and is judged by the event's type.
_AUDIO = re.compile(rb'"full_audio"\s*:\s*"[A-Za-z0-9+/]{512}')
_AUDIO_WORD, _AUDIO_SPAN = b"full_audio", 640  # bytes that the pattern may need of what came before
_ITS_JOB = queue.enqueued_from(
    "recorded", "$10::text", "json_build_object('event_id', id)", key=f"'{INGEST_KEY}' || id"
)
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
_RETRY_AFTER = (b"retry-after", b"30")
_OLD = 900  # seconds since a call ended, after which it yields to those that have just ended
_BURST, _AT_ONCE = 30.0, 3  # seconds, and calls of one caller in them that do not wait
_METHOD = b'{"error":"method_not_allowed","message":"The post-call webhook takes POST."}'
_ALLOW = (b"allow", b"POST")

# Status, content, and a header beyond the usual ones.
Answer = tuple[int, Mapping[str, object]] | tuple[int, Mapping[str, object], asgi.Header]


class Limits(Struct, frozen=True):
    """Bytes at most: of an event that is accepted, of audio that is read."""

    body: int = 10_000_000
    audio: int = 500_000_000


class Counts:
    def __init__(self) -> None:
        self.recorded = 0
        self.duplicate = 0
        self.erased = 0
        self.audio = 0
        self.unauthorized = 0
        self.too_large = 0
        self.not_stored = 0


class PostCall:
    """The ASGI app. `clock` gives unix seconds."""

    def __init__(
        self,
        platform: Platform,
        direct: DirectConnections,
        secrets: Sequence[str],
        tolerance: Tolerance,
        limits: Limits,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.counts = Counts()
        self._platform = platform
        self.seconds = Histogram(_BUCKETS)  # from the head of an event to its answer
        self._direct = direct
        self._secrets = secrets
        self._tolerance = tolerance
        self._limits = limits
        self._clock = clock
        self._bursts = Bursts(_BURST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await asgi.answer(send, 405, _METHOD, _ALLOW)
            return
        with contextlib.suppress(asgi.ClientDisconnected):  # an unfinished body cannot be authentic
            status, answer, *headers = await self._take(scope, receive)
            await asgi.answer(send, status, msgspec.json.encode(answer), *headers)

    async def _take(self, scope: Scope, receive: Receive) -> Answer:
        since = monotonic()
        signature = asgi.header(scope["headers"], self._platform.signature_header).decode("latin-1")
        verifier = Verifier(signature, self._secrets, self._clock(), self._tolerance)
        if verifier.refusal:
            return self._unauthorized(verifier.refusal)
        delivery = _Delivery(self._limits)
        async for chunk in asgi.chunks(receive):
            verifier.update(chunk)
            delivery.take(chunk)
            if delivery.is_audio:
                asgi.expect_long_body(scope)
            if delivery.too_large:
                return self._too_large()
        verdict = verifier.verdict()
        if not verdict.valid:
            return self._unauthorized(verdict.reason)
        if delivery.is_audio:
            return self._discarded()
        body = delivery.body()
        envelope = self._platform.read_envelope(body)
        if envelope.kind == "audio":
            return self._discarded()
        answer = await self._record(envelope, body)
        self._tell_of(envelope, answer[1], monotonic() - since)
        return answer

    def _tell_of(self, envelope: Envelope, told: Mapping[str, object], seconds: float) -> None:
        self.seconds.observe(seconds)
        outcome = told.get("status", "not_stored")
        event, ms = told.get("event"), logs.milliseconds(seconds)
        logs.tell(log, logging.INFO, "post-call", type=envelope.type, outcome=outcome, event=event, ms=ms)

    def _discarded(self) -> Answer:
        self.counts.audio += 1
        return 200, {"status": "discarded", "message": "audio is not stored"}

    async def _record(self, envelope: Envelope, body: bytes) -> Answer:
        try:
            job = INGEST_LATER if self._may_wait(envelope) else INGEST
            recorded = await webhook_events.record(self._direct, envelope, body, _ITS_JOB, job)
        except session.ERRORS as error:
            self.counts.not_stored += 1
            log.error("event %s was not stored, the platform has to send it again: %r", envelope.key, error)  # noqa: TRY400 (a traceback of the driver says no more)
            return (
                503,
                {"error": "unavailable", "message": "The event could not be stored; send it again."},
                _RETRY_AFTER,
            )
        if recorded is None:
            self.counts.duplicate += 1
            return 200, {"status": "duplicate"}
        if recorded.status == "erased":
            self.counts.erased += 1
            return 200, {"status": "erased", "event": recorded.id}
        self.counts.recorded += 1
        return 200, {"status": "recorded", "event": recorded.id}

    def _may_wait(self, envelope: Envelope) -> bool:
        """Tell whether an event may yield: its call ended long ago, or is one of many of its caller."""
        now = self._clock()
        is_old = 0 < (envelope.ended_at or envelope.timestamp) < now - _OLD
        return is_old or (envelope.caller != "" and self._bursts.counts(envelope.caller, now) > _AT_ONCE)

    def _unauthorized(self, reason: str) -> Answer:
        self.counts.unauthorized += 1
        log.warning("a post-call delivery was refused: %s", reason)
        return 401, {"error": "unauthorized", "message": reason}

    def _too_large(self) -> Answer:
        self.counts.too_large += 1
        message = f"The event is larger than {self._limits.body} bytes; POST_CALL_BODY_LIMIT can be raised."
        return 413, {"error": "too_large", "message": message}, (b"connection", b"close")


class _Delivery:
    """A body as it arrives. Audio is noticed where it begins, then only counted: 30 MB cost 84 MB when
    buffered."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._chunks: list[bytes] = []
        self._size = 0
        self._tail = b""
        self.is_audio = False

    def take(self, chunk: bytes) -> None:
        self._size += len(chunk)
        if self.is_audio:
            return
        seam = self._tail + chunk if self._tail else chunk
        if _AUDIO_WORD in seam and _AUDIO.search(seam):
            self.is_audio = True
            self._chunks.clear()
            return
        self._chunks.append(chunk)
        self._tail = seam[-_AUDIO_SPAN:]

    @property
    def too_large(self) -> bool:
        return self._size > (self._limits.audio if self.is_audio else self._limits.body)

    def body(self) -> bytes:
        return b"".join(self._chunks)
