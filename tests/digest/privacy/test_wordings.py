"""How callers really ask, and how people really talk about forgetting: two lists, as written and as heard.

`wordings.jsonl` has wishes: `secret` is what was said before, when the wish names it; `tells_it` marks
one that tells the secret itself. `ordinary.jsonl` has sentences that wish nothing.
"""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec import Struct, convert

from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Message, Role

_HERE = Path(__file__).parent
_HEARD_AT_LEAST = 0.95
_WITHHELD_AT_MOST = 0.02
_SECRET = "I am seeing a doctor about my heart."


class Sentence(Struct):
    language: str
    said: str
    secret: str = ""
    tells_it: bool = False


def _read(name: str) -> list[Sentence]:
    lines = (_HERE / name).read_text("utf-8").splitlines()
    return [convert(json.loads(line), Sentence) for line in lines]


def _as_written(said: str) -> str:
    return said


def _as_transcribed(said: str) -> str:
    """In small letters, without punctuation."""
    return " ".join(re.sub(r"[^\w\s'’-]", " ", said.lower()).split())


def _without_apostrophes(said: str) -> str:
    return _as_transcribed(said).replace("'", "").replace("’", "")


_FORMS: list[Callable[[str], str]] = [_as_written, _as_transcribed, _without_apostrophes]


@pytest.mark.parametrize("form", _FORMS)
def test_wishes_are_heard(form: Callable[[str], str]) -> None:
    wordings = _differing(_read("wordings.jsonl"), form)
    missed = [one.said for one in wordings if not _is_heard(one, form(one.said))]

    assert len(missed) <= (1 - _HEARD_AT_LEAST) * len(wordings), missed


@pytest.mark.parametrize("form", _FORMS)
def test_ordinary_talk_is_kept(form: Callable[[str], str]) -> None:
    ordinary = _differing(_read("ordinary.jsonl"), form)
    withheld = [one.said for one in ordinary if consent.withheld(_talk(_SECRET, form(one.said)))]

    assert len(withheld) <= _WITHHELD_AT_MOST * len(ordinary), withheld


def test_the_lists_are_long() -> None:
    assert (len(_read("wordings.jsonl")), len(_read("ordinary.jsonl"))) >= (200, 300)


def _differing(sentences: list[Sentence], form: Callable[[str], str]) -> list[Sentence]:
    """Those that this form writes as the one before does not."""
    earlier = _FORMS[: _FORMS.index(form)][-1:]
    return [one for one in sentences if all(form(one.said) != before(one.said) for before in earlier)]


def _is_heard(wording: Sentence, said: str) -> bool:
    """Whether the secret, the wish and, where the wish names nothing, the answer are withheld."""
    messages = _talk(wording.secret or _SECRET, said, apart=bool(wording.secret))
    wish = len(messages) - 3
    secret = set() if wording.tells_it else {2}
    answer = set() if wording.secret or wording.tells_it else {wish + 1}
    return secret | {wish} | answer <= consent.withheld(messages)


def _talk(secret: str, said: str, *, apart: bool = False) -> list[Message]:
    """A call in which a secret is told and then something is said; `apart`: after other talk."""
    between: list[tuple[Role, str]] = [("user", "The garden is fine."), ("agent", "Good.")] if apart else []
    lines: list[tuple[Role, str]] = [
        ("user", "I moved to Porto last month."),
        ("agent", "How do you like it there?"),
        ("user", secret),
        ("agent", "I see."),
        *between,
        ("user", said),
        ("agent", "Of course."),
        ("user", "Shall we talk about the weather?"),
    ]
    return [
        Message(place, role, text, datetime(2026, 11, 17, tzinfo=UTC))
        for place, (role, text) in enumerate(lines)
    ]
