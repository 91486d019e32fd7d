"""Restore a backup into a database that knows nobody yet, and migrate it to this release. All or nothing."""

import asyncio
import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from voice_server.cache import prompt_cache, redis_client
from voice_server.commands.data.backup import STANDARD_STREAM
from voice_server.commands.data.dumps import Programs
from voice_server.errors import BackupError, VoiceServerError
from voice_server.store.lifecycle import contents
from voice_server.store.migrate import is_known, migrate
from voice_server.store.session import ERRORS, driver

_MAGIC = b"PGDMP"
_LEAVING = 10  # tenths of a second in which a connection that was closed is gone


async def run(database_url: str, redis_url: str, source: Path, programs: Programs) -> str:
    """Restore, and return what to say. Raises BackupError, having changed nothing, for a file that is
    damaged, newer or not ours, and for a database that does not take it, has users or events, or is in use.
    Once restored, prompts of other people leave Redis; what fails from then on says so."""
    with _file(source) as file:
        await _require_readable(file, programs)
        engine = create_async_engine(database_url, poolclass=sa.NullPool)
        redis = redis_client.connect(redis_url)
        try:
            await prompt_cache.ping(redis)
            await programs.load(file, database_url, await _removal(engine))
            with _once_restored(source, "delete our keys (voice:*) from Redis, then run scripts/migrate"):
                await prompt_cache.forget_all(redis)
            with _once_restored(source, "run scripts/migrate"):
                migrated = await migrate(database_url)
                restored = await _settle(engine)
        finally:
            await redis.aclose()
            await engine.dispose()
    return f"restored {restored} from {source}{', brought up to this release' if migrated else ''}"


@contextlib.contextmanager
def _file(source: Path) -> Iterator[Path]:
    """Spool the standard input, which is read more than once."""
    if source != STANDARD_STREAM:
        if not source.is_file():
            raise BackupError(f"there is no file {source}")
        yield source
        return
    with tempfile.NamedTemporaryFile(prefix="voice-server-", suffix=".backup") as spooled:
        shutil.copyfileobj(sys.stdin.buffer, spooled)
        spooled.flush()
        yield Path(spooled.name)


async def _require_readable(file: Path, programs: Programs) -> None:
    if not _begins_as_one(file):
        raise BackupError(f"{file} is no backup, and nothing was changed")
    try:
        revision = await programs.revision(file)
        await programs.check(file)
    except BackupError as error:
        raise BackupError(f"{file} cannot be restored, and nothing was changed: {error}") from None
    if not is_known(revision):
        raise BackupError(
            f"{file} is of a newer release than this one (revision {revision}): update the code"
        )


def _begins_as_one(file: Path) -> bool:
    """Tell whether it begins as pg_dump's files do: pg_restore takes anything else for some other format."""
    with file.open("rb") as opened:
        return opened.read(len(_MAGIC)) == _MAGIC


async def _removal(engine: AsyncEngine) -> str:
    async with engine.begin() as connection:
        await _require_new(connection)
        return await contents.removal(connection)


@contextlib.contextmanager
def _once_restored(source: Path, advice: str) -> Iterator[None]:
    """Advise on Redis and migrations, which are not in the load's transaction."""
    try:
        yield
    except (RedisError, VoiceServerError, *ERRORS) as error:
        raise BackupError(f"{source} is restored, and then something failed: {advice} ({error})") from error


async def _require_new(connection: AsyncConnection) -> None:
    if await contents.knows_anybody(connection):
        raise BackupError(
            "the database has users or events in it, and a backup is not mixed with them: "
            "restore into a new one. DATA_DIR or DATABASE_URL says which; or move the data directory away"
        )
    for _ in range(_LEAVING):
        if not (others := await contents.count_others(connection)):
            return
        await asyncio.sleep(0.1)
    raise BackupError(f"the database is in use (other connections: {others}): stop the server first")


async def _settle(engine: AsyncEngine) -> contents.Contents:
    """Analyze the tables before Postgres plans the first search."""
    async with engine.begin() as connection:
        await connection.execute(sa.text("select 1"))
        await (await driver(connection)).execute("analyze")
        return await contents.count(connection)
