"""Words that people say of anything: no secret, where nothing but their place speaks for one."""

from voice_server.digest.language.manner import LANGUAGES, common_words
from voice_server.digest.person_names.lexicon import Lexicon, lexicon
from voice_server.digest.secrets.text import fold
from voice_server.runtime.once import once


def is_common(word: str) -> bool:
    """Tell whether hardly a sentence is without it, folded, in any language."""
    return word in _common()


def is_everyday(word: str) -> bool:
    """Tell whether it is common or hardly ever a name, or ends like one that is not (“raining”)."""
    return word in _everyday() or any(known.is_seldom(word) for known in _lexicons())


@once
def _common() -> frozenset[str]:
    return frozenset(fold(word).text for tag in LANGUAGES for word in common_words(tag))


@once
def _everyday() -> frozenset[str]:
    words = frozenset[str]().union(*(one.never | one.seldom for one in _lexicons()))
    return _common() | {fold(word).text for word in words}


@once
def _lexicons() -> tuple[Lexicon, ...]:
    return tuple(known for known in map(lexicon, LANGUAGES) if known is not None)
