"""Who moves an appointment moves nothing else: no promise that shares its verb, no visit of another day."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
BERLIN = ZoneInfo("Europe/Berlin")

TODAY_OFF = {
    "en": "u: I can't make it today, I'm ill.\na: Shall we say Monday?\nu: Monday's fine.",
    "de": "u: Heute kann ich nicht, ich bin krank.\na: Sollen wir Montag sagen?\nu: Montag passt.",
    "es": "u: Hoy no puedo, estoy enfermo.\na: ¿Lo pasamos al lunes?\nu: El lunes sí.",
    "fr": "u: Aujourd'hui je ne peux pas, je suis malade.\na: On dit lundi ?\nu: Lundi, très bien.",
    "it": "u: Oggi non posso, sono malato.\na: Facciamo lunedì?\nu: Lunedì va bene.",
    "pt": "u: Hoje não posso, estou doente.\na: Passamos para segunda?\nu: Segunda está bem.",
    "nl": "u: Vandaag kan ik niet, ik ben ziek.\na: Zullen we maandag zeggen?\nu: Maandag is goed.",
}


def closes(call: Call, thread: EarlierThread, said: str, language: str) -> bool:
    return thread_changes(call(said), language, BERLIN, open_before=(thread,)).closes == (1,)


@pytest.mark.parametrize(
    ("language", "promised", "due", "said"),
    [
        (
            "es",
            "Te paso los precios por WhatsApp.",
            None,
            "u: ¿Podemos pasarlo al lunes?\na: De acuerdo, el lunes.",
        ),
        (
            "es",
            "Te paso los precios por WhatsApp.",
            None,
            "u: Esta tarde no puedo.\na: ¿Lo pasamos al lunes?\nu: El lunes sí, a la misma hora.\na: Vale.",
        ),
        (
            "en",
            "I'll move the money over next week.",
            date(2026, 11, 29),
            "u: I can't make it this afternoon.\na: Shall we move it to Monday?\nu: Monday's fine.",
        ),
        (
            "nl",
            "Ik zet de prijzen in een mail.",
            None,
            "u: Vanmiddag kan ik niet.\na: Zal ik u maandag erin zetten?\nu: Maandag ja, zelfde tijd.",
        ),
        (
            "pt",
            "Passo-lhe os preços amanhã.",
            None,
            "u: Podemos passá-la para segunda?\na: Segunda está bem.",
        ),
    ],
)
def test_a_promise_that_shares_the_verb_stays(
    call: Call, language: str, promised: str, due: date | None, said: str
) -> None:
    assert not closes(call, EarlierThread(1, "promise", "agent", f'"{promised}"', due), said, language)


@pytest.mark.parametrize(
    ("language", "promised", "said"),
    [
        ("en", "I'll send you the form.", "Monday's fine, and the form I filled it in already."),
        ("es", "Le mando el formulario.", "El lunes sí, y el formulario ya lo tengo aquí rellenado."),
    ],
)
def test_what_is_told_beside_the_new_day_counts(call: Call, language: str, promised: str, said: str) -> None:
    offer = {"en": "Shall we say Monday?", "es": "¿Le va bien el lunes?"}[language]

    assert closes(
        call, EarlierThread(1, "promise", "agent", f'"{promised}"'), f"a: {offer}\nu: {said}", language
    )


@pytest.mark.parametrize("language", TODAY_OFF)
def test_an_appointment_of_another_day_than_the_one_given_up_stays(call: Call, language: str) -> None:
    ahead = EarlierThread(1, "plan", "user", '"…?" – "…"', date(2026, 12, 3))
    today = EarlierThread(1, "plan", "user", '"…?" – "…"', date(2026, 11, 17))

    assert not closes(call, ahead, TODAY_OFF[language], language)
    assert closes(call, today, TODAY_OFF[language], language)


def test_a_visit_that_the_agent_promised_gives_way_to_the_new_day(call: Call) -> None:
    visit = EarlierThread(1, "promise", "agent", '"Der Techniker kommt am Freitag."', date(2026, 11, 20))
    said = "u: Da kann ich nicht.\na: Sollen wir Montag sagen?\nu: Montag passt."

    assert closes(call, visit, said, "de")


AGREED_ON = {
    "de": '"Freitag, der 27., um zehn." – "Gut."',
    "en": '"Friday the 27th at ten." – "Great."',
    "es": '"El viernes 27 a las diez." – "Vale."',
    "fr": '"Vendredi 27 à dix heures." – "Très bien."',
    "it": '"Venerdì 27 alle dieci." – "Va bene."',
    "nl": '"Vrijdag 27 om tien uur." – "Goed."',
    "pt": '"Sexta, dia 27, às dez." – "Está bem."',
}


def changed(call: Call, said: str, language: str = "en") -> tuple[tuple[int, ...], list[date | None]]:
    """What a call closes of an appointment on Friday the 27th, and the days of what it opens."""
    agreed = EarlierThread(1, "plan", "user", AGREED_ON[language], date(2026, 11, 27), "", date(2026, 11, 16))
    changes = thread_changes(call(said), language, BERLIN, open_before=(agreed,))
    return changes.closes, [one.due for one in changes.opened]


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("u: The Friday doesn't suit after all.\na: Saturday at ten?\nu: Saturday's fine.", "en"),
        ("u: Freitag passt doch nicht.\na: Samstag um zehn?\nu: Samstag passt.", "de"),
        ("u: El viernes al final no puedo.\na: ¿El sábado a las diez?\nu: El sábado bien.", "es"),
        ("u: Vendredi je ne peux pas.\na: Samedi à dix heures ?\nu: Samedi, c'est bien.", "fr"),
        ("u: Venerdì alla fine non posso.\na: Sabato alle dieci?\nu: Sabato va bene.", "it"),
        ("u: Vrijdag kan ik toch niet.\na: Zaterdag om tien uur?\nu: Zaterdag is goed.", "nl"),
        ("u: Sexta afinal não posso.\na: Sábado às dez?\nu: Sábado está bem.", "pt"),
    ],
)
def test_a_weekday_for_an_earlier_appointment_is_of_its_week(call: Call, said: str, language: str) -> None:
    assert changed(call, said, language) == ((1,), [date(2026, 11, 28)])


@pytest.mark.parametrize(
    "said",
    [
        "u: Is there anything sooner than the 27th?\na: Saturday at ten?\nu: Saturday's fine.",
        "u: Can we move Friday to this Saturday?\na: Saturday at ten.\nu: Great.",
    ],
)
def test_a_sooner_day_is_the_coming_one(call: Call, said: str) -> None:
    assert changed(call, said)[1] == [date(2026, 11, 21)]


def test_what_takes_no_appointments_place_is_of_no_week(call: Call) -> None:
    said = "u: Please cancel Friday.\na: Done.\nu: I'll be at my mum's on Saturday.\na: Lovely."
    assert changed(call, said)[1] == [date(2026, 11, 21)]


TODAYS = EarlierThread(1, "plan", "user", '"…?" – "…"', date(2026, 11, 17), "", date(2026, 11, 13))


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("u: I have to cancel Tuesday, I'm ill.\na: Thursday at ten?\nu: Thursday's fine.", "en"),
        ("u: Ich muss den Dienstag absagen.\na: Donnerstag um zehn?\nu: Donnerstag passt.", "de"),
        ("u: El martes al final no puedo.\na: ¿El jueves a las diez?\nu: El jueves bien.", "es"),
        ("u: Je dois annuler mardi.\na: Jeudi à dix heures ?\nu: Jeudi, c'est bien.", "fr"),
        ("u: Martedì alla fine non posso.\na: Giovedì alle dieci?\nu: Giovedì va bene.", "it"),
        ("u: Ik moet dinsdag afzeggen.\na: Donderdag om tien uur?\nu: Donderdag is goed.", "nl"),
        ("u: Terça afinal não posso.\na: Quinta às dez?\nu: Quinta está bem.", "pt"),
    ],
)
def test_a_weekday_for_todays_appointment_is_the_coming_one(call: Call, said: str, language: str) -> None:
    changes = thread_changes(call(said), language, BERLIN, open_before=(TODAYS,))

    assert changes.closes == (1,)
    assert [one.due for one in changes.opened] == [date(2026, 11, 19)]


def test_a_weekday_of_next_week_for_todays_appointment_is_of_next_week(call: Call) -> None:
    said = "u: I have to cancel Tuesday, I'm ill.\na: Thursday next week at ten?\nu: Great."
    changes = thread_changes(call(said), "en", BERLIN, open_before=(TODAYS,))

    assert [one.due for one in changes.opened] == [date(2026, 11, 26)]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: And another thing, Tuesday doesn't suit me after all.\na: Thursday at ten?\nu: Yes."),
        ("de", "u: Eine weitere Sache, Dienstag passt mir doch schlecht.\na: Donnerstag um zehn?\nu: Ja."),
        ("es", "u: Y otra cosa, el martes al final me va mal.\na: ¿El jueves a las diez?\nu: Sí."),
        ("fr", "u: Autre chose, mardi ça ne m'arrange pas.\na: Jeudi à dix heures ?\nu: Oui."),
        ("it", "u: Un'altra cosa, martedì alla fine mi viene male.\na: Giovedì alle dieci?\nu: Sì."),
        ("nl", "u: Een andere vraag, dinsdag komt me toch slecht uit.\na: Donderdag om tien uur?\nu: Ja."),
        ("pt", "u: E outra coisa, terça afinal não me dá jeito.\na: Quinta às dez?\nu: Sim."),
    ],
)
def test_a_day_that_does_not_suit_gives_way_though_it_is_another_matter(
    call: Call, language: str, said: str
) -> None:
    assert closes(call, TODAYS, said, language)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "u: And another thing, my son needs a check-up.\na: Thursday at ten?\nu: Yes."),
        ("es", "u: Y otra cosa, mi hijo necesita una revisión.\na: ¿El jueves a las diez?\nu: Sí."),
        ("it", "u: Un'altra cosa, mio figlio ha mal di denti.\na: Giovedì alle dieci?\nu: Sì."),
        ("en", "u: Friday doesn't suit me.\na: Then we'll leave it."),
        ("es", "u: El viernes me va mal.\na: Pues nada."),
    ],
)
def test_another_matter_or_another_day_moves_nothing(call: Call, language: str, said: str) -> None:
    assert not closes(call, TODAYS, said, language)


WEDDINGS = {
    "en": ("When's the wedding?", "The fifth of December, it's my sister's."),
    "de": ("Wann ist die Hochzeit?", "Am fünften Dezember, es ist die von meiner Schwester."),
    "nl": ("Wanneer is de bruiloft?", "Op vijf december, het is die van mijn zus."),
    "es": ("¿Cuándo es la boda?", "El cinco de diciembre, es de mi hermana."),
    "fr": ("C'est quand, le mariage ?", "Le cinq décembre, c'est celui de ma sœur."),
    "it": ("Quando è il matrimonio?", "Il cinque dicembre, è di mia sorella."),
    "pt": ("Quando é o casamento?", "No dia cinco de dezembro, é da minha irmã."),
}


def wedding(language: str) -> EarlierThread:
    asked, told = WEDDINGS[language]
    return EarlierThread(1, "plan", "user", f'"{told}"', date(2026, 12, 5), around=asked)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The wedding isn't on the fifth any more, it's on the twelfth."),
        ("de", "Die Hochzeit ist nicht mehr am fünften, sondern am zwölften."),
        ("nl", "De bruiloft is niet meer op de vijfde maar op de twaalfde."),
        ("es", "La boda ya no es el cinco, es el doce."),
        ("fr", "Le mariage n'est plus le cinq, c'est le douze."),
        ("it", "Il matrimonio non è più il cinque, è il dodici."),
        ("pt", "O casamento já não é a cinco, é a doze."),
    ],
)
def test_the_number_of_its_day_names_what_led_to_it(call: Call, language: str, said: str) -> None:
    assert closes(call, wedding(language), f"u: {said}", language)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The rehearsal isn't on the third any more, it's on the fourth."),
        ("de", "Die Probe ist nicht mehr am dritten, sondern am vierten."),
        ("nl", "De repetitie is niet meer op de derde maar op de vierde."),
        ("es", "La cena ya no es el tres, es el cuatro."),
        ("fr", "Le dîner n'est plus le trois, c'est le quatre."),
        ("it", "La cena non è più il tre, è il quattro."),
        ("pt", "O jantar já não é a três, é a quatro."),
    ],
)
def test_the_number_of_another_day_leaves_it(call: Call, language: str, said: str) -> None:
    assert not closes(call, wedding(language), f"u: {said}", language)


RIDE = EarlierThread(
    1, "plan", "user", '"I need picking up for the eye clinic on the thirtieth."', date(2026, 11, 30)
)
MOVED_BY_OTHERS = {
    "en": "u: The hospital's rung, they've moved it to the ninth of December.\na: Same time?\nu: Yes.",
    "de": "u: Die Klinik hat mich auf den neunten Dezember gelegt.\na: Ach so.\nu: Ja.",
    "es": "u: El hospital me lo ha puesto para el nueve de diciembre.\na: Vaya.\nu: Ya.",
    "fr": "u: L'hôpital m'a mis au neuf décembre.\na: Ah bon.\nu: Eh oui.",
    "it": "u: L'ospedale me l'ha messo al nove dicembre.\na: Ah.\nu: Già.",
    "pt": "u: O hospital passou-me, passaram-me para o dia nove de dezembro.\na: Ah.\nu: Pois.",
    "nl": "u: Het ziekenhuis heeft me op negen december gezet.\na: Ach.\nu: Ja.",
}


@pytest.mark.parametrize("language", MOVED_BY_OTHERS)
def test_others_move_the_one_plan_ahead(call: Call, language: str) -> None:
    assert closes(call, RIDE, f"a: Hm.\n{MOVED_BY_OTHERS[language]}", language)


@pytest.mark.parametrize(
    "said",
    [
        "u: theyve moved it to the ninth of december",
        "u: the hospitals changed it to the ninth of december\na: Same time?\nu: yes",
        "u: They've put me back to the ninth of December.\na: Oh dear.",
        "u: I've been moved to the ninth of December.\na: Oh dear.",
        "u: It's been put off till the ninth of December.\na: Oh dear.",
        "u: It's the ninth of December now.\na: Noted.",
    ],
)
def test_who_moves_it_names_nothing_else(call: Call, said: str) -> None:
    assert closes(call, RIDE, f"a: Hello.\n{said}", "en")


@pytest.mark.parametrize(
    "said",
    [
        "u: They've moved the concert to the ninth of December.\na: Oh right.",
        "u: My sister's wedding, they've moved it to the ninth of December.\na: Oh right.",
        "u: The school's rung, they've moved it to the ninth of December.\na: Goodness.",
        "u: Have they moved it to the ninth of December?\na: No.",
    ],
)
def test_what_others_move_may_be_something_else(call: Call, said: str) -> None:
    assert not closes(call, RIDE, f"a: Hello.\n{said}", "en")


def test_the_callers_name_is_no_matter_of_an_appointment(call: Call) -> None:
    hour = EarlierThread(2, "plan", "agent", "\"That's booked, Mr Achebe, we'll come at ten.\"")
    said = "a: Hello.\nu: its mr achebe again theyve moved it to the ninth of december\na: Same time?\nu: yes"
    changes = thread_changes(
        call(said), "en", BERLIN, open_before=(RIDE, hour), names=frozenset(("mr", "achebe"))
    )

    assert changes.closes == (1,)


CLEANING = EarlierThread(
    1,
    "plan",
    "user",
    '"I need a cleaning." – "Thursday the twenty-sixth at ten?" – "Yes."',
    date(2026, 11, 26),
    said_on=date(2026, 11, 12),
)
THAT_WEEK = {
    "en": "u: Something came up. Is there anything on the Tuesday of that same week?\na: Tuesday at eleven.\n"
    "u: Great, thanks.",
    "de": "u: Mir ist da was dazwischengekommen. Ginge in derselben Woche auch der Dienstag?\n"
    "a: Klar, Dienstag um elf.\nu: Super, danke.",
    "es": "u: Soy Marta otra vez, me ha salido un viaje. ¿Podría ser el martes de esa misma semana?\n"
    "a: Claro, el martes a las once.\nu: Vale, gracias.",
    "fr": "u: J'ai un empêchement. Vous auriez le mardi de cette semaine-là ?\na: Oui, mardi à onze heures.\n"
    "u: Merci.",
    "it": "u: Mi è uscito un impegno. Avete martedì di quella settimana lì?\na: Martedì alle undici.\n"
    "u: Benissimo, grazie.",
    "pt": "u: Surgiu-me um imprevisto. Pode ser na terça dessa mesma semana?\na: Pode, terça às onze.\n"
    "u: Ótimo, obrigado.",
    "nl": "u: Er is iets tussengekomen. Kan het op dinsdag in diezelfde week?\na: Ja, dinsdag om elf uur.\n"
    "u: Top, bedankt.",
}


def moved(call: Call, said: str, language: str = "en") -> tuple[tuple[int, ...], list[date | None]]:
    """What is closed of a cleaning on the 26th, and when what is opened is, of a call of the 14th."""
    changes = thread_changes(call(f"a: Hello.\n{said}"), language, BERLIN, open_before=(CLEANING,))
    return changes.closes, [one.due for one in changes.opened]


@pytest.mark.parametrize("language", THAT_WEEK)
def test_that_same_week_is_the_week_of_the_appointment(call: Call, language: str) -> None:
    assert moved(call, THAT_WEEK[language], language) == ((1,), [date(2026, 11, 24)])


def test_more_in_that_week_leaves_the_appointment(call: Call) -> None:
    said = "u: I'd also like to book my daughter in that same week.\na: Tuesday at eleven.\nu: Great, thanks."

    assert moved(call, said) == ((), [date(2026, 11, 24)])


@pytest.mark.parametrize(
    "said",
    [
        "u: I'm away that week, could we do Tuesday?\na: Tuesday at eleven.\nu: Great, thanks.",
        "u: Mum's here from the seventh of December, anything the Tuesday of that week?\na: At two.\nu: Yes.",
    ],
)
def test_that_week_may_be_given_up_or_another(call: Call, said: str) -> None:
    assert date(2026, 11, 24) not in moved(call, said)[1]


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        ("en", "My operation's on the 15th of December.", "The operation's gone back to the seventeenth."),
        (
            "de",
            "Ich werde am 15. Dezember am Auge operiert.",
            "Das mit dem Auge rutscht auf den siebzehnten.",
        ),
        ("es", "Me operan del ojo el 15 de diciembre.", "Y lo del ojo pasa al diecisiete."),
        ("fr", "On m'opère de l'œil le 15 décembre.", "L'opération passe au dix-sept."),
        ("it", "Mi fanno l'operazione il 15 dicembre.", "L'operazione passa al diciassette."),
        ("pt", "A operação é a 15 de dezembro.", "A operação passa para dezassete."),
        ("nl", "Mijn oog wordt 15 december gedaan.", "Dat van mijn oog gaat naar de zeventiende."),
    ],
)
def test_what_passes_to_another_day_is_moved(call: Call, language: str, known: str, said: str) -> None:
    thread = EarlierThread(1, "plan", "user", f'"{known}"', date(2026, 12, 15), known)

    assert closes(call, thread, f"u: {said}\na: –", language)


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        ("en", "My mother's operation is on the 26th.", "My mother's going to Sunday mass again."),
        ("en", "Thursday the 26th with Dr Brown.", "Dr Brown has gone back to Friday mornings only."),
        ("en", "My sister's coming on the 26th.", "My sister's going to the Friday market."),
        ("nl", "Mijn dochter moet de 26e naar de tandarts.", "Mijn dochter gaat naar de derde."),
        ("it", "Il corriere viene il 26.", "Il corriere passa al 12 di via Roma."),
        ("it", "Il corso di yoga è il 26.", "Il corso di yoga passa a 45 minuti."),
        ("de", "Die Tour ist am 26.", "Die Tour geht auf den zweiten Gipfel."),
    ],
)
def test_what_goes_somewhere_is_not_moved(call: Call, language: str, known: str, said: str) -> None:
    thread = EarlierThread(1, "plan", "user", f'"{known}"', date(2026, 11, 26), known)

    assert not closes(call, thread, f"u: {said}\na: –", language)


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        ("en", "Your check-up is on the 26th.", "Your check-up has slipped to Friday next week."),
        ("en", "Your check-up is on the 26th.", "Your check-up has gone back to Friday morning."),
        ("de", "Ihre Kontrolle ist am 26.", "Ihre Kontrolle rutscht auf Freitag früh."),
        ("es", "Su cita es el 26.", "Su cita pasa al viernes a las diez."),
        ("it", "La visita è il 26.", "La visita passa a venerdì mattina."),
    ],
)
def test_a_day_it_passes_to_may_say_more(call: Call, language: str, known: str, said: str) -> None:
    thread = EarlierThread(1, "plan", "agent", f'"{known}"', date(2026, 11, 26), known)

    assert closes(call, thread, f"a: {said}\nu: –", language)


def test_a_number_alone_is_of_the_appointments_month(call: Call) -> None:
    thread = EarlierThread(
        1, "plan", "user", '"Saturday the 9th of January." – "At half past seven?"', date(2027, 1, 9)
    )
    said = "u: Could we switch to the matinee, same day?\na: Two thirty on the 9th.\nu: Marvellous."
    changes = thread_changes(call(said), "en", BERLIN, open_before=(thread,))

    assert (changes.closes, [one.due for one in changes.opened]) == ((1,), [date(2027, 1, 9)])


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        (
            "en",
            "Your check-up is on the 20th of January at ten.",
            "u: Can you do my nails next week?\na: I've three o'clock on the 20th.\nu: Great, I'll take it.",
        ),
        (
            "de",
            "Ihre Kontrolle ist am 20. Januar um zehn.",
            "a: Der Klempner kann am 20. um neun kommen.\nu: Ja, passt.",
        ),
        (
            "es",
            "La revisión es el 20 de enero a las diez.",
            "a: ¿El fontanero el 20 a las nueve?\nu: Sí, perfecto.",
        ),
    ],
)
def test_another_appointment_on_a_day_of_its_number_leaves_it(
    call: Call, language: str, known: str, said: str
) -> None:
    thread = EarlierThread(1, "plan", "agent", f'"{known}"', date(2027, 1, 20), known)
    changes = thread_changes(call(said), language, BERLIN, open_before=(thread,))

    assert (changes.closes, [one.due for one in changes.opened]) == ((), [date(2026, 11, 20)])


def test_what_the_agent_says_was_moved_is_the_one_there_is(call: Call) -> None:
    thread = EarlierThread(
        1, "plan", "user", '"We need a van for the fourteenth of December."', date(2026, 12, 14)
    )
    said = (
        "u: Can we do the monday after?\na: The 21st? Yes, that's free. Same time?\nu: great\n"
        "a: Right, moved to Monday the 21st of December."
    )
    changes = thread_changes(call(said), "en", BERLIN, open_before=(thread,))

    assert changes.closes == (1,)
    assert [one.due for one in changes.opened] == [date(2026, 12, 21)]


DUNCAN = [
    ("en", "Duncan arrives on the 20th of December.", "Any news?", "He's only coming on the 23rd after all."),
    ("de", "Mein Enkel kommt am 20. Dezember.", "Was Neues?", "Er kommt doch erst am 23., sie brauchen ihn."),
    ("es", "Mi nieto llega el 20 de diciembre.", "¿Novedades?", "Al final no viene hasta el 23."),
    ("fr", "Hugo arrive le 20 décembre.", "Des nouvelles ?", "Finalement il ne vient que le 23."),
    ("it", "Mio nipote arriva il 20 dicembre.", "Novità?", "Alla fine viene solo il 23."),
    ("nl", "Mijn kleinzoon komt 20 december.", "Nieuws?", "Hij komt toch pas de 23e."),
    ("pt", "O meu neto chega a 20 de dezembro.", "Novidades?", "Afinal só vem a 23."),
]


@pytest.mark.parametrize(("language", "known", "asked", "said"), DUNCAN)
def test_who_comes_later_than_expected_comes_in_the_same_month(
    call: Call, language: str, known: str, asked: str, said: str
) -> None:
    thread = EarlierThread(1, "plan", "user", f'"{known}"', date(2026, 12, 20), known)
    changes = thread_changes(call(f"a: {asked}\nu: {said}"), language, BERLIN, open_before=(thread,))

    assert (changes.closes, [one.due for one in changes.opened]) == ((1,), [date(2026, 12, 23)])


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        ("en", "Wednesdays at half past four.", "Wednesdays are a nightmare now, she's got swimming."),
        ("de", "Mittwochs um halb fünf.", "Mittwochs geht es jetzt nicht mehr, sie hat Schwimmen."),
        ("es", "Los miércoles a las cuatro.", "Los miércoles ya no puede, tiene natación."),
        ("fr", "Le mercredi à seize heures.", "Le mercredi c'est plus possible, elle a piscine."),
        ("it", "Il mercoledì alle quattro.", "Il mercoledì è diventato impossibile, ha nuoto."),
        ("nl", "Elke woensdag om half vijf.", "Op woensdag lukt het niet meer, ze heeft zwemles."),
        ("pt", "Às quartas, às quatro.", "Às quartas já não dá, ela tem natação."),
    ],
)
def test_a_weekday_that_is_possible_no_more_ends_the_series(
    call: Call, language: str, known: str, said: str
) -> None:
    thread = EarlierThread(1, "plan", "agent", f'"{known}"', None, known)

    assert closes(call, thread, f"u: {said}\na: –", language)


def test_the_same_hour_of_another_day_takes_the_place_of_the_day_that_will_not_do(call: Call) -> None:
    known = '"Tuesday the first for the trial?" – "Yep."'
    said = """
        u: I've stuffed up. Tuesday the first I've got parent-teacher night.
        a: Wednesday, the second, same time?
        u: Five thirty Wednesday. Yeah. Perfect.
    """

    assert closes(call, EarlierThread(1, "plan", "user", known, date(2026, 12, 1), known), said, "en")


def test_a_day_later_is_asked_for_with_an_excuse_before_it(call: Call) -> None:
    known = '"I\'d like a room for December eighteenth."'
    said = """
        u: I hate to do this, can we come a day later?
        a: So in on Saturday the nineteenth?
        u: Yes, exactly.
    """

    assert closes(call, EarlierThread(1, "plan", "user", known, date(2026, 12, 18), known), said, "en")


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        ("en", "I'll come by on Tuesday.", "u: So it's not ready today?\na: No. You'll have it on Friday."),
        ("es", "Me paso el martes.", "u: ¿Entonces hoy no está?\na: No. La tendrá el viernes."),
        ("de", "Ich komme Dienstag vorbei.", "u: Dann ist es heute nicht fertig?\na: Nein. Am Freitag."),
    ],
)
def test_what_is_put_off_on_its_day_is_due_no_more(call: Call, language: str, known: str, said: str) -> None:
    thread = EarlierThread(1, "promise", "user", f'"{known}"', date(2026, 11, 17), known)

    assert closes(call, thread, f"a: .\n{said}\nu: .", language)


def test_a_request_without_a_day_is_not_what_is_moved(call: Call) -> None:
    room, card = '"I\'d like a room for December eighteenth."', '"Can I take a card?" – "Sure."'
    stay = EarlierThread(1, "plan", "user", room, date(2026, 12, 18), room)
    hold = EarlierThread(2, "request", "user", card, None, card)
    said = """
        u: Can we come a day later?
        a: So in on Saturday the nineteenth?
        u: Yes, exactly.
    """

    assert thread_changes(call(said), "en", BERLIN, open_before=(stay, hold)).closes == (1,)


@pytest.mark.parametrize(
    ("language", "known", "said"),
    [
        ("en", "The dentist, today at ten.", "u: Are you open today?\na: No, we open again on Friday."),
        ("en", "I'm flying to Rome on the 17th.", "u: My brother, he's only coming on Friday.\na: –"),
        ("it", "Mio figlio arriva il 17.", "a: E la badante?\nu: Viene solo due volte a settimana.\na: –"),
        ("nl", "Dinsdag om tien uur?", "u: Het wordt dinsdag mooi weer.\na: –"),
        ("fr", "Le mardi à seize heures.", "a: Et le boulot ?\nu: Le mardi c'est la folie.\na: –"),
    ],
)
def test_what_is_said_of_something_else_that_day_moves_nothing(
    call: Call, language: str, known: str, said: str
) -> None:
    thread = EarlierThread(1, "plan", "user", f'"{known}"', date(2026, 11, 17), known)

    assert not closes(call, thread, said, language)


@pytest.mark.parametrize(
    ("language", "asked", "said"),
    [
        ("en", "So, ready for Tuesday?", "Oh, the hospital rang, it's been moved to the 10th."),
        ("de", "Und, bereit für Dienstag?", "Die haben angerufen, das ist auf den 10. verschoben."),
        ("fr", "Alors, prêt pour mardi ?", "Eh non, l'hôpital a appelé, c'est passé au 10."),
        ("es", "¿Preparado para el martes?", "Qué va, llamaron del hospital, ha pasado al día 10."),
        ("it", "Allora, pronto per martedì?", "Macché, hanno chiamato, è passata al 10."),
        ("nl", "En, klaar voor dinsdag?", "Nee joh, het ziekenhuis belde, het is naar de 10e gegaan."),
        ("pt", "Então, preparado para terça?", "Qual quê, telefonaram do hospital, passou para dia 10."),
    ],
)
def test_what_is_asked_after_by_its_day_is_moved(call: Call, language: str, asked: str, said: str) -> None:
    known = '"Operation."'
    thread = EarlierThread(1, "plan", "user", known, date(2026, 11, 24), known)
    changes = thread_changes(call(f"a: {asked}\nu: {said}\na: ."), language, BERLIN, open_before=(thread,))

    assert changes.closes == (1,)
    assert [one.due for one in changes.opened] in ([date(2026, 12, 10)], [None])


@pytest.mark.parametrize(
    ("weekday", "answer", "is_moved"),
    [
        ("Saturday", "Sunday, ten past two.", True),
        ("Friday", "Sunday, ten past two.", False),
        ("Saturday", "No, it's full.", False),
    ],
)
def test_who_swaps_away_from_a_weekday_moves_what_is_on_it(
    call: Call, weekday: str, answer: str, *, is_moved: bool
) -> None:
    van = EarlierThread(1, "plan", "user", '"I\'d like to bring the van over Saturday."', date(2026, 11, 21))
    swap = f"Can I swap my crossing to the Sunday? I can't get off work {weekday}."

    assert closes(call, van, f"u: {swap}\na: {answer}\nu: That'll do.", "en") == is_moved


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "u: Können Sie mich am Montag erinnern, das Foto mitzubringen?\na: Ich erinnere Sie."),
        ("en", "u: Will you remind me on Monday to bring the photo?\na: I'll remind you."),
        ("es", "u: ¿Me recuerda el lunes que traiga la foto?\na: Se lo recuerdo."),
        ("fr", "u: Vous pouvez me rappeler lundi d'apporter la photo ?\na: Je vous le rappelle."),
        ("it", "u: Mi ricorda lunedì di portare la foto?\na: Glielo ricordo."),
        ("nl", "u: Kunt u me maandag eraan herinneren de foto mee te nemen?\na: Ik herinner u eraan."),
        ("pt", "u: Pode lembrar-me na segunda de trazer a fotografia?\na: Eu lembro."),
    ],
)
def test_a_reminder_for_another_day_moves_no_appointment(call: Call, language: str, said: str) -> None:
    closes, days = changed(call, f"a: Salon Bellview.\n{said}", language)

    assert (closes, len(days)) == ((), 1)


def test_a_reminder_beside_a_new_day_holds_no_move_back(call: Call) -> None:
    said = "u: I can't make Friday.\na: Saturday at ten?\nu: Lovely. Will you remind me on Thursday?\na: Yes."

    closes, days = changed(call, said)
    assert (closes, days[0]) == ((1,), date(2026, 11, 28))


@pytest.mark.parametrize(
    ("language", "agreed", "said"),
    [
        (
            "en",
            '"I\'d like a cut on Friday at three." – "Friday at three is booked."',
            "u: Can you remind me on Friday morning about the cut?\na: I'll remind you Friday morning.",
        ),
        (
            "fr",
            '"Je voudrais une coupe vendredi à trois heures." – "Vendredi trois heures, c\'est noté."',
            "u: Vous pouvez me rappeler la coupe vendredi matin ?\na: Je vous la rappelle vendredi matin.",
        ),
    ],
)
def test_a_reminder_of_an_appointment_on_its_day_leaves_it_open(
    call: Call, language: str, agreed: str, said: str
) -> None:
    cut = EarlierThread(1, "plan", "agent", agreed, date(2026, 11, 20), "", date(2026, 11, 16))

    assert not closes(call, cut, said, language)
