"""A quote that only says who the two are is no memory: that stands above all that was said between them."""

import re
from collections.abc import Iterable, Iterator

from voice_server.digest.language.manner import Manner
from voice_server.digest.language.stems import words
from voice_server.digest.person_names.lexicon import Lexicon, lexicon
from voice_server.digest.rules.courtesies import without_courtesies
from voice_server.digest.rules.pieces import Piece

_LONGEST = 6  # words with which somebody says who they are
_LONGEST_OF_AGENT = 20  # the same, and what they can do for you
_WHO = 2  # words that say who an agent is: “your French teacher”
_DIGIT = re.compile(r"\d")


def without_introductions(said: Iterable[Piece], manner: Manner, language: str) -> Iterator[Piece]:
    """Drop pieces like “yeah its ruben okafor”, also when they were asked for. “Who will fetch her?” –
    “Ruben.” stays."""
    known = lexicon(language)
    for piece in said:
        introduces = _introduces(piece, manner, known) and _asks_for_it(piece.question, known)
        if not introduces and not _is_asked_for(piece, manner, known):
            yield piece


def _introduces(piece: Piece, manner: Manner, known: Lexicon | None) -> bool:
    said = words(piece.text)
    if manner.names.isdisjoint(said):
        return False
    return _only_names(piece.text, manner, known) or (
        piece.said_by == "agent" and not piece.place and _takes_the_call(piece.text, manner, known)
    )


def _is_asked_for(piece: Piece, manner: Manner, known: Lexicon | None) -> bool:
    """“Am I speaking to Ms Petersen?” – “Yes.”"""
    names_somebody = not manner.names.isdisjoint(words(piece.question))
    is_yes = names_somebody and len(words(piece.text)) <= _LONGEST and not _beside(piece.text, manner, known)
    asked = known.confirmations.blanked(piece.question.lower()) if known else piece.question
    return is_yes and _only_names(asked, manner, known)


def _only_names(text: str, manner: Manner, known: Lexicon | None) -> bool:
    is_short = len(words(text)) <= _LONGEST
    return is_short and not _beside(without_courtesies(text, manner), manner, known)


def _takes_the_call(text: str, manner: Manner, known: Lexicon | None) -> bool:
    """Tell so of “hello, I am Clara, your French teacher” and “my name is megan how can i help you today”."""
    said = words(text)
    if _DIGIT.search(text) or len(said) > _LONGEST_OF_AGENT or _without_cues(text, known) == text.lower():
        return False
    offers = manner.idle.search(" ".join(said)) is not None
    rest = words(_without_cues(text, known))  # of “Soy Clara, su perro está sano.” it tells more
    says_who = (manner.first_person | manner.asking).isdisjoint(rest)
    return offers or (says_who and len(_beside(text, manner, known)) <= _WHO)


def _beside(text: str, manner: Manner, known: Lexicon | None) -> list[str]:
    """Return the words that say more than a name."""
    untelling = manner.names | manner.idle_words | manner.function_words
    return [word for word in words(_without_cues(text, known)) if word not in untelling]


def _without_cues(text: str, known: Lexicon | None) -> str:
    low = text.lower()
    for cues in (known.stated, known.introduced, known.agents, known.closing) if known else ():
        low = cues.blanked(low)
    return low


def _asks_for_it(question: str, known: Lexicon | None) -> bool:
    if not question:
        return True
    low = question.lower()
    return known is not None and known.questions.search(low) is not None and not known.of_others.search(low)
