"""A user's conversations and digests, put straight into the store: what the tests of the store begin with.

The user is Ada, the agent Robin. Days are of November 2026; a conversation takes place at nine, UTC.
"""

from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.domain.digest import Digest
from voice_server.domain.fact import Claim
from voice_server.store.knowledge import digests
from voice_server.store.people import users

ADA, ROBIN = "usr_0000000000000000ada0", "agent_robin"
TEXTS = sa.text(
    "select text from facts where superseded_by is null and not excluded and not flagged and times > 0"
)
_CALL = sa.text("""
insert into conversations (platform, platform_id, agent_id, user_id, channel, outcome, started_at, ended_at)
values ('elevenlabs', :name, :agent, :user, 'voice', 'talked', :at,
    cast(:at as timestamptz) + interval '6 minutes')
on conflict (platform, platform_id) do update set user_id = excluded.user_id returning id
""")


def on(day: int) -> date:
    return date(2026, 11, day)


def at(day: int, hour: int = 20) -> datetime:
    """A moment on a day, in the evening if not told otherwise."""
    return datetime(2026, 11, day, hour, tzinfo=UTC)


def claim(text: str, day: int, **more: Any) -> Claim:
    return Claim("user", text, on(day), **{"positions": (0,), **more})


class Timeline:
    """Ada's conversations with Robin."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine

    async def begin(self, *user_ids: str) -> None:
        """Make the agent and the users known."""
        async with self.engine.begin() as connection:
            await connection.execute(
                sa.text("insert into agents (id, platform) values (:id, 'elevenlabs')"), {"id": ROBIN}
            )
            for user_id in (ADA, *user_ids):
                await connection.execute(sa.text("insert into users (id) values (:id)"), {"id": user_id})

    def transaction(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self.engine.begin()

    async def call(self, day: int, user_id: str = ADA, *, name: str = "") -> int:
        """A conversation on a day, if it is not there yet; its id."""
        values = {"name": name or f"conv_{day}", "agent": ROBIN, "user": user_id, "at": at(day, 9)}
        async with self.engine.begin() as connection:
            id_: int = (await connection.execute(_CALL, values)).scalar_one()
            return id_

    async def digest(self, day: int, *claims: Claim | str, user_id: str = ADA, **more: Any) -> int:
        """A conversation on a day, with what was claimed in it; its id."""
        id_ = await self.call(day, user_id)
        said = tuple(claim(one, day) if isinstance(one, str) else one for one in claims)
        async with self.engine.begin() as connection:
            await users.lock(connection, user_id)
            await digests.save(connection, id_, user_id, ROBIN, Digest("", "extractive", claims=said, **more))
            await digests.refresh(connection, user_id, ROBIN)
        return id_

    async def take_back(self, conversation_id: int) -> None:
        """As when it turns out to have been somebody else's, or silent."""
        async with self.engine.begin() as connection:
            await digests.remove(connection, conversation_id)

    async def query(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        """Look into the database, or change it behind everybody's back."""
        async with self.engine.begin() as connection:
            found: Iterable[Any] = await connection.execute(sa.text(sql), values)
            return [tuple(row) for row in found] if getattr(found, "returns_rows", False) else []

    async def told(self) -> set[str]:
        """The texts of the facts that a prompt may hold."""
        async with self.engine.connect() as connection:
            return set((await connection.execute(TEXTS)).scalars())
