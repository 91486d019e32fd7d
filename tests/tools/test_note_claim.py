"""A note as a claim."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.tools import note_claim

TODAY = date(2026, 11, 17)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ada's exam is tomorrow.", "Ada's exam is on 18 November 2026."),
        ("Ada will move to Lisbon next month.", "Ada will move to Lisbon in December 2026."),
        ("Ada's birthday is today, 17 November.", "Ada's birthday is on 17 November 2026."),
        ("Ada works on Mondays.", "Ada works on Mondays."),
    ],
)
def test_relative_days_are_kept_as_dates(given: str, kept: str) -> None:
    assert note_claim.claim(given, "fact", TODAY).text == kept


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("The caller lives in Porto.", "home"),
        ("Ada moved to Lisbon in October 2026.", "home"),
        ("She has recently moved to Lisbon.", "home"),
        ("I live in Porto.", "home"),
        ("Ada works as a nurse.", "job"),
        ("Ada's daughter lives in Porto.", ""),
        ("The caller likes tea.", ""),
    ],
)
def test_what_there_is_one_of_has_its_topic(text: str, topic: str) -> None:
    assert note_claim.claim(text, "fact", TODAY).topic == topic


def test_what_holds_since_a_day_says_so() -> None:
    assert note_claim.claim("Ada moved to Lisbon in October 2026.", "fact", TODAY).valid_from == date(
        2026, 10, 1
    )
    assert note_claim.claim("Ada moved to Lisbon yesterday.", "fact", TODAY).valid_from == date(2026, 11, 16)
    assert note_claim.claim("Ada lives in Lisbon.", "fact", TODAY).valid_from is None


def test_only_a_commitment_is_due() -> None:
    text = "Ada has promised to send the form by 1 December 2026."

    assert note_claim.claim(text, "commitment", TODAY).due == date(2026, 12, 1)
    assert note_claim.claim(text, "fact", TODAY).due is None


@given(st.text(max_size=80))
def test_worded_again_it_is_the_same(text: str) -> None:
    once = note_claim.wording(text, TODAY)

    assert note_claim.wording(once, TODAY) == once
