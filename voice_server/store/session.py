"""The door to Postgres: one engine per process."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import asyncpg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

_T = TypeVar("_T")

# What Postgres being away or unwilling looks like, through SQLAlchemy and through its driver alone.
ERRORS = (SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError)

_PATIENCE = 30.0  # seconds; no statement of ours takes a tenth of it, but one may wait for another's lock


def connect(database_url: str, pool: int, patience: float = _PATIENCE) -> AsyncEngine:
    """An engine with at most `pool` connections; none is opened before it is needed.

    Whoever waits longer than `patience` seconds for a connection, or for one answer, gets an error that
    is a SQLAlchemyError or an OSError: a Postgres that hangs must not hang us.
    No ping before each use: it costs a round trip. The one use after a restart of Postgres that finds
    its connection broken is tried again where it matters (`retrying`); the pool is renewed by it.
    """
    return create_async_engine(
        database_url,
        hide_parameters=True,  # what people said must not reach a log with an error
        pool_size=pool,
        max_overflow=0,
        pool_timeout=patience,
        pool_recycle=1800,
        connect_args={"timeout": patience, "command_timeout": patience},
    )


async def dial(engine: AsyncEngine) -> "asyncpg.Connection[asyncpg.Record]":
    """A connection of the driver's own, outside the pool: for LISTEN, which needs one that nobody else gets."""
    _, arguments = engine.dialect.create_connect_args(engine.url)
    return await asyncpg.connect(**{"timeout": _PATIENCE, "command_timeout": _PATIENCE, **arguments})


async def driver(connection: AsyncConnection) -> "asyncpg.Connection[asyncpg.Record]":
    """The driver's own connection, for statements run hundreds of times a second: SQLAlchemy adds 120 µs to each.

    The first statement of a connection must go through SQLAlchemy: it begins the transaction, and it
    notices a connection that is broken.
    """
    raw: asyncpg.Connection[asyncpg.Record] | None = (await connection.get_raw_connection()).driver_connection
    if raw is None:
        raise RuntimeError("the connection is closed")
    return raw


def single_statements(engine: AsyncEngine) -> AsyncEngine:
    """The same connections, where each statement is a transaction of its own: two round trips less,
    no BEGIN before it and no COMMIT or ROLLBACK after it. Keep it: making it costs more than they do."""
    return engine.execution_options(isolation_level="AUTOCOMMIT")


async def retrying(work: Callable[[], Awaitable[_T]]) -> _T:
    """Run a transaction, and once more when it failed because its connection had gone stale."""
    try:
        return await work()
    except DBAPIError as error:
        if not (error.connection_invalidated or _is_outdated(error)):
            raise
    return await work()


def _is_outdated(error: DBAPIError) -> bool:
    """After a migration pooled connections raise this once: their prepared statements are of the old tables."""
    return type(error.orig).__name__ == "InvalidCachedStatementError"
