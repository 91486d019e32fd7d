"""The ranking: pure, over a corpus made of plain words."""

from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pretend.spoken import NINE, Spoken

from voice_server.search.passages import LENGTH, PLACE, packed
from voice_server.search.ranking import Weights


def test_what_says_more_of_the_words_ranks_higher() -> None:
    none, one, both = Spoken(["user: green apples"], ["user: a plum tart"], ["user: a plum cake"]).scores(
        "plum cake"
    )

    assert none == 0 < one < both


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    talk = Spoken(*[["user: the train"]] * 5, ["user: the ferry"])

    common, *_, rare = talk.ranked("train ferry", Weights(passage=0, nearby=0)).messages

    assert rare > 1.5 * common


def test_a_short_message_ranks_before_a_long_one_that_says_as_much() -> None:
    long, short = Spoken(
        ["user: a ferry, then again apples, pears, plums, bread, butter, cheese and salt"],
        ["user: a ferry then"],
    ).scores("ferry")

    assert long < short


QUESTION = "agent: What do you call your dog?"


def test_an_answer_has_the_words_of_its_question() -> None:
    question, answer, after = Spoken([QUESTION, "user: Biscuit.", "agent: Lovely."]).scores("call the dog")

    assert question > after
    assert answer > 3 * after


def test_only_somebody_else_answers_a_question() -> None:
    _, answered = Spoken([QUESTION, "user: Biscuit."]).scores("call the dog")
    _, went_on = Spoken([QUESTION, "agent: Biscuit."]).scores("call the dog")

    assert went_on < 0.7 * answered


def test_what_follows_no_question_is_no_answer() -> None:
    _, answered = Spoken([QUESTION, "user: Biscuit."]).scores("call the dog")
    _, followed = Spoken([QUESTION.replace("?", "."), "user: Biscuit."]).scores("call the dog")

    assert followed < answered / 2


def test_who_asks_in_a_burst_is_answered_after_it() -> None:
    _, _, answer, after = Spoken(
        [QUESTION, "agent: I forget names.", "user: Biscuit.", "agent: Lovely."]
    ).scores("call the dog")

    assert answer > 3 * after


def test_who_answers_in_a_burst_answers_with_all_of_it() -> None:
    _, first, second, after = Spoken([QUESTION, "user: Biscuit.", "user: Or Muffin.", "agent: Aha."]).scores(
        "call the dog"
    )

    assert first == second > 3 * after


def test_where_nobody_writes_question_marks_whoever_speaks_next_may_answer() -> None:
    talk = ["agent: what do you call your dog", "user: biscuit", *["agent: lovely", "user: thanks"] * 6]

    _, unmarked, *_ = Spoken(talk).scores("call the dog")
    _, marked, *_ = Spoken([*talk, "agent: bye?"]).scores("call the dog")

    assert unmarked > 2 * marked


def test_the_words_of_a_burst_count_for_each_of_its_messages() -> None:
    (_, together), (_, _, apart) = (
        Spoken(["user: plum", "user: the cake burnt"]).scores("plum cake"),
        Spoken(["user: plum", "agent: pears", "user: the cake burnt"]).scores("plum cake"),
    )

    assert together > 1.1 * apart


def test_who_goes_on_later_begins_a_new_turn() -> None:
    soon = Spoken(["user: plum", "user: cake"], apart=timedelta(minutes=4))
    later = Spoken(["user: plum", "user: cake"], apart=timedelta(minutes=6))

    assert later.scores("plum cake")[1] < soon.scores("plum cake")[1]


def test_a_message_is_lifted_towards_the_best_of_its_turn() -> None:
    turns = Spoken(["user: plum", "user: cake", "agent: pears", "user: apples"]).corpus.turns

    lifted = turns.lifted(np.array([0.2, 0.8, 0.1, 0], np.float32), 0.5)

    assert lifted.tolist() == pytest.approx([0.5, 0.8, 0.1, 0])


def test_a_message_of_a_burst_that_says_none_of_the_words_comes_after_those_that_do() -> None:
    talk = ["user: apples", "user: the plum", "user: cake"], ["user: a plum pie"]

    beside, plum, cake, other = Spoken(*talk).scores("plum cake")

    assert beside < min(plum, cake, other)


def test_what_hardly_says_anything_has_little_of_its_question() -> None:
    talk = Spoken([QUESTION, "user: You did."], [QUESTION, "user: Biscuit, because of his brown ears."])

    _, little, _, more = talk.scores("call the dog")

    assert 1.5 * little < more


def test_a_question_of_one_conversation_is_not_answered_in_the_next() -> None:
    _, other = Spoken([QUESTION], ["user: Biscuit."]).scores("call the dog")

    assert other == 0


def test_what_only_asks_ranks_behind_what_tells() -> None:
    asks, tells = Spoken(["user: a plum cake?"], ["user: a plum cake."]).scores("plum cake")

    assert asks < tells


def test_what_the_one_named_says_ranks_higher() -> None:
    talk = Spoken(["user: plum cake"], ["agent: plum cake"])
    (user, agent), (user_first, agent_then) = talk.scores("cake"), talk.scores("cake", by_user=True)
    user_last, agent_first = talk.scores("cake", by_user=False)

    assert user == agent
    assert user_first > agent_then
    assert (user_last, agent_first) == pytest.approx((agent_then, user_first))


def test_of_equals_the_one_with_more_of_the_words_around_it_ranks_higher() -> None:
    near = ["user: a cake", "agent: plums", "user: pears", "agent: apples"]
    far = ["user: a cake", "agent: pears", "user: apples", "agent: plums"]

    with_more, alone = Spoken(near, far).scores("plum cake")[::4]

    assert alone < with_more < 1.2 * alone


def test_of_equals_the_one_whose_passage_is_about_it_ranks_higher() -> None:
    between = ["user: pears", "user: apples", "user: bread"]
    about, in_passing = ["user: a cake", *between, "user: plums"], ["user: a cake", *between, "user: salt"]

    told, mentioned = Spoken(about, in_passing).scores("plum cake")[::5]

    assert mentioned < told


def test_what_says_none_of_the_words_needs_good_company() -> None:
    talk = ["agent: Which plum cake?", "user: Hers."], ["user: a cake", "user: apples"]

    _, answer, _, beside = Spoken(*talk).scores("plum cake")

    assert answer > 0
    assert beside == 0


def test_an_answer_that_says_a_word_again_has_it_once() -> None:
    _, after_question = Spoken(["agent: And the dog?", "user: The dog sleeps."]).scores("dog")
    _, after_remark = Spoken(["agent: And the dog.", "user: The dog sleeps."]).scores("dog")

    assert after_question == pytest.approx(after_remark, rel=0.1)


def test_days_that_are_named_rank_higher_and_the_nearer_the_better() -> None:
    talk = Spoken(*[["user: a cake"]] * 5)
    third = int((NINE + timedelta(days=2)).timestamp())

    scores = talk.scores("cake", days=[(third - 3600, third + 3600)])

    assert scores[2] == max(scores)
    assert scores[3] > scores[4] > 0
    assert scores[1] > scores[0]
    assert scores[3] > scores[1], "of a day one speaks on the days after it"


@pytest.mark.parametrize(
    ("asked", "tells"), [("asks_time", "since Friday"), ("asks_number", "for three people")]
)
def test_what_tells_what_is_asked_for_ranks_higher(asked: str, tells: str) -> None:
    talk = Spoken(["user: a cake with almonds inside"], [f"user: a cake {tells}"])

    plain, wanted = talk.scores("cake"), talk.scores("cake", **{asked: True})

    assert wanted[1] / wanted[0] > plain[1] / plain[0]


def test_a_message_that_says_everything_once_is_worth_about_one() -> None:
    scores = Spoken(["user: plum cake"], *[["user: apple tart"]] * 9).scores("plum cake")

    assert 0.8 < scores[0] < 2.5


def test_words_nobody_said_hold_back_what_says_the_others() -> None:
    talk = Spoken(["user: plum cake"], ["user: apple tart"])

    assert talk.scores("plum cake zeppelin")[0] < talk.scores("plum cake")[0]


def test_nothing_asked_and_nothing_said_are_worth_nothing() -> None:
    assert Spoken(["user: plum cake"]).scores("the of and") == [0]
    assert Spoken(["user: plum cake"]).scores("zeppelin") == [0]
    assert Spoken().scores("cake") == []


def test_the_passage_that_is_about_it_ranks_first() -> None:
    _, about, once = (
        Spoken(
            ["user: apples", "user: pears"], ["user: cake", "user: more cake"], ["user: cake", "user: pears"]
        )
        .ranked("cake")
        .passages
    )

    assert 0 < once < about


# -- at all times

_WORDS = ("plum", "cake", "train", "ferry", "dog", "tart")
_LINE = st.tuples(
    st.sampled_from(("user", "agent")),
    st.lists(st.sampled_from(_WORDS), min_size=1, max_size=5).map(" ".join),
    st.sampled_from((".", "?")),
).map(lambda one: f"{one[0]}: {one[1]}{one[2]}")
_CALLS = st.lists(st.lists(_LINE, min_size=1, max_size=5), min_size=1, max_size=4)
_QUERY = st.lists(st.sampled_from((*_WORDS, "zeppelin")), min_size=1, max_size=4, unique=True).map(" ".join)
_ASKED = st.fixed_dictionaries(
    {
        "by_user": st.sampled_from((None, True, False)),
        "asks_time": st.booleans(),
        "asks_number": st.booleans(),
    }
)


@given(_CALLS, _QUERY, _ASKED)
def test_scores_are_finite_and_never_negative(
    calls: list[list[str]], query: str, asked: dict[str, Any]
) -> None:
    talk = Spoken(*calls)
    day = int(NINE.timestamp())

    for days in ((), [(day, day + 86_400)], [(-(10**11), -(10**10))]):
        ranked = talk.ranked(query, days=days, **asked)
        for values in (ranked.messages, ranked.passages):
            assert np.isfinite(values).all()
            assert (values >= 0).all()
        assert len(ranked.messages) == sum(map(len, calls))


@given(_CALLS, _QUERY, _ASKED, st.integers(1, 50))
def test_numbers_that_belong_to_nobody_change_nothing(
    calls: list[list[str]], query: str, asked: dict[str, Any], gap: int
) -> None:
    assert Spoken(*calls, gap=gap).scores(query, **asked) == Spoken(*calls).scores(query, **asked)


@given(_CALLS, _QUERY, st.integers(1, 50))
def test_places_of_what_is_no_longer_there_are_passed_over(
    calls: list[list[str]], query: str, gap: int
) -> None:
    talk = Spoken(*calls, gap=gap)
    before = talk.scores(query)
    gone = [n for base in talk.corpus.bases for n in range(max(0, int(base) - gap), int(base))]
    beyond = [int(talk.corpus.bases[-1] + talk.corpus.sizes[-1]), 2**32 - 1]
    missing = packed(sorted([*gone[:gap], *beyond]), PLACE)

    for word, places in talk.places.items():
        talk.places[word] = places + missing

    assert talk.scores(query) == before


@given(_CALLS, _QUERY)
def test_where_a_word_was_said_may_be_told_in_any_order(calls: list[list[str]], query: str) -> None:
    talk = Spoken(*calls)
    before = talk.scores(query)

    for word, places in talk.places.items():
        talk.places[word] = np.frombuffer(places, PLACE)[::-1].tobytes()

    assert talk.scores(query) == before


@given(st.lists(st.lists(st.sampled_from(_WORDS), min_size=3, max_size=3), min_size=2, max_size=6), _QUERY)
def test_more_of_the_words_are_never_worth_less(calls: list[list[str]], query: str) -> None:
    """In conversations of one message each, as long as one another: what has each word at least as often as
    another, has as good a score."""
    words = query.split()
    scores = Spoken(*([f"user: {' '.join(one)}"] for one in calls)).scores(query)

    for one, score in zip(calls, scores, strict=True):
        for other, others in zip(calls, scores, strict=True):
            if all(one.count(word) >= other.count(word) for word in words):
                assert score >= others - 1e-6


@given(_CALLS, _QUERY)
@example([["user: plum cake.", "agent: plum.", "user: plum plum."]], "plum cake")
@example(
    [
        ["user: plum.", "user: plum.", "user: plum.", "user: plum cake cake."],
        ["user: plum.", "user: plum.", "user: plum plum.", "user: plum cake."],
    ],
    "plum cake",
)
def test_talk_of_something_else_does_not_turn_the_order_of_two_that_say_the_same_words(
    calls: list[list[str]], query: str
) -> None:
    """By their words alone, and one of the other's length: every word becomes rarer for both."""
    weights = Weights(turn=0, nearby=0, passage=0, answer=0, unasked=0, question=0, length=0)
    before = Spoken(*calls).ranked(query, weights).messages
    after = Spoken(*calls, ["user: apples pears"]).ranked(query, weights).messages[:-1]
    said = [
        frozenset(line.partition(": ")[2].strip(".?").split()) & set(query.split())
        for one in calls
        for line in one
    ]

    for one, mine in enumerate(said):
        for other, theirs in enumerate(said):
            if mine == theirs and before[one] > before[other] + 1e-5 and len(mine) == 1:
                assert after[one] > after[other]
    assert ((before > 0) == (after > 0)).all()


@given(_CALLS, _QUERY)
def test_the_same_said_in_another_conversation_is_worth_the_same(calls: list[list[str]], query: str) -> None:
    once = Spoken(*calls, *calls).scores(query)

    half = len(once) // 2
    assert once[:half] == pytest.approx(once[half:])


@given(_CALLS, _QUERY)
def test_only_a_message_that_says_a_word_or_has_company_is_found(calls: list[list[str]], query: str) -> None:
    """Where no message of a conversation says any of the words, none of it is found."""
    scores = iter(Spoken(*calls).scores(query))

    for lines in calls:
        found = [next(scores) for _ in lines]
        if not any(word in line for word in query.split() for line in lines):
            assert found == [0] * len(lines)


def test_lengths_are_kept_as_they_are_counted() -> None:
    corpus = Spoken(["user: plum cake", "agent: tart"]).corpus

    assert corpus.lengths.tolist() == [2, 1]
    assert LENGTH.itemsize == 2
