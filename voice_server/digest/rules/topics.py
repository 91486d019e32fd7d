"""What there is one of at a time: where somebody lives, what they do, how they are reached."""

from voice_server.digest.language.manner import Manner
from voice_server.digest.language.stems import words
from voice_server.digest.rules.pieces import Piece

#: What is told of a new home, number or address when one asks for it.
_ASKED_WHICH = {"home": "address", "address": "address", "phone": "phone", "email": "email"}


def topic(piece: Piece, manner: Manner) -> str:
    """Return a piece's topic; "" for what is only supposed, and for an answer without a value: “Is this your
    number?” – “Yes.”."""
    if piece.said_by != "user" or manner.supposing.search(piece.text):
        return ""
    answers = piece.question and not manner.idle_words.issuperset(words(piece.text))
    return topic_of(piece.text, manner) or (_asked_for(piece, manner) if answers else "")


def topic_of(text: str, manner: Manner) -> str:
    """Return the topic of a text (`home`, `job`, `phone`); "" when there may be many."""
    return next((name for name, pattern in manner.topics.items() if pattern.search(text)), "")


def _asked_for(piece: Piece, manner: Manner) -> str:
    """Know it by the question, or by what led to it: “I have a new number.” – “Which?” – “07700 900123.”"""
    if of := topic_of(piece.question, manner):
        return of
    asks_which = manner.which.fullmatch(" ".join(words(piece.question))) is not None
    return _ASKED_WHICH.get(topic_of(piece.led_by, manner), "") if asks_which else ""
