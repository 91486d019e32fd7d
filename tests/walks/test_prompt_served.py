"""For each call it is known which prompt was served: to callers nobody knew, and to who turned out to be
another."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
from conftest import API_TOKEN, House
from pretend.elevenlabs import ADA, AGENT, GRACE, ended_call
from pretend.trouble import until

from voice_server.operations.people import identification
from voice_server.operations.people.identification import Call
from voice_server.queue import prompt_requests
from voice_server.settings import Settings
from voice_server.store.knowledge import thoughts
from voice_server.store.prompts import prompts

OpenHouse = Callable[[Settings], House]
WONDER = "I wonder whether the plum cake turned out well."


def served(house: House, path: str, **query: str) -> httpx2.Response:
    """What the API shows."""
    headers = {"authorization": f"Bearer {API_TOKEN}"}
    return house.client.get(f"/api{path}", params=query, headers=headers)


async def call(house: House, conversation: str, caller: str = ADA, *said: str) -> str:
    """A call that was asked about, and has ended; the text it began with."""
    told = house.platform.pre_call(caller, conversation=conversation)
    version = told["dynamic_variables"]["prompt_version"]
    said = said or ("agent: Hello!", "user: I need the recipe for the plum cake.")
    house.platform.post_call(
        ended_call(conversation, said, ended=house.clock(), caller=caller, prompt_version=version)
    )
    await house.work()
    return str(told["conversation_config_override"]["agent"]["prompt"]["prompt"])


async def id_of(house: House, conversation: str) -> int:
    [(id_,)] = await house.query("select id from conversations where platform_id = $1", conversation)
    return int(id_)


async def user(house: House, caller: str) -> str:
    [(user_id,)] = await house.query("select user_id from addresses where address = $1", f"tel:{caller}")
    return str(user_id)


async def defaults(house: House) -> list[tuple[Any, ...]]:
    return await house.query("select agent_id, version from default_prompts order by id")


async def test_a_first_call_names_the_default_prompt_and_it_can_be_read(house: House) -> None:
    await until(lambda: _are(house, 1))

    told = await call(house, "conv_1")

    id_ = await id_of(house, "conv_1")
    shown = served(house, f"/conversations/{id_}/prompt").json()
    assert (shown["prompt"], shown["user_id"]) == (told, None)
    assert shown["snapshot"]["tokens"] > 0
    assert served(house, f"/conversations/{id_}").json()["prompt_kept"] is True
    again = f"/users/{await user(house, ADA)}/prompts/{shown['version']}"
    assert served(house, again, agent_id=AGENT).json() == shown


async def test_so_does_the_call_of_somebody_who_hides(house: House) -> None:
    await until(lambda: _are(house, 1))

    told = await call(house, "conv_1", "anonymous")

    shown = served(house, f"/conversations/{await id_of(house, 'conv_1')}/prompt").json()
    assert shown["prompt"] == told


async def test_what_was_never_served_is_not_found(house: House) -> None:
    house.platform.post_call(ended_call("conv_1", ended=house.clock()))
    await house.work()

    id_ = await id_of(house, "conv_1")
    assert served(house, f"/conversations/{id_}/prompt").status_code == 404
    assert served(house, f"/conversations/{id_}").json()["prompt_kept"] is False
    assert served(house, "/conversations/4711/prompt").status_code == 404


async def test_an_edited_default_is_kept_beside_the_old_one_and_each_once(
    open_house: OpenHouse, settings: Settings, templates: Path
) -> None:
    often = {"prompt_templates": templates, "default_refresh_seconds": 0.2}
    house = open_house(settings.model_copy(update=often))
    await until(lambda: _are(house, 1))
    before = await defaults(house)

    persona = templates / "default" / "persona.jinja"
    for text in ("# Who you are\nA robin.", persona.read_text(), "# Who you are\nA robin."):
        version = _version(house)
        persona.write_text(text)
        await until(partial(_is_new, house, version))

    await until(lambda: _are(house, 2))
    assert (await defaults(house))[:1] == before


def _is_new(house: House, version: str) -> bool:
    return _version(house) != version


def _version(house: House) -> str:
    return str(house.platform.pre_call(ADA)["dynamic_variables"]["prompt_version"])


async def _are(house: House, number: int) -> bool:
    return len(await defaults(house)) == number


async def test_old_defaults_go_but_for_the_newest_and_those_served_since(house: House) -> None:
    await until(lambda: _are(house, 1))
    [(shared, current)] = await defaults(house)
    copy = (
        "insert into default_prompts (agent_id, version, prompt, context_snapshot, current_at)"
        " values ($1, $2, 'x', '{}', now() - interval '400 days')"
    )
    for version in ("v_served", "v_forgotten"):
        await house.query(copy, shared, version)
    house.platform.post_call(ended_call("conv_1", ended=house.clock(), prompt_version="v_served"))
    await house.work()

    await house.worker.retention.prune()

    assert [version for _, version in await defaults(house)] == [current, "v_served"]


async def _give(house: House, conversation: str, user_id: str) -> None:
    async with house.worker.engine.begin() as connection:
        named = Call("elevenlabs", conversation)
        await identification.identify(connection, house.worker.redis, named, user_id, anywhere=True)
    await house.work()


async def test_a_call_given_to_another_still_shows_what_it_was_served_with(house: House) -> None:
    await call(house, "conv_1")
    await call(house, "conv_2", GRACE, "user: I breed kingfishers.")
    told = await call(house, "conv_3")
    id_ = await id_of(house, "conv_3")
    ada, grace = await user(house, ADA), await user(house, GRACE)

    await _give(house, "conv_3", grace)

    shown = served(house, f"/conversations/{id_}/prompt").json()
    assert (shown["prompt"], shown["user_id"]) == (told, ada)
    assert served(house, f"/conversations/{id_}").json()["prompt_kept"] is True
    assert served(house, f"/users/{grace}/prompts/{shown['version']}", agent_id=AGENT).json() == shown
    [listed] = [
        one
        for one in served(house, f"/users/{ada}/prompts").json()["items"]
        if one["version"] == shown["version"]
    ]
    assert listed["served"] == 1


async def test_what_was_served_to_it_is_not_learned_from_it(house: House) -> None:
    await call(house, "conv_1")
    await call(house, "conv_2", GRACE, "user: I breed kingfishers.")
    told = await call(house, "conv_3")
    await _give(house, "conv_3", await user(house, GRACE))

    async with house.worker.engine.connect() as connection:
        assert await prompts.served_in(connection, await id_of(house, "conv_3")) == told


async def test_a_thought_that_was_spoken_stays_used(house: House) -> None:
    await call(house, "conv_1")
    await call(house, "conv_2", GRACE, "user: I breed kingfishers.")
    ada, now = await user(house, ADA), datetime.fromtimestamp(house.clock(), UTC)
    async with house.worker.engine.begin() as connection:
        week = now + timedelta(days=7)
        await thoughts.add(connection, ada, AGENT, WONDER, at=now - timedelta(minutes=30), expires_at=week)
        await prompt_requests.request(connection, ada, AGENT)
    await house.work()
    assert WONDER in await call(house, "conv_3")

    await _give(house, "conv_3", await user(house, GRACE))

    used = "select c.platform_id from thoughts t join conversations c on c.id = t.used_in"
    assert await house.query(used) == [("conv_3",)]
    assert WONDER not in house.platform.told(ADA)


async def test_a_prompt_served_in_what_became_anothers_call_is_kept(house: House) -> None:
    await call(house, "conv_1")
    await call(house, "conv_2", GRACE, "user: I breed kingfishers.")
    await call(house, "conv_3")
    id_ = await id_of(house, "conv_3")
    await _give(house, "conv_3", await user(house, GRACE))
    await call(house, "conv_4")
    await house.query("update generated_prompts set created_at = now() - interval '100 days'")

    await house.worker.retention.prune()

    assert served(house, f"/conversations/{id_}/prompt").status_code == 200
