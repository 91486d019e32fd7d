"""Plans: what is done again and again reads what it is about, and not everybody there is."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

import asyncpg
import pytest
from benchmarks import crowd
from benchmarks.statements import Statement, nodes, plan, plan_for_any, recorded
from conftest import API_TOKEN, House
from msgspec.structs import asdict

from voice_server.jobs.periodic.expiry import ThreadLifetimes
from voice_server.queue import queue
from voice_server.settings import Settings
from voice_server.store.knowledge import day_segments, digests, threads
from voice_server.store.lifecycle import erasures, merges, webhook_events
from voice_server.store.prompts import prompts
from voice_server.store.prompts.prompts import LATEST, Target, Templates
from voice_server.store.search import search_index, vectors
from voice_server.templates.library import DEFAULT, TemplateLibrary
from voice_server.worker import Worker

PEOPLE = 1000
FEW = 10  # of a page
NEAR = Target("usr_5", "")
TOKEN = {"authorization": f"Bearer {API_TOKEN}"}
LARGE = {
    "users",
    "addresses",
    "shared_lines",
    "webhook_events",
    "conversations",
    "messages",
    "digests",
    "day_segments",
    "open_threads",
    "facts",
    "relationships",
    "generated_prompts",
    "cached_voice_prompts",
    "pending_work",
    "search_timelines",
    "search_conversations",
    "search_passages",
    "erased_prompts",
    "erased_spans",
    "pgqueuer_log",
}
OF_A_USER = (
    "conversations",
    "days",
    "facts",
    "forgotten-topics",
    "thoughts",
    "threads",
    "prompts",
    "merges",
    f"relationship?agent_id={crowd.AGENT}",
)
OTHERS = (
    "insert into users (id) select 'zzz_' || n from generate_series(1, 20000) n",
    """insert into addresses (address, user_id)
        select 'tel:+99' || n, 'zzz_' || n from generate_series(1, 20000) n""",
    "insert into addresses (address, shared) select 'tel:+98' || n, true from generate_series(1, 5000) n",
    """insert into shared_lines (address, user_id)
        select 'tel:+98' || n, 'zzz_' || n from generate_series(1, 5000) n""",
    "insert into search_timelines (user_id, agent_id) select id, $1 from users where id like 'zzz%'",
    """insert into cached_voice_prompts (user_id, agent_id, version, template_version, entry, in_cache)
        select id, $1, 'v', '', '', true from users where id like 'zzz%'""",
    """insert into erased_prompts (version, erased_at)
        select n, now() - n * interval '1 s' from generate_series(1, 5000) n""",
    "insert into erased_spans (user_id, agent_id, since) select id, $1, now() from users limit 5000",
    """insert into pgqueuer_log (job_id, status, entrypoint, priority, created)
        select n, 'successful', 'ingest', 0, now() - n * interval '3 minutes'
        from generate_series(1, 5000) n""",
)


@pytest.fixture
async def crowded(settings: Settings) -> Settings:
    """A database in which a thousand people called three times each, among many of whom little is known. All
    have the prompts of the templates there are."""
    connection = await asyncpg.connect(settings.database_url.replace("+asyncpg", ""))
    await crowd.fill(connection, PEOPLE)
    for statement in OTHERS:
        await connection.execute(statement, *([crowd.AGENT] if "$1" in statement else []))
    now = TemplateLibrary(settings.prompt_templates, limit=settings.prompt_token_limit, count=len).versions[
        DEFAULT
    ]
    await connection.execute("update cached_voice_prompts set template_version = $1", now)
    await connection.execute("vacuum analyze")
    await connection.close()
    return settings


async def requests(house: House) -> list[str]:
    """What is asked of one user, who comes first, and of all."""
    [(user,)] = await house.query(f"select {crowd.person(PEOPLE // 2)}")
    [(line,)] = await house.query("select address from shared_lines limit 1")
    [(call,)] = await house.query("select max(id) from conversations where user_id = $1", user)
    line, own = (quote(str(one)) for one in (line, f"tel:+1{4150000000 + PEOPLE // 2}"))
    return [
        f"/api/users/{user}",
        *(f"/api/users/{user}/{one}" for one in OF_A_USER),
        "/api/users",
        "/api/users?external_id=nobody",
        *(f"/api/users?find={part}" for part in ("nobody", "no", "5000", "99999")),
        f"/api/users?address={own}",
        f"/api/users?address={line}",
        f"/api/addresses/{own}",
        f"/api/conversations/{call}",
        f"/api/conversations/{call}/prompt",
        "/api/unidentified-conversations",
        "/api/statistics",
        "/metrics",
    ]


async def periodic_work(worker: Worker) -> None:
    """All that is done now and then, where it looks at several pages one of them."""
    now = datetime.now(UTC)  # noqa: TID251 (the database has its own clock)
    await worker.upkeep.wake()
    await worker.days.wake()
    await worker.chats.wake()
    await queue.prune(worker.engine)
    async with worker.engine.connect() as connection:
        await prompts.stale(connection, Templates({DEFAULT: "edited"}, DEFAULT), now, FEW)
        await prompts.count_stale(connection, Templates({DEFAULT: "edited"}, DEFAULT))
        await prompts.stale_after(connection, Templates({DEFAULT: "edited"}, DEFAULT), now, NEAR, FEW)
        await prompts.without(connection, await prompts.talked_with(connection, NEAR, FEW))
        _, last = await prompts.last_to_talk(connection, LATEST, FEW)
        await prompts.last_to_talk(connection, last or LATEST, FEW)
        await search_index.behind(connection, PEOPLE, FEW, FEW)
        await search_index.with_gaps(connection, PEOPLE // 2, FEW, FEW)
        await threads.users_with_old_ones(connection, now, asdict(ThreadLifetimes()), FEW)
        await webhook_events.forget_bodies(connection, now, 0, FEW)
        await prompts.forget_old(connection, now, PEOPLE, FEW)
        await vectors.awaiting(connection, "model", 1, FEW, below=PEOPLE, page=FEW)
        await erasures.forget_old_prompts(connection, now - timedelta(hours=1), 0, FEW)
        await erasures.forget_old_spans(connection, now, 0, FEW)
        await merges.forget_moved(connection, now, 0, FEW)
        await digests.awaiting_model(connection, 3, FEW)
        await day_segments.awaiting_model(connection, 3, FEW)
        await connection.rollback()


async def read_whole(worker: Worker, asked: list[Statement], *, for_any: bool = False) -> list[str]:
    """The large tables that these statements would read whole, each with the statement."""
    found = set[str]()
    async with worker.engine.connect() as connection:
        await connection.exec_driver_sql("select 1")
        for statement in {one.text: one for one in asked if _is_planned(one)}.values():
            planned = (
                plan_for_any(connection, statement) if for_any else plan(connection, statement, "analyze")
            )
            for step in nodes(await planned):
                is_read = step["Node Type"] == "Seq Scan" and step.get("Actual Loops", 1)
                if is_read and step["Relation Name"] in LARGE:
                    found.add(f"{step['Relation Name']}: {' '.join(statement.text.split())}")
        await connection.rollback()
    return sorted(found)


def _is_planned(statement: Statement) -> bool:
    return statement.text.lstrip().partition(" ")[0].lower() in {
        "select",
        "with",
        "insert",
        "update",
        "delete",
    }


async def test_neither_a_request_nor_a_pass_reads_a_large_table_whole(
    crowded: Settings, open_house: Callable[[Settings], House]
) -> None:
    house = open_house(crowded)
    paths = await requests(house)

    with recorded() as asked:
        statuses = [house.client.get(path, headers=TOKEN).status_code for path in paths]
        erased = house.client.delete(paths[0], headers=TOKEN).status_code
    with recorded() as of_workers:
        await periodic_work(house.worker)

    assert (set(statuses), erased) == ({200}, 204)
    assert await read_whole(house.worker, asked + of_workers) == []
    assert await read_whole(house.worker, of_workers, for_any=True) == []
