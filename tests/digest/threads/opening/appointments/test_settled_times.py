"""A day and hour with which the agent ends the search for a time stands."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
TOMORROW, TUESDAY = date(2026, 11, 18), date(2026, 11, 24)


@pytest.mark.parametrize(
    ("language", "time", "yes"),
    [
        ("de", "Dann Dienstag, der 24., um 16 Uhr.", "Machen wir."),
        ("en", "Then Tuesday the 24th at four.", "Fine."),
        ("es", "Entonces el martes 24 a las cuatro.", "Vale."),
        ("fr", "Alors mardi 24 à seize heures.", "D'accord."),
        ("it", "Allora martedì 24 alle quattro.", "Va bene."),
        ("nl", "Dan dinsdag de 24e om vier uur.", "Goed."),
        ("pt", "Então terça, dia 24, às quatro.", "Está bem."),
    ],
)
def test_a_time_that_the_caller_says_yes_to_stands(
    opened: Opened, language: str, time: str, yes: str
) -> None:
    (one,) = opened(f"a: {time}\nu: {yes}", language)
    assert (one.kind, one.due) == ("plan", TUESDAY)


@pytest.mark.parametrize(
    ("language", "time", "yes"),
    [
        ("de", "dann morgen zwischen zwei und vier", "super"),
        ("en", "then between two and four tomorrow", "great"),
        ("es", "entonces mañana entre las dos y las cuatro", "genial"),
        ("fr", "alors demain entre deux heures et quatre heures", "super"),
        ("it", "allora domani tra le due e le quattro", "ottimo"),
        ("nl", "dan morgen tussen twee en vier", "mooi"),
        ("pt", "então amanhã entre as duas e as quatro", "ótimo"),
    ],
)
def test_so_do_two_hours_between_which_somebody_comes(
    opened: Opened, language: str, time: str, yes: str
) -> None:
    (one,) = opened(f"a: {time}\nu: {yes}", language)
    assert one.due == TOMORROW


@pytest.mark.parametrize(
    ("language", "asked", "wish", "time"),
    [
        ("de", "Nächster Anruf am Dienstag um zehn?", "Lieber halb elf.", "Dienstag um halb elf."),
        ("en", "Next call on Tuesday at ten?", "Make it half past.", "Half past ten on Tuesday."),
        ("es", "¿Nos llamamos el martes a las diez?", "Mejor a y media.", "El martes a las diez y media."),
        ("fr", "Prochain appel mardi à dix heures ?", "Plutôt et demie.", "Mardi à dix heures et demie."),
        ("it", "Ci sentiamo martedì alle dieci?", "Facciamo e mezza.", "Martedì alle dieci e mezza."),
        ("nl", "Volgend gesprek dinsdag om tien uur?", "Doe maar half elf.", "Dinsdag om half elf."),
        ("pt", "Próxima chamada na terça às dez?", "Antes às dez e meia.", "Terça às dez e meia."),
    ],
)
def test_another_hour_stands_as_the_agent_says_it_in_full(
    opened: Opened, language: str, asked: str, wish: str, time: str
) -> None:
    (one,) = opened(f"a: {asked}\nu: {wish}\na: {time}", language)
    assert (one.due, time in one.text) == (TUESDAY, True)


@pytest.mark.parametrize(
    "lines",
    [
        "u: When's the market?\na: It's at ten on Friday.\nu: Hm.",
        "u: What time do you open?\na: Tomorrow at nine.\nu: Okay.",
        "a: The bus goes at ten tomorrow.\nu: Okay.",
        "a: We open at ten tomorrow.\nu: Great.",
        "a: Then tomorrow at ten.\nu: No, I'm at work.",
    ],
)
def test_a_time_of_something_else_is_no_appointment(opened: Opened, lines: str) -> None:
    assert opened(lines) == ()


def test_what_may_be_of_two_days_is_none(opened: Opened) -> None:
    assert opened("a: donnerstag der 26 um zehn\nu: ja passt", "de") == ()


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("de", "a: Dienstag um fünf.\nu: Fünf wird knapp, lieber halb sechs.\na: Halb sechs, okay."),
        ("en", "a: Tuesday at five.\nu: Five's tight, better half past five.\na: Half past five, okay."),
        ("es", "a: El martes a las cinco.\nu: A las cinco no llego, mejor a las seis.\na: A las seis, vale."),
        ("fr", "a: Mardi à cinq heures.\nu: Cinq heures c'est juste, plutôt six heures.\na: Six heures, ok."),
        ("it", "a: Martedì alle cinque.\nu: Alle cinque è stretto, meglio alle sei.\na: Alle sei, ok."),
        ("nl", "a: Dinsdag om vijf uur.\nu: Vijf uur is krap, liever half zes.\na: Half zes, oké."),
        ("pt", "a: Terça às cinco.\nu: Às cinco é apertado, antes às seis.\na: Às seis, ok."),
    ],
)
def test_the_callers_own_hour_is_of_the_day_that_was_offered(
    opened: Opened, language: str, lines: str
) -> None:
    (one,) = opened(lines, language)
    assert (one.due, lines.rpartition(": ")[2] in one.text) == (TUESDAY, True)


def test_of_two_days_it_is_of_the_one_that_is_free(opened: Opened) -> None:
    (one,) = opened(
        "a: Monday's full, Tuesday at half past eight.\n"
        "u: At half past eight I've got to take the kids to school, by nine.\na: Nine's fine."
    )
    assert one.due == TUESDAY


def test_an_hour_that_is_refused_is_none(opened: Opened) -> None:
    assert opened("a: Tuesday at five.\nu: I can't at five, only at six.\na: Six is taken, I'm afraid.") == ()


@pytest.mark.parametrize(
    ("language", "wish", "told", "yes"),
    [
        ("en", "Rather Thursday.", "Thursday between eight and ten, you'll be the first.", "Okay."),
        ("de", "Lieber Donnerstag.", "Donnerstag zwischen acht und zehn, dann sind Sie der Erste.", "Okay."),
        ("fr", "Plutôt jeudi.", "Jeudi entre huit et dix, vous serez le premier.", "D'accord."),
        ("es", "Mejor el jueves.", "El jueves entre las ocho y las diez, será el primero.", "Vale."),
        ("it", "Meglio giovedì.", "Giovedì tra le otto e le dieci, sarà il primo.", "Va bene."),
        ("nl", "Doe maar donderdag.", "Donderdag tussen acht en tien, dan bent u de eerste.", "Oké."),
        ("pt", "Antes na quinta.", "Quinta entre as oito e as dez, vai ser o primeiro.", "Está bem."),
    ],
)
def test_who_is_the_first_of_that_day_has_the_appointment_on_it(
    opened: Opened, language: str, wish: str, told: str, yes: str
) -> None:
    (plan,) = opened(f"a: .\nu: {wish}\na: {told}\nu: {yes}", language)

    assert (plan.kind, plan.due) == ("plan", date(2026, 11, 19))


def test_what_the_agent_notes_after_a_go_ahead_is_agreed_on(opened: Opened) -> None:
    found = opened("""
        a: I've only got that on Wednesday the sixteenth.
        u: Hang on, let me ask... yeah, nobody's screaming. Do that. Same time.
        a: Back room, Wednesday the sixteenth of December, seven o'clock. I've let the upstairs go.
        u: Thanks.
    """)

    assert [(one.kind, one.due) for one in found] == [("plan", date(2026, 12, 16))]
