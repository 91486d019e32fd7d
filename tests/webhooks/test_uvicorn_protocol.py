"""Pre-calls over real sockets: what uvicorn's protocol would do, ours does too, in order and whole."""

import contextlib
import json
from collections.abc import Iterator

import pytest
from conftest import TOKEN, Clock
from pretend.elevenlabs import ADA, ended_call
from pretend.wire import Wire, serving

from voice_server.settings import Settings
from voice_server.webhooks.http.connections import Connections
from voice_server.webhooks.signature import sign
from voice_server.worker import Worker

BODY = json.dumps({"caller_id": ADA, "agent_id": "agent_robin", "call_sid": "CA1"}).encode()


@pytest.fixture
def port(settings: Settings, clock: Clock) -> Iterator[int]:
    """The web process as the command line runs it, on a port of its own."""
    with serving(settings, clock, Connections()) as taken:
        yield taken


@pytest.fixture
def wire(port: int) -> Iterator[Wire]:
    """A connection to it."""
    opened = Wire(port)
    yield opened
    opened.close()


def request(body: bytes = BODY, token: str = TOKEN, more: str = "", version: str = "1.1") -> bytes:
    head = (
        f"POST /webhooks/elevenlabs/pre-call HTTP/{version}\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    )
    return head.encode() + body


def is_complete(answer: tuple[int, dict[str, str], bytes]) -> bool:
    status, headers, body = answer
    told = json.loads(body)
    return (
        status == 200
        and headers["content-type"] == "application/json"
        and "prompt_version" in told["dynamic_variables"]
    )


def test_many_calls_are_answered_on_one_connection(wire: Wire) -> None:
    for _ in range(5):
        wire.send(request())
        assert is_complete(wire.answer())


def test_a_request_that_arrives_byte_by_byte_is_answered(wire: Wire) -> None:
    for byte in request():
        wire.send(bytes([byte]))

    assert is_complete(wire.answer())


def test_pipelined_requests_are_answered_in_order(wire: Wire) -> None:
    wire.send(request() + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" + request(b"junk") + request())

    assert is_complete(wire.answer())
    assert wire.answer()[2] == b"ok"
    assert json.loads(wire.answer()[2])["user_id"] == "anonymous"
    assert is_complete(wire.answer())


def test_a_chunked_request_is_answered(wire: Wire) -> None:
    head = request(b"", more="Transfer-Encoding: chunked\r\n").replace(b"Content-Length: 0\r\n", b"")

    wire.send(head + b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY))

    assert is_complete(wire.answer())


def test_a_megabyte_of_junk_gets_the_default(wire: Wire) -> None:
    wire.send(request(b"x" * 1_000_000))

    assert json.loads(wire.answer()[2])["user_id"] == "anonymous"


@pytest.mark.parametrize("protocol", ["h2c", "websocket", "TLS/1.2"])
@pytest.mark.parametrize("connection", ["Upgrade", "Upgrade, HTTP2-Settings", "keep-alive"])
def test_who_offers_another_protocol_is_answered_in_this_one(
    wire: Wire, protocol: str, connection: str
) -> None:
    """A proxy on the way may say that it could speak HTTP/2; the body is a pre-call all the same."""
    for _ in range(2):
        wire.send(request(more=f"Connection: {connection}\r\nUpgrade: {protocol}\r\n"))

        answer = wire.answer()
        assert is_complete(answer)
        assert json.loads(answer[2])["user_id"] == f"tel:{ADA}"


def test_an_offer_that_arrives_byte_by_byte_is_answered(wire: Wire) -> None:
    for byte in request(more="Connection: Upgrade\r\nUpgrade: h2c\r\n") + request():
        wire.send(bytes([byte]))

    assert is_complete(wire.answer())
    assert is_complete(wire.answer())


def test_an_offer_between_other_requests_disturbs_neither(wire: Wire) -> None:
    offer = request(more="Connection: Upgrade\r\nUpgrade: h2c\r\n")

    wire.send(request() + offer + offer + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")

    assert all(json.loads(wire.answer()[2])["user_id"] == f"tel:{ADA}" for _ in range(3))
    assert wire.answer()[2] == b"ok"


async def test_a_post_call_that_offers_another_protocol_is_recorded(
    wire: Wire, settings: Settings, clock: Clock
) -> None:
    event = json.dumps(ended_call("conv_1", ended=clock())).encode()
    signature = sign(event, settings.webhook_secrets[0], int(clock()))
    wire.send(
        f"POST /webhooks/elevenlabs/post-call HTTP/1.1\r\nHost: x\r\nElevenLabs-Signature: {signature}\r\n"
        f"Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: {len(event)}\r\n\r\n".encode()
        + event
    )

    status, _, body = wire.answer()
    assert (status, json.loads(body)["status"]) == (200, "recorded")


def test_a_tunnel_is_refused(wire: Wire) -> None:
    wire.send(b"CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n")

    assert wire.answer()[0] in (400, 404, 405)


def test_a_wrong_token_is_refused(wire: Wire) -> None:
    wire.send(request(token="guessed"))

    assert wire.answer()[0] == 401


def test_headers_without_end_are_cut_off(wire: Wire) -> None:
    wire.send(b"POST /webhooks/elevenlabs/pre-call HTTP/1.1\r\nX-Long: ")
    with contextlib.suppress(OSError):
        for _ in range(100):
            wire.send(b"x" * 10_000)

    assert wire.answer()[0] == 400


def test_an_expectation_is_met(wire: Wire) -> None:
    whole = request(more="Expect: 100-continue\r\n")

    wire.send(whole[: -len(BODY)])
    assert wire.file.readline() == b"HTTP/1.1 100 Continue\r\n"
    assert wire.file.readline() == b"\r\n"
    wire.send(BODY)

    assert is_complete(wire.answer())


@pytest.mark.parametrize(
    "old", [request(version="1.0"), request(more="Connection: close\r\n")], ids=["1.0", "close"]
)
def test_who_wants_the_connection_closed_gets_it_closed(wire: Wire, old: bytes) -> None:
    wire.send(old)

    assert is_complete(wire.answer())
    assert wire.is_closed()


def test_a_caller_who_hangs_up_early_disturbs_nobody(port: int, wire: Wire) -> None:
    for _ in range(20):
        gone = Wire(port)
        gone.send(request())
        gone.close()

    wire.send(request())

    assert is_complete(wire.answer())


async def test_what_a_call_left_behind_is_told_over_the_wire(
    wire: Wire, settings: Settings, clock: Clock
) -> None:
    event = json.dumps(ended_call("conv_1", summary="Ada asked for the recipe.", ended=clock())).encode()
    signature = sign(event, settings.webhook_secrets[0], int(clock()))
    wire.send(
        f"POST /webhooks/elevenlabs/post-call HTTP/1.1\r\nHost: x\r\nElevenLabs-Signature: {signature}\r\n"
        f"Content-Length: {len(event)}\r\n\r\n".encode()
        + event
    )
    assert wire.answer()[0] == 200
    worker = Worker(settings, clock)
    await worker.queue.drain()
    await worker.close()

    wire.send(request())

    assert b"Ada asked for the recipe." in wire.answer()[2]
