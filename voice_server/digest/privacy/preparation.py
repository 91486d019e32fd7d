"""Makes patterns ready before somebody waits for them."""

from collections.abc import Callable, Iterator

from voice_server.digest.privacy import forget_patterns, granting, telling
from voice_server.digest.secrets.redaction import redacted


def parts() -> Iterator[Callable[[], object]]:
    """Yield what compiles the patterns of all languages: half a second of CPU."""
    yield lambda: redacted("My PIN is 4711.")
    for language in forget_patterns.languages():
        yield language.prepare
    yield granting.prepare
    yield lambda: telling.tells("")
    yield lambda: forget_patterns.asks_for_something("")
    yield lambda: forget_patterns.says_to_keep("Keep it.")
