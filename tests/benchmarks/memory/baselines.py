"""What one would try first: the latest turns, or the first sentences of every session.

Both get the whole limit; ours has to find room in it for persona, style and the other sections.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from benchmarks.memory.dialogues import Dialogue, Session

from voice_server.context.layout.budget import Count
from voice_server.digest.language.sentences import split
from voice_server.digest.language.stems import word_count

Baseline = Callable[[Dialogue, datetime, int, Count], str]
_LEAD_WORDS = 120  # as many as our summaries have


def last_turns(dialogue: Dialogue, now: datetime, limit: int, count: Count) -> str:
    """The last turns that fit into `limit` tokens."""
    turns = (f"{turn.speaker}: {turn.text}" for turn in reversed(dialogue.turns(now)))
    return _that_fits(turns, limit, count)


def lead_sentences(dialogue: Dialogue, now: datetime, limit: int, count: Count) -> str:
    """The first sentences of each session under its date, the newest sessions first, as many as fit."""
    leads = ("\n".join(_lead(session)) for session in reversed(dialogue.before(now)))
    return _that_fits(leads, limit, count)


def _lead(session: Session) -> Iterator[str]:
    yield f"{session.started_at:%d %B %Y}"
    left = _LEAD_WORDS
    for turn in session.turns:
        said = split(turn.text)
        fitting = [text for n, text in enumerate(said) if word_count(" ".join(said[: n + 1])) <= left]
        if fitting:
            yield f"{turn.speaker}: {' '.join(fitting)}"
        if len(fitting) < len(said):
            return
        left -= word_count(" ".join(said))


def _that_fits(newest_first: Iterable[str], limit: int, count: Count) -> str:
    kept: list[str] = []
    used = 0
    for text in newest_first:
        used += count(f"{text}\n")
        if used > limit:
            break
        kept.append(text)
    return "\n".join(reversed(kept))
