"""A matter that begins with “she” is told with what says who that is."""

from collections.abc import Callable

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "asked", "said", "told"),
    [
        (
            "en",
            "How was the chiropodist?",
            "She never came. Her van broke down. She's coming this Friday instead, at two.",
            "She's coming this Friday instead, at two.",
        ),
        ("de", "Was macht Ihr Sohn?", "Er kommt am Sonntag zum Essen.", "Er kommt am Sonntag zum Essen."),
        (
            "es",
            "¿Ha hablado con Carmen?",
            "viene el domingo a comer con el novio",
            "viene el domingo a comer con el novio",
        ),
        ("nl", "Hoe gaat het met uw dochter?", "Goed hoor. Ze komt zondag langs.", "Ze komt zondag langs."),
    ],
)
def test_who_was_asked_about_stands_in_the_question(
    opened: Opened, language: str, asked: str, said: str, told: str
) -> None:
    (thread,) = opened(f"a: {asked}\nu: {said}", language)

    assert thread.text == f'"{asked}" – "{told}"'


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "My daughter Susan lives in Leeds. She's coming on Thursday with the twins."),
        ("de", "Meine Tochter wohnt in Leipzig. Sie kommt am Donnerstag mit den Zwillingen."),
    ],
)
def test_who_is_named_in_the_sentence_before_is_told_with_it(
    opened: Opened, language: str, said: str
) -> None:
    (thread,) = opened(f"u: {said}\na: OK.", language)

    assert thread.text == f'"{said}"'


def test_who_is_named_before_a_question_about_them_is_told(opened: Opened) -> None:
    (thread,) = opened(
        "u: My fiancé Caio wants to do it too.\na: What's his number?\nu: He'll ring you on Monday."
    )

    assert thread.text == '"My fiancé Caio wants to do it too. … He\'ll ring you on Monday."'


def test_what_follows_on_an_answer_is_told_without_the_question(opened: Opened) -> None:
    (thread,) = opened("a: Does it hurt?\nu: It's fine. My chiropodist is coming on Monday.")

    assert thread.text == '"My chiropodist is coming on Monday."'


@pytest.mark.parametrize(
    ("language", "asked", "said", "told"),
    [
        (
            "fr",
            "Ça va ?",
            "Oui. Il y a une réunion jeudi à dix heures.",
            "Il y a une réunion jeudi à dix heures.",
        ),
        ("es", "¿Cómo está?", "Bien. Viene mi hija el jueves.", "Viene mi hija el jueves."),
        ("nl", "Hoe gaat het?", "Goed. Ze komt zondag.", "Ze komt zondag."),
        ("en", "How is the weather?", "Grand. She's visiting on Saturday.", "She's visiting on Saturday."),
    ],
)
def test_a_question_that_names_nobody_is_left_out(
    opened: Opened, language: str, asked: str, said: str, told: str
) -> None:
    (thread,) = opened(f"a: {asked}\nu: {said}", language)

    assert thread.text == f'"{told}"'


def test_a_person_is_meant_rather_than_the_sentence_before(opened: Opened) -> None:
    (thread,) = opened("u: I spoke to Dr Patel. My knee hurts. She'll call me on Thursday.\na: Right.")

    assert thread.text == '"I spoke to Dr Patel. She\'ll call me on Thursday."'


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("en", "And the knee?", "It's sore, but I see the physio on the seventh of December."),
        ("de", "Und das Knie?", "Zwickt noch, aber am siebten Dezember gehe ich zum Physio."),
        ("es", "¿Y la rodilla?", "Me molesta, pero el siete de diciembre voy al fisio."),
        ("fr", "Et le genou ?", "Il me gêne, mais le sept décembre je vais chez le kiné."),
        ("it", "Il ginocchio?", "Mi dà noia in discesa, ma il sette dicembre vado dal fisioterapista."),
        ("nl", "En de knie?", "Die zeurt nog, maar op zeven december ga ik naar de fysio."),
        ("pt", "E o joelho?", "Incomoda-me, mas no dia sete de dezembro vou ao fisioterapeuta."),
    ],
)
def test_what_is_asked_after_is_told_with_the_plan(
    opened: Opened, language: str, asked: str, said: str
) -> None:
    assert [one.text for one in opened(f"a: {asked}\nu: {said}\na: .", language)] == [f'"{asked}" – "{said}"']
