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
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from voice_server.domain.event import Envelope
from voice_server.jobs import queue
from voice_server.jobs.ingest import INGEST
from voice_server.store import session, webhook_events
from voice_server.store.session import retrying, single_statements
from voice_server.webhooks.platforms import elevenlabs
from voice_server.webhooks.signature import Tolerance, Verifier

log = logging.getLogger(__name__)

# Half a kilobyte of base64 under this key is audio. A quote inside a JSON string is escaped, so this is a
# key and never something said; a short value may be anybody's variable, and is judged by the event's type.
_AUDIO = re.compile(rb'"full_audio"\s*:\s*"[A-Za-z0-9+/]{512}')
_AUDIO_WORD, _AUDIO_SPAN = b"full_audio", 640  # bytes that the pattern may need of what came before
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
            return self._discarded()
        body = delivery.body()
        envelope = elevenlabs.read_envelope(body)
        return self._discarded() if envelope.kind == "audio" else await self._record(envelope, body)

    def _discarded(self) -> Response:
        self.counts.audio += 1
        return JSONResponse({"status": "discarded", "message": "audio is not stored"})

    async def _record(self, envelope: Envelope, body: bytes) -> Response:
        try:
            event_id = await retrying(lambda: _store(self._engine, envelope, body))
        except session.ERRORS as error:
            self.counts.not_stored += 1
            log.error("event %s was not stored, the platform has to send it again: %r", envelope.key, error)  # noqa: TRY400 (a traceback of the driver says no more)
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


class _Delivery:
    """A body as it arrives. Audio is noticed where it begins and from then on only counted, never held:
    30 MB cost 84 MB when buffered and nothing when streamed."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._chunks: list[bytes] = []
        self._size = 0
        self._tail = b""
        self.is_audio = False

    def take(self, chunk: bytes) -> None:
        """Take in the next piece."""
        self._size += len(chunk)
        if self.is_audio:
            return
        self._chunks.append(chunk)
        seam = self._tail + chunk
        self._tail = seam[-_AUDIO_SPAN:]
        if _AUDIO_WORD in seam and _AUDIO.search(seam):
            self.is_audio = True
            self._chunks.clear()

    @property
    def too_large(self) -> bool:
        """Whether more arrived than is accepted."""
        return self._size > (self._limits.audio if self.is_audio else self._limits.body)

    def body(self) -> bytes:
        """All of it."""
        return b"".join(self._chunks)
