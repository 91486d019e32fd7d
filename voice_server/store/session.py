"""The door to Postgres: one engine per process."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

_T = TypeVar("_T")


def connect(database_url: str, pool: int) -> AsyncEngine:
    """An engine with at most `pool` connections; none is opened before it is needed.

    No ping before each use: it costs a round trip. The one use after a restart of Postgres that finds
    its connection broken is tried again where it matters (`retrying`); the pool is renewed by it.
    """
    return create_async_engine(
        database_url, pool_size=pool, max_overflow=0, pool_timeout=10, pool_recycle=1800
    )


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
    return "InvalidCachedStatementError" in str(error.orig)
