"""Pre-call: ours against a bare server and against what one writes first, on 16 KB prompts, Redis over TCP.

A few hundred callers, the binding and the redial mark really written, the slots really filled. One call in
twenty is a redial, as often as people call again before the notes of their last call are in; of the others'
last calls the prompt has the notes.

A hundred thousand more callers have copies of one prompt. They call in turn, each when the server has long
forgotten their number: what that costs is the difference to the few hundred.
"""

import asyncio
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import msgspec
from benchmarks import people
from benchmarks.figures import Figure, figure, interleaved, ratio, row, title
from benchmarks.house import PRE_CALL, TOKEN, House
from benchmarks.load import Load, post, write_requests
from benchmarks.people import AGENT, People
from benchmarks.processes import Measured, free_port, python, running
from msgspec import Struct
from redis.asyncio import Redis

from voice_server.context.layout import slots
from voice_server.worker import Worker

_CALLERS = People(1, 300)
_NEW_NUMBERS = [f"+1212{n:07}" for n in range(100_000)]  # more than a server remembers
_CALLS = 20_000  # different requests; more than a slice sends
_BATCH = 5_000
_REDIAL = 20  # one in so many calls leaves a mark whose notes are not in
_CONNECTIONS, _RATE = 32, 400
_NEW = "ours, new numbers"
_STRANGERS = "ours, nobody known"  # each costs a read of Postgres, which finds nothing
_HERE = Path(__file__).parent


class Slice(Struct, frozen=True):
    """What one server did in one round: requests a second and CPU (µs) in a closed loop, times (µs) in an
    open one."""

    per_second: float
    cpu: float
    p50: float
    p99: float


def run(house: House, *, quick: bool) -> None:
    size = asyncio.run(_prepare(house))
    known = list(zip(_CALLERS.phone_numbers, _CALLERS.past_calls, strict=True))
    strangers = [(f"+1646555{n:04}", [""]) for n in range(10_000)]
    new = ((number, _CALLERS.past_calls[0]) for number in _NEW_NUMBERS)
    write_requests(house.folder / "pre_calls", requests(_often(known)))
    write_requests(house.folder / "strangers", requests(_often(strangers)))
    write_requests(house.folder / "new", requests(new))
    with ExitStack() as stack:
        servers = {"ours": stack.enter_context(house.web()), "bare": stack.enter_context(_bare(house, size))}
        servers["naive"] = stack.enter_context(_naive(house))
        loads = {name: Load(house.folder / "pre_calls") for name in servers}
        servers[_NEW], loads[_NEW] = servers["ours"], Load(house.folder / "new")
        servers[_STRANGERS], loads[_STRANGERS] = servers["ours"], Load(house.folder / "strangers")
        seconds = 0.3 if quick else 0.7
        rounds = interleaved(
            list(servers), lambda name: _slice(servers[name], loads[name], seconds), 5 if quick else 21
        )
    asyncio.run(_forget_new_numbers(house.redis_url))
    _print(rounds, size)


async def _prepare(house: House) -> int:
    """People with cached prompts, ours and the naive way; the bytes of an answer."""
    await people.make(house.database_url, _CALLERS)
    worker = Worker(house.settings())
    try:
        await people.cache_prompts(worker, _CALLERS)
        await _copy_prompts(worker.redis)
        return await _cache_naively(worker.redis)
    finally:
        await worker.close()


async def _copy_prompts(redis: Redis) -> None:
    for some in _batches():
        pipeline = redis.pipeline(transaction=False)
        for number in some:
            pipeline.copy(people.key_of(_CALLERS.phone_numbers[0]), people.key_of(number))
        await pipeline.execute()


async def _forget_new_numbers(redis_url: str) -> None:
    """The gigabyte is not needed any more."""
    async with Redis.from_url(redis_url) as redis:
        for some in _batches():
            await redis.unlink(*map(people.key_of, some))


def _batches() -> Iterator[list[str]]:
    return (_NEW_NUMBERS[first : first + _BATCH] for first in range(0, len(_NEW_NUMBERS), _BATCH))


async def _cache_naively(redis: Redis) -> int:
    answer = b""
    for number in _CALLERS.phone_numbers:
        cached = slots.unpack(await people.entry_of(redis, number))
        assert cached is not None
        answer = slots.fill(cached, slots.Call(now=cached.last_contact + 3600))
        told = msgspec.json.decode(answer)
        memory = {
            "user_id": told["user_id"],
            "prompt": told["conversation_config_override"]["agent"]["prompt"]["prompt"],
            "variables": told["dynamic_variables"],
        }
        await redis.set(f"naive:{AGENT}:{number}", json.dumps(memory))
    return len(answer)


def _often(callers: Sequence[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    return random.choices(callers, k=_CALLS)  # noqa: S311 (no secret)


def requests(callers: Iterable[tuple[str, list[str]]]) -> Iterator[bytes]:
    for number, (phone_number, past) in enumerate(callers):
        call = {
            "caller_id": phone_number,
            "called_number": "+14155559999",
            "agent_id": AGENT,
            "call_sid": f"CA{number:032x}",
            "conversation_id": f"conv_{number:026}" if number % _REDIAL == 0 else random.choice(past),  # noqa: S311 (no secret)
        }
        yield post(PRE_CALL, {"authorization": f"Bearer {TOKEN}"}, json.dumps(call).encode())


def _bare(house: House, size: int) -> AbstractContextManager[Measured]:
    port = free_port()
    return running(python(str(_HERE / "bare_server.py"), str(port), str(size)), {}, log=house.log, port=port)


def _naive(house: House) -> AbstractContextManager[Measured]:
    port = free_port()
    command = python("-m", "benchmarks.naive_server", str(port), house.redis_url)
    return running(command, house.python_path(), log=house.log, port=port)


def _slice(server: Measured, load: Load, seconds: float) -> Slice:
    before = server.cpu_seconds()
    closed = load.run(server.port, connections=_CONNECTIONS, seconds=seconds)
    cpu = (server.cpu_seconds() - before) / closed.answered
    opened = load.run(server.port, connections=2 * _CONNECTIONS, seconds=1.5 * seconds, rate=_RATE)
    return Slice(closed.per_second, cpu * 1e6, opened.p50, opened.p99)


def _print(rounds: list[dict[str, Slice]], size: int) -> None:
    title("pre_call", f"answers of {size / 1000:.1f} KB, {len(rounds)} rounds")
    for name in rounds[0]:
        row(f"requests/s, {_CONNECTIONS} connections: {name}", _median(rounds, name, "per_second"))
    row("ours : bare", ratio(rounds, "ours", "bare", lambda one: one.per_second), "x", least=0.6)
    row("ours : naive", ratio(rounds, "ours", "naive", lambda one: one.per_second), "x", least=4)
    for name in rounds[0]:
        row(f"CPU per request: {name}", _median(rounds, name, "cpu"), "µs")
    row("ours : bare", ratio(rounds, "ours", "bare", lambda one: one.cpu), "x", most=1.9)
    for name in rounds[0]:
        row(f"p50 at {_RATE}/s, open loop: {name}", _median(rounds, name, "p50"), "µs")
    row("ours : bare", ratio(rounds, "ours", "bare", lambda one: one.p50), "x", most=1.6)
    row("requests/s: new numbers : known", ratio(rounds, _NEW, "ours", lambda one: one.per_second), "x")
    row("CPU: new numbers : known", ratio(rounds, _NEW, "ours", lambda one: one.cpu), "x")
    row("p50: new numbers : known", ratio(rounds, _NEW, "ours", lambda one: one.p50), "x")
    row("CPU: nobody known : known", ratio(rounds, _STRANGERS, "ours", lambda one: one.cpu), "x")
    row("p50: nobody known : known", ratio(rounds, _STRANGERS, "ours", lambda one: one.p50), "x")
    row("p99 at the same (the kernel's time slice): ours", _median(rounds, "ours", "p99"), "µs")


def _median(rounds: list[dict[str, Slice]], name: str, number: str) -> Figure:
    return figure(getattr(one[name], number) for one in rounds)
