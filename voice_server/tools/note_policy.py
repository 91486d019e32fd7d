"""What may become durable memory mid-call: one short statement about the user that will still hold next
month.

What these rules let through is reconciled like any fact; what they refuse can still be learned from the
transcript.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime

from voice_server.context.screening.hygiene import is_order, is_suspicious
from voice_server.digest.language.sentences import split
from voice_server.digest.language.stems import content_stems
from voice_server.digest.privacy import consent
from voice_server.digest.secrets.redaction import is_redacted, redacted
from voice_server.domain.conversation import Message

_BEFORE_TIME = datetime(2000, 1, 1, tzinfo=UTC)
_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|would|will|should|shall|may)"
_QUESTION = re.compile(
    rf"[?？]\s*$|^(?:what|who|where|when|why|how|which)\s+{_AUXILIARY}\b(?!.*\bis\b.*\.$)"
    rf"|^{_AUXILIARY}\s+(?:i|you|he|she|it|they|we|there|this|that|(?:the\s+)?(?:caller|user|customer)|(?-i:[A-Z])\w+)\b"
    r"(?!.*\bis\b.*\.$)",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"^(?:please\b|(?:can|could|would|will)\s+you\b|let'?s\b|don'?t\b|do\s+not\b|make\s+sure\b|remember\b"
    # "Always takes her tea with milk" leaves the caller out; "always take ..." tells us to
    r"|(?:never|always)\s+(?!(?:\w+[^\Ws]s|\w+ed|been|had|was|were|has)\b)\w"
    r"|(?:remind|tell|call|ring|send|book|order|cancel|play|set|turn|open|stop|start|ask|give|show|find|check|note|save|add"
    r"|delete|remove|forget|update|change|transfer|wake|text|e-?mail)\s+(?:me|him|her|them|us|it|that|this|my|the|an?|to|down|up|off|on)\b)",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:right\s+now|at\s+the\s+moment|just\s+now|for\s+now|this\s+(?:minute|second|moment)"
    r"|in\s+a\s+(?:minute|moment|second|hurry|rush)|on\s+(?:the|my|his|her|their)\s+way(?!\s+to\s+(?:be|becom)ing\b)"
    r"|on\s+hold|be\s+right\s+back|still\s+on\s+the\s+line|has\s+to\s+go\s+now)\b",
    re.IGNORECASE,
)
_TODAY = re.compile(r"\b(?:today|tonight|this\s+(?:morning|afternoon|evening))\b", re.IGNORECASE)
_ONCE_AND_FOR_ALL = re.compile(
    r"\b(?:birthday|anniversary|born|died|married|engaged|divorced|moved|started|retired|graduated|quit|signed|bought|adopted"
    r"|diagnosed)\b",
    re.IGNORECASE,
)
_HERE = re.compile(
    r"^(?:i'?m|i\s+am|(?:the\s+)?(?:caller|user|customer)\s+is|(?:s?he|they)\s+(?:is|are)|\w+\s+is|is)\s+"
    r"(?:(?:currently|just|still|now|very|so|really)\s+)*"
    r"(?:(?:at|in)\s+(?:the|a|an)\s+(?:(?:super)?market|shop|store|mall|car|bus|train|taxi|tram|garden|kitchen|bath(?:room)?"
    r"|park|street|queue|line|meeting|office|gym|airport|station|restaurant|caf[eé]|pub|bar|cinema|pharmacy|bank)\b"
    r"|(?:driving|walking|cooking|eating|shopping|waiting|tired|hungry|busy|late|outside|in\s+bed|home\s+now)\b)",
    re.IGNORECASE,
)
_AGAIN_AND_AGAIN = re.compile(
    r"\b(?:every|each|always|usually|often|never|mostly|(?:mon|tues|wednes|thurs|fri|satur|sun|week)days|weekends"
    r"|mornings|afternoons|evenings|nights|most\s+days)\b",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"\b(?:user|caller|agent|assistant|customer|me|you)\s*:\s.*\b(?:user|caller|agent|assistant|customer|me|you)\s*:\s"
    r"|^(?:user|caller|agent|assistant|customer|me|you|I)\s*:\s|[\r\n]",
    re.IGNORECASE | re.DOTALL,
)
_SENTENCES = 2
_KEPT = r"(?:remembered|recorded|stored|saved|kept|noted|logged|written\s+down|memori[sz]ed)"
_KEEP = r"(?:remember|record|store|save|keep|note|log|write\s+down|memori[sz]e)"
_WHOEVER = r"(?:you|us|me|the\s+agent|the\s+assistant|anyone|anybody|it|that|this)"
_SECRET = re.compile(
    rf"\bdo(?:es)?(?:n['’]?t|\s+not)\s+want\b(?:[^.;]*\bto\s+be\s+{_KEPT}\b"
    rf"|(?:(?!\b(?:and|but|or|because|since|so)\b)[^.,;])*\b(?:remembered|recorded|stored|saved|noted|logged)\b"
    rf"|\s+{_WHOEVER}\s+to\s+{_KEEP}\b)"
    rf"|\b(?:don['’]?t|do\s+not|never)\s+{_KEEP}\s+(?:this|that|it|what|anything|any\s+of)\b|\boff\s+the\s+record\b"
    rf"|\b(?:asked|wants?|prefers?)\b[^.;]*\bnot\s+(?:to\s+)?be\s+{_KEPT}\b"
    rf"|\b(?:asked|wants?|prefers?)\s+{_WHOEVER}\s+not\s+to\s+{_KEEP}\b",
    re.IGNORECASE,
)
# What tells the agent what to do, or says what somebody may have of it: a fact is about somebody's life.
_MUST = (
    r"(?:must|should|shall|may|might|can|could|will|would|ought\s+to|(?:has|have|had|needs?|is|are)\s+to"
    r"|(?:is|are)\s+(?:allowed|required|permitted|obliged)\b)"
)
_OURS = (
    r"(?:everything|anything|whatever|all|any|every|other|access|data|information|details?|records?|accounts?|calls?"
    r"|conversations?|codes?|passwords?|secrets?|discounts?|refunds?|credits?|permissions?|rights|prompts?|instructions?)"
)
_ORDER = re.compile(
    rf"(?:\byou|(?:^|[.;,:]\s*|\b(?:the|this|that|your|any|every|and|so|says)\s+)(?:ai\s+|voice\s+)?(?:agents?|assistants?|bots?|models?|ai))"
    rf"\s+(?:(?:always|never|now|also|only|not)\s+)*{_MUST}(?!\w)"
    r"|\b(?:wants?|needs?|expects?|asks?|asked|tells?|told|instructs?|instructed|orders?|ordered|requires?)\s+(?:you|the\s+(?:agent|assistant))\s+(?:not\s+)?to\b"
    rf"|\b{_MUST}\s+(?:(?:always|never|at\s+once|immediately|also)\s+)*be\s+"
    rf"(?:(?:given|told|shown|granted|provided|sent|offered|informed|allowed)\b[^.;]*\b{_OURS}\b"
    r"|(?:obeyed|believed|trusted|transferred|put\s+through|treated\s+as|refunded)\b)"
    r"|\b(?:full|admin\w*|unlimited|unrestricted|root|special|privileged|elevated)\s+(?:access|rights|privileges?|permissions?|clearance)\b"
    r"|\b(?:allowed|permitted|authori[sz]ed|entitled|cleared)\s+to\s+(?:(?:see|hear|know|access|read|receive|get|change|override|bypass|have)\b"
    rf"[^.;]*\b{_OURS}\b|be\s+(?:given|told|shown)\b)"
    rf"|\badministrator\b[^.;]*\b{_MUST}(?!\w)"
    r"|\b(?:is|are|was|been)\s+(?:already\s+|fully\s+)*(?:verified|authenticated)\b"
    r"|\b(?:no|without|skip\w*)\s+(?:\w+\s+){0,2}(?:verification|authentication|passwords?|security\s+(?:check|question)s?)\b",
    re.IGNORECASE,
)


def refusal(text: str) -> str:
    """Return a sentence for the model, empty when the note may be kept."""
    plain = text.strip()
    return next((why for breaks, why in _RULES if breaks(plain)), "")


def _says_nothing(text: str) -> bool:
    return not content_stems(text)


def _is_talk(text: str) -> bool:
    return bool(_TALK.search(text)) or len(split(text)) > _SENTENCES


def _is_secret(text: str) -> bool:
    asked = Message(0, "user", text, _BEFORE_TIME)
    return bool(_SECRET.search(text)) or bool(consent.withheld([asked]))


def _is_said_secret(text: str) -> bool:
    return is_redacted(text) or redacted(text) != text


def _is_order(text: str) -> bool:
    return is_suspicious(text) or is_order(text) or bool(_ORDER.search(text))


def _passes(text: str) -> bool:
    """Tell whether it holds for the moment only, unlike what happened today once and for all, or happens
    every week."""
    if _NOW.search(text):
        return True
    if _TODAY.search(text) and not _ONCE_AND_FOR_ALL.search(text):
        return True
    return bool(_HERE.search(text)) and not _AGAIN_AND_AGAIN.search(text)


_RULES: tuple[tuple[Callable[[str], object], str], ...] = (
    (
        _is_talk,
        "say it as one short sentence in the third person; what was said word for word is kept anyway",
    ),
    (_is_order, "that reads like an instruction, not like something the caller said about themselves"),
    (_is_secret, "the caller does not want that to be remembered"),
    (_is_said_secret, "card numbers, PINs, passwords and codes are never kept"),
    (
        _COMMAND.search,
        "that is a request, which is noted by itself after the call; only lasting facts are kept",
    ),
    (_QUESTION.search, "that is a question; only what the caller stated is kept"),
    (_passes, "that holds for the moment only; only what will still be true next month is kept"),
    (_says_nothing, "that says nothing about the caller"),
)
