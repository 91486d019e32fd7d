"""A user's turn that asks to forget something: its wishes, what they name, and what it says besides."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from voice_server.digest.language.calendar_names import MONTHS_OF_ALL, WEEKDAYS_OF_ALL
from voice_server.digest.language.stems import content_stems, stem, words
from voice_server.digest.privacy import forget_patterns, forgotten, telling
from voice_server.digest.privacy.forget_patterns import Reach, Wish
from voice_server.digest.privacy.plain_text import whole_words

_LONG = 4  # letters: what is shorter hardly has forms
_ANNOUNCED = re.compile(r"\s*(?:[:,]|but\b)", re.IGNORECASE)
_LED_TO = re.compile(r"\s*(?::|,?\s*but\b)", re.IGNORECASE)
# A number that only says which, and no new one: “my ex's number, 07700 900118”, “el teléfono de mi ex, el
# 655 214 318”, “my ex's number, that's 07700 900118”, not “Scratch that number. It's 0171 1234568.”
_APPOSED = re.compile(
    rf"(?:[,(]\s*|\s+)(?:(?:[^\W\d_A-Z]{{1,4}}'\w{{1,3}}|\w{{1,3}})\s+)?\(?{forgotten.TELEPHONE.pattern}\)?(?=\s*(?:[?.!,;]|$)|\s)"
)
_NEAR = 2  # characters from a wish to what it names
_PUNCTUATION = re.compile(r"\W*")
_CAPITALISED = re.compile(r"\b[^\W\d_a-z]\w+")
_CLEAR: tuple[Reach, ...] = ("before", "here", "topic")  # wishes whatever was said before
_NAMING: tuple[Reach, ...] = ("topic", "known topic", "topic alone")
_NO_NAMES = MONTHS_OF_ALL | WEEKDAYS_OF_ALL | {"sie"}
_REST_OF_SENTENCE = re.compile(r"[ ][^.,!?;:…–—]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")  # written without spaces: its words are not known


class Topic(NamedTuple):
    """What a wish is about: English `stems`, `roots` in its `language`, and text `written` without spaces.
    `certain`: a wish even where nobody spoke of it; `alone`: only when it says nothing else (“Forget Marsh
    Lane.”). `entry`: a kept number or e-mail address that earlier conversations told (“my work number”), or
    with `in_digits` one that is named by them."""

    stems: frozenset[str]
    written: tuple[str, ...]
    certain: bool
    alone: bool = False
    language: str = ""
    roots: frozenset[str] = frozenset()
    entry: str = ""
    in_digits: bool = False


class ForgetRequest(NamedTuple):
    """A user's turn with a wish. `beside` is what it says besides named topics; `told` may be the secret
    itself."""

    place: int
    line: str
    wishes: tuple[Wish, ...]
    topics: tuple[Topic, ...]
    beside: str
    told: str

    def wish(self, reaches: Reach) -> Wish | None:
        """Return the first that reaches so far."""
        return next((wish for wish in self.wishes if wish.reaches == reaches), None)

    def wish_of_no_topic(self) -> Wish | None:
        """“Forget what I said about it” names nothing."""
        return None if self.topics else self.wish("topic")

    def names_number(self) -> bool:
        """Tell whether it names a number alone: “that number”, not “the old number”, “the dress code”."""
        return bool(self._of_numbers()) and not self.is_of_another_call()

    def before_number(self) -> str:
        """Return what is said before the wish that names a number: “It's 4471. Oh no, forget that number.”"""
        return self.line[: min((one.start for one in self._of_numbers()), default=0)]

    def _of_numbers(self) -> list[Wish]:
        language = self.spaced_language()
        if language is None:
            return []
        named = [one for one in self.wishes if one.topic and language.numbers.issuperset(words(one.topic))]
        return [one for one in named if language.other_ones.isdisjoint(words(self.line[one.start : one.end]))]

    def spaced_language(self) -> forget_patterns.Language | None:
        """Return its language; None where that is written without spaces."""
        language = forget_patterns.of_language(self.wishes[0].language)
        return language if language is not None and language.file.spaced else None

    def is_of_another_call(self) -> bool:
        """Tell whether it speaks of another time: “what I told you last week”, not “Ben came yesterday. His
        wife drinks. Forget I said that.”"""
        language = self.spaced_language()
        if language is None or not self._is_clear():
            return False
        sentences = telling.sentences(self.line)
        said = " ".join(
            text
            for start, end, text in sentences
            if self._wishes_in(start, end) or language.refers(text) or language.tells_only_when(text)
        )
        return language.is_of_earlier(said) and not language.is_of_this_call(self.line)

    def _wishes_in(self, start: int, end: int) -> bool:
        return any(start < wish.end and wish.start < end for wish in self.wishes)

    def points_far(self) -> bool:
        """Tell whether it speaks of what was told in this call, and not of the turn before alone."""
        language = self.spaced_language()
        if language is None or not self._is_clear():
            return False
        is_of_call = language.is_of_this_call(self.line)
        return is_of_call or (language.refers(self.line) and not language.is_of_earlier(self.line))

    def _is_clear(self) -> bool:
        """“Forget the onions, last time they were raw” is none."""
        reaches = {wish.reaches for wish in self.wishes}
        return "whole" not in reaches and not reaches.isdisjoint(_CLEAR)

    def text_around(self, wish: Wish) -> str:
        """Return what is told before a wish, and what it plainly leads to: “not for your files: she is
        ill”."""
        return _around(wish, self.line, self.wishes, _LED_TO)

    def told_with(self, wish: Wish) -> str:
        """Add what a wish announces: “between us: she is ill”."""
        return _around(wish, self.line, self.wishes, _ANNOUNCED)

    def said_with(self, language: forget_patterns.Language) -> Iterator[str]:
        """Yield what the sentences of wishes say besides, all that they say where that was told before, and
        what the sentence before says."""
        sentences = [*telling.sentences(self.line)]
        at = [
            n
            for n, (start, end, _) in enumerate(sentences)
            for wish in self.wishes
            if start < wish.end and wish.start < end
        ]
        beside = _without(self.wishes, self.line)
        yield from (beside[sentences[n][0] : sentences[n][1]] for n in at)
        yield from (sentences[n][2] for n in at if language.refers(sentences[n][2]))
        yield from (sentences[n - 1][2] for n in at if n)


def asking(place: int, line: str) -> ForgetRequest | None:
    """Return None when a turn asks for nothing."""
    without = forget_patterns.by_a_part().sub("", line)
    asked = _asking(place, without) if without != line else None
    return asked or _asking(place, line)


def _asking(place: int, line: str) -> ForgetRequest | None:
    apposed = _APPOSED.search(line)
    if apposed is not None:
        without = f"{line[: apposed.start()]}{line[apposed.end() :]}"
        wishes = _without_the_same(forget_patterns.find(without))
        named = next((one for one in wishes if _names_it(one, without, apposed.start())), None)
        if named is not None:
            asked = asked_for(place, without, wishes)
            return asked._replace(topics=(_in_digits(apposed[0], named.language), *asked.topics))
    wishes = _without_the_same(forget_patterns.find(line))
    return asked_for(place, line, wishes) if wishes else None


def _in_digits(text: str, language: str) -> Topic:
    digits = frozenset({"".join(filter(str.isdigit, text))})
    return Topic(digits, (), certain=False, language=language, entry=forgotten.NUMBER, in_digits=True)


def _names_it(wish: Wish, line: str, at: int) -> bool:
    """Tell whether a wish is of the number that stood there: “Delete my ex's number, 07700 900118.”"""
    language = forget_patterns.of_language(wish.language)
    is_number = wish.reaches == "entry" and "mail" not in line[wish.start : wish.end].lower()
    if language is not None and wish.topic:
        is_number = is_number or language.numbers.issuperset(words(wish.topic))
    return is_number and wish.start < at <= wish.end + _NEAR


def asked_for(place: int, line: str, wishes: tuple[Wish, ...]) -> ForgetRequest:
    topics, beside = (*_topics(line, wishes),), _beside(line, wishes)
    return ForgetRequest(place, line, wishes, topics, beside, _told_beside(line, wishes))


def _without_the_same(wishes: Sequence[Wish]) -> tuple[Wish, ...]:
    """“Forget his number” is about an entry, and not about all that tells of numbers."""
    entries = [one for one in wishes if one.reaches == "entry"]
    return tuple(
        wish
        for wish in wishes
        if not any(
            wish.start < entry.end and entry.start < wish.end and wish.reaches in _NAMING for entry in entries
        )
    )


def _topics(line: str, wishes: Iterable[Wish]) -> Iterator[Topic]:
    for wish in wishes:
        stems, written = stems_of(_UNSPACED.sub(" ", wish.topic)), (*_UNSPACED.findall(wish.topic),)
        if wish.reaches == "entry":
            kind = forgotten.E_MAIL if "mail" in line[wish.start : wish.end].lower() else forgotten.NUMBER
            yield Topic(stems, (), certain=False, language=wish.language, entry=kind)
            continue
        if forgotten.TELEPHONE.fullmatch(wish.topic):
            yield _in_digits(wish.topic, wish.language)
            continue
        alone = wish.reaches == "topic alone"
        if (stems or written) and not (alone and not _is_somebodys(line[wish.start : wish.end])):
            roots = roots_of(wish.topic, wish.language)
            yield Topic(stems, written, wish.reaches == "topic", alone, wish.language, roots)


def _is_somebodys(said: str) -> bool:
    """“Forget the train” waives a train."""
    _, _, topic = said.strip(" .,!").partition(" ")
    names = {word.lower() for word in _CAPITALISED.findall(topic)} - _NO_NAMES
    return bool(names) or forget_patterns.is_of_own(said)


def _beside(line: str, wishes: Iterable[Wish]) -> str:
    for wish in sorted((wish for wish in wishes if wish.topic), key=lambda wish: wish.start, reverse=True):
        line = f"{line[: wish.start]} . {line[wish.end :]}"
    return line


def _told_beside(line: str, wishes: Sequence[Wish]) -> str:
    """Leave out what follows “forget what I said about it”: it was not said yet."""
    named = [wish for wish in wishes if wish.topic]
    return _around(min(named, key=lambda wish: wish.start), line, wishes, _ANNOUNCED) if named else ""


def _around(wish: Wish, line: str, wishes: Sequence[Wish], leading: re.Pattern[str]) -> str:
    told = _without(wishes, line)
    before, behind = told[: _begins(wish, line)], told[wish.end :]
    return f"{before} {behind}" if leading.match(line, wish.end) else before


def _without(wishes: Iterable[Wish], line: str) -> str:
    """Blank them out, at the same length."""
    without = line
    for wish in wishes:
        start = min(_begins(wish, line), wish.end)
        without = f"{without[:start]}{' ' * (wish.end - start)}{without[wish.end :]}"
    return without


def _begins(wish: Wish, line: str) -> int:
    """Return where its words begin: the mark before them may end a secret's own mark, “[secret]”."""
    mark = _PUNCTUATION.match(line, wish.start)
    return mark.end() if mark else wish.start


def goes_on_telling(line: str, wish: Wish) -> bool:
    """“Don't tell Ben I smoke”, not “don't tell Ben I told you”, “don't tell anybody at work”."""
    begins = words(line[wish.start : wish.end])[-1:]
    behind = _REST_OF_SENTENCE.match(line, wish.end)
    if behind is None or forget_patterns.speaks_of_place_told(words(behind[0]), wish.language):
        return False
    return telling.says_something(behind[0]) and forget_patterns.begins_own_clause(begins, wish.language)


def roots_of(text: str, language: str) -> frozenset[str]:
    """`stems_of` knows English, and only one form of other words."""
    if language in ("", "en"):
        return frozenset()
    return frozenset(stem(word, language) for word in words(whole_words(text)) if len(word) >= _LONG)


def stems_of(text: str) -> frozenset[str]:
    return frozenset(content_stems(whole_words(text)))
