"""Migrations: many at once, again, and never backwards."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from conftest import _admin, _of
from pretend.trouble import Process
from sqlalchemy.ext.asyncio import create_async_engine

from voice_server.embedded.services import Embedded
from voice_server.errors import ConfigurationError
from voice_server.store.migrate import _LOCK, migrate
from voice_server.store.tables import metadata


@pytest.fixture
async def empty(services: Embedded) -> AsyncIterator[str]:
    """A database with nothing in it."""
    name = f"test_{uuid.uuid4().hex}"
    connection = await _admin(services.database_url)
    await connection.execute(f"create database {name} template template0")
    yield _of(services.database_url, name)
    await connection.execute(f"drop database {name} with (force)")
    await connection.close()


async def test_the_first_time_there_is_something_to_do_and_then_no_more(empty: str) -> None:
    assert [await migrate(empty), await migrate(empty)] == [True, False]


async def test_five_processes_migrate_at_once(empty: str, start: Callable[..., Process]) -> None:
    given = {
        "DATABASE_URL": empty,
        "REDIS_URL": "redis://127.0.0.1:1",
        "PLATFORM_TOKEN": "t",
        "ELEVENLABS_WEBHOOK_SECRET": "s",
    }
    started = [start("migrate", **given) for _ in range(5)]

    codes = await asyncio.gather(*(asyncio.to_thread(one.wait) for one in started))

    said = sorted(one.said.strip() for one in started)
    assert codes == [0] * 5
    assert said.count("migrated") == 1
    assert said.count("up to date") == 4


async def test_a_database_of_a_newer_release_is_refused(database_url: str) -> None:
    engine = create_async_engine(database_url)
    async with engine.begin() as connection:
        await connection.execute(sa.text("update alembic_version set version_num = '9999'"))

    with pytest.raises(ConfigurationError, match="revision 9999, newer than this code"):
        await migrate(database_url)

    async with engine.connect() as connection:
        assert (
            await connection.execute(sa.text("select version_num from alembic_version"))
        ).scalar() == "9999"
    await engine.dispose()


async def test_who_waits_too_long_for_another_is_told_so(empty: str) -> None:
    engine = create_async_engine(empty)
    async with engine.connect() as connection:
        await connection.execute(sa.text(f"select pg_advisory_lock({_LOCK})"))

        with pytest.raises(ConfigurationError, match="another process has been migrating"):
            await migrate(empty, patience=0.1)
    await engine.dispose()


async def test_the_tables_in_the_code_are_those_in_the_database(database_url: str) -> None:
    engine = create_async_engine(database_url)
    async with engine.connect() as connection:
        differences = await connection.run_sync(_differences)
    await engine.dispose()

    assert differences == []


def _differences(connection: sa.Connection) -> object:
    options = {
        "include_name": lambda name, type_, _parents: (
            type_ != "table" or not (name or "").startswith("pgqueuer")
        ),
        "compare_type": True,
        "compare_server_default": True,
    }
    return compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
