"""Who keeps the server waiting is cut off, whatever is asked for; who is served never notices.

The connections' clock stands still until a test moves it: no machine is too busy for it.
"""

import contextlib
import json
import select
from collections.abc import AsyncIterator, Callable, Iterator

import asyncpg
import pytest
from conftest import API_TOKEN, TOKEN, Clock
from pretend.elevenlabs import ADA
from pretend.trouble import until
from pretend.wire import Wire, serving

from voice_server.settings import Settings
from voice_server.webhooks.http.connections import Connections
from voice_server.webhooks.signature import sign

TIMEOUT, LIMIT = 0.2, 60
BODY = json.dumps({"caller_id": ADA, "agent_id": "agent_robin", "call_sid": "CA1"}).encode()
PRE_CALL, POST_CALL = "/webhooks/elevenlabs/pre-call", "/webhooks/elevenlabs/post-call"


@pytest.fixture
def patience() -> Clock:
    """The connections' clock."""
    return Clock()


@pytest.fixture
def port(settings: Settings, clock: Clock, patience: Clock) -> Iterator[int]:
    """The web process as the command line runs it, on a port of its own."""
    with serving(settings, clock, Connections(TIMEOUT, LIMIT, patience)) as taken:
        yield taken


@pytest.fixture
def connect(port: int) -> Iterator[Callable[[], Wire]]:
    """Makes a connection to it."""
    opened: list[Wire] = []

    def connect() -> Wire:
        opened.append(Wire(port))
        return opened[-1]

    yield connect
    for one in opened:
        one.close()


@pytest.fixture
def wires(connect: Callable[[], Wire]) -> list[Wire]:
    """Fifty of them."""
    return [connect() for _ in range(50)]


@pytest.fixture
def wire(connect: Callable[[], Wire]) -> Wire:
    """One of them."""
    return connect()


@pytest.fixture
def look(connect: Callable[[], Wire], patience: Clock) -> Callable[[], None]:
    """Lets more time go by than there is, until all connections have been looked at."""

    def look() -> None:
        silent, caller = connect(), connect()
        silent.send(b"G")
        call(caller)  # after it the server has read the letter, too
        patience.now += 1.5 * TIMEOUT
        assert silent.answer()[0] == 408
        silent.close()
        caller.close()

    return look


def head(path: str, token: str, length: int, more: str = "") -> bytes:
    lines = (
        f"POST {path} HTTP/1.1",
        "Host: x",
        f"Authorization: Bearer {token}",
        f"Content-Length: {length}",
        "Content-Type: application/json",
    )
    return ("\r\n".join(lines) + f"\r\n{more}\r\n").encode()


def call(wire: Wire) -> str:
    """A pre-call; who it was taken for."""
    wire.send(head(PRE_CALL, TOKEN, len(BODY)) + BODY)
    status, _, answer = wire.answer()
    assert status == 200
    return str(json.loads(answer)["user_id"])


# -- half requests


def test_half_heads_all_end_and_a_call_meanwhile_is_answered(
    wires: list[Wire], patience: Clock, connect: Callable[[], Wire]
) -> None:
    for one in wires:
        one.send(b"POST /webhooks/elevenlabs/pre-call HTTP/1.1\r\nHost: x\r\nX-Half:")
    caller = connect()
    assert call(caller) == f"tel:{ADA}"

    patience.now += 1.5 * TIMEOUT

    assert [one.answer()[0] for one in wires] == [408] * len(wires)
    assert all(one.is_closed() for one in wires)
    assert call(caller) == f"tel:{ADA}"


def test_who_says_nothing_is_hung_up_on(wires: list[Wire], patience: Clock) -> None:
    call(wires.pop())  # after it the others are connected, too
    patience.now += 1.5 * TIMEOUT

    assert all(one.is_closed() for one in wires)


@pytest.mark.parametrize(
    ("path", "token"),
    [
        (PRE_CALL, TOKEN),
        (POST_CALL, "signed"),
        ("/mcp", TOKEN),
        ("/api/users", API_TOKEN),
    ],
)
def test_a_body_that_stops_half_way_ends(
    wire: Wire,
    patience: Clock,
    clock: Clock,
    settings: Settings,
    path: str,
    token: str,
    connect: Callable[[], Wire],
) -> None:
    signature = sign(b"{}", settings.webhook_secrets[0], int(clock()))
    wire.send(head(path, token, 500, f"ElevenLabs-Signature: {signature}\r\n") + b'{"caller_id": ')
    call(other := connect())

    patience.now += 1.5 * TIMEOUT

    assert wire.answer()[0] == 408
    assert wire.is_closed()
    assert call(other) == f"tel:{ADA}"


def test_a_body_that_comes_byte_by_byte_ends(wire: Wire, look: Callable[[], None]) -> None:
    wire.send(head(PRE_CALL, TOKEN, 500))
    with contextlib.suppress(OSError):
        for _ in range(3):
            wire.send(b"{")
            look()

    assert wire.answer()[0] == 408
    assert wire.is_closed()


def test_the_rest_of_what_was_refused_is_not_waited_for(wire: Wire, look: Callable[[], None]) -> None:
    wire.send(head(PRE_CALL, "guessed", 500) + b"{")
    assert wire.answer()[0] == 401
    wire.send(b"{")  # and no idle time ends it

    look()

    assert wire.is_closed()


def test_answers_that_nobody_takes_end(wire: Wire, look: Callable[[], None]) -> None:
    """However many looks it takes until no more of them fits between the two."""
    ask, asked = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n", 300
    wire.send(ask * asked)

    def is_heard() -> bool:
        with contextlib.suppress(ConnectionError):
            wire.send(ask)
            return True
        return False

    looks = 0
    while is_heard():
        look()
        looks += 1
        assert looks < asked


# -- audio


def audio(clock: Clock, settings: Settings, size: int) -> tuple[bytes, bytes]:
    """A head, and a body of so many bytes."""
    body = b'{"type": "post_call_audio", "data": {"full_audio": "%b"}}' % (b"A" * size)
    signature = sign(body, settings.webhook_secrets[0], int(clock()))
    return head(POST_CALL, "", len(body), f"ElevenLabs-Signature: {signature}\r\n"), body


def test_audio_may_take_long_as_long_as_it_goes_on(
    wire: Wire, patience: Clock, clock: Clock, settings: Settings, connect: Callable[[], Wire]
) -> None:
    start, body = audio(clock, settings, 200_000)
    wire.send(start)
    for at in range(0, len(body), 20_000):
        wire.send(body[at : at + 20_000])
        call(connect())
        patience.now += TIMEOUT * 0.6

    status, _, answer = wire.answer()
    assert (status, json.loads(answer)["status"]) == (200, "discarded")


def test_audio_that_trickles_ends(
    wire: Wire, clock: Clock, settings: Settings, look: Callable[[], None]
) -> None:
    start, body = audio(clock, settings, 200_000)
    wire.send(start + body[:20_000])
    with contextlib.suppress(OSError):
        for _ in range(3):
            wire.send(b"A")
            look()

    assert wire.answer()[0] == 408
    assert wire.is_closed()


# -- who is served


def test_a_connection_in_use_stays(wire: Wire, look: Callable[[], None]) -> None:
    for _ in range(3):
        assert call(wire) == f"tel:{ADA}"
        look()

    assert call(wire) == f"tel:{ADA}"


async def test_who_waits_for_our_answer_is_not_cut_off(
    wire: Wire, settings: Settings, look: Callable[[], None]
) -> None:
    held = await asyncpg.connect(settings.database_url.replace("+asyncpg", ""))
    async with held.transaction():
        await held.execute("lock table users")
        wire.send(f"GET /api/users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {API_TOKEN}\r\n\r\n".encode())
        look()
    await held.close()

    assert wire.answer()[0] == 200


# -- who asks again before the answer


@contextlib.asynccontextmanager
async def unanswered(wire: Wire, settings: Settings, then: bytes) -> AsyncIterator[None]:
    """A request that waits for its answer while this is open, and what comes right behind it."""
    held = await asyncpg.connect(settings.database_url.replace("+asyncpg", ""))
    ask = f"GET /api/users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {API_TOKEN}\r\n\r\n".encode()
    async with held.transaction():
        await held.execute("lock table users")
        wire.send(ask + then)
        yield
    await held.close()


HALVES = pytest.mark.parametrize("half", [b"POST /mcp HTTP/1.1\r\nHost:", head("/mcp", TOKEN, 500) + b"{"])


@HALVES
async def test_who_has_half_asked_again_is_no_less_answered_where_room_is_made(
    wire: Wire, settings: Settings, connect: Callable[[], Wire], patience: Clock, half: bytes
) -> None:
    async with unanswered(wire, settings, half):
        call(connect())  # after it the server has read all that
        patience.now += TIMEOUT / 2
        more = [connect() for _ in range(LIMIT)]
        call(more[-1])

    assert wire.answer()[0] == 200


@HALVES
async def test_who_has_half_asked_again_is_no_less_answered_after_a_while(
    wire: Wire, settings: Settings, look: Callable[[], None], half: bytes
) -> None:
    async with unanswered(wire, settings, half):
        look()

    assert wire.answer()[0] == 200
    look()
    assert wire.answer()[0] == 408


@pytest.mark.parametrize(
    "wrong",
    [
        b"rubbish\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000,
        b"POST /mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nrubbish\r\n",
    ],
)
async def test_what_is_wrong_with_a_request_is_not_the_answer_to_the_one_before(
    wire: Wire, settings: Settings, connect: Callable[[], Wire], wrong: bytes
) -> None:
    async with unanswered(wire, settings, wrong):
        call(connect())

    assert [wire.answer()[0] for _ in range(2)] == [200, 400]
    assert wire.is_closed()


# -- how many


async def test_of_too_many_connections_the_oldest_go_that_say_nothing(
    wires: list[Wire], connect: Callable[[], Wire], patience: Clock
) -> None:
    *silent, used = wires
    assert call(used) == f"tel:{ADA}"  # after it the others are connected, too
    patience.now += TIMEOUT / 2
    more = [connect() for _ in range(LIMIT // 2)]

    def hung_up_on() -> int:
        return len(select.select([one.socket for one in silent], [], [], 0)[0])

    assert {call(one) for one in [*more, used]} == {f"tel:{ADA}"}
    await until(lambda: hung_up_on() >= 1 + len(silent) + len(more) - LIMIT)
