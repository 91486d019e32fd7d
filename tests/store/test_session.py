"""The doors to Postgres: they survive a restart behind them."""

import asyncio
import contextlib
import random
import time

import asyncpg
import pytest
import sqlalchemy as sa
from pretend.trouble import Trouble
from sqlalchemy.ext.asyncio import AsyncEngine

from voice_server.settings import Settings
from voice_server.store import session
from voice_server.store.session import DirectConnections, Patience, Statement
from voice_server.store.tables import users


async def test_direct_statements_survive_a_restart_of_postgres(fragile: Settings, trouble: Trouble) -> None:
    direct = DirectConnections(fragile.database_url, 3)
    await asyncio.gather(*[direct.value("select pg_sleep(0.05)") for _ in range(3)])

    await trouble.restart("postgres")

    assert [await direct.value("select 1") for _ in range(4)] == [1, 1, 1, 1]
    direct.close()


@pytest.mark.parametrize("steps", range(6))
async def test_a_connection_that_is_just_being_closed_is_renewed(database_url: str, steps: int) -> None:
    """Between the word of its end and the end itself, which are steps of the event loop apart."""
    direct = session.DirectConnections(database_url, 1)
    pid = await direct.value("select pg_backend_pid()")
    other = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    await other.execute("select pg_terminate_backend($1)", pid)
    time.sleep(0.1)  # noqa: ASYNC251 (the loop must not hear of it before the steps)

    for _ in range(steps):
        await asyncio.sleep(0)

    assert await direct.value("select 1") == 1
    direct.close()
    await other.close()


async def test_connections_whose_postgres_has_just_died_are_closed_without_a_word(
    fragile: Settings, trouble: Trouble, caplog: pytest.LogCaptureFixture
) -> None:
    engine = session.connect(fragile.database_url, 3)
    async with engine.connect() as connection:
        await connection.execute(sa.text("select 1"))

    trouble.take_down("postgres")
    time.sleep(0.2)  # noqa: ASYNC251 (the loop must not hear of it before it closes)
    await engine.dispose()

    assert caplog.messages == []


async def test_a_direct_statement_that_is_wrong_fails_with_what_postgres_said(database_url: str) -> None:
    direct = DirectConnections(database_url, 1)

    with pytest.raises(asyncpg.PostgresError, match="wrong"):
        await direct.value("select wrong")
    assert await direct.value("select 1") == 1
    direct.close()


async def test_an_outdated_direct_statement_is_tried_again(database_url: str) -> None:
    """After a migration the statements that connections have prepared are of the old tables."""
    direct = DirectConnections(database_url, 1)
    migrating = session.connect(database_url, 1)
    assert await direct.value("select users from users") is None

    async with migrating.begin() as connection:
        await connection.execute(sa.text("alter table users add column mood text"))

    assert await direct.value("select users from users") is None
    direct.close()
    await migrating.dispose()


async def test_no_more_direct_statements_run_at_once_than_allowed(database_url: str) -> None:
    direct = DirectConnections(database_url, 2)

    busy = await asyncio.gather(
        *[
            direct.value(
                "select count(*) from pg_stat_activity, pg_sleep(0.02)"
                " where datname = current_database() and query like '%pg_sleep(0.02)%' and state = 'active'"
            )
            for _ in range(6)
        ]
    )

    assert max(busy) == 2
    direct.close()


async def test_whoever_waits_too_long_for_postgres_hears_so(fragile: Settings, trouble: Trouble) -> None:
    direct = DirectConnections(fragile.database_url, 1, patience=0.2)
    assert await direct.value("select 1") == 1

    trouble.freeze("postgres")

    for _ in range(2):
        with pytest.raises(TimeoutError):
            await direct.value("select 1")
    await trouble.mend()
    patient = DirectConnections(fragile.database_url, 1)
    assert await patient.value("select 1") == 1
    patient.close()


async def test_who_is_out_of_patience_does_not_wait_for_the_work_to_be_given_up() -> None:
    mended, given_up = asyncio.Event(), asyncio.Event()

    async def hang() -> None:
        session.expect_answer()
        try:
            await asyncio.sleep(3600)
        finally:
            await mended.wait()
            given_up.set()

    with pytest.raises(TimeoutError):
        await Patience(0.01).bear(hang())
    assert not given_up.is_set()

    mended.set()
    async with asyncio.timeout(10):
        await given_up.wait()


async def test_patience_begins_when_postgres_is_asked_and_anew_when_it_answers(database_url: str) -> None:
    engine, patience, ends = session.connect(database_url, 1), Patience(3600), list[float | None]()

    async def work() -> str:
        ends.append(patience._limit.when())
        session.expect_answer()
        async with engine.connect() as connection:
            for _ in range(3):
                ends.append(patience._limit.when())
                await connection.execute(sa.text("select pg_sleep(0.002)"))
        return "done"

    assert await patience.bear(work()) == "done"

    begun, *renewed = ends
    assert begun is None
    assert renewed == sorted(set(renewed), key=lambda end: end or 0)
    await engine.dispose()


async def outlast() -> None:
    """Let patience end while nothing else may run."""
    await asyncio.sleep(0)
    time.sleep(0.05)  # noqa: ASYNC251 (the loop is to stand still)


async def test_what_ends_in_the_moment_in_which_patience_does_has_ended() -> None:
    async def work() -> str:
        session.expect_answer()
        await outlast()
        return "done"

    assert await Patience(0.01).bear(work()) == "done"


async def test_an_answer_that_begins_in_the_moment_in_which_patience_ends_is_given_whole() -> None:
    patience = Patience(0.01)

    async def work() -> str:
        patience.renew()
        await outlast()
        patience.end()
        await asyncio.sleep(0.02)
        return "all of it"

    assert await patience.bear(work()) == "all of it"


async def test_patience_that_ended_in_the_last_moment_begins_anew() -> None:
    patience = Patience(0.01)

    async def work() -> None:
        patience.renew()
        await outlast()
        patience.end()
        await asyncio.sleep(0.01)
        patience.renew()
        await asyncio.sleep(3600)

    async with asyncio.timeout(10):
        with pytest.raises(TimeoutError):
            await patience.bear(work())


async def test_what_is_computed_aside_costs_no_patience() -> None:
    patience, after = Patience(0.05), list[float | None]()

    async def work() -> None:
        session.expect_answer()
        await session.aside(time.sleep, 0.2)
        after.append(patience._limit.when())

    await patience.bear(work())

    assert after != [None], "from then on Postgres is waited for"


async def test_what_goes_wrong_under_patience_is_heard_of() -> None:
    async def fail() -> None:
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        await Patience(3600).bear(fail())


REFUSED = {
    "a NUL in text": ("select cast(:value as text)", "a\0b"),
    "half a character": ("select cast(:value as text)", "\ud800"),
    "a number too large": ("select cast(:value as integer)", 2**40),
    "a division by zero": ("select 1 / cast(:value as integer)", 0),
    "a NUL in JSON": ("select cast(cast(:value as text) as jsonb)", '"\\u0000"'),
    "no such table": ("select cast(:value as text) from nowhere", "a"),
    "a row too large for an index": ("insert into erased_users (user_id) values (:value)", "NOISE"),
}


@pytest.mark.parametrize("what", REFUSED)
async def test_what_postgres_refuses_is_no_outage(database_url: str, what: str) -> None:
    statement, value = REFUSED[what]
    noise = random.Random(1).randbytes(20_000).hex()  # noqa: S311 (no secret)
    engine = session.connect(database_url, 1)

    with pytest.raises(session.ERRORS) as refused:
        await run(engine, statement, value=noise if value == "NOISE" else value)

    assert not session.is_outage(refused.value)


@pytest.mark.parametrize("statement", ["drop table users", "select pg_sleep(9)"])
async def test_that_postgres_does_not_do_it_now_is_an_outage(database_url: str, statement: str) -> None:
    engine = session.connect(database_url, 1)

    with pytest.raises(session.ERRORS) as failed:
        await run(engine, "set local statement_timeout = 50", "set transaction read only", statement)

    assert session.is_outage(failed.value)


async def test_that_postgres_is_away_is_an_outage() -> None:
    with pytest.raises(session.ERRORS) as failed:
        await run(session.connect("postgresql+asyncpg://nobody@127.0.0.1:1/none", 1), "select 1")

    assert session.is_outage(failed.value)


async def run(engine: AsyncEngine, *statements: str, **values: object) -> None:
    try:
        async with engine.begin() as connection:
            for one in statements:
                await connection.execute(sa.text(one), values)
    finally:
        await engine.dispose()


ADD = Statement("insert into users (id, name) values (:id, :name) returning id")
NAMES = Statement("select name from users where id = any(cast(:ids as text[])) or id = :id order by id")
RENAME = Statement("update users set name = :name, nickname = :name where id = :id")


@pytest.mark.parametrize("waits", ["on", "off"])
async def test_only_a_worker_does_not_wait_for_the_disk(database_url: str, waits: str) -> None:
    engine = session.connect(database_url, 1, for_worker=waits == "off")
    async with engine.begin() as connection:
        assert await connection.scalar(sa.text("show synchronous_commit")) == waits
    await engine.dispose()


async def test_a_statement_begins_its_transaction_and_ends_with_it(database_url: str) -> None:
    engine = session.connect(database_url, 1)
    async with engine.begin() as connection:
        assert [tuple(row) for row in await ADD.rows(connection, {"id": "usr_1", "name": "Ada"})] == [
            ("usr_1",)
        ]
        await ADD.rows(connection, {"id": "usr_2", "name": "Eve"})
        await connection.rollback()

    async with engine.begin() as connection:
        assert not await NAMES.rows(connection, {"ids": ["usr_1"], "id": "usr_2"})
    await engine.dispose()


async def test_a_statement_sees_what_was_done_before_it(database_url: str) -> None:
    engine = session.connect(database_url, 1)
    async with engine.begin() as connection:
        await connection.execute(sa.text("insert into users (id, name) values ('usr_3', 'Ada')"))
        assert not await RENAME.rows(connection, {"name": "Grace", "id": "usr_3"})
        [(name,)] = await NAMES.rows(connection, {"ids": [], "id": "usr_3"})
        assert name == "Grace"
    await engine.dispose()


async def test_a_statement_outside_of_transactions_counts_at_once(database_url: str) -> None:
    engine = session.connect(database_url, 2)
    single = session.single_statements(engine)
    async with single.connect() as connection, single.connect() as other:
        for name in ("Ada", "Eve"):
            await ADD.rows(connection, {"id": f"usr_{name}", "name": name})
        found = await NAMES.rows(other, {"ids": ["usr_Ada", "usr_Eve"], "id": ""})
        assert [name for (name,) in found] == ["Ada", "Eve"]
    await engine.dispose()


SELECTED = Statement(
    sa.select(users.c.name).where(users.c.id == sa.bindparam("id"), users.c.timezone == "Europe/Berlin")
)


async def test_a_statement_can_be_a_select_with_values_of_its_own(database_url: str) -> None:
    engine = session.connect(database_url, 1)
    rows = "values ('usr_5', 'Ada', 'Europe/Berlin'), ('usr_6', 'Eve', '')"
    async with engine.begin() as connection:
        await connection.execute(sa.text(f"insert into users (id, name, timezone) {rows}"))
        found = [await SELECTED.rows(connection, {"id": id_}) for id_ in ("usr_5", "usr_6")]
        assert [[tuple(row) for row in rows] for rows in found] == [[("Ada",)], []]
    await engine.dispose()


async def test_statements_survive_a_restart_of_postgres(fragile: Settings, trouble: Trouble) -> None:
    """Whoever is interrupted, or finds a stale connection, fails once and tries again."""
    engine = session.connect(fragile.database_url, 1)
    single = session.single_statements(engine)

    async def look() -> None:
        for _ in range(3):
            async with engine.begin() as connection:
                for _ in range(2):
                    await NAMES.rows(connection, {"ids": [], "id": ""})
            async with single.connect() as connection:
                for _ in range(2):
                    await NAMES.rows(connection, {"ids": [], "id": ""})

    await look()
    await trouble.restart("postgres")
    with pytest.raises(Exception) as failed:  # noqa: PT011 (whichever: it is an outage)
        await look()
    assert session.is_outage(failed.value)
    await look()

    async with single.connect() as connection:
        await NAMES.rows(connection, {"ids": [], "id": ""})
        await trouble.restart("postgres")
        with pytest.raises(session.ERRORS):
            await NAMES.rows(connection, {"ids": [], "id": ""})
    with contextlib.suppress(*session.ERRORS):
        await look()
    await look()
    await engine.dispose()
