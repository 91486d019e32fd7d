"""The days that a query names, asked on Tuesday 17 November 2026."""

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from voice_server.search.when import Span, spans

TODAY = date(2026, 11, 17)


def days(text: str, today: date = TODAY) -> list[str]:
    """What a text names, as `first..last`, or one day."""
    return [
        f"{one.first}..{one.last}" if one.first != one.last else f"{one.first}" for one in spans(text, today)
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What happened in March?", "2026-03-01..2026-03-31"),
        ("in November", "2026-11-01..2026-11-30"),
        ("last November", "2025-11-01..2025-11-30"),
        ("in December", "2025-12-01..2025-12-31"),
        ("in February 2024", "2024-02-01..2024-02-29"),
        ("March 2023", "2023-03-01..2023-03-31"),
        ("since Sept.", "2026-09-01..2026-09-30"),
        ("in mid-June", "2026-06-01..2026-06-30"),
        ("by the end of May", "2026-05-01..2026-05-31"),
    ],
)
def test_a_month_without_a_year_is_the_latest_that_has_begun(text: str, named: str) -> None:
    assert days(text) == [named]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("7 May 2023", "2023-05-07"),
        ("on May 7th, 2023", "2023-05-07"),
        ("the 3rd of June", "2026-06-03"),
        ("on Dec 24", "2025-12-24"),
        ("2023-05-07", "2023-05-07"),
        ("17 November", "2026-11-17"),
        ("18 November", "2025-11-18"),
        ("on 3 Jan at 7:30", "2026-01-03"),
        ("at 18:30 on May 5", "2026-05-05"),
        ("at 18:30 May 5", "2026-05-05"),
    ],
)
def test_a_date_is_one_day_that_has_been(text: str, named: str) -> None:
    assert days(text) == [named]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("on Monday", "2026-11-16"),
        ("on Tuesday", "2026-11-10"),
        ("last Wednesday", "2026-11-11"),
        ("Saturday or Sunday", "2026-11-14 2026-11-15"),
    ],
)
def test_a_weekday_is_the_latest_before_today(text: str, named: str) -> None:
    assert sorted(days(text)) == named.split()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("today", "2026-11-17"),
        ("yesterday", "2026-11-16"),
        ("last night", "2026-11-16"),
        ("the day before yesterday", "2026-11-15"),
        ("this week", "2026-11-16..2026-11-22"),
        ("last week", "2026-11-09..2026-11-15"),
        ("last weekend", "2026-11-14..2026-11-15"),
        ("last month", "2026-10-01..2026-10-31"),
        ("this year", "2026-01-01..2026-12-31"),
        ("last year", "2025-01-01..2025-12-31"),
        ("in 2023", "2023-01-01..2023-12-31"),
    ],
)
def test_times_are_counted_from_today(text: str, named: str) -> None:
    assert days(text) == [named]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("three days ago", "2026-11-14"),
        ("a couple of days ago", "2026-11-15"),
        ("two weeks ago", "2026-10-31..2026-11-06"),
        ("a month ago", "2026-10-01..2026-10-31"),
        ("14 months ago", "2025-09-01..2025-09-30"),
        ("2 years ago", "2024-01-01..2024-12-31"),
    ],
)
def test_the_longer_ago_the_less_exact(text: str, named: str) -> None:
    assert days(text) == [named]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("in the spring", "2026-03-01..2026-05-31"),
        ("last summer", "2026-06-01..2026-08-31"),
        ("in autumn 2024", "2024-09-01..2024-11-30"),
        ("last winter", "2025-12-01..2026-02-28"),
        ("in winter 2023", "2023-12-01..2024-02-29"),
    ],
)
def test_a_season_is_three_months(text: str, named: str) -> None:
    assert days(text) == [named]


def test_the_29th_of_february_is_that_of_the_latest_leap_year() -> None:
    assert days("on 29 February") == ["2024-02-29"]
    assert days("on 29 February", date(2024, 2, 29)) == ["2024-02-29"]
    assert days("on 29 February", date(2024, 2, 28)) == ["2020-02-29"]
    assert days("on 29 February", date(1904, 1, 1)) == ["1896-02-29"]


@pytest.mark.parametrize("text", ["31 February", "April 31st", "00 May", "39 June"])
def test_a_day_that_never_was_is_none(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "May I ask who may call?",
        "the march through the town",
        "in Mayfair",
        "by Augusta",
        "She will fall if she sits in the sun",
        "Sundays, mon ami, decorate",
        "room 12, at 10:30",
        "tomorrow",
        "",
    ],
)
def test_words_that_only_look_like_a_time_name_none(text: str) -> None:
    assert days(text) == []


def test_what_is_read_once_is_not_read_again() -> None:
    assert days("the 3rd of June 2025") == ["2025-06-03"]
    assert days("2025-06-03") == ["2025-06-03"]


def test_all_days_that_are_named_count() -> None:
    assert sorted(days("1 March 2023 or 5 April")) == ["2023-03-01", "2026-04-05"]


def test_case_does_not_matter_and_letters_that_look_alike_are_others() -> None:
    assert days("IN MARCH") == days("in march")
    assert days("on ſunday, in ſept") == []  # in Unicode a long s is an s written otherwise


_PARTS = st.sampled_from(
    """in on last this the of a two 999 31 29 1 0001 9999 2026 - -02-29 st th , . day days week weeks weekend month years
    ago yesterday tonight before monday ſunday february march may mar. dec winter fall summer 2099-12-31 ٣ \0 \ud800""".split(
        " "
    )
)
_TEXTS = st.one_of(st.text(max_size=60), st.lists(_PARTS, max_size=10).map(" ".join))


@given(_TEXTS, st.dates())
@example("last year, last winter, last week, 999 weeks ago and yesterday", date.min)
@example("this week, in winter and on 31 December", date.max)
def test_any_text_names_days_in_order_or_none(text: str, today: date) -> None:
    for span in spans(text, today):
        assert isinstance(span, Span)
        assert span.first <= span.last
