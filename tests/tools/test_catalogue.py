"""What platforms and models see of the tools: held by a snapshot, and valid by the platform's own models.

Written anew, deliberately, by `voice-server tools schema --url https://memory.example.com --secret-id
secret_tools > tests/tools/elevenlabs.json`; the SDK says whether it is right.
"""

import json
import re
from pathlib import Path

import pytest
from elevenlabs.types import ToolRequestModel
from typer.testing import CliRunner

from voice_server.cli import app
from voice_server.tools import catalogue

SNAPSHOT = Path(__file__).with_name("elevenlabs.json")
HOW = ("tools", "schema", "--url", "https://memory.example.com/", "--secret-id", "secret_tools")


def printed(*words: str) -> str:
    ran = CliRunner().invoke(app, words)
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_the_configurations_are_those_that_were_agreed() -> None:
    assert json.loads(printed(*HOW)) == json.loads(SNAPSHOT.read_text())


@pytest.mark.parametrize(
    "body", json.loads(SNAPSHOT.read_text()), ids=lambda body: body["tool_config"]["name"]
)
def test_every_configuration_is_one_the_platform_takes(body: dict[str, object]) -> None:
    model = ToolRequestModel.model_validate(body)

    config = model.tool_config
    assert config.type == "webhook"
    assert not config.model_extra
    assert not config.api_schema.model_extra
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", config.name)
    assert config.tool_error_handling_mode == "summarized"
    assert 5 <= (config.response_timeout_secs or 0) <= 10
    schema = config.api_schema.request_body_schema
    assert schema is not None
    assert schema.properties is not None
    assert "conversation_id" in (schema.required or [])
    for name, one in schema.properties.items():
        sources = [one.description, one.dynamic_variable, one.constant_value]
        assert sum(source is not None for source in sources) == 1
        assert (one.dynamic_variable == "system__conversation_id") == (name == "conversation_id")


def test_a_sub_agent_gets_memory_alone() -> None:
    names = [one["tool_config"]["name"] for one in json.loads(printed(*HOW, "--only", "memory"))]

    assert names == ["memory_search", "memory_add"]


def test_no_tool_takes_an_identity() -> None:
    taken = {name for tool in catalogue.TOOLS for name in tool.schema()["properties"]}

    assert not taken & {"user_id", "caller_id", "agent_id", "conversation_id", "address"}


def test_without_a_secret_the_command_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.delenv("TOOL_TOKEN_SECRET", raising=False)

    ran = CliRunner().invoke(app, ["tools", "token", "--user", "usr_a", "--agent", "agent_robin"])

    assert "TOOL_TOKEN_SECRET" in str(ran.exception)
