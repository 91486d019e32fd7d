"""Our tools as ElevenLabs wants them (webhook tools: SDK webhook_tool_config_input, Oct 2026). Pure.

A name takes letters, digits, _ and -. A value is the model's, with a description, or the platform's, with a
dynamic variable. The conversation's id is the platform's, so that no caller talks the model into another.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from voice_server.domain.tool import ToolDescription

_CONVERSATION = {"type": "string", "dynamic_variable": "system__conversation_id"}
_TIMEOUT = 5  # seconds, the least the platform takes; we answer within TOOL_DEADLINE_MS
_TOLD = ("type", "description", "enum")  # what the platform's schema of a value knows of ours


def configurations(tools: Sequence[ToolDescription], url: str, secret_id: str) -> list[dict[str, Any]]:
    """Return a body of `POST /v1/convai/tools` for each tool. `url` is where the platform reaches us;
    `secret_id` names the platform's secret that holds the Authorization header."""
    return [{"tool_config": _configuration(tool, url.rstrip("/"), secret_id)} for tool in tools]


def _configuration(tool: ToolDescription, url: str, secret_id: str) -> dict[str, Any]:
    told = {name: _told(one) for name, one in tool.schema["properties"].items()}
    return {
        "type": "webhook",
        "name": tool.plain_name,
        "description": tool.description,
        "response_timeout_secs": _TIMEOUT,
        "execution_mode": "async" if tool.writes else "immediate",
        "pre_tool_speech": "off" if tool.writes else "auto",
        "interruption_mode": "allow",
        "tool_error_handling_mode": "summarized",
        "api_schema": {
            "url": f"{url}/tools/{tool.name}",
            "method": "POST",
            "content_type": "application/json",
            "request_headers": {"Authorization": {"secret_id": secret_id}},
            "request_body_schema": {
                "type": "object",
                "required": [*tool.schema["required"], "conversation_id"],
                "properties": {**told, "conversation_id": _CONVERSATION},
            },
        },
    }


def _told(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name in _TOLD}
