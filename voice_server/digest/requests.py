"""Requests that outlast the conversation: to be reminded, to be asked, to hear back."""

import re

from voice_server.digest import clauses
from voice_server.digest.third_person import inline
from voice_server.digest.utterance import Utterance

_ASKING = r"(?:^|[,;:.!–—]\s*|\b(?:and|so|but|then)\s+)(?:(?:please|just|next\s+time,?|tomorrow(?:\s\([^)]*\))?,?)\s+)*(?:(?:can|could|would|will)\s+you\s+(?:please\s+|also\s+|maybe\s+)*)?(?:please\s+)?"
_PLEADING = r"(?:^|[,;:.!–—]\s*|\b(?:and|so|but|then)\s+)(?:(?:please|(?:can|could|would|will)\s+you(?:\s+please)?)\s+)"
_NEXT_TIME = r"(?:the\s+)?next\s+time(?:\s+(?:we|you|I)\s+(?:talk|speak|call|chat|meet|catch\s+up)(?:\s+to\s+me)?)?|when\s+we\s+(?:talk|speak|chat|meet)\s+(?:next|again)|(?:in|on)\s+(?:my|our|the)\s+next\s+call"

_REMIND = re.compile(
    rf"{_ASKING}(?:remind\s+me|(?P<forget>(?:do\s+not|don't)\s+let\s+me\s+forget))\s+(?P<what>(?:to|about|that)\s+\w.*)",
    re.IGNORECASE,
)
_ASK = re.compile(
    rf"{_ASKING}ask\s+me\s+(?P<what>(?:again\s+)?(?:about|how|if|whether|for|what|when|where|who)\b.*|again\b.*)",
    re.IGNORECASE,
)
_HEAR_BACK = re.compile(
    rf"{_PLEADING}(?P<what>(?:call|ring|phone|text|e-?mail|message)\s+me\s+back\b.*|(?:get|come)\s+back\s+to\s+(?:me|us)\b.*|give\s+me\s+a\s+(?:call|ring)(?:\s+back)?\b.*)",
    re.IGNORECASE,
)
_LATER = re.compile(
    rf"{_PLEADING}(?P<what>(?:check|ask|find\s+out|look|tell|call|ring|text|e-?mail|message|send|bring|confirm|let|follow\s+up|remind|have|think|try|practi[sc]e|talk|speak|bring\s+up|start|give|read|prepare)\b.*)",
    re.IGNORECASE,
)
_NEXT = re.compile(rf"\b(?:{_NEXT_TIME})\b", re.IGNORECASE)
_CONTACT = re.compile(
    r"(?:call|ring|text|e-?mail|message|send|bring|confirm|remind|check|find|ask|follow)\b", re.IGNORECASE
)


def request(utterance: Utterance) -> str | None:
    """The telling of what the speaker asks for later, or None."""
    text = utterance.dated
    if clauses.is_within_the_call(text):
        return None
    return _reminder(text, utterance) or _asked(text, utterance) or _done_later(text, utterance)


def _reminder(text: str, utterance: Utterance) -> str | None:
    found = _REMIND.search(text)
    if not found:
        return None
    what = _what(found)
    if not what.lower().startswith("to ") and utterance.due is None and not _NEXT.search(text):
        return None  # "can you remind me about the price?" wants to know it now
    return clauses.told_clause(f"{_capital(utterance.speaker)} asked to be reminded", what, utterance)


def _asked(text: str, utterance: Utterance) -> str | None:
    found = _ASK.search(text)
    if not found or (utterance.due is None and not _NEXT.search(text) and "again" not in found["what"]):
        return None
    what = _what(found)
    told = clauses.told_clause(f"{_capital(utterance.speaker)} asked to be asked", what, utterance)
    return (
        told
        if clauses.has_content(_NEXT.sub("", what))
        else clauses.with_context(told, utterance.topic) or told
    )


def _done_later(text: str, utterance: Utterance) -> str | None:
    found = _HEAR_BACK.search(text) or _LATER.search(text)
    if not found:
        return None
    later = bool(_NEXT.search(text)) or (
        utterance.due is not None and _CONTACT.match(found["what"]) is not None
    )
    if found.re is _LATER and not later:
        return None
    opening = f"{_capital(utterance.speaker)} asked {inline(utterance.listener)} to"
    return clauses.told_clause(opening, _what(found), utterance)


def _what(found: re.Match[str]) -> str:
    said = clauses.clause(found["what"].rstrip("?"))
    return _NEXT.sub("next time", said)


def _capital(speaker: str) -> str:
    name = inline(speaker)
    return name[:1].upper() + name[1:]
