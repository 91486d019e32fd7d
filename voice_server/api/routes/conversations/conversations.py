"""Conversations: the list of a user's, and what was said, told and understood in each."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from voice_server.api.http import fields, paging, problem
from voice_server.api.http.dependencies import Moving, OfUser, Reading, TheDependencies
from voice_server.api.http.fields import AgentId, AnyUser, Moment, OfAnyAgent, RequestBody, RowId
from voice_server.api.http.paging import Page
from voice_server.domain.conversation import Channel, Role
from voice_server.domain.digest import Source
from voice_server.operations.people import erasing, identification
from voice_server.platforms import registry
from voice_server.store.conversations import conversation_views
from voice_server.store.conversations.conversation_views import (
    ConversationFilter,
    ConversationView,
    Place,
    Row,
)
from voice_server.store.conversations.conversations import Outcome

router = APIRouter(tags=["conversations"])


_PlatformId = Annotated[
    str, Path(min_length=1, max_length=200, description="Its id at the platform: `conv_…`"), fields.Storable
]


class Conversation(BaseModel):
    """A call or a sitting of a chat."""

    id: int
    platform: str
    platform_id: str = Field(description="Its id at the platform")
    agent_id: str
    user_id: str | None = Field(description="Null while nobody knows who it was with")
    channel: Channel
    outcome: Outcome
    started_at: datetime
    ended_at: datetime
    goes_on: bool = Field(description="A chat to which messages may still come; `ended_at` is its latest one")
    language: str
    prompt_version: str = Field(
        description="Of the prompt it began with; empty when the platform did not say"
    )
    summary: str = Field(description="Empty before it is digested")


class Message(BaseModel):
    """An utterance, tool call or tool result."""

    position: int
    role: Role
    content: str
    said_at: datetime
    tool_name: str | None


class KeyMoment(BaseModel):
    """Something said that is worth keeping."""

    said_at: datetime
    text: str
    position: int


class Digest(BaseModel):
    """What the digest says, and what the model took for it."""

    source: Source
    key_moments: list[KeyMoment]
    model: str = Field(description="Empty for one made without")
    tokens_in: int
    tokens_out: int
    created_at: datetime


class WholeConversation(BaseModel):
    """A conversation with all that came of it."""

    conversation: Conversation
    messages: list[Message]
    understood: Digest | None
    prompt_kept: bool = Field(
        description="The prompt it began with can be read: see `/conversations/{conversation_id}/prompt`"
    )
    thoughts_used: list[int] = Field(description="The thoughts which that prompt held")


class Caller(RequestBody):
    """Who is on the line."""

    user_id: AnyUser
    anywhere: bool = Field(
        False,
        description="Also when they are no member of a shared line the call came over: at a friend's phone",
    )
    agent_id: AgentId | None = Field(
        None, description="With whom they talk, where the platform did not ask us: tools then work meanwhile"
    )


class CallerIdentity(BaseModel):
    """Whose conversation it is."""

    platform_id: str
    user_id: str


@router.get(
    "/users/{user_id}/conversations", response_model=Page[Conversation], summary="List a user's conversations"
)
async def list_conversations(
    connection: Reading,
    user_id: OfUser,
    agent_id: OfAnyAgent = None,
    limit: paging.Limit = 50,
    cursor: paging.Cursor = None,
) -> dict[str, Any]:
    """List a user's conversations, latest first."""
    before = paging.after(cursor, Place)
    rows = await conversation_views.page(connection, user_id, agent_id, before=before, limit=limit + 1)
    return paging.page(rows, limit, _place)


@router.get("/conversations", response_model=Page[Conversation], summary="List everybody's conversations")
async def list_everybodys(
    connection: Reading,
    agent_id: OfAnyAgent = None,
    channel: Annotated[Channel | None, Query(description="Only calls, or only chats")] = None,
    outcome: Annotated[Outcome | None, Query(description="Only those that ended so")] = None,
    since: Annotated[Moment | None, Query(description="Only those that began then or later")] = None,
    until: Annotated[Moment | None, Query(description="Only those that began before")] = None,
    limit: paging.Limit = 50,
    cursor: paging.Cursor = None,
) -> dict[str, Any]:
    """List the conversations of all users, latest first."""
    before = paging.after(cursor, Place)
    wanted = ConversationFilter(agent_id, channel, outcome, since, until)
    rows = await conversation_views.of_everybody(connection, wanted, before=before, limit=limit + 1)
    return paging.page(rows, limit, _place)


@router.get(
    "/unidentified-conversations",
    response_model=Page[Conversation],
    summary="List conversations of nobody known",
)
async def list_unidentified(
    connection: Reading, agent_id: OfAnyAgent = None, limit: paging.Limit = 50, cursor: paging.Cursor = None
) -> dict[str, Any]:
    """List calls over shared lines whose caller was not identified, and calls of callers who hid, latest
    first."""
    before = paging.after(cursor, Place)
    rows = await conversation_views.page(connection, None, agent_id, before=before, limit=limit + 1)
    return paging.page(rows, limit, _place)


@router.get(
    "/conversations/{conversation_id}", response_model=WholeConversation, summary="Get a conversation"
)
async def get_conversation(connection: Reading, conversation_id: RowId) -> ConversationView:
    """Return what was said, what was understood from it, and which prompt it began with."""
    return await conversation_views.get(connection, conversation_id)


@router.delete("/conversations/{conversation_id}", status_code=204, summary="Erase a conversation")
async def erase_conversation(
    connection: Moving, dependencies: TheDependencies, conversation_id: RowId
) -> None:
    """Erase what was said and all that was learned from it alone, also facts, thoughts and threads that a
    person pinned or edited. What other conversations say, too, stays. From now on no call is told anything of
    it: the prompts that could tell it are gone, and the next ones are built without. A call stays erased when
    its event comes again."""
    await erasing.conversation(connection, dependencies.redis, conversation_id)


@router.put(
    "/calls/{platform_id}/caller",
    responses=problem.documented(409),
    summary="Identify the caller of a conversation",
)
async def identify_caller(
    connection: Moving, dependencies: TheDependencies, platform_id: _PlatformId, given: Caller
) -> CallerIdentity:
    """Say who is on the line, during the call or afterwards. The conversation becomes theirs and is
    understood anew. The latest request counts. 409 when the call came over a shared line that the user is no
    member of, unless `anywhere` is set."""
    call = identification.Call(registry.DEFAULT.name, platform_id)
    user = await identification.identify(
        connection,
        dependencies.redis,
        call,
        given.user_id,
        agent_id=given.agent_id or "",
        anywhere=given.anywhere,
    )
    return CallerIdentity(platform_id=platform_id, user_id=user)


def _place(row: Row) -> Place:
    return Place(row.started_at, row.id)
