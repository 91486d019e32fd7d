"""Backlog: how soon calls that wait are worked off by one worker and by two, and what a call leaves in
Postgres.

Everybody of a crowd has one call of twelve messages waiting at a time, delivered while no worker runs; then
one worker does what there is to do, the next time two, and so on in turns, in one database. The second worker
shares its core with Postgres. It counts from a third of the calls on, when workers have started and read
what they digest with, and after a first round, with statistics of Postgres as a table has that was not filled
this minute. What a call leaves is how much tables and indexes have grown by the last half of the rounds.
"""

import asyncio
import json
import random
import time
from contextlib import ExitStack

import asyncpg
import httpx2
from benchmarks.figures import figure, row, title
from benchmarks.house import POST_CALL, SECRET, House
from benchmarks.processes import Measured
from msgspec import Struct
from pretend.elevenlabs import ended_call

from voice_server.webhooks.signature import sign

_AGENT = "agent_backlog"
_PEOPLE, _ROUNDS = 1500, 6
_QUICK = 60, 4
_AT_ONCE = 16  # deliveries
_PATIENCE = 300.0  # seconds
_PAUSE = 0.05  # seconds between two looks, which cost Postgres a little
_WHO = "sister neighbour father landlord colleague dentist daughter uncle teacher cousin".split()
_WHAT = (
    "garden piano bicycle kitchen boiler balcony passport holiday choir allotment car roof camera sofa "
    "cat tomatoes marathon cottage ladder telescope orchard printer canoe greenhouse"
).split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_TURNS = (
    "agent: Hello again, how did it go with the {0}?",
    "user: Quite well, my {4} helped me with the {0} on {6}.",
    "agent: That is good news. And what became of the {1}?",
    "user: I have to get the {1} repaired before {7}, it is worse than last month.",
    "agent: I will remind you of the {1} when you call next time.",
    "user: Thank you. I am going to look at a {2} with my {5} on {7}.",
    "agent: Have you had a {2} before?",
    "user: Yes, when we lived in the old house near the station.",
    "agent: Is there anything else that is on your mind?",
    "user: I am a little worried about the {3}, to be honest.",
    "agent: Then let us talk about the {3} the next time.",
    "user: Yes, please. Goodbye until {6}!",
)


class Drained(Struct, frozen=True):
    """So many calls, from the digest of a third of them to the last job's end: s, and CPU of the workers."""

    calls: int
    seconds: float
    cpu: float

    def per_second(self) -> float:
        return self.calls / self.seconds


def run(house: House, *, quick: bool) -> None:
    people, rounds = _QUICK if quick else (_PEOPLE, _ROUNDS)
    drained: dict[int, list[Drained]] = {1: [], 2: []}
    with house.web() as web:
        asyncio.run(_deliver(web.port, people, rounds))
        _drain(house, 1, people, people)
        for number in range(rounds):
            if number in {0, rounds // 2}:
                before = asyncio.run(_sizes(house))
            asyncio.run(_deliver(web.port, people, number))
            workers = 1 + number % 2
            drained[workers].append(_drain(house, workers, people * (number + 2), people))
    after = asyncio.run(_sizes(house))
    _print(drained, people)
    grown = {name: size - before.get(name, 0) for name, size in after.items()}
    _print_sizes(grown, calls=people * (rounds - rounds // 2))
    asyncio.run(_print_unused(house))


async def _deliver(port: int, people: int, number: int) -> None:
    """A call of each that has just ended."""
    turns = asyncio.Semaphore(_AT_ONCE)
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:

        async def deliver(person: int) -> None:
            body = json.dumps(_event(person, number)).encode()
            headers = {"elevenlabs-signature": sign(body, SECRET, int(time.time()))}
            async with turns:
                (await client.post(POST_CALL, content=body, headers=headers)).raise_for_status()

        await asyncio.gather(*map(deliver, range(people)))


def _event(person: int, number: int) -> object:
    chance = random.Random(f"{person} {number}")  # noqa: S311 (no secret)
    words = [*chance.sample(_WHAT, 4), *chance.sample(_WHO, 2), *chance.sample(_DAYS, 2)]
    said = [turn.format(*words) for turn in _TURNS]
    caller, now = f"+1646{5550000 + person}", time.time()
    return ended_call(f"conv_{person}_{number}", said, ended=now, caller=caller, agent=_AGENT, duration=200)


def _drain(house: House, workers: int, digests: int, people: int) -> Drained:
    """Until so many digests are there, and nothing is left to do."""
    with ExitStack() as stack:
        started = [stack.enter_context(house.worker(measured=not number)) for number in range(workers)]
        return asyncio.run(_until_done(house, started, digests, people))


async def _until_done(house: House, workers: list[Measured], digests: int, people: int) -> Drained:
    connection = await _connected(house)
    try:
        await _until(connection, _DIGESTED, digests - people + people // 3)
        made = await connection.fetchval("select count(*) from digests")
        began, cpu = time.monotonic(), sum(one.cpu_seconds() for one in workers)
        await _until(connection, _DIGESTED, digests)
        await _until(connection, _NOTHING_LEFT)
        spent = sum(one.cpu_seconds() for one in workers) - cpu
        return Drained(digests - made, time.monotonic() - began, spent)
    finally:
        await connection.close()


async def _until(connection: "asyncpg.Connection[asyncpg.Record]", true: str, *given: int) -> None:
    async with asyncio.timeout(_PATIENCE):
        while True:
            if await connection.fetchval(true, *given):
                return
            await asyncio.sleep(_PAUSE)


_DIGESTED = "select count(*) >= $1 from digests"
_NOTHING_LEFT = """
select not exists (select from pgqueuer where status in ('queued', 'picked'))
    and not exists (select from pending_work where requested > done)
"""


async def _connected(house: House) -> "asyncpg.Connection[asyncpg.Record]":
    return await asyncpg.connect(house.database_url.replace("+asyncpg", ""))


async def _sizes(house: House) -> dict[tuple[str, str], int]:
    """Bytes by table and part: what it holds, what of that is kept aside, and each index, as after a
    vacuum."""
    connection = await _connected(house)
    await connection.execute("vacuum (full, analyze)")
    rows = await connection.fetch(_SIZES)
    await connection.close()
    return {(table, part): size for table, part, size in rows}


_SIZES = """
select c.relname, 'rows', pg_relation_size(c.oid) from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
union all select c.relname, 'long values', pg_total_relation_size(c.reltoastrelid) from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.reltoastrelid <> 0
union all select c.relname, i.relname, pg_relation_size(i.oid) from pg_class c
    join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid
    where c.relnamespace = 'public'::regnamespace
"""


def _print(drained: dict[int, list[Drained]], people: int) -> None:
    title("backlog", f"{people} calls that wait, of as many people, {sum(map(len, drained.values()))} rounds")
    for workers, rounds in drained.items():
        what = f"{workers} worker{'s' * (workers > 1)}"
        row(f"calls a second until nothing is left, {what}", figure(one.per_second() for one in rounds))
        row(
            f"CPU of the workers for each call, {what}",
            figure(1000 * one.cpu / one.calls for one in rounds),
            "ms",
        )
    pairs = zip(drained[1], drained[2], strict=False)
    row("two workers : one, by turns", figure(two.per_second() / one.per_second() for one, two in pairs), "x")


def _print_sizes(grown: dict[tuple[str, str], int], calls: int) -> None:
    title("bytes", f"for each of {calls} calls of 12 messages, without what deleted rows leave")
    tables = {table: sum(size for (name, _), size in grown.items() if name == table) for table, _ in grown}
    for table, size in sorted(tables.items(), key=lambda one: -one[1]):
        parts = sorted(((n, part) for (name, part), n in grown.items() if name == table and n), reverse=True)
        if size:
            named = ", ".join(f"{part} {n / calls:.0f}" for n, part in parts)
            print(f"  {table:<24}{size / calls:>8.0f}   {named}")
    row("all", sum(tables.values()) / calls, "B")


async def _print_unused(house: House) -> None:
    """Indexes that no statement of this benchmark read: some are for lists, erasing and what is rare."""
    connection = await _connected(house)
    rows = await connection.fetch(
        "select indexrelname from pg_stat_user_indexes where idx_scan = 0 and schemaname = 'public' "
        "order by 1"
    )
    await connection.close()
    print(f"  not read here: {', '.join(name for (name,) in rows)}")
