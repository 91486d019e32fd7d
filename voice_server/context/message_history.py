"""The history of a chat in the forms that models take: OpenAI's, and PydanticAI's (`ModelMessagesTypeAdapter`
reads it).

    rows       user │ call a │ call b │ result b │ agent │ result a │ user
    requests   user ├────────┬─────────────────┬ results a, b, user
    responses       └ call a, call b, agent ───┘

The results of a response's calls begin the next request: nothing else is valid with every provider.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from voice_server.context.working_memory import History, results
from voice_server.domain.conversation import Turn

_BETWEEN = "\n\n"  # messages that one side wrote one after the other


class _Request(Struct):
    results: Sequence[Turn]
    words: list["Turn | str"]  # a text stands where messages are left out


class _Response(Struct):
    words: list[Turn]
    calls: list[Turn]


class _Exchanges:
    """Requests and responses in turn, none empty. `results` are by the places of their calls."""

    def __init__(self, results: Mapping[int, Turn]) -> None:
        self.parts = list[_Request | _Response]()
        self._results = results

    def request(self) -> _Request:
        last = self.parts[-1] if self.parts else None
        if isinstance(last, _Request):
            return last
        called = [self._results[one.place] for one in last.calls] if last else []
        request = _Request(called, [])
        self.parts.append(request)
        return request

    def response(self) -> _Response:
        last = self.parts[-1] if self.parts else None
        if isinstance(last, _Response):
            return last
        response = _Response([], [])
        self.parts.append(response)
        return response

    def is_awaited(self, result: Turn) -> bool:
        """Tell whether the last response called for it; else it was given already."""
        last = self.parts[-1]
        return isinstance(last, _Response) and any(self._results[one.place] == result for one in last.calls)


def openai(history: History) -> list[dict[str, Any]]:
    messages, ids = list[dict[str, Any]](), _call_ids(history.messages)
    for part in _exchanges(history):
        if isinstance(part, _Request):
            messages += (
                {"role": "tool", "tool_call_id": ids[one.place], "content": one.content}
                for one in part.results
            )
            if part.words:
                messages.append({"role": "user", "content": _BETWEEN.join(map(_words, part.words))})
        else:
            messages.append(_assistant(part, ids))
    return messages


def pydantic_ai(history: History) -> list[dict[str, Any]]:
    """Return `ModelRequest` and `ModelResponse` in turn. A `CompactionPart` stands for what is left out."""
    ids = _call_ids(history.messages)
    return [
        _model_request(part, ids) if isinstance(part, _Request) else _model_response(part, ids)
        for part in _exchanges(history)
    ]


def _exchanges(history: History) -> list[_Request | _Response]:
    messages = history.messages
    ends = results(messages)
    talk = _Exchanges({messages[call].place: messages[end] for call, end in ends.items()})
    for n, message in enumerate(messages):
        if n == history.opening and history.marker:
            talk.request().words.append(history.marker)
        if message.role == "user":
            talk.request().words.append(message)
        elif message.role == "agent":
            talk.response().words.append(message)
        elif message.role == "tool_call":
            talk.response().calls.append(message)
        elif talk.is_awaited(message):
            talk.request()
    if history.marker and history.opening == len(messages) > 0:
        talk.request().words.append(history.marker)
    return talk.parts


def _call_ids(messages: Sequence[Turn]) -> dict[int, str]:
    """Make ids by place from the rows, so that they are the same each time."""
    ids = {one.place: f"call_{one.conversation_id}_{one.position}" for one in messages}
    answered = ((messages[call].place, messages[end].place) for call, end in results(messages).items())
    return ids | {end: ids[call] for call, end in answered}


def _words(said: Turn | str) -> str:
    return said if isinstance(said, str) else said.content


def _assistant(response: _Response, ids: dict[int, str]) -> dict[str, Any]:
    said = _BETWEEN.join(one.content for one in response.words)
    message: dict[str, Any] = {"role": "assistant", "content": said or None}
    if response.calls:
        message["tool_calls"] = [
            {
                "id": ids[one.place],
                "type": "function",
                "function": {"name": one.tool_name, "arguments": _arguments(one)},
            }
            for one in response.calls
        ]
    return message


def _model_request(request: _Request, ids: dict[int, str]) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [
        {
            "part_kind": "tool-return",
            "tool_name": one.tool_name,
            "content": one.content,
            "tool_call_id": ids[one.place],
            "timestamp": one.said_at.isoformat(),
        }
        for one in request.results
    ]
    for said in request.words:
        if isinstance(said, str):
            parts.append({"part_kind": "compaction", "content": said})
        else:
            sent = said.said_at.isoformat()
            parts.append({"part_kind": "user-prompt", "content": said.content, "timestamp": sent})
    return {"kind": "request", "parts": parts}


def _model_response(response: _Response, ids: dict[int, str]) -> dict[str, Any]:
    said = [*response.words, *response.calls]
    parts = [
        *({"part_kind": "text", "content": one.content} for one in response.words),
        *(
            {
                "part_kind": "tool-call",
                "tool_name": one.tool_name,
                "args": _arguments(one),
                "tool_call_id": ids[one.place],
            }
            for one in response.calls
        ),
    ]
    return {"kind": "response", "parts": parts, "timestamp": max(one.said_at for one in said).isoformat()}


def _arguments(call: Turn) -> str:
    """Every provider wants a JSON object; what is none stands in one."""
    try:
        given = msgspec.json.decode(call.content)
    except msgspec.DecodeError:
        given = None
    return call.content if isinstance(given, dict) else msgspec.json.encode({"input": call.content}).decode()
