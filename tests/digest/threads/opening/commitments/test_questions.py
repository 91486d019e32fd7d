"""An answer that is put off is still owed, and told with its question."""

from collections.abc import Callable

import pytest

from voice_server.context.sections.quotes import undated
from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "asked", "answered"),
    [
        ("en", "Which one was your first?", "Oh, that's a long story, I'll tell you next time."),
        ("en", "Shall we see her again?", "I don't know yet, can I tell you next time?"),
        ("en", "which day suits your mum", "i need to check with her i'll let you know next week"),
        ("de", "Möchten Sie mir von ihm erzählen?", "heute nicht das erzähl ich ihnen ein andermal"),
        ("es", "¿Qué tal duermes?", "eso te lo cuento el próximo día ahora tengo prisa"),
        ("fr", "Combien de personnes ?", "Je ne sais pas encore, je vous le dirai la prochaine fois."),
        ("it", "Quante persone?", "Una trentina, ma glielo confermo la settimana prossima."),
        ("pt", "Qual é o modelo da televisão?", "Agora não sei, digo-lhe da próxima vez."),
        ("pt", "o que vai cozinhar", "ah isso eu te conto depois é surpresa"),
        ("nl", "Hoe heet de straat?", "Dat weet ik nog niet, dat vertel ik u de volgende keer."),
    ],
)
def test_an_answer_put_off_is_promised_with_its_question(
    opened: Opened, language: str, asked: str, answered: str
) -> None:
    (thread,) = opened(f"a: {asked}\nu: {answered}\na: Okay.", language)

    assert (thread.kind, thread.said_by) == ("promise", "user")
    assert undated(thread.text) == f'"{asked}" – "{answered}"'


def test_a_question_put_off_stays_open(opened: Opened) -> None:
    (thread,) = opened("u: Do you have parking for bikes?\na: I'd have to ask the front desk.\nu: Okay, bye.")

    assert (thread.kind, thread.text) == ("question", '"Do you have parking for bikes?"')


def test_an_answer_put_off_is_not_told_with_a_greeting(opened: Opened) -> None:
    (thread,) = opened("a: How are you?\nu: Fine, I'll tell you tomorrow how the exam went.\na: Okay.")

    assert (thread.kind, undated(thread.text)) == (
        "promise",
        '"Fine, I\'ll tell you tomorrow how the exam went."',
    )


WONDERED = {
    "en": ("I was wondering whether we could have a bonfire.", "I'd have to ask the committee."),
    "de": ("Ich wollte fragen, ob wir grillen dürfen.", "Da muss ich nachfragen."),
    "es": ("Quería saber si podemos hacer una hoguera.", "Tendría que preguntar."),
    "fr": ("Je voulais savoir si on peut faire un feu.", "Il faudrait que je demande."),
    "it": ("Volevo sapere se possiamo fare un falò.", "Dovrei chiedere."),
    "nl": ("Ik wilde vragen of we een vuurtje mogen stoken.", "Dat moet ik navragen."),
    "pt": ("Queria saber se podemos fazer uma fogueira.", "Teria que perguntar."),
}


@pytest.mark.parametrize("language", WONDERED)
def test_what_somebody_wonders_is_put_off_like_a_question(opened: Opened, language: str) -> None:
    wondered, put_off = WONDERED[language]
    (thread,) = opened(f"u: {wondered}\na: {put_off}\nu: Okay.", language)

    assert (thread.kind, thread.text) == ("question", f'"{wondered}"')


def test_what_somebody_wonders_is_over_once_it_is_answered(opened: Opened) -> None:
    assert opened("u: I was wondering whether you do vouchers.\na: We do, yes.\nu: Great, bye.") == ()
