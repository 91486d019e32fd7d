"""Goals: what the user says they want to reach."""

import re

from voice_server.digest import clauses
from voice_server.digest.statements import Cue

_LEADING = r"(?:^|[,;:.!–—]\s*|\b(?:and|but|so|because|that)\s+)(?:(?:really|just|also|still|ideally|honestly|eventually)[\s,]+)*"
_ADVERBS = r"(?:\s+(?:really|just|also|still|finally|eventually|hopefully|both))*"
_GOAL = re.compile(
    rf"""{_LEADING}(?:
      (?:my|our)(?:\s+\w+){{0,2}}\s+(?:goal|aim|dream|ambition|plan|resolution)(?:\s+[\w'-]+){{0,4}}?\s+(?:is|was|are)\s+(?:to|for|that)\b
    | (?:I|we){_ADVERBS}\s+(?:want|hope|aim|intend|wish)\s+to\b
    | (?:I|we)(?:'d|\s+would){_ADVERBS}\s+(?:like|love)\s+to\b
    | (?:I|we)(?:'m|'re|\s+am|\s+are){_ADVERBS}\s+(?:trying|hoping|aiming|training|saving|working|determined|preparing)\s+(?:to|for|towards?)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
# What one wants of this very call is no goal.
_OF_THE_CALL = re.compile(
    r"\b(?:want|like|love|wish|hop(?:e|ing)|trying)\s+to\s+(?:\w+ly\s+)?(?:ask|know|hear|talk|speak|say|tell|check|see\s+if|thank|call|confirm|understand|find\s+out|be\s+honest|apologi[sz]e)\b",
    re.IGNORECASE,
)
GOAL = Cue(_GOAL, unless=_OF_THE_CALL, undone=clauses.is_negated, fewest_words=5)
