"""Words that people say of anything: no password, where nothing but their place speaks for one."""

from voice_server.digest.language.manner import LANGUAGES, common_words
from voice_server.digest.person_names.lexicon import Lexicon, lexicon
from voice_server.digest.secrets.text import fold
from voice_server.runtime.once import once


def is_everyday(word: str) -> bool:
    """Tell whether a word, folded, is a common one of any language, or ends like one (“raining”)."""
    return word in _common() or any(known.is_seldom(word) for known in _lexicons())


@once
def _common() -> frozenset[str]:
    words = frozenset[str]().union(
        *map(common_words, LANGUAGES), *(one.never | one.seldom for one in _lexicons())
    )
    return frozenset("".join(fold(word).text) for word in words)


@once
def _lexicons() -> tuple[Lexicon, ...]:
    return tuple(known for known in map(lexicon, LANGUAGES) if known is not None)
