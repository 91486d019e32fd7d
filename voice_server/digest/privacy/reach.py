"""What a wish reaches: the messages that are not to be remembered."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from voice_server.digest.language.manner import manner
from voice_server.digest.language.stems import word_count
from voice_server.digest.privacy import confiding, errands, forget_patterns, telling
from voice_server.digest.privacy.forget_patterns import Wish
from voice_server.digest.privacy.forget_request import (
    ForgetRequest,
    Topic,
    goes_on_telling,
    roots_of,
    stems_of,
)
from voice_server.digest.privacy.forgotten import is_question, numbers_in, same_number
from voice_server.digest.secrets.redaction import is_redacted, numbers_said
from voice_server.domain.conversation import Message

_LATEST = 2  # user's turns before a wish that may be what it speaks of in words of its own
_TELLING = 4  # words of such a turn
_SENTENCE = 5  # words of one that tells what is asked to be kept, however little of it names a thing
_WHOLE_SENTENCES = re.compile(r"[^.!?;…]+[.!?;…]")
_FEW_WORDS = 12  # a message as short as this, that asks for secrecy, says little else
_SAID_TOGETHER = 3  # words that name a thing: of more, an earlier message need only have half
_YEAR = re.compile(r"(?:19|20)\d\d")
_OFTEN = 3  # user's turns with a word, from which on it may be what the whole call is about
_OF_CALL = 2  # it is, in every second turn


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
        if asked.is_of_another_call() and not any(_is_spoken_of(topic, earlier) for topic in named):
            yield from next(filter(None, map(_confided, earlier)), ())

    def meant(self, asked: ForgetRequest) -> Iterator[int]:
        """Yield the places of the messages that are not to be remembered."""
        yield from self._in_digits(asked)
        yield from self._of_named_digits(asked)
        named = [topic for topic in asked.topics if self._is_meant(topic, asked)]
        if (wish := asked.wish("ahead")) and not asked.wish("whole"):
            yield from self._ahead(asked, wish)
        elif not named:
            yield from self._unnamed(asked)
            yield from self._confided(asked)
        elif any(wish.reaches == "whole" for wish in forget_patterns.find(asked.beside)):
            yield from range(len(self._messages))
        else:
            for topic in named:
                yield from self._about(topic, asked)
            if not any(self._is_told(topic, asked) for topic in named):
                yield from self._confided(asked)

    def _in_digits(self, asked: ForgetRequest) -> Iterator[int]:
        """Yield the turns that say the number which a wish names, or have the mark of one: “It's 4471.” – “So
        4471.” – “Forget that number.” What is said before the wish in its turn is it."""
        if not asked.names_number():
            return
        before = asked.before_number()
        is_told = bool(numbers_said(before)) or is_redacted(before)
        told = () if is_told else self._numbers_before(asked.place)
        for place in told:
            yield from range(place, self._after_reply(place) if self._is_user(place) else place + 1)
        if told or is_told:
            yield from range(asked.place, self._after_reply(asked.place))

    def _of_named_digits(self, asked: ForgetRequest) -> Iterator[int]:
        """Yield the wish and each turn that says the number which it names: “Delete the 07700 900118.”"""
        named = frozenset().union(*(one.stems for one in asked.topics if one.in_digits))
        if named:
            yield from range(asked.place, self._after_reply(asked.place))
            said = ((i, n) for i, one in enumerate(self._messages) for n in numbers_in(one.content))
            yield from (i for i, number in said if any(same_number(number, one) for one in named))

    def _numbers_before(self, place: int) -> Sequence[int]:
        """Return the places of the number said last, and of the marks near it; an agent's only where the user
        says none, and a year that answers only where nothing else is said: “Since when?” – “1998.”"""
        users = [i for i in range(place) if self._is_user(i)][-_LATEST:]
        near = [i for i in range(max(0, min(users, default=0) - 1), place) if self._says_a_number(i)]
        of_user = [i for i in near if self._is_user(i)]
        no_years = [i for i in of_user if not self._only_answers_with_a_year(i)]
        if not near:
            return ()
        said = (no_years or of_user or near)[-1]
        again = [i for i in range(place) if self._numbers[i] & self._numbers[said]]
        return again or [i for i in near if not self._numbers[i]]

    def _only_answers_with_a_year(self, place: int) -> bool:
        asked = place > 0 and is_question(self._messages[place - 1].content)
        numbers = self._numbers[place]
        return asked and bool(numbers) and all(map(_YEAR.fullmatch, numbers))

    def _says_a_number(self, place: int) -> bool:
        return bool(self._numbers[place]) or is_redacted(self._messages[place].content)

    @cached_property
    def _numbers(self) -> Mapping[int, frozenset[str]]:
        return {i: numbers_said(message.content) for i, message in enumerate(self._messages)}

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
        yield from self._asked_on(asked)
        if self._is_told(topic, asked):
            return
        if topic.alone or forget_patterns.is_of_earlier(asked.line, topic.language):
            yield from range(asked.place, self._after_reply(asked.place))
        else:
            yield from self._before(asked, asked.told)

    def _is_known(self, topic: Topic, asked: ForgetRequest) -> bool:
        """Tell whether earlier messages tell it: the answer to a wish repeats its words."""
        return self._was_spoken_of(topic, asked) or not topic.stems.isdisjoint(stems_of(asked.beside))

    def _is_told(self, topic: Topic, asked: ForgetRequest) -> bool:
        """Tell whether they tell it beside reasons, which may repeat the words."""
        return self._was_spoken_of(topic, asked) or not topic.stems.isdisjoint(stems_of(asked.told))

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
        if asked.wish("whole") or not (subject := self._subject(asked)):
            yield from self._pointed_at(asked)
        elif subject.places:
            yield from range(asked.place, self._after_reply(asked.place))
            for place in subject.places:
                yield from self._with_answers(place)
            yield from self._asked_on(asked)
        elif subject.is_of_another_call:
            yield from range(subject.place, self._after_reply(asked.place))
        else:
            yield from self._pointed_at(asked)

    def _asked_on(self, asked: ForgetRequest) -> range:
        """Return the turn before a wish that names its secret, where it went on about it: “Bernard has debts
        again.” – “Oh dear.” – “Twenty thousand!” – “Do you want to talk about it?” – “No, forget that of
        Bernard.”"""
        language, last = asked.spaced_language(), max(asked.place - 1, 0)
        if language is None or not language.asks_on(self._messages[last].content):
            return range(0)
        return range(self._turn_before(asked.place), asked.place)

    def _confided(self, asked: ForgetRequest) -> Iterator[int]:
        """Yield what was confided before, where a wish points back by words that nobody said: “the matter I
        spoke of earlier”."""
        here, before = asked.wish("here"), asked.wish("before")
        sentences = _WHOLE_SENTENCES.findall(asked.text_around(before)) if before else []
        told = asked.told_with(here) if here else "".join(sentences)
        if _is_told(asked, told) or not asked.points_far():
            return
        if not ((subject := self._subject(asked)) and subject.places):
            for place in {*confiding.confided(self._messages[: asked.place]), *self._latest(asked.place)}:
                yield from range(place, self._after_reply(place))

    def _subject(self, asked: ForgetRequest) -> "Subject | None":
        """Return what a wish that names nothing is about; the turn before may say it: “I told you about my
        brother.” – “Yes?” – “Don't keep that.”"""
        language = asked.spaced_language()
        if language is None:
            return None
        line = asked.line
        told = [*asked.said_with(language)]
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
        stems = {place for one in stems_of(word) for place in self._stems.get(one, ())}
        roots = {place for one in roots_of(word, tag) for place in self._roots(tag).get(one, ())}
        return frozenset(place for place in stems | roots if place < before)

    def _with_answers(self, place: int) -> range:
        """Add the answer, which tells what is asked, or what the agent says to it."""
        message = self._messages[place]
        asks = not self._is_user(place) and is_question(message.content)
        answered = self._next_turn(place) if asks else place
        return range(place, self._after_reply(answered))

    def _pointed_at(self, asked: ForgetRequest) -> Iterator[int]:
        if asked.wish("whole"):
            yield from range(len(self._messages))
        elif wish := asked.wish("before") or asked.wish_of_no_topic():
            yield from self._before(asked, asked.text_around(wish))
        elif wish := asked.wish("here"):
            yield from self._here(asked, wish)

    def _before(self, asked: ForgetRequest, beside: str) -> range:
        """Add the turn before, unless the secret is told beside the wish."""
        first = asked.place if _is_told(asked, beside) else self._began(asked, self._turn_before(asked.place))
        return range(first, self._after_reply(asked.place))

    def _here(self, asked: ForgetRequest, wish: Wish) -> range:
        is_long = word_count(telling.without_reasons(errands.without(asked.line))) > _FEW_WORDS
        if is_long or _is_told(asked, asked.told_with(wish)) or goes_on_telling(asked.line, wish):
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

    def _began(self, asked: ForgetRequest, place: int) -> int:
        """Return where what a turn goes on to tell began: “My son's inside.” – “Does that worry you?” – “Yes,
        in Vught, it's something.”"""
        language = asked.spaced_language()
        if language is None or not place or not language.asks_on(self._messages[place - 1].content):
            return place
        says_yes = manner(language.tag).yes_no.match(self._messages[place].content.lower())
        return self._turn_before(place) if says_yes and self._says_something(place) else place

    def _latest(self, place: int) -> Iterator[int]:
        """Yield the turns shortly before that tell something, without the first of the call."""
        asked = [i for i in range(place) if self._is_user(i)]
        told = [i for i in asked[1:] if word_count(self._messages[i].content) >= _TELLING]
        yield from [i for i in told if not self._asks(i)][-_LATEST:]

    def _asks(self, place: int) -> bool:
        return self._messages[place].content.rstrip().endswith("?")

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
        return self._places(stems_of)

    def _roots(self, language: str) -> Mapping[str, Sequence[int]]:
        if language not in self._of_language:
            self._of_language[language] = self._places(lambda text: roots_of(text, language))
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
        each = [stems_of(word) for word in self.words]
        together = [frozenset().union(*each)] if len(each) > _SAID_TOGETHER else each
        for stems in together:
            yield Topic(stems, (), certain=False, language=self.language)


def _is_told(asked: ForgetRequest, beside: str) -> bool:
    """Tell whether the secret is told beside the wish, if only in a sentence that names hardly anything: “For
    me anything, I'm not so strict. Don't tell her.”, not “That's what they say. Don't tell her.”"""
    sentences = _WHOLE_SENTENCES.findall(beside)
    wish = asked.line
    for one in sentences:
        wish = wish.replace(one, "", 1)
    whole = telling.without_reasons("".join(one for one in sentences if not is_question(one)))
    is_sentence = word_count(whole) >= _SENTENCE and telling.says_something(whole)
    return telling.tells(beside) or (is_sentence and not forget_patterns.points_away(wish))


def _confided(messages: Sequence[Message]) -> tuple[Topic, ...]:
    told = (stems_of(messages[place].content) for place in confiding.confided(messages))
    return tuple(Topic(stems, (), certain=False) for stems in told)


def _is_spoken_of(topic: Topic, earlier: Sequence[Sequence[Message]]) -> bool:
    """Count what is kept of a number or an address as spoken of: it is erased where it is."""
    said = (one.content for messages in earlier for one in messages)
    return bool(topic.entry) or any(not topic.stems.isdisjoint(stems_of(content)) for content in said)
