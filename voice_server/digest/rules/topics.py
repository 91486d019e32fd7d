"""What there is one of at a time: where somebody lives, what they do, how they are reached."""

from voice_server.digest.language.manner import Manner
from voice_server.digest.language.stems import words
from voice_server.digest.rules.pieces import Piece


def topic(piece: Piece, manner: Manner) -> str:
    """Return a piece's topic; "" for what is only supposed, and for an answer without a value: “Is this your
    number?” – “Yes.”."""
    if piece.said_by != "user" or manner.supposing.search(piece.text):
        return ""
    answers = piece.question and not manner.idle_words.issuperset(words(piece.text))
    return topic_of(piece.text, manner) or (topic_of(piece.question, manner) if answers else "")


def topic_of(text: str, manner: Manner) -> str:
    """Return the topic of a text (`home`, `job`, `phone`); "" when there may be many."""
    return next((name for name, pattern in manner.topics.items() if pattern.search(text)), "")
