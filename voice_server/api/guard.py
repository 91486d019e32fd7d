"""Ahead of the API: who has no token goes no further, no more of a body is read than the limit, and what goes on is
given the edge."""

import hmac
from collections.abc import Sequence

from fastapi import Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from voice_server.api import problem
from voice_server.api.edge import IN_SCOPE, Edge
from voice_server.webhooks import asgi

_NOT_SET = "The API is closed until API_TOKEN is set where this server runs; the requests then carry it."
_UNAUTHORIZED = "Send the header Authorization: Bearer <API_TOKEN>; the token is set where this server runs."
_CHALLENGE = {"www-authenticate": 'Bearer realm="voice-server"'}


class Guard:
    """The ASGI app in front of the API. `tokens` are the accepted ones, `limit` is in bytes."""

    def __init__(self, app: ASGIApp, edge: Edge, tokens: Sequence[str], limit: int) -> None:
        self.app = app
        self._edge = edge
        self._accepted = [f"Bearer {token}".encode() for token in tokens]
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request through, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal:
            await refusal(scope, receive, send)
        else:
            await self.app({**scope, IN_SCOPE: self._edge}, _Limited(receive, self._limit), send)

    def _refusal(self, scope: Scope) -> Response | None:
        if not self._accepted:
            return problem.answer(503, _NOT_SET)
        if not self._authorized(asgi.header(scope["headers"], b"authorization")):
            return problem.answer(401, _UNAUTHORIZED, headers=_CHALLENGE)
        length = asgi.header(scope["headers"], b"content-length")
        if length.isdigit() and int(length) > self._limit:
            return problem.answer(413, _too_large(self._limit))
        return None

    def _authorized(self, given: bytes) -> bool:
        """Whether it is one of the tokens; every one is compared, in constant time."""
        matches = [hmac.compare_digest(given, accepted) for accepted in self._accepted]
        return any(matches)


class _Limited:
    """A request's body, as long as it is within the limit."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._limit = limit
        self._size = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if self._size > self._limit:
            raise HTTPException(413, _too_large(self._limit))
        return message


def _too_large(limit: int) -> str:
    return f"The body is larger than {limit} bytes; API_BODY_LIMIT can be raised."
