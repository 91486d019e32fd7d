"""A later appointment takes the place of the one that it is instead of."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]


@pytest.mark.parametrize(
    ("language", "booked", "offer", "answer"),
    [
        ("en", "I've got an appointment on Friday but I've got to work.", "Monday at nine?", "Yes, perfect."),
        ("de", "Ich bin am Freitag eingetragen, aber da muss ich weg.", "Montag um neun?", "Ja, gut."),
        ("es", "Tengo cita el viernes pero trabajo.", "¿El lunes a las nueve?", "Sí, perfecto."),
        ("fr", "J'ai rendez-vous vendredi mais je travaille.", "Lundi à neuf heures ?", "Oui, très bien."),
        ("it", "Ho l'appuntamento venerdì ma devo spostarlo.", "Lunedì alle nove?", "Sì, benissimo."),
        ("nl", "Ik heb vrijdag een afspraak maar ik moet werken.", "Maandag om negen uur?", "Ja, prima."),
    ],
)
def test_an_appointment_that_one_cannot_keep_gives_way_to_the_next(
    opened: Opened, language: str, booked: str, offer: str, answer: str
) -> None:
    threads = opened(f"u: {booked}\na: {offer}\nu: {answer}", language)

    assert [one.due for one in threads] == [date(2026, 11, 23)]


@pytest.mark.parametrize(
    ("language", "booked", "offer"),
    [
        ("en", "I've got an appointment on Friday but I'd like one for my son.", "Monday at nine?"),
        ("en", "I'm booked in for Friday, but my husband needs a check-up.", "Monday at nine?"),
        ("es", "Tengo cita el viernes, pero mi hijo no tiene.", "¿El lunes a las nueve?"),
        ("it", "Ho un appuntamento venerdì, ma mio figlio no.", "Lunedì alle nove?"),
        ("pt", "Tenho consulta na sexta, mas o meu filho não.", "Segunda às nove?"),
    ],
)
def test_who_wants_one_for_another_keeps_the_first(
    opened: Opened, language: str, booked: str, offer: str
) -> None:
    threads = opened(f"u: {booked}\na: {offer}\nu: Ok.", language)

    assert [one.due for one in threads] == [date(2026, 11, 20), date(2026, 11, 23)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            (
                "a: I'll send the technician on Thursday.\n"
                "u: Oh no, on Thursday I've got the kids. Would Friday be possible?\n"
                "a: Friday morning, between eight and ten.\n"
                "u: Great."
            ),
        ),
        (
            "de",
            (
                "a: Ich schicke Ihnen den Techniker am Donnerstag.\n"
                "u: Ach nein, Donnerstag hab ich die Kinder. Geht Freitag?\n"
                "a: Freitag zwischen acht und zehn."
            ),
        ),
        (
            "fr",
            (
                "a: Je vous envoie le technicien jeudi matin.\n"
                "u: Ah non, jeudi je garde les petits. Vendredi, c'est possible ?\n"
                "a: Vendredi matin, entre huit et dix."
            ),
        ),
    ],
)
def test_a_promised_day_that_is_refused_gives_way_to_the_one_agreed_on(
    opened: Opened, language: str, text: str
) -> None:
    assert [thread.due for thread in opened(text, language)] == [date(2026, 11, 20)]


def test_a_moved_appointment_leaves_its_newest_value(opened: Opened) -> None:
    text = """
        a: How about Wednesday at nine?
        u: Wednesday is good.
        u: Oh no wait, can we move it to Friday?
        a: You're down for Friday at ten.
    """

    (thread,) = opened(text)

    assert (thread.text, thread.due) == ('"You\'re down for Friday at ten."', date(2026, 11, 20))


@pytest.mark.parametrize(
    ("language", "booked", "known", "wish", "offered", "taken"),
    [
        (
            "en",
            "I've got a table for Thursday at eight.",
            "Yes, for five.",
            "Could we do Friday?",
            "Friday at half past eight, is that all right?",
            "Perfect.",
        ),
        (
            "de",
            "Ich habe einen Tisch für Donnerstag um acht.",
            "Ja, für fünf.",
            "Ginge Freitag?",
            "Freitag um halb neun, passt das?",
            "Perfekt.",
        ),
        (
            "it",
            "Ho un tavolo per giovedì alle otto.",
            "Sì, per cinque.",
            "Possiamo fare venerdì?",
            "Venerdì alle otto e mezza, va bene?",
            "Va benissimo.",
        ),
        (
            "es",
            "Tengo una mesa para el jueves a las ocho.",
            "Sí, para cinco.",
            "¿Podría ser el viernes?",
            "El viernes a las ocho y media, ¿le va bien?",
            "Perfecto.",
        ),
    ],
)
def test_what_was_booked_gives_way_to_what_is_agreed_on(
    opened: Opened, language: str, booked: str, known: str, wish: str, offered: str, taken: str
) -> None:
    said = f"a: Hello.\nu: {booked}\na: {known}\nu: {wish}\na: {offered}\nu: {taken}"

    assert [one.due for one in opened(said, language)] == [date(2026, 11, 20)]


def test_who_wants_one_more_keeps_what_was_booked(opened: Opened) -> None:
    said = """
        u: I've got a table for Thursday at eight.
        a: Yes, for five.
        u: Could I have another one on Friday?
        a: Friday at half past eight, is that all right?
        u: Perfect.
    """
    assert [one.due for one in opened(said)] == [date(2026, 11, 19), date(2026, 11, 20)]


@pytest.mark.parametrize(
    ("language", "told", "asked", "taken"),
    [
        (
            "en",
            "The trial day is the fifth of January.",
            "The fifth I'm working, could we do the seventh?",
            "That's fine.",
        ),
        (
            "de",
            "Der Schnuppertag ist am fünften Januar.",
            "Am fünften arbeite ich, ginge der siebte?",
            "Das geht.",
        ),
        (
            "it",
            "Il giorno di prova è il cinque gennaio.",
            "Il cinque lavoro, si può fare il sette?",
            "Va bene.",
        ),
        (
            "pt",
            "O dia de prova é cinco de janeiro.",
            "No dia cinco trabalho, pode ser no dia sete?",
            "Pode ser.",
        ),
    ],
)
def test_a_day_asked_for_by_its_number_takes_the_place_of_the_one_told(
    opened: Opened, language: str, told: str, asked: str, taken: str
) -> None:
    threads = opened(f"a: {told}\nu: {asked}\na: {taken}", language)

    assert [one.due for one in threads] == [date(2027, 1, 7)]


def test_a_number_before_the_one_told_is_of_no_month_for_certain(opened: Opened) -> None:
    threads = opened("a: The trial day is the fifth of January.\nu: Could we do the second?\na: That's fine.")

    assert date(2027, 1, 5) not in {one.due for one in threads if "second" in one.text}


def test_a_second_day_stands_beside_the_first(opened: Opened) -> None:
    text = (
        "a: The trial day is the fifth of January.\nu: The fifth is good, and the seventh as well?\na: Fine."
    )

    assert date(2027, 1, 5) in {one.due for one in opened(text)}


@pytest.mark.parametrize(
    ("language", "talk"),
    [
        (
            "en",
            (
                "a: Would you like an appointment?\nu: Yes, on the ninth of December.\n"
                "a: The ninth of December at ten?\nu: Perfect."
            ),
        ),
        (
            "fr",
            (
                "a: Voulez-vous un rendez-vous ?\nu: Oui, le mercredi neuf décembre, le matin.\n"
                "a: Mercredi le neuf, à neuf heures et quart.\nu: Parfait."
            ),
        ),
    ],
)
def test_an_appointment_that_is_wished_for_and_made_is_told_once(
    opened: Opened, language: str, talk: str
) -> None:
    assert [one.due for one in opened(talk, language)] == [date(2026, 12, 9)]


@pytest.mark.parametrize(
    ("language", "told", "minded", "offered"),
    [
        ("en", "You're in on Friday at two.", "Oh no, that's no good.", "Would Monday at two be better?"),
        ("en", "You're in on Friday at two.", "That doesn't work for me any more.", "Monday at two?"),
        ("en", "You're in on Friday at two.", "I'd rather have Monday.", "Monday at two?"),
        ("de", "Sie sind am Freitag um zwei dran.", "Das passt mir nicht mehr.", "Am Montag um zwei?"),
        ("es", "Le toca el viernes a las dos.", "Ya no me va bien.", "¿El lunes a las dos?"),
        ("fr", "Vous êtes noté vendredi à deux heures.", "Ça ne me convient plus.", "Lundi à deux heures ?"),
        ("it", "È segnata venerdì alle due.", "Non mi va più bene.", "Lunedì alle due?"),
        ("nl", "U staat vrijdag om twee uur.", "Dat komt me niet meer uit.", "Maandag om twee uur?"),
        ("pt", "Está marcado na sexta às duas.", "Já não me dá jeito.", "Na segunda às duas?"),
    ],
)
def test_what_was_told_and_will_not_do_gives_way_to_the_other_day(
    opened: Opened, language: str, told: str, minded: str, offered: str
) -> None:
    (made,) = opened(f"u: Hm.\na: {told}\nu: {minded}\na: {offered}\nu: OK.", language)

    assert made.due == date(2026, 11, 23)


@pytest.mark.parametrize(
    "said",
    [
        "u: No, that's fine, and can I bring my mum on Monday?\na: Monday at two?\nu: Fine.",
        "u: Lovely, I'd like another one for Monday.\na: Monday at two?\nu: Fine.",
        "u: And my husband?\na: He's on Monday at two.\nu: Okay.",
    ],
)
def test_what_was_told_and_is_not_minded_stays_beside_another(opened: Opened, said: str) -> None:
    made = opened(f"u: When am I in?\na: You're in on Friday at two.\n{said}")

    assert [one.due for one in made] == [date(2026, 11, 20), date(2026, 11, 23)]


@pytest.mark.parametrize(
    ("language", "stated", "known", "asked", "offered", "taken", "moved"),
    [
        ("en", "I've got my eye test on Monday at ten.", "Yes, I see it.", "Could it be in the afternoon?",
         "I've got half past six.", "Half six, great.", "Then I'll change you to Monday at half past six."),
        ("de", "Ich hab am Montag um zehn den Sehtest.", "Ja, seh ich.", "Ginge es auch nachmittags?",
         "Halb sieben hätte ich.", "Halb sieben, super.", "Dann trag ich Sie auf Montag halb sieben um."),
        ("es", "Tengo la revisión el lunes a las diez.", "Sí, aquí lo veo.", "¿Puede ser por la tarde?",
         "Tengo a las seis y media.", "Seis y media, estupendo.",
         "Pues le cambio al lunes a las seis y media."),
        ("fr", "J'ai mon examen lundi à dix heures.", "Oui, je le vois.", "Ce serait possible l'après-midi ?",
         "J'ai dix-huit heures trente.", "Dix-huit heures trente, parfait.",
         "Je vous mets lundi à dix-huit heures trente."),
        ("it", "Ho la visita lunedì alle dieci.", "Sì, la vedo.", "Si può fare nel pomeriggio?",
         "Ho le sei e mezza.", "Sei e mezza, ottimo.", "Allora la sposto a lunedì alle sei e mezza."),
        ("nl", "Ik heb maandag om tien uur mijn oogmeting.", "Ja, ik zie het.", "Kan het ook 's middags?",
         "Ik heb half zeven.", "Half zeven, mooi.", "Dan zet ik u om naar maandag half zeven."),
        ("pt", "Tenho o exame na segunda às dez.", "Sim, estou a ver.", "Pode ser à tarde?",
         "Tenho às seis e meia.", "Seis e meia, ótimo.", "Então mudo para segunda às seis e meia."),
    ],
)  # fmt: skip
def test_another_hour_of_the_same_day_takes_the_place_of_the_one_that_is_known(
    opened: Opened, language: str, stated: str, known: str, asked: str, offered: str, taken: str, moved: str
) -> None:
    said = f"u: {stated}\na: {known}\nu: {asked}\na: {offered}\nu: {taken}\na: {moved}"
    (made,) = opened(said, language)

    assert (moved in made.text, made.due) == (True, date(2026, 11, 23))


def test_what_the_agent_does_not_know_of_stays_beside_another_hour(opened: Opened) -> None:
    made = opened(
        "u: On Monday at ten I've got the dentist. Could you come in the afternoon?\n"
        "a: I can do half past four.\nu: Half four, great."
    )

    assert any("dentist" in one.text for one in made)


@pytest.mark.parametrize(
    ("language", "lines", "due"),
    [
        (
            "en",
            (
                "u: I've two tickets for the fifth of December but my wife's broken her wrist.",
                "a: Sorry. Would you like to change the date?",
                "u: yes in january if there's anything, i don't know",
                "a: In the stalls I've the twenty-third, Saturday, row H.",
                "u: then the twenty-third's fine",
            ),
            date(2027, 1, 23),
        ),
        (
            "it",
            (
                "u: ho due biglietti per la traviata del cinque dicembre ma mia moglie s'è rotta il polso",
                "a: Mi dispiace. Vuole cambiare la data?",
                "u: sì a gennaio se c'è qualcosa non so il ventidue",
                "a: In platea ho il ventitré, sabato, fila H.",
                "u: allora ventitré va bene",
            ),
            date(2027, 1, 23),
        ),
    ],
)
def test_who_is_asked_to_change_the_date_and_does_gives_the_old_one_up(
    opened: Opened, language: str, lines: tuple[str, ...], due: date
) -> None:
    assert [one.due for one in opened("\n".join(("a: Hello.", *lines)), language)] == [due]


@pytest.mark.parametrize(
    "talk",
    [
        "u: I work Thursdays. Friday?\na: Friday first thing, half eight.\nu: Okay, I'll drop it off.",
        "u: Not Thursday. Friday?\na: Friday's fine.\nu: Okay.",
        "u: I work Thursdays.\na: Then Friday?\nu: Yes.",
    ],
)
def test_what_is_asked_for_another_day_in_the_end_is_of_that(opened: Opened, talk: str) -> None:
    (thread,) = opened(f"a: Garage.\nu: My clutch is slipping.\na: Can you bring it in on Thursday?\n{talk}")

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 20))


@pytest.mark.parametrize("yes", ["Okay. Can I come on Wednesday?", "I'll do that. Is Wednesday at ten free?"])
def test_what_is_granted_before_another_day_stays(opened: Opened, yes: str) -> None:
    found = opened(f"a: Can you send me the photos by Monday?\nu: {yes}\na: Wednesday at ten is fine.\nu: .")

    assert date(2026, 11, 23) in [one.due for one in found]
