"""Chats: what was said in writing, told by the host application's own text agent."""

from datetime import datetime
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field, model_validator

from voice_server.api.http import fields, on_behalf, paging, problem
from voice_server.api.http.dependencies import OfUser, Reading, TheDependencies
from voice_server.api.http.fields import AgentId, Language, Moment, OfAnyAgent, RequestBody, UserId, Word
from voice_server.api.http.paging import Page
from voice_server.domain.conversation import ChatMessage, Role
from voice_server.operations.chats import record_chat
from voice_server.operations.chats.record_chat import ChatUpdate, RecordingRules
from voice_server.store.conversations import chats
from voice_server.store.conversations.chats import Chat

router = APIRouter(tags=["chats"])

_MOST, _FURTHEST = 200, 1_000_000
_TOOLS = ("tool_call", "tool_result")

ChatId = Annotated[
    str,
    Path(
        min_length=1, max_length=200, description="Its id at the host application, no other user's chat has"
    ),
    fields.Storable,
]


class NewMessage(RequestBody):
    """An utterance, tool call or tool result."""

    role: Role
    content: Annotated[str, Field(min_length=1, max_length=fields.LONGEST_MESSAGE), fields.Storable] = Field(
        description="Of a tool call its arguments, of a result what came back"
    )
    said_at: Moment | None = Field(
        None, description="Left out, or later than now: now. Never before the message before it"
    )
    tool_name: Word = Field("", description="Whose call or result it is; empty for an utterance")

    @model_validator(mode="after")
    def _names_its_tool(self) -> "NewMessage":
        if (self.role in _TOOLS) != bool(self.tool_name):
            raise ValueError("send `tool_name` with a tool_call or a tool_result, and only with these")
        return self


class NewMessages(RequestBody):
    """What was said, in order."""

    agent_id: AgentId
    messages: list[NewMessage] = Field(
        [], max_length=_MOST, examples=[[{"role": "user", "content": "I found the recipe after all."}]]
    )
    first: Annotated[int, Field(ge=0, le=_FURTHEST)] | None = Field(
        None,
        description="The position of the first of them, counted from 0: what is there already is left as it "
        "is, so the request can be sent again. Left out: they come behind all that is there",
        examples=[0],
    )
    ended: bool = Field(
        False,
        description="Nothing more is to come for now: it is understood at once, not after DAY_PAUSE_HOURS",
    )
    language: Language = ""


class ChatState(BaseModel):
    """A chat as it stands."""

    conversation_id: int | None = Field(
        description="Its latest sitting, as `/conversations/{conversation_id}` shows it; null when that was "
        "erased"
    )
    messages: int = Field(description="How many it has: the position of the next one")
    goes_on: bool = Field(description="The latest sitting is not over")


class ListedChat(BaseModel):
    """A chat in a list."""

    chat_id: str
    agent_id: str
    last_at: datetime = Field(description="When the latest was said in it")
    messages: int = Field(description="How many are kept")
    began_with: str = Field(description="The user's first words in it, 100 characters at most")


class _Place(NamedTuple):
    last_at: datetime
    chat_id: str


@router.get(
    "/users/{user_id}/chats",
    response_model=Page[ListedChat],
    responses=problem.documented(403),
    summary="List a user's chats",
)
async def list_chats(
    request: Request,
    connection: Reading,
    user_id: UserId,
    of_user: OfUser,
    agent_id: OfAnyAgent = None,
    limit: paging.Limit = 50,
    cursor: paging.Cursor = None,
) -> dict[str, Any]:
    """List a user's chats, latest first, whether you told us of them or they were answered here."""
    on_behalf.check(request, user_id, agent_id)
    before = paging.after(cursor, _Place)
    rows = await chats.page(connection, of_user, agent_id, before=before, limit=limit + 1)
    return paging.page(rows, limit, lambda row: _Place(row.last_at, row.chat_id))


@router.post(
    "/users/{user_id}/chats/{chat_id}/messages",
    responses=problem.documented(409),
    summary="Add what was said in a chat",
)
async def add_messages(
    dependencies: TheDependencies, user_id: UserId, chat_id: ChatId, given: NewMessages
) -> ChatState:
    """Add messages to a chat, which begins with its first message. They are remembered as calls are. Tools
    find them at once. They are told on the phone after ten messages, a minute of silence, or the end of a
    sitting. Each sitting is a conversation: it ends after DAY_PAUSE_HOURS without a word, or with 300
    messages. 409 when the chat is another user's or agent's, when other messages are at these positions, or
    when earlier ones are missing."""
    told = ChatUpdate(
        chat_id,
        user_id,
        given.agent_id,
        tuple(
            ChatMessage(one.role, one.content, one.said_at, one.tool_name or None) for one in given.messages
        ),
        given.first,
        given.ended,
        given.language,
    )
    sums_up = dependencies.contexts.sums_up(given.agent_id)
    when = RecordingRules(
        dependencies.now(), dependencies.day_pause, dependencies.redact_transcripts, sums_up
    )
    return _state(
        await record_chat.tell(dependencies.engine, dependencies.redis, told, dependencies.count, when)
    )


def _state(chat: Chat) -> ChatState:
    sitting = chat.sitting
    return ChatState(
        conversation_id=sitting.conversation_id if sitting else None,
        messages=chat.messages,
        goes_on=sitting is not None and sitting.goes_on,
    )
