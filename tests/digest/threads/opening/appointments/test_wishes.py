"""A wish for an appointment is a plan once it is granted, and gives way to the one that is made."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
WISHES = {
    "en": (
        "I'd like a table for two, on Saturday the fifth.", "At eight?", "At eight.", "Done.",
        "Half past eight, is that possible?", "Yes, of course.", "For what time?",
        "Lovely, you're booked in.", "I'm sorry, we're closed.",
    ),
    "de": (
        "Kann ich für Samstag, den fünften, einen Tisch reservieren?", "Um acht?", "Um acht.", "Notiert.",
        "Halb neun, ginge das?", "Ja, natürlich.", "Um wie viel Uhr?", "Gut, ist eingetragen.",
        "Tut mir leid, da haben wir geschlossen.",
    ),
    "es": (
        "Quería una mesa para dos, el sábado cinco.", "¿A las ocho?", "A las ocho.", "Hecho.",
        "A las ocho y media, ¿puede ser?", "Sí, claro.", "¿A qué hora?", "Muy bien, queda reservada.",
        "Lo siento, ese día cerramos.",
    ),
    "fr": (
        "Est-ce que je peux réserver une table pour samedi cinq ?", "À huit heures ?", "À huit heures.",
        "C'est noté.", "Huit heures et demie, c'est possible ?", "Oui, bien sûr.", "À quelle heure ?",
        "Très bien, c'est réservé.", "Désolé, on est fermés.",
    ),
    "it": (
        "Avrebbe un appuntamento sabato cinque?", "Alle otto?", "Alle otto.", "Fatto.",
        "Alle otto e mezza, si può?", "Sì, certo.", "A che ora?", "Perfetto, è prenotato.",
        "Mi dispiace, siamo chiusi.",
    ),
    "nl": (
        "Kan ik een tafel reserveren voor zaterdag vijf december?", "Om acht uur?", "Om acht uur.",
        "Genoteerd.", "Half negen, kan dat?", "Ja hoor.", "Hoe laat?", "Mooi, staat genoteerd.",
        "Helaas, dan zijn we dicht.",
    ),
    "pt": (
        "Queria uma mesa para dois, no sábado dia cinco.", "Às oito?", "Às oito.", "Está feito.",
        "Às oito e meia, pode ser?", "Sim, claro.", "A que horas?", "Muito bem, está marcado.",
        "Lamento, estamos fechados.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "wish", "offer", "yes"),
    [
        ("en", "I wanted another appointment in three weeks.", "Tuesday the fifteenth at ten?", "Perfect."),
        ("de", "Ich wollte nochmal einen Termin in drei Wochen.", "Dienstag um zehn?", "Ja, passt."),
        (
            "fr",
            "Je voulais reprendre rendez-vous dans trois semaines.",
            "Mardi, toujours à dix heures ?",
            "Oui.",
        ),
        ("es", "Quería pedir cita para dentro de tres semanas.", "¿El martes a las diez?", "Perfecto."),
        ("it", "Volevo un altro appuntamento tra tre settimane.", "Martedì alle dieci?", "Perfetto."),
        ("nl", "Ik wilde een nieuwe afspraak over drie weken.", "Dinsdag om tien uur?", "Prima."),
        ("pt", "Queria marcar outra consulta daqui a três semanas.", "Terça às dez?", "Perfeito."),
    ],
)
def test_a_wish_for_an_appointment_gives_way_to_the_one_made(
    opened: Opened, language: str, wish: str, offer: str, yes: str
) -> None:
    (thread,) = opened(f"u: {wish}\na: {offer}\nu: {yes}", language=language)

    assert thread.text == f'"{offer}" – "{yes}"'


def test_an_appointment_elsewhere_stays_beside_the_one_made(opened: Opened) -> None:
    said = "u: My operation is in three weeks.\na: Thursday at ten?\nu: Perfect."

    assert len(opened(said)) == 2


@pytest.mark.parametrize("language", WISHES)
def test_a_wish_for_a_table_is_one_plan_once_its_hour_is_agreed(opened: Opened, language: str) -> None:
    wish, hour, again, done, other, yes, asked, booked, _ = WISHES[language]
    ways = [
        f"u: {wish}\na: {hour}\nu: {again}\na: {done}",
        f"u: {wish}\na: {hour}\nu: {other}\na: {yes}",
        f"u: {wish}\na: {asked}\nu: {again}\na: {booked}",
        f"u: {wish}\na: {yes}\nu: {again}",
    ]

    made = [opened(f"a: Hello.\n{way}", language) for way in ways]

    assert [[(one.kind, one.due) for one in threads] for threads in made] == (
        [[("plan", date(2026, 12, 5))]] * len(ways)
    )


@pytest.mark.parametrize("language", WISHES)
def test_a_wish_that_is_refused_is_no_plan(opened: Opened, language: str) -> None:
    wish, *_, closed = WISHES[language]

    assert opened(f"a: Hello.\nu: {wish}\na: {closed}\nu: Oh.", language) == ()


@pytest.mark.parametrize(
    "text",
    [
        "u: I want to cancel the table on Saturday the fifth.\na: Yes, of course.",
        "u: Do you have anything on Saturday the fifth?\na: Yes.\nu: I'll think about it.",
        "u: I have to be at the office at eight.\na: At eight?\nu: At eight.",
        "u: I'd like a table on Saturday the fifth.\na: One moment. Saturday is full, I'm afraid.",
        "u: I wanted an appointment on Friday and you forgot.\na: Yes, sorry about that.",
    ],
)
def test_what_is_called_off_asked_or_told_makes_no_appointment(opened: Opened, text: str) -> None:
    assert opened(f"a: Hello.\n{text}") == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: I'd like to book a table for Friday.\na: For how many?\nu: Four."),
        ("en", "u: can i book a table for two on friday\na: what time\nu: eight o'clock"),
        ("en", "u: I'd like to book a table for Friday at seven.\na: And your name please?\nu: Smith."),
        ("de", "u: kann ich für freitag einen tisch bestellen\na: für wie viele\nu: vier"),
        ("fr", "u: je peux réserver une table pour vendredi\na: pour combien\nu: quatre"),
        ("es", "u: ¿Puedo reservar una mesa para el viernes?\na: ¿Cuántos?\nu: Cuatro."),
        ("it", "u: Posso prenotare un tavolo per venerdì?\na: A che nome?\nu: Rossi."),
        ("pt", "u: Posso marcar uma mesa para sexta?\na: Para quantos?\nu: Quatro."),
        ("nl", "u: kan ik een tafel reserveren voor vrijdag\na: hoeveel personen\nu: vier"),
    ],
)
def test_a_wish_stands_whose_details_are_asked_for(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(said, language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "said", "refused"),
    [
        ("en", "u: I'd like to book a table for Friday.\na: For how many?\nu: Four.", "Sorry, we're full."),
        ("de", "u: Kann ich Freitag einen Tisch haben?\na: Für wie viele?\nu: Vier.", "Da ist leider voll."),
        ("fr", "u: Je peux réserver une table vendredi ?\na: Pour combien ?\nu: Quatre.", "C'est complet."),
        ("es", "u: ¿Puedo reservar una mesa el viernes?\na: ¿Cuántos?\nu: Cuatro.", "No queda nada."),
        ("it", "u: Posso prenotare un tavolo venerdì?\na: Per quanti?\nu: Quattro.", "Siamo al completo."),
        ("pt", "u: Posso marcar uma mesa na sexta?\na: Para quantos?\nu: Quatro.", "Não temos nada."),
        ("nl", "u: Kan ik vrijdag een tafel reserveren?\na: Hoeveel?\nu: Vier.", "Sorry, dan zitten we vol."),
    ],
)
def test_a_wish_that_is_refused_once_all_is_known_plans_nothing(
    opened: Opened, language: str, said: str, refused: str
) -> None:
    assert opened(f"{said}\na: {refused}\nu: Oh.", language) == ()
    assert opened(f"{said}\na: {refused}", language) == ()


@pytest.mark.parametrize("said", ["Perhaps four, I'm not sure.", "I'll ask my wife and ring you back."])
def test_a_wish_of_which_the_caller_is_not_sure_is_no_plan(opened: Opened, said: str) -> None:
    threads = opened(f"u: Can I book a table on Friday?\na: For how many?\nu: {said}")

    assert all(thread.kind != "plan" for thread in threads)


def test_a_wish_that_the_agent_has_to_ask_about_is_no_plan(opened: Opened) -> None:
    text = (
        "u: Can I book a table on Friday?\na: What's your name?\nu: Smith.\na: I'll ask and get back to you."
    )

    assert [thread.kind for thread in opened(text)] == ["promise"]


@pytest.mark.parametrize(
    ("language", "wish", "granted"),
    [
        ("en", "I'd like to book a table for four on Friday at seven.", "No problem at all."),
        ("en", "I'd like to book a table for four on Friday at seven.", "Not a problem."),
        ("de", "Ich möchte am Freitag um sieben einen Tisch für vier.", "Überhaupt kein Problem."),
        ("es", "Quisiera una mesa para cuatro el viernes a las siete.", "Sin ningún problema."),
        ("fr", "Je voudrais une table pour quatre vendredi à sept heures.", "Aucun problème."),
        ("it", "Vorrei un tavolo per quattro venerdì alle sette.", "Nessun problema."),
        ("pt", "Queria uma mesa para quatro na sexta às sete.", "Sem problema nenhum."),
        ("nl", "Ik wil graag vrijdag om zeven een tafel voor vier.", "Geen enkel probleem."),
    ],
)
def test_no_problem_at_all_grants_it(opened: Opened, language: str, wish: str, granted: str) -> None:
    (thread,) = opened(f"u: {wish}\na: {granted}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "wish", "answer"),
    [
        ("en", "I need an appointment on Wednesday at nine.", "Of course, I'll call you back by Friday."),
        ("de", "Ich brauche am Mittwoch um neun einen Termin.", "Natürlich, ich melde mich bis Freitag."),
        ("es", "Necesito una cita el miércoles a las nueve.", "Claro, le llamo antes del viernes."),
        (
            "fr",
            "J'ai besoin d'un rendez-vous mercredi à neuf heures.",
            "Bien sûr, je vous rappelle d'ici vendredi.",
        ),
        ("it", "Mi serve un appuntamento mercoledì alle nove.", "Certo, la richiamo entro venerdì."),
        ("nl", "Ik heb woensdag om negen een afspraak nodig.", "Natuurlijk, ik bel u voor vrijdag terug."),
        ("pt", "Preciso de uma consulta na quarta às nove.", "Claro, ligo-lhe até sexta-feira."),
    ],
)
def test_who_only_rings_back_grants_no_appointment(
    opened: Opened, language: str, wish: str, answer: str
) -> None:
    threads = opened(f"u: {wish}\na: {answer}", language)

    days = {(one.kind, one.due) for one in threads}
    assert ("promise", date(2026, 11, 20)) in days
    assert ("plan", date(2026, 11, 20)) not in days


@pytest.mark.parametrize(
    ("language", "wish", "asked", "hour", "booked"),
    [
        (
            "en",
            "Can I get a cab for the airport on Saturday?",
            "What time?",
            "Half past four.",
            "That's booked.",
        ),
        ("de", "Ich brauche am Samstag ein Taxi zum Flughafen.", "Wann?", "Um halb fünf.", "Ist gebucht."),
        ("es", "¿Puedo pedir un taxi para el sábado?", "¿A qué hora?", "A las cuatro y media.", "Reservado."),
        (
            "fr",
            "Je peux avoir un taxi pour samedi ?",
            "À quelle heure ?",
            "À quatre heures.",
            "C'est réservé.",
        ),
        ("nl", "Kan ik zaterdag een taxi krijgen?", "Hoe laat?", "Half vijf.", "Is geboekt."),
        ("pt", "Posso ter um táxi no sábado?", "A que horas?", "Às quatro e meia.", "Está marcado."),
    ],
    ids=["en", "de", "es", "fr", "nl", "pt"],
)
def test_a_taxi_that_is_booked_comes_on_the_day_it_was_wished_for(
    opened: Opened, language: str, wish: str, asked: str, hour: str, booked: str
) -> None:
    threads = opened(f"u: {wish}\na: {asked}\nu: {hour}\na: {booked}", language=language)

    assert [(one.kind, one.due) for one in threads] == [("plan", date(2026, 11, 21))]


HOUR_TOLD = {
    "de": (
        "Einen Tisch für Samstag, den 28., bitte.",
        "Um wie viel Uhr?",
        "So gegen sieben.",
        "Welcher Name?",
    ),
    "en": ("We'd like to come on Saturday the 28th.", "What time?", "Around seven.", "Great, and the name?"),
    "es": ("Una mesa para el sábado 28.", "¿A qué hora?", "Sobre las nueve.", "¿A nombre de quién?"),
    "fr": ("Une table pour samedi 28.", "À quelle heure ?", "Vers dix-neuf heures.", "À quel nom ?"),
    "it": ("Un tavolo per sabato 28.", "A che ora?", "Verso le otto.", "A che nome?"),
    "nl": ("Een tafel voor zaterdag 28 graag.", "Hoe laat?", "Rond zeven uur.", "Op welke naam?"),
    "pt": ("Uma mesa para sábado, dia 28.", "A que horas?", "Por volta das oito.", "Em que nome?"),
}


@pytest.mark.parametrize("language", HOUR_TOLD)
def test_a_wish_is_told_with_the_hour_that_was_asked_for(opened: Opened, language: str) -> None:
    wish, asked, hour, then = HOUR_TOLD[language]
    (thread,) = opened(f"a: .\nu: {wish}\na: {asked}\nu: {hour}\na: {then}\nu: Sander.", language)

    assert thread.due == date(2026, 11, 28)
    assert hour in thread.text


def test_a_number_of_people_is_no_hour(opened: Opened) -> None:
    (thread,) = opened("""
        u: A table for Saturday the 28th please.
        a: For how many?
        u: Seven.
        a: And the name?
        u: Lomax.
    """)

    assert "Seven" not in thread.text
