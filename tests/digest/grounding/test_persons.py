"""Whose it is, and on which day the talk settles: what was said of one is not told of another."""

from datetime import UTC, datetime

import pytest

from voice_server.digest.grounding.persons import Cast
from voice_server.digest.grounding.settled import unsettled
from voice_server.digest.grounding.subjects import parties
from voice_server.digest.grounding.transcript import Line
from voice_server.domain.digest import Speaker

NIGHTS = "My flatmate Jonas works nights. I work in Leeds, and my sister Fiona is a vet."


def line(position: int, said_by: Speaker, text: str) -> Line:
    return Line(position, said_by, datetime(2026, 11, 20, 9, tzinfo=UTC), text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Ada works nights.", ""),  # Ada works, too, elsewhere
        ("Ada has nights.", "nights"),
        ("Ada's flatmate Jonas works nights.", ""),
        ("Ada's flatmate is a vet.", "vet"),
        ("Ada's sister Fiona is a vet.", ""),
        ("Ada's brother is a vet.", "brother"),
    ],
)
def test_what_is_anothers_is_seen(text: str, word: str) -> None:
    talk = [line(0, "user", NIGHTS)]

    cast = Cast(talk, "en", parties("en", "Ada"))

    assert cast.mistaken(text, talk, of_state=True) == word


@pytest.mark.parametrize(
    ("text", "is_settled"),
    [
        ("Ada comes on Tuesday at ten.", True),
        ("Ada comes on Thursday at ten.", False),
        ("Ada comes on Friday.", True),
    ],
)
def test_a_day_that_was_proposed_and_not_taken_is_given_up(text: str, *, is_settled: bool) -> None:
    talk = [line(0, "agent", "Tuesday at ten or Thursday at ten?"), line(1, "user", "Tuesday, please.")]

    assert (unsettled(text, talk, talk, "en") == "") is is_settled
