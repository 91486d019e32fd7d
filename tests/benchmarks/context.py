"""Context: how long a whole build of one prompt takes for somebody with years of calls.

Gather from Postgres, sections, tokens, snapshot, durable copy, cache: what a rebuild does, one after the
other and without the queue. Beside it an ordinary user, and the counting of tokens alone.
"""

import asyncio
import time
from datetime import UTC, datetime
from statistics import quantiles

import asyncpg
from benchmarks import people
from benchmarks.figures import milliseconds, row, title
from benchmarks.house import House
from benchmarks.people import AGENT, People
from benchmarks.processes import on_core

from voice_server.context.layout import tokens
from voice_server.store.inputs import prompt_inputs
from voice_server.store.inputs.prompt_inputs import PromptRequest
from voice_server.store.prompts.prompts import Target
from voice_server.worker import Worker

_OLD_FRIEND = Target(f"usr_{9999:020}", AGENT)
_CALLS, _FACTS, _THREADS = 1000, 5000, 200
_FULL = 6150  # tokens of a prompt at most, by default

# Two calls on most days, a fact of its own kind in every line, threads of every kind; made by the database
# itself.
_MAKE = f"""
insert into users (id, timezone) values ('{_OLD_FRIEND.user_id}', 'America/New_York');
insert into addresses (address, user_id) values ('tel:+14155559999', '{_OLD_FRIEND.user_id}');
insert into conversations (platform, platform_id, agent_id, user_id, channel, outcome, started_at, ended_at)
    select 'elevenlabs', 'conv_old_' || k, '{AGENT}', '{_OLD_FRIEND.user_id}', 'voice', 'talked',
           now() - k * interval '11 hours' - interval '7 minutes', now() - k * interval '11 hours'
    from generate_series(1, {_CALLS}) k;
insert into digests (conversation_id, user_id, source, summary, key_moments, keywords, stems)
    select c.id, c.user_id, 'extractive', d.summary, d.key_moments,
           d.keywords || array['w' || c.id % 300, 'w' || c.id % 170], d.stems
    from conversations c, (
        select summary, key_moments, keywords, stems from digests
        where user_id = 'usr_00000000000000000001' limit 1
    ) d where c.user_id = '{_OLD_FRIEND.user_id}';
insert into open_threads
    (user_id, agent_id, conversation_id, positions, kind, said_by, text, said_on, due, touched_at)
    select c.user_id, c.agent_id, c.id, array[k % 30],
           (array['promise', 'request', 'question', 'plan', 'topic'])[1 + k % 5], 'user',
           'The caller wants to hear how long the cake number ' || k
               || ' keeps when it stands in the cellar.',
           c.started_at::date, case when k % 7 = 0 then current_date + k % 40 end, c.ended_at
    from generate_series(1, {_THREADS}) k join conversations c on c.platform_id = 'conv_old_' || k;
insert into facts (user_id, agent_id, key, about, text, stems, certainty, salience, said_on, last_said_on,
                   origin, sources)
    select c.user_id, c.agent_id, 'f' || k, (array['user', 'user', 'relationship', 'agent'])[1 + k % 4],
           'The caller told you about the jar number ' || k
               || ' in the cellar, and who gave them the plums for it.',
           array['told', 'jar', 'cellar', 'gave', 'plum', 'w' || k % 300, 'x' || k],
           0.6 + (k % 3) / 10.0, (k % 97) / 100.0,
           c.started_at::date, c.started_at::date, 'digest',
           jsonb_build_array(jsonb_build_object('conversation_id', c.id, 'positions', array[k % 30]))
    from generate_series(1, {_FACTS}) k
    join conversations c on c.platform_id = 'conv_old_' || (1 + k % {_CALLS});
analyze;
"""  # noqa: S608 (all of it is ours)


def run(house: House, *, quick: bool) -> None:
    with on_core(0):
        asyncio.run(_measure(house, 40 if quick else 300))


async def _measure(house: House, rounds: int) -> None:
    ordinary = People(1, 1)
    await people.make(house.database_url, ordinary)
    connection = await asyncpg.connect(house.database_url.replace("+asyncpg", ""))
    await connection.execute(_MAKE)
    await connection.close()
    title(
        "context",
        f"a whole build, {_CALLS} conversations, {_FACTS} facts, {_THREADS} threads; {rounds} builds",
    )
    worker = Worker(house.settings("default"))
    try:
        for name, target in (("ordinary user", ordinary.targets[0]), ("old friend", _OLD_FRIEND)):
            await _print_builds(worker, name, target, rounds)
        await _print_counting(worker, rounds)
    finally:
        await worker.close()


async def _print_builds(worker: Worker, name: str, target: Target, rounds: int) -> None:
    async def build() -> None:
        async with worker.engine.begin() as connection:
            rebuilt = await worker.rebuild.build(connection, [target], trigger="benchmark")
            assert await worker.rebuild.apply(connection, list(rebuilt.values())), "the cache took it"

    now = datetime.fromtimestamp(time.time(), UTC)

    async def gather() -> None:
        async with worker.engine.connect() as connection:
            await prompt_inputs.gather(connection, {target: PromptRequest("UTC")}, now=now)

    most = {"old friend": 50.0}.get(name, 0.0)
    for what, work, goal in (("gather alone", gather, 0.0), ("whole build", build, most)):
        spent = await milliseconds(work, rounds)
        row(f"{name}: {what}, p50", quantiles(spent, n=20)[9], "ms")
        row(f"{name}: {what}, p95", quantiles(spent, n=20)[18], "ms", most=goal)


async def _print_counting(worker: Worker, rounds: int) -> None:
    """The whole prompt at once: a build counts it section by section and remembers what it counted."""
    async with worker.engine.connect() as connection:
        rebuilt = await worker.rebuild.build(connection, [_OLD_FRIEND], trigger="benchmark")
    prompt = rebuilt[_OLD_FRIEND].built.prompt
    full = prompt * (1 + _FULL // tokens.counter()(prompt))

    async def count() -> None:
        tokens.counter()(full)

    spent = await milliseconds(count, rounds)
    row(
        f"counting a prompt of {tokens.counter()(full)} tokens, p95",
        quantiles(spent, n=20)[18],
        "ms",
        most=10,
    )
