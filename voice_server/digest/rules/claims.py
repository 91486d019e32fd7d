"""Claims: what of a conversation is worth knowing in months, in the words in which it was said.

One statement is one claim, an answer with its question another; what is said beside a place or a work is a
claim of its own. What only holds for the day is none, nor is a
question. What the agent said is one when it says something of its own doing (a booking, an answer).
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from voice_server.digest.language.manner import Manner
from voice_server.digest.language.stems import words
from voice_server.digest.rules.clauses import clauses
from voice_server.digest.rules.pieces import Piece, content_words
from voice_server.digest.rules.quotes import Candidate, Quotation
from voice_server.domain.fact import About, Claim
from voice_server.domain.quote import answer

_MOST = 8  # of one conversation: the rest is told as an earlier conversation
_CERTAINTY = 0.6  # of what was chosen by weight alone; a model is surer
_FEWEST_OF_AGENT = 3  # words that say something
_SHORT = ("home", "job")  # topics whose value is a word or two; an address goes on and on
_DATED = re.compile(r"\(\d")  # a day beside the words that name it


def claims(chosen: Sequence[Quotation], manner: Manner) -> tuple[Claim, ...]:
    """The claims of a conversation, of its quotes, in the order said."""
    lasting = [number for number, one in enumerate(chosen) if _lasts(one.candidate, manner)]
    best = sorted(lasting, key=lambda number: (-chosen[number].candidate.weight, number))[:_MOST]
    return tuple(claim for number in sorted(best) for claim in _claims(chosen[number], manner))


def _lasts(one: Candidate, manner: Manner) -> bool:
    piece = one.piece
    if one.passing or (piece.asks and not piece.question):
        return False
    if piece.said_by == "agent":
        return bool(piece.question) or len(content_words(piece.text, manner)) >= _FEWEST_OF_AGENT
    return True


def _claims(one: Quotation, manner: Manner) -> Iterator[Claim]:
    """What somebody says beside where they live stays when they move: it is a claim of its own."""
    topic = _topic(one.candidate.piece, manner)
    if topic not in _SHORT:
        yield _claim(one, one.text, topic, manner, due=one.due)
        return
    parts = clauses(one.text, manner.topics[topic].search(answer(one.text)), manner)
    dated = next((text for text in parts.beside if _DATED.search(text)), parts.value)
    for text in (parts.value, *parts.beside):
        of = topic if text is parts.value else ""
        yield _claim(one, text, of, manner, due=one.due if text is dated else None)


def _claim(one: Quotation, text: str, topic: str, manner: Manner, *, due: date | None) -> Claim:
    piece = one.candidate.piece
    about: About = "user" if piece.said_by == "user" else "agent"
    return Claim(
        about,
        text,
        one.said_on,
        (piece.position,),
        topic=topic,
        certainty=_CERTAINTY,
        salience=round(one.candidate.weight, 3),
        due=due,
        changes=manner.changes.search(answer(text)) is not None,
    )


def topic_of(text: str, manner: Manner) -> str:
    """What somebody says, or is asked, there is one of (`home`, `job`, `phone`); "" when there may be
    many."""
    return next((name for name, pattern in manner.topics.items() if pattern.search(text)), "")


def _topic(piece: Piece, manner: Manner) -> str:
    """None of what is only supposed, nor of an answer that gives no value: "Is this your number?" –
    "Yes."."""
    if piece.said_by != "user" or manner.supposing.search(piece.text):
        return ""
    answers = piece.question and not manner.idle_words.issuperset(words(piece.text))
    return topic_of(piece.text, manner) or (topic_of(piece.question, manner) if answers else "")
