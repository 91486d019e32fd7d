"""Real services for the tests: one embedded Postgres and Valkey for all, a database of its own for each test."""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from pretend.elevenlabs import Platform
from redis.asyncio import Redis
from starlette.testclient import TestClient

from voice_server.app import create_app
from voice_server.embedded import Embedded
from voice_server.settings import Settings
from voice_server.store.migrate import migrate
from voice_server.worker import Worker

ROOT = Path(__file__).parent.parent
TOKEN, SECRET = "the-platform-token", "wsec_the-webhook-secret"
TEMPLATE = "voice_template"


@dataclass
class Clock:
    """The tests' clock, unix seconds; it stands still until it is set. A Tuesday, 10:30 UTC."""

    now: float = 1_794_911_400.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """Postgres and Valkey, shared by all test processes; the first one there migrates the template database."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with Embedded(shared / "services", durable=False) as embedded:
        asyncio.run(_make_template(embedded.database_url))
        yield embedded


async def _make_template(url: str) -> None:
    connection = await _admin(url)
    try:
        await connection.execute("select pg_advisory_lock(1)")
        if not await connection.fetchval("select 1 from pg_database where datname = $1", TEMPLATE):
            await connection.execute(f"create database {TEMPLATE}_new")
            await migrate(_of(url, f"{TEMPLATE}_new"))
            await connection.execute(f"alter database {TEMPLATE}_new rename to {TEMPLATE}")
    finally:
        await connection.close()


async def _admin(url: str) -> "asyncpg.Connection[asyncpg.Record]":
    return await asyncpg.connect(url.replace("+asyncpg", ""))


def _of(url: str, database: str) -> str:
    return url.replace("@/app", f"@/{database}")


@pytest.fixture
async def database_url(services: Embedded) -> AsyncIterator[str]:
    """A migrated database of the test's own."""
    name = f"test_{uuid.uuid4().hex}"
    connection = await _admin(services.database_url)
    await connection.execute(f"create database {name} template {TEMPLATE}")
    yield _of(services.database_url, name)
    await connection.execute(f"drop database {name} with (force)")
    await connection.close()


@pytest.fixture
async def redis_url(services: Embedded) -> str:
    """An empty Valkey database of the test process's own."""
    number = 1 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    url = f"{services.redis_url}?db={number}"
    redis = Redis.from_url(url)
    await redis.flushdb()
    await redis.aclose()
    return url


@pytest.fixture
def clock() -> Clock:
    """The clock of web process and worker."""
    return Clock()


@pytest.fixture
def settings(database_url: str, redis_url: str) -> Settings:
    """The settings of web process and worker."""
    return Settings(
        database_url=database_url,
        redis_url=redis_url,
        platform_token=TOKEN,
        elevenlabs_webhook_secret=SECRET,
        prompt_templates=ROOT / "prompt_templates",
        pre_call_deadline_ms=2000,  # a busy test machine is not a slow Redis
        database_pool=5,
        worker_concurrency=4,
    )


@dataclass
class House:
    """A running web process, a worker to let loose on the queue, and the platform that calls."""

    settings: Settings
    clock: Clock
    client: TestClient
    platform: Platform
    worker: Worker
    opened: list[Any] = field(default_factory=list)

    async def work(self) -> None:
        """Let the worker run until nothing is left to do."""
        await self.worker.queue.drain()

    async def query(self, sql: str, *arguments: object) -> list[tuple[Any, ...]]:
        """Look into the database."""
        connection = await _admin(self.settings.database_url)
        try:
            return [tuple(row) for row in await connection.fetch(sql, *arguments)]
        finally:
            await connection.close()


@pytest.fixture
def open_house(clock: Clock) -> Iterator[Callable[[Settings], House]]:
    """Opens a house with these settings."""
    clients: list[TestClient] = []

    def open_with(settings: Settings) -> House:
        client = TestClient(create_app(settings, clock), raise_server_exceptions=False)
        client.__enter__()
        clients.append(client)
        platform = Platform(client, settings.tokens[0], settings.webhook_secrets[0], clock)
        platform.wait_until_redis_answers()
        return House(settings, clock, client, platform, Worker(settings, clock))

    yield open_with
    for client in clients:
        client.__exit__(None, None, None)


@pytest.fixture
async def house(open_house: Callable[[Settings], House], settings: Settings) -> AsyncIterator[House]:
    """The house as most tests want it."""
    opened = open_house(settings)
    yield opened
    await opened.worker.close()
