"""Claims: what is worth knowing in months, in the words in which it was said.

One statement is one claim, an answer with its question another. What only holds for the day is none, nor is a
question. What the agent said is one when it tells of its own doing (a booking, an answer).
"""

from collections.abc import Collection, Sequence

from voice_server.digest.language.manner import Manner
from voice_server.digest.rules.pieces import content_words
from voice_server.digest.rules.quotes import Candidate, Quotation
from voice_server.digest.rules.topics import topic
from voice_server.domain.fact import About, Claim

_MOST = 8  # of one conversation: the rest is told as an earlier conversation
_CERTAINTY = 0.6  # of what was chosen by weight alone; a model is surer
_FEWEST_OF_AGENT = 3  # words that say something


def claims(chosen: Sequence[Quotation], manner: Manner) -> tuple[Claim, ...]:
    """Make claims of quotes, in the order said."""
    lasting = [number for number, one in enumerate(chosen) if _lasts(one.candidate, manner)]
    best = sorted(lasting, key=lambda number: (-chosen[number].candidate.weight, number))[:_MOST]
    return tuple(_claim(chosen[number], manner) for number in sorted(best))


def _lasts(one: Candidate, manner: Manner) -> bool:
    piece = one.piece
    if one.passing or (piece.asks and not piece.question):
        return False
    if piece.said_by == "agent":
        return bool(piece.question) or _tells_enough(content_words(piece.text, manner), manner)
    return True


def _tells_enough(said: Collection[str], manner: Manner) -> bool:
    """Tell whether it has a few words that say something, and not only a number: “07700 900 123, thanks.”"""
    only_reads = all(word.isdigit() or word in manner.idle_words for word in said)
    return len(said) >= _FEWEST_OF_AGENT and not only_reads


def _claim(one: Quotation, manner: Manner) -> Claim:
    piece = one.candidate.piece
    about: About = "user" if piece.said_by == "user" else "agent"
    of_topic = topic(piece, manner)
    return Claim(
        about,
        one.text,
        one.said_on,
        tuple(sorted((piece.position, *piece.also))),
        topic=of_topic,
        certainty=_CERTAINTY,
        salience=round(one.candidate.weight, 3),
        due=None if of_topic else one.due,  # “Eleven Tanner's Yard. It's been out since six this morning.”
        changes=manner.changes.search(piece.text) is not None,
    )
