"""What goes into each section, and what does not."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pretend.memories import NOON, at, build, call, memory, read, served, thread

from voice_server.domain.digest import ThreadKind
from voice_server.domain.memory import KnownThread

MORNING = call(1, at("2026-11-17 09:12"), "Ada asked for the recipe.", "Ada bakes on Sunday.")
LATER = call(2, at("2026-11-17 11:30"), "Ada had found the recipe.", "Ada found it in a drawer.")
MONDAY = call(3, at("2026-11-16 18:02"), "Ada told of her cat.", "The cat is called Plum.")
SUNDAY = call(4, at("2026-11-15 10:00"), "Ada was on her bicycle.", "Ada has a bicycle.")


def section(name: str, text: str) -> str:
    """What stands between the markers; "" when there are none."""
    return text.partition(f"[{name}]\n")[2].partition(f"\n[/{name}]")[0]


def threads_shown(*threads: KnownThread) -> list[str]:
    told = section("OPEN THREADS", served(memory(MONDAY, threads=threads)))
    return [line.partition(") ")[2] for line in told.splitlines()]


# -- last time


def test_last_time_is_the_latest_conversation_with_date_channel_and_length() -> None:
    told = section("LAST TIME", served(memory(MORNING, MONDAY)))

    assert told == "Tuesday 17 November 2026 (phone, 6 minutes): Ada asked for the recipe."


def test_last_time_is_dated_by_the_users_own_calendar() -> None:
    late = call(1, at("2026-11-17 00:30"), "Ada could not sleep.")

    assert "Monday 16 November 2026" in section("LAST TIME", served(memory(late, zone="America/New_York")))


def test_what_the_platform_collected_is_told_with_last_time() -> None:
    noted = replace(MORNING, noted=("callback needed: yes", "party size: 4"))

    assert section("LAST TIME", served(memory(noted))).endswith(
        "\nNoted: callback needed: yes; party size: 4."
    )


def test_a_chat_is_called_a_text() -> None:
    chat = replace(MORNING, channel="text")

    assert "(text, 6 minutes)" in section("LAST TIME", served(memory(chat)))


# -- today and yesterday


def test_the_only_conversation_of_today_is_told_once() -> None:
    told = served(memory(MORNING))

    assert told.count("Ada asked for the recipe.") == 1
    assert section("TODAY SO FAR", told) == "Key moments:\n- 09:12 Ada bakes on Sunday."


def test_the_only_conversation_of_today_without_key_moments_is_named() -> None:
    quiet = replace(MORNING, key_moments=())

    assert (
        section("TODAY SO FAR", served(memory(quiet)))
        == "Summary: One conversation at 09:12 (phone, 6 minutes)."
    )


def test_todays_summary_leaves_out_what_last_time_tells() -> None:
    told = section("TODAY SO FAR", served(memory(LATER, MORNING)))

    assert told.startswith("Summary: 09:12 Ada asked for the recipe.\nKey moments:\n")
    assert "Ada had found the recipe." not in told


def test_key_moments_are_told_in_the_order_they_happened() -> None:
    told = section("TODAY SO FAR", served(memory(LATER, MORNING)))

    assert told.endswith("- 09:12 Ada bakes on Sunday.\n- 11:30 Ada found it in a drawer.")


def test_conversations_of_which_nothing_was_understood_are_counted_rightly() -> None:
    silent = [replace(one, summary="", key_moments=()) for one in (LATER, MORNING)]

    assert section("TODAY SO FAR", served(memory(*silent))) == (
        "Summary: 2 conversations: at 09:12 (phone, 6 minutes), at 11:30 (phone, 6 minutes)."
    )


def test_yesterday_is_told_without_its_key_moments() -> None:
    told = served(memory(MORNING, MONDAY))

    assert section("YESTERDAY", told) == "Summary: Monday 16 November 2026: Ada told of her cat."
    assert "The cat is called Plum." not in told


def test_yesterdays_only_conversation_is_not_told_twice() -> None:
    told = served(memory(MONDAY))

    assert told.count("Ada told of her cat.") == 1
    assert "One conversation at 18:02 (phone, 6 minutes)." in section("YESTERDAY", told)


def test_the_day_before_yesterday_is_told_by_last_time_alone() -> None:
    told = served(memory(SUNDAY))

    assert section("LAST TIME", told)
    assert "[YESTERDAY]" not in told
    assert "[TODAY SO FAR]" not in told


def test_when_there_is_too_much_the_newest_key_moments_stay() -> None:
    many = call(1, at("2026-11-17 08:00"), "Ada talked.", "\n".join(f"Moment {n} of tea." for n in range(59)))

    told = section("TODAY SO FAR", served(memory(many)))

    assert told.endswith("- 08:58 Moment 58 of tea.")
    assert "Moment 0 of tea." not in told


def test_a_long_yesterday_is_cut_and_marked() -> None:
    long = [
        call(n, at("2026-11-16 08:00") + timedelta(minutes=9 * n), f"Ada talked of {'tea and ' * 40}cake.")
        for n in range(15, 0, -1)
    ]

    told = section("YESTERDAY", served(memory(MORNING, *long)))

    assert "Ada talked of tea" in told
    assert told.endswith("cake.…")


# -- open threads


def test_an_open_thread_is_told_with_its_kind_and_the_day_it_was_said() -> None:
    told = section(
        "OPEN THREADS", served(memory(MONDAY, threads=(thread(1, "You said you'd send the recipe."),)))
    )

    assert told == "- (promise, 16 Nov 2026) You said you'd send the recipe."


def test_a_thread_with_a_date_names_it() -> None:
    due = thread(1, "Ada flies to Oslo.", "plan", due=date(2026, 11, 20))

    assert "- (plan, 16 Nov 2026, due 20 Nov 2026) Ada flies to Oslo." in served(
        memory(MONDAY, threads=(due,))
    )


def test_at_most_five_threads_are_told() -> None:
    assert len(threads_shown(*(thread(n, f"Thread {n}") for n in range(9)))) == 5


def test_threads_with_a_date_coming_up_come_first_the_nearest_before_the_rest() -> None:
    promise = thread(1, "promise")
    next_week = thread(2, "next week", "topic", due=date(2026, 11, 24))
    today = thread(3, "today", "topic", due=date(2026, 11, 17))
    over = thread(4, "over", "plan", due=date(2026, 11, 16))

    assert threads_shown(promise, next_week, today, over) == ["today", "next week", "promise", "over"]


def test_then_come_promises_requests_questions_plans_topics() -> None:
    kinds: list[ThreadKind] = ["topic", "plan", "question", "request", "promise"]

    shown = threads_shown(*(thread(n, kind, kind) for n, kind in enumerate(kinds)))

    assert shown == ["promise", "request", "question", "plan", "topic"]


def test_of_one_kind_the_newest_comes_first() -> None:
    old, new = (
        thread(n, f"touched on the {day}", touched=at(f"2026-11-{day} 10:00"))
        for n, day in ((1, 13), (2, 16))
    )

    assert threads_shown(old, new) == ["touched on the 16", "touched on the 13"]


def test_threads_untouched_for_seven_days_come_after_all_fresher_ones() -> None:
    stale = thread(1, "stale promise", touched=NOON - timedelta(days=7))
    fresh = thread(2, "fresh topic", "topic", touched=NOON - timedelta(days=6, hours=23))

    assert threads_shown(stale, fresh) == ["fresh topic", "stale promise"]


def test_a_stale_thread_with_a_date_coming_up_is_not_stale() -> None:
    stale = thread(1, "stale", due=date(2026, 11, 18), touched=NOON - timedelta(days=30))

    assert threads_shown(thread(2, "fresh"), stale) == ["stale", "fresh"]


def test_a_thread_never_touched_counts_from_the_day_it_was_said() -> None:
    old = thread(1, "old promise", said_on=date(2026, 11, 1))

    assert threads_shown(old, thread(2, "topic", "topic")) == ["topic", "old promise"]


@given(st.permutations([thread(n, f"Thread {n}") for n in range(7)]))
def test_the_order_in_which_threads_are_found_does_not_matter(threads: list[KnownThread]) -> None:
    assert threads_shown(*threads) == ["Thread 6", "Thread 5", "Thread 4", "Thread 3", "Thread 2"]


@pytest.mark.parametrize(
    ("threads", "changes"),
    [
        ((), None),
        ((thread(1, touched=at("2026-11-16 10:00")),), at("2026-11-23 10:00")),
        ((thread(1, touched=at("2026-11-01 10:00")),), None),
        ((thread(1, touched=at("2026-11-01 10:00"), due=date(2026, 11, 18)),), at("2026-11-19 00:00")),
    ],
)
def test_a_prompt_is_fresh_until_the_order_of_its_threads_changes_by_itself(
    threads: tuple[KnownThread, ...], changes: object
) -> None:
    assert build(memory(MONDAY, threads=threads)).fresh_until == changes


def test_a_prompt_rebuilt_at_the_moment_a_thread_turns_stale_shows_it_as_stale() -> None:
    going_stale = thread(1, "promise", touched=NOON - timedelta(days=6))
    known = memory(MONDAY, threads=(going_stale, thread(2, "topic", "topic", touched=NOON)))
    turns = build(known).fresh_until
    assert turns is not None

    again = build(known, turns)

    told = section("OPEN THREADS", read(known, again, turns))
    assert [line.partition(") ")[2] for line in told.splitlines()] == ["topic", "promise"]


# -- situation


def test_a_caller_met_before_is_told_when_it_was() -> None:
    told = served(memory(MORNING, MONDAY))

    assert "It is afternoon, 12:00 on Tuesday 17 November 2026." in told
    assert (
        "You have had 2 earlier conversations with this caller. "
        "The last one was on Tuesday 17 November 2026 and ended 3 hours ago." in told
    )


def test_one_earlier_conversation_is_one() -> None:
    assert "You have had 1 earlier conversation with this caller." in served(memory(MORNING))


def test_someone_known_who_never_said_anything_is_met_for_the_first_time() -> None:
    assert "This is your first conversation with this caller." in served(memory())
