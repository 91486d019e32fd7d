"""`/v1`: our agents for any client of OpenAI's Chat Completions. `model` names the agent.

Guard (token, size of the body) → FastAPI (values, route) → whose words → kept in a chat, or not → answer

With a chat's id our history counts, and one more message of the user's is a turn of it. Without one, and for
what the client edited, the client's messages are the history, and nothing is kept.
"""

import asyncio
import re
import time
import uuid
from collections.abc import AsyncIterator
from functools import cache
from typing import Any, cast

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import BaseRoute, Mount

from voice_server.api.completions import answers, continuing
from voice_server.api.completions.answers import CompletionHead
from voice_server.api.completions.identity import Door, Requester, Writer
from voice_server.api.completions.request import LONGEST, CompletionRequest
from voice_server.api.http import problem
from voice_server.api.http.auth import Guard
from voice_server.api.http.dependencies import Dependencies, TheDependencies
from voice_server.chat.events import TurnEvents
from voice_server.chat.runner import BROKEN_OFF
from voice_server.chat.stateless import StatelessTurn
from voice_server.chat.turn import LiveAnswer, NewTurn
from voice_server.domain.address import Address, address_of, app_address
from voice_server.domain.conversation import chat_named, continuous_id
from voice_server.errors import ChatRefused, Conflict, NotFound
from voice_server.store import session
from voice_server.store.people import agents, users
from voice_server.webhooks import asgi

_DOOR, _REQUESTER = "voice_server.door", "voice_server.requester"  # of an ASGI request
_OWNER = "voice-server"
_LOOK = 0.5  # seconds between looks at whether who asked is still there
_SOON = 10.0  # seconds for the first of an answer, after which its status can be no other than 200
_NOT_READY = "Postgres or Redis does not answer. Send it again."
_ID = "usr_"
_SPELLED = re.compile(r"(app|tel|sips?|whatsapp):", re.IGNORECASE)

router = APIRouter()


def routes(dependencies: Dependencies, door: Door, body_limit: int, patience: float) -> list[BaseRoute]:
    """`body_limit` is in bytes, `patience` in seconds of waiting for Postgres."""
    guarded = Guard(_application(), dependencies, _Gate(door), body_limit, patience)
    return [Mount("/v1", guarded)]


class _Gate:
    """Who has no token goes no further; who has one is told to what lies behind."""

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
        return answers.refusal(503, _NOT_READY, "unavailable", {"retry-after": "5"})


@router.get("/models")
async def list_models(request: Request, dependencies: TheDependencies) -> dict[str, Any]:
    ids = await _agent_ids(request, dependencies)
    return {"object": "list", "data": [_model(one) for one in ids]}


@router.get("/models/{agent_id}")
async def get_model(request: Request, dependencies: TheDependencies, agent_id: str) -> dict[str, Any]:
    if agent_id not in await _agent_ids(request, dependencies):
        raise NotFound(f"There is no agent {agent_id}.")
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
    user_id, missing = await _known(dependencies, writer) if is_told else (None, {})
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
    """What happens in the turn of the chat that this is; None when it is none."""
    text = asked.text
    if asked.client_tools or text is None:
        raise ChatRefused(
            400,
            "tools_not_kept",
            "Tools of yours cannot be used in a chat that is kept: leave out one of both.",
        )
    if len(text) > LONGEST:
        raise ChatRefused(400, "too_long", f"A message has at most {LONGEST} characters.")
    if writer.user is None:
        raise ChatRefused(400, "no_user", "A chat is somebody's: say whose in the header X-Voice-User.")
    user_id = await _resolved(dependencies, writer.user)
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
    return events, {"stored": True, "chat_id": chat_id, "turn_id": turn_id}


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
            return JSONResponse(answers.completion(head, f"{events.text}{BROKEN_OFF}", last))
        return answers.failed(last)
    first = await _until(events, "text", patience=_SOON, request=request, live=live)
    if first is not None:
        return first
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_heard(head, events, live), media_type="text/event-stream", headers=headers)


async def _until(
    events: TurnEvents, name: str, *, patience: float | None, request: Request, live: LiveAnswer | None
) -> Response | None:
    """Until there is such an event, or the last, or patience is over; the refusal that it begins with, if it
    does. Who leaves meanwhile ends what nobody else will hear."""
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
    """Of what is not kept, nobody hears the rest when who listens leaves."""
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


async def _resolved(dependencies: Dependencies, named: str) -> str:
    """The user so named, who is made known when nobody has this address."""
    if named.startswith(_ID):
        return named
    address = _address(dependencies, named)
    async with dependencies.engine.begin() as connection:
        await users.stay(connection)
        found = await users.resolve(connection, "", [address])
    if found is None:
        raise Conflict(f"Several share the line {address}: name the user by their id.")
    return found


async def _known(dependencies: Dependencies, writer: Writer) -> tuple[str | None, dict[str, Any]]:
    """The user of whom memory is told, if there is one; and what could not be read."""
    if writer.user is None or writer.user.startswith(_ID):
        return writer.user, {}
    address = _address(dependencies, writer.user)
    deadline = dependencies.contexts.rules.deadline
    try:
        return await session.within(deadline, _found(dependencies, address)), {}
    except session.ERRORS as error:
        return None, {"degraded": True, "without": {"user": type(error).__name__}}


async def _found(dependencies: Dependencies, address: Address) -> str | None:
    async with dependencies.engine.connect() as connection:
        return await users.find(connection, [address])


def _address(dependencies: Dependencies, named: str) -> Address:
    """A number is one only with its `+`: an id of somebody's may be nothing but digits."""
    is_spelled = named.startswith("+") or _SPELLED.match(named)
    address = address_of(named, dependencies.region) if is_spelled else app_address(named)
    if address is None:
        raise ChatRefused(
            400,
            "invalid_user",
            "The user must be usr_…, a number as +14155550101, or an id of yours as app:42.",
        )
    return address


@cache
def _application() -> FastAPI:
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    app.include_router(router)
    app.exception_handler(HTTPException)(_refused)
    app.exception_handler(RequestValidationError)(_wrong_values)
    app.exception_handler(NotFound)(_not_found)
    app.exception_handler(Conflict)(_conflict)
    app.exception_handler(ChatRefused)(_chat_refused)
    for unreachable in (SQLAlchemyError, RedisError, OSError):
        app.exception_handler(unreachable)(_unavailable)
    app.exception_handler(Exception)(_failed)
    return app


async def _refused(request: Request, error: Exception) -> Response:
    said = cast("HTTPException", error)
    if said.status_code == 404:  # noqa: PLR2004 (an HTTP status)
        return answers.refusal(404, f"There is nothing at {request.url.path}.", "not_found")
    return answers.refusal(said.status_code, said.detail, "refused", said.headers)


async def _wrong_values(_request: Request, error: Exception) -> Response:
    wrong = problem.wrong_values(cast("RequestValidationError", error))
    told = "; ".join(f"{one.where.removeprefix('body.')}: {one.detail}" for one in wrong[:3])
    return answers.refusal(400, told, "invalid_request")


async def _not_found(_request: Request, error: Exception) -> Response:
    is_agent = "agent" in str(error)
    return answers.refusal(404, str(error), "model_not_found" if is_agent else "not_found")


async def _conflict(_request: Request, error: Exception) -> Response:
    return answers.refusal(409, str(error), "conflict")


async def _chat_refused(_request: Request, error: Exception) -> Response:
    said = cast("ChatRefused", error)
    headers = {"retry-after": str(said.retry)} if said.retry else None
    return answers.refusal(said.status, str(said), said.code, headers)


async def _unavailable(_request: Request, error: Exception) -> Response:
    problem.check_theirs(error)
    return answers.refusal(503, _NOT_READY, "unavailable", {"retry-after": "5"})


async def _failed(_request: Request, _error: Exception) -> Response:
    return answers.refusal(500, "The server failed; its log says why.", "internal")
