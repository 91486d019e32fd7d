"""What becomes of work whose job is lost: it is done all the same, and what cannot be done is seen."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import sqlalchemy as sa
from conftest import House
from msgspec.structs import replace
from pretend.elevenlabs import ADA, GRACE, ended_call
from pretend.trouble import Trouble, until

from voice_server.commands import event_log
from voice_server.jobs import rebuild
from voice_server.jobs.digest_conversations import Basis, DigestJob
from voice_server.operations.people import erasing
from voice_server.queue import queue
from voice_server.settings import Settings
from voice_server.store.knowledge import digests

OpenHouse = Callable[[Settings], House]
# As the queue's library leaves a job whose retry it could not write.
PUT_ASIDE = "update pgqueuer set status = 'failed' where entrypoint = $1"
AN_HOUR_AGO = "update webhook_events set received_at = received_at - interval '1 hour'"


def a_call(
    house: House, conversation: str = "conv_1", caller: str = ADA, said: str = "I live in Bath."
) -> None:
    event = ended_call(conversation, [f"user: {said}"], ended=house.clock(), caller=caller)
    assert house.platform.post_call(event).status_code == 200


async def digested(house: House) -> list[str]:
    """The calls that have a digest."""
    found = await house.query(
        "select platform_id from conversations c join digests d on d.conversation_id = c.id order by 1"
    )
    return [name for (name,) in found]


# -- work is found again


async def test_an_event_whose_job_was_put_aside_is_ingested(house: House) -> None:
    a_call(house)
    await house.query(PUT_ASIDE, "ingest")
    await house.query(AN_HOUR_AGO)

    await house.worker.upkeep.sweep()
    await house.work()

    assert await house.query("select status from webhook_events") == [("ingested",)]
    assert "Bath" in house.platform.told(ADA)


async def test_an_event_without_any_job_is_ingested(house: House) -> None:
    a_call(house)
    await house.query("delete from pgqueuer")
    await house.query(AN_HOUR_AGO)

    await house.worker.upkeep.sweep()
    await house.work()

    assert await digested(house) == ["conv_1"]


async def test_an_event_whose_job_waits_gets_no_second_one(house: House) -> None:
    a_call(house)
    await house.query(AN_HOUR_AGO)

    await house.worker.upkeep.sweep()

    assert await house.query("select entrypoint, count(*) from pgqueuer group by 1") == [("ingest", 1)]


async def test_a_call_whose_digest_was_put_aside_is_digested(house: House) -> None:
    a_call(house)
    await _ingest(house)
    await house.query(PUT_ASIDE, "digest_conversations")

    await house.worker.upkeep.sweep()
    await house.work()

    assert await digested(house) == ["conv_1"]


async def test_a_call_for_whose_digest_nobody_asks_is_digested(house: House) -> None:
    a_call(house)
    await _ingest(house)
    await house.query("delete from pgqueuer")
    await house.query("delete from pending_work")

    await house.worker.upkeep.sweep()
    await house.work()

    assert await digested(house) == ["conv_1"]


async def test_who_has_talked_and_has_no_prompt_gets_one(house: House) -> None:
    a_call(house)
    await house.work()
    await house.query("delete from cached_voice_prompts")
    await house.worker.redis.flushdb()

    await rebuild.catch_up(house.worker.engine)
    await house.work()

    assert "Bath" in house.platform.told(ADA)


async def test_who_has_a_prompt_gets_no_other_one(house: House) -> None:
    a_call(house)
    await house.work()

    await rebuild.catch_up(house.worker.engine)

    assert await house.query("select count(*) from pgqueuer") == [(0,)]


async def _ingest(house: House) -> None:
    """The worker ingests, and is gone before it digests."""
    handlers = dict(house.worker.queue._handlers)
    house.worker.queue._handlers = {"ingest": handlers["ingest"]}
    await house.work()
    house.worker.queue._handlers = handlers


# -- Postgres refuses to write, or is killed


async def _cannot_write_for_a_while(trouble: Trouble) -> None:
    """As with a full disk: what is acknowledged is there, nothing more can be written, retries neither."""
    await trouble.refuse_writes()
    await asyncio.sleep(1)
    await trouble.allow_writes()


async def _is_killed(trouble: Trouble) -> None:
    """What a worker did last is not yet on disk, and forgotten."""
    await trouble.restart("postgres")


@pytest.mark.parametrize("happens", [_cannot_write_for_a_while, _is_killed])
async def test_no_acknowledged_call_is_lost_whatever_postgres_does(
    open_house: OpenHouse,
    fragile: Settings,
    trouble: Trouble,
    monkeypatch: pytest.MonkeyPatch,
    happens: Callable[[Trouble], Awaitable[None]],
) -> None:
    monkeypatch.setattr(queue, "_FIRST_PAUSE", queue._FIRST_PAUSE / 100)
    house = open_house(fragile.model_copy(update={"job_heartbeat_seconds": 1.0}))
    calls = [f"conv_{number}" for number in range(12)]
    for number, call in enumerate(calls):
        a_call(house, call, caller=f"+1415555{number:04}")
    stop = asyncio.Event()
    working = asyncio.create_task(house.worker.queue.run(stop))
    await until(lambda: _some(house, "select from digests"))
    await happens(trouble)
    stop.set()
    await working

    await house.query(AN_HOUR_AGO)

    async def all_are_told() -> bool:
        """Jobs of the worker that has ended are taken over once its heart has not beaten for a second; among
        them may be one that had digested its call, and asked for no prompt yet."""
        await house.worker.upkeep.sweep()
        await house.work()
        return await house.query("select count(*) from cached_voice_prompts") == [(len(calls),)]

    await until(all_are_told)
    assert await digested(house) == sorted(calls)
    assert await house.query("select distinct status from webhook_events") == [("ingested",)]


async def _some(house: House, sql: str) -> bool:
    return bool(await house.query(sql))


# -- what cannot be done


async def test_a_call_that_cannot_be_digested_keeps_no_other_from_it(spoilt: House) -> None:
    a_call(spoilt, "conv_1", said="This one cannot be understood.")
    spoilt.clock.now += 1
    a_call(spoilt, "conv_2", said="I live in Bath.")

    await spoilt.work()

    assert await digested(spoilt) == ["conv_2"]
    assert "Bath" in spoilt.platform.told(ADA)


async def test_what_was_put_aside_is_listed_with_its_reason(spoilt: House) -> None:
    a_call(spoilt, said="This one cannot be understood.")
    await spoilt.work()

    listed = await event_log.failures(spoilt.settings, limit=5)

    assert any(one.conversation == "conv_1" and "Error: " in one.reason for one in listed)
    assert 'voice_digests{state="failed"} 1.0' in spoilt.client.get("/metrics").text


async def test_what_was_put_aside_is_left_alone(spoilt: House) -> None:
    a_call(spoilt, said="This one cannot be understood.")
    await spoilt.work()

    await spoilt.worker.upkeep.sweep()

    assert await spoilt.query("select entrypoint from pgqueuer where status = 'queued'") == []


async def test_what_was_put_aside_is_digested_on_request(
    spoilt: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_call(spoilt, said="This one cannot be understood.")
    await spoilt.work()
    monkeypatch.undo()

    said = await event_log.replay_failed(spoilt.settings)
    await spoilt.work()

    assert said == "0 events and 1 digests are queued again"
    assert await digested(spoilt) == ["conv_1"]


async def test_a_job_that_was_put_aside_is_listed_with_its_reason(hasty: House) -> None:
    await hasty.query("alter table cached_voice_prompts rename to cached_voice_prompts_of_old")
    a_call(hasty, caller=GRACE)
    await hasty.work()

    listed = await event_log.failures(hasty.settings, limit=5)

    assert any(one.type == "job rebuild" and "cached_voice_prompts" in one.reason for one in listed)


@pytest.fixture
def hasty(open_house: OpenHouse, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house that puts aside what failed three times, and hardly waits in between."""
    monkeypatch.setattr(queue, "_FIRST_PAUSE", queue._FIRST_PAUSE / 1000)
    return open_house(settings.model_copy(update={"job_max_attempts": 3}))


@pytest.fixture(params=["it raises", "Postgres refuses it"])
def spoilt(hasty: House, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> House:
    """A house in which some calls cannot be digested, whatever is tried."""
    understand: Callable[..., Any] = DigestJob.understand

    def spoil(self: DigestJob, basis: Basis) -> Any:
        digest = understand(self, basis)
        if "cannot be understood" not in basis.conversation.messages[0].content:
            return digest
        if request.param == "it raises":
            raise ValueError("spoilt")
        return replace(digest, summary="spoilt\0")

    monkeypatch.setattr(DigestJob, "understand", spoil)
    return hasty


async def test_an_event_that_postgres_refuses_is_put_aside(hasty: House) -> None:
    await hasty.query("alter table messages add constraint short check (length(content) < 20)")
    a_call(hasty, said="I live in Bath, beside the river.")

    await hasty.work()

    [(status, reason)] = await hasty.query("select status, reason from webhook_events")
    assert status == "failed"
    assert "short" in reason


async def test_what_follows_from_digests_is_made_again_when_it_failed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The digests themselves are kept."""
    monkeypatch.setattr(queue, "_FIRST_PAUSE", queue._FIRST_PAUSE / 1000)
    refresh, failing = digests.refresh, [True]

    async def fail_once(*arguments: Any) -> None:
        if failing:
            failing.clear()
            raise ValueError("not today")
        await refresh(*arguments)

    monkeypatch.setattr(digests, "refresh", fail_once)
    a_call(house)

    await house.work()

    assert await digested(house) == ["conv_1"]
    assert "Bath" in house.platform.told(ADA)


async def test_an_ingest_job_that_runs_twice_changes_nothing(house: House) -> None:
    a_call(house)
    await house.work()
    before = await house.query("select status, body from webhook_events")
    async with house.worker.engine.begin() as connection:
        await connection.execute(sa.text("select 1"))
        await queue.enqueue(connection, "ingest", {"event_id": 1})

    await house.work()

    assert await house.query("select status, body from webhook_events") == before


async def test_a_user_who_is_erased_while_a_call_is_digested_leaves_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    understand: Callable[..., Any] = DigestJob.understand
    loop = asyncio.get_running_loop()

    async def erase(user_id: str) -> None:
        async with house.worker.engine.begin() as connection:
            await erasing.user(connection, house.worker.redis, user_id, region="US")

    def meanwhile(self: DigestJob, basis: Basis) -> Any:
        asyncio.run_coroutine_threadsafe(erase(basis.conversation.user_id), loop).result()
        return understand(self, basis)

    monkeypatch.setattr(DigestJob, "understand", meanwhile)
    a_call(house)

    await house.work()

    assert await house.query("select kind, key from pending_work") == []
    assert await house.query("select count(*) from erased_users") == [(1,)]
