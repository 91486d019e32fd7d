"""Chats in which nobody writes any more: what was said is understood, and sittings that are over end."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.operations.chats import record_chat
from voice_server.queue import digest_requests
from voice_server.store.conversations import chats
from voice_server.store.conversations.chats import SilentSitting, Sitting
from voice_server.store.people import users

QUIET = timedelta(minutes=1)  # nobody writes any more: what was said can be understood
_BATCH = 200


class QuietChats:
    """`pause` ends a sitting; `clock` gives unix seconds."""

    def __init__(self, engine: AsyncEngine, clock: Callable[[], float], *, pause: timedelta) -> None:
        self._engine = engine
        self._clock = clock
        self._pause = pause

    async def wake(self) -> None:
        now = datetime.fromtimestamp(self._clock(), UTC)
        await self._end_those_over(now - self._pause)
        async with self._engine.begin() as connection:
            for one in await chats.quiet(connection, now - QUIET, _BATCH):
                await digest_requests.request(connection, one.id, one.user_id, one.agent_id, "silence")

    async def _end_those_over(self, before: datetime) -> None:
        async with self._engine.connect() as connection:
            over = await chats.over(connection, before, _BATCH)
        for one in over:
            async with self._engine.begin() as connection:
                await users.stay(connection)
                await users.lock(connection, one.user_id)
                chat = await chats.find(connection, one.chat_id)
                if chat and chat.sitting and _is_over(chat.sitting, one, before):
                    await record_chat.end(connection, chat.sitting, one.chat_id)


def _is_over(sitting: Sitting, found: SilentSitting, before: datetime) -> bool:
    """Look again: something may have been said meanwhile, or its user have been merged."""
    return sitting.goes_on and sitting.heard_at < before and sitting.user_id == found.user_id
