"""What is told or asked for beside a secret, and is none: “My heart's bad. Don't tell anyone.” – “I won't.” –
“And remind me on Friday to ring the bank.” In doubt it is taken for the secret.
"""

import re

from voice_server.digest.language.calendar_names import MONTHS_OF_ALL, WEEKDAYS_OF_ALL
from voice_server.digest.language.stems import word_count, words
from voice_server.digest.privacy import forget_patterns, telling
from voice_server.digest.privacy.forget_request import asking, stems_of
from voice_server.digest.privacy.time_taken import words_of_hours
from voice_server.digest.secrets.redaction import is_redacted

_LONG = 4  # letters: of what is shorter, many words are in most sentences
_FEWEST = 4  # words of a sentence that may be the secret: “I've lost my job.”
_BESIDE_A_TIME = 2  # words of an answer: “Friday at three, booked for you.”
_CLAUSE_ENDS = re.compile(r"[.,;:!?]")


def without(text: str) -> str:
    """Leave out the sentences that only ask for something to be done."""
    return "".join(one for _, _, one in telling.sentences(text) if not _is_errand(one))


def secret_of(text: str) -> str:
    """Return the sentences of a turn that may tell the secret: no errand, no wish to forget, no question."""
    told = (one for _, _, one in telling.sentences(without(text)) if not forget_patterns.find(one))
    return " ".join(one for one in told if word_count(one) >= _FEWEST and not one.rstrip().endswith("?"))


def asked_besides(text: str, secret: str) -> str:
    """Return the sentences of a turn that ask for something and have no word of the secret; `""` where no
    secret is told beside them: they may be it. What is asked for in the turn of the secret, or of the wish,
    names nothing but a time: “Book me for Friday at three.”"""
    if not telling.says_something(secret):
        return ""
    sentences = [one.strip() for _, _, one in telling.sentences(text)]
    asked = [one for one in sentences if _is_errand(one)]
    is_apart = len(asked) == len(sentences)
    kept = (one for one in asked if (not _points_back(one) if is_apart else not _named(one)))
    return " ".join(one for one in kept if _has_no_word_of(one, secret))


def answered_besides(text: str, asked: str, secret: str) -> str:
    """Return the answer to what is asked for, if it names no more than that."""
    more = _named(text) - _long_words(asked)
    is_of_it = len(more) <= _BESIDE_A_TIME and _has_no_word_of(text, secret)
    return text if is_of_it and not is_redacted(text) else ""


def told_before_a_code(text: str) -> str:
    """Return what the sentence of a code that is masked already tells before it, where that is all that is to
    be forgotten: “31 Mill Street, the alarm's [code]. Forget the code.” What stands behind may tell it."""
    asked = asking(0, text) if is_redacted(text) else None
    if asked is None or not asked.names_number() or len({one.stems for one in asked.topics}) > 1:
        return ""
    mark = text.index("[")
    start, end = next(((a, b) for a, b, _ in telling.sentences(text) if a <= mark < b), (0, 0))
    if not all(wish.topic or start <= wish.start < end for wish in asked.wishes):
        return ""  # “My sister drinks. The alarm's [code]. Forget that. Forget the code.”
    ends = [found.end() for found in _CLAUSE_ENDS.finditer(text, start, mark)]
    return text[start : ends[-1]].strip(" ,;:") if ends else ""


def _is_errand(sentence: str) -> bool:
    is_asked = forget_patterns.asks_for_something(sentence) and not forget_patterns.find(sentence)
    return is_asked and not is_redacted(sentence)


def _points_back(sentence: str) -> bool:
    """“Remind me to hide it from her.”"""
    return not forget_patterns.pronouns().isdisjoint(words(sentence))


def _named(sentence: str) -> frozenset[str]:
    """Return the long words of a sentence beside its request, times and agreement."""
    known = WEEKDAYS_OF_ALL | MONTHS_OF_ALL | words_of_hours() | forget_patterns.agreed_words()
    return _long_words(forget_patterns.behind_request(sentence)) - known


def _long_words(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text) if len(word) >= _LONG)


def _has_no_word_of(text: str, secret: str) -> bool:
    return not any(len(word) >= _LONG for word in stems_of(text) & stems_of(secret))
