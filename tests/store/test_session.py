"""The door to Postgres: it survives a restart behind it."""

import pytest
import sqlalchemy as sa
from pretend.trouble import Trouble
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.settings import Settings
from voice_server.store import session


async def one(engine: AsyncEngine) -> object:
    async with engine.begin() as connection:
        return (await connection.execute(sa.text("select 1"))).scalar()


async def test_the_pool_survives_a_restart_of_postgres(fragile: Settings, trouble: Trouble) -> None:
    engine = session.connect(fragile.database_url, 3)
    held = [await engine.connect() for _ in range(3)]
    for connection in held:
        await connection.execute(sa.text("select 1"))
        await connection.close()

    await trouble.restart("postgres")

    assert await session.retrying(lambda: one(engine)) == 1
    assert [await one(engine) for _ in range(3)] == [1, 1, 1]
    await engine.dispose()


async def test_what_fails_for_another_reason_is_not_tried_again(database_url: str) -> None:
    engine = session.connect(database_url, 3)
    tries = 0

    async def wrong() -> None:
        nonlocal tries
        tries += 1
        async with engine.begin() as connection:
            await connection.execute(sa.text("select wrong"))

    with pytest.raises(DBAPIError):
        await session.retrying(wrong)
    assert tries == 1
    await engine.dispose()


async def test_an_outdated_statement_is_tried_again(database_url: str) -> None:
    """After a migration the statements that pooled connections have prepared are of the old tables."""
    engine = session.connect(database_url, 3)

    async def users() -> object:
        async with engine.begin() as connection:
            return (await connection.execute(sa.text("select * from users"))).all()

    await users()
    other = session.connect(database_url, 1)
    async with other.begin() as connection:
        await connection.execute(sa.text("alter table users add column mood text"))

    assert await session.retrying(users) == []
    await engine.dispose()
    await other.dispose()
