"""A cluster that an earlier Postgres wrote is carried over: whole, or not at all."""

import asyncio
import fcntl
import subprocess
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from voice_server.commands.data import dumps, upgrade_postgres
from voice_server.embedded import old_cluster
from voice_server.embedded.account import choose_account, claim_folder
from voice_server.embedded.layout import EmbeddedError, Layout, last_lines, try_lock
from voice_server.embedded.protocol import ask_postgres
from voice_server.embedded.server import Spawner, major_of
from voice_server.embedded.services import EmbeddedServices
from voice_server.errors import BackupError
from voice_server.store.migrate import migrate

OLD, NEW = "16", "18"  # both come with one package
OPTIONS = ("--username=postgres", "--auth-local=trust", "--encoding=UTF8", "--locale=C", "--no-sync")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory as a release with an earlier Postgres would have left it. It knows Ada."""
    layout = Layout(tmp_path_factory.mktemp("old") / "data")
    layout.make()
    programs = old_cluster.find_programs(OLD, None)
    spawner = Spawner(choose_account(layout.cluster))
    claim_folder(layout.cluster, spawner.account)
    command = [str(programs / "initdb"), "--pgdata", spawner.path_of(layout.cluster), *OPTIONS]
    assert spawner.spawn(command, layout.log("initdb")).wait() == 0, last_lines(layout.log("initdb"))
    with old_cluster.opened(layout, programs) as database_url:
        ask_postgres(layout.run, "postgres", "CREATE DATABASE app")
        asyncio.run(migrate(database_url))
        asyncio.run(query(database_url, "insert into users (id) values ('usr_ada')"))
    return layout.data


@pytest.fixture
def layout(written: Path, tmp_path: Path) -> Layout:
    """The same, of the test's own."""
    subprocess.run(["cp", "-a", written, tmp_path / "data"], check=True)  # noqa: S607 (any that keeps owners)
    return Layout(tmp_path / "data")


async def query(database_url: str, statement: str) -> object:
    engine = create_async_engine(database_url, poolclass=sa.NullPool)
    async with engine.begin() as connection:
        result = await connection.execute(sa.text(statement))
        return result.scalar() if result.returns_rows else None


def test_what_an_earlier_postgres_wrote_is_carried_over(layout: Layout) -> None:
    said = upgrade_postgres.run(layout.data, None)

    assert said.startswith(f"the data in {layout.cluster} are of Postgres {NEW} now; the old ones are in ")
    assert [major_of(layout.cluster), major_of(layout.data / f"pg-{OLD}")] == [NEW, OLD]
    assert not layout.upgrade.exists()
    with EmbeddedServices(layout.data, durable=False) as services:
        assert asyncio.run(query(services.database_url, "select id from users")) == "usr_ada"
        assert asyncio.run(migrate(services.database_url)) is False
    assert (
        upgrade_postgres.run(layout.data, None)
        == f"the data in {layout.cluster} are of Postgres {NEW} already"
    )


def test_an_upgrade_that_cannot_begin_leaves_everything_as_it_was(layout: Layout) -> None:
    (layout.data / f"pg-{OLD}").mkdir()

    with pytest.raises(BackupError, match="is in the way"):
        upgrade_postgres.run(layout.data, None)
    assert major_of(layout.cluster) == OLD


def test_an_upgrade_that_fails_half_way_leaves_everything_as_it_was(layout: Layout) -> None:
    with old_cluster.opened(layout, old_cluster.find_programs(OLD, None)) as database_url:
        asyncio.run(query(database_url, "drop table alembic_version"))

    with pytest.raises(BackupError, match="nothing to back up"):
        upgrade_postgres.run(layout.data, None)
    assert major_of(layout.cluster) == OLD
    assert not (layout.data / f"pg-{OLD}").exists()


def test_one_that_was_killed_between_old_and_new_is_finished(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "data")
    with EmbeddedServices(layout.data, durable=False):
        pass
    layout.upgrade.mkdir()
    layout.cluster.rename(layout.upgrade / "pg")

    with pytest.raises(
        EmbeddedError, match="an upgrade was interrupted: run `voice-server upgrade-postgres`"
    ):
        EmbeddedServices(layout.data).start()
    assert (
        upgrade_postgres.run(layout.data, None) == f"the data in {layout.cluster} are of Postgres {NEW} now"
    )
    assert major_of(layout.cluster) == NEW


def test_a_server_that_runs_is_not_upgraded(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.make()
    user = try_lock(layout.lock("users"), fcntl.LOCK_SH)

    with (
        pytest.raises(EmbeddedError, match=r"users\.lock is held by another process"),
        old_cluster.alone(layout, 0),
    ):
        pass
    assert user
    user.close()


@pytest.mark.parametrize("given", [None, dumps.programs(None).folder, Path("/nowhere")])
def test_programs_of_a_postgres_that_is_not_there_are_asked_for(given: Path | None) -> None:
    with pytest.raises(EmbeddedError, match=r"programs of Postgres 15 are needed.*--old-programs"):
        old_cluster.find_programs("15", given)


def test_a_folder_without_data_is_not_upgraded(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="there is no embedded Postgres"):
        upgrade_postgres.run(tmp_path, None)
    assert list(tmp_path.iterdir()) == []
