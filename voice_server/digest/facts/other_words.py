"""Whether a fact is told in other words. Ask it of texts of the same conversation only: it rather takes too
much for the same than too little.

    The caller lives in Bristol and pays by card.    "… and I live in Bristol."    told
                                                     "I have two cats."            not told
"""

from math import ceil

from voice_server.context.sections.quotes import undated
from voice_server.digest.facts.similarity import Form, form
from voice_server.domain.quote import answer

Words = frozenset[str]

_MOST = 0.6  # of the words of the shorter of two texts


def undated_form(text: str) -> Form:
    return form(undated(text))


def words(text: str) -> Words:
    return words_of(undated_form(text))


def words_of(said: Form) -> Words:
    return said.stems.union(said.exact)


def wordings(fact: str) -> tuple[Words, ...]:
    """Return the words of a fact, and of its answer alone: retold, an answer rarely has its question."""
    return tuple({words(fact): None, words(answer(fact)): None})


def tells_most(said: Words, fact: Words) -> bool:
    """Tell whether they share most of the words of the shorter: a digest may make two facts of one."""
    return len(said & fact) >= max(1, ceil(_MOST * min(len(said), len(fact))))
