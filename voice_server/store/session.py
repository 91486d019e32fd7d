"""The door to Postgres: one engine per process."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

import asyncpg
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

_T = TypeVar("_T")
_P = ParamSpec("_P")

# What Postgres being away or unwilling looks like, through SQLAlchemy and through its driver alone, which has
# an error of its own for a connection of which it has heard that it will be closed, and that is still open.
_ENDING = asyncpg.InternalClientError
DRIVER_ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, _ENDING, OSError)
ERRORS = (SQLAlchemyError, *DRIVER_ERRORS)
# SQLSTATE classes of what is the statement's own fault: the same would be refused again.
_REFUSED = ("0A", "21", "22", "23", "42", "54")

_STALE = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InterfaceError,
    _ENDING,
    ConnectionError,
)
_SQLALCHEMY_ONLY = {"prepared_statement_cache_size", "prepared_statement_name_func", "async_creator_fn"}

_DIALECT = sa.make_url("postgresql+asyncpg://").get_dialect()()
_WORKERS_SETTINGS = {  # of Postgres, for each connection of a worker
    "synchronous_commit": "off",  # what is lost in a crash is found undone, and done again
    "plan_cache_mode": "force_generic_plan",  # of so few rows, planning anew costs more than it saves
}
_IDLE = 300.0  # seconds
_PATIENCE = 30.0  # seconds; no statement of ours takes a tenth of it, but one may wait for another's lock


def is_outage(error: BaseException) -> bool:
    """Tell whether Postgres is away or its disk is full, by its own words: SQLAlchemy tells refused data from
    lost connections only in part."""
    if isinstance(error, SQLAlchemyError) and not isinstance(error, DBAPIError):
        return isinstance(error, sa.exc.TimeoutError)  # else a mistake of ours
    said = error.orig.__cause__ if isinstance(error, DBAPIError) and error.orig else error
    if isinstance(said, ValueError):  # the driver could not even encode it
        return False
    state = getattr(said, "sqlstate", None) or ""
    return isinstance(error, ERRORS) and not state.startswith(_REFUSED)


def connect(
    database_url: str, pool: int, patience: float = _PATIENCE, *, for_worker: bool = False
) -> AsyncEngine:
    """Make an engine. Whoever waits longer than `patience` seconds for a connection or an answer gets a
    SQLAlchemyError or an OSError: a Postgres that hangs must not hang us. There is no ping before each use,
    which costs a round trip: the first use after a restart of Postgres fails and renews the pool.

    `for_worker`: no commit waits for the disk. A Postgres that crashes loses the last fraction of a second,
    whole transactions from the last one back: jobs that ended then are found undone. And each statement is
    planned once, for any value: `among` instead of `in` where the values are looked up.
    """
    at_connection = {"server_settings": _WORKERS_SETTINGS} if for_worker else {}
    engine = create_async_engine(
        database_url,
        hide_parameters=True,  # what people said must not reach a log with an error
        pool_size=pool,
        pool_use_lifo=True,  # a few connections do the work of a quiet hour, with all its statements prepared
        max_overflow=0,
        pool_timeout=patience,
        pool_recycle=300,
        connect_args={"timeout": patience, "command_timeout": patience, **at_connection},
    )
    event.listen(engine.sync_engine, "after_cursor_execute", expect_answer)
    # A connection is closed as one that is given up: two seconds for its goodbye, then it is dropped. The
    # plain close logs a traceback for a Postgres that has just died.
    dialect = engine.sync_engine.dialect
    dialect.do_close = dialect.do_terminate  # type: ignore[method-assign]  # ours alone
    return engine


@contextlib.asynccontextmanager
async def at_work(database_url: str) -> AsyncIterator[AsyncConnection]:
    """Open a transaction for a command that does one thing."""
    engine = connect(database_url, 2)
    try:
        async with engine.begin() as connection:
            yield connection
    finally:
        await engine.dispose()


class Patience:
    """How long somebody waits for Postgres: `seconds` since it was first asked, and since it last
    answered."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._limit = asyncio.timeout(None)
        self._counts = True

    async def bear(self, work: Awaitable[_T]) -> _T:
        """Do this work. Raises TimeoutError when patience is over; not when `end` came at that very
        moment."""
        remembered = _patience.set(self)
        try:
            return await _do(work, self._limit, self._anew)
        finally:
            _patience.reset(remembered)

    def _anew(self) -> asyncio.Timeout | None:
        if self._counts:
            return None
        self._limit = asyncio.timeout(None)
        return self._limit

    def renew(self) -> None:
        """Begin to count anew. Patience that is over stays so."""
        self._counts = True
        with contextlib.suppress(RuntimeError):
            self._limit.reschedule(asyncio.get_running_loop().time() + self._seconds)

    def end(self) -> None:
        self._counts = False
        with contextlib.suppress(RuntimeError):
            self._limit.reschedule(None)


_patience: ContextVar[Patience | None] = ContextVar("patience", default=None)
_under_way: set[asyncio.Future[Any]] = set()


def expect_answer(*_of_the_event: object) -> None:
    """Let whoever bears with this work wait for Postgres from now on."""
    patience = _patience.get()
    if patience is not None:
        patience.renew()


def expect_nothing() -> None:
    """Let nobody wait for Postgres until it is asked again."""
    patience = _patience.get()
    if patience is not None:
        patience.end()


async def aside(work: Callable[_P, _T], *given: _P.args, **named: _P.kwargs) -> _T:
    """Compute something in a thread; meanwhile nobody waits for Postgres, however long it takes."""
    expect_nothing()
    try:
        return await asyncio.to_thread(work, *given, **named)
    finally:
        expect_answer()


async def within(seconds: float, work: Awaitable[_T]) -> _T:
    """Do this work. Raises TimeoutError and lets the work end by itself: to give up a silent connection takes
    SQLAlchemy two more seconds."""
    return await _do(work, asyncio.timeout(seconds))


async def _do(
    work: Awaitable[_T], limit: asyncio.Timeout, anew: Callable[[], asyncio.Timeout | None] = lambda: None
) -> _T:
    task = asyncio.ensure_future(work)
    _under_way.add(task)
    task.add_done_callback(_forget)
    try:
        while not task.done():
            try:
                async with limit:
                    await asyncio.wait((task,))
            except TimeoutError:
                renewed = anew()
                if renewed is None and not task.done():
                    raise
                limit = renewed or limit
    except BaseException:
        task.cancel()
        raise
    return task.result()


def _forget(task: asyncio.Future[Any]) -> None:
    """Ask for the task's error: nobody may be there any more to do so."""
    _under_way.discard(task)
    if not task.cancelled():
        task.exception()


class DirectConnections:
    """Connections of the driver's own, at most `size`, for single statements where 200 µs count: SQLAlchemy
    adds that, the driver's own pool 40. A connection that fails or hangs is dropped unasked: nothing waits
    for a dead Postgres."""

    def __init__(self, database_url: str, size: int, patience: float = _PATIENCE) -> None:
        self._where = _arguments(create_async_engine(database_url))
        self._patience = patience
        self._turns = asyncio.Semaphore(size)
        self._idle: list[tuple[float, asyncpg.Connection[asyncpg.Record]]] = []

    async def value(self, statement: str, *values: object) -> Any:
        """Return the first value, or None without a row. The statement must bear to run twice: it is tried
        again when its connection was stale, as after a restart of Postgres. Raises one of ERRORS;
        TimeoutError, an OSError, after `patience` seconds in all."""
        async with asyncio.timeout(self._patience), self._turns:
            try:
                return await self._value(statement, values)
            except _STALE:
                self.close()
            return await self._value(statement, values)

    def ready(self, seconds: float) -> int:
        """Count idle open connections that were used within so many seconds."""
        since = time.monotonic() - seconds
        return sum(used > since and not connection.is_closed() for used, connection in self._idle)

    def close(self) -> None:
        while self._idle:
            self._idle.pop()[1].terminate()

    async def _value(self, statement: str, values: Sequence[object]) -> Any:
        connection = self._take() or await asyncpg.connect(timeout=self._patience, **self._where)
        try:
            value = await connection.fetchval(statement, *values)
        except BaseException:
            connection.terminate()
            raise
        self._idle.append((time.monotonic(), connection))
        return value

    def _take(self) -> "asyncpg.Connection[asyncpg.Record] | None":
        """Take the connection used last. Something between may have cut off one that was idle for long."""
        since, connection = self._idle.pop() if self._idle else (0.0, None)
        if connection and (connection.is_closed() or time.monotonic() - since > _IDLE):
            connection.terminate()
            return None
        return connection


async def dial(engine: AsyncEngine) -> "asyncpg.Connection[asyncpg.Record]":
    """Open a connection outside the pool: for LISTEN, which needs one that nobody else gets."""
    return await asyncpg.connect(timeout=_PATIENCE, command_timeout=_PATIENCE, **_arguments(engine))


def _arguments(engine: AsyncEngine) -> dict[str, Any]:
    _, arguments = engine.dialect.create_connect_args(engine.url)
    return {name: value for name, value in arguments.items() if name not in _SQLALCHEMY_ONLY}


async def driver(connection: AsyncConnection) -> "asyncpg.Connection[asyncpg.Record]":
    """Return the driver's connection, for statements run hundreds of times a second: SQLAlchemy adds 120 µs
    to each. Run the first statement of a transaction through SQLAlchemy, which begins it and notices a broken
    connection."""
    there = connection.sync_connection
    if there is None or there.invalidated:
        pooled = await connection.get_raw_connection()
    else:  # it takes the other way's time, three quarters of which are a change of stacks
        pooled = there.connection
    raw: asyncpg.Connection[asyncpg.Record] | None = pooled.driver_connection
    if raw is None:
        raise RuntimeError("the connection is closed")
    return raw


def among(column: "sa.ColumnElement[Any]", few: "sa.Select[Any]") -> "sa.ColumnElement[bool]":
    """Tell whether a column is one of the few values that a query gives. Of `in` and a limit that is not
    known yet, Postgres expects many, and reads the whole table."""
    return column == sa.any_(sa.func.array(few.scalar_subquery()))


class Statement:
    """A statement that every call needs, its parameters written as `:name`. The driver runs it, at a fraction
    of the cost, once its transaction has begun or where each statement is its own. Columns of the result are
    told apart by place alone."""

    def __init__(self, statement: "str | sa.Select[Any] | sa.Insert | sa.Update") -> None:
        selected = sa.text(statement) if isinstance(statement, str) else statement
        compiled = selected.compile(dialect=_DIALECT)
        self._text, self._names = str(compiled), compiled.positiontup or ()
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}

    async def rows(self, connection: AsyncConnection, values: Mapping[str, Any]) -> Sequence[Any]:
        raw = await driver(connection)
        given = {**self._fixed, **values}
        in_order = tuple(given[name] for name in self._names)
        if raw.is_in_transaction():
            return await self._run(raw, in_order)
        if not _is_single(connection):
            return await self._first(connection, in_order)
        try:
            return await self._run(raw, in_order)
        except _STALE:
            return await self._first(connection, in_order)

    async def _run(
        self, raw: "asyncpg.Connection[asyncpg.Record]", values: tuple[object, ...]
    ) -> Sequence[Any]:
        rows: Sequence[Any] = await raw.fetch(self._text, *values)
        expect_answer()
        return rows

    async def _first(self, connection: AsyncConnection, values: tuple[object, ...]) -> Sequence[Any]:
        """Let SQLAlchemy run it: that begins the transaction, and renews the pool when the connection is
        broken."""
        result = await connection.exec_driver_sql(self._text, values)
        return result.all() if result.returns_rows else ()


_SINGLE = "AUTOCOMMIT"


def _is_single(connection: AsyncConnection) -> bool:
    there = connection.sync_connection
    return there is not None and there.get_execution_options().get("isolation_level") == _SINGLE


def single_statements(engine: AsyncEngine) -> AsyncEngine:
    """Return the same connections, each statement a transaction of its own: two round trips less. Keep the
    result: making it costs more than they do."""
    return engine.execution_options(isolation_level=_SINGLE)
