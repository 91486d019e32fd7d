"""Names and numbers of a text: what nobody may add to what was said.

Names are found by their capital letter. In English other words have one only at the start of a sentence; in
German every noun has one, so there a name is what nothing marks as a noun. Case does not count in what was
said: a recogniser writes “baxter”. Scripts without capitals are judged by their numbers alone.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import Struct

from voice_server.digest.grounding import stance
from voice_server.digest.grounding.numerals import SpokenNumbers, said_numbers
from voice_server.digest.grounding.vocabulary import Vocabulary, plain, vocabularies, vocabulary
from voice_server.digest.language.languages import is_english
from voice_server.digest.language.stems import FUNCTION_WORDS, content_stems
from voice_server.digest.person_names.lexicon import given_names

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;…。！？(\"“„«]|\s[-–—])\s*$")
_POSSESSIVE = re.compile(r"'s?$")
_ELISION = re.compile(r"^[^\W\d_]{1,6}['’](?=[^\W\d_]{2})")
_NAMED = re.compile(
    r"\w+(?:-|(?:stra(?:ß|ss)e|gasse|allee|platz|weg) \d)"
)  # "die Engel-Apotheke", "Parkallee 3"
_WRITTEN = re.compile(r"\b\w[\w-]*(?:[.@_][a-z0-9][\w-]*)*[.@_][a-z]\w+")  # "plan.pdf", "ada@example.org"
_ENDING = 2  # letters by which a word may be inflected
_SHORTEST_STEM = 4
_SHORTEST_FUNCTION = 2  # letters of words that tell nothing
_ABOUT = 3  # one telling word of so many was said there
_SHORTEST_PART = 5  # letters of a word that is found within a compound


class EntityEvidence(Struct, frozen=True):
    words: frozenset[str]
    stems: frozenset[str]
    numbers: frozenset[str]
    said: SpokenNumbers
    language: str
    english: bool
    elsewhere: frozenset[str] = frozenset()

    def bears_out(self, text: str) -> bool:
        """Tell whether all names and numbers were said. Days are judged elsewhere: leave them out."""
        return not self.lacking(text)

    def lacking(self, text: str, days: str = "") -> str:
        """Return the first name or number that was not said, or "". `days` is the folded text without its
        days."""
        known = vocabulary(self.language)
        names = _names(text, known, english=self.english)
        unsaid = [name for name, is_sure in names if not self._has(name, is_sure=is_sure)]
        if unsaid and self._is_about(text, unsaid):
            unsaid = [name for name in unsaid if not self._is_among(_plain(name), self.elsewhere)]
        return next(iter(unsaid), "") or self.said.lacking(days or plain(text), known)

    def _is_about(self, text: str, names: Iterable[str]) -> bool:
        """Tell whether it may name who was named elsewhere (“she” there is “Veronika” here)."""
        words = {_plain(match[0]) for match in _WORD.finditer(text)} - {_plain(name) for name in names}
        telling = {word for word in words if len(word) > _SHORTEST_FUNCTION and not self._is_idle(word)}
        telling |= {word for word in words for known in vocabularies(self.language) if word in known.weekdays}
        return sum(self._was_said(word) for word in telling) * _ABOUT >= max(1, len(telling))

    def _is_idle(self, word: str) -> bool:
        return word in FUNCTION_WORDS or _is_telling(word, self.language)

    def _was_said(self, word: str) -> bool:
        stems = content_stems(word) if self.english else ()
        return (
            word in self.words
            or not self.stems.isdisjoint(stems)
            or any(_is_inflected(word, said) for said in self.words)
        )

    def name_in(self, text: str) -> str:
        """Return a name as it was said, without an unsaid title; "" when more was not said."""
        words = text.split()
        kept = [word for word in words if all(_plain(one) in self.words for one in _WORD.findall(word))]
        left = [_plain(one) for word in words if word not in kept for one in _WORD.findall(word)]
        is_name = any(self._is_proper(_plain(one)) for word in kept for one in _WORD.findall(word))
        return " ".join(kept) if is_name and all(not self._is_proper(one) for one in left) else ""

    def _is_proper(self, word: str) -> bool:
        return not _is_telling(word, self.language) and word not in FUNCTION_WORDS

    def _has(self, word: str, *, is_sure: bool) -> bool:
        name = _plain(word)
        if name in self.words or _is_telling(name, self.language):
            return True
        if self.english and (
            name in FUNCTION_WORDS or not self.stems.isdisjoint(content_stems(name.casefold()))
        ):
            return True
        return self._is_among(name, self.words, is_sure=is_sure)

    def _is_among(self, name: str, words: frozenset[str], *, is_sure: bool = True) -> bool:
        known = vocabulary(self.language)
        compounds = known is not None and known.has_compounds
        endings = known.endings["name_endings"] if known and is_sure else ()
        return name in words or any(
            _is_inflected(name, said, endings) or (compounds and _is_part(name, said)) for said in words
        )


def said(
    texts: Iterable[str], language: str, names: Iterable[str] = (), elsewhere: frozenset[str] = frozenset()
) -> EntityEvidence:
    """Gather what was said. `names` count as said: of the two who talk, and of what is known. `elsewhere` are
    the `words_of` the whole conversation."""
    told, english = list(texts), is_english(language)
    numbers = said_numbers(told, language)
    return EntityEvidence(
        words=words_of((*told, *names)),
        stems=frozenset(stem for text in told for stem in content_stems(text)) if english else frozenset(),
        numbers=numbers.readings,
        said=numbers,
        language=language,
        english=english,
        elsewhere=elsewhere,
    )


def is_given(word: str) -> bool:
    return _plain(word) in given_names()


def words_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in _words(text))


def _words(text: str) -> Iterator[str]:
    found = [
        _plain(word) for match in _WORD.finditer(text) for word in {match[0], _ELISION.sub("", match[0])}
    ]
    yield from found
    yield from (one + other for one, other in pairwise(found))
    yield from _spelled(found)


def _spelled(words: Iterable[str]) -> Iterator[str]:
    letters = ""
    for word in (*words, "--"):
        if len(word) == 1:
            letters += word
            continue
        if len(letters) > 1:
            yield letters
        letters = ""


def _names(text: str, known: Vocabulary | None, *, english: bool) -> Iterator[tuple[str, bool]]:
    """Yield with each word whether it surely begins no sentence."""
    for written in _WRITTEN.findall(text):
        yield from ((part, True) for part in _WORD.findall(written) if len(part) > 1)
    for match in _WORD.finditer(text):
        word = match[0] if english else _ELISION.sub("", match[0])
        if len(word) > 1 and word[0].isupper() and _may_be_name(text, match.start(), word, known):
            yield word, not _SENTENCE_START.search(text, 0, match.start())


def _may_be_name(text: str, start: int, word: str, known: Vocabulary | None) -> bool:
    if known is None:
        return not _SENTENCE_START.search(text, 0, start)
    name = _plain(word)
    if name in known.months or name in known.weekdays:
        return False
    if known.nouns_are_capitalised and _NAMED.match(text, start):
        return True
    if _SENTENCE_START.search(text, 0, start) and _is_ordinary(word, name, known):
        return False
    return not (known.nouns_are_capitalised and _is_noun(text[:start], word, known))


def _is_ordinary(word: str, name: str, known: Vocabulary) -> bool:
    words = stance.stance(known.language)
    if words and (name in words.idle or words.denials.fullmatch(name)):
        return True
    return known.ends("verb_starts", word.casefold()) and not is_given(word)


def _is_noun(before: str, word: str, known: Vocabulary) -> bool:
    """Tell whether it is a noun, by its ending, or by an article or adjective."""
    if known.ends("noun_endings", word.casefold()):
        return True
    previous = before.rstrip().rpartition(" ")[2]
    if not previous or not previous.isalpha() or before[-1:] not in " (":
        return False
    if previous.endswith("s") and is_given(previous[:-1]):  # "Ahmets Haushalt"
        return True
    is_adjective = previous.islower() and known.ends("adjective_endings", previous)
    return known.has("determiners", plain(previous)) or (is_adjective and not _is_verb(previous))


def _is_verb(word: str) -> bool:
    """“Heißen Max”, “sind Lena”: what introduces a name ends like an adjective, too."""
    return word.startswith(
        ("heiß", "nenn", "besuch", "treff", "sprech", "ruf", "sind", "sein", "wie", "neben", "ohne")
    )


def _plain(word: str) -> str:
    return _POSSESSIVE.sub("", plain(word))


def _is_telling(name: str, language: str) -> bool:
    """Tell whether it is a word with which a digest tells, which need not have been said."""
    return any(
        known.has("telling", name)
        or name in known.weekdays
        or name in known.relatives
        or any(known.has("telling", name.removesuffix(end)) for end in _noun_endings(known))
        for known in vocabularies(language)
    )


def _noun_endings(known: Vocabulary) -> tuple[str, ...]:
    return known.endings["name_endings"] if known.nouns_are_capitalised else ()


def _is_inflected(name: str, word: str, endings: tuple[str, ...] = ()) -> bool:
    if endings:
        return name[: _SHORTEST_STEM - 1] == word[: _SHORTEST_STEM - 1] and not _stems(
            name, endings
        ).isdisjoint(_stems(word, endings))
    stem = max(_SHORTEST_STEM, len(name) - _ENDING)
    return (
        len(name) >= _SHORTEST_STEM and abs(len(name) - len(word)) <= _ENDING and name[:stem] == word[:stem]
    )


def _stems(word: str, endings: tuple[str, ...]) -> set[str]:
    return {word} | {word[: -len(end)] for end in endings if word.endswith(end) and len(word) > len(end) + 2}


def _is_part(name: str, word: str) -> bool:
    """“Tabletten” of “Schilddrüsentabletten”, and the other way round."""
    short, long = sorted((name, word), key=len)
    return len(short) >= _SHORTEST_PART and (long.startswith(short) or long.endswith(short))
