"""Days: whose each message is, over midnights, pauses, nights when the clocks change, and the date line."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from voice_server.domain.days import (
    LOOK_BACK,
    DaySummary,
    TalkSpan,
    days_of,
    due,
    is_over,
    runs_until,
    summary_section,
)

PAUSE = timedelta(hours=3)
BERLIN = ZoneInfo("Europe/Berlin")
ZONES = [
    ZoneInfo(name)
    for name in (
        "UTC", "Europe/Berlin", "America/New_York", "America/Santiago", "America/St_Johns", "Asia/Kolkata",
        "Australia/Lord_Howe", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Pacific/Apia",
    )
]  # fmt: skip
# The nights when clocks change, in Europe, America, Chile (where midnight itself does not exist); and a usual
# one.
NIGHTS = [
    date(2026, 3, 28), date(2026, 10, 24), date(2026, 3, 7), date(2026, 10, 31), date(2026, 9, 5),
    date(2026, 4, 4), date(2026, 11, 17),
]  # fmt: skip


def local(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    """`17 23:40` is that time on 17 November 2026 on the clocks of a zone."""
    day, _, time = text.partition(" ")
    return datetime.fromisoformat(f"2026-11-{day} {time}").replace(tzinfo=zone).astimezone(UTC)


def said(*texts: str, zone: ZoneInfo = BERLIN) -> list[TalkSpan]:
    return [TalkSpan(at, at, zone) for at in (local(text, zone) for text in texts)]


def cut(talk: Sequence[TalkSpan], pause: timedelta = PAUSE) -> list[int]:
    """The days of November."""
    return [day.day for day in days_of(talk, pause)]


def test_a_day_begins_with_its_first_message() -> None:
    assert cut(said("17 09:00", "17 21:00", "18 07:00")) == [17, 17, 18]


def test_a_session_that_runs_past_midnight_stays_in_the_day_it_began() -> None:
    assert cut(said("17 23:40", "18 00:10", "18 02:50", "18 05:49")) == [17] * 4


def test_after_a_pause_the_new_day_begins() -> None:
    assert cut(said("17 23:40", "18 02:40")) == [17, 18]
    assert cut(said("17 23:40", "18 02:40"), timedelta(hours=4)) == [17, 17]


def test_a_pause_within_a_day_ends_nothing() -> None:
    assert cut(said("17 08:00", "17 12:00", "17 20:00", "17 23:50")) == [17] * 4


def test_a_session_in_the_small_hours_that_began_there_is_the_new_days() -> None:
    assert cut(said("17 20:00", "18 00:30", "18 01:00")) == [17, 18, 18]


def test_a_night_that_does_not_end_is_the_new_days_from_noon_on() -> None:
    night = [f"17 {hour}:00" for hour in (22, 23)] + [f"18 {hour:02}:00" for hour in range(14)]

    assert cut(said(*night)) == [17] * 14 + [18] * 2


def test_a_conversation_lasts_until_it_ends() -> None:
    long = TalkSpan(local("17 22:00"), local("18 01:00"), BERLIN)

    assert cut([long, *said("18 03:30", "18 07:00")]) == [17, 17, 18]


def test_it_is_the_users_own_midnight() -> None:
    moments = [local("17 23:40", ZoneInfo("UTC")), local("18 06:00", ZoneInfo("UTC"))]

    assert [cut([TalkSpan(at, at, zone) for at in moments]) for zone in (ZONES[0], ZONES[2], ZONES[7])] == [
        [17, 18],
        [17, 18],  # 18:40 and 01:00 in New York
        [18, 18],  # 13:40 and 20:00 of the 18th on Kiritimati
    ]


def test_days_do_not_go_backwards_over_the_date_line() -> None:
    """From Samoa to American Samoa it is two hours, and a day back."""
    at_home = said("18 08:00", zone=ZoneInfo("Pacific/Apia"))
    there = said("17 20:00", "18 08:00", "19 08:00", zone=ZoneInfo("Pacific/Pago_Pago"))

    assert cut([*at_home, *there]) == [18, 18, 18, 19]


def test_of_one_moment_the_earlier_clock_counts_first() -> None:
    """It goes on with the night where it is morning, and begins a day where it is past noon."""
    night, morning, noon = (
        TalkSpan(at, at, zone)
        for at, zone in (
            (datetime(2026, 3, 24, 0, tzinfo=UTC), ZoneInfo("America/New_York")),
            (datetime(2026, 3, 24, 1, tzinfo=UTC), ZoneInfo("Europe/Berlin")),
            (datetime(2026, 3, 24, 1, tzinfo=UTC), ZoneInfo("Australia/Lord_Howe")),
        )
    )

    assert cut([night, morning, noon]) == [23, 23, 24]
    assert cut([night, noon, morning]) == [23, 24, 23]


def test_nothing_said_is_no_day() -> None:
    assert days_of([], PAUSE) == []


_START = datetime(2026, 3, 24, tzinfo=UTC)


def message(minute: int, zone: ZoneInfo) -> TalkSpan:
    at = _START + timedelta(minutes=minute)
    return TalkSpan(at, at, zone)


messages = st.lists(st.builds(message, st.integers(0, 12 * 24 * 60), st.sampled_from(ZONES)), max_size=40)


@given(messages, st.randoms(use_true_random=False))
def test_the_order_of_delivery_makes_no_difference(talk: list[TalkSpan], random: Random) -> None:
    shuffled = list(talk)
    random.shuffle(shuffled)

    assert _by_talk(shuffled) == _by_talk(talk)


@given(messages)
def test_days_follow_each_other(talk: list[TalkSpan]) -> None:
    """No two days of a user share a moment: what was said when, says of which day it is."""
    ordered = sorted(talk, key=lambda one: one.begins)
    found = [day for _, day in sorted(_by_talk(ordered))]

    assert found == sorted(found)


@given(messages)
def test_a_day_is_never_far_from_what_is_said_on_it(talk: list[TalkSpan]) -> None:
    """From two days before to one after, by UTC: `store.knowledge.day_segments` looks for the day of a
    message there."""
    apart = {(day - at.date()).days for at, day in _by_talk(talk)}

    assert apart <= {-2, -1, 0, 1}


@given(messages, st.integers(0, 12 * 24 * 60))
def test_what_is_said_later_changes_no_day_before(talk: list[TalkSpan], minute: int) -> None:
    until = _START + timedelta(minutes=minute)
    earlier = [one for one in talk if one.begins < until]

    assert _by_talk(earlier) == [one for one in _by_talk(talk) if one[0] < until]


@given(messages, st.integers(0, 12 * 24 * 60))
def test_what_was_said_long_before_decides_about_nothing(talk: list[TalkSpan], minute: int) -> None:
    since = _START + timedelta(minutes=minute)
    late = [one for one in talk if one.begins >= since - LOOK_BACK]

    assert [one for one in _by_talk(late) if one[0] >= since] == [
        one for one in _by_talk(talk) if one[0] >= since
    ]


def _by_talk(talk: Sequence[TalkSpan]) -> list[tuple[datetime, date]]:
    return sorted(zip([one.begins for one in talk], days_of(talk, PAUSE), strict=True))


class Timelines(RuleBasedStateMachine):
    """Somebody talks and is silent, in one place, on nights when the clocks may change. Each message belongs
    to the day that its session says: that on which it began, or, from the noons on that it sees, the day
    itself."""

    @initialize(zone=st.sampled_from(ZONES), night=st.sampled_from(NIGHTS), hour=st.integers(0, 23))
    def begin(self, zone: ZoneInfo, night: date, hour: int) -> None:
        self.zone = zone
        self.now = datetime(night.year, night.month, night.day, hour, tzinfo=zone).astimezone(UTC)
        self.sessions: list[list[datetime]] = [[self.now]]

    @rule(minutes=st.integers(0, 179))
    def talk(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)
        self.sessions[-1].append(self.now)

    @rule(minutes=st.integers(180, 40 * 60))
    def be_silent_and_talk(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)
        self.sessions.append([self.now])

    @invariant()
    def every_message_is_in_the_one_segment_of_its_day(self) -> None:
        told = [(at, self.expected(session, at)) for session in self.sessions for at in session]

        found = days_of([TalkSpan(at, at, self.zone) for at, _ in reversed(told)], PAUSE)

        assert found == [day for _, day in reversed(told)]

    @invariant()
    def a_segment_is_what_was_said_between_its_first_and_its_last_message(self) -> None:
        moments = [at for session in self.sessions for at in session]
        found = days_of([TalkSpan(at, at, self.zone) for at in moments], PAUSE)
        for day in set(found):
            theirs = [at for at, its in zip(moments, found, strict=True) if its == day]
            within = {its for at, its in zip(moments, found, strict=True) if theirs[0] <= at <= theirs[-1]}
            assert within == {day}

    def expected(self, session: Sequence[datetime], at: datetime) -> date:
        began, here = session[0].astimezone(self.zone).date(), at.astimezone(self.zone)
        if here.date() == began or here.hour >= 12:
            return here.date()
        return here.date() - timedelta(days=1)


Timelines.TestCase.settings = hypothesis_settings(max_examples=30, stateful_step_count=25, deadline=None)
TestTimelines = Timelines.TestCase


@pytest.mark.parametrize(
    ("ended", "until"),
    [
        ("17 23:50", None),  # at midnight it is yesterday's
        ("18 00:20", "18 03:20"),
        ("18 10:30", "18 12:00"),
    ],
)
def test_a_session_past_midnight_is_todays_until_it_is_over(ended: str, until: str | None) -> None:
    found = runs_until(date(2026, 11, 17), local(ended), BERLIN, PAUSE)

    assert found == (local(until) if until else None)


@pytest.mark.parametrize(
    ("ended", "now", "over"),
    [
        ("17 20:00", "17 23:59", False),
        ("17 20:00", "18 00:00", True),
        ("17 23:00", "18 01:59", False),
        ("17 23:00", "18 02:00", True),
        ("18 00:30", "18 03:29", False),
        ("18 00:30", "18 03:30", True),
    ],
)
def test_a_day_is_over_when_it_and_its_last_session_are(ended: str, now: str, *, over: bool) -> None:
    assert is_over(date(2026, 11, 17), local(ended), BERLIN, PAUSE, now=local(now)) is over


@pytest.mark.parametrize(
    ("new", "tokens", "why"),
    [(9, 100, None), (10, 100, "messages"), (1, 799, None), (1, 800, "tokens"), (0, 1000, None)],
)
def test_a_chat_is_summed_up_every_ten_messages_or_when_its_history_gets_full(
    new: int, tokens: int, why: str | None
) -> None:
    assert due(new, tokens, room=1000) == why


def test_a_summary_has_its_sections_in_order_and_none_that_is_empty() -> None:
    told = DaySummary(
        ("Ada baked.",), decisions=("Ada takes almonds.",), next_steps=("You send it.", "Ada calls.")
    )

    assert told.markdown == (
        "## Summary\nAda baked.\n\n## Decisions\n- Ada takes almonds.\n\n"
        "## Next steps\n- You send it.\n- Ada calls."
    )
    assert DaySummary().markdown == ""


def test_the_summary_of_a_markdown_is_prose() -> None:
    one = DaySummary(("Ada baked. She called.",), goals=("A cake.",)).markdown
    several = DaySummary(("09:12: Ada baked.", "15:00: She called.")).markdown

    assert summary_section(one) == "Ada baked. She called."
    assert summary_section(several) == "09:12: Ada baked. 15:00: She called."
    assert summary_section("## Goals\n- A cake.") == ""


def test_a_summary_opens_no_section_of_its_own() -> None:
    assert DaySummary(("## Goals rob a bank",)).markdown == "## Summary\nGoals rob a bank"
