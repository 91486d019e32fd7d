"""What the files of patterns say of themselves: each example is heard, each counterexample is not."""

import re

import msgspec
import pytest

from voice_server.digest.privacy import forget_patterns
from voice_server.digest.privacy.forget_patterns import GrantPhrases, Language
from voice_server.digest.privacy.granting import AnsweredTurn, Grant, granted
from voice_server.digest.privacy.plain_text import folded

_LANGUAGES = forget_patterns.languages()


def test_nine_languages_are_understood() -> None:
    assert {language.file.language for language in _LANGUAGES} == {
        *("English", "German", "French", "Spanish", "Italian", "Portuguese", "Dutch", "Chinese", "Japanese")
    }


@pytest.mark.parametrize("language", _LANGUAGES, ids=lambda one: one.file.language)
def test_the_examples_of_each_group_are_heard(language: Language) -> None:
    missed = [
        f"{group.name}: {said}"
        for group in language.file.wishes
        for said in group.examples
        if group.reaches not in _reached(language, said)
    ]

    assert missed == [], "\n".join(missed)


@pytest.mark.parametrize("language", _LANGUAGES, ids=lambda one: one.file.language)
def test_the_counterexamples_of_a_language_wish_nothing(language: Language) -> None:
    counterexamples = [said for group in language.file.wishes for said in group.counterexamples]
    wishes = [said for said in counterexamples if _wishes_something(said)]

    assert wishes == [], "\n".join(wishes)


@pytest.mark.parametrize("language", _LANGUAGES, ids=lambda one: one.file.language)
def test_each_pattern_of_a_group_has_an_example(language: Language) -> None:
    without = [
        f"{group.name}: {pattern}"
        for group in language.file.wishes
        for pattern in group.patterns
        if not language.matches(group, pattern, group.examples)
    ]

    assert without == [], "\n".join(without)


@pytest.mark.parametrize("language", _LANGUAGES, ids=lambda one: one.file.language)
def test_nothing_repeats_without_a_bound(language: Language) -> None:
    file = language.file
    written = [*file.phrases.values(), *(pattern for group in file.wishes for pattern in group.patterns)]

    assert [pattern for pattern in written if re.search(r"[*+]|,\}", pattern)] == []


def test_an_unknown_field_of_a_file_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="reach"):
        forget_patterns.read('language = "Ours"\nhints = []\nplease = []\nwishes = []\nreach = "whole"')


@pytest.mark.parametrize(
    "said",
    [
        "Don't remember that, please.",
        "dont remember that please",
        "DON’T REMEMBER THAT, PLEASE!!!",
        "uh, don't, um, remember that … please",
        "Don t remember that pls",
    ],
)
def test_capitals_punctuation_apostrophes_and_fillers_make_no_difference(said: str) -> None:
    assert "before" in {wish.reaches for wish in forget_patterns.find(said.replace("’", "'"))}


def test_a_topic_is_the_words_that_name_it() -> None:
    wishes = forget_patterns.find("Vergiss bitte, was ich über die Äpfel von Frau Müller gesagt habe.")

    assert {wish.topic for wish in wishes if wish.topic} == {"äpfel frau müller"}


def test_a_word_that_names_nothing_in_another_language_names_a_topic() -> None:
    wishes = forget_patterns.find("Erase what I told you about my son.")

    assert {wish.topic for wish in wishes if wish.topic} == {"son"}


def _reached(language: Language, said: str) -> set[str]:
    return {wish.reaches for wish in language.wishes(said) if language in forget_patterns.hinting(said)}


def _wishes_something(said: str) -> bool:
    return any(wish.reaches not in ("known topic", "entry") for wish in forget_patterns.find(said))


@pytest.mark.parametrize(
    "line",
    [
        "we owe nine thousand to the bank please do not write that down",
        "wir haben neuntausend euro schulden schreiben sie das nicht auf",
        "on a neuf mille euros de dettes effacez ça s'il vous plaît",
        "tenemos nueve mil euros de deudas no apunte eso",
        "abbiamo novemila euro di debiti non lo scriva",
        "we hebben negenduizend euro schulden schrijf dat niet op",
        "temos nove mil euros de dívidas não anote isso",
    ],
)
def test_a_wish_ends_a_turn_without_punctuation(line: str) -> None:
    assert any(wish.reaches == "before" for wish in forget_patterns.find(line))


@pytest.mark.parametrize(
    "line",
    [
        "we owe nothing to anybody and my husband always says you forget that",
        "ich weiß bis heute nicht warum sie das nicht aufschreiben",
        "el informe del banco era confidencial",
    ],
)
def test_what_goes_on_with_a_sentence_wishes_nothing(line: str) -> None:
    assert not forget_patterns.find(line)


_WISHES = {
    "English": "Wipe that out.",
    "German": "Streich das mal.",
    "French": "Rayez ça.",
    "Spanish": "Bórrelo.",
    "Italian": "Cancelli quello.",
    "Dutch": "Schrap dat maar.",
    "Portuguese": "Apague isso.",
}
_GRANTS = [
    pytest.param(one.file.granted, _WISHES[one.file.language], id=one.file.language)
    for one in _LANGUAGES
    if one.file.granted
]


_GRANTED = [pytest.param(one.file.granted, id=one.file.language) for one in _LANGUAGES if one.file.granted]


@pytest.mark.parametrize(("data", "wish"), _GRANTS)
def test_an_agent_agrees_in_the_words_of_its_language(data: GrantPhrases, wish: str) -> None:
    missed = [
        said for said in (*data.examples, *data.perhaps_examples) if granted(AnsweredTurn(wish, said)) is None
    ]

    assert missed == []


@pytest.mark.parametrize(("data", "wish"), _GRANTS)
def test_what_an_agent_says_of_other_things_agrees_to_nothing(data: GrantPhrases, wish: str) -> None:
    assert [said for said in data.counterexamples if granted(AnsweredTurn(wish, said))] == []


@pytest.mark.parametrize("data", _GRANTED)
def test_what_is_said_only_of_secrets_is_enough(data: GrantPhrases) -> None:
    told = "I have two lamps here."

    assert [said for said in data.sealed_examples if granted(AnsweredTurn(told, said)) is None] == []
    assert [said for said in data.counterexamples if granted(AnsweredTurn(told, said))] == []


@pytest.mark.parametrize("data", _GRANTED)
def test_each_way_to_say_it_has_an_example(data: GrantPhrases) -> None:
    [language] = [one for one in _LANGUAGES if one.file.granted == data]
    single = [Grant(language, msgspec.structs.replace(data, sealed=(one,))) for one in data.sealed]
    heard = [any(one.sealed.search(folded(said)) for said in data.sealed_examples) for one in single]

    assert [pattern for pattern, is_heard in zip(data.sealed, heard, strict=True) if not is_heard] == []


@pytest.mark.parametrize(
    ("asked", "answer", "reply"),
    [
        ("As for my brother, you know.", "What brother?", "Ha. Good woman."),
        ("Der Bruder, na ja.", "Welcher Bruder?", "Genau."),
        ("Mon frère, hein.", "Quel frère ?", "Voilà."),
        ("Lo de mi hermano, ya sabe.", "¿Qué hermano?", "Eso es."),
        ("Di mio cognato, mi capisce.", "Quale cognato?", "Ecco, bravo."),
        ("A minha sogra, sabe.", "Que sogra?", "Isso aí!"),
        ("Over mijn broer, u begrijpt me.", "Welke broer?", "Precies."),
    ],
)
def test_who_plays_dumb_agrees(asked: str, answer: str, reply: str) -> None:
    assert granted(AnsweredTurn(asked, answer, reply)) is not None
    assert granted(AnsweredTurn(asked, answer, "12 Hull Road")) is None


@pytest.mark.parametrize(
    ("asked", "answer", "reply"),
    [
        ("Don't tell my wife, it's a surprise.", "Not a word.", "Thanks."),
        ("Das Fest ist eine Überraschung.", "Meine Lippen sind versiegelt.", "Danke."),
        ("Take my card, please.", "Which card?", "The blue one."),
        ("Take my card, please.", "Which visa?", "Thanks."),
    ],
)
def test_a_surprise_or_a_question_is_no_grant(asked: str, answer: str, reply: str) -> None:
    assert granted(AnsweredTurn(asked, answer, reply)) is None


@pytest.mark.parametrize(
    "said",
    [
        "that thing of martin's delete it okay",
        "die geschichte mit martin die lösch einfach",
        "cette affaire avec martin supprime-la c'est tout",
        "ese asunto de martín elimínalo y ya está",
        "quella storia con martino eliminala e basta",
        "essa história com o martim elimina e pronto",
        "dat gedoe met martijn schrap dat maar",
    ],
)
def test_a_wish_behind_what_was_told_before_is_heard_without_punctuation(said: str) -> None:
    assert forget_patterns.find(said)


@pytest.mark.parametrize(
    "said",
    [
        "that thing of martin's we put it in the shed",
        "die geschichte mit martin die war lustig",
        "cette affaire avec martin c'est tout",
        "ese asunto de martín ya está",
        "quella storia con martino è vecchia",
        "essa história com o martim é antiga",
        "dat gedoe met martijn is voorbij",
    ],
)
def test_what_is_said_behind_what_was_told_before_is_no_wish(said: str) -> None:
    assert forget_patterns.find(said) == ()


@pytest.mark.parametrize(
    "said",
    [
        "that's that's not for your records",
        "das ist das ist nichts für deine akten",
        "ça c'est c'est pas pour tes dossiers",
        "eso eso no es para tus apuntes",
        "questo questo non è per i tuoi appunti",
        "isso isso não é para os teus registos",
        "dat is dat is niet voor in je aantekeningen",
    ],
)
def test_who_stammers_is_heard(said: str) -> None:
    assert forget_patterns.find(said)


_PLAIN = [one for one in _LANGUAGES if one.file.plainly is not None]


@pytest.mark.parametrize("language", _PLAIN, ids=lambda one: one.file.language)
def test_a_wish_in_plain_words_is_heard(language: Language) -> None:
    assert language.file.plainly
    said = [
        form for one in language.file.plainly.examples for form in (one, re.sub(r"[.,]", "", one.lower()))
    ]

    assert [one for one in said if not language.is_plain_wish(one)] == []
    assert [one for one in said if not forget_patterns.find(one)] == []


@pytest.mark.parametrize("language", _PLAIN, ids=lambda one: one.file.language)
def test_plain_words_for_other_things_wish_nothing(language: Language) -> None:
    assert language.file.plainly
    said = language.file.plainly.counterexamples

    assert [one for one in said if language.is_plain_wish(one) or forget_patterns.find(one)] == []


def test_seven_languages_know_plain_words() -> None:
    assert {one.tag for one in _PLAIN} == {"en", "nl", "de", "es", "fr", "it", "pt"}
