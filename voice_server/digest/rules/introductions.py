"""A quote that only says who the two are is no memory: that stands above all that was said between them."""

from collections.abc import Iterable, Iterator

from voice_server.digest.language.manner import Manner
from voice_server.digest.language.stems import words
from voice_server.digest.person_names.lexicon import Lexicon, lexicon
from voice_server.digest.rules.pieces import Piece

_LONGEST = 6  # words with which somebody says who they are


def without_introductions(said: Iterable[Piece], manner: Manner, language: str) -> Iterator[Piece]:
    """Drop pieces like “yeah its ruben okafor”, also when they were asked for. “Who will fetch her?” –
    “Ruben.” stays."""
    known = lexicon(language)
    for piece in said:
        if not (_only_names(piece.text, manner) and _asks_for_it(piece.question, known)):
            yield piece


def _only_names(text: str, manner: Manner) -> bool:
    said = words(text)
    if len(said) > _LONGEST or manner.names.isdisjoint(said):
        return False
    beside = manner.names | manner.idle_words | manner.function_words
    return all(word in beside for word in said)


def _asks_for_it(question: str, known: Lexicon | None) -> bool:
    if not question:
        return True
    low = question.lower()
    return known is not None and known.questions.search(low) is not None and not known.of_others.search(low)
