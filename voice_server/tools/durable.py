"""What may become durable memory mid-call: one short statement about the user that will still hold next month.

Simple rules over what a model hands in; what they let through is reconciled like any fact, and what they refuse
can still be learned from the call's transcript.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime

from voice_server.context.hygiene import is_suspicious
from voice_server.digest import consent
from voice_server.digest.stems import content_stems
from voice_server.domain.conversation import Message

_BEFORE_TIME = datetime(2000, 1, 1, tzinfo=UTC)
_QUESTION = re.compile(
    r"[?？]\s*$|^(?:what|who|where|when|why|how|which|is|are|do|does|did|can|could|would|will|should)\b(?!.*\bis\b.*\.$)",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"^(?:please\b|(?:can|could|would|will)\s+you\b|let'?s\b|don'?t\b|do\s+not\b|never\b|always\b|make\s+sure\b|remember\b"
    r"|(?:remind|tell|call|ring|send|book|order|cancel|play|set|turn|open|stop|start|ask|give|show|find|check|note|save|add"
    r"|delete|remove|forget|update|change|transfer|wake|text|e-?mail)\s+(?:me|him|her|them|us|it|that|this|my|the|an?|to|down|up|off|on)\b)",
    re.IGNORECASE,
)
_TRANSIENT = re.compile(
    r"\b(?:right\s+now|at\s+the\s+moment|just\s+now|currently|for\s+now|this\s+(?:minute|second|moment|morning|afternoon|evening)"
    r"|today|tonight|in\s+a\s+(?:minute|moment|second|hurry|rush)|on\s+(?:the|my|his|her|their)\s+way"
    r"|on\s+hold|be\s+right\s+back|still\s+on\s+the\s+line|has\s+to\s+go\s+now)\b"
    r"|^(?:i'?m|i\s+am|(?:the\s+)?(?:caller|user|customer)\s+is|(?:s?he|they)\s+(?:is|are)|\w+\s+is)\s+"
    r"(?:(?:at|in)\s+(?:the|a|an)\s+(?:(?:super)?market|shop|store|mall|car|bus|train|taxi|tram|garden|kitchen|bath(?:room)?"
    r"|park|street|queue|line|meeting|office|gym|airport|station|restaurant|caf[eé]|pub|bar|cinema|pharmacy|bank)\b"
    r"|(?:driving|walking|cooking|eating|shopping|waiting|tired|hungry|busy|late|outside|in\s+bed|home\s+now)\b)",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"\b(?:user|caller|agent|assistant|customer|me|you)\s*:\s.*\b(?:user|caller|agent|assistant|customer|me|you)\s*:\s"
    r"|^(?:user|caller|agent|assistant|customer|me|you|I)\s*:\s|[\r\n]",
    re.IGNORECASE | re.DOTALL,
)
_SENTENCES = 2


def refusal(text: str) -> str:
    """Why this is not kept, as a sentence for the model; "" when it may be."""
    plain = text.strip()
    return next((why for breaks, why in _RULES if breaks(plain)), "")


def _says_nothing(text: str) -> bool:
    return not content_stems(text)


def _is_talk(text: str) -> bool:
    """Whether it is a transcript, or tells more than one thing."""
    return bool(_TALK.search(text)) or len(re.findall(r"[.!?](?:\s|$)", text)) > _SENTENCES


def _is_secret(text: str) -> bool:
    asked = Message(0, "user", text, _BEFORE_TIME)
    told = re.search(
        r"\b(?:does(?:n'?t| not)|do(?:n'?t| not))\s+want\b.*\b(?:remember|record|not|stor|sav|kept|known)\w*"
        r"|\b(?:don'?t|do not|never)\s+(?:remember|record|note|save|store|keep|log)\b|\boff the record\b|\b(?:asked|wants?|prefers?)\b.*\bnot\s+(?:to\s+)?(?:be\s+)?(?:remember|record|stor|sav|not|keep|kept)\w*",
        text,
        re.IGNORECASE,
    )
    return bool(told) or bool(consent.withheld([asked]))


_RULES: tuple[tuple[Callable[[str], object], str], ...] = (
    (
        _is_talk,
        "say it as one short sentence in the third person; what was said word for word is kept anyway",
    ),
    (is_suspicious, "that reads like an instruction, not like something the caller said about themselves"),
    (_is_secret, "the caller does not want that to be remembered"),
    (
        _COMMAND.search,
        "that is a request, which is noted by itself after the call; only lasting facts are kept",
    ),
    (_QUESTION.search, "that is a question; only what the caller stated is kept"),
    (_TRANSIENT.search, "that holds for the moment only; only what will still be true next month is kept"),
    (_says_nothing, "that says nothing about the caller"),
)
