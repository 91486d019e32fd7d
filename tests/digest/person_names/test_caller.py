"""What the caller is called: the examples of every language, and words that never become names."""

from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from voice_server.digest.person_names import agent, caller, lexicon
from voice_server.digest.privacy import forget_patterns
from voice_server.domain.conversation import Message
from voice_server.domain.person import CallerName

NOW = datetime(2026, 11, 17, 9, tzinfo=UTC)
LANGUAGES = [lexicon.read(language) for language in lexicon.languages()]
SAID = [(one.language, text, name) for one in LANGUAGES for text, name in one.examples]
SAID_OTHERWISE = [(one.language, text) for one in LANGUAGES for text in one.counterexamples]
SAID_BY_AGENTS = [(one.language, text, name) for one in LANGUAGES for text, name in one.agent_examples]
ORDINARY = {one.language: sorted(one.seldom) for one in LANGUAGES}
INTRODUCED_BY = {
    "en": "I'm", "de": "ich bin", "es": "soy", "fr": "je suis", "it": "sono", "nl": "ik ben", "pt": "sou",
}  # fmt: skip


def talk(text: str) -> list[Message]:
    """Turns divided by slashes, those of the agent begin with "A:"."""
    turns = enumerate(text.split(" / "))
    return [_turn(position, turn) for position, turn in turns]


def _turn(position: int, text: str) -> Message:
    said = text.removeprefix("A:").strip()
    return Message(position, "agent" if text.startswith("A:") else "user", said, NOW)


def told(text: str, language: str = "en") -> str:
    name = caller.named(talk(text), language) or CallerName("")
    return f"{name.name} ({name.nickname})" if name.nickname else name.name


@pytest.mark.parametrize("language", [one.language for one in LANGUAGES])
def test_whoever_says_their_name_is_called_by_it(language: str) -> None:
    heard = {text: told(text, language) for own, text, _ in SAID if own == language}

    assert heard == {text: name for own, text, name in SAID if own == language}


@pytest.mark.parametrize("language", [one.language for one in LANGUAGES])
def test_what_is_no_name_of_the_callers_never_becomes_one(language: str) -> None:
    heard = {text: told(text, language) for own, text in SAID_OTHERWISE if own == language}

    assert {text: name for text, name in heard.items() if name} == {}


@pytest.mark.parametrize("language", [one.language for one in LANGUAGES])
def test_the_agent_is_called_as_it_introduces_itself(language: str) -> None:
    said = [(text, name) for own, text, name in SAID_BY_AGENTS if own == language]

    assert [agent.introduced(talk(text), language) for text, _ in said] == [name for _, name in said]


def test_there_are_examples_enough_of_seven_languages() -> None:
    assert [one.language for one in LANGUAGES] == ["de", "en", "es", "fr", "it", "nl", "pt"]
    assert len(SAID) + len(SAID_OTHERWISE) >= 400


@given(
    st.sampled_from(sorted(ORDINARY)).flatmap(
        lambda one: st.tuples(st.just(one), st.sampled_from(ORDINARY[one]))
    )
)
def test_an_ordinary_word_never_becomes_a_name(said: tuple[str, str]) -> None:
    language, word = said

    assert told(f"{INTRODUCED_BY[language]} {word}", language) == ""
    assert told(f"{INTRODUCED_BY[language].capitalize()} {word}.", language) == ""


def test_nobody_is_called_by_what_they_want_forgotten() -> None:
    """Some hundred sentences that people say, none of which is a name."""
    examples = [
        (one.file.language, example)
        for one in forget_patterns.languages()
        for group in one.file.wishes
        for example in (*group.examples, *group.counterexamples)
    ]

    named = [(example, told(example, language)) for language, example in examples]
    assert [(example, name) for example, name in named if name] == []
    assert len(examples) > 300


@given(st.text(max_size=200), st.sampled_from(["en", "de", "fr", "nl"]))
def test_any_text_makes_a_short_name_or_none(text: str, language: str) -> None:
    name = told(f"A: Your name? / {text}", language)

    assert len(name) <= 60
    assert all(letter.isalpha() or letter in " '-.()" for letter in name)


@given(st.sampled_from(SAID), st.integers(0, 80), st.integers(0, 80), st.sampled_from([*'[]("“.,?’-1']))
@example(("en", "hello, Anna", "Anna"), 7, 11, "[")
def test_what_is_cut_off_or_mistyped_anywhere_is_read(
    said: tuple[str, str, str], place: int, end: int, sign: str
) -> None:
    language, text, _ = said

    assert len(told(f"{text[:place]}{sign}{text[place:end]}", language)) <= 60


@given(st.sampled_from(SAID))
def test_hearing_the_same_conversation_twice_changes_nothing(said: tuple[str, str, str]) -> None:
    language, text, name = said

    assert told(f"{text} / A: Anything else? / {text}", language).split(" (")[0] == name.split(" (")[0]


def test_whoever_is_asked_for_their_name_once_more_keeps_it() -> None:
    asked = "A: That's Mrs Doyle, isn't it? / Yes."

    assert told(f"Hello, my hip hurts. / {asked} / A: Anything else? / My form. / {asked}") == "Mrs Doyle"
    assert told("Hello, my hip hurts. / A: I see. / Who's on? / A: That's Mrs Doyle, our nurse.") == ""


def test_a_spelled_or_corrected_name_is_surer_than_one_that_was_only_said() -> None:
    assert caller.named(talk("It's Marta Kline."), "en") == CallerName("Marta Kline")
    assert caller.named(talk("It's Marta Kline. K L I N E."), "en") == CallerName(
        "Marta Kline", "", "corrected"
    )


def test_how_the_agent_calls_somebody_is_an_assumption() -> None:
    heard = caller.named(talk("Hello. / A: Yes, Ms Strand? / A question."), "en")

    assert heard == CallerName("Ms Strand", "", "assumed", title="Ms")


def test_one_word_behind_a_greeting_is_an_assumption_though_the_agent_greets_by_it() -> None:
    """It may be the agent's own, or no name at all."""
    heard = caller.named(talk("hello parts / A: Hello parts! What about them?"), "en")

    assert heard == CallerName("Parts", "", "assumed")


def test_a_whole_name_behind_a_greeting_is_theirs_when_the_agent_calls_them_by_it() -> None:
    heard = caller.named(talk("hello marta klein / A: Hello Marta, what can I do?"), "en")

    assert heard == CallerName("Marta Klein")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "A: Sparkle Home Cleaning, hello. / Hi, Jude Castellan, I'm every other Friday."),
        ("de", "A: Bootsverleih Jansen, guten Tag. / Hallo, Annelot Brinkhorst. Ich möchte ein Boot."),
        ("es", "A: Barcos Sol, buenos días. / Buenos días, Annelot Brinkhorst. Quería un barco."),
        ("fr", "A: Bateaux Loire, bonjour. / Bonjour, Annelot Brinkhorst. Je voudrais un bateau."),
        ("it", "A: Barche Onda, buongiorno. / Buongiorno, Annelot Brinkhorst. Vorrei una barca."),
        ("nl", "A: Rondvaart De Meeuw, met Floor. / Hallo, Annelot Brinkhorst. Ik wil een boot."),
        ("pt", "A: Barcos Sol, bom dia. / Bom dia, Annelot Brinkhorst. Queria um barco."),
    ],
)
def test_a_whole_name_of_no_list_between_greeting_and_wish_is_assumed(language: str, said: str) -> None:
    heard = caller.named(talk(said), language)

    assert heard is not None
    assert heard.certainty == "assumed"
    assert len(heard.name.split()) == 2


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "A: Hello. / Hello, Northern Gas. My boiler is off."),
        ("en", "A: Bluebell Florist, hello. / Hello, Bluebell Florist. I'd like some roses."),
        ("en", "A: Bluebell Florist, hello. / Hello, Happy Christmas. I'd like some roses."),
        ("de", "A: Blumen Beck, hallo. / Hallo, Frohe Weihnachten. Ich hätte gern einen Strauß."),
    ],
)
def test_a_house_or_a_wish_behind_a_greeting_is_no_name(language: str, said: str) -> None:
    assert caller.named(talk(said), language) is None


def test_a_name_that_is_a_word_is_one_where_the_agent_greets_by_it() -> None:
    assert told("A: Hello Ivy! Is it warm enough in there? / It is now.") == "Ivy"


def test_what_follows_a_turn_nobody_may_know_answers_no_question_before_it() -> None:
    said = talk("A: What name is it? / Secret. / A: Of course. Which room? / Downstairs, her ankle's bad.")

    assert caller.named([said[0], said[3]], "en") is None


def test_a_language_nobody_wrote_down_has_no_names() -> None:
    assert caller.named(talk("Nazywam się Marta Klein."), "pl") is None
    assert agent.introduced(talk("A: Tu Clara."), "") == ""


def test_a_region_is_no_other_language() -> None:
    assert told("Mein Name ist Marta Klein.", "de-AT") == "Marta Klein"
