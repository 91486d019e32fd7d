"""What is asked for beside a secret is done; the secret is forgotten."""

from collections.abc import Callable

import pytest

from voice_server.digest.privacy import consent
from voice_server.domain.conversation import Message

Call = Callable[[str], list[Message]]


def _told(call: Call, lines: str) -> list[str]:
    messages = call(lines)
    return [one.content for one in consent.with_what_stays(messages, consent.kept(messages))]


@pytest.mark.parametrize(
    ("secret", "wish", "errand", "answer"),
    [
        (
            "I've been to the doctor, it's my heart.", "Please don't tell anyone.",
            "And remind me on Friday to ring the bank.", "I'll remind you on Friday.",
        ),
        (
            "Ich hab meinen Job verloren.", "Bitte sagen Sie es niemandem.",
            "Und erinnern Sie mich am Freitag an die Bank.", "Ich erinnere Sie am Freitag.",
        ),
        (
            "He ido al médico, es el corazón.", "No se lo diga a nadie.",
            "Y recuérdeme el viernes que llame al banco.", "El viernes se lo recuerdo.",
        ),
        (
            "Je suis allée chez le médecin, c'est le cœur.", "Ne le dites à personne.",
            "Et rappelez-moi vendredi d'appeler la banque.", "D'accord, vendredi.",
        ),
        (
            "Sono stata dal medico, è il cuore.", "Non lo dica a nessuno.",
            "E mi ricordi venerdì di chiamare la banca.", "Venerdì glielo ricordo.",
        ),
        (
            "Ik was bij de dokter, het is mijn hart.", "Vertel het aan niemand.",
            "En herinner me vrijdag aan de bank.", "Vrijdag herinner ik u.",
        ),
        (
            "Fui ao médico, é do coração.", "Não diga a ninguém.",
            "E lembre-me na sexta de ligar ao banco.", "Na sexta lembro.",
        ),
    ],
)  # fmt: skip
def test_a_reminder_behind_a_secret_is_kept(
    call: Call, secret: str, wish: str, errand: str, answer: str
) -> None:
    apart = f"a: Hallo.\nu: {secret}\na: Oh.\nu: {wish}\na: OK.\nu: {errand}\na: {answer}"
    together = f"a: Hallo.\nu: {secret}\na: Oh.\nu: {wish} {errand}\na: {answer}"

    assert _told(call, apart) == ["Hallo.", errand, answer]
    assert secret not in _told(call, together)


def test_a_booking_in_the_turn_of_the_secret_is_kept(call: Call) -> None:
    said = "I've lost my job. Please don't save that. Book me for Friday at three."
    assert _told(call, f"a: Hello.\nu: {said}\na: Friday at three, booked.") == [
        "Hello.",
        "Book me for Friday at three.",
        "Friday at three, booked.",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "u: Don't tell my husband. Book me for the clinic on Friday.\na: Friday, booked.",
        "u: Can I tell you something? Don't tell anyone.\na: Sure.\nu: Book me a test on Friday.\na: Done.",
        "u: My heart's bad. Don't tell anyone. Remind me to take my heart pills.\na: Heart pills, okay.",
        "u: I have cancer. Please forget that. Book me in with the oncologist on Friday.\na: Friday, booked.",
        "u: My marriage is over. Don't note that. Ring me on my lover's phone tonight.\na: Will do.",
    ],
)
def test_what_may_be_the_secret_goes_with_it(call: Call, lines: str) -> None:
    assert _told(call, f"a: Hello.\n{lines}") == ["Hello."]


@pytest.mark.parametrize(
    ("told", "code", "wish", "answer"),
    [
        (
            "It's 31 Mill Street",
            "the alarm's [PIN], oh damn, I shouldn't have said that.",
            "Forget the code.",
            "It's forgotten. We come by ten.",
        ),
        (
            "Das ist Mühlweg 31",
            "der Code ist [PIN].",
            "Vergessen Sie den Code.",
            "Schon vergessen. Bis zehn.",
        ),
        (
            "C'est 31 rue Haute",
            "l'alarme c'est [PIN], ah mince, ça fallait pas le dire.",
            "Oubliez le code.",
            "C'est oublié. On livre à dix heures.",
        ),
    ],
)
def test_who_wants_a_masked_code_forgotten_keeps_the_address(
    call: Call, told: str, code: str, wish: str, answer: str
) -> None:
    assert _told(call, f"a: Hallo.\nu: {told}, {code} {wish}\na: {answer}")[1].startswith(told)


@pytest.mark.parametrize(
    "said",
    [
        "My PIN is [PIN], that's my lover's birthday. I shouldn't have said that. Forget the PIN.",
        "My sister drinks. The alarm's [PIN]. Forget that. Forget the code.",
    ],
)
def test_what_a_code_is_made_of_is_told_no_more(call: Call, said: str) -> None:
    assert not [one for one in _told(call, f"a: Hello.\nu: {said}\na: Forgotten.") if "my" in one.lower()]
