"""The queue, which knows no jobs: PgQueuer on our own Postgres, behind as few of its calls as we can.

A plain job carries ids and can run twice with the same result. A coalesced job is a wake-up for a key: a
counter in `pending_work`, raised in the event's own transaction, says how much there is to do. So

- what is asked for while a run goes on is done after it: no update is lost;
- a key never runs twice at a time: its `dedupe_key` covers queued and running jobs;
- ten requests make one run.

Keys whose jobs are handed out at one moment share their statements; what fails, or is held up, goes on alone.
A job that needs transactions of its own makes passes: its key is worked on alone, and its counter goes when
nothing is left.

A job that fails is tried again with growing pauses, and at last put aside as `failed`, its key released. Jobs
of a worker without heartbeat start over. The library also puts a job aside when it cannot write that it is to
be tried again: a full disk is enough. So no job is the only record of what there is to do (`wake_forgotten`,
`revive`).
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Literal

import sqlalchemy as sa
from msgspec import Struct
from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment, QueryQueueBuilder, QuerySchedulerBuilder
from pgqueuer.core.qm import QueueManager
from pgqueuer.executors import (
    AbstractEntrypointExecutor,
    DatabaseRetryEntrypointExecutor,
    EntrypointExecutorParameters,
)
from pgqueuer.models import Job
from pgqueuer.queries import Queries
from pgqueuer.types import QueueExecutionMode
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.domain.addresses.address import masked
from voice_server.queue.queue_queries import WorkerQueries
from voice_server.runtime import logs
from voice_server.runtime.histogram import Histogram
from voice_server.store import session

log = logging.getLogger(__name__)

Payload = dict[str, Any]
Handler = Callable[[Payload], Awaitable[None]]
Runner = Callable[[Job], Awaitable[None]]
Apply = Callable[[AsyncConnection, Sequence[str]], Awaitable[None]]
Prepare = Callable[[AsyncConnection, Sequence[str]], Awaitable[Apply]]
Exhausted = Callable[[Payload, str], Awaitable[None]]
# Does what is due for a key, asked for by a trigger; or answers after how long it wants to be asked again.
Work = Callable[[str, str], Awaitable[timedelta | None]]

# Priorities: what was begun goes before what is new, and what may wait yields to both.
BEGUN, NEW, BACKGROUND = 1, 0, -1

_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=1), timedelta(minutes=5)
_POLL = timedelta(seconds=2)  # besides LISTEN: what a lost notification costs
_POLL_TO_THE_END = timedelta(
    milliseconds=50
)  # when somebody waits for the last job to be done; each costs four queries
_RECONNECT, _LONGEST_RECONNECT = 0.5, 4.0  # seconds before a new start after Postgres went away, doubling
_WORKED = 10.0  # seconds after which what ends a run is a new outage
_LOG_KEPT = timedelta(days=7)
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)  # seconds
_PAGE = 1000  # keys with work to do that are looked at in one transaction

_HOLD = sa.text("""
insert into pending_work (kind, key, requested) values (:kind, :key, 0)
on conflict (kind, key) do update set requested = pending_work.requested
""")
# Sorted, as everything that locks several of these rows (docs/explanation/architecture.md, lock order).
_SUPERSEDE = sa.text("""
with held as (
    select kind, key from pending_work
    where kind = :kind and key = any(cast(:keys as text[]))
    order by key for update
)
update pending_work w set done = w.requested from held where w.kind = held.kind and w.key = held.key
""")
_FORGET = sa.text("""
with held as (
    select kind, key from pending_work
    where kind = any(cast(:kinds as text[])) and key = any(cast(:keys as text[]))
    order by key, kind for update
)
delete from pending_work w using held where w.kind = held.kind and w.key = held.key
""")
# No dedupe_key any more: a run that had finished, and was killed before the queue deleted its row.
_REQUESTED = session.Statement("""
select j.id, w.key, w.requested, w.trigger
from unnest(cast(:jobs as bigint[]), cast(:keys as text[])) as asked (job, key)
join pending_work w on w.kind = :kind and w.key = asked.key
join pgqueuer j on j.id = asked.job and j.dedupe_key is not null
""")
# A work row is locked before its job row, as in `request`: no deadlock. Who locks several waits for none of
# them.
_LOCK = """
select held.job, held.requested, held.done, coalesce((
    select j.queue_manager_id = :manager from pgqueuer j
    where j.id = held.job and j.status = 'picked' for update {waiting}
), false) as mine
from (
    select asked.job, w.requested, w.done
    from unnest(cast(:jobs as bigint[]), cast(:keys as text[])) as asked (job, key)
    join pending_work w on w.kind = :kind and w.key = asked.key
    for update of w {waiting}
) held
"""
_LOCK_ONE, _LOCK_SEVERAL = (session.Statement(_LOCK.format(waiting=how)) for how in ("", "skip locked"))
_DONE = """
with finished as (
    update pending_work w set done = run.seen from unnest($2::text[], $3::bigint[]) as run (key, seen)
    where w.kind = $1 and w.key = run.key and w.done < run.seen
)
update pgqueuer set dedupe_key = null where id = any($4::bigint[])
"""
# A pass leaves no row behind: there may be one for each conversation there ever was. It locks as `_LOCK`
# does, and ends only while its job is its own, and where nothing was asked for since it began to read.
# `mine` asks for `held` to fix the order of the locks: without that, the job could be locked first.
_END = session.Statement("""
with held as (
    select requested from pending_work where kind = :kind and key = :key for update
), mine as (
    select from pgqueuer j where j.id = :job and j.queue_manager_id = :manager and j.status = 'picked'
        and exists (select from held) for update
), over as (
    select from held, mine where held.requested = :seen
), finished as (
    delete from pending_work where kind = :kind and key = :key and exists (select from over)
), released as (
    update pgqueuer set dedupe_key = null where id = :job and exists (select from over)
)
select exists (select from mine) and not exists (select from over)
""")
_RELEASED = "update pgqueuer set dedupe_key = null where id = $1"
_TO_DO = sa.text("""
select w.kind, w.key, not exists (
    select from pgqueuer j where j.dedupe_key = w.kind || ':' || w.key and j.status in ('queued', 'picked')
) as forgotten
from (
    select kind, key from pending_work where requested > done and (kind, key) > (:kind, :key)
    order by kind, key limit :limit
) w order by w.kind, w.key
""")
_WAITING = sa.text("""
select count(*) from (
    select from pgqueuer where entrypoint = :name and status = 'queued' and priority = :priority limit :most
) waiting
""")
# Of what is tried anew only the newest failure stays visible, or a key that cannot be helped fills the table.
_FORGIVEN = sa.text("delete from pgqueuer where dedupe_key = :key and status = 'failed'")
_FORGET_FAILED = sa.text("""
delete from pgqueuer where id in (
    select id from pgqueuer
    where status = 'failed' and updated < :before and id > :after
    order by id limit :limit
) returning id
""")
_PRUNE = sa.text("""
delete from pgqueuer_log where id = any(array(
    select id from pgqueuer_log where created < now() - cast(:kept as interval)
    order by created limit :limit for update skip locked
))
""")
_JOBLESS = sa.text("""
select key from unnest(cast(:keys as text[])) as asked (key) where not exists (
    select from pgqueuer j where j.dedupe_key = asked.key and j.status in ('queued', 'picked')
)
""")
# The library notes each failure in its log, which is kept for a week.
_FAILURES = sa.text("""
select j.id, j.entrypoint as name, convert_from(coalesce(j.payload, '{}'), 'utf8') as payload,
    j.updated as failed_at, coalesce(l.traceback ->> 'exception_message', '') as reason
from pgqueuer j left join lateral (
    select traceback from pgqueuer_log where job_id = j.id and traceback is not null order by id desc limit 1
) l on true
where j.status = 'failed' order by j.id desc limit :limit
""")
_COUNTS = sa.text("select entrypoint, status::text, count(*) from pgqueuer group by 1, 2")
_OLDEST = sa.text("""
select entrypoint, extract(epoch from now() - min(greatest(created, execute_after)))
from pgqueuer where status = 'queued' and execute_after <= now() group by 1
""")


class Retries(Struct, frozen=True):
    """`heartbeat`: seconds of silence after which a worker counts as dead. `concurrency`: jobs at once."""

    attempts: int = 8
    heartbeat: float = 5.0
    concurrency: int = 20


class FailedJob(Struct, frozen=True):
    """A job that was put aside. `failed_at` is UTC."""

    id: int
    name: str
    payload: str
    failed_at: datetime
    reason: str


async def enqueue(
    connection: AsyncConnection,
    name: str,
    payload: Payload,
    *,
    key: str | None = None,
    priority: int = NEW,
    after: timedelta | None = None,
) -> None:
    """Enqueue a job in the connection's own transaction: it runs if, and only if, that commits.

    Nothing happens while a job with this `key` waits or runs. Raises RuntimeError before the first statement:
    SQLAlchemy begins its transaction with that.
    """
    driver = await session.driver(connection)
    if not driver.is_in_transaction():
        raise RuntimeError("enqueue before the first statement would commit on its own")
    queries = Queries(AsyncpgDriver(driver), *_builders())
    await queries.enqueue(name, json.dumps(payload).encode(), priority, after, key, on_conflict="skip")


async def revive(connection: AsyncConnection, name: str, payload: Payload, *, key: str) -> None:
    """Enqueue a job anew that was put aside. Only the newest failure of a key stays."""
    await connection.execute(_FORGIVEN, {"key": key})
    await enqueue(connection, name, payload, key=key)


async def jobless(connection: AsyncConnection, keys: Sequence[str]) -> set[str]:
    return set((await connection.execute(_JOBLESS, {"keys": list(keys)})).scalars())


async def waiting(connection: AsyncConnection, name: str, priority: int, most: int) -> int:
    asked = {"name": name, "priority": priority, "most": most}
    count: int = (await connection.execute(_WAITING, asked)).scalar_one()
    return count


async def failures(connection: AsyncConnection, limit: int) -> list[FailedJob]:
    rows = (await connection.execute(_FAILURES, {"limit": limit})).mappings()
    return [FailedJob(**{str(name): value for name, value in row.items()}) for row in rows]


def enqueued_from(rows: str, name: str, payload: str, *, key: str, priority: str = str(NEW)) -> str:
    """Return SQL that enqueues a job for each of `rows`, a CTE of the same statement.

    `name` (text), `payload` (json), `key` (text) and `priority` (int) are expressions over a row; no two rows
    have the same key. All are written into the statement: never pass what came from outside.
    """
    return f"""
    queued as (
        insert into pgqueuer (priority, entrypoint, payload, status, dedupe_key)
        select {priority}, {name}, convert_to(({payload})::text, 'utf8'), 'queued', {key} from {rows}
        on conflict (dedupe_key) where status in ('queued', 'picked') and dedupe_key is not null do nothing
        returning id, entrypoint, priority
    ), logged as (
        insert into pgqueuer_log (job_id, status, entrypoint, priority)
        select id, 'queued', entrypoint, priority from queued
    )"""  # noqa: S608 (the expressions are ours)


class Request(Struct, frozen=True):
    """A request for a coalesced job. `trigger` says who asks; of several requests, the last that says it
    counts."""

    kind: str
    key: str
    trigger: str = ""
    priority: int = NEW


async def request(connection: AsyncConnection, *requests: Request) -> None:
    """Ask for coalesced jobs, each once, in the transaction that makes them necessary. Their work rows are
    locked in this order."""
    columns = {name: [getattr(one, name) for one in requests] for name in Request.__struct_fields__}
    if requests:
        await _REQUEST.rows(connection, columns)


# The work row is locked first, as everywhere: the job is made from it. Whether there is one already is looked
# up after that, as of then: a run that has just given its key back is seen. One that waits goes as soon as
# whoever is in the greatest hurry wants; who just takes it needs no telling.
_REQUEST = session.Statement(
    f"""
with asked as (
    select * from unnest(
        cast(:kind as text[]), cast(:key as text[]), cast(:trigger as text[]), cast(:priority as int[])
    ) with ordinality as one (kind, key, trigger, priority, place)
), raised as (
    insert into pending_work (kind, key, requested, trigger)
    select kind, key, 1, trigger from asked order by place
    on conflict (kind, key) do update set requested = pending_work.requested + 1,
        trigger = case when excluded.trigger = '' and pending_work.requested > pending_work.done
            then pending_work.trigger else excluded.trigger end
    returning kind, key
), wanted as (
    select kind, key, asked.priority from raised join asked using (kind, key)
),
{
        enqueued_from(
            "wanted", "kind", "json_build_object('key', key)", key="kind || ':' || key", priority="priority"
        )
    }, there as (
    select j.id, wanted.priority from pgqueuer j
    join wanted on j.dedupe_key = wanted.kind || ':' || wanted.key
    where j.status = 'queued' and j.priority < wanted.priority for update of j skip locked
)
update pgqueuer j set priority = there.priority from there where j.id = there.id
"""  # noqa: S608 (all of it is ours)
)


async def exclusively(connection: AsyncConnection, kind: str, key: str) -> None:
    """Keep runs of this job from applying anything until the transaction ends. For who does its work by hand,
    and reads only afterwards what it is made from."""
    await connection.execute(_HOLD, {"kind": kind, "key": key})


async def supersede(connection: AsyncConnection, kind: str, keys: Sequence[str]) -> None:
    """Keep runs of these jobs from applying anything until the transaction ends, and for good those that have
    read by then. Ask for new ones afterwards."""
    await connection.execute(_SUPERSEDE, {"kind": kind, "keys": sorted(set(keys))})


async def forget(connection: AsyncConnection, kinds: Sequence[str], keys: Sequence[str]) -> None:
    """Delete the work of keys that are superseded and nobody's any more."""
    await connection.execute(_FORGET, {"kinds": list(kinds), "keys": list(keys)})


async def wake_forgotten(engine: AsyncEngine) -> int:
    """Wake the keys with work to do and no job alive (put aside, deleted by hand); return how many."""
    kind, key, woken, count = "", "", 0, _PAGE
    while count == _PAGE:
        async with engine.begin() as connection:
            page = (await connection.execute(_TO_DO, {"kind": kind, "key": key, "limit": _PAGE})).all()
            for kind, key, forgotten in page:
                if forgotten:
                    await revive(connection, kind, {"key": key}, key=_dedupe_key(kind, key))
                    woken += 1
        count = len(page)
    return woken


async def prune(engine: AsyncEngine) -> None:
    asked = {"kept": _LOG_KEPT, "limit": _PAGE}
    count = _PAGE
    while count == _PAGE:
        async with engine.begin() as connection:
            count = (await connection.execute(_PRUNE, asked)).rowcount


async def forget_failed(connection: AsyncConnection, before: datetime, after: int, limit: int) -> list[int]:
    """Delete at most `limit` jobs put aside before then, with ids above `after`; return their ids."""
    which = {"before": before, "after": after, "limit": limit}
    return list((await connection.execute(_FORGET_FAILED, which)).scalars())


async def counts(connection: AsyncConnection) -> dict[tuple[str, str], int]:
    return {(name, status): count for name, status, count in await connection.execute(_COUNTS)}


async def oldest(connection: AsyncConnection) -> dict[str, float]:
    """Return for how many seconds the oldest due job of each name has waited."""
    return {name: float(seconds) for name, seconds in await connection.execute(_OLDEST)}


class PlainJob(Struct, frozen=True):
    """A job with a payload. `exhausted` is told the payload and the last error when the job is given up, but
    not after an outage of Postgres, which is no fault of the job. At most `at_once` run at a time, in all
    workers together; 0: no limit."""

    name: str
    handler: Handler | None
    exhausted: Exhausted | None = None
    at_once: int = 0


class CoalescedJob(Struct, frozen=True):
    """A job with a key. `prepare` gets keys and a connection that reads without a transaction. What it
    returns is applied to the keys still to be done, in the transaction that counts them as done."""

    name: str
    prepare: Prepare


class PassJob(Struct, frozen=True):
    """A job with a key that opens transactions of its own, so `work` must be able to run twice. It runs again
    when it was asked for meanwhile, or after the time that it returns. `at_once` as for a plain job."""

    name: str
    work: Work
    at_once: int = 0


class Queue:
    """The jobs of one worker: `register` them, then `run` until told to stop."""

    def __init__(self, engine: AsyncEngine, retries: Retries) -> None:
        self._engine = engine
        self._reading = session.single_statements(engine)
        self._retries = retries
        self._handlers: dict[str, tuple[Runner, Exhausted | None]] = {}
        self._at_once: dict[str, int] = {}
        self.seconds: dict[str, Histogram] = {}  # of one try, by the job's name

    def register(self, *jobs: PlainJob | CoalescedJob | PassJob) -> None:
        """Make jobs known. A job without a handler is left to other workers."""
        for job in jobs:
            match job:
                case PlainJob(name, handler, exhausted, at_once) if handler:
                    self._add(name, _of_payload(handler), exhausted, at_once)
                case CoalescedJob(name, prepare):
                    shared = _SharedRuns(self._engine, self._reading, name, prepare)
                    self._add(name, _SharedStart(shared.run_together).run)
                case PassJob(name, work, at_once):
                    self._add(name, _Passes(self._engine, self._reading, name, work).run, at_once=at_once)

    def _add(self, name: str, run: Runner, exhausted: Exhausted | None = None, at_once: int = 0) -> None:
        self._handlers[name] = (run, exhausted)
        self._at_once[name] = at_once

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set, then finish running jobs. Outages of Postgres are survived, and logged
        once each."""
        failures = 0
        while not stop.is_set():
            started = time.monotonic()
            try:
                await self._work(stop, QueueExecutionMode.continuous)
            except session.DRIVER_ERRORS as error:
                failures = failures + 1 if time.monotonic() - started < _WORKED else 1
                if failures == 1:
                    log.warning("the queue lost Postgres and goes on when it is back: %r", error)
                await _pause(stop, min(_RECONNECT * 2.0 ** (failures - 1), _LONGEST_RECONNECT))

    async def drain(self) -> None:
        await self._work(asyncio.Event(), QueueExecutionMode.drain)

    async def _work(self, stop: asyncio.Event, mode: QueueExecutionMode) -> None:
        """LISTEN needs a connection that no pool hands to others."""
        connection = await session.dial(self._engine)
        try:
            manager = QueueManager(WorkerQueries(AsyncpgDriver(connection), *_builders()))
            self._register(manager)
            stopper = asyncio.create_task(_pass_on(stop, manager.shutdown))
            try:
                await manager.run(
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

    def _register(self, manager: QueueManager) -> None:
        for name, (handler, exhausted) in self._handlers.items():
            limit = self._at_once.get(name, 0)
            manager.entrypoint(
                name, concurrency_limit=limit, on_failure="hold", executor_factory=self._executor
            )(_telling(handler, exhausted, self._retries.attempts, self._timed(name)))

    def _timed(self, name: str) -> Histogram:
        return self.seconds.setdefault(name, Histogram(_BUCKETS))

    def _executor(self, parameters: EntrypointExecutorParameters) -> AbstractEntrypointExecutor:
        return DatabaseRetryEntrypointExecutor(
            parameters=parameters,
            max_attempts=self._retries.attempts - 1,  # it counts retries, not tries
            initial_delay=_FIRST_PAUSE,
            max_delay=_LONGEST_PAUSE,
        )


class _Run(Struct, frozen=True):
    """A coalesced job while it runs. `seen` counts the requests when it began to read."""

    job: Job
    key: str
    seen: int
    trigger: str


class _Work(Struct, frozen=True):
    requested: int
    done: int


class _Runs:
    """The runs of one kind. The key is given back under the lock of the work row, so a request is either seen
    here or makes a new job."""

    def __init__(self, engine: AsyncEngine, reading: AsyncEngine, kind: str) -> None:
        self._engine = engine
        self._reading = reading
        self._kind = kind

    async def _requested(self, connection: AsyncConnection, jobs: Sequence[Job]) -> list[_Run]:
        by_id = {int(job.id): job for job in jobs}
        keys = [_key(job) for job in jobs]
        rows = await _REQUESTED.rows(connection, {"kind": self._kind, "jobs": list(by_id), "keys": keys})
        return [_Run(by_id[job], key, requested, trigger) for job, key, requested, trigger in rows]

    async def _lock(self, connection: AsyncConnection, runs: Sequence[_Run]) -> list[tuple[_Run, "_Work"]]:
        """Lock the work of runs whose jobs are still ours. Of several runs, skip those that somebody holds:
        they may wait for another of them."""
        by_id = {int(run.job.id): run for run in runs}
        keys = [run.key for run in runs]
        manager = runs[0].job.queue_manager_id
        where = {"kind": self._kind, "jobs": list(by_id), "keys": keys, "manager": manager}
        rows = await (_LOCK_ONE if len(runs) == 1 else _LOCK_SEVERAL).rows(connection, where)
        return [(by_id[job], _Work(requested, done)) for job, requested, done, mine in rows if mine]


class _Passes(_Runs):
    def __init__(self, engine: AsyncEngine, reading: AsyncEngine, kind: str, work: Work) -> None:
        super().__init__(engine, reading, kind)
        self._work = work

    async def run(self, job: Job) -> None:
        while True:
            async with self._reading.connect() as connection:
                runs = await self._requested(connection, [job])
            if not runs or await self._finish(runs[0], await self._work(runs[0].key, runs[0].trigger)):
                return

    async def _finish(self, run: _Run, wait: timedelta | None) -> bool:
        """Tell whether nothing is left to do: all is done, a job that waits goes on, or another worker has it
        now."""
        if wait is not None:
            async with self._engine.begin() as connection:
                if await self._lock(connection, [run]):
                    await self._put_off(connection, run, wait)
            return True
        job = {"job": int(run.job.id), "manager": run.job.queue_manager_id}
        async with self._reading.connect() as connection:
            asked = {"kind": self._kind, "key": run.key, "seen": run.seen, **job}
            [(goes_on,)] = await _END.rows(connection, asked)
        return not goes_on

    async def _put_off(self, connection: AsyncConnection, run: _Run, wait: timedelta) -> None:
        driver = await session.driver(connection)
        await driver.execute(_RELEASED, int(run.job.id))
        key = _dedupe_key(self._kind, run.key)
        await enqueue(
            connection, self._kind, {"key": run.key}, key=key, priority=run.job.priority, after=wait
        )


class _SharedRuns(_Runs):
    def __init__(self, engine: AsyncEngine, reading: AsyncEngine, kind: str, prepare: Prepare) -> None:
        super().__init__(engine, reading, kind)
        self._prepare = prepare

    async def run_together(self, jobs: Sequence[Job]) -> set[int]:
        """Do what is requested now; return the ids of the jobs that have to go on."""
        async with self._reading.connect() as connection:
            runs = await self._requested(connection, jobs)
            if not runs:
                return set()
            apply = await self._prepare(connection, [run.key for run in runs])
        async with self._engine.begin() as connection:
            ours = await self._lock(connection, runs)
            due = [run.key for run, work in ours if run.seen > work.done]
            if due:
                await apply(connection, due)
            last = {int(run.job.id) for run, work in ours if run.seen == work.requested}
            await self._count_as_done(connection, [run for run, _ in ours], last)
        if len(runs) == 1 and not ours:
            return set()  # our heartbeat was late, another worker has this job now
        return {int(run.job.id) for run in runs} - last

    async def _count_as_done(self, connection: AsyncConnection, runs: Sequence[_Run], last: set[int]) -> None:
        driver = await session.driver(connection)
        keys, seen = [run.key for run in runs], [run.seen for run in runs]
        await driver.execute(_DONE, self._kind, keys, seen, list(last))


class _SharedStart:
    """Jobs that start in the same turn of the event loop share their first run."""

    def __init__(self, work: Callable[[Sequence[Job]], Awaitable[set[int]]]) -> None:
        self._work = work
        self._starting: list[Job] = []
        self._first_run: asyncio.Task[set[int]] | None = None

    async def run(self, job: Job) -> None:
        if self._first_run is None:
            self._first_run = asyncio.create_task(self._start())
        self._starting.append(job)
        unfinished = await asyncio.shield(self._first_run)
        while job.id in unfinished:
            unfinished = await self._work([job])

    async def _start(self) -> set[int]:
        """Work now that all that start with the first have joined it. When several fail, the error says
        nothing about each: all go on."""
        jobs, self._starting, self._first_run = self._starting, [], None
        try:
            return await self._work(jobs)
        except Exception as error:
            if len(jobs) == 1:
                raise
            log.warning(
                "%d times %s failed together, each goes on alone: %r", len(jobs), jobs[0].entrypoint, error
            )
            return {int(job.id) for job in jobs}


def _of_payload(handler: Handler) -> Runner:
    async def run(job: Job) -> None:
        await handler(_payload(job))

    return run


def _telling(handler: Runner, exhausted: Exhausted | None, attempts: int, seconds: Histogram) -> Runner:
    async def run(job: Job) -> None:
        started = time.monotonic()
        try:
            await handler(job)
            _tell_of(job, "done", started, seconds)
        except Exception as error:
            is_last = job.attempts >= attempts - 1
            _tell_of(job, "put_aside" if is_last else "failed", started, seconds)
            if exhausted is not None and is_last and not session.is_outage(error):
                await exhausted(_payload(job), f"{type(error).__name__}: {error}")
            raise

    return run


def _tell_of(
    job: Job, outcome: Literal["done", "failed", "put_aside"], started: float, seconds: Histogram
) -> None:
    took = time.monotonic() - started
    seconds.observe(took)
    key, ms = masked(" ".join(map(str, _payload(job).values()))), logs.milliseconds(took)
    logs.tell(log, logging.INFO, "job", job=job.entrypoint, key=key, outcome=outcome, ms=ms)


def _dedupe_key(kind: str, key: str) -> str:
    return f"{kind}:{key}"


def _key(job: Job) -> str:
    return str(_payload(job)["key"])


def _payload(job: Job) -> Payload:
    payload: Payload = json.loads(job.payload or b"{}")
    return payload


async def _pass_on(stop: asyncio.Event, shutdown: asyncio.Event) -> None:
    await stop.wait()
    shutdown.set()


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return


@cache
def _builders() -> tuple[QueryBuilderEnvironment, QueryQueueBuilder, QuerySchedulerBuilder]:
    """Make them once: each reads the environment, which costs more than enqueueing."""
    return QueryBuilderEnvironment(), QueryQueueBuilder(), QuerySchedulerBuilder()
