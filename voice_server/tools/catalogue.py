"""All tools, in the order in which they are listed. A new tool is a module like the others, and a line
here."""

from collections.abc import Mapping
from typing import Any

from voice_server.tools import conversation_get, conversation_search, memory_add, memory_search
from voice_server.tools.tool import Tool

_LONGEST_NAME = 60  # characters of a name told back

TOOLS: tuple[Tool[Any], ...] = (
    conversation_search.TOOL,
    conversation_get.TOOL,
    memory_search.TOOL,
    memory_add.TOOL,
)
BY_NAME: Mapping[str, Tool[Any]] = {tool.name: tool for tool in TOOLS}
BY_PLAIN_NAME: Mapping[str, Tool[Any]] = {tool.plain_name: tool for tool in TOOLS}
BY_ANY_NAME: Mapping[str, Tool[Any]] = {**BY_NAME, **BY_PLAIN_NAME}


def unknown(name: str) -> str:
    return f"There is no tool {name[:_LONGEST_NAME]!r}; there are {', '.join(BY_PLAIN_NAME)}."
