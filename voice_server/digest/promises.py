"""Promises: what somebody said they would do after the conversation."""

import re

from voice_server.digest import clauses
from voice_server.digest.utterance import Utterance

_ADVERBS = r"(?:(?:definitely|certainly|also|gladly|surely|just|then|happily|personally|be sure to|make sure to|try to|have to|need to)\s+)*"
_YOU = r"you(?:\s+guys)?"
_SOMEBODY = r"(?:you|him|her|them|my|our|your|the|a|dr\.?|mr\.?|mrs\.?|ms\.?)\b"
_SOMETHING = r"(?:you|it|that|those|these|them|the|a|an|some|your|my|our|over|one|him|her)\b"
# Verbs of which the doing can only come after the call; what is done while one waits is not among them.
_DEED = rf"""(?P<deed>
      (?:send|e-?mail|text|message|forward|mail|post|ship)\s+{_SOMETHING}
    | (?:call|ring|phone)\s+(?:{_SOMEBODY}|back\b)
    | (?:get|come)\s+back\s+to\s+{_SOMEBODY}
    | give\s+{_YOU}\s+(?:a\s+(?:call|ring|buzz|shout))\b
    | (?:be|get)\s+in\s+touch\b | reach\s+out\b | follow\s+up\b | touch\s+base\b
    | (?:let|keep)\s+{_YOU}\s+(?:know|posted|updated|informed)\b
    | remind\s+{_YOU}\b
    | (?:ask|check\s+with|(?:talk|speak)\s+(?:to|with)|pass\s+(?:it|that|this)\s+on\s+to)\s+(?!you\b){_SOMEBODY}
    | find\s+out\b | look\s+into\b
    | (?:bring|lend|order|buy|mail|drop\s+off|pick\s+up|prepare|put\s+together|arrange|organi[sz]e)\s+{_SOMETHING}
    | share\s+(?:it|that|them|the|a|some|my|more)\b(?=.*\bwith\s+you\b)
    | (?:introduce|invite)\s+{_YOU}\b
    | (?:write|show|tell|teach|make|cook|bake)\s+{_YOU}\b(?=.*\b(?:next\s+time|when\s+(?:we|you|I)\b|\(\d|\(week))
    )"""
_PROMISE = re.compile(
    rf"""(?P<subject>\b(?:I|we)(?:'ll|\s+will|\s+promise\s+to|\s+promise\s+I'll)|\bI(?:'m|\s+am)\s+going\s+to
    |\bwe(?:'re|\s+are)\s+going\s+to)\s+(?P<adverbs>{_ADVERBS}){_DEED}""",
    re.IGNORECASE | re.VERBOSE,
)
# These say enough without an object: "I'll call you back", "we'll text you".
_SELF_CONTAINED = re.compile(
    r"(?:(?:call|ring|phone|text|e-?mail|message)\s+(?:you|back)|(?:get|come)\s+back\s+to\s+you|give\s+you|be\s+in\s+touch)\b",
    re.IGNORECASE,
)


def promise(utterance: Utterance) -> str | None:
    """The telling of the promise a statement makes, or None."""
    text = utterance.dated
    found = _PROMISE.search(text)
    if (
        not found
        or utterance.sentence.mood == "question"
        or not clauses.clearly_starts(text[: found.start()])
    ):
        return None
    said = clauses.clause(text[found.start("deed") :])
    if (
        clauses.is_within_the_call(text)
        or clauses.is_polite(text)
        or clauses.is_negated(said)
        or _weighed(said)
    ):
        return None
    told = clauses.told_clause(clauses.would(utterance.speaker), said, utterance)
    if clauses.has_content(said[len(found["deed"]) :]) or _SELF_CONTAINED.match(said):
        return told
    return clauses.with_context(told, utterance.before)


def _weighed(said: str) -> bool:
    """A condition may follow ("I'll call if it rains"), a doubt may not."""
    return clauses.is_doubtful(re.sub(r"\b(?:if|whether)\b", "", said))
