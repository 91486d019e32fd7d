"""The queue, which knows no jobs: PgQueuer on our own Postgres, behind as few of its calls as we can.

A plain job carries ids and can run twice with the same result. A coalesced job is a wake-up for a key:
how much there is to do is a counter in `pending_work`, raised in the event's own transaction, so that

- what is asked for while a run goes on is done after it: no update is lost;
- one key never runs twice at a time: its `dedupe_key` covers queued and running jobs;
- ten requests make one run.

A job that fails is tried again with growing pauses and at last put aside as `failed`, visible and
with its key released. A worker that dies is noticed by its missing heartbeat, its jobs start over.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import cache
from typing import Any

import asyncpg
import sqlalchemy as sa
from msgspec import Struct
from pgqueuer import PgQueuer
from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
from pgqueuer.adapters.persistence.qb import (
    QueryBuilderEnvironment,
    QueryQueueBuilder,
    QuerySchedulerBuilder,
)
from pgqueuer.executors import (
    AbstractEntrypointExecutor,
    DatabaseRetryEntrypointExecutor,
    EntrypointExecutorParameters,
)
from pgqueuer.models import Job
from pgqueuer.queries import Queries
from pgqueuer.types import QueueExecutionMode
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.store import session

log = logging.getLogger(__name__)

Payload = dict[str, Any]
Handler = Callable[[Payload], Awaitable[None]]
Apply = Callable[[AsyncConnection], Awaitable[None]]
Prepare = Callable[[AsyncConnection, str], Awaitable[Apply | None]]
Exhausted = Callable[[Payload, str], Awaitable[None]]

_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=1), timedelta(minutes=5)
_POLL = timedelta(seconds=2)  # besides LISTEN: what a lost notification costs
_POLL_TO_THE_END = timedelta(milliseconds=10)  # when somebody waits for the last job to be done
_RECONNECT = 0.5  # seconds before a new start after Postgres went away
# The last is what asyncpg says when the connection breaks at the wrong moment.
_LOST = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
_LOG_KEPT = timedelta(days=7)

_RAISE = sa.text("""
insert into pending_work (kind, key, requested) values (:kind, :key, 1)
on conflict (kind, key) do update set requested = pending_work.requested + 1
""")
_HOLD = sa.text("""
insert into pending_work (kind, key, requested) values (:kind, :key, 0)
on conflict (kind, key) do update set requested = pending_work.requested
""")
# No dedupe_key any more: a run that had finished, and was killed before the queue deleted its row.
_REQUESTED = sa.text("""
select w.requested from pending_work w, pgqueuer j
where w.kind = :kind and w.key = :key and j.id = :job and j.dedupe_key is not null
""")
# The work row is locked before the job row, as in `request`: no deadlock.
_LOCK = sa.text("""
with work as (select requested, done from pending_work where kind = :kind and key = :key for update),
     job as (select queue_manager_id = :manager as mine from pgqueuer where id = :job and status = 'picked' for update)
select requested, done, coalesce((select mine from job), false) as mine from work
""")
_DONE = """
with finished as (
    update pending_work set done = $3 where kind = $1 and key = $2 and done < $3
)
update pgqueuer set dedupe_key = null where id = $4 and $5
"""
_FORGOTTEN = sa.text("""
select w.kind, w.key from pending_work w
where w.requested > w.done and not exists (
    select from pgqueuer j where j.dedupe_key = w.kind || ':' || w.key and j.status in ('queued', 'picked')
) limit 1000
""")
# Of what is tried anew only the newest failure stays visible, or a key that cannot be helped fills the table.
_FORGIVEN = sa.text("delete from pgqueuer where dedupe_key = :key and status = 'failed'")
_COUNTS = sa.text("select entrypoint, status::text, count(*) from pgqueuer group by 1, 2")


class Retries(Struct, frozen=True):
    """How often a job is tried, after how many seconds of silence a worker counts as dead, how many run at once."""

    attempts: int = 8
    heartbeat: float = 5.0
    concurrency: int = 20


async def enqueue(
    connection: AsyncConnection, name: str, payload: Payload, *, key: str | None = None
) -> None:
    """Enqueue a job in the connection's own transaction: it runs if, and only if, that commits.

    With a `key`, nothing happens while a job with that key waits or runs. A statement must have
    been executed before: SQLAlchemy begins its transaction with the first one.
    """
    driver = await session.driver(connection)
    if not driver.is_in_transaction():
        raise RuntimeError("enqueue before the first statement would commit on its own")
    queries = Queries(AsyncpgDriver(driver), *_builders())
    await queries.enqueue(name, json.dumps(payload).encode(), 0, None, key, on_conflict="skip")


def enqueued_from(rows: str, name: str, payload: str) -> str:
    """SQL: a job for each of `rows`, a CTE of the same statement that makes them: what `enqueue` does,
    without a round trip of its own. `payload` is an expression of type json over a row. All three are
    written into the statement: never pass what came from outside.
    """
    return f"""
    queued as (
        insert into pgqueuer (priority, entrypoint, payload, status)
        select 0, '{name}', convert_to(({payload})::text, 'utf8'), 'queued' from {rows}
        returning id, entrypoint, priority
    ), logged as (
        insert into pgqueuer_log (job_id, status, entrypoint, priority)
        select id, 'queued', entrypoint, priority from queued
    )"""  # noqa: S608 (see the docstring)


async def request(connection: AsyncConnection, kind: str, key: str) -> None:
    """Ask for a coalesced job, in the transaction that makes it necessary."""
    await connection.execute(_RAISE, {"kind": kind, "key": key})
    await _wake(connection, kind, key)


async def exclusively(connection: AsyncConnection, kind: str, key: str) -> None:
    """Until the transaction ends, no run of this coalesced job applies anything: for who does its work by
    hand, and reads only then what it is made from. A run that had read before is followed by another one
    if there was anything new, as for every request."""
    await connection.execute(_HOLD, {"kind": kind, "key": key})


async def wake_forgotten(engine: AsyncEngine) -> int:
    """Wake the keys with work to do and no job alive (put aside as failed, deleted by hand); how many."""
    async with engine.begin() as connection:
        forgotten = (await connection.execute(_FORGOTTEN)).all()
        for kind, key in forgotten:
            await connection.execute(_FORGIVEN, {"key": f"{kind}:{key}"})
            await _wake(connection, kind, key)
    return len(forgotten)


async def prune(engine: AsyncEngine) -> None:
    """Delete what the queue's log no longer needs."""
    async with engine.begin() as connection:
        old = sa.text("delete from pgqueuer_log where created < now() - cast(:kept as interval)")
        await connection.execute(old, {"kept": _LOG_KEPT})


async def counts(connection: AsyncConnection) -> dict[tuple[str, str], int]:
    """Jobs by name and status."""
    return {(name, status): count for name, status, count in await connection.execute(_COUNTS)}


class Queue:
    """The jobs of one worker. Register them, then `run` until told to stop."""

    def __init__(self, engine: AsyncEngine, retries: Retries) -> None:
        self._engine = engine
        self._reading = session.single_statements(engine)
        self._retries = retries
        self._handlers: dict[str, tuple[Callable[[Job], Awaitable[None]], Exhausted | None]] = {}

    def job(self, name: str, handler: Handler, exhausted: Exhausted | None = None) -> None:
        """A plain job. `exhausted` is told the payload and the last error when it is given up."""

        async def run(job: Job) -> None:
            await handler(_payload(job))

        self._handlers[name] = (run, exhausted)

    def coalesced(self, kind: str, prepare: Prepare) -> None:
        """A coalesced job. `prepare` gets a connection that reads without a transaction, gathers and
        decides; what it returns is applied in the one that counts the work as done."""

        async def run(job: Job) -> None:
            await _run_coalesced(self._engine, self._reading, kind, prepare, job)

        self._handlers[kind] = (run, None)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; running jobs are finished. Survives restarts of Postgres."""
        while not stop.is_set():
            try:
                await self._work(stop, QueueExecutionMode.continuous)
            except _LOST as error:
                log.warning("the queue lost Postgres (%s) and starts again", error)
                await _pause(stop)

    async def drain(self) -> None:
        """Work until nothing is left to do, retries included."""
        await self._work(asyncio.Event(), QueueExecutionMode.drain)

    async def _work(self, stop: asyncio.Event, mode: QueueExecutionMode) -> None:
        """One connection of its own: LISTEN needs one that no pool hands to others."""
        connection = await session.dial(self._engine)
        try:
            worker = PgQueuer(
                connection=AsyncpgDriver(connection), queries=Queries(AsyncpgDriver(connection))
            )
            self._register(worker)
            stopper = asyncio.create_task(_pass_on(stop, worker.shutdown))
            try:
                await worker.qm.run(
                    dequeue_timeout=_POLL if mode is QueueExecutionMode.continuous else _POLL_TO_THE_END,
                    batch_size=self._retries.concurrency // 2,
                    mode=mode,
                    max_concurrent_tasks=self._retries.concurrency,
                    heartbeat_timeout=timedelta(seconds=self._retries.heartbeat),
                )
            finally:
                stopper.cancel()
        finally:
            await connection.close(timeout=5)

    def _register(self, worker: PgQueuer) -> None:
        for name, (handler, exhausted) in self._handlers.items():
            worker.entrypoint(name, on_failure="hold", executor_factory=self._executor)(
                _telling(handler, exhausted, self._retries.attempts)
            )

    def _executor(self, parameters: EntrypointExecutorParameters) -> AbstractEntrypointExecutor:
        return DatabaseRetryEntrypointExecutor(
            parameters=parameters,
            max_attempts=self._retries.attempts - 1,  # it counts retries, not tries
            initial_delay=_FIRST_PAUSE,
            max_delay=_LONGEST_PAUSE,
        )


async def _run_coalesced(
    engine: AsyncEngine, reading: AsyncEngine, kind: str, prepare: Prepare, job: Job
) -> None:
    """Run until everything requested is done. The key is given back under the lock of the work row,
    so a request is either seen here or makes a new job."""
    key: str = _payload(job)["key"]
    where = {"kind": kind, "key": key, "job": job.id}
    while True:
        async with reading.connect() as connection:
            seen = (await connection.execute(_REQUESTED, where)).scalar_one_or_none()
            if seen is None:
                return
            apply = await prepare(connection, key)
        async with engine.begin() as connection:
            work = (await connection.execute(_LOCK, {**where, "manager": job.queue_manager_id})).one()
            if not work.mine:
                return  # our heartbeat was late, another worker has this job now
            if apply is not None and seen > work.done:
                await apply(connection)
            last = work.requested == seen
            await (await session.driver(connection)).execute(_DONE, kind, key, seen, job.id, last)
        if last:
            return


def _telling(
    handler: Callable[[Job], Awaitable[None]], exhausted: Exhausted | None, attempts: int
) -> Callable[[Job], Awaitable[None]]:
    """The handler, which tells `exhausted` when its last try failed."""

    async def run(job: Job) -> None:
        try:
            await handler(job)
        except Exception as error:
            if exhausted is not None and job.attempts >= attempts - 1:
                await exhausted(_payload(job), f"{type(error).__name__}: {error}")
            raise

    return run


async def _wake(connection: AsyncConnection, kind: str, key: str) -> None:
    await enqueue(connection, kind, {"key": key}, key=f"{kind}:{key}")


def _payload(job: Job) -> Payload:
    payload: Payload = json.loads(job.payload or b"{}")
    return payload


async def _pass_on(stop: asyncio.Event, shutdown: asyncio.Event) -> None:
    await stop.wait()
    shutdown.set()


async def _pause(stop: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(stop.wait(), _RECONNECT)
    except TimeoutError:
        return


@cache
def _builders() -> tuple[QueryBuilderEnvironment, QueryQueueBuilder, QuerySchedulerBuilder]:
    """The library's SQL builders. Each reads the environment when made, which costs more than enqueueing."""
    return QueryBuilderEnvironment(), QueryQueueBuilder(), QuerySchedulerBuilder()
