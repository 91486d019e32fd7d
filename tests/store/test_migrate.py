"""Migrations: many at once, again, and what releases before left."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from conftest import _admin
from pretend.trouble import Process
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from voice_server.errors import ConfigurationError
from voice_server.store.migrate import _LOCK, migrate
from voice_server.store.tables import metadata


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    """Connections to a database of this release."""
    opened = create_async_engine(database_url)
    yield opened
    await opened.dispose()


async def test_the_first_time_there_is_something_to_do_and_then_no_more(empty: str) -> None:
    assert [await migrate(empty), await migrate(empty)] == [True, False]


async def test_three_processes_migrate_at_once(empty: str, start: Callable[..., Process]) -> None:
    given = {
        "DATABASE_URL": empty,
        "REDIS_URL": "redis://127.0.0.1:1",
        "PLATFORM_TOKEN": "t",
        "ELEVENLABS_WEBHOOK_SECRET": "s",
    }
    started = [start("migrate", **given) for _ in range(3)]

    codes = await asyncio.gather(*(asyncio.to_thread(one.wait) for one in started))

    said = sorted(one.said.strip() for one in started)
    assert codes == [0] * 3
    assert said.count("migrated") == 1
    assert said.count("up to date") == 2


async def test_a_database_of_a_newer_release_is_refused(database_url: str) -> None:
    engine = create_async_engine(database_url)
    async with engine.begin() as connection:
        await connection.execute(sa.text("update alembic_version set version_num = '9999'"))

    with pytest.raises(ConfigurationError, match="revision 9999, newer than this code"):
        await migrate(database_url)

    async with engine.connect() as connection:
        assert (
            await connection.execute(sa.text("select version_num from alembic_version"))
        ).scalar() == "9999"
    await engine.dispose()


async def test_who_waits_too_long_for_another_is_told_so(empty: str) -> None:
    engine = create_async_engine(empty)
    async with engine.connect() as connection:
        await connection.execute(sa.text(f"select pg_advisory_lock({_LOCK})"))

        with pytest.raises(ConfigurationError, match="another process has been migrating"):
            await migrate(empty, patience=0.1)
    await engine.dispose()


async def test_while_something_else_holds_a_table_nothing_is_migrated_and_it_is_told_so(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup holds all tables so for as long as it runs."""
    await _migrate_to("0014", empty, monkeypatch)
    monkeypatch.setattr("voice_server.store.migrate._PATIENCE", 0.1)
    revision = sa.text("select version_num from alembic_version")
    engine = create_async_engine(empty)
    async with engine.connect() as connection:
        await connection.execute(sa.text("lock table digests in access share mode"))

        with pytest.raises(ConfigurationError, match="something else has held a table") as told:
            await migrate(empty)

        assert "SQL" not in str(told.value)
        assert (await connection.execute(revision)).scalar() == "0014"
    await engine.dispose()

    assert await migrate(empty)


async def test_the_tables_in_the_code_are_those_in_the_database(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        assert await connection.run_sync(_differences) == []


def _differences(connection: sa.Connection) -> object:
    options = {
        "include_name": lambda name, type_, _parents: (
            type_ != "table" or not (name or "").startswith("pgqueuer")
        ),
        "compare_type": True,
        "compare_server_default": True,
    }
    return compare_metadata(MigrationContext.configure(connection, opts=options), metadata)


async def test_where_edited_facts_came_from_can_be_dropped_and_added_again(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await migrate(empty)
    with monkeypatch.context() as patch:
        patch.setattr(command, "upgrade", lambda config, _head: command.downgrade(config, "0030"))
        patch.setattr("voice_server.store.migrate._newest", lambda: "0030")
        await migrate(empty)

    columns = "select count(*) from information_schema.columns where column_name = 'provenance'"
    assert await _migrated(empty, "select 1", columns) == [[(1,)]]


RETOLD = """
insert into users (id) values ('usr_ada');
insert into agents (id, platform) values ('agent_robin', 'elevenlabs');
insert into conversations
    (id, platform, platform_id, agent_id, user_id, channel, started_at, ended_at, outcome)
select id, 'elevenlabs', 'conv_' || id, 'agent_robin', 'usr_ada', 'voice', now(), now(), 'talked'
from generate_series(1, 3) as one (id);
update conversations set digest_state = 'done';
insert into digests
    (conversation_id, user_id, source, summary, key_moments, keywords, stems, basis, awaits_model)
values
    (1, 'usr_ada', 'extractive', 'The caller has a dog.', '[]', '{}', '{}', 'what was said', false),
    (2, 'usr_ada', 'extractive', 'The caller has a cat.', '[]', '{}', '{}', 'what was said', true),
    (3, 'usr_ada', 'model', 'Ada has a parrot.', '[]', '{}', '{}', 'what was said', false);
"""


async def test_what_was_retold_is_digested_anew_and_no_model_awaited_that_was_not_before(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _migrate_to("0014", empty, monkeypatch)

    states, waiting = await _migrated(
        empty,
        RETOLD,
        "select digest_state from conversations order by id",
        "select basis, awaits_model from digests order by conversation_id",
    )

    assert states == [("later",), ("later",), ("done",)]
    assert waiting == [("", False), ("what was said", True), ("what was said", False)]


AN_INDEX = """
insert into users (id) values ('usr_ada');
insert into agents (id, platform) values ('agent_robin', 'elevenlabs');
insert into vector_indexes (user_id, agent_id, model, length, ready)
    values ('usr_ada', 'agent_robin', 'openai:small', 8, true);
insert into vector_codes (index_id, kind, alike, code) values (1, 'message', 7, B'01010101');
create index vector_codes_hnsw_1_message on vector_codes using hnsw (cast(code as bit(8)) bit_hamming_ops)
    where index_id = 1 and kind = 'message'
"""


async def test_of_the_vector_indexes_of_a_release_before_nothing_is_left(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _migrate_to("0015", empty, monkeypatch)
    engine = create_async_engine(empty)
    async with engine.begin() as connection:
        for statement in AN_INDEX.split(";\n"):
            await connection.execute(sa.text(statement))

    assert await migrate(empty)

    async with engine.connect() as connection:
        assert await connection.run_sync(_differences) == []
    await engine.dispose()


async def _migrate_to(revision: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a release before did."""
    upgrade = command.upgrade
    with monkeypatch.context() as patch:
        patch.setattr(command, "upgrade", lambda config, _head: upgrade(config, revision))
        await migrate(url)


async def _migrated(url: str, rows: str, *asked: str) -> list[list[tuple[object, ...]]]:
    """What each statement finds once these rows, which a release before left, are migrated."""
    connection = await _admin(url)
    await connection.execute(rows)
    await migrate(url)
    found = [[tuple(row) for row in await connection.fetch(sql)] for sql in asked]
    await connection.close()
    return found


OF_BEFORE = """
insert into users (id) values ('usr_ada');
insert into agents (id, platform) values ('agent_robin', 'elevenlabs');
insert into conversations
    (id, platform, platform_id, agent_id, user_id, channel, started_at, ended_at, outcome, goes_on)
values
    (1, 'elevenlabs', 'waits', 'agent_robin', 'usr_ada', 'voice', now(), now(), 'talked', false),
    (2, 'elevenlabs', 'lost its job', 'agent_robin', 'usr_ada', 'voice', now(), now(), 'talked', false),
    (3, 'elevenlabs', 'silent', 'agent_robin', 'usr_ada', 'voice', now(), now(), 'silent', false),
    (4, 'app', 'goes on', 'agent_robin', 'usr_ada', 'text', now(), now(), 'talked', true),
    (5, 'elevenlabs', 'digested', 'agent_robin', 'usr_ada', 'voice', now(), now(), 'talked', false);
insert into digests (conversation_id, user_id, source, summary, key_moments, keywords, stems)
    values (5, 'usr_ada', 'extractive', '', '[]', '{}', '{}');
insert into pgqueuer (priority, entrypoint, payload, status)
select 0, entrypoint, convert_to(payload, 'utf8'), 'queued' from (values
    ('digest', '{"conversation_id": 1}'), ('digest', '{"conversation_id": 99}'),
    ('note_later', '{"platform": "elevenlabs", "platform_id": "waits"}'),
    ('note_later', '{"platform": "elevenlabs", "platform_id": "waits"}'),
    ('ingest', '{"event_id": 7}'), ('ingest', '{"event_id": 7}')
) as job (entrypoint, payload)
"""


async def test_what_waits_in_a_release_before_is_done_by_this_one(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _migrate_to("0010", empty, monkeypatch)

    states, work, jobs = await _migrated(
        empty,
        OF_BEFORE,
        "select platform_id, digest_state from conversations order by id",
        "select kind, key from pending_work where requested > done",
        "select entrypoint, dedupe_key from pgqueuer order by id",
    )

    assert {str(name): state for name, state in states} == {
        "waits": "due", "lost its job": "due", "silent": "done", "goes on": "done", "digested": "later",
    }  # fmt: skip
    assert work == [("late_notes", "elevenlabs|waits")]
    assert jobs == [("ingest", None), ("ingest", "ingest:7")]


WITH_NAMES_OF_BEFORE = """
insert into pending_work (kind, key, requested, done) values ('days', 'usr_ada|agent_robin', 2, 1);
insert into pgqueuer (priority, entrypoint, payload, status, dedupe_key)
select 0, entrypoint, convert_to(payload, 'utf8'), status::pgqueuer_status, dedupe_key from (values
    ('days', '{"key": "usr_ada|agent_robin"}', 'queued', 'days:usr_ada|agent_robin'),
    ('understand', '{"conversation_id": 7}', 'queued', 'understand:7'),
    ('digest_later', '{"key": "usr_ada|agent_robin"}', 'queued', null),
    ('sum_up', '{"segment_id": 3}', 'failed', 'sum_up:3:days:digest')
) as job (entrypoint, payload, status, dedupe_key);
insert into timings (name, label, at_most, times, seconds) values ('job', 'note_later', 1, 2, 3)
"""


async def test_jobs_that_wait_under_a_name_of_before_are_found_by_their_name_of_now(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _migrate_to("0022", empty, monkeypatch)

    jobs, work, times = await _migrated(
        empty,
        WITH_NAMES_OF_BEFORE,
        "select entrypoint, dedupe_key from pgqueuer order by id",
        "select kind, key, requested, done from pending_work",
        "select name, label, times from timings",
    )

    assert jobs == [
        ("day_summaries", "day_summaries:usr_ada|agent_robin"),
        ("digest_with_model", "digest_with_model:7"),
        ("digest_conversations_later", None),
        ("summarise_day", "summarise_day:3:days:digest"),
    ]
    assert work == [("day_summaries", "usr_ada|agent_robin", 2, 1)]
    assert times == [("job", "late_notes", 2)]
