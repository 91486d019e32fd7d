"""The guard in front of the API: checks the token, bounds the body, and answers in time when Postgres does
not."""

from collections.abc import Sequence
from typing import Protocol

from fastapi import Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from voice_server.api.http import problem
from voice_server.api.http.dependencies import IN_SCOPE, Dependencies
from voice_server.api.http.on_behalf import UserTokens
from voice_server.store.session import Patience
from voice_server.webhooks.http import asgi
from voice_server.webhooks.http.bearer import Bearer

_NOT_SET = "The API is closed until API_TOKEN is set where this server runs; the requests then carry it."
_UNAUTHORIZED = "Send the header Authorization: Bearer <API_TOKEN>; the token is set where this server runs."
_CHALLENGE = {"www-authenticate": 'Bearer realm="voice-server"'}


class Gate(Protocol):
    def __call__(self, scope: Scope) -> Response | None:
        """Return a refusal; None for a request that may go on, about which it may note something in the
        scope."""

    def too_large(self, message: str) -> Response:
        """Answer a request whose body is too large."""

    def late(self) -> Response:
        """Answer when Postgres did not in time."""


class ApiGate:
    """Admits the API's tokens, and users' own tokens as far as these go."""

    def __init__(self, tokens: Sequence[str], of_users: UserTokens) -> None:
        self._is_open = bool(tokens)
        self._bearer = Bearer(tokens)
        self._of_users = of_users

    def __call__(self, scope: Scope) -> Response | None:
        sent = asgi.header(scope["headers"], b"authorization")
        if self._bearer.sent(sent) or self._of_users.admit(scope, sent):
            return None
        if not self._is_open:
            return problem.answer(503, _NOT_SET)
        return problem.answer(401, _UNAUTHORIZED, headers=_CHALLENGE)

    def too_large(self, message: str) -> Response:
        return problem.answer(413, message)

    def late(self) -> Response:
        return problem.unavailable("Postgres did not answer in time")


class Guard:
    """The ASGI app in front of an API. `limit` is in bytes, `patience` in seconds of waiting for Postgres."""

    def __init__(
        self, app: ASGIApp, dependencies: Dependencies, gate: Gate, limit: int, patience: float
    ) -> None:
        self.app = app
        self._dependencies = dependencies
        self._gate = gate
        self._limit = limit
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal:
            await refusal(scope, receive, send)
        else:
            await self._answer(
                {**scope, IN_SCOPE: self._dependencies}, _BoundedBody(receive, self._limit), send
            )

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        patience = Patience(self._patience)
        answer = _Answer(send, patience)
        try:
            await patience.bear(self.app(scope, receive, answer))
        except TimeoutError:
            await answer.instead(self._gate.late(), scope, receive)

    def _refusal(self, scope: Scope) -> Response | None:
        if refusal := self._gate(scope):
            return refusal
        length = asgi.header(scope["headers"], b"content-length")
        if length.isdigit() and int(length) > self._limit:
            return self._gate.too_large(_too_large(self._limit))
        return None


class _Answer:
    """Once it has begun, patience ends and nothing replaces it; once replaced, it is dropped."""

    def __init__(self, send: Send, patience: Patience) -> None:
        self._send = send
        self._patience = patience
        self._begun = self._replaced = False

    async def __call__(self, message: Message) -> None:
        self._patience.end()
        self._begun = True
        if not self._replaced:
            await self._send(message)

    async def instead(self, response: Response, scope: Scope, receive: Receive) -> None:
        """Send this, unless the API began to answer at the last moment."""
        if not self._begun:
            self._replaced = True
            await response(scope, receive, self._send)


class _BoundedBody:
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
