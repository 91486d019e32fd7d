"""Talk put straight into the store, and indexed by the real job: what the tests of the search begin with."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.jobs.index import Index
from voice_server.search import lookup
from voice_server.search.hybrid import Semantics
from voice_server.search.types import Hit, Query, Timeline

ADA, GRACE, ROBIN = "usr_ada", "usr_grace", "agent_robin"
NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
_CALL = sa.text("""
insert into conversations
    (platform, platform_id, agent_id, user_id, channel, outcome, started_at, ended_at, language)
values ('elevenlabs', :name, :agent, :user, 'voice', :outcome, :at, :ended, :language) returning id
""")
_MESSAGE = sa.text("""
insert into messages (conversation_id, position, role, content, said_at)
values (:id, :position, :role, :content, :at)
""")


class Talk:
    """Conversations of a few users with one agent."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._calls = 0

    async def begin(self, *user_ids: str, agents: Sequence[str] = (ROBIN,)) -> "Talk":
        """Make the agents and the users known: Ada, and these."""
        async with self.engine.begin() as connection:
            for agent in agents:
                await connection.execute(
                    sa.text("insert into agents (id, platform) values (:id, 'elevenlabs')"), {"id": agent}
                )
            for user_id in (ADA, *user_ids):
                await connection.execute(sa.text("insert into users (id) values (:id)"), {"id": user_id})
        return self

    async def call(
        self,
        at: str,
        *said: str,
        user_id: str = ADA,
        agent_id: str = ROBIN,
        outcome: str = "talked",
        language: str = "",
        apart: timedelta = timedelta(seconds=20),
    ) -> int:
        """A call that begins at a moment (`2026-11-10 09:00`, UTC unless it says otherwise), what is said in
        it as `role: text`, one message after the other; its id. Index it with `index`."""
        started = datetime.fromisoformat(at)
        started = started if started.tzinfo else started.replace(tzinfo=UTC)
        self._calls += 1
        async with self.engine.begin() as connection:
            values = {"name": f"conv_{self._calls}", "agent": agent_id, "user": user_id, "outcome": outcome}
            times = {"at": started, "ended": started + len(said) * apart, "language": language}
            id_: int = (await connection.execute(_CALL, {**values, **times})).scalar_one()
            for position, line in enumerate(said):
                role, _, text = line.partition(": ")
                row = {"id": id_, "position": position, "role": role, "content": text}
                await connection.execute(_MESSAGE, {**row, "at": started + position * apart})
        return id_

    async def index(self, *user_ids: str, agent_id: str = ROBIN) -> None:
        """Let the job run for these users (Ada when none is named)."""
        keys = [f"{user_id}|{agent_id}" for user_id in user_ids or (ADA,)]
        async with self.engine.connect() as connection:
            apply = await Index().prepare(connection, keys)
        async with self.engine.begin() as connection:
            await apply(connection, keys)

    async def search(
        self,
        text: str,
        *,
        user_id: str = ADA,
        agent_id: str = ROBIN,
        timezone: str = "UTC",
        names: tuple[str, str] = ("", ""),
        now: datetime = NOW,
        semantics: Semantics | None = None,
        **filters: Any,
    ) -> list[Hit]:
        timeline = Timeline(user_id, agent_id, timezone, names)
        async with self.engine.connect() as connection:
            return await lookup.messages_and_days(
                connection, timeline, Query(text, **filters), now=now, semantics=semantics
            )

    async def found(self, text: str, **more: Any) -> list[str]:
        """The messages that the search finds, best first."""
        return [hit.snippet for hit in await self.search(text, **more) if hit.kind == "message"]

    async def query(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        """Look into the database, or change it behind everybody's back."""
        async with self.engine.begin() as connection:
            found: Any = await connection.execute(sa.text(sql), values)
            return [tuple(row) for row in found] if found.returns_rows else []
