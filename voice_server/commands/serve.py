"""One command, one process tree: embedded services where none are given, migrations, web and worker.

    serve ─┬─ web      answers the platform
           ├─ worker   ingests, digests, rebuilds
           └─ (embedded Postgres and Valkey, under a supervisor that outlives nobody)

A child that dies is restarted, and so is the supervisor. What will not stay up ends it all, with exit code 1.
When this process is killed, the children notice and stop.
"""

import asyncio
import contextlib
import os
import shlex
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from voice_server import settings
from voice_server.commands import secrets_file
from voice_server.embedded.keeper import Keeper
from voice_server.embedded.layout import EmbeddedError
from voice_server.embedded.services import EmbeddedServices
from voice_server.errors import ConfigurationError
from voice_server.settings import Settings

_PROJECT = Path(__file__).parents[2]  # for the children: -P keeps the caller's folder out of their path
_CHILDREN = ("web", "worker")
_QUICK, _QUICK_DEATHS = 10.0, 3  # a child that dies this soon, this often in a row, will not get better
_STOPPING = 20.0  # seconds a child gets to finish what it is doing
_WATCH = 0.5


_SERVICES = ("DATABASE_URL", "REDIS_URL")


class Environment(NamedTuple):
    """Variables that lack nothing; `embedded` when an address in them is embedded."""

    variables: dict[str, str]
    embedded: EmbeddedServices | None


@contextlib.contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[Environment]:
    """Add embedded services and secrets that are lacking. The services run while this is open."""
    wanted = settings.load()
    if wanted.database_url:
        secrets_file.require(variables)
    with services(variables) as found:
        made = {} if wanted.database_url else secrets_file.complete(wanted.data_dir, variables)
        yield Environment({**found.variables, **made}, found.embedded)


@contextlib.contextmanager
def services(variables: Mapping[str, str], needed: Sequence[str] = _SERVICES) -> Iterator[Environment]:
    """Add the addresses that are `needed`, without secrets."""
    if all(variables.get(name) for name in needed):
        yield Environment(dict(variables), None)
        return
    wanted = settings.load()
    with EmbeddedServices(wanted.data_dir, memory=wanted.cache_memory_mb) as embedded:
        ours = {"DATABASE_URL": embedded.database_url, "REDIS_URL": embedded.redis_url}
        lacking = {name: ours[name] for name in needed if not variables.get(name)}
        yield Environment({**variables, **lacking}, embedded)


def resolved(variables: Mapping[str, str]) -> Settings:
    os.environ.update(variables)
    return settings.load()


def required(settled: Settings) -> Settings:
    """Raise ConfigurationError for missing addresses or secrets."""
    missing = [name for name in ("database_url", "redis_url") if not getattr(settled, name)]
    if missing:
        raise ConfigurationError(
            f"{' and '.join(missing).upper()} must be set for a process of its own; `voice-server serve` "
            "needs neither"
        )
    secrets_file.require(os.environ)
    return settled


def serve() -> int:
    """Run everything until Ctrl-C or SIGTERM; return the exit code."""
    # half a second of imports, for this command alone: every other one comes by this module, too
    from voice_server.store.migrate import migrate

    own = dict(os.environ)
    wanted = settings.load()
    _require_free(*wanted.address)
    _require_templates(wanted)
    _require_model(wanted)
    with environment(own) as (variables, embedded):
        settled = resolved(variables)
        migrated = asyncio.run(migrate(settled.database_url))
        _announce_services(own, settled, migrated=migrated)
        return asyncio.run(_Tree(variables, settled, embedded).run())


def stop_with_parent(parent: int) -> None:
    """Stop as on SIGTERM when the parent is gone; a thread watches."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_WATCH)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True, name="parent watch").start()


class _Tree:
    def __init__(
        self, variables: Mapping[str, str], settled: Settings, embedded: EmbeddedServices | None
    ) -> None:
        self._variables = variables
        self._settled = settled
        self._embedded = embedded
        self._stop = asyncio.Event()
        self._failed = False

    async def run(self) -> int:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop.set)
        kept = [asyncio.create_task(self._keep(name)) for name in _CHILDREN]
        if self._embedded:
            kept.append(asyncio.create_task(self._keep_services(Keeper(self._embedded, _complain))))
        announced = asyncio.create_task(self._announce())
        await self._stop.wait()
        announced.cancel()
        await asyncio.gather(*kept)
        print("stopped" if not self._failed else "stopped, because something would not stay up", flush=True)
        return 1 if self._failed else 0

    async def _keep(self, name: str) -> None:
        quick = 0
        while not self._stop.is_set():
            started = time.monotonic()
            code = await self._run_child(name)
            if self._stop.is_set():
                return
            quick = quick + 1 if time.monotonic() - started < _QUICK else 0
            _complain(f"{name} ended with code {code}, and is started again")
            if quick >= _QUICK_DEATHS:
                self._failed = True
                self._stop.set()
            await asyncio.sleep(quick)

    async def _keep_services(self, keeper: Keeper) -> None:
        stopped = threading.Event()
        keeping = asyncio.create_task(asyncio.to_thread(keeper.run, stopped))
        keeping.add_done_callback(lambda _: self._stop.set())
        await self._stop.wait()
        stopped.set()
        try:
            await keeping
        except EmbeddedError as error:
            _complain(str(error))
            self._failed = True

    async def _run_child(self, name: str) -> int:
        """Use a session of its own: Ctrl-C reaches us alone, and we pass it on in order."""
        arguments = ("-P", "-m", "voice_server.cli", name, "--parent", str(os.getpid()))
        child = await asyncio.create_subprocess_exec(
            sys.executable,
            *arguments,
            env={**self._variables, "PYTHONPATH": str(_PROJECT)},
            stdin=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        ended, stopped = asyncio.create_task(child.wait()), asyncio.create_task(self._stop.wait())
        await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        if not ended.done():
            await _end(child, ended)
        return ended.result()

    async def _announce(self) -> None:
        while not await _answers(*self._settled.local_address):  # noqa: ASYNC110 (another process: there is no event to wait for)
            await asyncio.sleep(0.05)
        print(f"serving    {self._settled.local_url}   (stop with Ctrl-C)")
        if os.environ.get("CONSOLE_SECRET"):
            from voice_server.commands import console_link

            print(f"console    {console_link.link(self._settled)}   (opens once, within ten minutes)")
        print(f"try        {_told_apart(self._settled)}scripts/simulate_call --play week", flush=True)


def _complain(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


async def _end(child: asyncio.subprocess.Process, ended: "asyncio.Task[int]") -> None:
    with contextlib.suppress(ProcessLookupError):
        child.terminate()
    done, _ = await asyncio.wait((ended,), timeout=_STOPPING)
    if not done:
        child.kill()
        await ended


async def _answers(host: str, port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(host, port)
    except OSError:
        return False
    writer.close()
    return True


def _require_free(host: str, port: int) -> None:
    try:
        for family, *_, address in socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            _try(family, address)
    except OSError as error:
        raise ConfigurationError(
            f"port {port} on {host} cannot be used ({error.strerror}): stop what listens there or set PORT"
        ) from None


def _try(family: socket.AddressFamily, address: tuple[Any, ...]) -> None:
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        probe.bind(address)


def _require_templates(settled: Settings) -> None:
    """Check early: with wrong templates the children would only die, one after the other."""
    from voice_server.context.layout import tokens
    from voice_server.templates.library import TemplateLibrary

    TemplateLibrary(settled.prompt_templates, limit=settled.prompt_token_limit, count=tokens.counter())


def _require_model(settled: Settings) -> None:
    """Load this only where a model is set: it takes a second."""
    if settled.llm_model or settled.summary_model:
        from voice_server.context.layout import tokens
        from voice_server.operations.readers import reader_of, summary_reader_of

        reader_of(settled, tokens.counter())
        summary_reader_of(settled, tokens.counter())


def _told_apart(settled: Settings) -> str:
    """Return what another command needs in front to find this server."""
    data_dir = settled.data_dir.resolve()
    port = f"PORT={settled.port} " if settled.port else ""
    return port + ("" if data_dir == _PROJECT / ".data" else f"DATA_DIR={shlex.quote(str(data_dir))} ")


def _announce_services(own: Mapping[str, str], settled: Settings, *, migrated: bool) -> None:
    data_dir = settled.data_dir.resolve()
    for name, variable in (("postgres", "DATABASE_URL"), ("redis", "REDIS_URL")):
        where = f"yours ({variable})" if own.get(variable) else f"embedded, in {data_dir}"
        print(f"{name:<10} {where}")
    print(f"database   {'migrated' if migrated else 'up to date'}")
    if Path(secrets_file.path_in(data_dir)).exists():
        print(f"secrets    {secrets_file.path_in(data_dir)}")
    sys.stdout.flush()
