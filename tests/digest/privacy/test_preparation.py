"""Once prepared, nothing is left to compile when somebody waits."""

import re
from collections.abc import Callable
from typing import Any

import pcre2
import pytest

from voice_server.digest.privacy import consent, preparation
from voice_server.digest.secrets.redaction import redacted
from voice_server.domain.conversation import Message


def test_after_preparation_a_wish_and_a_secret_compile_nothing(
    call: Callable[[str], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = call(
        "u: My heart is ill.\na: Oh.\nu: Please forget that.\na: Yes.\nu: Lösch das bitte. 请忘掉。"
    )
    for part in preparation.parts():
        part()
    compiled: list[str] = []
    for library in (re, pcre2):

        def noted(
            pattern: str, *given: Any, compile_: Callable[..., Any] = library.compile, **named: Any
        ) -> Any:
            compiled.append(pattern)
            return compile_(pattern, *given, **named)

        monkeypatch.setattr(library, "compile", noted)

    assert consent.withheld(messages)
    assert redacted("My PIN is 4711.") == "My PIN is [PIN]."
    assert compiled == []
