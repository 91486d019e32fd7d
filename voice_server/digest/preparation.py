"""The preparation of digests, before somebody waits for one."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from voice_server.digest.extractive import digest
from voice_server.digest.privacy.preparation import prepare
from voice_server.digest.threads.speech import phrases
from voice_server.domain.conversation import Message
from voice_server.runtime.once import once

_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)


@once
def prepare_digests() -> None:
    """Digest a short talk in each language with phrases: a second of CPU, once in a process, which the first
    calls would wait for."""
    prepare()
    for tag in phrases.languages():
        digest(_talk(tag), timezone=ZoneInfo("UTC"), language=tag)


def _talk(tag: str) -> list[Message]:
    known = phrases.phrases_of(tag)
    groups = known.file.groups if known else {}
    said = [groups[kind].examples[0] for kind in ("promise", "request", "proposal", "yes") if kind in groups]
    return [Message(n, "user" if n % 2 else "agent", text, _ANY_DAY) for n, text in enumerate(said)]
