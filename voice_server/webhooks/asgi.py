"""Raw ASGI: the three things our webhooks need of it. Starlette's Request, Response and router cost 200 µs."""

from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping, Sequence
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Header = tuple[bytes, bytes]


class Disconnected(Exception):  # noqa: N818 (an event, as in ASGI)
    """Whoever was sending has gone before the end: nobody hears an answer."""


def header(headers: Sequence[Header], name: bytes) -> bytes:
    """The first header of this (lower-case) name, or empty."""
    return next((value for key, value in headers if key == name), b"")


async def chunks(receive: Receive) -> AsyncIterator[bytes]:
    """The request's body as it arrives. Raises Disconnected."""
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        yield message.get("body", b"")
        more = message.get("more_body", False)


async def answer(send: Send, status: int, body: bytes, *more: Header) -> None:
    """Send a JSON answer."""
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
