"""What goes into each section, and what does not."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pretend.memories import (
    LIMIT,
    NOON,
    at,
    build,
    call,
    fact,
    follow_up,
    memory,
    read,
    served,
    thought,
    thread,
)

from voice_server.domain.agent import Agent, Budget, Limits
from voice_server.domain.digest import KeyMoment, Speaker, ThreadKind
from voice_server.domain.fact import About, Fact, Source
from voice_server.domain.memory import KnownThread, RememberedConversation
from voice_server.domain.relationship import Metrics, Relationship
from voice_server.domain.thought import Thought

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


PROMISED = '"I\'ll send you the recipe tomorrow (17 November 2026)."'
PROMISED_BENEATH = '"I\'ll send you the recipe tomorrow (17 November)."'
PROMISE = thread(1, '"I\'ll send you the recipe tomorrow."', due=date(2026, 11, 17))


def quoted(*texts: str) -> RememberedConversation:
    """A call of Monday evening of which only quotes of the agent are known."""
    moments = tuple(KeyMoment(MONDAY.started_at, text, n, "agent") for n, text in enumerate(texts))
    return replace(MONDAY, summary="", key_moments=moments, is_quoted=True)


def test_what_an_open_thread_says_in_its_very_words_is_told_there_alone() -> None:
    told = served(memory(quoted(PROMISED, '"Plum is a fine name."'), threads=(PROMISE,)))

    assert told.count("I'll send you the recipe") == 1
    assert section("LAST TIME", told).endswith('\n- You: "Plum is a fine name."')


@pytest.mark.parametrize(("leans", "times"), [(True, 2), (False, 1)])
def test_what_leans_on_a_threads_words_is_told_with_them(*, leans: bool, times: int) -> None:
    call = quoted(PROMISED, '"It is my mother’s."')
    first, last = call.key_moments
    known = memory(replace(call, key_moments=(first, replace(last, leans=leans))), threads=(PROMISE,))

    assert served(known).count("I'll send you the recipe") == times


def test_an_answer_that_a_thread_tells_in_whole_needs_no_question_elsewhere() -> None:
    asked = f'"And what about the cake?" – {PROMISED}'

    assert served(memory(quoted(asked), threads=(PROMISE,))).count("the recipe") == 1


@pytest.mark.parametrize(
    "threads",
    [(replace(PROMISE, due=None),), (replace(PROMISE, text='"I\'ll send you the other recipe tomorrow."'),)],
    ids=["without the day", "in other words"],
)
def test_a_quote_that_says_more_than_a_thread_is_told(threads: tuple[KnownThread, ...]) -> None:
    assert PROMISED_BENEATH in section("LAST TIME", served(memory(quoted(PROMISED), threads=threads)))


@pytest.mark.parametrize(
    "agent",
    [
        Agent("robin", limits=Limits(open_threads=0)),
        Agent("robin", budgets={"open_threads": Budget(0, 0)}),
    ],
    ids=["none of them", "no room for it"],
)
def test_a_quote_stands_where_its_thread_is_not_told(agent: Agent) -> None:
    known = memory(quoted(PROMISED), threads=(PROMISE,))

    assert PROMISED_BENEATH in section("LAST TIME", served(known, agent=agent))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("yesterday (15 November 2026)", "yesterday (15 November)"),
        ("next week (week of 23 November 2026)", "next week (week of 23 November)"),
        ("last month (October 2026)", "last month (October)"),
        ("last month (December 2025)", "last month (December 2025)"),
        ("in spring (March 2026)", "in spring (March 2026)"),
        ("on a lease (until 30 August 2026)", "on a lease (until 30 August 2026)"),
        (
            "over New Year (31 December 2025 to 2 January 2026)",
            "over New Year (31 December 2025 to 2 January 2026)",
        ),
    ],
)
def test_a_date_beside_the_words_repeats_no_year_of_the_date_above(written: str, told: str) -> None:
    assert f'- You: "I was at sea {told}."' in section(
        "LAST TIME", served(memory(quoted(f'"I was at sea {written}."')))
    )


def test_in_earlier_conversations_too_the_year_is_told_once() -> None:
    said = KeyMoment(SUNDAY.started_at, '"I went to sea yesterday (14 November 2026)."', 0, "agent")
    earlier = replace(SUNDAY, summary="", key_moments=(said,), is_quoted=True)

    told = section("LONG-TERM MEMORY", served(memory(LATER, earlier)))
    assert told == '15 Nov 2026:\n- You: "I went to sea yesterday (14 November)."'


def quoted_call(*said: tuple[str, float]) -> RememberedConversation:
    """A call of which quotes are known, each with its weight."""
    moments = (KeyMoment(NOON, f'"{text}"', n, "user", weight) for n, (text, weight) in enumerate(said))
    return replace(MORNING, summary="", is_quoted=True, key_moments=tuple(moments))


def test_a_quote_too_long_for_last_time_makes_way_for_the_next() -> None:
    told = served(memory(quoted_call(("word " * 150, 0.9), ("I moved to Kiel.", 0.5))))

    assert section("LAST TIME", told).endswith('In their words:\n- Caller: "I moved to Kiel."')


@pytest.mark.parametrize(
    "words",
    [
        "Die Straßenbahnhaltestelle Nummer {} wird übernächste Woche verlegt.",
        "η κόρη μου η Ελένη αρχίζει σχολείο {} φορές",
        "明日は{}時に歯医者へ行きます",
    ],
)
def test_what_last_time_has_no_room_for_is_told_as_memory(words: str) -> None:
    said = [words.format(number) for number in range(24)]
    told = served(memory(quoted_call(*((one, 1.0 + number / 100) for number, one in enumerate(said)))))

    assert [one for one in said if one not in told] == []


def test_of_a_small_prompt_the_latest_conversation_has_its_share_alone() -> None:
    known = memory(quoted_call(*((f"Herons, {n}: {'fish ' * 30}", 0.5) for n in range(4))))

    small, whole = (section("LAST TIME", served(known, limit=limit)) for limit in (1000, LIMIT))
    assert (small.count("Herons"), whole.count("Herons")) == (2, 4)


def two_sentences(started: datetime, *weights: float) -> RememberedConversation:
    """A call whose first message is quoted in two pieces."""
    texts = ('"I have moved."', '"I live at 9 Mill Lane now."')
    moments = tuple(
        KeyMoment(started, text, 0, "user", weight) for text, weight in zip(texts, weights, strict=True)
    )
    return RememberedConversation(9, "voice", started, 360, "", moments, (), is_quoted=True)


def in_order(told: str) -> bool:
    return 0 < told.index("I have moved.") < told.index("9 Mill Lane")


@pytest.mark.parametrize("latest", [(1,), ()], ids=["of a latest conversation", "of an older one"])
def test_facts_of_one_message_stand_in_the_order_said(latest: tuple[int, ...]) -> None:
    call = two_sentences(NOON - timedelta(days=9), 0.2, 0.9)
    facts = tuple(
        fact(n, one.text, said_on=call.started_at.date(), salience=one.weight, sources=(Source(9, (0,)),))
        for n, one in enumerate(call.key_moments, 1)
    )
    told = served(memory(MONDAY, *(call for _ in latest), facts=facts))

    assert in_order(section("LONG-TERM MEMORY", told))


def test_quotes_of_one_message_of_today_stand_in_the_order_said() -> None:
    earlier = two_sentences(NOON - timedelta(hours=3), 0.9, 0.2)

    assert in_order(section("TODAY SO FAR", served(memory(replace(MORNING, started_at=NOON), earlier))))


def test_who_else_spoke_from_the_number_is_named_beside_their_words() -> None:
    day = SUNDAY.started_at
    moment = KeyMoment(day, '"I hide it in cheese."', 0, "user", 0.9)
    hers = replace(quoted_call(), id=8, started_at=day, caller="Ines", key_moments=(moment,))
    promised = thread(1, '"I\'ll bring his papers."', said_by="user")
    known = memory(
        quoted_call(("Any room over Christmas?", 0.9)),
        hers,
        replace(hers, id=7, started_at=day - timedelta(days=9), key_moments=()),
        user_name="Robert Halloran",
        facts=(
            fact(1, '"He takes a tablet."', said_on=day.date(), sources=(Source(8, (1,)), Source(7, (3,)))),
        ),
        threads=(replace(promised, conversation_id=8),),
    )
    prompt = served(known)

    assert 'Robert: "Any room over Christmas?"' in section("LAST TIME", prompt)
    assert 'Ines: "I\'ll bring his papers."' in section("OPEN THREADS", prompt)
    assert 'Ines: "I hide it in cheese." "He takes a tablet."' in section("LONG-TERM MEMORY", prompt)


# -- today and yesterday


def test_the_only_conversation_of_today_is_told_once() -> None:
    told = served(memory(MORNING))

    assert told.count("Ada asked for the recipe.") == 1
    assert section("TODAY SO FAR", told) == "Key moments:\n- 09:12 Ada bakes on Sunday."


def test_of_the_only_conversation_of_today_last_time_says_all() -> None:
    assert "[TODAY SO FAR]" not in served(memory(replace(MORNING, key_moments=())))


def test_todays_summary_leaves_out_what_last_time_tells() -> None:
    told = section("TODAY SO FAR", served(memory(LATER, MORNING)))

    assert told.startswith("Summary: 09:12 Ada asked for the recipe.\nKey moments:\n")
    assert "Ada had found the recipe." not in told


def test_key_moments_are_told_in_the_order_they_happened() -> None:
    told = section("TODAY SO FAR", served(memory(LATER, MORNING)))

    assert told.endswith("- 09:12 Ada bakes on Sunday.\n- 11:30 Ada found it in a drawer.")


def test_conversations_of_which_nothing_was_understood_leave_no_trace() -> None:
    silent = [replace(one, summary="", key_moments=()) for one in (LATER, MORNING)]

    assert "[TODAY SO FAR]" not in served(memory(*silent))


def test_yesterday_is_told_without_its_key_moments() -> None:
    told = served(memory(MORNING, MONDAY))

    assert section("YESTERDAY", told) == "Summary: Monday 16 November 2026: Ada told of her cat."
    assert "The cat is called Plum." not in told


def test_yesterdays_only_conversation_is_not_told_twice() -> None:
    told = served(memory(MONDAY))

    assert told.count("Ada told of her cat.") == 1
    assert "[YESTERDAY]" not in told


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


def test_a_date_stands_once() -> None:
    due = thread(1, "Ada flies to Oslo (20 November 2026).", "plan", due=date(2026, 11, 20))

    assert "- (plan, 16 Nov 2026) Ada flies to Oslo (20 November 2026)." in served(
        memory(MONDAY, threads=(due,))
    )


def test_a_span_of_days_in_somebodys_words_needs_no_other_date() -> None:
    due = thread(1, '"I start next week (week of 23 November 2026)."', "plan", due=date(2026, 11, 29))

    assert '- (plan, 16 Nov 2026) You: "I start next week (week of 23 November 2026)."' in served(
        memory(MONDAY, threads=(due,))
    )


def test_what_was_due_is_told_as_past() -> None:
    due = thread(1, "Ada flies to Oslo.", "plan", due=date(2026, 11, 14))

    assert "- (plan, 16 Nov 2026, was due 14 Nov 2026) Ada flies to Oslo." in served(
        memory(MONDAY, threads=(due,))
    )


@pytest.mark.parametrize(
    ("kind", "due", "spoken", "told"),
    [
        ("plan", 14, 1, 1),
        ("plan", 13, 1, 0),
        ("promise", 10, 10, 1),
        ("promise", 9, 9, 0),
        ("request", 10, 10, 1),
        ("request", 10, 12, 0),
    ],
)
def test_what_was_due_is_told_for_three_days_and_for_a_week_what_is_owed_and_was_not_spoken_of(
    kind: ThreadKind, due: int, spoken: int, told: int
) -> None:
    over = thread(1, "Ada flies to Oslo.", kind, due=date(2026, 11, due))
    talked = datetime(2026, 11, spoken, 12, tzinfo=UTC)

    assert served(replace(memory(MONDAY, threads=(over,)), last_contact=talked)).count("Oslo") == told


@pytest.mark.parametrize(
    ("kind", "told"), [("promise", 0), ("request", 0), ("question", 0), ("plan", 1), ("topic", 1)]
)
def test_a_matter_without_a_date_fades_after_sixty_days(kind: ThreadKind, told: int) -> None:
    old = thread(1, "Ada and the recipe.", kind, touched=NOON - timedelta(days=60))

    assert served(memory(MONDAY, threads=(old,))).count("recipe") == told


def test_what_is_pinned_does_not_fade() -> None:
    old = replace(thread(1, "the recipe", touched=NOON - timedelta(days=600)), pinned=True)

    assert threads_shown(old) == ["the recipe"]


@pytest.mark.parametrize(
    ("text", "said_by", "told"),
    [
        ('"I\'ll send you the recipe."', "agent", 'You: "I\'ll send you the recipe."'),
        ('"Remind me of the bins."', "user", 'Caller: "Remind me of the bins."'),
        ('"Shall I call you?" – "Yes."', "user", 'You asked "Shall I call you?" Caller: "Yes."'),
        ('"Is it open?" – "I\'ll ask."', "agent", 'Caller asked "Is it open?" You: "I\'ll ask."'),
    ],
)
def test_a_thread_in_somebodys_words_says_whose(text: str, said_by: Speaker, told: str) -> None:
    assert threads_shown(thread(1, text, said_by=said_by)) == [told]


def test_what_was_said_of_a_thread_since_is_told_beside_it() -> None:
    ill_send = '"I\'ll send you the lamp."'
    since = follow_up(ill_send, '"Still waiting, it was due Friday (13 November 2026)."', date(2026, 11, 14))
    lamp = replace(thread(1, ill_send), follow_up=since)

    [told] = threads_shown(lamp)
    assert told == (
        'You: "I\'ll send you the lamp." '
        'Later, 14 Nov 2026: Caller: "Still waiting, it was due Friday (13 November)."'
    )


@pytest.mark.parametrize(("said_on", "told"), [(15, 1), (10, 1), (9, 0)])
def test_what_is_still_waited_for_is_told_a_week_longer(said_on: int, told: int) -> None:
    ill_send = '"I\'ll send you the lamp."'
    since = follow_up(ill_send, '"It hasn\'t come yet."', date(2026, 11, said_on))
    lamp = thread(1, ill_send, due=date(2026, 11, 6))

    assert len(threads_shown(replace(lamp, follow_up=replace(since, is_owed=True)))) == told
    assert threads_shown(replace(lamp, follow_up=since)) == []


def test_what_was_said_since_gives_way_before_a_thread_does() -> None:
    long = [f"I'll ask about number {n}, " + "and so on and on " * 2 for n in range(5)]
    later = [follow_up(text, "It has not come, and nobody knows " * 2, date(2026, 11, 14)) for text in long]
    told = [replace(thread(n, text), follow_up=later[n]) for n, text in enumerate(long)]

    shown = threads_shown(*told)

    assert len(shown) == len(told)
    assert 0 < sum("Later, " in one for one in shown) < len(told)


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


def test_of_one_conversation_what_had_a_day_comes_before_what_had_none() -> None:
    said = at("2026-11-16 10:00")
    dated = thread(1, "I'll send the contract today.", due=date(2026, 11, 16), touched=said)
    undated = thread(2, "I'll put it in.", touched=said)

    assert threads_shown(dated, undated) == ["I'll send the contract today.", "I'll put it in."]


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
        ((thread(1, touched=at("2026-11-01 10:00")),), at("2026-12-31 10:00")),
        ((thread(1, kind="topic", touched=at("2026-11-01 10:00")),), None),
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


def test_a_pinned_thread_comes_first() -> None:
    pinned = replace(thread(1, "pinned topic", "topic", said_on=date(2026, 1, 1)), pinned=True)

    assert threads_shown(thread(2, "promise"), pinned) == ["pinned topic", "promise"]


def test_the_same_thread_is_told_once_as_its_first() -> None:
    again = thread(2, "Send the recipe.", due=date(2026, 11, 20))

    told = section("OPEN THREADS", served(memory(MONDAY, threads=(thread(1, "Send the recipe."), again))))

    assert told == "- (promise, 16 Nov 2026, due 20 Nov 2026) Send the recipe."


# -- inner life


def thoughts_shown(*thoughts: Thought, now: datetime = NOON) -> list[str]:
    known = memory(MONDAY, thoughts=thoughts)
    return section("INNER LIFE", served(known, now)).splitlines()


def test_a_thought_is_told_with_the_day_it_was_had() -> None:
    assert thoughts_shown(thought(1, "I wonder how it went.")) == ["- I wonder how it went. (17 Nov 2026)"]


def test_a_thought_that_names_its_date_is_told_as_it_is() -> None:
    assert thoughts_shown(thought(1, "Ask how 22 November 2026 was.")) == ["- Ask how 22 November 2026 was."]


def test_the_three_newest_thoughts_are_told_pinned_ones_first() -> None:
    days = [thought(n, f"Day {n} of 2026.", had=NOON - timedelta(days=n), days=30) for n in (3, 1, 4, 2)]
    pinned = thought(9, "Pinned in 2026.", had=NOON - timedelta(days=20), days=30, pinned=True)

    assert thoughts_shown(*days, pinned) == ["- Pinned in 2026.", "- Day 1 of 2026.", "- Day 2 of 2026."]


def test_a_thought_had_twice_is_told_once() -> None:
    twice = (thought(1, "In 2026."), thought(2, "In 2026."))

    assert thoughts_shown(*twice) == ["- In 2026."]


def test_a_thought_is_told_until_it_expires() -> None:
    known = memory(MONDAY, thoughts=(thought(1, "In 2026.", days=2), thought(2, "Later, 2026.", days=3)))
    expires = NOON + timedelta(days=2)

    assert build(known).fresh_until == expires
    assert "In 2026." in served(known, expires - timedelta(seconds=1))
    assert "In 2026." not in served(known, expires)
    assert "Later, 2026." in served(known, expires)


def test_threads_and_thoughts_share_their_budget_and_threads_come_first() -> None:
    long = "and so on and on and on in the year 2026 " * 5
    known = memory(
        MONDAY,
        threads=tuple(thread(n, f"Thread {n} {long}") for n in range(3)),
        thoughts=tuple(thought(n, f"Thought {n} {long}") for n in range(3)),
    )

    sections = {one.name: one for one in build(known).sections}

    assert sections["open_threads"].items_kept == 3
    assert sections["inner_life"].items_kept == 2
    assert sections["open_threads"].tokens + sections["inner_life"].tokens <= 400


# -- relationship


def test_the_relationship_is_told_in_a_few_lines() -> None:
    state = Relationship(
        "old friends", 0.42, Metrics(trust=0.5), "calls often", "hopeful", "none", "They met."
    )

    assert section("RELATIONSHIP", served(memory(MONDAY, relationship=state))) == (
        "Chapter: old friends\n"
        "Closeness, from 0 to 1: 0.42; intimacy 0.00, passion 0.00, trust 0.50, secureness 0.00\n"
        "Engagement: calls often\n"
        "Emotional state: hopeful\n"
        "Conflict: none\n"
        "Backstory: They met."
    )


def test_what_is_not_known_of_a_relationship_is_not_told() -> None:
    told = section("RELATIONSHIP", served(memory(MONDAY, relationship=Relationship(emotional_state="glad"))))

    assert told == "Emotional state: glad"


def test_of_a_long_backstory_whole_sentences_stay_and_the_cut_is_marked() -> None:
    state = Relationship("old friends", backstory="They met in spring. " * 400)

    prompt = build(memory(MONDAY, relationship=state))

    told = section("RELATIONSHIP", read(memory(MONDAY, relationship=state), prompt, NOON))
    tokens = {one.name: one.tokens for one in prompt.sections}
    assert told.startswith("Chapter: old friends\nBackstory: They met in spring. They met")
    assert told.endswith("They met in spring.…")
    assert 850 < tokens["relationship"] + tokens["situation"] <= 900


# -- long-term memory


def facts_shown(*facts: Fact, stems: tuple[str, ...] = (), agent: Agent | None = None) -> list[str]:
    """The lines, without titles."""
    told = served(memory(MONDAY, facts=facts, topical_stems=stems), agent=agent)
    return [line[2:] for line in section("LONG-TERM MEMORY", told).splitlines() if line.startswith("- ")]


def ids_shown(*facts: Fact, stems: tuple[str, ...] = (), agent: Agent | None = None) -> list[int]:
    prompt = build(memory(MONDAY, facts=facts, topical_stems=stems), agent=agent)
    sources = next(one.sources for one in prompt.sections if one.name == "long_term_memory")
    return [int(source.removeprefix("facts/")) for source in sources]


def test_facts_are_told_under_what_they_are_about() -> None:
    abouts: list[About] = ["agent", "relationship", "user"]
    facts = [fact(n, f"Of the {about}.", about) for n, about in enumerate(abouts)]

    assert section("LONG-TERM MEMORY", served(memory(MONDAY, facts=tuple(facts)))) == (
        "User facts:\n- Of the user. (said 10 Nov 2026)\n"
        "Relationship episodes:\n- Of the relationship. (10 Nov 2026)\n"
        "Agent events:\n- Of the agent. (10 Nov 2026)"
    )


@pytest.mark.parametrize(
    ("known", "line"),
    [
        (fact(1, "A.", valid_from=date(2026, 3, 1)), "A. (since Mar 2026)"),
        (fact(1, "A.", valid_from=date(2026, 12, 1)), "A. (from Dec 2026)"),
        (fact(1, "A.", superseded_by=2, valid_to=date(2026, 12, 1)), "A. (until Dec 2026)"),
        (
            fact(1, "A.", valid_from=date(2019, 1, 1), superseded_by=2, valid_to=date(2026, 12, 1)),
            "A. (since Jan 2019, until Dec 2026)",
        ),
        (fact(1, "A.", due=date(2026, 12, 1)), "A. (said 10 Nov 2026, due 1 Dec 2026)"),
        (fact(1, "A.", due=date(2026, 11, 16)), "A. (said 10 Nov 2026)"),
        (fact(1, "A.", last_said_on=date(2026, 11, 12)), "A. (said 12 Nov 2026)"),
        (fact(1, "A.", "agent", last_said_on=date(2026, 11, 12)), "A. (10 Nov 2026)"),
        (fact(1, "A on 3 May 2026."), "A on 3 May 2026."),
        (fact(1, "A at 20261 km."), "A at 20261 km. (said 10 Nov 2026)"),
    ],
)
def test_every_fact_carries_a_date(known: Fact, line: str) -> None:
    assert facts_shown(known) == [line]


@pytest.mark.parametrize(
    "never",
    [
        fact(1, superseded_by=2, valid_to=date(2026, 11, 12)),
        fact(1, superseded_by=2, pinned=True),
        fact(1, excluded=True),
        fact(1, flagged=True, pinned=True),
        fact(1, valid_to=date(2026, 11, 17)),
    ],
)
def test_superseded_excluded_flagged_and_past_facts_are_never_told(never: Fact) -> None:
    assert facts_shown(never) == []


def test_pinned_facts_come_first_then_commitments_by_their_day_then_the_most_important() -> None:
    facts = [
        fact(1, salience=0.9),
        fact(2, due=date(2026, 12, 1), salience=0.1),
        fact(3, due=date(2026, 11, 17), salience=0.1),
        fact(4, pinned=True, salience=0.1),
        fact(5, due=date(2026, 12, 2), salience=0.2),  # too far off to come first
        fact(6, due=date(2026, 11, 16), salience=0.3),  # over
    ]

    assert ids_shown(*facts) == [4, 3, 2, 1, 6, 5]


def test_of_equally_salient_facts_the_one_that_is_about_what_is_on_now_comes_first() -> None:
    relevant = fact(1, stems=("cake", "plum"))
    others = [fact(n, stems=("ada", f"word{n}")) for n in range(2, 6)]

    assert ids_shown(*others, relevant, stems=("plum", "ada"))[0] == 1


def test_of_equally_salient_facts_the_one_said_last_comes_first_and_then_the_one_said_most_often() -> None:
    facts = [fact(1), fact(2, last_said_on=date(2026, 11, 16)), fact(3, times=8)]

    assert ids_shown(*facts) == [3, 2, 1]


def test_an_old_fact_that_matters_comes_before_a_new_one_that_does_not() -> None:
    assert ids_shown(fact(1, said_on=date(2024, 11, 1), salience=1.0), fact(2, salience=0.1)) == [1, 2]


def test_at_most_thirty_facts_are_told() -> None:
    assert len(facts_shown(*(fact(n, f"F{n}.") for n in range(40)))) == 30


def test_beyond_ten_facts_only_those_worth_telling_are() -> None:
    little = [fact(n, salience=0.1) for n in range(1, 13)]
    relevant = fact(20, salience=0.1, stems=("cake",))
    pinned = fact(21, salience=0.0, pinned=True)

    shown = ids_shown(*little, relevant, pinned, stems=("cake",))

    assert len(shown) == 10
    assert shown[:2] == [21, 20]
    agent = Agent("robin", limits=Limits(facts_min=1))
    assert set(ids_shown(*little, relevant, pinned, stems=("cake",), agent=agent)) == {20, 21}


def test_what_is_told_word_for_word_elsewhere_is_not_told_again() -> None:
    facts = (fact(1, "You said you'd send the recipe."), fact(2, "Ada told of her cat."), fact(3, "More."))
    known = memory(MONDAY, threads=(thread(1, "You said you'd send the recipe."),), facts=facts)

    prompt = build(known)

    assert [one.item for one in prompt.dropped if one.rule == "said already"] == ["facts/2", "facts/1"]
    assert read(known, prompt, NOON).count("You said you'd send the recipe.") == 1


def test_what_one_sentence_elsewhere_says_already_is_not_told_again() -> None:
    told = "Yesterday (16 November 2026) Ada, tired, drove with Grace to the old mill."
    facts = (
        fact(1, "Ada drove with Grace to the old mill on 16 November 2026; it was closed."),
        fact(2, "Ada drove with Grace to the old mill on 9 November 2026."),
    )
    known = memory(MONDAY, threads=(thread(1, told),), facts=facts)

    assert [one.item for one in build(known).dropped if one.rule == "said already"] == ["facts/1"]


def test_facts_that_are_never_told_are_recorded_with_the_reason() -> None:
    facts = (
        fact(1, excluded=True),
        fact(2, flagged=True),
        fact(3, '"Ada Klein here."'),
        fact(4, superseded_by=5, valid_to=NOON.date()),
        fact(5),
    )
    known = memory(MONDAY, facts=facts, user_name="Ada Klein")

    recorded = {one.item: one.rule for one in build(known).dropped}

    assert recorded == {
        "facts/1": "excluded",
        "facts/2": "flagged",
        "facts/3": "the caller's name",
        "facts/4": "superseded",
    }


def test_a_commitment_comes_near_and_passes_with_the_clock() -> None:
    known = memory(MONDAY, facts=(fact(1, salience=0.1, due=date(2026, 12, 10)), fact(2, salience=0.9)))

    def order(now: datetime) -> list[str]:
        told = section("LONG-TERM MEMORY", served(known, now))
        return [line[2:8] for line in told.splitlines()[1:]]

    near, over = at("2026-11-26 00:00"), at("2026-12-11 00:00")
    assert build(known).fresh_until == near
    assert build(known, near).fresh_until == over
    assert [order(NOON), order(near), order(over)] == [
        ["Fact 2", "Fact 1"],
        ["Fact 1", "Fact 2"],
        ["Fact 2", "Fact 1"],
    ]


def test_days_beyond_the_calendar_do_no_harm() -> None:
    strange = fact(1, "A.", due=date.max, valid_from=date.min, said_on=date.min)
    known = memory(MONDAY, facts=(strange,), threads=(thread(1, due=date.max),))

    assert "A. (since Jan 1, due 31 Dec 9999)" in served(known)


@given(st.permutations([fact(n, stems=("cake", f"word{n % 3}"), salience=n / 10) for n in range(9)]))
def test_the_order_in_which_facts_are_found_does_not_matter(facts: list[Fact]) -> None:
    assert ids_shown(*facts, stems=("cake",)) == [8, 7, 6, 5, 4, 3, 2, 1, 0]


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
