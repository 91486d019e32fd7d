"""A thought is told until a call took place in which it was."""

from datetime import UTC, datetime, timedelta

from conftest import House
from pretend.elevenlabs import ADA, AGENT, ended_call

from voice_server.queue import prompt_requests
from voice_server.store.knowledge import thoughts

WONDER = "I wonder whether the plum cake turned out well."


async def think(house: House) -> None:
    """The agent has a thought about Ada, who called once."""
    house.platform.post_call(ended_call("conv_1", ended=house.clock() - 3600))
    await house.work()
    [(user_id,)] = await house.query("select id from users")
    now = datetime.fromtimestamp(house.clock(), UTC)
    async with house.worker.engine.begin() as connection:
        week = now + timedelta(days=7)
        await thoughts.add(
            connection, user_id, AGENT, WONDER, at=now - timedelta(minutes=30), expires_at=week
        )
        await prompt_requests.request(connection, user_id, AGENT)
    await house.work()


async def test_a_thought_is_told_in_one_call_and_no_more(house: House) -> None:
    await think(house)
    answer = house.platform.pre_call(ADA)
    told = house.platform.told(ADA)
    version = answer["dynamic_variables"]["prompt_version"]

    house.platform.post_call(ended_call("conv_2", ended=house.clock(), prompt_version=version))
    await house.work()

    assert WONDER in told
    assert WONDER not in house.platform.told(ADA)
    used = "select c.platform_id from thoughts t join conversations c on c.id = t.used_in"
    assert await house.query(used) == [("conv_2",)]


async def test_a_call_in_which_nothing_was_said_leaves_it_to_be_told(house: House) -> None:
    await think(house)
    version = house.platform.pre_call(ADA)["dynamic_variables"]["prompt_version"]

    silent = ended_call("conv_2", ["agent: Hello?"], ended=house.clock(), prompt_version=version)
    house.platform.post_call(silent)
    await house.work()

    assert WONDER in house.platform.told(ADA)
