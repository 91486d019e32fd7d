"""Decisions: what the user says that they, or the two together, settled on."""

import re

from voice_server.digest import clauses
from voice_server.digest.goals import is_candidate
from voice_server.digest.sentences import Sentence

_WHO = r"(?:I|we)"
_HAVE = rf"{_WHO}(?:'ve|\s+have)?(?:\s+(?:just|already|finally|now|both|all|also))*"
_DECISION = re.compile(
    rf"""(?:^|[,;:.!–—]\s*|\b(?:and|but|so|because|that|then)\s+|\w+\s\([^)]*\),?\s+)(?:(?:okay|ok|yes|well|alright)[\s,]+)?(?:
      {_HAVE}\s+(?:decided|chosen|chose|agreed|settled\s+on|opted|picked|made\s+up\s+(?:my|our)\s+minds?)\b
    | {_WHO}(?:'m|'re|\s+am|\s+are)\s+going\s+with\b
    | {_WHO}(?:'m|'re|\s+am|\s+are)\s+going\s+to\s+go\s+with\b
    | {_WHO}(?:'ll|\s+will)\s+(?:go\s+with|go\s+for|take\s+the|stick\s+(?:with|to))\b
    | let's\s+(?:go\s+with|go\s+for|take\s+the|stick\s+(?:with|to)|do\s+it)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_UNDECIDED = re.compile(
    r"\b(?:not|n't|never|haven't|have not|can't|cannot)\s+(?:\w+\s+){0,2}(?:decided?|chosen|choose|agreed?|settled)\b|\bif\s+(?:I|we)\b",
    re.IGNORECASE,
)
_FEWEST_WORDS, _MOST_WORDS = 4, 35


def is_decision(sentence: Sentence) -> bool:
    """Whether the user says that something is settled."""
    text = sentence.text
    if not is_candidate(sentence, _FEWEST_WORDS, _MOST_WORDS) or not _DECISION.search(text):
        return False
    return not _UNDECIDED.search(text) and not clauses.is_doubtful(text)
