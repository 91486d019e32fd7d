"""What is told or asked for beside a secret, and is none: “My heart's bad. Don't tell anyone. Remind me to
ring the bank.” In doubt it is taken for the secret.
"""

from voice_server.digest.language.stems import word_count
from voice_server.digest.privacy import forget_patterns, telling
from voice_server.digest.privacy.forget_request import asking, stems_of
from voice_server.digest.secrets.redaction import is_redacted

_LONG = 4  # letters: of what is shorter, many words are in most sentences
_FEWEST = 4  # words of a sentence that may be the secret: “I've lost my job.”


def without(text: str) -> str:
    """Leave out the sentences that only ask for something to be done."""
    return "".join(one for _, _, one in telling.sentences(text) if not _is_one(one))


def secret_of(text: str) -> str:
    """Return the sentences of a turn that may tell the secret: no errand, no wish to forget, no question."""
    told = (one for _, _, one in telling.sentences(without(text)) if not forget_patterns.find(one))
    return " ".join(one for one in told if word_count(one) >= _FEWEST and not one.rstrip().endswith("?"))


def told_beside_a_code(text: str) -> str:
    """Return what a turn tells besides, where all that it wants forgotten is a code that is marked already:
    “31 Mill Street, the alarm's [code]. Forget the code.”"""
    asked = asking(0, text) if is_redacted(text) else None
    if asked is None or not asked.names_number() or len({one.stems for one in asked.topics}) > 1:
        return ""
    told = (one.strip() for _, _, one in telling.sentences(text) if not forget_patterns.find(one))
    return " ".join(told)


def asked_besides(text: str, secret: str) -> str:
    """Return the sentences of a turn that ask for something and have no word of the secret; `""` where no
    secret is told beside them: they may be it."""
    if not telling.says_something(secret):
        return ""
    asked = (one.strip() for _, _, one in telling.sentences(text) if _is_one(one))
    return " ".join(one for one in asked if _has_no_word_of(one, secret))


def told_besides(text: str, secret: str) -> str:
    """Return an answer to what is asked, if it has no word of the secret: “Friday at three, booked.”"""
    return text if _has_no_word_of(text, secret) and not is_redacted(text) else ""


def _has_no_word_of(text: str, secret: str) -> bool:
    return not any(len(word) >= _LONG for word in stems_of(text) & stems_of(secret))


def _is_one(sentence: str) -> bool:
    is_asked = forget_patterns.asks_for_something(sentence) and not forget_patterns.find(sentence)
    return is_asked and not is_redacted(sentence)
