"""Who was on the line, where a tool or the host application said so. The latest word counts, whether it comes
before the conversation's event or after it."""

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.store import users
from voice_server.store.tables import identifications


async def put(connection: AsyncConnection, platform: str, platform_id: str, user_id: str) -> None:
    """Note who is on the line in the conversation with this id of its platform's."""
    statement = insert(identifications).values(platform=platform, platform_id=platform_id, user_id=user_id)
    latest = {"user_id": statement.excluded.user_id, "identified_at": sa.func.now()}
    await connection.execute(
        statement.on_conflict_do_update(index_elements=["platform", "platform_id"], set_=latest)
    )


async def of(connection: AsyncConnection, platform: str, platform_id: str) -> str | None:
    """Who was said to be on the line, or whom they were merged into; None when nothing was said."""
    named = (identifications.c.platform == platform) & (identifications.c.platform_id == platform_id)
    statement = sa.select(identifications.c.user_id).where(named)
    user_id = (await connection.execute(statement)).scalar_one_or_none()
    return await users.survivor(connection, user_id) if user_id else None
