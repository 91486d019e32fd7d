"""Messages without secrets: what was said, what tools were handed and answered."""

import re
from collections.abc import Sequence

from voice_server.digest.secrets.findings import Turn
from voice_server.digest.secrets.lexicon import KINDS
from voice_server.digest.secrets.payload import payload
from voice_server.digest.secrets.redaction import placeholder, redact
from voice_server.domain.conversation import Message

_MARK = re.compile("|".join(re.escape(placeholder(kind)) for kind in KINDS))


def redacted_messages(messages: Sequence[Message]) -> list[str]:
    spoken = [one for one in messages if one.role in ("user", "agent")]
    result = redact([Turn("user" if one.role == "user" else "agent", one.content) for one in spoken])
    said = iter(result.texts)
    return [
        next(said) if one.role in ("user", "agent") else payload(one.content, result.known)
        for one in messages
    ]


def may_be_of(kept: str, said: str) -> bool:
    """Tell whether a text may be what is kept of another, but for its marks."""
    first, *others = _MARK.split(kept)
    if not others:
        return kept == said
    if not said.startswith(first) or not said[len(first) :].endswith(others[-1]):
        return False
    place, end = len(first), len(said) - len(others[-1])
    for piece in others[:-1]:
        found = said.find(piece, place, end)
        if found < 0:
            return False
        place = found + len(piece)
    return True
