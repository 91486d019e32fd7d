"""What the agent says is booked is ahead; a day that it only names is not."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "You're with Karin on Friday at ten."),
        ("de", "Sie sind am Freitag um zehn bei Karin."),
        ("fr", "Vous êtes avec Karine vendredi à dix heures."),
        ("es", "Está con Karina el viernes a las diez."),
        ("it", "È con Karin venerdì alle dieci."),
        ("nl", "U bent vrijdag om tien uur bij Karin."),
        ("pt", "Está com a Karina na sexta às dez."),
    ],
)
def test_an_appointment_that_the_agent_only_names_is_ahead(opened: Opened, language: str, said: str) -> None:
    (thread,) = opened(f"u: Hm.\na: {said}\nu: Okay.", language)

    assert (thread.kind, thread.text, thread.due) == ("plan", f'"{said}"', date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "asked", "told"),
    [
        ("en", "When's my appointment?", "That's Friday at ten."),
        ("de", "Wann ist mein Termin?", "Der ist am Freitag um zehn."),
        ("fr", "C'est quand, mon rendez-vous ?", "C'est vendredi à dix heures."),
        ("es", "¿Cuándo es mi cita?", "La tiene el viernes a las diez."),
        ("it", "Quand'è il mio appuntamento?", "È venerdì alle dieci."),
        ("nl", "Wanneer is mijn afspraak?", "Die is vrijdag om tien uur."),
        ("pt", "Quando é a minha consulta?", "É sexta às dez."),
    ],
)
def test_the_day_that_is_told_to_who_asks_for_it_is_ahead(
    opened: Opened, language: str, asked: str, told: str
) -> None:
    (thread,) = opened(f"u: {asked}\na: {told}\nu: Okay.", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "u: When was my last appointment?\na: That was Friday at ten.\nu: Okay."),
        ("en", "u: Who's in on Friday?\na: Karin's in on Friday.\nu: Okay."),
        ("de", "u: Habe ich einen Termin?\na: Sie haben am Freitag keinen Termin.\nu: Okay."),
        ("fr", "u: Il revient quand ?\na: Il revient vendredi.\nu: D'accord."),
        ("es", "u: ¿Estaba listo?\na: Estaba listo el viernes.\nu: Vale."),
        ("it", "u: Chi c'è venerdì?\na: Karin c'è venerdì.\nu: Va bene."),
        ("nl", "u: Bezorgt u?\na: We bezorgen altijd op vrijdag.\nu: Goed."),
        ("pt", "u: Quando é o mercado?\na: É na sexta às dez.\nu: Hm."),
    ],
)
def test_a_day_that_holds_nothing_for_the_caller_is_not_ahead(
    opened: Opened, language: str, text: str
) -> None:
    assert opened(text, language) == ()


def test_what_is_booked_without_a_time_is_told_with_what_was_wished(opened: Opened) -> None:
    text = "u: A table for four on Saturday at seven.\na: Under which name?\nu: Bloggs.\na: All booked."

    (thread,) = opened(text)

    assert thread.text == '"A table for four on Saturday at seven." – "All booked."'
    assert thread.due == date(2026, 11, 21)


@pytest.mark.parametrize(
    ("language", "asked", "answered"),
    [
        ("en", "Can you move Wednesday's check-up to Friday?", "Done, that's booked."),
        ("en", "Could you move my check-up on Wednesday to Friday?", "Done, that's booked."),
        ("de", "Können Sie die Untersuchung am Mittwoch auf Freitag verlegen?", "Ja, ist eingetragen."),
        ("fr", "On peut déplacer mon contrôle de mercredi à vendredi ?", "Oui, c'est noté."),
        ("es", "¿Puede cambiar la revisión del miércoles al viernes?", "Sí, queda anotado."),
    ],
)
def test_a_move_that_is_granted_is_due_on_its_new_day(
    opened: Opened, language: str, asked: str, answered: str
) -> None:
    (thread,) = opened(f"a: Hallo.\nu: {asked}\na: {answered}", language)

    assert thread.due == date(2026, 11, 20)


def test_an_hour_changed_keeps_the_day(opened: Opened) -> None:
    text = """
        a: I've put you down for Friday at ten.
        u: Can we move it to eleven?
        a: Eleven it is.
    """

    (thread,) = opened(text)

    assert thread.text == '"Can we move it to eleven?" – "Eleven it is."'
    assert thread.due == date(2026, 11, 20)


def test_a_farewell_until_a_weekday_is_no_appointment(opened: Opened) -> None:
    assert opened("u: I like the parrot.\na: Until Tuesday, then.\nu: Tuesday.") == ()


def test_a_time_that_the_agent_says_again_is_agreed_on(opened: Opened) -> None:
    text = """
        u: Friday at nine does not work, I have the builders in.
        a: Monday the 23rd, also at nine?
        u: I'd rather come at eleven.
        a: Monday the 23rd at eleven, all right.
    """

    assert date(2026, 11, 23) in {thread.due for thread in opened(text)}


def test_a_mere_number_is_no_appointment(opened: Opened) -> None:
    assert opened("u: Can we have the cabin by the lake?\na: Cabin 7 it is.") == ()


def test_what_stands_beside_what_is_off_is_still_ahead(opened: Opened) -> None:
    (thread,) = opened("u: Hello.\na: The haircut's off, and the massage is on Thursday at two now.")

    assert thread.due == date(2026, 11, 19)


def test_who_refuses_a_day_of_next_month_takes_the_next_one_offered(opened: Opened) -> None:
    (thread,) = opened(
        "a: I could do the eighth of next month at eight.\nu: I work nights. I'm in bed at eight.\n"
        "a: Okay, the tenth, at one?\nu: In the afternoon?\na: Yes.\nu: That'll do.\n"
        "a: The tenth at one, then. You're booked."
    )

    assert (thread.text, thread.due) == ('"The tenth at one, then. You\'re booked."', date(2026, 12, 10))


@pytest.mark.parametrize(
    ("language", "asked", "other", "fine", "concluded"),
    [
        ("en", "Could Dawn come on Friday?", "I could send Kevin.", "Fine.", "So Friday at nine."),
        (
            "de",
            "Könnte sie am Freitag kommen?",
            "Ich könnte Kevin schicken.",
            "Gut.",
            "Also Freitag um neun.",
        ),
        (
            "es",
            "¿Puede venir el viernes?",
            "Puedo mandar a Kevin.",
            "Bien.",
            "Entonces el viernes a las nueve.",
        ),
        (
            "fr",
            "Elle peut venir vendredi ?",
            "Je peux envoyer Kevin.",
            "Bien.",
            "Donc vendredi à neuf heures.",
        ),
        ("it", "Può venire venerdì?", "Posso mandare Kevin.", "Bene.", "Allora venerdì alle nove."),
        ("pt", "Ela pode vir na sexta?", "Posso mandar o Kevin.", "Bem.", "Então sexta às nove."),
        ("nl", "Kan ze vrijdag komen?", "Ik kan Kevin sturen.", "Goed.", "Dus vrijdag om negen uur."),
    ],
)
def test_with_what_the_agent_ends_the_search_is_agreed_on(
    opened: Opened, language: str, asked: str, other: str, fine: str, concluded: str
) -> None:
    (thread,) = opened(f"u: {asked}\na: {other}\nu: {fine}\na: {concluded}\nu: Okay.", language)

    assert concluded in thread.text
    assert thread.due == date(2026, 11, 20)


def test_what_is_told_of_a_day_ends_no_search(opened: Opened) -> None:
    text = (
        "u: Could I come on Friday?\na: We open at nine.\nu: Okay.\na: So Friday we open at nine.\nu: Thanks."
    )

    assert opened(text) == ()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "a: since when\nu: since monday several times a day\na: that's booked in"),
        ("de", "a: seit wann\nu: seit montag mehrmals am tag\na: ist notiert am markt 3"),
        ("es", "a: desde cuándo\nu: desde el lunes varias veces al día\na: apuntado calle mayor 3"),
        ("fr", "a: depuis quand\nu: depuis lundi plusieurs fois\na: c'est noté 3 avenue foch"),
    ],
)
def test_since_when_something_is_so_is_no_appointment(opened: Opened, language: str, said: str) -> None:
    assert opened(said, language) == ()


@pytest.mark.parametrize(
    ("language", "asked", "told"),
    [
        ("en", "When's the residents' meeting?", "It's on the fourteenth of December at seven."),
        ("de", "Wann ist die Versammlung?", "Am vierzehnten Dezember um sieben."),
        ("es", "¿Cuándo es la reunión?", "El catorce de diciembre a las siete."),
        ("fr", "Quand est la réunion ?", "Le quatorze décembre à sept heures."),
        ("it", "Quando è l'assemblea?", "Il quattordici dicembre alle sette."),
        ("pt", "a assembleia é quando", "É no dia catorze de dezembro às vinte e uma."),
        ("nl", "Wanneer is de vergadering?", "Op veertien december om zeven uur."),
    ],
)
def test_a_day_that_is_asked_for_and_told_is_kept(
    opened: Opened, language: str, asked: str, told: str
) -> None:
    (thread,) = opened(f"u: {asked}\na: {told}", language)

    assert (thread.kind, thread.text, thread.due) == ("plan", f'"{asked}" – "{told}"', date(2026, 12, 14))


@pytest.mark.parametrize("asked", ["When's the next train?", "When's the doctor in?"])
def test_a_train_or_opening_hours_are_no_appointment(opened: Opened, asked: str) -> None:
    assert opened(f"u: {asked}\na: On Friday at ten.") == ()


@pytest.mark.parametrize(
    ("language", "asked", "told"),
    [
        ("en", "Can my sister pick up the key?", "Yes, on Monday at nine."),
        ("de", "Kann meine Schwester den Schlüssel abholen?", "Ja, am Montag um neun."),
        ("fr", "Ma sœur peut récupérer la clé ?", "Oui, lundi à neuf heures."),
        ("nl", "Kan mijn zus de sleutel ophalen?", "Ja, maandag om negen uur."),
        ("en", "Can my sister have a spare key?", "She can pick it up on Monday."),
    ],
)
def test_a_day_on_which_somebody_may_come_is_kept(
    opened: Opened, language: str, asked: str, told: str
) -> None:
    (thread,) = opened(f"u: {asked}\na: {told}", language)

    assert (thread.text, thread.due) == (f'"{asked}" – "{told}"', date(2026, 11, 23))


@pytest.mark.parametrize(
    ("language", "asked", "meant", "told"),
    [
        ("en", "This Saturday?", "not this one the next", "All right, the 28th."),
        ("de", "Diesen Samstag?", "den nicht den nächsten", "Gut, am 28."),
        ("es", "¿Este sábado?", "este no el siguiente", "Vale, el 28."),
        ("fr", "Ce samedi ?", "pas celui-ci le suivant", "D'accord, le 28."),
        ("it", "Questo sabato?", "non questo il prossimo", "Va bene, il 28."),
        ("pt", "Este sábado?", "este não o seguinte", "Está bem, dia 28."),
        ("nl", "Deze zaterdag?", "niet deze de volgende", "Goed, de 28e."),
    ],
)
def test_not_this_one_but_the_next_is_told_by_its_number(
    opened: Opened, language: str, asked: str, meant: str, told: str
) -> None:
    (thread,) = opened(f"a: {asked}\nu: {meant}\na: {told}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 28))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "Hola, soy Simón Vidal, estoy apuntado desde septiembre."),
        ("fr", "Salut, c'est Simon Petit, je suis inscrit depuis septembre."),
        ("it", "Ciao, sono Simone Greco, sono iscritto da settembre."),
        ("it", "alla via nuova o alla vecchia mi sono trasferito a ottobre"),
        ("pt", "para a rua nova ou a antiga é que eu mudei em outubro"),
    ],
)
def test_what_is_so_since_a_day_past_is_booked_for_none(opened: Opened, language: str, text: str) -> None:
    assert opened(f"u: {text}\na: –", language) == ()


def test_what_is_booked_from_a_day_to_come_is(opened: Opened) -> None:
    (plan,) = opened("a: Queda apuntado desde el lunes 23 a las diez.\nu: Bien.", "es")

    assert plan.due == date(2026, 11, 23)


@pytest.mark.parametrize(
    ("language", "told", "noted"),
    [
        ("en", "I told you she was nine. Well, no, she turned ten in October.", "Noted, ten."),
        ("de", "Ich sagte, sie ist neun. Nein, sie ist im Oktober zehn geworden.", "Notiert, zehn."),
        ("nl", "Ik zei dat ze negen was. Nee, ze is in oktober tien geworden.", "Genoteerd, tien."),
        ("es", "Te dije que tenía nueve. Pues no, tiene diez, que los cumplió en octubre.", "Anotado, diez."),
        ("fr", "Je t'ai dit neuf ans. Non, elle en a dix, elle les a fêtés en octobre.", "Noté, dix."),
        ("it", "Ti ho detto nove anni. No, ne ha dieci, li ha compiuti a ottobre.", "Segnato, dieci."),
        ("pt", "Disse que tinha nove. Não, tem dez, que os fez em outubro.", "Anotado, dez."),
    ],
)
def test_what_is_noted_of_then_is_no_appointment(
    opened: Opened, language: str, told: str, noted: str
) -> None:
    assert opened(f"a: Ok.\nu: {told}\na: {noted}", language) == ()


@pytest.mark.parametrize(
    ("language", "wish", "noted"),
    [
        ("es", "La otra vez estuve enferma, quiero una cita el viernes.", "Anotado, a las diez."),
        ("it", "L'altra volta ero malata, vorrei un appuntamento venerdì.", "Segnato, alle dieci."),
        ("fr", "J'étais malade, je voudrais un rendez-vous vendredi.", "C'est noté, à dix heures."),
    ],
)
def test_a_wish_beside_what_is_past_is_booked(opened: Opened, language: str, wish: str, noted: str) -> None:
    assert [one.kind for one in opened(f"a: Ok.\nu: {wish}\na: {noted}", language)] == ["plan"]


@pytest.mark.parametrize(
    ("language", "asked", "said", "again"),
    [
        ("en", "Your reference?", "It's the 67 21 40. Wait, 67 12 40.", "67 12 40."),
        ("de", "Ihre Kundennummer?", "67 21 40. Nee, 67 12 40.", "67 12 40."),
        ("de", "Ihre Adresse?", "Am Deich 14, Quatsch, 41.", "Am Deich 41."),
        ("fr", "Votre numéro ?", "C'est le 67 21 40. Attendez, j'ai lu de travers. 67 12 40.", "67 12 40."),
        ("es", "¿Su número?", "Es el 67 21 40. No, perdón, el 67 12 40.", "67 12 40."),
        ("it", "Il suo numero?", "È il 67 21 40. Aspetti, ho letto male. 67 12 40.", "67 12 40."),
        ("nl", "Uw nummer?", "Het is 67 21 40. Nee, 67 12 40.", "67 12 40."),
        ("pt", "O seu número?", "É o 67 21 40. Não, o 67 12 40.", "67 12 40."),
    ],
)
def test_a_number_that_is_put_right_is_no_appointment(
    opened: Opened, language: str, asked: str, said: str, again: str
) -> None:
    assert opened(f"a: {asked}\nu: {said}\na: {again}\nu: .", language) == ()


def test_the_third_at_ten_is_an_appointment_all_the_same(opened: Opened) -> None:
    (thread,) = opened(
        "u: Haben Sie am 3. noch was?\na: Am 3.12. um 10 Uhr 30?\nu: Am 3.12. um 10 Uhr 30, ja.", "de"
    )

    assert thread.due == date(2026, 12, 3)


MOVED_TO = {
    "en": (
        "They've moved your test.",
        "Seriously? To when?",
        "Thursday the seventeenth of December, at two.",
    ),
    "de": (
        "Die haben deine Prüfung verschoben.",
        "Echt? Auf wann denn?",
        "Donnerstag, siebzehnter Dezember, um zwei.",
    ),
    "es": (
        "Te han cambiado el examen.",
        "¿En serio? ¿Para cuándo?",
        "El jueves diecisiete de diciembre, a las dos.",
    ),
    "fr": (
        "Ils ont déplacé ton examen.",
        "Ah bon ? À quand ?",
        "Jeudi dix-sept décembre, à quatorze heures.",
    ),
    "it": ("Ti hanno spostato l'esame.", "Davvero? A quando?", "Giovedì diciassette dicembre, alle due."),
    "nl": (
        "Ze hebben je examen verschoven.",
        "Echt? Naar wanneer?",
        "Donderdag zeventien december, om twee uur.",
    ),
    "pt": ("Mudaram o teu exame.", "A sério? Para quando?", "Quinta, dezassete de dezembro, às duas."),
}


@pytest.mark.parametrize("language", MOVED_TO)
def test_where_something_is_moved_to_is_told_with_what_it_is(opened: Opened, language: str) -> None:
    moved, asked, told = MOVED_TO[language]
    (thread,) = opened(f"a: {moved}\nu: {asked}\na: {told}\nu: .", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 12, 17))
    assert moved in thread.text
    assert told in thread.text


PUT_DOWN = {
    "en": ("Could Ella ride Biscuit on Saturday?", "I'll put her down for Biscuit, ten o'clock."),
    "de": ("Kann Ella am Samstag den Max reiten?", "Ich trag sie für den Max ein, zehn Uhr."),
    "es": ("¿Puede Ella montar a Pepe el sábado?", "La apunto con Pepe, a las diez."),
    "fr": ("Ella peut monter Max samedi ?", "Je la note pour Max, dix heures."),
    "it": ("Ella può montare Max sabato?", "La segno per Max, alle dieci."),
    "nl": ("Kan Ella zaterdag op Max rijden?", "Ik zet haar op Max, tien uur."),
    "pt": ("A Ella pode montar o Max no sábado?", "Ponho-a no Max, às dez."),
}


@pytest.mark.parametrize("language", PUT_DOWN)
def test_an_hour_one_is_put_down_for_is_of_the_day_that_was_asked_for(opened: Opened, language: str) -> None:
    asked, booked = PUT_DOWN[language]
    (thread,) = opened(f"a: Hello.\nu: {asked}\na: {booked}\nu: .", language)

    assert (thread.text, thread.due) == (f'"{asked}" – "{booked}"', date(2026, 11, 21))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I've got a cut and colour on Friday at eleven, I can't make it."),
        ("en", "ive got a massage on friday at eleven but i wont be able to come"),
        ("de", "Ich bin am Freitag um elf eingetragen, ich werde nicht kommen können."),
        ("fr", "Je suis inscrite vendredi à onze heures, je ne vais pas pouvoir venir."),
        ("es", "Estoy apuntada el viernes a las once y no podré ir."),
        ("it", "Sono segnata venerdì alle undici, non riuscirò a venire."),
        ("nl", "Ik sta vrijdag om elf uur ingepland, ik zal niet kunnen komen."),
        ("pt", "Estou marcada na sexta às onze, não vou poder ir."),
    ],
)
def test_what_the_caller_cannot_come_to_is_no_plan(opened: Opened, language: str, said: str) -> None:
    assert opened(f"a: Salon.\nu: {said}\na: –", language) == ()


@pytest.mark.parametrize(
    "said",
    [
        "I'm booked in on Friday at eleven and I have to bring my passport.",
        "I've got physio on Friday at eleven, I can't do the stairs yet.",
    ],
)
def test_who_has_to_or_cannot_do_something_else_still_comes(opened: Opened, said: str) -> None:
    (thread,) = opened(f"a: Salon.\nu: {said}\na: –")

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "said", "answer"),
    [
        ("en", "I'd like to cancel Tuesday at ten.", "All settled."),
        ("de", "Ich möchte Dienstag um zehn absagen.", "Ist notiert."),
        ("es", "Quiero anular el martes a las diez.", "Apuntado."),
        ("it", "Vorrei disdire martedì alle dieci.", "Segnato."),
        ("nl", "Ik kan dinsdag om tien uur niet.", "Staat genoteerd."),
        ("pt", "Queria cancelar terça às dez.", "Está marcado."),
    ],
)
def test_a_cancellation_that_is_noted_is_no_appointment(
    opened: Opened, language: str, said: str, answer: str
) -> None:
    assert opened(f"a: .\nu: {said}\na: {answer}\nu: .", language) == ()


def test_a_day_instead_that_is_booked_is_one(opened: Opened) -> None:
    (thread,) = opened("a: .\nu: I can't make Tuesday, could I come on Thursday at ten?\na: Booked.\nu: .")

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 26))


def test_a_wish_before_the_day_that_will_not_do_is_booked(opened: Opened) -> None:
    (thread,) = opened(
        "a: .\nu: I'd like Thursday at two, but I can't do Friday.\na: I've put you down.\nu: ."
    )

    assert thread.due == date(2026, 11, 19)


@pytest.mark.parametrize("answer", ["Booked, I'm afraid.", "Booked, sorry."])
def test_what_is_booked_by_others_is_no_appointment(opened: Opened, answer: str) -> None:
    assert opened(f"a: .\nu: Can I come on Tuesday at ten?\na: {answer}\nu: .") == ()


def test_who_has_it_in_their_diary_and_wants_no_word_books_nothing(opened: Opened) -> None:
    said = "You needn't text me the day before, I've got it in my diary."

    assert opened(f"a: .\nu: {said}\na: All right.\nu: .") == ()
