"""From text to lexemes: what is indexed of a message, and what is looked up for a query.

    "Hey Mel! We went to the museum."  (en)  →  hey mel went museum · @mel
    "我在柏林工作"                              →  我 我在 在 在柏 柏 柏林 林 林工 工 工作 作

Words are stemmed by their language (Snowball; a language it does not know keeps its words), English function
words are left out. Scripts without spaces give pairs of neighbouring characters (on Chinese talk, pairs find
61.9 % of what is looked for, a trigram index 52.9, whole runs 2-3), and single ones where these are words or
syllables with a sense.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from voice_server.digest.language.irregular_verbs import base_form
from voice_server.digest.language.languages import primary_tag, spoken_language
from voice_server.digest.language.stems import FUNCTION_WORDS, stem

_ENGLISH = "en"
# Scripts without spaces between words, or (Korean) with endings grown onto them.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# The vowel signs of Arabic, Hebrew and the scripts of India belong to their words; to `\w` they are no
# letters.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff"
_RUN = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}](?:[^\W_{_UNSPACED}]|[{_MARKS}])*(?:'\w+)?")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_DROPPED_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]")
_PAIR = 2
_LONGEST = 64  # characters of a lexeme: what is longer is no word
# Characters that are words: 猫, 집.
_WORDLIKE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
# A name that somebody is called by stands after a greeting or between pauses: "Hey Mel!", "Thanks, Mel.". Not
# where a sentence begins: there are "Well," and "Great!" too, which an agent says as often.
_GREETINGS = (
    "hey|hi|hello|thanks|thank you|bye|goodbye|good (?:morning|evening|night|afternoon)|morning|dear"
    "|hallo|servus|danke|hola|gracias|bonjour|salut|merci|ciao|grazie|olá|oi|obrigad[oa]|hej|tack|hoi|dank je"
)
_CALLED = re.compile(
    rf"(?:(?:^|[.!?;:…—–-]\s*|\b)(?:{_GREETINGS})\s+|,\s*)([^\W\d_][\w'’-]+)(?=\s*(?:[,.!?;:…—–]|$))",
    re.IGNORECASE,
)
_CALL = "@"


def lexemes(text: str, language: str) -> list[str]:
    """Return them in order and with repetitions. `language` is BCP 47, or "" for unknown."""
    base = language.partition("-")[0].lower()
    return [lexeme for run in _runs(text) for lexeme in _of_run(run, base)]


def called(text: str) -> set[str]:
    """Return the names, lower-case and marked, by which somebody may be called here: who says them, and how
    often, shows whether they are names."""
    names = (name for name in _CALLED.findall(text.replace("’", "'")) if name[0].isupper())
    return {
        _CALL + without_accents(part.lower())[:_LONGEST] for name in names for part in name.split("-") if part
    }


class Word(Struct, frozen=True):
    """A word of a query: its lexemes in the languages of the talk, and when it may be somebody's name, the
    marks under which they may be called so, short forms (“Mel”) before the whole name."""

    lexemes: tuple[str, ...]
    marks: tuple[str, ...]
    written: str


def words(text: str, languages: Sequence[str]) -> list[Word]:
    """Return what a query asks for, each word once, in talk of these languages."""
    found: dict[tuple[str, ...], Word] = {}
    for run in _RUN.findall(text.replace("’", "'")):
        for word in _words(run, languages):
            found.setdefault(word.lexemes, word)
    return list(found.values())


def _words(run: str, languages: Sequence[str]) -> Iterator[Word]:
    if _IS_UNSPACED.match(run):
        yield from (Word((lexeme,), (), run) for lexeme in _of_run(run, ""))
        return
    plain = run.lower()
    if _ENGLISH in languages and is_stop_word(plain):
        return
    lexemes = dict.fromkeys(one for language in languages for one in _of_run(plain, language))
    yield Word(tuple(lexemes), _name_lexemes(run) if run[0].isupper() else (), run.removesuffix("'s"))


def _name_lexemes(name: str) -> tuple[str, ...]:
    plain = without_accents(name.lower().removesuffix("'s")[:_LONGEST])
    return tuple(_CALL + plain[:end] for end in range(min(_SHORTEST_NAME, len(plain)), len(plain) + 1))


_SHORTEST_NAME = 3


def language_of(said: Sequence[str], told: str, users: str) -> str:
    """Return the platform's language if the messages do not clearly belie it, else what they look like, else
    the user's."""
    return primary_tag(spoken_language(said, told)) or primary_tag(users)


def is_unspaced(text: str) -> bool:
    """Tell whether a text begins in a script that has no spaces between words."""
    return bool(_IS_UNSPACED.match(text))


def is_stop_word(word: str) -> bool:
    return word in FUNCTION_WORDS


def _runs(text: str) -> list[str]:
    return _RUN.findall(text.replace("’", "'").lower())


def _of_run(run: str, language: str) -> list[str]:
    if _IS_UNSPACED.match(run):
        return list(_characters(run))
    if language == _ENGLISH and is_stop_word(run):
        return []
    word = run.removesuffix("'s")
    if language == _ENGLISH:
        word = base_form(word)
    return [_lexeme(word[:_LONGEST], language)]


def _characters(run: str) -> Iterator[str]:
    for at, character in enumerate(run):
        if _WORDLIKE.match(character) or len(run) == 1:
            yield character
        if at + 1 < len(run):
            yield run[at : at + _PAIR]


@lru_cache(maxsize=50_000)
def _lexeme(word: str, language: str) -> str:
    return without_accents(stem(word, language))


def without_accents(word: str) -> str:
    return unicodedata.normalize("NFC", _DROPPED_MARKS.sub("", unicodedata.normalize("NFKD", word)))
