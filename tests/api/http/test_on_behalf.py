"""A user's own token opens their chats with its agent, and nothing else of the API."""

from collections.abc import Callable
from typing import Any

import pytest
from api.conftest import Host, refused
from api.routes.conversations.test_chat import ada, events, send, write
from conftest import House
from pretend.elevenlabs import AGENT

from voice_server.api import reference
from voice_server.api.application import application
from voice_server.settings import Settings
from voice_server.tools import user_token
from voice_server.tools.user_token import TokenClaims

SECRET = "the-secret-of-tool-tokens"
OPEN = {
    "/chat",
    "/chats/{chat_id}/turns/{turn_id}",
    "/chats/{chat_id}/turns/{turn_id}/events",
    "/chats/{chat_id}/summary",
    "/users/{user_id}/text-context",
    "/users/{user_id}/chats",
}
CLOSED = [
    (method, path)
    for path, requests in reference.document(application())["paths"].items()
    for method in requests
    if path not in OPEN
]


@pytest.fixture
def host(open_house: Callable[[Settings], House], chatting: Settings) -> Host:
    return Host(open_house(chatting.model_copy(update={"tool_token_secret": SECRET})))


def of_user(host: Host, user_id: str, agent_id: str = AGENT, hours: float = 1) -> Host:
    """The API as it is open to them."""
    expires = int(host.house.clock() + hours * 3600)
    return Host(host.house, user_token.make(TokenClaims(user_id, agent_id, expires), SECRET))


async def test_a_user_writes_and_hears_with_a_token_of_their_own(host: Host) -> None:
    user_id = await ada(host)
    theirs = of_user(host, user_id)

    assert write(theirs, user_id, "Who repairs it?")["text"] == "Priya repairs it."
    query = {"user_id": user_id}
    assert theirs.get("/chats/boiler/turns/1", **query)["status"] == "done"
    assert events(theirs.send("GET", "/chats/boiler/turns/1/events", params=query))[-1][0] == "done"
    assert theirs.send("DELETE", "/chats/boiler/turns/1", params=query).status_code == 204
    assert theirs.get(f"/users/{user_id}/text-context", agent_id=AGENT)["instructions"]
    [chat] = theirs.get(f"/users/{user_id}/chats", agent_id=AGENT)["items"]
    assert chat["chat_id"] == "boiler"


async def test_what_is_anothers_is_not_theirs(host: Host) -> None:
    first, second = await ada(host), host.user()
    write(host, second, "I like plum cake.", chat="cake")
    theirs = of_user(host, first)
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "/chats/cake/turns/1", {"user_id": second}),
        ("GET", "/chats/cake/turns/2", {"user_id": second}),
        ("GET", "/chats/cake/turns/1/events", {"user_id": second}),
        ("DELETE", "/chats/cake/turns/1", {"user_id": second}),
        ("GET", f"/users/{second}/text-context", {"agent_id": AGENT}),
        ("GET", f"/users/{second}/chats", {"agent_id": AGENT}),
        ("GET", f"/users/{first}/chats", {}),
    ]

    refused(send(theirs, second, "Who am I?"), 403)
    for method, path, query in asked:
        refused(theirs.send(method, path, params=query), 403)
    refused(theirs.send("GET", "/chats/cake/turns/1", params={"user_id": first}), 404)
    refused(send(theirs, first, "Who am I?", chat="cake"), 409)


async def test_a_token_is_for_its_agent(host: Host) -> None:
    user_id = await ada(host)
    host.ok(host.send("PUT", "/agents/agent_other"))
    write(host, user_id, "Who repairs it?", agent="agent_other")

    theirs = of_user(host, user_id)
    refused(send(theirs, user_id, "Hello?", chat="new", agent="agent_other"), 403)
    refused(theirs.send("GET", "/chats/boiler/turns/1", params={"user_id": user_id}), 403)


async def test_everything_else_is_closed_to_it(host: Host) -> None:
    user_id = await ada(host)
    theirs = of_user(host, user_id)

    for method, path in CLOSED:
        given = path.replace("{user_id}", user_id).replace("{agent_id}", AGENT)
        assert theirs.send(method.upper(), given).status_code == 401, (method, path)


@pytest.mark.parametrize("token", ["vsu_", "vsu_x.y", "vsu_!.!"])
async def test_what_is_no_token_opens_nothing(host: Host, token: str) -> None:
    user_id = await ada(host)

    refused(send(Host(host.house, token), user_id, "Hello?"), 401)


async def test_a_token_that_has_expired_opens_nothing(host: Host) -> None:
    user_id = await ada(host)

    refused(send(of_user(host, user_id, hours=-1), user_id, "Hello?"), 401)
