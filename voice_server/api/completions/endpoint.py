"""`/v1`: our agents for any client of OpenAI's Chat Completions. `model` names the agent.

Guard (token, size of the body) → FastAPI (values, route) → whose words → kept in a chat, or not → answer

With a chat's id, our history counts, and one more message of the user is a turn of that chat. Without an id,
and for what the client edited, the client's messages are the history and nothing is kept.
"""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import BaseRoute, Mount

from voice_server.api.completions import answers, continuing, failures, writers
from voice_server.api.completions.answers import CompletionHead
from voice_server.api.completions.identity import Door, Requester, Writer
from voice_server.api.completions.request import CompletionRequest
from voice_server.api.http import fields, problem
from voice_server.api.http.auth import Guard
from voice_server.api.http.dependencies import Dependencies, TheDependencies
from voice_server.chat.events import TurnEvents
from voice_server.chat.stateless import StatelessTurn
from voice_server.chat.turn import LiveAnswer, NewTurn, broken_off
from voice_server.domain.conversation import chat_named, continuous_id
from voice_server.errors import AgentNotFound, ChatRefused
from voice_server.store import session
from voice_server.store.people import agents, users
from voice_server.webhooks.http import asgi

_DOOR, _REQUESTER = "voice_server.door", "voice_server.requester"  # of an ASGI request
_OWNER = "voice-server"
_LOOK = 0.5  # seconds between looks at whether who asked is still there
_SOON = 10.0  # seconds for the first of an answer, after which its status can be no other than 200

router = APIRouter()


def routes(dependencies: Dependencies, door: Door, body_limit: int, patience: float) -> list[BaseRoute]:
    guarded = Guard(_application(), dependencies, _Gate(door), body_limit, patience)
    return [Mount("/v1", guarded)]


class _Gate:
    def __init__(self, door: Door) -> None:
        self._door = door

    def __call__(self, scope: asgi.Scope) -> Response | None:
        found = self._door.admit(asgi.header(scope["headers"], b"authorization"))
        if isinstance(found, str):
            return answers.refusal(401, found, "invalid_api_key", {"www-authenticate": "Bearer"})
        scope[_DOOR], scope[_REQUESTER] = self._door, found
        return None

    def too_large(self, message: str) -> Response:
        return answers.refusal(413, message, "too_large")

    def late(self) -> Response:
        return failures.not_ready()


@router.get("/models")
async def list_models(request: Request, dependencies: TheDependencies) -> dict[str, Any]:
    ids = await _agent_ids(request, dependencies)
    return {"object": "list", "data": [_model(one) for one in ids]}


@router.get("/models/{agent_id}")
async def get_model(request: Request, dependencies: TheDependencies, agent_id: str) -> dict[str, Any]:
    if agent_id not in await _agent_ids(request, dependencies):
        raise AgentNotFound(f"There is no agent {agent_id}.")
    return _model(agent_id)


@router.post("/chat/completions")
async def complete(request: Request, dependencies: TheDependencies, asked: CompletionRequest) -> Response:
    door: Door = request.scope[_DOOR]
    requester: Requester = request.scope[_REQUESTER]
    writer = door.writer(requester, request.headers, asked)
    hidden = asked.is_hidden_task
    on_the_phone = requester.kind == "platform"
    if writer.chat_id and not hidden:
        events, told = await _in_chat(dependencies, writer, writer.chat_id, asked)
        if events is not None:
            return await _answered(request, asked, events, told, None)
    else:
        told = {"stored": False}
    is_told = not hidden and (writer.user is not None or not on_the_phone)
    user_id, missing = await writers.known(dependencies, writer.user) if is_told else (None, {})
    live = await dependencies.stateless.begin(
        StatelessTurn(
            asked.history,
            asked.text,
            asked.instructions,
            asked.client_tools,
            writer.agent_id if is_told else None,
            user_id,
        )
    )
    return await _answered(request, asked, live.events, told | missing, live)


async def _in_chat(
    dependencies: Dependencies, writer: Writer, chat_id: str, asked: CompletionRequest
) -> tuple[TurnEvents | None, dict[str, Any]]:
    """Begin the turn of the chat that this request is. There are no events when it is a branch."""
    text, tools = asked.text, [one.name for one in asked.client_tools]
    if (tools or text is None) and not writer.is_in_open_webui:
        raise ChatRefused(
            400,
            "tools_not_kept",
            "Tools of yours cannot be used in a chat that is kept: leave out one of both.",
        )
    if text is None:  # the results of what a branch called
        return None, {"stored": False, "chat_id": chat_id}
    if len(text) > fields.LONGEST_MESSAGE:
        raise ChatRefused(400, "too_long", f"A message has at most {fields.LONGEST_MESSAGE} characters.")
    if writer.user is None:
        raise ChatRefused(400, "no_user", "A chat is somebody's: say whose in the header X-Voice-User.")
    user_id = await writers.resolved(dependencies, writer.user)
    turn_id = writer.turn_id
    async with dependencies.engine.connect() as connection:
        whose = (await users.require(connection, user_id), writer.agent_id)
        chat_id = chat_named(chat_id, *whose)
        known = await continuing.read(connection, whose, chat_id)
    # The continuous chat goes on from any window, of which each knows its own part.
    if turn_id is None:
        course = continuing.course(known, asked.said_before, text)
        if course == "branch" and chat_id != continuous_id(*whose):
            return None, {"stored": False, "chat_id": chat_id}
        turn_id = known[-1].turn_id if course == "again" else uuid.uuid4().hex
    events = await dependencies.turns.begin(NewTurn(user_id, writer.agent_id, chat_id, turn_id, text))
    # Open WebUI sends tools with every message, whether anybody wants them or not.
    left_out = {"tools_left_out": tools} if tools else {}
    return events, {"stored": True, "chat_id": chat_id, "turn_id": turn_id} | left_out


async def _answered(
    request: Request,
    asked: CompletionRequest,
    events: TurnEvents,
    told: dict[str, Any],
    live: LiveAnswer | None,
) -> Response:
    session.expect_nothing()  # but the model
    with_usage = bool(asked.stream_options and asked.stream_options.include_usage)
    head = CompletionHead(f"chatcmpl-{uuid.uuid4().hex}", int(time.time()), asked.model, told, with_usage)
    if not asked.stream:
        await _until(events, "done", patience=None, request=request, live=live)
        last = await events.last()
        if last.name == "done":
            return JSONResponse(answers.completion(head, events.text, last))
        if told["stored"] and events.text:  # it is kept, and asked again it would be kept twice
            return JSONResponse(answers.completion(head, broken_off(events.text), last))
        return answers.failed(last)
    first = await _until(events, "text", patience=_SOON, request=request, live=live)
    if first is not None:
        return first
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_heard(head, events, live), media_type="text/event-stream", headers=headers)


async def _until(
    events: TurnEvents, name: str, *, patience: float | None, request: Request, live: LiveAnswer | None
) -> Response | None:
    """Wait for an event of this name, the last event, or the end of `patience`; return the refusal if the
    answer begins with an error. When the client leaves, stop an answer that nobody else will hear."""
    began = looked = time.monotonic()
    number = 0
    while patience is None or time.monotonic() - began < patience:
        news = await events.after(number, _LOOK)
        for one in news:
            if one.name == "error":
                return answers.failed(one)
            if one.name in (name, "done"):
                return None
        number += len(news)
        if live is not None and time.monotonic() - looked >= _LOOK:
            looked = time.monotonic()
            if await request.is_disconnected():
                live.stop.now()
    return None


async def _heard(head: CompletionHead, events: TurnEvents, live: LiveAnswer | None) -> AsyncIterator[bytes]:
    """Stop an answer that is not kept when its listener leaves."""
    try:
        async for chunk in answers.chunks(head, events):
            yield chunk
            await asyncio.sleep(0)
    finally:
        if live is not None:
            live.stop.now()


async def _agent_ids(request: Request, dependencies: Dependencies) -> list[str]:
    requester: Requester = request.scope[_REQUESTER]
    if requester.claims is not None:
        return [requester.claims.agent_id]
    async with dependencies.engine.connect() as connection:
        return await agents.ids(connection)


def _model(agent_id: str) -> dict[str, Any]:
    return {"id": agent_id, "object": "model", "created": 0, "owned_by": _OWNER}


@cache
def _application() -> FastAPI:
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    app.include_router(router)
    problem.install(app, failures.HANDLERS)
    return app
