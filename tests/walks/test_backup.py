"""Back up and restore: what the agents knew, they know afterwards; what cannot be restored changes none."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest
import sqlalchemy as sa
from alembic import command
from conftest import ROOT, House, _admin
from pretend.elevenlabs import ADA, GRACE, NOBODY_KNOWS, ended_call
from pretend.trouble import Process, gone, until
from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy.ext.asyncio import create_async_engine

from voice_server.commands.data import backup, dumps, restore
from voice_server.embedded.services import EmbeddedServices
from voice_server.errors import BackupError
from voice_server.settings import Settings
from voice_server.store.lifecycle import contents
from voice_server.store.migrate import _config, migrate

OURS = dumps.programs(None)
PROMPTS = (
    "select user_id, agent_id, version, prompt, context_snapshot::text from generated_prompts order by id"
)
Open = Callable[[Settings], House]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where backups of a test go."""
    return tmp_path / "a backup"


async def save(url: str, file: Path, *, overwrite: bool = False) -> str:
    return await backup.run(url, file, OURS, overwrite=overwrite)


async def put_back(file: Path, url: str, redis_url: str) -> str:
    return await restore.run(url, redis_url, file, OURS)


async def with_two_calls(house: House) -> None:
    """Ada and Grace have called."""
    for caller, said in ((ADA, "I need the recipe for the plum cake."), (GRACE, "My knee is healing.")):
        house.platform.pre_call(caller, conversation=f"conv_{caller}")
        event = ended_call(
            f"conv_{caller}", ["agent: Hello!", f"user: {said}"], caller=caller, ended=house.clock()
        )
        house.platform.post_call(event)
    await house.work()


async def with_two_people(url: str) -> None:
    """Two people are known, and an agent."""
    await execute(
        url,
        "insert into users (id) values ('usr_ada'), ('usr_grace')",
        "insert into agents (id, platform) values ('agent_wren', 'elevenlabs')",
    )


def read(file: Path) -> bytes:
    return file.read_bytes()


def write(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def beside(file: Path) -> list[Path]:
    return list(file.parent.iterdir())


async def tables_of(url: str) -> list[str]:
    return sorted(await rows_of(url, "select tablename::text from pg_tables where schemaname = 'public'"))


async def rows_of(url: str, query: str) -> list[str]:
    """The first column."""
    connection = await _admin(url)
    try:
        return [row[0] for row in await connection.fetch(query)]
    finally:
        await connection.close()


async def execute(url: str, *statements: str) -> None:
    connection = await _admin(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


def voice_server(
    *arguments: str, source: Path | None = None, **environment: str
) -> "subprocess.CompletedProcess[bytes]":
    """One of our commands, with its streams apart."""
    with (source or Path(os.devnull)).open("rb") as given:
        return subprocess.run(
            [sys.executable, "-P", "-m", "voice_server.cli", *arguments],
            env={
                "PATH": os.environ["PATH"],
                "PROMPT_TEMPLATES": str(ROOT / "prompt_templates"),
                **environment,
            },
            stdin=given,
            capture_output=True,
            cwd=ROOT,
            check=False,
        )


async def test_restored_into_an_empty_data_directory_agents_are_told_the_same(
    house: House, open_house: Open, tmp_path: Path, file: Path
) -> None:
    await with_two_calls(house)
    told = [house.platform.pre_call(caller) for caller in (ADA, GRACE, NOBODY_KNOWS)]
    prompts = await house.query(PROMPTS)
    await save(house.settings.database_url, file)

    with EmbeddedServices(tmp_path / "elsewhere", durable=False) as services:
        restored = await put_back(file, services.database_url, services.redis_url)
        urls = {"database_url": services.database_url, "redis_url": services.redis_url}
        again = open_house(house.settings.model_copy(update=urls))
        await again.worker.upkeep.refill()

        assert restored == f"restored 2 users and 2 conversations from {file}"
        assert [again.platform.pre_call(caller) for caller in (ADA, GRACE, NOBODY_KNOWS)] == told
        assert await again.query(PROMPTS) == prompts
        assert "plum cake" in again.platform.told(ADA)


async def test_it_may_be_sent_on_without_a_file(house: House, empty: str, file: Path, tmp_path: Path) -> None:
    await with_two_calls(house)
    no_secrets = str(tmp_path / "data")  # a server that ran in this folder has some

    saved = voice_server("backup", "-", DATABASE_URL=house.settings.database_url, DATA_DIR=no_secrets)
    write(file, saved.stdout)
    services = {"DATABASE_URL": empty, "REDIS_URL": house.settings.redis_url}
    restored = voice_server("restore", "-", source=file, **services, DATA_DIR=no_secrets)

    assert saved.stderr == b"backed up 2 users and 2 conversations\n"
    assert restored.stderr == b"restored 2 users and 2 conversations from -\n"


async def test_jobs_that_wait_go_with_it(
    house: House, open_house: Open, empty: str, file: Path, redis_url: str
) -> None:
    house.platform.post_call(ended_call("conv_1", ended=house.clock()))

    assert "0 users and 0 conversations" in await save(house.settings.database_url, file)
    await put_back(file, empty, redis_url)

    again = open_house(house.settings.model_copy(update={"database_url": empty}))
    await again.work()
    assert "plum cake" in again.platform.told(ADA)


async def test_a_database_that_was_migrated_and_knows_nobody_is_good_enough(
    database_url: str, empty: str, file: Path, redis_url: str
) -> None:
    await with_two_people(database_url)
    await save(database_url, file)
    await migrate(empty)
    await execute(
        empty, "create table somebody_elses ()", "insert into agents (id, platform) values ('a', 'b')"
    )

    await put_back(file, empty, redis_url)

    assert await tables_of(empty) == sorted([*await tables_of(database_url), "somebody_elses"])


async def test_a_backup_of_an_earlier_release_is_brought_up_to_this_one(
    empty: str, database_url: str, file: Path, redis_url: str
) -> None:
    engine = create_async_engine(empty, poolclass=sa.NullPool)
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade_to, "0004")
        await connection.execute(sa.text("insert into users (id) values ('usr_ada')"))
    await save(empty, file)
    await execute(empty, "drop schema public cascade", "create schema public")

    assert "1 user and 0 conversations" in await put_back(file, empty, redis_url)

    assert await tables_of(empty) == await tables_of(database_url)
    assert await migrate(empty) is False


def _upgrade_to(connection: sa.Connection, revision: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


async def test_prompts_of_other_people_leave_redis_and_nothing_else_does(
    database_url: str, empty: str, file: Path, redis_url: str
) -> None:
    await save(database_url, file)
    async with Redis.from_url(redis_url) as redis:
        stale = {f"voice:prompt:agent:tel:+1{number}": "told" for number in range(1500)}
        await redis.mset({"voice:filled": "1", "somebody:elses": "1", **stale})

        await put_back(file, empty, redis_url)

        assert await redis.keys("*") == [b"somebody:elses"]


async def test_it_is_one_whole_file_for_its_owner_alone(database_url: str, file: Path) -> None:
    said = await save(database_url, file)

    assert f"{len(read(file)):,} bytes in {file}" in said
    assert mode(file) == 0o600
    assert beside(file) == [file]


async def test_a_file_that_is_there_is_replaced_only_when_that_is_said(database_url: str, file: Path) -> None:
    write(file, b"precious")

    with pytest.raises(BackupError, match="choose another name, or --force"):
        await save(database_url, file)
    assert read(file) == b"precious"

    await save(database_url, file, overwrite=True)
    assert read(file).startswith(b"PGDMP")


async def test_a_backup_that_fails_leaves_the_earlier_one(empty: str, database_url: str, file: Path) -> None:
    await save(database_url, file)
    before = read(file)

    with pytest.raises(BackupError, match="the database is empty"):
        await save(empty, file, overwrite=True)
    with pytest.raises(BackupError, match="no-such-folder/pg_dump cannot be run: No such file"):
        await backup.run(database_url, file, dumps.programs(Path("no-such-folder")), overwrite=True)
    assert read(file) == before
    assert beside(file) == [file]


async def test_a_backup_that_is_stopped_leaves_nothing(
    database_url: str, tmp_path: Path, start: Callable[..., Process]
) -> None:
    (tmp_path / "backups").mkdir()
    connection = await _admin(database_url)
    await connection.execute("begin; lock table agents")  # pg_dump waits for it
    stopped = start("backup", str(tmp_path / "backups" / "file"), DATABASE_URL=database_url)
    await until(lambda: somebody_waits(connection))
    programs = stopped.tree()
    assert len(programs) == 2

    stopped.send(signal.SIGTERM)
    await until(lambda: gone(programs))
    await connection.close()
    assert beside(tmp_path / "backups" / "file") == []


async def somebody_waits(connection: "asyncpg.Connection[asyncpg.Record]") -> bool:
    """Whether somebody waits for a lock in this database."""
    ours = "(select oid from pg_database where datname = current_database())"
    return bool(
        await connection.fetchval(
            f"select exists (select from pg_locks where not granted and database = {ours})"  # noqa: S608 (our own names)
        )
    )


def half(saved: bytes) -> bytes:
    return saved[: len(saved) // 2]


def nothing(_saved: bytes) -> bytes:
    return b""


def something_else(_saved: bytes) -> bytes:
    return b"Dear diary"


def scratched(saved: bytes) -> bytes:
    """As a failing disk gives it back: the last of the data, not the list of contents at the beginning."""
    return saved[:-400] + bytes(byte ^ 0x55 for byte in saved[-400:-300]) + saved[-300:]


async def test_what_is_damaged_or_no_backup_is_not_restored(
    house: House, empty: str, file: Path, redis_url: str
) -> None:
    await with_two_calls(house)
    await save(house.settings.database_url, file)
    saved = read(file)
    for damaged in (half, scratched, nothing, something_else):
        write(file, damaged(saved))

        with pytest.raises(BackupError, match="nothing was changed"):
            await put_back(file, empty, redis_url)
        assert await tables_of(empty) == []


async def test_what_does_not_fit_into_the_database_is_not_restored_by_halves(
    database_url: str, empty: str, file: Path, redis_url: str
) -> None:
    await with_two_people(database_url)
    await save(database_url, file)
    await execute(empty, "create function fn_pgqueuer_changed() returns int language sql return 1")

    with pytest.raises(BackupError, match='function "fn_pgqueuer_changed" already exists'):
        await put_back(file, empty, redis_url)
    assert await tables_of(empty) == []


async def test_a_restore_that_fails_half_way_changes_nothing(
    database_url: str, empty: str, file: Path, redis_url: str
) -> None:
    await with_two_people(database_url)
    # its table has no schema: it is there as long as a search path says where, which the restore's does not
    await execute(
        database_url,
        "create function known(text) returns bool immutable language plpgsql "
        "as 'begin return exists (select from agents) is not null; end'",
        "alter table users add check (known(id))",
    )
    await save(database_url, file)
    await migrate(empty)
    await execute(empty, "insert into agents (id, platform) values ('agent_robin', 'elevenlabs')")
    before = await tables_of(empty)
    async with Redis.from_url(redis_url) as redis:
        await redis.flushdb()
        await redis.mset({"voice:filled": "1", "voice:prompt:agent_robin:tel:+1": "told"})

        with pytest.raises(BackupError, match='relation "agents" does not exist'):
            await put_back(file, empty, redis_url)

        assert len(await redis.keys("*")) == 2
    assert await tables_of(empty) == before
    assert await rows_of(empty, "select id from agents") == ["agent_robin"]


async def test_a_restore_without_redis_changes_nothing(database_url: str, empty: str, file: Path) -> None:
    await save(database_url, file)

    with pytest.raises(RedisError):
        await put_back(file, empty, "redis://127.0.0.1:1")

    assert await tables_of(empty) == []


async def test_who_called_after_the_last_look_is_not_dropped(database_url: str, file: Path) -> None:
    await save(database_url, file)
    engine = create_async_engine(database_url, poolclass=sa.NullPool)
    async with engine.connect() as connection:
        removal = await contents.removal(connection)
    await execute(database_url, "insert into users (id) values ('usr_ada')")

    with pytest.raises(BackupError, match="has got users or events meanwhile"):
        await OURS.load(file, database_url, removal)

    assert await rows_of(database_url, "select id from users") == ["usr_ada"]


async def test_what_is_restored_and_cannot_be_migrated_says_so(
    empty: str, file: Path, redis_url: str
) -> None:
    engine = create_async_engine(empty, poolclass=sa.NullPool)
    async with engine.begin() as connection:
        await connection.run_sync(_upgrade_to, "0004")
        await connection.execute(sa.text("insert into users (id) values ('usr_ada')"))
        await connection.execute(sa.text("create table erasures ()"))
    await save(empty, file)
    await execute(empty, "drop schema public cascade", "create schema public")

    with pytest.raises(BackupError, match=r"is restored, and then .* run scripts/migrate"):
        await put_back(file, empty, redis_url)

    assert await rows_of(empty, "select id from users") == ["usr_ada"]


async def test_a_dump_of_some_other_database_is_not_restored(
    empty: str, database_url: str, file: Path, redis_url: str
) -> None:
    await execute(empty, "create table alembic_version (version_num text)", "create table recipes ()")
    await OURS._run("pg_dump", "--format=custom", "--file", str(file), variables=dumps.addressed(empty))

    with pytest.raises(BackupError, match="is a dump of some other database"):
        await put_back(file, database_url, redis_url)


async def test_a_backup_of_a_newer_release_is_not_restored(
    database_url: str, empty: str, file: Path, redis_url: str
) -> None:
    await execute(database_url, "update alembic_version set version_num = '9999'")
    await save(database_url, file)

    with pytest.raises(BackupError, match="of a newer release than this one"):
        await put_back(file, empty, redis_url)
    assert await tables_of(empty) == []


async def test_nothing_is_restored_over_people_who_are_known(
    house: House, database_url: str, file: Path
) -> None:
    await with_two_calls(house)
    await save(database_url, file)

    with pytest.raises(BackupError, match="restore into a new one"):
        await put_back(file, database_url, house.settings.redis_url)
    assert "plum cake" in house.platform.told(ADA)


async def test_nothing_is_restored_under_a_server_that_runs(
    database_url: str, empty: str, file: Path, redis_url: str
) -> None:
    await save(database_url, file)
    await migrate(empty)
    connection = await _admin(empty)

    with pytest.raises(BackupError, match="stop the server first"):
        await put_back(file, empty, redis_url)
    await connection.close()


@pytest.mark.parametrize(
    "command",
    ["backup -", "events", "replay --failed", "rebuild --all", "understand --all"],
)
def test_a_command_in_a_folder_without_data_makes_none(
    command: str, tmp_path: Path, refuse: Callable[..., str]
) -> None:
    said = refuse(*command.split(), DATA_DIR=str(tmp_path / "data"))

    assert said == f"voice-server: there are no data in {tmp_path / 'data'}: DATA_DIR says where they are\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "variables"),
    [
        (
            "postgresql+asyncpg://ada:p%40ss@db.example.com:5433/voice?ssl=require",
            {"PGHOST": "db.example.com", "PGPORT": "5433", "PGUSER": "ada", "PGPASSWORD": "p@ss",
             "PGSSLMODE": "require", "PGDATABASE": "voice"},
        ),
        (
            "postgresql+asyncpg://postgres@/app?host=/a%20place/run",
            {"PGHOST": "/a place/run", "PGUSER": "postgres", "PGDATABASE": "app"},
        ),
        (
            "postgresql+asyncpg://ada@/voice?host=one&host=two&port=5432&port=5433",
            {"PGHOST": "one,two", "PGPORT": "5432,5433", "PGUSER": "ada", "PGDATABASE": "voice"},
        ),
    ],
)  # fmt: skip
def test_postgres_programs_are_told_of_the_database_where_nobody_else_can_see_it(
    url: str, variables: dict[str, str]
) -> None:
    assert dumps.addressed(url) == variables


async def test_what_our_programs_cannot_do_others_can(database_url: str, file: Path) -> None:
    with pytest.raises(BackupError, match="name the folder of others with --programs"):
        await save(f"{database_url}&ssl=require", file)
