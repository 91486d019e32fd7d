"""The tools of the memory, for a model that answers in writing."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from voice_server.chat.port import ModelTool
from voice_server.templates.library import TemplateLibrary
from voice_server.tools.tool import Tool
from voice_server.tools.toolbox import TokenBearer, Toolbox


def model_tools(
    templates: TemplateLibrary, toolbox: Toolbox, bearer: TokenBearer, tools: Sequence[Tool[Any]]
) -> Sequence[ModelTool]:
    """Let the bearer, never the model, say whose memory they look into. Return none for an agent without
    tools."""
    if not templates.agent(bearer.agent_id).agent.tools:
        return ()

    async def use(tool: Tool[Any], given: Mapping[str, Any]) -> Mapping[str, Any]:
        return await toolbox.use(tool, bearer, given)

    return [ModelTool(tool.describe(), partial(use, tool)) for tool in tools]
