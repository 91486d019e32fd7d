"""The console: how long its pages take among many people, how large they are, and what the phone notices of
somebody who looks.

Pages are asked for one after the other, as a browser does. Beside calls at 400 a second somebody looks: they
have a page open that hears news, and load one every second; rounds with them and without take turns, and
those in which another web process shows it to them ("elsewhere"): what these cost is the machine's, which has
a browser and the database at work beside the load.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from statistics import quantiles

import asyncpg
import httpx2
from benchmarks import crowd, people
from benchmarks.figures import figure, interleaved, milliseconds, ratio, row, title
from benchmarks.house import House, opened
from benchmarks.load import Load, write_requests
from benchmarks.people import AGENT, People
from benchmarks.pre_call import requests
from benchmarks.processes import Measured

from voice_server.console.session import link_token
from voice_server.worker import Worker

_SECRET = "the-consoles-secret"
_PEOPLE, _QUICK, _FULL = 20_000, 2_000, 334_000  # each with three conversations
_CALLERS = People(1, 301)
_USER = _CALLERS.targets[0].user_id
_CONNECTIONS, _RATE, _SECONDS = 64, 400, 2.5
_LOOKING = 1
_SETTLED = 15  # seconds until a web process has compiled what it looks through texts with

# A day of three hundred messages, and one of five thousand, and what they were summed up to.
_DAYS = f"""
insert into conversations
    (platform, platform_id, agent_id, user_id, channel, outcome, digest_state, started_at, ended_at)
    select 'app', number, '{AGENT}', '{_USER}', 'text', 'talked', 'done', at, at + interval '5 hours'
    from (values ('300', timestamptz '2026-03-03 09:00Z'), ('5000', '2026-03-04 09:00Z')) day (number, at);
insert into messages (conversation_id, position, role, content, said_at)
    select c.id, p, (array['user', 'agent'])[1 + p % 2],
           'The plums behind house number ' || p || ' are ripe, and the cake wants a dozen of them.',
           c.started_at + p * interval '3 seconds'
    from conversations c, generate_series(0, c.platform_id::int - 1) p where c.platform = 'app';
insert into day_segments
    (user_id, agent_id, day, timezone, starts_at, ends_at, messages, summary, source, sources, marks, basis,
     finalised)
    select '{_USER}', '{AGENT}', started_at::date, 'UTC', started_at, ended_at, platform_id::int, 'Plums.',
           'extractive', array[id], array[''], '', true
    from conversations where platform = 'app';
analyze;
"""  # noqa: S608 (all of it is ours)


def run(*, quick: bool, full: bool) -> None:
    with opened() as house:
        _measure(house, _QUICK if quick else _FULL if full else _PEOPLE, quick=quick)


def _measure(house: House, number: int, *, quick: bool) -> None:
    asyncio.run(_prepare(house, number))
    known = list(zip(_CALLERS.phone_numbers, _CALLERS.past_calls, strict=True))
    write_requests(house.folder / "calls", requests(known * 40))
    console = {"CONSOLE_SECRET": _SECRET}
    with house.web(console) as web, house.web(console) as other:
        time.sleep(_SETTLED)
        title("console", f"pages among {number:,} people and {3 * number:,} conversations")
        asyncio.run(_pages(web.port, 20 if quick else 100))
        load = Load(house.folder / "calls")
        rounds = interleaved(
            ["looked at", "elsewhere", "alone"],
            lambda name: _p99(web, load, {"looked at": web, "elsewhere": other}.get(name)),
            5 if quick else 15,
        )
    for name in ("alone", "elsewhere", "looked at"):
        row(f"pre-call p99, {name}", figure(one[name] for one in rounds), "µs")
    row("elsewhere : alone", ratio(rounds, "elsewhere", "alone", lambda one: one), "x")
    row("looked at : alone", ratio(rounds, "looked at", "alone", lambda one: one), "x")
    row("looked at : elsewhere", ratio(rounds, "looked at", "elsewhere", lambda one: one), "x", most=1.1)


async def _prepare(house: House, number: int) -> None:
    connection = await asyncpg.connect(house.database_url.replace("+asyncpg", ""))
    await crowd.fill(connection, number, 0)
    await people.make(house.database_url, _CALLERS)
    await connection.execute(_DAYS)
    await connection.close()
    worker = Worker(house.settings())
    try:
        await people.cache_prompts(worker, _CALLERS)
    finally:
        await worker.close()


async def _pages(port: int, times: int) -> None:
    goals = {
        "overview": ("/", 60),
        "people": ("/people", 0),
        "a day of 300 messages": (f"/people/{_USER}/timeline/2026-03-03", 30),
        "a day of 5,000 messages": (f"/people/{_USER}/timeline/2026-03-04", 30),
        "prompt, as it would be built now": (f"/people/{_USER}/prompts/now?agent={AGENT}", 30),
        "facts": (f"/people/{_USER}/facts", 0),
    }
    async with _browser(port) as client:
        for name, (path, goal) in goals.items():
            sizes = set[int]()

            async def look(path: str = path, sizes: set[int] = sizes) -> None:
                response = await client.get(path)
                assert response.status_code == 200, path
                sizes.add(len(response.content))

            spent = await milliseconds(look, times)
            row(f"{name}, p95", quantiles(spent, n=20)[-1], "ms", most=goal)
            row(f"{name}, size", max(sizes) / 1000, "KB", most=60)


@contextlib.asynccontextmanager
async def _browser(port: int) -> AsyncIterator[httpx2.AsyncClient]:
    base = f"http://127.0.0.1:{port}/console"
    async with httpx2.AsyncClient(base_url=base, timeout=60) as client:
        opened = await client.get("/login", params={"token": link_token([_SECRET])})
        assert opened.status_code == 303, opened.text
        yield client


def _p99(web: Measured, load: Load, shows: Measured | None) -> float:
    """Microseconds, while somebody looks at what another process, or the same, `shows`."""
    with _looked_at(shows.port if shows else 0, _LOOKING if shows else 0):
        return load.run(web.port, connections=_CONNECTIONS, seconds=_SECONDS, rate=_RATE).p99


@contextmanager
def _looked_at(port: int, number: int) -> Iterator[None]:
    """While so many people look."""

    async def all_of_them() -> None:
        await asyncio.gather(*(_look(port) for _ in range(number)))

    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        looked = loop.run_in_executor(None, asyncio.run, all_of_them())
        time.sleep(0.5 if number else 0)
        yield
        loop.run_until_complete(looked)


async def _look(port: int) -> None:
    async with _browser(port) as client:
        until = time.monotonic() + _SECONDS + 1
        async with client.stream("GET", "/live") as heard:
            assert heard.status_code == 200
            while time.monotonic() < until:
                await client.get("/")
                await asyncio.sleep(1)
