"""In which language is a conversation?"""

import re
from collections.abc import Sequence

from voice_server.digest.language.stems import function_word_share

_TAG = re.compile(r"([a-z]{2,3})(?:[-_]|$)", re.IGNORECASE)
_NO_LANGUAGE = frozenset({"und", "mul", "mis", "zxx"})
# English talk is 45-60 % function words; its closest neighbours stay below 20 %.
_ENGLISH_SHARE = 0.3


def spoken_language(texts: Sequence[str], given: str = "") -> str:
    """A BCP 47 tag: what is given, else "en" when the texts look English, else ""."""
    tag = primary_tag(given)
    if tag and tag not in _NO_LANGUAGE:
        return given.strip()
    return "en" if function_word_share(texts) >= _ENGLISH_SHARE else ""


def is_english(language: str) -> bool:
    """Whether a BCP 47 tag names a kind of English."""
    return primary_tag(language) in {"en", "eng"}


def primary_tag(language: str) -> str:
    """The language of a BCP 47 tag, without its region: "pt" of "pt-BR"; "" of none."""
    match = _TAG.match(language.strip())
    return match[1].lower() if match else ""
