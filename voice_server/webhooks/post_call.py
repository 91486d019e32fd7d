"""A call has ended: verify, record, acknowledge. Understanding what it says is the jobs' business.

The platform may deliver a transcript once only, so what is authentic is stored raw, in the same
transaction as its job, before we answer 200. What we could not store is answered 503: then, and
only then, the platform tries again.
"""

import logging
import re
import time
from collections.abc import Callable, Sequence

from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from voice_server.domain.event import Envelope
from voice_server.jobs import queue
from voice_server.jobs.ingest import INGEST
from voice_server.store import webhook_events
from voice_server.store.session import retrying, single_statements
from voice_server.webhooks.platforms import elevenlabs
from voice_server.webhooks.signature import Tolerance, Verifier

log = logging.getLogger(__name__)

# A quote inside a JSON string is escaped, so this finds keys and values only, never something said.
_AUDIO = re.compile(rb'"type"\s*:\s*"post_call_audio"|"full_audio"\s*:\s*"[A-Za-z0-9+/]')
_AUDIO_WORDS = (b"post_call_audio", b"full_audio")  # found ten times as fast; only then the pattern is tried
_HEAD = 65_536  # bytes in which an audio event shows what it is
_ITS_JOB = queue.enqueued_from("recorded", INGEST, "json_build_object('event_id', id)")
_RETRY_AFTER = {"retry-after": "30"}


class Limits(Struct, frozen=True):
    """Bytes of an event accepted at most, and of audio read at most."""

    body: int = 10_000_000
    audio: int = 500_000_000


class Counts:
    """What became of the deliveries; plain integers, read by /metrics."""

    def __init__(self) -> None:
        self.recorded = 0
        self.duplicate = 0
        self.audio = 0
        self.unauthorized = 0
        self.too_large = 0
        self.not_stored = 0


class PostCall:
    """The post-call webhook. `clock` gives unix seconds."""

    def __init__(
        self,
        engine: AsyncEngine,
        secrets: Sequence[str],
        tolerance: Tolerance,
        limits: Limits,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.counts = Counts()
        self._engine = single_statements(engine)
        self._secrets = secrets
        self._tolerance = tolerance
        self._limits = limits
        self._clock = clock

    async def __call__(self, request: Request) -> Response:
        """Answer one delivery."""
        verifier = Verifier(
            request.headers.get("elevenlabs-signature", ""), self._secrets, self._clock(), self._tolerance
        )
        if verifier.refusal:
            return self._unauthorized(verifier.refusal)
        delivery = _Delivery(self._limits)
        try:
            async for chunk in request.stream():
                verifier.update(chunk)
                delivery.take(chunk)
                if delivery.too_large:
                    return self._too_large()
        except ClientDisconnect:
            return Response(status_code=400)  # nobody hears it: an unfinished body cannot be authentic
        verdict = verifier.verdict()
        if not verdict.valid:
            return self._unauthorized(verdict.reason)
        if delivery.is_audio:
            self.counts.audio += 1
            return JSONResponse({"status": "discarded", "message": "audio is not stored"})
        return await self._record(delivery.body())

    async def _record(self, body: bytes) -> Response:
        envelope = elevenlabs.read_envelope(body)
        try:
            event_id = await retrying(lambda: _store(self._engine, envelope, body))
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            self.counts.not_stored += 1
            log.error("event %s was not stored, the platform has to send it again: %s", envelope.key, error)  # noqa: TRY400 (a traceback of the driver says no more)
            message = "The event could not be stored; send it again."
            return JSONResponse({"error": "unavailable", "message": message}, 503, headers=_RETRY_AFTER)
        if event_id is None:
            self.counts.duplicate += 1
            return JSONResponse({"status": "duplicate"})
        self.counts.recorded += 1
        return JSONResponse({"status": "recorded", "event": event_id})

    def _unauthorized(self, reason: str) -> Response:
        self.counts.unauthorized += 1
        log.warning("a post-call delivery was refused: %s", reason)
        return JSONResponse({"error": "unauthorized", "message": reason}, 401)

    def _too_large(self) -> Response:
        self.counts.too_large += 1
        message = f"The event is larger than {self._limits.body} bytes; POST_CALL_BODY_LIMIT can be raised."
        return JSONResponse({"error": "too_large", "message": message}, 413, headers={"connection": "close"})


async def _store(engine: AsyncEngine, envelope: Envelope, body: bytes) -> int | None:
    """The event and its job, in one statement and so in one transaction."""
    async with engine.connect() as connection:
        return await webhook_events.record(connection, envelope, body, then=_ITS_JOB)


def _shows_audio(head: bytes) -> bool:
    return any(word in head for word in _AUDIO_WORDS) and _AUDIO.search(head) is not None


class _Delivery:
    """A body as it arrives. Audio is noticed in its head and from then on only counted, never held:
    30 MB cost 84 MB when buffered and nothing when streamed."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._chunks: list[bytes] = []
        self._size = 0
        self.is_audio = False

    def take(self, chunk: bytes) -> None:
        """Take in the next piece."""
        looked_at = self._size
        self._size += len(chunk)
        if self.is_audio:
            return
        self._chunks.append(chunk)
        if looked_at < _HEAD and _shows_audio(b"".join(self._chunks)[: _HEAD + len(chunk)]):
            self.is_audio = True
            self._chunks.clear()

    @property
    def too_large(self) -> bool:
        """Whether more arrived than is accepted."""
        return self._size > (self._limits.audio if self.is_audio else self._limits.body)

    def body(self) -> bytes:
        """All of it."""
        return b"".join(self._chunks)
