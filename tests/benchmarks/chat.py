"""Chat: how long it takes to say what a text agent is told, in a chat of years.

The chat has a hundred thousand messages in sittings of three hundred. Everything is read anew for each
message: memory, chat, the mark of a redial; then the prompt is put together and the history fitted.
"""

import asyncio
import time
from datetime import UTC, datetime
from statistics import quantiles

import asyncpg
from benchmarks import chat_turns, people
from benchmarks.figures import milliseconds, row, title
from benchmarks.house import House
from benchmarks.people import AGENT, People
from benchmarks.processes import on_core

from voice_server.context import working_memory
from voice_server.context.layout import tokens
from voice_server.context.working_memory import HistoryRules, Turns
from voice_server.operations.chats.text_context import Question, TextContexts, WritingRules
from voice_server.store import session
from voice_server.store.conversations import chats
from voice_server.worker import Worker

_SITTINGS, _EACH = 334, 300
_PERSON = People(1, 1)
_USER = _PERSON.targets[0].user_id
_CHAT = "years"

# Written by the database itself: a sitting a day, of short messages with a number.
_MAKE = f"""
insert into conversations
    (platform, platform_id, agent_id, user_id, channel, outcome, digest_state, started_at, ended_at)
    select 'app', '{_CHAT}:' || k * {_EACH}, '{AGENT}', '{_USER}', 'text', 'talked', 'done',
           now() - ({_SITTINGS} - k) * interval '1 day' - interval '3 hours',
           now() - ({_SITTINGS} - k) * interval '1 day'
    from generate_series(0, {_SITTINGS} - 1) k;
insert into sittings (chat_id, first, size, asked, conversation_id)
    select '{_CHAT}', split_part(platform_id, ':', 2)::int, {_EACH}, {_EACH}, id
    from conversations where platform = 'app';
insert into messages (conversation_id, position, role, content, said_at)
    select c.id, p, (array['user', 'agent'])[1 + p % 2],
           'The plums behind house number ' || p || ' are ripe, and the cake wants a dozen of them.',
           c.started_at + p * interval '30 seconds'
    from conversations c, generate_series(0, {_EACH} - 1) p where c.platform = 'app';
analyze;
"""  # noqa: S608 (all of it is ours)


def run(house: House, *, quick: bool) -> None:
    with on_core(0):
        asyncio.run(_measure(house, 40 if quick else 300))
    chat_turns.measure(house, quick=quick)


async def _measure(house: House, rounds: int) -> None:
    await people.make(house.database_url, _PERSON)
    connection = await asyncpg.connect(house.database_url.replace("+asyncpg", ""))
    await connection.execute(_MAKE)
    await connection.close()
    title("chat", f"what a text agent is told, in a chat of {_SITTINGS * _EACH} messages; {rounds} times")
    worker = Worker(house.settings("default"))
    try:
        await _print(worker, rounds)
    finally:
        await worker.close()


async def _print(worker: Worker, rounds: int) -> None:
    rules = WritingRules(10.0, 6150, "UTC", 3.0, HistoryRules())
    now = datetime.fromtimestamp(time.time(), UTC)
    counter = tokens.counter()
    reading = session.single_statements(worker.engine)
    contexts = TextContexts(
        worker.engine, reading, worker.redis, worker.templates, rules, counter, lambda: now
    )

    async def read() -> None:
        async with worker.engine.connect() as connection:
            await chats.history(connection, (_USER, AGENT), _CHAT, 10, rules.history.messages)

    async def whole() -> None:
        told = await contexts.of(Question(_USER, AGENT, _CHAT))
        assert told.history.messages, "the chat is told"
        assert not told.record["degraded"], "nothing is missing"

    async with worker.engine.connect() as connection:
        messages, there = await chats.history(connection, (_USER, AGENT), _CHAT, 10, rules.history.messages)
    agent = worker.templates.agent(AGENT).agent

    async def count() -> None:
        working_memory.wanted(Turns(tuple(messages), there), agent, counter)

    for what, work, most in (
        ("reading the history", read, 50.0),
        ("counting it", count, 10.0),
        ("the whole context", whole, 200.0),
    ):
        spent = await milliseconds(work, rounds)
        row(f"{what}, p50", quantiles(spent, n=20)[9], "ms")
        row(f"{what}, p95", quantiles(spent, n=20)[18], "ms", most=most)
