"""What several windows of a conversation found becomes one digest; the later window has the last word."""

from datetime import UTC, date, datetime

import pytest
from msgspec.structs import replace

from voice_server.digest.grounding.grounding import GroundedFindings, PriorKnowledge, Rejection
from voice_server.digest.model.merge_windows import known_by, merged
from voice_server.domain.digest import Digest, FollowUp, KeyMoment, ModelUse, OpenThread
from voice_server.domain.fact import Claim
from voice_server.domain.person import CallerName
from voice_server.domain.relationship import RelationshipDelta

DAY, NOON = date(2026, 11, 17), datetime(2026, 11, 17, 12, tzinfo=UTC)
PROVISIONAL = Digest("As it was told.", "extractive", keywords=("bread",), stems=("bread",), language="en")
USE = ModelUse("llm:pretend", 7, 3)


def thread(text: str, position: int = 0) -> OpenThread:
    return OpenThread("plan", "user", text, DAY, (position,))


def digest(*parts: GroundedFindings, **threads: int) -> Digest:
    return merged(parts, PROVISIONAL, threads, USE)


def test_the_summary_is_that_of_the_last_window_that_has_one() -> None:
    parts = [GroundedFindings(summary="One."), GroundedFindings(summary="One and two."), GroundedFindings()]

    assert digest(*parts).summary == "One and two."


def test_keywords_and_whatever_the_model_left_empty_are_as_they_were() -> None:
    made = digest(GroundedFindings())

    assert (made.summary, made.keywords, made.stems, made.language) == (
        "As it was told.",
        ("bread",),
        ("bread",),
        "en",
    )
    assert (made.source, made.use) == ("model", USE)


def test_what_the_rules_found_stays_when_the_model_comes_back_empty_handed() -> None:
    claim = Claim("user", "The caller bakes bread.", DAY, positions=(1,))
    known = replace(PROVISIONAL, claims=(claim,), open_threads=(thread("You said you'd bake."),))

    made = merged([GroundedFindings(summary="They talked.")], known, {}, USE)

    assert (made.summary, made.claims, made.open_threads) == ("They talked.", (claim,), known.open_threads)


@pytest.mark.parametrize("kind", ["thread", "fact"])
def test_what_the_model_worded_beyond_what_was_said_stays_as_it_was_said(kind: str) -> None:
    claim = Claim("user", '"I bake bread."', DAY, positions=(1,))
    known = replace(
        PROVISIONAL, claims=(claim,), open_threads=(thread('"I\'ll bake one."', 1), thread("x", 7))
    )
    part = GroundedFindings(summary="They talked.", opened=(thread("A plan.", 3),))

    made = merged([replace(part, left_out=(Rejection(kind, 1, "", (1, 2)),))], known, {}, USE)

    assert [one.text for one in made.open_threads[1:]] == (['"I\'ll bake one."'] if kind == "thread" else [])
    assert made.claims == ((claim,) if kind == "fact" else ())


def test_nothing_private_comes_back_in_peoples_own_words() -> None:
    known = replace(PROVISIONAL, open_threads=(thread('"I\'ll bake one."', 1),))
    part = GroundedFindings(private=frozenset({1}), left_out=(Rejection("thread", 1, "", (1, 2)),))

    assert merged([part], known, {}, USE).open_threads == ()


def test_without_a_summary_of_the_models_the_quotes_tell_but_for_what_is_private() -> None:
    bread, affair = KeyMoment(NOON, '"I bake bread."', 1, "user"), KeyMoment(NOON, '"He drinks."', 5, "user")
    known = replace(PROVISIONAL, key_moments=(bread, affair))
    found = GroundedFindings(
        key_moments=(KeyMoment(NOON, "The caller bakes.", 1),), opened=(thread("A plan."),)
    )

    assert merged([found], known, {}, USE).summary == "As it was told."
    assert merged([found], known, {}, USE).key_moments == (bread, affair)
    made = merged([replace(found, private=frozenset({5}))], known, {}, USE)
    assert (made.summary, made.key_moments) == ('Caller: "I bake bread."', (bread,))


def test_what_overlapping_windows_both_found_counts_once() -> None:
    claim, moment = Claim("user", "The caller bakes.", DAY, (1,)), KeyMoment(NOON, "The caller bakes.", 1)
    part = GroundedFindings(key_moments=(moment,), claims=(claim,), opened=(thread("The caller will bake."),))

    made = digest(part, part)

    assert (made.claims, made.key_moments) == ((claim,), (moment,))
    assert len(made.open_threads) == 1


def test_a_thread_that_a_later_window_closes_is_not_open() -> None:
    parts = [
        GroundedFindings(opened=(thread("a"), thread("b"))),
        GroundedFindings(opened=(thread("c"),), closed=("N1",)),
    ]

    assert [one.text for one in digest(*parts).open_threads] == ["b", "c"]


def test_the_next_window_is_told_what_is_open_by_now() -> None:
    parts = [
        GroundedFindings(opened=(thread("a"), thread("b")), closed=("T1",)),
        GroundedFindings(closed=("N2",)),
    ]

    known = known_by(parts, PriorKnowledge({"T1": "x", "T2": "y"}, {"F1": "z"}))

    assert known == PriorKnowledge({"T2": "y", "N1": "a"}, {"F1": "z"})


def test_known_threads_are_closed_by_their_ids() -> None:
    assert digest(GroundedFindings(closed=("T7", "N1")), T7=7, T8=8).closes == (7,)


def test_what_a_later_window_found_private_goes_from_the_earlier_ones() -> None:
    early = GroundedFindings(
        key_moments=(KeyMoment(NOON, "m", 3),),
        opened=(thread("t", 3), thread("u", 4)),
        claims=(Claim("user", "c", DAY, (2, 3)),),
    )

    made = digest(early, GroundedFindings(private=frozenset({3})))

    assert (made.key_moments, made.claims) == ((), ())
    assert [one.text for one in made.open_threads] == ["u"]


@pytest.mark.parametrize(
    ("text", "told"),
    [('"The pram is too dear."', [4]), ('"Can I afford it?" – "I could not say."', [])],
    ids=["of its own", "with the question before"],
)
def test_what_follows_up_goes_when_what_it_rests_on_is_private(text: str, told: list[int]) -> None:
    private = GroundedFindings(private=frozenset({3}))
    said = FollowUp(7, 4, "agent", DAY, text)

    made = merged([private], replace(PROVISIONAL, follow_ups=(said,)), {}, USE)

    assert [one.position for one in made.follow_ups] == told


def test_one_conversation_changes_little_however_long_it_is() -> None:
    part = GroundedFindings(relationship=RelationshipDelta(score=0.08, emotional_state="calm"))

    delta = digest(part, part, GroundedFindings()).relationship

    assert (delta.score, delta.emotional_state) == (0.1, "calm")


def test_a_thread_that_another_takes_the_place_of_is_closed() -> None:
    parts = [
        GroundedFindings(opened=(thread("Twelve guests come."),), replaces=("",)),
        GroundedFindings(
            opened=(thread("Fourteen guests come."), thread("A cake is ordered.")), replaces=("N1", "T7")
        ),
    ]

    made = digest(*parts, T7=7, T8=8)

    assert [one.text for one in made.open_threads] == ["Fourteen guests come.", "A cake is ordered."]
    assert made.closes == (7,)


def test_the_callers_name_is_known_to_the_next_window() -> None:
    assert (
        known_by([GroundedFindings(caller_name="Marta"), GroundedFindings()], PriorKnowledge()).caller
        == "Marta"
    )
    assert (
        known_by([GroundedFindings(caller_name="Marta")], PriorKnowledge(caller="Marta Klein")).caller
        == "Marta Klein"
    )


def test_the_digest_has_the_callers_name() -> None:
    assert digest(GroundedFindings(caller_name="Marta")).caller_name == CallerName("Marta", source="model")
