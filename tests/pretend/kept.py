"""What a test process keeps from one test to the next: two event loops, a database that each test finds
empty, and the connections to it, which are reset before they are used again.

A database of a test's own takes Postgres 20 ms and each new connection 6, and on each every statement is
parsed and planned anew: together that is a third of what a test of one call costs.
"""

import asyncio
import os
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection
from typing import Any, TypeAlias

import asyncpg
from sqlalchemy.util import LRUCache

from voice_server.store import session

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

# A change of the schema writes rows of these tables anew, adds some or takes some away. What Postgres has
# counted for its plans are rows of a test, too.
_SCHEMA = """
select (select string_agg(version_num, ' ') from public.alembic_version), array_agg(changed order by name)
from (
    select 'class' as name, count(*), max(xmin::text::bigint) from pg_class where oid >= 16384
    union all select 'attribute', count(*), max(xmin::text::bigint) from pg_attribute where attrelid >= 16384
    union all select 'constraint', count(*), max(xmin::text::bigint) from pg_constraint where oid >= 16384
    union all select 'trigger', count(*), max(xmin::text::bigint) from pg_trigger where oid >= 16384
    union all select 'function', count(*), max(xmin::text::bigint) from pg_proc where oid >= 16384
    union all select 'type', count(*), max(xmin::text::bigint) from pg_type where oid >= 16384
    union all select 'namespace', count(*), max(xmin::text::bigint) from pg_namespace
    union all select 'extension', count(*), max(xmin::text::bigint) from pg_extension
    union all select 'setting', count(*), max(xmin::text::bigint) from pg_db_role_setting
    union all select 'statistics', sum(reltuples)::bigint, sum(relallvisible) from pg_class where oid >= 16384
) changed
"""
_NAMES = """
select quote_ident(relname) from pg_class
where relkind = $1 and relnamespace = 'public'::regnamespace and relname <> 'alembic_version'
"""
_TABLE, _SEQUENCE = b"r", b"S"
# Without triggers: nothing is told, and the order of the tables makes no difference.
_BEGIN = "begin; set local lock_timeout = '5s'; set local session_replication_role = replica"
_PUT_OUT = """
select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and pid <> all($1::int[])
"""
# Postgres plans the first five times for what it was given, and then, nearly always, once for all: as it does
# for a process that has run for a minute. Planning for five takes longer than all statements of a test.
_PLANNED_ONCE = {"plan_cache_mode": "force_generic_plan"}
_RESET = 2.0  # seconds
_ENDED = 5.0  # seconds
_FAILED = session.DRIVER_ERRORS


class KeptConnection(asyncpg.Connection):
    """A connection that is kept when it is closed, with the statements it has prepared."""

    keep: "Callable[[KeptConnection], None] | None" = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.prepared = LRUCache[Any, Any](100)  # by SQLAlchemy, which would forget them
        self._codecs: set[str] = set()

    async def set_type_codec(self, typename: str, **how: Any) -> None:
        """Once: all engines want the same, and it costs two statements."""
        if typename not in self._codecs:
            await super().set_type_codec(typename, **how)
            self._codecs.add(typename)

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109 (the driver's own)
        """Give it back, unless it is in the middle of something."""
        if self.keep and self._is_idle():
            self.keep(self)
        else:
            await super().close(timeout=timeout)

    def terminate(self) -> None:
        """Same."""
        if self.keep and self._is_idle():
            self.keep(self)
        else:
            self.end()

    def end(self) -> None:
        """Keep it no more."""
        super().terminate()

    async def is_reset(self) -> bool:
        """Reset it. Whether it is as a new one now; else it is no more."""
        reset = False
        try:
            await self.reset(timeout=_RESET)
            reset = True
        except _FAILED:
            pass
        finally:  # who is cancelled meanwhile never gets it, and nobody else would end it
            if not reset:
                self.end()
        return reset

    def _is_idle(self) -> bool:
        cancelling = self._cancellations  # type: ignore[attr-defined]  # the stubs leave it out
        return not (cancelling or self.is_closed() or self.is_in_transaction())


class KeptConnections:
    """The connections to one database that nobody uses at the moment, of the event loops that last."""

    def __init__(self, connect: Callable[..., Awaitable[Connection]]) -> None:
        self.database = ""
        self.loops: Collection[asyncio.AbstractEventLoop] = ()
        self._connect = connect
        self._idle: defaultdict[str, list[KeptConnection]] = defaultdict(list)

    async def connect(self, dsn: str | None = None, **named: Any) -> Connection:
        """Connect as `asyncpg.connect` does; by a connection that was made alike, if one was kept."""
        loop = asyncio.get_running_loop()
        database = named.get("database") or (dsn or "").partition("@/")[2].partition("?")[0]
        if database != self.database or loop not in self.loops:
            return await self._connect(dsn, **named)
        alike = repr((id(loop), dsn, sorted(named.items())))
        while self._idle[alike]:
            connection = self._idle[alike].pop()
            if await connection.is_reset():
                return connection
        return await self._new(alike, dsn, named)

    def forget(self) -> None:
        """Keep none of them any more."""
        for connection in self._all():
            loop = connection._loop  # type: ignore[attr-defined]  # the stubs leave it out
            loop.call_soon_threadsafe(connection.end)
        self._idle.clear()

    def pids(self) -> list[int]:
        """The processes of Postgres that serve them."""
        return [connection.get_server_pid() for connection in self._all() if not connection.is_closed()]

    async def _new(self, alike: str, dsn: str | None, named: dict[str, Any]) -> Connection:
        settings = {**named.get("server_settings", {}), **_PLANNED_ONCE}
        made = await self._connect(
            dsn, connection_class=KeptConnection, **{**named, "server_settings": settings}
        )
        assert type(made) is KeptConnection

        def keep(connection: KeptConnection) -> None:
            self._idle[alike].append(connection)  # not to the list of today: it may be forgotten by then

        made.keep = keep
        return made

    def _all(self) -> list[KeptConnection]:
        return [connection for several in self._idle.values() for connection in several]


class KeptDatabase:
    """A database, emptied for each test, and made anew when a test has changed more than rows."""

    def __init__(
        self,
        connections: KeptConnections,
        make: Callable[[str], Awaitable[str]],
        drop: Callable[[str], Awaitable[None]],
    ) -> None:
        self._connections = connections
        self._make = make
        self._drop = drop
        self._made = 0
        self._url = self._schema = self._empty = ""

    async def emptied(self) -> str:
        """Its URL. Nobody is left in it, and nothing of what a test wrote."""
        if not self._url or not await self._is_emptied():
            await self.give_up()
            await self._begin()
        return self._url

    async def give_up(self) -> None:
        """Drop it."""
        if self._url:
            self._connections.forget()
            await self._drop(self._connections.database)
            self._url = ""

    async def _begin(self) -> None:
        self._made += 1
        self._connections.database = f"kept_{os.getpid()}_{self._made}"
        self._url = await self._make(self._connections.database)
        connection = await self._open()
        names = [name for (name,) in await connection.fetch(_NAMES, _TABLE)]
        tables = [f"delete from {name}" for name in names]  # noqa: S608 (names that Postgres quoted)
        sequences = [
            f"select setval('{name}', 1, false)" for (name,) in await connection.fetch(_NAMES, _SEQUENCE)
        ]
        self._empty = ";".join([_BEGIN, *tables, *sequences, "commit"])
        self._schema = await _schema(connection)
        await connection.close()

    async def _is_emptied(self) -> bool:
        try:
            connection = await self._open()
        except _FAILED:
            return False
        try:
            return await self._empty_by(connection)
        except _FAILED:
            return False
        finally:
            await connection.close()

    async def _empty_by(self, connection: Connection) -> bool:
        await connection.fetch(_PUT_OUT, [connection.get_server_pid(), *self._connections.pids()])
        if await _schema(connection) != self._schema:
            return False
        await connection.execute(self._empty)
        return True

    async def _open(self) -> Connection:
        return await self._connections.connect(self._url.replace("+asyncpg", ""))


async def _schema(connection: Connection) -> str:
    return repr(await connection.fetchrow(_SCHEMA))


async def tasks() -> Collection["asyncio.Task[Any]"]:
    """All tasks of this event loop but this one."""
    return asyncio.all_tasks() - {asyncio.current_task()}


async def end_tasks(lasting: Collection["asyncio.Task[Any]"] = ()) -> None:
    """End what a test left in this event loop."""
    left = set(await tasks()).difference(lasting)
    for task in left:
        task.cancel()
    if left:
        await asyncio.wait(left, timeout=_ENDED)
