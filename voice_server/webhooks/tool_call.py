"""The agent looks something up: verify, find whose conversation it is, use the tool, reply.

Somebody waits on the line. So with the right token the answer is 200 with something to say, by the deadline,
also for a bad or late body and an unknown tool. A tool goes by its name, or by the platforms' spelling with
`_` for the dot. The conversation alone decides whose memory it is, whatever else a body names.

It is a raw ASGI app ahead of the router, like the other webhooks.
"""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from voice_server.platforms import registry
from voice_server.tools import catalogue, speech
from voice_server.tools.tool import Answer, Tool
from voice_server.tools.toolbox import Conversation, Toolbox
from voice_server.webhooks.http import asgi
from voice_server.webhooks.http.asgi import Receive, Scope, Send
from voice_server.webhooks.http.bearer import Bearer
from voice_server.webhooks.paths import TOOLS

_UNAUTHORIZED = (
    b'{"error":"unauthorized","message":"Send the header Authorization: Bearer <PLATFORM_TOKEN>; '
    b'the token is set where this server runs."}'
)
_METHOD = b'{"error":"method_not_allowed","message":"Tools take POST."}'
_ALLOW = (b"allow", b"POST")
_CONVERSATION = "conversation_id"


class ToolCall:
    """The ASGI app below /tools/. `limit` is in bytes of a body."""

    def __init__(self, toolbox: Toolbox, tokens: Sequence[str], limit: int) -> None:
        self._toolbox = toolbox
        self._bearer = Bearer(tokens)
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path"].removeprefix(TOOLS).removesuffix("/")
        if scope["method"] != "POST":
            await asgi.answer(send, 405, _METHOD, _ALLOW)
        elif not self._bearer.sent(asgi.header(scope["headers"], b"authorization")):
            self._toolbox.counts.unauthorized += 1
            await asgi.answer(send, 401, _UNAUTHORIZED)
        else:
            with contextlib.suppress(asgi.ClientDisconnected):
                answer = await self._answer(name, receive)
                await asgi.answer(send, 200, msgspec.json.encode(answer))

    async def _answer(self, name: str, receive: Receive) -> Answer:
        tool = catalogue.BY_ANY_NAME.get(name)
        if tool is None:
            self._toolbox.counts.misunderstood += 1
            return {"error": catalogue.unknown(name), "say": speech.MISUNDERSTOOD}
        ends = self._toolbox.ends()
        try:
            async with asyncio.timeout_at(ends):
                body = await _read(receive, self._limit)
        except TimeoutError:
            return self._toolbox.late(tool, ends)
        return await self._use(tool, body, ends)

    async def _use(self, tool: Tool[Any], body: bytes | None, ends: float) -> Answer:
        given = None if body is None else _object(body)
        if given is None:
            return self._toolbox.misread(tool, "send the arguments as one small JSON object", ends)
        conversation = given.get(_CONVERSATION)
        id_ = conversation if isinstance(conversation, str) else ""
        return await self._toolbox.use(tool, Conversation(registry.DEFAULT.name, id_), given, ends=ends)


async def _read(receive: Receive, limit: int) -> bytes | None:
    """Return None for a body longer than `limit`, keeping no more of it."""
    kept = bytearray()
    async for chunk in asgi.chunks(receive):
        if len(kept) <= limit:
            kept += chunk
    return bytes(kept) if len(kept) <= limit else None


def _object(body: bytes) -> Mapping[str, Any] | None:
    try:
        given = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return given if isinstance(given, dict) else None
