"""The chat: a user writes, and our own agent answers, from the same memory as on the phone."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from pydantic import AfterValidator, BaseModel, Field
from starlette.responses import StreamingResponse

from voice_server.api.http import fields, on_behalf, problem
from voice_server.api.http.dependencies import TheDependencies
from voice_server.api.http.fields import AgentId, AnyUser, RequestBody
from voice_server.api.routes.conversations.chats import ChatId
from voice_server.chat.events import TurnEvent, TurnEvents
from voice_server.chat.turn import NewTurn, broken_off
from voice_server.errors import NotFound
from voice_server.store import session
from voice_server.store.conversations.chat_turns import ChatTurn, TurnKey

router = APIRouter(tags=["chats"])

_ALIVE = 15.0  # seconds without news after which a comment says that the line is open
_STREAM = "text/event-stream"
_EVENTS = {
    _STREAM: {
        "schema": {"type": "string"},
        "example": 'event: text\ndata: {"text":"Hello"}\n\nevent: done\ndata: {"status":"done"}\n\n',
    }
}


def _fits_a_path(text: str) -> str:
    if "/" in text or text in {".", ".."}:
        raise ValueError("it must have no slash, and not be a dot or two")
    return text


_FitsAPath = AfterValidator(_fits_a_path)
TurnId = Annotated[
    str,
    Field(min_length=1, max_length=200, description="Made by you: sent again, it is the same turn"),
    fields.Storable,
    _FitsAPath,
]


class NewMessage(RequestBody):
    """What a user writes."""

    user_id: AnyUser
    agent_id: AgentId
    chat_id: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            description="Of your own: a new one begins with nothing said; or `continuous`",
        ),
        fields.Storable,
        _FitsAPath,
    ]
    turn_id: TurnId
    text: Annotated[
        str, Field(min_length=1, max_length=fields.LONGEST_MESSAGE, pattern=r"\S"), fields.Storable
    ]


class Turn(BaseModel):
    """A turn as it stands."""

    chat_id: str
    turn_id: str
    status: str = Field(
        description="`running`; `done`; `interrupted`: the answer is not whole; `failed`: there is none"
    )
    text: str = Field("", description="The answer")
    message_id: str | None = Field(None, description="Of the last message of the answer")
    error: str = Field("", description="A code that says why there is no answer, or no more of it")
    usage: dict[str, Any] = Field({}, description="The model, and the tokens it read and wrote")
    context: dict[str, Any] = Field({}, description="How the prompt came about, in numbers")
    took_ms: float | None = None


@router.post(
    "/chat",
    response_model=Turn,
    responses={
        200: {"description": "The answer; as events unless JSON is asked for", "content": _EVENTS},
        **problem.documented(403, 409, 429, 502, 504),
    },
    summary="Write to an agent",
)
async def write(
    request: Request, dependencies: TheDependencies, given: NewMessage, accept: Annotated[str, Header()] = ""
) -> Any:
    """Answer what a user writes, as events: `turn`, `text`, `tool`, and `done` or `error`. With `Accept:
    application/json` the answer is one object. The message is kept before the model is asked, and an answer
    under way goes on when you leave. The same `turn_id` is the same turn: it is answered once, and can be
    heard again. A chat answers one turn at a time; the next turn waits for CHAT_WAIT_SECONDS."""
    on_behalf.check(request, given.user_id, given.agent_id)
    turn = NewTurn(given.user_id, given.agent_id, given.chat_id, given.turn_id, given.text)
    events = await dependencies.turns.begin(turn)
    if "application/json" not in accept or _STREAM in accept:
        return _streamed(events)
    session.expect_nothing()  # but the model
    last = await events.last()
    if last.name == "error" and last.data["status"] == "failed":
        return problem.answer(problem.status_of_turn(last.data["code"]), last.data["message"])
    return _whole(given, events, last)


@router.get(
    "/chats/{chat_id}/turns/{turn_id}", responses=problem.documented(403, 404), summary="Get a turn of a chat"
)
async def get_turn(
    request: Request,
    dependencies: TheDependencies,
    chat_id: ChatId,
    turn_id: TurnId,
    user_id: Annotated[AnyUser, Query()],
) -> Turn:
    """Return what became of a user's message."""
    turn = await _turn(request, dependencies, TurnKey(chat_id, turn_id), user_id)
    text, named = await dependencies.turns.answer_of(turn)
    status = turn.status if turn.status != "running" or turn.is_leased else "interrupted"
    return Turn(
        chat_id=chat_id,
        turn_id=turn_id,
        status=status,
        text=text,
        message_id=named,
        error=turn.error,
        usage=turn.usage,
        context=turn.context,
    )


@router.get(
    "/chats/{chat_id}/turns/{turn_id}/events",
    responses={
        200: {"description": "As those of POST /api/chat", "content": _EVENTS},
        **problem.documented(403, 404),
    },
    response_class=StreamingResponse,
    summary="Listen to a turn of a chat",
)
async def listen_to_turn(
    request: Request,
    dependencies: TheDependencies,
    chat_id: ChatId,
    turn_id: TurnId,
    user_id: Annotated[AnyUser, Query()],
) -> StreamingResponse:
    """Send the events so far, and the following ones, to a client that left and comes back. While another
    process of the server answers, the events come when it has ended."""
    turn = await _turn(request, dependencies, TurnKey(chat_id, turn_id), user_id)
    events = await dependencies.turns.listen(turn)
    return _streamed(events)


@router.delete(
    "/chats/{chat_id}/turns/{turn_id}",
    status_code=204,
    responses=problem.documented(403),
    summary="Stop the answer of a turn",
)
async def stop_turn(
    request: Request,
    dependencies: TheDependencies,
    chat_id: ChatId,
    turn_id: TurnId,
    user_id: Annotated[AnyUser, Query()],
) -> Response:
    """Stop the answer. What was answered so far stays, and ends in `[…]`. A turn that is over stays as it
    is."""
    turn = await _turn(request, dependencies, TurnKey(chat_id, turn_id), user_id)
    await dependencies.turns.stop(turn)
    return Response(status_code=204)


async def _turn(request: Request, dependencies: TheDependencies, key: TurnKey, user_id: str) -> ChatTurn:
    on_behalf.check_user(request, user_id)
    turn = await dependencies.turns.find(key.chat_id, key.turn_id, user_id)
    if turn is None:
        raise NotFound(f"Chat {key.chat_id} has no turn {key.turn_id} of user {user_id}.")
    on_behalf.check(request, user_id, turn.agent_id)
    return turn


def _streamed(events: TurnEvents) -> StreamingResponse:
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_lines(events), media_type=_STREAM, headers=headers)


async def _lines(events: TurnEvents) -> AsyncIterator[bytes]:
    number = 0
    while True:
        news = await events.after(number, _ALIVE)
        yield b"".join(one.encoded() for one in news) or b": still there\n\n"
        number += len(news)
        if news and news[-1].is_last:
            return
        await asyncio.sleep(0)


def _whole(given: NewMessage, events: TurnEvents, last: TurnEvent) -> Turn:
    told = last.data
    is_partial = told["status"] == "interrupted" and events.text.strip() != ""
    return Turn(
        chat_id=events.chat_id,
        turn_id=given.turn_id,
        status=told["status"],
        text=broken_off(events.text) if is_partial else events.text,
        message_id=told.get("message_id"),
        error=told.get("code", ""),
        usage=told.get("usage", {}),
        context=told.get("context", {}),
        took_ms=told.get("took_ms"),
    )
