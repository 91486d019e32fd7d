"""What an earlier thread is about: its own words, without its days and without names."""

from collections.abc import Callable

from voice_server.domain.digest import EarlierThread

Closed = Callable[..., tuple[int, ...]]

CANDLES = EarlierThread(1, "request", "user", '"Remind me to buy the candles."')


def test_the_week_in_brackets_is_nothing_that_a_thread_is_about(closed: Closed) -> None:
    known = EarlierThread(7, "promise", "agent", '"I\'ll post it next week (week of 23 November 2026)."')

    assert closed("a: Hello.\nu: we paid the November rent", known, CANDLES) == ()


def test_a_name_by_which_they_greet_each_other_is_nothing_that_a_thread_is_about(closed: Closed) -> None:
    vase = EarlierThread(
        9,
        "promise",
        "agent",
        '"I\'ll call you back."',
        around="Hello Robin, Claire here. I'll call you back.",
    )

    assert closed("a: Harbor Physio.\nu: Hello Robin, I got the results.", vase) == ()
