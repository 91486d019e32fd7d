"""What the agent calls itself: “this is Clara from …”, “hier ist Clara”."""

from collections.abc import Sequence
from itertools import takewhile

from voice_server.digest.person_names.lexicon import Lexicon, is_given, lexicon
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
    for cue in known.stated.finditer(text.low):
        if name := text.read(cue.end(), sure=True):
            return _short(name.words, known)
    for cue in known.agents.finditer(text.low):
        name = text.read(cue.end(), sure=False)
        if name is not None and (is_given(name.words[0]) or _speaks_for_a_house(text, name, known)):
            return _short(name.words, known)
    for cue in known.closing.finditer(text.low):
        name = text.read_back(cue.start(), sure=False) or _last_word(text, cue.start())
        if name is not None and is_given(name.words[0]):
            return _short(name.words, known)
    return ""


def _last_word(text: Text, end: int) -> Name | None:
    """Read “clara” of “hale dental clara speaking”, where no mark divides it from the house."""
    before = [word for word in text.words if word.end() <= end]
    return text.read(before[-1].start(), sure=False) if before and not text.is_cased else None


def _speaks_for_a_house(text: Text, name: Name, known: Lexicon) -> bool:
    following = next((word.group().lower() for word in text.words if word.start() >= name.end), "")
    return text.is_cased and following in known.houses


def _short(words: Sequence[str], known: Lexicon) -> str:
    """Leave out the house: “Clara” of “Clara van Lindenhof”."""
    name = " ".join(takewhile(lambda word: word.lower() not in known.houses, words))
    return name if len(name) <= LONGEST else ""
