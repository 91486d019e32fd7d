"""Who gives a reason for a wish, or regrets what was said, wishes no less."""

from collections.abc import Callable

import pytest

from voice_server.digest.privacy import consent, forget_patterns
from voice_server.digest.privacy.forget_patterns import Language
from voice_server.domain.conversation import Message

Call = Callable[[str], list[Message]]

_LANGUAGES = forget_patterns.languages()

# What was told, and a wish that names it by another word.
WISHES = {
    "English": ("He got his sums wrong again.", "Please forget what I said about my colleague."),
    "German": (
        "Er hat sich schon wieder verrechnet.",
        "Bitte vergiss, was ich über meinen Kollegen gesagt habe.",
    ),
    "Spanish": ("Se equivocó otra vez de cuenta.", "Por favor, olvide lo que dije de mis cuñados."),
    "French": (
        "Il s'est trompé dans les comptes.",
        "Oubliez ce que j'ai dit sur mon collègue, s'il vous plaît.",
    ),
    "Italian": ("Ha sbagliato tutti i conti.", "Per favore, dimentichi quello che ho detto sul mio collega."),
    "Portuguese": ("Ele errou as contas todas.", "Por favor, esqueça o que eu disse sobre o meu colega."),
    "Dutch": ("Hij heeft zich weer verrekend.", "Vergeet alstublieft wat ik over mijn collega heb gezegd."),
    "Chinese": ("他把账都算错了。", "请忘掉我刚才说的关于同事的事。"),
    "Japanese": ("彼は計算を間違えました。", "同僚について言ったことは忘れてください。"),
}


def _is_heard_whole(messages: list[Message]) -> bool:
    return consent.withheld(messages) >= {2, 3, 4, 5}


@pytest.mark.parametrize("language", _LANGUAGES, ids=lambda one: one.file.language)
def test_a_reason_given_after_a_wish_takes_nothing_from_it(call: Call, language: Language) -> None:
    told, wish = WISHES[language.file.language]
    talk = f"u: The garden is fine.\na: Good.\nu: {told}\na: I see.\nu: {wish} {{reason}}\na: Done."
    reasons = language.file.excuses.examples
    missed = [reason for reason in reasons if not _is_heard_whole(call(talk.format(reason=reason)))]

    assert missed == [], "\n".join(missed)


@pytest.mark.parametrize("language", _LANGUAGES, ids=lambda one: one.file.language)
def test_a_reason_given_before_a_wish_takes_nothing_from_it(call: Call, language: Language) -> None:
    told, wish = WISHES[language.file.language]
    talk = f"u: The garden is fine.\na: Good.\nu: {told}\na: I see.\nu: {{reason}} {wish}\na: Done."
    reasons = language.file.excuses.examples
    missed = [reason for reason in reasons if not _is_heard_whole(call(talk.format(reason=reason)))]

    assert missed == [], "\n".join(missed)


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        (
            "He got his sums wrong again.",
            "Please forget what I said about my colleague. My colleague is a decent man, and works hard.",
        ),
        (
            "Mein Kollege hat sich verrechnet.",
            "Bitte vergiss, was ich über ihn gesagt habe. Der Mann hat Familie und arbeitet wirklich viel.",
        ),
        (
            "I stole the money.",
            "That stays between us. It doesn't belong here, and I shouldn't have said it.",
        ),
        (
            "Ich habe das Geld gestohlen.",
            "Das bleibt unter uns. Das gehört nicht hierher, und ich hätte es nicht sagen sollen.",
        ),
    ],
)
def test_whatever_else_follows_on_a_wish_takes_nothing_from_it(call: Call, told: str, wish: str) -> None:
    messages = call(f"u: The garden is fine.\na: Good.\nu: {told}\na: I see.\nu: {wish}\na: Done.")

    assert consent.withheld(messages) >= {2, 3, 4, 5}


@pytest.mark.parametrize(
    ("told", "wish"),
    [
        ("Mein Kollege hat sich verrechnet.", "Bitte vergiss, was ich über meinen Kollegen gesagt habe."),
        (
            "Mein Kollege hat sich verrechnet.",
            "Bitte vergiss, was ich über meinen Kollegen gesagt habe. Das gehört nicht hierher.",
        ),
        ("Mi cuñada se equivocó de cuenta.", "Por favor, olvide lo que dije de mis cuñadas."),
        ("Mes dettes sont énormes.", "Oubliez ce que j'ai dit sur ma dette."),
        ("Il mio collega ha sbagliato i conti.", "Dimentichi quello che ho detto sui miei colleghi."),
        ("A minha dívida é enorme.", "Esqueça o que eu disse sobre as minhas dívidas."),
        ("Mijn broer is ontslagen.", "Vergeet wat ik over mijn broers heb gezegd."),
    ],
)
def test_a_topic_in_another_form_of_its_word_is_the_same(call: Call, told: str, wish: str) -> None:
    messages = call(f"u: {told}\na: I see.\nu: The garden is fine.\na: Good.\nu: {wish}\na: Done.")

    assert consent.withheld(messages) == {0, 4}


@pytest.mark.parametrize("language", _LANGUAGES, ids=lambda one: one.file.language)
def test_each_example_is_a_reason_and_no_counterexample_is(language: Language) -> None:
    reasons = language.file.excuses

    assert [said for said in reasons.examples if not language.excuses(said)] == []
    assert [said for said in reasons.counterexamples if forget_patterns.is_excuse(said)] == []


@pytest.mark.parametrize("language", _LANGUAGES, ids=lambda one: one.file.language)
def test_each_pattern_of_a_reason_has_an_example(language: Language) -> None:
    reasons = language.file.excuses

    assert [one for one in reasons.patterns if not language.explains(one, reasons.examples)] == []
