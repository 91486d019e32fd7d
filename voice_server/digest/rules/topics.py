"""What there is one of at a time: where somebody lives, what they do, how they are reached."""

from voice_server.digest.language.manner import Manner
from voice_server.digest.language.stems import words
from voice_server.digest.rules.pieces import Piece

_NUMBERED = ("address", "phone")
_SHORTEST_PHONE = 5  # digits
#: What is told of a new home, number or address when one asks for it.
_ASKED_WHICH = {"home": "address", "address": "address", "phone": "phone", "email": "email"}


def topic(piece: Piece, manner: Manner) -> str:
    """Return a piece's topic; "" for what is only supposed or as it was, and for an answer without a value:
    “Is this your number?” – “Yes.”, “What's the address?” – “You know it.”."""
    if piece.said_by != "user" or manner.supposing.search(piece.text) or _is_as_it_was(piece.text, manner):
        return ""
    answers = piece.question and not manner.idle_words.issuperset(words(piece.text))
    of = topic_of(piece.text, manner) or (_asked_for(piece, manner) if answers else "")
    return of or ("" if piece.question else _announced(piece, manner))


def topic_of(text: str, manner: Manner) -> str:
    """Return the topic of a text (`home`, `job`, `phone`); "" when there may be many. “We've moved, it's 14
    Quarry Lane now” tells the address."""
    found = next((name for name, pattern in manner.topics.items() if pattern.search(text)), "")
    tells_where = found == "home" and "address" in manner.topics
    return "address" if tells_where and manner.topics["address"].search(text) else found


def _asked_for(piece: Piece, manner: Manner) -> str:
    """Know it by the question, or by what led to it: “I have a new number.” – “Which?” – “07700 900123.”"""
    of = topic_of(piece.question, manner)
    if not of and manner.which.fullmatch(" ".join(words(piece.question))):
        of = _ASKED_WHICH.get(topic_of(piece.led_by, manner), "")
    return "" if of in _NUMBERED and not _has_number(piece.text, manner) else of


def _announced(piece: Piece, manner: Manner) -> str:
    """“Can you put my new number in?” – “Go ahead.” – “07700 900123.”"""
    if not _is_a_number(piece.text, manner):
        return ""
    leads = topic_of(piece.led_by, manner) == "phone" or manner.new_number.search(piece.led_by) is not None
    return "phone" if leads and sum(map(str.isdigit, piece.text)) >= _SHORTEST_PHONE else ""


def _is_as_it_was(text: str, manner: Manner) -> bool:
    """Tell so of “The same as always.”, not of “19 Harbour Row, same town.”"""
    return manner.unchanged.search(text) is not None and not _has_number(text, manner)


def _is_a_number(text: str, manner: Manner) -> bool:
    """Tell whether a text says hardly more than a number: “It's 07700 900123.”"""
    said = words(text)
    others = [word for word in said if not any(letter.isdigit() for letter in word)]
    return len(others) < len(said) and manner.function_words.issuperset(others)


def _has_number(text: str, manner: Manner) -> bool:
    return any(map(manner.is_number, words(text)))
