"""In which language is a conversation?"""

import re
from collections.abc import Mapping, Sequence

from voice_server.digest.language.manner import LANGUAGES, common_words
from voice_server.digest.language.stems import FUNCTION_WORDS, words
from voice_server.runtime.once import once

_TAG = re.compile(r"([a-z]{2,3})(?:[-_]|$)", re.IGNORECASE)
_NO_LANGUAGE = frozenset({"und", "mul", "mis", "zxx"})
# Of the words of a talk; talk in a language that is known here has 0.2 to 0.8, in another one below 0.15.
_COMMON = 0.15
_COMMON_OF_FEW = 0.3
_CLEARLY = 2.0  # times as many as of any other language
_ENOUGH = 2.0  # common words; one that several languages have counts in each of them for its part
# Against what is told: a few words may be quoted, or be names.
_MANY = 8.0
_NEXT_TO_NONE = 0.25


def spoken_language(texts: Sequence[str], given: str = "") -> str:
    """Return a BCP 47 tag: `given`, unless the talk clearly is in another language; else what the texts look
    like; else `""`. Platforms tell the language an agent was set to, whatever was spoken."""
    tag = primary_tag(given)
    told = bool(tag) and tag not in _NO_LANGUAGE
    if told and tag not in LANGUAGES:
        return given.strip()
    said = [word for text in texts for word in words(text)]
    found = _common_words(said)
    if not told:
        return _clearest(found, max(_COMMON * len(said), min(_ENOUGH, _COMMON_OF_FEW * len(said))))
    spoken = _clearest(found, max(_COMMON * len(said), _MANY))
    return spoken if spoken and found[tag] < _NEXT_TO_NONE * found[spoken] else given.strip()


def _clearest(found: Mapping[str, float], least: float) -> str:
    """Need enough common words, and far more than of any other."""
    (most, language), (fewer, _), *_ = sorted(((count, one) for one, count in found.items()), reverse=True)
    return language if most and most >= max(least, _CLEARLY * fewer) else ""


def _common_words(said: Sequence[str]) -> dict[str, float]:
    found = dict.fromkeys(LANGUAGES, 0.0)
    for word in said:
        spoken_in = _languages_by_word().get(word, ())
        for language in spoken_in:
            found[language] += 1 / len(spoken_in)
    return found


@once
def _languages_by_word() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for language in LANGUAGES:
        for word in common_words(language) | (FUNCTION_WORDS if language == "en" else frozenset()):
            found.setdefault(word, []).append(language)
    return found


def is_english(language: str) -> bool:
    return primary_tag(language) in {"en", "eng"}


def primary_tag(language: str) -> str:
    """Return the language of a BCP 47 tag: “pt” of “pt-BR”; `""` of none."""
    match = _TAG.match(language.strip())
    return match[1].lower() if match else ""
