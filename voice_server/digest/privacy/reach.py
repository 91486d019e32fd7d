"""What a wish reaches: the messages that are not to be remembered."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from voice_server.digest.language.calendar_names import MONTHS_OF_ALL, WEEKDAYS_OF_ALL
from voice_server.digest.language.stems import content_stems, stem, word_count, words
from voice_server.digest.privacy import confiding, forget_patterns, forgotten, telling
from voice_server.digest.privacy.forget_patterns import Wish
from voice_server.digest.privacy.forgotten import is_question
from voice_server.digest.privacy.plain_text import whole_words
from voice_server.domain.conversation import Message

_FEW_WORDS = 12  # a message as short as this, that asks for secrecy, says little else
_LONG = 4  # letters: what is shorter hardly has forms
_ANNOUNCED = re.compile(r"\s*(?:[:,]|but\b)", re.IGNORECASE)
_LED_TO = re.compile(r"\s*(?::|,?\s*but\b)", re.IGNORECASE)
_PUNCTUATION = re.compile(r"\W*")
_CAPITALISED = re.compile(r"\b[^\W\d_a-z]\w+")
_CLEAR: tuple[forget_patterns.Reach, ...] = ("before", "here", "topic")  # wishes whatever was said before
_NAMING: tuple[forget_patterns.Reach, ...] = ("topic", "known topic", "topic alone")
_NO_NAMES = MONTHS_OF_ALL | WEEKDAYS_OF_ALL | {"sie"}
_REST_OF_SENTENCE = re.compile(r"[ ][^.,!?;:…–—]+")
_SAID_TOGETHER = 3  # words that name a thing: of more, an earlier message need only have half
_OFTEN = 3  # user's turns with a word, from which on it may be what the whole call is about
_OF_CALL = 2  # it is, in every second turn
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")  # written without spaces: its words are not known


class Topic(NamedTuple):
    """What a wish is about: English `stems`, `roots` in its `language`, and text `written` without spaces.
    `certain`: a wish even where nobody spoke of it; `alone`: only when it says nothing else (“Forget Marsh
    Lane.”). `entry`: a kept number or e-mail address that earlier conversations told (“my work number”)."""

    stems: frozenset[str]
    written: tuple[str, ...]
    certain: bool
    alone: bool = False
    language: str = ""
    roots: frozenset[str] = frozenset()
    entry: str = ""


class ForgetRequest(NamedTuple):
    """A user's turn with a wish. `beside` is what it says besides named topics; `told` may be the secret
    itself."""

    place: int
    line: str
    wishes: tuple[Wish, ...]
    topics: tuple[Topic, ...]
    beside: str
    told: str


def asking(place: int, line: str) -> ForgetRequest | None:
    """Return None when a turn asks for nothing."""
    wishes = _without_the_same(forget_patterns.find(line))
    return asked_for(place, line, wishes) if wishes else None


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


def is_of_another_call(asked: ForgetRequest) -> bool:
    """Tell whether it speaks of another time: “what I told you last week”."""
    language = _spaced(asked)
    if language is None or not _is_clear(asked):
        return False
    return language.is_of_earlier(asked.line) and not language.is_of_this_call(asked.line)


def _is_clear(asked: ForgetRequest) -> bool:
    """“Forget the onions, last time they were raw” is none."""
    reaches = {wish.reaches for wish in asked.wishes}
    return "whole" not in reaches and not reaches.isdisjoint(_CLEAR)


def _spaced(asked: ForgetRequest) -> forget_patterns.Language | None:
    language = forget_patterns.of_language(asked.wishes[0].language)
    return language if language is not None and language.file.spaced else None


class WishTalk:
    """A conversation, and where in it each thing is spoken of."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages
        self._of_language: dict[str, Mapping[str, Sequence[int]]] = {}

    def of_earlier(self, asked: ForgetRequest, earlier: Sequence[Sequence[Message]] = ()) -> Iterator[Topic]:
        """Yield the topics that earlier conversations must tell no more, either. What none of the `earlier`
        ones speaks of (the latest first) is what was confided in the latest that confides anything."""
        named = [
            topic
            for topic in asked.topics
            if topic.certain or topic.entry or self._is_of_earlier(topic, asked)
        ]
        yield from named
        subject = None if named else self._subject(asked)
        if subject and subject.is_of_earlier:
            named = [*subject.topics()]
            yield from named
        if is_of_another_call(asked) and not any(_is_spoken_of(topic, earlier) for topic in named):
            yield from next(filter(None, map(_confided, earlier)), ())

    def meant(self, asked: ForgetRequest) -> Iterator[int]:
        """Yield the places of the messages that are not to be remembered."""
        named = [topic for topic in asked.topics if self._is_meant(topic, asked)]
        if (wish := _reaching("ahead", asked.wishes)) and not _reaching("whole", asked.wishes):
            yield from self._ahead(asked, wish)
        elif not named:
            yield from self._unnamed(asked)
            yield from self._confided(asked)
        elif _reaching("whole", forget_patterns.find(asked.beside)):
            yield from range(len(self._messages))
        else:
            for topic in named:
                yield from self._about(topic, asked)
            if not any(self._is_told(topic, asked) for topic in named):
                yield from self._confided(asked)

    def _is_meant(self, topic: Topic, asked: ForgetRequest) -> bool:
        if topic.entry:
            return False
        return topic.certain or self._is_known(topic, asked) or self._is_of_earlier(topic, asked)

    def _is_of_earlier(self, topic: Topic, asked: ForgetRequest) -> bool:
        only = all(wish.reaches in ("known topic", "topic alone") for wish in asked.wishes)
        return topic.alone and only and not self._is_known(topic, asked) and not telling.tells(asked.beside)

    def _about(self, topic: Topic, asked: ForgetRequest) -> Iterator[int]:
        yield asked.place
        yield from self._spoken_of(topic)
        if self._is_told(topic, asked):
            return
        if topic.alone or forget_patterns.is_of_earlier(asked.line, topic.language):
            yield from range(asked.place, self._after_reply(asked.place))
        else:
            yield from self._before(asked, asked.told)

    def _is_known(self, topic: Topic, asked: ForgetRequest) -> bool:
        """Tell whether earlier messages tell it: the answer to a wish repeats its words."""
        return self._was_spoken_of(topic, asked) or not topic.stems.isdisjoint(_stems(asked.beside))

    def _is_told(self, topic: Topic, asked: ForgetRequest) -> bool:
        """Tell whether they tell it beside reasons, which may repeat the words."""
        return self._was_spoken_of(topic, asked) or not topic.stems.isdisjoint(_stems(asked.told))

    def _was_spoken_of(self, topic: Topic, asked: ForgetRequest) -> bool:
        return any(place < asked.place for place in self._spoken_of(topic))

    def _spoken_of(self, topic: Topic) -> Iterator[int]:
        for word in topic.stems:
            yield from self._stems.get(word, ())
        for root in topic.roots:
            yield from self._roots(topic.language).get(root, ())
        for written in topic.written:
            yield from (i for i, message in enumerate(self._messages) if written in message.content)

    def _unnamed(self, asked: ForgetRequest) -> Iterator[int]:
        """Yield what has the words of the wish's own sentence; where nothing has, what it points to."""
        if _reaching("whole", asked.wishes) or not (subject := self._subject(asked)):
            yield from self._pointed_at(asked)
        elif subject.places:
            yield from range(asked.place, self._after_reply(asked.place))
            for place in subject.places:
                yield from self._with_answers(place)
        elif subject.is_of_another_call:
            yield from range(subject.place, self._after_reply(asked.place))
        else:
            yield from self._pointed_at(asked)

    def _confided(self, asked: ForgetRequest) -> Iterator[int]:
        """Yield what was confided before, where a wish points back by words that nobody said: “the matter I
        spoke of earlier”."""
        if _points_far(asked) and not ((subject := self._subject(asked)) and subject.places):
            for place in confiding.confided(self._messages[: asked.place]):
                yield from range(place, self._after_reply(place))

    def _subject(self, asked: ForgetRequest) -> "Subject | None":
        """Return what a wish that names nothing is about; the turn before may say it: “I told you about my
        brother.” – “Yes?” – “Don't keep that.”"""
        language = _spaced(asked)
        if language is None:
            return None
        line = asked.line
        told = [*_said_with(line, asked.wishes, language)]
        of = next((one for one in told if language.refers(one) and language.about(one)), "")
        said = of or next((one for one in told if language.subject(one)), "")
        refers, place = language.refers(line), asked.place
        before = self._turn_before(place)
        if not said and before != place and language.told_another_time(self._messages[before].content):
            said, place = self._messages[before].content, before
            refers = language.refers(said)
        words = (*dict.fromkeys(language.about(said) or language.subject(said)),)
        is_new = any(not self._places_of(word, language.tag, place) for word in words)
        if not words or (is_new and not refers):
            return None
        places = self._best(words, language.tag, place)
        is_of_another = refers and language.is_of_earlier(f"{said} {line}")
        is_of_earlier = is_of_another or (refers and not places)
        return Subject(words, language.tag, place, places, is_of_earlier, is_of_another)

    def _best(self, words: Sequence[str], tag: str, before: int) -> tuple[int, ...]:
        """Return the places that have the most of the words; one that the whole call is about says
        nothing."""
        asked = sum(self._is_user(i) for i in range(before))
        found = [self._places_of(word, tag, before) for word in words]
        counts = Counter(
            place for places in found if len(places) < max(_OFTEN, asked // _OF_CALL) for place in places
        )
        most = max(counts.values(), default=0)
        return tuple(place for place, count in counts.items() if 2 * count > most)

    def _places_of(self, word: str, tag: str, before: int) -> frozenset[int]:
        stems = {place for one in _stems(word) for place in self._stems.get(one, ())}
        roots = {place for one in _roots(word, tag) for place in self._roots(tag).get(one, ())}
        return frozenset(place for place in stems | roots if place < before)

    def _with_answers(self, place: int) -> range:
        """Add the answer, which tells what is asked, or what the agent says to it."""
        message = self._messages[place]
        asks = not self._is_user(place) and is_question(message.content)
        answered = self._next_turn(place) if asks else place
        return range(place, self._after_reply(answered))

    def _pointed_at(self, asked: ForgetRequest) -> Iterator[int]:
        if _reaching("whole", asked.wishes):
            yield from range(len(self._messages))
        elif wish := _reaching("before", asked.wishes) or _of_no_topic(asked):
            yield from self._before(asked, _text_around(asked.line, wish))
        elif wish := _reaching("here", asked.wishes):
            yield from self._here(asked, wish)

    def _before(self, asked: ForgetRequest, beside: str) -> range:
        """Add the turn before, unless the secret is told beside the wish."""
        first = asked.place if telling.tells(beside) else self._turn_before(asked.place)
        return range(first, self._after_reply(asked.place))

    def _here(self, asked: ForgetRequest, wish: Wish) -> range:
        is_long = word_count(telling.without_reasons(asked.line)) > _FEW_WORDS
        if is_long or telling.tells(_told_with(asked.line, wish)) or _goes_on_telling(asked.line, wish):
            return range(asked.place, self._after_reply(asked.place))
        before = self._turn_before(asked.place)
        if before != asked.place and forget_patterns.points_back(asked.line):
            return range(before, self._after_reply(asked.place))
        # it speaks of the turn before or of the next: neither is kept
        return range(before, self._after_reply(self._next_turn(asked.place)))

    def _ahead(self, asked: ForgetRequest, wish: Wish) -> Iterator[int]:
        """Yield what is told next: “Can I tell you something that you forget at once?” – “Sure.” – “Okay.”"""
        yield from range(asked.place, self._after_reply(asked.place))
        if telling.tells(asked.line[wish.end :]):
            return
        told = self._next_turn(asked.place)
        while told != asked.place and not self._says_something(told) and self._next_turn(told) != told:
            told = self._next_turn(told)
        yield from range(told, self._after_reply(told))

    def _turn_before(self, place: int) -> int:
        """Pass over turns that only say yes."""
        return next(
            (i for i in range(place - 1, -1, -1) if self._is_user(i) and self._says_something(i)), place
        )

    def _says_something(self, place: int) -> bool:
        return not telling.says_nothing(self._messages[place].content)

    def _next_turn(self, place: int) -> int:
        return next((i for i in range(place + 1, len(self._messages)) if self._is_user(i)), place)

    def _after_reply(self, place: int) -> int:
        """Include what the agent does with tools."""
        return next(
            (i for i in range(place + 1, len(self._messages)) if self._is_user(i)), len(self._messages)
        )

    def _is_user(self, place: int) -> bool:
        return self._messages[place].role == "user"

    @cached_property
    def _stems(self) -> Mapping[str, Sequence[int]]:
        return self._places(_stems)

    def _roots(self, language: str) -> Mapping[str, Sequence[int]]:
        if language not in self._of_language:
            self._of_language[language] = self._places(lambda text: _roots(text, language))
        return self._of_language[language]

    def _places(self, of: Callable[[str], frozenset[str]]) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for place, message in enumerate(self._messages):
            for word in of(message.content):
                found.setdefault(word, []).append(place)
        return found


class Subject(NamedTuple):
    """What a wish is about that names it in passing: its `words`, said at `place`, and the `places` of this
    conversation that have them. `is_of_earlier`: it was told in an earlier one, as far as is known;
    `is_of_another_call`: as is said."""

    words: tuple[str, ...]
    language: str
    place: int
    places: tuple[int, ...]
    is_of_earlier: bool
    is_of_another_call: bool

    def topics(self) -> Iterator[Topic]:
        """Yield one for each word, as long as they are few."""
        each = [_stems(word) for word in self.words]
        together = [frozenset().union(*each)] if len(each) > _SAID_TOGETHER else each
        for stems in together:
            yield Topic(stems, (), certain=False, language=self.language)


def _confided(messages: Sequence[Message]) -> tuple[Topic, ...]:
    told = (_stems(messages[place].content) for place in confiding.confided(messages))
    return tuple(Topic(stems, (), certain=False) for stems in told)


def _is_spoken_of(topic: Topic, earlier: Sequence[Sequence[Message]]) -> bool:
    """Count what is kept of a number or an address as spoken of: it is erased where it is."""
    said = (one.content for messages in earlier for one in messages)
    return bool(topic.entry) or any(not topic.stems.isdisjoint(_stems(content)) for content in said)


def _points_far(asked: ForgetRequest) -> bool:
    """Tell whether it speaks of what was told in this call, and not of the turn before alone."""
    language = _spaced(asked)
    if language is None or not _is_clear(asked):
        return False
    is_of_call = language.is_of_this_call(asked.line)
    return is_of_call or (language.refers(asked.line) and not language.is_of_earlier(asked.line))


def _said_with(line: str, wishes: Sequence[Wish], language: forget_patterns.Language) -> Iterator[str]:
    """Yield what the sentences of wishes say besides, all that they say where that was told before, and what
    the sentence before says."""
    sentences = [*telling.sentences(line)]
    at = [
        n
        for n, (start, end, _) in enumerate(sentences)
        for wish in wishes
        if start < wish.end and wish.start < end
    ]
    beside = line
    for wish in wishes:
        beside = f"{beside[: wish.start]}{' ' * (wish.end - wish.start)}{beside[wish.end :]}"
    yield from (beside[sentences[n][0] : sentences[n][1]] for n in at)
    yield from (sentences[n][2] for n in at if language.refers(sentences[n][2]))
    yield from (sentences[n - 1][2] for n in at if n)


def _topics(line: str, wishes: Iterable[Wish]) -> Iterator[Topic]:
    for wish in wishes:
        stems, written = _stems(_UNSPACED.sub(" ", wish.topic)), (*_UNSPACED.findall(wish.topic),)
        if wish.reaches == "entry":
            kind = forgotten.E_MAIL if "mail" in line[wish.start : wish.end].lower() else forgotten.NUMBER
            yield Topic(stems, (), certain=False, language=wish.language, entry=kind)
            continue
        alone = wish.reaches == "topic alone"
        if (stems or written) and not (alone and not _is_somebodys(line[wish.start : wish.end])):
            roots = _roots(wish.topic, wish.language)
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


def _told_beside(line: str, wishes: Iterable[Wish]) -> str:
    """Leave out what follows “forget what I said about it”: it was not said yet."""
    named = [wish for wish in wishes if wish.topic]
    return _told_with(line, min(named, key=lambda wish: wish.start)) if named else ""


def _reaching(reaches: forget_patterns.Reach, wishes: Iterable[Wish]) -> Wish | None:
    return next((wish for wish in wishes if wish.reaches == reaches), None)


def _of_no_topic(asked: ForgetRequest) -> Wish | None:
    """“Forget what I said about it” names nothing."""
    return None if asked.topics else _reaching("topic", asked.wishes)


def _text_before(line: str, wish: Wish) -> str:
    mark = _PUNCTUATION.match(line, wish.start)
    return line[: mark.end() if mark else wish.start]


def _text_around(line: str, wish: Wish) -> str:
    """Add what is plainly led to: “not for your files: she is ill”."""
    behind = line[wish.end :]
    return f"{_text_before(line, wish)} {behind if _LED_TO.match(behind) else ''}"


def _told_with(line: str, wish: Wish) -> str:
    """Add what a wish announces: “between us: she is ill”."""
    before, after = _text_before(line, wish), line[wish.end :]
    return f"{before} {after}" if _ANNOUNCED.match(after) else before


def _goes_on_telling(line: str, wish: Wish) -> bool:
    """“Don't tell Ben I smoke”, not “don't tell Ben I told you”, “don't tell anybody at work”."""
    begins = words(line[wish.start : wish.end])[-1:]
    behind = _REST_OF_SENTENCE.match(line, wish.end)
    tells = behind is not None and telling.says_something(behind[0])
    return tells and forget_patterns.begins_own_clause(begins, wish.language)


def _roots(text: str, language: str) -> frozenset[str]:
    """`_stems` knows English, and only one form of other words."""
    if language in ("", "en"):
        return frozenset()
    return frozenset(stem(word, language) for word in words(whole_words(text)) if len(word) >= _LONG)


def _stems(text: str) -> frozenset[str]:
    return frozenset(content_stems(whole_words(text)))
