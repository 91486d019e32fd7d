"""Plans: what has a day still to come."""

import re

from voice_server.digest import clauses
from voice_server.digest.dates import is_over, without_dates
from voice_server.digest.stems import word_count
from voice_server.digest.third_person import tell
from voice_server.digest.utterance import Utterance

_ADVERBS = r"(?:(?:also|actually|really|just|still|definitely|finally|already|both|all)\s+)*"
_OURS = r"(?:my|our)(?:\s+[\w'-]+){1,4}?"
_EVENT = r"""(?:appointment|booking|reservation|meeting|interview|flight|consultation|consult|session|delivery|order
    |table|visit|exam|test|surgery|operation|class|lesson|call|viewing|check-?up|deadline|party|wedding|trip|start)"""
_PLAN = re.compile(
    rf"""(?:^|[,;:.!–—]\s*|\b(?:and|but|so|because|that)\s+|\w+\s\([^)]*\),?\s+|\b(?:day|week|month|year|weekend),?\s+)(?:
      (?:I|we|{_OURS}|(?:my|our)\s+\w+\s+and\s+I)(?:'m|'re|'s|\s+am|\s+are|\s+is)\s+{_ADVERBS}
          (?!(?:being|feeling|trying|loving|enjoying|wanting|talking|saying|getting\s+(?:ready|excited|better|used))\b)
          (?:\w+ing|due|off|booked|scheduled|invited|meant|in|on|at|back|away|here)\b
    | (?:I|we)(?:'ll|\s+will)\s+{_ADVERBS}(?!(?:see|catch|talk|speak|always|let)\b)\w+
    | (?:I|we)(?:\s+have|'ve|\s+'ve|\s+have\s+got|'ve\s+got)\s+{_ADVERBS}(?:got\s+)?(?:a|an|my|our|the|another|to|some|two|three|this|that|plans|tickets|booked|scheduled|signed|moved|put|got)\b
    | (?:I|we)\s+(?:need|plan|intend)\s+to\b
    | (?:I|we)(?:\s+just|\s+already|\s+also|\s+finally)?\s+(?:booked|scheduled|reserved|registered|signed\s+up|moved\s+(?:you|it|your)|put\s+you\s+down|got\s+(?:\w+\s+)?tickets)\b
    | (?:I|we|{_OURS})\s+(?:leave|leaves|fly|flies|start|starts|arrive|arrives|move|moves|travel|travels|return|returns|finish|finishes|graduate|graduates|begin|begins|end|ends|opens?|closes?|comes?)\b
    | {_OURS}\s+(?:is|are|will\s+be)\s+(?:on|in|at|next|tomorrow|this|coming|due|tonight)\b
    | (?:your|the)\s+(?:[\w'-]+\s+){{0,3}}?{_EVENT}(?:\s+with\s+[\w.\s]+?)?(?:'s|\s+is|\s+will\s+be|\s+has\s+been|\s+starts|\s+begins)\b
    | you(?:'re|\s+are)\s+(?:all\s+)?(?:set|booked|scheduled|confirmed|down|in)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_FAREWELL = re.compile(r"\b(?:see|catch|talk\s+to|speak\s+to)\s+(?:you|ya)\b", re.IGNORECASE)
_NOT_PLANNED = re.compile(r"\b(?:was|were|had|used to|looking at|looking for)\b", re.IGNORECASE)


_POINTING = re.compile(
    r"\b(?:\w+ing|booked|have|got|moved|scheduled)\s+(?:one|it|that|them|this)\b", re.IGNORECASE
)
_SAME_DAY = re.compile(r"\b(?:tonight|this\s+(?:afternoon|evening)|later\s+today)\b", re.IGNORECASE)
_LONGEST = 35


def plan(utterance: Utterance) -> str | None:
    """The telling of a statement about something with a day to come, or None."""
    text = utterance.dated
    if not _has_day_ahead(utterance) or utterance.sentence.mood == "question" or word_count(text) > _LONGEST:
        return None
    if not _PLAN.search(text) or _FAREWELL.search(text) or _NOT_PLANNED.search(text):
        return None
    if (
        clauses.is_doubtful(text)
        or clauses.is_negated(text)
        or is_over(utterance.sentence.text, utterance.said_on)
    ):
        return None
    return tell(text, utterance.speaker, utterance.listener) if _says_what(utterance) else None


def _has_day_ahead(utterance: Utterance) -> bool:
    """Today counts only as "tonight" and the like: what is done today is mostly being done already."""
    if utterance.due is None:
        return False
    return utterance.due > utterance.said_on or bool(_SAME_DAY.search(utterance.sentence.text))


def _says_what(utterance: Utterance) -> bool:
    text = without_dates(utterance.sentence.text, utterance.said_on)
    return clauses.has_content(text) and not _POINTING.search(text)
