"""Retention: what is past its time goes; what somebody may still need stays."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from conftest import House
from pretend.elevenlabs import ADA, AGENT, GRACE, ended_call

from voice_server.commands import event_log
from voice_server.errors import Conflict
from voice_server.jobs.periodic import retention
from voice_server.operations.people import merging
from voice_server.settings import Settings

OpenHouse = Callable[[Settings], House]
DAY = 86_400
BODIES = "select conversation_id, body <> '' from webhook_events order by id"
FAILED_JOB = (
    "insert into pgqueuer (priority, entrypoint, payload, status, updated) values (0, 'digest', '{}', "
    "$1::pgqueuer_status, to_timestamp($2::float8))"
)


async def a_call(house: House, conversation: str, *, caller: str = ADA, version: str | None = None) -> None:
    """One call, digested, with everything of it as old as the house's clock says."""
    event = ended_call(conversation, caller=caller, ended=house.clock(), prompt_version=version)
    house.platform.post_call(event)
    await house.work()
    now = house.clock()
    await house.query(
        "update webhook_events set processed_at = to_timestamp($1::float8) where conversation_id = $2",
        now,
        conversation,
    )
    newest = (
        "update generated_prompts set created_at = to_timestamp($1::float8) where id = (select max(id) from "
        "generated_prompts)"
    )
    await house.query(newest, now)


async def versions(house: House) -> list[str]:
    """The versions of the prompts that are kept, oldest first."""
    return [version for (version,) in await house.query("select version from generated_prompts order by id")]


# -- events


async def test_the_body_of_an_ingested_event_goes_in_time(house: House) -> None:
    await a_call(house, "conv_1")
    house.clock.now += 20 * DAY
    await a_call(house, "conv_2")

    house.clock.now += 11 * DAY
    await house.worker.retention.prune()

    assert await house.query(BODIES) == [("conv_1", False), ("conv_2", True)]


async def test_what_was_said_stays(house: House) -> None:
    await a_call(house, "conv_1")

    house.clock.now += 31 * DAY
    await house.worker.retention.prune()

    assert await house.query("select count(*) from messages") == [(2,)]


@pytest.mark.parametrize("status", ["received", "failed"])
async def test_an_event_that_may_be_ingested_again_keeps_its_body(house: House, status: str) -> None:
    await a_call(house, "conv_1")
    await house.query("update webhook_events set status = $1", status)

    house.clock.now += 400 * DAY
    await house.worker.retention.prune()

    assert await house.query(BODIES) == [("conv_1", True)]


async def test_a_delivery_is_known_again_when_its_body_is_gone(house: House) -> None:
    event = ended_call("conv_1", ended=house.clock())
    await a_call(house, "conv_1")
    house.clock.now += 31 * DAY
    await house.worker.retention.prune()

    assert house.platform.post_call(event).json()["status"] == "duplicate"


async def test_an_event_without_body_is_not_replayed(house: House) -> None:
    await a_call(house, "conv_1")
    house.clock.now += 31 * DAY
    await house.worker.retention.prune()

    assert not await event_log.replay(house.settings, 1)
    assert await house.query("select status from webhook_events") == [("ingested",)]


# -- prompts


async def test_old_prompts_go_and_everybodys_newest_stays(house: House) -> None:
    for conversation in ("conv_1", "conv_2"):
        await a_call(house, conversation)
        house.clock.now += DAY
    await a_call(house, "conv_3", caller=GRACE)
    later = (await versions(house))[1:]

    house.clock.now += 400 * DAY
    await house.worker.retention.prune()

    assert len(later) == 2
    assert await versions(house) == later


async def test_a_prompt_that_is_cached_stays_however_old(house: House) -> None:
    for conversation in ("conv_1", "conv_2"):
        await a_call(house, conversation)
        house.clock.now += DAY
    both = await versions(house)
    await house.query("update cached_voice_prompts set version = $1", both[0])

    house.clock.now += 400 * DAY
    await house.worker.retention.prune()

    assert await versions(house) == both


async def test_a_prompt_served_in_a_recent_conversation_stays(house: House) -> None:
    await a_call(house, "conv_1")
    [first] = await versions(house)
    house.clock.now += 100 * DAY
    await a_call(house, "conv_2", version=first)

    await house.worker.retention.prune()

    assert (await versions(house))[0] == first


# -- failed jobs


async def test_failed_jobs_go_in_time_and_waiting_ones_never(house: House) -> None:
    now = house.clock()
    for status, age in (("failed", 91), ("failed", 89), ("queued", 400)):
        await house.query(FAILED_JOB, status, now - age * DAY)

    await house.worker.retention.prune()

    kept = await house.query("select status::text from pgqueuer order by id")
    assert kept == [("failed",), ("queued",)]


# -- merges


@pytest.mark.parametrize(("days", "is_kept"), [(29, True), (31, False)])
async def test_what_a_merge_moved_goes_when_it_can_no_longer_be_undone(
    house: House, days: int, *, is_kept: bool
) -> None:
    await a_call(house, "conv_1")
    await a_call(house, "conv_2", caller=GRACE)
    (ada,), (grace,) = await house.query("select user_id from addresses order by address")
    now = datetime.fromtimestamp(house.clock(), UTC)
    async with house.worker.engine.begin() as connection:
        merge = await merging.merge(connection, house.worker.redis, grace, ada, now=now)

    house.clock.now += days * DAY
    await house.worker.retention.prune()

    assert await house.query("select moved <> '{}' from user_merges") == [(is_kept,)]
    if not is_kept:
        later = datetime.fromtimestamp(house.clock(), UTC)
        async with house.worker.engine.begin() as connection:
            with pytest.raises(Conflict, match="is no longer known"):
                await merging.undo(connection, house.worker.redis, merge.id, now=later, days=0)


# -- what was erased


@pytest.mark.parametrize("table", ["erased_prompts", "erased_spans"])
async def test_what_was_erased_is_forgotten_when_no_call_of_then_is_under_way(
    house: House, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    monkeypatch.setattr(retention, "_BATCH", 2)
    await house.query("insert into users (id) values ('usr_ada')")
    for days in (33, 32, 31, 29):
        then = house.clock() - days * DAY
        await house.query("insert into erased_prompts values ($1, to_timestamp($2))", f"v{days}", then)
        span = (
            "insert into erased_spans (user_id, agent_id, since, until) select $1, $2, t, t from "
            "to_timestamp($3) t"
        )
        await house.query(span, "usr_ada", AGENT, then)

    await house.worker.retention.prune()

    assert await house.query(f"select count(*) from {table}") == [(1,)]  # noqa: S608 (our own)


# -- all


async def test_zero_days_are_for_ever(open_house: OpenHouse, settings: Settings) -> None:
    for_ever = {
        "events_kept_days": 0,
        "prompts_kept_days": 0,
        "failed_jobs_kept_days": 0,
        "merge_undo_days": 0,
    }
    house = open_house(settings.model_copy(update=for_ever))
    for conversation in ("conv_1", "conv_2"):
        await a_call(house, conversation)
        house.clock.now += DAY
    await house.query(FAILED_JOB, "failed", house.clock())

    house.clock.now += 4000 * DAY
    await house.worker.retention.prune()

    assert await house.query(BODIES) == [("conv_1", True), ("conv_2", True)]
    assert len(await versions(house)) == 2
    assert await house.query("select status::text from pgqueuer") == [("failed",)]


async def test_many_are_pruned_in_batches(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "_BATCH", 3)
    now = house.clock()
    for age in range(100, 108):
        await house.query(FAILED_JOB, "failed", now - age * DAY)

    await house.worker.retention.prune()

    assert await house.query("select count(*) from pgqueuer") == [(0,)]


async def test_agents_and_users_are_no_business_of_retention(house: House) -> None:
    await a_call(house, "conv_1")

    house.clock.now += 4000 * DAY
    await house.worker.retention.prune()

    assert await house.query("select count(*) from users") == [(1,)]
    assert (AGENT,) in await house.query("select id from agents")
    assert "plum cake" in house.platform.told(ADA)
