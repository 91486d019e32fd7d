"""Tool tokens over the API: for somebody there is, and no longer than asked for."""

from collections.abc import Callable
from datetime import datetime

from api.conftest import Host, refused
from conftest import House
from pretend.elevenlabs import AGENT

from voice_server.settings import Settings
from voice_server.tools import user_token

SECRETS = ("newer", "older")
DAY = 86_400


def opened(open_house: Callable[[Settings], House], settings: Settings, secrets: str) -> Host:
    return Host(open_house(settings.model_copy(update={"tool_token_secret": secrets})))


async def test_a_token_is_bound_to_a_user_and_an_agent(
    open_house: Callable[[Settings], House], settings: Settings
) -> None:
    host = opened(open_house, settings, "newer,older")
    user_id = await host.call("conv_1")

    made = host.send("POST", f"/users/{user_id}/tool-tokens", json={"agent_id": AGENT, "days": 2})

    now = host.house.clock()
    bound = user_token.read(made.json()["token"], SECRETS[:1], now)
    assert made.status_code == 201
    assert bound == user_token.TokenClaims(user_id, AGENT, int(now) + 2 * DAY)
    assert datetime.fromisoformat(made.json()["expires_at"]).timestamp() == int(now) + 2 * DAY


async def test_there_is_no_token_for_nobody(
    open_house: Callable[[Settings], House], settings: Settings
) -> None:
    host = opened(open_house, settings, "newer")
    user_id = await host.call("conv_1")

    refused(host.send("POST", "/users/usr_nobody/tool-tokens", json={"agent_id": AGENT}), 404)
    refused(host.send("POST", f"/users/{user_id}/tool-tokens", json={"agent_id": "agent_nobody"}), 404)


async def test_without_a_secret_it_is_said_what_to_do(host: Host) -> None:
    user_id = await host.call("conv_1")

    why = refused(host.send("POST", f"/users/{user_id}/tool-tokens", json={"agent_id": AGENT}), 409)

    assert "TOOL_TOKEN_SECRET" in why
