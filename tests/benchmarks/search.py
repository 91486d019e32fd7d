"""Search: how long conversation.search takes in one user's talk, among a million messages of others; and how
long it takes to index a finished call.

Everything that is not in the request is left out: who is on the line, the quota and the answer are `tools`.
Words are made up, as often as words are: the n-th most frequent has 1/n of the first one's share.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from statistics import quantiles

import asyncpg
import numpy as np
import numpy.typing as npt
import sqlalchemy as sa
from benchmarks.figures import milliseconds, row, title
from benchmarks.house import House
from benchmarks.processes import on_core
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.jobs.index import Index
from voice_server.search import lookup
from voice_server.search.embedding.embedder import Vector
from voice_server.search.embedding.query_vectors import QueryVectors
from voice_server.search.hybrid import Semantics
from voice_server.search.types import Query, Timeline
from voice_server.store import session
from voice_server.store.search import vectors
from voice_server.store.search.vectors import EmbeddedSpan

_AGENT = "agent_search"
# Messages of the one who asks, and the goals in ms: by words, and by meaning too.
_SIZES = {1_000: (10.0, 20.0), 10_000: (20.0, 30.0), 100_000: (50.0, 80.0)}
_EACH = 1_000  # messages of every other user
_CALL = 50  # messages of a conversation
_VOCABULARY, _WORDS = 20_000, 14  # distinct words; words of a message
_NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
_LONG_CALL = 200
_NUMBERS, _SUBJECTS = 384, 5_000  # of a vector; that texts are about
_PHRASES, _SAID_AGAIN = 10, 0.1  # texts that are said again and again, their share


def run(house: House, *, quick: bool) -> None:
    with on_core(0):
        asyncio.run(_measure(house, others=100_000 if quick else 1_000_000, rounds=60 if quick else 300))


async def _measure(house: House, *, others: int, rounds: int) -> None:
    title("search", f"one user's talk among {others:,} messages of others; {rounds} queries each")
    words = _Words()
    async with _engine(house) as engine:
        began = time.monotonic()
        await _say(house, words, {_name(number): _EACH for number in range(others // _EACH)})
        await _say(house, words, {f"usr_{size}": size for size in _SIZES})
        await _index(
            engine, [*(_name(number) for number in range(others // _EACH)), *(f"usr_{s}" for s in _SIZES)]
        )
        await _analyze(house)
        print(f"  (said and indexed in {time.monotonic() - began:.0f} s)", flush=True)
        for size, (goal, _) in _SIZES.items():
            await _print_search(engine, words, size, goal, rounds)
        semantics = await _embed(engine, [f"usr_{size}" for size in _SIZES])
        for size, (_, goal) in _SIZES.items():
            await _print_search(engine, words, size, goal, rounds, semantics, how="by meaning too")
        await _print_index(house, engine, words)


async def _print_search(
    engine: AsyncEngine,
    words: "_Words",
    size: int,
    goal: float,
    rounds: int,
    semantics: Semantics | None = None,
    *,
    how: str = "by words",
) -> None:
    timeline = Timeline(f"usr_{size}", _AGENT, "Europe/Berlin")
    queries = words.queries(rounds + 10)

    async def search() -> None:
        query = Query(next(queries))
        async with engine.connect() as connection:
            found = await lookup.messages_and_days(connection, timeline, query, now=_NOW, semantics=semantics)
        assert found, "something is found"

    spent = await milliseconds(search, rounds)
    row(f"{size:,} messages, {how}, p50", quantiles(spent, n=20)[9], "ms")
    row(f"{size:,} messages, {how}, p95", quantiles(spent, n=20)[18], "ms", most=goal)


class _Subjects:
    """An embedder without sense: each text is near some of a few thousand subjects, as talk is, but for one
    in ten, which is one of a few that are said again and again, as greetings are."""

    name, dimensions = "openai:subjects", _NUMBERS

    def __init__(self) -> None:
        self._random = np.random.default_rng(7)
        self._subjects = self._some(_SUBJECTS)
        self._phrases = self._some(_PHRASES)

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        one, other = (self._subjects[self._random.integers(0, _SUBJECTS, len(texts))] for _ in range(2))
        made = one + self._random.uniform(0, 1, (len(texts), 1)) * other + 0.4 * self._some(len(texts))
        again = self._random.random(len(texts)) < _SAID_AGAIN
        made[again] = self._phrases[self._random.integers(0, _PHRASES, again.sum())]
        return list((made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32))

    def _some(self, count: int) -> npt.NDArray[np.float32]:
        return self._random.normal(scale=_NUMBERS**-0.5, size=(count, _NUMBERS)).astype(np.float32)

    async def close(self) -> None:
        """Nothing to let go of."""


async def _embed(engine: AsyncEngine, user_ids: Sequence[str]) -> Semantics:
    """Vectors of all that these users said, and windows of ten messages."""
    embedder = _Subjects()
    async with engine.connect() as connection:
        calls = sa.text("select id, user_id from conversations where user_id = any(:users)")
        for id_, user_id in (await connection.execute(calls, {"users": list(user_ids)})).all():
            made = await embedder.embed([""] * (_CALL + _CALL // 10))
            kept = [EmbeddedSpan(vectors.MESSAGE, at, at, made[at]) for at in range(_CALL)]
            kept += [
                EmbeddedSpan(vectors.WINDOW, 10 * at, 10 * at + 9, made[_CALL + at])
                for at in range(_CALL // 10)
            ]
            await vectors.save(connection, id_, user_id, _AGENT, embedder.name, kept, until=_CALL)
        await connection.execute(sa.text("analyze"))
    return Semantics(QueryVectors(embedder, deadline=1.0), 0.6)


async def _print_index(house: House, engine: AsyncEngine, words: "_Words") -> None:
    spent = []
    for number in range(10):
        await _say(house, words, {"usr_10000": _LONG_CALL}, call=_LONG_CALL, name=f"long_{number}")
        started = time.perf_counter()
        await _index(engine, ["usr_10000"])
        spent.append(1000 * (time.perf_counter() - started))
    row(f"indexing a call of {_LONG_CALL} messages, the slowest of 10", max(spent), "ms", most=200)


class _Words:
    """Talk without sense, and queries of it."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(7)
        syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
        self._words = np.array(
            ["".join(self._random.choice(syllables, 2 + number % 3)) + "k" for number in range(_VOCABULARY)]
        )
        shares = 1 / np.arange(1, _VOCABULARY + 1)
        self._shares = shares / shares.sum()

    def messages(self, count: int) -> Iterator[str]:
        for line in self._random.choice(self._words, (count, _WORDS), p=self._shares):
            yield " ".join(line)

    def queries(self, count: int) -> Iterator[str]:
        """So many queries of five words: three of the frequent ones, two of the others."""
        for _ in range(count):
            frequent = self._random.choice(self._words[:300], 3)
            rare = self._random.choice(self._words[300:5000], 2)
            yield " ".join([*frequent, *rare])


@asynccontextmanager
async def _engine(house: House) -> AsyncIterator[AsyncEngine]:
    engine = session.connect(house.database_url, 5)
    yield session.single_statements(engine)
    await engine.dispose()


async def _say(
    house: House, words: _Words, sizes: dict[str, int], *, call: int = _CALL, name: str = "call"
) -> None:
    """Give users so many messages each, in calls."""
    connection = await asyncpg.connect(house.database_url.replace("+asyncpg", ""))
    await connection.execute(
        "insert into agents (id, platform) values ($1, 'elevenlabs') on conflict do nothing", _AGENT
    )
    await connection.executemany(
        "insert into users (id) values ($1) on conflict do nothing", [(user,) for user in sizes]
    )
    for user, size in sizes.items():
        starts = [_NOW - timedelta(hours=5 * number + 1) for number in range(size // call)]
        rows = await connection.fetch(
            "insert into conversations (platform, platform_id, agent_id, user_id, channel, outcome, "
            "started_at, ended_at, language) select 'elevenlabs', $1 || at, $2, $3, 'voice', 'talked', at, "
            "at, 'en' from unnest($4::timestamptz[]) as at returning id, started_at",
            f"{name}_{user}_",
            _AGENT,
            user,
            starts,
        )
        said = words.messages(size)
        await connection.copy_records_to_table(
            "messages",
            columns=["conversation_id", "position", "user_id", "role", "content", "said_at"],
            records=[
                (id_, at, user, "agent" if at % 2 else "user", next(said), began + timedelta(seconds=10 * at))
                for id_, began in rows
                for at in range(call)
            ],
        )
    await connection.close()


async def _index(engine: AsyncEngine, user_ids: Sequence[str]) -> None:
    """What the job does, user by user."""
    for user_id in user_ids:
        keys = [f"{user_id}|{_AGENT}"]
        async with engine.connect() as connection:
            apply = await Index().prepare(connection, keys)
            await apply(connection, keys)


async def _analyze(house: House) -> None:
    connection = await asyncpg.connect(house.database_url.replace("+asyncpg", ""))
    await connection.execute("analyze")
    await connection.close()


def _name(number: int) -> str:
    return f"usr_{number:06}"
