"""Raw ASGI, as far as our webhooks need it: Starlette's Request, Response and router cost 200 µs."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping, Sequence
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Header = tuple[bytes, bytes]
BODY_TERMS = "voice_server.body"  # extension of a scope: what its application says of the body
_LONG = "long"


class ClientDisconnected(Exception):  # noqa: N818 (an event, as in ASGI)
    """The sender has gone before the end: nobody hears an answer."""


def header(headers: Sequence[Header], name: bytes) -> bytes:
    """Return the first header of this name (in lower case), or empty."""
    for key, value in headers:
        if key == name:
            return value
    return b""


async def chunks(receive: Receive) -> AsyncIterator[bytes]:
    """Yield the body as it arrives. Raises ClientDisconnected."""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        yield message.get("body", b"")
        more = message.get("more_body", False)


def expect_long_body(scope: Scope) -> None:
    """Let this body take longer than others, as long as it keeps coming."""
    scope.get("extensions", {}).get(BODY_TERMS, {})[_LONG] = True


def is_long(terms: Mapping[object, object]) -> bool:
    return _LONG in terms


async def answer(send: Send, status: int, body: bytes, *more: Header) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
