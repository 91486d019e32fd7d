"""What stays of a turn that is to be forgotten: the answer to a time that was offered before it.

“Saturday the fifth at ten?” – “Yeah, ten's good. They're closing the mill. Forget I said that.”: the
appointment holds, and tells nothing of the rest. In doubt nothing stays.
"""

from voice_server.digest.dates import date_language
from voice_server.digest.language.calendar_names import WEEKDAYS_OF_ALL
from voice_server.digest.language.stems import words
from voice_server.digest.privacy import forget_patterns, telling
from voice_server.runtime.once import once


def time_taken(offer: str, said: str) -> str:
    """Return the first sentence of what is said, if it only agrees to a time that the offer names, and more
    follows; else `""`."""
    first, *more = (sentence for _, _, sentence in telling.sentences(said))
    offered = frozenset(words(offer))
    if not more or not offer.rstrip().endswith("?") or offered.isdisjoint(WEEKDAYS_OF_ALL):
        return ""
    taken = frozenset(words(first.replace("'s", " is")))
    times = offered & (WEEKDAYS_OF_ALL | _numbers())
    is_agreed = not taken.isdisjoint(forget_patterns.agreeing())
    return first.strip() if is_agreed and forget_patterns.agreed_words() | times >= taken else ""


@once
def _numbers() -> frozenset[str]:
    """Words of hours and days: “ten”, “fünften”."""
    known = (language for tag in date_language.languages() if (language := date_language.date_language(tag)))
    said = (name for language in known for name in (*language.numbers, *language.day_words))
    return frozenset(word for name in said for word in name.split())
