"""Drives load.c, the load generator: compiles it when needed, writes its request files, reads its answer."""

import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

_SOURCE = Path(__file__).with_name("load.c")


class LoadError(Exception):
    """The load could not be generated, or the server did not stand it; the message says which."""


class Answers(Struct, frozen=True):
    """What came back. `per_second` and the percentiles (microseconds) leave out the warm-up, the counts do
    not."""

    answered: int
    failed: int
    not_200: int
    seconds: float
    per_second: float
    p50: float
    p95: float
    p99: float


class Load:
    """A compiled load generator and one file of requests, sent in turn: each run goes on where the last one
    ended."""

    def __init__(self, requests: Path) -> None:
        self._program = _compiled()
        self._requests = requests
        self._sent = 0

    def run(
        self, port: int, *, connections: int, seconds: float, rate: float = 0, warm: float = 0.2
    ) -> Answers:
        """Closed loop when `rate` is 0, else open loop with so many requests a second. Raises LoadError."""
        words = (port, self._requests, connections, rate, warm, seconds, self._sent)
        done = subprocess.run([self._program, *map(str, words)], capture_output=True, check=False)
        if done.returncode:
            raise LoadError(f"the load generator failed: {done.stderr.decode().strip()}")
        answers = msgspec.json.decode(done.stdout, type=Answers)
        self._sent += answers.answered
        if answers.failed or answers.not_200 or not answers.answered:
            raise LoadError(f"port {port} did not answer everything with 200: {answers}")
        return answers


def write_requests(path: Path, requests: Iterable[bytes]) -> None:
    """A file of whole HTTP requests for `Load`."""
    with path.open("wb") as file:
        for request in requests:
            file.write(struct.pack("=I", len(request)))
            file.write(request)


def post(path: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """One HTTP/1.1 request as a platform sends it."""
    sent = {
        "host": "voice.example",
        "user-agent": "ElevenLabs/1.0",
        "accept": "*/*",
        "accept-encoding": "gzip, deflate",
        "content-type": "application/json",
        "content-length": str(len(body)),
        **headers,
    }
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
    return "\r\n".join(lines).encode() + body


def _compiled() -> str:
    """The program, from a cache folder named after its source."""
    digest = sha256(_SOURCE.read_bytes()).hexdigest()[:16]
    program = Path(tempfile.gettempdir()) / f"voice-server-bench-{os.getuid()}" / f"load-{digest}"
    if not program.exists():
        _compile(program)
    return str(program)


def _compile(program: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise LoadError(
            "the load generator is written in C and there is no C compiler: install one "
            "(on Debian and Ubuntu: apt-get install gcc libc6-dev)"
        )
    program.parent.mkdir(mode=0o700, exist_ok=True)
    unfinished = program.with_suffix(f".{os.getpid()}")
    command = [compiler, "-O2", "-o", str(unfinished), str(_SOURCE), "-lm"]
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise LoadError(f"the load generator does not compile here: {done.stderr.decode().strip()}")
    unfinished.replace(program)
