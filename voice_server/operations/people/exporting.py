"""Everything that is known of a person, line by line. Each batch has a connection of its own, which is given
back before anything is sent: who takes the lines slowly keeps nobody waiting."""

import contextlib
from collections.abc import AsyncIterator
from datetime import date, datetime
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.errors import NotFound
from voice_server.store.conversations import chat_summaries, conversation_views
from voice_server.store.knowledge import day_segments, earlier_summaries, facts, thoughts, threads
from voice_server.store.people import user_profiles
from voice_server.store.prompts import prompt_history

_BATCH = 100

_encoder = msgspec.json.Encoder()


async def lines(engine: AsyncEngine, user_id: str) -> AsyncIterator[bytes]:
    """Yield JSON objects, a line each, with their `type`. What goes meanwhile is left out."""
    async with engine.connect() as connection:
        told = [_line("user", await user_profiles.get(connection, user_id))]
        told += [_line("chat_summary", one) for one in await chat_summaries.of_user(connection, user_id)]
    yield b"".join(told)
    async for batch in _conversations(engine, user_id):
        yield batch
    async for batch in _days(engine, user_id):
        yield batch
    for name, rows in (("fact", facts), ("thread", threads), ("thought", thoughts)):
        after = 0
        while True:
            async with engine.connect() as connection:
                found = await rows.page(connection, user_id, None, after=after, limit=_BATCH)
            if not found:
                break
            yield b"".join(_line(name, one) for one in found)
            after = found[-1].id
    async for batch in _prompts(engine, user_id):
        yield batch


async def _conversations(engine: AsyncEngine, user_id: str) -> AsyncIterator[bytes]:
    before: tuple[datetime, int] | None = None
    while True:
        async with engine.connect() as connection:
            talks = await conversation_views.page(connection, user_id, None, before=before, limit=_BATCH)
            told = [await _conversation(connection, talk.id) for talk in talks]
        if not talks:
            return
        yield b"".join(told)
        before = talks[-1].started_at, talks[-1].id


async def _conversation(connection: AsyncConnection, id_: int) -> bytes:
    with contextlib.suppress(NotFound):
        return _line("conversation", await conversation_views.get(connection, id_))
    return b""


async def _days(engine: AsyncEngine, user_id: str) -> AsyncIterator[bytes]:
    before: tuple[date, int] | None = None
    while True:
        async with engine.connect() as connection:
            days = await day_segments.page(connection, user_id, None, before=before, limit=_BATCH)
            earlier = await earlier_summaries.of_days(connection, [day.id for day in days])
        if not days:
            return
        yield b"".join(_line("day", day, earlier=earlier.get(day.id, [])) for day in days)
        before = days[-1].day, days[-1].id


async def _prompts(engine: AsyncEngine, user_id: str) -> AsyncIterator[bytes]:
    before: int | None = None
    while True:
        async with engine.connect() as connection:
            built = await prompt_history.page(connection, user_id, None, before=before, limit=_BATCH)
            told = [await _prompt(connection, user_id, one.agent_id, one.version) for one in built]
        if not built:
            return
        yield b"".join(told)
        before = built[-1].id


async def _prompt(connection: AsyncConnection, user_id: str, agent_id: str, version: str) -> bytes:
    with contextlib.suppress(NotFound):
        return _line("prompt", await prompt_history.get(connection, user_id, agent_id, version))
    return b""


def _line(type_: str, row: Struct, **more: object) -> bytes:
    told: dict[str, Any] = {"type": type_, **asdict(row), **more}
    return _encoder.encode(told) + b"\n"
