"""What stays of a turn that is to be forgotten: the answer to a time that was offered before it.

“Saturday the fifth at ten?” – “Yeah, ten's good. They're closing the mill. Forget I said that.”: the
appointment holds, and tells nothing of the rest. In doubt nothing stays.
"""

from collections.abc import Sequence

from voice_server.digest.dates import date_language
from voice_server.digest.language.calendar_names import MONTHS_OF_ALL, WEEKDAYS_OF_ALL
from voice_server.digest.language.stems import FUNCTION_WORDS, words
from voice_server.digest.privacy import forget_patterns, telling
from voice_server.runtime.once import once


def time_taken(offer: str, said: str) -> str:
    """Return the first sentence of what is said, if it only agrees to the day and hour that the offer only
    names, and more follows that may not take it back; else `""`."""
    first, *more = (sentence for _, _, sentence in telling.sentences(said))
    if not more or not _only_offers_a_time(offer):
        return ""
    taken, behind = frozenset(words(first.replace("'s", " is"))), frozenset(words(" ".join(_told(more))))
    is_agreed = not taken.isdisjoint(forget_patterns.agreeing())
    is_agreed = is_agreed and behind.isdisjoint(forget_patterns.denying())
    times = frozenset(words(offer)) & (WEEKDAYS_OF_ALL | words_of_hours())
    return first.strip() if is_agreed and forget_patterns.agreed_words() | times >= taken else ""


def _told(more: Sequence[str]) -> Sequence[str]:
    """Leave out a wish behind something else: the no of “No, sorry, forget that” is of what was told."""
    told = [sentence for sentence in more if not forget_patterns.find(sentence)]
    return told or more


def _only_offers_a_time(offer: str) -> bool:
    """“I've got Saturday at ten?”, not “So he hit you on Friday?”"""
    *_, question = (sentence for _, _, sentence in telling.sentences(offer))
    named = frozenset(words(question))
    hours = {word for word in named if word.isdigit()} | named & words_of_hours()
    beside = named - WEEKDAYS_OF_ALL - MONTHS_OF_ALL - hours - FUNCTION_WORDS
    is_time = bool(hours) and not named.isdisjoint(WEEKDAYS_OF_ALL)
    return question.rstrip().endswith("?") and is_time and beside <= forget_patterns.agreed_words()


@once
def words_of_hours() -> frozenset[str]:
    """Return the words of hours and days: “ten”, “fünften”."""
    known = (language for tag in date_language.languages() if (language := date_language.date_language(tag)))
    said = (name for language in known for name in (*language.numbers, *language.day_words))
    return frozenset(word for name in said for word in name.split())
