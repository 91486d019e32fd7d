"""/mcp: the tools for any client of the Model Context Protocol. Who may ask, and on whose behalf.

    Authorization: Bearer <PLATFORM_TOKEN> and the conversation's id in the `_meta`   a platform
    Authorization: Bearer <user-bound token>                                             one user's client

Loading the official library takes 0.4 s and 25 MB in each web process, a quarter of what the process has
without it. So it is loaded in a thread at the first request with a token. That request, in which clients only
say hello, is outside the tools' deadline.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from voice_server.runtime import background
from voice_server.tools import user_token
from voice_server.tools.toolbox import TokenBearer, Toolbox
from voice_server.webhooks.http import asgi
from voice_server.webhooks.http.asgi import Receive, Scope, Send
from voice_server.webhooks.http.bearer import is_one_of, sent_token

if TYPE_CHECKING:
    from voice_server.webhooks.mcp.server import McpServer

_HOW = (
    "Send the header Authorization: Bearer <PLATFORM_TOKEN>, or a token that `voice-server tools token` made."
)
_METHOD = b'{"error":"method_not_allowed","message":"There are no sessions here: every request is a POST."}'
_ALLOW = (b"allow", b"POST")
_CHALLENGE = (b"www-authenticate", b'Bearer realm="voice-server"')


class McpEndpoint:
    """`limit` is in bytes of a body; `clock` gives unix seconds."""

    def __init__(
        self,
        toolbox: Toolbox,
        tokens: Sequence[str],
        secrets: Sequence[str],
        limit: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._toolbox = toolbox
        self._accepted = [token.encode() for token in tokens]
        self._secrets = secrets
        self._limit = limit
        self._clock = clock
        self._starting = asyncio.Lock()
        self._stop = asyncio.Event()
        self._server: McpServer | None = None
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        who = self._who(asgi.header(scope["headers"], b"authorization"))
        if isinstance(who, str):
            self._toolbox.counts.unauthorized += 1
            problem = msgspec.json.encode({"error": "unauthorized", "message": who})
            await asgi.answer(send, 401, problem, _CHALLENGE)
        elif scope["method"] != "POST":
            await asgi.answer(send, 405, _METHOD, _ALLOW)
        else:
            server = self._server or await self._start()
            await server.handle(who, scope, receive, send)

    async def close(self) -> None:
        self._stop.set()
        if self._running:
            await asyncio.wait((self._running,))

    def _who(self, given: bytes) -> TokenBearer | str | None:
        """Return None for a platform, a sentence for a refusal."""
        token = sent_token(given)
        if is_one_of(token, self._accepted):
            return None
        if not token.startswith(user_token.PREFIX.encode()):
            return _HOW
        bound = user_token.read(token.decode("latin-1"), self._secrets, self._clock())
        return bound if isinstance(bound, str) else TokenBearer(bound.user_id, bound.agent_id)

    async def _start(self) -> "McpServer":
        async with self._starting:
            if self._server is None:
                made = await asyncio.to_thread(self._load)
                ready = asyncio.Event()
                self._running = background.start(self._run(made, ready), "the MCP server")
                await ready.wait()
                self._server = made
        return self._server

    def _load(self) -> "McpServer":
        from voice_server.webhooks.mcp.server import McpServer  # noqa: PLC0415 (half a second, which only they wait for who use it)

        return McpServer(self._toolbox, self._limit)

    async def _run(self, server: "McpServer", ready: asyncio.Event) -> None:
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(server.running())
            ready.set()
            await self._stop.wait()
