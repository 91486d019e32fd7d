"""Carries an embedded cluster over to this release's major version of Postgres.

pg (16) ── dump ──> upgrade/dump ── restore ──> upgrade/pg (18)      nothing is touched so far
pg ──> pg-16, upgrade/pg ──> pg                                       once all of it is there
"""

import asyncio
import os
import shutil
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from voice_server.commands.data import backup, dumps
from voice_server.embedded import old_cluster
from voice_server.embedded.layout import Layout
from voice_server.embedded.programs import POSTGRES_MAJOR
from voice_server.embedded.server import major_of
from voice_server.embedded.services import EmbeddedServices
from voice_server.errors import BackupError
from voice_server.store.lifecycle import contents
from voice_server.store.lifecycle.contents import Contents
from voice_server.store.migrate import migrate


def run(data_dir: Path, old_programs: Path | None) -> str:
    """Return what to say; the old cluster stays, under another name. The server must not run. Raises
    BackupError or EmbeddedError, and then has changed nothing."""
    layout = Layout(data_dir.expanduser().resolve())
    if not (layout.cluster.exists() or _is_interrupted(layout)):
        raise BackupError(f"there is no embedded Postgres in {layout.data}: DATA_DIR says where")
    with old_cluster.alone(layout):
        if _is_interrupted(layout):
            return _put_in_place(layout)
        major = major_of(layout.cluster)
        if major == POSTGRES_MAJOR:
            return f"the data in {layout.cluster} are of Postgres {major} already"
        return _carry_over(layout, major, old_cluster.find_programs(major, old_programs))


def _carry_over(layout: Layout, major: str, programs: Path) -> str:
    aside = layout.data / f"pg-{major}"
    if aside.exists():
        raise BackupError(f"{aside} is in the way: it is what an earlier upgrade has left; move it away")
    _make_room(layout)
    dump = layout.upgrade / "dump"
    with old_cluster.opened(layout, programs) as database_url:
        saved = asyncio.run(backup.save(database_url, dump, dumps.programs(None)))
    with EmbeddedServices(layout.upgrade) as new:
        _require_same(saved, asyncio.run(_restored(dump, new.database_url)))
    layout.cluster.rename(aside)
    return f"{_put_in_place(layout)}; the old ones are in {aside}: remove them when all is well"


def _make_room(layout: Layout) -> None:
    """Give the folder to whoever runs the old cluster."""
    shutil.rmtree(layout.upgrade, ignore_errors=True)
    layout.upgrade.mkdir(mode=0o700)
    old = layout.cluster.stat()
    os.chown(layout.upgrade, old.st_uid, old.st_gid)


async def _restored(dump: Path, database_url: str) -> Contents:
    await dumps.programs(None).load(dump, database_url)
    await migrate(database_url)
    engine = create_async_engine(database_url, poolclass=sa.NullPool)
    async with engine.connect() as connection:
        return await contents.count(connection)


def _require_same(saved: Contents, restored: Contents) -> None:
    if saved != restored:
        raise BackupError(f"there were {saved}, and {restored} came over: nothing was changed")


def _is_interrupted(layout: Layout) -> bool:
    """Tell by the state between the two renames: then the new cluster was whole."""
    return not layout.cluster.exists() and (layout.upgrade / "pg").exists()


def _put_in_place(layout: Layout) -> str:
    (layout.upgrade / "pg").rename(layout.cluster)
    shutil.rmtree(layout.upgrade)
    return f"the data in {layout.cluster} are of Postgres {POSTGRES_MAJOR} now"
