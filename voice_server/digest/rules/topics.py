"""What somebody says there is one of at a time: where they live, what they do, how they are reached."""

from voice_server.digest.language.manner import Manner
from voice_server.digest.language.stems import words
from voice_server.digest.rules.pieces import Piece


def topic(piece: Piece, manner: Manner) -> str:
    """Of a piece: none of what is only supposed, nor of an answer that gives no value: "Is this your
    number?" – "Yes."."""
    if piece.said_by != "user" or manner.supposing.search(piece.text):
        return ""
    answers = piece.question and not manner.idle_words.issuperset(words(piece.text))
    return topic_of(piece.text, manner) or (topic_of(piece.question, manner) if answers else "")


def topic_of(text: str, manner: Manner) -> str:
    """What somebody says, or is asked, there is one of (`home`, `job`, `phone`); "" when there may be
    many."""
    return next((name for name, pattern in manner.topics.items() if pattern.search(text)), "")
