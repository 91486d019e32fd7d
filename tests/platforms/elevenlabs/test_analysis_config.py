"""What the platform's model is asked about each call: held by a snapshot, and valid by the platform's own
models.

Written anew, deliberately, by `voice-server tools analysis --agent-name Robin >
tests/platforms/elevenlabs/analysis_config.json`.
"""

import json
import re
from pathlib import Path
from typing import Any

from elevenlabs.types import AgentPlatformSettingsRequestModel
from typer.testing import CliRunner

from voice_server.cli import app
from voice_server.digest.analysis.uses import OURS

LONGEST_PROMPT = 2000  # characters that the platform takes, by what others have measured
SNAPSHOT = Path(__file__).with_name("analysis_config.json")


def printed(*words: str) -> Any:
    ran = CliRunner().invoke(app, ["tools", "analysis", *words])
    assert ran.exit_code == 0, ran.output
    return json.loads(ran.stdout)


def test_the_items_are_those_that_were_agreed() -> None:
    assert printed("--agent-name", "Robin") == json.loads(SNAPSHOT.read_text())


def test_the_platform_takes_them() -> None:
    body = printed("--llm", "gemini-2.5-flash", "--summary-language", "de")

    model = AgentPlatformSettingsRequestModel.model_validate(body["platform_settings"])

    assert not model.model_extra
    assert model.summary_language == "de"
    assert model.data_collection is not None
    for id_, item in model.data_collection.items():
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", id_)
        assert (item.type, item.llm) == ("string", "gemini-2.5-flash")
        assert 0 < len(item.description or "") <= LONGEST_PROMPT
        assert not item.model_extra
        others = (item.dynamic_variable, item.constant_value, item.is_system_provided, item.is_omitted)
        assert set(others) == {None}


def test_what_is_asked_for_is_what_is_read() -> None:
    assert printed()["platform_settings"]["data_collection"].keys() == OURS.keys()


def test_nothing_is_sent_that_was_not_chosen() -> None:
    settings = printed()["platform_settings"]

    assert settings.keys() == {"data_collection"}
    assert all(item.keys() == {"type", "description"} for item in settings["data_collection"].values())
