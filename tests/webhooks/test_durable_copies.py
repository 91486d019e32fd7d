"""A known caller gets their own prompt, whether or not Redis has it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import House, _admin
from pretend.elevenlabs import ADA, AGENT, NOBODY_KNOWS, ended_call
from pretend.trouble import Trouble, until

from voice_server.cache import prompt_cache
from voice_server.domain.addresses.address import Address
from voice_server.embedded.services import EmbeddedServices
from voice_server.operations.people import change_addresses
from voice_server.settings import Settings
from voice_server.webhooks import durable_copies

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
        await change_addresses.share(connection, evicted.worker.redis, Address(f"tel:{ADA}"), [])
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


# -- connections


CONNECTED = """
select pid from pg_stat_activity
where datname = current_database() and state = 'idle' and query like '%join cached_voice_prompts%'
order by pid
"""


@pytest.fixture
async def connected(open_house: OpenHouse, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house that was just started, and keeps two connections."""
    monkeypatch.setattr(durable_copies, "_KEPT_OPEN", 2)
    monkeypatch.setattr(durable_copies, "_AGAIN", 0.02)
    house = open_house(settings)
    await until(lambda: _two_are_open(house))
    return house


async def _two_are_open(house: House) -> bool:
    return len(await house.query(CONNECTED)) == 2


async def test_the_first_call_after_a_start_that_redis_does_not_know_connects_to_nothing(
    connected: House, services: EmbeddedServices
) -> None:
    await call_that_ended(connected)
    await connected.worker.redis.delete(KEY)
    admin = await _admin(services.database_url)
    name = connected.settings.database_url.partition("@/")[2].partition("?")[0]
    await admin.execute(f"alter database {name} allow_connections false")

    told = connected.platform.told(ADA)

    await admin.execute(f"alter database {name} allow_connections true")
    await admin.close()
    assert PLUMS in told


async def test_connections_that_were_lost_are_opened_again_before_a_call_needs_them(connected: House) -> None:
    before = await connected.query(CONNECTED)
    await connected.query(
        "select pg_terminate_backend(pid) from unnest($1::int[]) pid", [pid for (pid,) in before]
    )

    async def others_are_open() -> bool:
        now = await connected.query(CONNECTED)
        return len(now) == 2 and not set(now) & set(before)

    await until(others_are_open)


async def test_a_start_without_postgres_keeps_nobody_waiting(
    open_house: OpenHouse, fragile: Settings, trouble: Trouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable_copies, "_KEPT_OPEN", 2)
    trouble.freeze("postgres")

    told = open_house(fragile.model_copy(update={"pre_call_deadline_ms": 100})).platform.told(ADA)

    assert DEFAULT in told
