"""Scale: what lists and periodic passes read, and how long they take, as there are more people.

The same things are looked at among ten thousand people, a hundred thousand and (`--full`) a million. What a
figure reads is counted in Postgres' own pages of 8 KB, which no neighbour's work disturbs: a figure that
should be flat and reads half as much again among ten times as many people fails. Milliseconds are the best of
some, and stand beside it.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import asyncpg
from benchmarks import crowd
from benchmarks.figures import title
from benchmarks.house import opened
from benchmarks.processes import ProcessError
from benchmarks.statements import plan, recorded
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from voice_server.domain.addresses.address import Address
from voice_server.jobs.periodic.expiry import ThreadLifetimes
from voice_server.queue import queue
from voice_server.store import session
from voice_server.store.knowledge import due_digests, threads
from voice_server.store.lifecycle import erasures, webhook_events
from voice_server.store.people import talk_counts, user_profiles, user_search
from voice_server.store.prompts import prompt_history, prompts
from voice_server.store.prompts.prompts import LastTalk, Target, Templates
from voice_server.store.search import search_index, vectors

_SIZES, _QUICK, _FULL = (10_000, 100_000), (10_000, 20_000), 1_000_000
_TIMES = 5
_MOST_GROWTH = 1.5
# Whose figure is bounded anyway: a large table has several pages of its visibility map, and from one
# person to the next it is another one; and of 2,000 people and their addresses each is on a page of its own.
_AT_MOST = {"without a prompt, 500 people": 500, "users found by a part of a number": 8000}
_FEW = 4  # pages: a level more of an index is no growth
_ANYWHERE = 1500  # an id among the conversations and timelines of the smallest crowd
_DAY = timedelta(days=1)

Look = Callable[[AsyncConnection], Awaitable[object]]


class Cost(Struct, frozen=True):
    """What something took: pages of 8 KB that Postgres looked at, and milliseconds."""

    pages: int
    ms: float


def run(*, quick: bool, full: bool) -> None:
    """Measure and print; raises ProcessError when something grew that should not."""
    sizes = _QUICK if quick else (*_SIZES, _FULL) if full else _SIZES
    with opened() as house:
        table = asyncio.run(_measured(house.database_url, sizes))
    title("scale", f"pages read and ms, among {', '.join(f'{size:,}' for size in sizes)} people")
    grown = [name for name, costs in table.items() if not _told(name, costs)]
    if grown:
        raise ProcessError(f"grows with how many people there are: {', '.join(grown)}")


def _told(name: str, costs: list[Cost]) -> bool:
    """Print a figure; whether it is flat."""
    growth = max(costs[-1].pages - _FEW, 1) / max(costs[0].pages, 1)
    cells = "".join(f"{cost.pages:>9,} {cost.ms:>8.1f} ms" for cost in costs)
    is_flat = growth <= _MOST_GROWTH or costs[-1].pages <= _AT_MOST.get(name, 0)
    verdict = "flat" if is_flat else "GROWS"
    print(f"  {name:<42}{cells}   × {costs[-1].pages / max(costs[0].pages, 1):.2f} {verdict}", flush=True)
    return is_flat


async def _measured(database_url: str, sizes: tuple[int, ...]) -> dict[str, list[Cost]]:
    table: dict[str, list[Cost]] = {}
    there = 0
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    engine = session.connect(database_url, 3)
    for size in sizes:
        started = time.monotonic()
        await crowd.fill(connection, size, there)
        there = size
        held = await connection.fetchval("select pg_size_pretty(pg_database_size(current_database()))")
        print(f"  {size:,} people made in {time.monotonic() - started:.0f} s: {held}", flush=True)
        for name, look in (await _looks(connection, engine)).items():
            table.setdefault(name, []).append(await _cost(engine, look))
    await engine.dispose()
    await connection.close()
    return table


async def _looks(connection: "asyncpg.Connection[asyncpg.Record]", engine: AsyncEngine) -> dict[str, Look]:
    """What is measured, by name."""
    now = datetime.now(UTC)  # noqa: TID251 (a benchmark is an edge)
    user = await connection.fetchval(f"select {crowd.person(700)}")
    listed = [row["id"] for row in await connection.fetch("select id from users order by id limit 50")]
    now_templates = Templates({"default": crowd.TEMPLATES}, "default")
    edited = Templates({"default": "templates of a moment later"}, "default")
    half_way = LastTalk(now - 45 * _DAY, user, crowd.AGENT)
    own, shared = Address(f"tel:+1{4150000000 + 700}"), Address(f"tel:+44{2070000000 + 500}")
    return {
        "list of users (50)": lambda c: user_profiles.page(c, limit=51),
        "list of users (50), when last heard of": lambda c: talk_counts.of(c, listed),
        "users found by a part of a number": lambda c: user_search.matching(c, "4150", limit=51),
        "one user": lambda c: user_profiles.get(c, user),
        "user by address": lambda c: user_profiles.known_as(c, own),
        "users of a shared line (20)": lambda c: user_profiles.known_as(c, shared),
        "prompts of a user": lambda c: prompt_history.page(c, user, None),
        "erasing a user": lambda c: erasures.delete_user(c, [user], []),
        "stale prompts (10)": lambda c: prompts.stale(c, now_templates, now, 10),
        "templates edited, 500 at a time": lambda c: prompts.stale(c, edited, now, 500),
        "forgotten work": lambda _: queue.wake_forgotten(engine),
        "digests nobody asks for": lambda c: due_digests.unasked(
            c, "later", "digest_conversations_later", 500
        ),
        "events of which nothing became": lambda c: webhook_events.received(c, timedelta(seconds=30), 0, 500),
        "index, 20 conversations": lambda c: search_index.behind(c, _ANYWHERE, 20, 20),
        "index, 20 timelines": lambda c: search_index.with_gaps(c, _ANYWHERE, 20, 20),
        "refill, 200 who talked last": lambda c: prompts.last_to_talk(c, half_way, 200),
        "without a prompt, 500 people": lambda c: prompts.talked_with(c, Target("usr_5", ""), 500),
        "threads to expire (10)": lambda c: threads.users_with_old_ones(
            c, now, asdict(ThreadLifetimes()), 10
        ),
        "bodies of old events": lambda c: webhook_events.forget_bodies(c, now - 90 * _DAY, 0, 500),
        "without vectors, 200 of 5,000": lambda c: vectors.awaiting(
            c, "model", 12, 200, below=14_000, page=5000
        ),
        "stale prompts, counted up to a limit": lambda c: prompts.count_stale(c, edited),
        "the queue's log": lambda _: queue.prune(engine),
        "old prompts, 500 looked at": lambda c: prompts.forget_old(c, now - 400 * _DAY, _ANYWHERE, 500),
    }


async def _cost(engine: AsyncEngine, look: Look) -> Cost:
    """Everything is taken back. What Postgres does is counted by itself, once it has been done some times."""
    spent = []
    async with engine.connect() as connection:
        for _ in range(_TIMES):
            with recorded() as asked:
                started = time.perf_counter()
                await look(connection)
                spent.append(1000 * (time.perf_counter() - started))
            await connection.rollback()
        await connection.exec_driver_sql("select 1")
        plans = [await plan(connection, statement, "analyze, buffers") for statement in asked]
        await connection.rollback()
    read = [one["Plan"]["Shared Hit Blocks"] + one["Plan"]["Shared Read Blocks"] for one in plans]
    return Cost(sum(read), min(spent))
