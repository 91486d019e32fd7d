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
from pretend.elevenlabs import Platform, ended_call
from pretend.trouble import Process, answers, free_port, until

from voice_server.settings import Settings

Start = Callable[..., Process]
CALLERS, CALLS = 7, 3
NEEDED = ("DATABASE_URL", "REDIS_URL", "PLATFORM_TOKEN", "ELEVENLABS_WEBHOOK_SECRET")


def web(start: Start, given: dict[str, str]) -> tuple[Process, str]:
    port = free_port()
    return start("web", **given, PORT=str(port)), f"http://127.0.0.1:{port}"


def platform(url: str) -> Platform:
    return Platform(httpx2.Client(base_url=url, timeout=30), TOKEN, SECRET, time.time)


def number(caller: int) -> str:
    return f"+1415555{caller:04}"


async def test_a_template_that_fails_on_a_call_costs_the_log_a_line(
    open_house: Callable[[Settings], House],
    settings: Settings,
    templates: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (templates / "default" / "last_time.jinja").write_text(
        '{% if "cake" in summary %}{{ 1 // 0 }}{% endif %}{{ summary }}'
    )
    house = open_house(settings.model_copy(update={"prompt_templates": templates, "job_max_attempts": 1}))
    house.platform.post_call(ended_call("conv_1", summary="Ada wants a cake.", ended=house.clock()))

    await house.work()

    assert "cannot be rendered" in caplog.text
    assert "rebuild" in caplog.text
    assert "Traceback" not in caplog.text


async def test_two_of_each_remember_every_call_keep_no_audio_and_end_in_order_when_told(
    start: Start, given: dict[str, str]
) -> None:
    sites = [web(start, given) for _ in range(2)]
    workers = [start("worker", **given) for _ in range(2)]
    for _, url in sites:
        await until(lambda url=url: answers(url))
    platforms = [platform(url) for _, url in sites]

    await _every_call_is_remembered(platforms)
    _no_audio_is_kept(platforms[0], sites[0][0])
    for one in platforms:
        one.client.close()
    await _they_end_in_order([site for site, _ in sites], workers)


async def _every_call_is_remembered(platforms: list[Platform]) -> None:
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


def _no_audio_is_kept(calling: Platform, site: Process) -> None:
    """Thirty megabytes of it leave no third of themselves in memory. What a process reads once
    in the background may come in between: of three times the least counts."""
    calling.post_call(_audio(100_000))
    grown = []
    for _ in range(3):
        before = _resident(site.pid)
        assert calling.post_call(_audio(30_000_000)).json()["status"] == "discarded"
        grown.append(_resident(site.pid) - before)

    assert min(grown) < 10_000


async def _they_end_in_order(sites: list[Process], workers: list[Process]) -> None:
    for one in (*workers, *sites):
        one.send(signal.SIGTERM)

    assert [await asyncio.to_thread(one.wait) for one in workers] == [0, 0]
    for site in sites:
        # uvicorn ends in order, then as it was told to
        assert await asyncio.to_thread(site.wait) in (0, -signal.SIGTERM)
    for one in (*workers, *sites):
        assert "Traceback" not in one.said


async def test_a_worker_killed_in_the_middle_of_a_job_is_replaced(
    start: Start, given: dict[str, str], house: House
) -> None:
    first = start("worker", **given)
    connection = await _admin(house.settings.database_url)
    async with connection.transaction():
        await connection.execute("lock table digests in exclusive mode")
        house.platform.post_call(ended_call("conv_1", summary="Ada was cut off.", ended=house.clock()))
        await until(lambda: _digest_waits(connection))
        first.send(signal.SIGKILL)
        first.wait()
    second = start("worker", **given)

    await until(lambda: "Ada was cut off." in house.platform.told())
    await until(lambda: _nothing_left(connection))

    assert not second.ended
    assert await connection.fetchval("select count(*) from digests") == 1
    await connection.close()


async def _digest_waits(connection: "asyncpg.Connection[asyncpg.Record]") -> bool:
    sql = "select count(*) from pg_locks where relation = 'digests'::regclass and not granted"
    return bool(await connection.fetchval(sql))


async def _nothing_left(connection: "asyncpg.Connection[asyncpg.Record]") -> bool:
    return not await connection.fetchval("select count(*) from pgqueuer")


@pytest.mark.parametrize("name", ["web", "worker"])
@pytest.mark.parametrize("missing", NEEDED)
def test_a_process_of_its_own_says_what_it_lacks(refuse: Callable[..., str], name: str, missing: str) -> None:
    given = dict.fromkeys(NEEDED, "redis://127.0.0.1:1") | {"DATABASE_URL": "postgres://127.0.0.1:1/none"}
    del given[missing]

    assert f"{missing} must be set" in refuse(name, **given)


def _audio(size: int) -> bytes:
    data = {"agent_id": "agent_robin", "conversation_id": "conv_1", "full_audio": "A" * size}
    return json.dumps({"type": "post_call_audio", "event_timestamp": 1, "data": data}).encode()


def _resident(pid: int) -> int:
    """Kilobytes of memory, at most so far: what is given back does not count."""
    with open(f"/proc/{pid}/status") as status:  # noqa: PTH123 (one line of it)
        return int(next(line.split()[1] for line in status if line.startswith("VmHWM")))
