"""News for an open page: something changed, so it asks for itself again."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from voice_server.console import connections, event_stream
from voice_server.console.event_stream import AT_ONCE, STREAM, Listener
from voice_server.store import latest_changes, session

_EACH = 1.0  # seconds between looks
_LINES = 20  # that are open at a time; who finds none free looks every half minute by itself
_LOOKS = 600  # of a line: then it is opened anew, by whoever is still let in


async def listen(request: Request) -> Response:
    if request.method == "HEAD":
        return Response()
    open_lines: set[object] = request.app.state.lines
    if len(open_lines) >= _LINES:
        return PlainTextResponse("Too many pages are open.", 503)
    return StreamingResponse(_news(request, open_lines), media_type=STREAM, headers=AT_ONCE)


async def _news(request: Request, open_lines: set[object]) -> AsyncIterator[bytes]:
    line, of, listener = object(), request.query_params.get("of", ""), Listener(request)
    if len(open_lines) >= _LINES:  # many came at once
        return
    open_lines.add(line)
    try:
        seen = request.query_params.get("seen")
        for _ in range(_LOOKS):
            now = await _seen(request, of)
            yield event_stream.ALIVE if now == seen else event_stream.named(event_stream.CHANGED)
            seen = now
            session.expect_nothing()
            await asyncio.sleep(_EACH)
            if listener.server_stops:
                return
            if not await listener.is_let_in():
                yield event_stream.named(event_stream.CHANGED)
                return
    finally:
        open_lines.discard(line)


async def _seen(request: Request, of: str) -> str | None:
    """Return None while Postgres is away."""
    with contextlib.suppress(*session.ERRORS, OSError):
        async with connections.connection(request) as connection:
            return await latest_changes.fingerprint(connection, of)
    return None
