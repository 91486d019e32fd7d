"""Web and worker as processes of their own, several at once, killed in the middle of their work."""

import asyncio
import json
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import asyncpg
import httpx2
import pytest
from conftest import SECRET, TOKEN, House, _admin
from pretend.elevenlabs import ADA, Platform, ended_call
from pretend.trouble import Process, answers, free_port, until

from voice_server.settings import Settings

Start = Callable[..., Process]
CALLERS, CALLS = 20, 5


@pytest.fixture
def given(settings: Settings) -> dict[str, str]:
    """What such a process needs to be told."""
    return {
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PLATFORM_TOKEN": TOKEN,
        "ELEVENLABS_WEBHOOK_SECRET": SECRET,
        "JOB_HEARTBEAT_SECONDS": "1",
        "DATABASE_POOL": "5",
        "HOST": "127.0.0.1",
        "PRE_CALL_DEADLINE_MS": "2000",
    }


def web(start: Start, given: dict[str, str]) -> tuple[Process, str]:
    port = free_port()
    return start("web", **given, PORT=str(port)), f"http://127.0.0.1:{port}"


def platform(url: str) -> Platform:
    return Platform(httpx2.Client(base_url=url, timeout=30), TOKEN, SECRET, time.time)


def number(caller: int) -> str:
    return f"+1415555{caller:04}"


async def test_a_template_that_fails_on_a_call_costs_the_log_a_line(
    start: Start, given: dict[str, str], house: House, templates: Path
) -> None:
    (templates / "default" / "last_time.jinja").write_text(
        '{% if "cake" in summary %}{{ 1 // 0 }}{% endif %}{{ summary }}'
    )
    house.platform.post_call(ended_call("conv_1", summary="Ada wants a cake.", ended=house.clock()))

    worker = start("worker", **given, PROMPT_TEMPLATES=str(templates), JOB_MAX_ATTEMPTS="1")

    await until(lambda: "cannot be rendered" in worker.said)
    assert "rebuild" in worker.said
    assert "Traceback" not in worker.said


async def test_two_of_each_remember_every_call_of_every_caller(start: Start, given: dict[str, str]) -> None:
    sites = [web(start, given) for _ in range(2)]
    for _ in range(2):
        start("worker", **given)
    for _, url in sites:
        await until(lambda url=url: answers(url))
    platforms = [platform(url) for _, url in sites]
    now = int(time.time())

    def play(turn: int) -> None:
        """One call, its pre-call at one process, its event at the other, and once more at the first."""
        caller, call = turn % CALLERS, turn // CALLERS
        first, second = platforms[turn % 2], platforms[1 - turn % 2]
        conversation = f"conv_{caller}_{call}"
        first.pre_call(number(caller), conversation=conversation)
        ended = now - (CALLS - call) * 600
        event = ended_call(
            conversation, caller=number(caller), summary=f"Call {call} of caller {caller}.", ended=ended
        )
        assert [one.post_call(event).status_code for one in (second, first)] == [200, 200]

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(play, range(CALLERS * CALLS)))

    def is_right(caller: int) -> bool:
        told = platforms[caller % 2].told(number(caller))
        return f"Call {CALLS - 1} of caller {caller}." in told and f"You have had {CALLS} earlier" in told

    for caller in range(CALLERS):
        await until(lambda caller=caller: is_right(caller))
    for one in platforms:
        one.client.close()


async def test_a_worker_killed_in_the_middle_of_a_job_is_replaced(
    start: Start, given: dict[str, str], settings: Settings
) -> None:
    first = start("worker", **given)
    _, url = web(start, given)
    await until(lambda: answers(url))
    calling = platform(url)
    connection = await _admin(settings.database_url)
    async with connection.transaction():
        await connection.execute("lock table digests in exclusive mode")
        calling.post_call(ended_call("conv_1", summary="Ada was cut off.", ended=time.time()))
        await until(lambda: _digest_waits(connection))
        first.send(signal.SIGKILL)
        first.wait()
    second = start("worker", **given)

    await until(lambda: "Ada was cut off." in calling.told(ADA))
    await until(lambda: _nothing_left(connection))

    assert not second.ended
    assert await connection.fetchval("select count(*) from digests") == 1
    await connection.close()
    calling.client.close()


async def _digest_waits(connection: "asyncpg.Connection[asyncpg.Record]") -> bool:
    sql = "select count(*) from pg_locks where relation = 'digests'::regclass and not granted"
    return bool(await connection.fetchval(sql))


async def _nothing_left(connection: "asyncpg.Connection[asyncpg.Record]") -> bool:
    return not await connection.fetchval("select count(*) from pgqueuer")


async def test_a_worker_told_to_stop_ends_in_order(start: Start, given: dict[str, str]) -> None:
    worker = start("worker", **given)
    site, url = web(start, given)
    await until(lambda: answers(url))
    calling = platform(url)
    calling.post_call(ended_call("conv_1", summary="They are at work.", ended=time.time()))
    await until(lambda: "They are at work." in calling.told(ADA))
    calling.client.close()

    for one in (worker, site):
        one.send(signal.SIGTERM)
    codes = [await asyncio.to_thread(one.wait) for one in (worker, site)]

    assert codes[0] == 0
    assert codes[1] in (0, -signal.SIGTERM)  # uvicorn ends in order, then as it was told to
    assert "Traceback" not in worker.said + site.said


@pytest.mark.parametrize("name", ["web", "worker"])
async def test_a_process_of_its_own_says_what_it_lacks(
    start: Start, given: dict[str, str], name: str
) -> None:
    lacking = [
        start(name, **{key: value for key, value in given.items() if key != missing})
        for missing in ("DATABASE_URL", "REDIS_URL", "PLATFORM_TOKEN", "ELEVENLABS_WEBHOOK_SECRET")
    ]

    codes = [await asyncio.to_thread(one.wait) for one in lacking]

    assert codes == [2, 2, 2, 2]
    for one, missing in zip(
        lacking, ("DATABASE_URL", "REDIS_URL", "PLATFORM_TOKEN", "ELEVENLABS_WEBHOOK_SECRET"), strict=True
    ):
        assert f"{missing} must be set" in one.said
        assert "Traceback" not in one.said


async def test_thirty_megabytes_of_audio_do_not_stay_in_a_web_process(
    start: Start, given: dict[str, str]
) -> None:
    site, url = web(start, given)
    await until(lambda: answers(url))
    calling = platform(url)
    calling.post_call(_audio(100_000))
    before = _resident(site.pid)

    assert calling.post_call(_audio(30_000_000)).json()["status"] == "discarded"

    assert _resident(site.pid) - before < 5_000
    calling.client.close()


def _audio(size: int) -> bytes:
    data = {"agent_id": "agent_robin", "conversation_id": "conv_1", "full_audio": "A" * size}
    return json.dumps({"type": "post_call_audio", "event_timestamp": 1, "data": data}).encode()


def _resident(pid: int) -> int:
    """Kilobytes of memory, at most so far: what is given back does not count."""
    with open(f"/proc/{pid}/status") as status:  # noqa: PTH123 (one line of it)
        return int(next(line.split()[1] for line in status if line.startswith("VmHWM")))
