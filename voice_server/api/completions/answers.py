"""Answers to a client of OpenAI's Chat Completions: whole, in chunks, or as an error."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from starlette.responses import Response

from voice_server.api.http import problem
from voice_server.chat.events import TurnEvent, TurnEvents

_ALIVE = 15.0  # seconds without news after which a comment says that the line is open
_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
}
_SERVER_ERROR = 500


class CompletionHead(Struct, frozen=True):
    """What all parts of an answer share; `told` says how it came about."""

    id: str
    created: int
    model: str
    told: Mapping[str, Any]
    with_usage: bool = False


def refusal(status: int, message: str, code: str, headers: Mapping[str, str] | None = None) -> Response:
    content = json.dumps(error(status, message, code)).encode()
    return Response(content, status, dict(headers or {}), "application/json")


def error(status: int, message: str, code: str) -> dict[str, Any]:
    kind = _TYPES.get(status, "server_error" if status >= _SERVER_ERROR else "invalid_request_error")
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def failed(last: TurnEvent) -> Response:
    """Return the error for an answer that never began."""
    code = str(last.data["code"])
    return refusal(problem.status_of_turn(code), str(last.data["message"]), code)


def completion(head: CompletionHead, text: str, last: TurnEvent) -> dict[str, Any]:
    calls = last.data.get("calls") or []
    reason = _reason(calls) if last.name == "done" else "length"  # of one that broke off
    message: dict[str, Any] = {"role": "assistant", "content": text or None, "refusal": None}
    if calls:
        message["tool_calls"] = [_call(one) for one in calls]
    return {
        "id": head.id,
        "object": "chat.completion",
        "created": head.created,
        "model": head.model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}],
        "usage": _usage(last),
        "context": _context(head, last),
    }


async def chunks(head: CompletionHead, events: TurnEvents) -> AsyncIterator[bytes]:
    yield _line(_chunk(head, {"role": "assistant", "content": ""}))
    number = 0
    while True:
        news = await events.after(number, _ALIVE)
        yield b"".join(_line(told) for one in news for told in _told(head, one)) or b": still there\n\n"
        number += len(news)
        if news and news[-1].is_last:
            yield b"data: [DONE]\n\n"
            return


def _told(head: CompletionHead, event: TurnEvent) -> list[dict[str, Any]]:
    if event.name == "text":
        return [_chunk(head, {"content": event.data["text"]})]
    if event.name == "error":
        code = str(event.data["code"])
        return [error(problem.status_of_turn(code), str(event.data["message"]), code)]
    return _ending(head, event) if event.name == "done" else []


def _ending(head: CompletionHead, last: TurnEvent) -> list[dict[str, Any]]:
    calls = last.data.get("calls") or []
    told = (
        [_chunk(head, {"tool_calls": [_call(one) | {"index": n} for n, one in enumerate(calls)]})]
        if calls
        else []
    )
    told.append(_chunk(head, {}, _reason(calls)) | {"context": _context(head, last)})
    if head.with_usage:
        told.append(_chunk(head, None) | {"usage": _usage(last)})
    return told


def _chunk(
    head: CompletionHead, delta: Mapping[str, Any] | None, reason: str | None = None
) -> dict[str, Any]:
    choices = (
        [] if delta is None else [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}]
    )
    return {
        "id": head.id,
        "object": "chat.completion.chunk",
        "created": head.created,
        "model": head.model,
        "choices": choices,
    }


def _reason(calls: Sequence[object]) -> str:
    return "tool_calls" if calls else "stop"


def _call(call: Mapping[str, str]) -> dict[str, Any]:
    function = {"name": call["name"], "arguments": call["arguments"]}
    return {"id": call["id"], "type": "function", "function": function}


def _usage(last: TurnEvent) -> dict[str, int]:
    used = last.data.get("usage") or {}
    read, wrote = used.get("input_tokens", 0), used.get("output_tokens", 0)
    return {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote}


def _context(head: CompletionHead, last: TurnEvent) -> dict[str, Any]:
    return {**(last.data.get("context") or {}), **head.told}


def _line(told: Mapping[str, Any]) -> bytes:
    return b"data: %s\n\n" % json.dumps(told).encode()
