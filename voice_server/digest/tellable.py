"""A memory without what must not be told, and the record of that."""

from collections.abc import Iterator

from voice_server.context.harmless import left_out
from voice_server.context.layout.budget import Count, Omission
from voice_server.context.sections import long_term_memory
from voice_server.digest.facts.excluded import without_excluded
from voice_server.digest.facts.superseded import without_superseded
from voice_server.digest.privacy.forgotten import without_forgotten
from voice_server.domain.memory import Memory

_EXCLUDED, _FLAGGED, _SUPERSEDED, _FORGOTTEN = "excluded", "flagged", "superseded", "forgotten"


def tellable(memory: Memory, count: Count) -> tuple[Memory, tuple[Omission, ...]]:
    """Leave out what a person excluded, what holds no more, and what the user asked to have forgotten."""
    allowed = without_excluded(memory)
    current = without_superseded(allowed)
    kept = without_forgotten(current)
    return kept, (
        *_withheld(memory, count),
        *(left_out(memory, allowed, count, _EXCLUDED) if allowed is not memory else ()),
        *(left_out(allowed, current, count, _SUPERSEDED) if current is not allowed else ()),
        *(left_out(current, kept, count, _FORGOTTEN) if kept is not current else ()),
    )


def _withheld(memory: Memory, count: Count) -> Iterator[Omission]:
    for one in memory.withheld:
        rule = _EXCLUDED if one.excluded else _FLAGGED
        yield Omission(long_term_memory.NAME, f"facts/{one.id}", count(one.text), rule)
