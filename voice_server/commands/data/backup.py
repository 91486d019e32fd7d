"""Back up the whole database, as it is at one moment, to one file. Calls go on meanwhile."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from voice_server.commands.data.dumps import Programs
from voice_server.errors import BackupError
from voice_server.store.lifecycle import contents
from voice_server.store.lifecycle.contents import Contents

STANDARD_STREAM = Path("-")


async def run(database_url: str, target: Path, programs: Programs, *, overwrite: bool) -> str:
    """Back up, and return what to say. The file appears when it is whole, readable by its owner alone. Raises
    BackupError, and then leaves what was there."""
    if target == STANDARD_STREAM:
        _refuse_terminal()
        return f"backed up {await save(database_url, None, programs)}"
    with _new_file(target, overwrite=overwrite) as unfinished:
        saved = await save(database_url, unfinished, programs)
    return f"backed up {saved}: {_size(target):,} bytes in {target}"


async def save(database_url: str, file: Path | None, programs: Programs) -> Contents:
    """Dump, and return what is in it, counted in the dump's own snapshot. Raises BackupError."""
    engine = create_async_engine(database_url, poolclass=sa.NullPool, isolation_level="REPEATABLE READ")
    async with engine.connect() as connection:
        await _require_tables(connection)
        saved = await contents.count(connection)
        snapshot = (await connection.execute(sa.text("select pg_export_snapshot()"))).scalar_one()
        await programs.dump(database_url, file, snapshot)
    await engine.dispose()
    return saved


async def _require_tables(connection: AsyncConnection) -> None:
    if not await contents.has_tables(connection):
        raise BackupError("the database is empty: there is nothing to back up")


@contextlib.contextmanager
def _new_file(target: Path, *, overwrite: bool) -> Iterator[Path]:
    if target.exists() and not overwrite:
        raise BackupError(f"{target} exists: choose another name, or --force")
    try:
        descriptor, name = tempfile.mkstemp(".part", f"{target.name}.", target.parent)  # mode 0600
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror}") from None
    unfinished = Path(name)
    try:
        yield unfinished
        os.fsync(descriptor)
        unfinished.rename(target)
    finally:
        unfinished.unlink(missing_ok=True)
        os.close(descriptor)


def _size(file: Path) -> int:
    return file.stat().st_size


def _refuse_terminal() -> None:
    if sys.stdout.isatty():
        raise BackupError("a backup is not for the eye: name a file, or send it on to another program")
