"""Raw ASGI: the few things our webhooks need of it. Starlette's Request, Response and router cost 200 µs."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping, Sequence
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Header = tuple[bytes, bytes]
BODY_TERMS = "voice_server.body"  # extension of a scope: what its application says of the body
_LONG = "long"


class ClientDisconnected(Exception):  # noqa: N818 (an event, as in ASGI)
    """Whoever was sending has gone before the end: nobody hears an answer."""


def header(headers: Sequence[Header], name: bytes) -> bytes:
    """The first header of this (lower-case) name, or empty."""
    for key, value in headers:
        if key == name:
            return value
    return b""


async def chunks(receive: Receive) -> AsyncIterator[bytes]:
    """The request's body as it arrives. Raises Disconnected."""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        yield message.get("body", b"")
        more = message.get("more_body", False)


def expect_long_body(scope: Scope) -> None:
    """Tell the server that this body may take longer than others, as long as it goes on coming."""
    scope.get("extensions", {}).get(BODY_TERMS, {})[_LONG] = True


def is_long(terms: Mapping[object, object]) -> bool:
    """Whether an application has said so. `terms` are a scope's extension BODY_TERMS."""
    return _LONG in terms


async def answer(send: Send, status: int, body: bytes, *more: Header) -> None:
    """Send a JSON answer."""
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
