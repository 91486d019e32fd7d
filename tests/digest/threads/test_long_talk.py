"""A long conversation costs as it is long: twice as much talk takes about twice as many steps."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.opening.opening import left_open
from voice_server.digest.threads.speech.phrases import phrases_of
from voice_server.digest.threads.speech.talk import ThreadTalk
from voice_server.domain.conversation import Message

NOW = datetime(2026, 11, 17, 9, tzinfo=UTC)


def talk(lines: tuple[str, ...], times: int, *, at_once: bool) -> ThreadTalk:
    """A talk that says the lines again and again, about another thing each time, in one message each or in
    one."""
    said = [line.format(thing=f"thing{'abcdefghij'[n % 10]}{n}") for n in range(times) for line in lines]
    told = [" ".join(said)] if at_once else said
    messages = [
        Message(n, "agent" if n % 2 else "user", text, NOW + timedelta(seconds=n))
        for n, text in enumerate(told)
    ]
    phrases = phrases_of("en")
    assert phrases is not None
    return ThreadTalk(messages, phrases, ZoneInfo("UTC"))


def steps(work: Callable[[ThreadTalk], object], said: ThreadTalk) -> int:
    """How many functions are called while it works, those of the interpreter as well."""
    count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(counted)
    try:
        work(said)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("at_once", [False, True], ids=["in turns", "at once"])
@pytest.mark.parametrize(
    "lines",
    [
        ("I'll send you the photos of the {thing}.", "Thanks."),
        ("I'll send you the {thing}.", "I've sent it.", "Leave it with me."),
        ("How about Friday at ten?", "Friday at ten is good.", "No, make it eleven."),
        ("They've moved the {thing} to Friday.", "You're booked in.", "All booked."),
        ("Is the {thing} heated in winter?", "I'd have to ask.", "I can't make it on Friday."),
    ],
    ids=["promises", "kept", "corrected", "booked", "asked"],
)
def test_twice_the_talk_takes_twice_the_steps(lines: tuple[str, ...], *, at_once: bool) -> None:
    left_open(talk(lines, 2, at_once=at_once))  # what is compiled once is compiled

    once, twice = (steps(left_open, talk(lines, times, at_once=at_once)) for times in (20, 40))

    assert twice < 2.3 * once
