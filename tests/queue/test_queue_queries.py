"""A worker asks for jobs while it may run more, and no longer; what became of them is written once."""

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import uuid4

import pytest
import sqlalchemy as sa
from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
from pgqueuer.models import Job
from pgqueuer.ports.repository import EntrypointExecutionParameter
from pgqueuer.types import QueueEntrypoint, QueueManagerId
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.queue import queue
from voice_server.queue.queue_queries import WorkerQueries
from voice_server.store import session

NAME = QueueEntrypoint("tally")
MOST = 2


class Asking:
    """A worker that may run two jobs at a time; `asked` counts what it asked of Postgres."""

    def __init__(self, queries: WorkerQueries) -> None:
        self.queries = queries
        self.asked = 0
        self._id = QueueManagerId(uuid4())

    async def jobs(self) -> list[Job]:
        entrypoints = {NAME: EntrypointExecutionParameter(concurrency_limit=0)}
        return await self.queries.dequeue(10, entrypoints, self._id, MOST, timedelta(seconds=30))

    def count(self, _statement: object) -> None:
        self.asked += 1


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    made = session.connect(database_url, 2)
    yield made
    await made.dispose()


@pytest.fixture
async def asking(engine: AsyncEngine) -> AsyncIterator[Asking]:
    connection = await session.dial(engine)
    made = Asking(WorkerQueries(AsyncpgDriver(connection)))
    connection.add_query_logger(made.count)
    yield made
    await connection.close()


async def enqueue(engine: AsyncEngine, jobs: int) -> None:
    async with engine.begin() as connection:
        await connection.execute(sa.text("select 1"))
        for _ in range(jobs):
            await queue.enqueue(connection, NAME, {})


async def test_who_has_all_it_may_run_asks_nothing(engine: AsyncEngine, asking: Asking) -> None:
    await enqueue(engine, 3)
    assert len(await asking.jobs()) == MOST
    before = asking.asked

    assert await asking.jobs() == []
    assert await asking.queries.eligible_queued_work([NAME]) > 0  # it looks again soon
    assert asking.asked == before


async def test_who_has_done_one_gets_another(engine: AsyncEngine, asking: Asking) -> None:
    await enqueue(engine, 4)
    first, second = await asking.jobs()

    await asking.queries.log_jobs([(first, "successful", None)])
    assert len(await asking.jobs()) == 1
    await asking.queries.retry_job(second, timedelta(hours=1), None)
    assert len(await asking.jobs()) == 1


async def test_who_may_run_more_asks(engine: AsyncEngine, asking: Asking) -> None:
    await enqueue(engine, 1)
    assert len(await asking.jobs()) == 1
    before = asking.asked

    assert await asking.jobs() == []
    assert await asking.queries.eligible_queued_work([NAME]) == 0
    assert asking.asked == before + 2


async def test_what_became_of_jobs_is_added_up_for_nobody(engine: AsyncEngine, asking: Asking) -> None:
    await enqueue(engine, 1)
    [job] = await asking.jobs()
    await asking.queries.log_jobs([(job, "successful", None)])

    await asking.queries.aggregate_logs()

    async with engine.connect() as connection:
        written = await connection.execute(
            sa.text(
                "select (select count(*) from pgqueuer_log where aggregated), "
                "(select count(*) from pgqueuer_statistics), (select count(*) from pgqueuer_log)"
            )
        )
        assert tuple(written.one()) == (0, 0, 1)
