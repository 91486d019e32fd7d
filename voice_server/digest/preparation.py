"""The preparation of digests, before somebody waits for one."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

from voice_server.digest.extractive import digest
from voice_server.digest.privacy import preparation
from voice_server.digest.threads.speech import phrases
from voice_server.domain.conversation import Message

_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)


def parts() -> Iterator[Callable[[], object]]:
    """Yield what compiles the patterns of all languages: a second of CPU, which the first calls would wait
    for."""
    yield from preparation.parts()
    for tag in phrases.languages():
        yield partial(_digest_in, tag)


def _digest_in(tag: str) -> None:
    """Digest a short talk in a language with phrases."""
    digest(_talk(tag), timezone=ZoneInfo("UTC"), language=tag)


def _talk(tag: str) -> list[Message]:
    known = phrases.phrases_of(tag)
    groups = known.file.groups if known else {}
    said = [groups[kind].examples[0] for kind in ("promise", "request", "proposal", "yes") if kind in groups]
    return [Message(n, "user" if n % 2 else "agent", text, _ANY_DAY) for n, text in enumerate(said)]
