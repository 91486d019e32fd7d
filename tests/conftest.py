"""Real services for the tests: one embedded Postgres and Valkey for all, a database for each test process."""

import asyncio
import contextlib
import fcntl
import gc
import hashlib
import os
import shutil
import sys
import time
import uuid
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import asyncpg
import httpcore2
import pytest
import uvloop
from anyio import from_thread
from anyio.from_thread import BlockingPortal, start_blocking_portal
from hypothesis import settings as hypothesis_settings
from pgqueuer.core.qm import QueueManager
from pretend import embedder as pretend_embedder
from pretend import model as pretend_model
from pretend.elevenlabs import Platform
from pretend.embedder import PretendEmbedder
from pretend.kept import KeptConnection, KeptConnections, KeptDatabase, end_tasks, tasks
from pretend.model import PretendModel, says
from pretend.trouble import Process, Trouble, processes
from redis.asyncio import Redis
from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_connection, PGDialect_asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.util import LRUCache
from starlette.testclient import TestClient

from voice_server import cli
from voice_server.app import VoiceApp, create_app
from voice_server.embedded.layout import try_lock
from voice_server.embedded.services import EmbeddedServices
from voice_server.settings import Settings
from voice_server.store import session
from voice_server.store.migrate import migrate
from voice_server.webhooks import durable_copies
from voice_server.worker import Worker

# libuv then tells the kernel of its sockets one by one: in batches (io_uring), a loop that is closed just
# after a service was frozen was seen to wait for ever.
os.environ["UV_USE_IO_URING"] = "0"

ROOT = Path(__file__).parent.parent
TOKEN, SECRET = "the-platform-token", "wsec_the-webhook-secret"
API_TOKEN = "the-api-token"
TEMPLATE = "voice_template"
HOUR = 3600
MOST_PROCESSES = 8
SERVICED = ("walks", "api", "browser", "embedded", "queue")  # folders of tests none of which is pure
NEEDS_SERVICES = {"services", "_breakable", "start", "valkey", "shared_valkey", "locked_valkey"}  # fixtures
MEMORY, ROOM = Path("/dev/shm"), 2_000_000_000  # noqa: S108 (a folder of our own below it)

# To read the certificates of all authorities takes 35 ms: one context for all clients of a process.
httpcore2.default_ssl_context = cache(httpcore2.default_ssl_context)

# A busy machine takes its time. The same examples each time, so that a change fails for what it changed:
# `scripts/test --hypothesis-profile=thorough` looks longer, and each time elsewhere, for what nobody thought
# of.
hypothesis_settings.register_profile("house", deadline=None, max_examples=15, derandomize=True)
hypothesis_settings.register_profile("thorough", deadline=None, max_examples=300)
hypothesis_settings.load_profile("house")


# Collecting leaves a million objects that stay: looking through them again and again takes 4 % of all tests'
# time.
gc.disable()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One test process more than there are cores (`-n auto`): tests wait now and then, and each process takes
    ten seconds until it has loaded them all. With twice as many the whole took 8 % longer on two cores. No
    more than Postgres has connections for. What needs no services waits for nothing: one for each core."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if config.option.markexpr == "pure" else min(cores + 1, MOST_PROCESSES)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The walks first: a test of most of a minute that begins last is waited for by all. Each test is told
    apart by what it needs: a `walk` through the whole of it, `services`, or nothing but Python (`scripts/test
    --pure`)."""
    items.sort(key=lambda item: _folder_of(item) != "walks")
    for item in items:
        item.add_marker(_kind_of(item))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where nothing is pure, the pure tests need not look: loading it takes a second in each process."""
    is_serviced = collection_path.parent == ROOT / "tests" and collection_path.name in SERVICED
    return True if config.option.markexpr == "pure" and is_serviced else None


def _kind_of(item: pytest.Item) -> str:
    folder = _folder_of(item)
    if folder == "walks":
        return "walk"
    if folder in SERVICED:
        return "services"
    needed = set(getattr(item, "fixturenames", ()))
    if item.get_closest_marker("services") or needed & NEEDS_SERVICES:
        return "services"
    return "pure"


def _folder_of(item: pytest.Item) -> str:
    return _folder_at(item.path)


@cache
def _folder_at(path: Path) -> str:
    """The one below `tests`, whatever the folders above it are called."""
    return path.relative_to(ROOT / "tests").parts[0]


def pytest_collection_finish() -> None:
    """What the collector need not look through is there: all of it, since to find the tenth that is rubbish
    takes half a second."""
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


class LastingLoop(uvloop.Loop):
    """The event loop of our processes, which the end of the process closes: `uv_loop_close` now and then
    waits for ever for a connection to a service that a test froze or killed."""

    def close(self) -> None:
        """Leave it to the end of the process."""


@pytest.fixture(scope="session")
def _asyncio_loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """The event loop of our processes, one for all tests. pytest-asyncio takes it from its fixture of this
    name; what its hook names is a parameter of async tests alone: at each other test the loop would end."""
    return LastingLoop


@dataclass
class Clock:
    """The tests' clock, unix seconds; it stands still until it is set. A Tuesday, 10:30 UTC."""

    now: float = 1_794_911_400.0

    def __call__(self) -> float:
        return self.now

    def set_to(self, moment: str) -> None:
        """The clock shows this moment, as `2026-11-17T23:59:00+00:00`."""
        self.now = datetime.fromisoformat(moment).timestamp()


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServices]:
    """Postgres and Valkey, shared by all test processes; the first one there migrates the template
    database."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with _services_in(shared / "services") as embedded, pytest.MonkeyPatch.context() as patch:
        asyncio.run(_let_nobody_empty_all(embedded.redis_url))
        patch.setattr(asyncpg.Connection, "_introspect_types", _introspected_once())
        patch.setattr(QueueManager, "verify_structure", _verified_before)
        # Four connections for each house cost as much as a test's own work: those that are about them ask for
        # them.
        patch.setattr(durable_copies, "_KEPT_OPEN", 0)
        _compile_statements_once(patch)
        yield embedded


@pytest.fixture(scope="session")
def _portal() -> Iterator[BlockingPortal]:
    """The event loop of the web processes in this one."""
    with (
        pytest.MonkeyPatch.context() as patch,
        start_blocking_portal("asyncio", {"loop_factory": LastingLoop}) as portal,
    ):
        patch.setattr(from_thread, "start_blocking_portal", lambda *_, **__: contextlib.nullcontext(portal))
        yield portal


@pytest.fixture(scope="session")
async def kept_database(services: EmbeddedServices, _portal: BlockingPortal) -> AsyncIterator[KeptDatabase]:
    """The database of this process."""
    connections = KeptConnections(asyncpg.connect)
    connections.loops = (asyncio.get_running_loop(), _portal.call(_running_loop))

    async def make(name: str) -> str:
        await _as_admin(services, f"create database {name} template {TEMPLATE} strategy file_copy")
        return _of(services.database_url, name)

    async def drop(name: str) -> None:
        await _as_admin(services, f"drop database {name} with (force)")

    database = KeptDatabase(connections, make, drop)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncpg, "connect", connections.connect)
        patch.setattr(AsyncAdapt_asyncpg_connection, "__init__", _prepared_before())
        patch.setattr(PGDialect_asyncpg, "initialize", _initialized_once())
        yield database
        await database.give_up()


async def _running_loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


async def _as_admin(services: EmbeddedServices, statement: str) -> None:
    connection = await _admin(services.database_url)
    await connection.execute(statement)
    await connection.close()


def _prepared_before() -> Callable[..., None]:
    """For SQLAlchemy: a kept connection comes with the statements prepared on it."""
    adapt = AsyncAdapt_asyncpg_connection.__init__

    def adapted(self: AsyncAdapt_asyncpg_connection, dbapi: Any, connection: Any, **named: Any) -> None:
        adapt(self, dbapi, connection, **named)  # type: ignore[no-untyped-call]  # SQLAlchemy's own
        if type(connection) is KeptConnection:  # to isinstance every connection is one
            self._prepared_statement_cache = connection.prepared

    return adapted


def _initialized_once() -> Callable[..., None]:
    """For SQLAlchemy: what an engine asks on its first connection is the same for all."""
    ask = PGDialect_asyncpg.initialize
    known: dict[str, Any] = {}

    def initialize(self: PGDialect_asyncpg, connection: Any) -> None:
        if known:
            self.__dict__.update(known)
            return
        before = dict(self.__dict__)
        ask(self, connection)  # type: ignore[no-untyped-call]  # SQLAlchemy's own
        known.update({name: value for name, value in self.__dict__.items() if before.get(name) is not value})

    return initialize


async def _let_nobody_empty_all(redis_url: str) -> None:
    """For Valkey: each test process has a database of its own there, and empties that one."""
    async with Redis.from_url(redis_url) as redis:
        await redis.acl_setuser("default", enabled=True, commands=["-flushall"])


def _introspected_once() -> Callable[..., Any]:
    """For the driver: what types are is asked of Postgres once, not on each of some thousand connections,
    where it takes longer than a test's own statements. All databases are clones of one, with the same
    numbers."""
    ask = asyncpg.Connection._introspect_types  # type: ignore[attr-defined]  # the stubs leave it out
    known: dict[frozenset[int], Any] = {}

    async def introspect(connection: object, types: Collection[int], timeout: float | None) -> Any:  # noqa: ASYNC109 (the driver's own)
        asked = frozenset(types)
        if asked not in known:
            known[asked] = await ask(connection, types, timeout)
        return known[asked]

    return introspect


def _compile_statements_once(patch: pytest.MonkeyPatch) -> None:
    """For SQLAlchemy: all engines share what they compiled. Each test has two or three of its own, and
    compiling takes a seventh of its time. All speak one dialect, to one server."""
    compiled = LRUCache[Any, Any](1000)

    def sharing(*given: Any, **named: Any) -> AsyncEngine:
        engine = create_async_engine(*given, **named)
        engine.sync_engine._compiled_cache = compiled
        return engine

    patch.setattr(session, "create_async_engine", sharing)
    patch.setattr(PGDialect_asyncpg, "__eq__", lambda self, other: type(self) is type(other))
    patch.setattr(PGDialect_asyncpg, "__hash__", lambda self: hash(type(self)))


async def _verified_before(_manager: QueueManager) -> None:
    """For the queue: the tables are the template's. Looking again takes as long as a job."""


@contextlib.contextmanager
def _services_in(folder: Path) -> Iterator[EmbeddedServices]:
    """Services with a migrated template database, in memory where there is room: a clone takes 25 ms
    there, and 400 on a busy disk."""
    _sweep_memory()
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
        folder = MEMORY / f"voice-server-tests-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]}"
    with EmbeddedServices(folder, durable=False) as embedded:
        asyncio.run(_make_template(embedded.database_url))
        yield embedded
    if not embedded.pids():  # nobody uses them any more
        shutil.rmtree(folder, ignore_errors=True)


def _sweep_memory() -> None:
    """Away with what test runs left there that were killed more than an hour ago."""
    for folder in MEMORY.glob("voice-server-tests-*"):
        users = folder / "locks" / "users.lock"
        with contextlib.suppress(OSError):
            lock = try_lock(users, fcntl.LOCK_EX) if time.time() - users.stat().st_mtime > HOUR else None
            if lock:
                shutil.rmtree(folder, ignore_errors=True)
                lock.close()


async def _make_template(url: str) -> None:
    connection = await _admin(url)
    try:
        await connection.execute("select pg_advisory_lock(1)")
        if not await connection.fetchval("select 1 from pg_database where datname = $1", TEMPLATE):
            # What it counts changes plans, and a database that is kept is made anew for that: that was every
            # 20th test or so, and all connections to the new one parse and plan all statements again.
            await connection.execute("alter system set autovacuum = off")
            await connection.execute("select pg_reload_conf()")
            await connection.execute(f"create database {TEMPLATE}_new")
            await migrate(_of(url, f"{TEMPLATE}_new"))
            await connection.execute(f"alter database {TEMPLATE}_new rename to {TEMPLATE}")
    finally:
        await connection.close()


async def _admin(url: str) -> "asyncpg.Connection[asyncpg.Record]":
    return await asyncpg.connect(url.replace("+asyncpg", ""))


def _of(url: str, database: str) -> str:
    return url.replace("@/app", f"@/{database}")


async def _drop(connection: "asyncpg.Connection[asyncpg.Record]", name: str) -> None:
    """Drop a database. Who has just left it takes a few ms to be gone, and Postgres, finding somebody, waits
    100."""
    for _ in range(20):
        if not await connection.fetchval("select numbackends from pg_stat_database where datname = $1", name):
            break
        await asyncio.sleep(0.002)
    await connection.execute(f"drop database {name} with (force)")


@contextlib.asynccontextmanager
async def _database(services: EmbeddedServices, source: str) -> AsyncIterator[str]:
    """A database of the test's own, a copy of another one."""
    name = f"test_{uuid.uuid4().hex}"
    connection = await _admin(services.database_url)
    await connection.execute(f"create database {name} template {source}")
    yield _of(services.database_url, name)
    await _drop(connection, name)
    await connection.close()


@pytest.fixture
async def database_url(kept_database: KeptDatabase, _portal: BlockingPortal) -> AsyncIterator[str]:
    """A migrated database that is empty, and the test's own until it ends."""
    lasting, theirs = await tasks(), _portal.call(tasks)
    yield await kept_database.emptied()
    await end_tasks(lasting)
    _portal.call(end_tasks, theirs)


@pytest.fixture
async def empty(services: EmbeddedServices) -> AsyncIterator[str]:
    async with _database(services, "template0") as url:
        yield url


@pytest.fixture(scope="session")
async def _redis(services: EmbeddedServices) -> AsyncIterator[tuple[str, Redis]]:
    """The Valkey database of the test process, and a connection to it."""
    number = 1 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    url = f"{services.redis_url}?db={number}"
    async with Redis.from_url(url) as redis:
        yield url, redis


@pytest.fixture
async def redis_url(_redis: tuple[str, Redis]) -> str:
    """The Valkey database of the test process, empty."""
    url, redis = _redis
    await redis.flushdb()
    return url


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="session")
def _settings() -> Settings:
    """Those that are the same for all: to make them, pydantic takes 3 ms."""
    return Settings(
        database_url="postgresql+asyncpg:///none",
        redis_url="unix:///none",
        platform_token=TOKEN,
        elevenlabs_webhook_secret=SECRET,
        api_token=API_TOKEN,
        prompt_templates=ROOT / "prompt_templates",
        pre_call_deadline_ms=5000,  # a busy test machine is not a slow Redis
        tool_deadline_ms=10_000,  # nor a slow Postgres
        text_context_deadline_ms=10_000,
        database_pool=5,
        worker_concurrency=4,
        backlog_pause_seconds=0,
        default_refresh_seconds=5,  # each look costs as much as a request, in every house
    )


@pytest.fixture
def settings(_settings: Settings, database_url: str, redis_url: str) -> Settings:
    """The settings of web process and worker."""
    return _settings.model_copy(update={"database_url": database_url, "redis_url": redis_url})


@pytest.fixture(scope="session")
def _model() -> Iterator[PretendModel]:
    with pretend_model.serving() as model:
        yield model


@pytest.fixture
def model(_model: PretendModel) -> PretendModel:
    """A model behind a real port, that answers as it is told to."""
    _model.forget()
    return _model


@pytest.fixture
def chatting(settings: Settings, model: PretendModel) -> Settings:
    """The settings of a house that answers chats."""
    model.otherwise = says("Priya ", "repairs it.")
    return settings.model_copy(
        update={"chat_model": "openai-chat:pretend:8b", "llm_base_url": model.url, "llm_api_key": "key"}
    )


@pytest.fixture(scope="session")
def _embedder() -> Iterator[PretendEmbedder]:
    with pretend_embedder.serving() as embedder:
        yield embedder


@pytest.fixture
def embedder(_embedder: PretendEmbedder) -> PretendEmbedder:
    """An embedder behind a real port, that answers as it is told to."""
    _embedder.forget()
    return _embedder


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    """A folder of prompt templates of the test's own; give it to the settings as `prompt_templates`."""
    return Path(shutil.copytree(ROOT / "prompt_templates", tmp_path / "prompt_templates"))


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

    def counted(self, metric: str, outcome: str) -> int:
        """What /metrics shows."""
        return self.platform.counted(metric, outcome)

    async def keys(self, pattern: str) -> list[str]:
        found = list(await self.worker.redis.keys(pattern))
        return sorted(key.decode() if isinstance(key, bytes) else key for key in found)

    async def query(self, sql: str, *arguments: object) -> list[tuple[Any, ...]]:
        connection = await _admin(self.settings.database_url)
        try:
            return [tuple(row) for row in await connection.fetch(sql, *arguments)]
        finally:
            await connection.close()


@pytest.fixture
async def open_house(clock: Clock, database_url: str) -> AsyncIterator[Callable[[Settings], House]]:
    """Opens a house with these settings."""
    assert database_url, "asked for to be dropped after the house has left it"
    houses: list[House] = []

    def open_with(settings: Settings) -> House:
        app = create_app(settings, clock)
        client = TestClient(app, raise_server_exceptions=False, backend_options={"use_uvloop": True})
        client.__enter__()
        platform = Platform(
            client, settings.tokens[0], settings.webhook_secrets[0], clock, settings.metrics_token
        )
        houses.append(House(settings, clock, client, platform, Worker(settings, clock)))
        if settings.redis_url.startswith("unix:"):  # services of ours; tests of outages name others
            _wait_for_redis(client, app)
        return houses[-1]

    yield open_with
    for house in houses:
        house.client.__exit__(None, None, None)
        await house.worker.close()


def _wait_for_redis(client: TestClient, app: VoiceApp) -> None:
    """Until the web process has its connection to Redis, which its start waits for only so long."""
    assert client.portal
    with contextlib.suppress(TimeoutError):
        client.portal.call(asyncio.wait_for, app.pre_call._line.ready(), 5)


@pytest.fixture
async def house(open_house: Callable[[Settings], House], settings: Settings) -> House:
    """The house as most tests want it."""
    return open_house(settings)


@pytest.fixture
async def working(house: House) -> AsyncIterator[House]:
    """The house, while its worker works."""
    stop = asyncio.Event()
    work = asyncio.create_task(house.worker.queue.run(stop))
    yield house
    stop.set()
    await work


@pytest.fixture(scope="session")
def _breakable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServices]:
    """Services of one test process alone, to be broken."""
    with _services_in(tmp_path_factory.mktemp("breakable")) as embedded:
        yield embedded


@pytest.fixture
async def trouble(_breakable: EmbeddedServices) -> AsyncIterator[Trouble]:
    """Trouble for the services that `fragile` settings name; mended when the test is over."""
    made = Trouble(_breakable)
    yield made
    await made.mend()


@pytest.fixture
async def fragile(settings: Settings, trouble: Trouble) -> AsyncIterator[Settings]:
    """Settings with services that may be broken: an empty Valkey and a migrated database."""
    admin = trouble.services.database_url
    name = f"test_{uuid.uuid4().hex}"
    connection = await _admin(admin)
    # Only now, when nobody is left in them.
    for (left,) in await connection.fetch(
        "select datname from pg_database where starts_with(datname, 'test_')"
    ):
        await _drop(connection, left)
    await connection.execute(f"create database {name} template {TEMPLATE} strategy file_copy")
    await connection.close()
    redis = Redis.from_url(trouble.services.redis_url)
    await redis.flushall()
    await redis.aclose()
    urls = {"database_url": _of(admin, name), "redis_url": trouble.services.redis_url}
    yield settings.model_copy(update=urls)
    await trouble.mend()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Starts one of our own commands as a process: `start("worker", DATABASE_URL=…)`. None outlives the
    test."""
    with processes() as started:

        def start_one(*arguments: str, **environment: str) -> Process:
            log = tmp_path / f"{len(started)}-{arguments[0]}.log"
            started.append(Process(*arguments, environment=environment, log=log))
            return started[-1]

        yield start_one


@pytest.fixture
def refuse(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs one of our own commands that refuses, in this process: `refuse("worker", REDIS_URL=…)`. What it
    says to the person."""

    def refuse_one(*arguments: str, **environment: str) -> str:
        for name in Settings.model_fields:
            monkeypatch.delenv(name.upper(), raising=False)
        for name, value in {"PROMPT_TEMPLATES": str(ROOT / "prompt_templates"), **environment}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "argv", ["voice-server", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code == 2
        return capsys.readouterr().err

    return refuse_one
