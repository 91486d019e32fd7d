"""The tools through the official MCP client, over real HTTP."""

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import pytest
import uvicorn
from conftest import TOKEN, Clock, House
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from pretend.agent import Agent
from pretend.elevenlabs import AGENT, GRACE

from voice_server.app import create_app
from voice_server.settings import Settings
from voice_server.tools import catalogue, speech, user_token
from voice_server.tools.user_token import TokenClaims

SECRETS = ("the-tool-token-secret",)
CAKE = ("agent: Hello!", "user: My plum cake needs semolina from the Bianchi mill.")
SECRET = "user: My secret garden is in Toledo."
DAY = 86_400


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"tool_token_secret": ",".join(SECRETS), "tool_token_uses_per_hour": 4})


@pytest.fixture
def url(settings: Settings, clock: Clock) -> Iterator[str]:
    """Where a web process answers, as the command line runs it."""
    config = uvicorn.Config(create_app(settings, clock), port=0, log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def agent(house: House) -> Agent:
    return Agent(house)


@contextlib.asynccontextmanager
async def client(url: str, token: str = TOKEN) -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as connected,
    ):
        yield connected


async def used(connected: Client, name: str, conversation: str | None = None, **given: Any) -> Any:
    """What a tool answers."""
    meta: Any = {"conversation_id": conversation} if conversation else None
    result = await connected.call_tool(name, given, meta=meta)
    [content] = result.content
    assert content.type == "text"
    return json.loads(content.text)


def token_for(
    user: str, clock: Clock, *, agent: str = AGENT, days: float = 1, secret: str = SECRETS[0]
) -> str:
    return user_token.make(TokenClaims(user, agent, int(clock() + days * DAY)), secret)


async def test_the_tools_are_listed_with_the_schemas_they_have_over_http(url: str) -> None:
    async with client(url) as connected:
        listed = (await connected.list_tools()).tools

    assert [(one.name, one.input_schema) for one in listed] == [
        (tool.plain_name, tool.schema()) for tool in catalogue.TOOLS
    ]


async def test_a_platform_names_the_conversation_outside_the_models_reach(agent: Agent, url: str) -> None:
    await agent.talked("conv_1", *CAKE)
    agent.begin("conv_2")

    async with client(url) as connected:
        found = await used(connected, "conversation_search", "conv_2", query="plum cake mill")
        read = await used(
            connected, "conversation_get", "conv_2", message_id=found["results"][-1]["message_id"]
        )

    assert "Bianchi" in json.dumps(found)
    assert "Bianchi" in json.dumps(read)


async def test_arguments_name_no_conversation(agent: Agent, url: str) -> None:
    await agent.talked("conv_g", "agent: Hello!", SECRET, caller=GRACE)
    await agent.talked("conv_1", *CAKE)

    async with client(url) as connected:
        nobody = await used(connected, "conversation_search", query="secret garden", conversation_id="conv_g")
        ada = await used(
            connected, "conversation_search", "conv_1", query="secret garden", conversation_id="conv_g"
        )

    assert nobody == {"results": [], "say": speech.NOBODY}
    assert "Toledo" not in json.dumps(ada)


async def test_the_quota_is_the_conversations_whichever_way_it_is_used(agent: Agent, url: str) -> None:
    await agent.talked("conv_1", *CAKE)
    for _ in range(2):
        agent.use("memory.search", "conv_1", query="cake")

    async with client(url) as connected:
        said = [(await used(connected, "memory_search", "conv_1", query="cake")).get("say") for _ in range(2)]

    assert [one == speech.ENOUGH for one in said] == [False, True]


async def test_a_user_bound_token_is_for_that_user_alone(agent: Agent, url: str, clock: Clock) -> None:
    await agent.talked("conv_g", "agent: Hello!", SECRET, caller=GRACE)
    await agent.talked("conv_1", *CAKE)

    async with client(url, token_for(agent.user(), clock)) as connected:
        own = await used(connected, "conversation_search", query="plum cake mill")
        other = await used(connected, "conversation_search", "conv_g", query="secret garden")

    assert "Bianchi" in json.dumps(own)
    assert "Toledo" not in json.dumps(other)


async def test_with_a_user_bound_token_something_can_be_noted(agent: Agent, url: str, clock: Clock) -> None:
    await agent.talked("conv_1", *CAKE)

    async with client(url, token_for(agent.user(), clock)) as connected:
        noted = await used(connected, "memory_add", text="Ada is allergic to nuts.", kind="preference")

    assert noted == {"added": True}
    facts = agent.host("GET", f"/users/{agent.user()}/facts")["items"]
    assert [one["text"] for one in facts if one["origin"] == "tool"] == ["Ada is allergic to nuts."]


async def test_a_user_bound_token_has_so_many_lookups_an_hour(agent: Agent, url: str, clock: Clock) -> None:
    await agent.talked("conv_1", *CAKE)

    async with client(url, token_for(agent.user(), clock)) as connected:
        said = [(await used(connected, "memory_search", query="cake")).get("say") for _ in range(5)]

    assert [one == speech.ENOUGH for one in said] == [False] * 4 + [True]


async def test_who_has_no_token_that_counts_is_told_why(url: str, clock: Clock) -> None:
    theirs, anothers = token_for("usr_a", clock), token_for("usr_b", clock)
    given = {
        "x": "PLATFORM_TOKEN",
        f"{TOKEN}x": "PLATFORM_TOKEN",
        "vsu_": "not made here",
        "vsu_WyJhIiwiYiIsMV0.x": "not made here",
        "vsu_\xff.x": "no user token",
        f"{theirs}{'x' * 2000}": "no user token",
        token_for("usr_a", clock, secret="another"): "not made here",
        token_for("usr_a", clock, days=-1): "expired",
        f"{anothers.partition('.')[0]}.{theirs.partition('.')[2]}": "not made here",
    }
    async with httpx2.AsyncClient() as http:
        for token, why in given.items():
            headers = {b"authorization": f"Bearer {token}".encode("latin-1")}
            response = await http.post(f"{url}/mcp", headers=headers)

            assert response.status_code == httpx2.codes.UNAUTHORIZED
            assert why in response.json()["message"]
            assert response.headers["www-authenticate"].startswith("Bearer")


async def test_a_token_made_with_an_older_secret_counts_while_rotating(clock: Clock) -> None:
    made = token_for("usr_a", clock, secret="older")

    read = user_token.read(made, ("newer", "older"), clock())

    assert isinstance(read, TokenClaims)
    assert (read.user_id, read.agent_id) == ("usr_a", AGENT)


async def test_a_tool_that_there_is_not_is_an_error_the_model_can_read(url: str) -> None:
    async with client(url) as connected:
        result = await connected.call_tool("memory_erase", {})

    assert result.is_error


async def test_there_are_no_sessions_to_open_or_to_end(url: str) -> None:
    async with httpx2.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}) as http:
        for method in ("GET", "DELETE"):
            response = await http.request(method, f"{url}/mcp")
            assert response.status_code == httpx2.codes.METHOD_NOT_ALLOWED


async def test_what_is_no_request_of_the_protocol_is_refused(url: str) -> None:
    headers = {
        "authorization": f"Bearer {TOKEN}",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
    }
    async with httpx2.AsyncClient(headers=headers) as http:
        for body in (b"", b"{", b"[]", b'{"jsonrpc":"2.0"}', b"[" * 60_000, b"\xff", b"x" * 70_000):
            response = await http.post(f"{url}/mcp", content=body)
            assert 400 <= response.status_code < 500


async def test_a_slash_too_many_changes_nothing(url: str) -> None:
    async with httpx2.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}) as http:
        refused = await http.post(f"{url}/mcp/", headers={"authorization": "Bearer wrong"})
        asked = await http.post(
            f"{url}/mcp/",
            headers={"accept": "application/json, text/event-stream"},
            json={"jsonrpc": "2.0", "id": 1, "method": "ping"},
        )

    assert refused.status_code == httpx2.codes.UNAUTHORIZED
    assert asked.status_code == httpx2.codes.OK


async def test_asked_for_by_ten_at_once_it_is_started_once(url: str) -> None:

    async def tools() -> int:
        async with client(url) as connected:
            return len((await connected.list_tools()).tools)

    assert await asyncio.gather(*(tools() for _ in range(10))) == [len(catalogue.TOOLS)] * 10
