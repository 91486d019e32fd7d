"""Post-call: what acknowledging a 60 KB event costs, beside verifying and parsing it alone; and 30 MB of
audio.

No event is a duplicate: each has a conversation id of its own. No worker runs: it would use the same
Postgres, and acknowledging does not wait for it.
"""

import json
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import msgspec
from benchmarks.figures import figure, row, title
from benchmarks.house import POST_CALL, ROOT, SECRET, House
from benchmarks.load import Answers, Load, post, write_requests
from benchmarks.processes import Measured, on_core
from msgspec import Struct

from voice_server.webhooks.signature import Tolerance, sign, verify

_EVENT, _AUDIO = 60_000, 30_000_000  # bytes
_RATE, _CONNECTIONS = 50, 16
_BUSY, _BUSY_AT_MOST = 0.3, 300  # seconds of the closed loop, and more events than it answers
_BATCH = 50  # events of one look at the cost of verifying and parsing
_KB, _MB = 1_000, 1_000_000


class Slice(Struct, frozen=True):
    """One round: the answers at 50/s; CPU per event (µs) of the web process and of verifying and parsing
    alone, both at that pace and both without a pause; memory after it (bytes)."""

    answers: Answers
    paced: float
    paced_alone: float
    busy: float
    busy_alone: float
    memory: int


def run(house: House, *, quick: bool) -> None:
    rounds, seconds = (3, 1.5) if quick else (15, 2.5)
    events = list(_events(round(rounds * (_RATE * (seconds + 0.2) * 1.3 + _BUSY_AT_MOST))))
    write_requests(house.folder / "events", map(_delivery, events))
    write_requests(house.folder / "audio", [_delivery(_audio())])
    with house.web() as web:
        load = Load(house.folder / "events")
        load.run(web.port, connections=_CONNECTIONS, seconds=seconds, rate=_RATE)  # connections, caches
        slices = [_slice(web, load, seconds, events[-_BATCH:]) for _ in range(rounds)]
        _print(slices, len(events[0]))
        _print_audio(web, Load(house.folder / "audio"), seconds)


def _events(count: int) -> Iterator[bytes]:
    """A captured call, its transcript repeated to 60 KB."""
    event = json.loads((ROOT / "tests" / "payloads" / "post_call_transcription.json").read_text())
    said: list[dict[str, Any]] = event["data"]["transcript"]
    while len(json.dumps(event)) < _EVENT:
        event["data"]["transcript"] = [*event["data"]["transcript"], *said[: 1 + len(said) // 8]]
    for number in range(count):
        event["data"]["conversation_id"] = f"conv_{number:026}"
        yield json.dumps(event).encode()


def _audio() -> bytes:
    data = {"agent_id": "agent_bench", "conversation_id": "conv_audio", "full_audio": "A" * _AUDIO}
    event = {"type": "post_call_audio", "event_timestamp": int(time.time()), "data": data}
    return json.dumps(event).encode()


def _delivery(body: bytes) -> bytes:
    return post(POST_CALL, {"elevenlabs-signature": _signature(body)}, body)


def _signature(body: bytes) -> str:
    return sign(body, SECRET, int(time.time()))


def _slice(web: Measured, load: Load, seconds: float, sample: list[bytes]) -> Slice:
    started = web.cpu_seconds()
    paced = load.run(web.port, connections=_CONNECTIONS, seconds=seconds, rate=_RATE)
    between = web.cpu_seconds()
    busy = load.run(web.port, connections=_CONNECTIONS, seconds=_BUSY, warm=0)
    ended = web.cpu_seconds()
    return Slice(
        answers=paced,
        paced=1e6 * (between - started) / paced.answered,
        paced_alone=1e6 * _alone(sample, pause=1 / _RATE),
        busy=1e6 * (ended - between) / busy.answered,
        busy_alone=1e6 * _alone(sample, pause=0),
        memory=web.memory(),
    )


def _alone(events: list[bytes], pause: float) -> float:
    """CPU seconds for verifying and parsing one event, on the server's core; the median."""
    signed = [(event, _signature(event)) for event in events]
    with on_core(0):
        return median(_timed(body, signature, pause) for body, signature in signed)


def _timed(body: bytes, signature: str, pause: float) -> float:
    """After a pause the caches are somebody else's, here as in the server."""
    time.sleep(pause)
    started = time.process_time()
    verify(body, signature, [SECRET], time.time(), Tolerance())
    msgspec.json.decode(body)
    return time.process_time() - started


def _print(slices: list[Slice], size: int) -> None:
    title("post_call", f"events of {size / _KB:.0f} KB at {_RATE}/s, open loop, {len(slices)} rounds")
    row("acknowledged, p50", figure(one.answers.p50 / 1000 for one in slices), "ms", most=15)
    row("acknowledged, p99", figure(one.answers.p99 / 1000 for one in slices), "ms")
    row("CPU per event, at that pace: web process", figure(one.paced for one in slices), "µs")
    row(
        "CPU per event, at that pace: verify and parse alone", figure(one.paced_alone for one in slices), "µs"
    )
    row("whole : alone", figure(one.paced / one.paced_alone for one in slices), "x", most=3)
    row("CPU per event, no pauses: web process", figure(one.busy for one in slices), "µs")
    row("CPU per event, no pauses: verify and parse alone", figure(one.busy_alone for one in slices), "µs")
    row("whole : alone", figure(one.busy / one.busy_alone for one in slices), "x", most=3)
    half = len(slices) // 2
    growth = median(one.memory for one in slices[half:]) - median(one.memory for one in slices[:half])
    row("memory of the web process", slices[-1].memory / _MB, "MB")
    events = sum(one.answers.answered for one in slices)
    row(f"growth between the halves of {events} events", growth / _MB, "MB")


def _print_audio(web: Measured, load: Load, seconds: float) -> None:
    before = web.memory()
    web.forget_peak()
    answers = load.run(web.port, connections=4, seconds=seconds)
    growth = (web.peak_memory() - before) / _MB
    row(f"30 MB of audio, {answers.answered} times, 4 at once: peak growth", growth, "MB", most=5)
