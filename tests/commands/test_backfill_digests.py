"""What was said before there was a model is read by it when somebody asks for that."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from conftest import House
from pretend.elevenlabs import ADA, GRACE, ended_call
from pretend.model import PretendModel, finds, well

from voice_server.commands import backfill_digests
from voice_server.commands.backfill_digests import Selection
from voice_server.errors import ConfigurationError
from voice_server.settings import Settings

OpenHouse = Callable[[Settings], House]
SAID = ("agent: Hello!", "user: I moved to Lisbon last month, with my sister Maria.")
READ = "The caller moved to Lisbon with their sister Maria."
DAY = 86_400


async def calls(house: House, *callers: str) -> None:
    """One a day, each digested."""
    for n, caller in enumerate(callers, 1):
        house.platform.post_call(ended_call(f"conv_{n}", SAID, ended=house.clock(), caller=caller))
        await house.work()
        house.clock.now += DAY


@pytest.fixture
def wise(settings: Settings, model: PretendModel) -> Settings:
    """The same place, with a model."""
    model.otherwise = well(finds(READ))
    return settings.model_copy(
        update={
            "llm_model": "openai-chat:pretend",
            "llm_base_url": model.url,
            "llm_timeout_seconds": 20.0,
            "llm_day_summaries": False,
        }
    )


async def read(house: House) -> list[str]:
    found = """
        select platform_id from digests join conversations on id = conversation_id
        where source = 'model' order by 1
    """
    return [name for (name,) in await house.query(found)]


async def user(house: House, caller: str) -> str:
    [(user_id,)] = await house.query("select user_id from addresses where address = $1", f"tel:{caller}")
    return str(user_id)


async def test_a_model_that_is_set_later_leaves_earlier_ones_alone_until_it_is_told(
    open_house: OpenHouse, settings: Settings, wise: Settings
) -> None:
    await calls(open_house(settings), ADA, ADA, GRACE)
    house = open_house(wise)
    await house.work()
    assert await read(house) == []

    said = await backfill_digests.run(wise, Selection(everybody=True))
    await house.work()

    assert said.startswith("3 conversations await openai-chat:pretend")
    assert await read(house) == ["conv_1", "conv_2", "conv_3"]
    assert READ in house.platform.told(ADA)


async def test_an_earlier_call_that_comes_late_is_the_only_one_it_reads(
    open_house: OpenHouse, settings: Settings, wise: Settings
) -> None:
    """What was said after it is digested anew, since it weighs other words."""
    await calls(open_house(settings), ADA, ADA)
    house = open_house(wise)
    before = house.clock() - 9 * DAY

    house.platform.post_call(ended_call("conv_0", SAID, ended=before))
    await house.work()

    assert await read(house) == ["conv_0"]


async def test_what_an_upgrade_has_digested_anew_it_does_not_read_unless_it_was_to(
    open_house: OpenHouse, settings: Settings, wise: Settings
) -> None:
    await calls(open_house(settings), ADA, GRACE, GRACE)
    house = open_house(wise)
    await house.query("update digests set basis = '', awaits_model = conversation_id = 2")
    await house.query("update conversations set digest_state = 'later'")

    await house.worker.upkeep.wake()
    await house.work()

    assert await house.query("select digest_state from conversations") == [("done",)] * 3
    assert await read(house) == ["conv_2"]


async def test_a_call_that_is_retold_since_is_read(
    open_house: OpenHouse, settings: Settings, wise: Settings
) -> None:
    await calls(open_house(settings), ADA, ADA)
    house = open_house(wise)
    retold = ended_call("conv_2", (*SAID, "user: Maria has a bakery."), ended=house.clock() - DAY)

    house.platform.post_call(retold | {"event_timestamp": int(house.clock())})
    await house.work()

    assert await read(house) == ["conv_2"]


@pytest.mark.parametrize(
    ("which", "expected"),
    [("since", ["conv_3"]), ("user", ["conv_2"]), ("both", [])],
)
async def test_only_what_was_selected_is_read(
    open_house: OpenHouse, settings: Settings, wise: Settings, which: str, expected: list[str]
) -> None:
    first = open_house(settings)
    began = first.clock.now
    await calls(first, ADA, GRACE, ADA)
    third = datetime.fromtimestamp(began + 2 * DAY, UTC).date().isoformat()
    chosen = Selection(
        since=third if which != "user" else "", user=await user(first, GRACE) if which != "since" else ""
    )
    house = open_house(wise)

    said = await backfill_digests.run(wise, chosen)
    await house.work()

    assert said.startswith(f"{len(expected)} conversations")
    assert await read(house) == expected


async def test_what_it_has_read_it_does_not_read_again(
    open_house: OpenHouse, settings: Settings, wise: Settings, model: PretendModel
) -> None:
    await calls(open_house(settings), ADA)
    house = open_house(wise)
    for _ in range(2):
        said = await backfill_digests.run(wise, Selection(everybody=True))
        await house.work()

    assert said.startswith("0 conversations")
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    ("chosen", "complaint"),
    [
        (Selection(), "say which conversations"),
        (Selection(since="yesterday"), "write a day like"),
        (Selection(user="usr_nobody"), "there is no user usr_nobody"),
        (Selection(since="2026-11-01", everybody=True), "--all is everything"),
    ],
)
async def test_what_cannot_be_selected_is_an_error(wise: Settings, chosen: Selection, complaint: str) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        await backfill_digests.run(wise, chosen)


async def test_without_a_model_it_says_what_to_set(settings: Settings) -> None:
    with pytest.raises(ConfigurationError, match="set LLM_MODEL"):
        await backfill_digests.run(settings, Selection(everybody=True))
