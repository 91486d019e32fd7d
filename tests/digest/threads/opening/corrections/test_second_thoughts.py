"""What a caller says later corrects what it is about: neither another matter nor the other party's words."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
WEDNESDAY, THURSDAY, MONDAY = date(2026, 11, 18), date(2026, 11, 19), date(2026, 11, 23)


@pytest.mark.parametrize(
    ("language", "agreed", "more"),
    [
        ("en", "a: Monday at six?\nu: Yes.", "Oh, and on Wednesday the plumber's coming."),
        ("de", "a: Passt Montag um sechs?\nu: Ja, passt.", "Ach, und am Mittwoch kommt der Klempner."),
        ("de", "a: Passt Montag um sechs?\nu: Ja, passt.", "ach ja am mittwoch kommt der klempner"),
        ("fr", "a: Lundi à six heures ?\nu: Oui, parfait.", "Ah, et mercredi le plombier vient."),
        ("fr", "u: Lundi je vais chez le dentiste.", "Ah oui, mercredi le plombier vient."),
        ("es", "a: ¿El lunes a las seis?\nu: Sí.", "Ah, y el miércoles viene el fontanero."),
        ("it", "a: Lunedì alle sei?\nu: Sì.", "Ah, e mercoledì viene l'idraulico."),
        ("pt", "a: Segunda às seis?\nu: Sim.", "Ah, e na quarta vem o canalizador."),
        ("nl", "a: Maandag om zes uur?\nu: Ja.", "oh ja woensdag komt de loodgieter"),
    ],
)
def test_what_is_added_of_another_day_leaves_the_appointment_its_own(
    opened: Opened, language: str, agreed: str, more: str
) -> None:
    threads = opened(f"{agreed}\na: Ok.\nu: {more}", language)

    assert [one.due for one in threads] == [MONDAY, WEDNESDAY]


@pytest.mark.parametrize(
    ("language", "agreed", "other"),
    [
        ("de", "a: Passt Montag um sechs?\nu: Ja, passt.", "Ach, doch lieber Mittwoch."),
        ("de", "a: Passt Montag um sechs?\nu: Ja, passt.", "Ach, am Mittwoch wäre besser."),
        ("fr", "a: Lundi à six heures ?\nu: Oui, parfait.", "Ah, mettez mercredi."),
        ("nl", "a: Maandag om zes uur?\nu: Ja.", "Oh, toch liever woensdag."),
    ],
)
def test_a_day_that_is_preferred_takes_the_others_place(
    opened: Opened, language: str, agreed: str, other: str
) -> None:
    (thread,) = opened(f"{agreed}\na: Ok.\nu: {other}", language)

    assert thread.due == WEDNESDAY


@pytest.mark.parametrize(
    ("language", "promised", "asked", "answer"),
    [
        ("en", "I'll send you the quote tomorrow.", "How many guests?", "twelve no make that fourteen"),
        (
            "en",
            "I'll ask Jess and send it tomorrow.",
            "How much would you like?",
            "fifty uh no make it forty",
        ),
        ("es", "Le mando el presupuesto mañana.", "¿Y qué día es la fiesta?", "el viernes no el sábado"),
        ("it", "Chiedo a Gina e la richiamo domani.", "Quanto vuole?", "cinquanta anzi no facciamo quaranta"),
        ("de", "Ich frage Jana und rufe Sie morgen zurück.", "Wie viel?", "fünfzig nein doch lieber vierzig"),
        (
            "fr",
            "Je vous envoie le devis demain.",
            "Combien d'invités ?",
            "douze non attendez plutôt quatorze",
        ),
        ("nl", "Ik stuur u morgen de offerte.", "Hoeveel gasten?", "twaalf nee wacht doe maar veertien"),
        ("pt", "Mando-lhe o orçamento amanhã.", "Quantos convidados?", "doze não espere ponha catorze"),
    ],
)
def test_an_answer_put_right_changes_no_promise_made_before(
    opened: Opened, language: str, promised: str, asked: str, answer: str
) -> None:
    threads = opened(f"a: {promised}\nu: ok\na: {asked}\nu: {answer}", language)

    promises = [(one.said_by, one.due, one.text) for one in threads if one.kind == "promise"]
    assert promises == [("agent", WEDNESDAY, f'"{promised}"')]


@pytest.mark.parametrize(
    ("language", "promised", "other", "agreed"),
    [
        ("en", "I'll send you the quote tomorrow.", "No wait, make it Thursday.", "Thursday it is."),
        ("de", "Ich rufe Sie morgen wegen des Angebots an.", "nein lieber Donnerstag", "Donnerstag, gut."),
        ("fr", "Je vous envoie le devis demain.", "non plutôt jeudi", "Jeudi, alors."),
        ("es", "Le llamo mañana por el presupuesto.", "no mejor el jueves", "El jueves, entonces."),
        ("it", "La richiamo domani per il preventivo.", "no meglio giovedì", "Giovedì allora."),
        ("pt", "Ligo-lhe amanhã por causa do orçamento.", "não melhor quinta", "Quinta, então."),
        ("nl", "Ik bel u morgen terug over de offerte.", "nee liever donderdag", "Donderdag dan."),
    ],
)
def test_a_promise_moved_is_told_in_the_words_of_who_agrees_to_it(
    opened: Opened, language: str, promised: str, other: str, agreed: str
) -> None:
    (thread,) = opened(f"a: {promised}\nu: {other}\na: {agreed}", language)

    assert (thread.kind, thread.said_by, thread.due) == ("promise", "agent", THURSDAY)
    assert thread.text == f'"{promised} … {agreed}"'


def test_another_day_that_is_only_asked_for_is_told_as_a_request(opened: Opened) -> None:
    (thread,) = opened("a: I'll send you the quote tomorrow.\nu: No wait, make it Thursday.\na: Okay.")

    assert (thread.kind, thread.said_by, thread.due) == ("request", "user", THURSDAY)
    assert thread.text == '"I\'ll send you the quote tomorrow." – "No wait, make it Thursday."'


@pytest.mark.parametrize(
    "question",
    ["Also, is it all right if I get a dog?", "Would it be okay to get a dog?", "May I get a dog?"],
)
def test_whether_something_is_all_right_is_a_question_of_its_own(opened: Opened, question: str) -> None:
    lift, dog = opened(
        "u: The lift makes a noise.\na: I'll report it to the lift company today.\n"
        f"u: Thank you. {question}\na: I'd have to ask the owner. I'll let you know by Friday."
    )

    assert (lift.due, dog.due) == (date(2026, 11, 17), date(2026, 11, 20))
    assert dog.text == f'"{question}" – "I\'ll let you know by Friday."'


@pytest.mark.parametrize(
    ("language", "agreed", "moved"),
    [
        (
            "en",
            "Does Monday at six work?",
            "Oh, and the wedding's been moved, it's on the seventh of March now.",
        ),
        ("de", "Passt Montag um sechs?", "Und die Hochzeit ist verschoben, die ist jetzt am siebten März."),
        ("es", "¿El lunes a las seis?", "Y la boda la han cambiado, ahora es el siete de marzo."),
        ("it", "Lunedì alle sei?", "E il matrimonio l'hanno spostato, adesso è il sette marzo."),
        ("fr", "Lundi à six heures ?", "Et le mariage a été déplacé, c'est le sept mars maintenant."),
        ("nl", "Past maandag om zes uur?", "En de bruiloft is verplaatst, die is nu op zeven maart."),
    ],
)
def test_another_thing_that_is_moved_leaves_what_was_agreed(
    opened: Opened, language: str, agreed: str, moved: str
) -> None:
    yes = {"en": "Yes", "de": "Ja", "es": "Sí", "it": "Sì", "fr": "Oui", "nl": "Ja"}[language]

    threads = opened(f"a: {agreed}\nu: {yes}.\na: Ok.\nu: {moved}", language)

    assert [one.due for one in threads] == [MONDAY, date(2027, 3, 7)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            (
                "u: Hello, I'd like a haircut.\na: Monday at six?\nu: Yes.\na: Great.\n"
                "u: The haircut would have to be Tuesday.\na: Tuesday it is."
            ),
        ),
        (
            "de",
            (
                "a: Passt Montag um sechs?\nu: Ja.\na: Gut.\n"
                "u: Können wir den Haarschnitt auf Dienstag verlegen?\na: Dienstag um sechs, gut."
            ),
        ),
        (
            "es",
            (
                "a: ¿El lunes a las seis?\nu: Sí.\na: Bien.\n"
                "u: ¿podemos cambiar el corte al martes?\na: El martes a las seis."
            ),
        ),
    ],
)
def test_what_was_spoken_of_before_or_is_asked_to_be_moved_is_what_was_agreed(
    opened: Opened, language: str, text: str
) -> None:
    (thread,) = opened(text, language)

    assert thread.due == date(2026, 11, 24)


def test_what_is_missing_beside_an_appointment_leaves_it(opened: Opened) -> None:
    (crown, *_) = opened(
        "a: Wie war's beim Zahnarzt?\nu: ich brauch eine krone am neunten dezember um acht soll ich"
        " wieder hin\na: Das trage ich ein.\nu: und mein bruder ist jetzt doch nicht da ich brauch ein hotel",
        "de",
    )

    assert crown.due == date(2026, 12, 9)


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        (
            "en",
            (
                "u: This afternoon's no good. Tomorrow morning is fine.\na: Tomorrow at nine then.\n"
                "u: Yes, let's do that. Can he have a painkiller?\n"
                "a: No, better not give him anything yourself."
            ),
            '"Tomorrow at nine then." – "Yes, let\'s do that."',
        ),
        (
            "nl",
            (
                "u: Vanmiddag lukt niet. Morgenochtend wel.\na: Morgen om negen uur dan.\n"
                "u: Ja, dat doen we. Mag hij nog een pijnstiller?\na: Nee, liever niet zelf iets geven."
            ),
            '"Morgen om negen uur dan." – "Ja, dat doen we."',
        ),
        (
            "de",
            (
                "u: Ich komme am Donnerstag vorbei.\na: Das geht auch. Brauchen Sie sonst noch etwas?\n"
                "u: Nein. Ach doch, ich vertrage das neue Mittel nicht."
            ),
            '"Ich komme am Donnerstag vorbei."',
        ),
    ],
)
def test_the_answer_to_another_question_is_no_part_of_an_agreement(
    opened: Opened, language: str, text: str, told: str
) -> None:
    assert [one.text for one in opened(text, language)] == [told]


@pytest.mark.parametrize("granted", ["", "\na: Eleven it is."])
def test_a_second_thought_behind_a_no_is_of_the_appointment(opened: Opened, granted: str) -> None:
    asked = "u: Can I book for Friday at ten?\na: Yes, Friday at ten. Do you need parking?"
    (thread,) = opened(f"{asked}\nu: No. Actually, make it eleven.{granted}")

    assert thread.text.endswith('make it eleven."')
    assert thread.due == date(2026, 11, 20)


@pytest.mark.parametrize(
    ("language", "promised", "asked", "answered"),
    [
        (
            "en",
            "i'll send it straight away",
            "thanks and nothing's changed for friday",
            "no friday the twentieth at eight",
        ),
        (
            "de",
            "ich schicke ihn ihnen gleich",
            "danke und am freitag hat sich nichts geändert",
            "nein freitag der zwanzigste um acht",
        ),
        (
            "es",
            "se lo envío ahora mismo",
            "gracias y para el viernes no ha cambiado nada",
            "no el viernes veinte a las ocho",
        ),
        (
            "fr",
            "je vous l'envoie tout de suite",
            "merci et pour vendredi rien n'a changé",
            "non vendredi vingt à huit heures",
        ),
        (
            "it",
            "glielo mando subito",
            "grazie e per venerdì non è cambiato niente",
            "no venerdì venti alle otto",
        ),
        (
            "nl",
            "ik stuur hem meteen",
            "dank u en voor vrijdag is er niets veranderd",
            "nee vrijdag de twintigste om acht uur",
        ),
        ("pt", "envio-lho já", "obrigado e para sexta não mudou nada", "não sexta dia vinte às oito"),
    ],
)
def test_a_no_to_what_is_asked_of_a_day_dates_no_promise(
    opened: Opened, language: str, promised: str, asked: str, answered: str
) -> None:
    threads = opened(f"a: hallo\nu: hallo\na: {promised}\nu: {asked}\na: {answered}\nu: ok", language)

    assert not [one for one in threads if one.kind == "promise" and one.due == date(2026, 11, 20)]


ASKED = {
    "en": ("I'm leaving at the end of December.", "What day are you moving out?"),
    "de": ("Ich ziehe Ende Dezember aus.", "An welchem Tag geben Sie die Wohnung zurück?"),
    "nl": ("Ik ga eind december weg.", "Op welke dag levert u de woning op?"),
    "es": ("Me voy a finales de diciembre.", "¿Qué día deja el piso?"),
    "fr": ("Je pars fin décembre.", "Quel jour quittez-vous l'appartement ?"),
    "it": ("Vado via a fine dicembre.", "Che giorno lascia l'appartamento?"),
    "pt": ("Vou-me embora no fim de dezembro.", "Que dia deixa a casa?"),
}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The twenty-ninth. Well, the thirtieth."),
        ("de", "Am neunundzwanzigsten. Na ja, am dreißigsten."),
        ("nl", "De negenentwintigste. Nou, de dertigste."),
        ("es", "El veintinueve. Bueno, el treinta, que el veintinueve trabajo."),
        ("fr", "Le vingt-neuf. Enfin, le trente."),
        ("it", "Il ventinove. Anzi, il trenta, il ventinove lavoro."),
        ("pt", "No dia vinte e nove. Bom, no dia trinta."),
    ],
)
def test_what_is_thought_better_of_at_once_is_not_due(opened: Opened, language: str, said: str) -> None:
    leaving, asked = ASKED[language]

    found = opened(f"a: –\nu: {leaving}\na: {asked}\nu: {said}\na: Ok.", language)

    assert date(2026, 12, 29) not in {one.due for one in found}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es", "El veintinueve. Bueno, hasta luego."),
        ("it", "Il ventinove. Beh, arrivederci."),
        ("fr", "Le vingt-neuf. Enfin, au revoir."),
    ],
)
def test_what_names_no_other_day_takes_none_back(opened: Opened, language: str, said: str) -> None:
    leaving, asked = ASKED[language]

    found = opened(f"a: –\nu: {leaving}\na: {asked}\nu: {said}\na: Ok.", language)

    assert date(2026, 12, 29) in {one.due for one in found}
