"""Chat summaries: what stands in a chat's history for earlier messages."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, Field

from voice_server.api.http import on_behalf, problem
from voice_server.api.http.dependencies import Dependencies, TheDependencies
from voice_server.api.http.fields import AgentId, AnyUser, OptionalSentence, Prose, RequestBody
from voice_server.api.routes.conversations.chats import ChatId
from voice_server.domain.chat_summary import LONGEST
from voice_server.domain.conversation import CONTINUOUS
from voice_server.errors import Conflict, NotFound
from voice_server.operations.chats.text_context import Question
from voice_server.store.conversations.chat_summaries import ChatKey, StoredChatSummary
from voice_server.store.people import agents, users

router = APIRouter(tags=["chats"])

_PATH = "/chats/{chat_id}/summary"

WhoseUser = Annotated[AnyUser, Query()]
WhichAgent = Annotated[AgentId, Query()]


class ChatSummary(BaseModel):
    """What is told of the earlier part of a chat."""

    text: str
    until: int = Field(description="It tells of the messages before this place in the chat, counted from 0")
    condenses: bool = Field(
        description="It was asked for: of these messages only the first exchange is told word for word"
    )
    source: str = Field(
        description="`model`; `digests`, of the chat's sittings, where no model answered; `person`"
    )
    model: str
    focus: str = Field(description="What who asked for it wanted most of it")
    made_at: datetime


class HistorySize(BaseModel):
    """How much of a chat a model is told word for word."""

    messages: int
    tokens: int = Field(description="With the summary")


class CondensedHistory(BaseModel):
    """A chat's history before and after it was summed up."""

    before: HistorySize
    after: HistorySize
    summary: ChatSummary


class NewSummary(RequestBody):
    """The chat to be summed up."""

    user_id: AnyUser
    agent_id: AgentId
    focus: OptionalSentence = Field("", description="What is wanted most of it", examples=["the addresses"])


class WrittenSummary(RequestBody):
    """A summary of your own."""

    user_id: AnyUser
    agent_id: AgentId
    text: Annotated[Prose, Field(min_length=1)] = Field(
        description=f"{LONGEST} tokens at most, and half of what the history has",
        examples=["- Marta moves to Lisbon on 3 March."],
    )


@router.get(_PATH, responses=problem.documented(403, 404, 409), summary="Get the summary of a chat")
async def get_summary(
    request: Request, dependencies: TheDependencies, chat_id: ChatId, user_id: WhoseUser, agent_id: WhichAgent
) -> ChatSummary:
    """Return the summary that is told now. 404 when there is none."""
    chat = await _chat(request, dependencies, chat_id, user_id, agent_id)
    return _shown(await _current(dependencies, chat))


@router.post(_PATH, responses=problem.documented(403, 404, 409), summary="Sum up a chat now")
async def sum_up(
    request: Request, dependencies: TheDependencies, chat_id: ChatId, given: NewSummary
) -> CondensedHistory:
    """Sum up the chat by SUMMARY_MODEL, else LLM_MODEL; where no model answers, from its digests. From now on
    the chat's first exchange, this summary and the newest turns are told. 409 when the chat is too short, or
    nothing can be made of it now."""
    chat = await _chat(request, dependencies, chat_id, given.user_id, given.agent_id)
    before = await _size(dependencies, chat)
    await dependencies.summaries.make_now(chat, given.focus)
    made = await _current(dependencies, chat)
    return CondensedHistory(before=before, after=await _size(dependencies, chat), summary=_shown(made))


@router.put(_PATH, responses=problem.documented(403, 404, 409), summary="Write the summary of a chat")
async def write_summary(
    request: Request, dependencies: TheDependencies, chat_id: ChatId, given: WrittenSummary
) -> ChatSummary:
    """Replace the present summary by your own, for the same messages. Where there is none, yours stands for
    all but the newest turns. Secrets are taken out of it."""
    chat = await _chat(request, dependencies, chat_id, given.user_id, given.agent_id)
    tokens, most = dependencies.count(given.text), dependencies.summaries.longest(chat)
    if tokens > most:
        raise HTTPException(422, f"body.text: it has {tokens} tokens, and {most} at most are told")
    await _size(dependencies, chat)  # raises for another's chat
    await dependencies.summaries.write(chat, given.text)
    return _shown(await _current(dependencies, chat))


@router.delete(
    _PATH, status_code=204, responses=problem.documented(403, 404, 409), summary="Undo the summary of a chat"
)
async def undo_summary(
    request: Request, dependencies: TheDependencies, chat_id: ChatId, user_id: WhoseUser, agent_id: WhichAgent
) -> Response:
    """Undo the latest summary. The one before it is told again; where there is none, the messages themselves
    are, as far as there is room. A summary is made again when the history is full once more."""
    chat = await _chat(request, dependencies, chat_id, user_id, agent_id)
    if not await dependencies.summaries.undo(chat):
        raise _none(chat)
    return Response(status_code=204)


async def _chat(
    request: Request, dependencies: Dependencies, chat_id: str, user_id: str, agent_id: str
) -> ChatKey:
    on_behalf.check(request, user_id, agent_id)
    if chat_id == CONTINUOUS or chat_id.startswith(f"{CONTINUOUS}:"):
        raise Conflict("The continuous discussion is summed up by its days: see /users/{user_id}/days.")
    async with dependencies.engine.connect() as connection:
        await agents.require(connection, agent_id)
        return ChatKey(chat_id, await users.require(connection, user_id), agent_id)


async def _current(dependencies: Dependencies, chat: ChatKey) -> StoredChatSummary:
    there = await dependencies.summaries.told(chat)
    if there is None:
        raise _none(chat)
    return there


async def _size(dependencies: Dependencies, chat: ChatKey) -> HistorySize:
    """Measure the history. Raises Conflict for another user's or agent's chat."""
    told = await dependencies.contexts.of(Question(chat.user_id, chat.agent_id, chat.chat_id))
    return HistorySize(messages=len(told.history.messages), tokens=told.history.tokens)


def _none(chat: ChatKey) -> NotFound:
    return NotFound(f"Chat {chat.chat_id} has no summary of user {chat.user_id} with agent {chat.agent_id}.")


def _shown(summary: StoredChatSummary) -> ChatSummary:
    return ChatSummary(
        text=summary.text,
        until=summary.until,
        condenses=summary.condenses,
        source=summary.source,
        model=summary.model,
        focus=summary.focus,
        made_at=summary.made_at,
    )
