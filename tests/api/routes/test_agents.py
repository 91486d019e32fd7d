"""Agents over the API: how each is set up, what it tells strangers, and what is wrong with its templates."""

from collections.abc import Callable
from pathlib import Path

import pytest
from api.conftest import Host, refused
from conftest import House
from pretend.elevenlabs import AGENT
from pretend.trouble import until

from voice_server.settings import Settings

WREN = "agent_wren"
TOML = f"""
ids = ["{AGENT}"]
agent_name = "Robin"
token_limit = 4000
[budgets]
last_time = [100, 200]
[limits]
lookups = 7
"""


@pytest.fixture
def robins(templates: Path) -> Path:
    """A folder of Robin's own."""
    folder = templates / "robin"
    folder.mkdir()
    (folder / "agent.toml").write_text(TOML)
    return folder


@pytest.fixture
def host(open_house: Callable[[Settings], House], settings: Settings, templates: Path) -> Host:
    host = Host(open_house(settings.model_copy(update={"prompt_templates": templates})))
    for agent_id in (AGENT, WREN):
        host.ok(host.send("PUT", f"/agents/{agent_id}"))
    return host


def test_an_agent_tells_how_it_is_set_up(robins: Path, host: Host) -> None:
    robin, wren = (host.get(f"/agents/{one}") for one in (AGENT, WREN))

    assert (robin["templates"], wren["templates"]) == (robins.name, "default")
    assert (robin["settings"]["agent_name"], robin["settings"]["token_limit"]) == ("Robin", 4000)
    assert (robin["settings"]["limits"]["lookups"], wren["settings"]["limits"]["lookups"]) == (7, 3)
    assert (robin["settings"]["timezone"], robin["settings"]["history"]["messages"]) == ("UTC", 40)
    assert {one["name"]: one for one in robin["sections"]}["last_time"] == {
        "name": "last_time", "target": 100, "cap": 200, "shares": "", "is_own": True,
    }  # fmt: skip
    assert robin["template_errors"] == []


@pytest.mark.usefixtures("robins")
def test_the_list_tells_the_same_of_each(host: Host) -> None:
    single = {one: host.get(f"/agents/{one}") for one in (AGENT, WREN)}

    listed = {one["id"]: one for one in host.get("/agents")["items"]}

    assert listed == {
        id_: {name: value for name, value in agent.items() if name != "default_prompt"}
        for id_, agent in single.items()
    }


@pytest.mark.usefixtures("robins")
async def test_an_agent_tells_what_callers_hear_whom_nobody_knows(host: Host) -> None:
    async def is_kept() -> bool:
        return len(await host.house.query("select distinct agent_id from default_prompts")) == 2

    await until(is_kept)

    for agent_id, whose in ((AGENT, AGENT), (WREN, "")):
        prompt = host.get(f"/agents/{agent_id}")["default_prompt"]
        assert (prompt["user_id"], prompt["agent_id"]) == (None, whose)
        assert "attentive assistant" in prompt["prompt"]


async def test_mistakes_are_told_with_file_and_line(robins: Path, host: Host) -> None:
    (robins / "persona.jinja").write_text("You are\n{{ nmae }}")

    await until(lambda: bool(host.get(f"/agents/{AGENT}")["template_errors"]))

    [told] = host.get(f"/agents/{AGENT}")["template_errors"]
    assert told.startswith(f"{robins / 'persona.jinja'} line 2: nothing is called nmae")
    assert host.get(f"/agents/{WREN}")["template_errors"] == []


def test_an_agent_nobody_knows_is_not_there(host: Host) -> None:
    assert "PUT it to /api/agents" in refused(host.send("GET", "/agents/agent_none"), 404)
