"""What a request needs from outside: Postgres, Redis, the clock, what calls are answered with."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import Depends, Request
from msgspec import Struct
from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.api.http.fields import UserId
from voice_server.chat.stateless import StatelessTurns
from voice_server.chat.turns import Turns
from voice_server.context.layout.budget import Count
from voice_server.operations.chats.sum_up_chat import ChatSummaries
from voice_server.operations.chats.text_context import TextContexts
from voice_server.search.hybrid import Semantics
from voice_server.store import session
from voice_server.store.people import users
from voice_server.templates.library import TemplateLibrary
from voice_server.webhooks.pre_call import Defaults

IN_SCOPE = "voice_server.dependencies"  # of an ASGI request


class Dependencies(Struct, frozen=True):
    """`clock` gives unix seconds, `count` counts tokens. `region` and `timezone` are those of numbers, users
    and agents that have none. `defaults` are the prompts of callers nobody knows. `tokens_per_day` is what
    models may take, 0 for no limit. `semantics` is None where nothing is searched by meaning."""

    engine: AsyncEngine
    redis: Redis
    templates: TemplateLibrary
    defaults: Defaults
    clock: Callable[[], float]
    count: Count
    region: str
    timezone: str
    tokens_per_day: int
    merge_undo_days: int
    day_pause: timedelta
    redact_transcripts: bool
    tool_token_secrets: tuple[str, ...]
    contexts: TextContexts
    turns: Turns
    stateless: StatelessTurns
    summaries: ChatSummaries
    semantics: Semantics | None

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.clock(), UTC)

    async def now_for(self, connection: AsyncConnection, user_id: str, agent_id: str) -> datetime:
        """Return the present moment in the user's time zone, else the agent's."""
        return await self.local(connection, user_id, agent_id, self.now())

    async def local(self, connection: AsyncConnection, user_id: str, agent_id: str, at: datetime) -> datetime:
        """Convert a moment to the time zone in which the user was then."""
        own = await users.timezone(connection, user_id, at=at)
        agent = self.templates.agent(agent_id).agent
        return at.astimezone(ZoneInfo(own or agent.timezone or self.timezone))


def _dependencies(request: Request) -> Dependencies:
    dependencies: Dependencies = request.scope[IN_SCOPE]
    return dependencies


TheDependencies = Annotated[Dependencies, Depends(_dependencies)]


async def _reading(dependencies: TheDependencies) -> AsyncIterator[AsyncConnection]:
    session.expect_answer()
    async with dependencies.engine.connect() as connection:
        yield connection


async def _moving(dependencies: TheDependencies) -> AsyncIterator[AsyncConnection]:
    session.expect_answer()
    async with dependencies.engine.begin() as connection:
        yield connection


# `function`: committed before the answer is sent. Who reads 201 finds what was made.
Reading = Annotated[AsyncConnection, Depends(_reading, scope="function")]
# For what changes whose an address or a conversation is: `operations.people.revoke` takes its locks.
Moving = Annotated[AsyncConnection, Depends(_moving, scope="function")]


async def _writing(connection: Moving) -> AsyncConnection:
    """Keep addresses and conversations from changing hands until the transaction ends."""
    await users.stay(connection)
    return connection


Writing = Annotated[AsyncConnection, Depends(_writing, scope="function")]


async def _of_user(connection: Reading, user_id: UserId) -> str:
    return await users.require(connection, user_id)


async def _of_locked_user(connection: Writing, user_id: UserId) -> str:
    user = await users.require(connection, user_id)
    await users.lock(connection, user)
    return user


# Whose something is. Of a user who was merged into another one: the other.
OfUser = Annotated[str, Depends(_of_user, scope="function")]
OfLockedUser = Annotated[str, Depends(_of_locked_user, scope="function")]
