"""Decisions: what the user says that they, or the two together, settled on."""

import re

from voice_server.digest import clauses
from voice_server.digest.statements import Cue

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
    r"(?:\b(?:not|never|cannot)|n't)\s+(?:\w+\s+){0,2}(?:decided?|chosen|choose|agreed?|settled)\b|\bif\s+(?:I|we)\b",
    re.IGNORECASE,
)
DECISION = Cue(_DECISION, unless=_UNDECIDED, undone=clauses.is_doubtful, fewest_words=4)
