"""What a caller does not want remembered: a consent that was declined, words spoken off the record.

Pure. What is withheld here reaches no digest, with or without a model; the transcript itself stays.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from voice_server.digest.languages import is_english, spoken_language
from voice_server.digest.privacy import forget_patterns
from voice_server.digest.privacy.forget_patterns import Expression
from voice_server.digest.stems import FUNCTION_WORDS, content_stems, word_count, words
from voice_server.domain.conversation import Conversation, Message

CONSENT = "memory_consent"  # the name of the flag
_DECLINED = frozenset(
    "false no n 0 off none never declined denied refused rejected withdrawn revoked opt-out opted-out nein non nee não".split()
)
_FEW_WORDS = 12  # a message as short as this, that asks for secrecy, says little else
_TELLING = 2  # words of content beside a wish that make its own message the one that is meant

LONGEST_TURN = 20_000  # characters that are looked at: nobody says more in one turn
_READ_WHOLE, _AROUND, _MOST_HINTS, _CUT = 2000, 250, 12, "~"


class _Topic(NamedTuple):
    """What a wish is about, as stems; whether it is one even where that was not spoken of."""

    stems: frozenset[str]
    certain: bool


class _Asking(NamedTuple):
    """A user's turn that may hold a wish: which of the messages it is, its text on one line, the topics that it
    names, and what it says beside that."""

    place: int
    text: str
    topics: tuple[_Topic, ...]
    beside: str


def declined(*flags: Mapping[str, object]) -> bool:
    """Whether any of these (what the platform collected, the call's dynamic variables) declines to be remembered."""
    said = [_plain(value) for names in flags for name, value in names.items() if _plain(name) == CONSENT]
    return any(value in _DECLINED for value in said)


def withheld(messages: Sequence[Message]) -> frozenset[int]:
    """Positions of the messages that the user asked not to be remembered, and of what was said around them.

    Where a topic is named ("what I said about my heart"): the turn that asks, and every message that shares a
    content stem with it. Else, and where nothing before shares one: the turn that asks, what it points to (the user's
    turn before, or after it when it announces one; neither when it tells the secret itself), and the agent's turns
    between and right after, which may repeat it.
    """
    asking = [
        _Asking(place, text, topics, _beside(text) if topics else "")
        for place, message in enumerate(messages)
        if message.role == "user" and (text := _hinting(message))
        for topics in [(*_topics(text),)]
    ]
    spoken_of = _spoken_of(messages) if any(one.topics for one in asking) else {}
    return frozenset(messages[i].position for one in asking for i in _meant(messages, one, spoken_of))


def may_ask(message: Message) -> bool:
    """Whether a message may ask for something not to be remembered: a word of it hints at that."""
    return message.role == "user" and _hinting(message) != ""


def kept(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages that may be understood."""
    secret = withheld(messages)
    return tuple(message for message in messages if message.position not in secret)


def respected(conversation: Conversation) -> Conversation:
    """A conversation without what its platform understood of it, where that may tell what is withheld; and
    without the flags that only say that it may be remembered."""
    if conversation.declined or withheld(conversation.messages):
        return replace(conversation, summary="", collected={})
    noted = {name: value for name, value in conversation.collected.items() if _plain(name) != CONSENT}
    return replace(conversation, collected=noted)


def _hinting(message: Message) -> str:
    """The text of a message on one line; "" when nothing in it hints at a wish."""
    text = " ".join(message.content[:LONGEST_TURN].replace("’", "'").split())
    if not (_has(text, forget_patterns.HINTS) or _has(text, forget_patterns.HINTS_ABROAD)):
        return ""
    return text if len(text) <= _READ_WHOLE else _around_hints(text)


def _around_hints(text: str) -> str:
    """What a long text has around its hints, the first and the last of them, each piece behind a mark that begins no
    sentence. The expressions take time that grows with the square of what they read: seconds, for the longest."""
    low = text.lower()
    spots = sorted(
        {*_spots(low, forget_patterns.HINTS), *_spots(low, forget_patterns.HINTS_ABROAD)}
    )  # apart: there is a "garde" in each garden
    pieces, end = [text[:_AROUND]], _AROUND
    for spot in spots:
        pieces.append(text[max(end, spot - _AROUND) : spot + _AROUND])
        end = max(end, spot + _AROUND)
    return f" {_CUT} ".join(piece for piece in pieces if piece)


def _spots(low: str, hints: Sequence[str]) -> list[int]:
    spots = sorted(at.start() for hint in hints for at in re.finditer(re.escape(hint), low))
    return [*spots[:_MOST_HINTS], *spots[_MOST_HINTS:][-_MOST_HINTS:]]


def _has(text: str, hints: Sequence[str]) -> bool:
    low = text.lower()
    return any(hint in low for hint in hints)


def _found(text: str, pattern: Expression, abroad: Expression) -> re.Match[str] | None:
    """A wish in English, else in another language: looked for only where a word hints at it, there are many."""
    return pattern.search(text) or (abroad.search(text) if _has(text, forget_patterns.HINTS_ABROAD) else None)


def _topics(text: str) -> Iterator[_Topic]:
    abroad = forget_patterns.IT_IS_ABOUT_ABROAD if _has(text, forget_patterns.HINTS_ABROAD) else ()
    for patterns, certain in (
        (forget_patterns.IT_IS_ABOUT, True),
        (abroad, True),
        (forget_patterns.MAY_BE_ABOUT, False),
    ):
        for match in (match for pattern in patterns for match in pattern.finditer(text)):
            stems = _stems(
                " ".join(
                    word
                    for word in words(_whole_words(match["topic"]))
                    if word not in forget_patterns.NO_TOPIC
                )
            )
            if stems and not _of_something_else(match, text):
                yield _Topic(stems, certain)


def _beside(text: str) -> str:
    """A text without the wishes in it that name a topic."""
    for pattern in (
        *forget_patterns.IT_IS_ABOUT,
        *forget_patterns.IT_IS_ABOUT_ABROAD,
        *forget_patterns.MAY_BE_ABOUT,
    ):
        text = pattern.sub(" . ", text)
    return text


def _of_something_else(match: re.Match[str], text: str) -> bool:
    """Whether it asks to take something out of what is not the agent's: "everything about it from my calendar"."""
    after = text[match.start("topic") : match.end() + _FEW_WORDS]
    return bool(forget_patterns.DELETED.search(match[0]) and forget_patterns.ELSEWHERE.search(after))


def _stems(text: str) -> frozenset[str]:
    return frozenset(content_stems(_whole_words(text)))


def _whole_words(text: str) -> str:
    """Without the articles that lose a letter: "l'asthme" is about "asthme"."""
    return forget_patterns.ELISION.sub("", text.replace("’", "'"))


def _spoken_of(messages: Sequence[Message]) -> dict[str, list[int]]:
    """Where each stem is said, in order."""
    found: dict[str, list[int]] = {}
    for index, message in enumerate(messages):
        for stem in _stems(message.content):
            found.setdefault(stem, []).append(index)
    return found


def _meant(
    messages: Sequence[Message], asking: _Asking, spoken_of: Mapping[str, Sequence[int]]
) -> Iterator[int]:
    named = [topic for topic in asking.topics if topic.certain or _is_known(topic, asking, spoken_of)]
    if not named:
        yield from _pointed_at(messages, asking.place, asking.text)
    elif forget_patterns.WHOLE.search(asking.beside):
        yield from range(len(messages))
    else:
        for topic in named:
            yield from _about(messages, asking, topic, spoken_of)


def _about(
    messages: Sequence[Message], asking: _Asking, topic: _Topic, spoken_of: Mapping[str, Sequence[int]]
) -> Iterator[int]:
    yield asking.place
    for stem in topic.stems:
        yield from spoken_of.get(stem, ())
    if not _is_known(topic, asking, spoken_of):
        first = asking.place if _tells(asking.beside) else _turn_before(messages, asking.place)
        yield from range(first, _after_reply(messages, asking.place))


def _is_known(topic: _Topic, asking: _Asking, spoken_of: Mapping[str, Sequence[int]]) -> bool:
    """Whether its topic was spoken of until then: the answer to a wish often repeats its words, and tells nothing."""
    before = any(spoken_of.get(stem, (asking.place,))[0] < asking.place for stem in topic.stems)
    return before or not topic.stems.isdisjoint(_stems(asking.beside))


def _pointed_at(messages: Sequence[Message], index: int, text: str) -> Iterator[int]:
    if forget_patterns.WHOLE.search(text):
        yield from range(len(messages))
    elif match := _found(text, forget_patterns.BEFORE, forget_patterns.BEFORE_ABROAD):
        first = index if _tells(text[: match.start()]) else _turn_before(messages, index)
        yield from range(first, _after_reply(messages, index))
    elif (
        match := _found(text, forget_patterns.HERE, forget_patterns.HERE_ABROAD)
    ) and not forget_patterns.NOT_ASKED.search(text):
        first, last = index, _after_reply(messages, index)
        if word_count(text) <= _FEW_WORDS and not _tells(_told_with(match)):
            # it speaks of the turn before or of the next: neither is kept
            first, last = _turn_before(messages, index), _after_reply(messages, _next_turn(messages, index))
        yield from range(first, last)


def _told_with(match: re.Match[str]) -> str:
    """What is told before a wish, and after one that announces it: "between us: she is ill"."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    announces = match[0].rstrip().endswith((":", ",")) or forget_patterns.ANNOUNCED.match(after)
    return f"{before} {after}" if announces else before


def _tells(text: str) -> bool:
    """Whether this, said beside a wish, is more than a few words of regret or thanks, or a question."""
    told = " ".join(
        one for one in forget_patterns.SENTENCE.findall(text) if not forget_patterns.NO_TELLING.match(one)
    )
    if forget_patterns.NUMBER.search(told):
        return True
    if forget_patterns.CJK.search(told):
        return word_count(told) > _TELLING
    content = [
        word for word in words(told) if word not in FUNCTION_WORDS and word not in forget_patterns.REGRETS
    ]
    if not is_english(spoken_language([told])):  # its function words are not known: they are short
        content = [word for word in content if len(word) >= forget_patterns.LONG or word.isdigit()]
    return len(content) >= _TELLING


def _turn_before(messages: Sequence[Message], index: int) -> int:
    """Where the user's previous turn begins; the message itself when it is the first."""
    before = [i for i in range(index) if messages[i].role == "user"]
    return before[-1] if before else index


def _next_turn(messages: Sequence[Message], index: int) -> int:
    after = (i for i in range(index + 1, len(messages)) if messages[i].role == "user")
    return next(after, index)


def _after_reply(messages: Sequence[Message], index: int) -> int:
    """The end of what the agent says (or does with tools) in answer to a turn."""
    return next((i for i in range(index + 1, len(messages)) if messages[i].role == "user"), len(messages))


def _plain(value: object) -> str:
    return str(value).strip().strip(".!").lower()
