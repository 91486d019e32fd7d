"""Upkeep: what the clock, an edit or an outage left behind is put right without anybody asking."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest import Clock, House
from pretend.elevenlabs import ADA, AGENT, ended_call
from pretend.trouble import Trouble, until
from sqlalchemy.ext.asyncio import AsyncConnection

from voice_server.jobs.periodic.upkeep import Intervals
from voice_server.queue import queue
from voice_server.runtime import background
from voice_server.settings import Settings
from voice_server.store.prompts import prompts
from voice_server.store.prompts.prompts import BuiltPrompt, Target

OpenHouse = Callable[[Settings], House]
DAY = 86_400
QUEUED = "select entrypoint from pgqueuer"


async def a_call(house: House, conversation: str = "conv_1", *said: str) -> None:
    house.platform.post_call(
        ended_call(conversation, said or ("user: I will call you on Friday.",), ended=house.clock())
    )
    await house.work()


async def test_a_prompt_that_is_fresh_is_left_alone(house: House) -> None:
    await a_call(house)

    await house.worker.upkeep.sweep()

    assert await house.query(QUEUED) == []


async def test_a_prompt_whose_content_changes_with_the_clock_is_rebuilt_then(house: House) -> None:
    """The plan for Friday comes first until Friday is over; then the order of the threads is another."""
    await a_call(house)
    [(until_,)] = await house.query("select fresh_until from cached_voice_prompts")
    assert until_ is not None

    house.clock.now = until_.timestamp() + 1
    await house.worker.upkeep.sweep()
    await house.work()

    [(later,)] = await house.query("select fresh_until from cached_voice_prompts")
    assert later is None or later > until_


async def test_an_edited_template_rebuilds_every_prompt_once(
    open_house: OpenHouse, settings: Settings, templates: object
) -> None:
    house = open_house(settings.model_copy(update={"prompt_templates": templates}))
    await a_call(house)
    persona = house.settings.prompt_templates / "default" / "persona.jinja"
    persona.write_text("You are a lighthouse keeper.")

    for _ in range(3):
        await house.worker.upkeep.sweep()
        await house.work()

    assert "lighthouse keeper" in house.platform.told(ADA)
    assert await house.query("select requested, done from pending_work where kind = 'rebuild'") == [(2, 2)]


async def test_a_folder_broken_at_a_start_leaves_prompts_made_from_what_it_was(
    open_house: OpenHouse, settings: Settings, templates: Path
) -> None:
    own = templates / AGENT
    own.mkdir()
    (own / "persona.jinja").write_text("You are a lighthouse keeper.")
    await a_call(open_house(settings.model_copy(update={"prompt_templates": templates})))

    (own / "persona.jinja").write_text("You are {{ nobody }}.")
    after = open_house(settings.model_copy(update={"prompt_templates": templates}))
    await after.worker.upkeep.sweep()
    await after.work()

    assert "lighthouse keeper" in after.platform.told(ADA)


async def test_forgotten_work_is_woken(house: House) -> None:
    await a_call(house)
    await house.query("update pending_work set requested = requested + 1 where kind = 'rebuild'")

    await house.worker.upkeep.sweep()

    assert await house.query(QUEUED) == [("rebuild",)]


async def test_forgotten_work_is_woken_however_much_there_is(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voice_server.queue.queue._PAGE", 2)
    await house.query(
        "insert into pending_work (kind, key, requested) select 'k', n, 1 from unnest($1::text[]) n",
        list("abc"),
    )

    assert await queue.wake_forgotten(house.worker.engine) == 3
    assert await queue.wake_forgotten(house.worker.engine) == 0


# -- many that are stale at once

STALE = """
insert into cached_voice_prompts
    (user_id, agent_id, version, template_version, entry, in_cache, built_at, fresh_until)
select id, $1, 'v', 'templates of before', '', true,
    to_timestamp($2) + right(id, 1)::int * interval '1 day', $3
from users
"""
ASKED_FOR = "select convert_from(payload, 'utf8')::json ->> 'key' from pgqueuer order by id"


async def make_stale(house: House, people: int) -> None:
    """So many people, built from templates of before; the first was built first."""
    await house.query("insert into agents (id, platform) values ($1, 'elevenlabs')", AGENT)
    await house.query("insert into users (id) select 'usr_' || n from generate_series(1, $1) n", people)
    await house.query(STALE, AGENT, house.clock(), None)


@pytest.fixture
def slow(open_house: OpenHouse, settings: Settings) -> House:
    """A house with a worker beside whose work there is room for two stale prompts."""
    return open_house(settings.model_copy(update={"stale_prompts_per_second": 0.4}))


async def test_of_the_prompts_of_other_templates_those_built_last_come_first(slow: House) -> None:
    await make_stale(slow, people=4)

    await slow.worker.upkeep.sweep()

    assert await slow.query(ASKED_FOR) == [(f"usr_3|{AGENT}",), (f"usr_4|{AGENT}",)]


async def test_what_went_stale_with_the_clock_comes_before_other_templates(slow: House) -> None:
    await make_stale(slow, people=4)
    await slow.query(
        "update cached_voice_prompts set fresh_until = to_timestamp($1) where user_id <= 'usr_2'",
        slow.clock(),
    )

    await slow.worker.upkeep.sweep()

    assert await slow.query(ASKED_FOR) == [(f"usr_1|{AGENT}",), (f"usr_2|{AGENT}",)]


async def test_no_more_stale_prompts_wait_than_there_is_room_for(slow: House) -> None:
    await make_stale(slow, people=4)

    for _ in range(3):
        await slow.worker.upkeep.sweep()

    assert len(await slow.query(ASKED_FOR)) == 2


async def test_in_the_end_every_stale_prompt_is_made_anew(slow: House) -> None:
    await make_stale(slow, people=4)

    for _ in range(3):
        await slow.worker.upkeep.sweep()
        await slow.work()

    stale = "select user_id from cached_voice_prompts where template_version = 'templates of before'"
    assert await slow.query(stale) == []


async def test_metrics_show_how_many_prompts_are_stale(slow: House) -> None:
    await make_stale(slow, people=4)

    metrics = slow.client.get("/metrics").text

    assert 'voice_stale_prompts{cause="templates"} 4.0' in metrics


async def test_metrics_count_stale_prompts_up_to_a_limit(
    slow: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompts, "COUNTED", 3)
    await make_stale(slow, people=4)
    await slow.query("update cached_voice_prompts set fresh_until = to_timestamp(0)")

    metrics = slow.client.get("/metrics").text

    assert 'voice_stale_prompts{cause="templates"} 3.0' in metrics
    assert 'voice_stale_prompts{cause="clock"} 3.0' in metrics


# -- Redis, emptied


@pytest.mark.parametrize("emptied", ["before the rebuild put", "after the rebuild put"])
async def test_a_refill_never_puts_what_is_just_being_replaced(house: House, emptied: str) -> None:
    """Redis comes back empty while a rebuild has not committed: the refill leaves that prompt out."""
    await a_call(house)
    [(user,)] = await house.query("select user_id from cached_voice_prompts")
    await house.query("update digests set summary = 'Ada moved to Bath.', source = 'platform'")

    async with house.worker.engine.begin() as connection:
        ada = Target(str(user), AGENT)
        rebuilt = await house.worker.rebuild.build(connection, [ada], trigger="test")
        await house.worker.redis.flushdb()
        await house.worker.rebuild.apply(connection, list(rebuilt.values()))
        if emptied == "after the rebuild put":
            await house.worker.redis.flushdb()
        await house.worker.upkeep.refill()

    assert "Ada moved to Bath." in house.platform.told(ADA)


async def test_a_refill_while_a_prompt_is_being_rebuilt_is_overwritten(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Redis is emptied and refilled just before the rebuild replaces the durable copy."""
    await a_call(house)
    await house.query("update digests set summary = 'Ada moved to Bath.', source = 'platform'")
    save = prompts.save

    async def emptied_and_refilled(connection: AsyncConnection, built: Sequence[BuiltPrompt]) -> list[float]:
        await house.worker.redis.flushdb()
        await house.worker.upkeep.refill()
        return await save(connection, built)

    monkeypatch.setattr(prompts, "save", emptied_and_refilled)
    await house.query("update pending_work set requested = requested + 1")
    await house.worker.upkeep.sweep()
    await house.work()

    assert "Ada moved to Bath." in house.platform.told(ADA)


@pytest.mark.parametrize("service", ["postgres", "valkey"])
async def test_upkeep_goes_on_after_an_outage(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble, service: str
) -> None:
    house = open_house(fragile)
    await a_call(house)
    loops = house.worker.upkeep.loops(Intervals(refill=0.02, sweep=0.02))
    upkeep = [asyncio.create_task(loop) for loop in loops]
    await until(lambda: _is_filled(house))

    trouble.take_down(service)
    await asyncio.sleep(0.1)
    await trouble.mend()
    await house.worker.redis.flushdb()

    await until(lambda: _is_filled(house))
    assert not any(task.done() for task in upkeep)
    await background.end(*upkeep)


async def _is_filled(house: House) -> bool:
    return "voice:filled" in await house.keys("*") and bool(await house.keys("voice:prompt:*"))


async def test_agents_are_registered_after_an_outage_of_postgres(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble
) -> None:
    house = open_house(fragile)
    trouble.take_down("postgres")
    house.platform.pre_call(ADA, agent="agent_new")
    await asyncio.sleep(0.1)

    await trouble.mend()

    await until(lambda: _knows(house, "agent_new"))


async def _knows(house: House, agent: str) -> bool:
    return bool(await house.query("select 1 from agents where id = $1", agent))


async def test_a_mistake_in_the_upkeep_ends_the_worker(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def mistaken() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(house.worker.upkeep, "refill", mistaken)

    with pytest.raises(ZeroDivisionError):
        await asyncio.wait_for(house.worker.run(asyncio.Event()), 30)


# -- what an upgrade wants digested anew


@pytest.mark.parametrize(("hours", "asked"), [("", 1), ("{now}-{then}", 1), ("{then}-{now}", 0)])
async def test_what_is_to_be_digested_anew_waits_for_quiet_hours(
    open_house: OpenHouse, settings: Settings, clock: Clock, hours: str, asked: int
) -> None:
    hour = datetime.fromtimestamp(clock(), UTC).hour
    written = hours.format(now=hour, then=(hour + 1) % 24)
    house = open_house(settings.model_copy(update={"quiet_hours": written}))
    await a_call(house)
    await house.query("update conversations set digest_state = 'later'")

    await house.worker.upkeep.wake()

    waiting = "select key from pending_work where kind = 'digest_conversations_later' and requested > done"
    assert len(await house.query(waiting)) == asked
