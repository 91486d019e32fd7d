"""Expiry: open threads nobody came back to for as long as the settings give their kind, once a day.

Runs beside the queue in every worker; several at once share the work, a transaction for each user.
"""

from collections.abc import Callable
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.queue import prompt_requests
from voice_server.store.knowledge import threads
from voice_server.store.people import users

_BATCH = 500


class ThreadLifetimes(Struct, frozen=True):
    """Days for which each kind of thread stays open; 0 is for ever."""

    promise: int = 60
    request: int = 30
    question: int = 30
    plan: int = 30
    topic: int = 14


class Expiry:
    def __init__(self, engine: AsyncEngine, open_for: ThreadLifetimes, clock: Callable[[], float]) -> None:
        self._engine = engine
        self._days = asdict(open_for)
        self._clock = clock

    async def expire(self) -> None:
        now = datetime.fromtimestamp(self._clock(), UTC)
        while True:
            async with self._engine.connect() as connection:
                found = await threads.users_with_old_ones(connection, now, self._days, _BATCH)
            if not found:
                return
            for user_id in found:
                await self._expire(user_id, now)

    async def _expire(self, user_id: str, now: datetime) -> None:
        async with self._engine.begin() as connection:
            await users.lock(connection, user_id)
            for agent_id in await threads.expire(connection, user_id, now, self._days):
                await prompt_requests.request(connection, user_id, agent_id, trigger="upkeep")
