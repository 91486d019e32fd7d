"""The body of OpenAI's Chat Completions, as far as it counts here. Other parameters are ignored: the agent's
own settings are used."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from voice_server.api.http import fields
from voice_server.chat.port import ClientTool
from voice_server.domain.bounds import storable

_DEEPEST = 40  # levels of a tool's parameters
_NO_PARAMETERS = {"type": "object", "properties": {}}
_TASK = "### Task:"  # how the hidden requests of chat interfaces begin, for titles and tags
_TASK_HISTORY = "<chat_history>"


_Text = Annotated[str, AfterValidator(storable)]


class _LenientModel(BaseModel):
    model_config = ConfigDict(extra="ignore")


class ContentPart(_LenientModel):
    type: str
    text: _Text = ""


class FunctionCall(_LenientModel):
    name: _Text
    arguments: _Text = ""


class ToolCall(_LenientModel):
    id: _Text
    function: FunctionCall


class ClientMessage(_LenientModel):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: _Text | list[ContentPart] | None = None
    tool_calls: list[ToolCall] | None = None
    tool_call_id: _Text = ""

    @field_validator("content")
    @classmethod
    def _only_text(cls, content: str | list[ContentPart] | None) -> str | list[ContentPart] | None:
        if isinstance(content, list):
            for part in content:
                if part.type not in ("text", "input_text", "output_text", "refusal"):
                    raise ValueError(f"the agent reads text only, and no part of type {part.type!r:.40}")
        return content

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class ToolFunction(_LenientModel):
    name: Annotated[str, Field(pattern=r"^[a-zA-Z0-9_.-]{1,64}$")]
    description: _Text | None = None
    parameters: dict[str, Any] | None = None

    @field_validator("parameters")
    @classmethod
    def _is_no_abyss(cls, parameters: dict[str, Any] | None) -> dict[str, Any] | None:
        if parameters is None:
            return None
        if _depth(parameters) > _DEEPEST:
            raise ValueError(f"a tool's parameters are nested {_DEEPEST} deep at most")
        cleaned: dict[str, Any] = json.loads(storable(json.dumps(parameters, ensure_ascii=False)))
        return cleaned


class ToolOfClient(_LenientModel):
    type: Literal["function"]
    function: ToolFunction


class StreamOptions(_LenientModel):
    include_usage: bool = False


class CompletionRequest(_LenientModel):
    """`model` names the agent."""

    model: Annotated[str, Field(min_length=1, max_length=200), fields.Storable]
    messages: Annotated[list[ClientMessage], Field(min_length=1)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    tools: list[ToolOfClient] | None = None
    tool_choice: str | dict[str, Any] | None = None
    n: int | None = None
    response_format: dict[str, Any] | None = None
    user: Annotated[str, fields.Storable] | None = None
    elevenlabs_extra_body: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _can_be_answered(self) -> "CompletionRequest":
        if self.n not in (None, 1):
            raise ValueError("`n` must be 1: the agent gives one answer")
        if (self.response_format or {}).get("type", "text") != "text":
            raise ValueError("`response_format` must be text: the agent answers in words")
        if self.tool_choice not in (None, "auto", "none"):
            raise ValueError("`tool_choice` must be auto or none: the agent calls what it needs")
        last = self.messages[-1]
        if last.role not in ("user", "tool"):
            raise ValueError("the last of `messages` must be a user's, or a tool's result")
        if last.role == "user" and not last.text.strip():
            raise ValueError("the last of `messages` says nothing")
        return self

    @property
    def text(self) -> str | None:
        """The user's words; None when the results of tools are to be answered."""
        last = self.messages[-1]
        return last.text if last.role == "user" else None

    @property
    def instructions(self) -> str:
        told = (one.text.strip() for one in self.messages if one.role in ("system", "developer"))
        return "\n\n".join(one for one in told if one)

    @property
    def is_hidden_task(self) -> bool:
        """True when a chat interface asks for itself, as for a title, and no user does."""
        text = self.text or ""
        return text.lstrip().startswith(_TASK) or _TASK_HISTORY in text

    @property
    def said_before(self) -> list[str]:
        return [one.text for one in self.messages[:-1] if one.role == "user"]

    @property
    def client_tools(self) -> list[ClientTool]:
        if self.tool_choice == "none":
            return []
        given = [one.function for one in self.tools or []]
        return [
            ClientTool(one.name, one.description or "", one.parameters or _NO_PARAMETERS) for one in given
        ]

    @property
    def history(self) -> list[dict[str, Any]]:
        """The messages before the user's last words, as PydanticAI reads them."""
        before = self.messages if self.text is None else self.messages[:-1]
        return list(_history(before))


def _depth(value: object) -> int:
    """Count without recursion: a body may be nested as deep as it is long."""
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    return depth


def _history(messages: Sequence[ClientMessage]) -> list[dict[str, Any]]:
    names = {call.id: call.function.name for one in messages for call in one.tool_calls or []}
    told = [one for one in messages if one.role not in ("system", "developer")]
    return [
        _response(one) if one.role == "assistant" else _request(one, names) for one in told if _tells(one)
    ]


def _tells(message: ClientMessage) -> bool:
    return message.role == "tool" or bool(message.text or message.tool_calls)


def _request(message: ClientMessage, names: Mapping[str, str]) -> dict[str, Any]:
    if message.role == "user":
        return {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": message.text}]}
    result = {
        "part_kind": "tool-return",
        "tool_name": names.get(message.tool_call_id, "tool"),
        "content": message.text,
        "tool_call_id": message.tool_call_id,
    }
    return {"kind": "request", "parts": [result]}


def _response(message: ClientMessage) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"part_kind": "text", "content": message.text}] if message.text else []
    parts += (
        {
            "part_kind": "tool-call",
            "tool_name": one.function.name,
            "args": _arguments(one.function.arguments),
            "tool_call_id": one.id,
        }
        for one in message.tool_calls or []
    )
    return {"kind": "response", "parts": parts}


def _arguments(given: str) -> str:
    """Wrap what is no JSON object: every provider wants an object."""
    try:
        is_object = isinstance(json.loads(given or "{}"), dict)
    except (ValueError, RecursionError):
        is_object = False
    return (given or "{}") if is_object else json.dumps({"input": given})
