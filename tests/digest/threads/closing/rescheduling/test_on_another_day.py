"""What the user says of a thing's day takes the place of the day that was told before."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
BERLIN = ZoneInfo("Europe/Berlin")
SUNDAY, FRIDAY, SATURDAY = date(2026, 11, 22), date(2026, 11, 20), date(2026, 11, 21)


def _told(call: Call, language: str, known: str, said: str) -> tuple[bool, list[date | None]]:
    """Tell whether what is known is closed, and return the days that are told instead."""
    before = EarlierThread(1, "plan", "user", f'"{known}"', SUNDAY)
    changes = thread_changes(call(f"a: Hello.\nu: {said}\na: Ah."), language, BERLIN, open_before=[before])
    return 1 in changes.closes, [one.due for one in changes.opened]


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        ("en", "We've got the school play on Sunday.", "I got it wrong, the play's on Saturday."),
        ("de", "Sonntag ist Schulaufführung.", "Ich hab mich vertan, die Aufführung ist am Samstag."),
        ("es", "El domingo es la función del cole.", "Me equivoqué, la función es el sábado."),
        ("fr", "Dimanche on a le spectacle.", "Je me suis trompé, le spectacle est samedi."),
        ("it", "Domenica abbiamo la recita.", "Mi sono sbagliato, la recita è sabato."),
        ("pt", "No domingo temos a festa da escola.", "Enganei-me, a festa é no sábado."),
        ("nl", "Zondag hebben we de schoolvoorstelling.", "Ik had het mis, de voorstelling is zaterdag."),
    ],
)
def test_a_day_that_was_told_wrong_is_put_right(call: Call, language: str, known: str, said: str) -> None:
    assert _told(call, language, known, said) == (True, [SATURDAY])


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        ("en", "My sister's coming on Sunday.", "My sister's coming on Saturday after all."),
        ("de", "Meine Schwester kommt am Sonntag.", "Meine Schwester kommt doch schon am Samstag."),
        ("es", "Mi hermana viene el domingo.", "Mi hermana al final viene el sábado."),
        ("fr", "Ma sœur vient dimanche.", "Ma sœur vient finalement samedi."),
        ("it", "Mia sorella viene domenica.", "Mia sorella alla fine viene sabato."),
        ("pt", "A minha irmã vem no domingo.", "A minha irmã afinal vem no sábado."),
        ("nl", "Mijn zus komt zondag.", "Mijn zus komt toch zaterdag al."),
    ],
)
def test_who_comes_on_another_day_after_all_comes_then(
    call: Call, language: str, known: str, said: str
) -> None:
    assert _told(call, language, known, said) == (True, [SATURDAY])


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        ("en", "I've got the dentist on Sunday at nine.", "The dentist is on Friday actually."),
        ("de", "Ich hab am Sonntag um neun den Zahnarzt.", "Der Zahnarzt ist doch schon am Freitag."),
        ("es", "Tengo el dentista el domingo a las nueve.", "El dentista es el viernes al final."),
        ("fr", "J'ai le dentiste dimanche à neuf heures.", "Le dentiste c'est finalement vendredi."),
        ("it", "Ho il dentista domenica alle nove.", "Il dentista alla fine è venerdì."),
        ("pt", "Tenho dentista domingo às nove.", "O dentista afinal é sexta."),
        ("nl", "Ik heb zondag om negen uur de tandarts.", "De tandarts is toch vrijdag al."),
    ],
)
def test_what_is_on_another_day_after_all_is_told_with_it(
    call: Call, language: str, known: str, said: str
) -> None:
    assert _told(call, language, known, said) == (True, [FRIDAY])


def test_who_moved_it_gives_the_old_day_up(call: Call) -> None:
    known, said = "I've got the dentist on Sunday at nine.", "I've moved the dentist to Monday at nine."
    assert _told(call, "en", known, said) == (True, [date(2026, 11, 23)])


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I've got the dentist on Sunday.", "I've got the dentist on Friday too."),
        ("I've got the dentist on Sunday.", "My daughter's dentist is on Friday."),
        ("I've got the dentist on Sunday.", "The other dentist is on Friday."),
        ("Anna's play is on Sunday.", "Tom's play is on Friday."),
        ("I've got the dentist on Sunday.", "His dentist is on Friday."),
        ("I've an exam on Sunday.", "The next exam is on Friday."),
        ("We've got the choir concert on Sunday.", "The choir is on Friday."),
        ("I'm seeing the dentist on Sunday.", "My tooth broke, so the dentist is on Friday."),
        ("My sister's coming on Sunday.", "My brother's coming on Friday after all."),
    ],
)
def test_another_one_takes_no_place(call: Call, known: str, said: str) -> None:
    assert not _told(call, "en", known, said)[0]


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        ("de", "Am Sonntag fahre ich zum Arzt.", "Der Augenarzt ist doch am Freitag."),
        ("en", "I've got the dentist on Sunday.", "What's today? Oh, today is Friday actually."),
        ("es", "Tengo el dentista el domingo.", "La paga no es hasta el viernes."),
        ("pt", "Tenho dentista domingo.", "Hoje é sexta, afinal."),
    ],
)
def test_what_is_no_day_of_it_takes_no_place(call: Call, language: str, known: str, said: str) -> None:
    assert not _told(call, language, known, said)[0]


@pytest.mark.parametrize(
    ("language", "before", "told"),
    [
        (
            "de",
            "Am Samstag kommt mein Sohn, der Wolfgang.",
            "Der Wolfgang kommt jetzt am dreizehnten Dezember.",
        ),
        ("en", "My son Wolfgang's coming on Saturday.", "He's now coming on the thirteenth of December."),
    ],
)
def test_who_now_comes_on_another_day_comes_no_more_on_the_first(
    call: Callable[[str], list[Message]], language: str, before: str, told: str
) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    plan = EarlierThread(1, "plan", "user", f'"{before}"', date(2026, 11, 21), said_on=date(2026, 11, 14))
    changes = thread_changes(call(f"a: So?\nu: {told}\na: –"), language, berlin, open_before=[plan])
    assert (changes.closes, [one.due for one in changes.opened]) == ((1,), [date(2026, 12, 13)])
