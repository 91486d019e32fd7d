"""The text context, for somebody who runs a text agent of their own."""

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from voice_server.api.http import fields, on_behalf, problem
from voice_server.api.http.dependencies import TheDependencies
from voice_server.api.http.fields import OfAgent, UserId
from voice_server.context import message_history
from voice_server.operations.chats.text_context import Question

router = APIRouter(tags=["prompts"])

OfChat = Annotated[
    str | None,
    Query(min_length=1, max_length=200, description="The chat that goes on, by its id; left out: a new one"),
    fields.Storable,
]


class MessageHistory(BaseModel):
    """The chat so far, oldest first, in two forms."""

    openai: list[dict[str, Any]] = Field(description="`messages` of OpenAI's Chat Completions")
    pydantic_ai: list[dict[str, Any]] = Field(
        description="For PydanticAI, whose `ModelMessagesTypeAdapter` makes `message_history` of it"
    )


class TextContext(BaseModel):
    """What a text agent is told before the next message of a user."""

    instructions: str = Field(description="The prompt, for now: it changes from message to message")
    message_history: MessageHistory
    context: dict[str, Any] = Field(
        description="How it came about, as the snapshot of a prompt has it: `sections`, `dropped`, "
        "`message_history_…`; `degraded` when something could not be read in time, and then `without`, "
        "what and why; `read_ms`, of these `history_ms` for the chat; `build_ms`, of these `count_ms` for "
        "counting tokens"
    )


@router.get(
    "/users/{user_id}/text-context",
    responses=problem.documented(403, 409),
    summary="What a text agent would be told now",
)
async def get_text_context(
    request: Request,
    dependencies: TheDependencies,
    user_id: UserId,
    agent_id: OfAgent,
    chat_id: OfChat = None,
) -> TextContext:
    """Return instructions and message history, from the same memory as in calls, for a model of your own.
    There is always an answer within TEXT_CONTEXT_DEADLINE_MS, with less in it when something fails. 409 when
    the chat is another user's or agent's."""
    on_behalf.check(request, user_id, agent_id)
    told = await dependencies.contexts.of(Question(user_id, agent_id, chat_id))
    return TextContext(
        instructions=told.instructions,
        message_history=MessageHistory(
            openai=message_history.openai(told.history), pydantic_ai=message_history.pydantic_ai(told.history)
        ),
        context=msgspec.to_builtins(told.record),
    )
