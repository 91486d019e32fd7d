"""A known caller gets their own prompt, whether or not Redis has it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import House
from pretend.elevenlabs import ADA, AGENT, NOBODY_KNOWS, ended_call
from pretend.trouble import Trouble, until

from voice_server import prompt_cache
from voice_server.domain.address import Address
from voice_server.jobs import lines
from voice_server.settings import Settings

OpenHouse = Callable[[Settings], House]
DEFAULT = "You do not know this caller."
PLUMS = "Ada asked for the plum cake recipe."
KEY = f"voice:prompt:{AGENT}:tel:{ADA}"


async def call_that_ended(house: House) -> None:
    house.platform.post_call(ended_call("conv_1", summary=PLUMS, ended=house.clock()))
    await house.work()


@pytest.fixture
async def evicted(house: House) -> House:
    """Ada called once, and Redis has evicted her entry."""
    await call_that_ended(house)
    await house.worker.redis.delete(KEY)
    return house


async def test_who_is_not_in_redis_hears_their_own_prompt(evicted: House) -> None:
    assert PLUMS in evicted.platform.told(ADA)
    assert evicted.counted("pre_call_prompts", "durable_copy") == 1


async def test_what_was_read_from_the_durable_copy_is_put_back(evicted: House) -> None:
    evicted.platform.pre_call(ADA)

    await until(lambda: _is_cached(evicted))
    evicted.platform.pre_call(ADA)
    assert evicted.counted("pre_call_prompts", "cache") == 1


async def _is_cached(house: House) -> bool:
    return await prompt_cache.get(house.worker.redis, AGENT, Address(f"tel:{ADA}")) is not None


async def test_a_reservation_is_no_entry(evicted: House) -> None:
    await evicted.worker.redis.set(KEY, b"?of somebody who is gone")

    assert PLUMS in evicted.platform.told(ADA)
    assert evicted.counted("pre_calls", "garbage") == 0


async def test_who_is_nobody_costs_one_read_and_is_not_looked_for_again(evicted: House) -> None:
    assert DEFAULT in evicted.platform.told(NOBODY_KNOWS)
    assert evicted.counted("durable_reads", "none") == 1
    assert evicted.counted("pre_calls", "unknown") == 1
    assert evicted.counted("pre_call_prompts", "default") == 1


async def test_a_redial_is_said_from_the_durable_copy_too(evicted: House) -> None:
    evicted.platform.pre_call(ADA, conversation="conv_2")
    await evicted.worker.redis.delete(KEY)

    told = evicted.platform.told(ADA, conversation="conv_3")

    assert PLUMS in told
    assert "You spoke a short while ago" in told


async def test_a_shared_line_is_nobodys_in_postgres_too(evicted: House) -> None:
    async with evicted.worker.engine.begin() as connection:
        await lines.share(connection, evicted.worker.redis, Address(f"tel:{ADA}"), [])
    await evicted.work()

    assert DEFAULT in evicted.platform.told(ADA)


async def test_who_was_erased_hears_the_default(evicted: House) -> None:
    [(user_id,)] = await evicted.query("select user_id from cached_voice_prompts")
    headers = {"authorization": "Bearer the-api-token"}
    assert evicted.client.delete(f"/api/users/{user_id}", headers=headers).status_code == 204

    assert DEFAULT in evicted.platform.told(ADA)


async def test_the_answer_is_the_same_as_from_redis(
    open_house: OpenHouse, settings: Settings, templates: Path
) -> None:
    (templates / AGENT).mkdir()
    (templates / AGENT / "agent.toml").write_text('delivery = "variable"\n[variables]\ncaller_name = ""\n')
    house = open_house(settings.model_copy(update={"prompt_templates": templates}))
    await call_that_ended(house)

    cached = house.platform.pre_call(ADA)
    await house.worker.redis.delete(KEY)

    assert house.platform.pre_call(ADA) == cached


async def test_postgres_that_hangs_too_leaves_the_default_and_is_left_alone(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble
) -> None:
    house = open_house(fragile.model_copy(update={"pre_call_deadline_ms": 100}))
    await call_that_ended(house)
    await house.worker.redis.delete(KEY)

    trouble.freeze("postgres")
    told = [house.platform.told(ADA) for _ in range(8)]

    assert all(DEFAULT in one for one in told)
    await trouble.mend()
    assert house.counted("durable_reads", "late") >= 1
    assert house.counted("durable_reads", "refused") >= 1
    await until(lambda: PLUMS in house.platform.told(ADA))
