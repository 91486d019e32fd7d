"""A prompt cached once is right whenever it is served."""

from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from pretend.memories import ADA, NOON, at, build, call, entry, memory, read, thread

from voice_server.context.layout import formatting, slots, tokens
from voice_server.context.layout.slots import CachedPrompt, Call
from voice_server.context.prompt_builder import Prompt
from voice_server.domain.memory import Memory

count = tokens.counter()

ZONES = (
    "UTC", "Europe/Berlin", "America/New_York", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe",
    "Pacific/Kiritimati", "Pacific/Pago_Pago", "Pacific/Chatham", "Africa/Cairo", "America/Santiago",
)  # fmt: skip
clocks = st.datetimes(datetime(2026, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 (hypothesis adds the zone)

MONDAY = call(1, at("2026-11-16 18:02"), "Ada told of her cat.", "The cat is called Plum.")
TUESDAY = call(2, at("2026-11-17 09:12"), 'Ada said "yes" \\ to 日本語 👋🏽.', "Ada bakes on Sunday.")


@cache
def cached(zone: str = "Europe/Berlin") -> tuple[Memory, Prompt, CachedPrompt]:
    """Built at noon in Berlin."""
    known = memory(TUESDAY, MONDAY, threads=(thread(1),), zone=zone)
    prompt = build(known)
    return known, prompt, entry(known, prompt)


def prompt_in(answer: bytes) -> str:
    text: str = msgspec.json.decode(answer)["conversation_config_override"]["agent"]["prompt"]["prompt"]
    return text


@given(zone=st.sampled_from(ZONES), now=clocks, redial=st.booleans())
def test_what_is_served_is_json_and_holds_exactly_the_text(zone: str, now: datetime, *, redial: bool) -> None:
    known, prompt, waiting = cached(zone)

    answer = slots.fill(waiting, Call(now.timestamp(), redial))

    assert prompt_in(answer) == read(known, prompt, now, redial=redial)


@given(zone=st.sampled_from(ZONES), now=clocks, redial=st.booleans())
def test_what_is_served_is_never_longer_than_what_was_counted(
    zone: str, now: datetime, *, redial: bool
) -> None:
    known, prompt, _ = cached(zone)

    assert count(read(known, prompt, now, redial=redial)) <= prompt.tokens


@given(st.sampled_from(ZONES), clocks)
def test_the_time_told_is_the_users_own(zone: str, now: datetime) -> None:
    known, prompt, _ = cached(zone)
    there = now.astimezone(ZoneInfo(zone))

    told = read(known, prompt, now)

    assert f"{formatting.time_of_day(there)} on {formatting.long_date(there.date())}" in told


def test_no_time_of_day_is_longer_than_the_widest() -> None:
    midnight = datetime(2026, 11, 17, tzinfo=UTC)
    times = {formatting.time_of_day(midnight + timedelta(minutes=n)) for n in range(24 * 60)}

    assert max(count(f", {time} on") for time in times) == count(f", {slots.WIDEST[slots.TIME]} on")


def test_no_date_is_longer_than_the_widest() -> None:
    dates = [formatting.long_date((NOON + timedelta(days=n)).date()) for n in range(3 * 366)]

    assert max(count(f" on {date}.") for date in dates) == count(f" on {slots.WIDEST[slots.DATE]}.")


def test_no_part_of_the_day_is_longer_than_the_widest() -> None:
    parts = {formatting.part_of_day(NOON + timedelta(hours=n)) for n in range(24)}

    assert max(count(f" is {part},") for part in parts) == count(f" is {slots.WIDEST[slots.PART_OF_DAY]},")


def test_no_span_is_longer_than_the_widest() -> None:
    minutes = [*range(0, 3000, 7), *range(3000, 50_000_000, 20_011)]
    spans = {formatting.span(60 * n) for n in minutes}

    assert max(count(f" ended {span} ago") for span in spans) == count(
        f" ended {slots.WIDEST[slots.SINCE_LAST]} ago"
    )


# -- the day


@pytest.mark.parametrize(
    ("zone", "moment", "shown"),
    [
        ("Europe/Berlin", "2026-11-17 23:59", ("[TODAY SO FAR]", "[YESTERDAY]")),
        ("Europe/Berlin", "2026-11-18 00:01", ("[YESTERDAY]",)),
        ("Europe/Berlin", "2026-11-18 23:59", ("[YESTERDAY]",)),
        ("Europe/Berlin", "2026-11-19 00:01", ()),
        ("Europe/Berlin", "2027-11-19 00:01", ()),
        ("Pacific/Kiritimati", "2026-11-18 23:59", ("[YESTERDAY]",)),
        ("Pacific/Pago_Pago", "2026-11-17 23:59", ("[YESTERDAY]",)),
    ],
)
def test_today_becomes_yesterday_and_then_nothing_without_a_rebuild(
    zone: str, moment: str, shown: tuple[str, ...]
) -> None:
    earlier = replace(TUESDAY, id=9, started_at=TUESDAY.started_at - timedelta(hours=1))
    known = memory(TUESDAY, earlier, MONDAY, zone=zone)
    prompt = build(known)

    told = read(known, prompt, at(moment, zone))

    assert tuple(name for name in ("[TODAY SO FAR]", "[YESTERDAY]") if name in told) == shown
    assert "[LAST TIME]" in told


@pytest.mark.parametrize(
    ("zone", "called", "still_today", "then_yesterday"),
    [
        # Clocks go forward on 29 March: the 28th ends at 23:00 UTC, the 29th already at 22:00.
        ("Europe/Berlin", "2026-03-29T00:30+00:00", "2026-03-29T21:59+00:00", "2026-03-29T22:00+00:00"),
        # Clocks go back on 25 October: that day has 25 hours.
        ("Europe/Berlin", "2026-10-24T23:30+00:00", "2026-10-25T22:59+00:00", "2026-10-25T23:00+00:00"),
        # Midnight of 6 September does not exist in Santiago.
        ("America/Santiago", "2026-09-05T20:00+00:00", "2026-09-06T03:59+00:00", "2026-09-06T04:00+00:00"),
    ],
)
def test_on_nights_when_clocks_change_the_day_ends_at_its_midnight(
    zone: str, called: str, still_today: str, then_yesterday: str
) -> None:
    started = datetime.fromisoformat(called)
    before_that = call(2, started - timedelta(minutes=20), "Ada rang once.")
    known = memory(call(1, started, "Ada called.", "Ada could not sleep."), before_that, zone=zone)
    prompt = build(known, started + timedelta(minutes=10))

    before, after = (
        read(known, prompt, datetime.fromisoformat(moment)) for moment in (still_today, then_yesterday)
    )

    assert "[TODAY SO FAR]" in before
    assert "[YESTERDAY]" not in before
    assert "[TODAY SO FAR]" not in after
    assert "[YESTERDAY]" in after


@given(st.sampled_from(ZONES), st.integers(0, 60 * 72))
def test_serving_later_says_the_same_as_building_later(zone: str, minutes: int) -> None:
    known, prompt, _ = cached(zone)
    later = NOON + timedelta(minutes=minutes)
    assume(prompt.fresh_until is None or later < prompt.fresh_until)

    assert read(known, prompt, later) == read(known, build(known, later), later)


# -- redial, user id


def test_a_redial_is_told_and_otherwise_not() -> None:
    known, prompt, _ = cached()

    assert "You spoke a short while ago" in read(known, prompt, NOON, redial=True)
    assert "You spoke a short while ago" not in read(known, prompt, NOON)


def test_a_prompt_without_a_user_of_its_own_takes_the_id_of_the_call() -> None:
    nobody = Memory(user_id="", timezone="UTC")
    waiting = entry(nobody, build(nobody))

    answer = msgspec.json.decode(slots.fill(waiting, Call(0, user_id='tel:+1"\\')))

    assert answer["user_id"] == 'tel:+1"\\'


def test_a_prompt_with_a_user_of_its_own_keeps_it() -> None:
    answer = msgspec.json.decode(slots.fill(cached()[2], Call(0, user_id="tel:+1415")))

    assert answer["user_id"] == ADA


@given(st.text(st.characters(min_codepoint=0xE000, max_codepoint=0xF8FF), min_size=1, max_size=20))
def test_private_use_characters_of_a_caller_never_make_a_slot(text: str) -> None:
    plain = memory(replace(MONDAY, summary="Ada told."))
    attacked = memory(replace(MONDAY, summary=f"Ada {text}told."))

    assert entry(attacked, build(attacked)) == entry(plain, build(plain))


# -- garbage


@given(st.binary(max_size=300))
def test_garbage_is_no_prompt(entry: bytes) -> None:
    assert slots.unpack(entry) is None


def test_what_was_packed_is_unpacked() -> None:
    assert slots.unpack(slots.pack(cached()[2])) == cached()[2]


def test_another_format_is_no_prompt() -> None:
    assert slots.unpack(slots.pack(replace(cached()[2], format=slots.FORMAT + 1))) is None


@given(st.data())
def test_a_damaged_entry_is_refused_or_can_be_filled(data: st.DataObject) -> None:
    known = memory(MONDAY)
    whole = slots.pack(entry(known, build(known)))
    place = data.draw(st.integers(0, len(whole) - 1) | st.integers(0, 120))
    damaged = whole[:place] + data.draw(st.binary(min_size=1, max_size=1)) + whole[place + 1 :]

    prompt = slots.unpack(damaged)

    assert prompt is None or slots.fill(prompt, Call(NOON.timestamp()))


@pytest.mark.parametrize("number", [-1, 7, 16, 63, 2**40])
def test_an_entry_with_a_slot_nobody_knows_is_no_prompt(number: int) -> None:
    assert slots.unpack(slots.pack(replace(cached()[2], body=[b"{", number]))) is None


def test_an_entry_with_a_choice_within_a_choice_is_no_prompt() -> None:
    loop = [slots.Option(slots.FOREVER, [5])] * 2

    assert slots.unpack(slots.pack(replace(cached()[2], choices=[loop, loop]))) is None


def test_an_entry_for_a_zone_nobody_knows_is_served_in_utc() -> None:
    strange = replace(cached()[2], timezone="Mars/Olympus")

    assert "11:00 on" in prompt_in(slots.fill(strange, Call(NOON.timestamp())))
