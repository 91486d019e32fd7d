"""Rebuild: how many prompts a second one worker on one core makes.

Once through the queue, as it happens: wake-up, gather, build, store, cache, done. And once without it, which
is what `scripts/rebuild_prompts` does and what the queue's share is measured by. Postgres and Redis are on
the other core.
"""

import asyncio
import time

import asyncpg
from benchmarks import people
from benchmarks.figures import figure, row, title
from benchmarks.house import House
from benchmarks.people import People
from benchmarks.processes import ProcessError, on_core
from sqlalchemy.ext.asyncio import create_async_engine

from voice_server.queue import prompt_requests
from voice_server.store.prompts.prompts import Target
from voice_server.worker import Worker

_AT_ONCE = 20  # as many as a worker runs
_PREPARED = 10.0  # seconds after which a worker has read its languages, which is no work of a prompt
_PATIENCE = 120.0
_LEFT = "select count(*) from pending_work where requested > done"


def run(house: House, *, quick: bool) -> None:
    everybody = People(1, 600 if quick else 3000)
    asyncio.run(people.make(house.database_url, everybody))
    title("rebuild", f"{len(everybody.targets)} users, answers of 16 KB")
    with on_core(0):
        bare = asyncio.run(_without_queue(house, everybody.targets))
    row("without the queue, per second", figure(bare), "", least=0)
    per_second, cpu = asyncio.run(_through_the_queue(house, everybody.targets))
    row("through the queue, per second", per_second, "", least=500)
    row("through the queue, CPU of the worker each", cpu * 1e3, "ms")
    row("through the queue, per second of the worker's CPU", 1 / cpu, "", least=500)


async def _without_queue(house: House, targets: list[Target]) -> list[float]:
    """Prompts per second, by batches; the first warms up."""
    worker = Worker(house.settings())
    turns = asyncio.Semaphore(_AT_ONCE)

    async def one(target: Target) -> None:
        async with turns, worker.engine.begin() as connection:
            rebuilt = await worker.rebuild.build(connection, [target], trigger="benchmark")
            await worker.rebuild.apply(connection, list(rebuilt.values()))

    rates = []
    for first in range(0, len(targets), 200):
        batch = targets[first : first + 200]
        started = time.perf_counter()
        await asyncio.gather(*map(one, batch))
        rates.append(len(batch) / (time.perf_counter() - started))
    await worker.close()
    return rates[1:]


async def _through_the_queue(house: House, targets: list[Target]) -> tuple[float, float]:
    """Prompts per second between the first tenth and the last, and CPU seconds of the worker for each."""
    observer = await asyncpg.connect(house.database_url.replace("+asyncpg", ""))
    try:
        with house.worker() as worker:
            await asyncio.sleep(_PREPARED)
            await _ask_for_all(house, targets)
            left = await _until(observer, len(targets) * 9 // 10)
            started, cpu = time.perf_counter(), worker.cpu_seconds()
            rest = await _until(observer, 0)
            done = left - rest
            return done / (time.perf_counter() - started), (worker.cpu_seconds() - cpu) / done
    finally:
        await observer.close()


async def _ask_for_all(house: House, targets: list[Target]) -> None:
    engine = create_async_engine(house.database_url)
    async with engine.begin() as connection:
        for target in targets:
            await prompt_requests.request(connection, target.user_id, target.agent_id)
    await engine.dispose()


async def _until(observer: "asyncpg.Connection[asyncpg.Record]", at_most: int) -> int:
    """Wait until no more than `at_most` rebuilds are left; how many are."""
    until = time.monotonic() + _PATIENCE
    while (left := await observer.fetchval(_LEFT)) > at_most:
        if time.monotonic() > until:
            raise ProcessError(f"the worker still has {left} rebuilds to do")
        await asyncio.sleep(0.05)
    return int(left)
