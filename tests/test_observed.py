"""What the operator sees of calls and jobs: how long they took, and one line of each that names nobody."""

import json
import re
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from conftest import SECRET, TOKEN, House
from pretend.agent import Agent
from pretend.elevenlabs import ADA, AGENT, POST_CALL, PRE_CALL, ended_call
from pretend.trouble import Process, Trouble, free_port, until

from voice_server.queue import queue
from voice_server.settings import Settings
from voice_server.webhooks.signature import sign

OpenHouse = Callable[[Settings], House]
SAID = ("user: My plum cake needs semolina from the Bianchi mill.", "agent: Noted.")


def told(house: House) -> dict[str, float]:
    """What /metrics shows, by name and labels."""
    lines = house.client.get("/metrics").text.splitlines()
    pairs = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in pairs}


async def called(house: House, conversation: str = "conv_1") -> None:
    """Ada has called, and the worker has done what follows."""
    house.platform.pre_call(ADA)
    house.platform.post_call(ended_call(conversation, SAID, ended=house.clock()))
    await house.work()
    await house.worker.timekeeping.tell()


# -- how long things take


async def test_what_platforms_wait_for_is_timed(house: House) -> None:
    agent = Agent(house)
    await agent.talked("conv_1", *SAID)
    agent.begin("conv_2")
    agent.use("memory.search", "conv_2", query="plum cake")

    metrics = told(house)

    assert metrics["voice_post_call_duration_seconds_count"] == 1
    assert metrics['voice_tool_call_duration_seconds_count{tool="memory.search"}'] == 1
    assert 0 < metrics['voice_tool_call_duration_seconds_sum{tool="memory.search"}'] < 10


async def test_every_answer_to_a_pre_call_is_timed_once(house: House) -> None:
    house.platform.pre_call(ADA)
    house.platform.pre_call("anonymous")
    house.platform.post_pre_call(b"junk")

    buckets = {
        name: count for name, count in told(house).items() if "voice_pre_call_duration_seconds_b" in name
    }

    assert list(buckets.values()) == sorted(buckets.values())
    assert buckets['voice_pre_call_duration_seconds_bucket{le="+Inf"}'] == 3
    assert 'voice_pre_call_duration_seconds_bucket{le="0.0005"}' in buckets
    assert 'voice_pre_call_duration_seconds_bucket{le="1.0"}' in buckets


async def test_what_a_worker_did_every_web_process_tells(house: House, open_house: OpenHouse) -> None:
    await called(house)
    second = open_house(house.settings)

    metrics = told(second)

    for job in ("ingest", "digest_conversations", "rebuild"):
        assert metrics[f'voice_job_duration_seconds_count{{job="{job}"}}'] >= 1
        assert metrics[f'voice_job_duration_seconds_sum{{job="{job}"}}'] > 0


async def test_what_was_told_is_added_once(house: House) -> None:
    await called(house)
    await house.worker.timekeeping.tell()
    first = told(house)

    await called(house, "conv_2")

    assert first['voice_job_duration_seconds_bucket{job="ingest",le="+Inf"}'] == 1
    ingests = 'voice_job_duration_seconds_count{job="ingest"}'
    assert [first[ingests], told(house)[ingests]] == [1, 2]


async def test_what_postgres_does_not_take_is_told_later(
    fragile: Settings, trouble: Trouble, open_house: OpenHouse
) -> None:
    house = open_house(fragile)
    house.platform.post_call(ended_call("conv_1", SAID, ended=house.clock()))
    await house.work()

    await trouble.refuse_writes()
    with pytest.raises(Exception, match="read-only"):
        await house.worker.timekeeping.tell()
    await trouble.allow_writes()
    await house.worker.timekeeping.tell()

    assert told(house)['voice_job_duration_seconds_count{job="ingest"}'] == 1


async def test_from_an_event_to_the_prompt_that_knows_its_call_is_timed_once(house: House) -> None:
    await called(house)
    once = told(house)["voice_webhook_to_prompt_seconds_count"]

    await house.query("update pending_work set requested = requested + 1")
    await house.worker.upkeep.sweep()
    await house.work()
    await called(house, "conv_2")

    metrics = told(house)
    assert [once, metrics["voice_webhook_to_prompt_seconds_count"]] == [1, 2]
    assert 0 < metrics["voice_webhook_to_prompt_seconds_sum"] < 120


async def test_the_time_that_an_event_lay_about_counts(house: House) -> None:
    house.platform.post_call(ended_call("conv_1", SAID, ended=house.clock()))
    await house.query("update webhook_events set received_at = received_at - interval '10 minutes'")
    await house.work()
    await house.worker.timekeeping.tell()

    metrics = told(house)

    assert metrics['voice_webhook_to_prompt_seconds_bucket{le="300.0"}'] == 0
    assert metrics['voice_webhook_to_prompt_seconds_bucket{le="900.0"}'] == 1


async def test_a_call_of_long_ago_is_no_news_to_a_first_prompt(house: House) -> None:
    await called(house)
    await house.query("update conversations set created_at = created_at - interval '2 days'")
    await house.query("delete from cached_voice_prompts")
    await house.query("update pending_work set requested = requested + 1")
    await house.worker.upkeep.sweep()
    await house.work()
    await house.worker.timekeeping.tell()

    assert told(house)["voice_webhook_to_prompt_seconds_count"] == 1
    assert await house.query("select count(*) from cached_voice_prompts") == [(1,)]


async def test_how_long_the_oldest_job_waits_is_told(house: House) -> None:
    async with house.worker.engine.begin() as connection:
        await connection.exec_driver_sql("select 1")
        await queue.enqueue(connection, "ingest", {"event_id": 1})
        await queue.enqueue(connection, "embed", {"conversation_id": 1}, after=timedelta(hours=1))
    await house.query(
        "update pgqueuer set created = now() - interval '1 hour', execute_after = now() - interval '1 hour' "
        "where entrypoint = 'ingest'"
    )

    metrics = told(house)

    assert 3600 <= metrics['voice_oldest_job_seconds{job="ingest"}'] < 3700
    assert 'voice_oldest_job_seconds{job="embed"}' not in metrics


async def test_when_the_last_event_came_in_is_told(house: House) -> None:
    assert "voice_last_post_call_timestamp_seconds" not in told(house)

    house.platform.post_call(ended_call("conv_1", SAID, ended=house.clock()))

    assert abs(told(house)["voice_last_post_call_timestamp_seconds"] - time.time()) < 60


async def test_what_runs_and_what_it_takes_is_told(house: House) -> None:
    metrics = told(house)

    [build] = [name for name in metrics if name.startswith("voice_build_info")]
    assert re.fullmatch(r'voice_build_info{python="3\.[\d.]+",version="[\d.]+"}', build)
    assert metrics["process_cpu_seconds_total"] > 0
    assert metrics["process_resident_memory_bytes"] > 1_000_000
    assert metrics["process_open_fds"] > 1
    assert metrics["process_start_time_seconds"] < time.time()


# -- one line of each


def lines(process: Process, message: str = "") -> list[dict[str, Any]]:
    """What a process has logged, every line of it an object; those of this message."""
    objects = [json.loads(line) for line in process.said.splitlines()]
    return [one for one in objects if message in ("", one["message"])]


def told_of(line: dict[str, Any]) -> dict[str, Any]:
    """What a line tells beside what every line does, and how long it took."""
    assert line["ms"] > 0
    return {
        name: value
        for name, value in line.items()
        if name not in ("time", "level", "logger", "message", "ms")
    }


async def test_every_call_and_job_is_one_line_that_names_nobody(
    settings: Settings, start: Callable[..., Process]
) -> None:
    given = {
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PLATFORM_TOKEN": TOKEN,
        "ELEVENLABS_WEBHOOK_SECRET": SECRET,
        "LOG_FORMAT": "json",
        "LOG_LEVEL": "debug",
        "PORT": str(free_port()),
    }
    web, worker = start("web", **given), start("worker", **given)
    await until(lambda: "Uvicorn running" in web.said)
    now = int(time.time())
    event = json.dumps(ended_call("conv_1", SAID, ended=now)).encode()
    bearer = {"authorization": f"Bearer {TOKEN}"}
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{given['PORT']}") as client:
        request = {"caller_id": ADA, "agent_id": AGENT, "called_number": "", "conversation_id": "conv_1"}
        await client.post(PRE_CALL, json=request, headers=bearer)
        await client.post(
            POST_CALL, content=event, headers={"elevenlabs-signature": sign(event, SECRET, now)}
        )
        await client.post(
            "/tools/memory.search", json={"conversation_id": "conv_1", "query": "cake"}, headers=bearer
        )
    await until(lambda: any(one["job"] == "rebuild" for one in lines(worker, "job")))

    [pre_call], [post_call], [tool_call] = (
        lines(web, message) for message in ("pre-call", "post-call", "tool call")
    )
    assert told_of(pre_call) == {"agent": AGENT, "caller": f"tel:{ADA[:-4]}****", "prompt": "default"}
    assert told_of(post_call) == {"type": "post_call_transcription", "outcome": "recorded", "event": 1}
    assert told_of(tool_call)["tool"] == "memory.search"
    assert {"job": "ingest", "key": "1", "outcome": "done"} in map(told_of, lines(worker, "job"))
    assert lines(web)
    said = web.said + worker.said
    assert [word for word in (ADA, "plum", "Bianchi", "cake") if word in said] == []
