"""A weekday for a day that will not do is of the same week. The calls are on Tuesday the 17th of November."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
TOMORROW, FRIDAY, SATURDAY, WEDNESDAY = (date(2026, 11, day) for day in (18, 20, 21, 25))
LATER_FRIDAY = date(2026, 12, 4)


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("de", "a: Donnerstag, den 3. Dezember, um neun?\nu: Donnerstag kann ich nicht. Freitag?"),
        ("en", "a: Thursday the 3rd of December at nine?\nu: Thursday I can't. Friday?"),
        ("es", "a: ¿El jueves 3 de diciembre a las nueve?\nu: El jueves no puedo. ¿El viernes?"),
        ("fr", "a: Jeudi 3 décembre à neuf heures ?\nu: Jeudi je ne peux pas. Vendredi ?"),
        ("it", "a: Giovedì 3 dicembre alle nove?\nu: Giovedì non posso. Venerdì?"),
        ("nl", "a: Donderdag 3 december om negen uur?\nu: Donderdag kan ik niet. Vrijdag?"),
        ("pt", "a: Quinta, 3 de dezembro, às nove?\nu: Quinta não posso. Sexta?"),
    ],
)
def test_a_weekday_for_a_date_that_will_not_do_is_of_the_same_week(
    opened: Opened, language: str, lines: str
) -> None:
    answers = {"de": "Freitag um neun.", "en": "Friday at nine.", "es": "El viernes a las nueve.",
               "fr": "Vendredi à neuf heures.", "it": "Venerdì alle nove.", "nl": "Vrijdag om negen uur.",
               "pt": "Sexta às nove."}  # fmt: skip
    (one,) = opened(f"{lines}\na: {answers[language]}", language)
    assert one.due == LATER_FRIDAY


@pytest.mark.parametrize(
    "lines",
    [
        "a: I could do Thursday the 3rd of December at nine.\nu: That's difficult, I'm at work. Friday?",
        "a: The 3rd of December at nine?\nu: That's a Thursday, I work Thursdays. Friday?",
    ],
)
def test_so_is_one_that_only_asks_for_another_day(opened: Opened, lines: str) -> None:
    (one,) = opened(f"{lines}\na: Friday at nine.\nu: Great.")
    assert one.due == LATER_FRIDAY


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            "Thursday in two weeks? / thursday i've got my grandson is friday possible / Friday at ten.",
        ),
        (
            "de",
            "Donnerstag in zwei Wochen? / donnerstags hab ich den enkel ginge freitag / Freitag um zehn.",
        ),
        (
            "es",
            "¿El jueves 3 de diciembre? / Cuido a mi nieto. ¿Puede ser el viernes? / El viernes a las diez.",
        ),
        ("fr", "Jeudi 3 décembre ? / Le jeudi je garde mon petit-fils. Vendredi ? / Vendredi à dix heures."),
        ("it", "Giovedì 3 dicembre? / Tengo il nipotino. Si può venerdì? / Venerdì alle dieci."),
        (
            "nl",
            "Donderdag 3 december? / donderdag dan pas ik op sem kan vrijdag / Vrijdag om tien uur.",
        ),
        ("pt", "Quinta, 3 de dezembro? / Quinta tenho o meu neto. Pode ser sexta? / Sexta às dez."),
    ],
)
def test_a_weekday_behind_a_day_weeks_ahead_is_of_its_week(opened: Opened, language: str, lines: str) -> None:
    offer, wish, other = lines.split(" / ")
    (one,) = opened(f"u: .\na: {offer}\nu: {wish}\na: {other}\nu: Okay.", language)

    assert one.due == LATER_FRIDAY


def test_an_urgent_day_that_the_agent_names_first_is_the_coming_one(opened: Opened) -> None:
    said = "a: Thursday the 3rd of December at ten?\nu: It's bleeding now.\na: Then come in on Friday at two."
    threads = opened(f"u: Hello.\n{said}\nu: Great.")

    assert [one.due for one in threads] == [FRIDAY]


def test_a_weekday_that_is_sooner_is_the_coming_one(opened: Opened) -> None:
    said = (
        "a: Thursday the 3rd of December at nine?\nu: Anything sooner? Friday?\na: Friday at ten.\nu: Great."
    )
    (one,) = opened(said)

    assert one.due == FRIDAY


def test_an_appointment_is_moved_within_its_week(opened: Opened) -> None:
    (one,) = opened(
        "u: my appointment on thursday the third of december i can't make it\n"
        "a: friday then same time\nu: friday's good"
    )
    assert one.due == LATER_FRIDAY


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("de", "u: montag kann ich nicht\na: dann mittwoch\nu: mittwoch ist gut"),
        ("en", "u: i can't do monday\na: wednesday then\nu: wednesday's good"),
        ("es", "u: el lunes no puedo\na: entonces el miércoles\nu: el miércoles bien"),
        ("fr", "u: lundi je ne peux pas\na: alors mercredi\nu: mercredi c'est bon"),
        ("it", "u: lunedì non posso\na: allora mercoledì\nu: mercoledì va bene"),
        ("nl", "u: maandag kan ik niet\na: dan woensdag\nu: woensdag is goed"),
        ("pt", "u: segunda não posso\na: então quarta\nu: quarta está bem"),
        ("en", "u: not monday rather wednesday\na: wednesday at nine\nu: great"),
        ("es", "u: el lunes no mejor el miércoles\na: el miércoles a las nueve\nu: sí bien"),
        ("fr", "u: pas lundi plutôt mercredi\na: mercredi à neuf heures\nu: super"),
    ],
)
def test_who_puts_off_a_later_day_does_not_mean_tomorrow(opened: Opened, language: str, lines: str) -> None:
    (one,) = opened(lines, language)
    assert one.due == WEDNESDAY


@pytest.mark.parametrize(
    ("language", "asked", "answer"),
    [
        ("de", "Können wir den Termin am Montag auf Mittwoch verschieben?", "Mittwoch um neun geht."),
        ("en", "Could we move Monday's appointment to Wednesday?", "Wednesday at nine is fine."),
        ("es", "¿Podemos pasar la cita del lunes al miércoles?", "El miércoles a las nueve está bien."),
        ("fr", "On peut décaler le rendez-vous de lundi à mercredi ?", "Mercredi à neuf heures, c'est bon."),
        ("it", "Possiamo spostare l'appuntamento di lunedì a mercoledì?", "Mercoledì alle nove va bene."),
        ("nl", "Kunnen we de afspraak van maandag naar woensdag verzetten?", "Woensdag om negen uur kan."),
        ("pt", "Podemos passar a consulta de segunda para quarta?", "Quarta às nove está bem."),
    ],
)
def test_from_a_later_day_to_another_is_behind_tomorrow(
    opened: Opened, language: str, asked: str, answer: str
) -> None:
    (one,) = opened(f"u: {asked}\na: {answer}\nu: Ok.", language)
    assert one.due == WEDNESDAY


def test_a_day_that_may_be_of_two_weeks_has_no_date(opened: Opened) -> None:
    (one,) = opened(
        "u: Monday's appointment, I can't make it.\na: Friday then, same time?\nu: Friday's good."
    )
    assert (one.text, one.due) == ('"Friday then, same time?" – "Friday\'s good."', None)


@pytest.mark.parametrize(
    ("lines", "due"),
    [
        ("a: We could do Thursday.\nu: Thursday I can't. Wednesday?\na: Wednesday at nine.", TOMORROW),
        ("a: Monday at nine?\nu: Monday I can't. Earlier, Friday?\na: Friday at nine.", FRIDAY),
        ("a: Thursday the 3rd of December?\nu: I can't. This Friday?\na: Friday at nine.", FRIDAY),
        ("a: The form's due on the 3rd of December.\nu: Can I come on Friday?\na: Friday at nine.", FRIDAY),
        ("u: Monday's no good. Saturday?\na: Saturday at ten.\nu: Okay.", SATURDAY),
        ("u: We can't do Mondays. Can you deliver on Wednesday?\na: Wednesday is fine.", TOMORROW),
        (
            "u: I can't come on Monday.\na: Will I see you at the party on Saturday?\nu: Saturday, yes.",
            SATURDAY,
        ),
    ],
)
def test_else_the_coming_one_is_meant(opened: Opened, lines: str, due: date) -> None:
    (one,) = opened(lines)
    assert one.due == due


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("de", "u: Am Montag konnte ich nicht kommen, ich war krank.\na: Geht Mittwoch?\nu: Mittwoch geht."),
        ("en", "u: I couldn't come on Monday, I was ill.\na: Could you come Wednesday?\nu: Yes, Wednesday."),
        ("fr", "u: Lundi je n'ai pas pu venir, j'étais malade.\na: Mercredi ?\nu: Mercredi, oui."),
    ],
)
def test_a_day_that_passed_puts_nothing_off(opened: Opened, language: str, lines: str) -> None:
    (one,) = opened(lines, language)
    assert one.due == TOMORROW


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("de", "a: Kommen Sie am Mittwoch um zehn.\nu: Am Montag um zehn?\na: Nicht am Montag, am Mittwoch."),
        ("en", "a: Come on Wednesday at ten.\nu: Monday at ten?\na: Not Monday, I said Wednesday."),
        ("es", "a: Venga el miércoles a las diez.\nu: ¿El lunes a las diez?\na: El lunes no, el miércoles."),
        ("fr", "a: Venez mercredi à dix heures.\nu: Lundi à dix heures ?\na: Pas lundi, mercredi."),
        ("it", "a: Venga mercoledì alle dieci.\nu: Lunedì alle dieci?\na: Non lunedì, mercoledì."),
        ("nl", "a: Kom woensdag om tien uur.\nu: Maandag om tien uur?\na: Niet maandag, woensdag."),
        ("pt", "a: Venha na quarta às dez.\nu: Segunda às dez?\na: Segunda não, quarta."),
    ],
)
def test_who_goes_back_to_the_day_said_first_means_that_day(
    opened: Opened, language: str, lines: str
) -> None:
    answers = {"de": "Mittwoch, gut.", "en": "Wednesday, fine.", "es": "El miércoles, vale.",
               "fr": "Mercredi, d'accord.", "it": "Mercoledì, va bene.", "nl": "Woensdag, goed.",
               "pt": "Quarta, está bem."}  # fmt: skip
    (one,) = opened(f"{lines}\nu: {answers[language]}", language)
    assert one.due == TOMORROW


def test_what_is_promised_for_a_day_takes_no_days_place(opened: Opened) -> None:
    (one,) = opened("u: I can't make the 30th.\na: I'll call you on Friday.")
    assert one.due == FRIDAY


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", "u: Could I come Monday?\na: Monday's chock-a-block. Wednesday at two?\nu: Wednesday's fine."),
        ("de", "u: Geht Montag?\na: Montag ist rappelvoll. Mittwoch um zwei?\nu: Mittwoch passt."),
        (
            "es",
            "u: ¿Puede ser el lunes?\na: El lunes lo tengo a tope. ¿El miércoles?\nu: El miércoles, vale.",
        ),
        ("fr", "u: Lundi c'est possible ?\na: Lundi c'est blindé. Mercredi ?\nu: Mercredi, d'accord."),
        ("it", "u: Lunedì si può?\na: Lunedì è strapieno. Mercoledì?\nu: Mercoledì, va bene."),
        ("nl", "u: Kan het maandag?\na: Maandag zit ik stampvol. Woensdag?\nu: Woensdag is goed."),
        ("pt", "u: Pode ser na segunda?\na: Segunda está esgotado. Quarta?\nu: Quarta, está bem."),
    ],
)
def test_a_day_that_is_full_in_whatever_words_is_put_off(opened: Opened, language: str, lines: str) -> None:
    (one,) = opened(lines, language)
    assert one.due != TOMORROW


@pytest.mark.parametrize(
    ("language", "has", "wish", "offer", "answer"),
    [
        (
            "en",
            "I'm down for the eighth of December.",
            "Could I come a day later?",
            "Wednesday at nine.",
            "Fine.",
        ),
        (
            "de",
            "Ich hab am achten Dezember Termin.",
            "Ginge es einen Tag später?",
            "Mittwoch um neun.",
            "Prima.",
        ),
        (
            "es",
            "Tengo cita el ocho de diciembre.",
            "¿Podría ser un día más tarde?",
            "El miércoles a las nueve.",
            "Sí.",
        ),
        (
            "fr",
            "J'ai rendez-vous le huit décembre.",
            "C'est possible le lendemain ?",
            "Mercredi à neuf heures.",
            "Oui.",
        ),
        (
            "it",
            "Ho appuntamento l'otto dicembre.",
            "Si può il giorno dopo?",
            "Mercoledì alle nove.",
            "Va bene.",
        ),
        (
            "pt",
            "Tenho consulta no dia oito de dezembro.",
            "Podia ser um dia depois?",
            "Quarta às nove.",
            "Está bem.",
        ),
        (
            "nl",
            "Ik heb op acht december een afspraak.",
            "Kan het een dag later?",
            "Woensdag om negen.",
            "Prima.",
        ),
    ],
)
def test_a_weekday_behind_a_wish_for_the_day_after_is_that_day(
    opened: Opened, language: str, has: str, wish: str, offer: str, answer: str
) -> None:
    made = opened(f"u: {has}\na: Mhm.\nu: {wish}\na: {offer}\nu: {answer}", language)

    assert [one.due for one in made] == [date(2026, 12, 9)]


def test_the_same_weekday_behind_a_wish_for_the_week_after_is_a_week_later(opened: Opened) -> None:
    has = "u: I have an appointment on Tuesday the eighth of December.\na: Yes, Tuesday at nine."
    moved = (
        "u: Could we make it the week after?\na: Tuesday at ten would work.\nu: Great, see you Tuesday then."
    )

    assert [one.due for one in opened(f"{has}\n{moved}")] == [date(2026, 12, 15)]
