"""Excerpts: messages that a person made a fact, in the words in which they were said.

user: My sister is called Maria.              "My sister is called Maria."
agent: Any allergies?  user: Penicillin.      "Any allergies?" – "Penicillin."
"""

from collections.abc import Sequence
from datetime import date
from itertools import groupby, pairwise

from voice_server.digest.dates.dates import upcoming, with_dates
from voice_server.domain.conversation import Message
from voice_server.domain.fact import About, Claim
from voice_server.domain.quote import written

LONGEST = 1000  # characters, as of any fact that is added
_MOST_TURNS = 2  # what one says, or an answer with its question
_GAP = " … "


def refusal(said: Sequence[Message]) -> str:
    """Tell why these messages make no fact; "" when they do."""
    if any(one.role not in ("user", "agent") or not one.content.strip() for one in said):
        return "name messages in which the user or the agent says something"
    turns = _turns(said)
    if len(turns) > _MOST_TURNS:
        return "name what one of the two says, or what one says and the other answers"
    if len(written(*reversed(turns))) > LONGEST:
        return f"what they say is longer than {LONGEST} characters: name fewer, or shorter ones"
    return ""


def claim(said: Sequence[Message], said_on: date, language: str) -> Claim:
    """Quote and date as a digest does. The claim is about whoever says the last of it."""
    turns = _turns(said)
    about: About = "user" if said[-1].role == "user" else "agent"
    text = with_dates(written(*reversed(turns)), said_on, language, today=False)
    positions = tuple(one.position for one in said)
    return Claim(about, text, said_on, positions, due=upcoming(turns[-1], said_on, language))


def _turns(said: Sequence[Message]) -> list[str]:
    return [_joined(list(turn)) for _, turn in groupby(said, lambda one: one.role)]


def _joined(turn: Sequence[Message]) -> str:
    text = turn[0].content
    for before, one in pairwise(turn):
        text += (" " if one.position == before.position + 1 else _GAP) + one.content
    return " ".join(text.split())
