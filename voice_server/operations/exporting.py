"""Everything that is known of a person, line by line: for who asks what there is about them."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store.conversations import conversation_views
from voice_server.store.knowledge import day_segments, facts, thoughts, threads
from voice_server.store.people import user_profiles
from voice_server.store.prompts import prompt_history

_BATCH = 100

_encoder = msgspec.json.Encoder()


async def lines(connection: AsyncConnection, user_id: str) -> AsyncIterator[bytes]:
    """JSON objects, a line each, with their `type`: the user, conversations with what was said and
    understood, days, facts, open threads, thoughts, prompts. Raises NotFound before the first."""
    yield _line("user", await user_profiles.get(connection, user_id))
    before: tuple[datetime, int] | None = None
    while talks := await conversation_views.page(connection, user_id, None, before=before, limit=_BATCH):
        for talk in talks:
            yield _line("conversation", await conversation_views.get(connection, talk.id))
        before = talks[-1].started_at, talks[-1].id
    last = None
    while days := await day_segments.page(connection, user_id, None, before=last, limit=_BATCH):
        for day in days:
            yield _line("day", day)
        last = days[-1].day, days[-1].id
    for name, rows in (("fact", facts), ("thread", threads), ("thought", thoughts)):
        after = 0
        while found := await rows.page(connection, user_id, None, after=after, limit=_BATCH):
            for one in found:
                yield _line(name, one)
            after = found[-1].id
    older: int | None = None
    while built := await prompt_history.page(connection, user_id, None, before=older, limit=_BATCH):
        for one in built:
            yield _line("prompt", await prompt_history.get(connection, user_id, one.agent_id, one.version))
        older = built[-1].id


def _line(type_: str, row: Struct) -> bytes:
    told: dict[str, Any] = {"type": type_, **asdict(row)}
    return _encoder.encode(told) + b"\n"
