"""What one test leaves in the database that is kept for the next."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import asyncpg
import pytest
from pretend.kept import Connection, KeptDatabase, end_tasks

from voice_server.store import session

_USER = "insert into users (id) values ('usr_ada')"
_QUEUED = "insert into pgqueuer (priority, entrypoint, status) values (0, 'x', 'queued') returning id"


@contextlib.asynccontextmanager
async def _connected(url: str) -> AsyncIterator[Connection]:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    yield connection
    await connection.close()


async def test_no_row_is_left_and_counting_begins_anew(
    database_url: str, kept_database: KeptDatabase
) -> None:
    async with _connected(database_url) as connection:
        await connection.execute(_USER)
        first = await connection.fetchval(_QUEUED)

    await kept_database.emptied()

    async with _connected(database_url) as connection:
        assert await connection.fetchval("select count(*) from users") == 0
        assert await connection.fetchval(_QUEUED) == first == 1


@pytest.mark.parametrize(
    "change",
    [
        "alter table users add column mood text",
        "drop table vectors",
        "create index on users (id)",
        "create function one() returns int language sql return 1",
        "create table moods (id int)",
        "insert into users (id) select 'usr_' || n from generate_series(1, 9) n; analyze users",
        "update alembic_version set version_num = '0001'",
        "do $$ begin execute format('alter database %I set work_mem = 100', current_database()); end $$",
    ],
)
async def test_after_more_than_rows_were_changed_there_is_another(
    database_url: str, kept_database: KeptDatabase, change: str
) -> None:
    async with _connected(database_url) as connection:
        await connection.execute(change)

    assert await kept_database.emptied() != database_url


async def test_rows_alone_make_no_other(database_url: str, kept_database: KeptDatabase) -> None:
    async with _connected(database_url) as connection:
        await connection.execute(_USER)

    assert await kept_database.emptied() == database_url


async def test_who_is_left_in_it_is_put_out(database_url: str, kept_database: KeptDatabase) -> None:
    left = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    await left.execute("begin; lock table users")

    assert await kept_database.emptied() == database_url

    with pytest.raises(session.DRIVER_ERRORS):
        await left.execute("select 1")


async def test_a_connection_comes_back_as_a_new_one(database_url: str) -> None:
    async with _connected(database_url) as connection:
        kept = connection.get_server_pid()
        await connection.execute("set work_mem = 100; listen moods; select pg_advisory_lock(7)")

    async with _connected(database_url) as connection:
        assert connection.get_server_pid() == kept
        assert await connection.fetchval("show work_mem") == "4MB"
        assert await connection.fetchval("select count(*) from pg_listening_channels()") == 0
        locks = "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()"
        assert await connection.fetchval(locks) == 0


async def test_one_in_a_transaction_is_not_kept(database_url: str) -> None:
    async with _connected(database_url) as connection:
        ended = connection.get_server_pid()
        await connection.execute("begin; select 1")

    async with _connected(database_url) as connection:
        assert connection.get_server_pid() != ended


async def test_one_that_is_given_up_in_the_middle_of_a_statement_is_not_kept(database_url: str) -> None:
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    ended = connection.get_server_pid()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await connection.execute("select pg_sleep(9)")
    connection.terminate()

    async with _connected(database_url) as connection:
        assert connection.get_server_pid() != ended


async def test_one_ends_when_who_was_to_get_it_waits_no_more(database_url: str) -> None:
    kept = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    await kept.close()
    assert not kept.is_closed()

    waiting = asyncio.create_task(asyncpg.connect(database_url.replace("+asyncpg", "")))
    await asyncio.sleep(0)  # it is being reset
    waiting.cancel()
    await asyncio.wait([waiting])

    assert waiting.cancelled()
    assert kept.is_closed()


async def test_what_goes_on_in_the_event_loop_ends() -> None:
    left = asyncio.create_task(asyncio.sleep(9))

    await end_tasks()

    assert left.cancelled()
