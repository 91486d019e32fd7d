"""The pretend model: a small OpenAI-compatible server that answers as it is told to, well, badly or not at
all."""

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pretend import port
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

Findings = dict[str, Any]
Reply = Callable[["PretendModel", Findings], Response]

TOKENS_IN, TOKENS_OUT = 1200, 300
_USAGE = {
    "prompt_tokens": TOKENS_IN,
    "completion_tokens": TOKENS_OUT,
    "total_tokens": TOKENS_IN + TOKENS_OUT,
}


def finds(summary: str = "The caller said something.", **more: Any) -> Findings:
    """An answer of the right shape."""
    return {"summary": summary, **more}


def judges(*verdicts: str) -> Findings:
    """A review with a verdict for each statement, in their order."""
    numbered = enumerate(verdicts, 1)
    return {"judgements": [{"statement": number, "verdict": verdict} for number, verdict in numbered]}


def well(findings: Findings) -> Reply:
    """Answers with these findings, in the way it was asked to."""
    return lambda _model, asked: _completion(asked, json.dumps(findings))


def text(content: str) -> Reply:
    """Answers with this text, whatever was asked for."""
    return lambda _model, _asked: JSONResponse(_chat({"role": "assistant", "content": content}))


def arguments(content: str) -> Reply:
    """Calls the tool it is to call, with these arguments."""
    return lambda _model, asked: _completion(asked, content)


def says(*pieces: str, pause: float = 0.0, breaks: bool = False, late: float = 0.0) -> Reply:
    """Answers in these pieces, as it streams them or whole; with a pause after each and, if it is
    `late`, before the first. It may break off."""

    def reply(_model: "PretendModel", asked: Findings) -> Response:
        if not asked.get("stream"):
            return JSONResponse(_chat({"role": "assistant", "content": "".join(pieces)}))
        deltas = [{"role": "assistant", "content": one} for one in pieces]
        chunks = _chunks(deltas, "stop", pause, breaks=breaks, late=late, model=asked["model"])
        return StreamingResponse(chunks, media_type="text/event-stream")

    return reply


def calls(tool: str, **given: Any) -> Reply:
    """Uses a tool, streaming."""

    def reply(_model: "PretendModel", _asked: Findings) -> Response:
        call = {
            "index": 0,
            "id": "call_1",
            "type": "function",
            "function": {"name": tool, "arguments": json.dumps(given)},
        }
        deltas = [{"role": "assistant", "content": None, "tool_calls": [call]}]
        return StreamingResponse(_chunks(deltas, "tool_calls", 0.0), media_type="text/event-stream")

    return reply


async def _chunks(
    deltas: Sequence[Findings],
    reason: str,
    pause: float,
    *,
    breaks: bool = False,
    late: float = 0.0,
    model: str = "pretend",
) -> AsyncIterator[bytes]:
    await asyncio.sleep(late)
    for delta in deltas:
        yield _chunk(delta, None, model)
        await asyncio.sleep(pause)
    if breaks:
        raise ConnectionResetError
    yield _chunk({}, reason, model)
    yield b"data: [DONE]\n\n"


def _chunk(delta: Findings, reason: str | None, model: str) -> bytes:
    told: Findings = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_794_911_400,
        "model": model,
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    }
    if reason:
        told["usage"] = _USAGE
    return b"data: %s\n\n" % json.dumps(told).encode()


def status(code: int, headers: Mapping[str, str] | None = None) -> Reply:
    body = {"error": {"message": "not now", "type": "trouble", "code": None}}
    return lambda _model, _asked: JSONResponse(body, code, headers)


def page(text: str) -> Reply:
    """No model answers, but a gateway, in HTML and with status 200."""
    return lambda _model, _asked: HTMLResponse(text)


def without_usage(findings: Findings) -> Reply:
    """Answers, and does not say what it cost."""

    def reply(_model: "PretendModel", asked: Findings) -> Response:
        body = json.loads(bytes(_completion(asked, json.dumps(findings)).body))
        return JSONResponse({name: value for name, value in body.items() if name != "usage"})

    return reply


def about(word: str, reply: Reply, otherwise: Reply) -> Reply:
    """Answers one way when it is sent this word, another way when not."""
    return lambda model, asked: (reply if word in json.dumps(asked) else otherwise)(model, asked)


@dataclass
class PretendModel:
    """What it was asked, and what it answers: what is next in `replies`, then always `otherwise`. Reviews of
    what it noted are apart: it has nothing to say to them, but what is next in `reviews`."""

    url: str = ""
    asked: list[Findings] = field(default_factory=list)
    replies: deque[Reply] = field(default_factory=deque)
    otherwise: Reply = field(default_factory=lambda: well(finds()))
    asked_to_review: list[Findings] = field(default_factory=list)
    reviews: deque[Reply] = field(default_factory=deque)
    meanwhile: Callable[[], None] | None = None  # happens once, while it thinks
    delay: float = 0.0
    most_at_once: int = 0
    _thinking_on: set[int] = field(default_factory=set)

    def forget(self) -> None:
        """As new, at the same place."""
        vars(self).update(vars(PretendModel(url=self.url)))

    def then(self, *replies: Reply) -> None:
        """Answer so next, one after the other."""
        self.replies.extend(replies)

    @property
    def read(self) -> list[str]:
        """The transcripts it was sent, with all that came with them."""
        return ["\n".join(str(one["content"]) for one in each["messages"]) for each in self.asked]

    async def complete(self, request: Request) -> Response:
        asked = await request.json()
        if "judgements" in json.dumps(asked):  # as the shape of the answer
            self.asked_to_review.append(asked)
            return (self.reviews.popleft() if self.reviews else well(judges()))(self, asked)
        self.asked.append(asked)
        # Chosen now: who gave up waiting is answered all the same, maybe in the next test, whose replies
        # these are not.
        reply = self.replies.popleft() if self.replies else self.otherwise
        thinking_on = self._thinking_on
        thinking_on.add(id(asked))
        self.most_at_once = max(self.most_at_once, len(thinking_on))
        try:
            if happens := self.meanwhile:
                self.meanwhile = None
                await asyncio.to_thread(happens)
            await asyncio.sleep(self.delay)
        finally:
            thinking_on.discard(id(asked))
        return reply(self, asked)


def _completion(asked: Findings, content: str) -> Response:
    """A tool call when a tool is to be called, else the text."""
    tools = asked.get("tools")
    if not tools:
        return JSONResponse(_chat({"role": "assistant", "content": content}))
    call = {
        "id": "call_1",
        "type": "function",
        "function": {"name": tools[0]["function"]["name"], "arguments": content},
    }
    return JSONResponse(_chat({"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"))


def _chat(message: Findings, reason: str = "stop") -> Findings:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_794_911_400,
        "model": "pretend",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": _USAGE,
    }


@contextlib.contextmanager
def serving() -> Iterator[PretendModel]:
    model = PretendModel()
    app = Starlette(routes=[Route("/v1/chat/completions", model.complete, methods=["POST"])])
    with port.serving(app) as url:
        model.url = f"{url}/v1"
        yield model
