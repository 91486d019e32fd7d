"""The tools in the words of the Model Context Protocol: the same functions, the same schemas.

It is stateless, with one JSON answer per request: any web process answers any request.
"""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as Listed
from starlette.types import Receive, Scope, Send

from voice_server.platforms import registry
from voice_server.tools import catalogue
from voice_server.tools.tool import Tool
from voice_server.tools.toolbox import Conversation, Requester, TokenBearer, Toolbox

_BEARER = "voice_server.bearer"  # in the scope: who asks, None for a platform
_CONVERSATION = "conversation_id"  # in `_meta`
_ABOUT = (
    "What was said in earlier conversations with this person, and what is known of them for good. Look "
    "something up when they refer to it and it is not in front of you; say results in your own words, with "
    "their dates."
)
_Context = ServerRequestContext[dict[str, Any], Any]


class McpServer:
    """`handle` requests only while `running` is entered. `limit` is in bytes of a body."""

    def __init__(self, toolbox: Toolbox, limit: int) -> None:
        self._toolbox = toolbox
        server = Server(
            "voice-server", instructions=_ABOUT, on_list_tools=self._list, on_call_tool=self._call
        )
        self._manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=limit
        )

    def running(self) -> AbstractAsyncContextManager[None]:
        return self._manager.run()

    async def handle(self, who: TokenBearer | None, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer `who` asks with a token of their own, or (None) a platform."""
        await self._manager.handle_request({**scope, _BEARER: who}, receive, send)

    async def _list(self, _context: _Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_listed(tool) for tool in catalogue.TOOLS])

    async def _call(self, context: _Context, params: CallToolRequestParams) -> CallToolResult:
        tool = catalogue.BY_PLAIN_NAME.get(params.name)
        if tool is None:
            return _result({"error": catalogue.unknown(params.name)}, is_error=True)
        return _result(await self._toolbox.use(tool, _asker(context), params.arguments or {}))


def _asker(context: _Context) -> Requester:
    """Trust the token, or the conversation that the platform names outside the model's reach."""
    bearer = context.request.scope.get(_BEARER) if context.request is not None else None
    if bearer is not None:
        asker: Requester = bearer
        return asker
    named = dict(context.meta or {}).get(_CONVERSATION)
    return Conversation(registry.DEFAULT.name, named if isinstance(named, str) else "")


def _listed(tool: Tool[Any]) -> Listed:
    hints = ToolAnnotations(read_only_hint=not tool.writes, destructive_hint=False, open_world_hint=False)
    return Listed(
        name=tool.plain_name, description=tool.description, input_schema=tool.schema(), annotations=hints
    )


def _result(answer: Mapping[str, Any], *, is_error: bool = False) -> CallToolResult:
    text = msgspec.json.encode(answer).decode()
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)
