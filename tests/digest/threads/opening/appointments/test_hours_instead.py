"""Another hour is of the day that was offered, where only the first hour will not do."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
THURSDAY, FRIDAY = date(2026, 11, 19), date(2026, 11, 20)


@pytest.mark.parametrize(
    ("language", "offered", "against", "instead", "taken"),
    [
        (
            "en",
            "we have friday at three",
            "friday at three no i pick up the kids",
            "half eleven",
            "that's good",
        ),
        ("de", "wir haben freitag um drei", "um drei muss ich arbeiten", "halb sechs", "halb sechs geht"),
        ("es", "tenemos el viernes a las tres", "a las tres trabajo", "a las seis", "a las seis perfecto"),
        (
            "fr",
            "on a vendredi à quinze heures",
            "à quinze heures je travaille",
            "dix-huit heures",
            "d'accord",
        ),
        ("it", "abbiamo venerdì alle tre", "alle tre no lavoro", "alle undici e mezza", "va bene"),
        ("nl", "we hebben vrijdag om drie uur", "om drie uur werk ik", "half twaalf", "half twaalf is goed"),
        ("pt", "temos sexta às quinze", "sexta às quinze não que trabalho", "às onze e meia", "está bom"),
    ],
)
def test_another_hour_is_on_the_day_that_was_offered(
    opened: Opened, language: str, offered: str, against: str, instead: str, taken: str
) -> None:
    (thread,) = opened(f"a: {offered}\nu: {against}\na: {instead}\nu: {taken}", language)
    assert (thread.kind, thread.due) == ("plan", FRIDAY)
    assert instead in thread.text


@pytest.mark.parametrize(
    ("language", "offered", "against", "instead", "taken"),
    [
        (
            "en",
            "Thursday morning, from ten.",
            "Thursday I'm getting my new glasses. Better in the afternoon.",
            "In the afternoon, at five.",
            "All right.",
        ),
        (
            "de",
            "Am Donnerstagvormittag, ab zehn.",
            "Donnerstag kriege ich meine neue Brille. Lieber nachmittags.",
            "Nachmittags, um fünf.",
            "Einverstanden.",
        ),
        (
            "es",
            "El jueves por la mañana, a partir de las diez.",
            "El jueves me ponen las gafas nuevas. Mejor por la tarde.",
            "Por la tarde, a las cinco.",
            "De acuerdo.",
        ),
        (
            "fr",
            "Jeudi matin, à partir de dix heures.",
            "Jeudi j'ai mes nouvelles lunettes. Plutôt l'après-midi.",
            "L'après-midi, à cinq heures.",
            "D'accord.",
        ),
        (
            "it",
            "Giovedì mattina, dalle dieci.",
            "Giovedì ritiro gli occhiali nuovi. Meglio il pomeriggio.",
            "Il pomeriggio, alle cinque.",
            "D'accordo.",
        ),
        (
            "nl",
            "Donderdagochtend, vanaf tien uur.",
            "Donderdag krijg ik mijn nieuwe bril. Liever 's middags.",
            "'s Middags, om vijf uur.",
            "Akkoord.",
        ),
        (
            "pt",
            "Quinta de manhã, a partir das dez.",
            "Quinta vou buscar os óculos novos. Antes à tarde.",
            "À tarde, às cinco.",
            "De acordo.",
        ),
    ],
)
def test_another_part_of_the_day_is_told_without_the_reason(
    opened: Opened, language: str, offered: str, against: str, instead: str, taken: str
) -> None:
    (thread,) = opened(f"a: {offered}\nu: {against}\na: {instead}\nu: {taken}", language)
    assert (thread.due, thread.text) == (THURSDAY, f'"{instead}" – "{taken.rstrip(".")}"')


@pytest.mark.parametrize(
    ("language", "asked", "offered", "taken"),
    [
        (
            "en",
            "Any chance of Thursday?",
            "This Thursday? I've got twenty past three.",
            "Twenty past three it is.",
        ),
        (
            "de",
            "Ginge es auch Donnerstag?",
            "Diesen Donnerstag? Zehn nach drei hätte ich.",
            "Zehn nach drei, super.",
        ),
        (
            "es",
            "¿Y el jueves podría ser?",
            "¿Este jueves? Tengo a las tres y veinte.",
            "A las tres y veinte, hecho.",
        ),
        (
            "fr",
            "Et jeudi, ce serait possible ?",
            "Ce jeudi ? J'ai quinze heures.",
            "Quinze heures, c'est noté.",
        ),
        ("it", "E giovedì si potrebbe?", "Questo giovedì? Ho le tre e venti.", "Le tre e venti, perfetto."),
        ("nl", "Kan het ook donderdag?", "Deze donderdag? Ik heb half vier.", "Half vier, afgesproken."),
    ],
)
def test_the_hour_is_on_the_day_that_was_asked_for(
    opened: Opened, language: str, asked: str, offered: str, taken: str
) -> None:
    (thread,) = opened(f"u: {asked}\na: {offered}\nu: {taken}", language)
    assert thread.due == THURSDAY


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", "a: We close on Friday at six.\nu: At six I'm still at work.\na: At eight we open.\nu: Okay."),
        ("en", "a: Thursday morning, from ten.\nu: Better on Friday.\na: At five.\nu: All right."),
        (
            "en",
            "a: We have Friday at three.\nu: At three I work.\na: Half past five?\nu: No, that's too early.",
        ),
        (
            "de",
            "a: Freitag um drei schließen wir.\nu: Um drei arbeite ich.\na: Um acht machen wir auf.\nu: Gut.",
        ),
        ("it", "a: Abbiamo venerdì alle tre.\nu: Alle tre lavoro.\na: Alle sette chiudiamo.\nu: Va bene."),
        ("pt", "a: Temos sexta às três.\nu: Às três trabalho.\na: Às seis fechamos.\nu: Está bem."),
    ],
)
def test_an_hour_that_nobody_offers_or_takes_is_no_appointment(
    opened: Opened, language: str, lines: str
) -> None:
    assert opened(lines, language) == ()


LATER = {
    "en": ("Ann works till five on Thursday, can we make it later?", "Half past five is the last one."),
    "de": ("Anna arbeitet am Donnerstag bis fünf, geht es auch später?", "Halb sechs ist der letzte."),
    "nl": ("Anna werkt donderdag tot vijf uur, kan het later?", "Half zes is de laatste."),
    "es": (
        "Ana trabaja el jueves hasta las cinco, ¿puede ser más tarde?",
        "La última es a las cinco y media.",
    ),
    "fr": (
        "Anne travaille jeudi jusqu'à cinq heures, on peut plus tard ?",
        "Cinq heures et demie, le dernier.",
    ),
    "it": (
        "Giovedì lavoro fino alle cinque, si può più tardi?",
        "Alle diciassette e trenta è l'ultimo.",
    ),
    "pt": ("Na quinta trabalho até às cinco, pode ser mais tarde?", "Às cinco e meia é a última."),
}
AGAIN = {
    "en": ("half past five perfect", "I'll think about it."),
    "de": ("halb sechs perfekt", "Das überleg ich mir."),
    "nl": ("half zes prima", "Daar denk ik over na."),
    "es": ("cinco y media perfecto", "Me lo pienso."),
    "fr": ("cinq heures et demie parfait", "Je vais y réfléchir."),
    "it": ("diciassette e trenta perfetto", "Ci penso."),
    "pt": ("cinco e meia perfeito", "Vou pensar."),
}


@pytest.mark.parametrize("language", LATER)
def test_the_hour_told_to_who_wishes_for_a_later_one_is_of_that_day(opened: Opened, language: str) -> None:
    wish, hour = LATER[language]

    found = opened(f"u: {wish}\na: {hour}\nu: {AGAIN[language][0]}\na: Ok.", language)

    assert any(one.due == THURSDAY and hour in one.text for one in found)


@pytest.mark.parametrize("language", LATER)
def test_an_hour_that_nobody_says_again_is_not_taken(opened: Opened, language: str) -> None:
    wish, hour = LATER[language]

    found = opened(f"u: {wish}\na: {hour}\nu: {AGAIN[language][1]}\na: Ok.", language)

    assert not [one for one in found if one.due == THURSDAY]


IN_ANOTHER_PART = {
    "de": ("Dienstag um zehn?", "Da hat er Schule. Nachmittags?", "Viertel nach vier.", "Super."),
    "en": ("How about Tuesday at ten?", "He's got school. In the afternoon?", "Quarter past four.", "Great."),
    "es": (
        "¿El martes a las diez?",
        "Está en el cole. ¿Por la tarde?",
        "A las cuatro y cuarto.",
        "Perfecto.",
    ),
    "fr": ("Mardi à dix heures ?", "Il a école. L'après-midi ?", "Quatre heures et quart.", "Parfait."),
    "it": ("Martedì alle dieci?", "È a scuola. Nel pomeriggio?", "Alle quattro e un quarto.", "Perfetto."),
    "nl": ("Dinsdag om tien uur?", "Dan zit hij op school. In de middag?", "Kwart over vier.", "Prima."),
    "pt": ("Terça às dez?", "Está na escola. À tarde?", "Às quatro e um quarto.", "Perfeito."),
}


@pytest.mark.parametrize("language", IN_ANOTHER_PART)
def test_an_hour_in_the_part_of_the_day_that_was_asked_for_is_on_that_day(
    opened: Opened, language: str
) -> None:
    offered, against, instead, taken = IN_ANOTHER_PART[language]
    (thread,) = opened(f"a: {offered}\nu: {against}\na: {instead}\nu: {taken}", language)
    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 24))
    assert instead in thread.text


@pytest.mark.parametrize(
    ("language", "wish", "offered", "against", "instead", "due"),
    [
        (
            "en",
            "Any chance today?",
            "Tomorrow at twenty to nine?",
            "Anything after ten?",
            "Ten fifteen.",
            date(2026, 11, 18),
        ),
        (
            "en",
            "Any chance on Monday?",
            "Thursday at nine?",
            "Anything after ten?",
            "Ten fifteen.",
            date(2026, 11, 19),
        ),
    ],
)
def test_an_hour_after_the_one_offered_is_on_the_day_offered_last(
    opened: Opened, language: str, wish: str, offered: str, against: str, instead: str, due: date
) -> None:
    (thread,) = opened(f"u: {wish}\na: {offered}\nu: {against}\na: {instead}\nu: Great.", language)
    assert thread.due == due


@pytest.mark.parametrize(
    ("language", "said", "answer"),
    [
        ("en", "It's about Friday. Could we push it to eight?", "Eight's fine."),
        ("en", "It's about Friday. Could we make it eight instead?", "Of course, eight o'clock."),
        ("en", "I've got a table on Friday. Can I move it to eight?", "No problem."),
        ("de", "Wegen Freitag. Ginge auch acht?", "Acht ist kein Problem."),
    ],
)
def test_another_hour_is_on_the_day_that_the_caller_named_before_it(
    opened: Opened, language: str, said: str, answer: str
) -> None:
    (thread,) = opened(f"a: Bella's.\nu: {said}\na: {answer}\nu: .", language)

    assert (thread.kind, thread.due) == ("plan", FRIDAY)
    assert thread.text.endswith(f'" – "{answer}"')


def test_more_people_are_no_other_hour(opened: Opened) -> None:
    assert (
        opened("a: .\nu: It's about Friday. Could we make it six instead of four?\na: No problem.\nu: .")
        == ()
    )


@pytest.mark.parametrize(
    ("language", "said", "answer"),
    [
        ("en", "I'm seeing the doctor on Friday. Could you move my pill alarm to eight?", "Eight's fine."),
        ("de", "Am Freitag habe ich Besuch. Können wir den Wecker auf acht verschieben?", "Ja, gern."),
        ("fr", "Vendredi j'ai de la visite. Je préfère manger à huit heures.", "D'accord."),
    ],
)
def test_another_hour_of_something_else_is_no_appointment(
    opened: Opened, language: str, said: str, answer: str
) -> None:
    assert all(answer not in one.text for one in opened(f"a: .\nu: {said}\na: {answer}\nu: .", language))
