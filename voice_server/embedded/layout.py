"""Where things are in a data directory, and the locks that say who is there."""

import fcntl
import hashlib
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

POSTGRES_SOCKET = ".s.PGSQL.5432"
VALKEY_SOCKET = "valkey.sock"
SOCKET_PATH_LIMIT = 100  # bytes; the kernel's own limit is 104 on macOS, 108 on Linux
PLAIN_PATH = re.compile(r"[A-Za-z0-9 /._+=@~-]+")  # no comma, no colon: drivers split a list of hosts there
FAST_TICK, SLOW_TICK = 0.01, 0.2  # seconds, while starting and afterwards


class EmbeddedError(Exception):
    """The services cannot be had; the message says why, and what to do."""


class DataGoneError(EmbeddedError):
    """The data directory was removed or replaced. Trying again cannot help."""


@dataclass(frozen=True)
class Layout:
    data: Path

    @property
    def cluster(self) -> Path:
        return self.data / "pg"

    @property
    def upgrade(self) -> Path:
        """A data directory of its own, for a new major version."""
        return self.data / "upgrade"

    @property
    def logs(self) -> Path:
        return self.data / "log"

    @property
    def locks(self) -> Path:
        return self.data / "locks"

    @property
    def state(self) -> Path:
        """What runs, as JSON; only while the services answer."""
        return self.data / "services.json"

    @property
    def run(self) -> Path:
        """Where the sockets are: in /tmp if their path here may not be a socket's."""
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
        self.logs.mkdir(exist_ok=True)
        self._close_logs()

    def _close_logs(self) -> None:
        """Close them to others: statements in them name people. Earlier releases left them open."""
        self.logs.chmod(0o700)
        for log in self.logs.iterdir():
            if log.is_file() and not log.is_symlink():
                log.chmod(0o600)


def is_socket_path(path: str) -> bool:
    """Tell whether a socket can live at `path`, and every driver can be told so in a URL."""
    return len(os.fsencode(path)) <= SOCKET_PATH_LIMIT and PLAIN_PATH.fullmatch(path) is not None


def open_log(path: Path) -> IO[bytes]:
    """Append to a log that nobody else may read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def try_lock(path: Path, how: int) -> IO[bytes] | None:
    """Hold a lock until the file is closed or the process ends; None when it cannot be had now."""
    file = path.open("a+b")
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def take_lock(path: Path, how: int, deadline: float) -> IO[bytes]:
    """Wait for a lock until the deadline (monotonic clock). Raises EmbeddedError then."""
    while (file := try_lock(path, how)) is None:
        if time.monotonic() > deadline:
            raise EmbeddedError(
                f"{path} is held by another process for too long: end that one, then try again"
            )
        time.sleep(FAST_TICK)
    return file


def is_held(path: Path) -> bool:
    """Tell whether somebody holds this lock exclusively. Asks for a shared one, so that two may ask at
    once."""
    if not path.exists():
        return False
    file = try_lock(path, fcntl.LOCK_SH)
    if file:
        file.close()
    return file is None


def is_process(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's
        return True
    return True


def last_lines(path: Path) -> str:
    if not path.exists():
        return ""
    return "\n".join(path.read_text(errors="replace").splitlines()[-8:])
