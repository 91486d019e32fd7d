"""Facts stay true: said again they grow stronger, contradicted they give way, and a person has the last
word."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from voice_server.digest.facts import reconcile
from voice_server.digest.facts.reconcile import ConversationClaims, FactState
from voice_server.domain.fact import Claim, Source

NOVEMBER = datetime(2026, 11, 1, 9, tzinfo=UTC)
PORTO, LISBON, MADRID = (f"The caller lives in {city}." for city in ("Porto", "Lisbon", "Madrid"))
TWO_DOGS, THREE_DOGS = "The caller has two dogs.", "The caller has three dogs."


def on(day: int) -> date:
    return date(2026, 11, day)


def claim(text: str, day: int = 1, **more: Any) -> Claim:
    return Claim("user", text, on(day), **{"positions": (day,), **more})


def at_home(text: str, day: int, **more: Any) -> Claim:
    return claim(text, day, topic="home", **more)


def told(*claims: Claim) -> list[ConversationClaims]:
    """Each claim in a conversation of its own, on its day, which is also the conversation's id."""
    return [
        ConversationClaims(
            one.said_on.day, NOVEMBER + timedelta(days=one.said_on.day - 1), f"conv_{one.said_on.day}", (one,)
        )
        for one in claims
    ]


def by_hand(text: str, day: int, key: str = "", **more: Any) -> FactState:
    """Said by hand in the evening of a day."""
    moment = NOVEMBER + timedelta(days=day - 1, hours=10)
    return FactState(
        key or f"api:{day}", "user", text, on(day), on(day), origin="api", made_at=moment, **more
    )


def current(facts: Iterable[FactState], today: date | None = None) -> list[str]:
    """The texts that may be told, in the end or on a day."""
    return [
        one.text for one in facts if not (_is_over(one, today) or one.excluded or one.flagged) and one.times
    ]


def _is_over(fact: FactState, today: date | None) -> bool:
    return bool(fact.superseded_by) and (today is None or fact.valid_to is None or fact.valid_to <= today)


def named(facts: Sequence[FactState], text: str) -> FactState:
    [found] = [one for one in facts if one.text == text]
    return found


# -- the same again


def test_said_twice_is_one_fact() -> None:
    [fact] = reconcile.facts(told(claim(TWO_DOGS, 1), claim("She has got 2 dogs!", 5)))

    assert (fact.times, fact.said_on, fact.last_said_on) == (2, on(1), on(5))
    assert fact.sources == (Source(1, (1,)), Source(5, (5,)))


def test_a_fact_is_told_in_the_latest_words() -> None:
    assert current(reconcile.facts(told(claim(TWO_DOGS, 1), claim("She has two dogs now.", 5)))) == [
        "She has two dogs now."
    ]


def test_said_twice_in_one_conversation_counts_once() -> None:
    both = (claim(TWO_DOGS, positions=(4,)), claim(TWO_DOGS, positions=(2,)))

    [fact] = reconcile.facts([ConversationClaims(1, NOVEMBER, "conv_1", both)])

    assert (fact.times, fact.sources) == (1, (Source(1, (2, 4)),))


def test_what_several_conversations_say_is_more_certain() -> None:
    [fact] = reconcile.facts(told(claim(TWO_DOGS, 1, certainty=0.5), claim(TWO_DOGS, 2, certainty=0.6)))

    assert fact.certainty == 0.8


def test_numbers_make_another_fact() -> None:
    assert current(reconcile.facts(told(claim(TWO_DOGS, 1), claim(THREE_DOGS, 2)))) == [TWO_DOGS, THREE_DOGS]


def test_facts_about_different_ones_are_never_the_same() -> None:
    user = claim("Likes tea.", 1)

    assert len(reconcile.facts(told(user, replace(user, about="agent", said_on=on(2))))) == 2


# -- contradictions


def test_a_newer_value_of_a_topic_supersedes_the_older() -> None:
    facts = reconcile.facts(told(at_home(PORTO, 1), claim(LISBON, 3, topic="Home")))

    assert current(facts) == [LISBON]
    assert named(facts, PORTO).superseded_by == named(facts, LISBON).key
    assert named(facts, PORTO).valid_to == on(3)


def test_moved_in_october_beats_lives_in() -> None:
    moved = "The caller moved to Lisbon in October 2026."
    facts = reconcile.facts(told(at_home(PORTO, 1), at_home(moved, 2, valid_from=date(2026, 10, 1))))

    assert current(facts) == [moved]
    assert named(facts, PORTO).valid_to == date(2026, 10, 1)


def test_an_old_claim_that_comes_late_is_superseded_at_once() -> None:
    facts = reconcile.facts(reversed(told(at_home(PORTO, 1), at_home(LISBON, 3))))

    assert current(facts) == [LISBON]


def test_what_was_true_before_does_not_supersede_what_is() -> None:
    now, before = (
        at_home(LISBON, 1, valid_from=date(2026, 10, 1)),
        at_home(PORTO, 2, valid_from=date(2019, 1, 1)),
    )

    facts = reconcile.facts(told(now, before))

    assert current(facts) == [LISBON]
    assert named(facts, PORTO).valid_to == date(2026, 10, 1)


def test_back_again_the_old_value_holds_and_is_one_fact() -> None:
    facts = reconcile.facts(told(at_home(PORTO, 1), at_home(LISBON, 3), at_home(PORTO, 5)))

    assert current(facts) == [PORTO]
    assert named(facts, LISBON).valid_to == on(5)
    assert named(facts, PORTO).times == 2


def test_each_value_gives_way_to_the_next() -> None:
    facts = reconcile.facts(told(at_home(PORTO, 1), at_home(LISBON, 3), at_home(MADRID, 5)))

    assert [one.valid_to for one in facts] == [on(3), on(5), None]


SPRING, EVE = date(2027, 3, 1), date(2027, 2, 28)


@pytest.mark.parametrize(
    ("porto", "lisbon"),
    [
        (at_home(PORTO, 1), at_home(LISBON, 2, valid_from=SPRING)),
        (claim(PORTO, 1), claim(LISBON, 2, valid_from=SPRING, supersedes=PORTO)),
        (at_home(PORTO, 1), claim(LISBON, 2, valid_from=SPRING, supersedes=PORTO)),
        (claim(PORTO, 1), at_home(LISBON, 2, valid_from=SPRING, supersedes=PORTO)),
    ],
    ids=["by topic", "by name", "by name, in a topic", "by name, with a topic"],
)
def test_a_value_for_a_later_day_leaves_the_present_one_alone_until_then(porto: Claim, lisbon: Claim) -> None:
    facts = reconcile.facts(told(porto, lisbon))

    assert current(facts, EVE) == [PORTO, LISBON]
    assert current(facts, SPRING) == [LISBON]
    assert named(facts, PORTO).valid_to == SPRING


@pytest.mark.parametrize("more", [{"topic": "home"}, {}], ids=["by topic", "by name"])
def test_the_present_value_said_again_before_the_day_still_ends_on_it(more: dict[str, str]) -> None:
    spring = claim(LISBON, 2, valid_from=on(20), supersedes=PORTO, **more)

    facts = reconcile.facts(told(claim(PORTO, 1, **more), spring, claim(PORTO, 3, **more)))

    assert current(facts, on(19)) == [PORTO, LISBON]
    assert current(facts, on(20)) == [LISBON]


@pytest.mark.parametrize("more", [{"topic": "home"}, {}], ids=["by topic", "by name"])
def test_the_present_value_said_again_after_the_day_holds_after_all(more: dict[str, str]) -> None:
    spring = claim(LISBON, 2, valid_from=on(10), supersedes=PORTO, **more)

    facts = reconcile.facts(told(claim(PORTO, 1, **more), spring, claim(PORTO, 12, **more)))

    assert PORTO in current(facts)


def test_another_value_said_before_the_day_holds_until_then() -> None:
    facts = reconcile.facts(
        told(at_home(PORTO, 1), at_home(LISBON, 2, valid_from=SPRING), at_home(MADRID, 3))
    )

    assert current(facts, EVE) == [LISBON, MADRID]
    assert current(facts, SPRING) == [LISBON]


def test_values_for_several_days_follow_each_other() -> None:
    lisbon, madrid = at_home(LISBON, 3, valid_from=on(10)), at_home(MADRID, 2, valid_from=on(20))

    facts = reconcile.facts(told(at_home(PORTO, 1), madrid, lisbon))

    assert [set(current(facts, on(day))) for day in (9, 10, 20)] == [
        {PORTO, LISBON, MADRID}, {LISBON, MADRID}, {MADRID},
    ]  # fmt: skip
    assert (named(facts, PORTO).valid_to, named(facts, LISBON).valid_to) == (on(10), on(20))


def test_a_plan_that_is_changed_is_told_as_it_is_now() -> None:
    lisbon = claim(LISBON, 2, valid_from=on(10), supersedes=PORTO)
    madrid = claim(MADRID, 3, valid_from=on(20), supersedes=LISBON)

    facts = reconcile.facts(told(claim(PORTO, 1), lisbon, madrid))

    assert current(facts, on(3)) == [PORTO, MADRID]
    assert current(facts, on(20)) == [MADRID]


def test_a_pinned_fact_does_not_give_way_to_what_is_announced() -> None:
    claims = [at_home(PORTO, 1), at_home(LISBON, 2, valid_from=SPRING)]

    facts = reconcile.facts(told(*claims), set_by_person(claims, PORTO, pinned=True))

    assert current(facts, SPRING) == [PORTO]


def test_a_value_for_a_later_day_holds_once_it_is_said_to() -> None:
    spring, then = at_home(LISBON, 2, valid_from=on(10)), at_home(LISBON, 11)

    assert current(reconcile.facts(told(at_home(PORTO, 1), spring, then))) == [LISBON]


def test_a_value_announced_and_gone_by_is_superseded() -> None:
    spring = at_home(LISBON, 2, valid_from=on(10))

    assert current(reconcile.facts(told(at_home(PORTO, 1), spring, at_home(MADRID, 20)))) == [MADRID]


def test_a_claim_can_name_what_it_supersedes() -> None:
    facts = reconcile.facts(told(claim(TWO_DOGS, 1), claim(THREE_DOGS, 2, supersedes=TWO_DOGS)))

    assert current(facts) == [THREE_DOGS]


def test_a_claim_that_names_one_in_a_topic_is_of_that_topic() -> None:
    moved = claim("The caller has moved away from Porto.", 2, supersedes=PORTO)

    facts = reconcile.facts(told(at_home(PORTO, 1), moved, at_home(LISBON, 3)))

    assert current(facts) == [LISBON]


def test_what_is_said_to_supersede_itself_is_said_again() -> None:
    [fact] = reconcile.facts(told(claim(TWO_DOGS, 1), claim(TWO_DOGS, 2, supersedes=TWO_DOGS)))

    assert (fact.times, fact.superseded_by) == (2, "")


def test_topics_of_different_ones_do_not_meet() -> None:
    agent = replace(at_home(LISBON, 2), about="agent")

    assert current(reconcile.facts(told(at_home(PORTO, 1), agent))) == [PORTO, LISBON]


def test_what_reads_like_an_instruction_is_kept_and_supersedes_nothing() -> None:
    facts = reconcile.facts(told(at_home(PORTO, 1), at_home(LISBON, 2, flagged=True, supersedes=PORTO)))

    assert current(facts) == [PORTO]
    assert named(facts, LISBON).flagged


# -- by hand


def test_what_is_said_by_hand_wins_over_what_was_said_before() -> None:
    facts = reconcile.facts(told(at_home(PORTO, 2)), [by_hand(LISBON, 3, topic="home")])

    assert current(facts) == [LISBON]


def test_what_is_said_later_wins_over_what_was_said_by_hand() -> None:
    facts = reconcile.facts(told(at_home(PORTO, 2)), [by_hand(LISBON, 1, topic="home")])

    assert current(facts) == [PORTO]


def test_what_is_said_by_hand_keeps_its_words_and_is_strengthened() -> None:
    facts = reconcile.facts(told(claim("She has got 2 dogs.", 2), claim(TWO_DOGS, 5)), [by_hand(TWO_DOGS, 3)])

    assert current(facts) == [TWO_DOGS]
    assert [one.times for one in facts if one.origin == "api"] == [3]


def test_what_is_said_by_hand_is_of_the_topic_of_what_said_the_same() -> None:
    claims = told(at_home(LISBON, 1), at_home(PORTO, 2))

    assert current(reconcile.facts(claims, [by_hand("She is living in Lisbon now.", 3)])) == [
        "She is living in Lisbon now."
    ]


def test_of_two_said_by_hand_at_one_instant_the_one_entered_later_holds() -> None:
    first = by_hand(PORTO, 1, key="api:z", topic="home", entry=1)
    second = by_hand(LISBON, 1, key="api:a", topic="home", entry=2)

    assert current(reconcile.facts([], [second, first])) == [LISBON]


def test_said_twice_by_hand_is_told_once() -> None:
    facts = reconcile.facts([], [by_hand(TWO_DOGS, 1), by_hand("She has two dogs", 2)])

    assert current(facts) == ["She has two dogs"]


def test_an_edit_supersedes_what_it_edits_however_alike() -> None:
    facts = reconcile.facts(
        told(claim(TWO_DOGS, 1)), [by_hand("She has two old dogs.", 2, supersedes=TWO_DOGS)]
    )

    assert current(facts) == ["She has two old dogs."]
    assert named(facts, TWO_DOGS).valid_to == on(2)


def test_what_was_edited_and_is_said_again_strengthens_the_edit() -> None:
    """An edit in nearly the same words, as of a name misheard."""
    edit = by_hand(
        "She plays old songs on her small violin.", 2, supersedes="She plays old songs on her violin."
    )
    spoken = (claim("She plays old songs on her violin.", day) for day in (1, 5))

    assert current(reconcile.facts(told(*spoken), [edit])) == [edit.text]


# -- pinned and excluded


def set_by_person(claims: Sequence[Claim], text: str, **flags: bool) -> list[FactState]:
    """The facts of these claims, one of them pinned or excluded."""
    return [replace(one, **flags) if one.text == text else one for one in reconcile.facts(told(*claims))]


def test_a_pinned_fact_is_never_superseded() -> None:
    known = set_by_person([at_home(PORTO, 1)], PORTO, pinned=True)

    facts = reconcile.facts(told(at_home(PORTO, 1), at_home(LISBON, 2)), known)

    assert current(facts) == [PORTO]
    assert named(facts, LISBON).superseded_by == named(facts, PORTO).key


def test_an_old_fact_that_is_pinned_holds_again() -> None:
    claims = [at_home(PORTO, 1), at_home(LISBON, 2), at_home(MADRID, 3)]

    facts = reconcile.facts(told(*claims), set_by_person(claims, PORTO, pinned=True))

    assert current(facts) == [PORTO]


def test_two_pinned_facts_both_hold() -> None:
    claims = [at_home(PORTO, 1), at_home(LISBON, 2)]
    known = [replace(one, pinned=True) for one in reconcile.facts(told(*claims))]

    assert set(current(reconcile.facts(told(*claims), known))) == {PORTO, LISBON}


def test_an_excluded_fact_stays_excluded_when_it_is_said_again_in_other_words() -> None:
    known = set_by_person([claim(TWO_DOGS, 1)], TWO_DOGS, excluded=True)

    facts = reconcile.facts(told(claim(TWO_DOGS, 1), claim("She has got 2 dogs!", 2)), known)

    assert [(one.text, one.excluded, one.times) for one in facts] == [(TWO_DOGS, True, 2)]


def test_an_excluded_fact_stays_excluded_when_it_is_said_by_hand() -> None:
    known = set_by_person([claim(TWO_DOGS, 1)], TWO_DOGS, excluded=True)

    assert current(reconcile.facts(told(claim(TWO_DOGS, 1)), [*known, by_hand(TWO_DOGS, 2)])) == []


def test_an_excluded_fact_is_remembered_when_no_digest_says_it_any_more() -> None:
    known = set_by_person([claim(TWO_DOGS, 1)], TWO_DOGS, excluded=True)

    gone = reconcile.facts([], known)

    assert current(reconcile.facts(told(claim(TWO_DOGS, 5)), gone)) == []


RETOLD = "The caller prefers to pay by card, and they live in Bristol."
CARD, BRISTOL, CATS = '"I prefer to pay by card …"', '"… and I live in Bristol."', '"I have two cats."'


def test_what_a_call_understood_anew_makes_of_an_excluded_fact_is_not_told() -> None:
    known = set_by_person([claim(RETOLD, 1)], RETOLD, excluded=True)
    quoted = [claim(CARD, 1), replace(claim(BRISTOL, 1), about="agent", positions=(4,)), claim(CATS, 1)]

    facts = reconcile.facts(told(*quoted), known)

    assert [one.text for one in facts] == [RETOLD, CATS]
    assert named(facts, RETOLD).sources == (Source(1, (1, 4)),)
    assert reconcile.facts(told(*quoted), facts) == facts


def test_an_answer_that_was_retold_is_excluded_with_the_question_that_it_has_now() -> None:
    retold = "The caller is a bit frightened."
    known = set_by_person([claim(retold, 1)], retold, excluded=True)
    quote = '"That\'s good news, isn\'t it?" – "I suppose so. I\'m a bit frightened."'

    assert current(reconcile.facts(told(claim(quote, 1)), known)) == []


def test_what_another_call_says_of_it_in_other_words_is_told() -> None:
    known = set_by_person([claim(RETOLD, 1)], RETOLD, excluded=True)

    facts = reconcile.facts(told(claim(BRISTOL, 1), claim(BRISTOL, 2)), known)

    assert current(facts) == [BRISTOL]
    assert named(facts, BRISTOL).sources == (Source(2, (2,)),)


def test_what_a_call_that_still_says_an_excluded_fact_says_besides_is_told() -> None:
    claims = [claim(RETOLD, 1), claim(BRISTOL, 1)]

    assert current(reconcile.facts(told(*claims), set_by_person(claims, RETOLD, excluded=True))) == [BRISTOL]


def test_what_is_pinned_is_told_though_an_excluded_fact_of_its_call_says_the_same() -> None:
    claims = [claim(RETOLD, 1), claim(BRISTOL, 1)]
    known = set_by_person(claims, RETOLD, excluded=True)
    known = [replace(one, pinned=one.text == BRISTOL) for one in known]

    assert current(reconcile.facts(told(claim(BRISTOL, 1)), known)) == [BRISTOL]


def test_what_reads_like_an_instruction_is_shown_as_such_beside_an_excluded_fact() -> None:
    known = set_by_person([claim(RETOLD, 1)], RETOLD, excluded=True)

    facts = reconcile.facts(told(replace(claim(BRISTOL, 1), flagged=True)), known)

    assert named(facts, BRISTOL).flagged


def test_an_excluded_value_gives_the_older_one_back() -> None:
    claims = [at_home(PORTO, 1), at_home(LISBON, 2)]

    assert current(reconcile.facts(told(*claims), set_by_person(claims, LISBON, excluded=True))) == [PORTO]


def test_a_pinned_fact_outlives_a_digest_in_other_words() -> None:
    known = set_by_person([claim(TWO_DOGS, 1)], TWO_DOGS, pinned=True)

    facts = reconcile.facts(told(claim("Animals are her great love.", 1)), known)

    assert TWO_DOGS in current(facts)
    assert named(facts, TWO_DOGS).sources == (Source(1),)  # no message of it says so any more


def test_where_a_pinned_fact_was_said_is_what_the_digests_say_now() -> None:
    """Another fact takes over what the first conversation says, and gives it back."""
    violin, small = "She plays old songs on her violin.", "She plays old songs on her small violin."
    claims = [claim(violin, 1), claim(small, 2)]
    known = set_by_person(claims[:1], violin, pinned=True)

    more = reconcile.facts(told(*claims), known)

    assert named(more, violin).sources == (Source(1, (1,)), Source(2, (2,)))
    assert named(reconcile.facts(told(claims[0]), more), violin).sources == (Source(1, (1,)),)


def test_a_pinned_fact_holds_in_its_topic_when_its_conversation_is_understood_otherwise() -> None:
    known = set_by_person([at_home(PORTO, 1)], PORTO, pinned=True)

    assert current(reconcile.facts(told(at_home(LISBON, 1)), known)) == [PORTO]


def test_a_pinned_fact_is_not_told_once_its_conversation_is_taken_back() -> None:
    known = set_by_person([claim(TWO_DOGS, 1)], TWO_DOGS, pinned=True)

    facts = reconcile.facts([], known)

    assert current(facts) == []
    assert named(facts, TWO_DOGS).pinned


@pytest.mark.parametrize("flag", ["pinned", "excluded"])
def test_without_its_flag_a_fact_is_as_if_it_never_had_one(flag: str) -> None:
    claims = [at_home(PORTO, 1), at_home(LISBON, 2)]
    plain = reconcile.facts(told(*claims))
    known = reconcile.facts(told(*claims), [replace(one, **{flag: one.text == PORTO}) for one in plain])

    assert reconcile.facts(told(*claims), [replace(one, **{flag: False}) for one in known]) == plain


# -- rows


def test_a_fact_keeps_its_row_when_an_earlier_call_said_it_in_other_words() -> None:
    later = claim("She plays old songs on her violin, often.", 5)
    [before] = reconcile.facts(told(later))

    [after] = reconcile.facts(told(claim("She plays old songs on her violin.", 1), later), [before])

    assert after.key == before.key


# -- properties

TEXTS = [
    PORTO,
    LISBON,
    MADRID,
    "She is living in Lisbon now",
    TWO_DOGS,
    "She has got 2 dogs",
    THREE_DOGS,
    "She plays old songs on her violin",
    "She plays old songs on her small violin",
    "She plays songs on her small violin",
    "She doesn't play the violin",
]
DAYS = st.integers(1, 28)
CLAIMS = st.builds(
    Claim,
    st.sampled_from(["user", "agent"]),
    st.sampled_from(TEXTS),
    DAYS.map(on),
    positions=st.lists(st.integers(0, 5), max_size=2).map(tuple),
    topic=st.sampled_from(["", "home", "Home", "pets"]),
    certainty=st.sampled_from([0.3, 0.8, 1.0]),
    valid_from=st.none() | st.sampled_from([date(2019, 1, 1), on(5), date(2027, 3, 1)]),
    supersedes=st.sampled_from(["", "", "", *TEXTS]),
    flagged=st.sampled_from([False, False, False, True]),
)
CONVERSATIONS = st.lists(st.tuples(DAYS, st.lists(CLAIMS, max_size=4)), max_size=8).map(
    lambda days: [
        ConversationClaims(number, NOVEMBER + timedelta(days=day - 1), f"conv_{number}", tuple(claims))
        for number, (day, claims) in enumerate(days, 1)
    ]
)
BY_HAND = st.lists(
    st.builds(
        by_hand,
        st.sampled_from(TEXTS),
        DAYS,
        topic=st.sampled_from(["", "home"]),
        pinned=st.booleans(),
        excluded=st.booleans(),
        supersedes=st.sampled_from(["", "", *TEXTS]),
    ),
    max_size=3,
).map(lambda rows: [replace(row, key=f"api:{number}") for number, row in enumerate(rows)])
FLAGS = st.lists(st.sampled_from(["", "", "pinned", "excluded"]), min_size=40, max_size=40)


def flagged(facts: Sequence[FactState], flags: Sequence[str]) -> list[FactState]:
    """As if a person had pinned and excluded some."""
    chosen = zip(facts, flags, strict=False)
    return [replace(one, **{flag: True}) if flag else one for one, flag in chosen]


def apart_from_rows(facts: Iterable[FactState]) -> list[FactState]:
    """Without keys: which row a fact is in may depend on what was there before."""
    found = list(facts)
    texts = {one.key: (one.about, one.text) for one in found}
    return [replace(one, key="", superseded_by=str(texts.get(one.superseded_by))) for one in found]


@given(CONVERSATIONS, BY_HAND, st.randoms())
def test_any_order_of_delivery_gives_the_same_facts(
    conversations: list[ConversationClaims], rows: list[FactState], random: Any
) -> None:
    orderly = reconcile.facts(conversations, rows)
    random.shuffle(conversations)

    known = list(rows)
    for count in range(len(conversations) + 1):
        known = list(reconcile.facts(conversations[:count], known))

    assert apart_from_rows(known) == apart_from_rows(orderly)


@pytest.mark.parametrize(
    ("before", "change"),
    [
        ('"Ich habe eine Katze."', '"Ich habe eine Versicherung nicht mehr."'),
        ('"Ich bin allergisch gegen Penicillin."', '"Ich bin nicht mehr beim Verein gegen Lärm."'),
        ('"Tengo un perro que se llama Rex."', '"Ya no tengo un coche que se llama Lola."'),
    ],
)
def test_a_change_leaves_alone_what_only_shares_words_that_say_nothing(before: str, change: str) -> None:
    first, second = reconcile.facts(told(claim(before, 1), claim(change, 2, changes=True)))

    assert not first.superseded_by
    assert not second.superseded_by


@given(CONVERSATIONS, BY_HAND, FLAGS)
def test_folding_again_changes_nothing(
    conversations: list[ConversationClaims], rows: list[FactState], flags: list[str]
) -> None:
    known = reconcile.facts(conversations, flagged(reconcile.facts(conversations, rows), flags))

    assert reconcile.facts(conversations, known) == known


@given(CONVERSATIONS, BY_HAND, FLAGS)
def test_a_conversation_more_and_taken_back_leaves_the_same(
    conversations: list[ConversationClaims], rows: list[FactState], flags: list[str]
) -> None:
    fewer = conversations[:-1]
    known = reconcile.facts(fewer, flagged(reconcile.facts(fewer, rows), flags))

    more = reconcile.facts(conversations, known)

    assert apart_from_rows(reconcile.facts(fewer, more)) == apart_from_rows(known)


@given(CONVERSATIONS, BY_HAND, FLAGS)
def test_what_a_person_set_stays(
    conversations: list[ConversationClaims], rows: list[FactState], flags: list[str]
) -> None:
    known = flagged(reconcile.facts(conversations[::2], rows), flags)

    after = {one.key: one for one in reconcile.facts(conversations, known)}

    for one in known:
        if one.pinned or one.excluded or one.origin == "api":
            there = after[one.key]
            assert (there.text, there.pinned, there.excluded) == (one.text, one.pinned, one.excluded)
        if one.pinned and not one.excluded:
            assert not after[one.key].superseded_by or after[after[one.key].superseded_by].excluded


@given(CONVERSATIONS, BY_HAND, FLAGS)
def test_keys_are_unique_and_what_supersedes_is_there(
    conversations: list[ConversationClaims], rows: list[FactState], flags: list[str]
) -> None:
    facts = reconcile.facts(conversations, flagged(reconcile.facts(conversations, rows), flags))
    by_key = {one.key: one for one in facts}

    assert len(by_key) == len(facts)
    for one in facts:
        assert (one.superseded_by == "") == (one.valid_to is None)
        seen = set[str]()
        while one.superseded_by:
            assert one.key not in seen
            seen.add(one.key)
            one = by_key[one.superseded_by]  # noqa: PLW2901 (follows the chain)
