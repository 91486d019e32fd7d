"""The one appointment gives way to the one agreed on in its place, and stays beside another one."""

from collections.abc import Callable
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from voice_server.digest.threads.changes import thread_changes
from voice_server.domain.conversation import Message
from voice_server.domain.digest import EarlierThread

Call = Callable[[str], list[Message]]
Closed = Callable[..., tuple[int, ...]]
BERLIN = ZoneInfo("Europe/Berlin")

TABLE = EarlierThread(3, "plan", "agent", '"You\'re down for Friday at seven."', date(2026, 11, 20))


def test_an_appointment_for_which_another_time_is_offered_gives_way(closed: Closed) -> None:
    said = """
        u: can i move my table though my sister's put the rehearsal on the friday
        a: i can do wednesday the second at half past four
        u: wednesday the second at half past four lovely
    """
    assert closed(said, TABLE) == (3,)


@pytest.mark.parametrize(
    "text",
    [
        "a: Two ducks?\nu: Fine. But make it Saturday then, after five.\na: Two ducks, Saturday after five.",
        "a: There are gales coming, so Friday's a no. Would Saturday do?\nu: Saturday, okay.",
    ],
)
def test_another_day_in_a_call_that_named_none_takes_the_old_ones_place(closed: Closed, text: str) -> None:
    assert closed(text, TABLE) == (3,)


@pytest.mark.parametrize(
    "text",
    [
        "u: My son needs one, too. Make it Saturday at five.\na: Saturday at five, done.",
        "u: I'd like bread.\na: How many?\nu: Make it three.\na: Three, done.",
    ],
)
def test_what_is_for_somebody_else_or_of_something_else_moves_nothing(closed: Closed, text: str) -> None:
    assert closed(text, TABLE) == ()


VASE = EarlierThread(
    2,
    "promise",
    "agent",
    '"Leave it with me, I\'ll ring you."',
    around="My vase never came. Leave it with me.",
)
NINTH = EarlierThread(
    10, "plan", "user", '"How about the 9th of December, at eleven?" – "Eleven\'s fine."', date(2026, 12, 9)
)


@pytest.mark.parametrize(
    "text",
    [
        "a: She's off that week. Could we do the 16th instead?\nu: The 16th of December? Yes, I can do that.",
        "a: Hello.\nu: I have to cancel.\na: Thursday the third at ten?\nu: Yes, Thursday at ten.",
    ],
)
def test_an_appointment_gives_way_to_the_other_one_that_is_agreed_on(closed: Closed, text: str) -> None:
    assert closed(text, NINTH, VASE) == (10,)


@pytest.mark.parametrize(
    ("language", "thread", "text"),
    [
        (
            "es",
            '"Sí, la tenemos el 26 de noviembre a las diez." – "Perfecto, allí estaremos."',
            (
                "a: El banco no llega, hay que pasar la firma al 1 de diciembre.\n"
                "u: Vale. Iré con mi mujer, que firma también.\n"
                "a: Les esperamos el 1 de diciembre."
            ),
        ),
        (
            "en",
            '"I\'ve put you in room 4, Friday the 27th to Sunday the 29th of November."',
            (
                "a: Harbour View.\n"
                "u: I'm sorry, we'd have to come a week later. The fourth of December instead.\n"
                "a: No trouble. So Friday the 4th to Sunday the 6th of December?\n"
                "u: Yes please."
            ),
        ),
        (
            "it",
            '"volevo prenotare per giovedì sera"',
            (
                "a: pizzeria da nino\n"
                "u: dobbiamo spostare a venerdì perché il bambino ha la recita\n"
                "a: venerdì venti alle otto non ho posto ho alle nove\n"
                "u: alle nove va bene lo stesso"
            ),
        ),
    ],
)
def test_the_one_appointment_gives_way_whoever_moves_it(
    closed: Closed, language: str, thread: str, text: str
) -> None:
    known = EarlierThread(3, "plan", "agent" if language != "it" else "user", thread, date(2026, 11, 26))

    assert closed(text, known, language=language) == (3,)


def test_a_delivery_that_was_promised_gives_way_to_its_new_day(closed: Closed) -> None:
    promised = EarlierThread(
        9, "promise", "agent", '"We\'ll bring it back on the 20th of November."', date(2026, 11, 20)
    )
    text = "a: The velvet's come late, so it'll be the 27th of November now.\nu: The 27th then."

    assert closed(text, promised) == (9,)


def test_an_appointment_stays_beside_another_one(closed: Closed) -> None:
    text = "a: Hello.\nu: I need a haircut too.\na: Friday the 27th at ten?\nu: Friday at ten, lovely."

    assert closed(text, NINTH) == ()


@pytest.mark.parametrize(
    "text",
    [
        "a: Hello.\nu: I'd like one more before that.\na: Wednesday the 25th at ten?\nu: Yes, please.",
        "a: Hello.\nu: My brother let me down, so I need a taxi too.\na: Friday at ten?\nu: Yes please.",
    ],
)
def test_who_wants_one_more_keeps_the_appointment(closed: Closed, text: str) -> None:
    assert closed(text, NINTH) == ()


_CUT = {
    "en": "You're down for a haircut on Friday at seven.",
    "de": "Sie sind am Freitag um sieben zum Haareschneiden eingetragen.",
    "es": "Le he apuntado para un corte el viernes a las siete.",
    "fr": "Vous êtes inscrite pour une coupe vendredi à sept heures.",
    "it": "L'ho segnata per un taglio venerdì alle sette.",
    "nl": "U staat vrijdag om zeven uur ingepland voor een knipbeurt.",
    "pt": "Ficou marcada para um corte na sexta-feira às sete.",
}
_ASKS_INSTEAD = {
    "en": ("We're closed on Friday. Does Saturday at ten work?", "That's all right, no problem."),
    "de": ("Frau Rau ist am Freitag krank, könnten wir Samstag um zehn sagen?", "Das geht, kein Problem."),
    "es": ("La doctora está enferma el viernes, ¿podríamos decir el sábado a las diez?", "Está bien."),
    "fr": ("Dana est absente vendredi, vous pourriez venir samedi à dix heures ?", "Ça va, pas de problème."),
    "it": ("Venerdì siamo chiusi. Sabato alle dieci le va bene?", "Mah, sì, dovrebbe andare."),
    "nl": ("We zijn vrijdag dicht. Kunnen we zaterdag om tien uur zeggen?", "Dat kan, geen probleem."),
    "pt": ("A Dana não está na sexta-feira, podia vir no sábado às dez?", "Pode ser, não há problema."),
}


@pytest.mark.parametrize("language", [*_ASKS_INSTEAD])
def test_another_day_that_the_agent_asks_for_takes_the_place_of_the_one_it_names(
    closed: Closed, language: str
) -> None:
    thread = EarlierThread(40, "plan", "agent", f'"{_CUT[language]}"', date(2026, 11, 20))
    asked, answered = _ASKS_INSTEAD[language]

    assert closed(f"u: Hm.\na: {asked}\nu: {answered}", thread, language=language) == (40,)


@pytest.mark.parametrize(
    "talk",
    [
        "a: You're in on Friday at seven. Could you come on Saturday to sign the form?\nu: Yes, fine.",
        "a: See you on Friday. Would you like a massage on Saturday at ten, too?\nu: Yes, please.",
        "a: We're closed on Friday. Does Saturday at ten work?\nu: I'd have to ask my husband.",
    ],
)
def test_another_day_for_something_else_or_that_nobody_takes_leaves_the_appointment(
    closed: Closed, talk: str
) -> None:
    thread = EarlierThread(41, "plan", "agent", f'"{_CUT["en"]}"', date(2026, 11, 20))

    assert closed(f"u: Hm.\n{talk}", thread) == ()


@pytest.mark.parametrize(
    ("text", "closes"),
    [
        (
            "u: I've been called in to work, he must come later.\na: We've got Tuesday at five.\nu: Yes.",
            (40,),
        ),
        (
            "u: I'd like an appointment for my sister too.\na: We've got Tuesday at half five.\nu: Perfect.",
            (),
        ),
        ("a: I'd see him again on the 15th of December at five.\nu: Perfect.", ()),
    ],
)
def test_the_one_appointment_gives_way_to_the_one_made_where_nothing_else_is_asked_for(
    closed: Closed, text: str, closes: tuple[int, ...]
) -> None:
    old = EarlierThread(40, "plan", "agent", '"Monday at eleven?" – "Yes."', date(2026, 11, 23))

    assert closed(text, old) == closes


MINE = EarlierThread(1, "plan", "user", '"Wednesday at half nine?" – "Yes."', date(2026, 11, 25))


@pytest.mark.parametrize(
    ("language", "moved", "offer", "answer"),
    [
        (
            "en",
            "My daughter can't come on the 2nd of December, hers needs moving.",
            "The 3rd?",
            "That's fine.",
        ),
        ("de", "Meine Tochter kann am 2. Dezember nicht, ihrer muss verschoben werden.", "Am 3.?", "Gut."),
        ("es", "Mi hija no puede el 2 de diciembre, hay que cambiar la suya.", "¿El 3?", "El 3 está bien."),
        ("fr", "Ma fille ne peut pas le 2 décembre, il faut déplacer le sien.", "Le 3 ?", "C'est bon."),
        ("nl", "Mijn dochter kan 2 december niet, die van haar moet verzet worden.", "De derde?", "Goed."),
    ],
)
def test_what_is_moved_of_another_day_leaves_ones_own(
    closed: Closed, language: str, moved: str, offer: str, answer: str
) -> None:
    assert closed(f"u: {moved}\na: {offer}\nu: {answer}", MINE, language=language) == ()


@pytest.mark.parametrize(
    "said",
    [
        "u: I can't make Wednesday, can we move it to the 2nd of December?\na: Sure, half nine.\nu: Great.",
        "u: Can we move it to the 2nd of December?\na: Sure, half nine.\nu: Great.",
        "u: I have to cancel, I'm in Rome from the 24th.\na: No problem, that's cancelled.",
        "u: Today I woke up with a fever, so I need to move it.\na: Friday at two?\nu: Yes please.",
        "u: I booked yesterday and now I can't make it.\na: Shall we say Friday at nine?\nu: Yes please.",
        "u: I'm in hospital until Friday, can we move my appointment?\na: Friday at two?\nu: Yes please.",
        "u: I'm flying to Spain tomorrow, can we postpone it?\na: The 30th at ten?\nu: Yes please.",
    ],
)
def test_the_day_to_which_it_is_moved_is_no_other_appointments(closed: Closed, said: str) -> None:
    assert closed(said, MINE) == (1,)


FITTING = EarlierThread(
    1, "plan", "agent", '"We\'ve got you down for the second of December."', date(2026, 12, 2)
)


@pytest.mark.parametrize(
    "text",
    [
        "u: The second's no good now, my wife's in.\na: How about the ninth?\nu: The ninth, yeah.",
        "u: I can't do the second after all.\na: How about the ninth?\nu: The ninth's fine.",
        "u: Could we make it the ninth instead of the second?\na: Ninth it is.",
    ],
)
def test_a_day_that_is_told_by_its_number_alone_gives_way_to_the_new_one(call: Call, text: str) -> None:
    made = thread_changes(call(text), "en", BERLIN, open_before=(FITTING,))

    assert made.closes == (1,)
    assert [one.due for one in made.opened] == [date(2026, 12, 9)]


def test_the_second_of_two_things_is_no_day(closed: Closed) -> None:
    assert closed("u: The second flat's no good, it has no balcony.", FITTING) == ()


SAID_AFTERWARDS = {
    "de": (
        "Mittwoch, der 18., um sieben?",
        "Geht das auch früher?",
        "Freitag, der 20., um sieben?",
        "Perfekt.",
        "Ist geändert.",
    ),
    "en": (
        "Wednesday the 18th at seven?",
        "I can't do mornings any more.",
        "Friday the 20th at five?",
        "Friday at five's perfect.",
        "I've changed it over.",
    ),
    "pt": (
        "Quarta, dia 18, às sete?",
        "Dá pra ser mais cedo?",
        "Sexta, dia 20, às sete?",
        "Sexta é perfeito.",
        "Mudei pra sexta, dia 20.",
    ),
}


@pytest.mark.parametrize("language", SAID_AFTERWARDS)
def test_what_the_agent_says_it_has_moved_is_moved(call: Call, language: str) -> None:
    before, wish, offer, yes, changed = SAID_AFTERWARDS[language]
    said_on = date(2026, 11, 16)
    plan = EarlierThread(1, "plan", "user", f'"{before}" – "OK."', date(2026, 11, 18), said_on=said_on)
    talk = call(f"a: .\nu: {wish}\na: {offer}\nu: {yes}\na: {changed}")
    assert thread_changes(talk, language, BERLIN, open_before=(plan,)).closes == (1,)


@pytest.mark.parametrize(
    ("language", "plan", "said"),
    [
        (
            "fr",
            "J'ai mon Gérard qui vient le douze décembre.",
            "u: Gérard a téléphoné, il peut plus venir.\na: Je suis désolée.",
        ),
        (
            "it",
            "la torta per il battesimo, domenica 6 dicembre.",
            (
                "u: Il parroco s'è rotto una gamba.\na: E il battesimo?\n"
                "u: A gennaio. Domenica diciassette gennaio. Quindi la torta slitta.\n"
                "a: Va bene, la segno al diciassette gennaio."
            ),
        ),
        (
            "en",
            "We land on the Friday, the eighteenth of December.",
            (
                "u: The airline's shunted us on to the next day.\na: So you'd want it when?\n"
                "u: Saturday the nineteenth, eleven.\na: Saturday the nineteenth at eleven, changed."
            ),
        ),
    ],
)
def test_a_plan_that_the_user_tells_otherwise_is_over(
    call: Call, language: str, plan: str, said: str
) -> None:
    day = date(2026, 12, {"fr": 12, "it": 6, "en": 18}[language])
    known = EarlierThread(1, "plan", "user", f'"{plan}"', day, said_on=date(2026, 11, 16))
    talk = call(f"a: .\n{said}")
    assert thread_changes(talk, language, BERLIN, open_before=(known,)).closes == (1,)


@pytest.mark.parametrize(
    ("language", "before", "told", "changed"),
    [
        (
            "de",
            "vom 4. bis 6. Dezember",
            "Wir kommen doch einen Tag später, vom 5. bis 7. Dezember.",
            "Ist geändert.",
        ),
        (
            "en",
            "from the 4th to the 6th of December",
            "We're coming a day later after all, from the 5th to the 7th of December.",
            "I've changed that.",
        ),
    ],
)
def test_a_stay_told_anew_is_moved_where_the_agent_changes_it(
    call: Call, language: str, before: str, told: str, changed: str
) -> None:
    plan = EarlierThread(
        1, "plan", "user", f'"Zimmer {before}"', date(2026, 12, 6), said_on=date(2026, 11, 14)
    )
    talk = call(f"a: .\nu: {told}\na: {changed}")
    changes = thread_changes(talk, language, BERLIN, open_before=(plan,))
    assert (changes.closes, [one.due for one in changes.opened]) == ((1,), [date(2026, 12, 7)])


@pytest.mark.parametrize(
    ("language", "hindered", "another"),
    [
        (
            "en",
            "I'm stuck at work on Friday. Would Tuesday be possible?",
            "Tuesday the 24th, at four as well.",
        ),
        ("de", "Am Freitag bin ich im Krankenhaus. Geht es auch später?", "Dienstag, der 24., um vier?"),
        ("es", "El viernes tengo que trabajar. ¿Puede ser el martes?", "El martes 24, a las cuatro."),
        ("fr", "Je suis coincé au travail vendredi. Mardi c'est possible ?", "Mardi 24, à seize heures."),
        ("it", "Venerdì sono al lavoro. Si può martedì?", "Martedì 24, alle quattro."),
        ("pt", "Na sexta estou a trabalhar. Pode ser na terça?", "Terça, dia 24, às quatro."),
        ("nl", "Vrijdag ben ik bij mijn moeder. Kan het ook later?", "Dinsdag 24 november, zelfde tijd?"),
    ],
)
def test_who_has_something_on_that_day_and_asks_for_another_gives_it_up(
    closed: Closed, language: str, hindered: str, another: str
) -> None:
    agreed = {
        "en": '"Friday at four?" – "Friday\'s fine."',
        "de": '"Freitag um vier?" – "Freitag passt."',
        "es": '"¿El viernes a las cuatro?" – "El viernes, vale."',
        "fr": '"Vendredi à seize heures ?" – "Vendredi, d\'accord."',
        "it": '"Venerdì alle quattro?" – "Venerdì va bene."',
        "pt": '"Sexta às quatro?" – "Sexta, está bem."',
        "nl": '"Vrijdag om vier uur?" – "Vrijdag, prima."',
    }
    then = EarlierThread(1, "plan", "user", agreed[language], date(2026, 11, 20))
    taken = another.rstrip("?").partition(",")[0]

    call = f"a: –\nu: {hindered}\na: {another}\nu: {taken}."
    assert closed(call, then, language=language) == (1,)


def test_who_asks_for_somebody_else_on_another_day_keeps_their_own(closed: Closed) -> None:
    cut = EarlierThread(1, "plan", "user", '"Your cut, Friday at four?" – "Fine."', date(2026, 11, 20))
    call = """
        a: Salon.
        u: I've got my dad with me on Friday. Could you do my daughter on Tuesday?
        a: Tuesday the 24th, at four as well.
        u: Tuesday the 24th, perfect.
    """

    assert closed(call, cut) == ()


def test_another_day_that_is_told_to_who_was_rung_takes_the_place_of_the_first(closed: Closed) -> None:
    mot = EarlierThread(
        1, "plan", "agent", '"You\'re booked in for the MOT on Friday at nine."', date(2026, 11, 20)
    )
    call = """
        u: The garage rang.
        a: Yes, your car is down for Tuesday the 24th now.
        u: Tuesday the 24th, fine.
    """

    assert closed(call, mot) == (1,)
