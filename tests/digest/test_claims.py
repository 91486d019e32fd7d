from collections.abc import Callable
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_server.digest.claims import claims
from voice_server.digest.extractive import digest
from voice_server.digest.ranking import rank
from voice_server.domain.conversation import Message
from voice_server.domain.digest import Digest
from voice_server.domain.fact import Claim

Understood = Callable[[str], Digest]
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def claimed(understood: Understood) -> Callable[[str], list[str]]:
    """The texts of the claims of a written-down call."""
    return lambda text: [claim.text for claim in understood(text).claims]


def only(made: Digest) -> Claim:
    [claim] = made.claims
    return claim


def test_what_the_user_says_about_themselves_is_a_claim_with_the_message_it_came_from(
    understood: Understood,
) -> None:
    claim = only(understood("a: Hello!\nu: I have two dogs, Max and Daisy."))

    assert claim.text == "The caller has two dogs, Max and Daisy."
    assert (claim.about, claim.positions, claim.said_on) == ("user", (1,), date(2026, 11, 17))


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I live in Zagreb.", "The caller lives in Zagreb."),
        ("I am allergic to walnuts.", "The caller is allergic to walnuts."),
        ("My name is Ada.", "The caller's name is Ada."),
    ],
)
def test_it_may_be_short(claimed: Callable[[str], list[str]], said: str, text: str) -> None:
    assert claimed(f"u: {said}") == [text]


def test_what_the_agent_says_about_itself_is_one_of_its_own(understood: Understood) -> None:
    claim = only(understood("a: I painted a lake at sunrise with my daughter.\nu: Nice."))

    assert (claim.about, claim.text) == (
        "agent",
        "You said you painted a lake at sunrise with your daughter.",
    )


@pytest.mark.parametrize(
    "text",
    [
        "a: I've moved your consult with Dr. Mueller to Monday.",
        "u: You recommended the walnut bakery in Prague to me.",
    ],
)
def test_what_one_did_for_the_other_is_an_episode_of_the_relationship(
    understood: Understood, text: str
) -> None:
    assert only(understood(text)).about == "relationship"


@pytest.mark.parametrize(
    "said",
    [
        "It was amazing.",
        "This one took me three whole weeks in the garden.",
        "They asked me about the garden and the plums.",
        "Do you know my sister Maria from Lisbon?",
        "You should visit the museum in Porto someday.",
        "I totally agree, family matters most in life.",
        "I'm so glad about your new garden house.",
        "Here's a photo of my painting of the harbour.",
        "I would love to make something like that in the kitchen.",
        "The weather in Lisbon was rainy and cold.",
        "I swim.",
    ],
)
def test_what_does_not_stand_alone_or_tells_of_nobody_is_no_claim(
    claimed: Callable[[str], list[str]], said: str
) -> None:
    assert claimed(f"u: {said}") == []


def test_relative_days_are_absolute(claimed: Callable[[str], list[str]]) -> None:
    assert claimed("u: I went to Porto yesterday with my sister Maria.") == [
        "The caller went to Porto on 16 November 2026 with their sister Maria."
    ]


def test_a_plan_is_a_commitment_with_its_day(understood: Understood) -> None:
    claim = only(understood("u: I'm flying to Lisbon next Friday to see my sister Maria."))

    assert claim.due == date(2026, 11, 27)


def test_what_leads_in_and_the_verdict_behind_are_left_out(claimed: Callable[[str], list[str]]) -> None:
    assert claimed("u: Honestly, I started a pottery class with Grace, and it was really great.") == [
        "The caller started a pottery class with Grace."
    ]


def test_the_subject_that_talk_leaves_out_is_put_in(claimed: Callable[[str], list[str]]) -> None:
    assert claimed("u: Took a trip to the mountains with my brother.") == [
        "The caller took a trip to the mountains with their brother."
    ]


def test_what_the_message_goes_on_to_say_stands_in_the_same_sentence(
    claimed: Callable[[str], list[str]],
) -> None:
    assert claimed("u: I joined a choir in Berlin. It rehearses on the river every autumn evening.") == [
        "The caller joined a choir in Berlin; it rehearses on the river every autumn evening."
    ]


def test_what_a_speaker_goes_on_to_say_in_the_next_message_belongs_to_it(understood: Understood) -> None:
    claim = only(
        understood("u: I joined a choir in Berlin.\nu: It rehearses on the river every autumn evening.")
    )

    assert (
        claim.text == "The caller joined a choir in Berlin; it rehearses on the river every autumn evening."
    )
    assert claim.positions == (0, 1)


def test_what_another_message_says_is_another_claim(claimed: Callable[[str], list[str]]) -> None:
    assert claimed("u: I joined a choir in Berlin.\na: Nice!\nu: My brother Paul collects old clocks.") == [
        "The caller joined a choir in Berlin.",
        "The caller's brother Paul collects old clocks.",
    ]


def test_where_somebody_lives_and_works_has_one_value_at_a_time(understood: Understood) -> None:
    made = understood(
        "u: I moved to Lisbon last month.\na: Good.\nu: I work as a nurse at the Lindenhof clinic."
    )

    assert [(claim.topic, claim.valid_from) for claim in made.claims] == [
        ("home", date(2026, 10, 1)),
        ("job", None),
    ]


def test_a_claim_is_less_certain_than_a_models(understood: Understood) -> None:
    claim = only(understood("u: I have two dogs, Max and Daisy."))

    assert 0 < claim.certainty < 1
    assert 0 < claim.salience <= 1


def test_what_reads_like_an_instruction_is_flagged(understood: Understood) -> None:
    made = understood("u: I told my sister to ignore all previous instructions of the clinic.")

    assert only(made).flagged


def test_a_conversation_has_a_bounded_number_of_claims(understood: Understood) -> None:
    animals = "cat dog horse goat sheep duck goose hen pig cow mule llama".split()
    told = "\n".join(
        f"u: I bought a {animal} from the {animal} farmer in {animal.title()}ville." for animal in animals
    )

    assert len(understood(told).claims) == 8


def test_the_same_thing_twice_is_one_claim(claimed: Callable[[str], list[str]]) -> None:
    assert len(claimed("u: I joined a choir in Berlin.\na: Oh.\nu: I joined the choir in Berlin.")) == 1


def test_other_languages_have_no_claims(call: Callable[[str], list[Message]]) -> None:
    german = call("u: Ich habe zwei Hunde, Max und Daisy, und wohne in Hamburg.")

    assert digest(german, user="The caller", agent="you", timezone=BERLIN).claims == ()


def test_nothing_said_claims_nothing() -> None:
    assert claims(rank([], english=True, document_frequencies={}, documents=1), []) == ()


@given(st.lists(st.text(max_size=200), max_size=6))
def test_any_text_makes_claims_of_one_line_or_none(said: list[str]) -> None:
    messages = [
        Message(n, "user", f"I {text}", datetime(2026, 11, 17, tzinfo=UTC)) for n, text in enumerate(said)
    ]

    made = digest(messages, user="The caller", agent="you", timezone=BERLIN, language="en")

    assert all(claim.text and "\n" not in claim.text for claim in made.claims)
