"""A worker that got ready has next to nothing to compile when a call comes, in whichever language."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import re, sys

import pcre2
from datetime import UTC, datetime
from zoneinfo import ZoneInfo
from voice_server.digest import preparation
from voice_server.digest.extractive import digest
from voice_server.domain.conversation import Message

if sys.argv[1] == "ready":
    for part in preparation.parts():
        part()
compiled = []
for library in (re, pcre2):

    def noted(pattern, *given, compile_=library.compile, **named):
        compiled.append(len(str(pattern)))
        return compile_(pattern, *given, **named)

    library.compile = noted
now = datetime(2026, 11, 17, tzinfo=UTC)
for language, said in {"de": "Ich schicke Ihnen das am Freitag.", "fr": "Je vous l'envoie vendredi."}.items():
    digest([Message(0, "agent", said, now)], timezone=ZoneInfo("UTC"), language=language)
print(sum(compiled))
"""


def compiled(*, ready: bool) -> int:
    """Characters of the patterns that two calls compile, in a process of their own."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, "ready" if ready else "cold"],
        cwd=Path(__file__).parent.parent.parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return int(ran.stdout)


def test_after_preparation_calls_compile_a_tenth_at_most() -> None:
    assert compiled(ready=True) * 10 <= compiled(ready=False)
