"""One discussion that goes on for ever: what was said today is told, in all its sittings; what is older is
looked up."""

from collections.abc import Callable
from typing import Any

import pytest
from api.conftest import Host, refused
from api.routes.conversations.test_chat import ada, send, write
from api.routes.conversations.test_chats import tell
from conftest import House
from pretend.elevenlabs import AGENT
from pretend.model import PretendModel

from voice_server.settings import Settings

MINUTE, HOUR = 60, 3600
CONTINUOUS = "continuous"


@pytest.fixture
def host(open_house: Callable[[Settings], House], chatting: Settings) -> Host:
    return Host(open_house(chatting))


def history(host: Host, user_id: str) -> list[str]:
    told = context(host, user_id)["message_history"]["openai"]
    return [one["content"] for one in told if one["role"] == "user"]


def context(host: Host, user_id: str, chat: str = CONTINUOUS) -> Any:
    return host.get(f"/users/{user_id}/text-context", agent_id=AGENT, chat_id=chat)


async def later(host: Host, hours: float) -> None:
    await host.house.work()
    host.house.clock.now += hours * HOUR
    await host.house.worker.chats.wake()
    await host.house.work()


async def test_each_user_has_one_with_each_agent(host: Host) -> None:
    first, second = await ada(host), host.user()
    ours = write(host, first, "My boiler broke.", "1", CONTINUOUS)
    theirs = write(host, second, "I like plum cake.", "1", CONTINUOUS)

    assert ours["chat_id"] != theirs["chat_id"]
    assert history(host, first) == ["My boiler broke."]
    assert history(host, second) == ["I like plum cake."]
    [conversation] = host.get(f"/users/{first}/conversations")["items"]
    assert conversation["channel"] == "continuous"


async def test_all_sittings_of_today_are_told(host: Host, model: PretendModel) -> None:
    user_id = await ada(host)
    write(host, user_id, "My boiler broke.", "1", CONTINUOUS)
    await later(host, 4)
    write(host, user_id, "It is warm again.", "2", CONTINUOUS)

    assert len(host.get(f"/users/{user_id}/conversations")["items"]) == 2
    assert [one["content"] for one in model.asked[-1]["messages"][1:]] == [
        "My boiler broke.",
        "Priya repairs it.",
        "It is warm again.",
    ]


async def test_what_was_said_before_today_is_summed_up_and_not_told_word_for_word(host: Host) -> None:
    user_id = await ada(host)
    write(host, user_id, "My boiler broke, and Priya repairs it on Monday.", "1", CONTINUOUS)
    await later(host, 24)

    told = context(host, user_id)
    assert history(host, user_id) == []
    assert told["context"]["message_history_left_out"] == 2
    assert "boiler" in told["instructions"]
    write(host, user_id, "And now?", "2", CONTINUOUS)
    assert history(host, user_id) == ["[2 messages of this chat not shown here]\n\nAnd now?"]


async def test_a_day_has_four_thousand_tokens_and_the_newest_stay(host: Host) -> None:
    user_id = await ada(host)
    for n in range(30):
        tell(host, user_id, f"user: Number {n}. " + "tea and cake " * 60, "agent: I see.", chat=CONTINUOUS)

    told = context(host, user_id)["context"]
    assert 3000 < told["message_history_tokens"] <= 4000
    assert history(host, user_id)[-1].startswith("Number 29.")
    assert told["message_history_count"] + told["message_history_left_out"] == 60


async def test_it_is_beside_other_chats(host: Host) -> None:
    user_id = await ada(host)
    write(host, user_id, "My boiler broke.", "1", CONTINUOUS)
    write(host, user_id, "I like plum cake.", "2", "cake")

    assert history(host, user_id) == ["My boiler broke."]
    told = context(host, user_id, "cake")["message_history"]["openai"]
    assert [one["content"] for one in told] == ["I like plum cake.", "Priya repairs it."]


async def test_a_text_agent_of_ones_own_writes_into_the_same(host: Host) -> None:
    user_id = await ada(host)
    tell(host, user_id, "user: My boiler broke.", "agent: Oh dear.", chat=CONTINUOUS)
    write(host, user_id, "Who repairs it?", "1", CONTINUOUS)

    assert history(host, user_id) == ["My boiler broke.", "Who repairs it?"]


async def test_that_of_somebody_else_cannot_be_begun(host: Host) -> None:
    first, second = await ada(host), host.user()
    name = f"continuous:{second}:{AGENT}"

    assert "name your own" in refused(send(host, first, "Hello?", chat=name), 409)
    assert write(host, second, "Hello?", "1", CONTINUOUS)["chat_id"] == name


async def test_after_an_undone_merge_each_goes_on_with_their_own(host: Host) -> None:
    first, second = await ada(host), host.user()
    write(host, first, "My boiler broke.", "1", CONTINUOUS)
    merge = host.ok(host.send("POST", "/merges", json={"from_user": second, "into_user": first}))
    await later(host, 4)
    write(host, second, "I like plum cake.", "2", CONTINUOUS)
    as_one = history(host, first)
    host.ok(host.send("POST", f"/merges/{merge['id']}/undo"))
    write(host, first, "It is warm again.", "3", CONTINUOUS)
    write(host, second, "And tea.", "4", CONTINUOUS)

    assert as_one == ["My boiler broke.", "I like plum cake."]
    assert history(host, first)[-1] == "It is warm again."
    assert "I like plum cake." not in history(host, first)
    assert history(host, second) == ["And tea."]
