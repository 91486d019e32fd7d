"""What a message tells beside a wish: a secret, or only regret, thanks, a question."""

import re
from collections.abc import Iterator

from voice_server.digest.language.languages import is_english, spoken_language
from voice_server.digest.language.stems import FUNCTION_WORDS, word_count, words
from voice_server.digest.privacy import forget_patterns
from voice_server.digest.secrets.redaction import is_redacted

_TELLING = 3  # words of content that tell something
_LONG = 4  # letters of a word that is no function word, in a language whose function words are not known
_FUNCTION_WORDS = FUNCTION_WORDS | {word.replace("'", "") for word in FUNCTION_WORDS}
_SENTENCE = re.compile(r"[^.!?;。！？]+[.!?;。！？]?")
_NO_TELLING = re.compile(
    r".*[?？]$"
    r"|\s*(?:ok(?:ay)?,? )?(?:thanks|thank you|danke|merci|gracias|grazie|obrigad[oa]|dank je|dank u)\b"
    r"|\s*(?:对不起|對不起|抱歉|不好意思|我不[该該應应]|ごめん|すみません|申し訳|やっぱり)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{3}")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def tells(text: str) -> bool:
    """Tell whether this is more than a little regret, thanks, excuse, or a question. A secret's mark tells as
    much as the secret."""
    told = " ".join(
        forget_patterns.before_excuse(one) for one in _SENTENCE.findall(text) if not _NO_TELLING.match(one)
    )
    if is_redacted(told) or _NUMBER.search(told):
        return True
    if _CJK.search(told):
        return word_count(forget_patterns.told(told)) > _TELLING
    return len(set(_content(told))) >= _TELLING


def sentences(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each begins and ends, and what it says."""
    yield from ((one.start(), one.end(), one[0]) for one in _SENTENCE.finditer(text))


def without_reasons(text: str) -> str:
    """Drop the sentences that only excuse a wish."""
    return "".join(one for one in _SENTENCE.findall(text) if not forget_patterns.is_excuse(one))


def says_nothing(text: str) -> bool:
    """Tell whether a turn only acknowledges: “Yes, right”."""
    return set(words(text)) <= forget_patterns.acknowledgements()


def says_something(text: str) -> bool:
    """Tell whether a clause tells anything beside that something is said."""
    return bool(_content(text))


def _is_little(word: str) -> bool:
    """“didnt” tells as little as “didn't”."""
    return word in _FUNCTION_WORDS or word in forget_patterns.no_secret()


def _content(told: str) -> list[str]:
    content = [word for word in words(told) if not _is_little(word)]
    if is_english(spoken_language([told])):
        return content
    return [word for word in content if len(word) >= _LONG or word.isdigit()]
