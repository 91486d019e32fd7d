from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voice_server.digest.extractive import digest
from voice_server.domain.conversation import Message
from voice_server.domain.digest import Digest

Call = Callable[[str], list[Message]]
Understood = Callable[[str], Digest]
BERLIN = ZoneInfo("Europe/Berlin")

PAYLOAD = """
    a: Hi Maya, good to hear you again. Is this about Friday?
    u: Yes — hi! I can't make it with Dr. Søren Müller on Friday after all.
    a: No problem, let me look that up.
    t: {"memories": [{"text": "Consult with Dr. Søren Müller booked for Fri 20 Nov 09:30"}]}
    a: I see Friday the twentieth at half past nine. I could offer Monday...
    u: Monday! Not evenings — remember, my kids. 😊
    a: Of course — mornings only. Monday the twenty-third at nine, then?
    u: Mm-hm.
    u: ...
    u: Ja, perfekt. And my new e-mail is maya dot l at example dot org.
    a: The calendar is slow, but I’ve noted Monday at nine and we’ll text you. 日本語でも大丈夫ですよ。
    u: Ha, ありがとう! Bye.
    a: Bye, Maya! 👋
"""


def test_the_platforms_summary_is_taken_as_it_is(call: Call) -> None:
    made = digest(call(PAYLOAD), timezone=BERLIN, platform_summary=" Maya moved\nher consult. ")

    assert (made.summary, made.source) == ("Maya moved her consult.", "platform")
    assert made.key_moments


def test_a_mixed_call_keeps_what_matters_in_the_words_said(understood: Understood) -> None:
    made = understood(PAYLOAD)
    said = " ".join(one.text for one in made.key_moments)

    assert made.source == "extractive"
    assert "I can't make it with Dr. Søren Müller on Friday" in said
    assert "my new e-mail is maya dot l at example dot org." in said


def test_tools_and_signs_of_listening_leave_no_trace(understood: Understood) -> None:
    made = understood(PAYLOAD)
    told = " ".join([made.summary, *(m.text for m in made.key_moments), *made.keywords])

    assert not [word for word in ("memories", "09:30", "consult") if word in told]


def test_quotes_name_their_message_and_who_said_them_and_come_in_order(
    call: Call, understood: Understood
) -> None:
    messages = call(PAYLOAD)

    moments = understood(PAYLOAD).key_moments

    assert [m.position for m in moments] == sorted(m.position for m in moments)
    assert all(m.said_at == messages[m.position].said_at for m in moments)
    assert {m.said_by for m in moments} == {"user", "agent"}
    assert all(m.text.startswith('"') for m in moments)


def test_a_long_call_has_a_bounded_number_of_quotes(understood: Understood) -> None:
    cities = "Porto Lisbon Rome Paris Berlin Vienna Prague Oslo Riga Turin Bonn Graz".split()

    text = "\n".join(f"u: I visited aunt {n} in {city}.\na: I see." for city in cities for n in range(9))

    assert 12 <= len(understood(text).key_moments) <= 24


def test_the_summary_speaks_of_both(understood: Understood) -> None:
    made = understood("u: My roof is leaking badly.\na: I've told the roofer about your kitchen ceiling.")

    assert made.summary == (
        'Caller: "My roof is leaking badly." You: "I\'ve told the roofer about your kitchen ceiling."'
    )


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "Ich kann um neun Uhr leider nicht kommen."),
        ("fr", "Je suis allergique aux noix et aux crevettes."),
        ("", "金曜日の予約を月曜日に変更したいです。"),
    ],
)
def test_every_language_is_quoted(call: Call, language: str, said: str) -> None:
    made = digest(call(f"u: {said}"), timezone=BERLIN, language=language)

    assert [said in one.text for one in made.key_moments] == [True]
    assert [said in one.text for one in made.claims] == [True]
    assert made.language == language


def test_an_answer_stands_with_its_question(understood: Understood) -> None:
    made = understood("a: Do you have any allergies?\nu: Penicillin.")

    assert [one.text for one in made.claims] == ['"Do you have any allergies?" – "Penicillin."']


def test_english_is_guessed(call: Call) -> None:
    assert digest(call("u: I can't come to you on Friday."), timezone=BERLIN).language == "en"


def test_the_day_is_the_users_own() -> None:
    late = Message(0, "user", "I'm flying to Lisbon tomorrow.", datetime(2026, 11, 17, 23, 30, tzinfo=UTC))

    [moment] = digest([late], timezone=BERLIN).key_moments

    assert moment.text == '"I\'m flying to Lisbon tomorrow (19 November 2026)."'


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("I sold the boat to a painter.", "I sold the boat yesterday."),
        ("We cycled to the lake with the twins.", "We cycled to the lake last week."),
        ("They gave me a bicycle.", "They gave me 7 eggs."),
    ],
)
def test_what_says_when_or_how_many_weighs_more(call: Call, said: str, more: str) -> None:
    frequencies = dict.fromkeys(("boat", "painter", "lake", "twin", "bicycl", "egg"), 1)

    made = digest(
        call(f"u: {said}\nu: {more}"), timezone=BERLIN, language="en", document_frequencies=frequencies
    )

    [first, second] = made.key_moments
    assert first.weight < second.weight


def test_keywords_are_stems_most_telling_first(call: Call) -> None:
    text = "u: My heron eats herons.\na: Your heron and a fish."

    made = digest(call(text), timezone=BERLIN, document_frequencies={"fish": 9}, documents=9)

    assert made.keywords == ("heron", "eat", "fish")


def test_at_most_sixty_keywords_are_kept(understood: Understood) -> None:
    letters = "bcdfghjklmnp"

    text = "\n".join(f"u: I saw the {a}o{b}ak today." for a in letters for b in letters)

    assert len(understood(text).keywords) == 60


def test_nothing_said_is_an_empty_digest(understood: Understood) -> None:
    assert understood("u: ...\na: Mm-hm.") == Digest("", "extractive", language="en")


def test_the_same_call_gives_the_same_digest(understood: Understood) -> None:
    assert understood(PAYLOAD) == understood(PAYLOAD)


def test_what_only_holds_for_the_day_is_quoted_and_is_no_claim(understood: Understood) -> None:
    made = understood("u: I'm so tired from the garden.\nu: I have a daughter in Leeds.")

    assert [one.passing for one in made.key_moments] == [True, False]
    assert [one.positions for one in made.claims] == [(1,)]


SPEECH = st.one_of(
    st.text(max_size=300),
    st.lists(
        st.sampled_from(
            """I I'll you your my we tomorrow Friday send remind me to call if and ? . ! , 。 next week
            (18 " ' ’ [ ] {{ 金曜日 the and on 20 November 2026 was am don't 👋 um""".split()
        ),
        max_size=80,
    ).map(" ".join),
)
ROLES = st.sampled_from(["user", "agent", "tool_call", "tool_result"])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(ROLES, SPEECH), max_size=12),
    st.sampled_from(["", "en", "de", "fr"]),
    st.integers(10, 150),
)
def test_any_talk_has_a_digest(talk: list[tuple[str, str]], language: str, words: int) -> None:
    start = datetime(2026, 12, 31, 22, tzinfo=UTC)
    messages = [
        Message(i, role, content, start + timedelta(seconds=i))  # type: ignore[arg-type]  # sampled_from widens
        for i, (role, content) in enumerate(talk)
    ]

    made = digest(messages, timezone=BERLIN, language=language, words=words)

    spoken = {m.position for m in messages if m.role in {"user", "agent"}}
    positions = [m.position for m in made.key_moments] + [p for t in made.open_threads for p in t.positions]
    assert set(positions) <= spoken
    assert {p for one in made.claims for p in one.positions} <= spoken
    assert all("\n" not in one.text for one in made.key_moments)
    assert all("\n" not in one.text for one in made.claims)
    assert all(0 <= one.weight <= 1 for one in made.key_moments)
    assert all(t.due is None or t.due >= t.said_on for t in made.open_threads)


def test_what_reads_like_an_instruction_is_not_quoted(understood: Understood) -> None:
    made = understood(
        "u: My sister Clara told the doctor to ignore all previous instructions of the clinic in Porto.\n"
        "u: My brother Tom planted forty apple trees behind the house in Porto."
    )

    assert [moment.position for moment in made.key_moments] == [1]
    assert [claim.positions for claim in made.claims] == [(1,)]
    assert "instructions" not in made.summary


def test_what_the_agent_reads_from_its_prompt_is_not_learned_again(call: Call) -> None:
    read_aloud = "The caller planted forty apple trees behind the house in Porto."

    made = digest(
        call(f"a: {read_aloud}\nu: My brother Tom bought an old sailing boat in Lisbon."),
        timezone=BERLIN,
        language="en",
        served=f"[LONG-TERM MEMORY]\n- {read_aloud}\n[/LONG-TERM MEMORY]",
    )

    assert "apple" not in made.summary
    assert [moment.position for moment in made.key_moments] == [1]
    assert not {"appl", "apple"} & set(made.stems)


def test_what_puts_a_long_sentence_right_is_quoted_with_it(understood: Understood) -> None:
    story = "it was really quite a long story about the kitchen floor " * 3
    made = understood(
        f"u: My booking number is K7499 and I would like to say {story}. Sorry, I mean it is K7498."
    )

    assert [("K7499" in one.text, "K7498" in one.text) for one in made.key_moments] == [(True, True)]


def test_a_farewell_is_neither_quoted_nor_left_open(understood: Understood) -> None:
    made = understood(
        "a: Your glasses are ready.\nu: Lovely. Talk to you next week then, bye!\na: See you Thursday, Ada!"
    )

    assert not [
        moment.text for moment in made.key_moments if "Thursday" in moment.text or "week" in moment.text
    ]
    assert made.open_threads == ()


def test_a_farewell_that_agrees_on_an_hour_and_a_place_is_told(understood: Understood) -> None:
    made = understood("a: Your glasses are ready.\nu: Lovely.\na: See you Thursday at ten at the clinic!")

    [moment] = [moment.text for moment in made.key_moments if "Thursday" in moment.text]
    [thread] = made.open_threads

    assert "at ten at the clinic" in moment
    assert thread.text == '"See you Thursday at ten at the clinic!"'


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "a: Harbor Physio, Robin speaking.\nu: Hello Robin, Claire Donovan.\na: Hello Claire."),
        ("en", "a: Harbor Physio, Robin speaking.\nu: Hi Robin, Claire Donovan here.\nu: Claire here."),
        ("de", "a: Praxis Weber, Jana am Apparat.\nu: Guten Tag, Jana.\na: Danke, Jana."),
        ("es", "a: Clínica Sol, le habla Alma.\nu: Buenos días, Alma.\nu: Gracias, Alma."),
        (
            "fr",
            "a: Cabinet Soleil, Camille à l'appareil.\nu: Bonjour, Claire Moreau.\nu: Merci, Camille.",
        ),
    ],
)
def test_who_only_greets_and_names_says_nothing_worth_keeping(call: Call, language: str, text: str) -> None:
    made = digest(call(f"{text}\nu: 4711"), timezone=BERLIN, language=language)

    assert [one.text for one in made.key_moments] == ['"4711"']


def test_a_name_that_was_asked_for_is_kept(call: Call) -> None:
    made = digest(
        call("a: Hello.\na: Who is bringing him?\nu: Thanks, Daniel."), timezone=BERLIN, language="en"
    )

    assert [one.text for one in made.key_moments] == ['"Who is bringing him?" – "Thanks, Daniel."']


def test_a_weekday_beside_next_week_is_told_without_a_date(understood: Understood) -> None:
    said = """
        u: Could we do the boiler next week?
        a: I have Thursday at nine, and I have Friday at two.
        u: Friday at two is great for the boiler.
    """
    told = " ".join(one.text for one in understood(said).key_moments)

    assert "Friday at two" in told
    assert "(20 November" not in told


@pytest.mark.parametrize(
    ("language", "offered", "agreed"),
    [
        ("en", "I could do Friday the 4th at ten.", "Friday works for the boiler."),
        ("de", "Ich hätte Freitag, den 4. Dezember um zehn.", "Freitag passt gut für den Kessel."),
        ("es", "Tengo el viernes 4 de diciembre a las diez.", "El viernes puedo llevar la caldera."),
        ("fr", "J'ai vendredi 4 à dix heures.", "Parfait pour vendredi, pour la chaudière."),
        ("it", "Ho venerdì 4 dicembre alle dieci.", "Venerdì posso portare la caldaia."),
        ("pt", "Tenho sexta dia 4 de dezembro às dez.", "Na sexta posso levar a caldeira."),
        ("nl", "Ik heb vrijdag 4 december om tien uur.", "Vrijdag kan ik de ketel brengen."),
    ],
)
def test_a_weekday_that_was_just_named_with_its_date_is_that_day(
    call: Call, language: str, offered: str, agreed: str
) -> None:
    found = digest(call(f"a: {offered}\nu: {agreed}"), timezone=ZoneInfo("UTC"), language=language)

    assert "4 December 2026" in next(one.text for one in found.key_moments if one.said_by == "user")


def test_a_weekday_long_after_another_of_its_name_is_told_without_a_date(call: Call) -> None:
    said = """
        a: The fitting is on Friday the 4th at ten.
        u: Good, I wrote it down for the kitchen.
        a: Which taps do you like?
        u: The round brass ones from your catalogue.
        a: They cost forty more.
        u: On Friday I can come and look at them.
    """
    found = digest(call(said), timezone=ZoneInfo("UTC"), language="en")

    assert '"On Friday I can come and look at them."' in {one.text for one in found.key_moments}


def test_a_german_call_to_an_agent_set_to_english_is_understood(call: Call) -> None:
    said = """
        a: Praxis Lindner, guten Tag.
        u: ja guten tag hier ist frau aydin also gülsen aydin ich bräuchte ein rezept
        a: Das liegt ab morgen für Sie bereit.
        u: und dann noch ein termin zur blutabnahme
        a: Mittwoch um acht Uhr, bitte nüchtern.
        u: alles klar
    """
    made = digest(call(said), timezone=BERLIN, language="en")

    assert made.language == "de"
    assert "Mittwoch um acht Uhr" in made.summary
    assert [one.text for one in made.open_threads] == [
        (
            '"ja guten tag hier ist frau aydin also gülsen aydin ich bräuchte ein rezept" – '
            '"Das liegt ab morgen für Sie bereit."'
        ),
        '"und dann noch ein termin zur blutabnahme" – "Mittwoch um acht Uhr, bitte nüchtern." – "alles klar"',
    ]


@pytest.mark.parametrize("opening", ["Larkspur Garage, service desk.", "claims desk this is raymond"])
def test_how_an_agent_takes_a_call_is_not_quoted(understood: Understood, opening: str) -> None:
    made = understood(f"a: {opening}\nu: My clutch lever is bent.\na: I see.")

    assert [one.said_by for one in made.key_moments] == ["user"]


@pytest.mark.parametrize(
    "said",
    [
        "We're flying in March. I'll pay the deposit on the 20th.",
        "Is there any room over Christmas? I'll come on the 28th.",
    ],
)
def test_a_day_beside_another_month_may_be_of_either(call: Call, said: str) -> None:
    made = digest(call(f"a: Paws and Rest, hello.\nu: {said}"), timezone=ZoneInfo("UTC"), language="en")

    assert "th (" not in made.summary


def test_a_question_that_nobody_answers_stands_before_what_follows_it(call: Call) -> None:
    said = """
        a: White or blue, the smoke?
        u: Grey? I'm no specialist, you know.
        a: Do you still drive it?
        u: I have to, I have my rounds to do.
    """
    made = digest(call(said), timezone=ZoneInfo("UTC"), language="en")

    assert made.summary.index("Grey?") < made.summary.index("no specialist")


def test_a_correction_behind_a_question_of_ones_own_stays_with_what_it_puts_right(call: Call) -> None:
    said = """
        a: Hello.
        u: Monday at nine, please. Twelve spokes? Sorry, I meant Tuesday.
        a: I see.
    """
    made = digest(call(said), timezone=ZoneInfo("UTC"), language="en")

    told = [one.text for one in made.key_moments]
    assert any("Monday at nine" in text and "Sorry, I meant Tuesday" in text for text in told)
