"""Once prepared, the first call of a language waits for little."""

import re
from collections.abc import Callable
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest import preparation
from voice_server.digest.extractive import digest
from voice_server.domain.conversation import Message


def test_after_preparation_an_ordinary_call_compiles_next_to_nothing(
    call: Callable[[str], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    preparation.prepare_digests()
    compiled: list[str] = []
    compile_ = re.compile

    def noted(pattern: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(pattern)
        return compile_(pattern, flags)

    monkeypatch.setattr(re, "compile", noted)
    messages = call("a: Ich schicke Ihnen das Formular am Freitag.\nu: Ja, bitte, ich heiße Anna Brandt.")

    assert digest(messages, timezone=ZoneInfo("UTC"), language="de").open_threads
    assert sum(map(len, compiled)) < 20_000
