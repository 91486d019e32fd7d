"""What the agent calls itself: “this is Clara from …”, “hier ist Clara”."""

from collections.abc import Sequence
from itertools import chain, takewhile

from voice_server.digest.person_names.lexicon import Lexicon, lexicon
from voice_server.digest.person_names.reading import LONGEST, Name, Text
from voice_server.domain.conversation import Message

_INTRODUCES = 3  # turns in which it does


def introduced(messages: Sequence[Message], language: str) -> str:
    """Return `""` when the agent does not introduce itself by name."""
    known = lexicon(language)
    if known is None:
        return ""
    said = [message for message in messages if message.role == "agent"][:_INTRODUCES]
    names = (_introduced(Text(message.content, known), known) for message in said)
    return next((name for name in names if name), "")


def _introduced(text: Text, known: Lexicon) -> str:
    closing = (cue.start() for cue in known.closing.finditer(text.low))
    last = (text.read_back(at, sure=False) or _last_word(text, at) for at in closing)
    names = chain(
        text.behind(known.stated, sure=True),
        (one for one in text.behind(known.agents, sure=False) if one.has_given or _is_of_a_house(text, one)),
        (one for one in last if one and one.has_given),
    )
    return next((_short(name.words, known) for name in names), "")


def _last_word(text: Text, end: int) -> Name | None:
    """Read “clara” of “hale dental clara speaking”, where no mark divides it from the house."""
    before = [word for word in text.words if word.end() <= end]
    return text.read(before[-1].start(), sure=False) if before and not text.is_cased else None


def _is_of_a_house(text: Text, name: Name) -> bool:
    place = text.place(name.end)
    return text.is_cased and not text.lexicon.houses.isdisjoint(text.said[place : place + 1])


def _short(words: Sequence[str], known: Lexicon) -> str:
    """Leave out the house: “Clara” of “Clara van Lindenhof”."""
    name = " ".join(takewhile(lambda word: word.lower() not in known.houses, words))
    return name if len(name) <= LONGEST else ""
