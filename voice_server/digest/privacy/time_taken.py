"""What stays of a turn that is to be forgotten: the answer to a time that was offered before it.

“Saturday the fifth at ten?” – “Yeah, ten's good. They're closing the mill. Forget I said that.”: the
appointment holds, and tells nothing of the rest.
"""

from voice_server.digest.language.calendar_names import MONTHS_OF_ALL, WEEKDAYS_OF_ALL
from voice_server.digest.language.stems import FUNCTION_WORDS, words
from voice_server.digest.privacy import forget_patterns, telling

_TIMES = WEEKDAYS_OF_ALL | MONTHS_OF_ALL


def time_taken(offer: str, said: str) -> str:
    """Return the first sentence of what is said, if it says nothing but that the time is taken, and more
    follows; else `""`."""
    first, *more = (sentence for _, _, sentence in telling.sentences(said))
    offered = frozenset(words(offer))
    if not more or not offer.rstrip().endswith("?") or offered.isdisjoint(_TIMES):
        return ""
    agreeing = forget_patterns.acknowledgements() | forget_patterns.agreeing() | FUNCTION_WORDS
    taken = frozenset(words(first.replace("'s", " is")))
    return first.strip() if agreeing | offered >= taken else ""
