"""Names and numbers of a text: what nobody may add to what was said.

Names are found by their capital letter. At the start of a sentence every word has one, and in German every
noun: outside English such words pass when they are first, and inflected ones count as said. Scripts without
capitals are judged by their numbers alone.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from voice_server.digest.languages import is_english
from voice_server.digest.stems import FUNCTION_WORDS, content_stems
from voice_server.digest.word_lists import word_set

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;…。！？(\"“„«]|\s[-–—])\s*$")
_DIGITS = re.compile(r"\d{1,30}")
_THOUSANDS = re.compile(r"(?<=\d)[,.\u202f\u00a0 ’'](?=\d{3}(?!\d))")
_POSSESSIVE = re.compile(r"'s?$")
_ENDING = 2  # letters by which a word may be inflected
_SHORTEST_STEM = 4

# Words with which a digest tells, and that need not have been said.
_TELLING = word_set("""caller callers user agent assistant conversation call english
    anrufer anruferin nutzer nutzerin agentin assistent assistentin gespräch anruf frage""")
_UNITS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_COUNTED = {
    **{word: str(n) for n, word in enumerate(_UNITS + _TEENS)},
    **{word: str(10 * n) for n, word in enumerate(_TENS, 2)},
    "dozen": "12",
    "hundred": "100",
    "thousand": "1000",
}  # fmt: skip
_HEARD = {**_COUNTED, **{word: str(n) for n, word in enumerate(_ORDINALS, 1)}, "half": "30", "quarter": "15"}
_COMPOUND = re.compile(rf"\b({'|'.join(_TENS)})[ -]({'|'.join(_UNITS[1:10])})\b")
_NO_NUMBERS = frozenset({"zero", "one"})  # "no one", "one of them"


class Said(Struct, frozen=True):
    """The words and numbers of some messages."""

    words: frozenset[str]
    stems: frozenset[str]
    numbers: frozenset[str]
    english: bool

    def bears_out(self, text: str) -> bool:
        """Whether every name and number of a text was said. Days are judged elsewhere: leave them out."""
        return _numbers(text, english=self.english) <= self.numbers and all(
            self._has(name) for name in _names(text, english=self.english)
        )

    def _has(self, name: str) -> bool:
        if name in self.words or name in _TELLING:
            return True
        if self.english:
            return name in FUNCTION_WORDS or not self.stems.isdisjoint(content_stems(name))
        return any(_is_inflected(name, word) for word in self.words)


def said(texts: Iterable[str], language: str) -> Said:
    """What was said in these messages."""
    told, english = list(texts), is_english(language)
    return Said(
        words=frozenset(_plain(word.group()) for text in told for word in _WORD.finditer(text)),
        stems=frozenset(stem for text in told for stem in content_stems(text)) if english else frozenset(),
        numbers=frozenset(number for text in told for number in _heard(text)),
        english=english,
    )


def _names(text: str, *, english: bool) -> Iterator[str]:
    for word in _WORD.finditer(text):
        if word.group()[0].isupper() and (english or not _SENTENCE_START.search(text, 0, word.start())):
            yield _plain(word.group())


def _plain(word: str) -> str:
    return _POSSESSIVE.sub("", word.replace("’", "'")).casefold()


def _is_inflected(name: str, word: str) -> bool:
    stem = max(_SHORTEST_STEM, len(name) - _ENDING)
    return (
        len(name) >= _SHORTEST_STEM and abs(len(name) - len(word)) <= _ENDING and name[:stem] == word[:stem]
    )


def _numbers(text: str, *, english: bool) -> set[str]:
    """The numbers of a text, as digits."""
    found = _digits(text)
    if english:
        low, compounds = _without_compounds(text)
        found |= compounds | {
            _COUNTED[w] for w in _WORD.findall(low) if w in _COUNTED and w not in _NO_NUMBERS
        }
    return found


def _heard(text: str) -> set[str]:
    """The numbers that a message bears out: spelled ones too, and the parts of compound ones."""
    _, compounds = _without_compounds(text)
    return (
        _digits(text) | compounds | {_HEARD[word] for word in _WORD.findall(text.lower()) if word in _HEARD}
    )


def _digits(text: str) -> set[str]:
    return {str(int(run)) for run in _DIGITS.findall(_THOUSANDS.sub("", text))}


def _without_compounds(text: str) -> tuple[str, set[str]]:
    """The text in lower case without numbers like "twenty-three", and those."""
    low = text.lower()
    found = {str(int(_COUNTED[tens]) + int(_COUNTED[unit])) for tens, unit in _COMPOUND.findall(low)}
    return _COMPOUND.sub(" ", low), found
