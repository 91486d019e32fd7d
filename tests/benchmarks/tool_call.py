"""A tool's round trip: how much verifying, finding out who is on the line, counting and replying add to the
search.

One user with a call of 200 messages. Every request is the first of its own conversation, as the pre-call
bound it: a real web process over HTTP, one request at a time. The search alone is measured here, on the same
data with the same query, over one open connection, right after each request, as is `/healthz`: what HTTP
itself costs, client and server together. So what the machine does besides hits all three alike; what is added
is the median of the differences.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Iterable
from datetime import UTC, datetime

import httpx2
from benchmarks.figures import row, title
from benchmarks.house import POST_CALL, PRE_CALL, SECRET, TOKEN, House
from msgspec import Struct
from pretend.elevenlabs import ADA, AGENT, ended_call
from sqlalchemy.ext.asyncio import create_async_engine

from voice_server.domain.addresses.address import Address
from voice_server.search import lookup
from voice_server.search.types import Query, Timeline
from voice_server.store import session
from voice_server.store.people import users
from voice_server.webhooks.signature import sign
from voice_server.worker import Worker

_SUBJECTS = "garden plums cake mill semolina knee doctor Lisbon sister train ticket piano".split()
_MESSAGES, _WARM = 200, 50
_AUTHORIZED = {"authorization": f"Bearer {TOKEN}"}


class _Round(Struct, frozen=True):
    """Seconds of one of each."""

    health: float
    tool: float
    search: float

    @property
    def added(self) -> float:
        """What is neither the search nor HTTP."""
        return self.tool - self.search - self.health


def run(house: House, *, quick: bool) -> None:
    count = 200 if quick else 2000
    with house.web() as web:
        rounds = asyncio.run(_measure(house, web.port, count))
    title("tools", f"conversation.search, {count} times, in a call of {_MESSAGES} messages")
    for part in (0.50, 0.95):
        name = f"p{100 * part:.0f}"
        row(f"HTTP alone, {name}", _ms((one.health for one in rounds), part), "ms")
        row(f"the search alone, {name}", _ms((one.search for one in rounds), part), "ms")
        row(f"round trip, {name}", _ms((one.tool for one in rounds), part), "ms")
    row("added by verify, bind, quota, reply, p50", _ms((one.added for one in rounds), 0.50), "ms", most=3)


async def _measure(house: House, port: int, count: int) -> list[_Round]:
    engine = create_async_engine(house.database_url)
    async with (
        httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client,
        session.single_statements(engine).connect() as connection,
    ):
        await _talk(house, client)
        timeline = Timeline(str(await users.find(connection, [Address(f"tel:{ADA}")])), AGENT, "UTC")

        async def health() -> None:
            (await client.get("/healthz")).raise_for_status()

        async def tool(number: int, query: str) -> None:
            given = {"query": query, "conversation_id": f"conv_{number}"}
            answer = await client.post("/tools/conversation.search", json=given, headers=_AUTHORIZED)
            if not answer.json()["results"]:
                raise RuntimeError(f"nothing was found: {answer.text}")

        async def search(query: str) -> None:
            now = datetime.fromtimestamp(time.time(), UTC)
            await lookup.messages_and_days(connection, timeline, Query(query), now=now)

        rounds = []
        for number in range(count + _WARM):
            asked = {"caller_id": ADA, "agent_id": AGENT, "conversation_id": f"conv_{number}"}
            (await client.post(PRE_CALL, json=asked, headers=_AUTHORIZED)).raise_for_status()
            query = _SUBJECTS[number % len(_SUBJECTS)]
            rounds.append(
                _Round(await _timed(health()), await _timed(tool(number, query)), await _timed(search(query)))
            )
    await engine.dispose()
    return rounds[_WARM:]


async def _talk(house: House, client: httpx2.AsyncClient) -> None:
    said = [
        f"{'user' if one % 2 else 'agent'}: Number {one}: "
        f"I told you of the {_SUBJECTS[one % len(_SUBJECTS)]}."
        for one in range(_MESSAGES)
    ]
    body = json.dumps(ended_call("conv_told", said, ended=time.time(), duration=900)).encode()
    signature = {"elevenlabs-signature": sign(body, SECRET, int(time.time()))}
    (await client.post(POST_CALL, content=body, headers=signature)).raise_for_status()
    worker = Worker(house.settings("default"))
    await worker.queue.drain()
    await worker.close()


async def _timed(work: Awaitable[None]) -> float:
    start = time.perf_counter()
    await work
    return time.perf_counter() - start


def _ms(seconds: Iterable[float], part: float) -> float:
    ascending = sorted(seconds)
    return 1000 * ascending[min(len(ascending) - 1, round(part * len(ascending)))]
