"""An hour is of the day, and a day of the week, that was spoken of."""

from collections.abc import Callable
from datetime import date

import pytest

from voice_server.context.sections.quotes import undated
from voice_server.domain.digest import OpenThread

Opened = Callable[..., tuple[OpenThread, ...]]
OF_NEXT_WEEK = [
    ("en", "Could we do next week?", "Thursday at two?", "Perfect."),
    ("en", "next week sometime in the morning", "How about Thursday at ten?", "perfect thanks"),
    ("en", "I'd rather come next week.", "What about next Thursday at ten?", "That works."),
    ("de", "ja nächste Woche irgendwann vormittags", "Nächsten Donnerstag um halb neun?", "passt"),
    ("de", "Nächste Woche wäre gut.", "Donnerstag um neun?", "Passt."),
    ("es", "Mejor la semana que viene.", "¿El jueves a las nueve?", "Perfecto."),
    ("fr", "Plutôt la semaine prochaine.", "Jeudi à neuf heures ?", "Parfait."),
    ("it", "Meglio la settimana prossima.", "Giovedì alle nove?", "Perfetto."),
    ("nl", "Liever volgende week.", "Donderdag om negen uur?", "Prima."),
    ("pt", "Melhor na próxima semana.", "Quinta às nove?", "Perfeito."),
]


@pytest.mark.parametrize(
    ("language", "offered", "refused", "other", "yes", "due"),
    [
        ("en", "Can you come tomorrow at five?", "I can't at five.", "Half past six?", "That's fine.", 18),
        ("en", "Can you come today at five?", "I finish work at six.", "Half past six?", "Okay.", 17),
        ("en", "Can you come today at five?", "Today's no good at all.", "Half past six?", "Okay.", None),
        ("de", "Können Sie heute um fünf kommen?", "Um fünf geht nicht.", "Halb sieben?", "Ja, gut.", 17),
        ("de", "Können Sie heute um fünf kommen?", "Heute nicht.", "Halb sieben?", "Ja, gut.", None),
        ("fr", "Vous pouvez venir demain à dix heures ?", "À dix heures, non.", "À midi ?", "Oui.", 18),
        ("es", "¿Puede venir mañana a las cinco?", "A las cinco no puedo.", "¿A las seis?", "Sí.", 18),
        ("it", "Può venire domani alle cinque?", "Alle cinque non posso.", "Alle sei?", "Sì.", 18),
        ("nl", "Kunt u morgen om vijf uur komen?", "Vijf uur lukt niet.", "Half zeven?", "Ja, prima.", 18),
        ("pt", "Pode vir amanhã às cinco?", "às cinco não consigo", "Às seis e meia?", "Pode ser.", 18),
    ],
)
def test_another_hour_is_of_the_day_that_was_offered(
    opened: Opened, language: str, offered: str, refused: str, other: str, yes: str, due: int | None
) -> None:
    (thread,) = opened(f"a: {offered}\nu: {refused}\na: {other}\nu: {yes}", language)

    assert thread.due == (due and date(2026, 11, due))


@pytest.mark.parametrize(("language", "wish", "proposal", "answer"), OF_NEXT_WEEK)
def test_an_appointment_in_the_week_that_was_wished_for_is_in_that_week_and_takes_the_wishs_place(
    opened: Opened, language: str, wish: str, proposal: str, answer: str
) -> None:
    (thread,) = opened(f"a: Hello.\nu: {wish}\na: {proposal}\nu: {answer}", language)

    assert thread.due == date(2026, 11, 26)
    assert undated(thread.text) == f'"{proposal}" – "{answer}"'


@pytest.mark.parametrize(
    "wish", ["I'm away next week.", "The kids have exams next week.", "Greg's out next week."]
)
def test_who_is_away_in_a_week_wishes_for_no_day_of_it(opened: Opened, wish: str) -> None:
    plans = opened(f"u: {wish}\na: Thursday at two?\nu: Perfect.")

    assert [one.due for one in plans if "Thursday" in one.text] == [None]


def test_a_wish_for_this_week_after_all_ends_the_talk_of_the_next(opened: Opened) -> None:
    full = "u: Could we do next week?\na: We're full. Could you do this week?\nu: Yes."
    said = f"{full}\na: Thursday at two?\nu: Fine."

    assert date(2026, 11, 19) in [one.due for one in opened(said)]


def test_a_week_is_not_spoken_of_for_ever(opened: Opened) -> None:
    chat = "\n".join("a: How is the garden?\nu: It's all leaves." for _ in range(4))
    said = (
        f"u: Could we do next week?\na: I'll ask.\n{chat}\na: Could you come on Thursday at two?\nu: Perfect."
    )

    assert date(2026, 11, 19) in [one.due for one in opened(said)]


@pytest.mark.parametrize(
    ("language", "asked", "answer", "other"),
    [
        (
            "es",
            "¿El sábado por la mañana?",
            "El sábado a las diez.",
            "El sábado cinco entonces, antes no estoy.",
        ),
        (
            "fr",
            "Samedi matin, ça vous va ?",
            "Samedi à dix heures.",
            "Alors samedi cinq, là je suis absent.",
        ),
        ("nl", "Kan zaterdagochtend?", "Zaterdag om tien uur.", "Dan zaterdag vijf december, eerder niet."),
    ],
)
def test_the_day_that_the_other_then_names_by_its_number_is_meant(
    opened: Opened, language: str, asked: str, answer: str, other: str
) -> None:
    threads = opened(f"a: {asked}\nu: {answer}\na: {other}\nu: Ok.", language)

    assert {thread.due for thread in threads} == {date(2026, 12, 5)}


def test_a_series_is_due_on_no_day_that_was_given_up_for_it(opened: Opened) -> None:
    said = "u: Mardi ce n'est plus possible.\na: Alors le jeudi à neuf heures ?\nu: Oui, tous les jeudis."

    assert [thread.due for thread in opened(said, "fr")] == [None]


COUNTER_OFFERS = [
    (
        "en",
        "I could do next week, Tuesday at eight.",
        "I work on Tuesday. Wednesday?",
        "Wednesday works too.",
    ),
    ("de", "nächste woche dienstag um acht", "dienstag arbeite ich mittwoch", "mittwoch geht auch acht uhr"),
    ("es", "¿La semana que viene, el martes a las ocho?", "Trabajo. ¿El miércoles?", "El miércoles, vale."),
    (
        "fr",
        "Mardi de la semaine prochaine à huit heures ?",
        "Je travaille. Mercredi ?",
        "Mercredi, d'accord.",
    ),
    ("it", "Martedì della settimana prossima alle otto?", "Lavoro. Mercoledì?", "Mercoledì va bene."),
    ("pt", "Na terça da semana que vem, às oito?", "Eu trabalho. Quarta?", "Quarta às oito, pode ser."),
    ("nl", "Dan kan het volgende week dinsdag, om acht uur.", "Dan werk ik. Woensdag?", "Woensdag kan ook."),
]


@pytest.mark.parametrize(("language", "offered", "other", "yes"), COUNTER_OFFERS)
def test_another_day_for_one_of_next_week_is_of_that_week(
    opened: Opened, language: str, offered: str, other: str, yes: str
) -> None:
    said = f"a: {offered}\nu: {other}\na: {yes}\nu: Okay."

    assert [one.due for one in opened(said, language=language)] == [date(2026, 11, 25)]


@pytest.mark.parametrize(
    ("language", "offered", "asked", "sooner"),
    [
        ("en", "I could do Tuesday of next week.", "Is there anything sooner?", "Thursday at nine."),
        ("de", "Dienstag nächster Woche um neun?", "Haben Sie nicht etwas früher?", "Donnerstag um neun."),
        ("es", "¿El martes de la semana que viene?", "¿No tiene nada antes?", "El jueves a las nueve."),
        ("fr", "Mardi de la semaine prochaine ?", "Vous n'avez rien de plus tôt ?", "Jeudi à neuf heures."),
        ("nl", "Dinsdag volgende week om negen uur?", "Heeft u niet iets eerder?", "Donderdag om negen uur."),
    ],
)
def test_what_is_offered_sooner_than_next_week_is_of_this_one(
    opened: Opened, language: str, offered: str, asked: str, sooner: str
) -> None:
    said = f"a: {offered}\nu: {asked}\na: {sooner}\nu: Okay."

    assert [one.due for one in opened(said, language=language)] == [date(2026, 11, 19)]


def test_a_promise_for_today_is_not_of_the_week_that_it_answers(opened: Opened) -> None:
    [promise] = opened("u: My parcel was due last week.\na: I'll ring you this afternoon.")

    assert promise.due == date(2026, 11, 17)


@pytest.mark.parametrize(
    ("language", "offered", "other", "yes", "due"),
    [
        ("en", "Next week Tuesday at ten?", "I can't Tuesday, this Friday?", "Friday at ten, fine.", 20),
        ("en", "Next week, Tuesday at ten?", "Tuesday I can't, Thursday at two?", "Thursday it is.", 26),
        ("de", "Nächste Woche Dienstag um zehn?", "Da kann ich nicht, diesen Freitag?", "Freitag, gut.", 20),
        ("es", "¿La semana que viene, el martes?", "No puedo. ¿Este viernes?", "El viernes, vale.", 20),
        ("fr", "Mardi de la semaine prochaine ?", "Je ne peux pas. Ce vendredi ?", "Vendredi, d'accord.", 20),
        ("it", "Martedì della settimana prossima?", "Non posso. Questo venerdì?", "Venerdì va bene.", 20),
        ("pt", "Na terça da semana que vem?", "Não posso. Nesta sexta?", "Sexta, pode ser.", 20),
        ("nl", "Volgende week dinsdag om tien uur?", "Dan kan ik niet. Deze vrijdag?", "Vrijdag, prima.", 20),
    ],
)
def test_this_friday_is_of_no_week_that_was_spoken_of(
    opened: Opened, language: str, offered: str, other: str, yes: str, due: int
) -> None:
    said = f"a: {offered}\nu: {other}\na: {yes}\nu: Okay."

    assert [one.due for one in opened(said, language=language)] == [date(2026, 11, due)]


@pytest.mark.parametrize(
    "said",
    [
        "a: The plumber comes on Tuesday next week.\nu: Good.\na: I'll call you on Friday.\nu: Okay.",
        "a: The plumber comes on Tuesday next week.\nu: Good. And I'll pay the bill on Friday.\na: Fine.",
        "a: Tuesday next week?\nu: Yes. And Mum's visit on Friday, is it on?\na: Friday at nine, yes.",
    ],
)
def test_a_day_of_next_week_says_nothing_of_another_matter(opened: Opened, said: str) -> None:
    assert [one.due for one in opened(said)] == [date(2026, 11, 24), date(2026, 11, 20)]


LATE_ON_THURSDAY = [
    ("de", "Samstag arbeite ich.", "Donnerstag haben wir länger auf. Halb acht?", "Ja, halb acht ist gut."),
    ("en", "Saturday I'm working.", "Thursday we're open late. Half past seven?", "Yes, half past seven."),
    ("es", "El sábado trabajo.", "El jueves abrimos hasta tarde. ¿A las siete y media?", "Sí, está bien."),
    ("fr", "Samedi je travaille.", "Jeudi on ferme tard. Dix-neuf heures trente ?", "Oui, c'est bien."),
    ("it", "Sabato lavoro.", "Giovedì siamo aperti fino a tardi. Alle sette e mezza?", "Sì, va bene."),
    ("nl", "Zaterdag werk ik.", "Donderdag hebben we koopavond. Half acht?", "Ja, half acht is goed."),
    ("pt", "Sábado eu trabalho.", "Quinta abrimos até tarde. Às sete e meia?", "Sim, está bom."),
]
SATURDAY = {"de": "Samstag", "en": "Saturday", "es": "El sábado", "fr": "Samedi", "it": "Sabato",
            "nl": "Zaterdag", "pt": "Sábado"}  # fmt: skip


@pytest.mark.parametrize(("language", "busy", "offered", "yes"), LATE_ON_THURSDAY)
def test_an_hour_is_of_the_day_named_right_before_it(
    opened: Opened, language: str, busy: str, offered: str, yes: str
) -> None:
    *_, one = opened(f"a: {SATURDAY[language]}?\nu: {busy}\na: {offered}\nu: {yes}", language)
    assert one.due == date(2026, 11, 19)


@pytest.mark.parametrize("full", ["Thursday is full.", "We're closed on Thursday."])
def test_an_hour_is_not_of_a_day_that_is_full(opened: Opened, full: str) -> None:
    (one,) = opened(
        f"a: Does Saturday suit you?\nu: In the evening?\na: {full} Half past seven?\nu: Yes, that's good."
    )
    assert one.due is None


@pytest.mark.parametrize(
    ("language", "offered", "asked", "granted"),
    [
        ("en", "We've got something free on Thursday.", "Around eleven?", "Eleven works."),
        ("de", "Am Donnerstag hätten wir was frei.", "So gegen elf?", "Elf Uhr passt."),
        ("es", "El jueves tenemos un hueco.", "¿Sobre las once?", "A las once me va bien."),
        ("fr", "Jeudi on a de la place.", "Vers onze heures ?", "Onze heures, ça va."),
        ("it", "Giovedì abbiamo posto.", "Verso le undici?", "Alle undici va bene."),
        ("pt", "Na quinta temos vaga.", "Por volta das onze?", "Às onze está bem."),
        ("nl", "Donderdag hebben we nog plek.", "Rond elf?", "Elf uur is goed."),
    ],
)
def test_an_hour_asked_for_is_of_the_day_that_has_room(
    opened: Opened, language: str, offered: str, asked: str, granted: str
) -> None:
    (thread,) = opened(f"a: {offered}\nu: {asked}\na: {granted}", language)

    assert (thread.kind, thread.due) == ("plan", date(2026, 11, 19))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            """
            u: A colour for Saturday the 5th of December, please.
            a: Saturday the 5th of December. In the morning?
            u: Yes, about nine. Oh no, wait, that's too tight, my sister's getting married at eleven.
            a: The Friday evening then? I've six o'clock with Jen.
            u: Friday at six, yes, great.
            """,
        ),
        (
            "de",
            """
            u: Eine Farbe für Samstag, den 5. Dezember, bitte.
            a: Samstag, 5. Dezember. Vormittags?
            u: Ja, so um neun. Ach nein, warten Sie, das ist zu knapp, meine Schwester heiratet um elf.
            a: Dann am Freitagabend? Ich hätte 18 Uhr bei Jenny.
            u: Freitag 18 Uhr, ja, super.
            """,
        ),
        (
            "fr",
            """
            u: Une couleur pour le samedi 5 décembre, s'il vous plaît.
            a: Samedi 5 décembre. Le matin ?
            u: Oui, vers neuf heures. Ah non, attendez, c'est trop juste, ma sœur se marie à onze heures.
            a: Alors le vendredi soir ? J'ai 18 heures avec Jennifer.
            u: Vendredi 18 heures, oui, nickel.
            """,
        ),
    ],
)
def test_another_day_than_one_far_ahead_is_of_its_week(opened: Opened, language: str, said: str) -> None:
    assert [one.due for one in opened(said, language)] == [date(2026, 12, 4)]
