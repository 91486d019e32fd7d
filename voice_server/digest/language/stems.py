"""Words and stems: what a text is about, without function words."""

import re
from functools import lru_cache
from threading import Lock
from typing import Protocol

from Stemmer import Stemmer

from voice_server.digest.language.word_lists import word_set

_WORD = re.compile(r"\w+(?:'\w+)?")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0e7f]")
_CJK_PER_WORD = 2
_KEPT_IN_ITSELF = 0  # words: `stem` keeps them
_TEXTS = 1000  # kept with their words: those of a few calls

# Snowball's English stop words, and what is left of a contraction after its apostrophe.
FUNCTION_WORDS = word_set("""
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves what which who whom this that these those am is
    are was were be been being have has had having do does did doing a an the and but if or because as until
    while of at by for with about against between into through during before after above below to from up down
    in out on off over under again further then once here there when where why how all any both each few more
    most other some such no nor not only own same so than too very s t can will just don should now i'm i've
    i'll i'd you're you've you'll you'd he's she's it's we're we've we'll we'd they're they've they'll they'd
    that's there's what's let's isn't aren't wasn't weren't haven't hasn't hadn't won't wouldn't don't doesn't
    didn't can't couldn't shouldn't would could d ll m re ve""")
_TALK_WORDS = word_set("yeah yes yep oh hey hi hello um uh mm hm okay ok wow bye thanks thank")


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 (the library's own spelling)


@lru_cache(maxsize=_TEXTS)
def words(text: str) -> tuple[str, ...]:
    """Return words of any script, lower-case, with straight apostrophes. Cached: a digest looks at those of a
    sentence a dozen times."""
    return tuple(_WORD.findall(text.lower().replace("’", "'")))


def word_count(text: str) -> int:
    return len(text.split()) + len(_CJK.findall(text)) // _CJK_PER_WORD


def content_stems(text: str, *, english: bool = True) -> list[str]:
    """Return stems in order, with repetitions, without function words; unless `english`, all words as they
    are. The sets of these, counted per conversation, are the document frequencies that `digest` takes."""
    if not english:
        return [*words(text)]
    return [
        stem(word, "en") for word in words(text) if word not in FUNCTION_WORDS and word not in _TALK_WORDS
    ]


@lru_cache(maxsize=50_000)
def stem(word: str, language: str) -> str:
    """Return the word itself where no stemmer knows the language. Cached: people repeat themselves."""
    stemmer = _stemmer(language)
    if stemmer is None:
        return word
    with _ONE_AT_A_TIME:
        return stemmer.stemWord(word)


_ONE_AT_A_TIME = Lock()  # a stemmer keeps the word it works on in itself


@lru_cache(maxsize=64)
def _stemmer(language: str) -> _Stemmer | None:
    return Stemmer(_SNOWBALL[language], _KEPT_IN_ITSELF) if language in _SNOWBALL else None


# By ISO 639-1. Its "porter" and the like are older rules for the same languages.
_SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch",
    "nn": "norwegian", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
