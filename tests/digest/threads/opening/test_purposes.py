"""An appointment whose own words name only a time is told with what it is for."""

from collections.abc import Callable

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]

PURPOSES = [
    ("en", "It's about the boiler, it's noisy again.", "Friday at ten?", "Yes please."),
    ("de", "Ich bräuchte einen Termin zum Blutabnehmen.", "Freitag um zehn?", "Ja, passt."),
    ("es", "Quería pedir cita para una limpieza.", "¿El viernes a las diez?", "Sí, perfecto."),
    ("fr", "C'est pour un passeport, pour mon fils.", "Vendredi à dix heures ?", "Oui, parfait."),
    ("it", "Vorrei prenotare una visita per gli occhi.", "Venerdì alle dieci?", "Sì, va bene."),
    ("pt", "Queria marcar para pôr o chip ao cão.", "Sexta às dez?", "Sim, pode ser."),
    ("nl", "Ik bel voor de griepprik.", "Vrijdag om tien uur?", "Ja, prima."),
]


@pytest.mark.parametrize(("language", "purpose", "offer", "yes"), PURPOSES)
def test_an_appointment_is_told_with_what_it_is_for(
    opened: Opened, language: str, purpose: str, offer: str, yes: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: {purpose}\na: {offer}\nu: {yes}", language=language)

    assert thread.text == f'"{purpose}" – "{offer}" – "{yes}"'


@pytest.mark.parametrize(("language", "purpose", "offer", "yes"), PURPOSES)
def test_it_rests_on_the_words_that_say_so(
    opened: Opened, language: str, purpose: str, offer: str, yes: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: {purpose}\na: {offer}\nu: {yes}", language=language)

    assert thread.positions == (1, 2, 3)


def test_what_is_asked_between_is_not_what_it_is_for(opened: Opened) -> None:
    said = "u: I'm ringing for the flu jab.\na: How old are you?\nu: Seventy-one.\na: Friday at two?\nu: Yes."
    (thread,) = opened(f"a: Hello.\n{said}")

    assert thread.text == '"I\'m ringing for the flu jab." – "Friday at two?" – "Yes."'


def test_no_other_day_is_told_with_it(opened: Opened) -> None:
    said = "u: It's about the blood test on Monday, I'm away.\na: Friday at eight?\nu: Yes, Friday at eight."
    (thread,) = opened(f"a: Hello.\n{said}")

    assert thread.text == '"It\'s about the blood test" – "Friday at eight?" – "Yes, Friday at eight."'


@pytest.mark.parametrize(
    "said",
    [
        "u: I'd like a haircut.\na: A haircut on Friday at ten?\nu: Yes.",
        "u: Please cancel the vaccination.\na: Done. Friday at ten for the other dog?\nu: Yes.",
        "u: I wanted another appointment.\na: Friday at ten?\nu: Yes.",
        "u: Rather in the afternoon.\na: Friday at four?\nu: Yes.",
        "u: Your estimate arrived, thank you.\na: Friday at ten?\nu: Yes.",
    ],
    ids=["offer says it", "called off", "nothing named", "only a time", "news"],
)
def test_what_says_nothing_more_is_not_told_with_it(opened: Opened, said: str) -> None:
    threads = opened(f"a: Hello.\n{said}")

    assert threads
    assert all(one.text.startswith(('"A haircut', '"Friday', '"Done')) for one in threads)


def test_an_offer_of_one_is_told_with_what_was_asked_for(opened: Opened) -> None:
    said = "u: Can I have the white router?\na: I can send you one, free of charge.\nu: Great."
    (thread,) = opened(f"a: Hello.\n{said}")

    told = '"Can I have the white router?" – "I can send you one, free of charge." – "Great."'
    assert (thread.text, thread.positions) == (told, (1, 2, 3))


@pytest.mark.parametrize(
    ("language", "led", "asked", "said"),
    [
        (
            "en",
            "They want a meter reading.",
            "You can send it until Friday.",
            "I'm back soon, I'll send it then.",
        ),
        (
            "fr",
            "On me réclame un relevé.",
            "Vous pouvez l'envoyer vendredi.",
            "Je vous l'enverrai à ce moment-là.",
        ),
    ],
)
def test_a_promise_of_it_is_told_with_what_it_is(
    opened: Opened, language: str, led: str, asked: str, said: str
) -> None:
    (thread,) = opened(f"u: {led}\na: {asked}\nu: {said}\na: .", language)

    assert thread.text == f'"{led}" – "{asked}" – "{said}"'


def test_what_is_over_is_told_whole_with_what_came_of_it(opened: Opened) -> None:
    said = "u: I picked my glasses up last week and they pinch.\na: Saturday, eleven o'clock?\nu: Great."

    assert [one.text for one in opened(said)] == [
        '"I picked my glasses up last week and they pinch." – "Saturday, eleven o\'clock?" – "Great."'
    ]
