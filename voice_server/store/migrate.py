"""Migrations at the start, safe with many processes at once; one SELECT when there is nothing to do."""

import asyncio
import contextlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from voice_server.errors import ConfigurationError

_LOCK = 0x766F6963655F6D69  # any constant of ours
_PATIENCE = 10.0  # seconds for a table that somebody else holds: whoever comes after us waits as long
_HELD = "55P03"  # lock_not_available


async def migrate(database_url: str, *, patience: float = 300) -> bool:
    """Migrate the database; return whether there was anything to do. Raises ConfigurationError when it is
    newer than this code, another process migrates for more than `patience` seconds, or something else holds a
    table."""
    engine = create_async_engine(database_url, poolclass=sa.NullPool)
    try:
        async with engine.connect() as connection:
            if await _revision(connection) == _newest():
                return False
            # Not in a transaction, and TRY + sleep: a session waiting inside pg_advisory_lock() holds a
            # snapshot, and CREATE INDEX CONCURRENTLY waits for every older snapshot: a deadlock.
            await connection.rollback()
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            await _lock(connection, patience)
            try:
                return await _upgrade(engine)
            finally:
                await connection.execute(sa.text("select pg_advisory_unlock(:key)"), {"key": _LOCK})
    finally:
        await engine.dispose()


async def _revision(connection: AsyncConnection) -> str | None:
    if (await connection.execute(sa.text("select to_regclass('alembic_version')"))).scalar() is None:
        return None
    return (await connection.execute(sa.text("select version_num from alembic_version"))).scalar()


async def _lock(connection: AsyncConnection, patience: float) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + patience
    while not (
        await connection.execute(sa.text("select pg_try_advisory_lock(:key)"), {"key": _LOCK})
    ).scalar():
        if loop.time() > end:
            raise ConfigurationError(f"another process has been migrating for {patience:.0f} s; is it stuck?")
        await asyncio.sleep(0.2)


async def _upgrade(engine: AsyncEngine) -> bool:
    async with engine.connect() as connection:
        before = await _revision(connection)
        _refuse_newer(before)
        await connection.execute(sa.text(f"set lock_timeout = {_PATIENCE * 1000:.0f}"))
        await connection.commit()
        with _told_if_held():
            await connection.run_sync(_run)
            await connection.commit()
    return before != _newest()


@contextlib.contextmanager
def _told_if_held() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", "") != _HELD:
            raise
        raise ConfigurationError(
            f"something else has held a table that is to change for {_PATIENCE:.0f} s, such as a backup that "
            "runs: nothing is half migrated, run this again when that has ended"
        ) from error


def is_known(revision: str) -> bool:
    """Tell whether this release can migrate from this revision: a newer release's it cannot."""
    return revision in {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}


def _refuse_newer(revision: str | None) -> None:
    if revision is not None and not is_known(revision):
        raise ConfigurationError(
            f"the database is at revision {revision}, newer than this code: update the code"
        )


def _run(connection: sa.Connection) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


@cache
def _newest() -> str | None:
    return ScriptDirectory.from_config(_config()).get_current_head()


def _config() -> Config:
    config = Config()
    config.set_main_option("path_separator", "os")
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config
