"""Recall: does the search find the messages that answer a question?

Every session of a dialogue arrives as the platform's event of an ended call and goes the whole way: webhook,
ingest, index, and vectors where EMBEDDING_MODEL is set. Then every question is looked up as
conversation.search does, in Postgres, and of the messages that answer it is counted how many are among the
first ten found.

Beside it in the same run, over the same rows: full text search as Postgres' manual has it, its terms or-ed,
and BM25 over stems without stop words.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import mean

import httpx2
import sqlalchemy as sa
from benchmarks.figures import title
from benchmarks.house import House, opened
from benchmarks.memory import bm25, calls, dialogues
from benchmarks.memory.dialogues import Dialogue, Question
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.domain.addresses.address import Address
from voice_server.domain.conversation import message_id, parse_message_id
from voice_server.search import lookup
from voice_server.search.embedding.query_vectors import QueryVectors
from voice_server.search.embedding.registry import embedder_of
from voice_server.search.hybrid import Semantics
from voice_server.search.types import Query, Timeline
from voice_server.settings import Settings
from voice_server.store.people import users
from voice_server.store.search import search_index
from voice_server.worker import Worker

_AGENT, _AREA = "agent_recall", "+1415555"
_FOUND = 20  # results asked for
_GOALS = {"recall@10": 78, "nDCG@10": 61}
_PATIENCE = 30.0  # seconds for the vector of a query: quality is measured, not speed
_FULL_TEXT = """
select m.conversation_id, m.position
from messages m join conversations c on c.id = m.conversation_id, {query} as q
where c.user_id = :user and m.role in ('user', 'agent') and to_tsvector('english', m.content) @@ q
order by {rank}(to_tsvector('english', m.content), q) desc, m.said_at desc limit {limit}
"""
_AS_IN_THE_MANUAL = _FULL_TEXT.format(
    query="websearch_to_tsquery('english', :text)", rank="ts_rank_cd", limit=_FOUND
)
_OR = """cast(replace(cast(plainto_tsquery('english', :text) as text), '&', '|') as tsquery)"""
_OR_ED = _FULL_TEXT.format(query=_OR, rank="ts_rank", limit=_FOUND)
_SAID = """
select c.platform_id, m.position, m.conversation_id, m.content
from messages m join conversations c on c.id = m.conversation_id
where c.user_id = :user and m.role in ('user', 'agent') order by m.said_at, m.position
"""


class Asked(Struct, frozen=True):
    timeline: Timeline
    question: Question
    evidence: frozenset[str]


Search = Callable[[AsyncConnection, Asked], Awaitable[list[str]]]


def run(given: Path | None, *, quick: bool) -> None:
    """Measure and print; `quick` takes two dialogues."""
    path = dialogues.find(given)
    if path is None:
        print(
            f"recall: skipped, no dialogues at {given or dialogues.PLACE} (--dialogues says where they are)"
        )
        return
    found = dialogues.read(path)[: 2 if quick else None]
    title("recall", f"{len(found)} dialogues, {sum(len(one.questions) for one in found)} questions; %")
    print(f"  {dialogues.SOURCE}")
    with opened() as house:
        asyncio.run(_compare(house, found))


async def _compare(house: House, found: Sequence[Dialogue]) -> None:
    settings = house.settings("default")
    async with AsyncExitStack() as stack:
        worker = Worker(settings)
        stack.push_async_callback(worker.close)
        asked, texts = await _asked(house, worker, found)
        ours: dict[str, Semantics | None] = {"ours": None}
        if settings.embedding_model:
            semantics = _semantics(settings)
            stack.push_async_callback(semantics.vectors.close)
            ours[f"ours, {settings.embedding_model}"] = semantics
        contenders: dict[str, Search] = {
            "Postgres full text, as in its manual": _by_sql(_AS_IN_THE_MANUAL),
            "Postgres full text, terms or-ed": _by_sql(_OR_ED),
            "BM25 over stems": _by_bm25(texts),
            **{name: _ours(semantics) for name, semantics in ours.items()},
        }
        async with worker.engine.connect() as connection:
            for name, search in contenders.items():
                _print_row(name, [_measured(one, await search(connection, one)) for one in asked])
            for name, meaning in ours.items():
                _print_days(name, [await _day_recall(connection, one, meaning) for one in asked])


async def _asked(
    house: House, worker: Worker, found: Sequence[Dialogue]
) -> tuple[list[Asked], dict[str, dict[str, str]]]:
    """Let everybody call; the questions, and the texts of all messages by user and id."""
    asked: list[Asked] = []
    texts: dict[str, dict[str, str]] = {}
    with house.web() as web:
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{web.port}") as client:
            for number, dialogue in enumerate(found):
                caller = f"{_AREA}{number:04}"
                for session in dialogue.sessions:
                    await calls.deliver(client, dialogue, session, caller=caller, agent=_AGENT)
                await worker.queue.drain()
                async with worker.engine.connect() as connection:
                    user = await users.find(connection, [Address(f"tel:{caller}")])
                    assert user is not None, "the call made the caller known"
                    ids, texts[user] = await _messages(connection, dialogue, user)
                timeline = Timeline(user, _AGENT, "UTC", (dialogue.user, dialogue.agent))
                asked += [
                    Asked(timeline, one, frozenset(ids[turn] for turn in one.evidence if turn in ids))
                    for one in dialogue.questions
                ]
    return [one for one in asked if one.evidence], texts


async def _messages(
    connection: AsyncConnection, dialogue: Dialogue, user: str
) -> tuple[dict[str, str], dict[str, str]]:
    """Our ids of the turns, and the texts by our ids."""
    rows = (await connection.execute(sa.text(_SAID), {"user": user})).all()
    ours = {(call, content): message_id(id_, position) for call, position, id_, content in rows}
    ids: dict[str, str] = {}
    for session in dialogue.sessions:
        call = calls.conversation_id(dialogue, session, _AGENT)
        ids |= {turn.id: ours[call, turn.text] for turn in session.turns if (call, turn.text) in ours}
    return ids, {message_id(id_, position): content for _, position, id_, content in rows}


def _semantics(settings: Settings) -> Semantics:
    embedder = embedder_of(settings, timeout=_PATIENCE)
    assert embedder is not None, "EMBEDDING_MODEL is set"
    return Semantics(QueryVectors(embedder, _PATIENCE), settings.search_vector_share)


def _ours(semantics: Semantics | None) -> Search:
    async def search(connection: AsyncConnection, asked: Asked) -> list[str]:
        query = Query(asked.question.text, limit=_FOUND)
        hits = await lookup.messages_and_days(
            connection, asked.timeline, query, now=asked.question.asked_at, semantics=semantics
        )
        return [hit.message_id for hit in hits if hit.message_id is not None]

    return search


def _by_sql(statement: str) -> Search:
    async def search(connection: AsyncConnection, asked: Asked) -> list[str]:
        given = {"user": asked.timeline.user_id, "text": asked.question.text}
        return [message_id(*row) for row in await connection.execute(sa.text(statement), given)]

    return search


def _by_bm25(texts: Mapping[str, Mapping[str, str]]) -> Search:
    indexes = {user: bm25.Index(said) for user, said in texts.items()}

    async def search(_connection: AsyncConnection, asked: Asked) -> list[str]:
        return indexes[asked.timeline.user_id].best(asked.question.text, _FOUND)

    return search


def _measured(asked: Asked, found: Sequence[str]) -> dict[str, float]:
    """As is usual: recall among the first k, nDCG with relevance 0 or 1, reciprocal rank of the first."""
    hits = [one in asked.evidence for one in found]
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(len(asked.evidence), 10)))
    gained = sum(1 / math.log2(rank + 2) for rank, hit in enumerate(hits[:10]) if hit)
    return {
        **{f"recall@{k}": 100 * sum(hits[:k]) / len(asked.evidence) for k in (1, 5, 10, 20)},
        "nDCG@10": 100 * gained / ideal,
        "MRR": 100 / (1 + hits.index(True)) if any(hits) else 0.0,
    }


def _print_row(name: str, figures: Sequence[Mapping[str, float]]) -> None:
    cells = {measure: mean(one[measure] for one in figures) for measure in figures[0]}
    told = "  ".join(f"{measure} {value:5.1f}" for measure, value in cells.items())
    missed = [measure for measure, goal in _GOALS.items() if cells[measure] < goal]
    verdict = "" if not name.startswith("ours") else f"  MISSED {missed}" if missed else "  goals met"
    print(f"  {name:<40}{told}{verdict}", flush=True)


async def _day_recall(connection: AsyncConnection, asked: Asked, semantics: Semantics | None) -> float:
    """Whether a day with an answer is among the first three summaries."""
    hits = await lookup.messages_and_days(
        connection,
        asked.timeline,
        Query(asked.question.text, limit=_FOUND),
        now=asked.question.asked_at,
        semantics=semantics,
    )
    days = [hit.day_segment_id for hit in hits if hit.kind == "summary"][:3]
    wanted = await search_index.messages(
        connection,
        asked.timeline.user_id,
        asked.timeline.agent_id,
        [],
        [_named(id_) for id_ in asked.evidence],
    )
    return 100.0 * any(message.day_segment_id in days for message in wanted.values())


def _named(id_: str) -> tuple[int, int]:
    named = parse_message_id(id_)
    assert named is not None, "evidence is messages"
    return named


def _print_days(name: str, shares: Sequence[float]) -> None:
    print(f"  {name + ': the day among three summaries':<60}{mean(shares):5.1f}", flush=True)
